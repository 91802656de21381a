"""The pages of the dashboards as files: what they read exists, and what they show is escaped."""

import csv
import re
import shutil
import subprocess
from pathlib import Path

import duckdb

from finrag.publishing.export import DOORS

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "dashboards" / "pages").rglob("*.md"))
REPORTS = {path.stem for path in (ROOT / "models" / "reports").glob("rpt_*.sql")}
EXPORTED = {door.split(".")[1] for door in DOORS}
PER_GOLD_SET = [ROOT / "dashboards/pages" / name for name in ("answers.md", "questions/index.md")]
READ = {name for path in PAGES for name in re.findall(r"\bfinrag\.([a-z]\w+)", path.read_text())}


def test_a_page_reads_reports_and_exported_doors():
    assert len(READ) > 20
    assert set() == READ - REPORTS - EXPORTED


def test_no_door_is_exported_for_nobody():
    assert set() == EXPORTED - READ


def test_parts_of_all_pages_read_what_a_page_reads():
    parts = [
        *(ROOT / "dashboards" / "pages").rglob("*.svelte"),
        *(ROOT / "dashboards" / "components").glob("*.svelte"),
    ]
    assert {name for path in parts for name in re.findall(r"rpt_\w+", path.read_text())} <= READ


def test_each_table_that_a_page_reads_has_a_source(tmp_path):
    shutil.copytree(ROOT / "dashboards" / "pages", tmp_path / "pages")
    shutil.copytree(ROOT / "dashboards" / "scripts", tmp_path / "scripts")
    sources = tmp_path / "sources" / "finrag"
    sources.mkdir(parents=True)
    (sources / "rpt_gone.sql").write_text("select * from rpt_gone\n")
    (sources / "own.sql").write_text("select * from rpt_gone where n > 1\n")

    subprocess.run([tmp_path / "scripts" / "sources.sh"], check=True)

    written = {path.stem: path.read_text() for path in sources.glob("*.sql")}
    assert written.pop("own") == "select * from rpt_gone where n > 1\n"
    assert written == {name: f"select * from {name}\n" for name in READ}


def test_no_page_writes_markup_of_its_data():
    for path in [*PAGES, *(ROOT / "dashboards" / "components").glob("*.svelte")]:
        assert "{@html" not in path.read_text(), path.name


def test_a_page_without_script_waits_for_none():
    quiet = [path.parent for path in (ROOT / "dashboards" / "pages").rglob("+page.js")]
    assert quiet, "no page is shipped without script"
    for folder in quiet:
        page = folder.with_suffix(".md")
        assert not re.search(r"\s(on|bind):", page.read_text()), page.name


def test_each_tab_has_its_part_and_an_address_of_its_own():
    tabbed = [path for path in PAGES if "<PageTabs" in path.read_text()]
    assert len(tabbed) >= 7
    for path in tabbed:
        text = path.read_text()
        (tabs,) = re.findall(r"<PageTabs tabs=\{\[(.*?)\]\}", text, flags=re.DOTALL)
        ids = re.findall(r"id: '([\w-]+)'", tabs)
        assert re.findall(r"<PageTab id=([\w-]+)>", text) == ids, path.name
        # A heading has its own words as its address.
        headings = {
            re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
            for heading in re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
        }
        assert headings.isdisjoint(ids), path.name
        assert len(set(ids)) == len(ids), path.name


def queries(path):
    """SQL of a page, by the name of the query."""
    return dict(re.findall(r"```sql (\w+)\n(.*?)```", path.read_text(), flags=re.DOTALL))


def test_answers_and_questions_are_shown_for_the_gold_set_that_is_chosen():
    # What there is to choose, the links that the crawler follows, what a metric is, and how far
    # a judge agrees over all sets.
    of_all = {"gold_sets", "everything", "chosen_metric", "agreements"}
    for path in PER_GOLD_SET:
        assert "name=gold" in path.read_text(), path.name
        for name, sql in queries(path).items():
            if "finrag." in sql and name not in of_all:
                assert "${inputs.gold.value}" in sql, (path.name, name)


