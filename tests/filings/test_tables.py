"""Tables of invented companies, one rule each: what their cells say and what names them."""

import time
from datetime import date

import pytest

pytest.importorskip("lxml")

from finrag.filings.cells import read_value
from finrag.filings.html import parse_markup, read_markup
from finrag.filings.model import Block, Cell, Context, Grid, GridCell, Table
from finrag.filings.periods import document_context
from finrag.filings.tables import read_table, read_tables
from finrag.text.scales import Scales, read_scales

YEAR = Context(date(2024, 12, 31), "10-K")


def blocks_of(body: str) -> list[Block]:
    data = f"<html><body>{body}</body></html>".encode()
    root, _, _ = parse_markup(data)
    assert root is not None
    return read_markup(root, len(data)).blocks


def markup(rows: str) -> str:
    """A table from lines of cells parted by "|"; "3:text" covers three columns, ">" indents."""
    lines = []
    for row in rows.strip().splitlines():
        cells = []
        for cell in row.split("|"):
            text, columns, style = cell.strip(), "", ""
            if text[1:2] == ":" and text[0].isdigit():
                columns, text = f' colspan="{text[0]}"', text[2:]
            while text[:1] == ">":
                style, text = ' style="padding-left:9pt"', text[1:]
            cells.append(f"<td{columns}{style}>{text}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(lines)}</table>"


def table_of(rows: str, before: str = "", after: str = "", context: Context = YEAR) -> Table:
    blocks = blocks_of(before + markup(rows) + after)
    place = next(n for n, block in enumerate(blocks) if block.grid is not None)
    return read_table(blocks[place], blocks[:place], blocks[place + 1 :], context)


def numbers(table: Table) -> list[Cell]:
    return [
        cell
        for cell in table.cells
        if cell.kind in {"number", "dash"} and not cell.is_label and not cell.is_header
    ]


def cell_of(table: Table, text: str) -> Cell:
    return next(cell for cell in table.cells if cell.text == text)


SPLIT = """
 | | 3:2024 | | 3:2023
Sales | | $ | 1,234 | | | $ | (56 | )
Margin | | | 12 | % | | | 9.5 | %
Other<sup>1</sup> | | | 7 | <sup>(2)</sup> | | | — |
"""


def test_what_markup_splits_becomes_one_cell_of_one_column():
    table = table_of(SPLIT, "<p>(in millions)</p>")
    sales, loss, margin, _, other, nil = numbers(table)
    assert (sales.text, sales.places, sales.col_pos) == ("$ 1,234", ((1, 2), (1, 3)), 1)
    assert (loss.text, loss.value, loss.is_negative) == ("$ (56)", -56e6, True)
    assert (margin.text, margin.value, margin.unit, margin.scale) == ("12%", 12.0, "percent", 0)
    assert (other.value, other.footnote_marks, other.row_path) == (7e6, ("2",), ("Other",))
    assert (nil.kind, nil.value, nil.col_pos) == ("dash", 0.0, 2)
    assert table.n_cols == 3


def test_text_offsets_lead_back_to_rows_and_cells():
    table = table_of(SPLIT)
    assert table.text.splitlines()[1] == "Sales\t$ 1,234\t$ (56)"
    assert all(table.text[cell.start : cell.end] == cell.text for cell in table.cells)
    assert [table.text[start:].split("\t")[0] for start in table.row_starts[1:]] == [
        *("Sales", "Margin", "Other1"),
    ]


def test_headers_join_by_their_spans_outermost_first():
    table = table_of(
        """
         | 4:Year Ended December 31,
         | 2:2024 | 2:2023
         | Cost | Value | Cost | Value
        Bonds | 1 | 2 | 3 | 4
        """
    )
    path = numbers(table)[2].column_path
    assert path == ("Year Ended December 31,", "2023", "Cost")
    assert (table.header_rows, len({cell.column_path for cell in numbers(table)})) == (3, 4)


def test_a_header_that_covers_too_few_columns_reaches_on_where_columns_would_be_the_same():
    table = table_of(
        """
         | 2024 | | 2023 |
         | Shares | Amount | Shares | Amount
        Stock | 1 | $5 | 2 | $6
        """
    )
    assert [cell.column_path[0] for cell in numbers(table)] == ["2024", "2024", "2023", "2023"]


def test_columns_of_rates_under_the_header_of_amounts_are_told_apart():
    table = table_of("| 2:2024 | 2:2023\nUnited States | $5 | 48% | $4 | 47%")
    assert numbers(table)[1].column_path == ("2024", "%")


def test_groups_name_rows_until_a_total_or_a_row_further_out():
    table = table_of(
        """
         | 2024
        <b>Assets</b> |
        Current assets: |
        >Cash | 1
        >>Total current assets | 2
        >Goodwill | 3
        <b>Liabilities</b> |
        Debt | 4
        """
    )
    paths = [cell.row_path for cell in numbers(table)]
    assert paths == [
        ("Assets", "Current assets:", "Cash"),
        ("Assets", "Current assets:", "Total current assets"),
        ("Assets", "Goodwill"),
        ("Liabilities", "Debt"),
    ]


def test_a_heading_that_is_a_period_stands_in_no_other_period():
    table = table_of(
        """
         | Pumps
        <b>As of and for the Year Ended December 31, 2024</b> |
        Sales: |
        Home | 1
        As of and for the Year Ended December 31, 2023 |
        Sales: |
        Home | 2
        """
    )
    years = ["As of and for the Year Ended December 31, 2024"]
    years += ["As of and for the Year Ended December 31, 2023"]
    assert [cell.row_path for cell in numbers(table)] == [(y, "Sales:", "Home") for y in years]
    assert [cell.period_end for cell in numbers(table)] == [date(2024, 12, 31), date(2023, 12, 31)]


def test_a_total_of_several_groups_stands_in_none_of_them():
    table = table_of(
        """
         | 2024
        <b>PUMP LEASES FOR HOMES</b> |
        Rent | 10
        <b>PUMP LEASES FOR FARMS</b> |
        Rent | 3
        Fees | 2
        <b>TOTAL PUMP LEASES</b> | 15
        <b>VALVES</b> |
        Rent | 4
        <b>TOTAL VALVES</b> | 4
        """
    )
    assert [cell.row_path for cell in numbers(table) if "TOTAL" in cell.row_path[-1]] == [
        *(("TOTAL PUMP LEASES",), ("VALVES", "TOTAL VALVES")),
    ]


SEGMENTS = """
 | 2024
Pumps | $10
Valves | 5
Total revenues | 15
Pumps | 4
Valves | 2
Total operating income | 6
Fees | 3
"""


def test_a_total_names_the_rows_above_that_add_up_to_it_and_none_below():
    paths = [cell.row_path for cell in numbers(table_of(SEGMENTS))]
    assert paths == [
        *(("Total revenues", "Pumps"), ("Total revenues", "Valves"), ("Total revenues",)),
        ("Total operating income", "Pumps"),
        ("Total operating income", "Valves"),
        *(("Total operating income",), ("Fees",)),
    ]
    parents = table_of(" | 2024\nPumps | 7\nHome | 5\nAbroad | 2\nTotal | 9\nHome | 6\nAbroad | 3")
    assert [cell.row_path[0] for cell in numbers(parents)] == [
        *("Pumps", "Pumps", "Pumps", "Total", "Total", "Total"),
    ]


def test_labels_in_several_columns_stand_in_each_other():
    table = table_of("| | 2024\nNorth | Sales | 1\n | Costs | 2\nSouth | Sales | 3")
    paths = [cell.row_path for cell in numbers(table)]
    assert paths == [("North", "Sales"), ("North", "Costs"), ("South", "Sales")]


EQUITY = """
 | Stock | Earnings
Balance at December 31, 2022 | $1 | $2
Net income | — | 3
Balance at December 31, 2023 | 1 | 5
Net income | — | 4
Dividends | — | (1)
Balance at January 1, 2025 | 1 | 9
"""


def test_balances_part_the_periods_of_the_rows_between_them():
    context = Context(date(2024, 12, 31), "10-K", 6, {2024: date(2024, 12, 31)})
    cells = [cell for cell in numbers(table_of(EQUITY, context=context)) if cell.col_pos == 2]
    assert len({cell.row_path for cell in cells}) == 6
    # Only what would share its path with another row is named after the balance before it.
    assert cells[4].row_path == ("Dividends",)
    assert cells[4].period_end == date(2024, 12, 31)
    assert cells[1].row_path == ("Balance at December 31, 2022", "Net income")
    assert (cells[1].period_start, cells[1].period_end) == (date(2023, 1, 1), date(2023, 12, 31))
    # Books that open on 1 January closed the evening before.
    assert (cells[5].period_start, cells[5].period_end) == (None, date(2024, 12, 31))


def test_headers_that_are_repeated_start_anew():
    table = table_of(
        """
         | Cost | Value
        Bonds | 1 | 2
         | Gains | Losses
        Bonds | 3 | 4
        """
    )
    assert [cell.column_path for cell in numbers(table)] == [
        *(("Cost",), ("Value",), ("Gains",), ("Losses",)),
    ]


def test_a_table_without_headers_goes_on_with_those_of_the_table_before():
    first = markup("| 2024 | 2023\nSales | $1 | $2")
    blocks = blocks_of(first + "<p>41</p>" + markup("Costs | $3 | $4\nTaxes | $5 | $6"))
    tables = read_tables(blocks, YEAR)
    assert [cell.column_path for cell in numbers(tables[2])][:2] == [("2024",), ("2023",)]


@pytest.mark.parametrize(
    ("text", "scales"),
    [
        ("(in millions, except shares in thousands and per share amounts)", Scales(6, 3)),
        ("(In millions, except number of shares, which are in thousands)", Scales(6, 3)),
        ("(Dollars and Shares in Millions Except Per Share)", Scales(6, 6)),
        ("(in thousands, except share and per share data)", Scales(3, 0)),
        ("(in millions, except miles driven in thousands)", Scales(6, 6)),
        ("(shares in thousands)", Scales(None, 3)),
        ("($000s)", Scales(3, 3)),
        ("(square feet in thousands)", Scales(None, None, 3)),
        ("(in thousands of troy ounces)", Scales(None, None, 3)),
        ("(number of employees in thousands; dollars in millions)", Scales(6, 6, 3)),
        ("(in thousands of dollars, except per ton)", Scales(3, 3)),
        ("Receivables from customers in millions", Scales(6, 6)),
        ("tens of millions of users", None),
    ],
)
def test_the_first_scale_is_that_of_amounts(text: str, scales: Scales | None):
    assert read_scales(text) == scales


def test_each_number_takes_scale_and_unit_that_fit_it():
    table = table_of(
        """
        (in millions, except shares in thousands and per share amounts) | 2024
        Net income | $ 1,234
        Net income per share | $ 3.25
        Weighted-average shares outstanding | 379,692
        Effective tax rate | 21.5%
        Dividends declared ($0.40 per share) | 152
        Facility | $1.5 billion
        """
    )
    found = [(cell.value, cell.unit, cell.scale, cell.scale_source) for cell in numbers(table)]
    assert found == [
        (1234e6, "USD", 6, "header"),
        (3.25, "USD/shares", 0, None),
        (379692e3, "shares", 3, "header"),
        (21.5, "percent", 0, None),
        (152e6, "USD", 6, "header"),
        (1.5e9, "USD", 9, "cell"),
    ]


def test_the_fair_value_of_an_option_is_a_price_and_a_statute_no_year():
    context = Context(date(2024, 12, 31), "10-K", scale=6)
    options = "| 2024\nFair value of stock options on grant date | $ 5.08\nFair value | $ 7"
    found = [(cell.value, cell.unit) for cell in numbers(table_of(options, context=context))]
    assert found == [(5.08, "USD/shares"), (7e6, "USD")]
    act = "<p><b>Filed under the Securities Exchange Act of 1934</b></p>"
    assert [cell.period_end for cell in numbers(table_of("Zip code | 55403", act))] == [None]


def test_a_list_number_is_no_part_of_a_label():
    table = table_of(" | 2024\n1. Audit fees | $ 5\n2) Tax fees | 6\n3.5% notes | 7")
    paths = [cell.row_path for cell in numbers(table)]
    assert paths == [("Audit fees",), ("2) Tax fees",), ("3.5% notes",)]
    assert cell_of(table, "1. Audit fees").is_label


def test_a_scale_goes_from_cell_over_header_and_caption_to_the_document():
    context = Context(date(2024, 12, 31), "10-K", scale=9)
    by_caption = table_of("| 2024\nSales | $5", "<p>Sales (in thousands):</p>", context=context)
    by_header = table_of("(in millions) | 2024\nSales | $5", "<p>(in thousands)</p>")
    by_document = table_of("| 2024\nSales | $5", context=context)
    assert [
        (table.scale, table.scale_source) for table in (by_caption, by_header, by_document)
    ] == [
        *((3, "caption"), (6, "header"), (9, "document")),
    ]
    assert [numbers(table)[0].value for table in (by_caption, by_header, by_document)] == [
        *(5e3, 5e6, 5e9),
    ]


@pytest.mark.parametrize(
    ("text", "kind", "number", "low", "high", "unit"),
    [
        ("$(1,234)", "number", -1234, None, None, "USD"),
        ("1,234(1)", "number", 1234, None, None, None),
        ("€ 7.5", "number", 7.5, None, None, "EUR"),
        ("$10–12", "number", None, 10, 12, "USD"),
        ("4.0% to 5.5%", "number", None, 4, 5.5, "percent"),
        ("100 shares", "number", 100, None, None, "shares"),
        ("2.5 years", "number", 2.5, None, None, "years"),
        ("0.5x", "number", 0.5, None, None, "pure"),
        ("—%", "dash", 0, None, None, "percent"),
        ("2024", "year", None, None, None, None),
        ("2023 (1)", "year", None, None, None, None),
        ("10-K", "text", None, None, None, None),
        ("Level 1", "text", None, None, None, None),
    ],
)
def test_values(text: str, kind: str, number: float, low: float, high: float, unit: str):
    value = read_value(text)
    assert (value.kind, value.number, value.low, value.high) == (kind, number, low, high)
    assert value.unit == unit


PERIODS = [
    ("Three Months Ended September 30,", "2024", date(2024, 7, 1), date(2024, 9, 30)),
    ("Year Ended", "Dec. 31, 2023", date(2023, 1, 1), date(2023, 12, 31)),
    ("As of", "June 30, 2024", None, date(2024, 6, 30)),
    ("52 weeks ended", "December 28, 2024", date(2023, 12, 31), date(2024, 12, 28)),
    ("Fiscal", "2022", date(2022, 1, 1), date(2022, 12, 31)),
    ("Less than 12 months", "12/31/2023", None, date(2023, 12, 31)),
    ("Maturities", "2027", None, None),
    ("Change in", "2024", None, None),
    ("2024 to", "2023", None, None),
]


@pytest.mark.parametrize(("over", "under", "start", "end"), PERIODS)
def test_headers_name_periods(over: str, under: str, start: date | None, end: date | None):
    (cell,) = numbers(table_of(f"| {over}\n | {under}\nSales | $ 5"))
    assert (cell.period_start, cell.period_end) == (start, end)


def test_a_row_that_opens_or_closes_the_period_is_an_instant():
    table = table_of(
        """
         | Year Ended December 31, 2024
        Cash at beginning of year | $ 1
        Liability at December 31 | $ 2
        Paid | $ 3
        """
    )
    found = [(cell.period_start, cell.period_end) for cell in numbers(table)]
    assert found == [
        (None, date(2023, 12, 31)),
        (None, date(2024, 12, 31)),
        (date(2024, 1, 1), date(2024, 12, 31)),
    ]


def test_the_caption_gives_its_one_period_to_headers_that_name_none():
    table = table_of("| Cost\nBonds | $ 5", "<p>Our bonds as of June 30, 2024 were:</p>")
    assert numbers(table)[0].period_end == date(2024, 6, 30)


@pytest.mark.parametrize(
    ("caption", "start"),
    [
        ("Statements of income", date(2024, 1, 1)),
        ("Revenue by region", date(2024, 1, 1)),
        ("Balance sheets", None),
        ("Income taxes payable as of year end", None),
        ("Goodwill", None),
    ],
)
def test_the_caption_says_whether_a_bare_year_is_a_period_or_its_end(caption: str, start: date):
    (cell,) = numbers(table_of("| 2024\nTotal | $ 5", f"<p><b>{caption}</b></p>"))
    assert (cell.period_start, cell.period_end) == (start, date(2024, 12, 31))


def test_a_fiscal_year_is_called_as_the_filing_calls_it():
    by_year = markup("| Fiscal 2023 | Fiscal 2022\nSales | $1 | $2")
    by_day = markup("| January 28, 2024 | January 29, 2023\nCash | $1 | $2")
    context = document_context(blocks_of(by_year + by_day), date(2024, 1, 28), "10-K")
    found = numbers(table_of("| 2023 | 2022\nSales | $1 | $2", context=context))
    assert [cell.period_end for cell in found] == [date(2024, 1, 28), date(2023, 1, 29)]


def test_the_scale_of_a_document_is_stated_twice_and_never_otherwise():
    once = "<p>Sales (in millions):</p>"
    other = "<p>Costs (in thousands):</p>"
    said = "<p>Dollars in millions unless otherwise noted</p>"
    scales = [
        document_context(blocks_of(body), None, "10-K").scale
        for body in (once, once * 2, once * 2 + other, once * 2 + other + said)
    ]
    assert scales == [None, 6, None, 6]


def test_a_document_has_no_scale_that_only_counts_other_things():
    of_shares = "<p>Awards (in thousands):</p>" + markup("| Shares\nGranted | 5")
    of_money = "<p>Costs (in thousands):</p>" + markup("| 2024\nRent | $ 5")
    said = "<p>Square feet in thousands, unless otherwise noted</p>"
    scales = [
        document_context(blocks_of(body), None, "10-K").scale
        for body in (of_shares * 3, said, of_money * 2, of_shares + of_money * 2)
    ]
    assert scales == [None, None, 3, 3]


NEXT = "<p>The following is what was paid.</p>" + markup("| 2024 | 2023\nFees | $ 512 | $ 498")
MONEY = "<p>Costs (in millions):</p>" + markup("| 2024\nRent | $ 5\nWages | 7")


def paid_after(*tables: str) -> float | None:
    blocks = blocks_of("".join(tables) + NEXT)
    last = max(number for number, block in enumerate(blocks) if block.grid is not None)
    return cell_of(read_tables(blocks, YEAR)[last], "$ 512").value


@pytest.mark.parametrize(
    ("before", "rows"),
    [
        ("(Shares in thousands)", "| 2024\nGranted | 5\nVested | 3"),
        ("Awards (in thousands):", "| Shares | Options\nGranted | 5 | 4"),
        (
            "Awards (in thousands):",
            "| Number of shares | Price\nGranted | 5 | $ 4.25\nVested | 4 | 3.75",
        ),
        ("Plans", "| Shares (in millions) | Fair value per share\nGranted | 5 | $ 4.25"),
        (
            "Repurchases",
            "| Number of shares purchased (in millions) | Average price paid per share"
            "| Dollar value that may yet be purchased (in billions)\n"
            "May | 5 | $ 40 | $ 9\nJune | 4",
        ),
        ("Properties", "| Square feet (in thousands)\nOhio | 512\nUtah | 74"),
        ("Properties (square feet in thousands):", "| Space\nOhio | 512\nUtah | 74"),
        ("Ore (in thousands of ounces):", "| 2024\nMined | 512\nSold | 74"),
        ("At year end we had these employees (in thousands):", "| 2024\nHourly | 51\nTotal | 74"),
        ("Margins (in millions):", "| 2024\nSales growth | 5 %\nGross margin | 7 %"),
        ("Customers (in millions):", "| 2024\nNorth | 5\nSouth | 7"),
    ],
)
def test_the_scale_of_what_is_no_money_ends_with_its_table(before: str, rows: str) -> None:
    counted = f"<p>{before}</p>{markup(rows)}"
    assert paid_after(counted) == 512
    assert paid_after(counted.replace("<p>", "<p><b>").replace("</p>", "</b></p>")) == 512
    # What was said of money before goes on.
    assert paid_after(MONEY, counted) == 512e6


def test_a_scale_reaches_over_a_table_only_to_one_of_its_kind() -> None:
    shares = "<p>Awards (in thousands):</p>" + markup("| Shares\nGranted | 5\nVested | 3\nLeft | 2")
    money = shares.replace("Shares", "2024").replace("5", "$ 5")
    behind = markup("| 2024\nFees | $ 512\nRent | 7\nWages | 9")
    found = [
        cell_of(list(read_tables(blocks_of(before + behind), YEAR).values())[-1], "$ 512").value
        for before in (shares, money)
    ]
    assert found == [512, 512e3]


@pytest.mark.parametrize(
    "rows",
    [
        "(in millions) | 2024\nRent | $ 5",
        "(Dollars in millions) | 2024\nRent | 5",
        "| 2024\n| (in millions)\nSales | $ 5\nMargin | 7 %\nWeighted-average shares | 9",
    ],
)
def test_the_scale_of_money_goes_on_until_another_is_stated(rows: str) -> None:
    assert paid_after(markup(rows)) == 512e6
    assert (
        paid_after(markup(rows), "<p>Costs (in thousands):</p>" + markup("| 2024\nRent | $ 5"))
        == 512e3
    )


def test_caption_introduction_and_notes_come_from_the_blocks_around():
    table = table_of(
        "| 2024\nSales(1) | $5",
        "<p>Prose.</p><p><b>Note 2. Revenue</b></p><p>Sales were as follows:</p><p>12</p>",
        "<p>(1) Net of returns.</p><p>More prose.</p>",
    )
    assert (table.caption, table.lead_in) == ("Note 2. Revenue", "Sales were as follows:")
    assert table.footnotes == ("(1) Net of returns.",)
    assert numbers(table)[0].row_path == ("Sales",)


def test_marks_in_a_column_of_their_own_are_no_numbers():
    table = table_of("| 2:Additions | | Total\nBonds | $ | 4 | (1) | $5\nStocks | $ | 6 | (2) | $7")
    assert [(cell.value, cell.footnote_marks) for cell in numbers(table)][:2] == [
        *((4.0, ("1",)), (5.0, ())),
    ]


@pytest.mark.parametrize(
    ("rows", "is_layout"),
    [
        ("| | Page\nItem 1 | Business | 4\nItem 2 | Properties | 17", True),
        ("Exhibit | Description | Form\n3.1 | Bylaws | 10-K\n10.2 | Lease | 8-K", True),
        ("Name | Role | Since\nAnn | Chair | May", True),
        ("| | 2024\nSales | Units | 4", False),
    ],
)
def test_tables_of_contents_and_of_words_are_layout(rows: str, is_layout: bool):
    assert table_of(rows).is_layout is is_layout


def test_rows_that_share_their_labels_are_told_apart_by_rates_and_words():
    table = table_of(
        "| Rate | Due | 2024\nNotes | 3.5% | 2026 | $5\nNotes | 4.0% | 2027 | $6\nLoan | 5% | | $7"
    )
    amounts = [cell.row_path for cell in numbers(table) if cell.unit == "USD"]
    assert amounts == [("Notes", "3.5%", "2026"), ("Notes", "4.0%", "2027"), ("Loan",)]


SHAPES = {
    "wide": (5, 10_000, 1),
    "long": (15_000, 4, 1),
    "titles": (20_000, 1, 10_000),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_cells_alone(shape: str):
    n_rows, n_columns, covers = SHAPES[shape]
    cells = [
        GridCell(row, column, 1, covers, f"{row * 7 + column}" if row and column else "Words")
        for row in range(n_rows)
        for column in range(n_columns)
    ]
    cells += [GridCell(n_rows, column, 1, 1, f"{column}") for column in range(1_000)]
    begun = time.process_time()
    table = read_table(Block("", grid=Grid(n_rows + 1, 10_000, cells)), [], [], YEAR)
    assert len(table.cells) == len(cells)
    assert time.process_time() - begun < 200e-6 * len(cells)


def test_a_table_without_cells_is_layout():
    table = read_table(Block("", grid=Grid(0, 0, [])), [], [], YEAR)
    assert (table.n_rows, table.text, table.is_layout) == (0, "", True)


MEASURED = """
(in millions) | 2024 | 2023 | Number of stores
Revenue | $ 1,200 | $ 1,100 | 12
Cost of employees | 300 | 200 | 13
Shipments (kmt) | 45 | 44 | 14
Ore mined (in thousands of tons) | 45 | 44 | 15
Realized price per metric ton | $ 2,310 | $ 2,200 | 16
Cost per barrel | 31 | 30 | 17
Number of customers | 77 | 76 | 18
Employees | 450 | 440 | 19
Stockholders of record | 8,100 | 8,000 | 20
Margin in percent | 12 | 11 | 21
Percentage rent | 7 | 6 | 22
Stockholders' equity | 900 | 800 | 23
Balance per books | 5 | 4 | 24
Notes, 5 percent, due 2030 | 6 | 6 | 25
"""


def test_what_is_measured_otherwise_has_no_scale_and_no_currency_of_the_table() -> None:
    cells = numbers(table_of(MEASURED, context=Context(date(2024, 12, 31), "10-K", scale=6)))
    read = {cell.row_path[-1]: (cell.value, cell.unit) for cell in cells if cell.col_pos == 1}
    assert read == {
        "Revenue": (1.2e9, "USD"),
        "Cost of employees": (3e8, "USD"),
        "Shipments (kmt)": (45, None),
        "Ore mined (in thousands of tons)": (45_000, None),
        "Realized price per metric ton": (2310, "USD"),
        "Cost per barrel": (31, None),
        "Number of customers": (77, "pure"),
        "Employees": (450, "pure"),
        "Stockholders of record": (8100, None),
        "Margin in percent": (12, "percent"),
        "Percentage rent": (7e6, "USD"),
        "Stockholders' equity": (9e8, "USD"),
        "Balance per books": (5e6, "USD"),
        "Notes, 5 percent, due 2030": (6e6, "USD"),
    }
    stores = [cell for cell in cells if cell.col_pos == 3]
    assert [cell.value for cell in stores] == list(range(12, 26))
    assert not any(cell.unit == "USD" for cell in stores)


def test_cells_that_reach_into_many_rows_cost_no_more_than_others() -> None:
    def seconds(n_rows: int) -> float:
        row = f"<tr>{'<td rowspan=9999>1</td>' * 3}</tr>"
        began = time.process_time()
        blocks_of(f"<table>{row * n_rows}</table>")
        return time.process_time() - began

    seconds(100)
    few = seconds(1_500)
    assert seconds(12_000) < 24 * few + 0.5


def test_a_cell_stands_in_the_first_column_that_none_above_reaches_into() -> None:
    rows = (
        "<tr><td>a<td rowspan=3>b<td>c<td rowspan=2 colspan=2>d<td>e",
        *("<tr><td>f<td>g<td>h", "<tr><td>i<td>j<td>k", "<tr><td>l<td>m"),
    )
    (block,) = [one for one in blocks_of(f"<table>{''.join(rows)}</table>") if one.grid]
    assert block.grid is not None
    places = {cell.text: (cell.row, cell.column) for cell in block.grid.cells}
    assert places == {
        **{"a": (0, 0), "b": (0, 1), "c": (0, 2), "d": (0, 3), "e": (0, 5)},
        **{"f": (1, 0), "g": (1, 2), "h": (1, 5), "i": (2, 0), "j": (2, 2), "k": (2, 3)},
        **{"l": (3, 0), "m": (3, 1)},
    }
