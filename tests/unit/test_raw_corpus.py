"""A folder of filings as filed becomes rows: a row a file, whatever the file is."""

import csv
import gzip
import random
import re
import time
import zipfile
from datetime import date

import pytest

from finrag.filings import filing
from finrag.sample import write_filed
from finrag.sample.filed_ixbrl import LYING
from finrag.sources.corpus import Limits, Wanted, open_filings
from tests.filings.faults import FAULTS, IDENTITY, page, tables, write_faults, zipped

LISTED = {"cik": 9900500, "name": "Clocks, Inc.", "form": "10-K", "period_end": "2021-12-31"}
HEADED = """<SEC-HEADER>
CONFORMED SUBMISSION TYPE:	10-K
CONFORMED PERIOD OF REPORT:	{period}
COMPANY CONFORMED NAME:	CLOCKS INC
CENTRAL INDEX KEY:	0009900600
</SEC-HEADER>
<DOCUMENT>
<TYPE>10-K
<TEXT>
{text}
</TEXT>
</DOCUMENT>
"""
QUARTERLY = """<p><b>PART I</b></p><p><b>Item 1. Financial Statements</b></p><p>We sold clocks.</p>
<p><b>Item 2. Management's Discussion and Analysis</b></p><p>We sold more of them.</p>"""


class Corpus:
    """A folder of files, a state folder beside it, and the list if there is one."""

    def __init__(self, folder):
        self.folder, self.state = folder / "corpus", folder / "state"
        self.folder.mkdir()

    def write(self, name, content):
        content = content.encode() if isinstance(content, str) else content
        (self.folder / name).write_bytes(content)

    def list(self, *lines, columns=IDENTITY):
        with (self.folder / "filings.csv").open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, columns)
            table.writeheader()
            table.writerows(lines)

    def batches(self, filings_path="", limits=None, below=""):
        path = str(self.folder / below)
        return open_filings("raw_filings", path, str(self.state), filings_path, limits)

    def rows(self, *given, **named):
        return [row for batch in self.batches(*given, **named) for row in batch.to_pylist()]

    def verdicts(self, *given, **named):
        rows = self.rows(*given, **named)
        return {row["source_file"]: row["reason_code"] or row["filing_id"] for row in rows}


@pytest.fixture
def corpus(tmp_path):
    return Corpus(tmp_path)


@pytest.fixture
def n_read(monkeypatch):
    """How many filings were parsed, in a list of one."""
    count, read = [0], filing.read_filing

    def counted(*given):
        count[0] += 1
        return read(*given)

    monkeypatch.setattr(filing, "read_filing", counted)
    return count


def test_a_list_goes_before_tags_and_tags_before_the_header(corpus, tmp_path):
    write_filed(tmp_path / "filed", "ixbrl", ciks={9900003}, years={2021})
    (path,) = (tmp_path / "filed").glob("*.htm")
    tagged = path.read_bytes()
    for name in ("listed.htm", "tagged.htm"):
        corpus.write(name, tagged)
    corpus.write("headed.txt", HEADED.format(period="20211231", text=page()))
    corpus.write("both.txt", HEADED.format(period="19991231", text=tagged.decode()))
    corpus.write("bare.htm", page())
    corpus.list({"file": "listed.htm", **LISTED, "cik": 9900003, "period_end": "2021-01-28"})

    rows = {row["source_file"]: row for row in corpus.rows()}

    # The cover of this filing names another fiscal year than the one its period ends in.
    assert LYING == (9900003, 2021)
    found = {name: row["filing_id"] for name, row in rows.items()}
    assert found == {
        "bare.htm": None,
        "both.txt": "0009900003_10-K_2021",
        "headed.txt": "0009900600_10-K_2021",
        "listed.htm": "0009900003_10-K_2021",
        "tagged.htm": "0009900003_10-K_2021",
    }
    assert rows["bare.htm"]["reason_code"] == "no_identity"
    assert rows["listed.htm"]["company_name"] == "Clocks, Inc."
    assert rows["listed.htm"]["fiscal_year_end"] == date(2021, 1, 28)
    assert rows["headed.txt"]["company_name"] == "CLOCKS INC"


