"""Predicted page references meet gold ones: names in any dress, pages one off, each once."""

import itertools
import random

import pyarrow as pa
import pytest

from finrag.sources.benchmarks.references import (
    RESOLVED_SCHEMA,
    Reference,
    document_key,
    match_references,
    resolve_documents,
)


def pages(*numbers, document="a.pdf"):
    return [Reference(document, number) for number in numbers]


@pytest.mark.parametrize(
    ("predicted", "gold", "pairs"),
    [
        ((1, 2), (2, 3), [(0, 0), (1, 1)]),
        ((2, 1), (2, 3), [(1, 0), (0, 1)]),
        ((2,), (1, 3), [(0, 0)]),
        ((1, 3), (2,), [(0, 0)]),
        ((1, 2, 3), (2,), [(1, 0)]),
        ((5, 5), (5,), [(0, 0)]),
        ((5,), (5, 5), [(0, 0)]),
        ((5, 5), (5, 5), [(0, 0), (1, 1)]),
        ((1,), (3,), []),
        ((1, 2, 3, 4), (2, 3, 4, 5), [(0, 0), (1, 1), (2, 2), (3, 3)]),
        ((4, 7), (3, 5, 7), [(0, 0), (1, 2)]),
        ((), (1,), []),
        ((1,), (), []),
    ],
)
def test_the_matching_with_most_pairs_and_least_distance_is_taken(predicted, gold, pairs):
    assert list(match_references(pages(*predicted), pages(*gold))) == pairs


def test_no_matching_is_larger_or_nearer():
    drawn = random.Random(3)
    for _ in range(300):
        predicted = [drawn.randint(0, 6) for _ in range(drawn.randint(0, 4))]
        gold = [drawn.randint(0, 6) for _ in range(drawn.randint(0, 4))]
        found = match_references(pages(*predicted), pages(*gold))
        distance = sum(abs(predicted[i] - gold[j]) for i, j in found)
        assert (len(found), -distance) == best_by_trying(predicted, gold)


def best_by_trying(predicted, gold):
    best = (0, 0)
    padded = [*range(len(gold)), *[None] * len(predicted)]
    for order in set(itertools.permutations(padded, len(predicted))):
        gaps = [
            abs(page - gold[place])
            for page, place in zip(predicted, order, strict=True)
            if place is not None and abs(page - gold[place]) <= 1
        ]
        best = max(best, (len(gaps), -sum(gaps)))
    return best


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("Risk (Rossi 2020).pdf", "docs/risk (rossi 2020).PDF", True),
        ("ACME_2020-10K.html", "acme 2020 10k", True),
        ("C:\\files\\a b.pdf", "a_b", True),
        ("calls.txt.gz", "Calls", True),
        ("Risk (Rossi 2020).pdf", "Risk (Rossi 2021).pdf", False),
        ("Risk (Rossi 2020).pdf", "Risk.pdf", False),
        ("ACME 2020 Q1.5", "ACME 2020 Q1", False),
    ],
)
def test_names_agree_after_normalising(one, other, agree):
    assert (document_key(one) == document_key(other)) is agree


def test_pages_of_other_documents_do_not_match():
    assert match_references(pages(1, document="a"), pages(1, document="b")) == ()


@pytest.mark.parametrize(
    ("predicted", "gold", "pairs"),
    [
        ((7,), (None,), ((0, 0),)),
        ((None,), (7,), ()),
        ((None,), (None,), ((0, 0),)),
        ((7, 8), (None, 8), ((0, 0), (1, 1))),
    ],
)
def test_a_gold_document_without_a_page_takes_what_is_left(predicted, gold, pairs):
    assert match_references(pages(*predicted), pages(*gold)) == pairs


def test_the_tolerance_is_not_negative():
    with pytest.raises(ValueError, match="tolerance"):
        match_references([], [], tolerance=-1)


TITLES = ["Q1 2023 Acme Inc. Earnings Call.pdf", "Q1 2022 Acme Inc. Earnings Call.pdf", "b.pdf"]


def named_documents(*rows, field="document"):
    schema = pa.schema([("benchmark", pa.string()), (field, pa.string())])
    return pa.Table.from_pylist(
        [{"benchmark": benchmark, field: name} for benchmark, name in rows], schema
    )


@pytest.mark.parametrize(
    ("name", "document_id", "n_documents"),
    [
        ("b.pdf", "b.pdf", 1),
        ("B", "b.pdf", 1),
        ("Q1 2023 Earning Call", TITLES[0], 1),
        ("Acme", None, 2),
        ("Q3 2023", None, 0),
        (" ", None, 0),
    ],
)
def test_a_named_document_is_one_that_was_loaded_or_none(name, document_id, n_documents):
    loaded = named_documents(*(("s", title) for title in TITLES), field="document_id")
    found = resolve_documents(named_documents(("s", name)), loaded, in_words=True)
    assert found.schema == RESOLVED_SCHEMA
    assert [tuple(row.values()) for row in found.to_pylist()] == [
        ("s", name, document_id, n_documents)
    ]


def test_words_alone_are_no_name_where_files_are_named():
    loaded = named_documents(("s", "3M_2018_10K.pdf"), field="document_id")
    named = named_documents(("s", "3m 2018 10k"), ("s", "3M_2018"))
    assert resolve_documents(named, loaded)["document_id"].to_pylist() == [None, "3M_2018_10K.pdf"]


def test_a_name_as_it_is_written_comes_before_names_like_it():
    loaded = named_documents(("s", "a.pdf"), ("s", "a.html"), field="document_id")
    found = resolve_documents(named_documents(("s", "a.pdf"), ("s", "a")), loaded)
    assert found["document_id"].to_pylist() == [None, "a.pdf"]


def test_documents_of_other_sets_are_not_meant():
    loaded = named_documents(("t", "a.pdf"), field="document_id")
    found = resolve_documents(named_documents(("s", "a.pdf"), ("t", "a")), loaded)
    assert found["document_id"].to_pylist() == [None, "a.pdf"]


def test_each_name_is_resolved_once_and_in_order():
    named = named_documents(("t", "b"), ("s", "b"), ("t", "a"), ("t", "b"), ("t", None))
    found = resolve_documents(named, named_documents(field="document_id"))
    assert [(row["benchmark"], row["document"]) for row in found.to_pylist()] == [
        ("s", "b"),
        ("t", "a"),
        ("t", "b"),
    ]
