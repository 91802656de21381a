"""Figures of revenue: what adds up, in rows, columns, groups, by facts; and what must not."""

import csv
import datetime
import random
import time
from pathlib import Path

import pyarrow as pa
import pytest

from finrag.revenue.choice import best_of, chosen_view, conflicts_of, route_of, segment_of
from finrag.revenue.finding import RECONCILIATION_SCHEMA, find_lines, lines_of
from finrag.revenue.model import Cell, Table, Total
from finrag.revenue.patterns import Patterns
from finrag.revenue.routes import Fact, spelled, sums_of_facts
from finrag.revenue.sums import Figure, add_up
from finrag.revenue.tables import off_of, sums_of

SEED = Path(__file__).parents[2] / "seeds" / "catalogues" / "revenue_view_patterns.csv"
with SEED.open(encoding="utf-8", newline="") as file:
    PATTERNS = list(csv.DictReader(file))
WORDS = Patterns.of(PATTERNS)
END = datetime.date(2021, 12, 31)
BEFORE = datetime.date(2020, 12, 31)
PRODUCT, SEGMENT = "srt:ProductOrServiceAxis", "us-gaap:StatementBusinessSegmentsAxis"


def figures(*values):
    """Values; a text "=9" is one that is named a total."""
    return [Figure(float(str(value).lstrip("=")), str(value).startswith("=")) for value in values]


@pytest.mark.parametrize(
    ("values", "total", "parents"),
    [
        ((5, 3, 2), 10, [None, None, None]),
        ((3, 2, "=5", 5), 10, [2, 2, None, None]),
        ((5, 3, 2, 5), 10, [None, 3, 3, None]),
        ((5, 3, 2, 6), 11, [None, 0, 0, None]),  # the subtotal goes first
        ((2, 1, "=3", 4, "=7", 3), 10, [2, 2, 4, 4, None, None]),
        ((4, "=4", 6), 10, [1, None, None]),  # of one part, by its name
        ((4, 4, 2), 10, [None, None, None]),  # two equal lines are no total and part
        ((12, -2), 10, [None, None]),
        ((10, 0), 10, [None, None]),
        ((3.3, 3.3, 3.3), 10, [None, None, None]),  # rounded
        ((10,), 10, [None]),
    ],
)
def test_figures_add_up(values, total, parents):
    assert add_up(figures(*values), total, 0.1 if 3.3 in values else 0.01) == parents


@pytest.mark.parametrize(
    ("values", "total"),
    [((), 0), ((5, 3, 1), 10), ((5, 3, "=9", 2), 10), ((5, 5, "=10", 4, 6), 10), ((3.3, 6.5), 10)],
)
def test_figures_do_not_add_up(values, total):
    assert add_up(figures(*values), total, 0.1) is None


def test_a_named_total_that_sums_nothing_may_only_stand_first():
    assert add_up(figures("=9", 1), 10, 0.01) == [None, None]
    assert add_up(figures(1, "=9"), 10, 0.01) is None


def test_no_altered_total_is_reached():
    draw = random.Random(11)
    for _ in range(300):
        parts = [draw.randint(50, 9_999) for _ in range(draw.randint(3, 12))]
        group = draw.randint(2, len(parts))
        values = [*parts[:group], f"={sum(parts[:group])}", *parts[group:]]
        assert add_up(figures(*values), sum(parts), 1) is not None
        altered = sum(parts) * (1 + draw.choice((-1, 1)) * draw.uniform(0.0003, 0.014))
        if abs(altered - sum(parts)) > 2:
            assert add_up(figures(*values), round(altered), 1) is None


def cell(row, col, value, row_path, column_path=("2021",), **changes):
    at = f"t:r{row}c{col}"
    known = {"period_end": END, "is_revenue_fact": None, "printed_unit": 1.0} | changes
    paths = (row_path,) if isinstance(row_path, str) else tuple(row_path)
    return Cell(at, row, col, paths, tuple(column_path), float(value), 6, **known)


def table(*cells, caption="Revenue by product", **changes):
    known = {"rank": 0, "position": 1, "headings": "", "is_statement": False} | changes
    return Table("t", caption=caption, cells=cells, **known)


def total_of(value, end=END, **changes):
    start = datetime.date(end.year, 1, 1)
    known = {"is_filing_period": end == END, "parts": ()} | changes
    return Total(start, end, float(value), "fact", "us-gaap:Revenues", None, "USD", **known)


def column(*rows, **changes):
    return [cell(n, 1, value, label, **changes) for n, (label, value) in enumerate(rows)]


