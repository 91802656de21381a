"""The corpus readers: every planted fault is named, and its neighbours survive."""

import codecs
import csv
import gzip
import json
import os
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from finrag.records.identity import (
    canonical_item,
    make_filing_id,
    make_sentence_id,
    parse_cik,
    parse_year,
)
from finrag.sources.corpus import (
    FILING_RECORD_SCHEMA,
    SENTENCE_ROW_SCHEMA,
    read_filings,
    read_sentence_rows,
)

Row = dict[str, Any]

BORROWED = Path(__file__).parents[2].parent / "shared" / "data"
SHARED = Path(os.environ.get("FINRAG_SHARED_DATA") or BORROWED)
needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the folder of real filings (FINRAG_SHARED_DATA) is not here"
)


def filing(cik: Any = "4457", year: Any = "2021", **fields: Any) -> Row:
    return {"filename": f"{cik}_{year}.txt", "cik": cik, "year": year, "section_1": "We sell."} | (
        fields
    )


def lines(*records: Any) -> bytes:
    texts = (r if isinstance(r, bytes) else json.dumps(r).encode() for r in records)
    return b"\n".join(texts) + b"\n"


def load(path: Path | str, **options: Any) -> list[Row]:
    table = read_filings(str(path), **options).read_all()
    assert table.schema == FILING_RECORD_SCHEMA
    return table.to_pylist()


def statuses(rows: list[Row]) -> list[str]:
    return [row["reason_code"] or row["record_status"] for row in rows]


# Identity


@pytest.mark.parametrize("value", [4457, "4457", "0000004457", "CIK0000004457", " 4457 ", 4457.0])
def test_a_cik_is_read_in_every_usual_spelling(value: object) -> None:
    assert parse_cik(value) == 4457


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        "abc",
        "-5",
        0,
        -1,
        True,
        1.5,
        float("nan"),
        "12345678901",
        pytest.param(10**5000, id="huge"),
        "٤٤٥٧",
    ],
)
def test_what_is_no_cik_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"cik is .*expected up to ten digits"):
        parse_cik(value)


def test_the_years_from_1993_to_2100_are_years() -> None:
    assert [parse_year("1993"), parse_year(2100)] == [1993, 2100]
    for value in (1992, 2101, "21", "abcd", None, True):
        with pytest.raises(ValueError, match=r"year is"):
            parse_year(value)


@pytest.mark.parametrize(
    ("value", "item"),
    [("item_7a", "7A"), ("ITEM 1A.", "1A"), ("section_10", "10"), ("9A(T)", "9A"), ("07", "7")],
)
def test_an_item_has_one_spelling(value: str, item: str) -> None:
    assert canonical_item(value) == item


@pytest.mark.parametrize("value", ["17", "7B", "Risk Factors", "", "part_1_item_1"])
def test_an_item_that_no_10k_has_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match=r"expected one of 1, 1A"):
        canonical_item(value)


def test_ids_are_built_from_their_parts() -> None:
    assert make_filing_id(104169, "10-K/A", 2018) == "0000104169_10-KA_2018"
    sentence_id = make_sentence_id(104169, "10-K", 2018, "item_7", 142)
    assert sentence_id == "0000104169_10-K_2018_section_7_142"


@pytest.mark.parametrize(
    "parts",
    [
        (0, "10-K", 2018, "7", 0),
        (1, "10_K", 2018, "7", 0),
        (1, "10-K", 18, "7", 0),
        (1, "10-K", 2018, "70", 0),
        (1, "10-K", 2018, "7", -1),
    ],
)
def test_an_id_is_not_built_from_a_bad_part(parts: tuple[int, str, int, str, int]) -> None:
    with pytest.raises(ValueError, match=r"expected"):
        make_sentence_id(*parts)


# Filings: good records


def test_a_record_becomes_one_row_with_its_sections_in_order(tmp_path: Path) -> None:
    record = filing(section_10="Ten.", section_1A="Risks.", section_2="  ", section_7=None)
    (tmp_path / "a.jsonl").write_bytes(lines(record))
    (row,) = load(tmp_path)
    assert row["record_status"] == "loaded"
    assert (row["source_file"], row["source_line"]) == ("a.jsonl", 1)
    assert row["filing_id"] == "0000004457_10-K_2021"
    assert row["filing_name"] == "4457_2021.txt"
    assert [section["item"] for section in row["sections"]] == ["1", "1A", "10"]
    assert row["reason"] is None
    assert row["raw_excerpt"] is None


