"""Builds the site of a warehouse in a folder of its own."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import duckdb

from dashboards.scripts.browsing import BROWSERS, browser_path
from finrag.publishing.export import STORAGE_VERSION, export_reports

DASHBOARDS = Path(__file__).parents[2] / "dashboards"
# What a build writes or installs, and so is not copied.
NOT_COPIED = ("node_modules", ".evidence", "build", ".svelte-kit")
LEAST_NODE = 20
# Text that a browser would run if a page let it. What runs leaves a mark.
HOSTILE = (
    "<script>window.planted = 'script'</script>"
    "<img src=x onerror=\"window.planted = 'image'\">"
    "{window.planted = 'braces'}"
)


def what_is_missing():
    """A sentence about the first tool that the test needs and does not find; None if all stand."""
    if not shutil.which("node"):
        return f"node is not installed: the dashboards need node {LEAST_NODE} or later"
    version = subprocess.run(
        ["node", "--version"], capture_output=True, text=True, check=True
    ).stdout
    if int(re.match(r"v(\d+)", version)[1]) < LEAST_NODE:
        return f"node is {version.strip()}: the dashboards need node {LEAST_NODE} or later"
    if not browser_path():
        return f"none of {', '.join(BROWSERS)} is installed; FINRAG_BROWSER names another"
    if not (DASHBOARDS / "node_modules" / ".bin" / "evidence").exists():
        return "dashboards/node_modules is missing: run `npm ci` in dashboards, or `make dashboard`"
    return None


def plant(export):
    """Puts hostile text where filings, people and models write; gives the page of the question."""
    settings = {"storage_compatibility_version": STORAGE_VERSION}
    with duckdb.connect(str(export), config=settings) as connection:
        (page_id,) = connection.execute(
            """
            select citations.page_id
            from rpt_question_citations as citations
            inner join rpt_question_answers as answers
                on citations.page_id = answers.page_id and answers.answer_text is not null
            inner join rpt_question_passages as passages
                on citations.page_id = passages.page_id and passages.is_evidence
            group by citations.page_id
            order by citations.page_id
            """
        ).fetchone()
        (item_id,) = connection.execute(
            "select item_id from rpt_questions where page_id = ?", [page_id]
        ).fetchone()
        # Tables of the reports name a question by its page, doors by its item.
        ids = {"page_id": page_id, "item_id": item_id}
        columns = connection.execute(
            """
            select written.table_name, written.column_name, max(keys.column_name) as key
            from information_schema.columns as written
            inner join information_schema.columns as keys
                on written.table_name = keys.table_name
                and keys.column_name in ('page_id', 'item_id')
            where written.data_type = 'VARCHAR' and ends_with(written.column_name, '_text')
            group by all
            order by all
            """
        ).fetchall()
        for table, column, key in columns:
            connection.execute(
                f'update "{table}" set "{column}" = ? || "{column}" where "{key}" = ?',
                [HOSTILE, ids[key]],
            )
        plant_table(connection, page_id)
        plant_lines(connection)
    return page_id


def plant_table(connection, page_id):
    """A filing with one table for that question, hostile in its caption, label, cell and tag."""
    details = "filing_id, filing_name, kind, detail_id, position, name_text, status, n, share"
    rows = [
        ("part", "p", 0, "10-K " + HOSTILE, None, 1, None),
        ("section", "s", 1, "ITEM_8", "cross_reference", 1, None),
        ("verdict", "v", 1, "sign_differs", "sign_differs", 1, 1.0),
        ("table", "t", 1, HOSTILE, None, 1, 0.0),
        ("fact", "f", 1, HOSTILE, "not_read", None, None),
    ]
    for row in rows:
        connection.execute(
            f"insert into rpt_filing_details ({details}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ["planted", "Planted, 10-K, fiscal 2021", *row],
        )
    cells = "table_id, cell_id, row_pos, col_pos, role, depth, cell_text, verdict, facts_text"
    for row in [
        ("t:r0c1", 0, 1, "header", 0, "2021", None, None),
        ("t:r1c0", 1, 0, "label", 2, "Debt " + HOSTILE, None, None),
        ("t:r1c1", 1, 1, "cell", 2, "(5) " + HOSTILE, "sign_differs", HOSTILE),
    ]:
        connection.execute(
            f"insert into rpt_filing_cells ({cells}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ["t", *row],
        )
    connection.execute(
        """
        insert into rpt_question_cells
            (page_id, table_id, row_id, cell_id, is_evidence, is_gold, marks)
        values (?, 't', 't:r1', 't:r1c1', true, true, 'cell ranked first by a')
        """,
        [page_id],
    )


def plant_filing(export):
    """Puts hostile text in the page of the filing most asked about; gives that page."""
    settings = {"storage_compatibility_version": STORAGE_VERSION}
    with duckdb.connect(str(export), config=settings) as connection:
        (page_id,) = connection.execute(
            "select page_id from rpt_filings where page_id is not null order by place"
        ).fetchone()
        # A sentence that a question marks, and the first of each section.
        connection.execute(
            """
            update rpt_filing_passages set passage_text = $hostile || passage_text
            where page_id = $page and (
                sentence_pos = 0
                or passage_id in (
                    select min(passage_id) from rpt_filing_marks where page_id = $page
                )
            )
            """,
            {"hostile": HOSTILE, "page": page_id},
        )
        for table, column in [("filing_marks", "question_text"), ("filings", "source_text")]:
            connection.execute(
                f'update "rpt_{table}" set "{column}" = ? || "{column}" where page_id = ?',
                [HOSTILE, page_id],
            )
    return page_id


def plant_lines(connection):
    """A filing with one line of revenue, hostile in label, note and text."""
    sums = {
        "reconciliation_id": "planted:product",
        "filing_id": "planted",
        "cik_int": 0,
        "filing_name": "Planted, 10-K, fiscal 2021",
        "report_year": 2021,
        "view": "product",
        "period_end": "2021-12-31",
        "is_filing_year": True,
        "is_chosen": True,
        "total": 3000.0,
        "verdict": "off",
        "verdict_text": "The lines do not add up.",
        "is_good": False,
        "verdict_rank": 4,
        "difference": -1800.0,
        "note_text": HOSTILE,
    }
    line = {
        "revenue_line_id": "planted:product:0",
        "reconciliation_id": "planted:product",
        "filing_id": "planted",
        "cik_int": 0,
        "view": "product",
        "line_pos": 0,
        "depth": 1,
        "label_text": "Quays " + HOSTILE,
        "chart_text": "Quays " + HOSTILE.replace("<", "‹"),
        "role": "leaf",
        "value": 1200.0,
        "share": 0.4,
        "period_end": "2021-12-31",
        "cell_id": "t:r1c1",
        "cell_text": "1.2 " + HOSTILE,
        "concept": "us-gaap:Revenues",
        "is_chosen": True,
        "is_filing_year": True,
        "is_newest": True,
    }
    text = {
        "system_id": "rules",
        "revenue_line_id": "planted:product:0",
        "filing_id": "planted",
        "status": "described",
        "status_text": "It is described.",
        "description_text": "Quays are berths. " + HOSTILE,
        "source_text": HOSTILE,
    }
    coverage = {
        "system_id": "rules",
        "system_pos": 1,
        "filing_id": "planted",
        "filing_name": "Planted, 10-K, fiscal 2021",
        "n_lines": 1,
        "n_described": 1,
        "coverage": 1.0,
        "newly_covered_text": "Quays " + HOSTILE,
    }
    for noun, row in {"sums": sums, "rows": line, "texts": text, "coverage": coverage}.items():
        connection.execute(
            f"insert into rpt_revenue_lines_{noun} ({', '.join(row)}) "
            f"values ({', '.join('?' for _ in row)})",
            list(row.values()),
        )


def build(database, folder):
    """The site of a warehouse, below ``folder``, with hostile text planted in one question."""
    folder.mkdir(parents=True)
    export = folder / "dashboard.duckdb"
    export_reports(database, export)
    (folder / "planted").write_text(plant(export))
    (folder / "planted_filing").write_text(plant_filing(export))
    project = folder / "project"
    shutil.copytree(DASHBOARDS, project, ignore=shutil.ignore_patterns(*NOT_COPIED))
    (project / "node_modules").symlink_to(DASHBOARDS / "node_modules")
    subprocess.run([project / "scripts" / "sources.sh"], check=True)
    for step in (["sources", "--strict"], ["build:strict"]):
        done = subprocess.run(
            ["node_modules/.bin/evidence", *step],
            cwd=project,
            env={**os.environ, "EVIDENCE_SOURCE__finrag__filename": "../../../dashboard.duckdb"},
            capture_output=True,
            text=True,
            check=False,
        )
        printed = f"{done.stdout[-6000:]}\n{done.stderr[-6000:]}"
        assert done.returncode == 0, f"evidence {' '.join(step)} failed:\n{printed}"
    assert (project / "build" / "index.html").is_file(), printed
