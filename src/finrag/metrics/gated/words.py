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
    "change": ", change",
    "absolute_change": ", change either way",
    "relative_change": ", relative change",
    "significant_change": ", change beyond chance",
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
        limit_text = _in_unit(limit["limit_value"], unit, is_whole=True) or "what is no number"
        value = _in_unit(judged.value, unit, apart_from=(limit["limit_value"], judged.null_value))
        null = _in_unit(judged.null_value, unit, apart_from=(limit["limit_value"], judged.value))
        bound = f"{'at least' if limit['direction'] == 'min' else 'at most'} {limit_text}"
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
            f" speaks for {n} {'answer' if n == 1 else 'answers'} where "
            f"{judged.figure.n_expected} were expected and {limit['min_n']} are needed"
        ),
        "passed_by_null": f" passes with {value}, and what knows nothing passes too, with {null}",
        "null_unmeasured": f" passes with {value}, but no null was measured to hold it against",
    }
    if judged.breach in said:
        return said[judged.breach]
    is_few = judged.verdict == "too_few"
    if is_few and judged.is_unrecognised:
        return " cannot be measured: no passage that it returned is recognised"
    if is_few:
        measured = "cannot be measured" if value is None else f"is {value}"
        return f" {measured} over too little to tell (n = {n}); it should be {bound}"
    if value is None:
        return f" was not measured; it should be {bound}"
    return f" is {value}, should be {bound}"


def _remedy(judged: Judged, of_measure: str) -> str | None:
    """What to do about a gate that does not pass; the first case that holds decides."""
    measured_in, is_few = judged.gate.limit["measured_in"], judged.verdict == "too_few"
    cases = (
        (judged.verdict == "waived", _WAIVED),
        (is_few and judged.is_unrecognised, _UNRECOGNISED),
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


def _in_unit(
    value: float | None,
    unit: str | None,
    apart_from: Iterable[float | None] = (),
    *,
    is_whole: bool = False,
) -> str | None:
    """A value as a reader sees it; None of what was not measured.

    Args:
        value: the value.
        unit: that of its metric.
        apart_from: values that it must not print like, unless it is one of them: one that misses
            its limit by little has as many digits as it takes.
        is_whole: whether all of its digits are shown.
    """
    if value is None or not math.isfinite(value):
        return None
    scale, least, end = _SCALES.get(unit or "share", _SCORE)
    others = [one for one in apart_from if one is not None and math.isfinite(one) and one != value]
    exact = value * scale
    for digits in range(least, _MOST_DIGITS):
        # Adding 0 makes a zero of a negative one.
        shown = round(exact, digits) + 0.0
        is_near = math.isclose(shown, exact, rel_tol=1e-9, abs_tol=1e-12)
        if (is_near or not is_whole) and all(round(one * scale, digits) != shown for one in others):
            break
    return f"{shown:,.0f}{end}" if unit == "ms" and digits == 0 else f"{shown}{end}"


# By unit: what a value is multiplied by, fewest digits, and what stands behind it.
_SCALES: Final = {"share": (100, 1, " %"), "ms": (1, 0, " ms"), "usd": (1, 3, " USD")}
_SCORE: Final = (1, 3, "")
_MOST_DIGITS: Final = 12