def test_a_crawler_record_brings_its_metadata(tmp_path: Path) -> None:
    record = {
        "cik": "320",
        "company": "Northfield Tools Inc.",
        "filing_type": "10-k/a",
        "filing_date": "2022-02-10",
        "period_of_report": "2021-12-31",
        "fiscal_year_end": "1231",
        "sic": "3420",
        "item_1": "We make tools.",
        "item_9C": "None.",
        "SIGNATURE": "signed",
    }
    (tmp_path / "a.json").write_text(json.dumps(record))
    (row,) = load(tmp_path / "a.json")
    assert row["filing_id"] == "0000000320_10-KA_2021"
    assert row["form"] == "10-K/A"
    assert row["company_name"] == "Northfield Tools Inc."
    assert row["fiscal_year_end"] == date(2021, 12, 31)
    assert [section["item"] for section in row["sections"]] == ["1", "9C"]


@pytest.mark.parametrize(
    ("fields", "year"),
    [
        ({"year": 2019, "period_of_report": "2018-12-31"}, 2019),
        ({"period_of_report": "2021-01-02", "filing_date": "2021-02-20"}, 2020),
        ({"period_of_report": "2021-01-08"}, 2021),
        ({"year": "", "period_of_report": "20211231"}, 2021),
        ({"filing_date": "2022-02-20"}, 2021),
    ],
)
def test_the_year_comes_from_the_best_date(tmp_path: Path, fields: Row, year: int) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"cik": 1, "item_1": "x"} | fields))
    assert load(tmp_path)[0]["report_year"] == year


@pytest.mark.parametrize(
    ("fields", "day"),
    [
        ({"fiscal_year_end": "2021-09-30"}, date(2021, 9, 30)),
        ({"fiscal_year_end": "0229"}, date(2021, 2, 28)),
        ({"fiscal_year_end": 103}, date(2022, 1, 3)),
        ({"fiscal_year_end": "0924", "period_of_report": "2021-09-25"}, date(2021, 9, 25)),
        ({"fiscal_year_end": "9999"}, None),
        ({"period_of_report": "2021-06-30", "form": "10-Q"}, None),
        ({}, None),
    ],
)
def test_the_fiscal_year_end_is_a_date_or_null(
    tmp_path: Path, fields: Row, day: date | None
) -> None:
    (tmp_path / "a.json").write_text(json.dumps(filing(**fields)))
    assert load(tmp_path)[0]["fiscal_year_end"] == day


def test_metadata_is_trimmed_and_a_list_gives_its_first_entry(tmp_path: Path) -> None:
    records = [filing(company=" Northfield ", tickers=["NFT", "X"]), filing(name=7, tickers=[" "])]
    (tmp_path / "a.jsonl").write_bytes(lines(*records, filing(name=" ", ticker=[])))
    found = [(row["company_name"], row["ticker"]) for row in load(tmp_path)]
    assert found == [("Northfield", "NFT"), ("7", None), (None, None)]


