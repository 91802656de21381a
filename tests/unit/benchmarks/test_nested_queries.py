"""Query lines with nested gold, and files of tables, become questions, passages and judgments."""

import json

import pytest

from finrag.records.files import RecordFaultError
from finrag.sources.benchmarks.loaders.nested_queries import load_nested_queries, load_table_file
from finrag.sources.benchmarks.loaders.query_sets import load_graded_queries, load_query_file
from finrag.sources.benchmarks.reading import open_benchmarks
from finrag.sources.benchmarks.records import Source

SOURCE = Source("nested_queries", "nested_queries.jsonl", 1)
TABLE_SOURCE = Source("nested_queries", "sets/elements/acme_q3/tables/t2.json", 1)
GOLD = {
    "expected_value": 412.5,
    "unit": "millions",
    "currency": "USD",
    "tolerance_rel": 0.01,
    "tolerance_abs": 8.25,
    "source_table_ids": ["t2"],
    "citations": [
        {"doc_type": "release", "quarter": "Q3 2023", "page": 4, "table_id": "t2"},
        {"doc_type": "transcript", "quarter": "Q3 2023", "page": 1, "table_id": None},
    ],
    "answer_speakers": [],
}
QUERY = {
    "query_id": "q1",
    "question": "What was revenue?",
    "metadata": {"category": "figures", "quarter": "Q3 2023", "doc_types": ["release"]},
    "gold": GOLD,
}
TABLE = {
    "title": "Revenue",
    "header": ["Q3 2023", "Q3 2022"],
    "rows": [{"label": "Paints", "cells": ["300.0", 280.5]}, {"label": "Brushes", "cells": [1]}],
    "page": 4,
}


def loaded(**gold):
    return load_nested_queries({**QUERY, "gold": {**GOLD, **gold}}, SOURCE)


def test_a_line_is_a_question_with_its_gold():
    read = load_nested_queries(QUERY, SOURCE)
    (question,) = read.questions
    assert (question.answers, question.answer_type) == (("412.5",), "numeric")
    assert (question.scale, question.category) == ("USD millions", "figures")
    # 8.25 of 412.5 is more than one percent.
    assert question.tolerance == pytest.approx(0.02)
    assert json.loads(read.original)["metadata"]["quarter"] == "Q3 2023"


def test_a_table_that_is_named_twice_is_one_evidence_and_a_page_another():
    first, second = load_nested_queries(QUERY, SOURCE).judgments
    assert (first.space, first.passage_id) == ("table", "t2#table-0")
    assert (second.space, second.document, second.page) == ("page", "Q3 2023 transcript", 0)


@pytest.mark.parametrize(
    ("gold", "tolerance"),
    [
        ({"tolerance_abs": None}, 0.01),
        ({"tolerance_rel": None, "tolerance_abs": None}, None),
        ({"tolerance_abs": 0.5}, 0.01),
        ({"expected_value": 0, "tolerance_rel": None}, None),
        ({"expected_value": "-825", "tolerance_abs": 82.5}, 0.1),
    ],
)
def test_the_wider_tolerance_counts(gold, tolerance):
    assert loaded(**gold).questions[0].tolerance == tolerance


def test_speakers_are_the_answer_of_an_attribution():
    (question,) = loaded(answer_speakers=["Ann Lee", "Bo Ek"]).questions
    assert (question.answer_type, question.asks) == ("speaker", "speaker")
    assert question.answers == ("Ann Lee", "Bo Ek")


@pytest.mark.parametrize(
    ("changed", "code", "said"),
    [
        ({"gold": None}, "missing_field", "gold"),
        ({"gold": "412.5"}, "bad_field", "gold"),
        ({"gold": {**GOLD, "tolerance_rel": "narrow"}}, "bad_field", "tolerance_rel"),
        ({"gold": {**GOLD, "tolerance_abs": -1}}, "bad_field", "tolerance_abs"),
        ({"gold": {**GOLD, "citations": [{"page": 0, "doc_type": "x"}]}}, "bad_field", "page"),
        ({"gold": {**GOLD, "citations": [{"page": 2}]}}, "missing_field", "doc_type"),
        ({"gold": {}}, "missing_field", "expected_value"),
        ({"metadata": {"doc_types": [{"a": 1}]}}, "bad_field", "doc_types"),
        ({"metadata": {"doc_types": "release"}}, "bad_field", "doc_types"),
        ({"question": " "}, "missing_field", "question"),
    ],
)
def test_a_broken_line_is_quarantined_with_its_field(changed, code, said):
    with pytest.raises(RecordFaultError) as fault:
        load_nested_queries({**QUERY, **changed}, SOURCE)
    assert (fault.value.code, said in fault.value.reason) == (code, True)


def test_a_rejection_needs_no_answer():
    rejected = {**QUERY, "metadata": {"is_rejection": True}, "gold": {}}
    (question,) = load_nested_queries(rejected, SOURCE).questions
    assert (question.is_answerable, question.answers) == (False, ())


def test_a_table_is_passages_of_table_row_and_cell():
    passages = {each.passage_id: each for each in load_table_file(TABLE, TABLE_SOURCE).passages}
    table, row, cell = (passages[f"t2#{place}"] for place in ("table-0", "row-0-1", "cell-0-1-2"))
    assert {each.document_id for each in passages.values()} == {"acme_q3"}
    assert (table.page, table.title) == (3, "Revenue")
    assert row.text == "Paints; Q3 2023: 300.0; Q3 2022: 280.5"
    assert (cell.text, cell.parent_id) == ("280.5", "t2#row-0-1")


@pytest.mark.parametrize(
    "changed",
    [{"rows": []}, {"rows": None}, {"header": ["a"]}, {"rows": [{"cells": [[1]]}]}, {"page": 0}],
)
def test_a_broken_table_is_refused(changed):
    with pytest.raises(RecordFaultError):
        load_table_file({**TABLE, **changed}, TABLE_SOURCE)


@pytest.mark.parametrize("load", [load_graded_queries, load_query_file])
def test_another_format_says_how_to_name_the_file(load):
    with pytest.raises(RecordFaultError) as fault:
        load(QUERY, SOURCE)
    assert "nested_queries.jsonl" in fault.value.advice


def test_a_folder_of_lines_and_tables_is_read_and_an_unknown_table_stays_unmapped(tmp_path):
    unknown = {**QUERY, "query_id": "q2", "gold": {**GOLD, "source_table_ids": ["t9"]}}
    lines = "".join(json.dumps(each) + "\n" for each in (QUERY, unknown))
    (tmp_path / "nested_queries.jsonl").write_text(lines)
    tables = tmp_path / "elements" / "acme_q3" / "tables"
    tables.mkdir(parents=True)
    (tables / "t2.json").write_text(json.dumps(TABLE))
    rows = open_benchmarks(str(tmp_path)).read_all().to_pylist()
    assert {(row["benchmark"], row["record_status"]) for row in rows} == {
        ("nested_queries", "read")
    }
    known = {passage["passage_id"] for row in rows for passage in row["passages"]}
    named = [judgment["passage_id"] for row in rows for judgment in row["judgments"]]
    assert [name in known for name in named if name] == [True, False, True]
