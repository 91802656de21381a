"""Which blocks are an item of a filing, on small invented filings, a rule a test."""

from __future__ import annotations

import pytest

from finrag.filings.items import find_items
from finrag.filings.layout import mark_layout
from finrag.filings.model import Block, Section
from tests.filings.test_layout import PROSE, bold, plain, table

PROXY = "This is set forth in our proxy statement and is incorporated herein by reference."
REPORT = (
    "This is set forth in our 1997 Annual Report, incorporated herein by reference: Exhibit 13."
)


def found(*blocks: Block, form: str = "10-K", year: int | None = 2024, **more: object):
    mark_layout(blocks)
    return find_items(blocks, form, year, **more)


def spans(sections: list[Section]) -> dict[str, tuple[tuple[int, int], ...]]:
    return {section.item: section.spans for section in sections}


def filing(**bodies: str) -> list[Block]:
    """Items under their titles: keys such as `i1A`."""
    blocks = []
    for key, body in bodies.items():
        blocks += [bold(f"Item {key[1:]}. {TITLES[key[1:]]}"), plain(body)]
    return blocks


TITLES = {
    "1": "Business",
    "1A": "Risk Factors",
    "1C": "Cybersecurity",
    "2": "Properties",
    "3": "Legal Proceedings",
    "4": "Mine Safety Disclosures",
    "5": "Market for Registrant's Common Equity",
    "6": "Selected Financial Data",
    "7": "Management's Discussion and Analysis",
    "8": "Financial Statements and Supplementary Data",
    "8A": "Controls and Procedures",
    "9B": "Other Information",
    "10": "Directors, Executive Officers and Corporate Governance",
    "11": "Executive Compensation",
    "14": "Principal Accountant Fees and Services",
    "15": "Exhibits, Financial Statement Schedules",
    "16": "Form 10-K Summary",
}
BODY = dict.fromkeys(("i1", "i1A", "i2", "i3", "i7", "i8"), PROSE)


def test_items_run_from_heading_to_heading():
    sections = found(plain(PROSE), *filing(**BODY))
    assert spans(sections) == {
        **{"1": ((1, 3),), "1A": ((3, 5),), "2": ((5, 7),), "3": ((7, 9),), "7": ((9, 11),)},
        "8": ((11, 13),),
    }
    first = sections[0]
    assert (first.heading_text, first.method, first.status) == (
        *("Item 1. Business", "heading", "extracted"),
    )
    assert 0.8 < first.score <= 1


def test_the_best_way_leaves_out_what_only_names_an_item():
    """Contents, a line with a page number, a mention in a sentence, a running header."""
    contents = [bold(f"Item {number}. {TITLES[number]}") for number in ("1", "1A", "2")]
    paged = [bold("Item 1A. Risk Factors 9"), plain(PROSE)]
    mention = plain("Item 1A. Risk Factors of this report says more about pumps than we do here.")
    header = plain("Item 2")
    numbered = filing(**BODY)
    blocks = [*contents, mention, *numbered[:2], *paged, *numbered[2:], header, plain(PROSE)]
    by_item = spans(found(*blocks))
    assert (by_item["1"], by_item["1A"], by_item["2"]) == (((4, 8),), ((8, 10),), ((10, 12),))


@pytest.mark.parametrize(
    "heading",
    [
        *("ITEM 1A. RIS K FACTORS", "Part I, Item 1A - Risk Factors", "I TEM 1A: Risk Factors"),
        *("Item 1A.Risk Factors", "Items 1A. Risk Factors", "Item 1 A. Risk Factors"),
    ],
)
def test_a_heading_may_be_written_in_many_ways(heading):
    blocks = filing(**BODY)
    blocks[2] = bold(heading)
    assert spans(found(*blocks))["1A"] == ((2, 4),)


@pytest.mark.parametrize("start", ["Item 1A of our report", "Item 1A(b) Pumps", "Items sold 12"])
def test_not_all_that_begins_with_item_is_a_heading(start):
    blocks = [*filing(i1=PROSE), bold(start), plain(PROSE), *filing(i2=PROSE)]
    assert list(spans(found(*blocks))) == ["1", "2"]


def test_headings_of_several_items_make_one_section():
    blocks = [*filing(i1=PROSE, i7=PROSE), bold("Items 10, 11 through 13 and 14"), plain(PROSE)]
    last = found(*blocks)[-1]
    assert (last.item, last.combined_with, last.method, last.spans) == (
        *("10", ("11", "12", "13", "14"), "combined", ((4, 6),)),
    )


