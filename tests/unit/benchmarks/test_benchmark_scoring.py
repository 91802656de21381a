"""Scores of answers by benchmark: which metrics, which values, and what cannot be measured."""

import json
from dataclasses import dataclass, replace

import pyarrow as pa
import pytest

from finrag.metrics.stored import public_scores
from finrag.scoring import by_set
from finrag.scoring.by_set import (
    FAULT_SCHEMA,
    GOLD_VERDICTS,
    MAX_ANSWER,
    SCORE_SCHEMA,
    check_benchmark_gold,
    metrics_of,
    score_benchmark_answers,
    score_public_answers,
)
from finrag.sources.benchmarks import records
from finrag.sources.benchmarks.records import Passage, Question
from finrag.text.programs import program_text

LABELS = ("correct", "incorrect", "refusal")


def _table(struct, rows, *first):
    fields = [field for field in struct if not field.name.startswith("document_")]
    fields.append(pa.field("document_id", pa.string()))
    schema = pa.schema([*((name, pa.string()) for name in first), *fields])
    listed = [{**extra, **vars(row)} for extra, row in rows]
    return pa.Table.from_pylist(listed, schema=schema)


ANSWERED = pa.struct(
    [
        *((name, pa.string()) for name in ("question_id", "answer", "scale", "program", "label")),
        *((name, pa.string()) for name in ("label_by", "configuration")),
        ("contains", pa.bool_()),
    ]
)


@dataclass(frozen=True)
class Prediction:
    """What a system said of a question."""

    question_id: str
    answer: str | None = None
    scale: str | None = None
    program: str | None = None
    label: str | None = None
    label_by: str | None = None
    configuration: str | None = None
    contains: bool | None = None


def scored(benchmark, question, prediction, passages=()):
    """The rows of one prediction by metric and mode."""
    key = {"benchmark": benchmark}
    questions = [] if question is None else [(key, question)]
    table = score_benchmark_answers(
        _table(records._QUESTION, questions, "benchmark"),
        _table(
            ANSWERED,
            [({**key, "system_id": "s"}, prediction)],
            "benchmark",
            "system_id",
        ),
        _table(records._PASSAGE, [(key, one) for one in passages], "benchmark"),
    )
    assert table.schema == SCORE_SCHEMA
    return {(row["metric"], row["mode"]): row for row in table.to_pylist()}


def test_who_spoke_is_scored_beside_the_metrics_of_the_sets(tmp_path, monkeypatch):
    """And found again, until an answer or something of its set changes."""
    key = {"benchmark": "calls", "system_id": "s"}
    asked = [
        (key, Question("fee", "What was the fee?", "call", answers=["$5"])),
        (key, Question("who", "Who said it?", "call", answers=["Bo Yi"])),
    ]
    questions = _table(records._QUESTION, asked, "benchmark")
    place = questions.column_names.index("answer_type")
    questions = questions.set_column(place, "answer_type", pa.array([None, "speaker"]))
    if "asks" not in questions.column_names:
        questions = questions.append_column("asks", pa.array([None, "speaker"]))
    answers = _table(
        ANSWERED,
        [(key, Prediction("fee", '"It was $5."')), (key, Prediction("who"))],
        "benchmark",
        "system_id",
    )
    answers = answers.append_column("asks_speaker", pa.array([False, True]))
    answers = answers.append_column("speaker", pa.array([None, "Bo Yi"]))
    answers = answers.append_column("role", pa.array([None, "analyst"]))
    turns = pa.table({"benchmark": ["calls"], "document_id": ["call"], "speaker": ["Bo Yi"]})
    passages = _table(records._PASSAGE, [], "benchmark")

    scored = score_public_answers(questions, answers, passages, turns)
    rows = scored.to_pylist()
    real, computed = by_set.score_benchmark_answers, []

    def counted(questions, predictions, passages):
        computed.append(sorted(set(predictions["system_id"].to_pylist())))
        return real(questions, predictions, passages)

    monkeypatch.setattr(by_set, "score_benchmark_answers", counted)

    def computes(*tables):
        """Systems that are scored with the cache; the rows are those without it."""
        expected = score_public_answers(*tables)
        computed.clear()
        stored = public_scores({"state_dir": tmp_path})
        assert score_public_answers(*tables, stored).equals(expected)
        return [name for names in computed for name in names]

    known = passages, turns
    other = answers.set_column(
        answers.column_names.index("system_id"), "system_id", pa.array(["t", "t"])
    )
    both = pa.concat_tables([answers, other])
    assert [computes(questions, answers, *known) for _ in range(2)] == [["s"], []]
    assert [computes(questions, both, *known) for _ in range(2)] == [["t"], []]
    # What nobody was asked is no part of it, what was said on the call is.
    unasked = questions.set_column(0, questions.field(0), pa.array(["calls", "others"]))
    assert computes(pa.concat_tables([questions, unasked.slice(1)]), both, *known) == []
    more = pa.concat_tables([turns, turns.set_column(2, "speaker", pa.array(["Al"]))])
    assert computes(questions, both, passages, more) == ["s", "t"]
    nothing = answers.slice(0, 0)
    assert score_public_answers(questions, nothing, *known).num_rows == 0

    assert {(row["question_id"], row["metric"], row["mode"]): row["value"] for row in rows} == {
        ("fee", "contain_match", "official"): 1,
        ("fee", "numeric_agreement", "strict"): 1,
        ("fee", "wording_agreement", "strict"): None,
        **{
            ("fee", metric, "strict"): None
            for metric in ("criteria_met", "criteria_credit", "criteria_passed")
        },
        ("who", "speakers", "strict"): 1,
    }


