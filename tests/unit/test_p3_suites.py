"""The reader of P3 suites: what cannot be a question is set aside, what is odd is listed."""

import csv
import gzip
import json
import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from finrag.sources.suites import (
    SAMPLE_SUITE,
    SUITE_ROW_SCHEMA,
    check_suites,
    read_suites,
    suite_paths,
)
from finrag.sources.suites.fields import ANSWER_TYPES, KNOWN_FIELDS

Row = dict[str, Any]

BORROWED = Path(__file__).parents[2].parent / "shared" / "data"
SUITES = Path(os.environ.get("FINRAG_SHARED_DATA") or BORROWED) / "finrag"
needs_suites = pytest.mark.skipif(
    not (SUITES / "p3_gold_test_suite.json").is_file(),
    reason="the folder of real suites (FINRAG_SHARED_DATA) is not here",
)

EVIDENCE = "0000000007_10-K_2021_section_7_12"


def question(**fields: Any) -> Row:
    return {
        "question_id": "Q1",
        "cik_int": [7],
        "company_name": ["Tarn Hollow Rail Co."],
        "years": [2021],
        "question_text": "Why did freight volumes of Tarn Hollow Rail fall in 2021?",
        "answer_type": "span",
        "answer_text": "A bridge was closed for repairs.",
        "answer_numeric": None,
        "answer_unit": None,
        "tolerance": None,
        "evidence_sentence_ids": [EVIDENCE],
        "evidence_spans": [],
        "retrieval_scope": "local",
        "difficulty": "medium",
        "section_hints": ["ITEM_7"],
        "notes": "",
        "gold_version": "v1",
        "created_by": "an analyst",
        "created_at": "2025-03-01T12:00:00Z",
        "curation_confidence": 0.9,
    } | fields


def revenue(**fields: Any) -> Row:
    return question(
        question_text="What was the revenue of Tarn Hollow Rail in 2021?",
        answer_type="numeric",
        answer_text="$41.5 million",
        answer_numeric=41.5e6,
        answer_unit="USD",
        tolerance=1000,
        **fields,
    )


def unanswered(**fields: Any) -> Row:
    plain: Row = {"answer_type": "no_answer", "answer_text": None, "evidence_sentence_ids": []}
    return question(**plain | fields)


def load(*paths: Path) -> list[Row]:
    table = read_suites([str(path) for path in paths]).read_all()
    assert table.schema == SUITE_ROW_SCHEMA
    return table.to_pylist()


