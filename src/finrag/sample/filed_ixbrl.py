"""A filing as inline XBRL: strict XML, figures tagged in tables and in prose, nested blocks."""

import datetime
import html
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from finrag.sample.filed_html import DASH, Td, anchor, is_note_inside, lay_out
from finrag.sample.filed_parts import Block, Fact, Filing, blocks, cover, wording
from finrag.sample.grids import Grid, Member
from finrag.sample.sections import contents

__all__ = ["DASH", "facts", "render"]

# The one filing whose cover names a wrong fiscal year, as a few real ones do.
LYING: Final = (9900003, 2021)
_SPACES: Final = {
    "": "http://www.w3.org/1999/xhtml",
    "ix": "http://www.xbrl.org/2013/inlineXBRL",
    "ixt": "http://www.xbrl.org/inlineXBRL/transformation/2020-02-12",
    "ixt-sec": "http://www.sec.gov/inlineXBRL/transformation/2015-08-31",
    "xbrli": "http://www.xbrl.org/2003/instance",
    "xbrldi": "http://xbrl.org/2006/xbrldi",
    "link": "http://www.xbrl.org/2003/linkbase",
    "xlink": "http://www.w3.org/1999/xlink",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
    "iso4217": "http://www.xbrl.org/2003/iso4217",
    "dei": "http://xbrl.sec.gov/dei/2023",
    "srt": "http://fasb.org/srt/2023",
    "us-gaap": "http://fasb.org/us-gaap/2023",
}
_UNITS: Final = {"USD": "iso4217:USD", "EUR": "iso4217:EUR", "percent": "xbrli:pure"}
_FORMS: Final = {
    "number": "ixt:num-dot-decimal",
    "zero": "ixt:fixed-zero",
    "word": "ixt-sec:numwordsen",
}
_SPAN: Final = "<span style=\"color:#000000;font-family:'Times New Roman',serif;font-size:10pt\">"
_BOLD: Final = _SPAN.replace("10pt", "10pt;font-weight:700")
# Where a page ends; replaced by page number, rule and running header.
_BREAK: Final = "\f"
_AXES: Final = {
    "segment": "us-gaap:StatementBusinessSegmentsAxis",
    "product": "srt:ProductOrServiceAxis",
    "consolidation": "srt:ConsolidationItemsAxis",
    "region": "srt:StatementGeographicalAxis",
}
_MEMBERS: Final = {
    "Intersegment Eliminations": "us-gaap:IntersegmentEliminationMember",
    "Operating Segments": "us-gaap:OperatingSegmentsMember",
    "Consolidation Eliminations": "us-gaap:ConsolidationEliminationsMember",
    "Corporate": "us-gaap:CorporateNonSegmentMember",
}


def render(filing: Filing) -> bytes:
    """The filing as strict XML in ASCII, other characters as references."""
    parts = list(blocks(filing))
    body = _cover(filing) + _contents(parts) + "".join(_bodies(filing, parts))
    body += f"{_division('SIGNATURES', _BOLD)}{_division(wording().signature)}"
    body = _numbered(filing, body)
    spaces = " ".join(
        f'xmlns{prefix and ":"}{prefix}="{uri}"'
        for prefix, uri in (
            _SPACES | {_own(filing): f"http://www.example.com/{filing.end}"}
        ).items()
    )
    head = (
        f"<?xml version='1.0' encoding='ASCII'?>\n<html {spaces} xml:lang=\"en-US\"><head>"
        f'<meta http-equiv="Content-Type" content="text/html"/><title>{_own(filing)}-{filing.end}'
        f'</title></head><body><div style="display:none">{_header(filing, parts)}</div>'
    )
    return f"{head}{body}</body></html>\n".encode("ascii", "xmlcharrefreplace")


def facts(filing: Filing) -> Iterator[dict[str, Any]]:
    """The tagged facts in the order of the file: hidden ones, the cover, the items."""
    for name, value, is_hidden in _dei(filing):
        text = value if isinstance(value, str) else f"{value:%B} {value.day}, {value.year}"
        yield _row(filing, name, text, filing.period("", filing.end.year)) | {
            "is_hidden": is_hidden
        }
    for fact in _tagged(filing, blocks(filing)):
        for concept in fact.concepts:
            row = _row(filing, concept, fact.text, (fact.start, fact.end))
            yield row | {
                "value": None if fact.value is None else float(fact.value),
                "unit": fact.unit,
                "dimensions": [
                    {"axis": axis, "member": member} for axis, member in _dimensions(filing, fact)
                ],
                "is_nil": fact.value is None,
            }


