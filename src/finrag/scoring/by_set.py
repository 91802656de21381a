"""Scores of answers that systems gave to the questions of public benchmarks.

Each set has its own metrics, and every answer gets all of its set:

====================  ============================================================================
finqa, convfinqa      `execution_accuracy` and `program_accuracy` of the predicted program, in both
                      modes; `contain_match`, `numeric_agreement` and `wording_agreement` of an
                      answer in words
tatqa                 `em`, `f1` and `scale`, in both modes
multihiertt           `em` and `f1`, in both modes
financebench          `correct`, `incorrect` and `refusal` by the label that a person gave;
                      `contain_match`, `numeric_agreement`, `wording_agreement`
p3                    `criteria_met`, `criteria_credit` and `criteria_passed` alone: its answers
                      have their own metrics
all others            `contain_match`, `numeric_agreement` and `wording_agreement`; `criteria_met`,
                      `criteria_credit` and `criteria_passed` where the record lists checks;
                      `speakers` where it is asked who said a quotation
====================  ============================================================================

`llm_accuracy` is added wherever a label by a model came with the answer. Mode `official` is what
the set's public evaluator computes (of `contain_match` and `llm_accuracy`, A-RAG's); `strict` is
what a finance reader would call right.

Answers are untrusted. One that cannot be read scores 0 (`unreadable_answer`), and so does a row
with neither answer, program, label nor verdict (`no_answer`): no system must gain by silence. Of
a set with programs, a system that answers in words alone has no metric of programs, whether it
answers or not, and one that writes programs alone none of words. Of a system that gives both, an
answer in words has no value of programs, and what is declined is wrong in both. A value is null
where label, words or program are lacking or the rule cannot decide; where the gold is the reason,
whatever the answer, the verdict is one of `GOLD_VERDICTS`. One limit is not the public
evaluator's: a program that grows beyond `MAX_FORMULA` operands once its steps are written out, and
beyond the gold's, is another program (`too_long`) without asking sympy.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from finrag.cache.results import ResultCache, recall_all
from finrag.records.columns import required
from finrag.records.criteria import Criterion, read_criteria
from finrag.scoring.earnings_calls import score_calls
from finrag.scoring.official import arag, convfinqa, financebench, finqa, multihiertt, tatqa
from finrag.scoring.programs.execution import Execution
from finrag.scoring.programs.warehouse import gold_result, rebuild_table
from finrag.scoring.strict import programs as strict_programs
from finrag.scoring.strict import tatqa as strict_tatqa
from finrag.scoring.strict.criteria import score_criteria
from finrag.scoring.strict.figures import FigureVerdict, check_figure
from finrag.scoring.strict.words import check_words
from finrag.sources.benchmarks.records import Passage
from finrag.text.programs import program_text

OFFICIAL: Final = "official"
STRICT: Final = "strict"

SCORE_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), "benchmark", "system_id"),
        ("configuration", pa.string()),
        *required(pa.string(), "question_id", "metric", "mode"),
        ("value", pa.float64()),
        pa.field("verdict", pa.string(), nullable=False),
        ("detail", pa.string()),
    ]
)
FAULT_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), "benchmark", "question_id", "metric", "mode", "verdict"),
        ("detail", pa.string()),
    ]
)
GOLD_MISSING: Final = "gold_missing"
GOLD_UNANSWERABLE: Final = "gold_unanswerable"
GOLD_UNREADABLE: Final = "gold_unreadable"
GOLD_IS_NO_FIGURE: Final = "gold_is_no_figure"
GOLD_IS_FIGURE: Final = "gold_is_figure"
GOLD_HAS_NO_CRITERIA: Final = "gold_has_no_criteria"
GOLD_VERDICTS: Final = (
    *(GOLD_MISSING, GOLD_UNANSWERABLE, GOLD_UNREADABLE),
    *(GOLD_IS_NO_FIGURE, GOLD_IS_FIGURE, GOLD_HAS_NO_CRITERIA),
)
PROGRAM_SETS: Final = ("finqa", "convfinqa")
# Longer answers and programs are read by nobody, and slow to compare.
MAX_ANSWER: Final = 100_000
MAX_PROGRAM: Final = 5_000
# Gold programs stay far below; sympy needs minutes for formulas much longer than this.
MAX_FORMULA: Final = 24
_MAX_DETAIL: Final = 300
_CLOSE: Final = 1e-5
# What an answer to a set with programs is given as, and the verdict where it is not.
_PROGRAM_KIND: Final = "program"
_WORD_KIND: Final = "words"
# Answers, as JSON, that say nothing.
_NO_WORDS: Final = frozenset({"", "null", '""', "[]"})
_LACKING: Final = {_PROGRAM_KIND: "no_program", _WORD_KIND: "no_text"}
_RIGHT_RESULTS: Final = (strict_programs.EXACT, strict_programs.ROUNDED)
# What text that cannot be read does to a function that reads it. Other errors are our own.
_UNREADABLE: Final = (ValueError, OverflowError, RecursionError)


class _UnreadableAnswerError(Exception):
    """The answer cannot be read."""


class _GoldError(Exception):
    """The gold is why nothing can be measured.

    Attributes:
        verdict: one of `GOLD_VERDICTS`.
    """

    def __init__(self, verdict: str, detail: str | None = None) -> None:
        super().__init__(detail)
        self.verdict = verdict
        self.detail = detail


@contextmanager
def _reading_answer() -> Iterator[None]:
    try:
        yield
    except _UNREADABLE as error:
        raise _UnreadableAnswerError(str(error)) from error


@contextmanager
def _reading_gold() -> Iterator[None]:
    try:
        yield
    except _UNREADABLE as error:
        raise _GoldError(GOLD_UNREADABLE, str(error)) from error


@dataclass(frozen=True)
class Mark:
    """One score.

    Attributes:
        metric: name of the metric.
        mode: `official` or `strict`.
        value: the score in 0..1; null where it cannot be measured.
        verdict: which case it was.
        detail: a sentence, or null.
    """

    metric: str
    mode: str
    value: float | None
    verdict: str
    detail: str | None = None


@dataclass(frozen=True)
class _Case:
    """A question with an answer to it; both as rows, and what the system gives on the set."""

    question: Mapping[str, Any]
    prediction: Mapping[str, Any]
    table: Sequence[Sequence[str]]
    given: frozenset[str] = frozenset()

    @cached_property
    def golds(self) -> list[str]:
        return [gold for gold in self.question["answers"] or [] if gold is not None]

    @cached_property
    def answer(self) -> Any:
        """The answer as it was given."""
        with _reading_answer():
            return _answer_of(self.prediction["answer"])

    @cached_property
    def words(self) -> str | None:
        """The answer as words; null where there is none, or where it is a program's tokens."""
        if self._answer_tokens is not None:
            return None
        with _reading_answer():
            return _words(self.answer)

    @property
    def evaluator(self) -> Any:
        """The public evaluator of programs."""
        return convfinqa if self.question["benchmark"] == "convfinqa" else finqa

    @cached_property
    def tokens(self) -> list[str] | None:
        """Tokens of the program, as the file lists them or else as it writes them; may be null."""
        listed, program = self._answer_tokens, self.prediction["program"]
        if listed is None and not program:
            return None
        with _reading_answer():
            length = sum(map(len, listed)) if listed is not None else len(program)
            if length > MAX_PROGRAM:
                raise ValueError(
                    f"the program has {length:,} characters; shorten it to {MAX_PROGRAM:,}"
                )
            if listed is None and program.startswith("["):
                return [str(token) for token in json.loads(program)]
        is_multihiertt = self.question["benchmark"] == "multihiertt"
        reader = multihiertt if is_multihiertt else finqa
        return reader.tokenize_program(program) if listed is None else listed

    @cached_property
    def _answer_tokens(self) -> list[str] | None:
        """The tokens of an answer that lists those of a program."""
        if not (self.prediction["answer"] or "").startswith("["):
            return None
        try:
            listed = [str(token) for token in self.answer]
        except _UnreadableAnswerError:
            return None
        is_program = self.prediction["program"] == program_text(listed)
        return listed if is_program or listed[-1:] == ["EOF"] else None

    @cached_property
    def run(self) -> Execution:
        """What the program comes to."""
        execution: Execution = self.evaluator.execute(self.tokens or (), self.table)
        return execution

    @property
    def kinds(self) -> set[str]:
        """What the prediction holds: a program, words, or neither."""
        if self._answer_tokens is not None:
            return {_PROGRAM_KIND}
        found = {_PROGRAM_KIND} if self.prediction["program"] else set()
        is_worded = (self.prediction["answer"] or "").strip() not in _NO_WORDS
        return found | {_WORD_KIND} if is_worded else found

    @property
    def is_silent(self) -> bool:
        """Whether the system said nothing, rather than that the file holds verdicts alone."""
        given = ("answer", "label", "contains")
        is_given = any(self.prediction[name] is not None for name in given)
        return not is_given and not self.prediction["program"]


