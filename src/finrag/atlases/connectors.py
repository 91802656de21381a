"""Words that join an effect to its cause, and where the clauses on both sides end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from finrag.records.vocabulary import read_vocabulary

_VOCABULARY: Final = read_vocabulary(__file__)
CONNECTORS = _VOCABULARY.tables["connectors"]
OFFSETS = _VOCABULARY.texts["offsets"]
# No word boundary in front: so the search can skip to letters that may begin a connector.
_CONNECTOR = re.compile("|".join(CONNECTORS.values()))
_BY_NAME = [(name, re.compile(pattern)) for name, pattern in CONNECTORS.items()]
_OFFSET = re.compile(OFFSETS)
_CAUSE_END = _VOCABULARY.pattern("cause_end")
_CLAUSE_START = _VOCABULARY.pattern("clause_start")
_NEXT_ITEM = re.compile(r", (?:and|as well as|along with|together with) | as well as ")
_OFFSET_LEAD = _VOCABULARY.pattern("offset_lead")
_DEGREE_BEFORE = _VOCABULARY.pattern("degree_before")


@dataclass(frozen=True)
class CauseClause:
    """A connector with the clauses it joins; positions in the lowered text.

    ``clause_start`` is where the clause of the effect begins; the effect lies between it and
    ``connector_start``. The cause lies between ``connector_end`` and ``cause_end``.
    ``is_offset`` tells that an offsetting word stands between the effect and the cause.
    """

    name: str
    clause_start: int
    connector_start: int
    connector_end: int
    cause_end: int
    is_offset: bool


def lowered(sentence: str) -> str:
    """The sentence in lower case with plain apostrophes, at its length, for all patterns here."""
    text = sentence.lower()
    if len(text) != len(sentence):
        text = "".join(low if len(low := char.lower()) == 1 else char for char in sentence)
    return text.replace("’", "'")


@dataclass(frozen=True)
class Clauses:
    """The clauses of a lowered text: where they start, where offsets stand, what causes what."""

    starts: tuple[int, ...]
    offsets: tuple[int, ...]
    causes: tuple[CauseClause, ...]

    def start_of(self, place: int) -> int:
        """Start of the clause that holds a place."""
        return max(start for start in self.starts if start <= place)

    def is_offset(self, place: int) -> bool:
        """Whether an offsetting word stands before a place in its clause."""
        start = self.start_of(place)
        return any(start <= offset < place for offset in self.offsets)


def read_clauses(text: str) -> Clauses:
    """The clauses of a lowered text, connectors in order of place."""
    starts = (0, *(match.end() for match in _CLAUSE_START.finditer(text)))
    offsets = tuple(match.start() for match in _words(_OFFSET, text))
    clauses = Clauses(starts, offsets, ())
    causes: list[CauseClause] = []
    for match in _words(_CONNECTOR, text):
        clause_start = clauses.start_of(match.start())
        is_nested = bool(causes) and causes[-1].clause_start == clause_start
        causes.append(
            CauseClause(
                name=next(name for name, pattern in _BY_NAME if pattern.match(match[0])),
                clause_start=clause_start,
                connector_start=match.start(),
                connector_end=match.end(),
                cause_end=_cause_end(text, match.end(), offsets, is_nested),
                is_offset=clauses.is_offset(match.start()),
            )
        )
    return Clauses(starts, offsets, tuple(causes))


def _words(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Matches that begin at the start of a word."""
    for match in pattern.finditer(text):
        if match.start() == 0 or not text[match.start() - 1].isalnum():
            yield match


def _cause_end(text: str, start: int, offsets: tuple[int, ...], is_nested: bool) -> int:
    end = _CAUSE_END.search(text, start)
    cause_end = end.start() if end else len(text.rstrip(" ."))
    if text.count("(", 0, start) > text.count(")", 0, start):
        closing = text.find(")", start)
        cause_end = min(cause_end, closing) if closing >= 0 else cause_end
    offset = next((place for place in offsets if start <= place < cause_end), None)
    if offset is not None:
        lead = _OFFSET_LEAD.search(text, start, offset)
        cause_end = lead.start() if lead else offset
    # Of two connectors in a clause the second explains one item of the first one's list.
    item_end = _NEXT_ITEM.search(text, start, cause_end) if is_nested else None
    return item_end.start() if item_end else cause_end


def effect_end(text: str, clause: CauseClause) -> int:
    """Where the words of the effect end: before the connector and its words of degree."""
    degree = _DEGREE_BEFORE.search(text, clause.clause_start, clause.connector_start)
    return degree.start() if degree else clause.connector_start
