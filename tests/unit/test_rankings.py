"""Values of rankings: evidence, anchors, repeats, ties, statuses, qrels, cells and pages."""

from itertools import permutations
from math import log2
from random import Random
from statistics import mean

import pyarrow as pa
import pytest

from finrag.metrics.catalogue import read_metrics
from finrag.metrics.ranking import RANKING_SCHEMA, RULES, score_rankings
from tests.unit.ranked_tables import (
    asked,
    in_order,
    judged,
    metric,
    official,
    ranked,
    tables,
    values,
)

BY_LIST = ("system_id", "item_id", "metric", "k", "unit", "mode")


def figures(*args, **others):
    """Values by item, metric and cut-off, without their status."""
    return {key: row[1:] for key, row in values(tables(*args, **others)).items()}


def first_values(*args, **others):
    """The values as returned."""
    return {key: row[0] for key, row in figures(*args, **others).items()}


# --- what counts -------------------------------------------------------------------------------


def test_gain_is_linear_and_the_ideal_runs_over_all_evidence():
    """Grades 1, 3, 2 at ranks 2 to 4; another of grade 3 was not found; 0 and -1 gain nothing."""
    grades = {"a": 1, "b": 3, "c": 2, "lost": 3, "nothing": 0, "wrong": -1}
    found = first_values(
        [metric("ndcg", 1), metric("ndcg", 3), metric("ndcg", 5)],
        in_order("q", ["wrong", "a", "b", "c", "nothing"]),
        judged("q", grades),
    )
    ideal = 3 + 3 / log2(3) + 2 / log2(4) + 1 / log2(5)
    assert found["q", "ndcg", 1] == 0
    assert found["q", "ndcg", 3] == pytest.approx(
        (1 / log2(3) + 3 / 2) / (3 + 3 / log2(3) + 2 / log2(4)), abs=1e-12
    )
    assert found["q", "ndcg", 5] == pytest.approx(
        (1 / log2(3) + 3 / 2 + 2 / log2(5)) / ideal, abs=1e-12
    )


def test_a_perfect_order_has_a_gain_of_exactly_one():
    grades = {f"p{place}": 1 + place % 3 for place in range(9)}
    best = sorted(grades, key=lambda passage: -grades[passage])
    catalogue = [metric("ndcg", k) for k in (1, 3, 5, 10)]
    assert set(first_values(catalogue, in_order("q", best), judged("q", grades)).values()) == {1.0}


def test_cut_offs_bound_what_counts():
    """Relevant at ranks 2, 3 and 6 of four pieces; precision divides by k, however few came."""
    catalogue = [
        *(metric(name, k) for name in ("hit", "mrr", "precision", "recall") for k in (1, 2, 3, 10)),
        *(metric("map"), metric("context_precision", 3), metric("context_precision", 1)),
    ]
    found = first_values(
        catalogue,
        in_order("q", ["x", "a", "b", "y", "z", "c"]),
        judged("q", dict.fromkeys(("a", "b", "c", "lost"), 1)),
    )
    of = {name: [found["q", name, k] for k in (1, 2, 3, 10)] for name in ("hit", "mrr", "recall")}
    assert of == {
        "hit": [0, 1, 1, 1],
        "mrr": [0, 0.5, 0.5, 0.5],
        "recall": [0, 0.25, 0.5, 0.75],
    }
    assert [found["q", "precision", k] for k in (1, 2, 3, 10)] == [0, 0.5, 2 / 3, 0.3]
    assert found["q", "map", 0] == pytest.approx((1 / 2 + 2 / 3 + 3 / 6) / 4, abs=1e-15)
    assert found["q", "context_precision", 3] == pytest.approx((1 / 2 + 2 / 3) / 2, abs=1e-15)
    assert found["q", "context_precision", 1] == 0


def test_a_later_passage_of_found_evidence_leaves_the_list():
    """b and d repeat a, so c is second, f third; f has grade 3 of its own beside what a held."""
    gold = {
        **{("x", passage): 1 for passage in "abdf"},
        **{("y", "f"): 3, ("z", "g"): 1},
    }
    catalogue = [metric("recall", 2), metric("recall", 3), metric("map"), metric("ndcg", 3)]
    found = first_values(catalogue, in_order("q", list("abcdfg")), judged("q", gold))
    assert found["q", "recall", 2] == pytest.approx(1 / 3)
    assert found["q", "recall", 3] == pytest.approx(2 / 3)
    assert found["q", "map", 0] == pytest.approx((1 + 2 / 3 + 3 / 4) / 3)
    assert found["q", "ndcg", 3] == pytest.approx((1 + 3 / 2) / (3 + 1 / log2(3) + 1 / 2))


def test_repeats_leave_their_ties():
    """Of three passages in a tie one repeats: two are left, and the second may be first of them."""
    given = ranked("q", [("a", 0.9), ("b", 0.5), ("c", 0.5), ("d", 0.5)])
    gold = judged("q", {("x", "a"): 1, ("x", "b"): 1, ("y", "d"): 1})
    _, best, worst, expected = figures([metric("recall", 2)], given, gold)["q", "recall", 2]
    assert (best, worst, expected) == (1, 0.5, 0.75)


def test_the_anchor_leaves_the_ranking_and_its_ties():
    """Of three in a tie two are left; the five behind go on unlisted; the anchor is no evidence."""
    given = ranked(
        "i",
        [("a", 0.9), ("me", 0.9), ("z", 0.9), ("b", 0.5), ("c", 0.2, 7), ("d", 0.2, 7)],
    )
    found = figures(
        [metric("mrr", 1), metric("mrr", 5), metric("map")],
        given,
        judged("i", {"z": 1, "b": -1, "d": 1, "me": 1}),
        anchors={"i": ("me", "text")},
    )
    assert found["i", "mrr", 5] == (0.5, 1, 0.5, 0.75)
    assert found["i", "mrr", 1] == (0, 1, 0, 0.5)
    by_id, best, worst, _ = found["i", "map", 0]
    assert by_id == pytest.approx((1 / 2 + 2 / 5) / 3)
    assert best == pytest.approx((1 / 1 + 2 / 4) / 3)
    assert worst == pytest.approx((1 / 2 + 2 / 10) / 3)


