"""What lines have in common: products, segments, places, or something else."""

from __future__ import annotations

from collections.abc import Sequence

from finrag.revenue.model import Cell, Table
from finrag.revenue.patterns import Patterns

VIEWS = ("product", "segment", "geography", "other")


def view_of(cells: Sequence[Cell], labels: Sequence[str], table: Table, words: Patterns) -> str:
    """The view of lines: by the axes of what is tagged, else by what stands nearest to them."""
    tagged = [view for cell in cells if (view := axis_view(cell.axes, words))]
    if 2 * len(tagged) > len(cells):
        return min(VIEWS, key=lambda view: (-tagged.count(view), VIEWS.index(view)))
    names = [label.lower() for label in labels]
    if 2 * sum(bool(words.geography.search(name)) for name in names) > len(names):
        return "geography"
    for title in (table.caption.lower(), table.headings.lower()):
        for view, pattern in (
            ("geography", words.geography_title),
            ("product", words.product_title),
            ("segment", words.segment_title),
        ):
            if pattern.search(title):
                return view
    return (
        "product" if table.is_statement or words.product_title.search(" ".join(names)) else "other"
    )


def axis_view(axes: Sequence[str], words: Patterns) -> str | None:
    """The view of a fact's axes: a product's tells more than that of the segment that sells it."""
    names = [axis.split(":")[-1].lower() for axis in axes]
    for view, pattern in (
        ("product", words.product_axis),
        ("segment", words.segment_axis),
        ("geography", words.geography_axis),
    ):
        if any(pattern.search(name) for name in names):
            return view
    return "other" if names else None