def written(folder: Path, *records: Any, name: str = "suite.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(list(records)), encoding="utf-8")
    return path


def only(folder: Path, record: Any) -> Row:
    """The row of a record that follows a sound one."""
    path = written(folder, question(question_id="sound"), record)
    return load(path)[1]


def codes(row: Row) -> list[str]:
    return [fault["fault_code"] for fault in row["schema_faults"]]


def test_a_sound_question_is_read_field_by_field(tmp_path: Path) -> None:
    row = load(written(tmp_path, question()))[0]

    assert row["record_status"] == "read"
    assert row["schema_faults"] == row["unknown_fields"] == row["evidence_spans"] == []
    assert row["created_at"] == datetime(2025, 3, 1, 12)
    assert row["notes"] is row["category"] is None
    assert (row["cik_int"], row["years"]) == ([7], [2021])


# Formats


LIST_ANSWER = question(
    question_id="Q2", answer_type="list", answer_text=["new wagons", 'a "second" track']
)


def as_lines(path: Path, records: list[Row]) -> None:
    path.write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")


def as_csv(path: Path, records: list[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, list(records[0]))
        writer.writeheader()
        for record in records:
            cells = {k: json.dumps(v) if isinstance(v, list) else v for k, v in record.items()}
            writer.writerow(cells)


def as_parquet(path: Path, records: list[Row]) -> None:
    texts = [
        record | {"answer_text": json.dumps(record["answer_text"])}
        if isinstance(record["answer_text"], list)
        else record
        for record in records
    ]
    pq.write_table(pa.Table.from_pylist(texts), path)


WRITERS = {
    "suite.json": lambda path, records: path.write_text(json.dumps(records, indent=1)),
    "wrapped.json": lambda path, records: path.write_text(
        json.dumps({"version": "v1", "questions": records}, indent=1)
    ),
    "suite.jsonl": as_lines,
    "suite.json.gz": lambda path, records: path.write_bytes(
        gzip.compress(json.dumps(records).encode())
    ),
    "suite.csv": as_csv,
    "suite.parquet": as_parquet,
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_questions(tmp_path: Path, name: str) -> None:
    records = [question(), LIST_ANSWER, revenue(question_id="Q3"), unanswered(question_id="Q4")]
    WRITERS[name](tmp_path / name, records)
    plain = load(written(tmp_path, *records, name="plain.json"))
    place = {"source_file", "source_line"}

    rows = load(tmp_path / name)

    assert [{k: row[k] for k in row.keys() - place} for row in rows] == [
        {k: row[k] for k in row.keys() - place} for row in plain
    ]


def test_a_csv_list_may_be_separated_by_bars(tmp_path: Path) -> None:
    path = tmp_path / "suite.csv"
    path.write_text(
        "question_id,question_text,answer_type,answer_text,years,company_name\n"
        "Q1,Which two?,list,wagons | tracks,2020 | 2021,A|B Rail\n",
        encoding="utf-8",
    )

    row = load(path)[0]

    assert json.loads(row["answer_text"]) == ["wagons", "tracks"]
    assert (row["years"], row["company_name"]) == ([2020, 2021], ["A|B Rail"])


def test_a_table_may_write_what_is_missing_as_nan(tmp_path: Path) -> None:
    row = only(
        tmp_path, question(answer_numeric="nan", tolerance=float("nan"), curation_confidence="nan")
    )

    assert row["answer_numeric"] is row["tolerance"] is row["curation_confidence"] is None
    assert codes(row) == []


def test_a_time_of_a_table_with_nanoseconds_is_read_in_utc(tmp_path: Path) -> None:
    path = tmp_path / "suite.parquet"
    table = pa.Table.from_pylist([question(created_at=None)])
    place = table.schema.get_field_index("created_at")
    moment = datetime(2025, 3, 1, 12, tzinfo=UTC)
    times = pa.array([moment], pa.timestamp("ns", tz="America/New_York"))
    nanosecond = pa.scalar(1, pa.duration("ns"))
    times = pa.compute.add(times, nanosecond)
    pq.write_table(table.set_column(place, "created_at", times), path)

    assert load(path)[0]["created_at"] == datetime(2025, 3, 1, 12)


def test_a_damaged_file_keeps_what_came_before(tmp_path: Path) -> None:
    path = tmp_path / "suite.jsonl.gz"
    records = [question(question_id=f"Q{n}", notes=os.urandom(40).hex()) for n in range(200)]
    whole = gzip.compress("\n".join(json.dumps(record) for record in records).encode())
    path.write_bytes(whole[: len(whole) // 2])

    rows = load(path)

    assert rows[-1]["reason_code"] in {"truncated_file", "unreadable_file"}
    assert 1 < len(rows) < 200
    assert all(row["record_status"] == "read" for row in rows[:-1])


# What cannot be a question


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ("text", "not_an_object"),
        (question(question_id=" "), "no_question_id"),
        (question(question_id=True), "bad_question_id"),
        (question(question_text=None), "no_question_text"),
        (question(answer_type="essay"), "unknown_answer_type"),
        (question(answer_type=None), "unknown_answer_type"),
        (question(years=["soon"]), "bad_years"),
        (question(years=[2021.5]), "bad_years"),
        (question(years=[True]), "bad_years"),
        (question(years=[2**31]), "bad_years"),
        (question(years={"from": 2021}), "bad_years"),
        (question(cik_int=["rail"]), "bad_cik_int"),
        (question(company_name=[7]), "bad_company_name"),
        (question(evidence_sentence_ids=[12]), "bad_evidence_sentence_ids"),
        (question(answer_text={"a": 1}), "bad_answer_text"),
        (question(answer_numeric="1,000"), "bad_answer_numeric"),
        (question(answer_numeric=[1]), "bad_answer_numeric"),
        (question(tolerance="small"), "bad_tolerance"),
        (question(curation_confidence="high"), "bad_curation_confidence"),
        (question(Years=[2020]), "repeated_field"),
        (question(notes="\ud800"), "invalid_utf8"),
    ],
)
def test_what_cannot_be_a_question_is_quarantined(tmp_path: Path, record: Any, code: str) -> None:
    row = only(tmp_path, record)

    assert (row["record_status"], row["reason_code"]) == ("quarantined", code)
    assert row["question_id"] is row["schema_faults"] is None
    assert row["remedy"].startswith(f"In {tmp_path}/suite.json, record 2: ")


def test_a_broken_line_leaves_its_neighbours(tmp_path: Path) -> None:
    path = tmp_path / "suite.jsonl"
    lines = [json.dumps(question()), '{"question_id": ', json.dumps(LIST_ANSWER)]
    path.write_text("\n".join(lines), encoding="utf-8")

    rows = load(path)

    assert [row["reason_code"] for row in rows] == [None, "not_json", None]
    assert [row["source_line"] for row in rows] == [1, 2, 3]


def test_the_first_question_of_an_id_wins(tmp_path: Path) -> None:
    one = written(tmp_path, question(), question(), name="one.json")
    two = written(tmp_path, revenue(), revenue(question_id="Q9"), name="a_two.json")

    rows = load(one, two)

    assert [row["reason_code"] for row in rows] == [
        None,
        "duplicate_question_id",
        "duplicate_question_id",
        None,
    ]
    assert "with the same question text" in rows[1]["reason"]
    assert f"with another question text ({one}, record 1)" in rows[2]["reason"]


# What is odd


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (revenue() | {"answer_numeric": None}, ["numeric_without_value"]),
        (
            revenue() | {"answer_numeric": float("nan")},
            ["number_not_finite", "numeric_without_value"],
        ),
        (revenue() | {"answer_numeric": "1e999"}, ["number_not_finite", "numeric_without_value"]),
        (revenue() | {"answer_numeric": -1e23}, ["number_not_finite", "numeric_without_value"]),
        (question(answer_numeric=5), ["number_on_other_type"]),
        (unanswered(answer_numeric=5), ["number_on_other_type"]),
        (revenue() | {"answer_unit": " "}, ["money_without_unit"]),
        (revenue() | {"tolerance": -1}, ["bad_tolerance"]),
        (revenue() | {"tolerance": 0}, []),
        (question(answer_text=None), ["no_answer_text"]),
        (question(answer_text=["one"]), ["answer_is_a_list"]),
        (question(answer_type="list"), ["list_answer_not_a_list"]),
        (question(answer_type="list", answer_text=[]), ["list_answer_empty"]),
        (question(answer_type="list", answer_text=["a", None]), ["blank_entry"]),
        (question(answer_type="boolean", answer_text="No. It does not."), []),
        (question(answer_type="boolean", answer_text="None of it"), ["boolean_without_yes_or_no"]),
        (unanswered(evidence_sentence_ids=[EVIDENCE]), ["no_answer_with_evidence"]),
        (unanswered(evidence_spans=["900 people"]), ["no_answer_with_evidence"]),
        (unanswered(answer_text="It has 900 employees."), ["no_answer_with_claim"]),
        (question(evidence_sentence_ids=[]), ["no_evidence"]),
        (question(evidence_sentence_ids=[EVIDENCE] * 2), ["duplicate_evidence_id"]),
        (question(years=[]), ["no_years"]),
        (question(years=[1890]), ["year_out_of_range"]),
        (question(years=2021), ["not_a_list"]),
        (question(cik_int=[], company_name=[]), ["no_companies"]),
        (question(cik_int=[7, 8]), ["unequal_companies"]),
        (question(retrieval_scope="global"), ["unknown_retrieval_scope"]),
        (question(retrieval_scope=None), ["unknown_retrieval_scope"]),
        (question(difficulty="trivial"), ["unknown_difficulty"]),
        (question(category="K"), ["unknown_category"]),
        (question(category="n"), []),
        (question(curation_confidence=1.1), ["confidence_out_of_range"]),
        (question(curation_confidence=1), []),
        (question(created_at="yesterday"), ["bad_created_at"]),
        (question(notes=["a", "b"]), ["not_text"]),
    ],
)
def test_what_is_odd_is_listed_and_loaded(tmp_path: Path, record: Row, expected: list[str]) -> None:
    row = only(tmp_path, record)

    assert row["record_status"] == "read"
    assert codes(row) == expected


@pytest.mark.parametrize(
    "sentence_id",
    [
        "7_10-K_2021_section_7_12",
        "0000000007_10-K_2021_item_7_12",
        "0000000007_10-K_2021_section_17_12",
        "0000000007_10-K_2021_section_7_012",
        "0000000007_10-k_2021_section_7_12",
        "0000000007_10-K_2021_section_7_12 ; drop table",
        "",
    ],
)
def test_an_evidence_id_of_another_shape_is_listed(tmp_path: Path, sentence_id: str) -> None:
    row = only(tmp_path, question(evidence_sentence_ids=[EVIDENCE, sentence_id]))
    assert codes(row) == (["bad_evidence_id"] if sentence_id else ["blank_entry"])


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("N/A", False),
        ("Not disclosed.", False),
        ("The 2021 10-K does not state how many people the railway employs.", False),
        ("Tarn Hollow doesn't report headcount.", False),
        ("No information on headcount is given.", False),
        ("Headcount did not fall.", True),
        ("Not reported apart from the $3 million named in Item 7.", True),
        ("About 900 people.", True),
    ],
)
def test_an_answer_that_denies_is_no_claim(tmp_path: Path, text: str, claims: bool) -> None:
    assert ("no_answer_with_claim" in codes(only(tmp_path, unanswered(answer_text=text)))) == claims


