"""Answers in a file, scored without a warehouse: nothing that is missing or torn may help."""

import csv
import json
import re

import pytest

from finrag.command.cli import main
from tests.warehouse.test_benchmarks import FINQA, TATQA, write_lines

RIGHT = [
    {"question_id": FINQA[0]["id"], "program": "subtract(1200, 1000), divide(#0, 1000)"},
    {"question_id": FINQA[2]["id"], "program": "add(300, const_1)"},
]
WRONG = {"question_id": FINQA[0]["id"], "program": "subtract(1000, 1200), divide(#0, 1000)"}


@pytest.fixture
def finqa(tmp_path, capsys):
    """Scores lines of answers to three questions of FinQA's shape; a fourth record is torn."""
    write_lines(tmp_path / "gold" / "finqa_dev.jsonl", FINQA)

    def score(rows):
        write_lines(tmp_path / "mine.jsonl", rows)
        arguments = ["score", "finqa", str(tmp_path / "mine.jsonl"), "--json"]
        assert main([*arguments, "--gold", str(tmp_path / "gold")]) == 0
        return json.loads(capsys.readouterr().out)

    return score


def execution(scored):
    """The summary of execution accuracy as the set's own evaluator has it."""
    (row,) = [
        row
        for row in scored["summaries"]
        if (row["metric"], row["mode"]) == ("execution_accuracy", "official")
    ]
    return row


def test_a_right_answer_scores_and_a_missing_one_counts_as_zero(finqa):
    scored = finqa(RIGHT)
    row = execution(scored)
    assert scored["outcomes"]["mine"] == {"answered": 2, "abstained": 0, "failed": 0, "not_run": 1}
    assert (row["n_asked"], row["n_evaluated"], row["n_not_run"]) == (3, 2, 1)
    assert (row["mean"], row["score"]) == (1.0, pytest.approx(2 / 3))
    assert row["score_low"] < 2 / 3 < row["score_high"] < 1


def test_leaving_out_a_question_that_one_gets_wrong_gains_nothing(finqa):
    with_wrong, without = execution(finqa([WRONG, RIGHT[1]])), execution(finqa(RIGHT[1:]))
    for name in ("score", "score_low", "score_high"):
        assert with_wrong[name] == without[name]
    assert without["mean"] > with_wrong["mean"]


def test_of_two_answers_the_first_one_counts(finqa):
    scored = finqa([WRONG, RIGHT[0], RIGHT[1]])
    assert scored["n_repeated"] == 1
    assert execution(scored)["score"] == pytest.approx(1 / 3)


@pytest.mark.parametrize("answer", [float("nan"), float("inf"), None, "", " "])
def test_an_answer_that_says_nothing_gains_nothing(finqa, answer):
    scored = finqa([*RIGHT, {"question_id": FINQA[1]["id"], "answer": answer}])
    assert execution(scored)["score"] == pytest.approx(2 / 3)
    assert {row["score"] for row in scored["summaries"] if row["metric"] == "contain_match"} <= {
        0.0,
        None,
    }


def test_records_that_cannot_be_used_are_named_and_change_no_score(finqa):
    scored = finqa([*RIGHT, {"question_id": "nobody-asked", "answer": "1"}, {"question_id": "x"}])
    assert [(row["line"], row["file"].endswith("mine.jsonl")) for row in scored["refused"]] == [
        (3, True),
        (4, True),
    ]
    assert "nobody-asked" in scored["refused"][0]["reason"]
    assert scored["refused"][1]["remedy"] == (
        "write answer (null where the system gave none), or ranking"
    )
    assert execution(scored)["score"] == execution(finqa(RIGHT))["score"]


def test_a_field_that_cannot_be_read_is_named_and_the_answer_is_scored(finqa):
    scored = finqa([{**RIGHT[0], "latency_ms": "fast"}, *RIGHT[1:]])
    (refused,) = scored["refused"]
    assert (refused["line"], "latency_ms" in refused["reason"]) == (1, True)
    assert execution(scored)["score"] == execution(finqa(RIGHT))["score"]


def test_the_table_shows_each_score_with_its_interval(tmp_path, capsys):
    write_lines(tmp_path / "gold" / "tatqa_dev.jsonl", [TATQA])
    answer = {"question_id": "loss", "answer": ["(5.2)"], "scale": "million", "system": "a\x1b[2J"}
    write_lines(tmp_path / "mine.jsonl", [answer])
    files = ["tatqa", str(tmp_path / "mine.jsonl"), "--gold", str(tmp_path / "gold")]

    assert main(["score", *files]) == 0
    shown = capsys.readouterr().out
    assert "em      official  1.000  [0.207, 1.000]  1 of 1" in shown
    assert "a?[2J: 1 answered" in shown
    assert main(["score", *files, "--csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert {row["metric"] for row in rows} == {"em", "f1", "scale"}
    assert {row["score"] for row in rows} == {"1.0"}


def test_a_file_of_the_set_may_have_any_name(tmp_path, capsys):
    write_lines(tmp_path / "dev.json", FINQA[:3])
    write_lines(tmp_path / "mine.jsonl", RIGHT)
    arguments = ["score", "finqa", str(tmp_path / "mine.jsonl"), "--gold"]
    assert main([*arguments, str(tmp_path / "dev.json")]) == 0
    assert "finqa: 3 questions" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["finqa", "no/such.jsonl"], "there is no file 'no/such.jsonl'"),
        (["finqua", "mine.jsonl"], "no file of the set finqua .* the sets are convfinqa"),
        (["tatqa", "mine.jsonl"], "no file of the set tatqa lies in gold; see --gold"),
        (["finqa", "strange.jsonl"], "strange.jsonl, line 1: no question of finqa has the id"),
        (["finqa", "torn.jsonl"], "torn.jsonl, line 1: .*"),
        (["finqa", "empty.jsonl"], "empty.jsonl, line 1: the file holds no record"),
    ],
)
def test_what_cannot_be_scored_is_said_in_one_sentence(
    tmp_path, capsys, monkeypatch, arguments, said
):
    write_lines(tmp_path / "gold" / "finqa_dev.jsonl", FINQA)
    write_lines(tmp_path / "mine.jsonl", RIGHT)
    write_lines(tmp_path / "strange.jsonl", [{"question_id": "else", "answer": "1"}])
    (tmp_path / "torn.jsonl").write_text('{"question_id": \n')
    (tmp_path / "empty.jsonl").touch()
    monkeypatch.chdir(tmp_path)

    assert main(["score", *arguments, "--gold", "gold"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert re.search(said, error), error
