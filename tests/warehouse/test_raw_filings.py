"""Filings as filed, from a folder to the doors, the questions and the metrics."""

import csv
import gzip
import json
import os
import subprocess
import sys

import pytest

from finrag.sample import write_filed, write_sample
from tests.filings.faults import write_faults

CIKS, YEARS = {9900001, 9900003, 9900005}, {2020, 2021}
COMMAND = "import sys; from finrag.command.cli import main; sys.exit(main())"


def add_faults(folder):
    """Put the faults that are quarantined into a folder; codes by file, as the list names them."""
    faults = folder.parent / "faults"
    verdicts = {
        name: verdict
        for name, verdict in write_faults(faults).items()
        if (verdict != "loaded" or name == "sound.htm") and not name.startswith("bomb")
    }
    for name in verdicts:
        (faults / name).rename(folder / name)
    with (faults / "filings.csv").open(encoding="utf-8") as file:
        lines = [line for line in csv.reader(file) if line[0] in verdicts]
    with (folder / "filings.csv").open("a", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(lines)
    return verdicts


def records(folder):
    """The ordinary records of the same filings, in a file."""
    write_sample(folder)
    lines = (folder / "filings" / "sample_10k.jsonl").read_bytes().splitlines(True)
    chosen = []
    for line in lines:
        # What is broken in the sample is shorter than any filing.
        record = json.loads(line, strict=False) if len(line) > 1_000 else {"cik": 0}
        if int(record["cik"]) in CIKS and int(record["year"]) in YEARS:
            chosen.append(line)
    path = folder / "records.jsonl"
    path.write_bytes(b"".join(chosen))
    return str(path)


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """A folder of six filings in inline XBRL among faults, and what becomes of these."""
    folder = tmp_path_factory.mktemp("raw") / "filed"
    write_filed(folder, "ixbrl", ciks=CIKS, years=YEARS)
    return folder, add_faults(folder)


@pytest.fixture(scope="module")
def raw(new_warehouse, planted):
    folder, _ = planted
    settings = {"corpus_path": str(folder), "enable_systems": ["bm25_open", "hybrid_open"]}
    warehouse = new_warehouse(folder.parent / "warehouse", corpus="raw_filings", **settings)
    assert warehouse.build() == 0, warehouse.log
    return warehouse


def test_doors_hold_what_was_filed_and_the_quarantine_the_rest(raw, planted):
    _, verdicts = planted
    assert raw.value("select count(*) from sentences.filings") == 7
    for door in ("filing_parts", "blocks", "tables", "table_cells", "facts", "fact_audits"):
        n = raw.value(f"select count(distinct left(filing_id, 10)) from sentences.{door}")
        assert n == (3 if door.startswith("fact") else 4), door
    found = {
        row["source_file"].split("/")[0]: row["reason_code"]
        for row in raw.rows("select source_file, reason_code from sources.quarantine")
    }
    # Of two files of one filing the first is read.
    assert found == {name: code for name, code in verdicts.items() if name != "sound.htm"}


def test_print_and_tags_say_the_same(raw):
    row = raw.rows(
        """
        select
            count(*) as n_shown,
            avg((a.verdict in ('agrees', 'sign_differs'))::int) as size_share,
            avg((a.verdict = 'agrees')::int) as share
        from sentences.facts as f
        inner join sentences.fact_audits as a on f.fact_id = a.fact_id
        where f.value is not null and not f.is_hidden
        """
    )[0]
    assert row["n_shown"] > 600
    assert row["size_share"] >= 0.99
    assert row["share"] >= 0.97
    # A cell and the sentence of its row show one text.
    assert (
        raw.value(
            """
            select count(*)
            from sentences.table_cells as c
            inner join sentences.sentences as s on c.sentence_id = s.sentence_id
            where not contains(s.sentence_text, c.cell_text)
            """
        )
        == 0
    )


def test_questions_on_tables_come_from_facts_and_are_measured_in_every_space(raw):
    questions = raw.rows("select cik_int, created_by from gold.gold_p3 where category = 'T'")
    assert len(questions) > 50
    # One filing has a table and no tags.
    assert {cik for row in questions for cik in row["cik_int"]} >= CIKS
    for row in questions:
        assert row["created_by"] == ("facts" if set(row["cik_int"]) <= CIKS else "cells")
    means = {
        (row["system_id"], row["unit"]): row["mean"]
        for row in raw.rows(
            """
            select system_id, unit, mean
            from metrics.metric_summaries
            where gold_set = 'p3_tables' and metric = 'hit' and k = 10 and slice_name = 'overall'
            """
        )
    }
    for unit in ("sentence", "row", "cell"):
        null = means["random_open", unit]
        assert 0 <= null < means["bm25_open", unit], (unit, means)
        assert null < means["hybrid_open", unit]


def test_figures_of_tables_are_answered_from_their_cells(raw):
    answered = raw.rows(
        """
        select
            a.item_id,
            q.answer_numeric is null
            or abs(a.numeric_value - q.answer_numeric) <= q.tolerance + 1e-9 as is_right,
            bool_and(p.unit = 'cell' and p.document_id is not null) as is_of_cells
        from answers.answers as a
        inner join gold.item_answers as q on a.item_id = q.item_id
        inner join answers.answer_citations as c
            on a.item_id = c.item_id and a.system_id = c.system_id
        left join sentences.passages as p on c.passage_id = p.passage_id
        where a.system_id = 'multi_path' and a.gold_set = 'p3_tables' and q.is_answerable
        group by a.item_id, is_right
        """
    )
    n_asked = raw.value(
        "select count(*) from gold.item_answers where gold_set = 'p3_tables' and is_answerable"
    )
    n_right = sum(row["is_right"] and row["is_of_cells"] for row in answered)
    assert n_right >= 0.5 * n_asked


GATES_ON_LINES = """
select gate_id, verdict from gates.gate_verdicts
where gate_id in ('lines_reconciled', 'routes_agree', 'descriptions_covered')
"""


def test_questions_on_lines_come_from_readers_and_from_tables(raw):
    questions = raw.rows(
        "select category, answer_type, created_by, cik_int from gold.gold_p3 "
        "where category in ('K', 'M')"
    )
    assert {(row["category"], row["answer_type"]) for row in questions} >= {
        *(("K", "span"), ("K", "no_answer")),
        *(("M", "numeric"), ("M", "span")),
    }
    assert {row["created_by"] for row in questions} == {"revenue_lines"}
    assert {cik for row in questions for cik in row["cik_int"]} == CIKS
    labels = raw.rows("select rejected_for, item_id from gold.line_labels")
    used = [row for row in labels if row["rejected_for"] is None]
    assert len(used) > 10
    assert all(row["item_id"] for row in used), used
    assert not raw.rows(
        """
        select item_id from gold.items
        where gold_set = 'p3_revenue_lines' and item_id in (
            select item_id from metrics.int_items_excluded
        )
        """
    )


def test_descriptions_are_judged_by_what_readers_found(raw):
    values = {
        row["metric"]: row["mean"]
        for row in raw.rows(
            """
            select metric, mean from metrics.metric_summaries
            where system_id = 'line_description' and slice_name = 'overall'
            and metric in ('line_status_right', 'line_precision', 'line_recall')
            """
        )
    }
    assert values.keys() == {"line_status_right", "line_precision", "line_recall"}
    assert min(values.values()) > 0.8, values
    verdicts = {row["gate_id"]: row["verdict"] for row in raw.rows(GATES_ON_LINES)}
    assert len(verdicts) == 3
    assert set(verdicts.values()) <= {"pass", "too_few"}, verdicts


def test_gates_on_lines_do_not_apply_to_items_as_text(sample):
    verdicts = {row["gate_id"]: row["verdict"] for row in sample.rows(GATES_ON_LINES)}
    assert len(verdicts) == 3
    assert set(verdicts.values()) == {"not_applicable"}, verdicts


def test_answers_are_those_of_the_ordinary_records(raw, new_warehouse, tmp_path):
    path = records(tmp_path / "sample")
    ordinary = new_warehouse(tmp_path / "warehouse", corpus="filings", corpus_path=path)
    assert ordinary.build("--select", "+int_p3_figures") == 0, ordinary.log
    query = """
        select question_key, round(answer_numeric, 2) as answer, answer_unit
        from gold.int_p3_figures
        where category = 'A'
    """
    answers = [
        {row["question_key"]: (row["answer"], row["answer_unit"]) for row in one.rows(query)}
        for one in (raw, ordinary)
    ]
    of_raw, of_records = answers
    shared = of_raw.keys() & of_records.keys()
    assert len(shared) > 0.8 * max(len(of_raw), len(of_records)), sorted(
        of_raw.keys() ^ of_records.keys()
    )
    assert {key: of_raw[key] for key in shared} == {key: of_records[key] for key in shared}


def test_what_was_fetched_is_read_once(new_warehouse, tmp_path):
    warehouse = new_warehouse(tmp_path / "warehouse", corpus="edgar")
    fetched = warehouse.state / "edgar"
    write_filed(fetched / "filings", "ixbrl", ciks={9900003}, years=YEARS)
    listed = (fetched / "filings" / "filings.csv").read_text("utf-8").replace(".htm,", ".htm.gz,")
    (fetched / "filings.csv").write_text(listed, "utf-8")
    for path in (fetched / "filings").glob("*.htm"):
        path.with_suffix(".htm.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()

    def build():
        done = subprocess.run(
            [
                *(sys.executable, "-c", COMMAND, "build", "--database", warehouse.database.name),
                *("--vars", json.dumps(warehouse.variables)),
            ],
            cwd=warehouse.folder,
            env={k: v for k, v in os.environ.items() if not k.startswith("FINRAG_")},
            capture_output=True,
            text=True,
            check=False,
        )
        return warehouse.statuses(), done.stdout + done.stderr

    first, log = build()
    assert first["py_filings_read"] == "success", log
    assert warehouse.value("select count(*) from sentences.filings") == 2
    assert warehouse.value("select count(*) from sentences.facts") > 200

    second, log = build()
    assert not {"py_filings_read", "filings", "table_cells", "gold_p3"} & second.keys(), log
    assert "error" not in second.values(), log
