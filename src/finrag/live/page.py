"""The page of a live question as HTML; every text in it is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import jinja2

from finrag.live.corpus import P3, Built, LiveCorpus, SuiteQuestion
from finrag.live.engine import MAX_QUESTION_CHARS, costs
from finrag.live.records import Asked, Source, SystemAnswer
from finrag.llm.asking import SETTINGS as LLM_SETTINGS
from finrag.llm.endpoints import has_endpoint
from finrag.warehouse.folder import step_command

TEMPLATES: Final = Path(__file__).parent / "templates"
QUESTIONS_SHOWN: Final = 15
NONE: Final = "none"
# The sign beside each outcome or verdict: colour alone must not carry the meaning.
SIGNS: Final = {
    "answered": "✓",
    "abstained": "?",
    "failed": "✕",
    "not_asked": "…",
    "ranked": "≡",
    "supported": "✓",
    "inferred": "~",
    "unproven": "?",
    "unsupported": "✕",
    "evidence": "★",
    "same": "=",
    "read": "•",
    "other": "≠",
    "right": "✓",
    "wrong": "✕",
    "undecided": "?",
}
# What is searched for a question of each set of the filings; others bring their own documents.
SEARCHED: Final = {
    "p3": "sentences of the filings",
    "p3_tables": "figures of tables: sentences and rows of the filings",
    "p3_revenue_lines": "lines of revenue: sentences and rows of the filings",
}


@dataclass(frozen=True)
class Choice:
    """A system that can be chosen.

    Attributes:
        system_id: the system.
        says: in words: which answerer it has and whether that may cost something.
        answers: whether it answers or only ranks.
    """

    system_id: str
    says: str
    answers: bool


@dataclass(frozen=True)
class View:
    """What the page shows besides the corpus.

    Attributes:
        token: what a form must send back before anything is paid for.
        first: the system on the left.
        second: the one on the right, or ``NONE``.
        question: in the form, untrusted.
        gold_set: whose questions are listed, and as whose a question is put.
        page: of that list, from 0.
        shown: a question of a public set, which is looked up and not asked.
        asked: the answers; None before anything was asked.
        error: one sentence on why nothing was asked.
        is_stale: whether the warehouse was written to since it was read.
    """

    token: str
    first: str
    second: str
    question: str = ""
    gold_set: str = P3
    page: int = 0
    shown: SuiteQuestion | None = None
    asked: Asked | None = None
    error: str = ""
    is_stale: bool = False


def choices(corpus: LiveCorpus) -> list[Choice]:
    """Systems that can be asked, those that answer first."""
    found = [
        Choice(name, _says(row), row["answerer"] not in (None, "none"))
        for name, row in corpus.systems.items()
    ]
    return sorted(found, key=lambda one: (not one.answers, one.system_id))


def default_systems(corpus: LiveCorpus) -> tuple[str, str]:
    """A filtered and an open system that answer and cost nothing, where there are such."""
    free = [
        one.system_id
        for one in choices(corpus)
        if one.answers and not costs(corpus.systems[one.system_id])
    ] or list(corpus.systems)
    preferred = [name for name in ("multi_path", "dense_open") if name in free]
    first, *others = dict.fromkeys([*preferred, *free])
    return first, others[0] if others else NONE


def listed(questions: Sequence[SuiteQuestion]) -> list[SuiteQuestion]:
    """Questions of a set, one of each category first."""
    by_category: dict[str | None, SuiteQuestion] = {}
    for question in questions:
        by_category.setdefault(question.category, question)
    first = [by_category[name] for name in sorted(by_category, key=lambda name: name or "")]
    return [*first, *(one for one in questions if one not in first)]


@dataclass(frozen=True)
class GoldSet:
    """A gold set that can be chosen.

    Attributes:
        name: the set.
        n_questions: how many questions it has.
        is_live: whether they can be asked now.
        searched: what is searched for an answer, in words.
    """

    name: str
    n_questions: int
    is_live: bool
    searched: str


def gold_sets(corpus: LiveCorpus) -> list[GoldSet]:
    """The sets of the build: those that can be asked first."""
    return [
        GoldSet(
            name,
            len(corpus.suites.get(name, ())),
            name in corpus.gold_sets,
            SEARCHED.get(name, "documents of the set's own"),
        )
        for name in dict.fromkeys([*corpus.gold_sets, *corpus.suites])
    ]


def render(corpus: LiveCorpus, view: View) -> str:
    """The whole page."""
    questions = listed(corpus.suites.get(view.gold_set, ()))
    start = view.page * QUESTIONS_SHOWN
    asked_set = view.asked.gold_set if view.asked else P3
    return _template().render(
        view=view,
        asked=view.asked,
        run=corpus.run,
        n_companies=corpus.companies.num_rows,
        choices=choices(corpus),
        gold_sets=gold_sets(corpus),
        questions=questions[start : start + QUESTIONS_SHOWN],
        n_questions=len(questions),
        n_pages=-(-len(questions) // QUESTIONS_SHOWN),
        built=_built(corpus, view.shown),
        max_chars=MAX_QUESTION_CHARS,
        ask_command=step_command("ask"),
        no_system=NONE,
        agreement=_agreement(view.asked),
        link=lambda question: _link(view, question),
        link_to=lambda **fields: f"/?{urlencode({'a': view.first, 'b': view.second, **fields})}",
        ask_about=lambda text: _address(view, text, asked_set),
    )


def _address(view: View, text: str, gold_set: str) -> str:
    fields = {"question": text, "a": view.first, "b": view.second, "set": gold_set}
    return f"/ask?{urlencode(fields)}"


def _link(view: View, question: SuiteQuestion) -> str:
    """Where a question is asked; one of a public set, where it is looked up."""
    if question.is_live:
        return _address(view, question.text, question.gold_set)
    fields = {"a": view.first, "b": view.second, "set": question.gold_set}
    return f"/gold?{urlencode({**fields, 'item': question.item_id})}"


def _built(corpus: LiveCorpus, shown: SuiteQuestion | None) -> list[tuple[str, Built]]:
    """The build's answers to a question, by system."""
    if shown is None:
        return []
    return [
        (system_id, built)
        for (system_id, item_id), built in corpus.answers.items()
        if item_id == shown.item_id
    ]


