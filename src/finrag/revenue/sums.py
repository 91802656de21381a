"""How the figures of a column add up to a total: leaves, subtotals over them, and the total.

A figure is a subtotal of the run of figures right before or right behind it that it equals;
subtotals may be parts of others. Figures add up where those that are left, no subtotal's parts,
sum to the total within one printed unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# Ways of taking figures together that are tried for one column before it counts as not adding up.
MOST_STEPS = 60
# Parts of one subtotal at most.
MOST_PARTS = 40
# What a float may lose of a printed unit.
ROUNDING = 1.0001


@dataclass(frozen=True)
class Figure:
    """A figure to be added up.

    Attributes:
        value: in whole units.
        is_named_total: whether its label calls it a total.
    """

    value: float
    is_named_total: bool = False


def add_up(
    figures: Sequence[Figure], total: float, tolerance: float, slack: float = 0.0
) -> list[int | None] | None:
    """The parent of each figure, None where it stands right below the total.

    A subtotal of one part is one only by name: "Total Cloud" below "Cloud".

    Args:
        figures: in the order of print.
        total: what they must sum to.
        tolerance: of every sum, one printed unit, in whole units.
        slack: by how much more the total may be missed, in whole units.

    Returns:
        One position or None a figure; None if no way of taking them together gives the total.
    """
    if not figures:
        return None
    parents: list[int | None] = [None] * len(figures)
    search = _Search(figures, total, ROUNDING * tolerance, slack)
    return search.reduce(tuple(range(len(figures))), parents)


class _Search:
    """Depth first over subtotals, those named so and those behind their parts before others."""

    def __init__(
        self, figures: Sequence[Figure], total: float, tolerance: float, slack: float
    ) -> None:
        self.figures = figures
        self.total = total
        self.tolerance = tolerance
        self.slack = slack
        self.seen: set[tuple[int, ...]] = set()

    def reduce(self, roots: tuple[int, ...], parents: list[int | None]) -> list[int | None] | None:
        if roots in self.seen or len(self.seen) >= MOST_STEPS:
            return None
        self.seen.add(roots)
        above = set(parents)
        for position, run in self._subtotals(roots):
            if roots[position] in above:
                continue  # it has its parts already
            below = list(parents)
            for part in run:
                below[part] = roots[position]
            rest = tuple(root for root in roots if root not in run)
            if (found := self.reduce(rest, below)) is not None:
                return found
        missed = abs(sum(self.figures[root].value for root in roots) - self.total)
        return (
            parents
            if missed <= self.tolerance + self.slack and self._are_explained(above)
            else None
        )

    def _are_explained(self, above: set[int | None]) -> bool:
        """Whether each figure that is named a total sums others, where any stand before it."""
        return all(
            position in above or not figure.is_named_total or position == 0
            for position, figure in enumerate(self.figures)
        )

    def _subtotals(self, roots: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
        """Positions of roots that are subtotals, with the roots that they sum."""
        found = []
        for position, root in enumerate(roots):
            figure = self.figures[root]
            if abs(figure.value) <= self.tolerance:
                continue
            for is_behind in (True, False):
                run = self._run(roots, position, is_behind)
                if run:
                    found.append((not figure.is_named_total, not is_behind, position, run))
        return [(position, run) for _, _, position, run in sorted(found)]

    def _run(self, roots: tuple[int, ...], position: int, is_behind: bool) -> tuple[int, ...]:
        """The run of neighbours that comes closest to a root, the shortest of equal ones.

        It has two figures or more, or one where the root is a total by name.
        """
        figure = self.figures[roots[position]]
        neighbours = roots[:position][::-1] if is_behind else roots[position + 1 :]
        fewest = 1 if is_behind and figure.is_named_total else 2
        summed, best, length = 0.0, self.tolerance, 0
        for number, neighbour in enumerate(neighbours[:MOST_PARTS], start=1):
            summed += self.figures[neighbour].value
            missed = abs(summed - figure.value)
            if number >= fewest and (missed < best or (missed <= best and not length)):
                best, length = missed, number
        return tuple(sorted(neighbours[:length]))
