"""An answer cut into claims, with exact places: sentences, numbers, names and quotes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from finrag.records.vocabulary import read_vocabulary
from finrag.scoring.claims.words import is_fiscal_year
from finrag.text.likeness import is_ordinary
from finrag.text.numbers import Amount, find_amounts
from finrag.text.sentences import split_spans

NUMBER_KINDS: Final = frozenset({"amount", "year", "date"})
MAX_QUOTE_CHARS: Final = 600
# Deeper nesting is not a list of an answer.
MAX_LIST_CHARS: Final = 100_000

_ESCAPE: Final = re.compile(r"\\(?:u[0-9a-fA-F]{4}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?|.)", re.DOTALL)
# "2019: lower volumes; 2020: higher prices" tells one thing a year.
_YEAR_BREAK: Final = re.compile(r";(?=\s(?:fiscal )?(?:19|20)[0-9]{2}:\s)", re.IGNORECASE)
# The sentence splitter takes "No. 5" for a number, and so "No. Sales fell." for one sentence.
_VERDICT: Final = re.compile(r"\s*(?:yes|no)[.!](?=\s+[^\s0-9])", re.IGNORECASE)
_ITEM_BREAK: Final = re.compile(r"[;\n]+")
# A text without such a place is one sentence; the splitter decides on the others.
_MAY_BREAK: Final = re.compile(r"[.!?][\"”’')\]]*\s|[\n•●▪■]")
_ISO_DATE: Final = re.compile(r"(?<![0-9-])((?:19|20)[0-9]{2})-([01][0-9])-([0-3][0-9])(?![0-9-])")
_QUOTED: Final = re.compile(rf'“[^”“]{{1,{MAX_QUOTE_CHARS}}}”|"[^"]{{1,{MAX_QUOTE_CHARS}}}"')
_VOCABULARY: Final = read_vocabulary(__file__)
_NAME: Final = _VOCABULARY.pattern("name")
_OPENS: Final = re.compile(r"(?:^|[.!?:;•\n])[\s\"“”‘(\[]*$")
_ACTS: Final = _VOCABULARY.pattern("acts")
# "U.S. dollars" names a currency.
_MONEY_AFTER: Final = re.compile(r" (?:dollars?|francs?)\b")
_CURRENCY_COUNTRIES: Final = frozenset({"U.S.", "US", "Swiss", "Canadian", "Australian"})
_PLAIN_ENDINGS: Final = ("s", "ing", "ed", "ly", "tion", "ment", "ness")
_COMMON: Final = _VOCABULARY.words["common"]


class Span(NamedTuple):
    """A place: ``text[start:end]``."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence of an answer, or an item of its list.

    Attributes:
        start: offset in the answer as it is written.
        end: offset after its last character.
        text: the unit as it reads; other than the written one where that has JSON escapes.
        places: for each offset of ``text``, and for its end, the offset in the answer; None
            where they run in step.
    """

    start: int
    end: int
    text: str
    places: tuple[int, ...] | None = None

    def place(self, offset: int) -> int:
        """The offset in the answer of an offset in ``text``."""
        return self.start + offset if self.places is None else self.places[offset]


def cut_units(text: str, answer_form: str | None) -> list[Unit]:
    """Cut an answer into the units that claim something.

    A JSON list has a unit an item; an answer in the form ``list`` otherwise one a line or between
    semicolons; any other text one a sentence, as filings are cut, and one a year where it tells
    year after year ("2019: ...; 2020: ...").

    Args:
        text: the answer.
        answer_form: boolean, list, numeric, span or None.

    Returns:
        The units in text order, none blank; ``text[unit.start:unit.end]`` is what is written.
    """
    if text.lstrip()[:1] == "[" and (items := _json_items(text)) is not None:
        return items
    if answer_form == "list":
        return [_unit(text, span) for span in _between(text, _ITEM_BREAK)]
    verdict = _VERDICT.match(text)
    if verdict:
        first = _trimmed(text, 0, verdict.end()) or Span(0, verdict.end())
        rest = cut_units(text[verdict.end() :], None)
        return [_unit(text, first), *(_moved(one, verdict.end()) for one in rest)]
    if _MAY_BREAK.search(text.rstrip()) is None:
        spans = [span for span in (_trimmed(text, 0, len(text)),) if span]
    else:
        spans = [Span(*span) for span in split_spans(text)]
    if ";" not in text:
        return [_unit(text, span) for span in spans]
    return [
        _unit(text, Span(start + piece.start, start + piece.end))
        for start, end in spans
        for piece in _between(text[start:end], _YEAR_BREAK)
    ]


def _moved(unit: Unit, by: int) -> Unit:
    places = None if unit.places is None else tuple(place + by for place in unit.places)
    return Unit(unit.start + by, unit.end + by, unit.text, places)


def _unit(text: str, span: Span) -> Unit:
    return Unit(span.start, span.end, text[span.start : span.end])


def _trimmed(text: str, start: int, end: int) -> Span | None:
    piece = text[start:end]
    head = start + len(piece) - len(piece.lstrip())
    tail = head + len(piece.strip())
    return Span(head, tail) if tail > head else None


def _between(text: str, breaks: re.Pattern[str]) -> Iterator[Span]:
    start = 0
    for found in breaks.finditer(text):
        if span := _trimmed(text, start, found.start()):
            yield span
        start = found.end()
    if span := _trimmed(text, start, len(text)):
        yield span


def _json_items(text: str) -> list[Unit] | None:
    """The items of a JSON list; None where the text is none."""
    if len(text) > MAX_LIST_CHARS:
        return None
    try:
        if not isinstance(json.loads(text), list):
            return None
        return list(_items_of(text))
    except (ValueError, RecursionError):
        return None


def _items_of(text: str) -> Iterator[Unit]:
    decoder = json.JSONDecoder()
    at = text.index("[") + 1
    while True:
        while text[at] in " \t\r\n,":
            at += 1
        if text[at] == "]":
            return
        value, end = decoder.raw_decode(text, at)
        is_text = isinstance(value, str)
        span = _trimmed(text, at + is_text, end - is_text)
        if span is not None:
            written = text[span.start : span.end]
            yield _decoded(written, span) if is_text and "\\" in written else _unit(text, span)
        at = end


def _decoded(written: str, span: Span) -> Unit:
    """A JSON text read, with the place of each of its characters."""
    pieces: list[str] = []
    places: list[int] = []
    at = 0
    for escape in _ESCAPE.finditer(written):
        pieces.append(written[at : escape.start()])
        places += range(span.start + at, span.start + escape.start())
        read = json.loads(f'"{escape[0]}"')
        pieces.append(read)
        places += [span.start + escape.start()] * len(read)
        at = escape.end()
    pieces.append(written[at:])
    places += range(span.start + at, span.end + 1)
    return Unit(span.start, span.end, "".join(pieces), tuple(places))


def find_numbers(text: str) -> list[Amount]:
    """The numbers that claim something: amounts, years, dates and spans of time.

    A date written 2021-12-31 is one number, of kind ``date``. Numbers of notes, items and names
    are words, not claims.
    """
    amounts = [one for one in find_amounts(text) if one.kind in NUMBER_KINDS]
    if text.count("-") < 2 or not (dates := list(_ISO_DATE.finditer(text))):
        return amounts
    spans = [found.span() for found in dates]
    outside = [one for one in amounts if all(one.end <= a or one.start >= b for a, b in spans)]
    outside += [
        Amount(*found.span(), found[0], float(found[1]), 0.0, 0.0, None, "units", "date")
        for found in dates
    ]
    return sorted(outside, key=lambda one: one.start)


def find_quotes(text: str) -> list[Span]:
    """What stands between quotation marks, the marks left out; apostrophes are none."""
    if '"' not in text and "“" not in text:
        return []
    inner = (_trimmed(text, one.start() + 1, one.end() - 1) for one in _QUOTED.finditer(text))
    return [span for span in inner if span and any(map(str.isalnum, text[slice(*span)]))]


def find_names(text: str) -> list[Span]:
    """Runs of words with a capital: companies, products, places, laws.

    Left out are months, pronouns and the words of the trade; at the start of a sentence, where
    every word has a capital, such words are taken off the run.
    """
    found = []
    for match in _NAME.finditer(text):
        span = _without_opener(text, match)
        if span and not all(_is_common(word) for word in text[slice(*span)].split()):
            found.append(span)
    return found


def _is_common(word: str) -> bool:
    lower = word.lower().strip(".,’'")
    is_plain = lower in {"&", "of"} or not any(map(str.isalpha, lower))
    return is_plain or lower in _COMMON or is_fiscal_year(lower)


def _is_opener(words: list[str], after: str) -> bool:
    """Whether the first of a run of words is a plain word that has a capital by its place alone.

    One that acts ("Apple reported") or owns ("Apple's") names somebody, however plain.
    """
    first = words[0]
    if len(words) > 1 and words[1] != "of":
        return False
    if not first.isalpha() or not first[1:].islower() or first.endswith(("’s", "'s")):
        return False
    if len(words) == 1 and _ACTS.match(after):
        return False
    return first.endswith(_PLAIN_ENDINGS) or is_ordinary(first.lower())


def _without_opener(text: str, match: re.Match[str]) -> Span | None:
    start, end = match.span()
    if _OPENS.search(text, max(0, start - 4), start) or not text[:start].strip():
        words = match[0].split(" ")
        while words and _is_common(words[0]):
            start += len(words.pop(0)) + 1
        if words and start == match.start() and _is_opener(words, text[end:]):
            start += len(words.pop(0)) + 1
            while words and words[0] in {"of", "the"}:
                start += len(words.pop(0)) + 1
    if _MONEY_AFTER.match(text, end) and text[start:end] in _CURRENCY_COUNTRIES:
        return None
    words = text[start:end].split(" ")
    while words and (_is_common(words[-1]) or words[-1] in {"of", "the", "&"}):
        end -= len(words.pop()) + 1
    while text[start:end].endswith(("’s", "'s")):
        end -= 2
    return Span(start, end) if start < end else None
