"""Corpora and questions of A-RAG: read as a set, written from a gold set, and read again."""

import json
import shutil

import duckdb
import pyarrow as pa
import pytest

from finrag.agents.replay import read_transcripts
from finrag.publishing.exchange import write_arag, write_transcripts
from finrag.sources.benchmarks import open_benchmarks
from finrag.sources.predictions import read_predictions
from finrag.sources.predictions.fields import parse_prediction
from finrag.sources.predictions.schema import STEP_TYPE
from tests.unit import tools_warehouse
from tests.unit.tools_warehouse import GOLD, QUESTIONS


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    return tools_warehouse.write(tmp_path_factory.mktemp("warehouse") / "w.duckdb")


def loaded(folder, chunks=(), questions=()):
    at = folder / "musique"
    at.mkdir()
    for name, entries in (("chunks", chunks), ("questions", questions)):
        if entries:
            (at / f"{name}.json").write_text(json.dumps(entries), "utf-8")
    return open_benchmarks([str(at)]).read_all().to_pylist()


def passages(rows):
    return [one for row in rows for one in row["passages"] or ()]


def questions(rows):
    return [one for row in rows for one in row["questions"] or ()]


def test_a_chunk_is_text_behind_its_id_or_an_object(tmp_path):
    chunks = ["0:Rails: a history", {"id": "7", "text": "Steel."}, "a/b.pdf#1: Iron."]
    rows = loaded(tmp_path, chunks)
    found = [(one["passage_id"], one["document_id"], one["text"]) for one in passages(rows)]
    assert found == [
        ("0", "0", "Rails: a history"),
        ("7", "7", "Steel."),
        ("a/b.pdf#1", "a/b.pdf", "Iron."),
    ]
    assert {row["benchmark"] for row in rows} == {"musique"}


@pytest.mark.parametrize("entry", ["no id", ":no id", "7:", "7:  ", 7])
def test_an_entry_that_is_no_chunk_is_quarantined_where_it_stands(tmp_path, entry):
    rows = loaded(tmp_path, ["0:Rails.", entry])
    (wrong,) = [row for row in rows if row["record_status"] == "quarantined"]
    assert wrong["source_line"] == 2
    assert wrong["source_file"].endswith("chunks.json")
    assert wrong["remedy"]


def test_plain_text_is_no_record_of_another_file(tmp_path):
    rows = loaded(tmp_path, ["0:Rails."], ["not a question"])
    assert [row["reason_code"] for row in rows if row["record_status"] == "quarantined"] == [
        "not_an_object"
    ]


def test_questions_have_one_answer_or_several(tmp_path):
    given = [
        {"id": "m1", "source": "musique", "question": "Who?", "answer": "Ada"},
        {"qid": "m2", "question": "When?", "gold_answer": ["1843", "in 1843"]},
        {"id": "m3", "question": "Why?", "answer": "", "question_type": "none"},
    ]
    found = questions(loaded(tmp_path, ["0:Rails."], given))
    assert [(one["question_id"], one["answers"]) for one in found] == [
        ("m1", ["Ada"]),
        ("m2", ["1843", "in 1843"]),
        ("m3", []),
    ]


@pytest.mark.parametrize("gold_set", ["p3", "pub"])
def test_a_gold_set_that_is_written_is_read_again(database, tmp_path, gold_set):
    folder = tmp_path / "written"
    written = write_arag(database, gold_set, folder, str(tmp_path))
    assert [path.name for path in written] == ["chunks.json", "questions.json"]
    rows = open_benchmarks([str(folder)]).read_all().to_pylist()
    assert {row["record_status"] for row in rows} == {"read"}
    asked = [(item, text) for item, gold, _, text, *_ in QUESTIONS if gold == gold_set]
    found = questions(rows)
    assert [(one["question_id"], one["question_text"]) for one in found] == asked
    assert {tuple(one["answers"]) for one in found} == {(GOLD,)}
    unanswerable = [one["question_id"] for one in found if not one["is_answerable"]]
    assert unanswerable == ["p3:3"] * (gold_set == "p3")
    # The chunk that is evidence holds the words of the passage that was judged.
    (judgment,) = [one for row in rows for one in row["judgments"]]
    texts = {one["passage_id"]: one["text"] for one in passages(rows)}
    words = {"p3": "net sales were $120.5 million", "pub": "Rails grew by 4 percent."}
    assert words[gold_set] in texts[judgment["passage_id"]]
    documents = {one["document_id"] for one in passages(rows)}
    assert {one["document_id"] for one in found} - {None} <= documents