def values(rows, *keys):
    return tuple((rows[key]["value"], rows[key]["verdict"]) for key in keys)


PROGRAM = Question(
    "q",
    "What was the change?",
    "d",
    answers=("20%",),
    program="subtract(1200, 1000), divide(#0, 1000)",
    executed_answer="0.2",
)
CELLS = tuple(
    Passage(f"d#cell-0-{row}-{column}", "d", "cell", 0, text, table=0, row=row, column=column)
    for row, cells in enumerate([["", "2019"], ["revenue", "$ 1,200"], ["loss", "(120)"]])
    for column, text in enumerate(cells)
    if text
)
RUNS = (("execution_accuracy", "official"), ("execution_accuracy", "strict"))
SAME = (("program_accuracy", "official"), ("program_accuracy", "strict"))
CONTAINS, AGREES = ("contain_match", "official"), ("numeric_agreement", "strict")
JUDGED = ("llm_accuracy", "official")


def test_the_gold_program_is_right_in_every_way():
    rows = scored("finqa", PROGRAM, Prediction("q", program=PROGRAM.program))
    assert values(rows, *RUNS) == ((1, "same_result"), (1, "exact"))
    assert values(rows, *SAME) == ((1, "same_program"), (1, "same_program"))
    assert values(rows, CONTAINS, AGREES) == ((None, "no_text"), (None, "no_text"))


def test_official_and_strict_modes_differ_on_constants():
    prediction = Prediction("q", program="divide(1200, 1000), subtract(#0, const_1)")
    rows = scored("finqa", PROGRAM, prediction)
    assert values(rows, *RUNS) == ((1, "same_result"), (1, "exact"))
    assert values(rows, *SAME) == ((0, "other_program"), (1, "same_program"))


def test_a_rounded_operand_is_wrong_officially_and_right_as_printed():
    rows = scored("finqa", PROGRAM, Prediction("q", program="divide(200.1, 1000)"))
    assert values(rows, *RUNS) == ((0, "other_result"), (1, "rounded"))


def test_a_program_that_fails_is_wrong_and_says_why():
    rows = scored("finqa", PROGRAM, Prediction("q", program="divide(1, 0)"))
    assert values(rows, *RUNS) == ((0, "invalid_program"), (0, "invalid_program"))
    assert "zero" in rows[RUNS[0]]["detail"]


