"""Folders in BEIR's layout, and qrels in their usual shapes."""

import pytest

from finrag.records.files import RecordFaultError
from finrag.sources.benchmarks.loaders.beir import load_beir, load_qrels
from finrag.sources.benchmarks.records import Source

LINE = {"_id": "d1", "title": "Bolts", "text": "We sell bolts."}
CORPUS = Source("set", "set/corpus.jsonl.gz", 1)
QUERIES = Source("set", "set/queries.jsonl", 1)


def test_a_line_of_a_corpus_is_a_passage_under_its_own_id():
    (passage,) = load_beir(LINE, CORPUS).passages
    assert (passage.passage_id, passage.document_id, passage.space) == ("d1", "d1", "text")
    assert (passage.title, passage.text) == ("Bolts", "Bolts\nWe sell bolts.")


@pytest.mark.parametrize("name", ["corpus.jsonl", "finqa_corpus.jsonl.gz", "my-Corpus.jsonl"])
def test_the_name_of_a_corpus_may_tell_the_set_too(name):
    assert load_beir(LINE, Source("set", f"set/{name}", 1)).questions == ()


def test_a_passage_without_text_has_its_title_for_text():
    (passage,) = load_beir({**LINE, "text": ""}, CORPUS).passages
    assert passage.text == "Bolts"


def test_a_line_of_queries_is_a_question():
    loaded = load_beir({**LINE, "title": ""}, QUERIES)
    (question,) = loaded.questions
    assert (question.question_id, question.question_text) == ("d1", "We sell bolts.")
    assert loaded.passages == ()


@pytest.mark.parametrize("source", [CORPUS, QUERIES])
@pytest.mark.parametrize(
    "change", [{"_id": ""}, {"_id": ["d1"]}, {"text": ["a"]}, {"text": None, "title": None}]
)
def test_a_broken_line_is_a_fault(source, change):
    with pytest.raises(RecordFaultError) as caught:
        load_beir({**LINE, **change}, source)
    assert caught.value.code in ("missing_field", "bad_field")


@pytest.mark.parametrize(
    "row",
    [
        {"query_id": "q", "corpus_id": "d", "score": "2"},
        {"query-id": "q", "corpus-id": "d", "score": 2},
        {"column_1": "q", "column_2": "d", "column_3": "2.0"},
        {"column_1": "q", "column_2": "0", "column_3": "d", "column_4": "2"},
        {"column_1": "q 0 d 2"},
        {"column_1": "q  d 2"},
    ],
)
def test_every_shape_of_qrels_gives_the_same_judgment(row):
    (judgment,) = load_qrels(row, CORPUS).judgments
    assert (judgment.question_id, judgment.passage_id, judgment.grade) == ("q", "d", 2)


@pytest.mark.parametrize("grade", ["0", "-1"])
def test_a_grade_that_is_not_relevant_is_kept(grade):
    (judgment,) = load_qrels({"query_id": "q", "corpus_id": "d", "score": grade}, CORPUS).judgments
    assert judgment.grade == int(grade)


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({"query_id": "", "corpus_id": "d", "score": "1"}, "missing_field"),
        ({"query_id": "q", "score": "1"}, "missing_field"),
        ({"query_id": "q", "corpus_id": "d"}, "bad_score"),
        ({"query_id": "q", "corpus_id": "d", "score": "0.5"}, "bad_score"),
        ({"query_id": "q", "corpus_id": "d", "score": "nan"}, "bad_score"),
        ({"query_id": "q", "corpus_id": "d", "score": "1e300"}, "bad_score"),
        ({"query_id": "q", "corpus_id": "d", "score": True}, "bad_score"),
        ({"column_1": "q", "column_2": "d"}, "bad_qrels_row"),
        ({"column_1": "q Q0 d 1 0.5 tag"}, "bad_qrels_row"),
        ({"column_1": None}, "bad_qrels_row"),
        ({}, "bad_qrels_row"),
    ],
)
def test_a_broken_row_of_qrels_names_its_fault(row, code):
    with pytest.raises(RecordFaultError) as caught:
        load_qrels(row, CORPUS)
    assert caught.value.code == code