def labels(one):
    return [(line.label, line.role, line.parent) for line in one.lines]


def only(sums):
    found = list(sums)
    assert len(found) == 1, [labels(one) for one in found]
    return found[0]


def test_rows_above_a_total_with_their_roles():
    rows = column(
        ("Kilns", 6), ("Glazes", 3), ("Total workshop", 9), ("Eliminations", -1), ("Total", 8)
    )
    one = only(sums_of(table(*rows), total_of(8), WORDS))
    assert labels(one) == [
        ("Kilns", "leaf", 2),
        ("Glazes", "leaf", 2),
        ("Total workshop", "subtotal", None),
        ("Eliminations", "reconciling", None),
    ]
    assert (one.view, one.leaf_sum, one.verdict) == ("product", 8, "reconciled")


def test_columns_left_of_a_total():
    names = ("Kilns", "Glazes", "Total")
    cells = [
        cell(0, col, value, "2021", (name,))
        for col, (name, value) in enumerate(zip(names, (6, 4, 10), strict=True))
    ]
    assert labels(only(sums_of(table(*cells), total_of(10), WORDS))) == [
        ("Kilns", "leaf", None),
        ("Glazes", "leaf", None),
    ]


def test_columns_of_years_are_no_lines():
    ends = (BEFORE, datetime.date(2019, 12, 31), END)
    cells = [
        cell(0, col, value, "Revenue", (str(end.year),), period_end=end)
        for col, (end, value) in enumerate(zip(ends, (6, 4, 10), strict=True))
    ]
    assert list(sums_of(table(*cells), total_of(10), WORDS)) == []


def test_a_matrix_adds_up_both_ways():
    grid = {"Kilns": (4, 2, 6), "Glazes": (3, 1, 4), "Total": (7, 3, 10)}
    cells = [
        cell(row, col, value, name, (header,))
        for row, (name, values) in enumerate(grid.items())
        for col, (header, value) in enumerate(
            zip(("Schools", "Studios", "Total"), values, strict=True)
        )
    ]
    found = [
        [line.label for line in one.lines] for one in sums_of(table(*cells), total_of(10), WORDS)
    ]
    assert found == [["Kilns", "Glazes"], ["Schools", "Studios"]]


def test_groups_with_one_row_of_sales_each():
    rows = [
        cell(0, 1, 6, ("Kilns", "Net sales")),
        cell(1, 1, 2, ("Kilns", "Operating profit")),
        cell(3, 1, 4, ("Glazes", "Net sales")),
        cell(4, 1, 1, ("Glazes", "Operating profit")),
        cell(6, 1, 10, ("Consolidated", "Net sales")),
    ]
    one = only(sums_of(table(*rows, caption="Segment information"), total_of(10), WORDS))
    assert ([line.label for line in one.lines], one.view) == (["Kilns", "Glazes"], "segment")


@pytest.mark.parametrize("name", ["Cost of sales", "Gross profit", "Research and development"])
def test_what_is_spent_is_no_revenue(name):
    rows = column((name, 6), ("Kilns", 4), ("Total", 10))
    assert list(sums_of(table(*rows), total_of(10), WORDS)) == []


def test_what_is_tagged_as_something_else_is_no_revenue():
    rows = column(("Kilns", 6), ("Glazes", 4), ("Total", 10))
    tagged = [rows[0], cell(1, 1, 4, "Glazes", is_revenue_fact=False), rows[2]]
    assert list(sums_of(table(*rows), total_of(10), WORDS))
    assert list(sums_of(table(*tagged), total_of(10), WORDS)) == []


def test_quarters_are_no_lines():
    rows = column(*((f"{name} quarter", 5) for name in ("First", "Second")), ("Year", 10))
    assert list(sums_of(table(*rows), total_of(10), WORDS)) == []


def test_products_sold_in_places_are_products():
    rows = [
        cell(0, 1, 3, ("Kilns", "United States")),
        cell(1, 1, 2, ("Kilns", "International")),
        cell(2, 1, 5, ("Kilns", "Total")),
        cell(3, 1, 1, ("Glazes", "United States")),
        cell(4, 1, 2, ("Glazes", "International")),
        cell(5, 1, 3, ("Glazes", "Total")),
        cell(6, 1, 2, ("Clay", "United States")),
        cell(7, 1, 10, "Total net sales"),
    ]
    one = only(sums_of(table(*rows), total_of(10), WORDS))
    assert labels(one) == [(name, "leaf", None) for name in ("Kilns", "Glazes", "Clay")]