def test_a_table_operation_reads_the_table_of_the_passages():
    question = Question("q", "?", "d", program="table_max(revenue, none)", executed_answer="1200.0")
    rows = scored("finqa", question, Prediction("q", program=question.program), CELLS)
    assert values(rows, RUNS[0]) == ((1, "same_result"),)


@pytest.mark.parametrize(
    ("benchmark", "verdict"), [("finqa", (1, "same_program")), ("convfinqa", (0, "other_program"))]
)
def test_only_convfinqa_compares_no_invalid_program(benchmark, verdict):
    question = replace(PROGRAM, program="divide(1, 0)")
    rows = scored(benchmark, question, Prediction("q", program="divide(1, 0)"))
    assert values(rows, SAME[0]) == (verdict,)


def test_a_number_alone_is_a_program_of_convfinqa_only():
    question = Question("q", "?", "d", answers=("5",), program="5", executed_answer="5.0")
    prediction = Prediction("q", program="5")
    assert values(scored("convfinqa", question, prediction), *RUNS, *SAME) == (
        (1, "same_result"),
        (1, "exact"),
        (1, "same_program"),
        (1, "same_program"),
    )
    assert scored("finqa", question, prediction)[RUNS[0]]["value"] == 0


def test_a_gold_program_that_cannot_be_read_leaves_its_metric_open():
    question = Question("q", "?", "d", program="add(add(1, 2), 3)", executed_answer="5")
    rows = scored("finqa", question, Prediction("q", program="add(2, 3)"))
    assert values(rows, RUNS[0], SAME[0]) == ((1, "same_result"), (None, "gold_unreadable"))


def test_a_program_that_grows_without_end_is_another_program():
    steps = ["subtract(1200, 1000)", *(f"multiply(#{step}, #{step})" for step in range(40))]
    rows = scored("finqa", PROGRAM, Prediction("q", program=", ".join(steps)))
    assert values(rows, *SAME) == ((0, "too_long"), (0, "too_long"))


def test_words_instead_of_a_program():
    rows = scored("finqa", PROGRAM, Prediction("q", answer='"It rose by 20%."'))
    assert values(rows, RUNS[0], CONTAINS, AGREES) == (
        (None, "no_program"),
        (1, "contained"),
        (1, "exact"),
    )


def test_declining_and_words_are_alike_to_the_metrics_of_programs():
    """A right answer in words is not made wrong by a program for another question."""
    right, words = PROGRAM.program, '"It rose by 20%."'
    said = {
        "words": [Prediction("a", answer=words), Prediction("b")],
        "programs": [Prediction("a", program=right), Prediction("b", program="")],
        "both": [
            Prediction("a", program=right, answer=words),
            Prediction("b", answer=words, program=""),
            Prediction("c"),
        ],
        "neither": [Prediction("a"), Prediction("b", program="")],
    }
    key = {"benchmark": "finqa"}
    asked = [(key, replace(PROGRAM, question_id=name)) for name in "abc"]
    given = [({**key, "system_id": name}, row) for name, rows in said.items() for row in rows]
    marks = score_benchmark_answers(
        _table(records._QUESTION, asked, "benchmark"),
        _table(ANSWERED, given, "benchmark", "system_id"),
        _table(records._PASSAGE, [], "benchmark"),
    ).to_pylist()

    found = {
        system: [
            tuple(
                row["value"]
                for row in marks
                if (row["system_id"], row["metric"], row["mode"]) == (system, *metric)
            )
            for metric in (RUNS[0], SAME[0], RUNS[1], CONTAINS)
        ]
        for system in said
    }
    assert found == {
        "words": [(None, None), (None, None), (None, None), (1, 0)],
        "programs": [(1, 0), (1, 0), (1, 0), (None, None)],
        "both": [(1, None, 0), (1, None, 0), (1, None, 0), (1, 1, 0)],
        "neither": [(0, 0), (0, 0), (0, 0), (0, 0)],
    }


def test_the_tokens_of_a_program_are_no_words():
    answer = json.dumps(["add(", "1", "2", ")", "EOF"])
    rows = scored("finqa", PROGRAM, Prediction("q", answer=answer, program="add(1, 2)"))
    assert values(rows, CONTAINS) == ((None, "no_text"),)