@pytest.mark.parametrize(
    ("listed", "conflict"),
    [
        ({"cik": 9900777}, "its cik is 9900777, the filing itself says {cik}"),
        ({"form": "10-Q"}, "its form is 10-Q, the filing itself says 10-K"),
        ({"form": "10-KSB"}, ""),
        ({"period_end": "2021-06-20"}, ""),
        (
            {"period_end": "2021-06-19"},
            "its period_end is 2021-06-19, the filing itself says 2021-06-30",
        ),
        ({"fiscal_year": 2022}, ""),
        ({"fiscal_year": 2019}, "its fiscal_year is 2019, the filing itself says 2021"),
    ],
)
def test_a_list_that_contradicts_the_filing_is_named_with_its_line(
    corpus, tmp_path, listed, conflict
):
    write_filed(tmp_path / "filed", "ixbrl", ciks={9900004}, years={2021})
    (path,) = (tmp_path / "filed").glob("*.htm")
    several = HEADED.replace("</SEC-H", "CENTRAL INDEX KEY:\t9900601\n</SEC-H")
    corpus.write("bare.htm", page())
    corpus.write("headed.txt", several.format(period="20210630", text=page()))
    corpus.write("tagged.htm", path.read_bytes())
    bare = {"cik": 9900500, "form": "10-K", "fiscal_year": 2021}
    whole = {"bare.htm": bare, "headed.txt": {"cik": 9900601}, "tagged.htm": {}}
    corpus.list(*({"file": name, **line, **listed} for name, line in whole.items()))

    rows = corpus.rows()
    assert rows.pop(0)["record_status"] == "loaded"
    for row, cik, line in zip(rows, ("9900600 or 9900601", "9900004"), (3, 4), strict=True):
        assert row["reason_code"] == ("identity_conflict" if conflict else None)
        if conflict:
            assert row["reason"] == f"the list says that {conflict.format(cik=cik)}"
            assert row["remedy"].startswith(f"In filings.csv, line {line}: correct the line")
    # Where the line has moved since, so has the advice.
    corpus.list(*({"file": name, **whole[name], **listed} for name in reversed(whole)))
    assert not conflict or "line 2" in corpus.rows()[2]["remedy"]


def test_a_list_makes_no_annual_report_of_an_amendment(corpus):
    amended = HEADED.replace("10-K", "10-K/A").format(period="20210630", text=page())
    corpus.write("amended.txt", amended)
    corpus.list({"file": "amended.txt", "form": "10-K"})

    (row,) = corpus.rows()

    assert row["reason_code"] == "identity_conflict"
    assert "its form is 10-K, the filing itself says 10-K/A" in row["reason"]


@pytest.mark.parametrize(
    ("form", "period", "filing_id"),
    [
        ("10-K/A", "20210630", "10-KA_2021"),
        ("10-K405/A", "20000630", "10-K405A_2000"),
        ("10-KT", "20210630", "10-KT_2021"),
        ("10-Q/A", "20210630", "10-Q2A_2021"),
    ],
)
def test_amendments_are_read_as_the_form_that_they_amend(corpus, form, period, filing_id):
    text = "<p>Part I</p><p>Item 1. Financial Statements</p><p>We make clocks.</p>"
    text = f"<html><body>{text}</body></html>" if form.startswith("10-Q") else page()
    corpus.write("amended.txt", HEADED.replace("10-K", form).format(period=period, text=text))

    (row,) = corpus.rows()

    assert row["record_status"] == "loaded", row["reason"]
    assert (row["form"], row["filing_id"].partition("_")[2]) == (form, filing_id)


def test_a_quarter_that_no_list_names_is_read_from_the_filing_or_not_guessed(corpus):
    cover = "For the fiscal year ended December 31, 2021"
    text = page(form="10-Q").replace("<p><b>", f"{QUARTERLY}<p><b>", 1)
    covers = {
        "second.htm": "For the quarterly period ended June 30, 2021",
        "of_another_year.htm": "For the quarterly period ended June 30, 2019",
        "silent.htm": "",
    }
    for name, words in covers.items():
        corpus.write(name, text.replace(cover, words))
    line = {"cik": 9900500, "form": "10-Q", "fiscal_year": 2021}
    corpus.list(*({"file": name, **line} for name in covers))
    assert corpus.verdicts() == {
        "second.htm": "0009900500_10-Q2_2021",
        "of_another_year.htm": "no_period",
        "silent.htm": "no_period",
    }


