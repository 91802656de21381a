"""The support of an answer: how well a sentence answers a question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from finrag.answers.extractive.asked import Asked
from finrag.answers.extractive.findings import Findings, Text
from finrag.answers.types import Passage
from finrag.text.words import clipped, coverage, weights

# Shares of the topic and of the form in the support.
TOPIC_SHARE: Final = 0.6
FORM_SHARE: Final = 0.4
# What naming the measure is worth where the rest of the topic is missing.
MEASURE_SHARE: Final = 0.6
# Of the words that narrow a measure ("in Brazil"), a sentence must carry at least this share.
MIN_PART: Final = 0.5
# A later filing states a year again, for comparison.
LATER_FILING: Final = 0.95
OTHER_FILING: Final = 0.85
UNDATED: Final = 0.97
# How exactly the words have the form that is asked for.
EXACT, CLOSE, LOOSE, BARE = 1.0, 0.8, 0.5, 0.25

# Sentences carried nearly as well as the best.
NEARLY: Final = 0.95
MAX_ECHOES: Final = 3


@dataclass(frozen=True)
class Cell:
    """One company and one year that a question asks about; None where it names none."""

    cik_int: int | None
    year: int | None


@dataclass(frozen=True)
class Candidate:
    """A possible answer for one cell, or for the whole question.

    Attributes:
        support: 0 to 1, see ``support_of``.
        text: the answer in words.
        citations: passages with the words used, best first.
        value: the figure in whole units.
        unit: its unit.
        raw: the figure as printed.
        items: the entries, where the answer is a list.
    """

    support: float
    text: str
    citations: tuple[tuple[Passage, str], ...]
    value: float | None = None
    unit: str | None = None
    raw: str = ""
    items: tuple[str, ...] = ()


@dataclass(frozen=True)
class Case:
    """A question with its context, what was found in it, and the weights of its words."""

    asked: Asked
    texts: Sequence[Text]
    findings: Findings
    weight: Mapping[str, float]
    rest_weight: Mapping[str, float]

    def row(self, text: Text) -> Mapping[str, Any]:
        """What binds the asked measure in a sentence; empty where nothing does."""
        if self.asked.measure is None:
            return {}
        return self.findings.figures.get((text.text, self.asked.measure.label), {})


def open_case(asked: Asked, texts: Sequence[Text], findings: Findings) -> Case:
    """Weigh the words of a question within its context."""
    stems = [text.stems for text in texts]
    weight = weights(asked.words, stems)
    rest = {word: weight[word] for word in asked.rest if word in weight}
    return Case(asked, texts, findings, weight, rest)


def cells_of(asked: Asked) -> list[Cell]:
    """Companies and years in the order of the question, every company in every year."""
    ciks: Sequence[int | None] = tuple(dict.fromkeys(asked.question.cik_ints)) or (None,)
    years: Sequence[int | None] = asked.years or (None,)
    return [Cell(cik, year) for cik in ciks for year in years]


def year_agreement(cell: Cell, stated: int | None, passage: Passage) -> float:
    """How well a statement about a year fits the year asked about.

    Args:
        cell: what is asked about.
        stated: the year that the words name for it; None where they name none.
        passage: the sentence; without a stated year, that of its filing counts.

    Returns:
        0 for another year, 1 for the year of the filing where the words say so or no year is
        asked about, a little less for a comparison in a later filing or an undated statement.
        Where the year of the passage is not known, what the words say decides.
    """
    if cell.year is None:
        return 1.0
    if stated is None:
        return UNDATED if passage.report_year in (None, cell.year) else 0.0
    if stated != cell.year:
        return 0.0
    if passage.report_year is None or passage.report_year == cell.year:
        return 1.0
    return LATER_FILING if 0 < passage.report_year - cell.year <= 2 else OTHER_FILING


def topic_agreement(case: Case, text: Text) -> float:
    """Share of the topic that a sentence covers, words weighted by rarity in the context.

    Where the question asks about a measure, naming it in any of its ways counts
    ``MEASURE_SHARE``, and the other words of the topic the rest.
    """
    measure = case.asked.measure
    if measure is not None and measure.is_in(text.lower):
        return MEASURE_SHARE + (1 - MEASURE_SHARE) * coverage(case.rest_weight, text.stems)
    return coverage(case.weight, text.stems) if case.weight else 0.0


def is_of_the_part(case: Case, text: Text) -> bool:
    """Whether a sentence names the part to which the question restricts its measure, if any."""
    part = case.asked.part
    return not part or len(part & (text.stems | text.around)) >= MIN_PART * len(part)


def is_as_wide(case: Case, text: Text) -> bool:
    """Whether a sentence binds the measure as widely as the question asks about it."""
    is_part = case.row(text).get("subject_scope") == "part"
    return (case.asked.asks_part or not is_part) and is_of_the_part(case, text)


def section_agreement(case: Case, text: Text) -> float:
    """1 in a section that the question names or where it names none, less elsewhere."""
    named = case.asked.sections
    return 1.0 if not named or text.passage.section_name in named else CLOSE


def support_of(
    cell: Cell, text: Text, topic: float, form: float, stated: int | None = None
) -> float:
    """Support of an answer from one sentence: identity × (0.6 topic + 0.4 topic × form).

    A form without the topic is worth nothing; identity is 0 for another company and
    ``year_agreement`` otherwise.

    Args:
        cell: company and year asked about.
        text: the sentence.
        topic: 0 to 1.
        form: 0 to 1, how exactly the words have the form that is asked for.
        stated: the year that the words name.
    """
    if cell.cik_int is not None and text.passage.cik_int != cell.cik_int:
        return 0.0
    identity = year_agreement(cell, stated, text.passage)
    return identity * topic * (TOPIC_SHARE + FORM_SHARE * form)


def answered(
    cell: Cell, text: Text, said: str, topic: float, form: float, stated: int | None = None
) -> Candidate:
    """An answer from one sentence, see ``support_of``; it quotes its words if they stand there."""
    support = support_of(cell, text, topic, form, stated)
    return Candidate(support, said, ((text.passage, quoted(text, said)),))


def best(candidates: Iterable[Candidate]) -> Candidate | None:
    """The candidate with the most support; of equals the one ranked first, then by sentence."""
    found = [one for one in candidates if one.support > 0 and one.citations]
    if not found:
        return None
    return min(found, key=_order)


def best_of_echoes(candidates: Sequence[Candidate]) -> Candidate | None:
    """The best candidate, citing also the sentences that say the same nearly as well."""
    ranked = ordered(candidates)
    if not ranked:
        return None
    first = ranked[0]
    echoes = [
        one
        for one in ranked
        if one.text.casefold() == first.text.casefold() and one.support >= NEARLY * first.support
    ]
    cited: dict[str, tuple[Passage, str]] = {}
    for one in echoes[:MAX_ECHOES]:
        for passage, quote in one.citations:
            cited.setdefault(passage.sentence_id, (passage, quote))
    return replace(first, citations=tuple(cited.values()))


def _order(one: Candidate) -> tuple[float, int, str]:
    passage = one.citations[0][0]
    return (-round(one.support, 6), passage.rank, passage.sentence_id)


def ordered(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Candidates with support, best first."""
    return sorted((one for one in candidates if one.support > 0 and one.citations), key=_order)


def quoted(text: Text, words: str) -> str:
    """Words of a sentence as they stand there; the sentence's beginning where they do not."""
    words = words.strip()
    return clipped(words if words and words in text.text else text.text)
