"""What each block is for, the headings above it, the sentences across pages, the notes."""

from __future__ import annotations

import pytest

from finrag.filings.layout import continues, heading_paths, mark_layout, read_notes
from finrag.filings.model import Block, Grid, GridCell

PROSE = "We sell pumps to farms and towns, and we repair what we sold for as long as it runs."


def bold(text: str, **more: object) -> Block:
    return Block(text, is_bold=True, size=10.0, **more)


def plain(text: str, **more: object) -> Block:
    return Block(text, size=10.0, **more)


def table(*rows: tuple[str, ...], links: bool = False) -> Block:
    cells = [
        GridCell(r, c, 1, 1, text, links=(f"to{r}",) if links else ())
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
        if text
    ]
    return Block("", kind="table", grid=Grid(len(rows), max(map(len, rows)), cells))


def kinds(*blocks: Block) -> list[str]:
    mark_layout(blocks)
    return [block.kind for block in blocks]


def pages(n: int, *, header: str = "Fennelworth Inc.", last: str = PROSE * 2) -> list[Block]:
    """Pages that begin with a header and end in a page number."""
    blocks = []
    for page in range(1, n + 1):
        blocks += [
            plain(header, starts_page=True),
            plain(PROSE * 2),
            plain(last),
            plain(f"- {page} -"),
        ]
    return blocks


@pytest.mark.parametrize(
    ("block", "kind"),
    [
        (bold("Competition"), "heading"),
        (bold("We face competition from pumps that are cheaper than ours."), "heading"),
        (plain("COMPETITION AND MARKETS"), "heading"),
        (plain("Competition", is_underlined=True), "heading"),
        (Block("Competition", size=14.0), "heading"),
        (plain("Item 2. Properties"), "heading"),
        (bold("(in millions, except shares)"), "paragraph"),
        (bold(PROSE * 6), "paragraph"),
        (plain("Competition"), "paragraph"),
        (plain("• pumps and valves;"), "list"),
        (plain("(ii) pumps and valves;"), "list"),
        (plain("–5 degrees are the least at which our pumps run."), "paragraph"),
    ],
)
def test_a_block_is_told_by_its_looks(block, kind):
    assert kinds(plain(PROSE * 3), block)[1] == kind


def test_small_print_and_marks_under_a_table_are_footnotes():
    marked = [plain("(1) Without pumps sold abroad."), plain("* Restated.")]
    small = Block("Sums may not add.", size=8.0)
    raised = plain("aWithout valves.", raised=((0, 1),))
    assert kinds(plain(PROSE), table(("a", "1")), small, *marked, raised, plain(PROSE)) == [
        *("paragraph", "table", "footnote", "footnote", "footnote", "footnote", "paragraph")
    ]
    assert kinds(plain(PROSE), plain("(1) Without pumps sold abroad."))[1] == "list"


def test_page_numbers_and_lines_that_recur_at_page_breaks_are_furniture():
    assert kinds(*pages(5)) == ["furniture", "paragraph", "paragraph", "furniture"] * 5
    assert kinds(*pages(2))[::4] == ["paragraph"] * 2
    linked = plain("Back to contents", links=("toc",), starts_page=True)
    assert kinds(plain(PROSE), linked)[1] == "furniture"
    assert kinds(plain("1."), plain("2023"), plain("F-12"), plain("Page 3 of 9")) == [
        *("paragraph", "paragraph", "furniture", "furniture")
    ]


def test_the_first_of_a_running_header_stays_and_answers_and_scales_do():
    blocks = pages(5, header="NOTES TO FINANCIAL STATEMENTS")
    for block in blocks[::4]:
        block.is_bold = True
    assert kinds(*blocks)[::4] == ["heading", *["furniture"] * 4]
    assert kinds(*pages(5, last="None."))[2::4] == ["paragraph"] * 5
    assert kinds(*pages(5, last="(in millions)"))[2::4] == ["paragraph"] * 5
    assert kinds(*pages(12, last="(in millions)"))[2::4] == ["paragraph", *["furniture"] * 11]


def test_tables_of_contents_are_told_from_data():
    rows = [("Business", "3"), ("Risk Factors", "9"), ("Properties", "14"), ("Notes", "F-15")]
    contents = [*rows, ("Signatures", "20")]
    assert kinds(bold("TABLE OF CONTENTS"), table(*contents))[1] == "toc"
    assert kinds(plain(PROSE), table(*contents))[1] == "table"
    assert kinds(plain(PROSE), table(*contents, links=True))[1] == "toc"
    falling = [("Pumps", "90"), ("Valves", "4"), ("Pipes", "80"), ("Hoses", "3"), ("Other", "70")]
    assert kinds(bold("Contents"), table(*falling))[1] == "table"


def test_lines_with_leaders_and_runs_of_links_are_contents():
    assert kinds(plain("Item 1. Business ............. 3"))[0] == "toc"
    assert kinds(plain("We sold ... pumps and . . . valves"))[0] == "paragraph"
    run = [plain(f"Chapter {n}", links=(f"to{n}",)) for n in "abcdef"]
    assert kinds(plain(PROSE), *run, plain(PROSE)) == ["paragraph", *["toc"] * 6, "paragraph"]
    assert "toc" not in kinds(plain(PROSE), *run[:4], plain(PROSE))