def test_lines_of_a_list_that_are_faulty_are_quarantined_and_the_others_count(corpus):
    year_only = {"cik": 9900501, "form": "10k", "fiscal_year": 2019}
    for number in range(1, 11):
        corpus.write(f"{number}.htm", page(f"<p>{number}</p>"))
    corpus.list(
        {"file": "1.htm", **LISTED},
        {"file": "2.htm", **LISTED, "cik": "none"},
        {"file": "3.htm", **year_only},
        {"file": "4.htm", **LISTED, "period_end": "31.12.2021"},
        {"file": "", **LISTED},
        {"file": "5.htm", **LISTED, "fiscal_year": 21, "cik": 3},
        {"file": "1.htm", **LISTED, "cik": 7},
        {"file": "6.htm", **LISTED, "form": "10-K_A"},
        {"file": "7.htm", "cik": 9900502, "form": "10-K"},
        {"file": "of_another_folder.htm", **LISTED},
        {"file": "8.htm", **LISTED, "cik": ""},
        {"file": "9.htm", **LISTED, "fiscal_year": 2009},
    )

    rows = corpus.rows()
    of_list = [row for row in rows if row["source_file"] == "filings.csv"]
    assert [(row["source_line"], row["reason_code"]) for row in of_list] == [
        (3, "bad_list"),
        (5, "bad_list"),
        (6, "missing_field"),
        (7, "bad_list"),
        (8, "repeated_file"),
        (9, "bad_list"),
        (11, "missing_file"),
        (13, "bad_list"),
    ]
    found = {row["source_file"]: row["reason_code"] or row["filing_id"] for row in rows}
    assert found["1.htm"] == "0009900500_10-K_2021"
    assert found["3.htm"] == "0009900501_10-K_2019"
    assert found["7.htm"] == "no_period"
    assert found["8.htm"] == found["10.htm"] == "no_identity"
    # One fault, one row: that of the line.
    assert not {"2.htm", "4.htm", "5.htm", "6.htm", "9.htm"} & set(found)
    reasons = {row["source_line"]: row["reason"] for row in of_list}
    assert reasons[3].startswith("the line on '2.htm' cannot be right: cik is 'none'")
    assert "fiscal_year is '21'" in reasons[7]
    assert reasons[13].endswith("fiscal_year is 2009, but period_end is 2021-12-31")
    remedies = {row["source_file"]: row["remedy"] for row in rows}
    assert remedies["7.htm"].startswith("In filings.csv, line 10: fill in its period_end")
    assert remedies["8.htm"] == "In filings.csv, line 12: fill in its cik and its form."
    assert "list the file in a CSV" in remedies["10.htm"]


def test_a_year_in_a_list_leaves_the_period_as_the_filing_states_it(corpus, tmp_path):
    write_filed(tmp_path / "filed", "ixbrl", ciks={9900004}, years={2021})
    (path,) = (tmp_path / "filed").glob("*.htm")
    for name in ("own.htm", "listed.htm"):
        corpus.write(name, path.read_bytes())
    corpus.list({"file": "listed.htm", "fiscal_year": 2020})
    listed, own = sorted(
        (row for row in corpus.rows()), key=lambda row: row["source_file"] == "own.htm"
    )
    assert own["filing_id"] == "0009900004_10-K_2021"
    assert listed["filing_id"] == "0009900004_10-K_2020"
    assert listed["fiscal_year_end"] == own["fiscal_year_end"]
    assert listed["cells"] == own["cells"]


