"""What the transformations of inline XBRL make of what is shown: numbers, dates, durations."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.text.numbers import MONTH_NUMBERS, NUMBER_WORDS

_VOCABULARY: Final = read_vocabulary(__file__)
_NUMBERS: Final = _VOCABULARY.tables["numbers"]
_TEXTS: Final = _VOCABULARY.tables["texts"]
_DURATIONS: Final = _VOCABULARY.tables["durations"]
_CHECKED: Final = _VOCABULARY.pattern("checked")
_SPANS: Final = _VOCABULARY.pattern("spans")
_GAPS: Final = {ord(sign): None for sign in " \xa0\u2009\u202f'’`"}
_POINT: Final = {**_GAPS, ord(","): None}
_COMMA: Final = {**_GAPS, ord("."): None, ord(","): "."}
_DECIMAL: Final = re.compile(r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+")
_MONTHS: Final = {name[:3]: number for name, number in MONTH_NUMBERS.items()}


def _numbers_of(table: str) -> dict[str, int]:
    return {word: int(value) for word, value in _VOCABULARY.tables[table].items()}


_ZEROS: Final = _numbers_of("zeros")
_TENS: Final = _numbers_of("tens")
_MULTIPLES: Final = _numbers_of("multiples")
_PARTS: Final = _numbers_of("parts")
_SMALL: Final = {**NUMBER_WORDS, **_numbers_of("teens")}
_CARDINALS: Final = {**_ZEROS, **_SMALL, **_TENS, **_MULTIPLES}
_WORD: Final = re.compile(
    rf"(?<![a-z])(?:(?P<over>{'|'.join(NUMBER_WORDS)})[ -](?P<part>{'|'.join(_PARTS)})s?"
    rf"(?![ -]?part[iy]|[a-z])|(?P<word>{'|'.join(_CARDINALS)}))(?=(?P<gap>-| (?:and )?)?)(?![a-z])"
)


def format_name(given: str | None) -> str | None:
    """The local name of a transformation."""
    return given.rpartition(":")[2] or None if given else None


@lru_cache(maxsize=1024)
def _plain(name: str) -> str:
    """The name as registries 1 to 3 write it: lower case, no hyphens."""
    return name.replace("-", "").lower()


def digits_by_format(text: str, name: str | None) -> str | None:
    """Digits with a decimal point that a tagged number states, before scale and sign.

    Args:
        text: what is shown.
        name: local name of the transformation; null for none, which allows digits only: groups of
            thousands are let pass.

    Returns:
        Null where the text is not written so, or the transformation makes no numbers.
    """
    kind = "dot" if name is None else _NUMBERS.get(_plain(name))
    if kind == "dot":
        digits = text.strip().translate(_POINT)
    elif kind == "zero":
        return "0"
    elif kind == "comma":
        digits = text.strip().translate(_COMMA)
    elif kind == "units":
        digits = ".".join(part.translate(_POINT) for part in re.findall("[0-9][0-9,]*", text))
    elif kind == "words":
        spelled = spelled_numbers(text.strip())
        return repr(spelled[0][2]) if [one[:2] for one in spelled] == [(0, len(text))] else None
    else:
        return None
    return digits if digits.isascii() and _DECIMAL.fullmatch(digits) else None


def text_by_format(text: str, name: str | None) -> str:
    """What a tagged text states: dates and durations as in ISO 8601, truths as true or false.

    Returns:
        The text itself where there is no transformation, or none that is known.
    """
    kind = _plain(name or "")
    shown = text.strip()
    if kind in _TEXTS:
        return _TEXTS[kind]
    if kind in _DURATIONS:
        digits = digits_by_format(shown, None)
        return _DURATIONS[kind].format(digits) if digits else shown
    if kind == "durwordsen":
        return _duration(shown) or shown
    if kind.endswith("ballotbox"):
        return "true" if _CHECKED.fullmatch(shown.lower()) else "false"
    return (_date(shown, kind) or shown) if kind.startswith("date") else shown


def spelled_numbers(text: str) -> list[tuple[int, int, float]]:
    """Numbers that a text spells out, from "no" and "none" to "two-thirds" and "three hundred".

    Returns:
        Start, end and value of each, in text order.
    """
    found: list[tuple[int, int, float]] = []
    total = current = 0
    last = "", ""
    for match in _WORD.finditer(text.lower()):
        if match["part"]:
            value = NUMBER_WORDS[match["over"]] / _PARTS[match["part"]]
            found.append((match.start(), match.end(), value))
            last = "", ""
            continue
        word, number = match["word"], _CARDINALS[match["word"]]
        goes_on = bool(found) and _follows(last[0], word)
        goes_on = goes_on and found[-1][1] + len(last[1]) == match.start()
        if not goes_on:
            total = current = 0
            if word in _MULTIPLES:
                last = "", ""
                continue
        if word == "hundred":
            current = max(current, 1) * 100
        elif word in _MULTIPLES:
            total, current = total + max(current, 1) * number, 0
        else:
            current += number
        start = found.pop()[0] if goes_on else match.start()
        found.append((start, match.end(), float(total + current)))
        last = word, match["gap"] or ""
    return found


def _follows(before: str, word: str) -> bool:
    """Whether a word goes on with the number that another one began."""
    if before in _ZEROS or word in _ZEROS or not before:
        return False
    if word in _MULTIPLES:
        return True
    return before in _MULTIPLES or (before in _TENS and _CARDINALS[word] < 10)


def _duration(text: str) -> str | None:
    """A duration in words, such as "two years and six months"."""
    days = hours = ""
    for count, span in _SPANS.findall(text.lower()):
        spelled = spelled_numbers(count)
        digits = f"{spelled[0][2]:g}" if spelled else digits_by_format(count, None)
        if digits is None:
            return None
        if span == "hour":
            hours = f"T{digits}H"
        else:
            days += digits + span[0].upper()
    return f"P{days}{hours}" if days or hours else None


def _date(text: str, kind: str) -> str | None:
    """A date in the order that the name of its transformation states."""
    named = ((kind.find(part), part) for part in ("day", "month", "year"))
    order = [part for place, part in sorted(named) if place >= 0]
    if not order:
        order = ["month", "day", "year"] if kind.endswith("us") else ["day", "month", "year"]
    numbers = [int(digits) for digits in re.findall(r"[0-9]{1,4}", text)]
    words = (word[:3] for word in re.findall(r"[a-z]{3,}", text.lower()))
    month = next((_MONTHS[word] for word in words if word in _MONTHS), None)
    said = {} if month is None else {"month": month}
    said.update(zip((part for part in order if part not in said), numbers, strict=False))
    if len(said) != len(order):
        return None
    year = said.get("year", 2000)
    try:
        day = date(year + 2000 * (year < 100), said["month"], said.get("day", 1)).isoformat()
    except (KeyError, ValueError):
        return None
    return f"-{day[4:]}" if "year" not in said else day if "day" in said else day[:7]
