"""A filing as HTML of about 2003: upper case, tags left open, fonts, tables for everything."""

import html
from collections.abc import Iterator
from dataclasses import dataclass

from finrag.sample.filed_parts import (
    Block,
    Fact,
    Filing,
    blocks,
    cell_fact,
    cover,
    printed,
    wording,
)
from finrag.sample.grids import Grid
from finrag.sample.sections import contents

DASH = "—"


@dataclass(frozen=True)
class Td:
    """One cell of markup: its text, the columns it spans, its role, its tag.

    Attributes:
        kind: ``label``, ``group``, ``total``, ``head``, ``sign``, ``number``, ``tail`` or ``gap``.
        mark: Mark of a footnote behind the text.
        before: An opening parenthesis, which stands outside the tag.
    """

    text: str
    span: int
    kind: str
    mark: str = ""
    before: str = ""
    fact: Fact | None = None


def lay_out(filing: Filing, item: str, grid: Grid) -> Iterator[list[Td]]:
    """The cells of a table as filings mark them up.

    A printed column is three cells, for the currency sign, the number and what closes it, and a
    gap stands before each; the header spans them, and so does a number without a sign.
    """
    gap, has_corner = Td("", 1, "gap"), has_note_inside(filing)
    for level, texts in enumerate(grid.headers()):
        line = [Td(grid.note if has_corner and not level else "", 1, "label")]
        for text, columns in texts:
            line += [gap, Td(text, 4 * columns - 1, "head")]
        yield line
    group = ""
    for row in grid.rows:
        if row.group and row.group != group:
            yield [Td(row.group, 1, "group"), *(Td("", 4, "gap") for _ in grid.columns)]
        group = row.group
        kind = "total" if row.is_total else "label"
        line = [Td(row.label, 1, kind, mark="".join(row.marks))]
        for cell in row.cells:
            shown = printed(grid, row, cell, DASH)
            fact = cell_fact(filing, item, row, cell, DASH)
            sign = [Td(shown.currency, 1, "sign")] if shown.currency else []
            number = Td(shown.body, 2 - len(sign), "number", before=shown.before, fact=fact)
            line += [gap, *sign, number, Td(shown.after, 1, "tail")]
        yield line


def has_note_inside(filing: Filing) -> bool:
    """Whether the filer prints the unit in the corner of a table, or else under its title."""
    return filing.place % 2 == 1


def is_note_inside(filing: Filing, grid: Grid) -> bool:
    """Whether this table prints its unit inside; one without a header cannot."""
    return has_note_inside(filing) and bool(grid.headers())


def render(filing: Filing) -> bytes:
    """The filing as bytes in Windows-1252, which HTML of that age used without saying so."""
    company, place = filing.teller.voice.company, filing.place
    out = ["<DOCUMENT>", "<TYPE>10-K", "<SEQUENCE>1", "<FILENAME>form10k.htm", "<TEXT>"]
    out += [f"<HTML><HEAD><TITLE>{html.escape(company.name)}</TITLE></HEAD>", "<BODY TEXT=#000000>"]
    out += [f'<P ALIGN="CENTER"><FONT SIZE=3><B>{_text(line)}</B></FONT>' for line in cover(filing)]
    parts = list(blocks(filing))
    out += _contents(parts, has_links=place % 3 != 1)
    for block in parts:
        out += _block(filing, block)
    out += ['<P ALIGN="CENTER"><B>SIGNATURES</B>', _paragraph(wording().signature)]
    out += ["</BODY></HTML>", "</TEXT>", "</DOCUMENT>", ""]
    return "\r\n".join(out).encode("cp1252")


def _text(text: str) -> str:
    return html.escape(text, quote=False).replace(" million", "&nbsp;million")


def _paragraph(text: str) -> str:
    return f"<P ALIGN=JUSTIFY><FONT SIZE=2>{_text(text)}</FONT>"


def _contents(parts: list[Block], has_links: bool) -> list[str]:
    out = ['<P ALIGN="CENTER"><FONT SIZE=2><B>TABLE OF CONTENTS</B></FONT>', "<TABLE WIDTH=90%>"]
    pages = {block.item: block.page for block in parts if block.kind == "item"}
    for number, title in contents().items():
        item = anchor(number)
        link = f'<A HREF="#{item}">{_text(title)}</A>' if has_links else _text(title)
        out.append(f"<TR><TD>{number}<TD>{link}<TD ALIGN=RIGHT>{pages.get(item, '')}")
    return [*out, "</TABLE>", "<HR NOSHADE>"]


def anchor(number: str) -> str:
    """The name of an item from its printed number: ``Item 1A.`` is ``item_1A``."""
    return number.rstrip(".").replace("Item ", "item_")


def _block(filing: Filing, block: Block) -> list[str]:
    if block.grid:
        return _table(filing, block.item, block.grid)
    if block.kind == "item":
        number, title = item_heading(block.text)
        name = f'<A NAME="{block.item}"></A>'
        if filing.place % 2:
            cells = f"<TD WIDTH=12%>{name}<B>{number.upper()}<TD><B>{_text(title.upper())}"
            return [f"<TABLE WIDTH=100%><TR>{cells}</TABLE>"]
        return [f"<P>{name}<B><FONT SIZE=2>{number.upper()}&nbsp; {_text(title.upper())}</FONT>"]
    if block.kind in ("part", "heading"):
        align = " ALIGN=CENTER" if block.kind == "part" else ""
        return [f"<P{align}><FONT SIZE=2><B><I>{_text(block.text)}</I></B></FONT>"]
    if block.cut is None:
        return [_paragraph(block.text)]
    # The rest of the paragraph follows the page number and the rule.
    foot = f'<P ALIGN="CENTER"><FONT SIZE=1>{block.page}</FONT>'
    head, tail = block.text[: block.cut], block.text[block.cut + 1 :]
    return [_paragraph(head), foot, "<HR SIZE=3 COLOR=GRAY>", _paragraph(tail)]


def item_heading(text: str) -> tuple[str, str]:
    """Number and title of the heading of an item: ``Item 1.`` and ``Business``."""
    word, number, title = text.split(" ", 2)
    return f"{word} {number}", title


def _table(filing: Filing, item: str, grid: Grid) -> list[str]:
    titles = [grid.title] if is_note_inside(filing, grid) else [grid.title, grid.note]
    out = [f'<P ALIGN="CENTER"><FONT SIZE=2><B>{_text(text)}</B></FONT>' for text in titles]
    out += ["<TABLE WIDTH=100% BORDER=0 CELLSPACING=0 CELLPADDING=0>"]
    for row in lay_out(filing, item, grid):
        out.append("<TR VALIGN=BOTTOM>" + "".join(map(_cell, row)))
    return [*out, "</TABLE>"]


def _cell(cell: Td) -> str:
    span = f" COLSPAN={cell.span}" if cell.span > 1 else ""
    if cell.kind == "head":
        return (
            f"<TH{span} ALIGN=CENTER><FONT SIZE=1><B>{_text(cell.text)}</B><HR NOSHADE></FONT></TH>"
        )
    if cell.kind in ("label", "group", "total"):
        mark = f"<SUP>{cell.mark}</SUP>" if cell.mark else ""
        return f"<TD><FONT SIZE=2>{_text(cell.text) or '&nbsp;'}{mark}</FONT>"
    if cell.kind == "tail":
        return f"<TD NOWRAP><FONT SIZE=2>{cell.text}</FONT></TD>" if cell.text else "<TD></TD>"
    text = cell.before + _text(cell.text)
    return f"<TD{span} ALIGN=RIGHT><FONT SIZE=2>{text or '&nbsp;'}</FONT>"
