"""What an answer cites, against what the set names."""

import pyarrow as pa
import pytest

from finrag.scoring.citations import METRICS, score_citations

TEXT, NUMBER, FLAG = pa.string(), pa.int32(), pa.bool_()
KEY = [("benchmark", TEXT), ("question_id", TEXT)]
PLACE = [("passage_id", TEXT), ("document_id", TEXT), ("document", TEXT), ("page", NUMBER)]
ANSWERS = pa.schema([*KEY, ("system_id", TEXT), ("is_citing", FLAG)])
CITED = pa.schema([*KEY, ("system_id", TEXT), *PLACE])
GOLD = pa.schema([*KEY, *PLACE])


def page(document, number=None):
    return {"document_id": document, "page": number}


def away(document, number=None):
    """A page of a document that was not loaded."""
    return {"document": document, "page": number}


def passage(name):
    return {"passage_id": name}


def scored(cited, gold, is_citing=True):
    key = {"benchmark": "b", "question_id": "q"}
    answer = {**key, "system_id": "s", "is_citing": is_citing}
    rows = score_citations(
        pa.Table.from_pylist([answer], ANSWERS),
        pa.Table.from_pylist([{**key, "system_id": "s", **place} for place in cited], CITED),
        pa.Table.from_pylist([{**key, **place} for place in gold], GOLD),
    ).to_pylist()
    assert [row["metric"] for row in rows] == (list(METRICS) if rows else [])
    return [row["value"] for row in rows], {row["verdict"] for row in rows}


@pytest.mark.parametrize(
    ("cited", "gold", "values"),
    [
        ([page("d", 4)], [page("d", 4)], [1, 1, 1]),
        # One was loaded by each of these names; of what was not, names agree in any dress.
        ([page("2021/10K.pdf", 4)], [page("2020/10K.pdf", 4)], [1, 0, 0]),
        ([away("X_10K.pdf", 4)], [away("x 10k", 4)], [1, 1, 1]),
        ([away("d", 4)], [page("d", 4)], [1, 0, 0]),
        ([page("d", 5)], [page("d", 4)], [1, 1, 1]),
        ([page("d", 6)], [page("d", 4)], [1, 0, 0]),
        ([page("e", 4)], [page("d", 4)], [1, 0, 0]),
        # One cited page stands for one page of evidence, two for one are one right.
        ([page("d", 4)], [page("d", 3), page("d", 5)], [1, 1, 0.5]),
        ([page("d", 3), page("d", 5)], [page("d", 4)], [1, 0.5, 1]),
        ([passage("r"), passage("x")], [passage("r"), passage("s")], [1, 0.5, 0.5]),
        ([page("d")], [page("d")], [1, 1, 1]),
        ([page("d")], [page("d", 4)], [1, 0, 0]),
        ([passage("r"), page("d", 1)], [passage("r"), page("d", 1)], [1, 1, 1]),
        ([], [page("d", 4)], [0, 0, 0]),
    ],
)
def test_each_place_agrees_once_and_a_page_with_one_beside_it(cited, gold, values):
    assert scored(cited, gold)[0] == values


def test_without_evidence_nothing_can_be_said():
    assert scored([page("d", 1)], []) == ([None, None, None], {"gold_missing"})


def test_a_system_that_never_says_what_it_rests_on_is_not_scored():
    assert scored([], [page("d", 4)], is_citing=False) == ([], set())


def test_a_system_that_cites_owes_it_for_every_answer():
    answers = pa.Table.from_pylist(
        [
            {"benchmark": "b", "question_id": "q", "system_id": "s", "is_citing": True},
            {"benchmark": "b", "question_id": "r", "system_id": "s", "is_citing": False},
            {"benchmark": "b", "question_id": "r", "system_id": "t", "is_citing": False},
            {"benchmark": "c", "question_id": "r", "system_id": "s", "is_citing": False},
        ],
        ANSWERS,
    )
    gold = pa.Table.from_pylist(
        [{"benchmark": "b", "question_id": name, **page("d", 1)} for name in ("q", "r")], GOLD
    )
    rows = score_citations(answers, CITED.empty_table(), gold).to_pylist()
    assert [(row["question_id"], row["value"]) for row in rows] == [("q", 0)] * 3 + [("r", 0)] * 3
