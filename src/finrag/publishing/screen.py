"""The last screen of a build or a run: at most 15 lines, of what decides.

Nothing is read here: what stands in rows of the warehouse becomes lines that fit.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from finrag.publishing.verdict import KINDS, OUTCOMES, Verdict, figure_line, interval_of, kind_of

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
_CANDIDATES_SHOWN: Final = 2
_GATES_SHOWN: Final = 3
# Characters of what a gate is called; where there is no room for them, its place is left out.
_LEAST_LABEL: Final = 24
# Lines that a sentence may take, those of what it was measured on, and those left for gates.
_HEIGHTS: Final = ((3, 3, 2), (2, 3, 2), (2, 2, 2), (1, 2, 1), (1, 1, 1))
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
    verdicts: Sequence[Verdict], corpus: Row, rejections: Sequence[Row], places: Sequence[str]
) -> Screen:
    """The screen of a build.

    Args:
        verdicts: that of the warehouse first, as ``read_verdicts`` gives them.
        corpus: the row of ``rpt_overview_corpus``.
        rejections: records that were not used, or not as given, by system.
        places: what to open next.
    """
    first, *candidates = verdicts
    candidates.sort(key=lambda one: (OUTCOMES.index(one.outcome), one.system_id))
    named = [one.system_id for one in candidates]
    table: list[str] = []
    if first.outcome == "nothing_under_test":
        measured = [row for row in first.figures if row["status"] == "measured"]
        best = [row["system_id"] for row in first.figures[:1]]
        table = figure_table(best, measured, is_reference=True)
    elif first.outcome != "cannot_be_trusted":
        figures = [row for one in candidates for row in one.figures]
        table = (
            [f"  {figure_line(row)}" for row in _leading(named, figures)]
            if len(named) == 1
            else figure_table(named[:_CANDIDATES_SHOWN], figures)
        )
    broken = sorted(
        (gate for gate in first.gates if gate["breach"] is not None),
        key=lambda gate: ([*KINDS].index(gate["severity"]), gate["system_id"] not in named),
    )
    is_broken = any(gate["severity"] != "reference" for gate in broken)
    lines = [gate_line(gate, gate["page"]) for gate in broken]
    return Screen(
        verdicts=tuple(_verdicts(first, candidates)),
        facts=(_corpus(corpus),),
        figures=tuple(table),
        gates=(*(() if is_broken else (_counted(first.gates),)), *lines),
        places=tuple(places),
        status=first.status,
        notes=(rejected(rejections),) if rejections else (),
    )


def figure_table(
    systems: Sequence[str], figures: Sequence[Row], is_reference: bool = False
) -> list[str]:
    """Figures of systems above those of the best reference and of the strongest null.

    The word for what lies above the null stands beside the null, where one system is shown.

    Args:
        systems: those that are shown, in this order.
        figures: rows of ``rpt_overview_figures``.
        is_reference: whether the system that is shown is a reference itself.
    """
    leading = _leading(systems, figures)
    rows = {(row["system_id"], row["figure_id"]): row for row in leading}
    shown = list(dict.fromkeys(name for _, name in rows))
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
    lines.append(line(rivals, [_reference(column) for column in columns]))
    is_single = len(systems) == 1
    label = "null; gain over it" if is_single else "strongest null"
    return [*lines, line(label, [_null(column, is_single) for column in columns])]


def _leading(systems: Sequence[str], figures: Sequence[Row]) -> list[Row]:
    """The rows of the figures that say most of systems, figure by figure."""
    rows = {
        (row["system_id"], row["figure_id"]): row
        for row in figures
        if row["system_id"] in systems and row["status"] != "not_applicable"
    }
    order = [*_FIGURES, *sorted({name for _, name in rows} - {*_FIGURES, "p2_coverage"})]
    shown = [name for name in order if any((one, name) in rows for one in systems)]
    return [
        rows[one, name] for name in shown[:_FIGURES_SHOWN] for one in systems if (one, name) in rows
    ]


def gate_line(gate: Row, place: str) -> str:
    """A gate that needs attention, with its value and its limit; a long name is cut off first.

    Args:
        gate: a row of ``gate_verdicts``.
        place: where it is looked at: its page, or its id.
    """
    kind, label = kind_of(gate), gate["gate_label"]
    said = gate["statement"].removeprefix(label)
    rest = f"{said} ({place})"
    if len(f"{kind}: {rest}") + min(len(label), _LEAST_LABEL) > COLUMNS:
        rest = said
    room = max(COLUMNS - len(f"{kind}: {rest}"), _LEAST_LABEL)
    return f"{kind}: {shorten(label, room)}{rest}"


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


def _verdicts(first: Verdict, candidates: Sequence[Verdict]) -> list[tuple[str, str]]:
    """One for what is under test; where several are, one for all and one for each of the worst."""
    if first.outcome in ("cannot_be_trusted", "nothing_under_test") or not candidates:
        return [(first.headline, first.measured_on)]
    if len(candidates) == 1:
        return [(candidates[0].headline, candidates[0].measured_on)]
    n_hidden = len(candidates) - _CANDIDATES_SHOWN
    more = f" The worst follow, {n_hidden} more: {ALL}." if n_hidden > 0 else ""
    said = [(f"{first.headline}{more}", first.measured_on)]
    for one in candidates[:_CANDIDATES_SHOWN]:
        caveat = one.measured_on.removeprefix(first.measured_on).strip()
        said.append((f"{one.headline} {caveat}".strip(), ""))
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


def _value(row: Row | None) -> str:
    return "–" if row is None else interval_of(row)


def _reference(column: Sequence[Row]) -> str:
    """The best reference of the system shown that has the most questions.

    It was measured on enough of them to stand beside every other one.
    """
    known = [row for row in column if row["reference_value"] is not None]
    if not known:
        return "not measured"
    best = max(known, key=lambda row: (row.get("n") or 0, row["reference_id"]))
    what = "floor " if best.get("is_floor") else ""
    return f"{best['reference_value']:.3f} {what}{best['reference_id']}"


def _null(column: Sequence[Row], is_single: bool) -> str:
    known = [row for row in column if row["null_value"] is not None]
    if not known:
        return "not measured"
    strongest = max(known, key=lambda row: row["null_value"])
    band = strongest["band"] if is_single else None
    return f"{strongest['null_value']:.3f}" + (f"; {band}" if band else "")
