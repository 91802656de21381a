"""Predictions of other systems: what can be read is read, everything else is said."""

import csv
import gzip
import json
import math
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import finrag.sources.predictions.fields as fields_module
from finrag.records.files import RecordFaultError
from finrag.sources.predictions import (
    PREDICTION_SCHEMA,
    find_predictions,
    hash_predictions,
    read_predictions,
)
from finrag.sources.predictions.fields import parse_prediction
from finrag.sources.predictions.suites import write_suite
from finrag.sources.suites import read_suites
from tests import absurd
from tests.unit import test_systems

Row = dict[str, Any]

# What a step took, as far as it is added up.
COUNTED = ("n_new", "observation_tokens", "latency_ms", "price_usd")

BORROWED = Path(__file__).parents[2].parent / "shared" / "data"
SHARED = Path(os.environ.get("FINRAG_SHARED_DATA") or BORROWED)
RUNS = SHARED / "arag_runs"
RESPONSES = SHARED / "finrag" / "llm_responses.jsonl.gz"
needs_runs = pytest.mark.skipif(
    not RUNS.is_dir(), reason="the folder of other systems' runs (FINRAG_SHARED_DATA) is not here"
)
needs_responses = pytest.mark.skipif(
    not RESPONSES.is_file(), reason="the file of answers (FINRAG_SHARED_DATA) is not here"
)

S1, S2, S3 = (f"0000000007_10-K_2021_section_7_{place}" for place in (1, 2, 3))


def systems(path, form="auto", **more) -> pa.Table:
    row = {
        "system_id": "mine",
        "system_kind": "external_file",
        "predictions_path": None if path is None else str(path),
        "predictions_format": form,
    }
    return pa.Table.from_pylist([row | more])


def load(path, form="auto") -> list[Row]:
    table = read_predictions(systems(path, form)).read_all()
    assert table.schema == PREDICTION_SCHEMA
    return table.to_pylist()


def one(path, form="auto") -> Row:
    (row,) = load(path, form)
    return row


def written(folder: Path, *records: Any, name: str = "run.jsonl") -> Path:
    path = folder / name
    texts = [
        record if isinstance(record, str) else json.dumps(record, ensure_ascii=False)
        for record in records
    ]
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def lines(rows: list[Row], status: str) -> list[int]:
    return [row["source_line"] for row in rows if row["record_status"] == status]


def codes(row: Row) -> list[str]:
    return [fault["fault_code"] for fault in row["faults"]]


# --- Fields ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["id", "question_id", "qid", "item_id", "Question_ID"])
def test_an_id_goes_by_many_names(name):
    assert parse_prediction({name: " Q7 "})["item_key"] == "Q7"


def test_a_question_id_counts_more_than_the_id_of_a_row():
    assert parse_prediction({"id": "row 1", "question_id": "Q7"})["item_key"] == "Q7"


def test_a_number_is_an_id_and_a_truth_value_is_none():
    assert parse_prediction({"id": 7})["item_key"] == "7"
    with pytest.raises(RecordFaultError, match="id is True"):
        parse_prediction({"id": True})


def test_a_record_without_id_is_known_by_its_question():
    row = parse_prediction({"query": "Why did Tarn Hollow Rail borrow?", "answer": "For a bridge."})

    assert row["item_key"] is None
    assert row["question_text"] == "Why did Tarn Hollow Rail borrow?"


def test_a_record_that_names_a_question_and_nothing_else_is_not_lost(tmp_path):
    lines = [
        {"id": "q1"},
        {"id": "q2", "latency_ms": 5},
        {"id": "q3", "answer": None},
        {"id": "q4", "abstained": False},
        {"id": "q5", "ranking": []},
        {"id": "q6", "citations": [S1]},
    ]
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")

    rows = {row["source_line"]: row["reason_code"] for row in load(path)}

    assert rows == {1: "no_answer", 2: "no_answer", 3: None, 4: None, 5: None, 6: None}


def test_a_record_that_names_no_question_lists_what_it_has():
    with pytest.raises(RecordFaultError, match="answer, score") as caught:
        parse_prediction({"answer": "Steel.", "score": 1})
    assert caught.value.code == "no_question"
    assert "question_id" in caught.value.advice


@pytest.mark.parametrize("name", ["predicted", "prediction", "answer", "response"])
def test_an_answer_goes_by_many_names(name):
    assert parse_prediction({"id": "Q7", name: " Steel. "})["answer_text"] == "Steel."