def test_places_alone_are_geography_whatever_the_title():
    rows = column(("United States", 6), ("Rest of world", 4), ("Total", 10))
    assert only(sums_of(table(*rows), total_of(10), WORDS)).view == "geography"


def test_one_line_is_one_by_a_name_of_its_own():
    named = column(("Construction fees", 10), ("Total revenue", 10))
    bare = column(("Third party", 10), ("Intersegment", 0), ("Total revenue", 10))
    assert [line.label for line in only(sums_of(table(*named), total_of(10), WORDS)).lines] == [
        "Construction fees"
    ]
    assert list(sums_of(table(*bare), total_of(10), WORDS)) == []


def test_a_stated_part_and_how_much_of_the_revenue_it_is():
    rows = column(("Food", 60), ("Fuel", 36), ("Net sales", 96))
    one = only(sums_of(table(*rows), total_of(100, parts=(96.0,)), WORDS))
    assert (one.verdict, one.coverage) == ("part", 0.96)
    assert list(sums_of(table(*rows), total_of(100), WORDS)) == []


def test_what_nearly_adds_up_is_off_and_what_is_far_from_it_is_no_table():
    near = column(("Kilns", 6), ("Glazes", 3), ("Total", 10))
    far = column(("Kilns", 2), ("Glazes", 3), ("Total", 10))
    assert off_of(table(*near), total_of(10), WORDS).verdict == "off"
    assert off_of(table(*far), total_of(10), WORDS) is None
    assert off_of(table(*near, rank=2), total_of(10), WORDS) is None


def test_marks_of_footnotes_are_no_part_of_a_label():
    rows = column(("Kilns* and wheels", 6), ("Glazes", 4), ("Total", 10))
    line = only(sums_of(table(*rows), total_of(10), WORDS)).lines[0]
    assert (line.label, line.cell.footnote_marks) == ("Kilns and wheels", ("*",))


def tagged(row, value, label, *dimensions, fact_value=None):
    return cell(
        row,
        1,
        value,
        label,
        fact_id=f"f{row}",
        fact_value=float(value if fact_value is None else fact_value),
        is_revenue_fact=True,
        dimensions=dimensions,
    )


def fact(number, value, *dimensions, printed=None):
    return Fact(f"f{number}", dimensions, float(value), 1.0, printed)


def test_facts_of_one_axis_are_lines_of_their_own():
    kilns, wheels = (PRODUCT, "x:KilnsMember"), (PRODUCT, "x:ThrowingWheelsMember")
    own = [fact(1, 6, kilns), fact(2, 4, wheels), fact(3, 6, (SEGMENT, "x:HomeMember"))]
    one = only(sums_of_facts(own, total_of(10), WORDS))
    assert [line.label for line in one.lines] == ["Kilns", "Throwing Wheels"]
    assert spelled("x:KilnsMember") == "Kilns"


def test_a_member_of_two_values_is_left_out():
    own = [fact(1, 6, (PRODUCT, "x:A")), fact(2, 5, (PRODUCT, "x:A")), fact(3, 4, (PRODUCT, "x:B"))]
    assert list(sums_of_facts(own, total_of(10), WORDS)) == []


def test_facts_of_two_axes_tell_two_others_apart():
    def sold(product, segment):
        return (PRODUCT, f"x:{product}Member"), (SEGMENT, f"x:{segment}Member")

    own = [
        fact(1, 5, *sold("Kilns", "Home")),
        fact(2, 1, *sold("Other", "Home")),
        fact(3, 3, *sold("Clay", "School")),
        fact(4, 1, *sold("Other", "School")),
    ]
    found = [one for one in sums_of_facts(own, total_of(10), WORDS) if one.view == "product"]
    assert [line.label for line in only(found).lines] == ["Kilns", "Other", "Clay", "Other"]


def test_print_and_facts_tell_the_same_or_differ():
    def rows(wrong=None):
        return [
            tagged(0, 6, "Kilns", (PRODUCT, "x:Kilns")),
            tagged(1, 4, "Glazes", (PRODUCT, "x:Glazes"), fact_value=wrong),
            tagged(2, 10, "Total"),
        ]

    same = only(sums_of(table(*rows()), total_of(10), WORDS))
    wrong = only(sums_of(table(*rows(40)), total_of(10), WORDS))
    bare = only(
        sums_of(table(*column(("Kilns", 6), ("Glazes", 4), ("Total", 10))), total_of(10), WORDS)
    )
    assert route_of(same, [same], [], WORDS) == ("both", None)
    assert route_of(wrong, [wrong], [], WORDS) == ("both", "Glazes")
    assert route_of(bare, [bare], [], WORDS) == ("table", None)