def test_no_report_of_answers_or_questions_is_of_one_gold_set_alone():
    reports = ROOT / "models" / "reports"
    for path in [*reports.glob("rpt_answers_*.sql"), *reports.glob("rpt_question*.sql")]:
        sql = " ".join(path.read_text().split())
        assert not re.search(r"}} where gold_set = 'p3'", sql), path.name


def test_what_is_chosen_reaches_no_query_as_it_stands():
    # Names of public sets are those of files that anybody may have made.
    for path in PER_GOLD_SET:
        assert "gold_set = '${" not in path.read_text(), path.name


def test_pages_of_answers_and_questions_spell_no_metric():
    catalogue = ROOT / "seeds" / "catalogues" / "metric_catalogue.csv"
    with catalogue.open(encoding="utf-8", newline="") as file:
        metrics = {row["metric"] for row in csv.DictReader(file)} - {"answered"}
    for path in PER_GOLD_SET:
        for name, sql in queries(path).items():
            assert metrics & set(re.findall(r"'(\w+)'", sql)) == set(), (path.name, name)


def test_the_page_says_how_many_questions_of_how_many_have_a_page():
    text = (ROOT / "dashboards" / "pages" / "questions" / "index.md").read_text()
    assert "{#if s.n_shown < s.n_in_set}" in text
    assert "{s.n_in_set} questions of {s.gold_label}, {s.n_shown} have a page" in text


def test_what_no_judge_judged_is_not_shown():
    text = (ROOT / "dashboards" / "pages" / "answers.md").read_text()
    for query in ("judged", "agreements"):
        shown = text.index(f"data={{{query}}}")
        assert text.rfind("{#if ", 0, shown) == text.index(f"{{#if {query}.length > 0}}")


def test_a_choice_that_a_gold_set_does_not_have_is_no_choice():
    # A dropdown keeps its choice when its rows change: the page must not be empty for it.
    answers = queries(PER_GOLD_SET[0])
    for name, sql in answers.items():
        for choice in ("system", "cut", "metric"):
            if f"${{inputs.{choice}.value}}" in sql:
                assert "order by" in sql, name
                assert "limit 1" in sql, name
    found = queries(PER_GOLD_SET[1])["found"]
    for choice in ("category", "scope", "difficulty", "system", "result"):
        assert f"'${{inputs.{choice}.value}}' not in (select" in found, choice


def asked(path, name, tables, **chosen):
    """Rows of a page's query over small tables: each a list of columns and rows of literals."""
    sql = queries(ROOT / "dashboards" / "pages" / path)[name].replace("finrag.", "")
    for choice, value in chosen.items():
        sql = re.sub(rf"\$\{{inputs\.{choice}(\.value)?\}}", value, sql)
    with duckdb.connect() as connection:
        for table, (columns, *rows) in tables.items():
            values = ", ".join(f"({row})" for row in rows)
            connection.execute(f"create table {table} as from (values {values}) as t ({columns})")
        result = connection.execute(sql)
        names = [column[0] for column in result.description]
        return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def test_a_sum_over_calls_with_an_unknown_part_is_unknown():
    calls = (
        "system_id, stage, model, status, n_attempts, input_tokens, output_tokens, price_usd",
        "'a', 'answer', 'm', 'ok', 1, 10, 5, 0.5::double",
        "'a', 'answer', 'm', 'ok', 3, 20, 5, 0.25",
        "'b', 'answer', 'm', 'ok', 1, 10, 5, 0.5",
        "'b', 'answer', 'm', 'failed', 1, null, 5, null",
    )

    known, unknown = asked("cost.md", "calls", {"llm_calls": calls})

    assert (known["n_calls"], known["n_failed"], known["n_repeated"]) == (2, 0, 1)
    assert (known["input_tokens"], known["price_usd"], known["why"]) == (30, 0.75, None)
    assert (unknown["input_tokens"], unknown["output_tokens"], unknown["n_failed"]) == (None, 10, 1)
    assert (unknown["price_usd"], unknown["status"]) == (None, "unmeasured")
    assert unknown["why"].startswith("1 of the calls have no price")