PAIR = [filing(cik="1"), filing(cik="2")]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", json.dumps(PAIR).encode()),
        ("a.json", json.dumps(PAIR, indent=2).encode()),
        ("a.json", lines(*PAIR)),
        ("a.json", b"\n\n".join(json.dumps(record, indent=2).encode() for record in PAIR)),
        ("a.ndjson", lines(*PAIR)),
        ("a.jsonl", b"\r\n\r\n".join(json.dumps(record).encode() for record in PAIR)),
        ("a.jsonl", codecs.BOM_UTF8 + lines(*PAIR)),
        ("a.json", codecs.BOM_UTF8 + json.dumps(PAIR, indent=2).encode()),
        ("a.jsonl.gz", gzip.compress(lines(*PAIR), mtime=0)),
        ("a.JSON.GZ", gzip.compress(json.dumps(PAIR).encode(), mtime=0)),
    ],
)
def test_every_layout_gives_the_same_filings(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    assert [row["cik_int"] for row in load(tmp_path)] == [1, 2]


def test_parquet_gives_the_same_filings(tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(PAIR), tmp_path / "a.parquet")
    rows = load(tmp_path)
    assert [(row["cik_int"], row["source_line"]) for row in rows] == [(1, 1), (2, 2)]


def test_files_come_in_the_order_of_their_names_below_the_root(tmp_path: Path) -> None:
    for name in ("b/2.jsonl", "a.jsonl", "b/10.jsonl", "c/d/e.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(lines(filing()))
    (tmp_path / "manifest.csv").write_text("ignored")
    expected = ["a.jsonl", "b/10.jsonl", "b/2.jsonl", "c/d/e.json"]
    assert [row["source_file"] for row in load(tmp_path)] == expected
    assert [row["source_file"] for row in load(f"{tmp_path}/b/*.jsonl")] == ["10.jsonl", "2.jsonl"]
    assert [row["source_file"] for row in load(f"{tmp_path}/**/*.json*")] == expected


def test_a_link_back_to_its_own_folder_is_not_followed_for_ever(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines(filing()))
    (tmp_path / "loop").symlink_to(tmp_path)
    assert len(load(tmp_path)) == 1


@pytest.mark.parametrize("linked", ["a.jsonl", ""])
def test_a_link_that_leaves_the_corpus_is_refused(tmp_path: Path, linked: str) -> None:
    corpus, elsewhere = tmp_path / "corpus", tmp_path / "elsewhere"
    for folder in (corpus, elsewhere):
        folder.mkdir()
        (folder / "a.jsonl").write_bytes(lines(filing()))
    name = "b.jsonl" if linked else "b"
    (corpus / name).symlink_to(elsewhere / linked)
    for path in (corpus, f"{corpus}/**/*.jsonl" if linked else corpus):
        with pytest.raises(ValueError, match=f"{name}.* link that leaves the folder .*; copy"):
            load(path)


def test_links_within_a_corpus_and_to_a_corpus_are_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.jsonl").write_bytes(lines(filing()))
    (tmp_path / "real" / "b.jsonl").symlink_to(tmp_path / "real" / "a.jsonl")
    (tmp_path / "named").symlink_to(tmp_path / "real")
    (tmp_path / "one.jsonl").symlink_to(tmp_path / "real" / "a.jsonl")
    assert len(load(tmp_path / "named")) == 2
    (tmp_path / "alone").mkdir()
    (tmp_path / "alone" / "one.jsonl").symlink_to(tmp_path / "real" / "a.jsonl")
    assert len(load(tmp_path / "alone" / "one.jsonl")) == 1


def test_two_readings_are_the_same(tmp_path: Path) -> None:
    content = lines(filing(), b"oops", filing(year="x"), filing(cik="2"))
    (tmp_path / "a.jsonl").write_bytes(content)
    (tmp_path / "b.json").write_bytes(content)
    assert load(tmp_path) == load(tmp_path)


def test_batches_stay_small(tmp_path: Path) -> None:
    text = "word " * 400_000
    (tmp_path / "a.jsonl").write_bytes(
        lines(*(filing(cik=n, section_7=text) for n in range(1, 21)))
    )
    sizes = [(batch.num_rows, batch.nbytes) for batch in read_filings(str(tmp_path))]
    assert sum(count for count, _ in sizes) == 20
    assert max(size for _, size in sizes) < 17 << 20


# Filings: broken records


@pytest.mark.parametrize(
    ("broken", "code", "said"),
    [
        (b'{"cik": 1, "year"', "not_json", "not JSON"),
        (b"<html>", "not_json", "not JSON"),
        (b"[" * 100_000, "not_json", "too deeply nested"),
        (b'{"cik": ' + b"9" * 5000 + b"}", "not_json", "not JSON"),
        ([1, 2], "not_an_object", "list"),
        (b"null", "not_an_object", "null"),
        (filing(cik="abc"), "bad_cik", "'abc'"),
        (filing(cik=None), "bad_cik", "None"),
        ({"year": 2021, "section_1": "x"}, "missing_field", "without cik"),
        (filing(year="abcd"), "bad_year", "year is 'abcd', expected four digits such as 2021"),
        (filing(year=1992), "bad_year", "1992"),
        (filing(year=2101), "bad_year", "2101"),
        (filing(year=None), "bad_year", "None"),
        ({"cik": 1, "section_1": "x"}, "missing_field", "without year"),
        ({"cik": 1, "item_1": "x", "filing_date": "soon"}, "bad_year", "filing_date is 'soon'"),
        ({"cik": 1, "year": 2021, "text": "x"}, "missing_field", "without section_1"),
        (filing(form="10_K"), "bad_form", "'10_K'"),
        (filing(section_1=" \n"), "blank_sections", "every section is blank"),
        (filing(section_7=["a"]), "section_not_text", "section_7 is not text but list"),
        (filing(section_7=7), "section_not_text", "section_7"),
        (filing(section_7B="x"), "unknown_item", "section_7b"),
        (filing(part_1_item_2="x"), "unknown_item", "part_1_item_2"),
        (filing(item_1="Other."), "repeated_field", "item 1"),
        (filing(CIK=5), "repeated_field", "capitals"),
        (b'{"cik": 1, "cik": 2, "year": 2021, "item_1": "x"}', "repeated_field", "twice"),
        (b'{"cik": 1, "year": 2021, "item_1": "caf\xe9"}', "invalid_utf8", "0xe9"),
        (b'{"cik": 1, "year": 2021, "item_1": "a\\ud800"}', "invalid_utf8", "character 2"),
    ],
)
@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_a_broken_record_is_quarantined_and_its_neighbours_survive(
    tmp_path: Path, broken: Any, code: str, said: str, name: str
) -> None:
    (tmp_path / name).write_bytes(lines(filing(cik="1"), broken, filing(cik="2")))
    rows = load(tmp_path)
    assert statuses(rows) == ["loaded", code, "loaded"]
    assert [row["source_line"] for row in rows] == [1, 2, 3]
    bad = rows[1]
    assert said in bad["reason"]
    assert bad["remedy"].startswith(f"In {name}, line 2: ")
    assert bad["raw_excerpt"]
    assert len(bad["raw_excerpt"]) <= 4 * 200
    assert bad["filing_id"] is None
    assert bad["sections"] is None


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("gap", [b",\n", b"\n,\n  "])
def test_an_array_survives_a_broken_element(tmp_path: Path, gap: bytes, indent: int | None) -> None:
    first, last = (json.dumps(record, indent=indent).encode() for record in PAIR)
    broken = b'{"cik": 7, "year": oops, "section_1": "a } \\" {"}'
    spoiled = json.dumps(filing(cik="8"), ensure_ascii=False).encode().replace(b"We", b"W\xff")
    (tmp_path / "a.json").write_bytes(b"[\n" + gap.join([first, broken, spoiled, last]) + b"\n]\n")
    rows = load(tmp_path)
    assert statuses(rows) == ["loaded", "not_json", "invalid_utf8", "loaded"]
    assert [row["source_line"] for row in rows] == [1, 2, 3, 4]
    assert rows[1]["remedy"].startswith("In a.json, record 2: ")


def test_a_raw_tab_in_an_array_on_one_line_costs_one_record(tmp_path: Path) -> None:
    records = [json.dumps(filing(cik=str(number))).encode() for number in range(1, 10_001)]
    records[500] = records[500].replace(b"We", b"W\t")
    assert b"\t" in records[500]
    (tmp_path / "a.json").write_bytes(b"[" + b",".join(records) + b"]")
    rows = load(tmp_path)
    assert len(rows) == 10_000
    assert [row["source_line"] for row in rows if row["record_status"] != "loaded"] == [501]
    assert statuses(rows)[500] == "not_json"


@pytest.mark.parametrize(
    "broken",
    [
        b'{"cik": 7, "year": oops, "notes": [{"a": 1}, {"b": "} ]"}]}',
        b'{"cik": "7, "year": "2021", "item_1": "never closed"}',
        b'{"cik": 7, "year": "2021", "item_1": "said "so", at length"}',
        b'{"cik": 7, "year": "2021", "item_1": "a",',
        b'{"cik": 7, "notes": [{"a": 1}, "year": "2021"}',
        b'{"cik": 7, "notes": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"cik": 7, "item_1": "a raw\nline break"}',
    ],
)
def test_a_broken_record_in_an_array_on_one_line_costs_no_neighbour(
    tmp_path: Path, broken: bytes
) -> None:
    first, last = (json.dumps(record).encode() for record in PAIR)
    (tmp_path / "a.json").write_bytes(b"[" + b", ".join([first, broken, broken, last]) + b"]")
    assert statuses(load(tmp_path)) == ["loaded", "not_json", "not_json", "loaded"]


def test_where_no_record_is_found_behind_a_broken_one_the_rest_was_not_read(
    tmp_path: Path,
) -> None:
    first, last = (json.dumps(record).encode() for record in PAIR)
    (tmp_path / "a.json").write_bytes(b"[" + first + b', {"cik": "7, "year"; ' + last[1:] + b"]")
    rows = load(tmp_path)
    assert statuses(rows) == ["loaded", "unreadable_file"]
    assert "the rest of the file was not read" in rows[1]["reason"]


def test_a_broken_record_at_the_end_of_an_array_leaves_nothing_unread(tmp_path: Path) -> None:
    first, _ = (json.dumps(record).encode() for record in PAIR)
    (tmp_path / "a.json").write_bytes(b"[" + first + b', {"cik": 7, "year": oops}]')
    assert statuses(load(tmp_path)) == ["loaded", "not_json"]


def test_a_broken_first_line_of_a_json_file_costs_only_itself(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(lines(b'{"cik": 1, "ye', *PAIR))
    rows = load(tmp_path)
    assert statuses(rows) == ["not_json", "loaded", "loaded"]
    assert [row["source_line"] for row in rows] == [1, 2, 3]


def test_a_broken_object_over_many_lines_is_one_fault(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(filing(), indent=2)[:-5])
    assert statuses(load(tmp_path)) == ["not_json"]


@pytest.mark.parametrize("indent", [None, 2])
def test_records_larger_than_a_block_are_read_whole(tmp_path: Path, indent: int | None) -> None:
    text = 'é{}[],\n" ' * 500_000
    records = [filing(cik=str(n), section_7=text) for n in (1, 2, 3)]
    (tmp_path / "a.json").write_text(json.dumps(records, indent=indent, ensure_ascii=False))
    rows = load(tmp_path)
    assert statuses(rows) == ["loaded"] * 3
    assert all(row["sections"][1]["section_text"] == text for row in rows)


@pytest.mark.parametrize(
    ("name", "indent"), [("a.jsonl", None), ("a.json", None), ("a.json", 1), ("a.jsonl.gz", None)]
)
def test_a_record_over_the_limit_is_skipped(tmp_path: Path, name: str, indent: int | None) -> None:
    records = [PAIR[0], filing(section_1="x" * 5_000_000), PAIR[1]]
    content = b"\n".join(json.dumps(record, indent=indent).encode() for record in records)
    (tmp_path / name).write_bytes(
        gzip.compress(content, mtime=0) if name.endswith("gz") else content
    )
    rows = load(tmp_path, max_line_bytes=1_000_000)
    assert statuses(rows) == ["loaded", "record_too_long", "loaded"]
    assert "1,000,000 bytes" in rows[1]["reason"]


def test_a_line_of_exactly_the_limit_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines(*PAIR))
    limit = len(json.dumps(PAIR[0]))
    assert statuses(load(tmp_path, max_line_bytes=limit)) == ["loaded", "loaded"]
    assert set(statuses(load(tmp_path, max_line_bytes=limit - 1))) == {"record_too_long"}


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.json.gz"])
def test_a_cut_file_keeps_the_records_before_the_cut(tmp_path: Path, name: str) -> None:
    noise = os.urandom(200_000).hex()
    records = [filing(cik=str(n), section_7=noise[n * 1000 :]) for n in range(1, 6)]
    content = json.dumps(records, indent=1).encode() if name == "a.json.gz" else lines(*records)
    whole = gzip.compress(content, mtime=0)
    (tmp_path / name).write_bytes(whole[: len(whole) - 20])
    rows = load(tmp_path)
    kept = len(rows) - 1
    assert kept >= 3
    assert statuses(rows)[:kept] == ["loaded"] * kept
    assert rows[-1]["reason_code"] == "truncated_file"
    assert rows[-1]["source_line"] == kept + 1
    assert name in rows[-1]["remedy"]


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("b.jsonl", b"", "empty_file"),
        ("b.jsonl", b"\n \n", "empty_file"),
        ("b.json", b"[]", "empty_file"),
        ("b.json.gz", gzip.compress(b"", mtime=0), "empty_file"),
        ("b.jsonl.gz", b"this is no gzip", "unreadable_file"),
        ("b.parquet", b"this is no parquet", "unreadable_file"),
        ("b.parquet", b"", "unreadable_file"),
    ],
)
def test_a_file_without_records_is_one_fault(
    tmp_path: Path, name: str, content: bytes, code: str
) -> None:
    (tmp_path / name).write_bytes(content)
    (tmp_path / "c.jsonl").write_bytes(lines(filing()))
    rows = load(tmp_path)
    assert statuses(rows) == [code, "loaded"]
    assert f"In {name}, " in rows[0]["remedy"]


