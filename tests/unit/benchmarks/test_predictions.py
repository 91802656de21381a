"""Answers of systems in their public shapes."""

import json
import math

import pytest

from finrag.records.files import RecordFaultError
from finrag.sources.benchmarks.loaders.predictions import load_predictions
from finrag.sources.benchmarks.records import Source
from finrag.text.programs import program_text

SOURCE = Source("set", "set/predictions.jsonl", 1)


def only(record, source=SOURCE):
    (prediction,) = load_predictions(record, source).predictions
    return prediction


def places(row):
    return [(each["passage_id"], each["document"], each["page"]) for each in row["citations"]]


def codes(row):
    return [fault["fault_code"] for fault in row["faults"]]


@pytest.mark.parametrize("answer", ["4%", 4, 0.04, ["a", 1], True, None])
def test_an_answer_is_kept_as_json(answer):
    found = only({"question_id": "q", "answer": answer})["answer"]
    assert (None if found is None else json.loads(found)) == answer


def test_an_own_line_keeps_its_fields():
    record = {
        "question_id": "q",
        "answer": "x",
        "system": "s",
        "scale": "",
        "program": "add(1, 2)",
        "label": "Refusal",
        "label_by": "human",
        "configuration": "oracle",
        "speaker": "Ann Lee",
        "role": "analyst",
        "contains": True,
    }
    found = only(record)
    names = ("scale", "program", "label", "label_by", "configuration", "speaker", "role")
    assert [found[name] for name in names] == [record[name] for name in names]
    assert (found["system"], found["is_contained"], found["citations"]) == ("s oracle", True, None)


def test_citations_are_places_each_once():
    cited = ["p", {"document": "d", "page": 3}, {"document": "d", "page_num": 3}, "p"]
    found = only({"question_id": "q", "answer": "x", "citations": cited})
    assert places(found) == [("p", None, None), (None, "d", 3)]
    assert only({"question_id": "q", "answer": "x", "citations": []})["citations"] == []


def test_a_cell_of_a_table_may_hold_citations_as_json():
    row = {"question_id": "q", "answer": "94", "citations": '["p"]', "scale": None}
    assert places(only(row)) == [("p", None, None)]
    assert only({**row, "citations": " "})["citations"] is None


@pytest.mark.parametrize(
    ("cell", "answer"),
    [('["a", "b"]', '["a", "b"]'), ("94", '"94"'), ("", None), ("[sic]", '"[sic]"')],
)
def test_a_list_in_a_cell_of_a_csv_file_is_a_list(cell, answer):
    table = Source("set", "set/predictions/mine.csv.gz", 1)
    assert only({"question_id": "q", "answer": cell or None}, table)["answer"] == answer


def test_a_text_in_brackets_is_a_text_elsewhere():
    assert only({"query_id": "q", "answer": '["a"]'})["answer"] == '"[\\"a\\"]"'


@pytest.mark.parametrize(
    "entry", [True, " ", ["p"], {"page": 1}, {}, {"document": "d", "page": -1}]
)
def test_a_citation_that_names_no_place_is_left_out_and_the_answer_stays(entry):
    found = only({"question_id": "q", "answer": "x", "citations": [entry, "p"]})
    assert (found["answer_text"], places(found)) == ("x", [("p", None, None)])
    assert codes(found) == ["bad_citation"]


def test_a_run_row_is_an_answer():
    found = only({"id": "q", "predicted": "About 4%", "ground_truth": "4%", "loops": 2})
    assert (found["item_key"], found["answer"]) == ("q", '"About 4%"')


@pytest.mark.parametrize(("verdict", "label"), [(True, "correct"), (False, "incorrect")])
def test_a_verdict_row_is_a_label_of_a_model(verdict, label):
    found = only({"id": "q", "contain_match": not verdict, "llm_correct": verdict})
    assert [found[name] for name in ("label", "label_by", "is_contained", "answer")] == [
        *(label, "model", not verdict, None)
    ]


def test_tokens_are_kept_and_written_out():
    tokens = ["subtract(", "5", "3", ")", "divide(", "#0", "3", ")", "EOF"]
    found = only({"id": "q", "predicted": tokens})
    assert json.loads(found["answer"]) == tokens
    assert found["program"] == "subtract(5, 3), divide(#0, 3)"


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        (["add(", "1", "2", ")", "EOF"], "add(1, 2)"),
        (["add(", "1", "2", ")"], "add(1, 2)"),
        (["EOF"], ""),
        ([], ""),
        (["1", "2"], "1, 2"),
        (["table_max(", "net sales", "none", ")"], "table_max(net sales, none)"),
    ],
)
def test_programs_are_written_as_finqa_writes_them(tokens, expected):
    assert program_text(tokens) == expected


def test_a_row_name_with_commas_stays_one_token():
    tokens = ["table_max(", "due december 31 , 2008", "none", ")", "EOF"]
    assert json.loads(only({"id": "q", "predicted": tokens})["answer"]) == tokens
    assert json.loads(only({"id": "q", "answer": 1, "program": tokens})["program"]) == tokens
    assert json.loads(only({"id": "q", "answer": 1, "program": tokens[:-1]})["program"]) == tokens


