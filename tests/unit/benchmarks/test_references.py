"""Predicted page references meet gold ones: names in any dress, pages one off, each once."""

import itertools
import random

import pytest

from finrag.text.references import (
    Reference,
    document_key,
    match_references,
    name_words,
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


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Q1 2023 Acme Inc. Earnings Call.pdf", ["2023", "acme", "call", "earning", "inc", "q1"]),
        ("Earning Calls for Q1_2023", ["2023", "call", "earning", "for", "q1"]),
        ("gas/BUS.pdf", ["bus"]),
        (" ", []),
    ],
)
def test_a_name_is_told_by_its_words_plural_or_not(name, words):
    assert name_words(name) == words