def test_an_anchor_above_is_taken_out_of_the_ranks_below_alone():
    found = first_values(
        [metric("mrr", 30)],
        [*in_order("i", ["me", "x", "a"]), *in_order("j", ["a", "me"])],
        [*judged("i", {"a": 1}), *judged("j", {"a": 1})],
        anchors={"i": ("me", "t"), "j": ("me", "t")},
    )
    assert found == {("i", "mrr", 30): 0.5, ("j", "mrr", 30): 1}


def test_a_ranking_of_anchors_without_scores_has_no_ties():
    given = ranked("i", [("me", None), ("x", None), ("a", None)])
    gold = judged("i", {"a": 1})
    found = figures([metric("mrr", 5)], given, gold, anchors={"i": ("me", "t")})
    assert found["i", "mrr", 5] == (0.5, 0.5, 0.5, 0.5)


def test_the_first_rank_is_that_of_the_first_passage_that_counts():
    """Without the anchor; in a list of its own kind; none where nothing counts."""
    given = tables(
        [metric("hit", 1), metric("hit", 1, unit="row")],
        [
            *in_order("i", ["x", "me", "y", "a", "b"]),
            *in_order("q", ["x", "y"]),
            *in_order("q", ["r", "x"], unit="row"),
        ],
        [*judged("i", {"a": 1, "b": 1, "x": 0}), *judged("q", {"x": 1}, unit="row")],
        anchors={"i": ("me", "t")},
    )
    rows = score_rankings(**given).to_pylist()
    first = {(row["item_id"], row["unit"]): row["first_rank"] for row in rows}
    assert first == {("i", "sentence"): 3, ("q", "sentence"): None, ("q", "row"): 2}


# --- ties --------------------------------------------------------------------------------------


def test_ties_fall_at_best_first_and_at_worst_behind_all():
    """High grades first; at worst behind the whole tie, of which three are not listed."""
    given = ranked("q", [("a", 1), ("b", 1), ("c", 1), ("d", 0.5, 5), ("e", 0.5, 5)])
    gold = judged("q", {"b": 1, "c": 3, "e": 2})
    catalogue = [metric("map"), metric("ndcg", 3), metric("recall", 4)]
    found = figures(catalogue, given, gold)
    ideal = 3 + 2 / log2(3) + 1 / 2
    average = found["q", "map", 0][:3]
    assert average == pytest.approx(
        ((1 / 2 + 2 / 3 + 3 / 5) / 3, (1 + 1 + 3 / 4) / 3, (1 / 2 + 2 / 3 + 3 / 8) / 3)
    )
    gain = found["q", "ndcg", 3][:3]
    assert gain == pytest.approx(
        (
            (1 / log2(3) + 3 / 2) / ideal,
            (3 + 1 / log2(3)) / ideal,
            (1 / log2(3) + 3 / 2) / ideal,
        )
    )
    assert found["q", "recall", 4] == pytest.approx((2 / 3, 1, 2 / 3, (2 + 1 / 5) / 3))


def over_all_orders(groups, grades, measure):
    """Least, mean and greatest figure over every order of the ties."""
    orders = [()]
    for group in groups:
        orders = [head + tail for head in orders for tail in permutations(group)]
    found = [measure([grades.get(name, 0) for name in order]) for order in orders]
    return min(found), mean(found), max(found)


def measures(k, n_relevant, ideal):
    """Figures of a list of grades within k, written out."""

    def inside(grades):
        return [(rank, grade) for rank, grade in enumerate(grades[:k], 1) if grade > 0]

    return {
        "hit": lambda grades: float(bool(inside(grades))),
        "mrr": lambda grades: 1 / inside(grades)[0][0] if inside(grades) else 0.0,
        "precision": lambda grades: len(inside(grades)) / k,
        "recall": lambda grades: len(inside(grades)) / n_relevant,
        "ndcg": lambda grades: (
            sum(grade / log2(rank + 1) for rank, grade in inside(grades)) / ideal
        ),
    }


def drawn_lists(seed, n_lists):
    """Lists of ties, some of which go on unlisted, with grades: (groups, grades)."""
    drawn = Random(seed)
    for _ in range(n_lists):
        names = iter(f"p{number}" for number in range(20))
        sizes = [drawn.choice((1, 1, 2, 3)) for _ in range(drawn.randint(1, 3))]
        groups = [[next(names) for _ in range(size)] for size in sizes]
        flat = [name for group in groups for name in group]
        grades = {name: drawn.choice((1, 1, 2, 3)) for name in flat if drawn.random() < 0.4}
        grades["lost"] = 2
        unlisted = drawn.randint(0, 1)
        yield groups, unlisted, grades


def test_bounds_and_averages_are_those_over_every_order_of_the_ties():
    cuts = (1, 2, 3, 5)
    names = ("hit", "mrr", "precision", "recall", "ndcg")
    lists = dict(enumerate(drawn_lists(3, 60)))
    rankings, gold = [], []
    for number, (groups, unlisted, grades) in lists.items():
        entries = [
            (name, 1.0 / place, len(group) + (unlisted if group is groups[-1] else 0))
            for place, group in enumerate(groups, 1)
            for name in group
        ]
        rankings += ranked(f"q{number}", entries)
        gold += judged(f"q{number}", grades)
    found = figures([metric(name, k) for name in names for k in cuts], rankings, gold)
    n_tied = 0
    for number, (groups, unlisted, grades) in lists.items():
        whole = [*groups[:-1], [*groups[-1], *(f"unlisted {n}" for n in range(unlisted))]]
        best = sorted(grades.values(), reverse=True)
        for k in cuts:
            ideal = sum(grade / log2(rank + 1) for rank, grade in enumerate(best[:k], 1))
            for name, measure in measures(k, len(grades), ideal).items():
                _, top, bottom, expected = found[f"q{number}", name, k]
                right = over_all_orders(whole, grades, measure)
                assert (bottom, expected, top) == pytest.approx(right, abs=1e-12), (number, name, k)
                n_tied += right[0] < right[2]
    assert n_tied > 200


def test_averages_stay_exact_in_ties_of_thousands():
    """2 of 5000 relevant, 10 places: missed with 4990/5000 * 4989/4999."""
    given = ranked("q", [("a", 1, 5_000), ("b", 1, 5_000)])
    found = figures([metric("hit", 10)], given, judged("q", {"a": 1, "b": 1}))
    missed = 4_990 / 5_000 * 4_989 / 4_999
    assert found["q", "hit", 10][3] == pytest.approx(1 - missed, abs=1e-15)


