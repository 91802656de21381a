"""Which sum stands for a view, what the second route says of it, and whose its lines are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from finrag.revenue.model import Line, Sum
from finrag.revenue.patterns import Patterns
from finrag.revenue.routes import Fact, axis_lines
from finrag.revenue.views import VIEWS, axis_view

_VERDICTS = ("reconciled", "part", "off")
# Share of the revenue from which on a part of it is as good as all: net sales beside fees.
NEARLY_ALL = 0.9
# Views whose lines say what a company sells; places and kinds of contracts do not.
DESCRIBED_VIEWS = ("product", "segment")


@dataclass(frozen=True)
class Segment:
    """The segment of a line: its label, its position in the segment view, how it is known."""

    label: str | None = None
    line_pos: int | None = None
    source: str | None = None


def best_of(sums: Sequence[Sum], tables_before: Sequence[str] = ()) -> dict[str, Sum]:
    """The finest sum of each view: first what adds up, then the most leaves, then the notes.

    Args:
        sums: of one filing and period.
        tables_before: tables chosen for the filing's own year; they go first for the years before.
    """
    found: dict[str, Sum] = {}
    for view in VIEWS:
        own = [one for one in sums if one.view == view]
        if own:
            found[view] = min(own, key=lambda one: _order(one, tables_before))
    return found


def chosen_view(best: dict[str, Sum]) -> str | None:
    """The view whose leaves are described: the finer of products and segments, if there is one."""
    views = [view for view in DESCRIBED_VIEWS if view in best]
    return min(
        views,
        key=lambda view: (
            _VERDICTS.index(best[view].verdict),
            -_n_leaves(best[view]),
            VIEWS.index(view),
        ),
        default=None,
    )


def route_of(
    chosen: Sum, sums: Sequence[Sum], facts: Sequence[Fact], words: Patterns
) -> tuple[str, str | None]:
    """Which routes lead to a sum, and the line on which they differ.

    Facts confirm a table where every line is tagged with its own value, or where the facts of one
    axis add up to the total by the same values. They contradict it where the members of an axis
    bear the names of its lines and one has another value, whether they add up or not.

    Args:
        chosen: the sum of a view.
        sums: all of the filing and period.
        facts: of the period, in the order of print.
        words: patterns of labels and axes.
    """
    if chosen.route == "facts":
        return "facts", None
    tagged = [line for line in chosen.leaves if line.cell.fact_value is not None]
    wrong = [
        line.label
        for line in tagged
        if abs((line.cell.fact_value or 0.0) - line.cell.value) >= line.cell.printed_unit
    ]
    if not wrong and len(tagged) < len(chosen.leaves):
        wrong = _contradicted(chosen, facts, words)
    if wrong:
        return "both", wrong[0]
    is_tagged = all(line in tagged for line in chosen.leaves if line.cell.value)
    others = (one for one in sums if one.route == "facts" and one.view == chosen.view)
    return ("both" if is_tagged or any(_equal(chosen, one) for one in others) else "table"), None


def _equal(chosen: Sum, other: Sum) -> bool:
    """Whether two sums have leaves of the same values."""
    mine = sorted(line.cell.value for line in chosen.leaves if line.cell.value)
    theirs = sorted(line.cell.value for line in other.leaves if line.cell.value)
    return len(mine) == len(theirs) and all(
        abs(one - two) < chosen.tolerance for one, two in zip(mine, theirs, strict=True)
    )


def _contradicted(chosen: Sum, facts: Sequence[Fact], words: Patterns) -> list[str]:
    """Lines whose namesake among the members of an axis has another value.

    Only where nearly all lines have a namesake of that axis, so that it tells of the same.
    """
    axes = sorted({axis for fact in facts for axis, _ in fact.dimensions})
    for axis in (one for one in axes if axis_view([one], words) == chosen.view):
        values: dict[str, list[float]] = {}
        for line in axis_lines(facts, axis, words, with_parents=True):
            values.setdefault(_name(line.label), []).append(line.cell.value)
        told = [line for line in chosen.leaves if _name(line.label) in values]
        wrong = [
            line
            for line in told
            if all(
                abs(one - line.cell.value) >= chosen.tolerance for one in values[_name(line.label)]
            )
        ]
        if len(chosen.leaves) - len(told) <= 1 and wrong and 2 * len(wrong) <= len(told):
            return [line.label for line in wrong]
    return []


def conflicts_of(chosen: Sum, sums: Sequence[Sum]) -> list[str]:
    """Labels of lines that have another value in another sum of the view."""
    names = [_name(line.label) for line in chosen.leaves]
    found: set[str] = set()
    for other in sums:
        theirs = [_name(line.label) for line in other.leaves]
        if other.verdict != "reconciled" or other.table is chosen.table:
            continue
        if other.view != chosen.view or sorted(theirs) != sorted(names):
            continue
        if len(set(names)) < len(names):
            continue
        values = {_name(line.label): line.cell.value for line in other.leaves}
        tolerance = max(other.tolerance, chosen.tolerance)
        found.update(
            line.label
            for line in chosen.leaves
            if abs(values[_name(line.label)] - line.cell.value) >= tolerance
        )
    return sorted(found)


def segments_of(chosen: Sum, best: Mapping[str, Sum], sums: Sequence[Sum]) -> Sum | None:
    """The segments that the lines of a sum may belong to.

    Products belong to the segment view; where segments have parts, to the segments of an axis.
    """
    if chosen.view == "product":
        return best.get("segment")
    if chosen.view != "segment":
        return None
    coarser = [
        one
        for one in sums
        if one.view == "segment"
        and one.verdict == "reconciled"
        and len(one.leaves) < len(chosen.leaves)
        and all(len(line.cell.dimensions) == 1 for line in one.leaves if line.role == "leaf")
    ]
    return min(coarser, key=lambda one: _order(one, ()), default=None)


def segment_of(
    position: int, chosen: Sum, segments: Sum | None, facts: Sequence[Fact], words: Patterns
) -> Segment:
    """The segment of a line: by a fact of two axes, by the subtotal above, else not known."""
    line = chosen.lines[position]
    members = _segment_members(line, facts, words)
    places = [
        place
        for place, other in enumerate(segments.lines if segments else ())
        if members & set(dict(other.cell.dimensions).values())
    ]
    if segments is not None and len(places) == 1:
        is_view = chosen.view == "product"
        label = _stripped(segments.lines[places[0]].label)
        return Segment(label, places[0] if is_view else None, "fact")
    above = line.parent if chosen.view == "product" else None
    while above is not None:
        name = _name(chosen.lines[above].label)
        for place, other in enumerate(segments.lines if segments else ()):
            if other.role != "total" and _name(other.label) == name:
                return Segment(_stripped(other.label), place, "subtotal")
        above = chosen.lines[above].parent
    if line.parent is not None and segments is None and chosen.view == "product":
        return Segment(_stripped(chosen.lines[line.parent].label), None, "subtotal")
    return Segment()


def _segment_members(line: Line, facts: Sequence[Fact], words: Patterns) -> set[str]:
    """Members of a segment axis with which a line, or a fact of its product, is tagged."""
    own = {member for axis, member in line.cell.dimensions if _is_segment(axis, words)}
    if own:
        return own
    products = [pair for pair in line.cell.dimensions if not _is_segment(pair[0], words)]
    return {
        member
        for fact in facts
        if len(fact.dimensions) == 2 and products and products[0] in fact.dimensions
        for axis, member in fact.dimensions
        if _is_segment(axis, words) and fact.value
    }


def _is_segment(axis: str, words: Patterns) -> bool:
    return axis_view([axis], words) == "segment"


def _order(one: Sum, tables_before: Sequence[str]) -> tuple[object, ...]:
    table = one.table
    is_good = one.verdict == "reconciled" or (one.verdict == "part" and one.coverage >= NEARLY_ALL)
    return (
        0 if is_good else _VERDICTS.index(one.verdict),
        not (table is not None and table.table_id in tables_before),
        any(not line.label for line in one.leaves),
        -_n_leaves(one),
        _VERDICTS.index(one.verdict),
        one.route == "facts",
        table.rank if table else 0,
        table.position if table else 0,
        one.lines[0].cell.cell_id,
        one.lines[-1].cell.cell_id,
    )


def _n_leaves(one: Sum) -> int:
    return sum(line.role == "leaf" for line in one.lines)


def _stripped(label: str) -> str:
    words = label.split()
    return " ".join(words[1:]) if len(words) > 1 and words[0].lower() == "total" else label


def _name(label: str) -> str:
    name = _stripped(label).lower()
    for ending in (" revenues", " revenue", " net sales", " sales", " total", " segment"):
        name = name.removesuffix(ending)
    return name