def _row(
    filing: Filing, concept: str, text: str, period: tuple[datetime.date | None, datetime.date]
) -> dict[str, Any]:
    start, end = (day and day.isoformat() for day in period)
    return {
        "concept": _named(filing, concept),
        "value": None,
        "text": text,
        "unit": None,
        "period_start": start,
        "period_end": end,
        "dimensions": [],
        "is_nil": False,
        "is_hidden": False,
    }


def _own(filing: Filing) -> str:
    return filing.teller.voice.company.ticker.lower()


def _named(filing: Filing, concept: str) -> str:
    return concept.replace("own:", f"{_own(filing)}:")


def _dei(filing: Filing) -> Iterator[tuple[str, str | datetime.date, bool]]:
    company, year = filing.teller.voice.company, filing.end.year
    focus = year - 1 if (company.cik, year) == LYING else year
    yield "dei:EntityCentralIndexKey", f"{company.cik:010d}", True
    yield "dei:DocumentFiscalYearFocus", str(focus), True
    yield "dei:DocumentFiscalPeriodFocus", "FY", True
    yield "dei:AmendmentFlag", "false", True
    yield "dei:DocumentType", "10-K", False
    yield "dei:DocumentPeriodEndDate", filing.end, False
    yield "dei:EntityRegistrantName", company.name, False
    yield "dei:TradingSymbol", company.ticker, False


def _tagged(filing: Filing, parts: Iterable[Block]) -> Iterator[Fact]:
    for block in parts:
        yield from (fact for _, _, fact in block.spans)
        if block.grid:
            cells = itertools.chain.from_iterable(lay_out(filing, block.item, block.grid))
            yield from (cell.fact for cell in cells if cell.fact)


def _dimensions(filing: Filing, fact: Fact) -> list[tuple[str, str]]:
    return [(_AXES[one.axis], _member(filing, one)) for one in fact.members]


def _member(filing: Filing, member: Member) -> str:
    camel = re.sub(r"[^A-Za-z0-9]", "", member.name.title())
    return _MEMBERS.get(member.name, f"{_own(filing)}:{camel}Member")


def _context(filing: Filing, fact: Fact) -> str:
    days = [f"{day:%Y%m%d}" for day in (fact.start, fact.end) if day]
    return "_".join(["c", *days, *(name.split(":")[1] for _, name in _dimensions(filing, fact))])


def _unit(unit: str) -> str:
    return unit.replace("USD/share", "usdPerShare").lower()


def _header(filing: Filing, parts: list[Block]) -> str:
    whole = _whole(filing)
    tagged = [whole, *_tagged(filing, parts)]
    contexts = {_context(filing, fact): fact for fact in tagged}
    hidden = "".join(
        f'<ix:nonNumeric contextRef="{_context(filing, whole)}" name="{name}" id="h-{pos}">'
        f"{value}</ix:nonNumeric>"
        for pos, (name, value, is_hidden) in enumerate(_dei(filing))
        if is_hidden
    )
    resources = "".join(_resource(filing, key, fact) for key, fact in contexts.items())
    for unit in dict.fromkeys(fact.unit for fact in tagged if fact.unit):
        measure = f"<xbrli:measure>{_UNITS.get(unit, f'{_own(filing)}:{unit}')}</xbrli:measure>"
        if unit == "USD/share":
            share = "<xbrli:measure>xbrli:shares</xbrli:measure>"
            measure = (
                "<xbrli:divide><xbrli:unitNumerator><xbrli:measure>iso4217:USD</xbrli:measure>"
                f"</xbrli:unitNumerator><xbrli:unitDenominator>{share}</xbrli:unitDenominator>"
                "</xbrli:divide>"
            )
        resources += f'<xbrli:unit id="{_unit(unit)}">{measure}</xbrli:unit>'
    schema = f"{_own(filing)}-{filing.end:%Y%m%d}.xsd"
    return (
        f"<ix:header><ix:hidden>{hidden}</ix:hidden><ix:references><link:schemaRef "
        f'xlink:type="simple" xlink:href="{schema}"/></ix:references>'
        f"<ix:resources>{resources}</ix:resources></ix:header>"
    )


def _whole(filing: Filing) -> Fact:
    # What the cover and the blocks of text are about: the fiscal year.
    start, end = filing.period("", filing.teller.voice.year)
    return Fact((), None, "", start, end, (), "", 0, "")


