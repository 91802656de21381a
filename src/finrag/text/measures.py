"""The financial measures, risks and causes that answers name in more than one way."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.text.words import plain, stem

# Longer names are sentences; the gaps between their words would take long to try.
MAX_NAME_WORDS: Final = 6
MAX_CAUSE_WORDS: Final = 4
# Sentences whose shadowed names are remembered.
MAX_REMEMBERED: Final = 4096


@dataclass(frozen=True)
class Measure:
    """A measure and the ways to write it.

    Attributes:
        label: as the KPI atlas calls it; for a measure read from a question, its words.
        pattern: for lower-case text with plain apostrophes; its group is the measure's name.
        kind: money, percent, per_share, or count.
        is_own: whether it was read from a question, so that other words may mean it too.
    """

    label: str
    pattern: str
    kind: str
    is_own: bool = False

    def is_in(self, text: str) -> bool:
        """Whether a text in lower case names it, other than within another measure's name."""
        if _compiled(self.pattern).search(text) is None:
            return False
        return _compiled(self.pattern).search(unshadowed(self, text)) is not None


_VOCABULARY: Final = read_vocabulary(__file__)
_KINDS: Final = _VOCABULARY.tables["kinds"]
MEASURES: Final = {
    label: Measure(label, rf"(?<![a-z])({pattern})(?![a-z])", _KINDS.get(label, "money"))
    for label, pattern in _VOCABULARY.tables["measures"].items()
}
# Names that hold that of a measure and mean another figure.
_OTHER_NAMES: Final = (
    r"(?<![a-z])(?:deferred|unearned|unbilled) (?:revenues?|income)(?![a-z])",
    r"(?<![a-z])(?:non-|non)operating (?:income|expenses?|loss)(?![a-z])",
    r"(?<![a-z])(?:revenue|sales) (?:growth|recognition)(?![a-z])",
    r"(?<![a-z])(?:operating|net) (?:income|profit) margins?(?![a-z])",
    r"(?<![a-z])adjusted (?:operating income|net income|gross profit)(?![a-z])",
)
HEADCOUNT: Final = Measure(
    "headcount",
    r"(?<![a-z])(employees|headcount|associates|team members|workforce|people|personnel|staff|"
    r"employed)(?![a-z])",
    "count",
)

_QUESTION_WAYS: Final = _VOCABULARY.tables["question_ways"]
_RISKS: Final = _VOCABULARY.tables["risks"]
RISKS: Final = {label: rf"\b(?:{pattern})" for label, pattern in _RISKS.items()}

_CAUSES: Final = _VOCABULARY.tables["causes"]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@lru_cache(maxsize=MAX_REMEMBERED)
def _shadowed(pattern: str, lower: str) -> tuple[tuple[int, int], ...]:
    """Where a measure's name stands within a longer name of another figure."""
    mine = [match.span(1) for match in _compiled(pattern).finditer(lower)]
    others = [one.pattern for one in MEASURES.values() if one.pattern != pattern]
    longer = [
        match.span(1) if match.re.groups else match.span()
        for other in (*others, *_OTHER_NAMES)
        for match in (_compiled(other).finditer(lower) if mine else ())
    ]
    return tuple(
        (start, end)
        for start, end in mine
        if any(a <= start and end <= b and b - a > end - start for a, b in longer)
    )


def unshadowed(measure: Measure, text: str) -> str:
    """The text, at its length, with the measure's name blotted out where another's holds it.

    "Cost of revenue" holds the name of revenue and is another figure: the longest name counts.
    A measure read from a question has no other name.
    """
    lower = plain(text)
    if measure.is_own or len(lower) != len(text):
        return text
    for start, end in _shadowed(measure.pattern, lower):
        text = text[:start] + "x" * (end - start) + text[end:]
    return text


@lru_cache(maxsize=MAX_REMEMBERED)
def measures_in(text: str) -> frozenset[Measure]:
    """The measures that a text names, headcount among them."""
    lower = plain(text)
    return frozenset(one for one in (*MEASURES.values(), HEADCOUNT) if one.is_in(lower))


def measure_named(text: str, labels: Sequence[str]) -> Measure | None:
    """The measure that a question asks about.

    Args:
        text: the question.
        labels: what was read from it; of several, the one named first counts.

    Returns:
        None where no known measure is named.
    """
    lower = plain(text)
    read = [label for label in labels if label in MEASURES]
    wanted = read or list(MEASURES)
    found = _first_named(lower, wanted)
    if found is None and any(_compiled(MEASURES[one].pattern).search(lower) for one in read):
        return _first_named(lower, list(MEASURES))
    if found is not None:
        return found
    for label, pattern in _QUESTION_WAYS.items():
        if label in wanted and _compiled(pattern).search(lower):
            return MEASURES[label]
    return MEASURES[wanted[0]] if any(label in MEASURES for label in labels) else None


def _first_named(lower: str, labels: Sequence[str]) -> Measure | None:
    """The measure named first, of those that begin together the longest name."""
    found = [
        (match.start(), -len(match[1]), label)
        for label in labels
        if (one := MEASURES[label])
        and (match := _compiled(one.pattern).search(unshadowed(one, lower)))
    ]
    return MEASURES[min(found)[2]] if found else None


def name_of(measure: Measure, text: str) -> str:
    """What a text calls a measure; empty where it does not name it that way."""
    match = _compiled(measure.pattern).search(plain(unshadowed(measure, text)))
    return text[match.start(1) : match.end(1)] if match else ""


def measure_of_words(words: Sequence[str], kind: str) -> Measure | None:
    """A measure that the vocabulary lacks, by the words of the question: near one another."""
    if not words or len(words) > MAX_NAME_WORDS:
        return None
    gap = r"[a-z]*(?:[^a-z0-9]+[a-z]+){0,2}?[^a-z0-9]+"
    pattern = gap.join(re.escape(stem(word)) for word in words)
    return Measure("words: " + " ".join(words), rf"(?<![a-z])({pattern}[a-z]*)", kind, True)


def cause_pattern(phrase: str, words: Sequence[str]) -> str | None:
    """How sentences name the cause that a question asks about; None where it names none."""
    known = known_cause(phrase)
    if known is not None or not words:
        return known
    named = [re.escape(stem(word)) for word in words[:MAX_CAUSE_WORDS]]
    return r"\b" + r"\w*\W+(?:\w+\W+){0,2}".join(named)


def known_cause(phrase: str) -> str | None:
    """How sentences name a cause of the vocabulary that stands in a phrase."""
    lower = plain(phrase)
    return next((pattern for cue, pattern in _CAUSES.items() if re.search(cue, lower)), None)


def risk_pattern(topics: Sequence[str]) -> re.Pattern[str] | None:
    """What sentences on the risks asked about hold; None where no known topic is named."""
    known = [RISKS[topic] for topic in topics if topic in RISKS]
    return _compiled("|".join(known)) if known else None