def test_scores_that_are_no_numbers_tie_with_each_other_and_with_nothing_else():
    given = ranked(
        "q",
        [("a", float("nan"), 1), ("b", float("nan"), 1), ("c", 0.5), ("d", None), ("e", None)],
    )
    found = figures(
        [metric("mrr", 5), metric("score_discrimination")], given, judged("q", {"b": 1, "e": 1})
    )
    assert found["q", "mrr", 5] == (0.5, 1, 0.5, 0.75)
    of_e = figures([metric("mrr", 5)], given, judged("q", {"e": 1}))
    assert of_e["q", "mrr", 5] == (0.2, 0.2, 0.2, 0.2)


def test_equal_scores_tie_wherever_they_stand():
    given = ranked("q", [("a", 1, 1), ("b", 2, 1), ("c", 1, 1)])
    assert figures([metric("mrr", 5)], given, judged("q", {"c": 1}))["q", "mrr", 5][1:] == (
        1,
        0.5,
        0.75,
    )


# --- pieces of evidence ------------------------------------------------------------------------


def test_evidence_is_found_with_the_first_of_its_alternatives():
    """z at rank 1. In the tie of five at ranks 2 to 6 x has two passages and y one: at worst x
    stands at 4 and y at 6. Within 3 both places miss x with 3/5 * 2/4, and y with 3/5."""
    given = ranked(
        "q",
        [("a", 2), *((name, 1) for name in "bcdef"), ("g", 0.5)],
    )
    gold = {
        **{("z", "a"): 1, ("z", "e"): 1, ("x", "b"): 1, ("x", "c"): 1},
        **{("y", "d"): 1, ("y", "g"): 1, ("w", "f"): 0},
    }
    catalogue = [
        *(metric("evidence_recall", k) for k in (1, 2, 3, 4, 5, 6)),
        *(metric("evidence_complete", k) for k in (3, 4, 6)),
    ]
    found = figures(catalogue, given, judged("q", gold))
    assert found["q", "evidence_recall", 1] == pytest.approx((1 / 3, 1 / 3, 1 / 3, 1 / 3))
    assert found["q", "evidence_recall", 3] == pytest.approx((2 / 3, 1, 1 / 3, 2.1 / 3))
    assert found["q", "evidence_recall", 4] == pytest.approx((1, 1, 2 / 3, (1 + 0.9 + 0.6) / 3))
    assert found["q", "evidence_recall", 5][:3] == pytest.approx((1, 1, 2 / 3))
    assert found["q", "evidence_recall", 6] == (1, 1, 1, 1)
    assert [found["q", "evidence_complete", k] for k in (3, 4, 6)] == [
        (0, 1, 0, None),
        (1, 1, 0, None),
        (1, 1, 1, None),
    ]


def test_the_order_that_was_returned_lies_within_the_bounds():
    """Two pieces that share some passages are counted as if they shared none: at worst x would
    come before where it is."""
    given = ranked("q", [("a", 1), ("b", 1), ("c", 1)])
    gold = {("x", "a"): 1, ("x", "b"): 1, ("y", "b"): 1, ("y", "c"): 1}
    catalogue = [metric("evidence_recall", k) for k in (1, 2, 3)]
    catalogue.append(metric("mrr", 3, unit="any", asked_of="public"))
    found = figures(catalogue, given, judged("q", gold), kinds={"set": "tables"})
    for by_id, best, worst, _ in found.values():
        assert worst <= by_id <= best
        assert worst >= 0


def test_evidence_is_looked_for_in_the_list_of_its_kind():
    """A cell through its row, two cells of a row at one place; an operand wherever it stands."""
    public = {"asked_of": "public"}
    catalogue = [
        *(metric("evidence_recall", k, unit, **public) for unit in ("cell", "row") for k in (1, 2)),
        *(metric("operands_retrieved", k, "any", **public) for k in (1, 2)),
        *(metric("hit", k, "any", **public) for k in (1, 2)),
        *(metric("mrr", 10, "any", **public), metric("evidence_recall", 3, "text", **public)),
    ]
    gold = [
        *judged("b:1", {("cell_1", "row"): 1, ("cell_2", "row"): 1, ("zero", "other"): 0}, "cell"),
        *judged("b:1", {("t", "text"): 3}, "text"),
        *judged("b:1", {("o", "row"): 1, ("o", "text"): 1, ("p", None): 1}, "any", "operand"),
        *judged("b:1", {("lost", None): 1}, "page"),
    ]
    rankings = [
        *in_order("b:1", ["other", "row"], unit="row"),
        *in_order("b:1", ["x", "y", "z", "text"], unit="text"),
    ]
    found = values(
        tables(catalogue, rankings, gold, kinds={"b": "public"}),
        ("unit", "metric", "k"),
    )
    assert {key: row[1] for key, row in found.items()} == {
        ("cell", "evidence_recall", 1): 0,
        ("cell", "evidence_recall", 2): 1,
        ("text", "evidence_recall", 3): 0,
        ("any", "operands_retrieved", 1): 0,
        ("any", "operands_retrieved", 2): 1,
        ("any", "hit", 1): 0,
        ("any", "hit", 2): 1,
        ("any", "mrr", 10): 0.5,
    }


def test_ties_in_any_list_bound_the_reciprocal_rank_over_all_lists():
    """Four pages tie from rank 1 on and one is evidence; the text at rank 2 ties with nothing. At
    best the page is first, at worst the text comes before it; nothing is expected of both."""
    gold = [*judged("b:1", {"p2": 1}, "page"), *judged("b:1", {"t": 1}, "text")]
    rankings = [
        *ranked("b:1", [(f"p{number}", 1) for number in range(1, 5)], unit="page"),
        *in_order("b:1", ["x", "t"], unit="text"),
    ]
    catalogue = [
        *(metric("mrr", 10, unit, asked_of="public") for unit in ("any", "page", "text")),
        *(metric("hit", 1, unit, asked_of="public") for unit in ("any",)),
    ]
    given = tables(catalogue, rankings, gold, kinds={"b": "public"})
    found = values(given, ("unit", "metric"))
    assert found["any", "mrr"][1:] == (0.5, 1, 0.5, None)
    assert found["page", "mrr"][1:4] == (0.5, 1, 0.25)
    assert found["text", "mrr"][1:4] == (0.5, 0.5, 0.5)
    assert found["any", "hit"][1:] == (0, 1, 0, None)


