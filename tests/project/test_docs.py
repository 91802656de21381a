"""The docs say what a reader needs, and only of what is there."""

import csv
import re
from pathlib import Path

import pytest

from dashboards.scripts.picture import HEIGHT, MOST_BYTES, WIDTH

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "dashboards" / "pages"
# Pages whose file is named otherwise than their tables.
PAGE_FILES = {
    "overview": "index.md",
    "questions": "questions/index.md",
    "question": "questions/[question_id].md",
    "filing": "filings/[filing_id].md",
    "revenue_lines": "revenue-lines.md",
}


def nodes(manifest, kind):
    return [node for node in manifest["nodes"].values() if node["resource_type"] == kind]


def doors(manifest):
    return [node for node in nodes(manifest, "model") if node["access"] == "public"]


def reports(manifest):
    return [node for node in nodes(manifest, "model") if node["name"].startswith("rpt_")]


def says_nothing(name, description):
    """Whether a description is empty, or only its own name again."""
    words = re.findall(r"[a-z0-9]+", description.lower())
    return [word for word in words if word not in ("the", "a", "an", "its")] in (
        [],
        re.findall(r"[a-z0-9]+", name.lower()),
    )


@pytest.mark.parametrize(
    ("name", "description", "expected"),
    [
        ("gold_set", "Gold set.", True),
        ("topic", "The topic.", True),
        ("topic", "", True),
        ("topic", "The topic of the bundle.", False),
    ],
)
def test_a_description_that_says_nothing_is_told_from_one_that_does(name, description, expected):
    assert says_nothing(name, description) == expected


def test_every_door_and_seed_says_what_it_and_its_columns_hold(manifest):
    empty = [
        f"{node['name']}.{column['name']}"
        for node in [*doors(manifest), *nodes(manifest, "seed")]
        for column in [{"name": "", "description": node["description"]}, *node["columns"].values()]
        if says_nothing(column["name"], column["description"])
    ]
    assert empty == []


def test_every_seed_describes_every_column(manifest):
    for seed in nodes(manifest, "seed"):
        path = ROOT / seed["original_file_path"]
        with path.open(encoding="utf-8-sig") as rows:
            header = rows.readline().strip().replace('"', "").split(",")
        assert set(header) == set(seed["columns"]), seed["name"]


def test_the_overview_speaks_of_every_room_and_of_nothing_that_is_not_there(manifest):
    overview = manifest["docs"]["doc.finrag.__overview__"]["block_contents"]
    rooms = {node["schema"] for node in nodes(manifest, "model")}
    there = {node["name"] for node in [*doors(manifest), *nodes(manifest, "seed")]}
    there |= {node["name"] for node in nodes(manifest, "analysis")}
    there |= {column for node in doors(manifest) for column in node["columns"]}

    table = re.findall(r"^\| (\w+) \|.*\| (.*) \|$", overview, flags=re.MULTILINE)
    assert [room for room, _ in table[1:]] == sorted(rooms, key=list(dict(table)).index)
    named = set(re.findall(r"`([a-z]\w+)`", overview))
    assert named - {"int_", "py_"} <= there


def test_the_overview_says_which_room_reads_which(manifest):
    overview = manifest["docs"]["doc.finrag.__overview__"]["block_contents"]
    table = re.findall(r"^\| (\w+) \|[^|]*\| ([\w, ]*) \|[^|]*\|$", overview, flags=re.MULTILINE)
    room_of = {node["unique_id"]: node["schema"] for node in nodes(manifest, "model")}
    read = {
        (room_of[parent], node["schema"])
        for node in nodes(manifest, "model")
        for parent in node["depends_on"]["nodes"]
        if parent in room_of and room_of[parent] != node["schema"]
    }
    rooms = [group["name"] for group in manifest["groups"].values()]

    assert table[1:] == [
        (room, ", ".join(other for other in rooms if (other, room) in read)) for room in rooms
    ]


def test_every_docs_block_is_used(manifest):
    used = {
        block
        for node in [*manifest["nodes"].values(), *manifest["exposures"].values()]
        for block in [
            *node.get("doc_blocks", []),
            *(b for column in node.get("columns", {}).values() for b in column["doc_blocks"]),
        ]
    }
    ours = {name for name in manifest["docs"] if name.startswith("doc.finrag.")}
    assert ours - used == {"doc.finrag.__overview__"}


def test_each_room_has_a_colour_of_its_own(manifest):
    colours = {}
    for node in nodes(manifest, "model"):
        colours.setdefault(node["schema"], set()).add(node["docs"]["node_color"])
    assert all(len(found) == 1 for found in colours.values())
    assert len({colour for found in colours.values() for colour in found}) == len(colours)


def test_every_report_is_looked_at_by_someone(manifest):
    seen = {
        parent
        for exposure in manifest["exposures"].values()
        for parent in exposure["depends_on"]["nodes"]
    }
    assert [node["name"] for node in reports(manifest) if node["unique_id"] not in seen] == []


