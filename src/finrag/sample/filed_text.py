"""A filing as a text submission of about 1997: SGML header, pages, tables set in columns."""

import textwrap
from collections.abc import Iterator
from typing import Any, Final

from finrag.sample.filed_html import anchor, item_heading
from finrag.sample.filed_parts import Block, Filing, blocks, cover, printed, wording
from finrag.sample.grids import Grid
from finrag.sample.sections import contents

__all__ = ["DASH", "facts", "is_in_exhibit", "render"]

DASH: Final = "--"
WIDTH: Final = 79
_PLAIN: Final = str.maketrans({"’": "'", "“": '"', "”": '"', "—": "--", "•": "-", "€": "EUR"})
# Items 7 and 8 of every third company stand in the annual report to shareholders.
_IN_REPORT: Final = ("item_7", "item_8")
_SCHEDULE: Final = {
    "CASH": "cash",
    "BONDS": "debt",
    "TOTAL-REVENUES": "revenue",
    "CGS": "cost_of_revenue",
    "INTEREST-EXPENSE": "interest",
    "INCOME-PRETAX": "pretax",
    "INCOME-TAX": "tax",
    "NET-INCOME": "net_income",
    "EPS-DILUTED": "eps",
}
_MULTIPLIER: Final = 1_000


def is_in_exhibit(filing: Filing, item: str) -> bool:
    """Whether an item only points to the annual report, which is Exhibit 13."""
    return filing.place % 3 == 1 and item in _IN_REPORT


def render(filing: Filing) -> bytes:
    """The whole submission, in ASCII."""
    parts = list(blocks(filing))
    main = [*map(_centered, cover(filing)), "", *_contents(parts), ""]
    report: list[str] = []
    for block in parts:
        if not is_in_exhibit(filing, block.item):
            main += _block(block)
        elif block.kind == "item":
            title = item_heading(block.text)[1]
            main += [*_block(block), *_wrapped(wording().pointer.format(title=title)), ""]
            report += [*map(_centered, textwrap.wrap(title.upper(), 60)), ""]
        else:
            report += _block(block)
    main += [_centered("SIGNATURES"), "", *_wrapped(wording().signature)]
    documents = [("10-K", main), *([("EX-13", report)] if report else [])]
    if filing.has_schedule:
        documents.append(("EX-27", _schedule(filing)))
    out = _header(filing, len(documents))
    for number, (kind, lines) in enumerate(documents, 1):
        out += ["<DOCUMENT>", f"<TYPE>{kind}", f"<SEQUENCE>{number}", f"<DESCRIPTION>{kind}"]
        out += ["<TEXT>", "", *lines, "</TEXT>", "</DOCUMENT>"]
    text = "\n".join([*out, "</SEC-DOCUMENT>", ""]).translate(_PLAIN)
    return text.encode("ascii")


def facts(filing: Filing) -> Iterator[dict[str, Any]]:
    """The figures of the financial data schedule."""
    for tag, field, text in _tagged(filing):
        start, end = filing.period(field, filing.teller.voice.year)
        is_share = field == "eps"
        yield {
            "concept": f"ex27:{tag}",
            "value": float(text.replace(",", "").strip("()"))
            * (1 if is_share else _MULTIPLIER)
            * (-1 if text.startswith("(") else 1),
            "text": text,
            "unit": "USD/share" if is_share else "USD",
            "period_start": start and start.isoformat(),
            "period_end": end.isoformat(),
            "dimensions": [],
            "is_nil": False,
            "is_hidden": False,
        }


def _tagged(filing: Filing) -> Iterator[tuple[str, str, str]]:
    teller = filing.teller
    for tag, field in _SCHEDULE.items():
        number = getattr(teller.now, field)
        if field == "eps":
            text = f"{abs(number):.2f}"
        else:
            text = f"{abs(number) * teller.voice.company.tick // _MULTIPLIER:,}"
        yield tag, field, f"({text})" if number < 0 else text


def _schedule(filing: Filing) -> list[str]:
    day = f"{filing.end:%b-%d-%Y}".upper()
    rows = {"PERIOD-TYPE": "YEAR", "FISCAL-YEAR-END": day, "PERIOD-END": day}
    rows |= {tag: text for tag, _, text in _tagged(filing)}
    legend = "THIS SCHEDULE SUMMARIZES THE FINANCIAL STATEMENTS OF THIS FILING."
    return [
        *("<TABLE> <S> <C>", "", "<ARTICLE> 5", "<LEGEND>", legend, "</LEGEND>"),
        *(f"<MULTIPLIER> {_MULTIPLIER:,}", "", "<S>                             <C>"),
        *(f"{f'<{tag}>':<32}{text:>22}" for tag, text in rows.items()),
        "</TABLE>",
    ]