def test_headings_without_a_text_share_that_of_the_next():
    blocks = [*filing(i1=PROSE), bold("Item 10. Directors"), *filing(i11=PROXY)]
    last = found(*blocks)[-1]
    assert (last.item, last.combined_with, last.spans) == ("10", ("11",), ((2, 5),))
    assert last.status == "incorporated_by_reference"


def test_titles_alone_count_where_few_headings_have_numbers():
    bare = [bold("Risk Factors"), plain(PROSE), bold("Legal Proceedings"), plain(PROSE)]
    sections = found(plain(PROSE), *bare)
    assert [(section.item, section.method) for section in sections] == [
        *(("1A", "title"), ("3", "title"))
    ]
    numbered = filing(**BODY)
    blocks = [*numbered[:4], bold("Cybersecurity"), plain(PROSE), *numbered[4:]]
    assert len(found(*blocks)) == len(BODY)


def test_a_heading_to_which_the_contents_lead_counts_without_a_number():
    rows = [("Item 1.", "Business", "3"), ("Item 1A.", "Risk Factors", "5")]
    rows += [("Item 9B.", "Other Information", "7"), ("Item 14.", "Fees", "8")]
    rows += [("Item 15.", "Exhibits", "9")]
    contents = table(*rows, links=True)
    blocks = [contents, *filing(**BODY), bold("More about us", anchors=("to2",)), plain(PROSE)]
    last = found(*blocks)[-1]
    assert (last.item, last.method, last.spans) == ("9B", "anchor", ((13, 15),))


@pytest.mark.parametrize(
    ("item", "form", "year", "is_legal"),
    [
        *(("1A", "10-K", 2005, True), ("1A", "10-K", 2004, False), ("1C", "10-K", 2022, False)),
        *(("1C", "10-K405", 2023, True), ("15", "10-K", 2001, False), ("16", "10-K", None, True)),
        *(("8A", "10-KSB", 2007, True), ("8A", "10-K", 2007, False)),
        *(("16", "10-KSB", 2017, False), ("1", "8-K", 2007, False), ("1", "10-K/A", 2007, True)),
    ],
)
def test_items_are_those_of_form_and_year(item, form, year, is_legal):
    blocks = [bold(f"Item {item}. {TITLES[item]}"), plain(PROSE)]
    assert (item in spans(found(*blocks, form=form, year=year))) == is_legal


def test_a_quarterly_report_names_part_and_item():
    blocks = [bold("PART I"), bold("Item 1. Financial Statements"), plain(PROSE)]
    blocks += [bold("Item 2. Management's Discussion"), plain(PROSE), bold("PART II")]
    blocks += [bold("Item 1. Legal Proceedings"), plain(PROSE), bold("Item 1A. Risk Factors")]
    blocks += [plain(PROSE), bold("Item 6."), plain(PROSE)]
    assert spans(found(*blocks, form="10-Q")) == {
        **{"I-1": ((1, 3),), "I-2": ((3, 5),), "II-1": ((6, 8),), "II-1A": ((8, 10),)},
        "II-6": ((10, 12),),
    }


def test_a_sure_heading_out_of_order_is_kept():
    blocks = [*filing(**BODY), *filing(i4=PROSE)]
    assert [section.item for section in found(*blocks)] == ["1", "1A", "2", "3", "7", "8", "4"]


def test_signatures_and_titles_of_parts_end_an_item():
    blocks = [*filing(i9B=PROSE), plain("- 7 -"), bold("PART III"), plain(PROXY)]
    blocks += [*filing(i10=PROSE, i15=PROSE), plain("Signatures"), plain(PROSE)]
    assert spans(found(*blocks)) == {"9B": ((0, 2),), "10": ((5, 7),), "15": ((7, 9),)}
    # Auditors sign statements; signatures behind the last item are the filer's.
    signed = [*filing(i8=PROSE), plain("Signatures"), plain(PROSE)]
    assert spans(found(*signed)) == {"8": ((0, 2),)}
    assert spans(found(*signed, *filing(i10=PROSE)))["8"] == ((0, 4),)


