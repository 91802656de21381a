"""Verdicts of gates in words: what was measured, what it should be, and what to do about it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final

import pyarrow as pa

from finrag.metrics.gated.expected import Row
from finrag.metrics.gated.judged import Judged

WORDS: Final = (
    "gate_label",
    "statement",
    "value_text",
    "limit_text",
    "null_text",
    "remedy",
    "page",
)
_HEADLINE_SLICES: Final = ("overall", "sound")
_OF_CORPUS: Final = ("corpus", "gold")
_ABOVE_STRONGEST: Final = "strongest"
_STATISTICS: Final = {
    "ci_low": ", lower bound",
    "ci_high": ", upper bound",
    "ci_low_above_null": " above its strongest null, lower bound",
}
_EXCUSES: Final = {
    "baseline_known": "no baseline holds a figure to compare it with",
    "scorer_is": "its limit is for another scoring model, or none runs",
    "scorer_is_not": "its limit is for another scoring model, or none runs",
    "spaces_loaded": "tables and pages are not loaded",
    "lines_loaded": "the filings bring no table of revenue",
    "routes_loaded": "no filing tags its lines of revenue",
    "lines_labelled": (
        "no line of revenue of these filings is labelled, or the system does not run"
    ),
    "lines_compared": "no baseline holds descriptions to compare with",
}
_EXCUSED: Final = "what it judges is not part of this run"
_REMEDIES: Final = {
    "passed_by_null": "Raise the limit above what the null scores, or judge another metric.",
    "null_unmeasured": "Run the null of the same regime, or say why this gate needs none.",
    "too_few_answers": "Find out why the system declines or fails so often.",
    "unmeasured": (
        "Build all that the gate reads, with the system and scoring model it names; a gate that "
        "is not measured does not pass."
    ),
}
_WAIVED: Final = "Fix it before the waiver ends; afterwards the gate is broken again."
_UNRECOGNISED: Final = "Return passages by their id in sentences.passages, or by their whole text."
_MORE: Final = "Add filings or questions until there is enough to tell."
_BASELINE: Final = "See what changed since the baseline; if it is intended, set a new baseline."
_GOLD: Final = "Fix the questions and anchors first: no system can pass this gate."
_PAIR: Final = "Compare both systems item by item; the gain may not be there."
_HARDEST: Final = "Open the hardest items of this gate and see what they have in common."


class Words:
    """What gates are called, and what is said of them."""

    def __init__(self, metrics: pa.Table, measures: pa.Table, pairs: pa.Table) -> None:
        """Read the names.

        Args:
            metrics: ``metric_catalogue``: its key, ``phrase``, ``value_unit``, ``page`` and
                ``remedy``.
            measures: ``gate_measures``, what gates judge of the machinery, with the same columns.
            pairs: ``system_pairs``.
        """
        self._metrics, self._measures = _by_measure(metrics), _by_measure(measures)
        self._pairs = {row["pair_id"]: row for row in pairs.to_pylist()}

    def of(self, judged: Judged) -> dict[str, str | None]:
        """The words on a gate, by the names of ``WORDS``.

        A text is None where there is nothing to say: of a value that was not measured, of a null
        that none is held against, and of a gate that needs no remedy.
        """
        limit, key = judged.gate.limit, judged.gate.measure
        measure = self._measures.get(key) or self._metrics.get(key) or {}
        label = self._label(judged, measure)
        unit = "share" if limit["statistic"] == "relative_change" else measure.get("value_unit")
        value, null = _in_unit(judged.value, unit), _in_unit(judged.null_value, unit)
        if value is not None and value == _in_unit(limit["limit_value"], unit):
            # A value that misses its limit by little must not print like the limit.
            value = _in_unit(judged.value, unit, is_close=judged.value != limit["limit_value"])
        relation = "at least" if limit["direction"] == "min" else "at most"
        bound = f"{relation} {_in_unit(limit['limit_value'], unit)}"
        return {
            "gate_label": label,
            "statement": label + _state(judged, value, null, bound),
            "value_text": value,
            "limit_text": bound,
            "null_text": null,
            "remedy": _remedy(judged, measure.get("remedy") or ""),
            "page": _page(judged, measure.get("page"), is_of_machinery=key in self._measures),
        }

    def _label(self, judged: Judged, measure: Row) -> str:
        """What is measured, of whom, on which slice, and what it is held against."""
        limit, system_id = judged.gate.limit, judged.gate.system_id
        # A gate on a pair of systems speaks of the first of them.
        pair = self._pairs.get(system_id, {})
        whom = pair.get("system_a", system_id)
        whom = f"the {whom}" if system_id in _OF_CORPUS else whom
        of_slice = f" ({limit['slice_value'].replace('_', ' ')})"
        named = measure.get("phrase") or limit["metric"].replace("_", " ")
        against = {
            "comparisons": f" above {pair.get('system_b', 'its rival')}",
            "floors": (
                " above its strongest null"
                if limit["null_kind"] == _ABOVE_STRONGEST
                else f" above its null, {(limit['null_kind'] or '').replace('_', ' ')}"
            ),
            "drifts": " against the baseline",
        }
        return (
            f"{named} of {whom}"
            f"{'' if limit['slice_name'] in _HEADLINE_SLICES else of_slice}"
            f"{against.get(limit['measured_in'], '')}"
            f"{_STATISTICS.get(limit['statistic'], '')}"
        )


def _by_measure(rows: pa.Table) -> dict[tuple[str, int, str, str], Row]:
    names = ("metric", "k", "unit", "mode", "phrase", "value_unit", "page", "remedy")
    listed: Iterable[Row] = rows.select(names).to_pylist()
    return {(row["metric"], row["k"], row["unit"], row["mode"]): row for row in listed}


def _state(judged: Judged, value: str | None, null: str | None, bound: str) -> str:
    """What became of a gate, behind its label."""
    limit, n = judged.gate.limit, judged.figure.n
    if judged.verdict == "not_applicable":
        return f" is not judged: {_EXCUSES.get(limit['applies_when'], _EXCUSED)}"
    said: Mapping[str | None, str] = {
        "too_few_answers": (
            f" speaks for {n} answers where {judged.figure.n_expected} were expected and "
            f"{limit['min_n']} are needed"
        ),
        "passed_by_null": f" passes with {value}, and what knows nothing passes too, with {null}",
        "null_unmeasured": f" passes with {value}, but no null was measured to hold it against",
    }
    if judged.breach in said:
        return said[judged.breach]
    is_few = judged.verdict == "too_few"
    if value is None:
        return (
            " cannot be measured: no passage that it returned is recognised"
            if is_few
            else f" was not measured; it should be {bound}"
        )
    if is_few:
        return f" is {value} over too little to tell (n = {n}); it should be {bound}"
    return f" is {value}, should be {bound}"


def _remedy(judged: Judged, of_measure: str) -> str | None:
    """What to do about a gate that does not pass; the first case that holds decides."""
    measured_in, is_few = judged.gate.limit["measured_in"], judged.verdict == "too_few"
    cases = (
        (judged.verdict == "waived", _WAIVED),
        (is_few and judged.value is None, _UNRECOGNISED),
        (is_few, _MORE),
        (judged.breach is None, None),
        (judged.breach in _REMEDIES, _REMEDIES.get(judged.breach or "")),
        (measured_in == "drifts", _BASELINE),
        (bool(of_measure), of_measure),
        (judged.gate.system_id == "gold", _GOLD),
        (measured_in == "comparisons", _PAIR),
    )
    return next((remedy for holds, remedy in cases if holds), _HARDEST)


def _page(judged: Judged, of_measure: str | None, *, is_of_machinery: bool) -> str | None:
    """The page of the dashboard that shows what a gate judges."""
    if is_of_machinery:
        return of_measure
    pages = {"drifts": "/runs", "comparisons": "/compare"}
    return pages.get(judged.gate.limit["measured_in"], of_measure)


def _in_unit(value: float | None, unit: str | None, *, is_close: bool = False) -> str | None:
    """A value as a reader sees it; None of what was not measured."""
    if value is None or not math.isfinite(value):
        return None
    if unit == "ms":
        return f"{value:,.0f} ms"
    if unit not in (None, "share"):
        return str(round(value, 6 if is_close else 3))
    return f"{round(100 * value, 4 if is_close else 1)} %"
