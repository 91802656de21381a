"""What an answer cites, against what the gold names."""

import pyarrow as pa
import pytest

from finrag.scoring.citations import MATCH_SCHEMA, match_citations

TEXT, NUMBER = pa.string(), pa.int32()
PLACE = [("passage_id", TEXT), ("document_id", TEXT), ("document", TEXT), ("page", NUMBER)]
CITED = pa.schema([("system_id", TEXT), ("item_id", TEXT), ("place_id", TEXT), *PLACE])
GOLD = pa.schema([("item_id", TEXT), ("evidence_id", TEXT), *PLACE])


def page(document, number=None):
    return {"document_id": document, "page": number}


def away(document, number=None):
    """A page of a document that was not loaded."""
    return {"document": document, "page": number}


def passage(name, evidence=None):
    return {"passage_id": name, **({"evidence_id": evidence} if evidence else {})}


def matched(cited, gold):
    """Places and evidence that agree, each by its number in the list unless it has a name."""
    answer = {"system_id": "s", "item_id": "q"}
    pairs = match_citations(
        pa.Table.from_pylist(
            [{**answer, "place_id": str(i), **row} for i, row in enumerate(cited)], CITED
        ),
        pa.Table.from_pylist(
            [{"item_id": "q", "evidence_id": str(i), **row} for i, row in enumerate(gold)], GOLD
        ),
    )
    assert pairs.schema == MATCH_SCHEMA
    return {(row["place_id"], row["evidence_id"]) for row in pairs.to_pylist()}


@pytest.mark.parametrize(
    ("cited", "gold", "pairs"),
    [
        ([page("d", 4)], [page("d", 4)], {("0", "0")}),
        # One was loaded by each of these names; of what was not, names agree in any dress.
        ([page("2021/10K.pdf", 4)], [page("2020/10K.pdf", 4)], set()),
        ([away("X_10K.pdf", 4)], [away("x 10k", 4)], {("0", "0")}),
        ([away("d", 4)], [page("d", 4)], set()),
        ([page("d", 5)], [page("d", 4)], {("0", "0")}),
        ([page("d", 6)], [page("d", 4)], set()),
        ([page("e", 4)], [page("d", 4)], set()),
        # One cited page stands for one page of evidence, two for one are one right.
        ([page("d", 4)], [page("d", 3), page("d", 5)], {("0", "0")}),
        ([page("d", 3), page("d", 5)], [page("d", 4)], {("0", "0")}),
        ([passage("r"), passage("x")], [passage("r"), passage("s")], {("0", "0")}),
        ([page("d")], [page("d")], {("0", "0")}),
        ([page("d")], [page("d", 4)], set()),
        ([passage("r"), page("d", 1)], [passage("r"), page("d", 1)], {("0", "0"), ("1", "1")}),
        # Two sentences say the same; one sentence stands for two pieces.
        (
            [passage("r"), passage("s")],
            [passage("r", "one"), passage("s", "one"), passage("s", "two")],
            {("0", "one"), ("1", "one"), ("1", "two")},
        ),
        ([page("d", 4)], [], set()),
        ([], [page("d", 4)], set()),
    ],
)
def test_each_page_agrees_once_and_with_one_beside_it_and_a_passage_with_all_it_says(
    cited, gold, pairs
):
    assert matched(cited, gold) == pairs


def test_an_answer_is_matched_with_the_evidence_of_its_own_question():
    rows = [
        {"system_id": system, "item_id": item, "place_id": "r", "passage_id": "r"}
        for system, item in (("s", "q"), ("s", "other"), ("t", "q"))
    ]
    gold = [{"item_id": "q", "evidence_id": "r", "passage_id": "r"}]
    pairs = match_citations(
        pa.Table.from_pylist(rows, CITED), pa.Table.from_pylist(gold, GOLD)
    ).to_pylist()
    assert [(row["system_id"], row["item_id"]) for row in pairs] == [("s", "q"), ("t", "q")]
