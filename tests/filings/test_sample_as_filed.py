"""The sample as filed, read and held against its own truth: nothing is lost, added or moved."""

import collections
import json
import re

import pytest
from lxml import etree, html

from finrag.filings import Identity
from finrag.filings.filing import read_filing
from finrag.sample import STYLES, write_filed
from finrag.sources.corpus import open_filings

CIKS, YEARS = {9900004, 9900005}, {2020, 2021}
# Units as the truth calls them.
UNITS = {"USD/shares": "USD/share", "pure": "percent"}
IX = "{http://www.xbrl.org/2013/inlineXBRL}"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    made = {style: tmp_path_factory.mktemp(style) for style in STYLES}
    for style, folder in made.items():
        write_filed(folder, style, ciks=CIKS, years=YEARS)
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


def visible(path):
    """What a file shows, as another reader has it; leaders, rules and marks of columns apart."""
    content = path.read_bytes()
    if path.suffix == ".txt":
        text = content.decode("ascii")
        # Every other document is as much a part of the filing.
        bodies = re.findall(r"<TEXT>(.*?)</TEXT>", text, re.DOTALL)
        return re.sub(r"</?(?:PAGE|TABLE|CAPTION|S|C)>|[-=_]{4,}", "", "".join(bodies))
    if b"<ix:header" in content:
        root = etree.fromstring(content)
        return "".join(
            root.xpath("//*[local-name()='body']//text()[not(ancestor::*[local-name()='header'])]")
        )
    inside = content.decode("cp1252").partition("<TEXT>")[2].partition("</HEAD>")[2]
    (body,) = html.document_fromstring(inside).iter("body")
    return str(body.text_content())


@pytest.mark.parametrize("style", STYLES)
def test_every_visible_character_is_in_one_block(style, folders, filings):
    for name, row in filings[style].items():
        shown = visible(folders[style] / name)
        if style == "text":
            shown = shown.split("<ARTICLE>")[0]
        read = "".join(
            block["text"]
            for block in row["blocks"]
            if not row["parts"][block["part_pos"]]["document_type"].startswith("EX-27")
        )
        expected = collections.Counter(re.sub(r"[\s\u200b]|\.{2,}", "", shown))
        found = collections.Counter(re.sub(r"[\s\u200b]|\.{2,}", "", read))
        assert found == expected, (name, found - expected, expected - found)


@pytest.mark.parametrize("style", STYLES)
def test_offsets_slice_what_they_say(style, filings):
    n = collections.Counter()
    for row in filings[style].values():
        texts = {section["item"]: section["section_text"] for section in row["sections"]}
        assert all(
            len(section["line_kinds"] or "") == len(section["section_text"].split("\n"))
            for section in row["sections"]
            if section["section_text"]
        )
        blocks = {(one["part_pos"], one["block_pos"]): one for one in row["blocks"]}
        covered = collections.Counter()
        for block in blocks.values():
            if block["char_start"] is not None:
                start, end = block["char_start"], block["char_end"]
                assert texts[block["item"]][start:end] == block["text"]
                covered[block["item"]] += end - start + 1
        assert covered == {item: len(text) + 1 for item, text in texts.items() if text}
        for kind in ("cells", "facts"):
            for one in row[kind]:
                if one["char_start"] is not None:
                    item = blocks[one["part_pos"], one["block_pos"]]["item"]
                    sliced = texts[item][one["char_start"] : one["char_end"]]
                    shown = one["text"] if kind == "cells" else one["value_text"]
                    assert shown == sliced if kind == "cells" else shown[:500] in sliced
                    n[kind] += 1
    assert n["cells"] > 800
    assert (n["facts"] > 400) == (style == "ixbrl")


def test_no_fact_is_lost(folders, filings):
    keys = ("concept", "unit", "period_start", "period_end", "is_nil", "is_hidden", "value")
    expected = collections.defaultdict(list)
    for fact in truths(folders, "ixbrl", "facts"):
        expected[fact["file"]].append(tuple(fact[key] for key in keys))
    for name, row in filings["ixbrl"].items():
        found = [
            (
                *(fact["concept"], UNITS.get(fact["unit"], fact["unit"])),
                *(day and day.isoformat() for day in (fact["period_start"], fact["period_end"])),
                *(fact["is_nil"], fact["is_hidden"], fact["value"]),
            )
            for fact in row["facts"]
            if not fact["concept"].endswith("TextBlock")
        ]
        assert collections.Counter(found) == collections.Counter(expected[name])


