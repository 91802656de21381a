"""Who said it: names of speakers, the verdict on an attribution, and the null answerer."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

import pyarrow as pa

from finrag.records.vocabulary import read_vocabulary
from finrag.text.people import TITLES, name_words, place_of, same_person

CORRECT: Final = "correct"
WRONG_SPEAKER: Final = "wrong_speaker"
WRONG_ROLE: Final = "wrong_role"
NOT_SAID: Final = "not_said"

VERDICT_SCHEMA: Final = pa.schema(
    [
        pa.field("question_id", pa.string(), nullable=False),
        pa.field("verdict", pa.string(), nullable=False),
        pa.field("is_correct", pa.bool_(), nullable=False),
    ]
)

_VOCABULARY: Final = read_vocabulary(__file__)
_DENIAL: Final = _VOCABULARY.pattern("denial", re.IGNORECASE)
_TWO_NAMES: Final = re.compile(r"\b[A-Z][\w'’-]+\.?\s+(?:[A-Z]\.?\s+)?[A-Z][\w'’-]+")
_TITLE_WORDS: Final = _VOCABULARY.pattern("title_words", re.IGNORECASE)


def score_attribution(
    gold_speaker: str | None,
    gold_role: str | None,
    predicted_speaker: str | None = None,
    predicted_role: str | None = None,
    answer: str | None = None,
    speakers: Iterable[str] = (),
) -> str:
    """Return the verdict on an attribution.

    Args:
        gold_speaker: who said it; null where the role alone is asked for.
        gold_role: as what; null where it is not known or not asked for.
        predicted_speaker: as predicted in a field of its own.
        predicted_role: likewise.
        answer: free text, read where the field asked for is missing.
        speakers: names of all who spoke on the call, so that a second one in free text is seen.

    Returns:
        `not_said`: what is asked for is not there; `wrong_speaker`; `wrong_role`: the speaker, if
        asked for, is right, and another role is stated; else `correct`. A role that is not stated
        is no fault beside a right speaker. A name behind "not", "rather than" or the like is not
        said. Free text that names two speakers is right only if it
        begins with the right one, or with "it was" and the right one.

    Raises:
        ValueError: there is no gold at all.
    """
    if not gold_speaker and not gold_role:
        raise ValueError("there is neither gold_speaker nor gold_role; give one of them")
    if gold_speaker:
        verdict = _speaker_verdict(gold_speaker, predicted_speaker, answer, tuple(speakers))
        if verdict != CORRECT or not gold_role or not predicted_role:
            return verdict
        return CORRECT if _same_role(gold_role, predicted_role) else WRONG_ROLE
    stated = predicted_role or answer
    if not stated or not stated.strip():
        return NOT_SAID
    if predicted_role:
        return CORRECT if _same_role(str(gold_role), stated) else WRONG_ROLE
    roles = roles_in(stated)
    if not roles:
        return NOT_SAID
    return CORRECT if roles == {_role(str(gold_role))} else WRONG_ROLE


def score_attributions(asked: pa.Table) -> pa.Table:
    """Return the verdict on each attribution of a table; see `score_attribution`.

    Args:
        asked: one row per question, answered or not: `question_id`, `gold_speaker`, `gold_role`
            (null where it is not asked for), `speaker`, `role`, `answer` (as predicted; all null
            where there is no answer), `speakers` (list of the names on the call, may be null).

    Returns:
        A table of `VERDICT_SCHEMA`, in the order of `asked`.

    Raises:
        ValueError: a question has no gold, with its id.
    """
    return pa.Table.from_pylist([_scored(row) for row in asked.to_pylist()], VERDICT_SCHEMA)


def _scored(row: dict[str, Any]) -> dict[str, Any]:
    try:
        verdict = score_attribution(
            row["gold_speaker"],
            row["gold_role"],
            row["speaker"],
            row["role"],
            row["answer"],
            row["speakers"] or (),
        )
    except ValueError as error:
        raise ValueError(f"question {row['question_id']}: {error}") from error
    correct = verdict == CORRECT
    return {"question_id": row["question_id"], "verdict": verdict, "is_correct": correct}


def _speaker_verdict(
    gold: str, predicted: str | None, answer: str | None, speakers: Sequence[str]
) -> str:
    if predicted and predicted.strip():
        # A field that holds another name, known or not, names a wrong speaker.
        found = _text_verdict(gold, predicted, speakers)
        is_alone = same_person(gold, predicted) or not _names_others(gold, predicted)
        return CORRECT if found == CORRECT and is_alone else WRONG_SPEAKER
    if not answer or not answer.strip():
        return NOT_SAID
    return _text_verdict(gold, answer, speakers)


def _names_others(gold: str, predicted: str) -> bool:
    """Whether a field joins the gold with what reads as another name, and not as a title."""
    parts = re.split(r"\s*(?:\band\b|\bor\b|[&;/])\s*", predicted)
    return any(
        (found := _TWO_NAMES.search(part)) is not None
        and not _is_denied(part[: found.start()])
        and not _TITLE_WORDS.search(part)
        and place_of(gold, part) is None
        for part in parts[:20]
    )


def _text_verdict(gold: str, answer: str, speakers: Sequence[str]) -> str:
    if same_person(gold, answer):
        return CORRECT
    others = [name for name in speakers if not same_person(gold, name)]
    named = [place for name in others if (place := _place(name, answer, speakers)) is not None]
    places = [place for place in named if not _is_denied(answer[:place])]
    place = _place(gold, answer, speakers)
    if place is None or _is_denied(answer[:place]):
        return WRONG_SPEAKER if places else NOT_SAID
    if not places:
        return CORRECT
    lead = answer[:place].casefold()
    is_lead = re.fullmatch(r"\W*(?:(?:it was|this was|that was|answer:?|speaker:?)\W*)?", lead)
    return CORRECT if is_lead and place < min(places) else WRONG_SPEAKER


def _is_denied(lead: str) -> bool:
    """Whether what stands before a name takes it back: "It was not …", "rather than …"."""
    return _DENIAL.search(lead.replace("’", "'")) is not None


def _place(name: str, answer: str, speakers: Sequence[str]) -> int | None:
    """Return where free text names a speaker; "Ms. Lee" counts if one speaker alone is a Lee."""
    found = place_of(name, answer)
    words = name_words(name)
    if found is not None or len(words) < 2:
        return found
    rivals = [each for each in speakers if not same_person(name, each)]
    if not speakers or any(words[-1] in name_words(each) for each in rivals):
        return None
    titles = "|".join(sorted(TITLES))
    match = re.search(rf"\b(?:{titles})\.? {re.escape(words[-1])}\b", answer, re.I)
    return None if match is None else match.start()


_ROLE_WORDS: Final = {
    "operator": ("operator", "moderator", "coordinator", "conference host"),
    "analyst": ("analyst",),
    "executive": (
        *("executive", "officer", "ceo", "cfo", "coo", "president", "chairman", "management"),
        *("investor relations", "treasurer", "controller"),
    ),
}


def roles_in(text: str) -> set[str]:
    """Return the roles that free text names: any of operator, executive, analyst, unknown."""
    folded = text.casefold()
    found = {
        role
        for role, words in _ROLE_WORDS.items()
        if any(re.search(rf"\b{word}s?\b", folded) for word in words)
    }
    return found or ({"unknown"} if re.search(r"\bunknown\b", folded) else set())


def _role(text: str) -> str:
    found = roles_in(text)
    return found.pop() if len(found) == 1 else " ".join(text.casefold().split())


def _same_role(gold: str, predicted: str) -> bool:
    return _role(gold) == _role(predicted)


def most_frequent_speaker(speakers: Iterable[str | None]) -> str | None:
    """Return who has most turns, the null answerer; the first in the alphabet of equals."""
    counted = Counter(name for name in speakers if name)
    return min(counted, key=lambda name: (-counted[name], name), default=None)