def test_a_name_without_a_value_leaves_the_word_to_the_next():
    row = parse_prediction({"id": "Q7", "predicted": None, "answer": "Steel."})
    assert row["answer_text"] == "Steel."


def test_what_was_predicted_counts_more_than_what_is_called_the_answer():
    row = parse_prediction({"id": "Q7", "answer": "the gold answer", "predicted": "Steel."})

    assert row["answer_text"] == "Steel."
    assert json.loads(row["extra"]) == {"answer": "the gold answer"}


@pytest.mark.parametrize(
    ("value", "text"),
    [(["steel", "glass"], '["steel", "glass"]'), (True, "Yes"), (False, "No"), (41.5, "41.5")],
)
def test_an_answer_of_another_type_becomes_text(value, text):
    assert parse_prediction({"id": "Q7", "answer": value})["answer_text"] == text


def test_markup_and_code_in_an_answer_stay_text():
    text = "<script>alert(1)</script>'; drop table answers; --"
    assert parse_prediction({"id": "Q7", "answer": text})["answer_text"] == text


def test_a_huge_answer_is_cut_and_says_so():
    row = parse_prediction({"id": "Q7", "answer": "a" * 1_000_000})

    assert (len(row["answer_text"]), row["is_cut"]) == (fields_module.MAX_ANSWER_CHARS, True)


def test_an_answer_as_long_as_allowed_is_not_cut():
    row = parse_prediction({"id": "Q7", "answer": "a" * fields_module.MAX_ANSWER_CHARS})
    assert row["is_cut"] is False


@pytest.mark.parametrize(
    ("record", "has_answer"),
    [
        ({"answer": "Steel."}, True),
        ({"answer": ""}, True),
        ({"answer": None}, True),
        ({"answer": None, "ranking": [S1]}, True),
        ({"answer": math.nan}, True),
        ({"predicted": None}, True),
        ({"program": None}, True),
        ({"numeric_value": None}, True),
        ({"numeric_value": 0}, True),
        ({"abstained": True}, True),
        ({"abstained": False}, True),
        ({"abstained": None, "ranking": [S1]}, False),
        ({"error": "no memory left"}, True),
        ({"error": None}, False),
        ({"ranking": [S1]}, False),
        ({"label": "correct", "label_by": "human"}, False),
    ],
)
def test_whether_a_record_speaks_of_an_answer(record, has_answer):
    assert parse_prediction({"id": "Q7", **record})["has_answer"] is has_answer


@pytest.mark.parametrize("blank", [None, "", " \n", math.nan, math.inf, -math.inf, [], {}])
def test_a_blank_answer_is_none_however_it_is_written(blank):
    row = parse_prediction({"id": "Q7", "answer": blank})
    assert (row["has_answer"], row["answer_text"], row["answer"]) == (True, None, None)


@pytest.mark.parametrize("blank", [None, ""])
def test_a_program_is_the_answer_where_the_words_are_blank(blank):
    row = parse_prediction({"id": "Q7", "answer": blank, "program": "add(1, 2)"})
    assert row["answer_text"] == "add(1, 2)"


def test_a_list_of_answers_is_json_without_nan():
    row = parse_prediction({"id": "Q7", "answer": [4.5, math.nan]})
    assert row["answer"] == "[4.5, null]"


@pytest.mark.parametrize("flag", [{}, {"abstained": False}, {"abstained": None}])
def test_nothing_but_a_refusal_is_an_abstention_and_listed(flag):
    row = parse_prediction({"id": "Q7", "answer": "The filing does not disclose it.", **flag})
    assert (row["is_abstained"], codes(row)) == (True, ["refusal_in_words"])


@pytest.mark.parametrize(
    "record",
    [
        {"answer": "The filing does not disclose it.", "numeric_value": 5},
        {"answer": "Revenue was $5 million. The filing does not disclose segments."},
        {"answer": "No. The filing does not disclose a weakness."},
    ],
)
def test_an_answer_with_a_figure_or_a_no_is_no_abstention(record):
    row = parse_prediction({"id": "Q7", **record})
    assert (row["is_abstained"], row["faults"]) == (None, [])


@pytest.mark.parametrize("value", [None, "", False, [], {}])
def test_an_empty_error_is_no_failure(value):
    assert parse_prediction({"id": "Q7", "error": value})["failure"] is None


