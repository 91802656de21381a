"""Scores of answers that systems gave to the questions of public benchmarks.

Each set has its own metrics, and every answer gets all of its set:

====================  ============================================================================
finqa, convfinqa      `execution_accuracy` and `program_accuracy` of the predicted program, in both
                      modes; `contain_match` and `numeric_agreement` of an answer in words
tatqa                 `em`, `f1` and `scale`, in both modes
multihiertt           `em` and `f1`, in both modes
financebench          `correct`, `incorrect` and `refusal` by the label that a person gave;
                      `contain_match` and `numeric_agreement`
all others            `contain_match` and `numeric_agreement`
====================  ============================================================================

`llm_accuracy` is added wherever a label by a model came with the answer. Mode `official` is what
the set's public evaluator computes (of `contain_match` and `llm_accuracy`, A-RAG's); `strict` is
what a finance reader would call right.

Answers are untrusted. One that cannot be read scores 0, since a system must not gain by it; a
value is null only where gold, label or program are lacking, or the rule cannot decide. One limit is
not the public evaluator's: a program that grows beyond `MAX_FORMULA` operands once its steps are
written out, and beyond the gold's, is another program (`too_long`) without asking sympy.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from finrag.benchmarks.execution import Execution
from finrag.benchmarks.official import arag, convfinqa, financebench, finqa, multihiertt, tatqa
from finrag.benchmarks.programs.warehouse import rebuild_table
from finrag.benchmarks.records import Passage
from finrag.benchmarks.strict import programs as strict_programs
from finrag.benchmarks.strict import tatqa as strict_tatqa
from finrag.benchmarks.strict.figures import judge_figure

OFFICIAL: Final = "official"
STRICT: Final = "strict"

SCORE_SCHEMA: Final = pa.schema(
    [
        pa.field("benchmark", pa.string(), nullable=False),
        pa.field("system_id", pa.string(), nullable=False),
        ("configuration", pa.string()),
        pa.field("question_id", pa.string(), nullable=False),
        pa.field("metric", pa.string(), nullable=False),
        pa.field("mode", pa.string(), nullable=False),
        ("value", pa.float64()),
        pa.field("verdict", pa.string(), nullable=False),
        ("detail", pa.string()),
    ]
)
PROGRAM_SETS: Final = ("finqa", "convfinqa")
# Longer answers and programs are read by nobody, and slow to compare.
MAX_ANSWER: Final = 100_000
MAX_PROGRAM: Final = 5_000
# Gold programs stay far below; sympy needs minutes for formulas much longer than this.
MAX_FORMULA: Final = 24
_MAX_DETAIL: Final = 300
_CLOSE: Final = 1e-5
_RIGHT_RESULTS: Final = (strict_programs.EXACT, strict_programs.ROUNDED)
# Whatever an answer may do to a function that reads it.
_FAULTS: Final = (ValueError, TypeError, ArithmeticError, LookupError, RecursionError)

_BOTH_MODES: Final = (OFFICIAL, STRICT)


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
    """A question with an answer to it; both as rows."""

    question: Mapping[str, Any]
    prediction: Mapping[str, Any]
    table: Sequence[Sequence[str]]

    @cached_property
    def golds(self) -> list[str]:
        return [gold for gold in self.question["answers"] or [] if gold is not None]

    @cached_property
    def answer(self) -> Any:
        """The answer as it was given; ValueError where it is no JSON, or too long."""
        text = self.prediction["answer"]
        if text is None:
            return None
        if len(text) > MAX_ANSWER:
            raise ValueError(f"the answer has {len(text):,} characters; {MAX_ANSWER:,} are allowed")
        return json.loads(text, parse_constant=_refuse)

    @cached_property
    def words(self) -> str | None:
        """The answer as words; null where there is none, or where it is a program's tokens."""
        if isinstance(self.answer, list) and self.program is not None:
            return None
        return _words(self.answer)

    @property
    def evaluator(self) -> Any:
        """The public evaluator of programs."""
        return convfinqa if self.question["benchmark"] == "convfinqa" else finqa

    @property
    def program(self) -> str | None:
        program: str | None = self.prediction["program"]
        if program is not None and len(program) > MAX_PROGRAM:
            raise ValueError(f"the program has {len(program):,} characters; shorten it")
        return program or None

    @property
    def is_silent(self) -> bool:
        """Whether the system said nothing, rather than that the file holds verdicts alone."""
        given = ("answer", "program", "label", "contains")
        return all(self.prediction[name] is None for name in given)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no value of an answer; give a finite number")


