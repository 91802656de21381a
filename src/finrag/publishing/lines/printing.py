"""Lines of revenue on the screen. Labels and texts are a filer's: control characters are spelt."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from finrag.publishing.lines.reading import FilingLines, is_leaf, label_of
from finrag.warehouse import Row

NONE: Final = "–"
_WIDTH: Final = 100
_HEAD: Final = ("line", "value", "share", "segment", "status", "where")
_RIGHT: Final = frozenset({1, 2})
_OVERVIEW: Final = ("company", "filing", "to", "view", "verdict", "lines", "described")


def table_text(filing: FilingLines, with_texts: bool = False) -> str:
    """The table of a filing, what adds up, and on demand the texts with their sentences."""
    chosen, lines = filing.shown
    parts = [_title(filing, chosen), *_views(filing, chosen)]
    if lines:
        depths = depths_of(lines)
        cells = [_HEAD, *(_cells(line, depths[line["revenue_line_id"]]) for line in lines)]
        parts += ["", *_aligned(cells, _RIGHT)]
    parts += ["", *_sum_lines(chosen), *_changes(filing.coverage)]
    if with_texts:
        parts += _texts(lines)
    return "\n".join(parts)


def overview_text(filings: Sequence[FilingLines]) -> str:
    """A line per filing, by company and year: its view, what adds up, and how many lines."""
    cells: list[Sequence[str]] = [_OVERVIEW]
    for filing in sorted(filings, key=_by_name):
        chosen, lines = filing.shown
        leaves = [line for line in lines if line["role"] == "leaf"]
        n_described = sum(line["status"] == "described" for line in leaves)
        cells.append(
            (
                plain(filing.filing["company_name"]),
                filing.filing["filing_id"],
                str(filing.filing["fiscal_year_end"] or chosen["period_end"] or NONE),
                chosen["view"],
                words(chosen["verdict"]),
                f"{len(leaves):,}",
                # Only lines of the view that is chosen are described.
                f"{n_described:,}" if filing.system_id and chosen["is_chosen"] else NONE,
            )
        )
    return "\n".join(_aligned(cells, frozenset({5, 6})))


def _by_name(filing: FilingLines) -> tuple[str, int]:
    # Filings of one name and company keep their order.
    return str(filing.filing["company_name"]).casefold(), filing.filing["cik_int"]


def depths_of(lines: Sequence[Row]) -> dict[str, int]:
    """How many subtotals each line lies below."""
    parents = {line["revenue_line_id"]: line["parent_line_id"] for line in lines}
    depths = {}
    for line_id in parents:
        above = [line_id]
        while parents[above[-1]] in parents and parents[above[-1]] not in above:
            above.append(parents[above[-1]])
        depths[line_id] = len(above) - 1
    return depths


def plain(text: object) -> str:
    """A text on one line, without anything that a terminal would obey."""
    collapsed = " ".join(str(text if text is not None else "").split())
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in collapsed
    )


def words(code: str | None) -> str:
    """A code as words; a dash where there is none."""
    return code.replace("_", " ") if code else NONE


def amount(value: float | None) -> str:
    """A value in whole units, with its decimals where it has some."""
    if value is None:
        return NONE
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"


def _title(filing: FilingLines, chosen: Mapping[str, Any]) -> str:
    row = filing.filing
    # The number of the year alone misleads: a company's fiscal 2024 may end in February 2025.
    end = row["fiscal_year_end"] or chosen["period_end"]
    ticker = f" ({plain(row['ticker'])})" if row["ticker"] else ""
    period = f" to {end}" if end else ""
    return (
        f"{plain(row['company_name'])}{ticker}, {row['form']}, fiscal {row['report_year']}{period}"
        f"\n{row['filing_id']}; texts by {filing.system_id or 'no system'}"
    )


def _views(filing: FilingLines, chosen: Row) -> Iterator[str]:
    """The view shown and the others of the same period, each with its verdict."""
    if chosen["view"] == "none":
        return
    others = [
        f"{row['view']} ({words(row['verdict'])})"
        for row in filing.all_sums
        if row["view"] != chosen["view"] and row["period_end"] == chosen["period_end"]
    ]
    note = "" if chosen["is_chosen"] else ", which was not chosen"
    yield f"view: {chosen['view']}{note}; others: {', '.join(others) or 'none'}"


def _cells(line: Row, depth: int) -> tuple[str, ...]:
    label = plain(label_of(line))
    marks = "".join(f" ({plain(mark)})" for mark in line["footnote_marks"] or [])
    role = "" if line["role"] in ("leaf", "total") else f" [{line['role']}]"
    value = amount(line["value"])
    return (
        f"{'  ' * depth}{label}{marks}{role}",
        f"{value} {line['currency']}" if line["currency"] else value,
        NONE if line["share"] is None else f"{100 * line['share']:.1f} %",
        plain(line["segment_label"]) or NONE,
        words(line["status"]),
        line["cell_id"] or line["fact_id"] or NONE,
    )


def _sum_lines(row: Row) -> Iterator[str]:
    yield f"{words(row['verdict'])}: {row['verdict_text'] or ''}".strip()
    if row["note"]:
        yield plain(row["note"])
    if row["conflicts"]:
        yield f"another value elsewhere: {', '.join(map(plain, row['conflicts']))}"
    if row["total"] is not None:
        source = " ".join(filter(None, (row["total_source"], row["total_concept"])))
        yield (
            f"total {amount(row['total'])} {row['currency'] or ''} ({source or 'no source'}), "
            f"sum of {row['n_leaves'] or 0} lines {amount(row['leaf_sum'])}, difference "
            f"{amount(row['difference'])}, tolerance {amount(row['tolerance'])}, by "
            f"{row['route'] or 'no route'}"
        )


def _changes(coverage: Row) -> Iterator[str]:
    """Lines whose text is new or gone since the baseline."""
    for name in ("newly_missing", "newly_covered"):
        if coverage.get(name):
            yield f"{words(name)}: {', '.join(map(plain, coverage[name]))}"


def _texts(lines: Sequence[Row]) -> Iterator[str]:
    """Each text once, with the labels of all lines that it serves."""
    served: dict[tuple[str, ...], list[Row]] = {}
    for line in filter(is_leaf, lines):
        said = ("status", "text", "error", "sentence_ids")
        served.setdefault(tuple(str(line[name]) for name in said), []).append(line)
    for group in served.values():
        line = group[0]
        labels = ", ".join(dict.fromkeys(plain(label_of(one)) for one in group))
        hows = dict.fromkeys(f"{one['kind']}, tier {one['tier']}" for one in group if one["kind"])
        how = f" ({'; '.join(hows)})" if hows else ""
        yield ""
        yield textwrap.fill(f"{labels}: {words(line['status'])}{how}", _WIDTH)
        if line["status"] != "described":
            yield f"  {plain(line['error'] or line['status_text'] or 'No system described it.')}"
        if line["text"]:
            yield textwrap.fill(
                plain(line["text"]), _WIDTH, initial_indent="  ", subsequent_indent="  "
            )
            yield f"  from {', '.join(line['sentence_ids']) or NONE}"


def _aligned(rows: Sequence[Sequence[str]], right: frozenset[int]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(widths[place]) if place in right else cell.ljust(widths[place])
            for place, cell in enumerate(row)
        ).rstrip()
        for row in rows
    ]
