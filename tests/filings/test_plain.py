"""Preformatted text becomes blocks and grids, and loses nothing that it shows."""

import gzip
import hashlib
import os
import re
import time
from collections import Counter
from pathlib import Path

import pytest

from finrag.filings.html import parse_markup, read_markup
from finrag.filings.plain import read_plain_blocks
from finrag.filings.submissions import decode, read_submission

SHARED = Path(
    os.environ.get("FINRAG_SHARED_DATA", Path(__file__).parents[2].parent / "shared/data")
)
TAGS = re.compile(r"</?(?:page|table|caption|s|c|fn|f[0-9]{1,2}|r)>", re.IGNORECASE)
# Rules, leaders and boxes are drawn, not written.
DRAWN = set("-=_.|")

TAGGED = """
Sales rose as follows:

<TABLE>
INCOME                                THE ACME COMPANY
<CAPTION>
                                   Year Ended June 30,      Average
(In millions except             -----------------------    of three
 per share data)                   1997           1996        years
- -------------------------------------------------------------------
<S>                             <C>           <C>          <C>
REVENUES
Sales of anvils, hammers
  and tongs.................... $  1,234      $    980     $ 1,100
    Provision for losses
    on anvils .................       (5)           --         (17)
                                --------      --------     -------
                                $  1,229      $    980     $ 1,083
                                ========      ========     =======
Cash at Beginning of the Year   $     12      $      1     $     6
<FN>
(1) Restated for     2 years.
</TABLE>

Costs fell.
"""


def cells(block):
    """Texts of a table's cells by row, each with its column, and with a span where there is one."""
    rows = {}
    for cell in block.grid.cells:
        place = cell.column if cell.columns == 1 else (cell.column, cell.columns)
        rows.setdefault(cell.row, {})[place] = cell.text
    return [rows[row] for row in sorted(rows)]


def texts(text):
    return [block.text for block in read_plain_blocks(text)]


def table_of(text):
    (table,) = [block for block in read_plain_blocks(text) if block.kind == "table"]
    return cells(table)


def visible(text):
    lines = (line.removeprefix("- ") if line[:3] == "- -" else line for line in text.splitlines())
    return Counter(char for line in lines for char in line if not char.isspace())


def shown(blocks):
    found = Counter()
    for block in blocks:
        for part in [cell.text for cell in block.grid.cells] if block.grid else [block.text]:
            found.update(char for char in part if not char.isspace())
    return found


def without_drawn(counts):
    return {char: n for char, n in counts.items() if char not in DRAWN}


def test_a_tagged_table_is_read():
    before, left, right, table, note, after = read_plain_blocks(TAGGED)
    assert before.text == "Sales rose as follows:"
    assert (left.text, right.text) == ("INCOME", "THE ACME COMPANY")
    assert cells(table) == [
        {(1, 2): "Year Ended June 30,"},
        {
            0: "(In millions except per share data)",
            1: "1997",
            2: "1996",
            3: "Average of three years",
        },
        {0: "REVENUES"},
        {0: "Sales of anvils, hammers and tongs", 1: "$ 1,234", 2: "$ 980", 3: "$ 1,100"},
        {0: "Provision for losses on anvils", 1: "(5)", 2: "--", 3: "(17)"},
        {1: "$ 1,229", 2: "$ 980", 3: "$ 1,083"},
        {0: "Cash at Beginning of the Year", 1: "$ 12", 2: "$ 1", 3: "$ 6"},
    ]
    assert [cell.is_header for cell in table.grid.cells].count(True) == 5
    indents = {cell.text: cell.indent for cell in table.grid.cells}
    assert indents["Provision for losses on anvils"] == 24.0
    assert (note.text, after.text) == ("(1) Restated for 2 years.", "Costs fell.")


def test_a_table_without_tags_shows_by_its_columns():
    blocks = read_plain_blocks(
        "Debt at June 30 is as follows and will be paid in full when it is due:\n"
        "\n"
        "                               1997        1996\n"
        "- -------------------------------------------------\n"
        "6 3/4% notes due 1998         $  141      $ 161\n"
        "Other, with banks\n"
        "  of all kinds ............       12         --\n"
        "                              ------------------\n"
        "                                 153        161\n"
        "==================================================\n"
        "\n"
        "The notes are unsecured and rank with all other debt of the company.\n"
    )
    assert [block.kind for block in blocks] == ["paragraph", "table", "paragraph"]
    assert cells(blocks[1]) == [
        {1: "1997", 2: "1996"},
        {0: "6 3/4% notes due 1998", 1: "$ 141", 2: "$ 161"},
        {0: "Other, with banks of all kinds", 1: "12", 2: "--"},
        {1: "153", 2: "161"},
    ]