@pytest.mark.parametrize(
    ("text", "category", "is_money"),
    [
        ("What was the operating income of Tarn Hollow Rail in 2021?", None, True),
        ("What was the net income margin of Tarn Hollow Rail in 2021?", None, False),
        ("How many wagons did Tarn Hollow Rail lease in 2021?", None, False),
        ("At how many sites did Tarn Hollow Rail cut costs in 2021?", None, False),
        ("What year do the sales in the report of Tarn Hollow Rail cover?", None, False),
        ("When did the year begin for which sales are given?", "I", False),
    ],
)
def test_only_an_amount_of_money_needs_a_unit(
    tmp_path: Path, text: str, category: str | None, is_money: bool
) -> None:
    record = revenue() | {"answer_unit": None, "answer_text": "41.5", "category": category}
    row = only(tmp_path, record | {"question_text": text})
    assert codes(row) == (["money_without_unit"] if is_money else [])


def test_a_field_that_the_format_does_not_know_is_named(tmp_path: Path) -> None:
    row = only(tmp_path, question(reviewer="B", Topic="debt"))
    assert (row["unknown_fields"], codes(row)) == (["reviewer", "topic"], [])


# What stops the build


def test_a_path_that_is_no_suite_stops_with_the_name_of_the_variable(tmp_path: Path) -> None:
    (tmp_path / "empty.json").touch()
    (tmp_path / "none.json").write_text("[]")
    (tmp_path / "words.txt").write_text("words")
    (tmp_path / "other.jsonl").write_text('{"cik": 7, "year": 2021}\n')
    (tmp_path / "twice.csv").write_text("question_id,question_id\nQ1,Q2\n")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    wrong = ["missing.json", "", *(path.name for path in tmp_path.iterdir())]
    assert len(wrong) == 8

    for name in wrong:
        with pytest.raises(ValueError, match=r"the dbt var p3_suite_paths$"):
            read_suites([str(tmp_path / name)])