@pytest.mark.parametrize(
    ("answer", "program", "expected"),
    [
        ("106.0", [], ('"106.0"', None)),
        (3.0, ["add(", "1", "2", ")", "EOF"], ("3.0", "add(1, 2)")),
        (-math.inf, ["add(", "1", "#5", ")", "EOF"], (None, "add(1, #5)")),
        ("n/a", ["EOF"], ('"n/a"', "")),
        (5.0, ["add(", "1,2", "3", ")", "EOF"], ("5.0", '["add(", "1,2", "3", ")", "EOF"]')),
    ],
)
def test_a_record_of_multihiertts_evaluator_is_read(answer, program, expected):
    found = only({"uid": "u", "predicted_ans": answer, "predicted_program": program})
    assert (found["item_key"], found["answer"], found["program"]) == ("u", *expected)


def test_a_document_of_pairs_is_one_prediction_each():
    loaded = load_predictions({"u1": ["4", "percent"], "u2": [["a", "b"], ""]}, SOURCE)
    found = [(each["item_key"], each["answer"], each["scale"]) for each in loaded.predictions]
    assert found == [("u1", '"4"', "percent"), ("u2", '["a", "b"]', "")]


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ({"answer": "x"}, "no_question"),
        ({"question": "Why?", "answer": "x"}, "no_question"),
        ({}, "no_question"),
        ({"u1": ["4"]}, "no_question"),
        ({"question_id": "", "question": "Why?", "answer": "x"}, "no_question"),
        ({"question_id": ["q"], "answer": "x"}, "bad_question_id"),
        ({"question_id": "q"}, "no_answer"),
        ({"question_id": "q", "Question_ID": "r", "answer": "x"}, "repeated_field"),
    ],
)
def test_a_broken_record_names_its_fault(record, code):
    with pytest.raises(RecordFaultError) as caught:
        load_predictions(record, SOURCE)
    assert caught.value.code == code
    assert caught.value.advice


@pytest.mark.parametrize(
    ("fields", "code", "expected"),
    [
        ({"answer": {"a": 1}}, "answer_not_text", {"answer": '"{\\"a\\": 1}"'}),
        ({"scale": 3}, "not_text", {"scale": "3"}),
        ({"label": "good"}, "bad_label_by", {"label": None, "label_by": None}),
        ({"contains": "perhaps"}, "bad_contains", {"is_contained": None}),
        ({"program": {"a": 1}}, "not_text", {"program": '{"a": 1}'}),
    ],
)
def test_a_field_that_cannot_be_read_is_listed_and_the_record_stays(fields, code, expected):
    found = only({"question_id": "q", "answer": "x", **fields})
    assert codes(found) == [code]
    assert {name: found[name] for name in expected} == expected


def test_a_nested_list_is_words_and_no_list():
    assert only({"question_id": "q", "answer": [["a"]]})["answer"] == '"[[\\"a\\"]]"'


def test_a_refusal_in_words_is_an_answer_whose_words_are_scored():
    found = only({"question_id": "q", "answer": "The filing does not disclose it."})
    assert (found["is_abstained"], found["faults"]) == (None, [])


def test_a_record_may_answer_and_rank():
    found = only({"id": "q", "Response": "x", "retrieved": ["p"], "question": "Why?", "seed": 3})
    assert (found["record_form"], found["answer_text"]) == ("prediction", "x")
    assert found["sources"][0]["passage_id"] == "p"
    assert (found["question_text"], found["extra"]) == (None, None)


def test_a_line_tells_of_a_failure_an_abstention_and_what_it_cost():
    tells = {"abstained": "true", "error": "no memory", "usage": {"prompt_tokens": 7}, "cost": "x"}
    found = only({"question_id": "q", **tells})
    assert (found["answer"], found["is_abstained"], found["failure"]) == (None, True, "no memory")
    assert (found["input_tokens"], found["cost_usd"]) == (7, None)
    assert codes(found) == ["bad_cost_usd"]


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"answer": "4%"}, (True, "4%", '"4%"')),
        ({"answer": 4}, (True, "4", "4")),
        ({"answer": ["a", 1]}, (True, '["a", 1]', '["a", 1]')),
        ({"answer": None}, (True, None, None)),
        ({"program": "add(1, 2)"}, (True, "add(1, 2)", None)),
        ({"speaker": "Ann Lee"}, (True, "Ann Lee", None)),
        ({"label": "right", "label_by": "human"}, (False, None, None)),
        ({"answer": None, "abstained": True}, (True, None, None)),
    ],
)
def test_an_answer_is_words_beside_its_json_and_a_verdict_is_none(record, expected):
    row = only({"question_id": "q", **record})
    assert (row["has_answer"], row["answer_text"], row["answer"]) == expected
    assert (row["record_form"], row["item_key"]) == ("prediction", "q")


def test_citations_of_nothing_are_not_silence():
    assert only({"question_id": "q", "answer": "x"})["citations"] is None
    cited = [{"document": "ACME 10-K.pdf", "page": 3}, "d#row-1"]
    first, second = only({"question_id": "q", "answer": "x", "citations": cited})["citations"]
    assert (first["citation_pos"], first["document_key"], first["page"]) == (0, "acme 10 k", 3)
    assert (second["citation_pos"], second["passage_id"]) == (1, "d#row-1")