def test_facts_printed_elsewhere_confirm_a_table_or_contradict_it():
    def members(*values):
        names = ("Kilns", "Glazes", "Clay")
        return [
            fact(n, value, (PRODUCT, f"x:{name}Member"))
            for n, (name, value) in enumerate(zip(names, values, strict=True))
        ]

    def route(*values):
        rows = column(("Kilns", 60), ("Glazes", 30), ("Clay", 10), ("Total", 100))
        one = only(sums_of(table(*rows), total_of(100), WORDS))
        own = members(*values)
        return route_of(one, [one, *sums_of_facts(own, total_of(100), WORDS)], own, WORDS)

    assert route(60, 30, 10) == ("both", None)
    # They do not add up, and so tell of a wrong figure.
    assert route(60, 40, 10) == ("both", "Glazes")
    assert route(6, 3, 1) == ("table", None)


def test_a_tagged_zero_confirms_nothing_of_an_untagged_line():
    rows = [
        tagged(0, 6, "Kilns", (PRODUCT, "x:Kilns")),
        cell(1, 1, 4, "Glazes"),
        tagged(2, 0, "Clay", (PRODUCT, "x:Clay")),
        tagged(3, 10, "Total"),
    ]
    one = only(sums_of(table(*rows), total_of(10), WORDS))
    assert route_of(one, [one], [], WORDS) == ("table", None)


def test_no_revenue_this_year_is_no_division_by_zero():
    rows = [
        cell(row, col, value, label, (str(end.year),), period_end=end)
        for row, (label, *values) in enumerate([("Kilns", 0, 5), ("Clay", 0, 3), ("Total", 0, 8)])
        for col, (end, value) in enumerate(zip((END, BEFORE), values, strict=True))
    ]
    made = lines_of("f", [total_of(8, BEFORE), total_of(0)], [table(*rows)], {}, WORDS)
    assert [row["verdict"] for row in made] == ["no_table", "reconciled"]


def test_a_total_that_is_stated_more_finely_than_printed_is_within_the_tolerance():
    rows = [
        cell(n, 1, value, label, printed_unit=1e6)
        for n, (label, value) in enumerate(
            [("Kilns", 600e6), ("Glazes", 636e6), ("Total", 1_235e6)]
        )
    ]
    (row,) = lines_of("f", [total_of(1_234_567_890)], [table(*rows)], {}, WORDS)
    assert row["verdict"] == "reconciled"
    assert abs(row["difference"]) <= row["tolerance"]


def test_headers_cannot_make_the_reading_slow():
    headers = ("1" * 5_000 + "x", "2021 " * 2_000 + "change", "Total")
    cells = [cell(0, col, 5 + col, "Revenue", (header,)) for col, header in enumerate(headers)]
    started = time.perf_counter()
    assert list(sums_of(table(*cells), total_of(7), WORDS)) == []
    rows = [cell(n, 1, n + 7, (f"group {n // 2}", f"row {n}")) for n in range(150)]
    assert (
        list(sums_of(table(*rows, cell(151, 1, 9_999_999, "Total")), total_of(9_999_999), WORDS))
        == []
    )
    assert time.perf_counter() - started < 20  # it was minutes


def test_the_finest_sum_is_chosen_and_places_are_never_described():
    coarse = table(*column(("Goods", 7), ("Services", 3), ("Total", 10)))
    fine = table(*column(("Kilns", 4), ("Glazes", 3), ("Repairs", 3), ("Total", 10)), rank=2)
    places = table(
        *column(*((p, 2) for p in ("China", "Japan", "Korea", "India", "Brazil")), ("Total", 10))
    )
    sums = [one for each in (coarse, fine, places) for one in sums_of(each, total_of(10), WORDS)]
    best = best_of(sums)
    assert [line.label for line in best["product"].lines] == ["Kilns", "Glazes", "Repairs"]
    assert chosen_view(best) == "product"
    assert chosen_view({"geography": best["geography"]}) is None


def test_a_line_with_another_value_in_another_table_is_told():
    one = table(*column(("Kilns", 6), ("Glazes", 4), ("Total", 10)))
    other = table(*column(("Kilns", 7), ("Glazes", 3), ("Total", 10)), position=2)
    sums = [each for t in (one, other) for each in sums_of(t, total_of(10), WORDS)]
    assert conflicts_of(sums[0], sums) == ["Glazes", "Kilns"]
    assert conflicts_of(sums[0], sums[:1]) == []