def test_a_path_is_checked_without_reading_it(tmp_path: Path) -> None:
    check_suites("filings", str(written(tmp_path, "no question")))
    (tmp_path / "empty.json").touch()
    with pytest.raises(ValueError, match=r"empty\.json is empty"):
        check_suites("filings", str(tmp_path / "empty.json"))


def test_a_column_that_is_there_twice_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "suite.csv"
    path.write_text("question_id,question_text,answer_type,years,years\nQ1,Why?,span,2020,2021\n")
    with pytest.raises(ValueError, match="the same column twice"):
        load(path)


def test_the_place_of_a_record_names_it_alone(tmp_path: Path) -> None:
    path = tmp_path / "suite.json"
    wrapped = {"questions": [question(question_id=f"Q{n}") for n in range(5)]}
    later = question(question_id="later")
    path.write_text(f"{json.dumps(wrapped, indent=None)}\n{json.dumps(later)}\n")

    assert [row["source_line"] for row in load(path)] == [1, 2, 3, 4, 5, 6]


def test_a_suite_that_is_named_twice_stops(tmp_path: Path) -> None:
    path = written(tmp_path, question())
    with pytest.raises(ValueError, match=r"suite\.json is named twice"):
        load(path, tmp_path / ".." / tmp_path.name / "suite.json")


def test_the_sample_brings_its_own_suite() -> None:
    assert suite_paths("filings", "mine.json") == ["mine.json"]
    assert suite_paths("filings", "") == suite_paths("filings", []) == []
    assert suite_paths("sample", ["mine.json"]) == [SAMPLE_SUITE, "mine.json"]
    assert suite_paths("sample", [f"./{SAMPLE_SUITE}"]) == [SAMPLE_SUITE]
    with pytest.raises(ValueError, match="correct the dbt var p3_suite_paths"):
        suite_paths("filings", [None])  # type: ignore[list-item]


def test_no_suite_gives_no_row() -> None:
    assert load() == []


def test_the_suite_of_the_sample_has_no_fault() -> None:
    rows = load(Path(SAMPLE_SUITE))
    assert {row["record_status"] for row in rows} == {"read"}
    assert [row["question_id"] for row in rows if row["schema_faults"]] == []