def test_tatqa_in_both_modes():
    question = Question("q", "?", answers=("23.42",), answer_type="arithmetic", scale="percent")
    rows = scored("tatqa", question, Prediction("q", answer="23.42", scale=""))
    assert values(rows, ("em", "official"), ("em", "strict")) == ((0, "no_match"), (0, "percent"))
    rows = scored("tatqa", question, Prediction("q", answer='"23.42%"', scale=None))
    assert values(rows, ("em", "official"), ("scale", "official")) == (
        (1, "match"),
        (0, "other_scale"),
    )
    assert values(rows, ("scale", "strict")) == ((1, "exact"),)


def test_zero_is_an_answer_in_strict_mode_alone():
    question = Question("q", "?", answers=("0",), answer_type="arithmetic", scale="")
    rows = scored("tatqa", question, Prediction("q", answer="0", scale=""))
    assert values(rows, ("em", "official"), ("em", "strict")) == ((0, "no_answer"), (1, "exact"))


@pytest.mark.parametrize(
    ("kind", "scale", "answers"),
    [("span", "hundreds", ("x",)), ("count", "", ("two",)), ("span", "", ("",))],
)
def test_a_gold_of_tatqa_that_cannot_be_read_is_not_measured(kind, scale, answers):
    question = Question("q", "?", answers=answers, is_list=True, answer_type=kind, scale=scale)
    rows = scored("tatqa", question, Prediction("q", answer='"x"', scale=""))
    assert {row["verdict"] for row in rows.values()} == {"gold_unreadable"}
    assert {row["value"] for row in rows.values()} == {None}


SPAN = Question("q", "?", answers=("year end 2019",))
COMPUTED = Question("q", "?", answers=("-0.5",), program="divide(-1,2)")
BOTH = (("em", "official"), ("em", "strict"))


@pytest.mark.parametrize(
    ("question", "prediction", "expected"),
    [
        (SPAN, Prediction("q", answer='"the year-end 2019"'), ((1, "match"), (1, "same_words"))),
        (COMPUTED, Prediction("q", program="divide(1,2)"), ((1, "match"), (0, "sign"))),
        (COMPUTED, Prediction("q", answer='"-0.5"'), ((0, "no_match"), (1, "exact"))),
        (COMPUTED, Prediction("q", answer="null"), ((0, "no_match"), (0, "missing"))),
    ],
)
def test_multihiertt(question, prediction, expected):
    assert values(scored("multihiertt", question, prediction), *BOTH) == expected


FILED = Question("q", "What was revenue?", answers=("$1,577",))


@pytest.mark.parametrize(
    ("label", "expected"),
    [("Correct Answer", (1, 0, 0)), ("Incorrect Answer", (0, 1, 0)), ("Refusal", (0, 0, 1))],
)
def test_a_label_of_a_person_is_one_of_three(label, expected):
    prediction = Prediction("q", answer='"x"', label=label, label_by="human")
    rows = scored("financebench", FILED, prediction)
    assert tuple(rows[name, "official"]["value"] for name in LABELS) == expected


@pytest.mark.parametrize(
    ("label", "by", "verdict"),
    [
        (None, None, "no_label"),
        ("correct", "model", "no_label"),
        ("Right", "human", "unknown_label"),
    ],
)
def test_without_a_known_label_of_a_person_there_is_no_share(label, by, verdict):
    rows = scored("financebench", FILED, Prediction("q", answer='"x"', label=label, label_by=by))
    assert values(rows, ("correct", "official")) == ((None, verdict),)


@pytest.mark.parametrize(("label", "value"), [("correct", 1), ("incorrect", 0)])
def test_a_label_of_a_model_is_scored_wherever_it_came(label, value):
    prediction = Prediction("q", answer='"x"', label=label, label_by="model")
    assert scored("finder", FILED, prediction)[JUDGED]["value"] == value


def test_without_a_label_of_a_model_there_is_no_such_metric():
    assert JUDGED not in scored("finder", FILED, Prediction("q", answer='"x"'))