def test_an_error_that_is_an_object_is_kept_as_json():
    row = parse_prediction({"id": "Q7", "error": {"code": 5}})
    assert row["failure"] == '{"code": 5}'


def test_numbers_may_be_text():
    row = parse_prediction(
        {"id": "Q7", "numeric_value": "41.5e6", "input_tokens": "120", "cost_usd": "0.02"}
    )
    assert (row["numeric_value"], row["input_tokens"], row["cost_usd"]) == (41.5e6, 120, 0.02)
    assert row["faults"] == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("numeric_value", "1,000"),
        ("numeric_value", math.inf),
        ("numeric_value", math.nan),
        ("numeric_value", "NaN"),
        ("input_tokens", -1),
        ("input_tokens", 1.5),
        ("input_tokens", 10**30),
        ("latency_ms", "fast"),
        ("abstained", "maybe"),
    ],
)
def test_a_value_that_cannot_be_read_is_null_and_a_fault(name, value):
    row = parse_prediction({"id": "Q7", "answer": "Steel.", name: value})

    assert codes(row) == [f"bad_{name}"]
    assert row[{"abstained": "is_abstained"}.get(name, name)] is None
    assert row["answer_text"] == "Steel."


def test_counts_inside_other_objects_are_found_but_the_records_own_come_first():
    row = parse_prediction(
        {
            "id": "Q7",
            "output_tokens": 5,
            "usage": {"prompt_tokens": 70, "completion_tokens": 6},
            "metadata": {"llm": {"model_id": "tarn-1", "cost": 0.25}},
        }
    )
    assert (row["input_tokens"], row["output_tokens"]) == (70, 5)
    assert (row["model"], row["cost_usd"]) == ("tarn-1", 0.25)
    assert json.loads(row["extra"])["usage"] == {"prompt_tokens": 70, "completion_tokens": 6}


def test_unknown_fields_are_kept_as_json_that_can_be_read_again():
    row = parse_prediction({"id": "Q7", "seed": 3, "scores": [1.0, math.nan]})
    assert json.loads(row["extra"]) == {"seed": 3, "scores": [1.0, None]}


def test_a_citation_is_an_id_or_an_object_with_one():
    row = parse_prediction(
        {"id": "Q7", "citations": [S1, {"sentence_id": S2, "quote": "a bridge"}, {"id": S3}]}
    )
    assert [(c["citation_pos"], c["passage_id"], c["quote"]) for c in row["citations"]] == [
        (0, S1, None),
        (1, S2, "a bridge"),
        (2, S3, None),
    ]


@pytest.mark.parametrize("entry", [{"page": 4}, True, "", None, [S2]])
def test_a_citation_without_an_id_is_left_out_and_a_fault(entry):
    row = parse_prediction({"id": "Q7", "citations": [entry, S1]})

    assert [(c["citation_pos"], c["passage_id"]) for c in row["citations"]] == [(0, S1)]
    assert [(fault["part"], fault["place"]) for fault in row["faults"]] == [("citation", 0)]


@pytest.mark.parametrize("value", [f'["{S1}", "{S2}"]', f"{S1} | {S2}", [S1, S2]])
def test_a_list_may_be_written_as_text(value):
    row = parse_prediction({"id": "Q7", "cited": value})
    assert [citation["passage_id"] for citation in row["citations"]] == [S1, S2]


def test_a_citation_may_be_a_page_of_a_document_and_counts_once():
    page = {"document": "Tarn Hollow 10-K.pdf", "page": 3}
    row = parse_prediction({"id": "Q7", "citations": [page, S1, page, {"id": S1, "quote": "rail"}]})
    assert [
        (c["passage_id"], c["document_key"], c["page"], c["quote"]) for c in row["citations"]
    ] == [(None, "tarn hollow 10 k", 3, None), (S1, None, None, None), (S1, None, None, "rail")]


def test_programs_speakers_and_verdicts_are_read_here_too():
    fields = {"program": ["add(", "1", "2", ")", "EOF"], "scale": "", "speaker": "Ann Lee"}
    verdict = {"llm_correct": True, "contain_match": "no", "configuration": "oracle"}
    row = parse_prediction({"uid": "Q7", "role": "analyst", **fields, **verdict})
    assert (row["has_answer"], row["answer_text"], row["answer"]) == (True, "add(1, 2)", None)
    assert (row["scale"], row["speaker"], row["role"]) == ("", "Ann Lee", "analyst")
    assert (row["label"], row["label_by"], row["is_contained"]) == ("correct", "model", False)
    assert (row["configuration"], row["extra"]) == ("oracle", None)