def test_a_failed_call_links_to_its_question_if_that_has_a_page():
    tables = {
        "llm_calls": (
            "system_id, stage, model, item_id, call_id, status, error, http_status, n_attempts",
            "'a', 'answer', 'm', 'p3:q', 'c', 'failed', 'Timed out.', null, 1",
            "'a', 'answer', 'm', 'p3:q', 'd', 'ok', null, 200, 1",
            "'a', 'answer', 'm', 'b:q', 'e', 'failed', 'Refused.', 403, 1",
        ),
        "rpt_questions": ("item_id, page_id, question_text", "'p3:q', 'page', 'How many quays?'"),
    }

    rows = {row["error"]: row for row in asked("cost.md", "failures", tables)}

    assert {error: row["page_id"] for error, row in rows.items()} == {
        "Timed out.": "page",
        "Refused.": None,
    }
    assert rows["Timed out."]["question_text"] == "How many quays?"
    assert rows["Refused."]["question_text"] == "b:q"


def test_verdicts_of_a_system_add_up_to_the_figures_it_was_asked_for():
    tables = {
        "numeric_verdicts": (
            "system_id, gold_set, outcome, verdict",
            "'a', 'p3', 'answered', 'exact'",
            "'a', 'p3', 'abstained', null",
            "'a', 'p3', 'failed', null",
        ),
        "numeric_verdict_kinds": (
            "verdict, is_right, rank, description",
            "'exact', true, 1, 'The same.'",
            "'sign', false, 4, 'The other sign.'",
        ),
        "rpt_overview_answers": ("system_id, gold_set, is_null", "'a', 'p3', false"),
    }
    (of_p3,) = duckdb.sql("select md5('p3')").fetchall()[0]

    rows = asked("answers.md", "verdicts", tables, gold=of_p3, nulls="no")

    assert [(row["verdict"], row["counts_as"], row["n"], row["n_figures"]) for row in rows] == [
        ("exact", "right", 1, 3),
        ("sign", "wrong", 0, 3),
        ("abstained", "wrong", 1, 3),
        ("failed", "wrong", 1, 3),
    ]


def test_a_measure_without_a_title_is_shown_under_its_own_name():
    tables = {
        "gold_audit": (
            "audit_id, gold_set, measure, slice_name, slice_value, n, share, ci_low, ci_high",
            "'a', 'p3', 'new_measure', 'category', 'J', 9, 0.25, null, null",
            "'b', 'p3', 'new_measure', 'category', 'Z', 0, null, null, null",
            "'c', 'p1', 'new_measure', 'distance', '2', 3, 0.5, null, null",
        ),
        "audit_measures": ("measure, title, measure_pos", "'other', 'Other', 1"),
        "p3_category_mix": ("category, title", "'J', 'negative control'", "'all', 'All'"),
    }

    rows = asked("gold.md", "audit_slices", tables, measure="new measure")

    assert [(row["label"], row["n"]) for row in rows] == [
        ("J, negative control", 9),
        ("Z", 0),
        ("distance 2", 3),
    ]


def test_filings_with_disagreements_stand_first_and_tags_without_numbers_are_not_counted():
    tables = {
        "rpt_filing_details": (
            "filing_id, filing_name, kind, name_text, status, n, share",
            "'f', 'F', 'part', '10-K', null, 9::bigint, null::double",
            "'f', 'F', 'section', 'ITEM_8', 'cross_reference', 1, null",
            "'f', 'F', 'section', 'ITEM_9', 'extracted', 1, null",
            "'f', 'F', 'verdict', 'agrees', 'agrees', 3, 0.75",
            "'f', 'F', 'verdict', 'value_differs', 'value_differs', 1, 0.25",
            "'f', 'F', 'verdict', 'not_numeric', 'not_numeric', 7, null",
            "'a', 'A', 'part', '10-K', null, 0, null",
        )
    }

    first, second = asked("filings.md", "filings", tables)

    assert (first["filing_id"], first["n_audited"], first["n_differing"]) == ("f", 4, 1)
    assert (first["n_parts"], first["n_elsewhere"], first["share"]) == (1, 1, 0.75)
    assert (second["filing_id"], second["n_audited"], second["share"]) == ("a", 0, None)


