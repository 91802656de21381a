"""What may be said of a system: the one object that every screen, report and file prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from finrag.warehouse import Row, Warehouse

# The worst first: where several are under test, these are looked at first.
OUTCOMES: Final = (
    "cannot_be_trusted",
    "do_not_release",
    "cannot_tell",
    "release",
    "nothing_under_test",
)
RELEASED, BROKEN, UNDECIDED = 0, 1, 3
_STATUSES: Final = {
    "cannot_be_trusted": BROKEN,
    "do_not_release": BROKEN,
    "cannot_tell": UNDECIDED,
    "release": RELEASED,
    "nothing_under_test": RELEASED,
}
# The words before a gate that needs attention, by what it does if it is broken, the worst first.
KINDS: Final = {"error": "Broken", "warn": "Warning", "reference": "Reference"}
_NOT_BROKEN: Final = {"too_few": "Undecided", "waived": "Waived"}
# A reference that gives a smaller share of the figures asked for is only a floor.
_LEAST_GIVEN: Final = 0.7
# Of fewer figures than that nobody can tell.
_FEWEST_FIGURES: Final = 20
# What is in no mean, and why: counted apart.
BROKEN_OFF: Final = (("n_failed", "failed"), ("n_not_run", "not run"))
_EMPTY: Final = "–"
_VERDICTS: Final = """
select place, system_id, outcome, headline, measured_on
from reports.rpt_overview_verdict
order by place, system_id
"""
_FIGURES: Final = """
select * exclude (run_id)
from reports.rpt_overview_figures
order by system_pos, figure_pos, figure_id
"""
_PUBLIC: Final = """
select
    * exclude (run_id),
    gold_set || ' ' || metric_label as figure_id,
    gold_set || ': ' || metric_label as figure,
    'candidate' as role,
    case when value is null then 'unmeasured' else 'measured' end as status
