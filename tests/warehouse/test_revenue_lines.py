"""Lines of revenue in the doors against the truth of the sample, in every filed form."""

import collections
import csv
import json

import pytest

from finrag.sample import revenue_cases, write_filed

STYLES = ("ixbrl", "html", "text")
CASES = tuple(revenue_cases())
YEARS = {2021, 2022}
MODELS = ("+revenue_lines", "+revenue_reconciliations")


def write_cases(folder, style):
    folder.mkdir()
    ending = "txt" if style == "text" else "htm"
    with (folder / "filings.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["file", "cik", "form", "fiscal_year", "period_end", "name"])
        for case in CASES:
            name = f"{case.name}.{ending}"
            (folder / name).write_bytes(case.contents[style])
            year = case.period_end.year
            rows.writerow([name, case.cik, "10-K", year, case.period_end, case.name])


@pytest.fixture(scope="module", params=STYLES)
def style(request):
    return request.param


def found(new_warehouse, folder):
    warehouse = new_warehouse(
        folder.parent / f"{folder.name}_warehouse", corpus="raw_filings", corpus_path=str(folder)
    )
    assert warehouse.dbt("seed") == 0, warehouse.log
    assert warehouse.dbt("run", "--select", *MODELS) == 0, warehouse.log
    return warehouse


@pytest.fixture(scope="module")
def sample(new_warehouse, tmp_path_factory, style):
    folder = tmp_path_factory.mktemp(style) / "filed"
    write_filed(folder, style, years=YEARS)
    return found(new_warehouse, folder), folder


@pytest.fixture(scope="module")
def cases(new_warehouse, tmp_path_factory, style):
    folder = tmp_path_factory.mktemp(style) / "cases"
    write_cases(folder, style)
    return found(new_warehouse, folder)


def read(folder, name):
    lines = (folder / "truth" / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def filings_of(warehouse):
    rows = warehouse.rows("select filing_id, source_file from sentences.filings")
    return {row["source_file"].rsplit("/", 1)[-1]: row["filing_id"] for row in rows}


def true_leaves(folder, filings):
    """Leaves and what is off them: filing, view, label, value, role, subtotal."""
    rows = [row for row in read(folder, "revenue_lines") if row["is_filing_year"]]
    wholes = {row["label"] for row in rows if row["role"] == "total"}
    return collections.Counter(
        (
            filings[row["file"]],
            row["view"],
            row["label"],
            round(row["value"]),
            row["role"],
            row["parent"] if row["view"] == "product" and row["parent"] not in wholes else None,
        )
        for row in rows
        if row["role"] in ("leaf", "reconciling")
    )


def leaves(warehouse):
    rows = warehouse.rows(
        "select lines.*, parents.label as parent from descriptions.revenue_lines as lines "
        "left join descriptions.revenue_lines as parents "
        "on lines.parent_line_id = parents.revenue_line_id "
        "where lines.view in ('product', 'segment') and lines.is_filing_year "
        "and lines.role in ('leaf', 'reconciling')"
    )
    return collections.Counter(
        (
            row["filing_id"],
            row["view"],
            row["label"],
            round(row["value"]),
            row["role"],
            row["parent"] if row["view"] == "product" else None,
        )
        for row in rows
    )


def test_leaves_are_those_of_the_truth_in_every_form(sample):
    warehouse, folder = sample
    true = true_leaves(folder, filings_of(warehouse))
    here = leaves(warehouse)
    products = [one for one in here if one[1] == "product"]
    assert len(products) > 60
    # A line of nothing that is off the segments need not be shown.
    assert [one for one in true - here if one[3]] == []
    assert [one for one in here - true if one[1] == "product"] == []


def test_verdicts_are_those_of_the_truth(sample):
    warehouse, folder = sample
    filings = filings_of(warehouse)
    true = {
        (filings[row["file"]], row["view"], row["period_end"]): row["verdict"]
        for row in read(folder, "revenue_totals")
    }
    rows = warehouse.rows(
        "select *, cast(period_end as varchar) as ended from descriptions.revenue_reconciliations "
        "where view in ('product', 'segment') and is_filing_year"
    )
    here = {(row["filing_id"], row["view"], row["ended"]): row["verdict"] for row in rows}
    last = {
        (filing, view): max(end for f, v, end in true if (f, v) == (filing, view))
        for filing, view, _ in true
    }
    assert here == {key: verdict for key, verdict in true.items() if key[2] == last[key[0], key[1]]}
    assert "off" in here.values()


def test_every_awkward_case_has_its_verdict(cases, style):
    filings = filings_of(cases)
    ending = "txt" if style == "text" else "htm"
    rows = cases.rows(
        "select * from descriptions.revenue_reconciliations where is_filing_year order by 1"
    )
    wrong = {}
    for case in CASES:
        total = next(one for one in case.totals if one["period_end"] == str(case.period_end))
        expected = total["verdict"]
        if expected == "routes_differ" and style != "ixbrl":
            expected = "reconciled"
        own = [row for row in rows if row["filing_id"] == filings[f"{case.name}.{ending}"]]
        got = {row["verdict"] for row in own if row["view"] == total["view"]}
        if got != {expected}:
            wrong[case.name] = expected, [(row["view"], row["verdict"]) for row in own]
    assert wrong == {}