@pytest.mark.parametrize("answer", ["Steel.", 41.5, True, ["steel", 1]])
def test_an_answer_is_kept_as_json_too(answer):
    assert json.loads(parse_prediction({"id": "Q7", "answer": answer})["answer"]) == answer


def test_no_list_and_an_empty_list_differ():
    assert parse_prediction({"id": "Q7"})["sources"] is None
    assert parse_prediction({"id": "Q7", "sources": []})["sources"] == []


def test_sources_have_places_and_scores_where_given():
    row = parse_prediction({"id": "Q7", "retrieved": [{"id": S1, "score": "0.5"}, S2]})
    assert [(s["place"], s["passage_id"], s["score"]) for s in row["sources"]] == [
        (0, S1, 0.5),
        (1, S2, None),
    ]


def test_sources_may_be_an_object_of_id_and_score():
    row = parse_prediction({"id": "Q7", "ranking": {S1: 0.5, S2: 0.25}})
    assert [(source["passage_id"], source["score"]) for source in row["sources"]] == [
        (S1, 0.5),
        (S2, 0.25),
    ]


@pytest.mark.parametrize("score", [math.nan, math.inf, "best", "nan"])
def test_a_source_with_a_score_that_is_no_number_is_left_out(score):
    row = parse_prediction({"id": "Q7", "ranking": [{"id": S1, "score": score}, {"id": S2}]})

    assert [source["passage_id"] for source in row["sources"]] == [S2]
    assert codes(row) == ["bad_score"]


def test_candidates_are_kept_by_space_and_timings_by_stage():
    row = parse_prediction(
        {
            "id": "Q7",
            "candidates": {"text": [{"id": S1, "score": 2}], "table": ["t4"]},
            "timings": {"retrieve": 12.5, "generate": 800},
        }
    )
    assert [(c["space"], c["place"], c["candidate_id"]) for c in row["candidates"]] == [
        ("text", 0, S1),
        ("table", 0, "t4"),
    ]
    assert [(s["stage"], s["stage_pos"], s["latency_ms"]) for s in row["stages"]] == [
        ("retrieve", 0, 12.5),
        ("generate", 1, 800.0),
    ]


@pytest.mark.parametrize("name", ["total", "Total ms", "total_time_ms", "end-to-end", "elapsed_ms"])
def test_a_total_among_the_stages_is_the_latency_and_no_stage(name):
    timings = {"retrieve": 40, name: 940, "generate": 880}

    row = parse_prediction({"id": "Q7", "timings": timings})

    assert [(s["stage"], s["stage_pos"]) for s in row["stages"]] == [
        ("retrieve", 0),
        ("generate", 1),
    ]
    assert row["latency_ms"] == 940.0
    assert (
        parse_prediction({"id": "Q7", "timings": timings, "latency_ms": 900})["latency_ms"] == 900
    )


def test_stages_alone_are_no_latency():
    row = parse_prediction({"id": "Q7", "timings": {"retrieve": 40, "total_time_in_index": 5}})
    assert (len(row["stages"]), row["latency_ms"]) == (2, None)


@pytest.mark.parametrize(
    "stated",
    [
        {"cost_usd": 0.25},
        {"cost": "0.25"},
        {"total_cost": 0.25},
        {"usage": {"total_cost_usd": 0.25}},
        {"usage": {"cost": {"input": 0.05, "output": 0.2, "total": 0.25}}},
        {"steps": [{"tool": "a", "price_usd": 0.05}, {"tool": "b", "price_usd": 0.2}]},
        {"steps": [{"tool": "a", "price_usd": 0.05}, {"tool": "answer", "price_usd": 0.2}]},
        {"steps": [{"tool": "a", "price_usd": 9}], "cost_usd": 0.25},
    ],
)
def test_a_cost_goes_by_many_names(stated):
    assert parse_prediction({"id": "Q7", "answer": "Steel.", **stated})["cost_usd"] == 0.25


