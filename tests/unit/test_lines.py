"""The command ``finrag lines``: what it prints, what it writes, and what it says of errors."""

import csv
import json
import os
import re
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

from finrag.command.cli import BROKEN_PIPE, main
from finrag.publishing.lines import Wanted, artefact, read_lines
from finrag.sources.line_baselines import open_line_baselines
from tests.unit.lines_warehouse import BEFORE, FILED, FORMULA, TWINS, write_lines


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    path = tmp_path_factory.mktemp("lines") / "w.duckdb"
    write_lines(path)
    return path


@pytest.fixture
def printed(database, capsys):
    def run(*arguments):
        status = main(["lines", *map(str, arguments), "--database", str(database)])
        out, err = capsys.readouterr()
        assert status == (2 if err else 0)
        return err or out

    return run


def test_the_latest_annual_filing_is_shown_as_a_tree_with_places_and_the_sum(printed):
    shown = printed("thpc").splitlines()

    assert shown[0] == "Tarn Hollow Ports Co. (THPC), 10-K, fiscal 2023 to 2023-12-31"
    assert shown[2] == "view: product; others: geography (off)"
    table = {row.strip().split("  ")[0]: row for row in shown[5:10]}
    assert table["Quays"].startswith("  Quays ")
    assert table["Quays"].split() == [
        *("Quays", "500,000,000", "USD", "50.0", "%", "Harbours", "described"),
        f"{FILED}_t5:r1c1",
    ]
    assert table["Cranes (1)"].startswith("  Cranes (1)")
    assert table["Harbours [subtotal]"].startswith("Harbours")
    assert table["Total"].startswith("Total")
    assert shown[11] == (
        "reconciled: The lines add up to the total, within one printed unit and one more for each "
        "subtotal."
    )
    assert shown[12] == (
        "total 1,000,000,000 USD (fact us-gaap:Revenues), sum of 3 lines 1,000,000,000, "
        "difference 0, tolerance 1,000,000, by both"
    )
    assert shown[13] == "newly missing: Cranes"


@pytest.mark.parametrize(
    "name",
    ["THPC", "7", "CIK0000000007", "tarn hollow ports co.", "Wend Quays Ltd.", "tarn", "PORTS"],
)
def test_a_company_is_known_by_ticker_cik_and_name_or_a_part_of_it(printed, name):
    """The later filing counts, whatever the company was called when it filed the earlier one."""
    assert f"\n{FILED};" in printed(name)


def test_a_year_a_filing_and_a_view_narrow_what_is_shown(printed):
    assert f"\n{BEFORE};" in printed("THPC", "--year", 2022)
    assert f"\n{BEFORE};" in printed("--filing", BEFORE)
    shown = printed("THPC", "--view", "geography")
    assert "view: geography, which was not chosen; others: product (reconciled)\n" in shown
    assert "off: The lines do not add up to the total." in shown
    assert "difference 25,000,000" in shown
    assert "another value elsewhere: Quays" in shown


def test_a_label_cannot_steer_the_terminal(printed):
    shown = printed("THPC", "--view", "geography")
    assert "North\\x1b[31m" in shown
    assert "\x1b" not in shown


def test_lines_that_do_not_add_up_are_shown_all_the_same(printed):
    shown = printed("QMFC")
    assert "view: segment, which was not chosen; others: none" in shown
    assert "Jams" in shown


def test_texts_stand_with_their_sentences_or_with_why_there_is_none(printed):
    shown = printed("THPC", "--texts", "--system", "a_rules")
    assert "Quays: described (definition, tier 2)\n  Quays consist of berths.\n" in shown
    assert f"  from {FILED}_section_1_4" in shown
    assert "Cranes: not described\n  No definition was found." in shown
    assert f"{FORMULA}: failed\n  Timed out." in shown


def test_a_text_of_several_lines_is_printed_once(printed):
    shown = printed("THPC", "--texts", "--system", "b_twice")
    assert "Quays, Cranes: described (definition, tier 2)\n  Both are.\n" in shown
    assert shown.count("Both are.") == 1


