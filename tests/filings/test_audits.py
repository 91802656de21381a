"""Audits: whether what is printed, read without the tags, says what the tags say."""

from __future__ import annotations

import gzip
import os
import re
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from finrag.filings.audits import audit_facts, prose_scale, read_digits, read_words
from finrag.filings.facts import read_facts
from finrag.filings.html import parse_markup, read_markup
from finrag.filings.model import Block, Cell, Context, Document, FactAudit, Table
from finrag.filings.tables import read_tables
from tests.filings.markup import filing, tagged, told

SHARED = Path(os.environ.get("FINRAG_SHARED_DATA", Path(__file__).parents[3] / "shared" / "data"))
# A 10-K whose company's figures may be looked at.
REAL = SHARED / "filings_html" / "80424_10K_2024-06-30.html.gz"
REAL_CONTEXT = Context(date(2024, 6, 30), "10-K", scale=6)
PLAIN = Context(None, "10-K")
ROW = f"<tr><td>Sales</td><td>$</td><td>({tagged('5', sign='-')})</td><td>x</td></tr>"


def audits(body: str, tables: dict[int, Table] | None = None) -> list[FactAudit]:
    document = filing(body)
    return audit_facts(read_facts(document), tables or {}, document.blocks, PLAIN)


def verdict(body: str) -> str:
    (audit,) = audits(body)
    return audit.verdict


def table(*cells: Cell, scale: int = 0) -> Table:
    """A table of cells that stand in the places that they name."""
    source = "caption" if scale else None
    return Table(
        *(None, None, 1, 2, 2, "USD", scale, source, (), False, "", (0,)), cells=list(cells)
    )


def cell(row: int, column: int, value: float | None, text: str = "", **more: Any) -> Cell:
    kind = "text" if value is None else "number"
    one = Cell(row, column, ((row, column),), ("Sales",), ("2023",), text, kind, value)
    return replace(one, **more)


# Text


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Sales were ${} million.".format(tagged("5")), "agrees"),
        ("A loss of ${} million.".format(tagged("5", sign="-")), "sign_differs"),
        ("Sales were ${} thousand.".format(tagged("5")), "scale_differs"),
        ("Sales were ${} million.".format(tagged("—", format="ixt:fixed-zero")), "agrees"),
        ("Sales grew {}%.".format(tagged("5.3", scale="-2")), "agrees"),
        ("Rates rose {} basis points.".format(tagged("25", scale="-4")), "agrees"),
        (
            "We lost {} of them.".format(tagged("seven", format="ixt-sec:numwordsen", scale="0")),
            "agrees",
        ),
        ("There were {} debts.".format(tagged("no", format="ixt:fixed-zero")), "agrees"),
        ("We did {}t borrow.".format(tagged("no", format="ixt:fixed-zero")), "agrees"),
        ("They were {} material.".format(tagged("not", format="ixt:fixed-zero")), "not_read"),
        ("Nothing {} here.".format(tagged("immaterial", format="ixt:fixed-zero")), "not_read"),
        ("Sales were {}.".format(tagged("5", "a:S", format="ixt:fixed-zero")), "value_differs"),
        ("Nothing at all{}.".format(tagged("", xsi_nil="true")), "not_read"),
        ("A policy of {}.".format(told("5 years", "a:P")), "not_numeric"),
    ],
)
def test_a_sentence_is_compared_with_its_tag(sentence: str, expected: str) -> None:
    assert verdict(f"<p>{sentence}</p>") == expected


def test_where_a_tag_stands_says_which_number_is_compared() -> None:
    body = (
        f"<p>From $2 million to ${tagged('3')} million, and {tagged('5', scale='-2')}% of it.</p>"
    )
    assert [(one.verdict, one.value) for one in audits(body)] == [("agrees", 3e6), ("agrees", 0.05)]
    low, high = audits(f"<p>It is ${tagged('2')} to ${tagged('3')} million.</p>")
    assert (low.value, high.value) == (2e6, 3e6)