def test_the_price_of_some_steps_is_no_cost():
    steps = [{"tool": "a", "price_usd": 0.05}, {"tool": "b"}]
    assert parse_prediction({"id": "Q7", "steps": steps})["cost_usd"] is None


def test_text_that_no_table_can_hold_is_replaced():
    assert parse_prediction({"id": "Q7", "answer": "a\0b"})["answer_text"] == "a\ufffdb"
    with pytest.raises(RecordFaultError) as caught:
        parse_prediction({"id": "Q7", "answer": "\ud800"})
    assert caught.value.code == "invalid_utf8"


# --- Files ----------------------------------------------------------------------------------


def test_one_bad_line_among_good_ones_is_set_aside_with_file_line_and_remedy(tmp_path):
    rows = load(
        written(tmp_path, {"id": "Q1", "answer": ""}, '{"id": "Q2",', {"id": "Q3", "answer": ""})
    )

    assert (lines(rows, "read"), lines(rows, "quarantined")) == ([1, 3], [2])
    assert rows[1]["reason_code"] == "not_json"
    assert rows[1]["remedy"].startswith("In run.jsonl, line 2:")
    assert rows[1]["raw_excerpt"] == '{"id": "Q2",'


@pytest.mark.parametrize("name", ["run.jsonl", "run.trec", "run.csv", "run.json"])
def test_an_empty_file_is_one_quarantined_row(tmp_path, name):
    assert one(written(tmp_path, name=name))["reason_code"] == "empty_file"


def test_a_packed_file_that_was_cut_keeps_what_came_before(tmp_path):
    path = tmp_path / "run.jsonl.gz"
    noise = [{"id": f"Q{n}", "answer": os.urandom(50).hex()} for n in range(2000)]
    whole = gzip.compress("".join(json.dumps(row) + "\n" for row in noise).encode())
    path.write_bytes(whole[: len(whole) // 2])

    rows = load(path)

    assert 100 < len(lines(rows, "read")) < 2000
    assert rows[-1]["reason_code"] in ("truncated_file", "not_json")
    assert "truncated_file" in {row["reason_code"] for row in rows[-2:]}


def test_a_run_that_was_cut_keeps_what_came_before(tmp_path):
    path = tmp_path / "run.trec.gz"
    text = "".join(f"Q{n} Q0 {os.urandom(30).hex()} 1 0.5 t\n" for n in range(2000))
    path.write_bytes(gzip.compress(text.encode(), mtime=0)[:20_000])

    rows = load(path)

    assert len(lines(rows, "read")) > 100
    assert rows[-1]["reason_code"] == "truncated_file"


@pytest.mark.parametrize("name", ["run.jsonl", "run.trec"])
def test_a_file_of_another_encoding_is_set_aside_line_by_line(tmp_path, name):
    path = tmp_path / name
    texts = {"run.jsonl": '{"id": "Q1", "answer": "café"}\n{"id": "Q2", "answer": ""}\n'}
    run = "Q1 Q0 café 1 0.5 t\nQ2 Q0 d 1 0.5 t\n"
    path.write_bytes(texts.get(name, run).encode("latin-1"))

    rows = load(path)

    assert (rows[0]["reason_code"], rows[1]["record_status"]) == ("invalid_utf8", "read")


def test_a_table_has_lists_and_numbers_of_its_own(tmp_path):
    path = tmp_path / "run.parquet"
    rows = [
        {"id": "Q1", "answer": "Steel.", "ranking": [{"sentence_id": S1, "score": 0.5}]},
        {"id": "Q2", "answer": None, "ranking": None},
    ]
    pq.write_table(pa.Table.from_pylist(rows), path)

    first, second = load(path)

    assert [(s["place"], s["passage_id"], s["score"]) for s in first["sources"]] == [(0, S1, 0.5)]
    assert (second["has_answer"], second["answer"], second["sources"]) == (True, None, None)


def test_a_csv_file_is_read_too(tmp_path):
    path = tmp_path / "run.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["qid", "predicted", "citations"])
        writer.writerow(["Q1", "Steel, glass.", f"{S1} | {S2}"])
        writer.writerow(["Q2", '["steel", "glass"]', "[sic"])

    row, listed = load(path)

    assert (row["item_key"], row["answer_text"]) == ("Q1", "Steel, glass.")
    assert [citation["passage_id"] for citation in row["citations"]] == [S1, S2]
    assert json.loads(listed["answer"]) == ["steel", "glass"]
    assert row["raw_excerpt"].startswith('{"qid": "Q1"')


def test_bytes_that_no_text_has_spoil_one_record_among_others(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(b'{"id": "Q1", "answer": 1}\n\0\x1b\0\n{"id": "Q3", "answer": 1}\n')
    rows = load(path)
    assert (lines(rows, "read"), lines(rows, "quarantined")) == ([1, 3], [2])


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"version https://git-lfs.github.com/spec/v1\n", "lfs_pointer"),
        (b"PAR1\0\0", "binary_file"),
        (b'[{"id": "Q1"},\n{"id": "Q2"}]\n', "array_in_lines"),
    ],
)
def test_a_file_that_is_not_what_its_name_says_is_one_quarantined_row(tmp_path, content, code):
    path = tmp_path / "run.jsonl"
    path.write_bytes(content)
    assert one(path)["reason_code"] == code