def test_what_is_written_twice_is_the_same(database, tmp_path):
    first, second = (
        [path.read_bytes() for path in write_arag(database, "pub", tmp_path / name, str(tmp_path))]
        for name in "ab"
    )
    assert first == second


def test_a_set_that_is_not_there_is_named(database, tmp_path):
    with pytest.raises(ValueError, match="no questions of 'finqa'"):
        write_arag(database, "finqa", tmp_path, str(tmp_path))


CHUNK, PASSAGE = "pub:d/1.pdf#0", "pub:d/1.pdf#text-0"
STEPS = [
    {"turn_pos": 0, "tool_name": "keyword_search", "arguments": '{"keywords": ["rails"]}'}
    | {"result_ids": [CHUNK], "result_scores": [2.5], "passage_ids": [PASSAGE]},
    {"turn_pos": 0, "tool_name": "nosuch", "arguments": "{", "status": "unknown_tool"}
    | {"failure": "there is no such tool"},
    {"turn_pos": 1, "tool_name": "answer", "arguments": "{}", "stop_reason": "forced_steps"},
]


@pytest.fixture
def with_steps(database, tmp_path):
    path = tmp_path / "w.duckdb"
    shutil.copy(database, path)
    read = parse_prediction({"id": "pub:d-1", "answer": "4 %", "steps": STEPS})["steps"]
    key = {"system_id": "agent", "gold_set": "pub", "item_id": "pub:d-1"}
    steps = [{**{k: v for k, v in step.items() if k != "shown"}, **key} for step in read]
    steps = [{"agent_step_id": str(n), "run_id": "r", **one} for n, one in enumerate(steps)]
    tables = {
        "retrieval.agent_steps": steps,
        "retrieval.rankings": [
            {**key, "unit": "text", "rank": 1, "passage_id": PASSAGE, "score": 0.5}
        ],
        "answers.answers": [
            {**key, "outcome": "answered", "failure": None, "answer_text": "4 %"}
            | {"numeric_value": 0.04, "unit": "percent"}
        ],
        "answers.answer_citations": [
            {**key, "citation_pos": 0, "passage_id": PASSAGE, "named": "x"}
            | {"quote": "by 4 percent"}
        ],
    }
    with duckdb.connect(str(path)) as warehouse:
        for name, rows in tables.items():
            warehouse.register("given", pa.Table.from_pylist(rows))
            warehouse.execute(f"create or replace table {name} as select * from given")
            warehouse.unregister("given")
    return path, read


def test_a_transcript_reads_back_as_it_was(with_steps, tmp_path):
    database, steps = with_steps
    (path,) = write_transcripts(database, "pub", tmp_path / "out")
    assert path.name == "pub.agent.jsonl"
    system = {"system_id": "own", "system_kind": "external_file"}
    system |= {"predictions_path": str(path), "predictions_format": "auto"}
    (row,) = read_predictions(pa.Table.from_pylist([system])).read_all().to_pylist()
    assert row["faults"] == []
    assert row["steps"] == pa.array(steps, STEP_TYPE).to_pylist()
    assert (row["item_key"], row["answer_text"], row["numeric_value"]) == ("pub:d-1", "4 %", 0.04)
    assert [one["passage_id"] for one in row["citations"]] == [PASSAGE]
    assert [one["score"] for one in row["sources"]] == [0.5]


def test_a_transcript_can_be_replayed(with_steps, tmp_path):
    (path,) = write_transcripts(with_steps[0], "pub", tmp_path / "out")
    recorded = read_transcripts({"system_id": "again", "replay_path": str(path)})
    assert [len(turn) for turn in recorded["pub:d-1"].turns] == [2]
    # The system answered from what it saw, and does so again.
    assert recorded["pub:d-1"].answer == {}


def test_a_warehouse_without_agents_has_no_transcripts(with_steps, tmp_path):
    with pytest.raises(ValueError, match="no steps of an agent for 'p3'"):
        write_transcripts(with_steps[0], "p3", tmp_path)