def _resource(filing: Filing, key: str, fact: Fact) -> str:
    cik = filing.teller.voice.company.cik
    segment = "".join(
        f'<xbrldi:explicitMember dimension="{axis}">{member}</xbrldi:explicitMember>'
        for axis, member in _dimensions(filing, fact)
    )
    segment = segment and f"<xbrli:segment>{segment}</xbrli:segment>"
    days = f"<xbrli:instant>{fact.end}</xbrli:instant>"
    if fact.start:
        days = f"<xbrli:startDate>{fact.start}</xbrli:startDate>"
        days += f"<xbrli:endDate>{fact.end}</xbrli:endDate>"
    scheme = '<xbrli:identifier scheme="http://www.sec.gov/CIK">'
    return (
        f'<xbrli:context id="{key}"><xbrli:entity>{scheme}{cik:010d}</xbrli:identifier>{segment}'
        f"</xbrli:entity><xbrli:period>{days}</xbrli:period></xbrli:context>"
    )


def _figure(filing: Filing, fact: Fact) -> str:
    known = f'contextRef="{_context(filing, fact)}" unitRef="{_unit(fact.unit)}"'
    if fact.value is None:
        known += ' xsi:nil="true"'
    else:
        places = len(fact.text.partition(".")[2])
        decimals = "INF" if fact.form != "number" else str(places - fact.power)
        known += f' decimals="{decimals}" format="{_FORMS[fact.form]}" scale="{fact.power}"'
    if fact.value is not None and fact.value < 0:
        known += ' sign="-"'
    out = html.escape(fact.text)
    for concept in reversed(fact.concepts):
        name = _named(filing, concept)
        out = f'<ix:nonFraction name="{name}" {known} id="f-">{out}</ix:nonFraction>'
    return out


def _named_block(filing: Filing, concept: str, body: str) -> str:
    """A block of text under a tag, which goes on behind each page break."""
    pieces, name = body.split(_BREAK), re.sub(r"\W", "", concept)
    known = f'contextRef="{_context(filing, _whole(filing))}" name="{_own(filing)}:{name}TextBlock"'
    out = []
    for pos, piece in enumerate(pieces):
        more = f' continuedAt="{name}-{pos + 1}"' if pos + 1 < len(pieces) else ""
        if pos:
            out.append(f'<ix:continuation id="{name}-{pos}"{more}>{piece}</ix:continuation>')
        else:
            out.append(
                f'<ix:nonNumeric {known} escape="true"{more} id="f-">{piece}</ix:nonNumeric>'
            )
    return _BREAK.join(out)


def _bodies(filing: Filing, parts: list[Block]) -> Iterator[str]:
    note, body = "", ""
    for pos, block in enumerate(parts):
        if block.kind in ("part", "item") or block.text.startswith("Note "):
            yield _named_block(filing, note, body) if note else body
            note, body = "", ""
        if block.text.startswith("Note ") and block.kind == "heading":
            # "Note 7. Debt" is tagged as DebtDisclosureTextBlock.
            note = block.text.partition(". ")[2].title() + "Disclosure"
        shown = _block(filing, block, pos)
        if note and block.grid:
            shown = _named_block(filing, f"Table{pos}", shown)
        elif note and block.kind == "paragraph" and block.cut is None and pos % 3 == 0:
            shown = _named_block(filing, f"Policy{pos}", shown)
        body += shown
    yield _named_block(filing, note, body) if note else body


def _division(body: str, span: str = _SPAN, style: str = "margin-bottom:9pt") -> str:
    return f'<div style="{style}">{span}{body}</span></div>\n'


def _cover(filing: Filing) -> str:
    context, out = _context(filing, _whole(filing)), ""
    shown = {name: value for name, value, is_hidden in _dei(filing) if not is_hidden}
    for line in cover(filing):
        text = html.escape(line)
        for name, value in shown.items():
            date = f"{value:%B} {value.day}, {value.year}" if not isinstance(value, str) else ""
            form = ' format="ixt:date-monthname-day-year-en"' if date else ""
            printed = html.escape(date or str(value))
            known = f'contextRef="{context}" name="{name}"{form} id="f-"'
            tag = f"<ix:nonNumeric {known}>{printed}</ix:nonNumeric>"
            if text.endswith(printed):
                text = text.removesuffix(printed) + tag
                break
        out += _division(text, _BOLD, "text-align:center")
    return out


def _contents(parts: list[Block]) -> str:
    pages = {block.item: block.page for block in parts if block.kind == "item"}
    link = '<a style="color:#0000ff" href="#{}">{}</a>'
    rows = ""
    for number, title in contents().items():
        item = anchor(number)
        texts = (number, html.escape(title), str(pages.get(item, "")))
        cells = "".join(f"<td>{_SPAN}{link.format(item, text)}</span></td>" for text in texts)
        rows += f"<tr>{cells}</tr>"
    title = _division("TABLE OF CONTENTS", _BOLD, "text-align:center")
    return f'<div id="toc">{title}<table style="width:90%">{rows}</table></div>{_BREAK}'