def test_a_parquet_file_with_other_columns_is_one_fault(tmp_path: Path) -> None:
    pq.write_table(pa.table({"ticker": ["A"], "price": [1.0]}), tmp_path / "b.parquet")
    (tmp_path / "c.jsonl").write_bytes(lines(filing()))
    rows = load(tmp_path)
    assert statuses(rows) == ["wrong_columns", "loaded"]
    assert "ticker, price" in rows[0]["reason"]
    assert "section_1" in rows[0]["remedy"]


def test_a_bad_parquet_row_spares_its_neighbours(tmp_path: Path) -> None:
    bad_bytes = pa.array([b"ok", b"\xff\xfe", b"ok", b"ok"]).view(pa.string())
    columns = {"cik": [1, 2, None, 4], "year": [2021] * 4, "section_1": bad_bytes}
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    rows = load(tmp_path)
    assert statuses(rows) == ["loaded", "invalid_utf8", "bad_cik", "loaded"]
    assert rows[2]["remedy"].startswith("In a.parquet, row 3: ")


def test_control_characters_of_an_excerpt_are_spelt_out(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines(filing(), b"\x00\x1b[31m" + b"y" * 500))
    excerpt = load(tmp_path)[1]["raw_excerpt"]
    assert excerpt.startswith("\\x00\\x1b[31m")
    assert excerpt.count("y") == 194