def test_the_examples_of_the_guide_have_no_fault(tmp_path: Path) -> None:
    guide = Path(__file__).parents[2] / "docs" / "reference" / "gold-sets.md"
    path = tmp_path / "guide.jsonl"
    path.write_text(guide.read_text().split("```jsonl")[1].split("```")[0])

    rows = load(path)

    assert [row["answer_type"] for row in rows] == list(ANSWER_TYPES)
    assert [codes(row) for row in rows] == [[]] * 5


def test_the_guide_names_every_field_and_every_fault() -> None:
    root = Path(__file__).parents[2]
    guide = (root / "docs" / "reference" / "gold-sets.md").read_text()
    code = "".join(path.read_text() for path in (root / "src/finrag/sources/suites").glob("*.py"))
    faults = set(re.findall(r'\bfault\(\s*"(\w+)"', code))

    assert len(faults) > 20
    assert [name for name in [*KNOWN_FIELDS, *sorted(faults)] if f"`{name}`" not in guide] == []


@needs_suites
@pytest.mark.parametrize(
    ("name", "count", "faulty"),
    [
        ("p3_gold_test_suite.json", 22, 0),
        ("p3_gold_P3_v1_auto.json", 6, 2),
        ("p3_gold_qtest_31q_ffhall.json", 11, 0),
    ],
)
def test_real_suites_load_with_their_faults(name: str, count: int, faulty: int) -> None:
    rows = load(SUITES / name)

    assert [row["record_status"] for row in rows] == ["read"] * count
    assert [codes(row) for row in rows if row["schema_faults"]] == [["money_without_unit"]] * faulty


CHECKS = [
    {"text": "$41.5 million", "is_dealbreaker": True},
    {"criteria": "Volumes fell", "operator": "contradiction", "weight": 2},
    "2021",
]
READ_CHECKS = [
    {"text": "$41.5 million", "operator": "correctness", "weight": 1.0, "is_dealbreaker": True},
    {"text": "Volumes fell", "operator": "contradiction", "weight": 2.0, "is_dealbreaker": False},
    {"text": "2021", "operator": "correctness", "weight": 1.0, "is_dealbreaker": False},
]


@pytest.mark.parametrize("given", [CHECKS, json.dumps(CHECKS)])
def test_checks_are_read_as_a_list_or_as_its_json(tmp_path: Path, given: Any) -> None:
    (row,) = load(written(tmp_path, question(criteria=given)))

    assert json.loads(row["criteria"]) == READ_CHECKS
    assert (row["unknown_fields"], row["schema_faults"]) == ([], [])


@pytest.mark.parametrize("given", [[], "[]", "", None])
def test_an_empty_list_of_checks_is_none(tmp_path: Path, given: Any) -> None:
    (row,) = load(written(tmp_path, question(criteria=given)))

    assert (row["record_status"], row["criteria"]) == ("read", None)


def test_a_csv_holds_checks_as_json(tmp_path: Path) -> None:
    path = tmp_path / "suite.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["question_id", "question_text", "answer_type", "criteria"])
        writer.writeheader()
        for name, cell in (("Q1", json.dumps(CHECKS)), ("Q2", ""), ("Q3", "[{oops")):
            row = {"question_id": name, "question_text": "Why?", "answer_type": "span"}
            writer.writerow({**row, "criteria": cell})
    first, second, third = load(path)

    assert json.loads(first["criteria"]) == READ_CHECKS
    assert second["criteria"] is None
    assert (third["reason_code"], third["source_line"]) == ("bad_criteria", 4)
    assert "JSON" in third["reason"]


@pytest.mark.parametrize(
    ("checks", "said"),
    [
        ("$41.5 million", "JSON"),
        ({"text": "a"}, "not a list"),
        (7, "not a list"),
        ({}, "not a list"),
        (0, "not a list"),
        (False, "not a list"),
        ("null", "not a list"),
        (["x"] * 201, "the limit is 200"),
        ([{"weight": 1}], "no text"),
        ([{"text": "a", "operator": "guess"}], "operator 'guess'"),
        ([{"text": "a", "weight": -1}], "weight -1"),
        ([{"text": "a", "weight": 10**400}], "is not a number"),
    ],
)
def test_checks_that_cannot_be_read_quarantine_the_question(
    tmp_path: Path, checks: Any, said: str
) -> None:
    bad, _ = load(written(tmp_path, question(criteria=checks), question(question_id="Q2")))

    assert (bad["record_status"], bad["reason_code"]) == ("quarantined", "bad_criteria")
    assert said in bad["reason"]
    assert "remove" in bad["remedy"]
    assert bad["source_line"] == 1