def _answer_of(text: str | None) -> Any:
    """The value of a JSON text; ValueError where it is none, or too long."""
    if text is None:
        return None
    if len(text) > MAX_ANSWER:
        raise ValueError(f"the answer has {len(text):,} characters; shorten it to {MAX_ANSWER:,}")
    return json.loads(text, parse_constant=_refuse)


def _refuse(constant: str) -> None:
    raise ValueError(f"the answer holds {constant}; give a finite number")


def _words(answer: Any) -> str | None:
    if answer is None or isinstance(answer, str):
        return answer
    if isinstance(answer, bool | int | float):
        return json.dumps(answer)
    if isinstance(answer, list) and not any(isinstance(part, list | dict) for part in answer):
        return ", ".join(word for word in map(_words, answer) if word is not None)
    raise ValueError("the answer must be a text, a number or a list of them; correct it")


def score_public_answers(
    questions: pa.Table,
    answers: pa.Table,
    passages: pa.Table,
    turns: pa.Table,
    stored: ResultCache | None = None,
) -> pa.Table:
    """Score answers of systems to all questions of public sets, those for a speaker included.

    Args:
        questions: see `score_benchmark_answers`, with `answer_type` (`speaker` where it is asked
            who said a quotation) and, of such questions, what `score_calls` reads.
        answers: see `score_benchmark_answers`, with `asks_speaker`, `speaker` and `role`.
        passages: see `score_benchmark_answers`.
        turns: see `score_calls`.
        stored: scores of a system on a set, under `SCORE_SCHEMA`: found there by its answers, by
            their questions and by the documents of these, or added.

    Returns:
        A table of `SCORE_SCHEMA`, by set and system; who spoke is metric `speakers`, mode
        `strict`.
    """
    given: list[tuple[str, str]] = []
    inputs: list[list[pa.Table]] = []
    for name in pc.unique(answers["benchmark"]).sort().to_pylist():
        asked, cells, spoken, own = (
            table.filter(pc.equal(table["benchmark"], name))
            for table in (questions, passages, turns, answers)
        )
        for system_id in pc.unique(own["system_id"]).sort().to_pylist():
            of_system = own.filter(pc.equal(own["system_id"], system_id))
            # What others answered, and the documents of that, are no part of it.
            answered = _among(asked, "question_id", of_system)
            given.append((name, system_id))
            inputs.append(
                [
                    of_system,
                    answered,
                    *(_among(one, "document_id", answered) for one in (cells, spoken)),
                ]
            )

    def made(new: Sequence[int]) -> list[pa.Table]:
        # In one go: what a set holds is read once for all of its systems.
        chosen = pa.concat_tables([inputs[at][0] for at in new])
        scored = _scored(questions, passages, turns, chosen)
        return [
            scored.filter(
                pc.and_(
                    pc.equal(scored["benchmark"], benchmark),
                    pc.equal(scored["system_id"], system_id),
                )
            )
            for benchmark, system_id in (given[at] for at in new)
        ]

    return pa.concat_tables([SCORE_SCHEMA.empty_table(), *recall_all(stored, inputs, made)])


