"""Whether an answer in words agrees with a gold in words: yes or no, names, figures, matter.

Golds of the public sets are often sentences. What can be decided by rules is decided:

==================  ===============================================================================
same_word           the gold begins with yes or no, and so does the answer, or what it says of the
                    question's matter comes to that
other_word          it comes to the other one
contradicted        the right yes or no with a figure, for the same thing, that is not the gold's
same_direction      the gold says only which way something went, and so does the answer
other_direction     it agrees but for the way something went: it rose and did not fall
named, not_named    the names of the gold, or its telling words, stand in the answer; or none does
figures, no_figure  all figures of the gold stand in the answer, or it gives others in their place
refusal             the answer says that it cannot answer, and the gold is an answer
undecided           none of these
==================  ===============================================================================
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from finrag.records.vocabulary import read_vocabulary
from finrag.scoring.claims.text import find_names
from finrag.scoring.claims.words import joined_words
from finrag.scoring.numbers.conclusions import ANSWERS, NEITHER, concluded_word
from finrag.scoring.strict.directions import amounts_of, is_near, opposition, way_of
from finrag.text.likeness import best_matches, likeness
from finrag.text.refusals import is_refusal
from finrag.text.statements import Statement, read_statement, read_statements
from finrag.text.words import plain, stem

_VOCABULARY: Final = read_vocabulary(__file__)
_ASKS_FIGURE: Final = _VOCABULARY.pattern("asks_figure", re.IGNORECASE)
_ASKS_NAME: Final = _VOCABULARY.pattern("asks_name", re.IGNORECASE)
_YES_OR_NO: Final = re.compile(r"\W{0,8}(yes|no)\b", re.IGNORECASE)
_CONCLUDED: Final = _VOCABULARY.pattern("concluded", re.IGNORECASE)
_CONCLUDES: Final = _VOCABULARY.pattern("concludes", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_REMARK: Final = _VOCABULARY.pattern("remark", re.IGNORECASE)
_QUESTION_END: Final = re.compile(r"\?")
# Longer golds are texts; which of their words matter cannot be told.
MAX_TELLING: Final = 40
MAX_DENIAL: Final = 120
MAX_SHORT: Final = 25
# A gold of so few telling words is a name or two.
MAX_NAMES: Final = 6
FOUND: Final = 0.6
MAX_REASON: Final = 1_000
NEAR: Final = 0.7
FEW: Final = 0.25
MOST: Final = 0.65


@dataclass(frozen=True, slots=True)
class WordsVerdict:
    """Whether an answer agrees with its gold.

    Attributes:
        is_right: None where rules cannot tell.
        verdict: see the module.
        reason: one sentence.
    """

    is_right: bool | None
    verdict: str
    reason: str


def check_words(text: str, gold: str, question: str) -> WordsVerdict:
    """Check an answer in words beside a gold in words.

    Args:
        text: the answer, untrusted.
        gold: the gold.
        question: the question.
    """
    gold = _without_remarks(gold)
    found = _compared(text, gold, question)
    if found.is_right is None:
        return _by_direction(text, gold, question) or found
    against = opposition(text, gold) if found.is_right else None
    if against is not None:
        return WordsVerdict(False, "other_direction", f"It says {against}.")
    return found


def _by_direction(text: str, gold: str, question: str) -> WordsVerdict | None:
    """The verdict beside a gold that says nothing but which way something went: "It fell."."""
    wanted, said = way_of(gold), way_of(text)
    if not (wanted and said) or amounts_of(gold) or _telling(gold, question):
        return None
    if said == wanted:
        return WordsVerdict(True, "same_direction", "It says that it went the same way.")
    return WordsVerdict(False, "other_direction", "It says that it went the other way.")


def _compared(text: str, gold: str, question: str) -> WordsVerdict:
    """The verdict but for the directions of what moved."""
    word = _YES_OR_NO.match(gold)
    if word is not None:
        return _check_boolean(text, word[1].lower(), gold, question)
    stated = read_statement(gold)
    if is_refusal(text) and not is_refusal(gold) and not stated.is_denied:
        return WordsVerdict(
            False, "refusal", "The answer says that the question cannot be answered."
        )
    if stated.is_denied and len(gold) <= MAX_DENIAL:
        return WordsVerdict(
            None, "undecided", "The gold is a denial; rules cannot tell whether the answer agrees."
        )
    figures = _check_figures(text, gold, question)
    is_told = figures is not None and figures.is_right is not None
    if figures is not None and is_told and not (figures.is_right and _asks_name(question)):
        return figures
    named = _check_names(text, gold, question)
    if named.is_right is None and figures is not None:
        return figures
    return named


def _asks_name(question: str) -> bool:
    """Whether a question asks for a name, beside which a figure of the gold is incidental."""
    return _ASKS_NAME.search(question) is not None


def asks_for_figure(question: str) -> bool:
    """Whether a question asks how much, how many or for a ratio."""
    return _ASKS_FIGURE.search(question) is not None


def _without_remarks(gold: str) -> str:
    """The gold without sentences about itself: what it assumes, how a year is called."""
    return " ".join(one for one in _sentences(gold) if not _REMARK.match(one)) or gold


# --- yes or no


def _check_boolean(text: str, word: str, gold: str, question: str) -> WordsVerdict:
    explicit = _word_said(text)
    if explicit is None and is_refusal(text):
        return WordsVerdict(
            False, "refusal", "The answer says that the question cannot be answered."
        )
    said = explicit or _said(text, question)
    if said is None:
        return WordsVerdict(None, "undecided", f"It says neither yes nor no; the gold is {word}.")
    if said != word:
        return WordsVerdict(False, "other_word", f"It means {said}; the gold is {word}.")
    wrong = _wrong_reason(text, gold, question)
    if wrong is not None:
        return WordsVerdict(False, "contradicted", f"It means {word}, but states {wrong}.")
    return WordsVerdict(True, "same_word", f"It means {word}, as the gold does.")


def _word_said(text: str) -> str | None:
    """The yes or no that an answer says in so many words."""
    rank, concluded = concluded_word(text) or (NEITHER, "")
    if rank == ANSWERS:
        return concluded
    found = _YES_OR_NO.match(text) or _CONCLUDED.search(text)
    return found[1].lower() if found else concluded or None


def _said(text: str, question: str) -> str | None:
    """The yes or no that what an answer says of the question's matter comes to."""
    asked = read_statement(_QUESTION_END.split(question, maxsplit=1)[0])
    if not asked.subject and not asked.direction:
        return None
    votes = [
        (vote.nearness, vote.is_concluding, -place, vote.is_same)
        for place, sentence in enumerate(_sentences(text))
        if (vote := _vote(sentence, asked)) is not None
    ]
    if not votes:
        return None
    return "yes" if max(votes)[3] else "no"


