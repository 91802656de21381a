"""The last screen of a build or a run: at most 15 lines, of what decides.

Nothing is read here: what stands in rows of the warehouse becomes lines that fit.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

Row = Mapping[str, Any]

LINES: Final = 15
COLUMNS: Final = 100
# What an exit status means.
STATUSES: Final = {
    0: "release, nothing under test, or undecided where allow_undecided is true",
    1: "a candidate cannot be released, or a gate or step is broken",
    2: "the build could not run",
    3: "too little was measured to tell, or no error gate applies",
}
ALL: Final = "finrag summary --all"
# Figures that a system is shown by, the first three that it should have.
_FIGURES: Final = (
    "answer_accuracy",
    "evidence_recall_at_10",
    "citation_correctness",
    "numeric_within_tolerance",
    "answered",
    "self_at_1_tie_aware",
)
_FIGURES_SHOWN: Final = 3
# A reference that gives a smaller share of the figures asked for is only a floor.
_LEAST_GIVEN: Final = 0.7
_CANDIDATES_SHOWN: Final = 2
_GATES_SHOWN: Final = 3
# Lines that a sentence may take, those of what it was measured on, and those left for gates.
_HEIGHTS: Final = ((3, 3, 2), (2, 3, 2), (2, 2, 2), (1, 2, 1), (1, 1, 1))
# The worst first: where several are under test, these are looked at first.
_WORST: Final = ("cannot_be_trusted", "do_not_release", "cannot_tell", "release")
# The words before a gate that is broken, by what that does, the worst first.
_KINDS: Final = {
    "error": "Broken",
    "warn": "Warning",
    "reference": "Reference",
}
_VERDICTS: Final = {
    "pass": "pass",
    "reference": "of reference systems below their limits",
    "too_few": "with too few items to tell",
    "unmeasured": "not measured",
    "waived": "waived",
    "not_applicable": "not applicable",
}


@dataclass(frozen=True)
class Screen:
    """What a screen shows, in this order.

    Attributes:
        verdicts: sentences, each with what it was measured on.
        facts: the corpus, or what was asked of it, a line each.
        figures: lines of figures.
        gates: a line for each broken gate, the worst first; where none is, how many pass, and a
            line for each that a reference system misses.
        notes: what else is wrong, a line each.
        rest: where gates are listed that did not fit.
        places: what to open next, a line each.
        status: the exit status.
    """

    verdicts: tuple[tuple[str, str], ...]
    facts: tuple[str, ...]
    figures: tuple[str, ...]
    gates: tuple[str, ...]
    places: tuple[str, ...]
    status: int
    notes: tuple[str, ...] = ()
    rest: str = ALL


def screen_lines(screen: Screen) -> list[str]:
    """The lines of a screen: at most ``LINES``, none wider than ``COLUMNS``.

    Sentences take as many lines as are left; broken gates that do not fit are counted.
    """
    above = [shorten(line) for line in (*screen.facts, *screen.figures)]
    last = f"Exit status {screen.status}: {STATUSES[screen.status]}."
    below = [shorten(line) for line in (*screen.notes, *screen.places, last)]
    n_fixed = len(above) + len(below)
    said: list[str] = []
    for height, height_measured, n_gates in _HEIGHTS:
        said = []
        for sentence, measured_on in screen.verdicts:
            said += _wrapped(sentence, height, "")
            said += _wrapped(measured_on, height_measured, "  ")
        if len(said) + n_fixed + min(len(screen.gates), n_gates) <= LINES:
            break
    gates = _gates(screen.gates, LINES - len(said) - n_fixed, screen.rest)
    return [*said, *above, *gates, *below]


def screen_of(
    verdicts: Sequence[Row],
    corpus: Row,
    figures: Sequence[Row],
    public: Sequence[Row],
    gates: Sequence[Row],
    rejections: Sequence[Row],
    places: Sequence[str],
    status: int,
) -> Screen:
    """The screen of a build.

    Args:
        verdicts: rows of ``rpt_overview_verdict``, that of the warehouse first.
        corpus: the row of ``rpt_overview_corpus``.
        figures: rows of ``rpt_overview_figures``, the best system first.
        public: rows of ``rpt_overview_candidates`` on public sets.
        gates: rows of ``rpt_overview_gate_details``, error gates first.
        rejections: records that were not used, or not as given, by system.
        places: what to open next.
        status: the exit status.
    """
    first, *candidates = verdicts
    candidates.sort(key=lambda row: (_WORST.index(row["outcome"]), row["system_id"]))
    named = [row["system_id"] for row in candidates]
    table: list[str] = []
    if first["outcome"] == "nothing_under_test":
        best = next((row["system_id"] for row in figures if row["role"] == "reference"), None)
        measured = [row for row in figures if row["status"] == "measured"]
        table = figure_table([] if best is None else [best], measured, True, floors_of(figures))
    elif first["outcome"] != "cannot_be_trusted":
        shown = [*figures, *_as_figures(public)]
        table = figure_table(named[:_CANDIDATES_SHOWN], shown, floors=floors_of(figures))
    broken = sorted(
        (gate for gate in gates if gate["breach"] is not None),
        key=lambda gate: ([*_KINDS].index(gate["severity"]), gate["system_id"] not in named),
    )
    is_broken = any(gate["severity"] != "reference" for gate in broken)
    return Screen(
        verdicts=tuple(_verdicts(first, candidates)),
        facts=(_corpus(corpus),),
        figures=tuple(table),
        gates=(*(() if is_broken else (_counted(gates),)), *map(gate_line, broken)),
        places=tuple(places),
        status=status,
        notes=(rejected(rejections),) if rejections else (),
    )


def floors_of(figures: Sequence[Row]) -> frozenset[str]:
    """Systems that decline so many figures that they are floors, and no references.

    Args:
        figures: rows of ``rpt_overview_figures``.
    """
    return frozenset(
        row["system_id"]
        for row in figures
        if row["figure_id"] == "numeric_within_tolerance"
        and (row["n"] or 0) < _LEAST_GIVEN * (row["n_asked"] or 0)
    )


def figure_table(
    systems: Sequence[str],
    figures: Sequence[Row],
    is_reference: bool = False,
    floors: Collection[str] = (),
) -> list[str]:
    """Figures of systems above those of the best reference and of the strongest null.

    The word for what lies above the null stands beside the null, where one system is shown.

    Args:
        systems: those that are shown, in this order.
        figures: rows of ``rpt_overview_figures``.
        is_reference: whether the system that is shown is a reference itself.
        floors: references that are named as floors.
    """
    rows = {
        (row["system_id"], row["figure_id"]): row
        for row in figures
        if row["system_id"] in systems and row["status"] != "not_applicable"
    }
    order = [*_FIGURES, *sorted({name for _, name in rows} - {*_FIGURES, "p2_coverage"})]
    shown = [name for name in order if any((one, name) in rows for one in systems)]
    shown = shown[:_FIGURES_SHOWN]
    if not shown:
        return []
    width = 25 if len(systems) == 1 else 22
    columns = [[rows[one, name] for one in systems if (one, name) in rows] for name in shown]

    def line(label: str, cells: Sequence[str]) -> str:
        first = COLUMNS - width * _FIGURES_SHOWN
        padded = [f"{shorten(cell, width - 2):<{width}}" for cell in cells]
        return "".join([f"{shorten('  ' + label, first - 1):<{first}}", *padded]).rstrip()

    lines = [
        line(
            "for reference" if is_reference else "candidate",
            [column[0]["figure"] for column in columns],
        )
    ]
    for one in systems:
        lines.append(line(one, [_value(rows.get((one, name))) for name in shown]))
    rivals = "best of the others" if is_reference else "best reference"
    lines.append(line(rivals, [_reference(column, floors) for column in columns]))
    is_single = len(systems) == 1
    label = "null; gain over it" if is_single else "strongest null"
    return [*lines, line(label, [_null(column, is_single) for column in columns])]


def gate_line(gate: Row) -> str:
    """A broken gate with its value, its limit and its page; a long name is cut off, no figure."""
    kind = _KINDS[gate["severity"]]
    rest = f"{gate['statement'].removeprefix(gate['gate_label'])} ({gate['page']})"
    room = COLUMNS - len(kind) - 2 - len(rest)
    return f"{kind}: {shorten(gate['gate_label'], max(room, 12))}{rest}"


def rejected(rejections: Sequence[Row]) -> str:
    """Records of systems that were not used or not as given, counted in a sentence.

    Args:
        rejections: ``system_id``, ``n_unused`` and ``n_used_in_part`` of each.
    """
    n_unused = sum(row["n_unused"] for row in rejections)
    n_in_part = sum(row["n_used_in_part"] for row in rejections)
    n_records = n_unused or n_in_part
    one = len(rejections) == 1
    whose = rejections[0]["system_id"] if one else f"{len(rejections)} systems"
    was = "was" if n_records == 1 else "were"
    fate = "not used" if n_unused else "not used as given"
    also = f", {n_in_part:,} not as given" if n_unused and n_in_part else ""
    return (
        f"{_number(n_records, 'record')} of {whose} {was} {fate}{also}; "
        "see retrieval.external_rejections"
    )


def shorten(text: str, width: int = COLUMNS) -> str:
    """The text in at most so many characters, with … where something is missing."""
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def _verdicts(first: Row, candidates: Sequence[Row]) -> list[tuple[str, str]]:
    """One for what is under test; where several are, one for all and one for each of the worst."""
    if first["outcome"] in ("cannot_be_trusted", "nothing_under_test") or not candidates:
        return [(first["headline"], first["measured_on"])]
    if len(candidates) == 1:
        return [(candidates[0]["headline"], candidates[0]["measured_on"])]
    n_hidden = len(candidates) - _CANDIDATES_SHOWN
    more = f" The worst follow, {n_hidden} more: {ALL}." if n_hidden > 0 else ""
    said = [(f"{first['headline']}{more}", first["measured_on"])]
    for row in candidates[:_CANDIDATES_SHOWN]:
        caveat = row["measured_on"].removeprefix(first["measured_on"]).strip()
        said.append((f"{row['headline']} {caveat}".strip(), ""))
    return said


def _wrapped(text: str, height: int, indent: str) -> list[str]:
    return textwrap.wrap(
        text,
        COLUMNS,
        initial_indent=indent,
        subsequent_indent="  ",
        max_lines=height,
        placeholder=" …",
    )


def _gates(lines: Sequence[str], room: int, rest: str) -> list[str]:
    n_shown = min(_GATES_SHOWN, len(lines), room)
    if n_shown == len(lines):
        return [shorten(line) for line in lines]
    if n_shown == room:
        n_shown -= 1
    n_hidden = len(lines) - n_shown
    what = f"and {n_hidden} more" if n_shown else f"{n_hidden} gates need attention"
    more = [f"{'  ' if n_shown else ''}{what}: {rest}"] if room > 0 else []
    return [*(shorten(line) for line in lines[: max(n_shown, 0)]), *more]


def _corpus(corpus: Row) -> str:
    n_quarantined = corpus["n_quarantined"]
    aside = f"; {n_quarantined:,} of {corpus['n_records']:,} records could not be read"
    return (
        f"Corpus '{corpus['corpus']}': {_number(corpus['n_companies'], 'company', 'companies')}, "
        f"{_number(corpus['n_filings'], 'filing')}, {_number(corpus['n_sentences'], 'sentence')}"
        f"{aside if n_quarantined else ''}."
    )


def _number(n: int, noun: str, plural: str = "") -> str:
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def _counted(gates: Sequence[Row]) -> str:
    counts = Counter("reference" if gate["breach"] else gate["verdict"] for gate in gates)
    said = [f"{counts[name]:,} {words}" for name, words in _VERDICTS.items() if counts[name]]
    return f"No gate is broken: {', '.join(said)}." if said else "There is no gate."


def _as_figures(public: Sequence[Row]) -> list[Row]:
    """Figures of public sets in the form of those on filings."""
    return [
        {
            **row,
            "figure_id": f"{row['gold_set']} {row['metric_label']}",
            "figure": f"{row['gold_set']}: {row['metric_label']}",
            "status": "unmeasured" if row["value"] is None else "measured",
        }
        for row in public
    ]


def _value(row: Row | None) -> str:
    if row is None:
        return "–"
    if row["value"] is None:
        return "not measured"
    value = f"{row['value']:.3f}"
    if row["ci_low"] is None or row["ci_high"] is None:
        return value
    if row["ci_low"] == row["ci_high"]:
        return f"{value} (all alike)"
    return f"{value} [{row['ci_low']:.3f}, {row['ci_high']:.3f}]"


def _reference(column: Sequence[Row], floors: Collection[str]) -> str:
    """The best reference of any of the systems shown: that of one may be another of them."""
    known = [row for row in column if row["reference_value"] is not None]
    if not known:
        return "not measured"
    best = max(known, key=lambda row: (row["reference_value"], row["reference_id"]))
    what = "floor " if best["reference_id"] in floors else ""
    return f"{best['reference_value']:.3f} {what}{best['reference_id']}"


def _null(column: Sequence[Row], is_single: bool) -> str:
    known = [row for row in column if row["null_value"] is not None]
    if not known:
        return "not measured"
    strongest = max(known, key=lambda row: row["null_value"])
    band = strongest["band"] if is_single else None
    return f"{strongest['null_value']:.3f}" + (f"; {band}" if band else "")