def _among(table: pa.Table, name: str, others: pa.Table) -> pa.Table:
    """The rows whose value of a column others have."""
    return table.filter(pc.is_in(table[name], value_set=pc.unique(others[name])))


def _scored(
    questions: pa.Table, passages: pa.Table, turns: pa.Table, answers: pa.Table
) -> pa.Table:
    """Scores of answers, those of questions for a speaker last."""
    is_spoken = pc.fill_null(pc.equal(questions["answer_type"], "speaker"), False)
    asks_speaker = answers["asks_speaker"]
    calls = score_calls(questions.filter(is_spoken), answers.filter(asks_speaker), turns)
    spoken = [{**row, "metric": "speakers", "mode": STRICT} for row in calls.to_pylist()]
    scored = score_benchmark_answers(
        questions.filter(pc.invert(is_spoken)), answers.filter(pc.invert(asks_speaker)), passages
    )
    return pa.concat_tables([scored, pa.Table.from_pylist(spoken, schema=SCORE_SCHEMA)])


def score_benchmark_answers(
    questions: pa.Table, predictions: pa.Table, passages: pa.Table
) -> pa.Table:
    """Score answers of systems to the questions of public benchmarks.

    Args:
        questions: `benchmark` and all fields of `Question`, one row per question.
        predictions: `benchmark`, `system_id` and all fields of `Prediction`, one row per benchmark,
            system and question.
        passages: `benchmark` and the fields of `Passage`; cells of the sets with programs are
            read, to rebuild their tables.

    Returns:
        One row per prediction, metric and mode under `SCORE_SCHEMA`, in the order of the
        predictions; see the module for the metrics of each set. A question without a prediction
        has no row.
    """
    by_key = {(row["benchmark"], row["question_id"]): row for row in questions.to_pylist()}
    tables = _Tables(passages)
    answered = predictions.to_pylist()
    given = defaultdict[tuple[str, str], set[str]](set)
    for row in answered:
        if row["benchmark"] in PROGRAM_SETS:
            given[row["benchmark"], row["system_id"]] |= _Case({}, row, ()).kinds
    rows = [
        row
        for prediction in answered
        for row in _rows(
            by_key.get((prediction["benchmark"], prediction["question_id"])),
            prediction,
            tables,
            frozenset(given[prediction["benchmark"], prediction["system_id"]]),
        )
    ]
    return pa.Table.from_pylist(rows, schema=SCORE_SCHEMA)


def check_benchmark_gold(questions: pa.Table) -> pa.Table:
    """List the metrics that cannot be measured on a question, whatever is answered.

    Args:
        questions: see `score_benchmark_answers`.

    Returns:
        One row per question, metric and mode under `FAULT_SCHEMA`, in the order of the questions;
        `verdict` is one of `GOLD_VERDICTS`. What can be measured has no row.
    """
    rows = [
        {
            "benchmark": question["benchmark"],
            "question_id": question["question_id"],
            "metric": metric,
            "mode": mode,
            "verdict": error.verdict,
            "detail": _safe(error.detail),
        }
        for question in questions.to_pylist()
        for scorer in _scorers(question["benchmark"])
        if (error := _gold_error(scorer, question)) is not None
        for metric, mode in scorer.metrics
    ]
    return pa.Table.from_pylist(rows, schema=FAULT_SCHEMA)


