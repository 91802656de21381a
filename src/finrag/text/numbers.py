"""Amounts in financial prose: value, rounding, unit and scale, as distinct from years and notes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from finrag.records.vocabulary import read_vocabulary


@dataclass(frozen=True, slots=True)
class Amount:
    """One number of a text.

    Attributes:
        start: Offset of the first character.
        end: Offset after the last character; ``text[start:end] == raw``.
        raw: The number verbatim, with currency, sign, brackets, scale and unit.
        value: Whole units ("$1.5 billion" is 1.5e9, "6.2%" is 6.2); of a range, its middle.
        low: Lower end of the rounding interval that the printed digits imply.
        high: Upper end of that interval; of a range, of its upper end.
        unit: ISO code of a currency, that code with ``_per_share``, ``percent``,
            ``percentage_points``, ``basis_points``, ``ratio`` or ``count``; None unless
            the kind is ``amount``.
        scale: ``units``, ``thousands``, ``millions``, ``billions`` or ``trillions``.
        kind: ``amount``, ``year``, ``date`` (days, times, spans of time), ``reference``
            (items, notes, forms, list marks, names) or ``ordinal``.
        is_range: True for "$2 to $3 billion" and its like.
        range_low: Lower end as printed, None unless a range.
        range_high: Upper end as printed, None unless a range.
        is_per_share: True where the text says per share or per unit.
    """

    start: int
    end: int
    raw: str
    value: float
    low: float
    high: float
    unit: str | None
    scale: str
    kind: str
    is_range: bool = False
    range_low: float | None = None
    range_high: float | None = None
    is_per_share: bool = False


def word_set(text: str) -> frozenset[str]:
    """The words of a text, as a set to test words against."""
    return frozenset(text.split())


MAX_DIGITS: Final = 18
# Beyond any figure of a filing, and far from where a double loses units.
MAX_MAGNITUDE: Final = 1e16
MAX_LIST_MARK: Final = 20

# A digit first lets the engine skip ahead; groups of thousands are checked afterwards.
_RUN: Final = re.compile(r"[0-9](?:[0-9,]*[0-9])?(?:\.[0-9]+)?")
_TOKEN: Final = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]*\.?[0-9]+")
_VOCABULARY: Final = read_vocabulary(__file__)
_PREFIX: Final = _VOCABULARY.pattern("prefix")
_NIL: Final = re.compile(r"[$€£¥][ \xa0]{0,2}[—–-](?![ \xa0]?[(0-9$])")
_SUFFIX: Final = _VOCABULARY.pattern("suffix")
_WORDS: Final = _VOCABULARY.pattern("words")
# RE2, for whole columns, case ignored: texts without a match hold no number for `find_amounts`.
MAY_HOLD_AMOUNTS: Final = r"[0-9]|[$€£¥]|illion|thousand|percent"
_PER_SHARE: Final = _VOCABULARY.pattern("per_share")
_SHARE_BEFORE: Final = _VOCABULARY.pattern("share_before")
_TIME: Final = _VOCABULARY.pattern("time")
_MONTH_AFTER: Final = _VOCABULARY.pattern("month_after")
_RANGE_CUE: Final = re.compile(r"(?:between|rang(?:e|es|ed|ing)(?: is| was)?(?: from| of)?) ?$")
_MOVED_TO: Final = _VOCABULARY.pattern("moved_to")

_SCALE_WORDS: Final = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SCALES: Final = {
    **{form: size for word, size in _SCALE_WORDS.items() for form in (word, f"{word}s")},
    **{"k": 1e3, "m": 1e6, "mm": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9},
}
_SCALE_NAMES: Final = {1.0: "units", **{size: f"{word}s" for word, size in _SCALE_WORDS.items()}}
_CURRENCIES: Final = _VOCABULARY.tables["currencies"]
_MONTHS: Final = _VOCABULARY.words["months"]
_REFERENCE_WORDS: Final = _VOCABULARY.words["reference_words"]
_PLAIN_ENDS: Final = frozenset({"", ",", ".", ";", ":"})
_PREFIX_ENDS_OR_SPACE: Final = frozenset("$€£¥₹(-−–DRPYBFdrpybf \xa0")
_CURRENCY_CODES: Final = frozenset(_CURRENCIES.values())
_PREFIX_ENDS: Final = frozenset("$€£¥₹(-−–DRPYBFdrpybf")
_LIST_GAPS: Final = frozenset(
    {", ", " and ", ", and ", " or ", ", or ", " through ", " to ", "-", "–", " & ", "/"}
)
_RANGE_GAPS: Final = frozenset({" to ", "-", "–", " - ", " – ", " through ", " and "})
_COUNTING: Final = "one two three four five six seven eight nine ten eleven twelve"
NUMBER_WORDS: Final = {word: place for place, word in enumerate(_COUNTING.split(), start=1)}
_CALENDAR: Final = (
    "january february march april may june july august september october november december"
)
MONTH_NUMBERS: Final = {name: place for place, name in enumerate(_CALENDAR.split(), start=1)}
_NEGATIVE_AFTER: Final = frozenset({"of", "was", "were", "to", "by", "is", "at", ""})


def lower_same_length(text: str) -> str:
    """Lower-case a text so that every offset stays where it was."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def find_amounts(text: str) -> tuple[Amount, ...]:
    """Find the numbers of a text, in text order, with their kinds.

    Numbers in digits, and "one" to "twelve" before a scale or a percentage. Brackets and a
    leading minus make a value negative; brackets that also enclose a scale or a percent sign
    do so only after "of", "was", "were", "to", "by", "is", "at" or at the start, because
    elsewhere they are a parenthesis ("10% ($45 million)"). A bare whole number up to 20 in
    brackets is a list mark. "$—" is nil, with the value 0. The rounding interval is half a
    unit of the last printed digit to either side.

    Args:
        text: Any text.

    Returns:
        Every number; those that are no amounts carry another ``kind``. None overlap.
    """
    lower = lower_same_length(text)
    # Looked for once: a text may hold thousands of numbers.
    names_a_share = "share" in lower or "unit" in lower or "eps" in lower
    found: list[Amount] = []
    previous: Amount | None = None
    for start, end in _tokens(text):
        if previous is not None and start < previous.end:
            continue
        previous = _amount(text, lower, start, end, previous, names_a_share)
        found.append(previous)
    extra = _written_out(text, lower) + _nils(text)
    if extra:
        taken = [(one.start, one.end) for one in found]
        found += [
            one for one in extra if all(one.end <= low or one.start >= high for low, high in taken)
        ]
        found.sort(key=lambda one: one.start)
    return tuple(_with_ranges(text, lower, found)) if len(found) > 1 else tuple(found)


