"""Answers that say, in words, that they cannot answer."""

from __future__ import annotations

import re
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.text.numbers import find_amounts

# A refusal is the point of an answer: it stands at its head or at its end.
_HEAD: Final = 400
_TAIL: Final = 400

_VOCABULARY: Final = read_vocabulary(__file__)
_SOURCE_LACKS: Final = _VOCABULARY.pattern("source_lacks")
_SPEAKER_CANNOT: Final = _VOCABULARY.pattern("speaker_cannot")
_IMPOSSIBLE: Final = _VOCABULARY.pattern("impossible")
_NOTHING: Final = _VOCABULARY.pattern("nothing")
_SENT_AWAY: Final = _VOCABULARY.pattern("sent_away")
_NOT_STATED: Final = _VOCABULARY.pattern("not_stated")
_WHOLE: Final = _VOCABULARY.pattern("whole")
# What a speaker cannot do stands, whatever was said before.
_FIRM: Final = (_SPEAKER_CANNOT, _IMPOSSIBLE)
_LOOSE: Final = (_SOURCE_LACKS, _NOTHING, _SENT_AWAY)
_LOOSE_OF_SHORT: Final = (*_LOOSE, _NOT_STATED)
# A longer answer says of many a thing that it is not disclosed, and answers all the same;
# a short answer is given in its first sentence, and what follows only adds to it.
_SHORT: Final = 250
_FIRST_SENTENCE: Final = re.compile(r"[^\n]*?[.!?](?=\s)")
_YES_OR_NO: Final = re.compile(r"\W{0,4}(?:yes|no)\b[.,!]")


def is_refusal(text: str) -> bool:
    """Whether an answer says that it cannot answer.

    A rule on words: what holds the answer lacks it ("the filing does not disclose"), the
    speaker cannot ("I do not have access to"), it cannot be done ("cannot be determined"), or
    the reader is sent elsewhere ("please refer to the latest report"). Only the first and the
    last 400 characters count, so that a remark inside a long answer does not count. A short answer
    whose first sentence states a figure, or yes or no, has answered: what its source lacks
    beside takes nothing back, only that the speaker cannot. An empty text says nothing and is
    no refusal.

    Args:
        text: Any text, untrusted; read in time linear in its length.

    Returns:
        True for a refusal.
    """
    lower = text.lower()
    if _WHOLE.fullmatch(lower):
        return True
    parts = [lower] if len(lower) <= _HEAD + _TAIL else [lower[:_HEAD], lower[-_TAIL:]]
    if any(cue.search(part) is not None for part in parts for cue in _FIRM):
        return True
    after = _after_an_answer(text)
    return any(
        not after or match.start() < after
        for part in parts
        for cue in (_LOOSE_OF_SHORT if len(text) <= _SHORT else _LOOSE)
        if (match := cue.search(part)) is not None
    )


def _after_an_answer(text: str) -> int:
    """Where a short answer goes on after a sentence that states something; 0 for nowhere."""
    if len(text) > _SHORT:
        return 0
    first = _FIRST_SENTENCE.match(text)
    if first is None:
        return 0
    if _YES_OR_NO.match(first.group().lower()):
        return first.end()
    states = any(one.kind == "amount" for one in find_amounts(first.group()))
    return first.end() if states else 0