def test_every_exposure_says_who_decides_what(manifest):
    for exposure in manifest["exposures"].values():
        name = exposure["name"]
        assert exposure["owner"]["name"], name
        assert exposure["maturity"] in ("high", "medium", "low"), name
        assert len(exposure["config"]["meta"]["decides"].split()) > 3, name
        assert exposure["description"], name
        assert exposure["url"] or exposure["type"] != "dashboard", name


def test_every_page_has_an_exposure_with_the_tables_that_it_reads(manifest):
    pages = {
        exposure["name"].removeprefix("page_"): {
            node.rsplit(".", 1)[-1] for node in exposure["depends_on"]["nodes"]
        }
        for exposure in manifest["exposures"].values()
        if exposure["name"].startswith("page_")
    }
    files = {PAGE_FILES.get(page, f"{page}.md"): page for page in pages}
    found = [path.relative_to(PAGES).as_posix() for path in PAGES.rglob("*.md")]

    assert sorted(set(found) - set(files)) == []
    for name in found:
        read = set(re.findall(r"\bfinrag\.([a-z]\w+)", (PAGES / name).read_text()))
        assert read <= pages[files[name]], name


def anchors(page):
    """The anchors of a page of Markdown, as GitHub makes them of its headings."""
    headings = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one.lower()).strip().replace(" ", "-") for one in headings}


def broken_links(path):
    """Links of a page to files that are not there, or to headings that their page does not have."""
    broken = []
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)", path.read_text()):
        if "://" in target:
            continue
        other = (path.parent / target) if target else path
        if not other.exists():
            broken.append(target)
        elif anchor and anchor not in anchors(other.read_text()):
            broken.append(f"{target}#{anchor}")
    return broken


PROSE = [
    *(ROOT / name for name in ("README.md", "bench/README.md", "dashboards/README.md")),
    *sorted((ROOT / "docs").glob("**/*.md")),
]


@pytest.mark.parametrize("path", PROSE, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_of_the_docs_leads_to_a_page_and_heading(path):
    assert broken_links(path) == []


def test_a_broken_link_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# A `day's` work\n[a](#a-days-work) [b](#b) [c](none.md) [d](page.md#a-b)\n")
    assert broken_links(page) == ["#b", "none.md", "page.md#a-b"]


def test_the_readme_can_be_read_at_a_sitting():
    text = (ROOT / "README.md").read_text()

    assert len(text.splitlines()) <= 120
    assert "make build" in text
    assert "make test" in text


def test_the_readme_shows_the_first_page_and_says_in_words_what_is_seen():
    text = (ROOT / "README.md").read_text()
    ((said, name),) = re.findall(r"^!\[(.*)\]\((.*)\)$", text, re.MULTILINE)
    picture = (ROOT / name).read_bytes()
    width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))

    assert len(said.split()) > 8
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert (width, height) == (WIDTH, HEIGHT)
    assert len(picture) <= MOST_BYTES
    # After what finrag is, before what to do.
    assert text.index("finrag tells") < text.index("![") < text.index("## ")


def test_there_are_six_guides_and_each_begins_with_a_task():
    guides = {path.stem: path.read_text() for path in (ROOT / "docs" / "guides").glob("*.md")}

    assert sorted(guides) == [
        "gates-in-ci",
        "reading-results",
        "reference",
        "start",
        "your-filings",
        "your-system",
    ]
    assert [
        name for name, text in guides.items() if not text.split("\n")[2].startswith("You ")
    ] == []


def test_the_reference_lists_every_page_and_none_is_too_long():
    pages = {path.name: path.read_text() for path in (ROOT / "docs" / "reference").glob("*.md")}
    index = (ROOT / "docs" / "guides" / "reference.md").read_text()

    assert [name for name in pages if f"](../reference/{name})" not in index] == []
    assert [name for name, text in pages.items() if len(text.splitlines()) > 400] == []


def test_the_guide_names_the_words_for_a_gain_and_where_they_begin():
    with (ROOT / "seeds/catalogues/metric_bands.csv").open(encoding="utf-8", newline="") as seed:
        lowest, *bands = csv.DictReader(seed)
    said = [f"*{band['band']}* from `{band['at_least']}`" for band in bands]
    guide = (ROOT / "docs/guides/reading-results.md").read_text("utf-8")
    assert ", ".join([f"*{lowest['band']}* below `{bands[0]['at_least']}`", *said]) in guide


def test_the_glossary_says_each_term_in_one_sentence():
    text = (ROOT / "docs" / "glossary.md").read_text()
    terms = re.findall(r"^\| ([a-z][\w, ]*) \| (.*) \|$", text, flags=re.MULTILINE)[1:]

    assert 20 < len(terms) <= 40
    assert terms == sorted(terms)
    assert [term for term, meaning in terms if not re.fullmatch(r"[^.]+\.", meaning)] == []


def test_the_page_on_sql_lists_every_door(manifest):
    text = (ROOT / "docs" / "reference" / "sql.md").read_text()
    listed = {
        (room, door)
        for room, cell in re.findall(r"^\| `(\w+)` \| (.*) \|$", text, flags=re.MULTILINE)
        for door in re.findall(r"`(\w+)`", cell)
        if room != "reports"
    }
    there = {(door["schema"], door["name"]) for door in doors(manifest)}

    assert sorted(there ^ listed) == []