def test_a_run_line_is_one_entry_and_its_rank_only_a_place(tmp_path):
    rows = load(written(tmp_path, f"Q1 Q0 {S1} 9 2.5 tag", f"Q1 0 {S2} x 3 tag", name="a.trec"))

    sources = [row["sources"][0] for row in rows]
    assert [(source["place"], source["passage_id"], source["score"]) for source in sources] == [
        (9, S1, 2.5),
        (None, S2, 3.0),
    ]
    assert {row["record_form"] for row in rows} == {"run_line"}


def test_judgments_are_no_run(tmp_path):
    row = one(written(tmp_path, f"Q1 0 {S1} 2", name="a.trec"))

    assert row["reason_code"] == "bad_run_line"
    assert "qrels" in row["reason"]
    assert row["remedy"].startswith("In a.trec, line 1:")


@pytest.mark.parametrize("score", ["nan", "inf", "1_0", "best"])
def test_a_run_line_needs_a_finite_score(tmp_path, score):
    row = one(written(tmp_path, f"Q1 Q0 {S1} 1 {score} tag", name="a.trec"))
    assert row["reason_code"] == "bad_score"


def test_blank_lines_of_a_run_are_passed_over_and_counted(tmp_path):
    rows = load(written(tmp_path, "", f"Q1 Q0 {S1} 1 2 t", "  ", name="a.run"))
    assert [(row["source_line"], row["record_status"]) for row in rows] == [(2, "read")]


def test_the_format_may_be_given(tmp_path):
    path = written(tmp_path, f"Q1 Q0 {S1} 1 2 t", name="results.out")

    assert one(path, "trec")["record_form"] == "run_line"
    with pytest.raises(ValueError, match="holds no readable file"):
        load(path, "auto")


def test_files_of_a_glob_are_read_in_the_order_of_their_names(tmp_path):
    written(tmp_path, {"id": "Q2"}, name="b.jsonl")
    written(tmp_path, {"id": "Q1"}, name="a.jsonl")

    assert [row["source_file"] for row in load(tmp_path / "*.jsonl")] == ["a.jsonl", "b.jsonl"]


@pytest.mark.parametrize("path", [None, "  ", "nowhere.jsonl", "nowhere/*.jsonl"])
def test_a_path_that_leads_nowhere_stops_and_names_the_system(path):
    with pytest.raises(ValueError, match=r"system mine: .*predictions_path of the system mine"):
        find_predictions("mine", path)


def test_an_unknown_format_lists_the_valid_ones(tmp_path):
    path = written(tmp_path, {"id": "Q1"})
    with pytest.raises(ValueError, match="auto, jsonl, parquet, csv, trec"):
        find_predictions("mine", str(path), "xml")


def test_systems_of_another_kind_have_no_files():
    assert read_predictions(systems(None, system_kind="dense")).read_all().num_rows == 0


def test_two_systems_may_read_one_file(tmp_path):
    path = written(tmp_path, {"id": "Q1"})
    both = pa.concat_tables([systems(path, system_id="b"), systems(path, system_id="a")])

    rows = read_predictions(both).read_all().to_pylist()

    assert [row["system_id"] for row in rows] == ["a", "b"]


def test_files_that_changed_after_they_were_registered_are_refused(tmp_path):
    path = written(tmp_path, {"id": "Q1"})
    settings = json.dumps({"predictions_hash": hash_predictions(find_predictions("a", str(path)))})
    assert len(read_predictions(systems(path, settings=settings)).read_all()) == 1

    written(tmp_path, {"id": "Q2"})

    with pytest.raises(ValueError, match=r"system mine: the files of .* changed"):
        read_predictions(systems(path, settings=settings))