def _tokens(text: str) -> Iterator[tuple[int, int]]:
    for match in _RUN.finditer(text):
        start, end = match.span()
        if start and text[start - 1] == "." and not text[max(0, start - 2) : start - 1].isalnum():
            start -= 1
        if "," in match.group():
            for piece in _TOKEN.finditer(text, start, end):
                yield piece.span()
        else:
            yield start, end


def _amount(
    text: str, lower: str, start: int, end: int, previous: Amount | None, names_a_share: bool
) -> Amount:
    digits = text[start:end]
    front = start, "", "", ""
    if start and text[start - 1] in _PREFIX_ENDS_OR_SPACE:
        front = _front(text, lower, start, previous.end if previous else 0)
    first, bracket, sign, currency = front
    tail = _NO_TAIL
    if text[end : end + 1] not in _PLAIN_ENDS:
        tail = _tail(lower, digits, end, bracket, currency)
    scale, unit_word, last = tail.scale, tail.unit, tail.end or end
    if bracket and not tail.is_closed:
        # The bracket opens a remark that goes on: it is no part of the number.
        first, bracket = (_after_bracket(lower, first) if lower[first] == "(" else first), ""
    kind = "amount"
    if len(digits) > MAX_DIGITS or (start and not currency and text[start - 1].isalpha()):
        kind = "reference"
    elif not (currency or scale or unit_word):
        kind = _kind(text, lower, start, end, digits, bool(bracket), previous)
    if kind != "amount":
        first, last = start, end + 2 if kind == "ordinal" else end
        bracket = sign = scale = ""
    elif tail.has_remark and not _states_loss(lower, first):
        bracket, first, last = "", _after_bracket(lower, first), last - 1
    factor = _SCALES[scale] if scale else 1.0
    decimals = len(digits) - digits.find(".") - 1 if "." in digits else 0
    unit, divisor, per_share = None, 1.0, False
    if kind == "amount":
        unit, divisor = _unit(currency, unit_word)
        if unit in _CURRENCY_CODES and names_a_share:
            per_share = _says_per_share(lower, first, last)
            unit = f"{unit}_per_share" if per_share else unit
    value, half = _number(digits, decimals, factor / divisor)
    if bracket or sign:
        value = -value
    return Amount(
        first,
        last,
        text[first:last],
        value,
        value - half,
        value + half,
        unit,
        _SCALE_NAMES[factor],
        kind,
        is_per_share=per_share,
    )


