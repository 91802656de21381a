"""Sentences that say which dates a year label stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

import pyarrow as pa

from finrag.records.vocabulary import read_vocabulary
from finrag.text.numbers import MONTH_NUMBERS
from finrag.text.phrases import Finding, find_in_texts

PERIOD_SCHEMA = pa.schema(
    [
        pa.field("text_hash", pa.string(), nullable=False),
        pa.field("period_label", pa.string(), nullable=False),
        pa.field("label_year", pa.int32()),
        pa.field("end_date", pa.string(), nullable=False),
        pa.field("end_year", pa.int32(), nullable=False),
    ]
)

# A fiscal year is named after the year of its end, or the one before or after it.
MAX_LABEL_DISTANCE = 1

_MONTH = "(?:" + "|".join(name.title() for name in MONTH_NUMBERS) + ")"
_VOCABULARY: Final = read_vocabulary(__file__, month=_MONTH)
_YEAR = _VOCABULARY.texts["year"]
_DATE = _VOCABULARY.texts["date"]
_Q = _VOCABULARY.texts["q"]
_LISTED = _VOCABULARY.texts["listed"]
_MEANS = _VOCABULARY.pattern("means")
_ENDED = _VOCABULARY.pattern("ended")
_NAMED_AFTER = _VOCABULARY.pattern("named_after")
_NEXT_NAMED = _VOCABULARY.pattern("next_named")
_CUE = _VOCABULARY.texts["cue"]
_PART_OF_YEAR = _VOCABULARY.pattern("part_of_year", re.IGNORECASE)
_SHORT_PERIOD = _VOCABULARY.pattern("short_period", re.IGNORECASE)
_FIND_DATE = _VOCABULARY.pattern("find_date")
_HAS_DATE = re.compile(_DATE)
_FIND_LABEL = re.compile(_LISTED)
_FIND_YEAR = re.compile(_YEAR)


def find_periods(texts: pa.Table) -> pa.Table:
    """What year labels mean, one row per text and label.

    Read are a label that means, refers to, is or consists of a year ended on a date; a label
    that ended on a date; and a year ended on a date with the label behind it in parentheses.
    Several labels and as many dates are bound in order; several names of one year ("the year"
    and "fiscal 2021") share its one date. Parts of a year, and pairs whose years lie more than
    one apart or not all equally far apart, are left out.

    Args:
        texts: distinct texts, ``text_hash`` and ``sentence_text``.

    Returns:
        Rows of ``PERIOD_SCHEMA`` by text_hash and place; ``label_year`` is null for "the year".

    Raises:
        ValueError: a null text, by its text_hash.
    """
    return find_in_texts(texts, PERIOD_SCHEMA, _CUE, _periods_in)


def _periods_in(sentence: str) -> Iterator[Finding]:
    pairs = _pairs(sentence) if _HAS_DATE.search(sentence) else []
    distances = {
        end.year - int(year[0]) for label, end in pairs if (year := _FIND_YEAR.search(label))
    }
    if len(distances) > 1 or any(abs(distance) > MAX_LABEL_DISTANCE for distance in distances):
        return
    seen: dict[str, date] = {}
    for label, end in pairs:
        if seen.setdefault(label, end) != end:
            return
    for label, end in seen.items():
        year = _FIND_YEAR.search(label)
        yield {
            "period_label": label,
            "label_year": int(year[0]) if year else None,
            "end_date": end.isoformat(),
            "end_year": end.year,
        }


def _pairs(sentence: str) -> list[tuple[str, date]]:
    pairs: list[tuple[str, date]] = []
    for pattern in (_MEANS, _ENDED):
        for match in pattern.finditer(sentence):
            if not _is_whole_year(sentence, match.start(), match[0]):
                continue
            pairs.extend(_bind(match["labels"], match["dates"]))
    for match in _NAMED_AFTER.finditer(sentence):
        if not _is_whole_year(sentence, match.start(), match[0]):
            continue
        named: re.Match[str] | None = match
        while named is not None:
            pairs.extend(_bind(named["label"], named["date"]))
            named = _NEXT_NAMED.match(sentence, named.end())
    return pairs


def _is_whole_year(sentence: str, start: int, text: str) -> bool:
    return not _PART_OF_YEAR.search(sentence[:start]) and not _SHORT_PERIOD.search(
        sentence[max(0, start - 12) : start] + text
    )


def _bind(labels: str, dates: str) -> list[tuple[str, date]]:
    """Labels with their dates, in order; nothing where their numbers do not agree."""
    names = [_name(match[0], labels) for match in _FIND_LABEL.finditer(labels)]
    ends = _dates(dates)
    years = {match[0] for match in _FIND_YEAR.finditer(labels)}
    if len(ends) == 1 and len(years) <= 1:
        return [(name, ends[0]) for name in names]
    if len(ends) == len(names) and all(_FIND_YEAR.search(name) for name in names):
        return list(zip(names, ends, strict=True))
    return []


def _name(label: str, labels: str) -> str:
    """A label as it would stand alone: in "fiscal 2019 and 2018" the second is fiscal 2018."""
    bare = label.strip("“”\"' ,")
    if not bare[0].isdigit() or label != bare:
        return re.sub(
            r"^[Tt]he ", "the ", re.sub(r"^Fiscal", "fiscal", re.sub("years", "year", bare))
        )
    lead = re.match(rf"{_Q}((?:[Ff]iscal )?(?:[Yy]ears? )?){_YEAR}", labels)
    words = lead[1].replace("years", "year").lower() if lead else ""
    return f"{words}{bare}"


def _dates(text: str) -> list[date]:
    """The dates of a list; nothing where one of them does not exist."""
    ends: list[date] = []
    month = day = 0
    for match in _FIND_DATE.finditer(text):
        if match["month"]:
            month, day = MONTH_NUMBERS[match["month"].lower()], int(match["day"])
        try:
            ends.append(date(int(match["year"]), month, day))
        except ValueError:
            return []
    return ends