def _says(system: dict[str, Any]) -> str:
    answerer = system["answerer"]
    said = "ranks only" if answerer in (None, "none") else str(answerer)
    if not costs(system):
        return said
    bill = "may be billed" if has_endpoint(LLM_SETTINGS) else "no endpoint set: cached answers only"
    return f"{said}; {bill}"


def _agreement(asked: Asked | None) -> str:
    """Two systems side by side in one sentence; "" where one of them ranked nothing."""
    if (
        asked is None
        or len(asked.answers) != 2
        or not all(result.n_ranked for result in asked.answers)
    ):
        return ""
    one, other = asked.answers
    heads = [{found.sentence_id for found in result.ranking} for result in asked.answers]
    said = f"{len(heads[0] & heads[1])} of the first {max(map(len, heads))} sentences are the same"
    if not one.text or not other.text:
        return f"{said}."
    cited = [{source.sentence_id for source in result.sources} for result in asked.answers]
    words = "the same words" if one.text == other.text else "other words"
    return f"They answer in {words}; {len(cited[0] & cited[1])} cited and {said}."


def pieces(text: str, quote: str | None) -> list[tuple[str, bool]]:
    """A text cut at a quote in it: parts and whether each is the quote."""
    start = text.find(quote) if quote else -1
    if not quote or start < 0:
        return [(text, False)]
    cut = [(text[:start], False), (quote, True), (text[start + len(quote) :], False)]
    return [(part, is_quote) for part, is_quote in cut if part]


def place(one: Any) -> str:
    """Company, fiscal year and item of a sentence."""
    item = str(one.section_name).replace("ITEM_", "Item ")
    item = f"{item} of a table" if item in ("row", "cell") else item
    return f"{one.company}, FY{one.report_year}, {item}"


def figure(result: SystemAnswer) -> str:
    """The figure of an answer in whole units; "" for an answer that is none."""
    if result.numeric_value is None:
        return ""
    value = f"{result.numeric_value:,.4f}".rstrip("0").rstrip(".")
    return f"{value} {(result.unit or '').replace('_', ' ')}".strip()


def milliseconds(value: float | None) -> str:
    """Milliseconds as a reader wants them."""
    if value is None:
        return "–"
    return f"{value:,.0f} ms" if value >= 10 else f"{value:.1f} ms"


def ruling(is_right: bool | None) -> str:
    """A verdict in one word."""
    return "undecided" if is_right is None else "right" if is_right else "wrong"


def measured(value: float, unit: str) -> str:
    """A value of a metric as a reader wants it."""
    return f"{100 * value:.0f} %" if unit == "share" else f"{value:.4g}"


def spans(times: Iterable[float | None]) -> list[tuple[float, float]]:
    """Where each of some times begins and how long it is, in percent of their sum."""
    known = [one or 0.0 for one in times]
    total = sum(known) or 1.0
    return [
        (100 * sum(known[:place]) / total, 100 * one / total) for place, one in enumerate(known)
    ]


def _is_quoted(source: Source) -> bool:
    own = next((one.text for one in source.passage if one.is_source), "")
    return bool(source.quote) and str(source.quote) in own


@lru_cache(maxsize=1)
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "ms": milliseconds,
        "place": place,
        "figure": figure,
        "sign": lambda word: SIGNS.get(word, "·"),
        "is_quoted": _is_quoted,
        "ruling": ruling,
    }
    environment.globals |= {"measured": measured, "spans": spans, "pieces": pieces}
    return environment.get_template("page.html")