def test_what_stands_at_the_left_above_headers_is_a_title():
    title, table = read_plain_blocks(
        "Inventories consisted of:\n                 1997      1996\n"
        "Anvils            120       110\nTongs              30        20\n"
    )
    assert title.text == "Inventories consisted of:"
    assert cells(table)[0] == {1: "1997", 2: "1996"}


def test_tags_at_the_left_of_all_figures_say_nothing():
    assert table_of(
        "<TABLE>\n<S> <C>\nSales of anvils     12        13\n"
        "Costs of anvils     14        15\n</TABLE>\n"
    )[0] == {0: "Sales of anvils", 1: "12", 2: "13"}


def test_years_after_a_blank_line_begin_another_table():
    blocks = read_plain_blocks(
        "June 30,                      1997        1996\n"
        "Assets                       4,590       2,913\n"
        "Debt                         1,552       1,445\n"
        "\n"
        "Year Ended June 30,     1997      1996      1995\n"
        "Sales                  3,290     2,905     2,193\n"
        "Costs                  1,856     1,737     1,311\n"
    )
    assert [block.grid.n_columns for block in blocks] == [3, 4]


def test_columns_that_one_blank_parts_are_two():
    assert table_of(
        "Cash ..................  $1,604.0 $1,604.0    $ 1.0\n"
        "Loans .................     665.7    665.9      --\n"
        "Gold at the end of year   1,416.9  1,405.8      2.5\n"
        "Iron at the end of year 111,416.9  1,405.8      3.5\n"
    ) == [
        {0: "Cash", 1: "$1,604.0", 2: "$1,604.0", 3: "$ 1.0"},
        {0: "Loans", 1: "665.7", 2: "665.9", 3: "--"},
        {0: "Gold at the end of year", 1: "1,416.9", 2: "1,405.8", 3: "2.5"},
        {0: "Iron at the end of year", 1: "111,416.9", 2: "1,405.8", 3: "3.5"},
    ]


def test_rows_of_figures_alone_have_no_labels_and_years_label_rows():
    assert table_of(
        "   1998     1999     2000\n------------------\n $  397   $   13   $  309\n"
    ) == [
        {1: "1998", 2: "1999", 3: "2000"},
        {1: "$ 397", 2: "$ 13", 3: "$ 309"},
    ]
    assert table_of("Year       Sales\n----       -----\n1986         211\n1987         254\n") == [
        {0: "Year", 1: "Sales"},
        {0: "1986", 1: "211"},
        {0: "1987", 1: "254"},
    ]


def test_headers_share_the_columns_under_them():
    rows = table_of(
        "<TABLE>\n<CAPTION>\n"
        "                    U.S. Plans                Other Plans\n"
        "\n"
        "              1997    1996    1995      1997    1996    1995\n"
        "<S>           <C>     <C>     <C>       <C>     <C>     <C>\n"
        "Cost           397     412     315       360     378     386\n"
        "</TABLE>\n"
    )
    assert rows[0] == {(1, 3): "U.S. Plans", (4, 3): "Other Plans"}


def test_a_rule_under_a_header_says_how_far_it_goes():
    rows = table_of(
        "                Growth                           June 30,\n"
        "              --------------------     -----------------------\n"
        "              5 Years     10 Years     1997     1996      1995\n"
        "--------------------------------------------------------------\n"
        "Sales             7%           9%        12       11        10\n"
        "Costs             3%           5%         9        8         7\n"
    )
    assert rows[0] == {(1, 2): "Growth", (3, 3): "June 30,"}


def test_labels_go_on_where_they_say_so():
    rows = table_of(
        "<TABLE>\n<S>                     <C>         <C>\n"
        "Change of Debt into\nPreferred Stock            12          13\n"
        "Treasury stock\n(1,000 shares)             (1)         (2)\n"
        "Fixed charges:\n  Interest                  4           5\n"
        "Net\n  Rent                      6           7\n</TABLE>\n"
    )
    assert [row[0] for row in rows] == [
        *("Change of Debt into Preferred Stock", "Treasury stock (1,000 shares)"),
        *("Fixed charges:", "Interest", "Net", "Rent"),
    ]