def test_a_stated_match_stands_in_for_an_answer_that_the_file_lacks():
    rows = scored("finder", FILED, Prediction("q", contains=True))
    assert values(rows, CONTAINS, AGREES) == ((1, "as_stated"), (None, "no_text"))


def test_a_stated_match_that_differs_is_reported():
    rows = scored("finder", FILED, Prediction("q", answer='"$1,577"', contains=False))
    assert (rows[CONTAINS]["value"], rows[CONTAINS]["detail"]) == (1, "The file says the opposite.")


def test_every_part_of_a_list_must_be_contained():
    question = Question("q", "?", answers=("a1", "b2"), is_list=True)
    assert scored("finder", question, Prediction("q", answer='"a1"'))[CONTAINS]["value"] == 0
    assert (
        scored("finder", question, Prediction("q", answer='["b2", "a1"]'))[CONTAINS]["value"] == 1
    )


def test_what_the_set_does_not_tell_is_not_measured():
    said = Prediction("q", answer='"x"')
    assert values(scored("finder", None, said), CONTAINS) == ((None, "unknown_question"),)
    assert values(scored("finder", Question("q", "?"), said), CONTAINS) == ((None, "gold_missing"),)


NO_GOLD = Question("q", "?")
IN_WORDS = Question("q", "?", answers=("sales rose",))
UNANSWERABLE = Question("q", "?", answers=("5",), is_answerable=False)
OFFICIALLY, STRICTLY = ("em", "official"), ("em", "strict")
BAD_COUNT = Question("q", "?", answers=("two",), answer_type="count", scale="")
BAD_PROGRAM = Question("q", "?", answers=("5",), program="add(add(1, 2), 3)", executed_answer="{")
NO_NUMBER = Question("q", "?", answers=("a lot",), program="add(1,2)")
OPEN = [
    ("finder", NO_GOLD, CONTAINS, "gold_missing"),
    ("finder", NO_GOLD, AGREES, "gold_missing"),
    ("finder", UNANSWERABLE, CONTAINS, "gold_unanswerable"),
    ("finder", UNANSWERABLE, AGREES, "gold_unanswerable"),
    ("finder", IN_WORDS, AGREES, "gold_is_no_figure"),
    ("finqa", IN_WORDS, RUNS[0], "gold_missing"),
    ("finqa", IN_WORDS, RUNS[1], "gold_unreadable"),
    ("finqa", NO_GOLD, RUNS[1], "gold_missing"),
    ("finqa", IN_WORDS, SAME[0], "gold_missing"),
    ("finqa", IN_WORDS, SAME[1], "gold_missing"),
    ("finqa", BAD_PROGRAM, RUNS[0], "gold_unreadable"),
    ("finqa", BAD_PROGRAM, SAME[0], "gold_unreadable"),
    ("finqa", BAD_PROGRAM, SAME[1], "gold_unreadable"),
    ("convfinqa", BAD_PROGRAM, SAME[1], "gold_unreadable"),
    *(("tatqa", NO_GOLD, key, "gold_missing") for key in (OFFICIALLY, STRICTLY)),
    *(("tatqa", BAD_COUNT, key, "gold_unreadable") for key in (OFFICIALLY, STRICTLY)),
    *(("multihiertt", NO_GOLD, key, "gold_missing") for key in (OFFICIALLY, STRICTLY)),
    ("multihiertt", NO_NUMBER, OFFICIALLY, "gold_unreadable"),
]
SAID = {
    "nothing": Prediction("q"),
    "words": Prediction("q", answer='"5"', program="add(1, 2)"),
    "unreadable": Prediction("q", answer="{", program="("),
}


@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
@pytest.mark.parametrize(("benchmark", "question", "metric", "verdict"), OPEN)
def test_what_the_gold_leaves_open_is_open_whatever_was_said(
    benchmark, question, metric, verdict, said
):
    assert verdict in GOLD_VERDICTS
    row = scored(benchmark, question, said)[metric]
    assert (row["value"], row["verdict"]) == (None, verdict)


