"""Answers in words for one company and year: causes, definitions, periods, risks, lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final

from finrag.answers.extractive.findings import Text
from finrag.answers.extractive.support import (
    BARE,
    CLOSE,
    EXACT,
    LOOSE,
    MEASURE_SHARE,
    NEARLY,
    Candidate,
    Case,
    Cell,
    answered,
    best,
    best_of_echoes,
    cells_of,
    is_as_wide,
    ordered,
    section_agreement,
    topic_agreement,
    year_agreement,
)
from finrag.atlases.connectors import lowered, read_clauses
from finrag.records.vocabulary import read_vocabulary
from finrag.text.phrases import split_items, trim
from finrag.text.statements import direction_of_word, words_of
from finrag.text.words import clipped, coverage, is_pointer, plain, stems

MAX_RISKS: Final = 3
# Terms of up to five words are the same only if all their words are.
MIN_SAME_TERM: Final = 0.85

_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_RISK_WORDS: Final = stems("risk factor exposure business burden threat area kind type general")
_VOCABULARY: Final = read_vocabulary(__file__)
RISK_NAMES: Final = _VOCABULARY.pattern("risk_names")
_MODAL: Final = re.compile(r"\b(?:could|may|might|would|can|will|if|unable|fail|advers|harm|risk)")
_LEAD: Final = _VOCABULARY.pattern("lead", re.IGNORECASE)
_LIST_START: Final = _VOCABULARY.pattern("list_start")
_EQUATES: Final = _VOCABULARY.texts["equates"]


def cause(case: Case, cell: Cell) -> Candidate | None:
    """Why the asked measure changed: the words after a connector."""
    found = best(_causes(case, cell))
    if found is None:
        return statement(case, cell) if case.asked.measure is None else None
    return _with_movement(case, cell, found)


def _causes(case: Case, cell: Cell) -> Iterator[Candidate]:
    for text in case.texts:
        if cell.cik_int is not None and text.passage.cik_int != cell.cik_int:
            continue
        topic = topic_agreement(case, text)
        if topic <= 0:
            continue
        if not is_as_wide(case, text):
            continue
        row = case.row(text)
        if row.get("cause_text"):
            yield _bound_cause(case, cell, text, row, topic)
            continue
        said = _cause_words(text, case)
        if said:
            form = LOOSE if row else BARE
            yield answered(cell, text, said, topic, form, _year_said(cell, text))


def _bound_cause(
    case: Case, cell: Cell, text: Text, row: Mapping[str, Any], topic: float
) -> Candidate:
    said = trim(row["cause_text"])
    asked, stated = case.asked.direction, row["change_direction"]
    form = EXACT if row["subject_scope"] == "company" or case.asked.asks_part else CLOSE
    if asked and stated and asked != stated:
        form = BARE
    if row["is_negated_or_conditional"] or row["is_forward_looking"]:
        form *= LOOSE
    return answered(cell, text, said, topic, form, row["change_period_year"])


def _cause_words(text: Text, case: Case) -> str:
    """The cause behind the first connector whose effect speaks of the topic."""
    low = lowered(text.text)
    for clause in read_clauses(low).causes:
        if clause.is_offset:
            continue
        effect = low[clause.clause_start : clause.connector_start]
        measure = case.asked.measure
        if measure is not None and not measure.is_own:
            is_topic = measure.is_in(effect) and _tells_of_a_move(effect)
        else:
            is_topic = coverage(case.weight, stems(effect)) >= LOOSE
        if not is_topic:
            continue
        return trim(text.text[clause.connector_end : clause.cause_end])
    return ""


def _tells_of_a_move(effect: str) -> bool:
    return "chang" in effect or any(map(direction_of_word, words_of(effect)))


def _with_movement(case: Case, cell: Cell, found: Candidate) -> Candidate:
    """The sentence that states the movement itself, as a second citation."""
    from finrag.answers.extractive.figures import level_candidates

    if case.asked.measure is None:
        return found
    cited = {passage.sentence_id for passage, _ in found.citations}
    floor = found.support * NEARLY * CLOSE
    other = best(
        one
        for one in level_candidates(case, cell)
        if one.citations[0][0].sentence_id not in cited and one.support >= floor
    )
    citations = found.citations + (other.citations if other else ())
    return Candidate(found.support, found.text, citations, items=found.items)


def definition(case: Case, cell: Cell) -> Candidate | None:
    """What a term means: the words of its definition; else a sentence that explains it."""
    found = []
    wanted = stems(case.asked.term) or frozenset(case.asked.words)
    explains = _explanation_of(case.asked.term)
    for text in case.texts:
        for row in case.findings.definitions.get(text.text, ()):
            topic = _same_term(wanted, stems(row["term"]))
            said = row["definition_text"]
            found.append(answered(cell, text, said, topic, EXACT, _year_said(cell, text)))
        if explains is not None and explains.search(text.lower):
            year = _year_said(cell, text)
            found.append(answered(cell, text, sentence(text), CLOSE, LOOSE, year))
    return best_of_echoes(found)


def _same_term(wanted: frozenset[str], term: frozenset[str]) -> float:
    """Jaccard similarity of the words of two terms; 0 where a word more makes another term."""
    similarity = len(wanted & term) / len(wanted | term) if wanted | term else 0.0
    return similarity if similarity >= MIN_SAME_TERM else 0.0


def _explanation_of(term: str) -> re.Pattern[str] | None:
    """A sentence that begins to say what a term is: the term, and behind it a verb that equates."""
    words = [re.escape(word) for word in re.findall(r"[a-z0-9&]+", plain(term))]
    if not words:
        return None
    named = r"\W+".join(words)
    return re.compile(rf"^(?:[\W]|the |our |an? |term )*{named}s?(?!\w){_EQUATES}")


def period(case: Case, cell: Cell) -> Candidate | None:
    """Which dates a year label stands for; the figure is the year of the end."""
    found = []
    asked = plain(case.asked.term).strip()
    for text in case.texts:
        for row in case.findings.periods.get(text.text, ()):
            form = EXACT if not asked or plain(row["period_label"]) == asked else 0.0
            if form == 0.0 and cell.year is not None and row["label_year"] == cell.year:
                form = LOOSE if str(cell.year) in asked or asked.startswith("the ") else 0.0
            if form == 0.0:
                continue
            # A filing defines the labels of earlier years too: only its own year's is the answer.
            end = date.fromisoformat(row["end_date"])
            said = f"The year ended {end:%B} {end.day}, {end.year} ({row['end_date']})."
            year = row["end_year"]
            one = answered(cell, text, said, 1.0, form)
            found.append(replace(one, value=float(year), unit="year", raw=str(year)))
    return best_of_echoes(found)


def risk(case: Case, cell: Cell) -> Candidate | None:
    """The sentences that tell of a risk: the best and, for a single cell, others as good."""
    is_alone = len(cells_of(case.asked)) == 1
    is_shared = _is_shared(case, cell)
    found = []
    for text in case.texts:
        if is_pointer(text.lower):
            continue
        topic, form = _risk_agreement(case, text, is_shared)
        if "1A" not in text.passage.section_name.upper():
            form *= CLOSE
        found.append(answered(cell, text, sentence(text), topic, form))
    distinct = {one.text: one for one in reversed(ordered(found))}
    chosen = ordered(distinct.values())[: MAX_RISKS if is_alone else 1]
    if not chosen:
        return None
    chosen = [one for one in chosen if one.support >= NEARLY * chosen[0].support]
    citations = tuple(citation for one in chosen for citation in one.citations)
    return Candidate(chosen[0].support, " ".join(one.text for one in chosen), citations)


def _risk_hits(case: Case, text: Text) -> set[str]:
    pattern = case.asked.risk
    return {match[0] for match in pattern.finditer(text.lower)} if pattern else set()


def _is_shared(case: Case, cell: Cell) -> bool:
    """Whether at least half of a company's and year's sentences name the risk asked about.

    One word of it stands in many a sentence about something else; seldom in most of them.
    """
    own = [
        text
        for text in case.texts
        if cell.cik_int in (None, text.passage.cik_int)
        and year_agreement(cell, None, text.passage) > 0
    ]
    n_hit = sum(1 for text in own if _risk_hits(case, text))
    return n_hit > 1 and n_hit >= LOOSE * len(own)


def _risk_agreement(case: Case, text: Text, is_shared: bool) -> tuple[float, float]:
    """How well a sentence tells of the risk asked about: its topic, and its form.

    Words of a known risk count as naming a measure does; a sentence with several of them that
    says what could happen has the form of a risk. That the sentences beside it are about the
    risk counts as another word.
    """
    said = coverage(case.weight, text.stems) if case.weight else 0.0
    form = EXACT if _MODAL.search(text.lower) else LOOSE
    hits = _risk_hits(case, text)
    if not hits:
        return said if case.asked.risk is None else said * LOOSE, form
    rest = {
        word: weight
        for word, weight in case.weight.items()
        if word not in _RISK_WORDS and not RISK_NAMES.search(word)
    }
    topic = MEASURE_SHARE + (1 - MEASURE_SHARE) * coverage(rest, text.stems)
    return topic, form * (LOOSE + LOOSE * min(len(hits) + is_shared, 3) / 3)


def enumeration(case: Case, cell: Cell) -> Candidate | None:
    """The items of a list: one that the text counts, or one that follows the topic's words."""
    found = list(_counted_lists(case, cell))
    found += _plain_lists(case, cell)
    return best_of_echoes(found)