def test_alternatives_in_several_lists_have_the_bounds_of_the_best():
    """The operand is in a tie of two rows and alone at rank 2 of the texts."""
    gold = [
        *judged("b:1", {("o", "r2"): 1, ("o", "t"): 1}, "any", "operand"),
        *judged("b:1", {"t": 1}, "text"),
    ]
    rankings = [
        *ranked("b:1", [("r1", 1), ("r2", 1)], unit="row"),
        *in_order("b:1", ["x", "t"], unit="text"),
    ]
    catalogue = [metric("operands_retrieved", k, "any", asked_of="public") for k in (1, 2)]
    found = figures(catalogue, rankings, gold, kinds={"b": "public"})
    assert found["b:1", "operands_retrieved", 1] == (0, 1, 0, None)
    assert found["b:1", "operands_retrieved", 2] == (1, 1, 1, None)


# --- what is asked, and what came of it --------------------------------------------------------


def test_what_was_not_measured_has_no_value():
    """Without gold, failed and not run, though results lie about; what needs no gold has one."""
    catalogue = [
        metric("hit", 5),
        metric("self_at_1_strict", 1, asked_of="anchors", needs_gold=False),
        metric("evidence_recall", 5, asked_of="questions"),
    ]
    items = ("bare", "failed", "not_run", "empty")
    anchors = {item: (f"{item}_me", "t") for item in items}
    rankings = [row for item in items[:3] for row in in_order(item, [f"{item}_me", "a"])]
    gold = [row for item in items[1:] for row in judged(item, {"a": 1})]
    outcomes = [asked("failed", "failed"), asked("not_run", "not_run"), asked("empty")]
    found = values(tables(catalogue, rankings, gold, outcomes=outcomes, anchors=anchors))
    nothing = (None,) * 4
    assert found == {
        ("bare", "hit", 5): ("uncovered", *nothing),
        ("bare", "self_at_1_strict", 1): ("evaluated", 1, None, None, None),
        ("empty", "hit", 5): ("evaluated", 0, 0, 0, 0),
        ("empty", "self_at_1_strict", 1): ("evaluated", 0, None, None, None),
        ("failed", "hit", 5): ("failed", *nothing),
        ("failed", "self_at_1_strict", 1): ("failed", *nothing),
        ("not_run", "hit", 5): ("not_run", *nothing),
        ("not_run", "self_at_1_strict", 1): ("not_run", *nothing),
    }


def test_gold_that_is_not_positive_or_not_loaded_is_no_gold():
    gold = judged("q", {"a": 0, "b": -1, ("lost", None): 1})
    found = values(tables([metric("hit", 5), metric("mrr", 5)], in_order("q", ["a", "b"]), gold))
    assert {row[0] for row in found.values()} == {"uncovered"}


def test_metrics_are_asked_of_the_items_that_they_are_for():
    catalogue = [
        *(metric("hit", 1), metric("recall", 1, asked_of="questions")),
        *(metric("self_at_1_strict", 1, asked_of="anchors"),),
        *(metric("precision", 1, asked_of="public"), metric("hit", 1, "row", "questions")),
        *(metric("evidence_recall", 1, "row", "public"), metric("hit", 1, "any", "public")),
        *(metric("evidence_recall", 1, "row", "public", "official"),),
        *(metric("operands_retrieved", 1, "any", "public"), metric("mrr", 1, "row", "anchors")),
    ]
    gold = [row for item in ("f:1", "t:1") for row in judged(item, {"r": 1}, "row")]
    gold += judged("t:1", {("o", "r"): 1}, "any", "operand")
    items = ("a:1", "f:1", "t:1", "p:1")
    kinds = {"a": "anchors", "f": "filings", "t": "tables", "p": "public"}
    outcomes = [asked(item, unit=unit) for item in items for unit in ("sentence", "row")]
    found = values(
        tables(catalogue, [], gold, outcomes=outcomes, kinds=kinds),
        ("item_id", "unit", "metric"),
    )
    assert set(found) == {
        ("a:1", "sentence", "hit"),
        ("a:1", "sentence", "self_at_1_strict"),
        ("a:1", "row", "mrr"),
        ("f:1", "sentence", "hit"),
        ("f:1", "sentence", "recall"),
        ("f:1", "row", "hit"),
        ("t:1", "sentence", "hit"),
        ("t:1", "sentence", "recall"),
        ("t:1", "row", "hit"),
        ("t:1", "row", "evidence_recall"),
        ("t:1", "any", "hit"),
    }


def test_of_a_public_set_values_are_expected_for_the_kinds_that_it_names():
    """Found in part, found nowhere, nothing to find, and not searched are four things. A system of
    a file has the kinds that it ranks; an operand is expected where a program is."""
    catalogue = [
        *(metric("evidence_recall", 5, unit, "public") for unit in ("text", "cell", "turn")),
        *(metric("hit", 5, "any", "public"), metric("operands_retrieved", 5, "any", "public")),
        *(metric("hit", 5),),
    ]
    gold = [
        *judged("b:1", dict.fromkeys(("t", "u", "v", "w"), 1), "text"),
        *judged("b:1", {("o", "t"): 1, ("p", "t"): 1}, "any", "operand"),
        *judged("b:2", {("c", "row"): 1, ("d", None): 1}, "cell"),
    ]
    outcomes = [
        *(asked("b:2", "not_run", unit=unit) for unit in ("text", "row")),
        *(asked("b:1", unit="row"), asked("b:1", system="a_file", unit="row")),
        *(asked("b:2", "not_run", "a_file", "row"), asked("b:1", "failed", "theirs", "row")),
        *(asked("b:1", "failed", "half", "row"), asked("b:1", "ranked", "half", "text")),
        *(asked("b:1", "not_run", "broken", "row"), asked("b:1", "failed", "broken", "text")),
    ]
    systems = [
        {"system_id": "s", "system_kind": "dense"},
        {"system_id": "half", "system_kind": "dense"},
        {"system_id": "a_file", "system_kind": "external_file"},
        {"system_id": "theirs", "system_kind": "external_http"},
    ]
    found = values(
        tables(
            catalogue,
            in_order("b:1", ["t", "x"], unit="text"),
            gold,
            outcomes=outcomes,
            systems=systems,
            kinds={"b": "public"},
        ),
        BY_LIST,
    )
    short = {(*key[:3], key[4]): row[:2] for key, row in found.items()}
    assert {key: row for key, row in short.items() if key[0] == "s"} == {
        ("s", "b:1", "evidence_recall", "text"): ("evaluated", 0.25),
        ("s", "b:1", "evidence_recall", "cell"): ("uncovered", None),
        ("s", "b:1", "hit", "any"): ("evaluated", 1),
        ("s", "b:1", "operands_retrieved", "any"): ("evaluated", 1),
        ("s", "b:2", "evidence_recall", "text"): ("uncovered", None),
        ("s", "b:2", "evidence_recall", "cell"): ("not_run", None),
        ("s", "b:2", "hit", "any"): ("not_run", None),
    }
    assert {key: row for key, row in short.items() if key[0] == "a_file"} == {
        ("a_file", "b:1", "evidence_recall", "cell"): ("uncovered", None),
        ("a_file", "b:1", "hit", "any"): ("evaluated", 0),
        ("a_file", "b:1", "operands_retrieved", "any"): ("evaluated", 0),
        ("a_file", "b:2", "evidence_recall", "cell"): ("not_run", None),
        ("a_file", "b:2", "hit", "any"): ("not_run", None),
    }
    # One list that was returned is enough for evidence in whatever list.
    assert short["half", "b:1", "hit", "any"] == ("evaluated", 0)
    assert short["theirs", "b:1", "hit", "any"] == ("failed", None)
    assert short["broken", "b:1", "hit", "any"] == ("failed", None)
    assert ("theirs", "b:1", "evidence_recall", "text") not in short