def test_silence_scores_nothing_where_the_gold_allows_a_score():
    rows = scored("finder", IN_WORDS, Prediction("q"))
    assert values(rows, CONTAINS) == ((0, "no_answer"),)
    assert values(scored("finqa", PROGRAM, Prediction("q", program="")), RUNS[0]) == (
        (0, "no_answer"),
    )


def test_a_stated_match_needs_no_gold():
    rows = scored("finder", NO_GOLD, Prediction("q", contains=True))
    assert values(rows, CONTAINS, AGREES) == ((1, "as_stated"), (None, "gold_missing"))


def test_our_own_errors_are_nobodys_answer(monkeypatch):
    def broken(*_):
        raise KeyError("ours")

    monkeypatch.setattr(by_set.arag, "contain_match", broken)
    with pytest.raises(KeyError, match="ours"):
        scored("finder", FILED, Prediction("q", answer='"x"'))


@pytest.mark.parametrize("result", ["NaN", "9" * 401, "[5]", "{"])
def test_a_gold_result_that_is_no_number_leaves_the_printed_one(result):
    question = Question("q", "?", "d", answers=("5",), executed_answer=result)
    rows = scored("finqa", question, Prediction("q", program="add(2, 3)"))
    assert values(rows, *RUNS) == ((None, "gold_unreadable"), (1, "exact"))


DUE = "due december 31 , 2008"
DUE_CELLS = tuple(replace(one, text=DUE) if one.text == "revenue" else one for one in CELLS)


@pytest.mark.parametrize(
    "prediction",
    [
        Prediction(
            "q",
            answer=json.dumps(["table_max(", DUE, "none", ")", "EOF"]),
            program=f"table_max({DUE}, none)",
        ),
        Prediction("q", program=json.dumps(["table_max(", DUE, "none", ")", "EOF"])),
    ],
)
def test_listed_tokens_are_not_split_again(prediction):
    question = Question("q", "?", "d", executed_answer="1200.0")
    rows = scored("finqa", question, prediction, DUE_CELLS)
    assert values(rows, *RUNS, CONTAINS)[:2] == ((1, "same_result"), (1, "exact"))


@pytest.mark.parametrize("tokens", [["EOF"], [], ["add(", "2", "3", ")"]])
def test_the_last_token_is_dropped_as_the_evaluator_does(tokens):
    prediction = Prediction("q", answer=json.dumps(tokens), program=program_text(tokens))
    rows = scored("finqa", PROGRAM, prediction)
    assert values(rows, RUNS[0], CONTAINS) == ((0, "other_result"), (None, "no_text"))


def test_a_list_of_words_beside_a_program_stays_words():
    prediction = Prediction("q", answer='["20%", "up"]', program=PROGRAM.program)
    rows = scored("finqa", PROGRAM, prediction)
    assert values(rows, RUNS[0], CONTAINS) == ((1, "same_result"), (1, "contained"))


def test_a_program_that_fails_comes_to_nothing_for_a_span():
    question = Question("q", "?", answers=("3",))
    rows = scored("multihiertt", question, Prediction("q", program="add(1,2), add(x,1)"))
    assert values(rows, *BOTH) == ((0, "no_match"), (0, "invalid_program"))


def test_a_computed_answer_to_a_span_is_another_answer():
    rows = scored("multihiertt", SPAN, Prediction("q", program="add(1,2)"))
    assert values(rows, *BOTH) == ((0, "no_match"), (0, "different"))


@pytest.mark.parametrize("benchmark", ["finqa", "tatqa", "multihiertt", "financebench", "finder"])
def test_a_system_that_says_nothing_scores_nothing(benchmark):
    rows = scored(benchmark, PROGRAM, Prediction("q"))
    assert list(rows) == metrics_of(benchmark)
    labels = {("correct", "official"), ("incorrect", "official"), ("refusal", "official")}
    # Its gold is a figure, not a wording, and has no checks.
    apart = {
        *labels,
        ("wording_agreement", "strict"),
        *(
            (metric, mode)
            for metric, mode in metrics_of(benchmark)
            if metric.startswith("criteria")
        ),
    }
    found = {(row["value"], row["verdict"]) for key, row in rows.items() if key not in apart}
    assert found == {(0, "no_answer")}
    # A label is what a person gave; silence is none, and least of all an answer that is not wrong.
    assert {rows[key]["verdict"] for key in labels & rows.keys()} <= {"no_label"}


