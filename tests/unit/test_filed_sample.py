"""The sample as filed: three forms print the cells of one truth, and each tag says what it says."""

import collections
import csv
import json
import re
from decimal import Decimal

import pytest
from lxml import etree, html

from finrag.command.cli import main
from finrag.sample import STYLES, broken_lines, write_filed, write_sample
from finrag.sample.filed_ixbrl import LYING
from finrag.sample.revenue import NOTE
from tests.filings.faults import FAULTS, write_faults

YEARS = (2021,)
IX = "{http://www.xbrl.org/2013/inlineXBRL}"
XBRLI = "{http://www.xbrl.org/2003/instance}"
NIL = "{http://www.w3.org/2001/XMLSchema-instance}nil"
WORDS = {"no": 0, "two": 2, "three": 3, "—": 0}
# What holds of the amounts of a column, from the top, by words of the table's title.
SUMS = {
    " BY SEGMENT ": lambda a, b, c, sub, none, total: a + b + c == sub == total and not none,
    "SEGMENT ": lambda a, b, c, total: a + b + c == total,
    "CHANGES IN DEBT": lambda a, lent, repaid, z: a + lent + repaid == z and repaid < 0,
    "CASH AND DEBT": lambda a, b, liquid, debt, net: a + b == liquid and debt - liquid == net,
}
# Page number, rule and running header, as each form prints them within a paragraph.
FURNITURE = {
    "ixbrl": r"\n\d+\nTable of Contents\n[^|\n]+\| \d{4} Form 10-K\n",
    "html": r"¶\d+¶",
    "text": r"\n +-\d+-\n\n<PAGE>\n",
}


