"""Answers that say, in words, that they cannot answer."""

from __future__ import annotations

import re
from typing import Final

# A refusal is the point of an answer: it stands at its head or at its end.
_HEAD: Final = 400
_TAIL: Final = 400

_SOURCE: Final = (
    r"(?:texts?|contexts?|documents?|filings?|passages?|excerpts?|exhibits?|extracts?|materials?"
    r"|information|evidence|data|details|reports?|statements?|sources?|sections?|10-k|question)"
)
_NOT: Final = r"(?:do|does|did|is|are|was|were|has|have|had|can|could|would)(?: not|n['’]t)|cannot"
_TELLS: Final = (
    r"(?:provid|contain|includ|specif|mention|disclos|state|given?\b|give|list|offer|address"
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
_CUES: Final = (_SOURCE_LACKS, _SPEAKER_CANNOT, _IMPOSSIBLE, _NOTHING, _SENT_AWAY)


def is_refusal(text: str) -> bool:
    """Whether an answer says that it cannot answer.

    A rule on words: what holds the answer lacks it ("the filing does not disclose"), the
    speaker cannot ("I do not have access to"), it cannot be done ("cannot be determined"), or
    the reader is sent elsewhere ("please refer to the latest report"). Only the first and the
    last 400 characters count, so that an aside inside a long answer is none. An empty text
    says nothing and is no refusal.

    Args:
        text: Any text, untrusted; read in time linear in its length.

    Returns:
        True for a refusal.
    """
    lower = text.lower()
    parts = [lower] if len(lower) <= _HEAD + _TAIL else [lower[:_HEAD], lower[-_TAIL:]]
    return any(cue.search(part) is not None for part in parts for cue in _CUES)