def test_the_contents_are_over_where_the_items_begin_again():
    items = [plain(f"Item {n}. {title}") for n, title in enumerate(["Pumps", "Pipes", "Hoses"] * 2)]
    again = [plain("PART I"), plain("Item 0. Pumps"), plain(PROSE)]
    assert kinds(*items, *again) == [*["toc"] * 6, "heading", "heading", "paragraph"]
    paged = [plain(f"{item.text} {page}") for page, item in enumerate(items)]
    again[1] = plain("Item 9. Valves")
    assert kinds(*paged, *again) == [*["toc"] * 6, "heading", "heading", "paragraph"]


def test_headings_above_a_block_run_from_part_to_note_to_the_smallest():
    blocks = [
        bold("PART II"),
        bold("Item 8. Financial Statements"),
        bold("NOTES TO FINANCIAL STATEMENTS"),
        bold("Note 1. Debt"),
        plain("Term loans", is_underlined=True),
        plain(PROSE),
        bold("Note 2. Leases"),
        plain(PROSE),
        Block("PART III", size=8.0),
        plain(PROSE),
    ]
    mark_layout(blocks)
    paths = heading_paths(blocks)
    above = [block.text for block in blocks[:5]]
    assert paths[5] == tuple(above)
    assert paths[4] == tuple(above[:4])
    assert paths[7] == (*above[:3], "Note 2. Leases")
    assert paths[9] == ("PART III",)


def test_at_most_six_headings_stand_above_a_block():
    blocks = [Block(f"Pumps {'x' * n}", is_bold=True, size=n) for n in range(40, 10, -1)]
    blocks.append(plain(PROSE))
    mark_layout(blocks)
    assert heading_paths(blocks)[-1] == tuple(block.text for block in blocks[:6])


@pytest.mark.parametrize(
    ("before", "after", "goes_on"),
    [
        ("We sold pumps to farms", "and to towns.", True),
        ("We sold pumps to", "Fennelworth in March.", True),
        ("We sold pumps", "(and valves) to farms.", True),
        (f"{PROSE} Farms that use Fennelworth", f"Pumps are many there. {PROSE}", True),
        (f"- {PROSE} Farms that use Fennelworth", f"Pumps are many there. {PROSE}", False),
        ("We sold pumps.", "and valves.", False),
        ("We sold pumps to farms", "Valves were sold to towns.", False),
    ],
)
def test_a_page_break_cuts_no_sentence(before, after, goes_on):
    blocks = [plain(before), plain("- 7 -"), plain(after, starts_page=True), plain(after)]
    mark_layout(blocks)
    assert continues(blocks) == [False, False, goes_on, False]


def test_notes_are_the_longest_way_to_count_on():
    blocks = [
        *(bold("2. Pumps"), bold("1. Summary of Significant Accounting Policies"), plain(PROSE)),
        *(bold("1. Pumps"), plain(PROSE), bold("2. Revenue Recognition"), plain(PROSE)),
        *(bold("4. Income Taxes"), plain(PROSE), bold("9. Pumps"), plain(PROSE)),
    ]
    mark_layout(blocks)
    notes = read_notes(blocks, 0, len(blocks))
    assert [(note.number, note.kind, note.first, note.last) for note in notes] == [
        *(("1", "accounting_policies", 1, 5), ("2", "revenue", 5, 7), ("4", "tax", 7, 11))
    ]
    assert read_notes(blocks, 2, 3) == []


def test_notes_may_have_letters_or_their_titles_in_the_next_block():
    lettered = [bold("A. DEBT"), plain(PROSE), bold("B. LEASES"), plain(PROSE)]
    parted = [bold("NOTE 1"), bold("Segment Information"), plain(PROSE), bold("NOTE 2")]
    parted += [bold("Debt"), bold("NOTE 2A"), bold("Pumps")]
    mark_layout(lettered)
    mark_layout(parted)
    assert [note.number for note in read_notes(lettered, 0, 4)] == ["A", "B"]
    found = [(note.number, note.title, note.kind) for note in read_notes(parted, 0, 7)]
    assert found == [
        *(("1", "Segment Information", "segment"), ("2", "Debt", "debt"), ("2A", "Pumps", "other"))
    ]


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Short-Term and Long-Term Debt", "debt"),
        ("Stock-Based Compensation", "stock_compensation"),
        ("Earnings per Share", "eps"),
        ("Goodwill and Intangible Assets", "goodwill"),
        ("Fair Value Measurements", "fair_value"),
        ("Commitments and Contingencies", "contingencies"),
        ("Shareholders' Equity", "equity"),
        ("Liquidity and Going Concern", "liquidity"),
        ("Inventories", "other"),
    ],
)
def test_the_kind_of_a_note_is_read_from_its_title(title, kind):
    blocks = [bold(f"Note 1 - {title}"), plain(PROSE)]
    mark_layout(blocks)
    assert [note.kind for note in read_notes(blocks, 0, 2)] == [kind]