def test_a_reader_that_stops_early_gets_no_error(database):
    command = "import sys; from finrag.command.cli import BROKEN_PIPE, main; sys.exit(main())"
    arguments = ("lines", "--all", "--database", str(database))
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run(
        [sys.executable, "-c", command, *arguments],
        check=False,
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (BROKEN_PIPE, b"")


def test_a_table_is_written_to_a_file_in_a_folder_that_is_there(printed, tmp_path):
    assert "--csv names the folder" in printed("THPC", "--csv", tmp_path)
    path = tmp_path / "none" / "lines.parquet"
    assert f"there is no folder '{path.parent}'" in printed("THPC", "--parquet", path)
    path = tmp_path / "one.json"
    assert printed("THPC", "--json", path) == f"1 artefact written to {path}\n"


def test_the_system_under_test_comes_first(printed):
    assert "texts by mine" in printed("THPC")
    assert "texts by a_rules" in printed("THPC", "--system", "a_rules")


def test_all_companies_stand_in_one_list(printed):
    rows = [re.split("  +", row) for row in printed("--all").splitlines()]
    assert [row[1:] for row in rows[1:]] == [
        ["0000000008_10-K_2023", "2023-02-02", "segment", "off", "1", "–"],
        ["0000000007_10-Q_2023", "2023-12-31", "none", "no total", "0", "–"],
        [FILED, "2023-12-31", "product", "reconciled", "3", "1"],
        *([twin, "2023-12-31", "none", "no table", "0", "–"] for twin in TWINS),
        [BEFORE, "2022-12-31", "product", "reconciled", "2", "0"],
    ]
    of_view = [row.split()[-6:] for row in printed("--all", "--view", "geography").splitlines()]
    assert of_view[1:] == [
        [FILED, "2023-12-31", "geography", "off", "1", "–"],
        [BEFORE, "2022-12-31", "geography", "reconciled", "1", "–"],
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no company is named; give a ticker, a CIK, a name or --all"),
        (("THPC", "--all"), "no company is named"),
        (
            ("ill",),
            "no company 'ill' has lines of revenue in this warehouse; did you mean Quillmark Foods "
            "Corp., Twin Mills Inc.?",
        ),
        (
            ("Twin Mills Inc.",),
            "several companies have the name 'Twin Mills Inc.'; give the CIK of one: 9, 10",
        ),
        (("THPX",), "did you mean THPC?"),
        (("zzzz",), "4 others have some"),
        (("THPC", "--year", 1999), f"of fiscal year 1999; there are {BEFORE}, "),
        (("QMFC", "--view", "product"), "no lines of the view product in 0000000008_10-K_2023"),
        (("THPC", "--system", "nobody"), "no system 'nobody' described lines in this build"),
    ],
)
def test_an_error_says_what_there_is(printed, arguments, message):
    assert message in printed(*arguments)


def test_without_a_warehouse_or_tables_one_sentence_says_so(tmp_path, capsys):
    assert main(["lines", "THPC", "--database", str(tmp_path / "none.duckdb")]) == 2
    assert "no warehouse at" in capsys.readouterr().err
    write_lines(tmp_path / "w.duckdb", has_lines=False)
    assert main(["lines", "THPC", "--database", str(tmp_path / "w.duckdb")]) == 2
    assert "has the items of filings as text, without tables" in capsys.readouterr().err


def test_a_csv_holds_all_views_and_years_and_no_formula(printed, tmp_path):
    path = tmp_path / "lines.csv"
    assert printed("THPC", "--csv", path) == f"7 lines written to {path}\n"

    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {(row["view"], row["period_end"]) for row in rows} == {
        ("product", "2023-12-31"),
        ("product", "2022-12-31"),
        ("geography", "2023-12-31"),
    }
    assert f"'{FORMULA}" in {row["label"] for row in rows}
    assert (rows[1]["value"], rows[1]["sentence_ids"]) == ("500000000.0", f"{FILED}_section_1_4")


def test_a_parquet_file_keeps_types_and_lists(printed, tmp_path):
    printed("--all", "--parquet", tmp_path / "lines.parquet")

    table = pq.read_table(tmp_path / "lines.parquet")
    assert table.num_rows == 11
    assert table["value"].type == "double"
    quays = next(row for row in table.to_pylist() if row["status"] == "described")
    assert (quays["sentence_ids"], quays["share"]) == ([f"{FILED}_section_1_4"], 0.5)


def test_an_artefact_says_what_is_described_and_is_a_baseline(printed, tmp_path, database):
    printed("--all", "--json", tmp_path / "kept")
    printed("THPC", "--json", tmp_path / "one.json")

    one = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))
    assert one == json.loads((tmp_path / "kept" / f"{FILED}.mine.json").read_text(encoding="utf-8"))
    assert {name: one[name] for name in ("company", "cik", "fiscal_year_end", "coverage_pct")} == {
        "company": "Tarn Hollow Ports Co.",
        "cik": 7,
        "fiscal_year_end": "2023-12-31",
        "coverage_pct": 33.33,
    }
    assert one["missing_labels"] == ["Cranes", FORMULA]
    assert one["line_details"][0] == {
        "label": "Quays",
        "value": 500e6,
        "status": "described",
        "text": "Quays consist of berths.",
        "top_chunk_ids": [f"{FILED}_d0_b9"],
        "top_sections": ["ITEM_1"],
        "products_found": ["berths"],
        "validated": True,
    }
    read = open_line_baselines(str(tmp_path / "kept")).read_all().to_pylist()
    assert {row["record_status"] for row in read} == {"read"}
    assert [row["was_described"] for row in read[1]["lines"]] == [True, False, False]
    assert [row["line_label"] for row in read[0]["lines"]] == ["Quays", "(no label)"]


def test_a_filing_without_leaves_has_no_coverage_and_no_system_gives_no_artefact(
    database, tmp_path
):
    (jams,) = read_lines(database, Wanted("QMFC"))
    assert artefact(jams)["coverage_pct"] is None
    write_lines(tmp_path / "w.duckdb", has_texts=False)
    (ports,) = read_lines(tmp_path / "w.duckdb", Wanted("THPC"))
    with pytest.raises(ValueError, match="no system described lines"):
        artefact(ports)