def _gold_error(scorer: _Scorer, question: Mapping[str, Any]) -> _GoldError | None:
    try:
        scorer.check(_Case(question, _NO_PREDICTION, ()))
    except _GoldError as error:
        return error
    return None


class _Tables:
    """Tables of the documents of sets with programs, each rebuilt once."""

    def __init__(self, passages: pa.Table) -> None:
        is_cell = pc.and_(
            pc.is_in(passages["benchmark"], value_set=pa.array(PROGRAM_SETS)),
            pc.equal(passages["space"], "cell"),
        )
        self._cells: dict[tuple[str, str], list[Passage]] = {}
        for row in passages.filter(is_cell).to_pylist():
            key = row.pop("benchmark"), row["document_id"]
            self._cells.setdefault(key, []).append(Passage(**row))
        self._built: dict[tuple[str, str], list[list[str]]] = {}

    def of(self, benchmark: str, document_id: str | None) -> list[list[str]]:
        """The table of a document; no rows where it has none."""
        key = benchmark, document_id or ""
        if key not in self._built:
            self._built[key] = rebuild_table(self._cells.get(key, ()))
        return self._built[key]


def _rows(
    question: Mapping[str, Any] | None,
    prediction: Mapping[str, Any],
    tables: _Tables,
    given: frozenset[str],
) -> Iterator[dict[str, Any]]:
    """The rows of one prediction."""
    benchmark = prediction["benchmark"]
    for mark in _marks(question, prediction, tables, given):
        yield {
            "benchmark": benchmark,
            "system_id": prediction["system_id"],
            "configuration": prediction["configuration"],
            "question_id": prediction["question_id"],
            "metric": mark.metric,
            "mode": mark.mode,
            "value": None if mark.value is None or math.isnan(mark.value) else mark.value,
            "verdict": mark.verdict,
            "detail": _safe(mark.detail),
        }


def _safe(detail: str | None) -> str | None:
    """A sentence that any table can hold: short, and without halves of characters."""
    if detail is None:
        return None
    line = " ".join(detail.split())
    short = line if len(line) <= _MAX_DETAIL else line[: _MAX_DETAIL - 3] + "..."
    return short.encode("utf-8", "replace").decode("utf-8")


def _marks(
    question: Mapping[str, Any] | None,
    prediction: Mapping[str, Any],
    tables: _Tables,
    given: frozenset[str],
) -> Iterator[Mark]:
    """All marks of one prediction: those of its set, and that of a model's label."""
    names = metrics_of(prediction["benchmark"])
    if question is None:
        yield from _all(names, None, "unknown_question", "No question of the set has this id.")
    else:
        table = tables.of(prediction["benchmark"], question["document_id"])
        case = _Case(question, prediction, table, given)
        for scorer in _scorers(prediction["benchmark"]):
            yield from _guarded(scorer, case)
    if prediction["label_by"] == "model" and prediction["label"] is not None:
        is_right = arag.is_judged_right(prediction["label"])
        yield Mark("llm_accuracy", OFFICIAL, float(is_right), "right" if is_right else "wrong")


_Metrics = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class _Scorer:
    """How some metrics of a set are found.

    Attributes:
        metrics: name and mode of each.
        marks: gives a mark for each.
        check: raises where the gold leaves nothing to measure, whatever the answer.
        counts_silence: whether an answer that is none is wrong.
        reads: what of an answer it reads, where a system may give either on a set with programs.
    """

    metrics: _Metrics
    marks: Callable[[_Case], Iterable[Mark]]
    check: Callable[[_Case], None]
    counts_silence: bool = True
    reads: str | None = None


def metrics_of(benchmark: str) -> list[tuple[str, str]]:
    """Metrics that every prediction of a set gets.

    Args:
        benchmark: id of the set.

    Returns:
        Name and mode of each.
    """
    return [one for scorer in _scorers(benchmark) for one in scorer.metrics]


def _scorers(benchmark: str) -> Sequence[_Scorer]:
    return _SCORERS.get(benchmark, (*_WORDS, _BY_CRITERIA))


def _all(
    metrics: Iterable[tuple[str, str]], value: float | None, verdict: str, detail: str | None
) -> Iterator[Mark]:
    return (Mark(metric, mode, value, verdict, detail) for metric, mode in metrics)


