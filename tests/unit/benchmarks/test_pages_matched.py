"""The model that matches pages finds as many pairs as the library does, at every cut-off."""

import random
import re
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from finrag.text.references import Reference, match_references

MODEL = Path(__file__).parents[3] / "models/metrics/int_pages_matched.sql"
CUTOFFS = (1, 3, 5, 10)


def draw_cases(number):
    """Return lists of (document, page) by item: the evidence, and the pages in ranked order."""
    drawn = random.Random(7)
    places = [(document, page) for document in ("a", "b") for page in range(9)]
    return {
        f"item {case}": (
            drawn.sample(places, drawn.randint(1, 7)),
            drawn.sample(places, drawn.randint(0, 12)),
        )
        for case in range(number)
    }


@pytest.fixture(scope="module")
def cases():
    return draw_cases(1000)


@pytest.fixture(scope="module")
def found(cases):
    """Run the model over the cases: (pages of evidence, matched) by item searched and cut-off."""
    connection = duckdb.connect()
    connection.register("given_passages", passages_of(cases))
    connection.register("given_judgments", judgments_of(cases))
    connection.register("given_rankings", rankings_of(cases))
    metrics = [{"metric": "evidence_recall_near", "k": k} for k in CUTOFFS]
    connection.register("given_metric_catalogue", pa.Table.from_pylist(metrics))
    text = re.sub(r"\{#.*?#\}", "", MODEL.read_text(), flags=re.DOTALL)
    query = re.sub(r"\{\{ ref\('(\w+)'\) \}\}", r"given_\1", text)
    rows = connection.execute(f"select item_id, k, n_pages, n_matched from ({query})").fetchall()
    return {(item, k): (n_pages, n_matched) for item, k, n_pages, n_matched in rows}


def passages_of(cases):
    places = {place for lists in cases.values() for pages in lists for place in pages}
    return pa.Table.from_pylist(
        [
            {"corpus_id": "s", "passage_id": f"{name}{page}", "document_id": name, "page": page}
            for name, page in sorted(places)
        ]
    )


def judgments_of(cases):
    return pa.Table.from_pylist(
        [
            {
                "item_id": item,
                "unit": "page",
                "evidence_id": f"{name}{page}",
                "grade": 1,
                "mapping": "mapped",
            }
            for item, (gold, _) in cases.items()
            for name, page in gold
        ]
    )


def rankings_of(cases):
    return pa.Table.from_pylist(
        [
            {
                "system_id": "one",
                "item_id": item,
                "unit": "page",
                "rank": rank,
                "passage_id": f"{name}{page}",
            }
            for item, (_, ranked) in cases.items()
            for rank, (name, page) in enumerate(ranked, start=1)
        ]
    )


def test_no_matching_of_pages_is_larger(cases, found):
    assert found == {
        (item, k): (len(gold), len(match_references(named(ranked[:k]), named(gold))))
        for item, (gold, ranked) in cases.items()
        for k in CUTOFFS
        if ranked
    }


def named(places):
    return [Reference(name, page) for name, page in places]


def test_taking_the_nearest_page_first_would_not_do(cases):
    """Some drawn cases need what a search by rank misses, so that the test above can fail."""
    assert any(
        greedy(ranked, gold) < len(match_references(named(ranked), named(gold)))
        for gold, ranked in cases.values()
    )


def greedy(ranked, gold):
    left = sorted(gold)
    for name, page in ranked:
        near = [place for place in left if place[0] == name and abs(place[1] - page) <= 1]
        if near:
            left.remove(min(near, key=lambda place: (abs(place[1] - page), place)))
    return len(gold) - len(left)
