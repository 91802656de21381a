"""Rankings of systems from files: runs of TREC, lines of JSON, and the places they name."""

import json

import pytest

from finrag.records.files import RecordFaultError
from finrag.sources.benchmarks.files import read_catalogue
from finrag.sources.benchmarks.loaders.places import own_id, place_of, space_of, system_of
from finrag.sources.benchmarks.loaders.rankings import load_rankings
from finrag.sources.benchmarks.predicted import ranking_rows
from finrag.sources.benchmarks.reading import open_benchmarks
from finrag.sources.benchmarks.records import Place, RankedPlace, Source

SOURCE = Source("finqa", "finqa/rankings/mine.jsonl", 1)


def ranked(record, source=SOURCE):
    return load_rankings(record, source).rankings


def fault(record, source=SOURCE):
    with pytest.raises(RecordFaultError) as caught:
        load_rankings(record, source)
    return caught.value.code


def test_ids_in_order_are_a_ranking():
    assert ranked({"question_id": "q", "ranking": ["b", "a"]}) == (
        RankedPlace("q", "mine", 0, passage_id="b"),
        RankedPlace("q", "mine", 1, passage_id="a"),
    )


def test_scores_and_a_name_are_kept():
    entries = [{"passage_id": "a", "score": 1}, {"passage_id": "b", "score": 2.5}]
    found = ranked({"query_id": "q", "system": "bm25", "retrieved": entries})
    assert [(place.system, place.score) for place in found] == [("bm25", 1.0), ("bm25", 2.5)]


def test_an_empty_list_says_that_nothing_was_found():
    assert ranked({"question_id": "q", "ranking": []}) == (RankedPlace("q", "mine"),)


def test_a_line_of_a_run_is_a_ranked_passage_of_its_tag():
    assert ranked({"line": "finqa:q Q0 d#row-0-1 3 0.25 bm25"}) == (
        RankedPlace("q", "bm25", 3, 0.25, passage_id="d#row-0-1"),
    )


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ({"ranking": ["a"]}, "missing_field"),
        ({"question_id": "q"}, "missing_field"),
        ({"question_id": "q", "ranking": "a"}, "bad_field"),
        ({"question_id": "q", "ranking": ["a", "a"]}, "repeated_place"),
        ({"question_id": "q", "ranking": [""]}, "bad_field"),
        ({"question_id": "q", "ranking": [7]}, "bad_field"),
        ({"question_id": "q", "ranking": [{"page": 3}]}, "missing_field"),
        ({"question_id": "q", "ranking": [{"document": "d", "page": -1}]}, "bad_field"),
        ({"question_id": "q", "ranking": [{"passage_id": "a", "score": 1}, "b"]}, "bad_score"),
        (
            {"question_id": "q", "ranking": [{"passage_id": "a", "score": float("inf")}]},
            "bad_field",
        ),
        ({"question_id": "q", "ranking": [{"passage_id": "a", "score": True}]}, "bad_field"),
        (
            {"question_id": "q", "ranking": [{"passage_id": "a", "score": float("nan")}]},
            "bad_field",
        ),
        ({"question_id": "q", "ranking": [{"passage_id": "a", "score": "high"}]}, "bad_field"),
        ({"line": "q Q0 d 1 0.5"}, "bad_run_line"),
        ({"line": "q Q0 d 1 nan tag"}, "bad_score"),
        ({"line": "q 0 d 1"}, "bad_run_line"),
    ],
)
def test_a_broken_ranking_names_its_fault(record, code):
    assert fault(record) == code


@pytest.mark.parametrize(
    ("entry", "first", "place"),
    [
        (" a ", 0, Place("a")),
        ({"sentence_id": "s"}, 0, Place("s")),
        ({"document": "d", "page": 0}, 0, Place(None, "d", 0)),
        ({"document": "d", "page": 1}, 1, Place(None, "d", 0)),
        ({"document": "d", "page_num": 0}, 1, Place(None, "d", 0)),
        ({"doc_name": "d", "slide": 1}, 0, Place(None, "d", 0)),
        ({"document": "d", "page": None}, 0, Place(None, "d")),
    ],
)
def test_a_place_is_a_passage_a_page_or_a_document(entry, first, place):
    assert place_of(entry, "ranking", first) == place