def _guarded(scorer: _Scorer, case: _Case) -> list[Mark]:
    """The marks of a scorer: null where the gold is at fault, zeros without a readable answer."""
    try:
        scorer.check(case)
        if case.is_silent and scorer.counts_silence:
            if scorer.reads and case.given and scorer.reads not in case.given:
                return list(_all(scorer.metrics, None, _LACKING[scorer.reads], None))
            return list(_all(scorer.metrics, 0.0, "no_answer", "The system gave no answer."))
        return list(scorer.marks(case))
    except _GoldError as error:
        return list(_all(scorer.metrics, None, error.verdict, error.detail))
    except _UnreadableAnswerError as error:
        return list(_all(scorer.metrics, 0.0, "unreadable_answer", str(error)))


# --- answers in words


def _check_answers(case: _Case) -> None:
    if case.question["is_answerable"] is False:
        raise _GoldError(GOLD_UNANSWERABLE)
    if not case.golds:
        raise _GoldError(GOLD_MISSING)


def _check_contained(case: _Case) -> None:
    # What the file states needs no gold.
    if case.prediction["answer"] is not None or case.prediction["contains"] is None:
        _check_answers(case)


def _contain_match(case: _Case) -> Iterator[Mark]:
    stated = case.prediction["contains"]
    mark = Mark("contain_match", OFFICIAL, None, "no_text")
    words = case.words
    if words is None:
        is_stated = stated is not None
        yield replace(mark, value=float(stated), verdict="as_stated") if is_stated else mark
        return
    found = [arag.contain_match(words, gold) for gold in case.golds]
    is_right = all(found) if case.question["is_list"] else any(found)
    differs = stated is not None and stated != is_right
    yield replace(
        mark,
        value=float(is_right),
        verdict="contained" if is_right else "not_contained",
        detail="The file says the opposite." if differs else None,
    )


def _check_figure(case: _Case) -> None:
    _check_answers(case)
    with _reading_gold():
        found = _figure_verdict(case, "")
    if found.verdict == GOLD_IS_NO_FIGURE:
        raise _GoldError(GOLD_IS_NO_FIGURE, found.reason)


def _figure_verdict(case: _Case, words: str) -> FigureVerdict:
    return check_figure(
        words,
        case.golds,
        case.question["question_text"],
        case.question["executed_answer"],
        case.question["tolerance"],
        case.question["scale"] or None,
    )


def _check_wording(case: _Case) -> None:
    _check_answers(case)
    with _reading_gold():
        found = _figure_verdict(case, "")
    if found.verdict != GOLD_IS_NO_FIGURE:
        raise _GoldError(GOLD_IS_FIGURE)


def _wording_agreement(case: _Case) -> Iterator[Mark]:
    mark = Mark("wording_agreement", STRICT, None, "no_text")
    if case.words is None:
        yield mark
        return
    question = case.question["question_text"]
    with _reading_answer():
        found = [check_words(case.words, gold, question) for gold in case.golds]
    best = next((one for one in found if one.is_right), found[0])
    value = None if best.is_right is None else float(best.is_right)
    yield replace(mark, value=value, verdict=best.verdict, detail=best.reason)


_CRITERIA_METRICS: Final = tuple(
    (metric, STRICT) for metric in ("criteria_met", "criteria_credit", "criteria_passed")
)


def _criteria_of(case: _Case) -> tuple[Criterion, ...]:
    with _reading_gold():
        return read_criteria(case.question.get("original_fields"))


def _check_criteria(case: _Case) -> None:
    if not _criteria_of(case):
        raise _GoldError(GOLD_HAS_NO_CRITERIA)


def _criteria(case: _Case) -> Iterator[Mark]:
    """How many of its checks an answer meets, with credit for a part, and whether all."""
    if case.words is None:
        yield from _all(_CRITERIA_METRICS, None, "no_text", None)
        return
    with _reading_answer():
        sources = (case.prediction.get("sources") or "").split("; ")
        found = score_criteria(case.words, _criteria_of(case), sources)
    detail = f"Checks: {found.n_met} met, {found.n_failed} not met, {found.n_undecided} undecided."
    values = (found.met, found.credit, found.passed)
    for (metric, mode), value in zip(_CRITERIA_METRICS, values, strict=True):
        verdict = "undecided" if value is None else "met" if value == 1 else "not_all_met"
        yield Mark(metric, mode, value, verdict, detail)


def _numeric_agreement(case: _Case) -> Iterator[Mark]:
    mark = Mark("numeric_agreement", STRICT, None, "no_text")
    if case.words is None:
        yield mark
        return
    with _reading_answer():
        found = _figure_verdict(case, case.words)
    value = None if found.is_right is None else float(found.is_right)
    yield replace(mark, value=value, verdict=found.verdict, detail=found.reason)


# --- FinQA and ConvFinQA


def _check_executed(case: _Case) -> None:
    if case.question["executed_answer"] is None:
        raise _GoldError(GOLD_MISSING)
    with _reading_gold():
        gold_result(case.question["executed_answer"])