def test_executive_officers_without_a_number_are_cut_out():
    officers = [bold("Executive Officers of the Registrant"), plain(PROSE)]
    blocks = [*filing(i1=PROSE), *officers, bold("Employees"), plain(PROSE)]
    blocks += [*filing(i4=PROSE), *officers, *filing(i10=PROSE), *officers]
    assert spans(found(*blocks)) == {
        **{"1": ((0, 2), (4, 6)), "4": ((6, 8),), "10": ((10, 14),)},
    }


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("[Reserved]", "reserved"),
        ("Omitted as permitted by General Instruction I.", "omitted"),
        ("None.", "extracted"),
        ("Not applicable.", "extracted"),
        (PROXY, "incorporated_by_reference"),
        (f"{PROXY} {PROSE * 40}", "extracted"),
        (f"{PROSE} See Note 3 of this Annual Report on Form 10-K.", "extracted"),
    ],
)
def test_what_an_item_says_decides_its_status(body, status):
    sections = {section.item: section for section in found(*filing(**BODY, i11=body))}
    assert sections["11"].status == status


def test_an_item_that_says_more_than_where_to_read_on_is_extracted():
    section = found(*filing(i1=PROSE, i11=PROXY), plain(PROSE * 5))[-1]
    assert (section.item, section.status) == ("11", "extracted")


def test_a_heading_can_say_that_there_is_nothing():
    blocks = [*filing(i1=PROSE), bold("Item 6. [Reserved]"), *filing(i7=PROSE)]
    blocks += [bold("Item 9B. Other Information. None."), *filing(i10=PROSE)]
    statuses = {section.item: section.status for section in found(*blocks)}
    assert statuses["6"] == "reserved"
    assert list(statuses) == ["1", "6", "7", "9B", "10"]


def test_an_item_that_points_to_an_annual_report_gets_its_part_of_it():
    report = [bold("Five-Year Summary"), plain(PROSE), plain("Management's Discussion")]
    report += [plain(PROSE), bold("Consolidated Balance Sheets"), plain(PROSE)]
    mark_layout(report)
    blocks = filing(i1=PROSE, i2=PROSE, i3=PROSE, i6=REPORT, i7=REPORT, i11=PROXY)
    exhibits = [("EX-99", report), ("EX-13.1", report)]
    sections = found(*blocks, year=1997, exhibits=exhibits)
    by_item = {section.item: section for section in sections}
    assert (by_item["7"].exhibit, by_item["7"].spans) == (1, ((2, 4),))
    assert (by_item["6"].exhibit, by_item["6"].spans) == (1, ((0, 2),))
    assert by_item["11"].exhibit is None
    assert by_item["7"].status == "incorporated_by_reference"
    own_title = [bold(TITLES["8"]), plain(PROSE)]
    mark_layout(own_title)
    section = found(*filing(i1=PROSE, i8=REPORT), year=1997, exhibits=[("EX-13", own_title)])[-1]
    assert (section.exhibit, section.spans) == (0, ((0, 2),))


@pytest.mark.parametrize(("form", "item", "year"), [("10-K", "8", 2015), ("10-KSB", "7", 2007)])
def test_statements_behind_the_signatures_belong_to_the_item_that_points_to_them(form, item, year):
    title = f"Item {item}. Financial Statements"
    pointer = "See the index to the financial statements below, beginning on page F-1."
    behind = [bold("Signatures"), plain("A. Kling, President"), bold("INDEX"), plain("Page")]
    behind += [plain("Report of Independent Registered Public Accounting Firm F-2"), plain(PROSE)]
    exhibits = [bold("Exhibit Index"), plain(PROSE)]
    head = [*filing(i1=PROSE), bold(title)]
    tail = [*filing(i14=PROSE), *behind]

    def section(*blocks: Block) -> Section:
        return next(one for one in found(*blocks, form=form, year=year) if one.item == item)

    pointing = section(*head, plain(pointer), *tail, *exhibits)
    assert (pointing.spans, pointing.method) == (((2, 4), (8, 12)), "pages_behind")
    # One that has its statements, or points to nothing that is there, stays as it is.
    assert section(*head, plain(pointer + PROSE * 20), *tail).spans == ((2, 4),)
    assert section(*head, plain(pointer), *tail[:4]).spans == ((2, 4),)


INDEX = [
    *(("Item 1.", "Business", "Pages 1-3"), ("Item 1A.", "Risk Factors", "Page 2")),
    *(("Item 2.", "Properties", "Page 4"), ("Item 3.", "Legal Proceedings", "Page 90")),
    *(("Item 6.", "[Reserved]", ""), ("Item 7.", TITLES["7"], "Pages 3-4, 5")),
    *(("Item 10.", TITLES["10"], "(a)"), ("Item 16.", TITLES["16"], "None")),
]