def _block(filing: Filing, block: Block, pos: int) -> str:
    if block.grid:
        return _table(filing, block.item, block.grid)
    if block.kind == "part":
        return _division(block.text, _BOLD, "text-align:center")
    if block.kind == "item":
        # The first letter stands in a span of its own, and the space is a hard one.
        text = html.escape(block.text.replace("Item ", "Item\N{NO-BREAK SPACE}", 1))
        shown = _division(f"{text[0]}</span>{_BOLD}{text[1:]}", _BOLD)
        return f'<div id="{block.item}"></div>{shown}'
    if block.kind == "heading":
        return _division(f"\N{ZERO WIDTH SPACE}{html.escape(block.text)}", _BOLD)
    shown = ""
    for text, fact in _pieces(block):
        if fact:
            shown += _figure(filing, fact)
        elif text == _BREAK:
            shown += f"</span></div>\n{_BREAK}<div>{_SPAN}"
        else:
            shown += _plain(text, pos)
    return _division(shown)


def _pieces(block: Block) -> Iterator[tuple[str, Fact | None]]:
    ends = [(start, end, fact) for start, end, fact in block.spans]
    marks: list[tuple[int, int, Fact | None]] = [*ends]
    if block.cut is not None:
        marks.append((block.cut, block.cut + 1, None))
    at = 0
    for start, end, fact in sorted(marks, key=lambda mark: mark[:2]):
        yield block.text[at:start], None
        yield (block.text[start:end], fact) if fact else (_BREAK, None)
        at = end
    yield block.text[at:], None


def _plain(text: str, pos: int) -> str:
    text = re.sub(r"(?<=\d) (?=million|billion|percent)", "\N{NO-BREAK SPACE}", text)
    if pos % 5 == 1:
        text = text.replace("-", "-\N{ZERO WIDTH SPACE}")
    words = html.escape(text, quote=False)
    # A change of span in the middle of a word changes no word.
    cut = re.search(r"(?<= [a-z]{3})(?=[a-z]{3,} )", words) if pos % 7 == 2 else None
    return f"{words[: cut.start()]}</span>{_SPAN}{words[cut.start() :]}" if cut else words


def _table(filing: Filing, item: str, grid: Grid) -> str:
    titles = [grid.title] if is_note_inside(filing, grid) else [grid.title, grid.note]
    out = "".join(_division(html.escape(text), _BOLD, "text-align:center") for text in titles)
    widths = '<td style="width:40%"></td>' + '<td style="width:0.1%"></td>' * 4 * len(grid.columns)
    rows = f"<tr>{widths}</tr>"
    for row in lay_out(filing, item, grid):
        rows += f"<tr>{''.join(_cell(filing, cell) for cell in row)}</tr>\n"
    return f'{out}<div><table style="border-collapse:collapse;width:100%">{rows}</table></div>\n'


def _cell(filing: Filing, cell: Td) -> str:
    span = f' colspan="{cell.span}"' if cell.span > 1 else ""
    text = _figure(filing, cell.fact) if cell.fact else html.escape(cell.text)
    # Nothing but its weight tells a header from other cells.
    indent = "padding:2px 1pt 2px 10pt" if cell.is_inner else "padding:2px 1pt"
    style = {"head": "text-align:center", "number": "text-align:right"}.get(cell.kind, indent)
    font = _BOLD if cell.kind in ("head", "group", "total") else _SPAN
    mark = f'</span><span style="vertical-align:super">{cell.mark}' if cell.mark else ""
    shown = f"{font}{cell.before}{text}{mark}</span>" if text else ""
    return f'<td{span} style="{style}">{shown}</td>'


def _numbered(filing: Filing, body: str) -> str:
    """Number the facts and the pages."""
    ids, pages = itertools.count(1), itertools.count(1)
    company, year = filing.teller.voice.company, filing.teller.voice.year

    def furniture(_: re.Match[str]) -> str:
        foot = _division(str(next(pages)), style="text-align:center")
        link = _division('<a href="#toc">Table of Contents</a>')
        name = _division(f"{html.escape(company.name)} | {year} Form 10-K")
        return f'{foot}<hr style="page-break-after:always"/>{link}{name}'

    body = re.sub(_BREAK, furniture, body)
    return re.sub(r'id="f-"', lambda _: f'id="f-{next(ids)}"', body)