def test_a_line_belongs_to_the_segment_of_its_fact_or_of_its_subtotal():
    rows = [
        tagged(0, 6, "Kilns", (PRODUCT, "x:Kilns"), (SEGMENT, "x:Home")),
        tagged(1, 4, "Clay", (PRODUCT, "x:Clay")),
        tagged(2, 10, "Total"),
    ]
    segment_rows = [
        tagged(0, 6, "Home", (SEGMENT, "x:Home")),
        tagged(1, 4, "School", (SEGMENT, "x:School")),
        tagged(2, 10, "Total"),
    ]
    products = only(sums_of(table(*rows), total_of(10), WORDS))
    segments = only(sums_of(table(*segment_rows), total_of(10), WORDS))
    first = segment_of(0, products, segments, [], WORDS)
    assert (first.label, first.line_pos, first.source) == ("Home", 0, "fact")
    assert segment_of(1, products, segments, [], WORDS).label is None
    both = [fact(9, 4, (PRODUCT, "x:Clay"), (SEGMENT, "x:School"))]
    assert segment_of(1, products, segments, both, WORDS).label == "School"

    nested = column(("Kilns", 4), ("Wheels", 2), ("Total Home", 6), ("School", 4), ("Total", 10))
    products = only(sums_of(table(*nested), total_of(10), WORDS))
    under = segment_of(0, products, segments, [], WORDS)
    assert (under.label, under.source) == ("Home", "subtotal")


def test_years_before_are_read_from_the_same_table():
    rows = [
        cell(row, col, value, label, (str(end.year),), period_end=end)
        for row, (label, *values) in enumerate(
            [("Kilns", 6, 5), ("Glazes", 4, 3), ("Total", 10, 8)]
        )
        for col, (end, value) in enumerate(zip((END, BEFORE), values, strict=True))
    ]
    made = lines_of("f", [total_of(8, BEFORE), total_of(10)], [table(*rows)], {}, WORDS)
    assert [(row["is_filing_year"], row["total"], row["verdict"]) for row in made] == [
        (True, 10, "reconciled"),
        (False, 8, "reconciled"),
    ]
    assert [line["share"] for line in made[0]["lines"]] == [0.6, 0.4, 1.0]


def arrow(rows, **types):
    schema = pa.schema(list(types.items()))
    return pa.Table.from_pylist(rows, schema=schema)


TEXTS, PAIRS = (
    pa.list_(pa.string()),
    pa.list_(pa.struct([("axis", pa.string()), ("member", pa.string())])),
)
TOTALS = {
    **dict.fromkeys(
        ("filing_id", "total_source", "total_concept", "total_cell_id", "currency"), pa.string()
    ),
    "period_start": pa.date32(),
    "period_end": pa.date32(),
    "is_filing_period": pa.bool_(),
    "total": pa.float64(),
    "parts": pa.list_(pa.float64()),
}
FACTS = {
    **dict.fromkeys(("filing_id", "fact_id", "cell_id"), pa.string()),
    "period_end": pa.date32(),
    "dimensions": PAIRS,
    "value": pa.float64(),
    "printed_unit": pa.float64(),
}


def stated(filing_id, value):
    return {
        "filing_id": filing_id,
        "period_start": datetime.date(2021, 1, 1),
        "period_end": END,
        "is_filing_period": True,
        "total": value,
        "total_source": "fact",
        "currency": "USD",
        "parts": [],
    }


def test_a_total_without_a_table_is_no_silence():
    totals = arrow([stated("a", 5.0), stated("b", 0.0)], **TOTALS)
    no_cells = pa.RecordBatchReader.from_batches(pa.schema([("filing_id", pa.string())]), [])
    patterns = pa.Table.from_pylist(PATTERNS)
    found = find_lines(totals, arrow([], **FACTS), patterns, no_cells).read_all()
    assert found.schema == RECONCILIATION_SCHEMA
    assert [(row["filing_id"], row["view"], row["verdict"]) for row in found.to_pylist()] == [
        ("a", "none", "no_table"),
        ("b", "none", "no_table"),
    ]
    empty = find_lines(totals.slice(2), arrow([], **FACTS), patterns, no_cells).read_all()
    assert empty.num_rows == 0


def test_a_meaning_without_a_pattern_is_refused():
    with pytest.raises(ValueError, match="reconciling"):
        Patterns.of([row for row in PATTERNS if row["meaning"] != "reconciling"])


def test_labels_are_data():
    rows = column(("(a+)+$ [", 6), ("{{ x }}", 4), ("Total", 10))
    assert [line.label for line in only(sums_of(table(*rows), total_of(10), WORDS)).lines] == [
        "(a+)+$ [",
        "{{ x }}",
    ]
