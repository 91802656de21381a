"""The ledger of printed figures: what counts as a figure, and what a row stands for."""

import re

import pytest

from tests.claims_ledger import (
    COLUMNS,
    Claim,
    claimed,
    figures_of,
    printed_value,
    read_claims,
    uncovered,
)


def texts(page):
    return [figure.text for figure in figures_of(page)]


@pytest.mark.parametrize(
    ("page", "figures"),
    [
        ("29 % of 1,204 at 0.83 took 12 seconds.", ["29 %", "1,204", "0.83", "12 seconds"]),
        ("agree to 7e-16", ["7e-16"]),
        ("0.739 [0.711, 0.765]", ["0.739", "0.711", "0.765"]),
        ("| a | 50 / 550 | 37 | x 12 |", ["50", "550", "37"]),
        ("sections / 550 / filings", []),
        ("50 / 550 sections in 10 filings of 2021", []),
        ("`0.5` and [0.25](page_0.5.md)", ["0.25"]),
        ("```sh\nfinrag 0.75\n```\n0.5", ["0.5"]),
        ("P3 and MRR@30 of a 10-K, version 2.0.1", []),
    ],
)
def test_a_figure_looks_like_a_measurement(page, figures):
    assert texts(page) == figures


def test_a_figure_knows_its_line():
    page = "None.\n\n```\n0.5\n```\nAt last 0.25.\n"
    (figure,) = figures_of(page)

    assert figure.line == 6
    assert page[figure.start : figure.end] == "0.25"


def claim(printed, query="select 1"):
    return Claim("c", "README.md", printed, "real", query, 1.0, 0.0, "by hand")


PAGE = "| a | 0.5 [0.25, 0.75] |\n| b | 0.5 [0.25, 0.75] |\n"


@pytest.mark.parametrize(
    ("printed", "query", "stands_for"),
    [
        ("| a | 0.5 [0.25", "select 1", ["0.25"]),
        ("| a | 0.5 [0.25, 0.75]", "", ["0.5", "0.25", "0.75"]),
    ],
)
def test_a_row_with_a_query_stands_for_the_last_figure_alone(printed, query, stands_for):
    found = claimed(PAGE, claim(printed, query), figures_of(PAGE))
    assert [figure.text for figure in found] == stands_for


@pytest.mark.parametrize("printed", ["| c | 0.5", "0.5"])
def test_a_piece_stands_in_the_page_once(printed):
    with pytest.raises(ValueError, match=r"claim c: .* stands [02] times in README\.md"):
        claimed(PAGE, claim(printed), figures_of(PAGE))


def test_a_figure_without_a_row_is_found():
    assert [figure.line for figure in uncovered("0.5\n0.25\n", [claim("0.5")], [])] == [2]


def test_what_is_no_claim_is_passed_and_nothing_beside_it():
    page = "Intervals are 95 %, as 95 % of 0.5."
    bare = uncovered(page, [], [re.compile(r"\b95 %")])
    assert [figure.text for figure in bare] == ["0.5"]


@pytest.mark.parametrize(
    ("printed", "value"),
    [("| x | 0.5 | 1,204", 1204.0), ("29 %", 0.29), ("7e-16", 7e-16), ("402 real", 402.0)],
)
def test_a_row_says_its_last_number(printed, value):
    assert printed_value(claim(printed)) == value


def test_a_row_without_a_number_says_nothing():
    with pytest.raises(ValueError, match="claim c: no number"):
        printed_value(claim("as fast as ever"))


ROW = {
    "claim_id": "c",
    "file": "README.md",
    "printed": "0.5",
    "corpus": "real",
    "query": "select 0.5",
    "expected": "0.5",
    "tolerance": "0",
    "checked_how": "make build",
}


def ledger(path, *rows):
    path.write_text("\n".join([",".join(COLUMNS), *(",".join(row.values()) for row in rows)]))
    return path


def test_a_ledger_is_read(tmp_path):
    (row,) = read_claims(ledger(tmp_path / "claims.csv", ROW))
    assert (row.expected, row.tolerance) == (0.5, 0.0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"corpus": "moon"}, "corpus 'moon'"),
        ({"query": ""}, "real needs query"),
        ({"corpus": "bench"}, "bench has no query"),
        ({"checked_how": ""}, "say in checked_how"),
    ],
)
def test_a_row_that_nobody_could_check_is_refused(tmp_path, changes, message):
    with pytest.raises(ValueError, match=f"claim c: .*{message}"):
        read_claims(ledger(tmp_path / "claims.csv", {**ROW, **changes}))


def test_no_name_is_used_twice(tmp_path):
    with pytest.raises(ValueError, match="more than one row called c"):
        read_claims(ledger(tmp_path / "claims.csv", ROW, ROW))


def test_a_ledger_has_its_columns(tmp_path):
    path = tmp_path / "claims.csv"
    path.write_text("claim_id,printed\n")

    with pytest.raises(ValueError, match="should have the columns"):
        read_claims(path)