def test_shown_numbers_have_the_size_that_their_tags_state(filings):
    verdicts = collections.Counter(
        fact["verdict"]
        for row in filings["ixbrl"].values()
        for fact in row["facts"]
        if fact["value"] is not None and not fact["is_hidden"]
    )
    assert verdicts.keys() <= {"agrees", "sign_differs"}
    assert verdicts["agrees"] > 0.95 * verdicts.total()


def test_without_tags_the_reading_is_the_same(folders, filings):
    for name, row in filings["ixbrl"].items():
        root = etree.fromstring((folders["ixbrl"] / name).read_bytes())
        etree.strip_elements(root, f"{IX}header", with_tail=False)
        etree.strip_tags(root, f"{IX}*")
        data = etree.tostring(root)
        assert b"<ix:" not in data
        given = Identity(row["cik_int"], form="10-K", period_end=row["fiscal_year_end"])
        bare = read_filing(data, given)
        assert not bare["facts"]
        for kind in ("sections", "tables", "cells"):
            assert [as_lists(one) for one in bare[kind]] == row[kind]
        without = [
            {key: value for key, value in block.items() if not key.startswith("source_")}
            for block in row["blocks"]
        ]
        blocks = map(as_lists, bare["blocks"])
        assert [{key: block[key] for key in without[0]} for block in blocks] == without


def test_no_day_that_a_tag_states_is_the_period_of_a_cell(folders):
    """Nor any that is hidden: what the cells are read as is what is printed."""
    path = min(folders["ixbrl"].glob("*.htm"))
    data = path.read_text("utf-8")
    tag = re.compile(r"<ix:nonNumeric[^>]*dei:DocumentPeriodEndDate[^>]*>([^<]*)</ix:nonNumeric>")
    found = tag.search(data)
    other = found[0].replace(f">{found[1]}<", ">2017-05-14<").replace("format=", "data-format=")
    hidden = tag.sub(r"\1", data).replace("<ix:hidden>", f"<ix:hidden>{other}", 1)
    assert hidden.count("2017-05-14") == 1
    row, moved = (read_filing(text.encode(), Identity()) for text in (data, hidden))
    assert moved["report_year"] == 2017
    assert any(cell["period_end"] for cell in row["cells"])
    assert moved["cells"] == row["cells"]


def as_lists(row):
    return {key: list(one) if isinstance(one, tuple) else one for key, one in row.items()}


@pytest.mark.parametrize("style", STYLES)
def test_cells_are_those_of_the_truth(style, folders, filings):
    cells = collections.defaultdict(list)
    for name, row in filings[style].items():
        for cell in row["cells"]:
            if not cell["is_header"] and not cell["is_label"]:
                path = (plain(cell["row_path"][-1]), *map(plain, cell["column_path"]))
                unit = UNITS.get(cell["unit"], cell["unit"])
                cells[name, path, cell["value"], unit].append(cell)
    n = right = 0
    for row in truths(folders, style, "cells"):
        path = (plain(row["row_path"][-1]), *map(plain, row["column_path"]))
        # A cell that says "n/m" is in no unit.
        unit = None if row["value"] is None else row["unit"]
        found = cells[row["file"], path, row["value"], unit]
        assert found, row
        if "Change" not in row["column_path"]:
            n += 1
            right += row["period_end"] in [str(cell["period_end"]) for cell in found]
    assert n > 500
    assert right == n


@pytest.mark.parametrize("style", STYLES)
def test_a_page_break_cuts_no_sentence(style, folders, filings):
    n, cut = 0, []
    for row in truths(folders, style, "sections"):
        sections = {one["item"]: one for one in filings[style][row["file"]]["sections"]}
        section = sections[row["item"].removeprefix("item_").upper()]
        pairs = zip(section["section_text"].split("\n"), section["line_kinds"], strict=True)
        joined = "".join((" " if kind == "c" else "\n") + line for line, kind in pairs)
        lines = {plain(line) for line in joined.split("\n")}
        for paragraph in row["paragraphs"]:
            n += 1
            sentences = re.split(r"(?<=[.!?]) (?=[A-Z])", paragraph)
            cut += [
                (row["file"], sentence)
                for sentence in (sentences[0], sentences[-1])
                if not any(plain(sentence) in line for line in lines)
            ]
    assert n > 300
    # The number of an item is not printed over what stands in an exhibit.
    assert not [one for one in cut if style != "text" or not one[1].startswith("Item ")]