def _execution(case: _Case) -> Mark:
    """Whether the program comes to the gold result, to the last digit."""
    mark = Mark("execution_accuracy", OFFICIAL, None, "no_program")
    if case.tokens is None:
        return mark
    gold = gold_result(case.question["executed_answer"])
    is_right = finqa.is_right(case.run, gold)
    wrong = "other_result" if case.run.is_valid else "invalid_program"
    return replace(
        mark,
        value=float(is_right),
        verdict="same_result" if is_right else wrong,
        detail=case.run.fault or f"The program's result is {case.run.value!r}.",
    )


def _check_result(case: _Case) -> None:
    if _executed(case) is not None:
        return
    if not case.golds:
        is_missing = case.question["executed_answer"] is None
        raise _GoldError(GOLD_MISSING if is_missing else GOLD_UNREADABLE)
    read = {strict_programs.compare_result(0.0, printed) for printed in case.golds}
    if read == {strict_programs.UNREADABLE}:
        raise _GoldError(GOLD_UNREADABLE, "The gold is neither a number nor yes or no.")


def _printed_result(case: _Case) -> Mark:
    """Whether the program comes to the gold result as it is printed."""
    if case.tokens is None:
        return Mark("execution_accuracy", STRICT, None, "no_program")
    return _strict_result("execution_accuracy", case.run, _executed(case), case.golds)


def _lone_number(tokens: Sequence[str]) -> Fraction | None:
    """The number that stands for a whole program, in turns of ConvFinQA that only look it up."""
    return strict_programs.literal_value(tokens[0]) if len(tokens) == 2 else None


def _executed(case: _Case) -> float | str | None:
    """The gold result: a number, or yes or no; null where there is none that can be read."""
    text = case.question["executed_answer"]
    try:
        return None if text is None else gold_result(text)
    except ValueError:
        return None


def _strict_result(
    metric: str, run: Execution, gold: float | str | None, golds: Sequence[str]
) -> Mark:
    """Whether a result is the gold's, as run or as printed: with its sign, percent named."""
    if not run.is_valid or run.value is None:
        return Mark(metric, STRICT, 0.0, "invalid_program", run.fault)
    verdicts = [strict_programs.compare_result(run.value, printed) for printed in golds]
    if gold is not None and _is_close(run.value, gold):
        verdicts.append(strict_programs.EXACT)
    best = min(verdicts, key=strict_programs.VERDICTS.index, default=strict_programs.DIFFERENT)
    # Words as gold, or none: the result is another answer all the same.
    best = strict_programs.DIFFERENT if best == strict_programs.UNREADABLE else best
    detail = f"The program's result is {run.value!r}."
    return Mark(metric, STRICT, float(best in _RIGHT_RESULTS), best, detail)


def _is_close(value: Any, gold: float | str) -> bool:
    """Whether two results are equal but for the rounding to five decimals."""
    if not isinstance(value, int | float) or isinstance(gold, str):
        return bool(value == gold)
    return math.isclose(value, gold, rel_tol=_CLOSE, abs_tol=_CLOSE)


_Comparison = Callable[[_Case, Sequence[str], Sequence[str]], bool]


def _check_program(is_same: _Comparison) -> Callable[[_Case], None]:
    """Whether the gold program can be read; nothing that is long to compute."""

    def check(case: _Case) -> None:
        if case.question["program"] is None:
            raise _GoldError(GOLD_MISSING)
        with _reading_gold():
            is_same(case, finqa.tokenize_program(case.question["program"]), _NO_PROGRAM)

    return check


def _same_program(mode: str, is_same: _Comparison) -> Callable[[_Case], list[Mark]]:
    """Whether the program is the gold one."""

    def marks(case: _Case) -> list[Mark]:
        mark = Mark("program_accuracy", mode, None, "no_program")
        if case.tokens is None:
            return [mark]
        gold = finqa.tokenize_program(case.question["program"])
        if _formula_size(case.tokens) > max(MAX_FORMULA, _formula_size(gold)):
            detail = f"Written out, the program has more than {MAX_FORMULA} operands."
            return [replace(mark, value=0.0, verdict="too_long", detail=detail)]
        with _reading_answer():
            try:
                same = is_same(case, gold, case.tokens)
            except ValueError as error:
                # Of either comparison it says that the gold cannot be read.
                raise _GoldError(GOLD_UNREADABLE, str(error)) from error
        return [
            replace(mark, value=float(same), verdict="same_program" if same else "other_program")
        ]

    return marks


def _formula_size(tokens: Sequence[str]) -> int:
    """Operands of the largest step once all steps that it builds on are written out."""
    sizes: list[int] = []
    for start in range(1, len(tokens) - 1, 4):
        sizes.append(sum(_operand_size(text, sizes) for text in tokens[start : start + 2]))
    return max(sizes, default=0)


def _operand_size(text: str, sizes: Sequence[int]) -> int:
    place = text.removeprefix("#")
    is_step = text != place and place.isdecimal() and len(place) < 5 and int(place) < len(sizes)
    return sizes[int(place)] if is_step else 1


def _is_same_officially(case: _Case, gold: Sequence[str], tokens: Sequence[str]) -> bool:
    is_same = bool(case.evaluator.same_program(gold, tokens))
    # ConvFinQA's evaluator compares valid programs alone.
    if case.evaluator is convfinqa and is_same:
        return bool(convfinqa.execute(tokens, case.table).is_valid)
    return is_same