class _Tail(NamedTuple):
    """What follows the digits of a number."""

    scale: str
    unit: str
    end: int
    is_closed: bool
    has_remark: bool


_NO_TAIL: Final = _Tail("", "", 0, False, False)


def _tail(lower: str, digits: str, end: int, bracket: str, currency: str) -> _Tail:
    """Read a closing bracket, a scale and a unit; only what belongs to the number counts."""
    match = _SUFFIX.match(lower, end)
    if match is None or match.end() == end:
        return _NO_TAIL
    inner, scale, outer, unit = match.groups()
    if inner and not bracket:
        return _NO_TAIL
    if scale and len(scale) <= 2 and not currency:
        scale = outer = unit = None
    has_remark = bool(bracket and outer and not inner)
    if outer and not has_remark:
        outer = unit = None
    if unit and unit[0] in "tx":
        unit = _ratio_word(lower, digits, unit, match.start(4), bool(currency or scale))
    last = 0
    for index, part in ((4, unit), (3, outer), (2, scale), (1, inner)):
        if part:
            last = match.end(index)
            break
    if has_remark and unit:
        # The bracket closes before the unit: "(3.2 million) dollars".
        has_remark = False
    return _Tail(scale or "", unit or "", last, bool(inner or outer), has_remark)


def _ratio_word(lower: str, digits: str, word: str, at: int, has_unit: bool) -> str | None:
    """Keep "times", "1.25 to 1.00" and "3x"; "5 x 4" and "$2 to 1" are no ratios."""
    if word == "times":
        return word
    if word == "x":
        return word if lower[at - 1] == digits[-1] else None
    return "times" if not has_unit and "." in digits else None


def _states_loss(lower: str, first: int) -> bool:
    """Whether brackets around number and scale are a minus sign, not a remark."""
    words = lower[max(0, first - 12) : first].split()
    return (words[-1] if words else "") in _NEGATIVE_AFTER


def _front(text: str, lower: str, start: int, floor: int) -> tuple[int, str, str, str]:
    """Where the number starts, its bracket, sign and currency."""
    if (
        text[start - 1] == "$"
        and (start < 2 or text[start - 2] == " ")
        and (start < 3 or text[start - 3] not in "(-−–S")
    ):
        return start - 1, "", "", "$"
    if text[start - 1] in " \xa0" and (start < 2 or text[start - 2] not in _PREFIX_ENDS):
        return start, "", "", ""
    prefix = _PREFIX.search(lower, max(0, start - 9, floor), start)
    return _prefix(lower, prefix, start) if prefix is not None else (start, "", "", "")


def _number(digits: str, decimals: int, factor: float) -> tuple[float, float]:
    """The value, and half a unit of its last digit."""
    if len(digits) > MAX_DIGITS:
        return float(digits[:MAX_DIGITS].replace(",", "")), 0.5
    if decimals == 0:
        return int(digits.replace(",", "") if "," in digits else digits) * factor, 0.5 * factor
    # Whole numbers first: 4.1 * 1e6 is not 4,100,000 in binary, 41 * 1e6 / 10 is.
    tens = 10.0**decimals
    return int(digits.replace(",", "").replace(".", "")) * factor / tens, 0.5 * factor / tens


def _after_bracket(lower: str, first: int) -> int:
    first += 1
    while lower[first] in " \xa0":
        first += 1
    return first


def _prefix(lower: str, prefix: re.Match[str], start: int) -> tuple[int, str, str, str]:
    """Where the number starts, its bracket, sign and currency."""
    outer, currency, inner = prefix.group(1), prefix.group(2) or "", prefix.group(3)
    bracket = sign = ""
    first = start
    if inner:
        at = prefix.start(3)
        is_glued = at > 0 and (lower[at - 1].isalnum() or lower[at - 1] in "%)")
        if inner == "(":
            bracket, first = "(", at
        elif not is_glued and at + 1 == start:
            sign, first = "-", at
        elif not currency and outer is None:
            return start, "", "", ""
    if currency:
        first = prefix.start(2)
        if first and currency[0].isalpha() and lower[first - 1].isalnum():
            return start, bracket, sign, ""
    if outer and not bracket and (currency or not inner):
        at = prefix.start(1)
        is_glued = at > 0 and (lower[at - 1].isalnum() or lower[at - 1] in "%)")
        if outer == "(":
            bracket, first = "(", at
        elif not is_glued and at + 1 == first:
            sign, first = "-", at
    return first, bracket, sign, currency