def test_files_are_read_as_the_registry_knows_them(tmp_path):
    written(tmp_path, {"id": "Q2"}, name="b.jsonl")
    written(tmp_path, {"id": "Q1"}, name="a.jsonl")
    registered = test_systems.resolve(
        test_systems.row(kind="external_file", settings=f"predictions_path={tmp_path}")
    )
    assert "predictions_hash" in registered[0]["settings"]
    assert len(read_predictions(pa.Table.from_pylist(registered)).read_all()) == 2


# --- Numbers that nothing measures ----------------------------------------------------------------


@pytest.mark.parametrize("field", absurd.FIELDS)
@pytest.mark.parametrize("number", absurd.NUMBERS)
def test_an_absurd_number_spoils_its_own_field_alone(tmp_path, field, number):
    sound = {"id": "B", "predicted": "$5 million", "ranking": [{"sentence_id": S1}]}
    others = [{"id": "A", "predicted": "one"}, {"id": "C", "predicted": "two"}]
    spoilt = absurd.spoilt(sound, field, number)

    first, middle, last = load(written(tmp_path, others[0], spoilt, others[1]))

    assert [(row["item_key"], row["answer_text"]) for row in (first, last)] == [
        ("A", "one"),
        ("C", "two"),
    ]
    assert (middle["item_key"], middle["record_status"]) == ("B", "read")
    # Sums over many questions stay exact, and in whole numbers of 64 bits.
    times = [stage["latency_ms"] for stage in middle["stages"] or []]
    stepped = [step[name] for step in middle["steps"] or [] for name in COUNTED]
    counted = [middle[name] for name in absurd.SPENT] + times + stepped
    assert all(0 <= value <= 1e12 for value in counted if value is not None)
    assert None not in times
    scores = [place["score"] for place in middle["sources"] or []]
    figures = [middle["numeric_value"], *scores]
    assert all(math.isfinite(value) for value in figures if value is not None)


@pytest.mark.parametrize("field", [*absurd.SPENT, "stage", "step latency_ms", "step price_usd"])
@pytest.mark.parametrize("number", ["1e23", "1e308", "-1e23", "10**400", "infinity"])
def test_a_number_too_large_to_be_true_is_named_with_its_place(tmp_path, field, number):
    record = absurd.spoilt({"id": "B", "predicted": "x"}, field, number)
    (_, row) = load(written(tmp_path, {"id": "A", "predicted": "one"}, record))
    name = {"stage": "timings"}.get(field, field.removeprefix("step "))
    assert f"bad_{name}" in codes(row)
    assert row["source_line"] == 2
    assert any(name in one["detail"] for one in row["faults"])


# --- Files of other people ------------------------------------------------------------------


@needs_runs
def test_runs_of_another_project_load_whole():
    rows = load(RUNS / "*.predictions.jsonl.gz")

    assert Counter(row["record_status"] for row in rows) == {"read": 480}
    assert all(row["item_key"] and row["question_text"] for row in rows)
    assert all(row["n_steps"] is not None and row["input_tokens"] is not None for row in rows)
    assert sum(row["answer_text"] is not None for row in rows) == 472
    assert sum(row["failure"] is not None for row in rows) == 8
    assert sum(row["cost_usd"] is not None for row in rows) == 170
    assert not any(row["is_cut"] for row in rows)
    # Its models refuse in words; no flag says so.
    listed = Counter(code for row in rows for code in codes(row))
    assert listed.keys() == {"refusal_in_words"}
    assert listed["refusal_in_words"] >= 30
    assert sum(bool(row["is_abstained"]) for row in rows) == listed["refusal_in_words"]


@needs_responses
def test_answers_with_counts_deep_inside_load_whole():
    rows = load(RESPONSES)

    assert Counter(row["record_status"] for row in rows) == {"read": 20}
    assert all(row["question_text"] and row["answer_text"] and row["model"] for row in rows)
    assert all(row["input_tokens"] > 0 and row["cost_usd"] > 0 for row in rows)
    assert not any(row["faults"] for row in rows)


# --- Suites from files of predictions ------------------------------------------------------------


