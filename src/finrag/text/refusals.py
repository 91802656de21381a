"""Answers that say, in words, that they cannot answer."""

from __future__ import annotations

import re
from typing import Final

from finrag.text.numbers import find_amounts

# A refusal is the point of an answer: it stands at its head or at its end.
_HEAD: Final = 400
_TAIL: Final = 400

_SOURCE: Final = (
    r"(?:texts?|contexts?|documents?|filings?|passages?|excerpts?|exhibits?|extracts?|materials?"
    r"|information|evidence|data|details|reports?|statements?|sources?|sections?|10-k|question)"
)
_NOT: Final = r"(?:do|does|did|is|are|was|were|has|have|had|can|could|would)(?: not|n['’]t)|cannot"
_TELLS: Final = (
    r"(?:say\b|provid|contain|includ|specif|mention|disclos|state|given?\b|give|list|offer|address"
    r"|discuss|detail|hold|answer|cover|available|sufficient|enough|have (?:the|any|enough|access"
    r"|information|data))"
)
# "the filing does not provide", "the data needed is not included"
_SOURCE_LACKS: Final = re.compile(
    rf"\b{_SOURCE}\b[^.!?\n]{{0,90}}?\b(?:{_NOT})\b[^.!?\n]{{0,30}}?\b{_TELLS}"
)
# "I cannot determine", "I do not have access", "we were unable to find"
_SPEAKER_CANNOT: Final = re.compile(
    r"\b(?:i|we)(?:['’]m| am| are| was| were)?[^.!?\n]{0,30}?"
    r"(?:\b(?:cannot|can['’]t|could not|couldn['’]t|do not|don['’]t|did not|didn['’]t|unable to"
    r"|not able to)) ?(?:\w+ ){0,2}?(?:have|find|locate|see|determine|provide|answer|calculate"
    r"|access|know|identify|confirm|give|compute|retrieve|say|tell)\b"
)
# "it is not possible to calculate", "cannot be determined from the text"
_IMPOSSIBLE: Final = re.compile(
    r"\bnot possible to\b|\bimpossible to\b|\bnot feasible to\b|\bunable to (?:provide|determine"
    r"|answer|calculate|find|locate|give|compute|identify)\b"
    r"|\b(?:cannot|can['’]t|could not|couldn['’]t|can not) be (?:determined|calculated|answered"
    r"|found|computed|provided|identified|ascertained)\b"
    r"|\bcannot (?:determine|calculate|answer|provide|compute)\b"
)
# "there is no information about", "not enough information"
_NOTHING: Final = re.compile(
    r"\bno (?:\w+ ){0,3}?(?:information|data|mention|evidence|details)\b[^.!?\n]{0,40}?"
    r"\b(?:about|on|regarding|of|in|to|for|provided|available|given|concerning)\b"
    r"|\b(?:not enough|insufficient|lack of) (?:\w+ )?(?:information|data|context|detail)"
    r"|\bwithout (?:this|that|these|those|the|access|such|more)\b[^.!?\n]{0,60}?"
    r"\b(?:information|data|figures?|details|filings?|statements?|access)\b"
)
# "please refer to the latest reports", "you would need to look at the 10-K", "as an AI model"
_SENT_AWAY: Final = re.compile(
    r"\bas an ai\b|\bplease (?:refer|consult|check|provide|see|supply|note that i)\b"
    r"|\byou (?:would|will|may|can|should|['’]d|might)[^.!?\n]{0,20}?\b(?:need to|want to|have to)"
    r" (?:refer|look|find|access|consult|check|review|obtain|examine|provide)\b"
    r"|\b(?:i|we|one)(?: would|['’]d) need (?:to (?:see|know|have|review)"
    r"|access|the|more|additional|specific|actual|information)\b"
    r"|\bif you (?:can|could|have|provide)\b[^.!?\n]{0,60}?\b(?:provide|information|data|share)\b"
)
_ABSENT: Final = (
    r"(?:disclosed|available|stated|known|specified|given|provided|mentioned|reported|found)"
)
# "is not disclosed in the filing", "the context lacks this", "the 10-K is silent on it"
_NOT_TOLD: Final = re.compile(
    rf"\b(?:is|are|was|were|been) (?:not|never) (?:\w+ )?{_ABSENT}"
    rf"(?=[ ]?(?:[.,;!]|$|(?:in|by|within|anywhere|here|from|for)\b))"
    rf"|\b{_SOURCE} (?:\w+ )?lacks?\b|\b{_SOURCE} (?:is|are) silent\b"
    rf"|\b(?:insufficient|no (?:relevant|such|sufficient)) (?:evidence|information|data|details)\b"
)
# The whole answer: "N/A", "Not disclosed."
_WHOLE: Final = re.compile(
    rf"\W{{0,4}}(?:n/?a|n\.a\.|not (?:{_ABSENT}|applicable|determinable)|undisclosed|unknown"
    r"|unanswerable)\W{0,4}"
)
# What a speaker cannot do stands, whatever was said before.
_FIRM: Final = (_SPEAKER_CANNOT, _IMPOSSIBLE)
_LOOSE: Final = (_SOURCE_LACKS, _NOTHING, _SENT_AWAY)
_LOOSE_OF_SHORT: Final = (*_LOOSE, _NOT_TOLD)
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
    last 400 characters count, so that an aside inside a long answer is none. A short answer
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
