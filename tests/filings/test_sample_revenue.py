"""Revenue lines of the sample as filed: all forms show the lines of the truth, and their words."""

import collections
import json
import re
from pathlib import Path

import pytest

from finrag.filings import Identity
from finrag.filings.filing import read_filing
from finrag.records.identity import make_filing_id
from finrag.sample import STYLES, revenue_cases, revenue_labels, write_filed
from finrag.sample.revenue_truth import block_hash
from finrag.sources.corpus import open_filings

YEARS = {2020, 2021, 2022}
LABELS = Path(__file__).parents[2] / "seeds" / "gold" / "revenue_line_labels.csv"
CASES = list(revenue_cases())


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


def test_facts_say_what_the_lines_say(folders, filings):
    """Each line but one of the matrix's rows has a fact of its own, by product and by segment."""
    axes = collections.Counter()
    for line in truths(folders, "ixbrl", "revenue_lines"):
        if line["view"] == "product":
            found = [
                fact["dimensions"]
                for fact in filings["ixbrl"][line["file"]]["facts"]
                if "Revenue" in fact["concept"]
                and (fact["value"], str(fact["period_end"])) == (line["value"], line["period_end"])
                and (fact["dimensions"] or line["role"] == "total")
            ]
            named = plain(line["segment"] or "") + plain(line["label"])
            fits = [
                found_in
                for found_in in found
                if line["role"] != "leaf"
                or (
                    plain(line["label"]) in plain(str(found_in))
                    and plain(line["segment"] or "") in plain(str(found_in))
                )
            ]
            assert fits, (line, found, named)
            axes[line["role"], len(fits[0])] += 1
    assert {("leaf", 1), ("leaf", 2), ("leaf", 3), ("total", 0)} <= axes.keys()


def test_awkward_tables_occur(folders):
    lines = truths(folders, "ixbrl", "revenue_lines")
    totals = truths(folders, "ixbrl", "revenue_totals")
    assert [row["view"] for row in totals if row["verdict"] == "off"] == ["product"]
    for row in totals:
        parts = [
            line["value"]
            for line in lines
            if all(line[key] == row[key] for key in ("file", "view", "period_end"))
            and line["role"] in ("leaf", "reconciling")
        ]
        assert row["n_leaves"] == len(parts)
        assert (sum(parts) == row["total"]) == (row["verdict"] == "reconciled")
    values, own = collections.defaultdict(set), collections.Counter()
    for line in lines:
        name = line["view"], line["segment"], line["label"], line["period_end"]
        values[line["file"].split("_")[0], *name].add(line["value"])
        if line["role"] == "leaf" and line["is_filing_year"]:
            own[line["file"], line["view"], line["label"]] += 1
    assert {key[0] for key, found in values.items() if len(found) > 1} == {"9900001"}
    assert {key[2] for key, count in own.items() if count > 1} == {"Other"}
    leaves = [line for line in lines if line["role"] == "leaf" and line["is_filing_year"]]
    assert {(line["value"] > 0) - (line["value"] < 0) for line in leaves} == {-1, 0, 1}
    assert {line["is_defined"] for line in leaves} == {True, False}


def test_the_labels_are_those_of_the_generator():
    """Made with `python -c "from finrag.sample import revenue_labels; print(revenue_labels())"`."""
    header, *rows = revenue_labels().splitlines()
    kept = LABELS.read_text("utf-8").splitlines()
    assert kept[0] == header
    assert [row for row in kept if ",truth," in row] == rows
    assert make_filing_id(9900001, "10-K", 2019) == rows[0].split(",")[0]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
@pytest.mark.parametrize("style", STYLES)
def test_a_case_reads_as_its_truth(style, case):
    given = Identity(case.cik, form="10-K", period_end=case.period_end)
    row = read_filing(case.contents[style], given)
    assert {block["item"] for block in row["blocks"]} >= {"1", "7", "8"}
    titles = {line["table"] for line in case.lines}
    assert bool(titles) == (
        case.totals[0]["verdict"] not in ("no_table", "no_total", "by_reference")
    )
    for title in titles:
        shown = set(figures(row, title))
        spans = {
            (cell["row_path"][-1], cell["value"], cell["unit"], str(cell["period_start"]))
            for cell in row["cells"]
            if cell["row_path"]
        }
        for line in case.lines:
            marks = tuple(mark.strip("()") for mark in line["marks"])
            figure = "", plain(line["label"]), line["value"], line["period_end"], marks
            assert figure in shown, (figure, shown)
            assert (line["label"], line["value"], line["currency"], line["period_start"]) in spans
    hashes = {block_hash(block["text"]) for block in row["blocks"]}
    assert {block_hash(text) for line in case.lines for text in line["texts"]} <= hashes
    for total in case.totals:
        if titles:
            is_sum = abs(total["leaf_sum"] - total["total"]) < 1
            assert is_sum == (total["verdict"] != "off")
    tagged = [fact["verdict"] for fact in row["facts"] if fact["value"] is not None]
    differs = style == "ixbrl" and case.name == "routes_differ"
    assert set(tagged) - {"agrees"} == ({"scale_differs"} if differs else set())
    assert bool(tagged) == (style == "ixbrl" and case.name != "by_reference")


def test_a_matrix_adds_up_both_ways(folders):
    cells = [row for row in truths(folders, "ixbrl", "cells") if "AND CHANNEL" in row["table"]]
    amounts = collections.defaultdict(dict)
    for cell in cells:
        place = cell["row_path"][-1], cell["column_path"][-1]
        amounts[cell["file"]][place] = cell["value"]
    assert len(amounts) == len(YEARS)
    for table in amounts.values():
        for axis in (0, 1):
            sums = collections.Counter()
            for place, value in table.items():
                is_whole = place[axis] in ("Total", "Total net sales")
                sums[place[1 - axis]] += -value if is_whole else value
            assert set(sums.values()) == {0}
            assert min(table.values()) > 0
