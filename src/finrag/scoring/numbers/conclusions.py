"""Which sentences of an answer conclude: those that say that they are the answer, and others.

"Answer: 5%", "**Final answer:** yes", "A: no", "The answer is 5%", "#### 5%", a heading with the
answer on the next line, and LaTeX's box, which ``finrag.scoring.numbers.text`` writes as the first
of these, say that they are the answer. "Therefore" and its like only conclude.
"""

from __future__ import annotations

import re
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.scoring.numbers.text import plain

# What a sentence is to the answer, from the weakest on.
NEITHER, CONCLUDES, ANSWERS = range(3)

_VOCABULARY: Final = read_vocabulary(__file__)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])[ \t]+|\n+")
_AT_START: Final = {
    ANSWERS: _VOCABULARY.pattern("answers_at_start"),
    CONCLUDES: _VOCABULARY.pattern("concludes_at_start"),
}
_WITHIN: Final = {
    ANSWERS: _VOCABULARY.pattern("answers"),
    CONCLUDES: _VOCABULARY.pattern("concludes"),
}
_HEADING: Final = _VOCABULARY.pattern("answer_heading")
_HYPOTHETICAL: Final = _VOCABULARY.pattern("hypothetical")
_YES_OR_NO: Final = re.compile(r"\W{0,8}(yes|no)\b")


def sentences(lower: str) -> list[tuple[int, int]]:
    """Where the sentences and lines of a text lie; a heading is one with what follows it.

    Args:
        lower: the text in small letters.
    """
    starts = [0, *(match.end() for match in _SENTENCE_END.finditer(lower))]
    spans: list[tuple[int, int]] = []
    for start, end in zip(starts, [*starts[1:], len(lower)], strict=True):
        is_headed = bool(spans) and _HEADING.fullmatch(lower, *spans[-1]) is not None
        spans.append((spans.pop()[0] if is_headed else start, end))
    return spans


def rank_of(lower: str, start: int, end: int) -> int:
    """What a sentence is to the answer: ``ANSWERS``, ``CONCLUDES`` or ``NEITHER``."""
    return _said(lower, start, end)[0]


def concluded_word(text: str) -> tuple[int, str] | None:
    """The yes or no that an answer concludes with, and the rank of the sentence that says it.

    Args:
        text: the answer, untrusted.

    Returns:
        The last of the highest rank; null for none.
    """
    lower = plain(text).lower()
    found: dict[int, str] = {}
    for start, end in sentences(lower):
        rank, at = _said(lower, start, end)
        word = _YES_OR_NO.match(lower, at, end) if rank else None
        if word is not None:
            found[rank] = word[1]
    best = max(found, default=None)
    return None if best is None else (best, found[best])


def _said(lower: str, start: int, end: int) -> tuple[int, int]:
    """The rank of a sentence, and where what it concludes begins."""
    for rank in (ANSWERS, CONCLUDES):
        match = _AT_START[rank].match(lower, start, end) or _WITHIN[rank].search(lower, start, end)
        if match is not None and not _HYPOTHETICAL.match(lower, start, match.end()):
            return rank, match.end()
    return NEITHER, start