def test_a_bare_name_in_a_list_means_the_only_file_of_that_name(corpus):
    for folder in ("a", "b"):
        (corpus.folder / folder).mkdir()
        corpus.write(f"{folder}/1.htm", page(f"<p>{folder}</p>"))
    corpus.write("a/2.htm.gz", gzip.compress(page("<p>2</p>").encode()))
    corpus.write("3.htm", page("<p>3</p>"))
    corpus.write("c.zip", zipped(("3.htm", page("<p>4</p>").encode()), ("5.htm", page().encode())))
    corpus.write("d.zip", zipped(("README.md", b"Notes."), ("a.gif", b"GIF"), ("b.docx", b"PK")))
    names = ("1.htm", "2.htm", "3.htm", "5.htm", "b/1.htm", "d/5.htm")
    corpus.list(*({"file": name, **LISTED, "cik": 1 + n} for n, name in enumerate(names)))
    rows = corpus.rows()
    assert {
        (row["source_file"], row["source_line"]): row["reason_code"] or row["cik_int"]
        for row in rows
    } == {
        ("filings.csv", 2): "ambiguous_file",
        ("filings.csv", 7): "missing_file",
        ("3.htm", 1): 3,
        ("a/1.htm", 1): "no_identity",
        ("a/2.htm.gz", 1): 2,
        ("b/1.htm", 1): 5,
        ("c.zip/3.htm", 1): "no_identity",
        ("c.zip/5.htm", 2): 4,
        # What is beside filings in an archive is no lost record, a text of another kind is.
        ("d.zip/b.docx", 1): "not_a_filing",
    }