def _words(answer: Any) -> str | None:
    if answer is None or isinstance(answer, str):
        return answer
    if isinstance(answer, bool | int | float):
        return json.dumps(answer)
    if isinstance(answer, list) and not any(isinstance(part, list | dict) for part in answer):
        return ", ".join(word for word in map(_words, answer) if word is not None)
    raise ValueError("the answer is no text, number or list of them; give one of these")


def score_benchmark_answers(
    questions: pa.Table, predictions: pa.Table, passages: pa.Table
) -> pa.Table:
    """Score answers of systems to the questions of public benchmarks.

    Args:
        questions: `benchmark` and all fields of `Question`, one row a question.
        predictions: `benchmark`, `system_id` and all fields of `Prediction`, one row a benchmark,
            system and question.
        passages: `benchmark` and the fields of `Passage`; cells of the sets with programs are
            read, to rebuild their tables.

    Returns:
        One row a prediction, metric and mode under `SCORE_SCHEMA`, in the order of the
        predictions; see the module for the metrics of each set. A question without a prediction
        has no row.
    """
    by_key = {(row["benchmark"], row["question_id"]): row for row in questions.to_pylist()}
    tables = _Tables(passages)
    rows = [
        row
        for prediction in predictions.to_pylist()
        for row in _rows(
            by_key.get((prediction["benchmark"], prediction["question_id"])), prediction, tables
        )
    ]
    return pa.Table.from_pylist(rows, schema=SCORE_SCHEMA)


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
    question: Mapping[str, Any] | None, prediction: Mapping[str, Any], tables: _Tables
) -> Iterator[dict[str, Any]]:
    """The rows of one prediction."""
    benchmark = prediction["benchmark"]
    for mark in _marks(question, prediction, tables):
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
    question: Mapping[str, Any] | None, prediction: Mapping[str, Any], tables: _Tables
) -> Iterator[Mark]:
    """All marks of one prediction: those of its set, and that of a model's label."""
    names = metrics_of(prediction["benchmark"])
    if question is None:
        yield from _all(names, None, "unknown_question", "No question of the set has this id.")
    else:
        table = tables.of(prediction["benchmark"], question["document_id"])
        case = _Case(question, prediction, table)
        for scorer, metrics in _scorers(prediction["benchmark"]):
            yield from _guarded(scorer, metrics, case)
    if prediction["label_by"] == "model" and prediction["label"] is not None:
        is_right = arag.is_judged_right(prediction["label"])
        yield Mark("llm_accuracy", OFFICIAL, float(is_right), "right" if is_right else "wrong")


Scorer = Callable[[_Case], Iterable[Mark]]
_Metrics = tuple[tuple[str, str], ...]


def metrics_of(benchmark: str) -> list[tuple[str, str]]:
    """Metrics that every prediction of a set gets.

    Args:
        benchmark: id of the set.

    Returns:
        Name and mode of each.
    """
    return [one for _, metrics in _scorers(benchmark) for one in metrics]


def _scorers(benchmark: str) -> Sequence[tuple[Scorer, _Metrics]]:
    return _SCORERS.get(benchmark, _WORDS)


def _all(
    metrics: Iterable[tuple[str, str]], value: float | None, verdict: str, detail: str | None
) -> Iterator[Mark]:
    return (Mark(metric, mode, value, verdict, detail) for metric, mode in metrics)


def _guarded(scorer: Scorer, metrics: _Metrics, case: _Case) -> list[Mark]:
    """The marks of a scorer; zeros where it cannot read the answer."""
    if case.is_silent:
        return list(_all(metrics, 0.0, "no_answer", "The system gave no answer."))
    try:
        return list(scorer(case))
    except _FAULTS as error:
        return list(_all(metrics, 0.0, "unreadable_answer", str(error)))