def test_facts_that_are_hidden_or_nil_are_not_read_and_say_why() -> None:
    document = filing(f"<table>{ROW}</table>", tagged("5"))
    facts = [replace(one, value=None, is_nil=not one.is_hidden) for one in read_facts(document)]
    read = {0: table(cell(0, 2, 0.0))}
    nil, hidden = audit_facts(facts, read, document.blocks, PLAIN)
    assert (nil.verdict, nil.value, nil.reason) == ("not_read", 0, "the tag says: no value")
    assert (hidden.verdict, hidden.value, hidden.reason) == ("not_read", None, "it is not shown")


def test_sentences_take_the_documents_scale_only_where_they_lean_on_it() -> None:
    context = Context(None, "10-K", scale=6)
    bare = [Block("We paid $111 and $143, or $2.05 a share.")] * 6
    assert prose_scale(bare, context) == 6
    assert prose_scale(bare, PLAIN) is None
    assert prose_scale(bare + [Block("We paid $5 million.")] * 200, context) is None
    assert prose_scale(bare[:2], context) is None
    in_full = [Block("We paid $28,855,000 and $314,000 of $1,250.")] * 6
    assert prose_scale(in_full, replace(context, scale=3)) is None
    assert prose_scale(bare + in_full[:2], replace(context, scale=3)) == 3


def test_a_scale_leaves_prices_and_what_states_its_own() -> None:
    text = "$111, $37.50, $5 billion, 40 people, $55,582,452,531"
    values = [one.value for one in read_digits(text, 6)]
    assert values == [111e6, 37.5, 5e9, 40, 55_582_452_531]
    assert [one.value for one in read_words("twenty-five percent of one million")] == [0.25, 1e6]


def test_a_note_has_the_scale_of_the_table_above_it() -> None:
    rows = "<tr><td>Sales</td><td>x</td><td>1</td></tr>"
    notes = "<p>(1) Less $7 of tax.</p><p>(2) Less ${} of duty.</p><p>We paid ${}.</p>"
    body = f"<table>{rows}</table>" + notes.format(tagged("9"), tagged("8", "a:B"))
    first, second = audits(body, {0: table(scale=6)})
    assert (first.verdict, first.value) == ("agrees", 9e6)
    assert (second.verdict, second.value) == ("scale_differs", 8.0)


# Cells


@pytest.mark.parametrize(
    ("value", "expected"),
    [(-5e6, "agrees"), (5e6, "sign_differs"), (-5e3, "scale_differs"), (7.0, "value_differs")],
)
def test_a_cell_is_compared_by_the_places_that_it_covers(value: float, expected: str) -> None:
    one = replace(cell(0, 1, value), places=((0, 1), (0, 2)))
    (audit,) = audits(f"<table>{ROW}</table>", {0: table(one)})
    assert (audit.verdict, audit.value) == (expected, value)
    assert (audit.reason is None) == (expected == "agrees")


def test_percentages_of_cells_are_parts_of_one() -> None:
    row = f"<tr><td>Rate</td><td>{tagged('5.3', scale='-2')}</td><td>%</td></tr>"
    (audit,) = audits(f"<table>{row}</table>", {0: table(cell(0, 1, 5.3, unit="percent"))})
    assert audit.verdict == "agrees"


def test_labels_ranges_and_cells_without_a_number_are_read_as_texts() -> None:
    label = f"Stock, par value ${tagged('0.01', 'a:Par', scale='0')}"
    both = f"{tagged('1%', 'a:Low').replace('1%', '1')}% – {tagged('3', 'a:High', scale='-2')}%"
    body = f"<table><tr><td>{label}</td><td>{both}</td><td>9</td></tr></table>"
    ranged = cell(0, 1, 2.0, unit="percent", low=1.0, high=3.0)
    found = audits(body, {0: table(cell(0, 0, None), ranged, scale=6)})
    assert [one.value for one in found] == [0.01, 0.01, 0.03]