def test_texts_in_columns_go_on_in_the_next_line():
    assert table_of(
        "<TABLE>\n<CAPTION>\n"
        "EXHIBIT          DESCRIPTION                     FILED\n"
        "- -------        -----------                     -----\n"
        "<S>              <C>                             <C>\n"
        "3(a)       --    Certificate of Incorporation    *\n"
        "                 of Acme (May 6, 1992)\n"
        "3(b)       --    By-Laws                         with this\n"
        "                                                 document\n"
        "</TABLE>\n"
    )[1:] == [
        {0: "3(a) --", 1: "Certificate of Incorporation of Acme (May 6, 1992)", 2: "*"},
        {0: "3(b) --", 1: "By-Laws", 2: "with this document"},
    ]


def test_boxes_are_drawn():
    assert table_of(
        "June 1996        | 2,552   | $854\nIssued           |     8   |    2\n"
        "-----------------|---------|-----\nJune 1997        | 2,560   | $856\n"
    ) == [
        {0: "June 1996", 1: "2,552", 2: "$854"},
        {0: "Issued", 1: "8", 2: "2"},
        {0: "June 1997", 1: "2,560", 2: "$856"},
    ]


def test_lines_are_joined_and_parted():
    assert texts(
        "ITEM 1.  BUSINESS\n"
        "The company makes anvils of all sizes and sells them to all trades, ready-to-\n"
        "use and   with a warranty that is as good as any other of its kind and better.\n"
        "     In 1997 it made more of them than in any year before and sold nearly all\n"
        "of them (see Item 7), in all of the places that are listed here:  It now has:\n"
        "  (a) a forge, in which it makes anvils of all sizes that can be sold anywhere;\n"
        "  (b) a shop, in which it sells what the forge made in the year before, and\n"
        "      not more.\n"
        "- -- No farm.\n"
    ) == [
        "ITEM 1. BUSINESS",
        "The company makes anvils of all sizes and sells them to all trades, ready-to-use and with"
        " a warranty that is as good as any other of its kind and better.",
        "In 1997 it made more of them than in any year before and sold nearly all of them (see"
        " Item 7), in all of the places that are listed here: It now has:",
        "(a) a forge, in which it makes anvils of all sizes that can be sold anywhere;",
        "(b) a shop, in which it sells what the forge made in the year before, and not more.",
        "-- No farm.",
    ]


def test_a_rule_under_words_of_a_line_parts_nothing():
    (block,) = read_plain_blocks(
        "vaccines against a variety of diseases, such as influenzae\n"
        "                                                ----------\n"
        "type b and hepatitis, are sold.\n"
    )
    assert block.text.endswith("such as influenzae type b and hepatitis, are sold.")
    assert not block.is_underlined


def test_headings_are_centred_or_underlined():
    centred, underlined, plain = read_plain_blocks(
        "                              LEGAL PROCEEDINGS\n\nAnvils\n------\nNone of them fell.\n"
    )
    assert (centred.is_centred, centred.is_underlined) == (True, False)
    assert (underlined.is_centred, underlined.is_underlined) == (False, True)
    assert not plain.is_underlined


def test_prose_that_is_set_to_full_width_is_no_table():
    blocks = read_plain_blocks(
        "The  company  sold  its  shares on  May 26,  2005 and paid  for  them  all  105\n"
        "in the  year  1997,  of which  it  had  sold  some  before  the  end  of  98\n" * 3
    )
    assert [block.kind for block in blocks] == ["paragraph"]


@pytest.mark.parametrize("page", ["<PAGE>\n", "<PAGE>   \n", "\f"])
def test_pages_part_blocks_and_page_numbers_stand_alone(page):
    blocks = read_plain_blocks(f"that is sold by it to bottlers\n- 12 -\n{page}and others.\n")
    assert [(block.text, block.starts_page) for block in blocks] == [
        ("that is sold by it to bottlers", False),
        ("- 12 -", False),
        ("and others.", True),
    ]


def test_a_table_goes_on_after_a_page_with_the_same_columns():
    first, second = read_plain_blocks(
        "<TABLE>\n<S>        <C>       <C>\nAnvils     Utah      100\nTongs      Ohio      100\n"
        "<PAGE>\nHammers    Iowa      100\n</TABLE>\n"
    )
    assert cells(first)[0] == {0: "Anvils", 1: "Utah", 2: "100"}
    assert cells(second) == [{0: "Hammers", 1: "Iowa", 2: "100"}]
    assert second.starts_page


