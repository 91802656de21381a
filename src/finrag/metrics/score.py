"""The score of answers: values, verdicts, claims and causes, from tables of what is known of them.

What one system scores depends on no other system.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from finrag.metrics import answers as rules
from finrag.metrics.answers import (
    Answer,
    Asked,
    Held,
    Metric,
    Question,
    Scored,
    Sources,
    Value,
)
from finrag.metrics.causes import Diagnosed, first_failure
from finrag.metrics.claims import count_claims
from finrag.records.columns import nullable, required
from finrag.records.rows import row_reader
from finrag.scoring.citations import match_citations
from finrag.scoring.claims import CLAIM_SCHEMA, trace_answers
from finrag.scoring.figures import VERDICT_SCHEMA, judge_numbers
from finrag.scoring.numbers import RIGHT
from finrag.text.words import padded_words

_KEYS: Final = ("system_id", "gold_set", "item_id")
_ANSWER: Final = ("system_id", "item_id")
_FOLLOWED: Final = (
    *("system_id", "item_id", "error", "n_citations", "n_invalid_citations"),
    *("n_evidence", "n_evidence_ranked", "n_evidence_in_context", "n_evidence_cited"),
    *("other_company_place", "other_year_place"),
)
Row = dict[str, Any]
_Key = tuple[str, str]


def _beside(schema: pa.Schema) -> list[pa.Field]:
    """Columns beside the keys of an answer."""
    return [field for field in schema if field.name not in _KEYS]


_METRIC: Final = (
    *required(pa.string(), "metric"),
    pa.field("k", pa.int32(), nullable=False),
    *required(pa.string(), "unit", "mode"),
)
_VALUE: Final = pa.struct(
    [
        *_METRIC,
        *required(pa.string(), "value_status"),
        pa.field("value", pa.float64()),
        pa.field("scorer_id", pa.string()),
    ]
)
_CITATION_SCORE: Final = pa.struct(
    [
        *required(pa.string(), "metric", "mode"),
        pa.field("value", pa.float64()),
        *required(pa.string(), "verdict"),
        *nullable(pa.string(), "detail"),
    ]
)
SCORED_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), *_KEYS),
        *nullable(pa.string(), "null_kind"),
        *required(pa.string(), "outcome"),
        pa.field("is_right", pa.bool_()),
        *(field.with_nullable(True) for field in _METRIC),
        *nullable(pa.string(), "failure", "detail"),
        pa.field("figure", pa.struct(_beside(VERDICT_SCHEMA))),
        pa.field("observations", pa.list_(_VALUE)),
        pa.field("citation_scores", pa.list_(_CITATION_SCORE)),
        pa.field("claims", pa.list_(pa.struct(_beside(CLAIM_SCHEMA)))),
    ]
)


def _nothing() -> pa.Table:
    """A table without rows."""
    return pa.table({})


@dataclass(frozen=True)
class Known:
    """What is known of answers, as tables; those with a default may be left out.

    Attributes:
        answers: a row per system (or null, with ``null_kind``) and question, beside its gold:
            ``int_answer_pairs``.
        questions: their questions with the gold: ``int_questions_answered``.
        metrics: the seed ``metric_catalogue``.
        deciding: the seed ``deciding_metrics``.
        kinds: the seed ``failure_kinds``.
        systems: ``system_id`` and ``answerer``.
        evidence: what the gold names: ``int_references_named``.
        cited: what answers cite: ``int_references_cited``.
        judged: ``item_id``, ``evidence_id``, ``is_topic`` and ``sentence_text`` of relevant
            sentences of filings.
        companies: ``cik_int``, ``display_name``, ``company_name``, ``ticker`` and ``aliases``.
        texts: scores of pairs of texts: ``py_text_pairs_scored``.
        evaluated: scores of public evaluators: ``py_public_answers_scored``.
        unmeasurable: what the gold of public sets leaves unmeasured: ``py_public_gold_checked``.
        marks: ``system_id``, ``item_id`` and ``mark``.
        followed: how far the evidence of answers came: ``int_evidence_followed``. An answer that
            is not there has no cause.
    """

    answers: pa.Table
    questions: pa.Table
    metrics: pa.Table
    deciding: pa.Table
    kinds: pa.Table = field(default_factory=_nothing)
    systems: pa.Table = field(default_factory=_nothing)
    evidence: pa.Table = field(default_factory=_nothing)
    cited: pa.Table = field(default_factory=_nothing)
    judged: pa.Table = field(default_factory=_nothing)
    companies: pa.Table = field(default_factory=_nothing)
    texts: pa.Table = field(default_factory=_nothing)
    evaluated: pa.Table = field(default_factory=_nothing)
    unmeasurable: pa.Table = field(default_factory=_nothing)
    marks: pa.Table = field(default_factory=_nothing)
    followed: pa.Table = field(default_factory=_nothing)


@dataclass(frozen=True)
class Scores:
    """Scores of answers.

    Attributes:
        answers: a row per answer under ``SCORED_SCHEMA``, with all that follows from it.
    """

    answers: pa.Table

    @cached_property
    def values(self) -> pa.Table:
        """A row per answer and metric that is expected of it."""
        return self._listed("observations", "null_kind")

    @cached_property
    def claims(self) -> pa.Table:
        """A row per claim of an answer, under ``CLAIM_SCHEMA``."""
        return self._listed("claims")

    @cached_property
    def verdicts(self) -> pa.Table:
        """A row per answer of a system: whether it is right, and by which metric."""
        names = [*_KEYS, "outcome", "is_right", "metric", "k", "unit", "mode"]
        return self.answers.filter(pc.is_null(self.answers["null_kind"])).select(names)

    @cached_property
    def causes(self) -> pa.Table:
        """A row per answer of a system that went wrong: what went wrong first."""
        is_cause = pc.is_valid(self.answers["failure"])
        return self.answers.filter(is_cause).select([*_KEYS, "failure", "detail"])

    def _listed(self, name: str, *others: str) -> pa.Table:
        listed = self.answers[name].combine_chunks()
        rows = self.answers.select([*_KEYS, *others]).take(pc.list_parent_indices(listed))
        found = pc.list_flatten(listed)
        for part, column in zip(found.type, found.flatten(), strict=True):
            rows = rows.append_column(part, column)
        return rows


def score(known: Known, to_trace: Iterable[pa.RecordBatch], settings: Mapping[str, Any]) -> Scores:
    """Score answers.

    Args:
        known: the answers, their gold and what else is known of them.
        to_trace: the answers that were given with the passages that they cite, as for
            ``finrag.scoring.claims.trace_answers``.
        settings: ``min_topic_words``, the words of a sentence that tells something;
            ``relative_tolerance`` of figures whose gold states none; ``judge_figures`` (true if
            left out) is false where only public sets are scored, whose evaluators judge theirs.

    Raises:
        ValueError: a gold value or an answer is not usable, or no rule measures a metric; the
            message names it.
    """
    return Scores(score_answers(known, to_trace, settings).read_all())


def score_answers(
    known: Known, to_trace: Iterable[pa.RecordBatch], settings: Mapping[str, Any]
) -> pa.RecordBatchReader:
    """The rows of ``score``, a part at a time, under ``SCORED_SCHEMA``."""
    claims = trace_answers(to_trace).read_all()
    return score_traced(known, claims, settings)


def score_traced(
    known: Known, claims: pa.Table, settings: Mapping[str, Any]
) -> pa.RecordBatchReader:
    """The rows of ``score`` of answers whose claims were traced before.

    Args:
        known: as for ``score``.
        claims: under ``CLAIM_SCHEMA``.
        settings: as for ``score``.
    """
    return row_reader(_Scorer(known, claims, settings).rows(), SCORED_SCHEMA)


class _Scorer:
    """All that is known, by answer or by question."""

    def __init__(self, known: Known, claims: pa.Table, settings: Mapping[str, Any]) -> None:
        self._answers = known.answers.to_pylist()
        self._metrics = rules.read_metrics(known.metrics.to_pylist())
        self._deciding = rules.read_deciding(known.deciding.to_pylist())
        self._ranks = {row["failure"]: row["rank"] for row in known.kinds.to_pylist()}
        self._min_words = int(settings["min_topic_words"])
        self._gold = {row["item_id"]: row for row in known.questions.to_pylist()}
        self._evidence = _grouped(known.evidence, "item_id")
        self._judged = _judged(known.judged)
        self._companies = _names(known.companies)
        self._unmeasurable = _grouped(known.unmeasurable, "benchmark", "question_id")
        self._answerers = {
            row["system_id"]
            for row in known.systems.to_pylist()
            if (row["answerer"] or "none") != "none"
        }
        self._claims = _grouped(claims, *_ANSWER)
        self._figures = _single(_figures(known.answers, settings))
        self._cited = _grouped(known.cited, *_ANSWER)
        self._matched = _grouped(match_citations(known.cited, known.evidence), *_ANSWER)
        self._texts = _grouped(known.texts, "pair_id")
        self._evaluated = _grouped(known.evaluated, "system_id", "benchmark", "question_id")
        self._marks = _grouped(known.marks, *_ANSWER)
        self._followed = _single(known.followed)
        self._questions = {item_id: self._question(row) for item_id, row in self._gold.items()}
        self._asked = self._read_asked(known.evaluated)
        self._applying: dict[tuple[Question, bool], list[Metric]] = {}

    def rows(self) -> Iterator[Row]:
        """A row per answer, in the order given."""
        for row in self._answers:
            answer = self._answer(row)
            values = list(
                rules.measure_answer(
                    answer, self._metrics_of(answer), self._asked_of(row), self._unmeasured(row)
                )
            )
            verdict = rules.Verdict()
            if answer.null_kind is None:
                verdict = rules.decide(answer.outcome, values, self._deciding)
            yield {
                **{name: row[name] for name in (*_KEYS, "null_kind", "outcome")},
                **verdict._asdict(),
                **self._cause(row, answer, verdict, values),
                "figure": self._figures.get(_key(row)),
                "observations": list(map(_observation, values)),
                "citation_scores": list(self._citation_scores(row, answer)),
                "claims": self._claims.get(_key(row), []),
            }

    # --- Questions -------------------------------------------------------------------

    def _question(self, gold: Row) -> Question:
        asks_speaker = gold["answer_type"] == "speaker"
        is_rejection = gold["is_answerable"] is False
        # A public set has words of its own for types of answers.
        answer_type = gold["answer_type"]
        if not gold["is_of_filings"] and not asks_speaker:
            answer_type = "no_answer" if is_rejection else "list" if gold["is_list"] else "span"
        return Question(
            gold["item_id"],
            gold["gold_set"],
            rules.OF_FILINGS if gold["is_of_filings"] else rules.OF_PUBLIC_SETS,
            answer_type,
            asks_speaker=asks_speaker,
            is_rejection=is_rejection,
            has_no_gold=not gold["answers"],
            has_evidence=(gold["item_id"],) in self._evidence,
        )

    def _metrics_of(self, answer: Answer) -> list[Metric]:
        question, is_null = answer.question, answer.null_kind is not None
        found = self._applying.get((question, is_null))
        if found is None:
            found = [one for one in self._metrics if rules.applies(one, question, is_null)]
            self._applying[question, is_null] = found
        return found

    def _unmeasured(self, row: Row) -> set[tuple[str, str]]:
        gold = self._gold[row["item_id"]]
        found = self._unmeasurable.get((gold["gold_set"], gold["question_id"]), ())
        return {(one["metric"], one["mode"]) for one in found}

    # --- Systems ---------------------------------------------------------------------

    def _read_asked(self, evaluated: pa.Table) -> dict[_Key, Asked]:
        by_system = defaultdict(set)
        for row in evaluated.to_pylist():
            by_system[row["system_id"], row["benchmark"]].add((row["metric"], row["mode"]))
        answers = defaultdict(list)
        for row in self._answers:
            answers[row["system_id"], row["gold_set"]].append(row)
        return {
            (system_id, gold_set): Asked(
                has_run=any(row["outcome"] != rules.NOT_RUN for row in rows),
                is_citing=any(row["is_citing"] for row in rows),
                is_answerer=system_id in self._answerers,
                evaluated=by_system[system_id, gold_set],
            )
            for (system_id, gold_set), rows in answers.items()
        }

    def _asked_of(self, row: Row) -> Asked:
        return self._asked[row["system_id"], row["gold_set"]]

    # --- Answers ---------------------------------------------------------------------

    def _answer(self, row: Row) -> Answer:
        key, gold = _key(row), self._gold[row["item_id"]]
        claims = self._claims.get(key)
        counted = count_claims(claims, self._min_words) if claims else None
        names = counted.unsupported_names if counted else frozenset()
        scores = self._evaluated.get((row["system_id"], gold["gold_set"], gold["question_id"]), ())
        return Answer(
            question=self._questions[row["item_id"]],
            outcome=row["outcome"],
            null_kind=row["null_kind"],
            text=row["answer_text"],
            gold_text=row["gold_text"],
            verdict=self._figures.get(key, {}).get("verdict"),
            wordings={
                one["metric"]: Scored(one["value"], one["scorer_id"])
                for one in self._texts.get((row["pair_id"],), ())
            },
            claims=counted,
            sources=self._sources(row, gold),
            held=self._held(row),
            names_other_company=gold["is_of_filings"] and self._is_of_other(names, gold),
            evaluated={(one["metric"], one["mode"]): one["value"] for one in scores},
            marks=[one["mark"] for one in self._marks.get(key, ())],
        )

    def _sources(self, row: Row, gold: Row) -> Sources | None:
        """What it cites; None of a null and of what was not run."""
        if row["null_kind"] is not None or row["outcome"] == rules.NOT_RUN:
            return None
        cited = self._cited.get(_key(row), [])
        matched = self._matched.get(_key(row), [])
        evidence = self._evidence.get((row["item_id"],), [])
        ciks, years = gold["cik_int"] or (), gold["years"] or ()
        return Sources(
            n_cited=len(cited),
            n_right_filing=sum(
                place["cited_cik_int"] in ciks and place["cited_year"] in years for place in cited
            ),
            n_matched=len({one["place_id"] for one in matched}),
            n_evidence=len({one["evidence_id"] for one in evidence}),
            n_evidence_cited=len({one["evidence_id"] for one in matched}),
        )

    def _held(self, row: Row) -> Held | None:
        """Whether it holds whole judged sentences; None where there is nothing to hold.

        Whole words in their order count, whatever the case.
        """
        if row["pair_id"] is None or row["answer_type"] not in ("span", "list"):
            return None
        judged = self._judged.get(row["item_id"])
        if not judged:
            return None
        topics = [one["is_topic"] for one in judged if one["is_topic"] is not None]
        is_topic = bool(topics) and all(topics)
        words = padded_words(row["answer_text"])
        held = {one["evidence_id"] for one in judged if one["words"] in words}
        return Held(held == {one["evidence_id"] for one in judged}, is_topic)

    def _is_of_other(self, names: frozenset[str], gold: Row) -> bool:
        """Whether a name is one of a company that was not asked about.

        A right figure or sentence that the words give to another company is no answer.
        """
        asked = gold["cik_int"]
        return asked is not None and any(
            self._companies.get(name, set()) - set(asked) for name in names
        )

    # --- Rows ------------------------------------------------------------------------

    def _citation_scores(self, row: Row, answer: Answer) -> Iterator[Row]:
        """Scores of the citations of a system that cites, as public sets know them."""
        sources = answer.sources
        if sources is None or not self._asked_of(row).is_citing:
            return
        counts = (
            f"{sources.n_matched} of {sources.n_cited} cited places agree with "
            f"{sources.n_evidence} of the set."
        )
        for metric in self._metrics:
            is_strict = metric.measured_by == "citations" and metric.mode == "strict"
            if is_strict and metric.asked_of == answer.question.asked_of:
                yield {
                    "metric": metric.metric,
                    "mode": metric.mode,
                    "value": sources.measure(metric.metric, metric.needs_gold),
                    "verdict": sources.verdict,
                    "detail": counts if sources.n_evidence else None,
                }

    def _cause(
        self, row: Row, answer: Answer, verdict: rules.Verdict, values: Sequence[Value]
    ) -> Row:
        """What went wrong first, of an answer that is followed."""
        followed = self._followed.get(_key(row))
        if followed is None:
            return {}
        figure = self._figures.get(_key(row), {})
        measured = {one.metric.metric: one.value for one in values if one.metric.mode == "finrag"}
        unsupported = answer.claims.unsupported_numbers if answer.claims else ()
        failure = first_failure(
            Diagnosed(
                **{name: row[name] for name in ("outcome", "answer_text", "gold_text")},
                **{name: row[name] for name in ("numeric_value", "unit")},
                **{name: followed[name] for name in _FOLLOWED},
                answer_type=self._type_diagnosed(row, figure),
                is_right=verdict.is_right,
                verdict=figure.get("verdict"),
                verdict_reason=figure.get("reason"),
                unsupported_numbers=", ".join(unsupported) if unsupported else None,
                is_off_question=measured.get("off_question") == 1,
                copied_share=measured.get("claims_copied"),
                cosine=measured.get("cosine"),
            ),
            self._ranks,
        )
        return {} if failure is None else {"failure": failure.kind, "detail": failure.detail}

    def _type_diagnosed(self, row: Row, figure: Row) -> str | None:
        """The answer type that the causes know.

        Of a public set it counts whether anything answers, whether a speaker is asked for, and
        whether a figure was asked for that is wrong.
        """
        kind: str | None = row["answer_type"]
        if self._gold[row["item_id"]]["is_of_filings"] or kind == "speaker":
            return kind
        if row["is_answerable"] is False:
            return "no_answer"
        is_wrong_figure = figure.get("verdict") not in (None, *RIGHT)
        return "numeric" if is_wrong_figure else None


# --- Tables, by key ----------------------------------------------------------------------


def _key(row: Row) -> _Key:
    return row["system_id"], row["item_id"]


def _grouped(table: pa.Table, *names: str) -> dict[tuple[str, ...], list[Row]]:
    groups: defaultdict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in table.to_pylist():
        groups[tuple(row[name] for name in names)].append(row)
    return dict(groups)


def _single(table: pa.Table) -> dict[_Key, Row]:
    return {_key(row): row for row in table.to_pylist()}


def _figures(answers: pa.Table, settings: Mapping[str, Any]) -> pa.Table:
    """Verdicts on the figures of answers to questions for one."""
    if not settings.get("judge_figures", True):
        return _nothing()
    asked = answers.filter(pc.fill_null(answers["asks_for_figure"], False))
    return judge_numbers(asked.to_batches(max_chunksize=2_048), settings).read_all()


def _judged(table: pa.Table) -> dict[str, list[Row]]:
    """Judged sentences by question, those with words."""
    groups: defaultdict[str, list[Row]] = defaultdict(list)
    for row in table.to_pylist():
        words = padded_words(row["sentence_text"] or "")
        if words.strip():
            groups[row["item_id"]].append({**row, "words": words})
    return dict(groups)


def _names(companies: pa.Table) -> dict[str, set[int]]:
    """Companies by each of their names in lower case."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for row in companies.to_pylist():
        for name in (
            row["display_name"],
            row["company_name"],
            row["ticker"],
            *(row["aliases"] or ()),
        ):
            if name is not None:
                found[name.lower()].add(row["cik_int"])
    return dict(found)


def _observation(value: Value) -> Row:
    metric = value.metric
    return {
        "metric": metric.metric,
        "k": metric.k,
        "unit": metric.unit,
        "mode": metric.mode,
        "value_status": value.status,
        "value": value.value,
        "scorer_id": value.scorer_id,
    }
