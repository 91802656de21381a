"""The lines of revenue of every filing, with how they add up."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

import pyarrow as pa

from finrag.revenue.choice import (
    DESCRIBED_VIEWS,
    best_of,
    chosen_view,
    conflicts_of,
    route_of,
    segment_of,
    segments_of,
)
from finrag.revenue.model import Cell, Sum, Table, Total
from finrag.revenue.patterns import Patterns
from finrag.revenue.routes import Fact, sums_of_facts
from finrag.revenue.tables import off_of, sums_of

_LINE: Final = pa.struct(
    [
        ("line_pos", pa.int32()),
        ("row_pos", pa.int32()),
        ("col_pos", pa.int32()),
        ("cell_id", pa.string()),
        ("fact_id", pa.string()),
        ("axis", pa.string()),
        ("member", pa.string()),
        ("label", pa.string()),
        ("footnote_marks", pa.list_(pa.string())),
        ("role", pa.string()),
        ("parent_line_pos", pa.int32()),
        ("segment_label", pa.string()),
        ("segment_line_pos", pa.int32()),
        ("segment_source", pa.string()),
        ("value", pa.float64()),
        ("scale", pa.int32()),
        ("share", pa.float64()),
    ]
)
RECONCILIATION_SCHEMA: Final = pa.schema(
    [
        ("filing_id", pa.string()),
        ("view", pa.string()),
        ("period_start", pa.date32()),
        ("period_end", pa.date32()),
        ("is_filing_year", pa.bool_()),
        ("currency", pa.string()),
        ("total", pa.float64()),
        ("total_source", pa.string()),
        ("total_concept", pa.string()),
        ("total_cell_id", pa.string()),
        ("table_id", pa.string()),
        ("n_leaves", pa.int32()),
        ("leaf_sum", pa.float64()),
        ("difference", pa.float64()),
        ("tolerance", pa.float64()),
        ("route", pa.string()),
        ("verdict", pa.string()),
        ("is_chosen", pa.bool_()),
        ("conflicts", pa.list_(pa.string())),
        ("note", pa.string()),
        ("lines", pa.list_(_LINE)),
    ]
)
"""One row a filing, view and period; amounts in whole units of the currency."""

Row = Mapping[str, Any]


def find_lines(
    totals: pa.Table, facts: pa.Table, patterns: pa.Table, cells: pa.RecordBatchReader
) -> pa.RecordBatchReader:
    """The lines of revenue of every filing that states a total.

    Args:
        totals: one row a filing and period, with `parts`; by filing.
        facts: revenue facts of one or two axes with where they are printed first; by filing and
            in the order of print.
        patterns: the seed `revenue_view_patterns`.
        cells: figures of the tables that hold a total; by filing, table, row and column.

    Returns:
        Rows of `RECONCILIATION_SCHEMA`, by filing.
    """
    words = Patterns.of(patterns.to_pylist())
    own_facts = _by_filing(facts.to_pylist())
    own_totals = _by_filing(totals.to_pylist())

    def batches() -> Iterator[pa.RecordBatch]:
        waiting = list(own_totals)
        rows = (row for batch in cells for row in batch.to_pylist())
        for filing_id, group in groupby(rows, key=lambda row: str(row["filing_id"])):
            while waiting and waiting[0] < filing_id:
                early = waiting.pop(0)
                yield _batch(early, own_totals[early], [], own_facts.get(early, []), words)
            if waiting and waiting[0] == filing_id:
                waiting.pop(0)
                tables = _tables(group)
                found = own_facts.get(filing_id, [])
                yield _batch(filing_id, own_totals[filing_id], tables, found, words)
        for late in waiting:
            yield _batch(late, own_totals[late], [], own_facts.get(late, []), words)

    return pa.RecordBatchReader.from_batches(RECONCILIATION_SCHEMA, batches())


def lines_of(
    filing_id: str,
    totals: Sequence[Total],
    tables: Sequence[Table],
    facts: Mapping[datetime.date, Sequence[Fact]],
    words: Patterns,
) -> list[dict[str, Any]]:
    """The rows of one filing, its own year first."""
    rows: list[dict[str, Any]] = []
    before: list[str] = []
    for total in sorted(totals, key=lambda one: one.period_end, reverse=True):
        own = facts.get(total.period_end, [])
        sums = [one for table in tables for one in sums_of(table, total, words)]
        sums += sums_of_facts(own, total, words)
        if total.is_filing_period:
            views = {one.view for one in sums}
            off = [one for table in tables if (one := off_of(table, total, words))]
            sums += [one for one in off if one.view in DESCRIBED_VIEWS and one.view not in views]
        best = best_of(sums, before)
        if total.is_filing_period:
            before = [one.table.table_id for one in best.values() if one.table]
            if not best:
                rows.append(_bare_row(filing_id, total))
        view = chosen_view(best)
        for one in best.values():
            rows.append(_row(filing_id, total, one, one.view == view, best, sums, own, words))
    return rows


def _row(
    filing_id: str,
    total: Total,
    one: Sum,
    is_chosen: bool,
    best: Mapping[str, Sum],
    sums: Sequence[Sum],
    facts: Sequence[Fact],
    words: Patterns,
) -> dict[str, Any]:
    route, differs = route_of(one, sums, facts, words)
    segments = segments_of(one, best, sums)
    return {
        **_stated(filing_id, total),
        "view": one.view,
        "table_id": one.table.table_id if one.table else None,
        "n_leaves": len(one.leaves),
        "leaf_sum": one.leaf_sum,
        "difference": round(one.leaf_sum - total.value, 2),
        "tolerance": _tolerance(one, total),
        "route": route,
        "verdict": "routes_differ" if differs is not None else one.verdict,
        "is_chosen": is_chosen,
        "conflicts": conflicts_of(one, sums),
        "note": None if differs is None else f"{differs}: print and fact differ",
        "lines": _lines(one, segments, total, facts, words),
    }


def _tolerance(one: Sum, total: Total) -> float:
    """What rounding may make of a sum: of the lines, of each subtotal, of the printed total."""
    if one.verdict == "off":
        return one.tolerance
    n_rounded = 1 + sum(line.role == "subtotal" for line in one.lines)
    if one.total is not None and one.total.value != total.value:
        n_rounded += 1
    return one.tolerance * n_rounded


def _lines(
    one: Sum, segments: Sum | None, total: Total, facts: Sequence[Fact], words: Patterns
) -> list[dict[str, Any]]:
    rows = []
    for position, line in enumerate(one.lines):
        segment = segment_of(position, one, segments, facts, words)
        rows.append(
            {
                **_placed(line.cell),
                "line_pos": position,
                "label": line.label,
                "role": line.role,
                "parent_line_pos": line.parent,
                "segment_label": segment.label,
                "segment_line_pos": segment.line_pos,
                "segment_source": segment.source,
                "share": line.cell.value / total.value if total.value else None,
            }
        )
    if one.total is not None:
        rows.append(
            {
                **_placed(one.total),
                "line_pos": len(one.lines),
                "label": one.total.row_path[-1] if one.total.row_path else "",
                "role": "total",
                "share": one.total.value / total.value if total.value else None,
            }
        )
    return rows


def _placed(cell: Cell) -> dict[str, Any]:
    axis, member = cell.dimensions[0] if cell.dimensions else (None, None)
    is_printed = bool(cell.cell_id)
    return {
        "row_pos": cell.row_pos if is_printed else None,
        "col_pos": cell.col_pos if is_printed else None,
        "cell_id": cell.cell_id or None,
        "fact_id": cell.fact_id,
        "axis": axis,
        "member": member,
        "footnote_marks": list(cell.footnote_marks),
        "value": cell.value,
        "scale": cell.scale,
    }


def _stated(filing_id: str, total: Total) -> dict[str, Any]:
    return {
        "filing_id": filing_id,
        "period_start": total.period_start,
        "period_end": total.period_end,
        "is_filing_year": total.is_filing_period,
        "currency": total.currency,
        "total": total.value,
        "total_source": total.source,
        "total_concept": total.concept,
        "total_cell_id": total.cell_id,
    }


def _bare_row(filing_id: str, total: Total) -> dict[str, Any]:
    note = "No revenue is stated" if not total.value else "No table adds up to the total"
    return {
        **_stated(filing_id, total),
        "view": "none",
        "n_leaves": 0,
        "verdict": "no_table",
        "is_chosen": False,
        "conflicts": [],
        "note": note,
        "lines": [],
    }


def _batch(
    filing_id: str,
    totals: Sequence[Row],
    tables: Sequence[Table],
    facts: Sequence[Row],
    words: Patterns,
) -> pa.RecordBatch:
    by_period: dict[datetime.date, list[Fact]] = defaultdict(list)
    for row in facts:
        by_period[row["period_end"]].append(_fact(row))
    rows = lines_of(filing_id, [_total(row) for row in totals], tables, by_period, words)
    columns = [
        pa.array([row.get(field.name) for row in rows], field.type)
        for field in RECONCILIATION_SCHEMA
    ]
    return pa.record_batch(columns, schema=RECONCILIATION_SCHEMA)


def _by_filing(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[row["filing_id"]].append(row)
    return dict(sorted(found.items()))


def _tables(rows: Iterable[Row]) -> list[Table]:
    found = []
    for table_id, group in groupby(rows, key=lambda row: str(row["table_id"])):
        cells = list(group)
        first = cells[0]
        found.append(
            Table(
                table_id=table_id,
                rank=first["table_rank"],
                position=first["block_pos"],
                caption=first["caption"] or "",
                headings=first["headings"] or "",
                is_statement=first["is_statement"],
                cells=tuple(_cell(row) for row in cells),
            )
        )
    return found


def _total(row: Row) -> Total:
    return Total(
        period_start=row["period_start"],
        period_end=row["period_end"],
        value=row["total"],
        source=row["total_source"],
        concept=row["total_concept"],
        cell_id=row["total_cell_id"],
        currency=row["currency"],
        is_filing_period=row["is_filing_period"],
        parts=tuple(sorted(row["parts"] or (), reverse=True)),
    )


def _cell(row: Row) -> Cell:
    return Cell(
        cell_id=row["cell_id"],
        row_pos=row["row_pos"],
        col_pos=row["col_pos"],
        row_path=tuple(row["row_path"] or ()),
        column_path=tuple(row["column_path"] or ()),
        value=row["value"],
        scale=row["scale"],
        printed_unit=row["printed_unit"],
        period_end=row["period_end"],
        footnote_marks=tuple(row["footnote_marks"] or ()),
        header_marks=tuple(row.get("header_marks") or ()),
        fact_id=row.get("fact_id"),
        fact_value=row.get("fact_value"),
        is_revenue_fact=row.get("is_revenue_fact"),
        dimensions=_pairs(row["dimensions"]),
    )


def _fact(row: Row) -> Fact:
    cell = None
    if row["cell_id"] is not None:
        cell = _cell({**row, "fact_value": row["value"], "is_revenue_fact": True})
    return Fact(row["fact_id"], _pairs(row["dimensions"]), row["value"], row["printed_unit"], cell)


def _pairs(dimensions: Sequence[Mapping[str, str]] | None) -> tuple[tuple[str, str], ...]:
    """Axis and member, a product's before its segment's whatever their order in the file."""
    pairs = [(one["axis"], one["member"]) for one in dimensions or ()]
    return tuple(sorted(pairs, key=lambda pair: ("businesssegments" in pair[0].lower(), pair)))