def test_the_page_of_filings_says_where_there_are_none_and_how_much_of_one_is_shown():
    text = " ".join((ROOT / "dashboards" / "pages" / "filings.md").read_text().split())
    assert "{#if filings.length === 0} This corpus brings the items of filings as text" in text
    project = (ROOT / "dbt_project.yml").read_text()
    (n_tables,) = re.findall(r"filing_tables_shown: (\d+)", project)
    assert f"Of a filing up to {n_tables} tables are shown" in text


def test_filings_whose_lines_do_not_add_up_stand_first_each_in_its_best_view():
    tables = {
        "rpt_revenue_lines_sums": (
            "reconciliation_id, filing_id, filing_name, view, is_filing_year, is_chosen, "
            "verdict_rank, is_good, n_leaves",
            "'fp', 'f', 'Acme', 'product', true, true, 1, true, 3",
            "'fg', 'f', 'Acme', 'geography', true, false, 1, true, 2",
            "'f0', 'f', 'Acme', 'product', false, true, 4, false, 3",
            "'gs', 'g', 'Bell', 'segment', true, false, 4, false, 4",
        ),
        "rpt_revenue_lines_coverage": (
            "filing_id, system_id, system_pos, n_lines, n_described",
            "'f', 'a', 1, 3, 2",
            "'f', 'b', 2, 3, 0",
        ),
    }

    rows = asked("revenue-lines.md", "filings", tables)

    assert [(row["reconciliation_id"], row["n_lines"], row["n_described"]) for row in rows] == [
        ("gs", 4, None),
        ("fp", 3, 2),
    ]


def test_the_page_of_revenue_lines_says_where_there_are_none():
    text = " ".join((ROOT / "dashboards" / "pages" / "revenue-lines.md").read_text().split())
    assert "{#if filings.length === 0} This corpus brings no tables of revenue" in text
    # A choice that waits for a system would hide the lines where none ran.
    assert "${inputs.system" not in queries(ROOT / "dashboards/pages/revenue-lines.md")["filings"]


AGENTS = {
    "rpt_agents_systems": (
        "gold_set, system_id, system_pos, is_agent, is_rival",
        "'p3', 'agent', 1, true, false",
        "'p3', 'slow', 2, true, true",
        "'p3', 'any', 3, false, false",
        "'p3', 'rival', 4, false, true",
        "'b', 'agent', 1, true, false",
    )
}


def with_queries(path, name, *others):
    """A page's query with others that it is built on put in their places."""
    sql = queries(ROOT / "dashboards" / "pages" / path)
    text = sql[name]
    for other in others:
        text = text.replace(f"${{{other}}}", f"({sql[other]})")
    return text


def test_an_agent_is_shown_beside_its_rival_until_another_is_chosen(monkeypatch):
    ((of_p3, of_slow),) = duckdb.sql("select md5('p3'), md5('slow')").fetchall()
    chain = ("other", "others", "agent", "agents", "systems")
    text = with_queries("agents.md", *chain)
    monkeypatch.setitem(globals(), "queries", lambda path: {"other": text})

    def shown(**chosen):
        (row,) = asked("agents.md", "other", AGENTS, gold=of_p3, **chosen)
        return row["system_id"]

    assert shown(agent="%", other="%") == "rival"
    assert shown(agent="%", other=of_slow) == "slow"
    # A system is not compared with itself.
    assert shown(agent=of_slow, other=of_slow) == "rival"


def test_the_page_of_agents_says_where_none_ran():
    text = " ".join((ROOT / "dashboards" / "pages" / "agents.md").read_text().split())
    assert "{#if gold_sets.length === 0} No agent ran in this build" in text


def test_what_is_chosen_on_the_page_of_agents_reaches_no_query_as_it_stands():
    # Names of systems and sets are those of files that anybody may have made.
    for name, sql in queries(ROOT / "dashboards/pages/agents.md").items():
        for used in re.findall(r"(\S+ \S+) '\$\{inputs\.\w+\.value\}'", sql):
            assert re.match(r"(md5\(\w*\.?gold_set\) =|id <>)", used), (name, used)