def cross_referenced(*rows: tuple[str, str, str]) -> list[Block]:
    blocks = []
    for page in range(1, 7):
        blocks += [
            bold(f"Pumps, chapter {page}x", starts_page=True),
            plain(PROSE),
            plain(f"{page}"),
        ]
    note = plain("(a) Incorporated by reference to our proxy statement.")
    return [*blocks, bold("Form 10-K Cross-Reference Index"), table(*rows), note]


def test_an_index_gives_pages_to_items_and_no_block_to_two():
    sections = found(*cross_referenced(*INDEX))
    assert {section.method for section in sections} == {"index"}
    statuses = {section.item: section.status for section in sections}
    # Page 2 lies within the pages of Item 1, whose last page is the first of Item 7.
    assert spans(sections) == {
        **{
            "1": ((0, 6),),
            "1A": (),
            "2": (),
            "3": (),
            "6": (),
            "7": ((6, 15),),
            "10": (),
            "16": (),
        },
    }
    assert statuses == {
        **{"1": "extracted", "1A": "cross_reference", "2": "cross_reference"},
        **{"3": "cross_reference", "6": "reserved", "7": "extracted"},
        **{"10": "incorporated_by_reference", "16": "omitted"},
    }


@pytest.mark.parametrize(
    ("entry", "status"),
    [
        *(("Not applicable", "omitted"), ("N/A", "omitted"), ("None.", "omitted")),
        *(("[Reserved]", "reserved"), ("(Reserved)", "reserved"), ("Page 90", "cross_reference")),
    ],
)
def test_an_index_may_say_that_there_is_nothing_of_an_item(entry, status):
    sections = found(
        *cross_referenced(*INDEX[:3], ("Item 3.", "Legal Proceedings", entry), *INDEX[4:])
    )
    assert {section.item: section.status for section in sections}["3"] == status
    reserved = ("Item 6.", "[Reserved]", "Not applicable")
    sections = found(*cross_referenced(*INDEX[:4], reserved, *INDEX[5:]))
    assert {section.item: section.status for section in sections}["6"] == "reserved"


def test_an_index_of_a_quarterly_report_names_parts():
    titles = ["Financial Statements", TITLES["7"], "Legal Proceedings", "Risk Factors", "Exhibits"]
    rows = [("Part I", "", ""), ("Item 1.", titles[0], "Page 2"), ("Item 2.", titles[1], "Page 4")]
    rows += [("Item 4.", "Controls and Procedures", "Page 5"), ("Part II", "", "")]
    rows += [("Item 1.", titles[2], "None"), ("Item 1A.", titles[3], "Page 6")]
    rows += [("Item 6.", titles[4], "None")]
    assert spans(found(*cross_referenced(*rows), form="10-Q")) == {
        **{"I-1": ((3, 9),), "I-2": ((9, 12),), "I-4": ((12, 15),), "II-1": ()},
        **{"II-1A": ((15, 19),), "II-6": ()},
    }


def test_pages_may_be_numbered_before_the_name_of_the_form():
    blocks = cross_referenced(*INDEX)
    for number, page in enumerate(blocks[2:18:3], start=1):
        page.text = (
            f"{number} | 2023 Form 10-K" if number in {1, 5, 6} else f"10-K of pumps {number}"
        )
    assert spans(found(*blocks))["1"] == ((0, 6),)
    assert spans(found(*blocks))["7"] == ((6, 15),)


def test_links_of_an_index_lead_to_headings_in_the_middle_of_a_page():
    rows = [
        (item, title, "Page 2" if n == 0 else "None") for n, (item, title, _) in enumerate(INDEX)
    ]
    blocks = cross_referenced(*rows)
    blocks.insert(4, bold("About our pumps"))
    blocks[5].anchors = ("here",)
    blocks[-2].grid.cells[2].links = ("here",)
    assert spans(found(*blocks))["1"] == ((4, 20),)
    blocks[4].is_bold = False
    assert spans(found(*blocks))["1"] == ((5, 20),)


def test_reading_does_not_depend_on_what_was_read_before_and_a_filing_may_be_empty():
    blocks = filing(**BODY)
    assert found(*blocks) == found(*filing(**BODY)) == find_items(blocks, "10-K", 2024)
    assert found() == []
    assert found(plain(PROSE)) == []