def test_a_kind_that_was_not_loaded_is_not_run_and_a_set_without_evidence_asks_for_nothing():
    """Of a set whose pages were not loaded, pages are expected all the same."""
    catalogue = [metric("evidence_recall", 1, "page", "public"), metric("hit", 1, "any", "public")]
    gold = judged("b:1", {("p", None): 1}, "page")
    outcomes = [asked("b:1", unit="text"), asked("c:1", unit="text")]
    given = tables(catalogue, [], gold, outcomes=outcomes, kinds={"b": "public", "c": "public"})
    assert {key: row[0] for key, row in values(given, ("item_id", "unit")).items()} == {
        ("b:1", "page"): "uncovered",
        ("b:1", "any"): "uncovered",
    }
    gold += judged("b:2", {"q": 1}, "page")
    given = tables(
        catalogue,
        [],
        gold,
        outcomes=[asked("b:2", unit="text")],
        kinds={"b": "public"},
        systems=[{"system_id": "s", "system_kind": "dense"}],
    )
    assert values(given, ("item_id", "unit"))["b:2", "page"][0] == "not_run"


# --- qrels -------------------------------------------------------------------------------------


def qrels_catalogue(*names):
    return [metric(name, k, "text", "public", "official") for name, k in names]


def test_qrels_count_as_they_stand():
    """A document that was not loaded counts, evidence that the project maps does not. Qrels with
    nothing relevant give 0, and an item that no qrels name has no value."""
    catalogue = [
        *qrels_catalogue(("evidence_recall", 10), ("ndcg", 10), ("mrr", 10), ("map", 0)),
        *(metric("evidence_recall", 10, "text", "public"),),
        *(metric("ndcg", 10, "page", "public", "official"),),
    ]
    gold = [*judged("b:1", {("e", "t"): 1, ("e", "u"): 1}, "text")]
    lines = [
        *official("b:1", {"t": 2, "gone": 1, "u": 0, "w": -1}),
        *official("b:2", {"t": 0, "u": -1}),
    ]
    rankings = [
        *in_order("b:1", ["x", "t", "u"], unit="text"),
        *in_order("b:2", ["t", "u"], unit="text"),
        *in_order("b:3", ["t"], unit="text"),
    ]
    given = tables(catalogue, rankings, gold, qrels=lines, kinds={"b": "public"})
    found = {key: row[:2] for key, row in values(given, ("item_id", "metric", "mode")).items()}
    gain = (2 / log2(3)) / (2 + 1 / log2(3))
    assert found["b:1", "evidence_recall", "finrag"] == ("evaluated", 1)
    assert found["b:1", "evidence_recall", "official"] == ("evaluated", 0.5)
    assert found["b:1", "ndcg", "official"] == ("evaluated", pytest.approx(gain))
    assert found["b:1", "mrr", "official"] == ("evaluated", 0.5)
    assert found["b:1", "map", "official"] == ("evaluated", 0.25)
    for name in ("evidence_recall", "ndcg", "mrr", "map"):
        assert found["b:2", name, "official"] == ("evaluated", 0), name
        assert found["b:3", name, "official"] == ("uncovered", None), name
    assert found["b:2", "evidence_recall", "finrag"] == ("uncovered", None)
    assert len(found) == 15


def test_lists_of_qrels_are_in_the_order_of_trec_eval():
    """By score, of equal scores by id, both descending; scores that are one in single precision
    are equal. A list without scores stays in its order; so does every list in our own mode."""
    scores = {"a": 0.5, "b": 0.5, "c": 0.30000000001, "d": 0.3}
    catalogue = [
        *qrels_catalogue(("mrr", 10)),
        *(metric("mrr", 10, "text", "public"),),
    ]
    rankings = [
        row
        for passage in scores
        for row in ranked(f"b:{passage}", list(scores.items()), unit="text")
    ]
    rankings += ranked("b:kept", [("a", None), ("b", None)], unit="text")
    gold = [row for passage in scores for row in judged(f"b:{passage}", {passage: 1}, "text")]
    lines = [row for passage in scores for row in official(f"b:{passage}", {passage: 1})]
    gold += judged("b:kept", {"a": 1}, "text")
    lines += official("b:kept", {"a": 1})
    given = tables(catalogue, rankings, gold, qrels=lines, kinds={"b": "public"})
    found = {key: row[1:4] for key, row in values(given, ("item_id", "mode")).items()}
    assert {key[0]: row for key, row in found.items() if key[1] == "official"} == {
        "b:a": (1 / 2, 1, 1 / 2),
        "b:b": (1, 1, 1 / 2),
        "b:c": (1 / 4, 1 / 3, 1 / 4),
        "b:d": (1 / 3, 1 / 3, 1 / 4),
        "b:kept": (1, 1, 1),
    }
    assert {key[0]: row for key, row in found.items() if key[1] == "finrag"} == {
        "b:a": (1, 1, 1 / 2),
        "b:b": (1 / 2, 1, 1 / 2),
        "b:c": (1 / 3, 1 / 3, 1 / 3),
        "b:d": (1 / 4, 1 / 4, 1 / 4),
        "b:kept": (1, 1, 1),
    }