from reports.rpt_overview_candidates
where is_public
order by system_id, gold_set, metric, k, unit, mode
"""
# A gate on a pair is about its first system.
_PAIRS: Final = "select pair_id, system_a from seeds.system_pairs order by pair_id"
_GATES: Final = """
select *
from reports.rpt_overview_gate_details
order by severity = 'reference', severity, phase, gate_id
"""


@dataclass(frozen=True)
class Verdict:
    """What may be said of a system, or of a warehouse and all systems under test together.

    Attributes:
        system_id: the system; "" for the warehouse.
        outcome: one of ``OUTCOMES``.
        headline: the same as a sentence.
        measured_on: the questions it was measured on, and what limits that, in a sentence or more.
        figures: rows with ``figure``, what it is called, ``value``, ``ci_low``, ``ci_high``, ``n``,
            ``null_value``, that of the strongest null, ``reference_value`` and ``reference_id``,
            and ``is_floor``, whether that reference is only a floor.
        gates: rows of ``gate_verdicts`` in words; of a warehouse all, of a system those that need
            attention, the worst first.
        has_failed_checks: whether a check of the data that it rests on failed.
    """

    system_id: str
    outcome: str
    headline: str
    measured_on: str
    figures: Sequence[Row] = ()
    gates: Sequence[Row] = ()
    has_failed_checks: bool = False

    @property
    def status(self) -> int:
        """The exit status: 0 for release or nothing under test, 1 for not, 3 for cannot tell.

        A broken error gate or a check that failed is 1, whatever is said beside it.
        """
        is_broken = self.has_failed_checks or any(map(is_red, self.gates))
        return BROKEN if is_broken else _STATUSES[self.outcome]


T = TypeVar("T", bound=Verdict)


def heeding(verdict: T, failed: Sequence[str]) -> T:
    """The verdict where checks of the last build failed: nothing good is said beside them.

    Args:
        verdict: what the warehouse shows.
        failed: names of these checks.
    """
    if not failed or verdict.status == BROKEN:
        return verdict
    more = f" and {len(failed) - 1} more" if len(failed) > 1 else ""
    why = f"a check of the last build failed ({failed[0]}{more}); mend that and build again."
    whom = verdict.system_id
    start = f"Do not release {whom}" if whom else "The warehouse cannot be trusted"
    outcome = "do_not_release" if whom else "cannot_be_trusted"
    return replace(verdict, headline=f"{start}: {why}", outcome=outcome, has_failed_checks=True)


def read_verdicts(warehouse: Warehouse, failed: Sequence[str] = ()) -> list[Verdict]:
    """The verdicts of a build: that of the warehouse, then one per candidate by id.

    Figures of a candidate are those on the filings, then those of public sets. With nothing under
    test the warehouse has those of the best reference, otherwise none of its own.

    Args:
        warehouse: that of the build.
        failed: names of data checks that the build did not pass.
    """
    gates = warehouse.rows(_GATES)
    on_filings = warehouse.rows(_FIGURES)
    floors = floors_of(on_filings)
    for row in on_filings:
        row["is_floor"] = row["reference_id"] in floors
    figures = [*on_filings, *warehouse.rows(_PUBLIC)]
    references = [row["system_id"] for row in figures if row["role"] == "reference"]
    found = []
    about = {row["pair_id"]: row["system_a"] for row in warehouse.rows(_PAIRS)}
    rows = warehouse.rows(_VERDICTS)
    for row in rows:
        system_id = row["system_id"]
        of_gates = gates
        if system_id:
            of_gates = [
                gate
                for gate in gates
                if about.get(gate["system_id"], gate["system_id"]) == system_id
                and kind_of(gate) is not None
            ]
        shown = system_id or next(iter(references), "")
        is_shown = bool(system_id) or len(rows) == 1
        said = (row["outcome"], row["headline"], row["measured_on"])
        own = [figure for figure in figures if is_shown and figure["system_id"] == shown]
        found.append(heeding(Verdict(system_id, *said, own, of_gates), failed))
    return found


def floors_of(figures: Iterable[Row]) -> frozenset[str]:
    """Systems that decline so many figures that they are floors, and no references.

    Args:
        figures: rows with ``system_id``, ``figure_id``, ``n`` and ``n_asked``.
    """
    return frozenset(
        row["system_id"]
        for row in figures
        if row["figure_id"] == "numeric_within_tolerance"
        and (row["n_asked"] or 0) >= _FEWEST_FIGURES
        and (row["n"] or 0) < _LEAST_GIVEN * row["n_asked"]
    )


def is_red(gate: Mapping[str, Any]) -> bool:
    """Whether a gate is broken and stops a release."""
    return gate["breach"] is not None and gate["severity"] == "error"


def kind_of(gate: Mapping[str, Any]) -> str | None:
    """The word before a gate that needs attention; None of one that does not."""
    if gate["breach"] is None:
        return _NOT_BROKEN.get(gate["verdict"])
    return KINDS[gate["severity"]]


def interval_of(row: Mapping[str, Any]) -> str:
    """A figure with its 95 % interval."""
    if row["value"] is None:
        return "not measured"
    value = f"{row['value']:.3f}"
    if row["ci_low"] is None or row["ci_high"] is None:
        return value
    if row["ci_low"] == row["ci_high"]:
        return f"{value} (all alike)"
    return f"{value} [{row['ci_low']:.3f}, {row['ci_high']:.3f}]"


def figure_line(row: Mapping[str, Any]) -> str:
    """A figure in a line: its interval, its questions, the strongest null, the best reference."""
    n, n_asked = row["n"] or 0, row.get("n_asked")
    counted = f"n = {n:,}"
    if row["value"] is not None and n_asked not in (None, n):
        broken_off = [f"{row[name]:,} {word}" for name, word in BROKEN_OFF if row.get(name)]
        counted += f" of {n_asked:,}{': ' if broken_off else ''}{', '.join(broken_off)}"
    null = _EMPTY if row["null_value"] is None else f"{row['null_value']:.3f}"
    gain = f" (gain {row['band']})" if row.get("band") else ""
    best = "no reference measured"
    if row["reference_value"] is not None:
        over = f" over {row['reference_n']:,}" if row.get("reference_n") else ""
        what = "floor" if row.get("is_floor") else "best reference"
        best = f"{what} {row['reference_value']:.3f} {row['reference_id']}{over}"
    figures = f"{interval_of(row)} ({counted}); null {null}{gain}, {best}"
    return f"{row['figure']}: {figures}"
