"""What may be said of a release: of the whole warehouse, then of each candidate.

A waiver keeps a build green and lets nothing be released; too few questions excuse nothing either.
Nothing here is better for a gate that is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from finrag.metrics.gated.expected import CANDIDATE, Row
from finrag.metrics.gated.headlines import Ground, of_candidate, of_warehouse
from finrag.records.columns import nullable, required
from finrag.systems.gates import FILINGS_SETS

CANNOT_BE_TRUSTED: Final = "cannot_be_trusted"
NOTHING_UNDER_TEST: Final = "nothing_under_test"
DO_NOT_RELEASE: Final = "do_not_release"
CANNOT_TELL: Final = "cannot_tell"
RELEASE: Final = "release"
RELEASE_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), "run_id", "subject", "system_id"),
        *nullable(pa.string(), "system_version"),
        *required(pa.string(), "headline"),
        *required(pa.int64(), "n_broken", "n_undecided", "n_met"),
        *nullable(pa.int64(), "n_needed"),
        *nullable(pa.string(), "first_gate_id", "first_warning_id"),
        *required(pa.string(), "ungated", "statement", "measured_on"),
    ]
)
# The ground that all figures stand on.
_GROUND: Final = ("corpus", "gold", "index")
# That a system is fast says nothing about what it answers, and a few answers that a person read
# do not speak for all.
_SAYING_LITTLE: Final = ("times", "marked")
# What an error gate should judge of a candidate.
_GATED: Final[dict[str, Callable[[Row], bool]]] = {
    "answers": lambda gate: gate["capability"] == "answers",
    "citations": lambda gate: gate["capability"] == "cites",
    "rankings": lambda gate: gate["capability"] == "ranks",
    "work on the filings": lambda gate: gate["gold_set"] in FILINGS_SETS,
}


@dataclass(frozen=True)
class _Tally:
    """Error gates by what became of them, and warnings that are broken, each in its order."""

    broken: Sequence[Row]
    undecided: Sequence[Row]
    met: Sequence[Row]
    warnings: Sequence[Row]
    ungated: str


@dataclass(frozen=True)
class Released:
    """What headlines are made of, as tables.

    Attributes:
        run: one row: ``run_id``, ``corpus``, ``encoder``, ``n_questions`` and ``n_sound``.
        verdicts: ``gate_verdicts``.
        systems: ``system_id`` and ``role`` of those that run.
        pairs: ``system_pairs``: a gate on a pair is about its first system.
        versions: ``system_id`` and ``system_version`` of what was measured.
        asked: ``system_id`` and ``gold_set`` of what systems were asked.
        returned: ``returned_passages``: passages of outside systems by gold set.
    """

    run: pa.Table
    verdicts: pa.Table
    systems: pa.Table
    pairs: pa.Table
    versions: pa.Table
    asked: pa.Table
    returned: pa.Table


def decide_releases(known: Released) -> pa.Table:
    """Decide what may be released, and say so.

    Returns:
        A row for the warehouse, whose headline is the worst of its candidates, then one for each
        candidate by id, under ``RELEASE_SCHEMA``.
    """
    (run,) = known.run.to_pylist()
    ground = Ground(*(run[name] for name in ("corpus", "encoder", "n_questions", "n_sound")))
    gates = sorted(known.verdicts.to_pylist(), key=lambda row: (row["phase"], row["gate_id"]))
    by_id = {gate["gate_id"]: gate for gate in gates}
    version_of = {row["system_id"]: row["system_version"] for row in known.versions.to_pylist()}
    asked, returned = known.asked.to_pylist(), known.returned.to_pylist()
    about = {row["pair_id"]: row["system_a"] for row in known.pairs.to_pylist()}
    of_all = _tallied([gate for gate in gates if gate["subject"] in _GROUND])
    rows = []
    for system_id in sorted(
        row["system_id"] for row in known.systems.to_pylist() if row["role"] == CANDIDATE
    ):
        of_system = [
            gate for gate in gates if about.get(gate["system_id"], gate["system_id"]) == system_id
        ]
        tally = _tallied(of_system)
        row = {
            "subject": CANDIDATE,
            "system_id": system_id,
            "system_version": version_of.get(system_id),
            "headline": _headline(of_all, tally),
            **_counted(tally),
            "n_needed": next(filter(None, map(_needed, tally.undecided)), None),
            "first_gate_id": _first(tally.broken) or _first(tally.undecided),
            "first_warning_id": _first(tally.warnings),
            "ungated": tally.ungated,
        }
        first = by_id.get(row["first_gate_id"], {})
        given = [one for one in returned if one["system_id"] == system_id]
        of_set = next((one for one in given if one["gold_set"] == first.get("gold_set")), None)
        sets = {one["gold_set"] for one in asked if one["system_id"] == system_id}
        # More questions help the gate that is named, and passages those that need them.
        named = {**row, "n_needed": _needed(first) if first else None}
        of_passages = of_set if first.get("capability") != "answers" else None
        row["statement"] = of_candidate(named, first.get("statement"), of_passages)
        warning = by_id.get(row["first_warning_id"], {}).get("statement")
        row["measured_on"] = ground.sentence(sets, given, tally.ungated, warning)
        rows.append(row)
    outcome, first_id = _worst(of_all, [row["headline"] for row in rows]), _first(of_all.broken)
    candidates = {row["system_id"] for row in rows}
    sets = {one["gold_set"] for one in asked if one["system_id"] in candidates}
    warehouse = {
        "subject": "warehouse",
        "system_id": "",
        "headline": outcome,
        **_counted(of_all),
        "first_gate_id": first_id,
        "ungated": "",
        "statement": of_warehouse(
            outcome,
            len(of_all.broken),
            by_id[first_id]["statement"] if first_id else "",
            [row["headline"] == RELEASE for row in rows],
        ),
        "measured_on": ground.sentence(sets if rows else FILINGS_SETS),
    }
    found = [{"run_id": run["run_id"], **row} for row in (warehouse, *rows)]
    return pa.Table.from_pylist(found, schema=RELEASE_SCHEMA)


def _tallied(gates: Sequence[Row]) -> _Tally:
    errors = [gate for gate in gates if gate["severity"] == "error"]
    compared = [gate for gate in errors if gate["verdict"] != "not_applicable"]
    return _Tally(
        broken=[gate for gate in errors if gate["breach"] or gate["verdict"] == "waived"],
        undecided=[gate for gate in errors if gate["verdict"] == "too_few"],
        met=[
            gate
            for gate in errors
            if gate["verdict"] == "pass" and gate["capability"] not in _SAYING_LITTLE
        ],
        warnings=[gate for gate in gates if gate["severity"] == "warn" and gate["breach"]],
        ungated=", ".join(
            name for name, judges in _GATED.items() if not any(map(judges, compared))
        ),
    )


def _counted(tally: _Tally) -> dict[str, Any]:
    return {
        "n_broken": len(tally.broken),
        "n_undecided": len(tally.undecided),
        "n_met": len(tally.met),
    }


def _first(gates: Sequence[Row]) -> str | None:
    return gates[0]["gate_id"] if gates else None


def _needed(gate: Row) -> int | None:
    """Further questions that a gate needs; of what could not be measured at all more are no use."""
    n, least = gate["n"], gate["min_n"]
    return least - n if n is not None and 0 < n < least else None


def _headline(ground: _Tally, tally: _Tally) -> str:
    """Of a candidate, the worst first; of a warehouse that does not hold nothing else is said."""
    if ground.broken:
        return CANNOT_BE_TRUSTED
    if tally.broken:
        return DO_NOT_RELEASE
    return CANNOT_TELL if tally.undecided or not tally.met else RELEASE


def _worst(ground: _Tally, headlines: Sequence[str]) -> str:
    """Of the warehouse: what its worst candidate shows."""
    if ground.broken:
        return CANNOT_BE_TRUSTED
    if not headlines:
        return NOTHING_UNDER_TEST
    return next(one for one in (DO_NOT_RELEASE, CANNOT_TELL, RELEASE) if one in headlines)