# --- answers in words


def _contain_match(case: _Case) -> Iterator[Mark]:
    stated = case.prediction["contains"]
    mark = Mark("contain_match", OFFICIAL, None, "no_gold")
    if case.words is None and stated is not None:
        yield replace(mark, value=float(stated), verdict="as_stated")
    elif case.words is None:
        yield replace(mark, verdict="no_text")
    elif case.question["is_answerable"] is False:
        yield replace(mark, verdict="unanswerable")
    elif not case.golds:
        yield mark
    else:
        words = case.words
        found = [arag.contain_match(words, gold) for gold in case.golds]
        is_right = all(found) if case.question["is_list"] else any(found)
        differs = stated is not None and stated != is_right
        yield replace(
            mark,
            value=float(is_right),
            verdict="contained" if is_right else "not_contained",
            detail="The file states otherwise." if differs else None,
        )


def _numeric_agreement(case: _Case) -> Iterator[Mark]:
    mark = Mark("numeric_agreement", STRICT, None, "no_gold")
    if case.words is None:
        yield replace(mark, verdict="no_text")
    elif case.question["is_answerable"] is False:
        yield replace(mark, verdict="unanswerable")
    elif not case.golds:
        yield mark
    else:
        found = judge_figure(
            case.words,
            case.golds,
            case.question["question_text"],
            case.question["executed_answer"],
            case.question["tolerance"],
        )
        value = None if found.is_right is None else float(found.is_right)
        yield replace(mark, value=value, verdict=found.verdict, detail=found.reason)


# --- FinQA and ConvFinQA


def _program_marks(case: _Case) -> Iterator[Mark]:
    if case.program is None:
        yield from _all(_PROGRAM_METRICS, None, "no_program", None)
        return
    tokens = finqa.tokenize_program(case.program)
    yield from _execution_marks(case, tokens)
    yield from _same_program_marks(case, tokens)


def _execution_marks(case: _Case, tokens: Sequence[str]) -> Iterator[Mark]:
    """Whether the program comes to the gold result: to the last digit, and as it is printed."""
    official = Mark("execution_accuracy", OFFICIAL, None, "no_gold")
    gold = _executed(case.question["executed_answer"])
    run = case.evaluator.execute(tokens, case.table)
    if gold is not None:
        is_right = case.evaluator.execution_accuracy(gold, tokens, case.table)
        wrong = "other_result" if run.is_valid else "invalid_program"
        detail = run.fault or f"The program comes to {run.value!r}."
        official = Mark(
            "execution_accuracy",
            OFFICIAL,
            float(is_right),
            "same_result" if is_right else wrong,
            detail,
        )
    yield official
    yield _strict_result("execution_accuracy", run, gold, case.golds)


def _lone_number(tokens: Sequence[str]) -> Fraction | None:
    """The number that stands for a whole program, in turns of ConvFinQA that only look it up."""
    return strict_programs.literal_value(tokens[0]) if len(tokens) == 2 else None


def _executed(text: str | None) -> float | str | None:
    """The gold result: a number, or yes or no."""
    if text is None:
        return None
    gold = json.loads(text)
    return gold if isinstance(gold, str | int | float) and not isinstance(gold, bool) else None


def _strict_result(
    metric: str, run: Execution, gold: float | str | None, golds: Sequence[str]
) -> Mark:
    """Whether a result is the gold's, as run or as printed: sign kept, percent named."""
    if gold is None and not golds:
        return Mark(metric, STRICT, None, "no_gold")
    if not run.is_valid or run.value is None:
        return Mark(metric, STRICT, 0.0, "invalid_program", run.fault)
    verdicts = [strict_programs.compare_result(run.value, printed) for printed in golds]
    if gold is not None and _is_close(run.value, gold):
        verdicts.append(strict_programs.EXACT)
    best = min(verdicts, key=strict_programs.VERDICTS.index, default=strict_programs.DIFFERENT)
    detail = f"The program comes to {run.value!r}."
    return Mark(metric, STRICT, float(best in _RIGHT_RESULTS), best, detail)


