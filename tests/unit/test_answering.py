"""From systems, questions and contexts to rows: what an answer took, and what it was held to."""

import pyarrow as pa
import pytest

from finrag.answers import generated
from finrag.answers.answering import ANSWER_SCHEMA, answer_questions
from finrag.answers.calibration import FALLBACK
from finrag.answers.extractive import answering as extractive
from finrag.answers.extractive import measured_answers
from finrag.answers.types import Answer, Question
from finrag.llm.calls import Call

ITEMS = ("q1", "q2", "q3", "q4")
READ = pa.schema(
    [
        ("item_id", pa.string()),
        ("question_text", pa.string()),
        ("cik_ints", pa.list_(pa.int64())),
        ("years", pa.list_(pa.int32())),
        ("kpi_labels", pa.list_(pa.string())),
        ("risk_topics", pa.list_(pa.string())),
        ("section_names", pa.list_(pa.string())),
        ("scope", pa.string()),
        ("answer_form", pa.string()),
        ("is_change", pa.bool_()),
        ("topic_text", pa.string()),
    ]
)


def reading(item):
    return {
        "item_id": item,
        "question_text": "What was Orla Mills' revenue in fiscal 2019?",
        "cik_ints": [7],
        "years": [2019],
        "kpi_labels": ["revenue"],
        "scope": "local",
        "answer_form": "numeric",
        "is_change": False,
    }


def worded(system, item):
    return {
        "system_id": system,
        "item_id": item,
        "sentence_id": f"s_{item}",
        "sentence_text": "Revenue was $5.0 billion in fiscal 2019.",
        "company": "Orla Mills",
        "cik_int": 7,
        "report_year": 2019,
        "section_name": "ITEM_7",
        "tag": "",
        "rank": 1,
        "score": 1.0,
    }


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Where this test's answers are cached."""
    monkeypatch.chdir(tmp_path)


def rows(**system):
    """The answers of one system to all questions; ``q4`` has no context."""
    system = {"system_id": "one", "answerer": "extractive", "abstain_below": "auto"} | system
    reader = answer_questions(
        pa.Table.from_pylist([system]),
        pa.Table.from_pylist([reading(item) for item in ITEMS], READ),
        pa.Table.from_pylist([{"system_id": "one", "item_id": item} for item in ITEMS]),
        pa.Table.from_pylist([worded("one", item) for item in ITEMS[:3]]),
        {"state_dir": "state"},
    )
    assert reader.schema == ANSWER_SCHEMA
    return reader.read_all().to_pylist()


class Clock:
    """A clock that moves only when a step is given a duration."""

    now = 0.0

    def perf_counter(self):
        return self.now

    def slowed(self, function, *seconds):
        """The function, taking the seconds of one call after the other."""
        left = iter(seconds)

        def called(*args, **named):
            self.now += next(left)
            return function(*args, **named)

        return called


@pytest.fixture
def clock(monkeypatch):
    monkeypatch.setattr(extractive, "time", Clock())
    return extractive.time


def test_calibration_is_no_part_of_any_answer(clock, monkeypatch):
    monkeypatch.setattr(extractive, "calibrated", clock.slowed(extractive.calibrated, 3))

    assert [row["latency_ms"] for row in rows()] == [0] * 4


def test_reading_a_block_is_shared_evenly_by_its_questions(clock, monkeypatch):
    monkeypatch.setattr(extractive, "QUESTIONS_AT_A_TIME", 3)
    monkeypatch.setattr(extractive, "find_all", clock.slowed(extractive.find_all, 0.75, 0.5))

    assert [row["latency_ms"] for row in rows(abstain_below="0")] == [250, 250, 250, 500]


def test_what_finding_one_answer_takes_is_its_own(clock, monkeypatch):
    monkeypatch.setattr(extractive, "_best", clock.slowed(extractive._best, 0, 2, 1))

    assert [row["latency_ms"] for row in rows(abstain_below="0")] == [0, 2000, 1000, 0]


def test_what_the_caller_does_meanwhile_is_no_part_of_any_answer(clock):
    asked = [Question(item, "What was revenue?") for item in ITEMS]
    found = []
    for _, latency_ms, _ in measured_answers({"abstain_below": "0"}, asked, [[]] * 4):
        clock.now += 5
        found.append(latency_ms)

    assert found == [0] * 4


def test_an_answer_tells_its_kind_and_what_it_was_held_to():
    *answered, last = rows()

    assert {row["threshold"] for row in answered} == {FALLBACK}
    assert {row["question_kind"] for row in answered} == {"level"}
    assert (last["n_null"], last["null_share_answered"]) == (0, None)


def test_a_threshold_that_was_given_was_measured_on_nothing():
    found = rows(abstain_below="0.25")[0]

    assert (found["threshold"], found["n_null"]) == (0.25, 0)
    assert found["null_share_answered"] is None


def call(latency_ms, status="ok"):
    return Call(
        *("answer", "m", "p", "r"),
        status=status,
        n_attempts=1,
        latency_ms=latency_ms,
        call_id="answer:1",
    )


def of_model(monkeypatch, *answers):
    monkeypatch.setattr(generated, "answer_with_model", lambda *_: iter(answers))
    return [row["latency_ms"] for row in rows(answerer="openai:m")]


def test_a_model_takes_what_its_calls_took_when_they_were_made(monkeypatch):
    twice = Answer("abstained", calls=(call(700.0, "failed"), call(20.5)))

    assert of_model(monkeypatch, *[twice] * 4) == [720.5] * 4


@pytest.mark.parametrize("calls", [(), (call(None, "failed"),)])
def test_a_question_that_was_never_sent_took_no_time_that_is_known(monkeypatch, calls):
    answer = Answer("abstained", calls=calls)

    assert of_model(monkeypatch, *[answer] * 4) == [None] * 4


def page(item, text):
    nowhere = {"company": None, "cik_int": None, "report_year": None, "section_name": None}
    return {**worded("own", item), "sentence_text": text, "unit": "page", **nowhere}


def test_every_gold_set_is_held_to_thresholds_of_its_own(tmp_path):
    systems = pa.Table.from_pylist(
        [{"system_id": "own", "answerer": "extractive", "abstain_below": "auto"}]
    )
    sets = {"q1": "p3", "q2": "p3", "q3": "finqa"}
    expected = pa.Table.from_pylist(
        [{"system_id": "own", "gold_set": sets[item], "item_id": item} for item in sets]
    )
    read = [{**reading(item), "topic_text": "revenue"} for item in sets]
    readings = pa.Table.from_pylist(read, schema=READ)
    passages = [worded("own", "q1"), worded("own", "q2")]

    def answers_with(*more):
        table = pa.Table.from_pylist([{**row, "unit": row.get("unit")} for row in more])
        found = answer_questions(systems, readings, expected, table, {"state_dir": str(tmp_path)})
        return {row["item_id"]: {**row, "latency_ms": None} for row in found.read_all().to_pylist()}

    without = answers_with(*passages)
    beside = answers_with(*passages, page("q3", "Revenue was $7.0 billion in fiscal 2019."))

    assert [beside[item] for item in ("q1", "q2")] == [without[item] for item in ("q1", "q2")]
    assert without["q3"]["outcome"] == "abstained"
    assert (beside["q3"]["outcome"], beside["q3"]["numeric_value"]) == ("answered", 7.0e9)