def _is_same_strictly(_case: _Case, gold: Sequence[str], tokens: Sequence[str]) -> bool:
    number = _lone_number(gold)
    if number is not None:
        return number == _lone_number(tokens)
    return strict_programs.same_program(gold, tokens)


# --- TAT-QA


def _check_tatqa(case: _Case) -> None:
    _check_answers(case)
    kind, scale = _tatqa_kind(case)
    with _reading_gold():
        gold = _tatqa_gold(case, kind)
        tatqa.score(gold, kind, scale, "0", "")
        strict_tatqa.score(gold, kind, scale, "0", "", case.question["question_text"])


def _tatqa_kind(case: _Case) -> tuple[str, str]:
    """Type and scale of the gold answer, as the set writes them."""
    return case.question["answer_type"] or "", case.question["scale"] or ""


def _tatqa_gold(case: _Case, kind: str) -> Any:
    """The gold answer as the set writes it."""
    is_list = case.question["is_list"] or kind in tatqa.LIST_TYPES
    return case.golds if is_list else case.golds[0]


def _tatqa_official(case: _Case) -> list[Mark]:
    if case.prediction["answer"] is None:
        return list(_all(_TATQA_OFFICIAL, None, "no_text", None))
    kind, scale = _tatqa_kind(case)
    # A scale that the file does not give is none, as for the public evaluator's own examples.
    predicted_scale = case.prediction["scale"] or ""
    with _reading_answer():
        found = tatqa.score(_tatqa_gold(case, kind), kind, scale, case.answer, predicted_scale)
    verdict = "no_answer" if not case.answer else "match" if found.em else "no_match"
    if not found.em and found.f1:
        verdict = "some_words"
    said = "same_scale" if found.scale else "other_scale"
    return [
        Mark("em", OFFICIAL, found.em, verdict),
        Mark("f1", OFFICIAL, found.f1, verdict),
        Mark("scale", OFFICIAL, found.scale, said if case.answer else "no_answer"),
    ]


def _tatqa_strict(case: _Case) -> list[Mark]:
    if case.prediction["answer"] is None:
        return list(_all(_TATQA_STRICT, None, "no_text", None))
    kind, scale = _tatqa_kind(case)
    with _reading_answer():
        found = strict_tatqa.score(
            _tatqa_gold(case, kind),
            kind,
            scale,
            case.answer,
            case.prediction["scale"],
            case.question["question_text"],
        )
    values = {"em": found.em, "f1": found.f1, "scale": found.scale}
    return [
        Mark(metric, STRICT, value, found.verdict, found.reason) for metric, value in values.items()
    ]


# --- MultiHiertt


def _check_multihiertt(case: _Case) -> None:
    _check_answers(case)
    written = case.question["program"]
    with _reading_gold():
        answer = _multihiertt_gold(case)
        multihiertt.mixed_scores(*(("0", answer) if written else (answer, 0.0)))


def _multihiertt_gold(case: _Case) -> Any:
    """The gold answer as the set writes it: results of programs are numbers, with their signs."""
    gold: Any = case.golds if case.question["is_list"] else case.golds[0]
    number = (
        multihiertt.str_to_num(gold) if case.question["program"] and isinstance(gold, str) else None
    )
    return gold if number is None else math.copysign(number, _sign(gold))


def _multihiertt_official(case: _Case) -> list[Mark]:
    """Exact match and F1 as the public evaluator sees question and answer."""
    if case.tokens is None and case.prediction["answer"] is None:
        return list(_all(_MULTIHIERTT_OFFICIAL, None, "no_text", None))
    predicted = multihiertt.Predicted(_multihiertt_answer(case), case.tokens or ())
    gold = multihiertt.Gold(_multihiertt_gold(case), case.question["program"] or "")
    with _reading_answer():
        em, f1 = multihiertt.question_scores(predicted, gold)
    verdict = "match" if em else "some_words" if f1 else "no_match"
    return [Mark("em", OFFICIAL, em, verdict), Mark("f1", OFFICIAL, f1, verdict)]


def _multihiertt_answer(case: _Case) -> Any:
    """The answer as the set's own systems write it: a span, or what the program comes to."""
    if case.tokens:
        if case.words is not None and _is_number(case.answer):
            return case.answer
        run = multihiertt.execute(case.tokens)
        value = "n/a" if run.value is None else run.value
        return value if run.is_valid else -math.inf
    if case.words is not None and isinstance(case.answer, list):
        return [str(part) for part in case.answer]
    return str(case.answer)


def _is_number(answer: Any) -> bool:
    return isinstance(answer, int | float) and not isinstance(answer, bool)


def _sign(text: str) -> float:
    return -1.0 if text.lstrip("$ ").startswith("-") else 1.0