def _is_close(value: Any, gold: float | str) -> bool:
    """Whether two results are equal but for the rounding to five decimals."""
    if not isinstance(value, int | float) or isinstance(gold, str):
        return bool(value == gold)
    return math.isclose(value, gold, rel_tol=_CLOSE, abs_tol=_CLOSE)


def _same_program_marks(case: _Case, tokens: Sequence[str]) -> Iterator[Mark]:
    written = case.question["program"]
    if written is None:
        modes = (("program_accuracy", mode) for mode in _BOTH_MODES)
        yield from _all(modes, None, "no_gold", None)
        return
    gold = finqa.tokenize_program(written)
    if _formula_size(tokens) > max(MAX_FORMULA, _formula_size(gold)):
        detail = f"Written out it has more than {MAX_FORMULA} operands."
        modes = (("program_accuracy", mode) for mode in _BOTH_MODES)
        yield from _all(modes, 0.0, "too_long", detail)
        return
    for mode, is_same in ((OFFICIAL, _is_same_officially), (STRICT, _is_same_strictly)):
        try:
            same = is_same(case, gold, tokens)
        except ValueError as error:
            yield Mark("program_accuracy", mode, None, "gold_unreadable", str(error))
        else:
            verdict = "same_program" if same else "other_program"
            yield Mark("program_accuracy", mode, float(same), verdict)


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
    if case.evaluator is convfinqa:
        return is_same and bool(case.evaluator.execute(tokens, case.table).is_valid)
    return is_same


def _is_same_strictly(_case: _Case, gold: Sequence[str], tokens: Sequence[str]) -> bool:
    number = _lone_number(gold)
    if number is not None:
        return number == _lone_number(tokens)
    return strict_programs.same_program(gold, tokens)


# --- TAT-QA


def _tatqa_marks(case: _Case) -> list[Mark]:
    kind, scale = case.question["answer_type"] or "", case.question["scale"] or ""
    try:
        gold = _tatqa_gold(case, kind)
        if scale not in tatqa.SCALES:
            raise ValueError(f"gold scale {scale!r} is unknown; mend the gold")
    except _FAULTS as error:
        return list(_all(_TATQA_METRICS, None, "gold_unreadable", str(error)))
    if case.prediction["answer"] is None:
        return list(_all(_TATQA_METRICS, None, "no_text", None))
    return [
        *_guarded_mode(OFFICIAL, lambda: _tatqa_official(case, gold, kind, scale)),
        *_guarded_mode(STRICT, lambda: _tatqa_strict(case, gold, kind, scale)),
    ]


def _tatqa_gold(case: _Case, kind: str) -> Any:
    """The gold answer as the set writes it."""
    if not case.golds:
        raise ValueError("there is no gold answer")
    gold = case.golds if case.question["is_list"] or kind in tatqa.LIST_TYPES else case.golds[0]
    tatqa.gold_parts(gold, kind)
    return gold


def _guarded_mode(mode: str, score: Callable[[], Iterable[Mark]]) -> list[Mark]:
    """The marks of one mode; zeros where only that mode cannot read the answer."""
    try:
        return list(score())
    except _FAULTS as error:
        metrics = [one for one in _TATQA_METRICS if one[1] == mode]
        return list(_all(metrics, 0.0, "unreadable_answer", str(error)))


def _tatqa_official(case: _Case, gold: Any, kind: str, scale: str) -> list[Mark]:
    # A scale that the file does not give is none, as for the public evaluator's own examples.
    predicted_scale = case.prediction["scale"] or ""
    found = tatqa.score(gold, kind, scale, case.answer, predicted_scale)
    verdict = "no_answer" if not case.answer else "match" if found.em else "no_match"
    if not found.em and found.f1:
        verdict = "some_words"
    said = "same_scale" if found.scale else "other_scale"
    return [
        Mark("em", OFFICIAL, found.em, verdict),
        Mark("f1", OFFICIAL, found.f1, verdict),
        Mark("scale", OFFICIAL, found.scale, said if case.answer else "no_answer"),
    ]