# Filings: nothing to read


def test_a_missing_path_stops_and_names_the_var(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere"
    with pytest.raises(ValueError, match=r"nowhere does not exist; set the dbt var corpus_path"):
        read_filings(str(missing))


def test_a_glob_without_a_match_stops_and_names_the_var(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no file matches .*set the dbt var corpus_path"):
        read_filings(f"{tmp_path}/*.jsonl")


def test_a_folder_of_other_files_stops_and_names_the_var(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(ValueError, match=r"no readable file.*set the dbt var corpus_path"):
        read_filings(str(tmp_path))


def test_an_empty_path_stops() -> None:
    with pytest.raises(ValueError, match=r"set the dbt var corpus_path"):
        read_filings(" ")


def test_a_corpus_of_empty_files_stops(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("")
    with pytest.raises(ValueError, match=r"holds no record.*set the dbt var corpus_path"):
        read_filings(str(tmp_path))


def test_a_corpus_of_another_kind_stops_and_tells_the_columns(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines(*[{"question": "why", "answer": 1}] * 3))
    pq.write_table(pa.table({"price": [1.0]}), tmp_path / "b.parquet")
    with pytest.raises(
        ValueError, match=r"found are 'question, answer'.*a.jsonl.*section_1 … .*var"
    ):
        read_filings(str(tmp_path))


def test_one_good_record_is_enough_to_go_on(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines(*[{"question": "why"}] * 3, filing()))
    assert statuses(load(tmp_path)) == ["missing_field"] * 3 + ["loaded"]


# Sentences


def sentence(position: Any = 0, text: Any = "Sales grew.", **fields: Any) -> Row:
    return {
        "cik_int": 320,
        "form": "10-K",
        "report_year": 2021,
        "section_name": "ITEM_7",
        "sentence_pos": position,
        "sentence_text": text,
    } | fields


def write_csv(path: Path, rows: list[Row]) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(dict.fromkeys(name for row in rows for name in row)))
        writer.writeheader()
        writer.writerows(rows)


def load_sentences(path: Path | str) -> list[Row]:
    table = read_sentence_rows(str(path)).read_all()
    assert table.schema == SENTENCE_ROW_SCHEMA
    return table.to_pylist()


def write_both(folder: Path, rows: list[Row]) -> None:
    """Write the same rows as CSV and as parquet, every parquet column as text."""
    write_csv(folder / "a.csv", rows)
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {
        name: pa.array([None if row.get(name) is None else str(row[name]) for row in rows])
        for name in names
    }
    pq.write_table(pa.table(columns), folder / "b.parquet")


def test_a_missing_id_is_built(tmp_path: Path) -> None:
    write_both(tmp_path, [sentence(0), sentence(12, section_name="item_1a", form="10-K/A")])
    ids = ["0000000320_10-K_2021_section_7_0", "0000000320_10-KA_2021_section_1A_12"]
    rows = load_sentences(tmp_path)
    assert [row["sentence_id"] for row in rows] == ids * 2
    assert [row["source_line"] for row in rows] == [2, 3, 1, 2]
    assert rows[1]["item"] == "1A"
    assert rows[1]["form"] == "10-K/A"


def test_a_given_id_is_kept_and_fills_what_is_missing(tmp_path: Path) -> None:
    given = "0000000320_10-K405_1999_section_9A_3"
    table = pa.table(
        {
            "sentenceID": [given],
            "sentence": ["Sales grew."],
            "name": ["Northfield Tools"],
            "tickers": pa.array([["NFT", "NFT2"]]),
            "reportDate": ["1999-12-31"],
            "section": [8],
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    (row,) = load_sentences(tmp_path)
    assert row["sentence_id"] == given
    assert (row["cik_int"], row["form"], row["report_year"]) == (320, "10-K405", 1999)
    assert (row["item"], row["sentence_pos"]) == ("9A", 3)
    assert (row["company_name"], row["ticker"]) == ("Northfield Tools", "NFT")
    assert row["fiscal_year_end"] == date(1999, 12, 31)


def test_a_section_title_beside_an_id_is_no_item(tmp_path: Path) -> None:
    given = "0000000320_10-K_1999_section_1A_3"
    columns = {"sentence_id": [given], "sentence": ["x"], "section_name": ["Risk Factors"]}
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    assert load_sentences(tmp_path)[0]["item"] == "1A"


BAD_ID = "0000000320_10-K_2021_section_7_5"


@pytest.mark.parametrize(
    ("fields", "code", "said"),
    [
        ({"sentence_text": ""}, "blank_text", "blank"),
        ({"sentence_text": " \u00a0\t"}, "blank_text", "blank"),
        ({"report_year": "abcd"}, "bad_year", "report_year is 'abcd'"),
        ({"report_year": 1992}, "bad_year", "1992"),
        ({"report_year": None}, "bad_year", "missing"),
        ({"cik_int": "x1"}, "bad_cik", "'x1'"),
        ({"cik_int": 0}, "bad_cik", "0"),
        ({"cik_int": 10**12}, "bad_cik", "1000000000000"),
        ({"sentence_pos": -1}, "bad_position", "-1"),
        ({"sentence_pos": None}, "bad_position", "missing"),
        ({"sentence_pos": "1.5"}, "bad_position", "1.5"),
        ({"sentence_pos": 2**31}, "bad_position", str(2**31)),
        ({"section_name": "ITEM_99"}, "bad_item", "ITEM_99"),
        ({"form": "10_K"}, "bad_form", "10_K"),
        ({"sentence_id": BAD_ID}, "contradicting_id", "contradict"),
        ({"sentence_id": "320-7"}, "malformed_id", "'320-7'"),
        ({"char_start": 9, "char_end": 3}, "bad_char_range", "9"),
        ({"char_start": "x", "char_end": 3}, "bad_char_range", "x"),
    ],
)
def test_a_bad_row_is_quarantined_and_its_neighbours_survive(
    tmp_path: Path, fields: Row, code: str, said: str
) -> None:
    write_both(tmp_path, [sentence(0), sentence(1) | fields, sentence(2)])
    rows = load_sentences(tmp_path)
    assert statuses(rows) == ["loaded", code, "loaded"] * 2
    assert [row["sentence_pos"] for row in rows] == [0, None, 2] * 2
    assert rows[1]["remedy"].startswith("In a.csv, line 3: ")
    assert rows[4]["remedy"].startswith("In b.parquet, row 2: ")
    assert all(said in row["reason"] for row in (rows[1], rows[4]))
    assert all(row["raw_excerpt"] and row["cik_int"] is None for row in (rows[1], rows[4]))


def test_numbers_of_every_type_are_read(tmp_path: Path) -> None:
    columns = {
        "cik": pa.array(["CIK0000000320", "320", "0000000320"]).dictionary_encode(),
        "year": pa.array([2021.0, float("nan"), 2021.5]),
        "section_item": pa.array(["7", "7", "7"], pa.large_string()),
        "sentence_index": pa.array([0, 1, 2], pa.uint8()),
        "sentence": pa.array(["a", "b", "c"], pa.large_string()),
    }
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    assert statuses(load_sentences(tmp_path)) == ["loaded", "bad_year", "bad_year"]


@pytest.mark.parametrize("name", ["sentence_pos", "char_start", "char_end", "cik_int"])
def test_a_negative_number_is_refused(tmp_path: Path, name: str) -> None:
    table = pa.Table.from_pylist([sentence(char_start=0, char_end=0) | {name: -1}])
    pq.write_table(table, tmp_path / "a.parquet")
    assert load_sentences(tmp_path)[0]["record_status"] == "quarantined"


def test_a_day_that_no_calendar_has_is_null(tmp_path: Path) -> None:
    days = ["2021-02-28", "2021-02-31", "soon", "2021-12-31T00:00:00"]
    write_both(tmp_path, [sentence(n, fiscal_year_end=day) for n, day in enumerate(days)])
    found = [row["fiscal_year_end"] for row in load_sentences(tmp_path)]
    assert found == [date(2021, 2, 28), None, None, date(2021, 12, 31)] * 2


def test_white_space_collapses_as_in_python(tmp_path: Path) -> None:
    spaces = [chr(code) for code in range(0x3001) if chr(code).isspace()]
    texts = [f"{space}one{space}{space}two {space}three{space}" for space in spaces]
    table = pa.Table.from_pylist([sentence(n, text) for n, text in enumerate(texts)])
    pq.write_table(table, tmp_path / "a.parquet")
    assert {row["sentence_text"] for row in load_sentences(tmp_path)} == {"one two three"}


def test_the_texts_of_a_csv_are_taken_as_they_are(tmp_path: Path) -> None:
    texts = ["NA", "null", "TRUE", "1.50", 'a "quoted", text', "two\nlines"]
    write_csv(tmp_path / "a.csv", [sentence(n, t, ticker="NA") for n, t in enumerate(texts)])
    rows = load_sentences(tmp_path)
    assert [row["sentence_text"] for row in rows] == [*texts[:-1], "two lines"]
    assert {row["ticker"] for row in rows} == {"NA"}


def test_a_csv_row_of_the_wrong_width_keeps_its_place(tmp_path: Path) -> None:
    write_csv(tmp_path / "a.csv", [sentence(n) for n in range(3)])
    head, *body = (tmp_path / "a.csv").read_bytes().splitlines()
    spoiled = body[1].replace(b"grew", b"gr\xffew")
    content = [
        codecs.BOM_UTF8 + head,
        b"a,b",
        body[0],
        b"",
        b"1,2,3,4,5,6,7",
        spoiled,
        body[2],
        b"z,",
    ]
    (tmp_path / "a.csv").write_bytes(b"\n".join(content) + b"\n")
    rows = load_sentences(tmp_path)
    expected = ["wrong_width", "loaded", "wrong_width", "invalid_utf8", "loaded", "wrong_width"]
    assert statuses(rows) == expected
    assert [row["source_line"] for row in rows] == [2, 3, 5, 6, 7, 8]
    assert rows[0]["raw_excerpt"] == "a,b"
    assert "\\xff" in rows[3]["raw_excerpt"]


def test_line_numbers_hold_across_the_blocks_of_a_csv(tmp_path: Path) -> None:
    good = b'320,2021,7,%d,"' + b"word " * 4000 + b'"\n'
    content = [b"cik,year,item,sentence_pos,text\n"]
    content += [b"bad,row\n" if n % 300 == 299 else good % n for n in range(1500)]
    (tmp_path / "a.csv").write_bytes(b"".join(content))
    rows = load_sentences(tmp_path)
    assert [row["source_line"] for row in rows] == list(range(2, 1502))
    bad = [row["source_line"] for row in rows if row["reason_code"]]
    assert bad == [301, 601, 901, 1201, 1501]


@pytest.mark.parametrize("quoted", ["Sales grew.", 'Line one,\nline "two".\n'])
def test_a_cut_csv_never_gives_half_a_sentence(tmp_path: Path, quoted: str) -> None:
    texts = [f"{quoted} {os.urandom(40).hex()}" for _ in range(200)]
    write_csv(tmp_path / "plain.csv", [sentence(n, text) for n, text in enumerate(texts)])
    whole = gzip.compress((tmp_path / "plain.csv").read_bytes())
    (tmp_path / "plain.csv").unlink()
    for cut in range(len(whole) // 2, len(whole) - 8, 97):
        (tmp_path / "a.csv.gz").write_bytes(whole[:cut])
        rows = load_sentences(tmp_path)
        kept = [row["sentence_text"] for row in rows[:-1]]
        assert kept == [" ".join(text.split()) for text in texts[: len(kept)]]
        assert len(kept) > 50
        assert rows[-1]["reason_code"] == "truncated_file"


def test_missing_columns_stop_and_name_found_expected_and_accepted(tmp_path: Path) -> None:
    write_csv(tmp_path / "a.csv", [{"cik": 1, "year": 2021, "text": "x", "colour": "red"}])
    with pytest.raises(
        ValueError,
        match=r"a.csv lacks the columns item, sentence_pos; found are cik, year, text, colour; .*"
        r"item: item or section_item or section_name; .*set the dbt var corpus_path",
    ):
        read_sentence_rows(str(tmp_path))


def test_a_column_of_lists_stops(tmp_path: Path) -> None:
    table = pa.table({"sentence_id": ["x"], "sentence": pa.array([["a", "b"]])})
    pq.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(ValueError, match=r"a.parquet has the columns sentence twice or with lists"):
        read_sentence_rows(str(tmp_path))


@pytest.mark.parametrize("content", [b"", b"sentence_id,sentence_text\n"])
def test_a_table_without_rows_stops(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.csv").write_bytes(content)
    with pytest.raises(ValueError, match=r"every file is empty; set the dbt var corpus_path"):
        read_sentence_rows(str(tmp_path))


def test_an_unreadable_table_is_one_fault_beside_a_good_one(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"no parquet")
    (tmp_path / "b.csv").write_bytes(b"")
    write_csv(tmp_path / "c.csv", [sentence()])
    rows = load_sentences(tmp_path)
    assert statuses(rows) == ["unreadable_file", "empty_file", "loaded"]


@pytest.mark.parametrize("packed", [True, False])
def test_sentence_batches_stay_small_and_in_order(tmp_path: Path, packed: bool) -> None:
    text = "w" * 20_000
    table = pa.Table.from_pylist([sentence(n, text) for n in range(3000)])
    pq.write_table(table, tmp_path / "a.parquet", use_dictionary=packed)
    batches = list(read_sentence_rows(str(tmp_path)))
    assert max(batch.nbytes for batch in batches) <= 16 << 20
    assert [n for b in batches for n in b["source_line"].to_pylist()] == list(range(1, 3001))


# Real corpora


@needs_shared
def test_the_real_filings_load_without_loss() -> None:
    path = SHARED / "edgar_corpus" / "edgar_corpus.jsonl.gz"
    batches = [batch.drop_columns(["sections"]) for batch in read_filings(str(path))]
    table = pa.Table.from_batches(batches)
    assert table.num_rows == 402
    assert pc.all(pc.equal(table["record_status"], "loaded")).as_py()
    assert len(table["filing_id"].unique()) == 402


@needs_shared
@pytest.mark.parametrize("name", ["sentences.parquet", "edgar_sentences_sample300.parquet"])
def test_the_real_sentence_ids_are_reproduced(name: str) -> None:
    path = SHARED / "finrag" / name
    table = read_sentence_rows(str(path)).read_all()
    assert pc.all(pc.equal(table["record_status"], "loaded")).as_py()
    given = pq.read_table(path, columns=["sentenceID"])["sentenceID"].cast(pa.string())
    assert table["sentence_id"].equals(given)


@needs_shared
def test_the_real_sentence_ids_are_the_ones_that_would_be_built(tmp_path: Path) -> None:
    table = pq.read_table(SHARED / "finrag" / "sentences.parquet")
    pq.write_table(table.drop_columns(["sentenceID"]), tmp_path / "a.parquet")
    built = read_sentence_rows(str(tmp_path)).read_all()["sentence_id"]
    assert built.equals(table["sentenceID"].cast(pa.string()))