def _header(filing: Filing, count: int) -> list[str]:
    company, name = filing.teller.voice.company, filing.accession
    return [
        f"<SEC-DOCUMENT>{name}.txt : {filing.filed:%Y%m%d}",
        f"<SEC-HEADER>{name}.hdr.sgml : {filing.filed:%Y%m%d}",
        f"ACCESSION NUMBER:\t\t{name}",
        "CONFORMED SUBMISSION TYPE:\t10-K",
        f"PUBLIC DOCUMENT COUNT:\t\t{count}",
        f"CONFORMED PERIOD OF REPORT:\t{filing.end:%Y%m%d}",
        f"FILED AS OF DATE:\t\t{filing.filed:%Y%m%d}",
        *("", "FILER:", "", "\tCOMPANY DATA:\t"),
        f"\t\tCOMPANY CONFORMED NAME:\t\t\t{company.name.upper()}",
        f"\t\tCENTRAL INDEX KEY:\t\t\t{company.cik:010d}",
        f"\t\tSTANDARD INDUSTRIAL CLASSIFICATION:\t[{company.sic}]",
        f"\t\tSTATE OF INCORPORATION:\t\t\t{company.state}",
        f"\t\tFISCAL YEAR END:\t\t\t{filing.end:%m%d}",
        *("", "\tFILING VALUES:", "\t\tFORM TYPE:\t\t10-K", "</SEC-HEADER>"),
    ]


def _contents(parts: list[Block]) -> list[str]:
    pages = {block.item: block.page for block in parts if block.kind == "item"}
    rows = [
        f"{number:<10}{f'{title} '.ljust(62, '.')} {pages.get(anchor(number), ''):>4}"
        for number, title in contents().items()
    ]
    return [_centered("TABLE OF CONTENTS"), "", *rows, "", "<PAGE>"]


def _centered(text: str) -> str:
    return text.center(WIDTH).rstrip()


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text.translate(_PLAIN), WIDTH, initial_indent="     ")


def _hanging(text: str, width: int, first: str, rest: str) -> list[str]:
    return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=rest)


def _block(block: Block) -> list[str]:
    if block.grid:
        return _table(block.grid)
    if block.kind == "part":
        return [_centered(block.text), ""]
    if block.kind == "item":
        number, title = item_heading(block.text)
        # The title goes on below itself where it is long.
        return [*_hanging(title.upper(), WIDTH, f"{number.upper()}  ", " " * 9), ""]
    if block.kind == "heading":
        return [*textwrap.wrap(block.text.upper(), WIDTH), ""]
    lines = _wrapped(block.text)
    if block.cut is None:
        return [*lines, ""]
    half = len(lines) // 2
    foot = ["", _centered(f"-{block.page}-"), "", "<PAGE>", ""]
    return [*lines[:half], *foot, *lines[half:], ""]


def _table(grid: Grid) -> list[str]:
    rows = [
        [
            f"{shown.currency.translate(_PLAIN)} {shown.text}".lstrip() + " " * (not shown.after)
            for shown in (printed(grid, row, cell, DASH) for cell in row.cells)
        ]
        for row in grid.rows
    ]
    leaves = [column[-1] if column else "" for column in grid.columns]
    widths = [max([8, len(leaf), *(len(row[n]) for row in rows)]) for n, leaf in enumerate(leaves)]
    label = WIDTH - sum(width + 2 for width in widths)
    titles = [*textwrap.wrap(grid.title, WIDTH), "", grid.note]
    out = [_centered(text) for text in titles]
    out += ["", "<TABLE>", "<CAPTION>", *_heads(grid, widths, label)]
    out.append("<S>".ljust(label) + "".join("  " + "<C>".ljust(width) for width in widths))
    group = ""
    for row, texts in zip(grid.rows, rows, strict=True):
        if row.group and row.group != group:
            out.append(row.group)
        group = row.group
        if row.is_total:
            out.append(" " * label + "".join("  " + "-" * width for width in widths))
        name = row.label + "".join(row.marks)
        lines = _hanging(name, label - 2, " " * (2 * bool(group)), "    ")
        out += lines[:-1]
        cells = "".join("  " + text.rjust(width) for text, width in zip(texts, widths, strict=True))
        out.append((lines[-1].ljust(label, ".") + cells).rstrip())
    if grid.rows[-1].is_total:
        out.append(" " * label + "".join("  " + "=" * width for width in widths))
    return [*out, "</TABLE>", ""]


def _heads(grid: Grid, widths: list[int], label: int) -> list[str]:
    """The lines of the header; a text that spans columns is centered, wrapped and underlined."""
    out: list[str] = []
    for texts in grid.headers():
        spans, at = [], 0
        for text, count in texts:
            width = sum(widths[at : at + count]) + 2 * (count - 1)
            spans.append((textwrap.wrap(text, width), width))
            at += count
        height = max(len(lines) for lines, _ in spans)
        for level in range(height):
            # Short texts stand at the bottom.
            shown = (
                (lines[level - height + len(lines)] if level >= height - len(lines) else "", width)
                for lines, width in spans
            )
            out.append((" " * label + "".join("  " + t.center(w) for t, w in shown)).rstrip())
        out.append(" " * label + "".join("  " + "-" * width for _, width in spans))
    return out