def test_what_cannot_be_measured_is_told_by_the_gold_alone():
    asked = [
        Question("open", "Why?", is_answerable=False, answers=("none",)),
        Question("words", "Why?", answers=("because of rain",)),
        Question("figure", "How much?", answers=("$ 5 million",)),
        Question("bare", "How much?"),
    ]
    table = pa.Table.from_pylist([{"benchmark": "finder", **vars(each)} for each in asked])
    found = check_benchmark_gold(table)
    assert found.schema == FAULT_SCHEMA
    told = [(row["question_id"], row["metric"], row["verdict"]) for row in found.to_pylist()]
    assert {verdict for _, metric, verdict in told if metric.startswith("criteria")} == {
        "gold_has_no_criteria"
    }
    assert [one for one in told if not one[1].startswith("criteria")] == [
        ("open", "contain_match", "gold_unanswerable"),
        ("open", "numeric_agreement", "gold_unanswerable"),
        ("open", "wording_agreement", "gold_unanswerable"),
        ("words", "numeric_agreement", "gold_is_no_figure"),
        ("figure", "wording_agreement", "gold_is_figure"),
        ("bare", "contain_match", "gold_missing"),
        ("bare", "numeric_agreement", "gold_missing"),
        ("bare", "wording_agreement", "gold_missing"),
    ]


HOSTILE = [
    "{",
    "NaN",
    "-Infinity",
    '{"a": 1}',
    '[["a"]]',
    "9" * 5000,
    "[" * 5000 + "]" * 5000,
    json.dumps("x" * (MAX_ANSWER + 1)),
]


@pytest.mark.parametrize("answer", HOSTILE, ids=range(len(HOSTILE)))
def test_words_that_cannot_be_read_score_nothing(answer):
    rows = scored("finder", FILED, Prediction("q", answer=answer))
    assert values(rows, CONTAINS, AGREES) == ((0, "unreadable_answer"), (0, "unreadable_answer"))


NASTY = [
    *HOSTILE,
    '"\\ud800 5"',
    '[1, null, "a"]',
    "true",
    "1e400",
    '"' + "(" * 9000 + '"',
    '"' + "1 " * 9000 + '"',
    "[" + ",".join(['"a"'] * 3000) + "]",
]


@pytest.mark.parametrize("benchmark", ["finqa", "tatqa", "multihiertt", "financebench", "finder"])
@pytest.mark.parametrize("answer", NASTY, ids=range(len(NASTY)))
def test_no_answer_raises_and_each_has_all_metrics_of_its_set(benchmark, answer):
    rows = scored(benchmark, PROGRAM, Prediction("q", answer=answer, scale="bushels"))
    assert set(rows) == set(metrics_of(benchmark))


@pytest.mark.parametrize("benchmark", ["finqa", "convfinqa", "multihiertt"])
@pytest.mark.parametrize(
    "program",
    [
        "",
        ")",
        "add(",
        "add(1, 2",
        "#9",
        "exp(9, 9999)",
        "exp(-8, 0.5)",
        "const_x",
        "add(#0, #0)",
        "x" * 6000,
    ],
)
def test_no_program_raises(benchmark, program):
    rows = scored(benchmark, PROGRAM, Prediction("q", answer='"5"', program=program))
    assert set(rows) == set(metrics_of(benchmark))


def test_half_a_character_does_not_break_the_table():
    rows = scored(
        "tatqa",
        Question("q", "?", answers=("5",), answer_type="arithmetic"),
        Prediction("q", answer='[["\\ud800"]]'),
    )
    assert rows["em", "strict"]["verdict"] == "unreadable_answer"