def test_of_what_was_fetched_that_is_read_which_is_asked_for(tmp_path):
    root = tmp_path / "edgar"
    (root / "filings").mkdir(parents=True)
    with (root / "filings.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, IDENTITY)
        table.writeheader()
        for cik, ticker, form, day in (
            (1, "ONE", "10-K", "2021-12-31"),
            (1, "ONE", "10-K", "2023-01-01"),
            (1, "ONE", "10-Q", "2021-03-31"),
            (2, "TWO-A", "10-K", "2021-06-30"),
            (3, "", "10-K", "2021-06-30"),
        ):
            name = f"{cik}_{form}_{day}.htm"
            (root / "filings" / name).write_text(
                page(f"<p>{name}</p>{QUARTERLY * (form > '10-K')}")
            )
            listed = {"file": name, "cik": cik, "ticker": ticker, "form": form, "period_end": day}
            table.writerow({**LISTED, **listed})

    def ids(**asked):
        batches = open_filings("edgar", str(root), str(tmp_path), wanted=Wanted(**asked))
        return {row["filing_id"].lstrip("0") for batch in batches for row in batch.to_pylist()}

    assert ids() == {
        *("1_10-K_2021", "1_10-K_2022", "1_10-Q1_2021", "2_10-K_2021", "3_10-K_2021"),
    }
    assert ids(tickers=["two.a", 3]) == {"2_10-K_2021", "3_10-K_2021"}
    assert ids(tickers="ONE", years=2022) == {"1_10-K_2022"}
    assert ids(forms=["10-Q"]) == {"1_10-Q1_2021"}
    with pytest.raises(ValueError, match="matches the selected companies, years and forms"):
        ids(tickers="ONE", years=[2020])


def test_a_list_that_is_no_list_stops_the_build_with_a_remedy(corpus):
    corpus.write("1.htm", page())
    with pytest.raises(ValueError, match="filings_path: no file at"):
        corpus.rows("nowhere.csv")
    corpus.list({"cik": 1}, columns=("cik",))
    with pytest.raises(ValueError, match="the column file is missing"):
        corpus.rows()
    for column, known in (
        ("cik_number", "cik"),
        ("period", "period_end"),
        ("Fiscal Year", "fiscal_year"),
        ("perod_end", "period_end"),
        ("company_name", "name"),
    ):
        corpus.list({"file": "1.htm", column: 1}, columns=("file", column, "bytes", "filed_at"))
        message = (
            f"the column '{column.lower()}' is not read; if it means {known}, rename it to that"
        )
        with pytest.raises(ValueError, match=message):
            corpus.rows()
    corpus.list({"file": "1.htm", "cik": 1}, columns=("file", "cik", "cik_source", "also_in"))
    assert corpus.rows()


@pytest.mark.parametrize(
    ("below", "found"),
    [
        ("", {"1.htm": 9900500, "2.htm": 9900500, "filings.csv": None}),
        ("1.htm", {"1.htm": 9900500}),
        ("[1]*.htm", {"1.htm": 9900500}),
    ],
)
def test_the_list_of_a_folder_counts_for_a_part_of_it_too(corpus, below, found):
    for number in (1, 2):
        corpus.write(f"{number}.htm", page(f"<p>{number}</p>"))
    corpus.list(*({"file": f"{number}.htm", **LISTED} for number in (1, 2, 3)))
    rows = corpus.rows(below=below)
    assert {row["source_file"]: row["cik_int"] for row in rows} == found
    # Of a part the list may name more, of a folder not.
    missing = [f"{row['reason']}. {row['remedy']}" for row in rows if row["reason"]]
    assert missing == [
        "the list names '3.htm', which is not in the folder. In filings.csv, line 4: remove the "
        "line, or add the file."
    ] * (not below)


def test_what_no_company_and_no_year_can_be_is_a_fault_of_the_identity(corpus):
    corpus.write("old.txt", HEADED.format(period="19710101", text=page()))
    corpus.write("nobody.txt", HEADED.replace("0009900600", "0").format(period="2021", text=""))
    verdicts = corpus.verdicts()
    assert verdicts["old.txt"] == "no_period"
    assert verdicts["nobody.txt"] in {"bad_identity", "no_period"}


@pytest.mark.parametrize("day", ["00010105", "19711231", "99991231"])
def test_a_period_in_a_year_that_cannot_be_counts_for_nothing(corpus, tmp_path, day):
    write_filed(tmp_path / "filed", "ixbrl", ciks={9900003}, years={2021})
    (path,) = (tmp_path / "filed").glob("*.htm")
    tagged = path.read_text()
    corpus.write("headed.txt", HEADED.format(period=day, text=page()))
    corpus.write("tagged.txt", HEADED.format(period=day, text=tagged))
    wrong = re.sub(r"(DocumentPeriodEndDate[^>]*>)[^<]*", rf"\g<1>{day}", tagged)
    assert wrong != tagged
    corpus.write("wrong.txt", HEADED.format(period="20211231", text=wrong))
    verdicts = corpus.verdicts()
    assert verdicts["headed.txt"] == "no_period"
    assert verdicts["tagged.txt"] == verdicts["wrong.txt"] == "0009900003_10-K_2021"


@pytest.mark.parametrize("end", ["DEC-31-9999", "JAN-31-0001"])
def test_a_schedule_with_an_impossible_period_loses_no_filing(corpus, end):
    schedule = f"<PERIOD-TYPE> 12-MOS\n<PERIOD-END> {end}\n<CASH> 100\n"
    exhibit = f"<DOCUMENT>\n<TYPE>EX-27\n<TEXT>\n{schedule}</TEXT>\n</DOCUMENT>\n"
    corpus.write("1.txt", HEADED.format(period="19991231", text=page()) + exhibit)
    (row,) = corpus.rows()
    assert row["filing_id"] == "0009900600_10-K_1999"
    (fact,) = row["facts"]
    assert (fact["period_end"], fact["flags"]) == (None, ["unknown_context"])


def test_three_quarterly_reports_of_a_year_have_three_ids(corpus):
    for day in ("2021-03-31", "2021-06-30", "2021-09-30"):
        corpus.write(f"{day}.htm", page(form="10-Q").replace("<p><b>", f"{QUARTERLY}<p><b>", 1))
    corpus.list(
        *(
            {"file": f"{day}.htm", **LISTED, "form": "10-Q", "period_end": day}
            for day in ("2021-03-31", "2021-06-30", "2021-09-30")
        )
    )
    rows = corpus.rows()
    assert [row["filing_id"] for row in rows] == [f"0009900500_10-Q{n}_2021" for n in (1, 2, 3)]
    assert {row["form"] for row in rows} == {"10-Q"}
    assert {section["item"] for row in rows for section in row["sections"]} >= {"I-1", "I-2"}


def test_every_fault_has_its_verdict_and_loses_no_other_filing(corpus):
    verdicts = write_faults(corpus.folder)
    began = time.monotonic()
    rows = {row["source_file"]: row for row in corpus.rows(limits=Limits(megabytes=16))}
    assert time.monotonic() - began < 30

    found = {name.split("/")[0]: row["reason_code"] or "loaded" for name, row in rows.items()}
    # A duplicate is told by the warehouse.
    assert found == verdicts | {"sound_again.htm": "loaded"}
    assert len(rows) == len(FAULTS)
    for name, row in rows.items():
        if row["record_status"] != "loaded":
            assert row["reason"], name
            assert row["remedy"].startswith(f"In {name}, "), row["remedy"]
            continue
        # What was shown is all there, or a flag says that it is not.
        texts = [section["section_text"] for section in row["sections"]]
        is_whole = any("We make clocks in Barre, Vermont." in text for text in texts) and any(
            "Revenue" in text for text in texts[1:]
        )
        assert is_whole or row["parts"][0]["flags"], name
        assert "root:" not in repr(row), name
        assert len(repr(row["blocks"])) < 10_000_000, name
    cells = {name: row["cells"] for name, row in rows.items() if row["cells"]}
    assert [cell["value"] for cell in cells["utf16.htm"] if cell["kind"] == "number"] == [
        *(1_204_000.0, 1_100_000.0, -37_000.0, -12_000.0)
    ]
    assert {one.name for one in corpus.folder.parent.iterdir()} == {"corpus", "state"}
    assert {one.name for one in corpus.state.iterdir()} == {"cache"}


def test_what_an_archive_unpacks_to_is_bounded(corpus):
    packed = zipped(("a.htm", page(" " * (9 << 20)).encode()), ("b.htm", page().encode()))
    corpus.write("tight.zip", packed)
    corpus.write("large.htm", page(" " * (2 << 20)))
    found = corpus.verdicts(limits=Limits(megabytes=16, ratio=50))
    assert found["tight.zip/a.htm"] == "too_compressed"
    assert found["tight.zip/b.htm"] == found["large.htm"] == "no_identity"
    found = corpus.verdicts(limits=Limits(megabytes=1))
    assert found["tight.zip/a.htm"] == found["large.htm"] == "too_large"


def test_a_table_of_more_cells_than_allowed_is_cut_and_flagged_and_read_anew_by_another_limit(
    corpus, n_read
):
    corpus.write("1.htm", page())
    corpus.list({"file": "1.htm", **LISTED})
    # Two years, and two rows of a label and two figures, whose dollar signs are cells too.
    limits = [Limits(), Limits(cells=12), Limits(cells=11)]
    whole, exact, cut = (corpus.rows(limits=one)[0] for one in limits)
    flags = [row["parts"][0]["flags"] for row in (whole, exact, cut)]
    assert ["table_cut" in found for found in flags] == [False, False, True]
    values = [cell["value"] for cell in cut["cells"] if cell["kind"] == "number"]
    assert values == [1_204_000.0, 1_100_000.0, -37_000.0]
    assert exact == whole
    assert n_read[0] == 3


def test_archives_that_lie_are_quarantined(corpus):
    whole = zipped(*((f"{n}.htm", page(f"<p>{n}</p>").encode()) for n in range(3)))
    chance = random.Random(18)
    for number in range(150):
        bytes_ = bytearray(whole)
        for _ in range(chance.choice((1, 3, 30))):
            bytes_[chance.randrange(len(whole))] = chance.randrange(256)
        corpus.write(f"{number:03}.zip", bytes(bytes_))
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        name = f"packed_{method}.zip"
        with zipfile.ZipFile(corpus.folder / name, "w", method) as archive:
            archive.writestr("1.htm", page())
        content = bytearray((corpus.folder / name).read_bytes())
        content[50:60] = bytes(10)
        corpus.write(f"broken_{name}", bytes(content))
    rows = corpus.rows()
    archives = {row["source_file"].split("/")[0] for row in rows}
    assert len(archives) == 154
    assert {row["reason_code"] for row in rows} <= {
        *("no_identity", "unreadable_file", "not_a_filing", "encrypted", "empty_file"),
        *("truncated_file", "no_items", "too_large", "not_text"),
    }


def test_a_filing_that_the_reader_fails_on_is_quarantined_and_read_another_time(
    corpus, monkeypatch
):
    for name in ("a.htm", "b.htm", "c.htm"):
        corpus.write(name, page(f"<p>{name}</p>"))
    corpus.list(*({"file": f"{name}.htm", **LISTED, "cik": 5 + n} for n, name in enumerate("abc")))
    read = filing.read_filing

    def failing(data, *given):
        if b"b.htm" in data:
            raise KeyError("unheard\ud800 of")
        return read(data, *given)

    monkeypatch.setattr(filing, "read_filing", failing)
    rows = corpus.rows()
    assert [row["record_status"] for row in rows] == ["loaded", "quarantined", "loaded"]
    assert rows[1]["reason_code"] == "reader_failed"
    assert "KeyError" in rows[1]["reason"]

    monkeypatch.undo()
    assert {row["record_status"] for row in corpus.rows()} == {"loaded"}


def test_what_was_read_is_not_parsed_again(corpus, n_read):
    write_faults(corpus.folder)
    for name in ("long_table.htm", "wide_table.htm"):
        (corpus.folder / name).unlink()
    limits = Limits(megabytes=16)
    first = corpus.rows(limits=limits)
    before = n_read[0]
    assert before > 50

    assert corpus.rows(limits=limits) == first
    assert n_read[0] == before

    # Under another name the row is that of the new name, in all that tells of it.
    for name in ("sound.htm", "no_items.htm"):
        (corpus.folder / name).rename(corpus.folder / f"other_{name}")
    listed = (corpus.folder / "filings.csv").read_text()
    listed = re.sub(r"^(sound\.htm|no_items\.htm)", r"other_\1", listed, flags=re.MULTILINE)
    (corpus.folder / "filings.csv").write_text(listed)
    again = {row["source_file"]: row for row in corpus.rows(limits=limits)}
    assert n_read[0] == before
    assert again["other_sound.htm"]["filing_name"] == "other_sound.htm"
    assert again["other_no_items.htm"]["remedy"].startswith("In other_no_items.htm, document 1: ")

    corpus.write("other_sound.htm", page("<p>Changed.</p>"))
    texts = [s["section_text"] for row in corpus.rows(limits=limits) for s in row["sections"] or ()]
    assert any("Changed." in text for text in texts)
    assert n_read[0] == before + 1


def test_a_reading_that_broke_off_goes_on_and_damaged_results_are_read_anew(corpus, n_read):
    for number in range(6):
        corpus.write(f"{number}.htm", page(f"<p>{number}</p>"))
    corpus.list(*({"file": f"{n}.htm", **LISTED, "cik": 5 + n} for n in range(6)))
    batches = corpus.batches()
    for _ in range(3):
        batches.read_next_batch()
    batches.close()
    assert n_read[0] == 3
    whole = corpus.rows()
    assert n_read[0] == 6

    results = sorted((corpus.state / "cache" / "filings").rglob("*.parquet"))
    assert len(results) == 6
    results[0].write_bytes(results[0].read_bytes()[:-100])
    content = bytearray(results[1].read_bytes())
    content[len(content) // 3] ^= 0xFF
    results[1].write_bytes(bytes(content))
    assert corpus.rows() == whole
    assert n_read[0] == 8


def _cut(data, chance):
    return data[: chance.randrange(len(data))]


def _flipped(data, chance, share=0.001):
    out = bytearray(data)
    for _ in range(int(len(data) * share)):
        out[chance.randrange(len(out))] = chance.randrange(256)
    return bytes(out)


def _tags(data):
    return [match.span() for match in re.finditer(rb"<[^<>]{1,500}>", data)]


def _without_tags(data, chance):
    out = data
    for start, end in sorted(chance.sample(_tags(data), len(_tags(data)) // 20), reverse=True):
        out = out[:start] + out[end:]
    return out


def _doubled_tags(data, chance):
    out = data
    for start, end in sorted(chance.sample(_tags(data), len(_tags(data)) // 20), reverse=True):
        out = out[:end] + out[start:end] + out[end:]
    return out


def _swapped(data, chance):
    a, b, c = sorted(chance.randrange(len(data)) for _ in range(3))
    return data[:a] + data[b:c] + data[a:b] + data[c:]


def _with(inside):
    """What puts something into the middle of a document, between two tags or lines."""

    def mutate(data, chance):
        places = [end for _, end in _tags(data)] or [0]
        at = chance.choice(places)
        return data[:at] + inside + data[at:]

    return mutate


def _replaced(old, new, count=-1):
    return lambda data, chance: re.sub(old, new, data, count=max(count, 0))


def _coded(encoding):
    return lambda data, chance: data.decode("utf-8", "replace").encode(encoding, "replace")


BOMB = b"<!DOCTYPE html [" + b"".join(
    b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * 10 if n else b"lol") for n in range(10)
)
MUTATIONS = {
    "cut": _cut,
    "cut_early": lambda data, chance: data[: chance.randrange(2000)],
    "tail": lambda data, chance: data[chance.randrange(len(data)) :],
    "flipped": _flipped,
    "flipped_much": lambda data, chance: _flipped(data, chance, 0.05),
    "doubled": lambda data, chance: data + data,
    "swapped": _swapped,
    "reversed": lambda data, chance: data[::-1],
    "nothing_but_tags": lambda data, chance: b"".join(data[a:b] for a, b in _tags(data)),
    "without_some_tags": _without_tags,
    "doubled_tags": _doubled_tags,
    "without_ends": _replaced(rb"</[a-zA-Z:]+>", b""),
    "without_rows": _replaced(rb"</?tr[^>]*>", b""),
    "without_quotes": _replaced(rb'"', b""),
    "nested_divs": _with(b"<div>" * 5_000 + b"deep" + b"</div>" * 5_000),
    "nested_unclosed": _with(b"<div><span>" * 5_000),
    "nested_tables": _with(tables(400).encode()),
    "nested_lists": _with(b"<ul><li>a" * 3_000),
    "columns": _with(b"<table><tr>" + b"<td>1</td>" * 10_000 + b"</tr></table>"),
    "rows": _with(b"<table>" + b"<tr><td>a<td>1" * 3_000 + b"</table>"),
    "spans": _replaced(rb"<td", b'<td colspan="99999" rowspan="99999"'),
    "spans_wrong": _replaced(rb"colspan=\"?[0-9]+", b'colspan="-1e9'),
    "bomb": lambda data, chance: BOMB + b"]>" + data.replace(b"the", b"&e9;"),
    "external": lambda data, chance: (
        b'<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + data.replace(b"the", b"&x;")
    ),
    "entities": _replaced(rb" of ", b" &nosuch; &#xFFFFFFFF; &#0; &amp "),
    "utf16": _coded("utf-16"),
    "utf16_without_mark": _coded("utf-16-le"),
    "utf32": _coded("utf-32"),
    "utf7": _coded("utf-7"),
    "cp1252": _coded("cp1252"),
    "surrogates": _with("\ud800\udfff".encode("utf-8", "surrogatepass") * 100),
    "nulls": _replaced(rb"e", b"e\0"),
    "brackets": _with(b"<" * 100_000),
    "ampersands": _with(b"&" * 100_000),
    "comment": _with(b"<!-- "),
    "cdata": _with(b"<![CDATA[ ]]><?x"),
    "long_word": _with(b"9" * 200_000),
    "blanks": _with(b" " * 300_000),
    "numbers": _replaced(rb"[0-9]{3}", b"1e999"),
    "dots": _with(b"\n" + b". " * 50_000 + b"\n" + b"- " * 50_000 + b"$ " * 20_000),
}


def test_no_mutation_of_a_filing_stops_the_reading(corpus, tmp_path):
    assert len(MUTATIONS) == 40
    listed = []
    for style in ("ixbrl", "html", "text"):
        write_filed(tmp_path / style, style, ciks={9900003}, years={2021})
        (path,) = (tmp_path / style).glob("*_10K_*")
        for kind, mutate in MUTATIONS.items():
            name = f"{style}_{kind}{path.suffix}"
            corpus.write(name, mutate(path.read_bytes(), random.Random(f"{style} {kind}")))
            listed.append({"file": name, **LISTED, "cik": 9900003, "period_end": "2021-01-31"})
    corpus.list(*listed)
    seconds, codes, last = {}, {}, time.monotonic()
    for batch in corpus.batches():
        (row,) = batch.to_pylist()
        seconds[row["source_file"]] = -last + (last := time.monotonic())
        codes[row["source_file"]] = row["reason_code"] or "loaded"
        assert "root:" not in repr(row["blocks"]), row["source_file"]
    assert len(codes) == 120
    slow = {name: round(taken, 1) for name, taken in seconds.items() if taken > 5}
    assert not slow
    assert sum(seconds.values()) < 60
    # Where its own figures are damaged, so is what it says of its period.
    assert codes.pop("ixbrl_numbers.htm") == "identity_conflict"
    assert set(codes.values()) <= {"loaded", "no_items", "not_text", "empty_file"}
    assert list(codes.values()).count("loaded") > 75
