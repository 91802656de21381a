"""A run with limits and what was measured for them, for tests of gates."""

import datetime

import pyarrow as pa

from finrag.metrics.gates import Known, check_gates

TEXT, WHOLE, NUMBER, FLAG = pa.string(), pa.int64(), pa.float64(), pa.bool_()
DAY = datetime.date(2026, 3, 31)
_PLACE = {
    **dict.fromkeys(("run_id", "system_id", "gold_set", "slice_name", "slice_value"), TEXT),
    **{"metric": TEXT, "k": WHOLE, "unit": TEXT, "mode": TEXT},
}
_MEAN = dict.fromkeys(("mean", "ci_low", "ci_high"), NUMBER)
LIMIT = {
    **dict.fromkeys(("gate_id", "phase", "corpus", "measured_in"), TEXT),
    **{name: kind for name, kind in _PLACE.items() if name != "run_id"},
    **dict.fromkeys(("null_kind", "statistic", "direction", "severity"), TEXT),
    **dict.fromkeys(("applies_when", "scorer", "capability", "subject"), TEXT),
    **{"limit_value": NUMBER, "min_n": WHOLE, "min_clusters": WHOLE},
    **{"is_held_against_null": FLAG, "rationale": TEXT, "set_by": TEXT, "set_on": pa.date32()},
}
_NAMED = dict.fromkeys(("phrase", "value_unit", "page", "remedy"), TEXT)
WAIVER = {"gate_id": TEXT, "reason": TEXT, "set_on": pa.date32(), "expires_on": pa.date32()}
SCHEMAS = {
    "run": {"run_id": TEXT, "corpus": TEXT, "n_questions": WHOLE},
    "systems": {
        **dict.fromkeys(("system_id", "system_kind", "role", "regime"), TEXT),
        **{"answerer": TEXT, "answer_sets": TEXT, "encoder": TEXT, "is_null": FLAG},
    },
    "pairs": dict.fromkeys(("pair_id", "system_a", "system_b"), TEXT),
    "line_systems": dict.fromkeys(("system_id", "role"), TEXT),
    "metrics": {
        **dict.fromkeys(("metric", "unit", "mode", "applies_to", "capability"), TEXT),
        **{"measured_by": TEXT, "k": WHOLE, "needs_gold": FLAG},
        **_NAMED,
    },
    "measures": {"metric": TEXT, "k": WHOLE, "unit": TEXT, "mode": TEXT, **_NAMED},
    "scorers": {"metric": TEXT, "model": TEXT, "is_configured": FLAG},
    "summaries": {
        **_PLACE,
        **_MEAN,
        **dict.fromkeys(("n_asked", "n_evaluated", "n_abstained", "n_failed"), WHOLE),
        **dict.fromkeys(("n_not_run", "n_clusters"), WHOLE),
    },
    "comparisons": {
        **{name: kind for name, kind in _PLACE.items() if name != "system_id"},
        **{"pair_id": TEXT, "mean_difference": NUMBER, "ci_low": NUMBER, "ci_high": NUMBER},
        **dict.fromkeys(("n_items", "n_missing_b", "n_clusters"), WHOLE),
    },
    "floors": {
        **_PLACE,
        **{"null_kind": TEXT, "n": WHOLE},
        **dict.fromkeys(("score", "distance", "null_mean"), NUMBER),
    },
    "drifts": {
        **_PLACE,
        **{"n": WHOLE, "baseline_n": WHOLE, "is_comparable": FLAG, "is_beyond_interval": FLAG},
        **dict.fromkeys(("mean", "change", "relative_change"), NUMBER),
    },
    "costs": {
        **{"run_id": TEXT, "system_id": TEXT, "gold_set": TEXT, "n_items": WHOLE, "n_timed": WHOLE},
        **dict.fromkeys(("latency_p50_ms", "latency_p95_ms", "cost_usd_per_query"), NUMBER),
    },
    "returned": {"system_id": TEXT, "gold_set": TEXT, "n_recognised": WHOLE},
    "cells": {"cell_id": TEXT},
    "totals": {"verdict": TEXT, "route": TEXT},
    "labels": {"item_id": TEXT},
    "described": {"system_id": TEXT, "coverage_before": NUMBER},
}
# Of figures and limits, unless a test says otherwise.
_USUAL = {
    **{"run_id": "r", "system_id": "s", "gold_set": "p3", "slice_name": "sound"},
    **{"slice_value": "all", "metric": "right", "k": 0, "unit": "answer", "mode": "finrag"},
}


def gate(gate_id, **fields):
    """A limit: at least 0.8 of the mean over 30 items."""
    return {
        **{name: value for name, value in _USUAL.items() if name != "run_id"},
        **{"gate_id": gate_id, "phase": "P3", "corpus": "any", "measured_in": "summaries"},
        **{"statistic": "mean", "direction": "min", "limit_value": 0.8, "min_n": 30},
        **{"min_clusters": 1, "severity": "error", "applies_when": "always"},
        **{"subject": "corpus", "is_held_against_null": False, "rationale": "so"},
        **fields,
    }


def figure(mean=None, n=100, **fields):
    """A summary, or the mean of another kind of figure, over items that were all evaluated."""
    counts = {"n_asked": n, "n_evaluated": n, "n_abstained": 0, "n_failed": 0, "n_not_run": 0}
    return {**_USUAL, "mean": mean, "n": n, **counts, **fields}


def questions(n=9, share=1.0, kind="with_evidence", **fields):
    """A count of questions: of so many a share has evidence, or is of a type."""
    return figure(share, n, **{"metric": f"questions_{kind}", "unit": "any", **fields})


def table(columns, rows):
    """Rows under a schema; what it does not name is left out."""
    return pa.Table.from_pylist(list(rows), pa.schema(list(columns.items())))


def known(**rows):
    """What is known of a run, by table; a table that is not given has no rows."""
    given = {"run": [{"run_id": "r", "corpus": "sample", "n_questions": 4}], **rows}
    return Known(**{name: table(kinds, given.get(name, ())) for name, kinds in SCHEMAS.items()})


def check_limits(gates, waivers=(), today=DAY, **rows):
    """The table of the function."""
    return check_gates(table(LIMIT, gates), table(WAIVER, waivers), known(**rows), today)


def check(gates, waivers=(), today=DAY, **rows):
    """Verdicts by gate."""
    limits = check_limits(gates, waivers, today, **rows).to_pylist()
    return {one["gate_id"]: one for limit in limits for one in limit["verdicts"]}


def column(name, verdicts):
    """One column of verdicts, by gate."""
    return {gate_id: one[name] for gate_id, one in verdicts.items()}
