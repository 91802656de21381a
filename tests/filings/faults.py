"""Filings that are broken on purpose: one small file per fault, and what a reader should say.

``loaded`` means that the filing is read, whatever it flags; any other verdict names the fault for
which the file is quarantined. No fault may stop a build or lose another filing. A duplicate is
told by the warehouse, which knows all filings.
"""

import csv
import gzip
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

MEGABYTE = 1 << 20
IDENTITY = ("file", "cik", "name", "ticker", "form", "fiscal_year", "period_end", "accession")
FIGURES = """<table>
<tr><td></td><td colspan="2">2021</td><td colspan="2">2020</td></tr>
<tr><td>Revenue</td><td>$</td><td>1,204</td><td>$</td><td>1,100</td></tr>
<tr><td>Net loss</td><td>$</td><td>(37)</td><td>$</td><td>(12)</td></tr>
</table>"""
SPACES = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in (
        ("ix", "http://www.xbrl.org/2013/inlineXBRL"),
        ("xbrli", "http://www.xbrl.org/2003/instance"),
        ("xsi", "http://www.w3.org/2001/XMLSchema-instance"),
        ("dei", "http://xbrl.sec.gov/dei/2021"),
        ("us-gaap", "http://fasb.org/us-gaap/2021"),
    )
)
HEADER = """<div style="display:none"><ix:header><ix:resources><xbrli:context id="c1">
<xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">9900100</xbrli:identifier>
</xbrli:entity><xbrli:period><xbrli:startDate>2021-01-01</xbrli:startDate>
<xbrli:endDate>2021-12-31</xbrli:endDate></xbrli:period></xbrli:context>
<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>
</ix:resources></ix:header></div>"""


def page(middle: str = "", *, table: str = FIGURES, form: str = "10-K", top: str = "") -> str:
    """A filing of three items and one table; ``middle`` stands in Item 7."""
    return f"""{top}<html><body><p>FORM {form}</p>
<p>For the fiscal year ended December 31, 2021</p>
<p><b>Item 1. Business</b></p><p>We make clocks in Barre, Vermont. We sell them in two shops.</p>
<p><b>Item 7. Management's Discussion and Analysis</b></p>
<p>Revenue rose because we sold more clocks.</p>{middle}
<p><b>Item 8. Financial Statements</b></p><p>(in thousands)</p>{table}
<p>SIGNATURES</p></body></html>"""


def tagged(cell: str, header: str = HEADER, top: str = "") -> str:
    """The same as inline XBRL, with ``cell`` in a table."""
    row = f"<table><tr><td></td><td>2021</td></tr><tr><td>Revenue</td><td>{cell}</td></tr></table>"
    text = page(table=row, top=top).replace("<body>", f"<body>{header}")
    return text.replace("<html>", f'<html xmlns="http://www.w3.org/1999/xhtml" {SPACES}>')


def fact(text: str, more: str = "", *, context: str = "c1", unit: str = "usd") -> str:
    """A tagged figure in thousands; ``more`` holds attributes."""
    scale = "" if "scale=" in more else ' scale="3"'
    known = f'name="us-gaap:Revenues" contextRef="{context}" unitRef="{unit}" decimals="-3"'
    return f"<ix:nonFraction {known}{scale} {more}>{text}</ix:nonFraction>"


def nested(tag: str, depth: int, inside: str = "deep") -> str:
    """An element in itself, ``depth`` times."""
    return f"<{tag}>" * depth + inside + f"</{tag}>" * depth


def tables(depth: int) -> str:
    """A table in a cell of a table, ``depth`` times."""
    return "<table><tr><td>" * depth + "1" + "</td></tr></table>" * depth


def zipped(*members: tuple[str, bytes]) -> bytes:
    """An archive whose bytes do not depend on the day."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def encrypted(archive: bytes) -> bytes:
    """The archive with the flag of encryption set in both headers of its first member."""
    out = bytearray(archive)
    out[archive.index(b"PK\x03\x04") + 6] |= 1
    out[archive.index(b"PK\x01\x02") + 8] |= 1
    return bytes(out)


def submission(text: str, end: str = "</TEXT>\n</DOCUMENT>\n") -> str:
    """A text submission without its header."""
    return f"<DOCUMENT>\n<TYPE>10-K\n<SEQUENCE>1\n<TEXT>\n{text}\n{end}"


PLAIN = """ITEM 1.  BUSINESS

     We make clocks in Barre, Vermont. We sell them in two shops.

ITEM 8.  FINANCIAL STATEMENTS

<TABLE>
<CAPTION>
                      2021     2020