def _sentences(text: str) -> list[str]:
    return [one for one in _SENTENCE.split(text) if one.strip()]


class _Vote(NamedTuple):
    """What one sentence says to a question."""

    is_same: bool
    nearness: float
    is_concluding: bool


def _vote(sentence: str, asked: Statement) -> _Vote | None:
    """Whether a sentence affirms what is asked, how near it is, whether it concludes."""
    votes = []
    for one in read_statements(sentence):
        nearness = best_matches(asked.subject, one.subject)
        # "Did it rise?" names nothing that an answer could speak of in another way.
        share = sum(near >= NEAR for near in nearness) / len(nearness) if nearness else 1.0
        if share < FOUND or (asked.direction and not one.direction):
            continue
        is_same = one.direction == asked.direction if asked.direction else True
        is_concluding = _CONCLUDES.search(sentence) is not None
        votes.append(_Vote(is_same != one.is_denied, round(share, 1), is_concluding))
    return max(votes, key=lambda vote: vote.nearness, default=None)


# --- figures


def _check_figures(text: str, gold: str, question: str) -> WordsVerdict | None:
    """Whether the figures of a gold stand in the answer; None where it has none of its own."""
    asked = {one.value for one in amounts_of(question)}
    wanted = [one for one in amounts_of(gold) if one.value not in asked]
    if not wanted:
        return None
    said = amounts_of(text)
    found = [one for one in wanted if any(is_near(other, one) for other in said)]
    if len(found) == len(wanted):
        return WordsVerdict(True, "figures", "It has all figures of the gold.")
    rivals = [one for one in said if one.unit in {each.unit for each in wanted}]
    if not found and rivals:
        return WordsVerdict(False, "no_figure", f"It says {rivals[0].raw}, not {wanted[0].raw}.")
    share = f"{len(found)} of the {len(wanted)} figures"
    return WordsVerdict(None, "undecided", f"It has {share} of the gold.")


def _wrong_reason(text: str, gold: str, question: str) -> str | None:
    """A figure that an answer gives for what the gold gives another one for."""
    asked = {one.value for one in amounts_of(question)}
    said = amounts_of(text)
    for stated in read_statements(gold):
        wanted = [one for one in amounts_of(stated.text) if one.value not in asked]
        if not wanted or any(is_near(one, each) for one in said for each in wanted):
            continue
        for one in read_statements(text[:MAX_REASON]):
            rivals = [each for each in amounts_of(one.text) if each.unit == wanted[0].unit]
            if len(rivals) >= len(wanted) and likeness(stated.subject, one.subject) >= MOST:
                return f"{rivals[0].raw}, not {wanted[0].raw}"
    return None


# --- names and telling words


def _check_names(text: str, gold: str, question: str) -> WordsVerdict:
    joined, asked = joined_words(text), joined_words(question)
    names = [joined_words(gold[start:end]) for start, end in find_names(gold)]
    names = [one for one in names if one.strip() and one not in asked]
    telling = _telling(gold, question)
    if not telling or len(telling) > MAX_TELLING:
        return WordsVerdict(None, "undecided", "The gold has no characteristic words, or too many.")
    nearness = best_matches(telling, _words(text))
    share = sum(near >= NEAR for near in nearness) / len(nearness)
    named = [one for one in names if one in joined]
    if names and len(named) == len(names) and share >= FOUND:
        return WordsVerdict(True, "named", f"It names {named[0].strip()}.")
    if share >= MOST:
        return WordsVerdict(True, "named", "It has the characteristic words of the gold.")
    own = _telling(text, question) if len(text.split()) <= MAX_SHORT else []
    if own and sum(near >= NEAR for near in best_matches(own, _words(gold))) >= MOST * len(own):
        return WordsVerdict(True, "named", "Everything that it says is in the gold.")
    if share <= FEW and not named and len(telling) <= MAX_NAMES:
        return WordsVerdict(
            False, "not_named", "It has almost none of the gold's characteristic words."
        )
    return WordsVerdict(None, "undecided", "It has too few of the gold's words to decide.")


def _telling(gold: str, question: str) -> list[str]:
    asked = {stem(word) for word in _words(question)}
    return [word for word in dict.fromkeys(read_statement(gold).subject) if stem(word) not in asked]


def _words(text: str) -> Sequence[str]:
    return list(dict.fromkeys(re.findall(r"[a-z]+(?:[-'&][a-z]+)*", plain(text[:20_000]))))
