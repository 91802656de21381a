"""Qrels and runs survive being written and read, and mean the same to trec_eval."""

import random

import pyarrow as pa
import pytest
import pytrec_eval

from finrag.publishing.trec import (
    QRELS_SCHEMA,
    RUN_SCHEMA,
    write_qrels,
    write_run,
)

MEASURES = {"map", "ndcg_cut.5,10", "P.5", "recall.5", "recip_rank"}


def qrels(*rows):
    return table(rows, QRELS_SCHEMA)


def run(*rows):
    return table(rows, RUN_SCHEMA)


def table(rows, schema):
    return pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema)


def rows(given):
    return sorted(tuple(row.values()) for row in given.to_pylist())


def nested(given):
    found = {}
    for question, passage, value in rows(given):
        found.setdefault(question, {})[passage] = value
    return found


def drawn(seed):
    random_ = random.Random(seed)
    questions = [f"q{number}" for number in range(6)]
    passages = [f"d{number}" for number in range(12)]
    judged = [
        (question, passage, random_.randint(-1, 3))
        for question in questions
        for passage in random_.sample(passages, 5)
    ]
    # A coarse grid makes ties, a fine one makes scores that need all their digits.
    ranked = [
        (question, passage, random_.choice([random_.randint(0, 2) / 2, random_.random() / 3]))
        for question in questions
        for passage in random_.sample(passages, 9)
    ]
    return qrels(*judged), run(*ranked)


@pytest.mark.parametrize("seed", range(5))
def test_metrics_are_the_same_before_and_after(tmp_path, seed):
    judged, ranked = drawn(seed)
    write_qrels(judged, tmp_path / "a.qrels")
    write_run(ranked, tmp_path / "a.run", "bm25")
    with (tmp_path / "a.qrels").open() as ours, (tmp_path / "a.run").open() as theirs:
        parsed = pytrec_eval.parse_qrel(ours), pytrec_eval.parse_run(theirs)
    assert parsed == (nested(judged), nested(ranked))
    before = pytrec_eval.RelevanceEvaluator(nested(judged), MEASURES).evaluate(nested(ranked))
    after = pytrec_eval.RelevanceEvaluator(parsed[0], MEASURES).evaluate(parsed[1])
    assert before == after


def test_ranks_follow_score_and_then_passage_downwards(tmp_path):
    ranked = run(("q2", "a", 1.0), ("q1", "a", 1.0), ("q1", "b", 1.0), ("q1", "c", 2.5))
    assert write_run(ranked, tmp_path / "a.run", "x") == 4
    assert (tmp_path / "a.run").read_text().splitlines() == [
        "q1 Q0 c 1 2.5 x",
        "q1 Q0 b 2 1.0 x",
        "q1 Q0 a 3 1.0 x",
        "q2 Q0 a 1 1.0 x",
    ]


def test_scores_are_printed_with_all_their_digits(tmp_path):
    write_run(run(("q", "d", 0.1 + 0.2)), tmp_path / "a.run", "x")
    assert "0.30000000000000004" in (tmp_path / "a.run").read_text()


def test_qrels_have_four_fields_in_order(tmp_path):
    assert write_qrels(qrels(("q2", "b", 0), ("q1", "d", 3)), tmp_path / "a") == 2
    assert (tmp_path / "a").read_text() == "q1 0 d 3\nq2 0 b 0\n"


@pytest.mark.parametrize("bad", ["two words", "tab\tbed", "", " edge", "line\nbreak", None])
@pytest.mark.parametrize("place", [0, 1])
def test_ids_with_white_space_are_refused(tmp_path, bad, place):
    row = ["q", "d", 1]
    row[place] = bad
    name = ("question_id", "passage_id")[place]
    with pytest.raises(ValueError, match=f"{name} is .* one word without white space"):
        write_qrels(qrels(row), tmp_path / "a")
    with pytest.raises(ValueError, match="white space"):
        write_run(run(row), tmp_path / "a", "x")
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("score", [float("nan"), float("inf"), None])
def test_scores_that_are_no_number_are_refused(tmp_path, score):
    with pytest.raises(ValueError, match="the score of d for q is"):
        write_run(run(("q", "d", score)), tmp_path / "a", "x")


def test_a_passage_twice_in_a_question_is_refused(tmp_path):
    with pytest.raises(ValueError, match="d occurs twice for q"):
        write_run(run(("q", "d", 1.0), ("q", "d", 2.0)), tmp_path / "a", "x")


def test_a_missing_column_is_named(tmp_path):
    with pytest.raises(ValueError, match="no grade"):
        write_qrels(qrels(("q", "d", 1)).drop_columns(["grade"]), tmp_path / "a")


def test_the_tag_is_one_word(tmp_path):
    with pytest.raises(ValueError, match="tag"):
        write_run(run(("q", "d", 1.0)), tmp_path / "a", "my system")