def _counted_lists(case: Case, cell: Cell) -> Iterator[Candidate]:
    asked = case.asked
    for text in case.texts:
        for row in case.findings.enumerations.get(text.text, ()):
            if asked.noun is not None and row["list_kind"] != asked.noun:
                continue
            topic = coverage(case.weight, text.stems) if asked.noun is None else 1.0
            form = EXACT if row["is_current"] else LOOSE
            if asked.count is not None and asked.count != row["count"]:
                form *= LOOSE
            yield _listed(cell, text, row["items"], topic, form)


def _plain_lists(case: Case, cell: Cell) -> Iterator[Candidate]:
    for text in case.texts:
        topic = topic_agreement(case, text)
        start = _LIST_START.search(text.text) if topic >= LOOSE else None
        if start is None:
            continue
        items = tuple(one for one in split_items(text.text[start.end() :]) if one)
        if len(items) < 2 or any(len(one.split()) > 25 for one in items):
            continue
        if case.asked.count not in (None, len(items)):
            continue
        form = LOOSE if case.asked.count is None else CLOSE
        yield _listed(cell, text, items, topic, form)


def _listed(cell: Cell, text: Text, items: Sequence[str], topic: float, form: float) -> Candidate:
    one = answered(cell, text, text.text, topic, form, _year_said(cell, text))
    return replace(one, text="; ".join(items), items=tuple(items))


def statement(case: Case, cell: Cell) -> Candidate | None:
    """The sentence that covers most of the topic."""
    found = []
    for text in case.texts:
        if is_pointer(text.lower):
            continue
        topic = topic_agreement(case, text)
        has_figure = case.asked.measure is not None and case.row(text).get("value") is not None
        form = EXACT if has_figure else LOOSE
        topic *= section_agreement(case, text)
        found.append(answered(cell, text, sentence(text), topic, form, _year_said(cell, text)))
    return best(found)


def sentence(text: Text) -> str:
    """The sentence without its bullet and without a word that only links it to the one before."""
    said = _LEAD.sub("", text.text.strip(), count=1)
    if not said.strip():
        return clipped(text.text)
    return clipped(said[0].upper() + said[1:])


def _year_said(cell: Cell, text: Text) -> int | None:
    """The asked year where a sentence of another filing names it; None lets the filing count."""
    if cell.year is None or text.passage.report_year == cell.year:
        return None
    return cell.year if str(cell.year) in _YEAR.findall(text.text) else None


def joined(parts: Sequence[tuple[str, str]]) -> str:
    """Parts with their headings: "2019: …; 2020: …"."""
    return "; ".join(f"{heading}: {words.rstrip('.')}" for heading, words in parts)