def test_scores_that_are_no_numbers_lead_and_those_without_one_trail_under_qrels():
    nan = float("nan")
    entries = [("c", 0.5), ("a", nan), ("b", None), ("d", None), ("e", nan), ("f", 0.7)]
    lines = [row for name, _ in entries for row in official(f"b:{name}", {name: 1})]
    rankings = [row for name, _ in entries for row in ranked(f"b:{name}", entries, unit="text")]
    given = tables(qrels_catalogue(("mrr", 9)), rankings, qrels=lines, kinds={"b": "public"})
    found = {key[0]: 1 / row[1] for key, row in values(given).items()}
    assert found == pytest.approx({"b:e": 1, "b:a": 2, "b:f": 3, "b:c": 4, "b:b": 5, "b:d": 6})


# --- first results, cells and pages ------------------------------------------------------------


def test_a_duplicate_is_a_self_match_for_the_tie_aware_measure_only():
    catalogue = [
        metric("self_at_1_strict", 1, asked_of="anchors", needs_gold=False),
        metric("self_at_1_tie_aware", 1, asked_of="anchors", needs_gold=False),
    ]
    rankings = [
        *in_order("same", ["me", "twin"]),
        *in_order("copy", ["twin", "me"]),
        *in_order("other", ["else", "me"]),
        *(row for row in in_order("late", ["x", "me"]) if row["rank"] > 1),
    ]
    texts = {"me": "x", "twin": "x", "else": "y"}
    places = [{"passage_id": passage, "text_hash": text} for passage, text in texts.items()]
    anchors = dict.fromkeys(("same", "copy", "other", "late", "none"), ("me", "x"))
    given = tables(catalogue, rankings, outcomes=[asked("none")], anchors=anchors, places=places)
    found = {key[:2]: row[1] for key, row in values(given).items()}
    assert {item: found[item, "self_at_1_strict"] for item in anchors} == {
        **{"same": 1, "copy": 0, "other": 0, "late": 0, "none": 0},
    }
    assert {item: found[item, "self_at_1_tie_aware"] for item in anchors} == {
        **{"same": 1, "copy": 1, "other": 0, "late": 0, "none": 0},
    }


def cell(passage, row, table, filing, column, starts, ends):
    return {
        **{"passage_id": passage, "row_id": row, "table_id": table, "document_id": filing},
        **{"col_pos": column, "period_start": starts, "period_end": ends},
    }


CELLS = [
    cell("r1c1", "t:r1", "t", "F", 1, "2020-01-01", "2020-12-31"),
    cell("r1c2", "t:r1", "t", "F", 2, "2019-01-01", "2019-12-31"),
    cell("r2c1", "t:r2", "t", "F", 1, "2020-01-01", "2020-12-31"),
    cell("u", "u:r1", "u", "F", 1, "2020-01-01", "2020-12-31"),
    cell("g", "g:r1", "g", "G", 1, "2020-01-01", "2020-12-31"),
    cell("day", "v:r1", "v", "F", 5, None, "2020-12-31"),
    cell("same_day", "w:r1", "w", "F", 6, None, "2020-12-31"),
    cell("bare", "x:r1", "x", "F", 5, None, None),
    cell("bare_too", "y:r1", "y", "F", 5, None, None),
]


@pytest.mark.parametrize(
    ("asked_for", "first", "right"),
    [
        # The right row of the wrong year, the right column of the wrong row, another filing,
        # another table that states the same period.
        (["r1c1"], "r1c1", (1, 1, 1)),
        (["r1c1"], "r1c2", (1, 0, 0)),
        (["r1c1"], "r2c1", (0, 1, 1)),
        (["r1c1"], "g", (0, 0, 0)),
        (["r1c1"], "u", (0, 0, 1)),
        # A change rests on two; a day is no span that ends on it, and two days are one period.
        (["r1c1", "r1c2"], "r1c2", (1, 1, 1)),
        (["r1c1", "r1c2"], "day", (0, 0, 0)),
        (["same_day"], "day", (0, 0, 1)),
        # What was asked for is right though its period is not printed; another like it is not.
        (["bare"], "bare", (1, 1, 1)),
        (["bare"], "bare_too", (0, 0, 0)),
        # A cell that is not among the filings' own has no place.
        (["r1c1"], "unknown", (0, 0, 0)),
        (["unknown"], "unknown", (0, 0, 0)),
    ],
)
def test_the_first_cell_is_right_by_row_by_column_and_by_period(asked_for, first, right):
    names = ("row_right", "column_right", "period_right")
    given = tables(
        [metric(name, 1, "cell", "questions") for name in names],
        in_order("t:q", [first, *asked_for], unit="cell"),
        [*judged("t:q", dict.fromkeys(asked_for, 1), "cell"), *judged("t:q", {"g": 1}, "row")],
        kinds={"t": "tables"},
        places=CELLS,
    )
    assert tuple(values(given)["t:q", name, 1][1] for name in names) == right


def test_the_first_cell_is_that_of_the_own_list():
    """What ranks second, another question's cell, and another list say nothing."""
    given = tables(
        [metric("row_right", 1, "cell", "questions")],
        [
            *in_order("t:1", ["g", "r1c1"], unit="cell"),
            *in_order("t:1", ["r1c1"], unit="row"),
            *in_order("t:2", ["r1c1"], unit="cell"),
        ],
        [*judged("t:1", {"r1c1": 1}, "cell"), *judged("t:2", {"g": 1}, "cell")],
        outcomes=[asked("t:1", unit="cell", system="silent")],
        kinds={"t": "tables"},
        places=CELLS,
    )
    assert {row[1] for row in values(given, ("system_id", "item_id")).values()} == {0}


