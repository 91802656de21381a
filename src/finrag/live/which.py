"""Answers "which company …": puts the question about each company and compares the answers.

A system is asked about one company at a time, as anybody would ask it, so that each figure has
that system's own search, threshold and source. Nothing is compared that it did not find.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from finrag.live.records import Part, Reading, Step, SystemAnswer
from finrag.records.vocabulary import read_vocabulary
from finrag.text.statements import direction_said
from finrag.text.words import stem, stems, topic_words

if TYPE_CHECKING:
    from finrag.live.gaps import Filed

# Of more companies none is asked one by one: a question must not take minutes.
MAX_COMPANIES: Final = 40
# A figure of fewer companies does not say which of all of them has the highest.
MIN_SHARE: Final = 0.6
# Of these, figures of so many more are cited beside the company's own.
CITED_OTHERS: Final = 2
_VOCABULARY: Final = read_vocabulary(__file__)
_WHICH: Final = _VOCABULARY.pattern("which", re.IGNORECASE)
_WHICH_OF: Final = _VOCABULARY.pattern("which_of", re.IGNORECASE)
_HIGH: Final = _VOCABULARY.pattern("high", re.IGNORECASE)
_LOW: Final = _VOCABULARY.pattern("low", re.IGNORECASE)
_MOVED: Final = _VOCABULARY.pattern("moved", re.IGNORECASE)
_POINTS_ASKED: Final = _VOCABULARY.pattern("points", re.IGNORECASE)


@dataclass(frozen=True)
class Measure:
    """A measure: what questions call it, and whether its figures are percentages."""

    name: str
    is_percent: bool


@dataclass(frozen=True)
class AboutOne:
    """The question about one company."""

    company: str
    question: str


@dataclass(frozen=True)
class Which:
    """A question that asks which company.

    Attributes:
        each: the question about each company.
        sign: 1 for the highest figure, -1 for the lowest, 0 for those of which something is said.
        moved: "increase" or "decrease" where only companies count whose figure moved so.
        words: stems of what is looked for, in order, where no figure is asked for; a sentence
            counts that holds the last and half of them.
        name: what is compared or looked for, in words.
        note: how the question is put, in one sentence.
    """

    each: tuple[AboutOne, ...]
    sign: int
    moved: str | None
    words: tuple[str, ...]
    name: str
    note: str


def asks_which(text: str) -> bool:
    """Whether a question asks which company or which companies."""
    return bool(_WHICH.search(text) or _WHICH_OF.search(text))


def read(
    text: str, reading: Mapping[str, Any], measures: Mapping[str, Measure], filed: Filed
) -> Which | None:
    """What a question asks about each company; None where it does not ask which company.

    Args:
        text: the question.
        reading: its row of ``parsed_questions``.
        measures: those that the corpus is read for, by their label.
        filed: what the corpus holds.
    """
    ciks, years = reading["cik_ints"], reading["years"]
    is_among_named = bool(_WHICH_OF.search(text)) and len(ciks) > 1
    if not (is_among_named or (_WHICH.search(text) and len(ciks) != 1)):
        return None
    wanted = set(years)
    companies = ciks or [
        cik for cik in sorted(filed.names) if not wanted or wanted & set(filed.years(cik))
    ]
    if not companies or len(companies) > MAX_COMPANIES:
        return None
    names = sorted(filed.names.get(cik, str(cik)) for cik in companies)
    labels = [label for label in reading["kpi_labels"] if label in measures]
    sign = 1 if _HIGH.search(text) else -1 if _LOW.search(text) else 0
    moved = direction_said(text) if _MOVED.search(text) else None
    if labels and (sign or moved):
        measure = measures[labels[0]]
        years = years or _last_years(companies, filed)
        if moved and len(years) == 1:
            years = [years[0] - 1, years[0]]
        template, name = _of_figure(text, measure, years, moved)
        sign = (-1 if moved == "decrease" else 1) * (sign or 1)
        words: tuple[str, ...] = ()
    else:
        looked_for = topic_words(_WHICH_OF.sub(" ", _WHICH.sub(" ", text)))
        topic = " ".join(looked_for)
        if not topic or labels:
            return None
        when = f" in fiscal {' and '.join(map(str, years))}" if years else ""
        template, name = f"What does {{company}} say about {topic}{when}?", topic
        sign, moved, words = 0, None, tuple(map(stem, looked_for))
    return Which(
        each=tuple(AboutOne(one, template.replace("{company}", one)) for one in names),
        sign=sign,
        moved=moved,
        words=words,
        name=name,
        note=f"The question asks which company, so it is put about each of {len(names)} companies: "
        f"“{template.replace('{company}', '…')}” Their answers are compared.",
    )


def joined(
    result: SystemAnswer,
    asked: Which,
    found: Sequence[tuple[AboutOne, SystemAnswer]],
    reading: Reading,
) -> SystemAnswer:
    """One answer from the answers about each company.

    Args:
        result: the system.
        asked: the question.
        found: the answer about each company.
        reading: how the question was read.
    """
    named = _extreme(asked, found) if asked.sign else _mentioned(asked, found)
    n_read = sum(one.outcome == "answered" for _, one in found)
    parts = tuple(
        Part(one.company, one.question, answer.text or "", one.company in named)
        for one, answer in found
    )
    result = replace(
        result,
        parts=parts,
        steps=_summed(reading, [one for _, one in found]),
        n_tokens=sum(one.n_tokens for _, one in found),
    )
    if not named:
        return replace(result, outcome="abstained", why=_why(asked, n_read, len(found)))
    best = [(one, answer) for one, answer in found if one.company in named]
    return replace(
        result,
        outcome="answered",
        text=_text(asked, best, n_read, len(found)),
        items=() if asked.sign else tuple(named),
        numeric_value=best[0][1].numeric_value if asked.sign else None,
        unit=best[0][1].unit if asked.sign else None,
        sources=_renumbered(answer.sources[:1] if not asked.sign else answer.sources
                            for _, answer in best),
        claims=best[0][1].claims if asked.sign else (),
    )  # fmt: skip


def _extreme(asked: Which, found: Sequence[tuple[AboutOne, SystemAnswer]]) -> list[str]:
    """The company whose figure is the highest or the lowest; two where they tie."""
    known = [(one.company, answer) for one, answer in found if answer.numeric_value is not None]
    units = [answer.unit for _, answer in known]
    unit = max(dict.fromkeys(units), key=units.count, default=None)
    values = {
        company: float(answer.numeric_value or 0.0)
        for company, answer in known
        if answer.unit == unit
    }
    if len(values) < MIN_SHARE * len(found):
        return []
    way = {"increase": 1, "decrease": -1}.get(asked.moved or "", 0)
    moved = {company: one for company, one in values.items() if way * one > 0 or not way}
    best = max((asked.sign * one for one in moved.values()), default=None)
    return [company for company, one in moved.items() if asked.sign * one == best]


def _mentioned(asked: Which, found: Sequence[tuple[AboutOne, SystemAnswer]]) -> list[str]:
    """Companies of which a sentence was found that speaks of what is looked for."""

    def speaks(text: str) -> bool:
        said = stems(text)
        n_said = sum(word in said for word in asked.words)
        return asked.words[-1] in said and 2 * n_said >= len(asked.words)

    return [one.company for one, answer in found if speaks(answer.text or "")]


def _text(
    asked: Which, best: Sequence[tuple[AboutOne, SystemAnswer]], n_read: int, n_asked: int
) -> str:
    companies = ", ".join(one.company for one, _ in best)
    if not asked.sign:
        return f"{companies}: {len(best)} of {n_asked} companies."
    said = (best[0][1].text or "").rstrip(".")
    return f"{companies}. {said}. Compared among {n_read} of {n_asked} companies."


def _why(asked: Which, n_read: int, n_asked: int) -> str:
    if not asked.sign:
        return (
            f"No sentence that was read says it: for none of {n_asked} companies was "
            f"a sentence about “{asked.name}” found."
        )
    if n_read < MIN_SHARE * n_asked:
        return f"A figure was found for {n_read} of {n_asked} companies: too few to compare."
    moved = {"increase": "rose", "decrease": "fell"}.get(asked.moved or "", "")
    return f"The {asked.name} of none of {n_read} companies {moved}."


def _of_figure(
    text: str, measure: Measure, years: Sequence[int], moved: str | None
) -> tuple[str, str]:
    """The question about one company's figure, and what is compared."""
    if not moved:
        when = f" in fiscal {years[-1]}" if years else ""
        was = "were" if measure.name.endswith("s") else "was"
        return f"What {was} the {measure.name} of {{company}}{when}?", measure.name
    is_share = not measure.is_percent and not _POINTS_ASKED.search(text)
    how = "By what percentage" if is_share else "By how much"
    span = f"from fiscal {years[0]} to fiscal {years[-1]}"
    return f"{how} did the {measure.name} of {{company}} change {span}?", measure.name


def _last_years(companies: Sequence[int], filed: Filed) -> list[int]:
    """The last year of which most companies have a filing."""
    years = [year for cik in companies for year in filed.years(cik)]
    return [max(set(years), key=lambda year: (years.count(year), year))] if years else []


def _renumbered(sources: Any) -> tuple[Any, ...]:
    flat = [one for some in sources for one in some]
    return tuple(replace(one, number=number) for number, one in enumerate(flat, 1))


def _summed(reading: Reading, answers: Sequence[SystemAnswer]) -> tuple[Step, ...]:
    """The steps of all answers by name; what went in and out is counted together."""
    steps: dict[str, Step] = {
        "read": Step("read", "company, years, topic and form", None, None, reading.latency_ms)
    }
    for step in (step for one in answers for step in one.steps):
        known = steps.get(step.name, Step(step.name, step.what, None, None, None))
        steps[step.name] = replace(
            known,
            n_in=_sum(known.n_in, step.n_in),
            n_out=_sum(known.n_out, step.n_out),
            latency_ms=(known.latency_ms or 0.0) + (step.latency_ms or 0.0),
        )
    return tuple(steps.values())


def _sum(one: int | None, other: int | None) -> int | None:
    return other if one is None else one + (other or 0)
