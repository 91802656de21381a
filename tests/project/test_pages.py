"""The pages of the dashboards as files: what they read exists, and what they show is escaped."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "dashboards" / "pages").rglob("*.md"))
SOURCES = {path.stem for path in (ROOT / "dashboards" / "sources" / "finrag").glob("*.sql")}
REPORTS = {path.stem for path in (ROOT / "models" / "reports").glob("rpt_*.sql")}


def test_every_source_is_a_report_and_selects_all_of_it():
    assert len(SOURCES) > 20
    assert set() == SOURCES - REPORTS
    for name in SOURCES:
        text = (ROOT / "dashboards" / "sources" / "finrag" / f"{name}.sql").read_text()
        assert re.search(rf"\bfrom {name}\b", text), name


def test_a_page_reads_sources_and_every_source_is_read():
    parts = [*PAGES, *(ROOT / "dashboards" / "pages").rglob("*.svelte")]
    parts += (ROOT / "dashboards" / "components").glob("*.svelte")
    read = {name for path in parts for name in re.findall(r"finrag\.(rpt_\w+)", path.read_text())}
    assert read == SOURCES


def test_no_page_writes_markup_of_its_data():
    for path in [*PAGES, *(ROOT / "dashboards" / "components").glob("*.svelte")]:
        assert "{@html" not in path.read_text(), path.name


def test_a_page_without_script_waits_for_none():
    quiet = [path.parent for path in (ROOT / "dashboards" / "pages").rglob("+page.js")]
    assert quiet, "no page is shipped without script"
    for folder in quiet:
        page = folder.with_suffix(".md")
        assert not re.search(r"\s(on|bind):", page.read_text()), page.name