def test_as_many_pages_are_matched_as_can_be_each_once():
    """one: the page before the evidence matches, two before does not. once: one ranked page
    between two pages of evidence matches one of them. both: the page between comes first, and the
    page before the lower one leaves it to the higher. again: two ranked pages, one of evidence.
    late: the eleventh rank is too late. elsewhere: the same number of another document. parts: two
    documents, each for itself, from page 0. bare: a page without a number matches none."""
    pages = {
        **{f"d{page}": ("d", page) for page in (0, 9, 10, 11, 12)},
        **{"e12": ("e", 12), "e13": ("e", 13), "f": ("d", None), "h": (None, None)},
    }
    gold = {
        **{"one": ("d12",), "once": ("d10", "d12"), "both": ("d10", "d12"), "again": ("d11",)},
        **{"late": ("d12",), "elsewhere": ("d12",), "parts": ("d0", "e12"), "bare": ("f", "d0")},
    }
    lists = {
        "one": ["d10", "d11"],
        "once": ["x", "x2", "d11"],
        "both": ["d11", "d9"],
        "again": ["d11", "d10"],
        "late": [*(f"x{rank}" for rank in range(10)), "d12"],
        "elsewhere": ["e12"],
        "parts": ["d0", *(f"x{rank}" for rank in range(8)), "e13"],
        "bare": ["f", "h"],
    }
    given = tables(
        [metric("evidence_recall_near", k, "page", "public") for k in (1, 3, 10)],
        [
            row
            for item, ranking in lists.items()
            for row in in_order(f"b:{item}", ranking, unit="page")
        ],
        [
            row
            for item, names in gold.items()
            for row in judged(f"b:{item}", dict.fromkeys(names, 1), "page")
        ],
        kinds={"b": "public"},
        places=[
            {"passage_id": name, "document_id": document, "page": page}
            for name, (document, page) in pages.items()
        ],
    )
    found = values(given, ("item_id", "k"))
    assert {item: tuple(found[f"b:{item}", k][1] for k in (1, 3, 10)) for item in gold} == {
        "one": (0, 1, 1),
        "once": (0, 0.5, 0.5),
        "both": (0.5, 1, 1),
        "again": (1, 1, 1),
        "late": (0, 0, 0),
        "elsewhere": (0, 0, 0),
        "parts": (0.5, 0.5, 1),
        "bare": (0, 0, 0),
    }


# --- scores ------------------------------------------------------------------------------------


def test_scores_lie_apart_and_agree_with_the_grades():
    """apart: mean 2, spread sqrt(2); ranks of scores 4, 2.5, 2.5, 1 and of grades 4, 1.5, 3, 1.5.
    equal: no spread, no agreement. lost: nothing relevant. single: one score. below: a mean below
    zero, the order right. partly: what has no score is left out. zeros: nothing to divide by.
    opposed: a mean of zero, whatever the rounding. repeated: b repeats a and has no grade."""
    nan, infinite = float("nan"), float("inf")
    lists = {
        "apart": [("a", 4), ("b", 2), ("c", 2), ("d", 0)],
        "equal": [("a", 1), ("b", 1)],
        "lost": [("x", 3), ("y", 1)],
        "single": [("a", 5)],
        "below": [("a", -1), ("b", -3)],
        "partly": [("b", 2), ("c", 1), ("a", None), ("x", nan), ("y", -infinite)],
        "zeros": [("a", 0), ("b", 0)],
        "blank": [("a", None)],
        "opposed": [("a", 0.1), ("b", 0.2), ("c", -0.3)],
        "repeated": [("a", 3), ("b", 2), ("c", 1)],
    }
    grades = {item: {"a": 1} for item in lists}
    grades |= {"apart": {"a": 2, "c": 1}, "partly": {"a": 1, "c": 1}, "lost": {"z": 1}}
    grades["repeated"] = {("x", "a"): 2, ("x", "b"): 2, ("y", "c"): 1}
    names = ("score_discrimination", "score_gold_spearman")
    found = values(
        tables(
            [metric(names[0], asked_of="questions", needs_gold=False), metric(names[1])],
            [row for item, entries in lists.items() for row in ranked(item, entries)],
            [row for item, of_item in grades.items() for row in judged(item, of_item)],
        )
    )
    assert {item: tuple(found[item, name, 0][1] for name in names) for item in lists} == {
        "apart": pytest.approx((2**0.5 / 2, 3.75 / 4.5)),
        "equal": (0, None),
        "lost": (pytest.approx(0.5), None),
        "single": (None, None),
        "below": (None, pytest.approx(1)),
        "partly": pytest.approx((1 / 3, -1)),
        "zeros": (None, None),
        "blank": (None, None),
        "opposed": (None, pytest.approx(0)),
        "repeated": pytest.approx(((2 / 3) ** 0.5 / 2, 1)),
    }
    unmeasured = {key: row for key, row in found.items() if row[1] is None}
    assert set(unmeasured.values()) == {("unscored", None, None, None, None)}


def test_scores_of_anchors_are_not_measured():
    given = tables(
        [metric("score_discrimination", needs_gold=False)],
        ranked("i", [("a", 3), ("b", 1)]),
        anchors={"i": ("me", "t")},
    )
    assert values(given)["i", "score_discrimination", 0][0] == "unscored"


# --- the table as a whole ----------------------------------------------------------------------


def everything(seed):
    """Tables with sets of every kind, several systems, ties and qrels."""
    drawn = Random(seed)
    kinds = {"a": "anchors", "f": "filings", "t": "tables", "p": "public"}
    units = {
        "a": ("sentence",),
        "f": ("sentence",),
        "t": ("sentence", "cell"),
        "p": ("text", "page"),
    }
    rankings, gold, lines, anchors = [], [], [], {}
    for item in (f"{name}:{number}" for name in kinds for number in range(3)):
        if item[0] == "a":
            anchors[item] = ("sentence1", "text1")
        for unit in units[item[0]]:
            pool = [f"{unit}{number}" for number in range(8)]
            gold += judged(
                item, {(drawn.choice("xyz"), drawn.choice(pool)): 1 for _ in range(3)}, unit
            )
            if item[0] == "p" and unit == "text":
                lines += official(item, {name: drawn.choice((0, 1, 2)) for name in pool[:3]})
            for system in ("one", "two"):
                chosen = drawn.sample(pool, drawn.randint(0, 8))
                scores = sorted((drawn.randint(0, 3) for _ in chosen), reverse=True)
                rankings += ranked(item, list(zip(chosen, scores, strict=True)), system, unit)
    catalogue = [
        *(
            metric(name, 3, unit, asked_of)
            for name in ("hit", "mrr", "ndcg", "evidence_recall")
            for unit, asked_of in (
                ("sentence", "both"),
                ("cell", "both"),
                ("text", "public"),
                ("page", "public"),
            )
        ),
        *(metric("self_at_1_strict", 1, asked_of="anchors", needs_gold=False),),
        *(metric("row_right", 1, "cell", "questions"), metric("mrr", 3, "any", "public")),
        *(metric("evidence_recall_near", 3, "page", "public"), metric("score_gold_spearman")),
        *qrels_catalogue(("ndcg", 3), ("map", 0)),
    ]
    places = [
        *({"passage_id": f"page{page}", "document_id": "d", "page": page} for page in range(8)),
        *(
            cell(f"cell{number}", f"r{number % 2}", "t", "F", number, None, None)
            for number in range(8)
        ),
        *({"passage_id": f"sentence{number}", "text_hash": f"text{number}"} for number in range(8)),
    ]
    return tables(
        catalogue, rankings, gold, kinds=kinds, anchors=anchors, qrels=lines, places=places
    )