def suite_of(folder: Path, *records: Any) -> list[Row]:
    target = folder / "suite.jsonl"
    counts = write_suite(str(written(folder, *records)), target)
    rows = read_suites([str(target)]).read_all().to_pylist()
    assert [row["record_status"] for row in rows] == ["read"] * counts.n_questions
    assert sum(row["answer_text"] is None for row in rows) == counts.n_without_answer
    return rows


@pytest.mark.parametrize(
    ("right", "kind", "text"),
    [
        ("A bridge was closed.", "span", "A bridge was closed."),
        ("yes", "boolean", "Yes"),
        (False, "boolean", "No"),
        ("0.14464", "numeric", "0.14464"),
        (12, "numeric", "12"),
        ("12 million", "span", "12 million"),
        (["steel", "glass"], "list", '["steel", "glass"]'),
    ],
)
def test_a_right_answer_makes_a_question_of_its_kind(tmp_path, right, kind, text):
    record = {"id": "p3:X1", "question": "Why?", "predicted": "a guess", "ground_truth": right}
    (row,) = suite_of(tmp_path, record)

    assert (row["question_id"], row["question_text"]) == ("X1", "Why?")
    assert (row["answer_type"], row["answer_text"]) == (kind, text)
    assert (row["answer_numeric"] is not None) == (kind == "numeric")


def test_what_the_file_does_not_tell_is_a_fault_and_not_a_guess(tmp_path):
    record = {"id": "X1", "question": "Why?", "reference": "A bridge was closed."}
    (row,) = suite_of(tmp_path, record)

    found = {fault["fault_code"] for fault in row["schema_faults"]}
    assert {"no_companies", "no_years", "no_evidence"} <= found


def test_a_question_without_a_right_answer_has_none_and_says_so(tmp_path):
    (row,) = suite_of(tmp_path, {"id": "X1", "query": "Why?", "answer": "Steel.", "gold": None})

    assert (row["answer_type"], row["answer_text"]) == ("span", None)
    assert "no_answer_text" in {fault["fault_code"] for fault in row["schema_faults"]}


def test_a_repeated_question_keeps_the_first_right_answer(tmp_path):
    rows = suite_of(
        tmp_path,
        {"id": "X1", "question": "Why?", "predicted": "a guess"},
        {"id": "X2", "question": "When?"},
        {"id": "X1", "question": "Why?", "ground_truth": "first"},
        {"id": "X1", "question": "Why?", "ground_truth": "second"},
        {"id": "X1", "question": "Why?", "predicted": "a guess"},
        {"id": "X2", "question": "When exactly?"},
    )
    assert [(row["question_text"], row["answer_text"]) for row in rows] == [
        ("Why?", "first"),
        ("When?", None),
    ]


def test_a_question_without_an_id_is_known_by_its_words(tmp_path):
    rows = suite_of(
        tmp_path,
        {"question": "Why a bridge?"},
        {"question": "Why  a BRIDGE? ", "ground_truth": "For freight."},
        {"question": "why a tunnel?"},
        {"id": "X1", "question": "Why a tunnel?"},
    )
    assert [row["answer_text"] for row in rows] == ["For freight.", None]
    assert rows[0]["question_id"].startswith("text_")
    assert rows[1]["question_id"] == "X1"


def test_a_file_without_questions_makes_no_suite(tmp_path):
    with pytest.raises(ValueError, match="holds the text of a question"):
        write_suite(str(written(tmp_path, {"id": "X1", "answer": "Steel."})), tmp_path / "s.jsonl")
    assert not (tmp_path / "s.jsonl").exists()


@needs_runs
def test_runs_of_another_project_make_a_suite(tmp_path):
    target = tmp_path / "suite.jsonl"
    counts = write_suite(str(RUNS / "*.predictions.jsonl.gz"), target)
    rows = read_suites([str(target)]).read_all().to_pylist()

    assert Counter(row["record_status"] for row in rows) == {"read": counts.n_questions}
    assert counts == (345, 0)


@needs_responses
def test_answers_without_ids_and_right_answers_make_a_suite_too(tmp_path):
    target = tmp_path / "suite.jsonl"
    counts = write_suite(str(RESPONSES), target)
    rows = read_suites([str(target)]).read_all().to_pylist()

    assert Counter(row["record_status"] for row in rows) == {"read": counts.n_questions}
    assert counts == (7, 7)