def test_a_table_that_is_never_closed_swallows_nothing():
    prose = "The company makes anvils of all sizes and sells\nAnvils to all trades.\n"
    assert texts(f"<TABLE>\n{prose}\n<TABLE>\n{prose}</TABLE>\n")[0] == " ".join(prose.split())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "cp1252"])
def test_places_count_the_bytes_of_the_source(encoding):
    text = "Anvils – a café\r\n\r\n<TABLE>\r\n<S>     <C>   <C>\r\nCosts    12   €13\r\n</TABLE>\n"
    text += "End.\n"
    source = b"head" + text.encode(encoding)
    blocks = read_plain_blocks(text, 4, encoding)
    parts = [source[b.source_start : b.source_end].decode(encoding) for b in blocks]
    assert [part.split()[0] for part in parts] == ["Anvils", "Costs", "End."]
    assert parts[-1] == "End.\n"
    assert [b.source_end for b in blocks[:-1]] == [b.source_start for b in blocks[1:]]


def test_preformatted_html_is_read_with_its_columns():
    root, _, _ = parse_markup(
        b"<html><body><p>Sales:</p><pre><table>\n<caption>\n             1997      1996\n"
        b"<s>          <c>       <c>\nSales        12        13\nCosts        14        15\n"
        b"</table>\n\nAfter the <b>table</b>.\n</pre></body></html>"
    )
    before, table, after = read_markup(root, 300).blocks
    assert (before.text, after.text) == ("Sales:", "After the table.")
    assert cells(table)[1] == {0: "Sales", 1: "12", 2: "13"}


def test_every_visible_character_is_in_one_block():
    pieces = TAGGED.splitlines(keepends=True)
    for first in range(0, len(pieces), 3):
        for last in range(first + 1, len(pieces), 4):
            text = "".join(pieces[first:last])
            assert without_drawn(shown(read_plain_blocks(text))) == without_drawn(
                visible(TAGS.sub("", text))
            )


def is_mending(path):
    cik = int(path.name.split("_")[0])
    return int(hashlib.sha256(f"{cik:010d}".encode()).hexdigest(), 16) % 3 != 2


FILINGS = [path for path in sorted(SHARED.glob("filings_html/*.txt.gz")) if is_mending(path)]


@pytest.mark.skipif(not FILINGS, reason="the filings are not on this machine")
@pytest.mark.parametrize("path", FILINGS, ids=lambda path: path.name)
def test_filings_of_the_1990s_lose_no_character(path):
    for document in read_submission(gzip.decompress(path.read_bytes())).documents:
        text, encoding = decode(document.content)
        blocks = read_plain_blocks(text, document.offset, encoding)
        assert without_drawn(shown(blocks)) == without_drawn(visible(TAGS.sub("", text)))
        starts = [block.source_start for block in blocks]
        assert starts == sorted(starts)


ROW = "Sales and other items of the year       1,234      5,678\n"
HOSTILE = {
    "a line of words": "word " * 400_000,
    "a line of leaders": " ." * 1_000_000 + "x",
    "a line of tags": "<S><C>" * 100_000,
    "blank lines": "\n" * 200_000,
    "pages": "<PAGE>\n" * 100_000,
    "tables that are not closed": "<TABLE>\n" * 100_000,
    "rows": ROW * 20_000,
    "tagged rows": "<TABLE>\n<S>  <C>  <C>\n" + ROW * 20_000 + "</TABLE>",
    "labels that go on": "<TABLE>\n<S>  <C>  <C>\n" + "sales and\n" * 50_000 + "</TABLE>",
    "texts that go on": "<TABLE>\n<S>  <C>\n" + "           more of\n" * 50_000 + "</TABLE>",
    "headers": "<TABLE>\n<CAPTION>\n" + "  a    b     c\n" * 50_000 + "<S>  <C>\n</TABLE>",
    "figures": ("1  " * 150 + "\n") * 500,
    "what is neither drawn nor written": "a    1    2\n....\n|\n" * 1_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_read_in_time(name):
    before = time.process_time()
    read_plain_blocks(HOSTILE[name])
    assert time.process_time() - before < 20