def _multihiertt_strict(case: _Case) -> list[Mark]:
    """A result as run or as printed; a figure in words; else words part by part."""
    if case.tokens is None and case.prediction["answer"] is None:
        return list(_all(_MULTIHIERTT_STRICT, None, "no_text", None))
    written = case.question["program"]
    if case.tokens:
        gold = _signed_run(multihiertt.tokenize_program(written)).value if written else None
        mark = _strict_result("em", _signed_run(case.tokens), _real(gold), case.golds)
        return [mark, replace(mark, metric="f1")]
    with _reading_answer():
        if written:
            found = check_figure(case.words or "", case.golds, case.question["question_text"])
            value = None if found.is_right is None else float(found.is_right)
            return list(_all(_MULTIHIERTT_STRICT, value, found.verdict, found.reason))
        spans = strict_tatqa.score(case.golds, "span", "", case.answer, "")
    return [
        Mark("em", STRICT, spans.em, spans.verdict, spans.reason),
        Mark("f1", STRICT, spans.f1, spans.verdict, spans.reason),
    ]


def _signed_run(tokens: Sequence[str]) -> Execution:
    """A run as FinQA reads literals: signs stay, and 5% is 0.05; else as the set's evaluator."""
    run = finqa.execute(tokens, ())
    return run if run.is_valid else multihiertt.execute(tokens)


def _real(value: Any) -> float | str | None:
    return value if isinstance(value, str | int | float) else None


# --- FinanceBench


def _label_marks(case: _Case) -> Iterator[Mark]:
    """One of three labels: each metric says whether it is that one."""
    label = case.prediction["label"]
    if label is None or case.prediction["label_by"] != "human":
        yield from _all(_LABEL_METRICS, None, "no_label", None)
        return
    try:
        financebench.check_label(label)
    except ValueError as error:
        yield from _all(_LABEL_METRICS, None, "unknown_label", str(error))
        return
    for (metric, mode), name in zip(_LABEL_METRICS, financebench.LABELS, strict=True):
        yield Mark(metric, mode, float(label == name), label.lower().replace(" ", "_"))


def _needs_no_gold(_case: _Case) -> None:
    """A label is no comparison with the gold."""


_NO_PREDICTION: Final[Mapping[str, Any]] = {"answer": None, "contains": None, "program": None}
# Any comparison turns it down at once, once it has read the gold.
_NO_PROGRAM: Final = ("", "EOF")
_EXECUTION: Final = "execution_accuracy"
_PROGRAM: Final = "program_accuracy"
_TATQA_OFFICIAL: Final = tuple((metric, OFFICIAL) for metric in ("em", "f1", "scale"))
_TATQA_STRICT: Final = tuple((metric, STRICT) for metric in ("em", "f1", "scale"))
_MULTIHIERTT_OFFICIAL: Final = _TATQA_OFFICIAL[:2]
_MULTIHIERTT_STRICT: Final = _TATQA_STRICT[:2]
_LABEL_METRICS: Final = tuple((name, OFFICIAL) for name in ("correct", "incorrect", "refusal"))
_WORDS: Final = (
    _Scorer((("contain_match", OFFICIAL),), _contain_match, _check_contained, reads=_WORD_KIND),
    _Scorer((("numeric_agreement", STRICT),), _numeric_agreement, _check_figure, reads=_WORD_KIND),
    _Scorer((("wording_agreement", STRICT),), _wording_agreement, _check_wording, reads=_WORD_KIND),
)
_BY_CRITERIA: Final = _Scorer(_CRITERIA_METRICS, _criteria, _check_criteria)
_PROGRAMS: Final = (
    _Scorer(
        ((_EXECUTION, OFFICIAL),),
        lambda case: [_execution(case)],
        _check_executed,
        reads=_PROGRAM_KIND,
    ),
    _Scorer(
        ((_EXECUTION, STRICT),),
        lambda case: [_printed_result(case)],
        _check_result,
        reads=_PROGRAM_KIND,
    ),
    *(
        _Scorer(
            ((_PROGRAM, mode),),
            _same_program(mode, is_same),
            _check_program(is_same),
            reads=_PROGRAM_KIND,
        )
        for mode, is_same in ((OFFICIAL, _is_same_officially), (STRICT, _is_same_strictly))
    ),
    *_WORDS,
)
_SCORERS: Final[Mapping[str, Sequence[_Scorer]]] = {
    "p3": (_BY_CRITERIA,),
    "finqa": _PROGRAMS,
    "convfinqa": _PROGRAMS,
    "tatqa": (
        _Scorer(_TATQA_OFFICIAL, _tatqa_official, _check_tatqa),
        _Scorer(_TATQA_STRICT, _tatqa_strict, _check_tatqa),
    ),
    "multihiertt": (
        _Scorer(_MULTIHIERTT_OFFICIAL, _multihiertt_official, _check_multihiertt),
        _Scorer(_MULTIHIERTT_STRICT, _multihiertt_strict, _check_multihiertt),
    ),
    "financebench": (
        _Scorer(_LABEL_METRICS, _label_marks, _needs_no_gold, counts_silence=False),
        *_WORDS,
    ),
}
