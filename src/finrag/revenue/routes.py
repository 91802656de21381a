"""The second route to the lines of revenue: facts of one axis, wherever they are printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from finrag.revenue.model import Cell, Line, Sum, Total
from finrag.revenue.patterns import Patterns
from finrag.revenue.sums import Figure, add_up
from finrag.revenue.tables import label_of
from finrag.revenue.views import axis_view

_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True)
class Fact:
    """A revenue fact with one axis, or two.

    Attributes:
        dimensions: axis and member, without the qualifier of operating segments.
        printed_unit: its precision, in whole units.
        cell: where it is printed first; None where it stands in no table.
    """

    fact_id: str
    dimensions: tuple[tuple[str, str], ...]
    value: float
    printed_unit: float
    cell: Cell | None


def sums_of_facts(facts: Sequence[Fact], total: Total, words: Patterns) -> Iterator[Sum]:
    """The lines of each axis whose members' facts add up to the total.

    Args:
        facts: of the total's period, in the order of print.
        total: what they must sum to.
        words: patterns of labels and axes.
    """
    axes = sorted({axis for fact in facts for axis, _ in fact.dimensions})
    for axis in axes:
        for parents in (False, True):
            lines = axis_lines(facts, axis, words, parents)
            found = _summed(lines, axis, total, words) if len(lines) > 1 else None
            if found is not None:
                yield found
                break


def axis_lines(facts: Sequence[Fact], axis: str, words: Patterns, with_parents: bool) -> list[Line]:
    """One line a member of an axis, in the order of print.

    A member that has several values is left out: which of them is its revenue is not known.

    Args:
        facts: of one period, in the order of print.
        axis: whose members are lines.
        words: patterns of labels and axes.
        with_parents: whether members count that are tagged together with what they are part of,
            such as a product with its segment.
    """
    found: dict[tuple[tuple[str, str], ...], list[Fact]] = {}
    for fact in facts:
        if _is_of(fact, axis, words, with_parents):
            found.setdefault(tuple(sorted(fact.dimensions)), []).append(fact)
    alone = {dimensions[0][1] for dimensions in found if len(dimensions) == 1}
    lines = []
    for dimensions, group in found.items():
        member = dict(dimensions)[axis]
        one = _single(group, words)
        if one is None or (len(dimensions) > 1 and member in alone):
            continue
        label = label_of(one.cell, words) if one.cell else ""
        if not label or words.generic_label.search(label.lower()):
            label = spelled(member)
        role = "reconciling" if words.reconciling.search(label.lower()) else "leaf"
        lines.append(Line(_cell_of(one), label, role, None))
    return lines


def _summed(lines: Sequence[Line], axis: str, total: Total, words: Patterns) -> Sum | None:
    tolerance = max(line.cell.printed_unit for line in lines)
    figures = [Figure(line.cell.value) for line in lines]
    parents = add_up(figures, total.value, tolerance)
    if parents is None:
        return None
    above = set(parents)
    summed = tuple(
        replace(line, role="subtotal" if position in above else line.role, parent=parent)
        for position, (line, parent) in enumerate(zip(lines, parents, strict=True))
    )
    view = axis_view([axis], words) or "other"
    return Sum(None, summed, None, tolerance, view, "facts", "reconciled")


def _is_of(fact: Fact, axis: str, words: Patterns, with_parents: bool) -> bool:
    others = [one for one, _ in fact.dimensions if one != axis]
    if len(others) == len(fact.dimensions):
        return False
    return not others or (
        with_parents
        and not any(axis_view([one], words) == "geography" for one in (axis, *others))
        and axis_view(others, words) in ("segment", "product")
    )


def _single(facts: Sequence[Fact], words: Patterns) -> Fact | None:
    """The fact of one value among those of the same members; a row "Total" goes before others."""
    totals = [
        fact
        for fact in facts
        if fact.cell
        and fact.cell.row_path
        and words.generic_label.search(fact.cell.row_path[-1].lower())
    ]
    chosen = totals or facts
    return chosen[0] if len({fact.value for fact in chosen}) == 1 else None


def spelled(member: str) -> str:
    """A member in words: `x:CloudServicesMember` is "Cloud Services"."""
    name = re.sub(r"Member$", "", member.rsplit(":", maxsplit=1)[-1])
    return _WORDS.sub(" ", name)


def _cell_of(fact: Fact) -> Cell:
    cell = fact.cell
    if cell is None:
        return Cell(
            "",
            -1,
            -1,
            (),
            (),
            fact.value,
            0,
            fact.printed_unit,
            None,
            fact_id=fact.fact_id,
            fact_value=fact.value,
            is_revenue_fact=True,
            dimensions=fact.dimensions,
        )
    return replace(
        cell,
        value=fact.value,
        fact_id=fact.fact_id,
        fact_value=fact.value,
        is_revenue_fact=True,
        dimensions=fact.dimensions,
    )
