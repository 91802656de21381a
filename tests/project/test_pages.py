"""The pages of the dashboards as files: what they read exists, and what they show is escaped."""

import csv
import re
import shutil
import subprocess
from pathlib import Path

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
    assert "{s.n_in_set} questions of {s.gold_set}, {s.n_shown} have a page" in text


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
