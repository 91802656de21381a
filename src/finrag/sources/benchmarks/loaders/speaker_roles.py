"""The role of each speaker of a call, by rule, from what the call itself says."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from finrag.records.vocabulary import read_vocabulary
from finrag.text.people import is_nameless, name_words

OPERATOR, EXECUTIVE, ANALYST, UNKNOWN = "operator", "executive", "analyst", "unknown"
ROLES: Final = (OPERATOR, EXECUTIVE, ANALYST, UNKNOWN)

_ENDING_CHARS: Final = 250
_OPERATOR_NAMES: Final = frozenset(
    ["operator", "host", "meeting host", "conference operator", "moderator", "coordinator"]
)
_VOCABULARY: Final = read_vocabulary(__file__)
_OPERATOR_WORDS = _VOCABULARY.pattern("operator_words", re.I)
_OFFICE: Final = _VOCABULARY.texts["office"]
_TITLED: Final = r"(?:(?:mr|mrs|ms|dr|miss|mister)\.? )?"
_HAND_OVER = _VOCABULARY.pattern("hand_over", re.I)
_QUESTION = _VOCABULARY.pattern("question", re.I)
_FLOOR = _VOCABULARY.pattern("floor", re.I)


class Turn(NamedTuple):
    """One turn of a call: a key of the speaker, the name as written (null: none), the words."""

    speaker_key: str
    speaker: str | None
    speech: str


def speaker_roles(turns: Sequence[Turn]) -> dict[str, str]:
    """Return the role of each speaker key: one of `ROLES`.

    Rules, the first that holds:
        executive: up to the first question, the name stands next to an office of the company
            ("Ann Lee, our chief financial officer"); this includes investor relations.
        operator: the label says so, or the speaker gives instructions for the telephone.
        executive: up to the first question, the word is handed over to the name, or to whoever
            speaks next.
        analyst: the name is in a turn that opens the floor for a caller; where no name of a
            speaker is in it, whoever speaks next.
        unknown: none of these; nothing is guessed.

    Nicknames are met half-way: a surname behind some other first name counts, if one speaker alone
    has that surname.
    """
    operators = {turn.speaker_key for turn in turns if _is_operator(turn)}
    floors = [_opens_floor(turn, turn.speaker_key in operators) for turn in turns]
    opening = turns[: floors.index(True) + 1 if True in floors else len(turns)]
    patterns = _patterns(_names(turns))
    text = " ".join(" ".join(turn.speech for turn in opening).split())
    officers = {key for key, pattern in patterns.items() if _holds_office(pattern, text)}
    operators -= officers
    if True in floors:
        officers |= _handed(opening, patterns) - operators
    found = {
        **dict.fromkeys(_callers(turns, floors, patterns), ANALYST),
        **dict.fromkeys(officers, EXECUTIVE),
        **dict.fromkeys(operators, OPERATOR),
    }
    return {turn.speaker_key: found.get(turn.speaker_key, UNKNOWN) for turn in turns}


def _names(turns: Iterable[Turn]) -> dict[str, tuple[str, ...]]:
    return {
        turn.speaker_key: name_words(turn.speaker or "")
        for turn in turns
        if not is_nameless(turn.speaker)
    }


def _is_operator(turn: Turn) -> bool:
    label = " ".join((turn.speaker or "").lower().split())
    return label in _OPERATOR_NAMES or _OPERATOR_WORDS.search(turn.speech) is not None


def _opens_floor(turn: Turn, is_operator: bool) -> bool:
    """Tell whether a turn ends in giving the word to a caller."""
    ending = _ending(turn)
    if _HAND_OVER.search(ending):
        return False
    return (_FLOOR if is_operator else _QUESTION).search(ending) is not None


def _ending(turn: Turn) -> str:
    return " ".join(turn.speech.split())[-_ENDING_CHARS:]


def _patterns(names: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return, by speaker, a pattern for the full name, or a lone surname behind a first name."""
    surnames = [words[-1] for words in names.values() if len(words) > 1]
    patterns = {}
    for key, words in names.items():
        if len(words) < 2:
            continue
        full = r"\.? ".join(re.escape(word) + (r"\w*" if len(word) == 1 else "") for word in words)
        lone = surnames.count(words[-1]) == 1 and len(words[-1]) > 2
        loose = rf"|\w+ {re.escape(words[-1])}" if lone else ""
        patterns[key] = rf"\b(?:{full}{loose})\b"
    return patterns


def _holds_office(name: str, spaced: str) -> bool:
    after = rf"{name},? (?:(?!and\b)[\w'’&-]+ ){{0,4}}?{_OFFICE}\b"
    before = rf"\b{_OFFICE},? {_TITLED}{name}"
    return re.search(after, spaced, re.I) is not None or re.search(before, spaced, re.I) is not None


def _handed(opening: Sequence[Turn], patterns: Mapping[str, str]) -> set[str]:
    """Return whom the word is handed over to: whoever is named there, else speaks next."""
    found = set()
    for turn, following in pairwise(opening):
        handing = list(_HAND_OVER.finditer(_ending(turn)))
        if not handing:
            continue
        match = handing[-1]
        tail = match.string[match.end() :]
        named = {key for key, name in patterns.items() if re.search(name, tail, re.I)}
        found |= named or {following.speaker_key}
    return found


def _callers(
    turns: Sequence[Turn], floors: Sequence[bool], patterns: Mapping[str, str]
) -> set[str]:
    found = set()
    for (turn, following), is_open in zip(pairwise(turns), floors, strict=False):
        if is_open:
            ending = _ending(turn)
            named = {key for key, name in patterns.items() if re.search(name, ending, re.I)}
            named.discard(turn.speaker_key)
            found |= named or {following.speaker_key}
    return found