def _kind(  # noqa: PLR0911, PLR0912 - a cascade of cases, the first that fits
    text: str,
    lower: str,
    start: int,
    end: int,
    digits: str,
    is_bracketed: bool,
    previous: Amount | None,
) -> str:
    """The kind of a number that has neither currency nor scale nor unit."""
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    beyond = text[end + 1] if end + 1 < len(text) else " "
    is_whole = digits.isdigit()
    if before.isalpha() or before == "_" or (digits[0] == "." and before.isdigit()):
        return "reference"
    if before in "-–/'’#§.:" and start > 1 and (text[start - 2].isalpha() or before == "#"):
        return "reference"
    is_year = is_whole and len(digits) == 4 and digits[:2] in ("19", "20")
    if after.isalpha():
        if lower[end : end + 2] in ("st", "nd", "rd", "th") and not beyond.isdigit():
            ending = lower[end + 2] if end + 2 < len(lower) else " "
            return "ordinal" if not ending.isalnum() else "reference"
        return "year" if is_year and lower[end : end + 1] == "s" else "reference"
    if after == "(" and beyond.isalpha():
        return "reference"
    if after == "." and beyond.isdigit():
        return "reference"
    if (after in "/:" and beyond.isdigit()) or (before in "/:" and start > 1):
        return "year" if is_year and before != ":" and after != ":" else "date"
    if after in "-–‑" and beyond.isalpha():
        return "date" if _TIME.match(lower, end) else "reference"
    if is_year and not is_bracketed:
        if after in "-–" and beyond.isdigit() and not _is_year_at(text, end + 1):
            return "reference"
        return "year"
    if is_bracketed:
        if is_year:
            return "year"
        if is_whole and int(digits[:6]) <= MAX_LIST_MARK and len(digits) <= 2:
            return "reference"
        return "amount"
    if not is_whole and "." not in digits:
        return "amount"
    if is_whole and len(digits) > 1 and digits[0] == "0":
        return "date" if before == "/" else "reference"
    if after in "-–" and beyond.isdigit() and len(digits) == 3 and _phone_tail(text, end + 1):
        return "reference"
    if previous is not None and text[previous.end : start] in _LIST_GAPS:
        gap = text[previous.end : start]
        if previous.kind == "reference" and (
            gap in "-–" or is_whole or "." in text[previous.start : previous.end]
        ):
            return "reference"
        if previous.kind == "year" and gap in "-–/":
            return "year" if len(digits) == 2 else "reference"
    if start == 0 and after in ".)" and is_whole and len(digits) <= 2:
        return "reference"
    words = text[max(0, start - 16) : start].split(" ")
    word = words[-2] if len(words) > 1 and not words[-1] else words[-1]
    small = word.lower().lstrip('(“"[')
    if small in _MONTHS and is_whole and int(digits[:6]) <= 31:
        return "date"
    if small in _REFERENCE_WORDS:
        return "reference"
    if is_whole and _MONTH_AFTER.match(lower, end) and int(digits[:6]) <= 31:
        return "date"
    if _TIME.match(lower, end):
        return "date"
    if (
        is_whole
        and word[:1].isupper()
        and word.isalpha()
        and len(word) > 1
        and not word.isupper()
        and start - len(word) > 1
        and text[start - len(word) - 2 : start - len(word) - 1] not in ".:;•"
    ):
        # A bare whole number after a capital inside a sentence is part of a name.
        return "reference"
    return "amount"


def _is_year_at(text: str, at: int) -> bool:
    return text[at : at + 2] in ("19", "20") and text[at : at + 4].isdigit() and at + 4 <= len(text)


def _phone_tail(text: str, at: int) -> bool:
    tail = text[at : at + 4]
    return len(tail) >= 3 and tail[:3].isdigit() and (tail.isdigit() or tail[3:] in "-–")