<S>                   <C>      <C>
Revenue............  $1,204   $1,100
</TABLE>"""
BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "lol"}">' for n in range(10))
FILE = '<!DOCTYPE html [<!ENTITY secret SYSTEM "file:///etc/passwd">]>'
GZIP = gzip.compress(page("<p>Packed.</p>").encode(), mtime=0)
ZIP = zipped(("filing.htm", page("<p>In an archive.</p>").encode()))
INJECTION = '<p>\'); drop table filings; -- {{ config() }} ${HOME} =HYPERLINK("http://x")</p>'
LOOP = '<ix:nonNumeric name="dei:T" contextRef="c1" continuedAt="a">x</ix:nonNumeric>'
LOOP += '<ix:continuation id="a" continuedAt="a">y</ix:continuation>'
DOUBLED = fact("1").replace("Revenues", "SalesRevenueNet")
BAD_DATE = HEADER.replace("2021-01-01", "2021-02-31")

META, TALL = '<meta charset="utf-8">', 'rowspan="65534"'
ATTRIBUTES = " ".join(f"a{n}=1" for n in range(10_000))
SCRIPT = "<script>alert(1)</script><style>p{}</style><p onclick=x()>a</p>"
REMOTE = '<iframe src="file:///etc/passwd"></iframe><img src="http://localhost:9/x">'

# Name of the file, verdict, bytes or text of the file.
FAULTS: tuple[tuple[str, str, Callable[[], bytes | str]], ...] = (
    ("sound.htm", "loaded", page),
    ("sound.txt", "loaded", lambda: submission(PLAIN)),
    ("empty.htm", "empty_file", lambda: b""),
    ("blank.htm", "empty_file", lambda: b" \r\n\t\n"),
    ("only_bom.htm", "empty_file", lambda: b"\xef\xbb\xbf"),
    ("cut_in_tag.htm", "loaded", lambda: page()[: page().rindex("<td>(12") + 2]),
    ("pdf.htm", "not_text", lambda: b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< >>\nendobj\n"),
    ("image.htm", "not_text", lambda: b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8),
    ("utf16.htm", "loaded", lambda: page().encode("utf-16")),
    ("utf8_bom.htm", "loaded", lambda: page().encode("utf-8-sig")),
    ("latin1_as_utf8.htm", "loaded", lambda: page("<p>Zürich’s</p>", top=META).encode("cp1252")),
    ("null_bytes.htm", "loaded", lambda: page("<p>a\0b\0\0c</p>")),
    ("control_bytes.htm", "loaded", lambda: page("<p>a\x01\x08\x1b[31mb\x7f</p>")),
    ("right_to_left.htm", "loaded", lambda: page("<p>\u202ereversed\u202c \u200b\ufeffword</p>")),
    ("amendment.htm", "loaded", lambda: page(form="10-K/A")),
    ("current_report.htm", "unknown_form", lambda: page(form="8-K")),
    ("no_items.htm", "no_items", lambda: "<html><body><p>We make clocks.</p></body></html>"),
    ("sound_again.htm", "duplicate_filing", page),
    ("no_identity.htm", "no_identity", lambda: page("<p>By whom?</p>")),
    ("mismatched_tags.htm", "loaded", lambda: page("<b><p>a</b></p></td></table><i>b</div>")),
    ("deep_divs.htm", "loaded", lambda: page(nested("div", 5_000))),
    ("deep_spans.htm", "loaded", lambda: page(nested("span", 5_000))),
    ("deep_unclosed.htm", "loaded", lambda: page("<div><font>" * 20_000)),
    ("deep_tables.htm", "loaded", lambda: page(tables(50))),
    ("wide_table.htm", "loaded", lambda: page(f"<table><tr>{'<td>1</td>' * 10_000}</tr></table>")),
    ("long_table.htm", "loaded", lambda: page(f"<table>{'<tr><td>a<td>1' * 20_000}</table>")),
    ("colspan.htm", "loaded", lambda: page(table=FIGURES.replace('"2"', '"100000000"'))),
    ("colspan_word.htm", "loaded", lambda: page(table=FIGURES.replace('"2"', '"-2e9x"'))),
    ("rowspan.htm", "loaded", lambda: page(table=FIGURES.replace("<td>R", f"<td {TALL}>R"))),
    ("entity_bomb.htm", "loaded", lambda: tagged("&e9;", top=f"<!DOCTYPE html [{BOMB}]>")),
    ("external_entity.htm", "loaded", lambda: tagged("&secret;", top=FILE)),
    ("unknown_entity.htm", "loaded", lambda: tagged("1 &unheard; &#xFFFFFFFF; &#0;")),
    ("less_than_signs.htm", "loaded", lambda: page("<" * MEGABYTE)),
    ("ampersands.htm", "loaded", lambda: page("&" * MEGABYTE)),
    ("long_word.htm", "loaded", lambda: page(f"<p>{'a' * MEGABYTE}</p>")),
    ("long_attribute.htm", "loaded", lambda: page(f'<p style="{"a:b;" * 100_000}">a</p>')),
    ("many_attributes.htm", "loaded", lambda: page(f"<p {ATTRIBUTES}>a</p>")),
    ("unclosed_comment.htm", "loaded", lambda: page().replace("<p>SIG", "<!-- <p>SIG")),
    ("scripts.htm", "loaded", lambda: page(SCRIPT)),
    ("remote_parts.htm", "loaded", lambda: page(REMOTE)),
    ("injection.htm", "loaded", lambda: page(INJECTION)),
    ("cdata.htm", "loaded", lambda: page("<![CDATA[<p>a</p>]]><?php x ?>")),
    ("huge_number.htm", "loaded", lambda: page(table=FIGURES.replace("1,204", "1e400"))),
    ("long_number.htm", "loaded", lambda: page(table=FIGURES.replace("1,204", "9" * 5_000))),
    ("unknown_context.htm", "loaded", lambda: tagged(fact("1", context="nowhere"))),
    ("unknown_unit.htm", "loaded", lambda: tagged(fact("1", unit="furlong"))),
    ("bad_date.htm", "loaded", lambda: tagged(fact("1"), BAD_DATE)),
    ("two_facts.htm", "loaded", lambda: tagged(f"{fact('1')} to {fact('2')}")),
    ("nested_facts.htm", "loaded", lambda: tagged(fact(DOUBLED))),
    ("nil_fact.htm", "loaded", lambda: tagged(fact("", 'xsi:nil="true"'))),
    ("bad_scale.htm", "loaded", lambda: tagged(fact("1", 'scale="abc"'))),
    ("huge_scale.htm", "loaded", lambda: tagged(fact("1", 'scale="999999999"'))),
    ("huge_fact.htm", "loaded", lambda: tagged(fact("1e400"))),
    ("bad_format.htm", "loaded", lambda: tagged(fact("1", 'format="ixt:no-such"'))),
    ("continuation_loop.htm", "loaded", lambda: tagged(LOOP)),
    ("text_as_htm.htm", "loaded", lambda: submission(PLAIN + "\n\nSIGNATURES")),
    ("html_as_text.txt", "loaded", lambda: page("<p>Markup.</p>")),
    ("unclosed_document.txt", "loaded", lambda: submission(PLAIN, end="")),
    ("unclosed_table.txt", "loaded", lambda: submission(PLAIN.replace("</TABLE>", ""))),
    ("packed.htm.gz", "loaded", lambda: GZIP),
    ("cut.htm.gz", "truncated_file", lambda: GZIP[: len(GZIP) // 2]),
    ("not_packed.htm.gz", "unreadable_file", lambda: page("<p>Bare.</p>")),
    ("bomb.htm.gz", "too_large", lambda: gzip.compress(bytes(64 * MEGABYTE), mtime=0)),
    ("packed.zip", "loaded", lambda: ZIP),
    ("cut.zip", "unreadable_file", lambda: ZIP[: len(ZIP) // 2]),
    ("damaged.zip", "unreadable_file", lambda: ZIP.replace(ZIP[60:64], b"\0\0\0\0", 1)),
    ("encrypted.zip", "encrypted", lambda: encrypted(ZIP)),
    # Members stay in memory, so that their names lead nowhere.
    ("climbing.zip", "loaded", lambda: zipped(("../../x.htm", page("<p>Up.</p>").encode()))),
    ("bomb.zip", "too_large", lambda: zipped(("filing.htm", bytes(64 * MEGABYTE)))),
    ("archive_in_archive.zip", "not_a_filing", lambda: zipped(("inner.zip", ZIP))),
    ("no_filing.zip", "empty_file", zipped),
)

# What lies in archives that are read.
MEMBERS = {"packed.zip": "filing.htm", "climbing.zip": "../../x.htm"}


def write_faults(directory: Path) -> dict[str, str]:
    """Write a file per fault, and a list of who filed what; a company of its own for each.

    Args:
        directory: Folder to write to; made when absent.

    Returns:
        The verdict that a reader should give, by the name of the file.
    """
    directory.mkdir(parents=True, exist_ok=True)
    ciks = {name: 9900100 + pos for pos, (name, _, _) in enumerate(FAULTS)}
    ciks["sound_again.htm"] = ciks["sound.htm"]
    with (directory / "filings.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(IDENTITY)
        for name, verdict, make in FAULTS:
            content = make()
            content = content.encode() if isinstance(content, str) else content
            (directory / name).write_bytes(content)
            form = {"amendment.htm": "10-K/A", "current_report.htm": "8-K"}.get(name, "10-K")
            company = f"{name.split('.')[0].replace('_', ' ').title()}, Inc."
            listed = f"{name}/{MEMBERS[name]}" if name in MEMBERS else name
            row = (listed, ciks[name], company, "", form, 2021, "2021-12-31", "")
            if verdict != "no_identity":
                table.writerow(row)
    return {name: verdict for name, verdict, _ in FAULTS}