def _tatqa_strict(case: _Case, gold: Any, kind: str, scale: str) -> list[Mark]:
    found = strict_tatqa.score(
        gold,
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


def _multihiertt_marks(case: _Case) -> Iterator[Mark]:
    program = case.program
    if not case.golds:
        yield from _all(_MULTIHIERTT_METRICS, None, "no_gold", None)
        return
    if program is None and case.prediction["answer"] is None:
        yield from _all(_MULTIHIERTT_METRICS, None, "no_text", None)
        return
    tokens = multihiertt.tokenize_program(program) if program else []
    em, f1 = _multihiertt_official(case, tokens)
    verdict = "match" if em else "some_words" if f1 else "no_match"
    yield Mark("em", OFFICIAL, em, verdict)
    yield Mark("f1", OFFICIAL, f1, verdict)
    yield from _multihiertt_strict(case, tokens)


def _multihiertt_official(case: _Case, tokens: Sequence[str]) -> tuple[float, float]:
    """Exact match and F1 as the public evaluator sees question and answer."""
    written = case.question["program"] or ""
    gold: Any = case.golds if case.question["is_list"] else case.golds[0]
    if written and isinstance(gold, str):
        number = multihiertt.str_to_num(gold)
        # The set writes results as numbers; signs stay.
        gold = gold if number is None else math.copysign(number, _sign(gold))
    answer = case.answer
    if tokens and not _is_number(answer):
        answer = multihiertt.execute(tokens).value
    elif not tokens:
        is_list = isinstance(answer, list)
        answer = [str(part) for part in answer] if is_list else str(answer)
    return multihiertt.question_scores(
        multihiertt.Predicted("", answer, tokens), multihiertt.Gold("", gold, written)
    )


def _is_number(answer: Any) -> bool:
    return isinstance(answer, int | float) and not isinstance(answer, bool)


def _sign(text: str) -> float:
    return -1.0 if text.lstrip("$ ").startswith("-") else 1.0


def _multihiertt_strict(case: _Case, tokens: Sequence[str]) -> Iterator[Mark]:
    """A result as run or as printed; a figure in words; else words part by part."""
    written = case.question["program"]
    if tokens:
        gold = _signed_run(multihiertt.tokenize_program(written)).value if written else None
        mark = _strict_result("em", _signed_run(tokens), _real(gold), case.golds)
        yield mark
        yield replace(mark, metric="f1")
        return
    if written:
        found = judge_figure(case.words or "", case.golds, case.question["question_text"])
        value = None if found.is_right is None else float(found.is_right)
        for metric in ("em", "f1"):
            yield Mark(metric, STRICT, value, found.verdict, found.reason)
        return
    spans = strict_tatqa.score(case.golds, "span", "", case.answer, "")
    yield Mark("em", STRICT, spans.em, spans.verdict, spans.reason)
    yield Mark("f1", STRICT, spans.f1, spans.verdict, spans.reason)


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


def _modes(metrics: Sequence[str]) -> _Metrics:
    return tuple((metric, mode) for metric in metrics for mode in _BOTH_MODES)


_PROGRAM_METRICS: Final = _modes(("execution_accuracy", "program_accuracy"))
_TATQA_METRICS: Final = _modes(("em", "f1", "scale"))
_MULTIHIERTT_METRICS: Final = _modes(("em", "f1"))
_LABEL_METRICS: Final = tuple((name, OFFICIAL) for name in ("correct", "incorrect", "refusal"))
_WORDS: Final[Sequence[tuple[Scorer, _Metrics]]] = (
    (_contain_match, (("contain_match", OFFICIAL),)),
    (_numeric_agreement, (("numeric_agreement", STRICT),)),
)
_PROGRAMS: Final[Sequence[tuple[Scorer, _Metrics]]] = (
    (_program_marks, _PROGRAM_METRICS),
    *_WORDS,
)
_SCORERS: Final[Mapping[str, Sequence[tuple[Scorer, _Metrics]]]] = {
    "finqa": _PROGRAMS,
    "convfinqa": _PROGRAMS,
    "tatqa": ((_tatqa_marks, _TATQA_METRICS),),
    "multihiertt": ((_multihiertt_marks, _MULTIHIERTT_METRICS),),
    "financebench": ((_label_marks, _LABEL_METRICS), *_WORDS),
}
