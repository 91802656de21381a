"""Rankings of systems from files: runs of TREC, lines of JSON, and the places they name."""

import json

import pytest

from finrag.records.files import RecordFaultError
from finrag.records.trec_runs import RunLine
from finrag.sources.benchmarks.files import read_catalogue
from finrag.sources.benchmarks.loaders.places import own_id, space_of, system_of
from finrag.sources.benchmarks.loaders.predictions import load_predictions
from finrag.sources.benchmarks.reading import open_benchmarks
from finrag.sources.benchmarks.records import Source
from finrag.sources.predictions.places import parse_place

SOURCE = Source("finqa", "finqa/rankings/mine.jsonl", 1)


def ranking(record, source=SOURCE):
    (row,) = load_predictions(record, source).predictions
    return row


def ranked(record, source=SOURCE):
    return [
        (each["place"], each["passage_id"], each["document"], each["page"], each["score"])
        for each in ranking(record, source)["sources"]
    ]


def test_ids_in_order_are_a_ranking():
    row = ranking({"question_id": "q", "ranking": ["b", "a"]})
    assert (row["record_form"], row["item_key"], row["system"]) == ("ranking", "q", "mine")
    assert row["has_answer"] is False
    assert ranked({"question_id": "q", "ranking": ["b", "a"]}) == [
        (0, "b", None, None, None),
        (1, "a", None, None, None),
    ]


def test_scores_and_a_name_are_kept():
    entries = [{"passage_id": "a", "score": 1}, {"passage_id": "b", "score": 2.5}]
    found = ranking({"query_id": "q", "system": "bm25", "retrieved": entries})
    assert [(found["system"], each["score"]) for each in found["sources"]] == [
        ("bm25", 1.0),
        ("bm25", 2.5),
    ]


def test_an_empty_list_says_that_nothing_was_found():
    row = ranking({"question_id": "q", "ranking": []})
    assert (row["record_form"], row["sources"]) == ("ranking", [])


def test_a_line_of_a_run_is_a_ranked_passage_of_its_tag():
    row = ranking(RunLine("finqa:q", "d#row-0-1", 3, 0.25, "bm25"))
    assert (row["record_form"], row["item_key"], row["system"]) == ("run_line", "q", "bm25")
    assert row["sources"] == [{"place": 3, "passage_id": "d#row-0-1", "score": 0.25}]


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ({"ranking": ["a"]}, "no_question"),
        ({"question_id": "q"}, "no_answer"),
        ({"question_id": "q", "ranking": None}, "no_answer"),
    ],
)
def test_a_broken_ranking_names_its_fault(record, code):
    with pytest.raises(RecordFaultError) as caught:
        load_predictions(record, SOURCE)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("", "bad_source"),
        ([7], "bad_source"),
        ({"page": 3}, "bad_source"),
        ({"document": "d", "page": -1}, "bad_source"),
        ({"document": "d", "page": 1, "slide": 2}, "bad_source"),
        ({"passage_id": "a", "score": float("inf")}, "bad_score"),
        ({"passage_id": "a", "score": True}, "bad_score"),
        ({"passage_id": "a", "score": float("nan")}, "bad_score"),
        ({"passage_id": "a", "score": "high"}, "bad_score"),
    ],
)
def test_an_entry_that_cannot_be_ranked_is_left_out_and_listed(entry, code):
    row = ranking({"question_id": "q", "ranking": [entry, "b"]})
    assert [each["passage_id"] for each in row["sources"]] == ["b"]
    assert [(fault["fault_code"], fault["place"]) for fault in row["faults"]] == [(code, 0)]


@pytest.mark.parametrize(
    ("entry", "first", "place"),
    [
        (" a ", 0, ("a", None, None)),
        (7, 0, ("7", None, None)),
        ({"sentence_id": "s", "document": "d", "page": 4}, 0, ("s", None, None)),
        ({"document": "d", "page": 0}, 0, (None, "d", 0)),
        ({"document": "d", "page": 1}, 1, (None, "d", 0)),
        ({"document": "d", "page_num": 0}, 1, (None, "d", 0)),
        ({"doc_name": "d", "slide": 1}, 0, (None, "d", 0)),
        ({"document": "d", "page": None}, 0, (None, "d", None)),
        ({"id": 3, "document": "d", "page": 2}, 0, (None, "d", 2)),
        ({"id": "s", "document": "d"}, 0, ("s", None, None)),
        ({"docid": "s", "page": 2}, 0, ("s", None, None)),
    ],
)
def test_a_place_is_a_passage_a_page_or_a_document(entry, first, place):
    assert parse_place(entry, "ranking", first)[:3] == place


def test_pages_count_from_one_where_the_questions_of_the_set_do():
    entry = {"question_id": "q", "ranking": [{"document": "d", "page": 1}]}
    graded = Source("graded_queries", "graded_queries/rankings.jsonl", 1)
    assert ranked(entry, graded) == [(0, None, "d", 0, None)]
    assert ranked(entry) == [(0, None, "d", 1, None)]
    first = {"question_id": "q", "ranking": [{"document": "d", "page": 0}]}
    assert ranking(first, graded)["faults"][0]["fault_code"] == "bad_source"


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("finqa/predictions/gpt4/answers.jsonl", "gpt4/answers"),
        ("data/finqa/runs/bm25.run.gz", "bm25"),
        ("finqa/predictions_mine.jsonl", "predictions_mine"),
        ("runs/finqa_naive.predictions.eval.jsonl.gz", "finqa_naive"),
        ("predictions/finqa/gpt-4.1.csv", "gpt-4.1"),
        ("finqa/predictions/.jsonl", ".jsonl"),
    ],
)
def test_a_file_that_names_no_system_is_one(file, name):
    assert system_of({}, Source("finqa", file, 1)) == name


def test_a_model_asked_in_two_ways_is_two_systems():
    assert system_of({"system": "m", "configuration": "oracle"}, SOURCE) == "m oracle"


def test_the_set_in_front_of_an_id_is_taken_off():
    assert [own_id(name, SOURCE) for name in ("finqa:q", "q", "tatqa:q")] == ["q", "q", "tatqa:q"]


def test_a_passage_id_tells_its_kind():
    assert [space_of(name) for name in ("d#row-0-1", "d#page-3", "d1", "d#x-1")] == [
        *("row", "page", "text", "text")
    ]


def read(folder, **files):
    for name, content in files.items():
        path = folder / "finqa" / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    rows = open_benchmarks(str(folder), read_catalogue()).read_all().to_pylist()
    return [
        (row["source_line"], row["reason_code"], row["reason"])
        for row in sorted(rows, key=lambda row: (row["source_file"], row["source_line"]))
    ]


def test_a_run_is_read_line_by_line(tmp_path):
    run = "q Q0 a 1 2.0 x\n\nq Q0 b 2\nq Q0 a 3 nan x\nr Q0 a 1 1 x\n"
    found = read(tmp_path, **{"runs__bm25.run": run})
    assert [(line, code) for line, code, _ in found] == [
        *((1, None), (3, "bad_run_line"), (4, "bad_score"), (5, None))
    ]
    assert "qrels" in found[1][2]


def test_half_a_character_in_a_list_is_quarantined(tmp_path):
    line = json.dumps({"question_id": "q", "answer": "x", "citations": ["\ud83d"]})
    assert read(tmp_path, **{"predictions_mine.jsonl": line})[0][1] == "invalid_utf8"
    line = json.dumps({"question_id": "q", "ranking": ["\ud83d"]})
    assert read(tmp_path, **{"rankings.jsonl": line})[1][1] == "invalid_utf8"