def test_values_of_a_list_depend_on_nothing_else_in_the_tables():
    """A system on a set alone has the values that it has beside all others."""
    given = everything(1)
    whole = score_rankings(**given)
    alone = []
    for system in ("one", "two"):
        for name in "aftp":
            part = dict(given)
            for table in ("outcomes", "rankings"):
                rows = given[table].to_pylist()
                kept = [
                    row for row in rows if row["system_id"] == system and row["item_id"][0] == name
                ]
                part[table] = pa.Table.from_pylist(kept, given[table].schema)
            for table in ("items", "judgments", "qrels"):
                rows = [row for row in given[table].to_pylist() if row["item_id"][0] == name]
                part[table] = pa.Table.from_pylist(rows, given[table].schema)
            alone += score_rankings(**part).to_pylist()
    assert len(alone) > 30
    assert sorted(alone, key=str) == sorted(whole.to_pylist(), key=str)


def test_the_order_of_rows_is_nothing():
    given = everything(2)
    drawn = Random(3)
    turned = {}
    for name, table in given.items():
        places = list(range(table.num_rows))
        drawn.shuffle(places)
        turned[name] = table.take(pa.array(places, pa.int64()))
    assert score_rankings(**turned).equals(score_rankings(**given))


def test_rows_come_by_system_set_item_unit_and_mode():
    found = score_rankings(**everything(4))
    names = ("system_id", "gold_set", "item_id", "unit", "mode", "evidence_kind")
    keys = [tuple(row[name] for name in names) for row in found.to_pylist()]
    assert keys == sorted(set(keys))
    metrics = [
        [(value["metric"], value["k"]) for value in row["metric_values"]]
        for row in found.to_pylist()
    ]
    assert all(values == sorted(set(values)) and values for values in metrics)
    assert found.schema == RANKING_SCHEMA


def test_rankings_come_in_batches():
    given = everything(5)
    batches = pa.RecordBatchReader.from_batches(
        given["rankings"].schema, given["rankings"].to_batches(max_chunksize=7)
    )
    assert score_rankings(**{**given, "rankings": batches}).equals(score_rankings(**given))


def test_nothing_asked_is_nothing_measured():
    found = score_rankings(**tables([metric("hit", 5)], []))
    assert (found.num_rows, found.schema) == (0, RANKING_SCHEMA)
    assert score_rankings(**tables([], in_order("q", ["a"]))).num_rows == 0


def test_where_nothing_was_ranked_every_metric_is_measured():
    catalogue = [metric(name, 1, unit, "both") for name in RULES for unit in ("sentence", "cell")]
    catalogue += [metric(name, 1, "page", "public") for name in RULES]
    gold = [*judged("t:q", {("c", None): 1}, "cell"), *judged("t:q", {("s", None): 1})]
    gold += judged("b:q", {("p", None): 1}, "page")
    outcomes = [*(asked("t:q", unit=unit) for unit in ("sentence", "cell")), asked("b:q")]
    given = tables(catalogue, [], gold, outcomes=outcomes, kinds={"t": "tables", "b": "public"})
    found = values(given, ("unit", "metric"))
    assert len(found) > 40
    assert {row[0] for row in found.values()} <= {"uncovered", "not_run"}


def test_evidence_named_twice_is_one_and_a_passage_listed_twice_is_a_repeat():
    gold = [*judged("q", {"a": 1}), *judged("q", {"a": 3}), *judged("q", {"b": 1})]
    found = figures(
        [metric("recall", 2), metric("recall", 3), metric("ndcg", 1), metric("evidence_recall", 1)],
        ranked("q", [("a", 3), ("a", 2), ("x", 1.5), ("b", 1)]),
        gold,
    )
    assert [found["q", "recall", k][0] for k in (2, 3)] == [0.5, 1]
    assert found["q", "ndcg", 1][0] == 1
    assert found["q", "evidence_recall", 1] == (0.5, 0.5, 0.5, 0.5)


def test_gold_of_items_that_are_not_asked_is_passed_over():
    given = tables(
        [metric("recall", 1)],
        in_order("q", ["a"]),
        [*judged("q", {"a": 1}), *judged("other", {"a": 1, "b": 1})],
        qrels=official("other", {"a": 1}),
    )
    assert values(given) == {("q", "recall", 1): ("evaluated", 1, 1, 1, 1)}


def test_what_the_tables_lack_is_named():
    given = tables([metric("hit", 5)], in_order("q", ["a"]))
    items = given["items"].slice(0, 0)
    with pytest.raises(ValueError, match="item 'q' is asked and is not among the items"):
        score_rankings(**{**given, "items": items})
    with pytest.raises(ValueError, match="item 'q' is ranked for and is not among the items"):
        score_rankings(**{**given, "items": items, "outcomes": given["outcomes"].slice(0, 0)})
    with pytest.raises(ValueError, match="set_kind 'odd' is none of anchors, filings, tables"):
        score_rankings(**tables([metric("hit", 5)], in_order("q", ["a"]), kinds={"set": "odd"}))
    with pytest.raises(ValueError, match="metric 'luck' of the catalogue is measured by ranking"):
        score_rankings(**tables([metric("luck", 5)], in_order("q", ["a"])))
    with pytest.raises(ValueError, match="metric 'hit' is asked of 'agents' in mode 'finrag'"):
        score_rankings(**tables([metric("hit", 5, asked_of="agents")], in_order("q", ["a"])))
    with pytest.raises(ValueError, match="metric 'hit' is asked of 'both' in mode 'strict'"):
        score_rankings(**tables([metric("hit", 5, mode="strict")], in_order("q", ["a"])))


def test_metrics_of_other_rules_are_passed_over():
    other = {**metric("answer_accuracy"), "measured_by": "type_rule"}
    given = tables([metric("hit", 1), other], in_order("q", ["a"]), judged("q", {"a": 1}))
    assert set(values(given)) == {("q", "hit", 1)}
    assert read_metrics(given["catalogue"], "ranking", RULES)[0].name == "hit"
