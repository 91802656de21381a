"""The pages of the dashboards as files: what they read exists, and what they show is escaped."""

import re
import shutil
import subprocess
from pathlib import Path

from finrag.publishing.export import DOORS

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "dashboards" / "pages").rglob("*.md"))
REPORTS = {path.stem for path in (ROOT / "models" / "reports").glob("rpt_*.sql")}
EXPORTED = {door.split(".")[1] for door in DOORS}
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