def test_pages_count_from_one_where_the_questions_of_the_set_do():
    entry = {"question_id": "q", "ranking": [{"document": "d", "page": 1}]}
    graded = Source("graded_queries", "graded_queries/rankings.jsonl", 1)
    assert ranked(entry, graded)[0].page == 0
    assert ranked(entry)[0].page == 1
    first = {"question_id": "q", "ranking": [{"document": "d", "page": 0}]}
    assert fault(first, graded) == "bad_field"


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
    run = "q Q0 a 1 2.0 x\n\nq Q0 b 2\nq Q0 a 3 1.0 x\n"
    found = read(tmp_path, **{"runs__bm25.run": run})
    assert [(line, code) for line, code, _ in found] == [
        *((1, None), (3, "bad_run_line"), (4, "repeated_place"))
    ]
    assert "bm25.run, number 1" in found[2][2]


def test_two_files_of_one_tag_are_not_mixed(tmp_path):
    first, second = "q Q0 a 1 2.0 x\nr Q0 a 1 2.0 x\n", "q Q0 b 1 9.0 x\ns Q0 b 1 9.0 x\n"
    found = read(tmp_path, **{"runs__a.run": first, "runs__b.run": second})
    assert [code for _, code, _ in found] == [None, None, "ranking_in_two_files", None]
    assert "system x, question q" in found[2][2]


def test_a_second_ranking_of_a_question_is_not_mixed_with_the_first(tmp_path):
    first, second = ({"question_id": "q", "ranking": [name]} for name in ("a", "b"))
    nothing = {"question_id": "q", "ranking": []}
    other = {"question_id": "q", "system": "other", "ranking": ["a"]}
    text = "".join(json.dumps(row) + "\n" for row in (first, second, nothing, other))
    found = read(tmp_path, **{"rankings.jsonl": text})
    assert [code for _, code, _ in found] == [
        *(None, "duplicate_ranking", "duplicate_ranking", None)
    ]


def test_a_cell_is_of_the_list_of_its_row(tmp_path):
    cells, rows = "q Q0 d#cell-0-1-2 1 2.0 x\n", "q Q0 d#row-0-1 1 9.0 x\n"
    found = read(tmp_path, **{"runs__cells.run": cells, "runs__rows.run": rows})
    assert [code for _, code, _ in found] == [None, "ranking_in_two_files"]


def test_files_of_two_kinds_of_unit_are_of_one_system(tmp_path):
    rows, texts = "q Q0 d#row-0-1 1 2.0 x\n", "q Q0 d#text-0 1 9.0 x\n"
    found = read(tmp_path, **{"runs__rows.run": rows, "runs__texts.run": texts})
    assert [code for _, code, _ in found] == [None, None]


def test_half_a_character_in_a_list_is_quarantined(tmp_path):
    line = json.dumps({"question_id": "q", "answer": "x", "citations": ["\ud83d"]})
    assert read(tmp_path, **{"predictions_mine.jsonl": line})[0][1] == "invalid_text"
    line = json.dumps({"question_id": "q", "ranking": ["\ud83d"]})
    assert read(tmp_path, **{"rankings.jsonl": line})[1][1] == "invalid_text"


def test_a_ranking_is_a_prediction_and_one_that_found_nothing_is_empty():
    ranked = load_rankings({"question_id": "q", "ranking": ["d#row-1", "d#row-2"]}, SOURCE)
    (row,) = ranking_rows(ranked)
    assert (row["record_form"], row["item_key"]) == ("ranking", "q")
    assert [(source["place"], source["passage_id"]) for source in row["sources"]] == [
        (0, "d#row-1"),
        (1, "d#row-2"),
    ]
    (nothing,) = ranking_rows(load_rankings({"question_id": "q", "ranking": []}, SOURCE))
    assert nothing["sources"] == []
    (line,) = ranking_rows(load_rankings({"line": "q Q0 d#row-1 4 0.5 mine"}, SOURCE))
    assert (line["record_form"], line["system"], line["sources"][0]["place"]) == (
        "run_line",
        "mine",
        4,
    )
