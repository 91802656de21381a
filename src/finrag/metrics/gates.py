"""Verdicts of gates: whether what was measured keeps the limits that were set.

Gates fail closed: what must have a verdict is decided by the limits, and only a finite number on
the right side of a finite limit passes. A gate without a figure, with one that is no number, or
over no items is unmeasured, which is a breach.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import pyarrow as pa

from finrag.metrics.gated.expected import Gate, Row, UnderTest, limits_of
from finrag.metrics.gated.figures import Figure, Figures
from finrag.metrics.gated.judged import NO_WAIVER, Judged, Waiver
from finrag.metrics.gated.known import Known
from finrag.metrics.gated.questions import Questions
from finrag.metrics.gated.rules import OF_SCORER, Rules
from finrag.metrics.gated.words import WORDS, Words
from finrag.records.columns import nullable, required

__all__ = [
    "FAIL",
    "LIMIT_SCHEMA",
    "PASS",
    "Figure",
    "Gate",
    "Judged",
    "Known",
    "check_gates",
    "judge",
    "limits_of",
]

PASS, FAIL, UNMEASURED, TOO_FEW = "pass", "fail", "unmeasured", "too_few"
NOT_APPLICABLE, WAIVED = "not_applicable", "waived"
ABOVE_NULL: Final = "ci_low_above_null"
# Of what a few items have none.
_OF_MANY: Final = ("ci_low", "ci_high", "distance")
_LIMIT: Final = (
    *required(pa.string(), "run_id", "gate_id", "phase", "measured_in", "applies_when"),
    *nullable(pa.string(), "capability"),
    *required(pa.string(), "system_id", "gold_set", "slice_name", "slice_value", "metric"),
    *required(pa.int32(), "k"),
    *required(pa.string(), "unit", "mode"),
    *nullable(pa.string(), "null_kind"),
    *required(pa.string(), "statistic", "direction"),
    *required(pa.float64(), "limit_value"),
    *required(pa.int32(), "min_n"),
    *required(pa.string(), "severity", "rationale"),
    *nullable(pa.date32(), "set_on"),
    *nullable(pa.string(), "set_by"),
)
VERDICT: Final = pa.struct(
    [
        *required(pa.string(), "gate_id", "system_id", "subject", "severity"),
        *nullable(pa.float64(), "value", "ci_low", "ci_high"),
        *nullable(pa.int64(), "n", "n_expected"),
        *required(pa.string(), "verdict"),
        *nullable(pa.string(), "breach"),
        *required(pa.bool_(), "is_trusted"),
        *nullable(pa.float64(), "null_value"),
        *required(pa.bool_(), "is_passed_by_null"),
        *nullable(pa.string(), "waiver_reason"),
        *nullable(pa.date32(), "waived_until"),
        *nullable(pa.string(), *WORDS),
    ]
)
LIMIT_SCHEMA: Final = pa.schema([*_LIMIT, pa.field("verdicts", pa.list_(VERDICT), nullable=False)])


def check_gates(gates: pa.Table, waivers: pa.Table, known: Known, today: datetime.date) -> pa.Table:
    """Hold what was measured against the limits of its corpus.

    Args:
        gates: limits, of any corpus: the columns of the seed ``gate_thresholds`` and ``set_by``.
        waivers: ``gate_id``, ``reason``, ``set_on`` and ``expires_on``, the last day that counts.
        known: corpus, systems and figures of the run.
        today: the day on which waivers are looked at.

    Returns:
        A row a limit of the corpus under ``LIMIT_SCHEMA``, by id, with the verdict on each system
        that it is about. A limit for a role has as many as there are systems in it, or none.

    Raises:
        ValueError: the run is not one row.
    """
    if known.run.num_rows != 1:
        raise ValueError(f"gates are checked on one run, not on {known.run.num_rows}")
    (run,) = known.run.to_pylist()
    systems = known.systems.to_pylist()
    under_test = UnderTest(systems, known.line_systems.to_pylist(), known.pairs.to_pylist())
    limits = limits_of(gates.to_pylist(), run["corpus"])
    expected = [gate for limit in limits for gate in under_test.gates_of(limit)]
    figures = Figures(run["run_id"], expected, known)
    questions = Questions(run["n_questions"], known.metrics.to_pylist(), known.summaries)
    rules, nulls = Rules(known, questions, figures.drifted), figures.nulls(systems)
    waived = _active(waivers, today)
    judged = [
        judge(
            gate,
            figures.of(gate),
            nulls.of(gate),
            waived.get(gate.gate_id),
            is_applicable=rules.is_applicable(gate),
            is_unrecognised=rules.is_unrecognised(gate),
        )
        for gate in expected
    ]
    return _by_limit(
        run["run_id"], limits, judged, Words(known.metrics, known.measures, known.pairs)
    )


def judge(
    gate: Gate,
    figure: Figure,
    null_value: float | None = None,
    waiver: Waiver | None = None,
    *,
    is_applicable: bool = True,
    is_unrecognised: bool = False,
) -> Judged:
    """The verdict of a gate.

    Args:
        gate: a limit for a system.
        figure: what was measured for it.
        null_value: what a null scores; None or NaN if no null was measured.
        waiver: of this day; without a reason it excuses nothing.
        is_applicable: whether no rule excuses the gate.
        is_unrecognised: whether the figure rests on passages that nobody recognises.
    """
    limit, waiver = gate.limit, waiver or NO_WAIVER
    value = _value(limit["statistic"], figure, null_value)
    if not is_applicable and limit["applies_when"] in OF_SCORER:
        # A score of another model than the limit was set with is not the measure.
        value, figure = None, replace(figure, n=None)
    verdict = _verdict(limit, figure, value, is_applicable, is_unrecognised)
    if verdict in (FAIL, UNMEASURED) and waiver.reason is not None:
        verdict = WAIVED
    breach = _breach(limit, figure, verdict, null_value)
    return Judged(gate, figure, value, verdict, breach, null_value, waiver, is_unrecognised)


def _active(waivers: pa.Table, today: datetime.date) -> dict[str, Waiver]:
    """The waiver of each gate on a day: the one that lasts longest; without its days it is none."""
    found: dict[str, Waiver] = {}
    rows = [row for row in waivers.to_pylist() if row["set_on"] and row["expires_on"]]
    for row in sorted(rows, key=lambda row: (row["expires_on"], row["reason"] or "")):
        if row["set_on"] <= today <= row["expires_on"]:
            found[row["gate_id"]] = Waiver(row["reason"], row["expires_on"])
    return found


def _value(statistic: str, figure: Figure, null_value: float | None) -> float | None:
    if statistic != ABOVE_NULL:
        return figure.values.get(statistic)
    low = figure.values.get("ci_low")
    return None if low is None or null_value is None else low - null_value


def _is_number(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def _verdict(
    limit: Row, figure: Figure, value: float | None, is_applicable: bool, is_unrecognised: bool
) -> str:
    """The verdict before any waiver: fail closed. The first case that holds decides."""
    least, n, n_expected = limit["min_n"], figure.n, figure.n_expected
    is_few = n is not None and n < least
    is_asked_few = n_expected is not None and n_expected < least
    n_clusters = math.inf if figure.n_clusters is None else figure.n_clusters
    is_measured = _is_number(value) and _is_number(limit["limit_value"]) and bool(n)
    cases = (
        # Only a rule that says no excuses a gate, and only one without a value.
        (not is_applicable and value is None, NOT_APPLICABLE),
        # Nor do passages that nobody recognises tell whether they are good.
        (is_unrecognised, TOO_FEW),
        (value is not None and not _is_number(value), UNMEASURED),
        # An interval over two or three filings is no interval.
        (n_clusters < limit["min_clusters"], TOO_FEW),
        # Nor have a few items one, or a difference of pairs. A missing null is another matter.
        (n and is_few and is_asked_few and limit["statistic"] in _OF_MANY, TOO_FEW),
        (not is_measured, UNMEASURED),
        # Few items excuse a gate, few answers to enough of them do not.
        (_has_too_few_answers(limit, figure), FAIL),
        (is_few, TOO_FEW),
        (_is_kept(limit, value), PASS),
    )
    return next((verdict for holds, verdict in cases if holds), FAIL)


def _is_kept(limit: Row, value: float | None) -> bool:
    """Whether a value is on the right side of a limit, or at it."""
    if value is None or limit["limit_value"] is None:
        return False
    if limit["direction"] == "min":
        return bool(value >= limit["limit_value"])
    return bool(limit["direction"] == "max" and value <= limit["limit_value"])


def _has_too_few_answers(limit: Row, figure: Figure) -> bool:
    """Whether a system has no value on so many of enough items that the rest are too few."""
    n, n_expected, least = figure.n, figure.n_expected, limit["min_n"]
    return n is not None and n < least and n_expected is not None and n_expected >= least


def _is_passed_by_null(limit: Row, null_value: float | None) -> bool:
    # A gate on what lies above the null cannot be passed by it.
    if null_value is None or math.isnan(null_value) or limit["statistic"] == ABOVE_NULL:
        return False
    return _is_kept(limit, null_value)


def _breach(limit: Row, figure: Figure, verdict: str, null_value: float | None) -> str | None:
    """Why a gate is broken. What counts as a breach is said here and nowhere else."""
    if verdict == FAIL and _has_too_few_answers(limit, figure):
        return "too_few_answers"
    if verdict in (FAIL, UNMEASURED):
        return verdict
    if verdict == PASS and _is_passed_by_null(limit, null_value):
        return "passed_by_null"
    # A gate that claims to stop a null must have seen one.
    has_null = null_value is not None and not math.isnan(null_value)
    if verdict == PASS and limit["is_held_against_null"] and not has_null:
        return "null_unmeasured"
    return None


def _by_limit(
    run_id: str, limits: Sequence[Row], judged: Iterable[Judged], words: Words
) -> pa.Table:
    """Verdicts by limit. A broken phase says nothing good about the phases behind it."""
    judged = list(judged)
    broken = min(
        (
            one.gate.limit["phase"]
            for one in judged
            if one.breach is not None and one.gate.severity == "error"
        ),
        default=None,
    )
    verdicts: dict[str, list[Mapping[str, Any]]] = {limit["gate_id"]: [] for limit in limits}
    for one in judged:
        limit = one.gate.limit
        verdicts[limit["gate_id"]].append(
            {
                "gate_id": one.gate.gate_id,
                "system_id": one.gate.system_id,
                "subject": one.gate.subject,
                "severity": one.gate.severity,
                "value": one.value,
                "ci_low": one.figure.values.get("ci_low"),
                "ci_high": one.figure.values.get("ci_high"),
                "n": one.figure.n,
                "n_expected": one.figure.n_expected,
                "verdict": one.verdict,
                "breach": one.breach,
                "is_trusted": broken is None or broken >= limit["phase"],
                "null_value": one.null_value,
                "is_passed_by_null": _is_passed_by_null(limit, one.null_value),
                "waiver_reason": one.waiver.reason,
                "waived_until": one.waiver.until,
                **words.of(one),
            }
        )
    rows = [{**limit, "run_id": run_id, "verdicts": verdicts[limit["gate_id"]]} for limit in limits]
    return pa.Table.from_pylist(rows, schema=LIMIT_SCHEMA)