def _unit(currency: str, word: str) -> tuple[str, float]:  # noqa: PLR0911 - one return a unit
    """The unit, and what the printed number is divided by to reach it."""
    if not word:
        return (_CURRENCIES[currency] if currency else "count"), 1.0
    if word == "%" or (word.startswith("per") and "point" not in word):
        return "percent", 1.0
    if "point" in word or word == "bps":
        return ("percentage_points" if word[0] == "p" else "basis_points"), 1.0
    if word == "cents":
        return "USD", 100.0
    if word in ("times", "x"):
        return "ratio", 1.0
    if currency or word in _CURRENCIES:
        return _CURRENCIES[currency or word], 1.0
    names = {"e": "EUR", "p": "GBP", "y": "JPY", "r": "CNY"}
    return ("CNY" if word == "yuan" else names.get(word[0], "USD")), 1.0


def _says_per_share(lower: str, first: int, last: int) -> bool:
    if _PER_SHARE.match(lower, last):
        return True
    return _SHARE_BEFORE.search(lower, max(0, first - 60), first) is not None


def _written_out(text: str, lower: str) -> list[Amount]:
    if "illion" not in lower and "thousand" not in lower and "percent" not in lower:
        return []
    found = []
    for match in _WORDS.finditer(lower):
        number, word = float(NUMBER_WORDS[match.group(1)]), match.group(2)
        factor = _SCALES.get(word, 1.0)
        unit = "count" if word in _SCALES else _unit("", word)[0]
        if lower[max(0, match.start() - 8) : match.start()].endswith(("twenty-", "thirty-")):
            continue
        found.append(
            Amount(
                start=match.start(),
                end=match.end(),
                raw=text[match.start() : match.end()],
                value=number * factor,
                low=(number - 0.5) * factor,
                high=(number + 0.5) * factor,
                unit=unit,
                scale=_SCALE_NAMES[factor],
                kind="amount",
            )
        )
    return found


def _nils(text: str) -> list[Amount]:
    if "$" not in text and "€" not in text and "£" not in text and "¥" not in text:
        return []
    return [
        Amount(
            start=match.start(),
            end=match.end(),
            raw=match.group(),
            value=0.0,
            low=0.0,
            high=0.0,
            unit=_CURRENCIES[match.group()[0]],
            scale="units",
            kind="amount",
        )
        for match in _NIL.finditer(text)
    ]


def _with_ranges(text: str, lower: str, found: list[Amount]) -> list[Amount]:
    """Join the two ends of a range into one amount."""
    joined: list[Amount] = []
    for one in found:
        if joined and (merged := _range(text, lower, joined[-1], one)) is not None:
            joined[-1] = merged
        else:
            joined.append(one)
    return joined


def _range(  # noqa: PLR0911 - a cascade of reasons against
    text: str, lower: str, a: Amount, b: Amount
) -> Amount | None:
    if a.kind != "amount" or b.kind != "amount" or a.is_range or b.start - a.end > 9:
        return None
    gap = lower[a.end : b.start].replace("\xa0", " ")
    if gap not in _RANGE_GAPS:
        return None
    if a.unit not in (b.unit, "count") and not (b.unit == "count" and b.scale == "units"):
        return None
    if a.unit != b.unit and b.unit in ("ratio", "count"):
        return None
    has_cue = _RANGE_CUE.search(lower, max(0, a.start - 24), a.start) is not None
    if gap == " and ":
        if not lower.endswith("between ", max(0, a.start - 8), a.start):
            return None
    elif not has_cue and gap in (" to ", " through "):
        if a.unit == "count" and b.unit == "count" and a.scale == b.scale and a.value > b.value:
            return None
        if _MOVED_TO.search(lower, max(0, a.start - 24), a.start):
            return None
    factor = 1.0
    if a.scale == "units" and b.scale != "units":
        factor = next(size for size, name in _SCALE_NAMES.items() if name == b.scale)
    elif a.scale != "units" and b.scale == "units":
        return None
    bottom = a.value * factor
    top = abs(b.value) if gap in ("-", "–") and bottom >= 0 else b.value
    if bottom > top:
        return None
    half = (b.high - b.low) / 2
    return replace(
        a,
        end=b.end,
        raw=text[a.start : b.end],
        value=(bottom + top) / 2,
        low=bottom - (a.high - a.low) / 2 * factor,
        high=top + half,
        unit=b.unit,
        scale=b.scale,
        is_range=True,
        range_low=bottom,
        range_high=top,
        is_per_share=a.is_per_share or b.is_per_share,
    )
