"""Revenue lines of the sample as filed: all forms show the lines of the truth, and their words."""

import collections
import json
import re

import pytest

from finrag.sample import STYLES, write_filed
from finrag.sample.revenue_truth import block_hash
from finrag.sources.corpus import open_filings

YEARS = {2020, 2022}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    made = {style: tmp_path_factory.mktemp(style) for style in STYLES}
    for style, folder in made.items():
        write_filed(folder, style, years=YEARS)
    return made


@pytest.fixture(scope="module")
def filings(folders, tmp_path_factory):
    """Rows of the reader, by style and file."""
    state = str(tmp_path_factory.mktemp("state"))
    return {
        style: {
            row["source_file"]: row
            for batch in open_filings("raw_filings", str(folder), state)
            for row in batch.to_pylist()
        }
        for style, folder in folders.items()
    }


def truths(folders, style, kind):
    lines = (folders[style] / "truth" / f"{kind}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def plain(text):
    """A text without marks, blanks and case, in which forms differ."""
    return re.sub(r"[\W_]+", "", text).lower()


def figures(row, title):
    """Group, name, value, end and marks of the cells of a table, by row and by column."""
    (table,) = (one for one in row["tables"] if (one["caption"] or "").startswith(title))
    place = table["part_pos"], table["block_pos"]
    cells = [cell for cell in row["cells"] if (cell["part_pos"], cell["block_pos"]) == place]
    marks = {cell["row_pos"]: cell["footnote_marks"] for cell in cells if cell["is_label"]}
    for cell in cells:
        if not cell["is_label"] and not cell["is_header"]:
            *group, name = map(plain, cell["row_path"])
            seen = cell["value"], str(cell["period_end"])
            for above in ("", *group):
                yield above, name, *seen, tuple(marks[cell["row_pos"]])
            yield "", plain(cell["column_path"][-1]), *seen, ()


@pytest.mark.parametrize("style", STYLES)
def test_every_line_stands_in_its_table(style, folders, filings):
    roles = collections.Counter()
    shown = {}
    for line in truths(folders, style, "revenue_lines"):
        key = line["file"], line["table"]
        # The long titles of segments stand on several lines of a text submission.
        if style == "text" and line["view"] == "segment":
            continue
        if key not in shown:
            shown[key] = set(figures(filings[style][line["file"]], line["table"]))
        group = plain(line["segment"] or "") if line["role"] == "leaf" else ""
        marks = tuple(mark.strip("()") for mark in line["marks"])
        figure = group, plain(line["label"]), line["value"], line["period_end"], marks
        assert figure in shown[key], (figure, sorted(shown[key], key=str))
        roles[line["role"]] += 1
    assert roles.keys() == {"leaf", "subtotal", "total", "reconciling"}


@pytest.mark.parametrize("style", ["ixbrl", "html"])
def test_every_defining_text_is_a_block(style, folders, filings):
    kinds = collections.Counter()
    for line in truths(folders, style, "revenue_lines"):
        blocks = filings[style][line["file"]]["blocks"]
        hashes = {block_hash(block["text"]) for block in blocks}
        assert {block_hash(text) for text in line["texts"]} <= hashes, line
        kinds[line["kind"]] += 1
    assert kinds.keys() == {"footnote", "definition", "list", "heading", None}