def test_the_two_ends_of_a_range_may_stand_in_cells_of_their_own() -> None:
    row = f"<tr><td>Price</td><td>{tagged('2', 'a:L')}</td><td>–</td><td>{tagged('4')}</td></tr>"
    one = cell(0, 1, None, low=2e6, high=4e6)
    read = table(replace(one, places=((0, 1), (0, 2), (0, 3))))
    assert [one.value for one in audits(f"<table>{row}</table>", {0: read})] == [2e6, 4e6]


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("(in millions, except per share data)", 100e6),
        ("(in millions, except share and per share data)", 100),
    ],
)
def test_shares_in_labels_have_the_scale_that_headers_state(stated: str, expected: float) -> None:
    label = f"Stock, $0.01 par value, {tagged('100', unitRef='shares')} shares issued"
    head = cell(0, 1, None, stated, is_header=True)
    body = f"<table><tr><td>{label}</td><td>9</td><td>8</td></tr></table>"
    (audit,) = audits(body, {0: table(head, scale=6)})
    assert audit.value == expected


def test_periods_agree_within_a_week_and_only_where_headers_name_one() -> None:
    def agrees(start: date | None, end: date | None) -> bool | None:
        one = cell(0, 2, -5e6, period_start=start, period_end=end)
        return audits(f"<table>{ROW}</table>", {0: table(one)})[0].period_agrees

    assert agrees(date(2023, 1, 1), date(2023, 12, 31)) is True
    assert agrees(date(2023, 1, 2), date(2023, 12, 30)) is True
    assert agrees(None, date(2023, 12, 31)) is True
    assert agrees(date(2023, 10, 1), date(2023, 12, 31)) is False
    assert agrees(date(2022, 1, 1), date(2022, 12, 31)) is False
    assert agrees(None, None) is None


# The reader never sees what it is audited against


def stripped(data: bytes) -> Document:
    """The same markup without tags of inline XBRL; what they enclose stays."""
    data = re.sub(rb"(?s)<ix:header.*?</ix:header>", b"", data)
    root, _, _ = parse_markup(re.sub(rb"</?ix:[^>]*>", b"", data))
    assert root is not None
    return read_markup(root, len(data))


def shown(blocks: list[Block]) -> list[Block]:
    """Blocks without their places in the source."""
    return [replace(one, source_start=0, source_end=0) for one in blocks]


@pytest.mark.skipif(not REAL.is_file(), reason="raw filings (FINRAG_SHARED_DATA) are absent")
def test_without_the_tags_all_is_read_alike() -> None:
    document, bare = parsed(REAL), stripped(gzip.decompress(REAL.read_bytes()))
    assert len(document.tags) > 1_000
    assert bare.tags == []
    assert shown(document.blocks) == shown(bare.blocks)
    facts, context = read_facts(document), REAL_CONTEXT
    tables = read_tables(bare.blocks, context)
    assert read_tables(document.blocks, context) == tables
    # Numbers are read from blocks and tables alone: those of the bare document give the same.
    assert audit_facts(facts, tables, document.blocks, context) == audit_facts(
        facts, tables, bare.blocks, context
    )


@pytest.mark.skipif(not REAL.is_file(), reason="raw filings (FINRAG_SHARED_DATA) are absent")
def test_shuffled_headers_break_the_audit_of_periods() -> None:
    document = parsed(REAL)
    facts, context = read_facts(document), REAL_CONTEXT
    tables = read_tables(document.blocks, context)
    shuffled = {number: rotated(one) for number, one in tables.items()}

    def share(read: dict[int, Table]) -> float:
        audits = audit_facts(facts, read, document.blocks, context)
        known = [one.period_agrees for one in audits if one.period_agrees is not None]
        return sum(known) / len(known)

    assert share(tables) > 0.9
    assert share(shuffled) < 0.5


def parsed(path: Path) -> Document:
    data = gzip.decompress(path.read_bytes())
    root, _, _ = parse_markup(data)
    assert root is not None
    return read_markup(root, len(data))


def rotated(one: Table) -> Table:
    """The table with the headers of each column over the next one."""
    places = sorted({c.col_pos for c in one.cells if c.period_end is not None})
    following = dict(zip(places, places[1:] + places[:1], strict=True))
    heads = {c.col_pos: c for c in one.cells if c.period_end is not None}
    cells = [
        replace(
            c,
            column_path=head.column_path,
            period_start=head.period_start,
            period_end=head.period_end,
        )
        if c.period_end is not None and (head := heads[following[c.col_pos]])
        else c
        for c in one.cells
    ]
    return replace(one, cells=cells)
