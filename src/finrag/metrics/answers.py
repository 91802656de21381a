"""Values of answers: which are expected, what they are, and whether the answer is right.

A question of the filings has the metrics of its answer type; one of a public set those by which
the set's evaluator measured any answer of the system, what its outcome alone decides and, of a
system that cites, those of citations and of the support of its claims. The answerers of this
project answer in words and cite: of an evaluator's metrics they have those of the text. A null is
a text and nothing else.

A value counts unless the system declined, or the question failed, and the metric does not count
that. A public evaluator gives silence 0, and mode official keeps what it gives; elsewhere who
declines is told from who is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from finrag.metrics.claims import ClaimCounts
from finrag.scoring.numbers import RIGHT

ANSWERED: Final = "answered"
ABSTAINED: Final = "abstained"
NOT_RUN: Final = "not_run"
BROKEN_OFF: Final = ("failed", NOT_RUN)
OF_FILINGS: Final = "answers"
OF_PUBLIC_SETS: Final = "public"
# Marks that say whether an answer is borne out by its sources.
MARKS_OF_SUPPORT: Final = ("perfect", "minor extrapolation", "hallucination")
MATCHING_LISTS: Final = 0.8
# A yes or no, a list or the gold's words that cannot be found in an answer are not there.
_FOUND_OR_WRONG: Final = ("boolean_accuracy", "list_jaccard", "contain_match", "rouge_l")
_SCORED_AS: Final = {"boolean_accuracy": "boolean_match", "list_match": "list_jaccard"}

Row = Mapping[str, Any]


class Metric(NamedTuple):
    """What the catalogue says of a metric of answers.

    Attributes:
        asked_of: ``answers`` (to questions of the filings), ``public`` or ``any``.
        applies_to: answer types; none means all.
        measured_by: name of the rule, one of ``RULES``.
    """

    metric: str
    k: int
    unit: str
    mode: str
    asked_of: str
    applies_to: frozenset[str]
    question_kind: str | None
    measured_by: str
    needs_gold: bool
    needs_text_only: bool
    counts_abstention: bool
    counts_failure: bool

    @property
    def key(self) -> tuple[str, int, str, str]:
        """What tells it from others."""
        return self.metric, self.k, self.unit, self.mode


def read_metrics(rows: Sequence[Row]) -> list[Metric]:
    """The metrics of answers among the rows of the metric catalogue, in their order.

    Raises:
        ValueError: no rule measures one of them.
    """
    found = [
        Metric(
            *(row["metric"], int(row["k"]), row["unit"], row["mode"], row["asked_of"]),
            frozenset((row["applies_to"] or "").split()),
            row["question_kind"],
            row["measured_by"],
            *(bool(row[name]) for name in Metric._fields[8:]),
        )
        for row in rows
        if row["unit"] == "answer" and row["asked_of"] in (OF_FILINGS, OF_PUBLIC_SETS, "any")
    ]
    for metric in found:
        if metric.measured_by not in RULES:
            raise ValueError(
                f"metric {metric.metric!r}: no rule is called {metric.measured_by!r}; "
                f"measured_by is one of {', '.join(sorted(RULES))}"
            )
    return found


@dataclass(frozen=True)
class Question:
    """A question as far as it says which values are expected.

    Attributes:
        asked_of: ``answers`` or ``public``.
        answer_type: of the gold; of a public set ``speaker``, ``no_answer``, ``list`` or ``span``.
        has_evidence: whether the gold names a place of evidence.
    """

    item_id: str
    gold_set: str
    asked_of: str
    answer_type: str | None
    asks_speaker: bool = False
    is_rejection: bool = False
    has_no_gold: bool = False
    has_evidence: bool = False

    @property
    def is_answer_expected(self) -> bool:
        """False where a public set has neither an answer nor a word that there is none."""
        return self.asked_of != OF_PUBLIC_SETS or self.is_rejection or not self.has_no_gold


@dataclass(frozen=True)
class Sources:
    """What an answer cites, beside the evidence of its question.

    Attributes:
        n_cited: places; one that is cited twice is one.
        n_right_filing: of these in filings of a company and a year that were asked about.
        n_matched: of these that agree with a piece of evidence.
        n_evidence: pieces of evidence that the gold names.
        n_evidence_cited: of these that a cited place agrees with.
    """

    n_cited: int = 0
    n_right_filing: int = 0
    n_matched: int = 0
    n_evidence: int = 0
    n_evidence_cited: int = 0

    @property
    def evidence_share(self) -> float | None:
        """Share of the evidence that is cited."""
        return self.n_evidence_cited / self.n_evidence if self.n_evidence else None

    @property
    def verdict(self) -> str:
        """Which case it is."""
        if not self.n_evidence:
            return "gold_missing"
        if not self.n_cited:
            return "no_citation"
        return "some_right" if self.n_matched else "none_right"

    def measure(self, metric: str, needs_gold: bool) -> float | None:
        """The value of a metric of citations.

        An answer without a source has no right source: dropping them must not pay.
        """
        if needs_gold and not self.n_evidence:
            return None
        values = {
            "citation_coverage": float(self.n_cited > 0),
            "citation_correctness": self.n_matched / self.n_cited if self.n_cited else 0.0,
            "citation_recall": self.evidence_share,
            "citation_filing": self.n_right_filing / self.n_cited if self.n_cited else 0.0,
            "cites_right_filing": float(0 < self.n_cited == self.n_right_filing),
        }
        return values.get(metric)


class Held(NamedTuple):
    """Whether an answer holds whole judged sentences.

    Attributes:
        has_judged_sentences: one for every piece of evidence.
        is_topic: whether every piece is a topic, on which many sentences may be right.
    """

    has_judged_sentences: bool
    is_topic: bool


class Scored(NamedTuple):
    """A value, and the model that made it where one did."""

    value: float | None
    scorer_id: str | None = None


@dataclass(frozen=True)
class Answer:
    """An answer with all that is known of it.

    Attributes:
        null_kind: of an answer that nobody should accept; None of a system's.
        text: what it says; None where it says nothing.
        gold_text: None also where the answer stands beside no gold.
        is_paired: whether it stands beside its gold.
        verdict: on its figure.
        wordings: scores of its words, by metric.
        names_other_company: whether it says of another company what it says.
        evaluated: scores of the set's evaluator, by metric and mode.
        marks: what people said of it.
    """

    question: Question
    outcome: str
    null_kind: str | None = None
    text: str | None = None
    gold_text: str | None = None
    is_paired: bool = True
    verdict: str | None = None
    wordings: Mapping[str, Scored] = field(default_factory=dict)
    claims: ClaimCounts | None = None
    sources: Sources | None = None
    held: Held | None = None
    names_other_company: bool = False
    evaluated: Mapping[tuple[str, str], float | None] = field(default_factory=dict)
    marks: Collection[str] = ()

    @cached_property
    def right_by_type(self) -> float | None:
        """1 where it is right by the rule of its answer type, 0 where it is wrong."""
        kind = self.question.answer_type
        if self.outcome == ABSTAINED:
            return float(kind == "no_answer")
        if kind == "no_answer" or self.names_other_company:
            return 0.0
        return self._right_in_words

    @property
    def _right_in_words(self) -> float | None:
        kind = self.question.answer_type
        if kind == "numeric":
            return None if self.verdict is None else float(self.verdict in RIGHT)
        if kind == "boolean":
            return self.worded("boolean_accuracy").value
        # What a list lacks, no sentence makes up for, unless topics are all that is asked for.
        if kind == "list":
            return 1.0 if self._is_on_topic else self.worded("list_match").value
        if kind == "span":
            is_held = self.held is not None and self.held.has_judged_sentences
            is_right = is_held or self._is_on_topic
            return 1.0 if is_right else self.worded("contain_match").value
        return None

    @property
    def _is_on_topic(self) -> bool:
        """Whether it answers a broad question.

        Each company and year that is asked about has a sentence on the topic, in the answer or
        cited, and what is cited is shown to say all that the answer says, of which one sentence is
        long enough to tell something.
        """
        if self.held is None or not self.held.is_topic:
            return False
        if self.held.has_judged_sentences:
            return True
        claims, sources = self.claims, self.sources
        return (
            sources is not None
            and sources.evidence_share == 1
            and claims is not None
            and claims.n_sentences_supported == claims.n_sentences
            and claims.n_sentences_told > 0
        )

    def worded(self, metric: str) -> Scored:
        """A score of its words; where the gold has no words there is nothing to find."""
        scored = self.wordings.get(_SCORED_AS.get(metric, metric), Scored(None))
        if not (self.gold_text or "").strip(" "):
            return Scored(None, scored.scorer_id)
        value = scored.value
        if metric == "list_match":
            return Scored(float((value or 0) >= MATCHING_LISTS), scored.scorer_id)
        if metric in _FOUND_OR_WRONG:
            return Scored(value or 0.0, scored.scorer_id)
        return scored


# --- Rules, by the name that the catalogue calls them by --------------------------------


def _by_outcome(metric: Metric, answer: Answer) -> Scored | None:
    # A question of a public set that was not run was not measured: files may answer one part of
    # a set.
    if answer.outcome == NOT_RUN and answer.question.asked_of == OF_PUBLIC_SETS:
        return None
    return Scored(float(answer.outcome == (ANSWERED if metric.metric == ANSWERED else ABSTAINED)))


def _by_evaluator(metric: Metric, answer: Answer) -> Scored | None:
    key = metric.metric, metric.mode
    return Scored(answer.evaluated[key]) if key in answer.evaluated else None


def _by_citations(metric: Metric, answer: Answer) -> Scored | None:
    if answer.sources is None:
        return None
    return Scored(answer.sources.measure(metric.metric, metric.needs_gold))


def _by_claims(metric: Metric, answer: Answer) -> Scored | None:
    return None if answer.claims is None else Scored(answer.claims.measure(metric.metric))


def _by_numbers(metric: Metric, answer: Answer) -> Scored | None:
    if answer.verdict is None:
        return None
    right = ("exact",) if metric.metric == "numeric_exact" else RIGHT
    return Scored(float(answer.verdict in right))


def _by_words(metric: Metric, answer: Answer) -> Scored | None:
    return answer.worded(metric.metric) if answer.is_paired else None


def _by_type(_metric: Metric, answer: Answer) -> Scored | None:
    return Scored(answer.right_by_type)


def _by_question(_metric: Metric, answer: Answer) -> Scored | None:
    """Wrong, though all that it says stands in what it cites: that is not what was asked."""
    if answer.right_by_type is None:
        return None
    claims, sources = answer.claims, answer.sources
    return Scored(
        float(
            answer.right_by_type == 0
            and claims is not None
            and claims.is_supported
            and sources is not None
            and sources.n_cited > 0
            and sources.evidence_share == 0
        )
    )


def _by_marks(_metric: Metric, answer: Answer) -> Scored | None:
    """One hallucination that somebody saw is enough, whoever marked it."""
    return Scored(float("hallucination" in answer.marks))


Rule = Callable[[Metric, Answer], Scored | None]
RULES: Final[Mapping[str, Rule]] = {
    "outcome": _by_outcome,
    "evaluator": _by_evaluator,
    "citations": _by_citations,
    "claims": _by_claims,
    "numbers": _by_numbers,
    "words": _by_words,
    "type_rule": _by_type,
    "question": _by_question,
    "marks": _by_marks,
}

# --- Which values are expected -----------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """How a system was asked a gold set.

    Attributes:
        has_run: whether any question was run.
        is_citing: whether it lists sources for any answer.
        is_answerer: whether it is an answerer of this project.
        evaluated: metrics and modes by which the set's evaluator measured any of its answers.
    """

    has_run: bool = True
    is_citing: bool = False
    is_answerer: bool = False
    evaluated: Collection[tuple[str, str]] = ()


def applies(metric: Metric, question: Question, is_null: bool) -> bool:
    """Whether a metric is one of a question."""
    of_kind = {
        "speaker": question.asks_speaker,
        "rejection": question.is_rejection,
        "wording": not question.asks_speaker,
    }
    return (
        metric.asked_of in (question.asked_of, "any")
        and (not metric.applies_to or question.answer_type in metric.applies_to)
        and of_kind.get(metric.question_kind or "", True)
        and (metric.needs_text_only or not is_null)
    )


def is_expected(metric: Metric, answer: Answer, asked: Asked) -> bool:
    """Whether an answer should have a value of a metric that applies to its question."""
    if metric.measured_by == "marks" and not set(answer.marks) & set(MARKS_OF_SUPPORT):
        return False
    return (
        answer.question.asked_of == OF_FILINGS
        or (metric.measured_by == "outcome" and asked.has_run)
        or (metric.measured_by in ("citations", "claims") and asked.is_citing)
        or (
            (metric.metric, metric.mode) in asked.evaluated
            and (metric.needs_text_only or not asked.is_answerer)
        )
    )


# --- Values ------------------------------------------------------------------------------


class Value(NamedTuple):
    """An observation, or why there is none.

    Attributes:
        status: ``evaluated``, ``uncovered``, ``abstained``, ``failed``, ``not_run`` or
            ``unscored``.
        value: None unless it was evaluated.
        scorer_id: the model that made it.
    """

    metric: Metric
    status: str
    value: float | None = None
    scorer_id: str | None = None


def measure_answer(
    answer: Answer,
    metrics: Sequence[Metric],
    asked: Asked,
    unmeasurable: Collection[tuple[str, str]] = (),
) -> Iterator[Value]:
    """The values that are expected of an answer.

    Args:
        answer: the answer.
        metrics: those that apply to its question.
        asked: how its system was asked.
        unmeasurable: metrics and modes for which the gold leaves nothing to measure.
    """
    for metric in metrics:
        if is_expected(metric, answer, asked):
            is_uncovered = (metric.metric, metric.mode) in unmeasurable
            yield _value(metric, answer, is_uncovered or _is_uncovered(metric, answer.question))


def _is_uncovered(metric: Metric, question: Question) -> bool:
    """Whether the gold of a question leaves nothing to measure."""
    lacks_evidence = metric.needs_gold and not question.has_evidence
    return lacks_evidence or (metric.question_kind == "speaker" and question.has_no_gold)


def _value(metric: Metric, answer: Answer, is_uncovered: bool) -> Value:
    """Why there is no value is told in this order.

    The question failed, the gold leaves nothing to measure, the system abstained, there was
    nothing to score or no scorer.
    """
    scored = RULES[metric.measured_by](metric, answer)
    outcome = answer.outcome
    is_abstained, is_broken_off = outcome == ABSTAINED, outcome in BROKEN_OFF
    counts = (metric.counts_abstention or not is_abstained) and (
        metric.counts_failure or not is_broken_off
    )
    if counts and scored is not None and scored.value is not None and not math.isnan(scored.value):
        return Value(metric, "evaluated", *scored)
    if outcome == NOT_RUN and not answer.question.is_answer_expected:
        return Value(metric, "uncovered")
    if is_broken_off and not metric.counts_failure:
        return Value(metric, outcome)
    if is_uncovered:
        return Value(metric, "uncovered")
    if is_abstained or (is_broken_off and scored is None):
        return Value(metric, outcome)
    return Value(metric, "unscored")


# --- Right or wrong ----------------------------------------------------------------------


class Verdict(NamedTuple):
    """Whether an answer is right, and by which metric; None where nothing could tell."""

    is_right: bool | None = None
    metric: str | None = None
    k: int | None = None
    unit: str | None = None
    mode: str | None = None


Deciding = Mapping[tuple[str, int, str, str], tuple[int, bool]]


def read_deciding(rows: Sequence[Row]) -> Deciding:
    """The seed ``deciding_metrics``: by metric its place, and whether it can show what is wrong."""
    return {
        (row["metric"], int(row["k"]), row["unit"], row["mode"]): (
            int(row["place"]),
            bool(row["shows_wrong"]),
        )
        for row in rows
    }


def decide(outcome: str, values: Sequence[Value], deciding: Deciding) -> Verdict:
    """Whether an answer is right: the first deciding metric that has a value says so.

    Declining is no answer: where that metric has no value for one who declines, it counts as
    wrong. What broke off is neither right nor wrong, even where a public evaluator gives it a 0.
    A metric that cannot show what is wrong, such as a search for the words of the gold, leaves an
    answer undecided where it finds nothing.
    """
    if outcome not in (ANSWERED, ABSTAINED):
        return Verdict()
    telling = [
        (*deciding[value.metric.key], value)
        for value in values
        if value.status in ("evaluated", "abstained") and value.metric.key in deciding
    ]
    if not telling:
        return Verdict()
    _, shows_wrong, first = min(telling, key=lambda one: one[0])
    is_right = (first.value or 0) > 0
    is_decided = is_right or shows_wrong or outcome == ABSTAINED
    return Verdict(is_right if is_decided else None, *first.metric.key)