def test_the_configuration_stays_with_the_score():
    rows = scored("finder", FILED, Prediction("q", answer='"x"', configuration="oracle"))
    assert rows[CONTAINS]["configuration"] == "oracle"


LEVEL_CHECKS = [
    {"text": "“Quillmark Foods”"},
    {"text": "2022"},
    {"text": "-$45 million", "is_dealbreaker": True},
]
CHANGE_CHECKS = [
    {"text": "“Quillmark Foods”"},
    {"text": "2021"},
    {"text": "2022"},
    {"text": "Down by $3,000,000", "is_dealbreaker": True},
    {"text": "It decreased.", "is_dealbreaker": True},
]
CAUSE_CHECKS = [
    {"text": "“Quillmark Foods”"},
    {"text": "2022"},
    {"text": "lower prices of tinplate from Ostler", "is_dealbreaker": True},
]
CITED = "2022; Quillmark Foods"
BOTH_CITED = "2021; 2022; Quillmark Foods"


@pytest.mark.parametrize(
    ("checks", "answer", "sources", "expected"),
    [
        (LEVEL_CHECKS, "-$45 million", CITED, (1, 1, 1)),
        (LEVEL_CHECKS, "Quillmark Foods lost $(45) million in 2022.", None, (1, 1, 1)),
        # Another year's figure, a gain for a loss, and the same figure of another company.
        (LEVEL_CHECKS, "-$41 million", CITED, (2 / 3, 0, 0)),
        (LEVEL_CHECKS, "$45 million", CITED, (2 / 3, 0, 0)),
        (LEVEL_CHECKS, "-$45 million", "2022; Tarn Hollow Rail", (2 / 3, 2 / 3, 0)),
        (LEVEL_CHECKS, "-$45 million", "2020; Quillmark Foods", (2 / 3, 2 / 3, 0)),
        # Neither named nor cited: whose figure it is cannot be seen, and the year is open.
        (LEVEL_CHECKS, "-$45 million", None, (0.5, 0.5, 0)),
        # It says another year than it cites; it is one of four; it is what it was not.
        (LEVEL_CHECKS, "-$45 million in 2019", CITED, (2 / 3, 2 / 3, 0)),
        (LEVEL_CHECKS, "-$1 million, -$45 million or -$9 million", CITED, (2 / 3, 0, 0)),
        (LEVEL_CHECKS, "It was not -$45 million.", CITED, (2 / 3, 0, 0)),
        (CHANGE_CHECKS, "Down by $3 million, from $7 to $4 million.", BOTH_CITED, (1, 1, 1)),
        (CHANGE_CHECKS, "Up by $3 million, from $4 to $7 million.", BOTH_CITED, (0.8, 0, 0)),
        (CHANGE_CHECKS, "Down by $5 million.", BOTH_CITED, (0.8, 0, 0)),
        (CAUSE_CHECKS, "lower prices of tinplate from Ostler", CITED, (1, 1, 1)),
        (CAUSE_CHECKS, "a term loan from Firelands", CITED, (2 / 3, 0, 0)),
        (CAUSE_CHECKS, "Ostler sold tinplate for less", CITED, (1, None, None)),
    ],
)
def test_an_answer_on_filings_is_checked_with_what_it_cites(checks, answer, sources, expected):
    question = {
        "benchmark": "p3",
        **vars(Question("q", "?")),
        "original_fields": json.dumps({"criteria": checks}),
    }
    given = {
        **{"benchmark": "p3", "system_id": "s", "sources": sources},
        **vars(Prediction("q", json.dumps(answer))),
    }
    found = by_set.score_benchmark_answers(
        *(pa.Table.from_pylist([row]) for row in (question, given)),
        _table(records._PASSAGE, [], "benchmark"),
    )

    rows = {row["metric"]: row["value"] for row in found.to_pylist()}
    assert list(rows) == ["criteria_met", "criteria_credit", "criteria_passed"]
    assert tuple(rows.values()) == (
        pytest.approx(expected[0]),
        expected[1] if expected[1] is None else pytest.approx(expected[1]),
        expected[2],
    )