def _rows(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _key(row):
    cik = row["file"].split("_")[0]
    path = (row["item"], row["table"], *row["row_path"], "/", *row["column_path"])
    return cik, row["period_end"], path


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    made = {style: tmp_path_factory.mktemp(style) for style in STYLES}
    for style, folder in made.items():
        write_filed(folder, style, years=YEARS)
    return made


@pytest.fixture(scope="module")
def cells(folders):
    return {style: _rows(folder / "truth" / "cells.jsonl") for style, folder in folders.items()}


@pytest.fixture(scope="module")
def printed(folders):
    """The visible characters of each file but white space, currency signs and page furniture."""
    return {
        style: {path.name: _visible(style, path) for path in folder.glob("*_10K_*")}
        for style, folder in folders.items()
    }


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """The ordinary sample, by company and period; its broken lines are left out."""
    folder, made = tmp_path_factory.mktemp("records"), {}
    write_sample(folder)
    for line in (folder / "filings" / "sample_10k.jsonl").read_bytes().splitlines():
        if line not in broken_lines():
            record = json.loads(line)
            made[record["cik"], record["period_of_report"]] = record
    return made


def _visible(style, path):
    content = path.read_bytes()
    if style == "ixbrl":
        root = etree.fromstring(content, etree.XMLParser(resolve_entities=False))
        text = "".join(root.xpath("//text()[not(ancestor::*[local-name()='header'])]"))
    elif style == "html":
        foot = re.compile(r'<P ALIGN="CENTER"><FONT SIZE=1>(\d+)</FONT>')
        marked = foot.sub(r"<P>¶\1¶", content.decode("cp1252"))
        text = html.fromstring(marked).text_content()
    else:
        text = re.sub(r"[.]{2,}|[-=]{4,}", "", content.decode("ascii"))
    return _squeezed(re.sub(FURNITURE[style], "", text))


def _squeezed(text):
    plain = text.translate(str.maketrans("’“”•", '\'""-')).replace("\N{ZERO WIDTH SPACE}", "")
    return re.sub(r"[\s$]", "", plain)


def test_all_forms_hold_the_same_cells(cells):
    held = {
        style: {_key(row): (row["value"], row["unit"], row["scale"]) for row in rows}
        for style, rows in cells.items()
    }
    assert held["ixbrl"] == held["html"] == held["text"]
    assert {len(rows) for rows in cells.values()} == {len(held["text"])}, "a path names two cells"


@pytest.mark.parametrize("style", STYLES)
def test_every_cell_is_printed_in_its_row(style, cells, printed):
    tables = collections.defaultdict(list)
    for row in cells[style]:
        tables[row["file"], row["document"], row["table"]].append(row)
    places = collections.Counter()
    for (file, document, title), rows in tables.items():
        at = printed[style][file].index(_squeezed(title), places[file, document])
        lines = collections.defaultdict(list)
        for row in rows:
            lines[row["row_path"][-1] + "".join(row["marks"])].append(row["text"])
        for label, texts in lines.items():
            at = printed[style][file].find(_squeezed(label + "".join(texts)), at)
            assert at >= 0, (file, title, label, texts)
        places[file, document] = at
        header = printed[style][file].index(_squeezed(title))
        for text in {text for row in rows for text in row["column_path"]}:
            assert re.sub(r"\W", "", text)[:4] in printed[style][file][header:at]


@pytest.mark.parametrize("style", STYLES)
def test_every_printed_number_is_its_value(style, cells):
    for row in cells[style]:
        digits = re.sub(r"[(),%]", "", row["text"])
        if row["value"] is None:
            assert digits == "n/m"
            continue
        sign = -1 if row["text"].startswith("(") else 1
        number = Decimal(0) if digits in ("—", "--") else Decimal(digits)
        assert float(sign * number * row["scale"]) == row["value"], row


@pytest.mark.parametrize("style", STYLES)
def test_the_prose_is_that_of_the_ordinary_sample(style, folders, printed, records):
    sections = _rows(folders[style] / "truth" / "sections.jsonl")
    assert len(sections) == 10 * len(YEARS) * 11
    for row in sections:
        cik, _, end = row["file"].removesuffix(".htm").removesuffix(".txt").split("_")
        text = records[cik, end][row["item"]]
        at = 0
        for paragraph in row["paragraphs"]:
            # The last note has no place in the ordinary sample, nor have footnotes.
            if paragraph == NOTE:
                at = len(text)
            if at < len(text) and not paragraph.startswith(("(1) ", "(2) ")):
                at = text.index(paragraph, at)
            words = _squeezed(paragraph)
            shown = printed[style][row["file"]]
            assert words in shown or words.upper() in shown.upper(), paragraph


def test_totals_are_the_sums_of_their_parts(cells):
    by_row = collections.defaultdict(list)
    for row in cells["text"]:
        if row["unit"] == "USD":
            column = "".join(row["column_path"])
            by_row[row["file"], row["table"], column].append((row["row_path"][-1], row["value"]))
    checked = collections.Counter()
    for (_, title, _), rows in by_row.items():
        values = [value for _, value in rows]
        kind = next((kind for kind in SUMS if kind in title), None)
        if kind:
            assert SUMS[kind](*values), (title, rows)
            checked[kind] += 1
    assert checked.keys() == SUMS.keys()


def test_every_tag_is_one_fact_of_the_truth(folders):
    truth = collections.defaultdict(list)
    for fact in _rows(folders["ixbrl"] / "truth" / "facts.jsonl"):
        truth[fact["file"]].append(fact)
    kinds = collections.Counter()
    for name, facts in truth.items():
        root = etree.fromstring((folders["ixbrl"] / name).read_bytes())
        contexts = {one.get("id"): _context(one) for one in root.iter(f"{XBRLI}context")}
        units = {one.get("id") for one in root.iter(f"{XBRLI}unit")}
        tags = [
            tag
            for tag in root.iter(f"{IX}nonFraction", f"{IX}nonNumeric")
            if not tag.get("name").endswith("TextBlock")
        ]
        assert len(tags) == len(facts)
        for tag, fact in zip(tags, facts, strict=True):
            start, end, members = contexts[tag.get("contextRef")]
            assert (tag.get("name"), "".join(tag.itertext())) == (fact["concept"], fact["text"])
            assert (start, end) == (fact["period_start"], fact["period_end"])
            assert members == [tuple(one.values()) for one in fact["dimensions"]]
            if tag.tag == f"{IX}nonFraction":
                assert tag.get("unitRef") in units
                assert _value(tag) == fact["value"], fact
                kinds[tag.get("format"), tag.get("sign"), _value(tag) is None] += 1
    assert len(kinds) == 5, kinds


def test_one_concept_has_one_value_in_a_period(folders):
    values = collections.defaultdict(set)
    for fact in _rows(folders["ixbrl"] / "truth" / "facts.jsonl"):
        key = ("file", "concept", "unit", "period_start", "period_end")
        if fact["value"] is not None:
            values[*map(fact.get, key), str(fact["dimensions"])].add(fact["value"])
    assert not [key for key, found in values.items() if len(found) > 1]
    assert sum(key[2] == "USD/share" for key in values) > 10 * len(YEARS)


def _context(element):
    days = {day.tag.removeprefix(XBRLI): day.text for day in element.iter() if day.text}
    members = [(one.get("dimension"), one.text) for one in element.iter("{*}explicitMember")]
    return days.get("startDate"), days.get("endDate", days.get("instant")), members


def _value(tag):
    if tag.get(NIL) == "true":
        return None
    text = "".join(tag.itertext())
    number = Decimal(WORDS.get(text.lower(), text.replace(",", "")))
    number = number.scaleb(int(tag.get("scale")))
    return float(-number if tag.get("sign") == "-" else number)


def test_a_tag_in_a_cell_has_the_size_of_the_cell(folders, cells):
    sizes = collections.defaultdict(set)
    for row in cells["ixbrl"]:
        sizes[row["file"]].add(abs(row["value"] or 0))
    for name in sizes:
        root = etree.fromstring((folders["ixbrl"] / name).read_bytes())
        for tag in root.iterfind(f".//{{*}}td//{IX}nonFraction"):
            assert abs(_value(tag) or 0) in sizes[name]


def test_blocks_of_text_go_on_behind_page_breaks(folders):
    for path in folders["ixbrl"].glob("*.htm"):
        root = etree.parse(path).getroot()
        begun = [one.get("continuedAt") for one in root.iter() if one.get("continuedAt")]
        assert begun == [one.get("id") for one in root.iter(f"{IX}continuation")]
        assert begun
        ids = [one.get("id") for one in root.iter() if one.get("id")]
        assert len(set(ids)) == len(ids)
        links = {one.get("href")[1:] for one in root.iter("{*}a")}
        assert links <= set(ids)


def test_one_cover_names_a_wrong_fiscal_year(folders):
    focus = "dei:DocumentFiscalYearFocus"
    facts = [f for f in _rows(folders["ixbrl"] / "truth" / "facts.jsonl") if f["concept"] == focus]
    wrong = [f["file"] for f in facts if f["text"] != f["period_end"][:4]]
    assert [name.split("-")[0] for name in wrong] == ["_10K_".join(map(str, LYING))]


def test_a_submission_keeps_items_of_some_companies_in_an_exhibit(folders):
    with (folders["text"] / "filings.csv").open(encoding="utf-8") as file:
        filings = list(csv.DictReader(file))
    for filing in filings:
        text = (folders["text"] / filing["file"]).read_text("ascii")
        assert f"ACCESSION NUMBER:\t\t{filing['accession']}" in text
        assert f"CONFORMED PERIOD OF REPORT:\t{filing['period_end'].replace('-', '')}" in text
        assert max(map(len, text.splitlines())) <= 80
        assert ("<TYPE>EX-13" in text) == ("Exhibit 13" in " ".join(text.split()))
    assert sum("<TYPE>EX-13" in path.read_text() for path in folders["text"].glob("*.txt")) == 3


def test_the_financial_data_schedule_agrees_with_the_statements(folders, cells):
    cash = {
        (row["file"], row["period_end"]): row["value"]
        for row in cells["text"]
        if row["row_path"] == ["Liquid funds:", "Cash and cash equivalents"]
    }
    for fact in _rows(folders["text"] / "truth" / "facts.jsonl"):
        text = (folders["text"] / fact["file"]).read_text("ascii")
        tag = re.escape(fact["concept"].removeprefix("ex27:"))
        assert re.search(rf"^<{tag}> +{re.escape(fact['text'])}$", text, re.MULTILINE)
        if tag == "CASH":
            assert fact["value"] == cash[fact["file"], fact["period_end"]]


def test_equal_seeds_write_equal_bytes(folders, tmp_path):
    for seed, is_equal in ((None, True), (7, False)):
        folder = tmp_path / str(seed)
        more = {} if seed is None else {"seed": seed}
        write_filed(folder, "ixbrl", ciks={9900003}, years={2021}, **more)
        (path,) = folder.glob("*.htm")
        assert (path.read_bytes() == (folders["ixbrl"] / path.name).read_bytes()) == is_equal


def test_an_unknown_form_is_refused(tmp_path):
    with pytest.raises(ValueError, match="'pdf': use one of ixbrl, html, text"):
        write_filed(tmp_path, "pdf")


def test_the_command_writes_a_form(tmp_path, capsys):
    assert main(["sample", str(tmp_path), "--as", "html"]) == 0
    assert len(list(tmp_path.glob("*.htm"))) == 50
    assert "written to" in capsys.readouterr().out


def test_each_fault_is_a_file_of_its_own(tmp_path):
    verdicts = write_faults(tmp_path / "one")
    write_faults(tmp_path / "two")
    assert len(verdicts) == len(FAULTS)
    contents = {name: (tmp_path / "one" / name).read_bytes() for name in verdicts}
    assert contents == {name: (tmp_path / "two" / name).read_bytes() for name in verdicts}
    same = [name for name, content in contents.items() if content == contents["sound.htm"]]
    assert same == ["sound.htm", "sound_again.htm"]
    assert len(set(contents.values())) == len(contents) - 1
