"""Metrics equal trec_eval's, on small rankings with known figures and on random ones."""

import random

import pytest
import pytrec_eval

from tests.unit.ranked_tables import in_order, judged, metric, official, ranked, tables, values
from tests.unit.trec import MEASURES, evidence_within, oracle, over_evidence

CATALOGUE = [
    *(metric(name, k) for name, (_, cuts) in MEASURES.items() for k in cuts),
    *(metric("mrr", k) for k in (5, 20, 30)),
    *(metric("map"), metric("ndcg", 3)),
]
# Judged grades; ranking with scores; what is measured. Where scores tie, the ranks are those of
# trec_eval: by document id, descending.
VECTORS = {
    "a tie is broken and an unjudged document leads": (
        {"d1": 3, "d2": 1, "d9": 2},
        {"d3": 1.0, "d2": 1.0, "d1": 1.0, "d9": 0.5},
        {
            ("hit", 1): 0,
            ("mrr", 30): 0.5,
            ("precision", 5): 0.6,
            ("recall", 5): 1,
            ("ndcg", 3): 0.4475,
            ("ndcg", 30): 0.6284,
            ("map", 0): 0.6389,
        },
    ),
    "a grade of zero is no gain": (
        {"a": 1, "b": 0},
        {"b": 0.5, "a": 0.5},
        {("mrr", 30): 0.5, ("ndcg", 3): 0.6309},
    ),
    "a negative grade costs a rank and nothing else": (
        {"a": -1, "b": 1},
        {"a": 0.9, "b": 0.5},
        {("mrr", 30): 0.5, ("ndcg", 5): 0.6309},
    ),
    "the ideal runs over what was not found": (
        {"d1": 1, "x": 3, "y": 2},
        {"d1": 1.0},
        {("ndcg", 5): 0.21},
    ),
    # trec_eval: 0, and part of its mean. Here such an item has no gold and no value.
    "nothing relevant is judged": (
        {"a": 0, "b": -1},
        {"a": 0.9, "b": 0.5},
        {("mrr", 30): None, ("ndcg", 5): None, ("map", 0): None},
    ),
}
OFFICIAL = {
    ("evidence_recall", 5): "recall_5",
    ("evidence_recall", 10): "recall_10",
    ("ndcg", 10): "ndcg_cut_10",
    ("mrr", 1_000): "recip_rank",
    ("map", 0): "map",
}


@pytest.mark.parametrize("name", VECTORS)
def test_a_ranking_has_the_figures_of_trec_eval(name):
    grades, scores, expected = VECTORS[name]
    found = values(tables(CATALOGUE, ranked("q", list(scores.items())), judged("q", grades)))
    for (metric_name, k), figure in expected.items():
        value = found["q", metric_name, k][1]
        assert value == (None if figure is None else pytest.approx(figure, abs=5e-5)), metric_name


def drawn_runs(seed, n_items):
    """By item a ranking and what its passages stand for; passages share evidence."""
    drawn = random.Random(seed)
    for item in range(n_items):
        pool = [f"p{number}" for number in drawn.sample(range(90), 60)]
        stands_for, grades = {}, {}
        # Some judged passages are never retrieved; some items have no relevant one.
        for passage in [*drawn.sample(pool, drawn.randint(1, 15)), "p97", "p98", "p99"]:
            names = {drawn.choice(("x", "y", "z"))} if item % 2 else {passage}
            names |= {passage} if drawn.random() < 0.3 else set()
            for name in sorted(names):
                grade = grades.setdefault(name, drawn.choice((-1, 0, 0, 1, 1, 2, 3)))
                stands_for.setdefault(passage, {})[name] = grade
        yield f"q{item}", pool[: drawn.randint(0, 50)], stands_for


def test_values_of_random_runs_equal_trec_eval():
    runs, judgments, held, rankings, gold = {}, {}, {}, [], []
    for item, passages, stands_for in drawn_runs(42, 200):
        rankings += in_order(item, passages)
        grades = {
            (evidence, passage): grade
            for passage, of_passage in stands_for.items()
            for evidence, grade in of_passage.items()
        }
        gold += judged(item, grades)
        best = judgments.setdefault(item, {})
        for (evidence, passage), grade in grades.items():
            if grade > 0:
                best[evidence] = max(grade, best.get(evidence, 0))
                held.setdefault(item, {}).setdefault(passage, {})[evidence] = grade
        runs[item] = passages
    expected = oracle(
        judgments,
        {item: over_evidence(ranking, held.get(item, {})) for item, ranking in runs.items()},
    )
    found = values(tables(CATALOGUE, rankings, gold))
    compared = 0
    for (item, name, k), (status, value, *_) in found.items():
        if status == "evaluated" and (name, k) != ("ndcg", 3):
            assert value == pytest.approx(expected.get((item, name, k), 0), abs=1e-12), (item, name)
            compared += 1
    assert compared > 2_000


def test_values_under_qrels_equal_trec_eval_ties_and_all():
    """trec_eval sorts itself: by scores in single precision, then by document id, descending."""
    drawn = random.Random(7)
    catalogue = [metric(*key, "text", "public", "official") for key in OFFICIAL]
    qrels, runs, rankings, lines = {}, {}, [], []
    for item in (f"b:{number}" for number in range(200)):
        documents = [f"d{number}" for number in drawn.sample(range(60), 30)]
        grades = {name: drawn.choice((-1, 0, 0, 1, 2, 5)) for name in drawn.sample(documents, 12)}
        grades["gone"] = 1
        scores = {
            name: drawn.randint(0, 4) / 4 + drawn.choice((0, 0, 1e-12, -1e-12))
            for name in documents[: drawn.randint(1, 30)]
        }
        ordered = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
        qrels[item], runs[item] = grades, scores
        rankings += ranked(item, ordered, unit="text")
        lines += official(item, grades)
    given = tables(catalogue, rankings, qrels=lines, kinds={"b": "public"})
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels, {"recall.5,10", "ndcg_cut.10", "recip_rank", "map"}
    )
    expected = evaluator.evaluate(runs)
    found = values(given)
    assert len(found) == 200 * len(OFFICIAL)
    for (item, name, k), (status, value, *_) in found.items():
        right = expected[item][OFFICIAL[name, k]]
        assert (status, value) == ("evaluated", pytest.approx(right, abs=1e-12)), (item, name, k)


def test_evidence_within_k_is_counted_over_every_way_a_cut_tie_may_fall():
    drawn = random.Random(9)
    lists, rankings, gold = {}, [], []
    for item in (f"q{number}" for number in range(150)):
        names = iter(f"p{number}" for number in range(40))
        groups = [[next(names) for _ in range(drawn.choice((1, 1, 2, 4, 6)))] for _ in range(3)]
        stands_for = {
            name: {drawn.choice(("x", "y", "z"))}
            for group in groups
            for name in group
            if drawn.random() < 0.5
        }
        stands_for["lost"] = {"w"}
        lists[item] = groups, stands_for
        rankings += ranked(item, [(name, -at) for at, group in enumerate(groups) for name in group])
        gold += judged(
            item, {(name, passage): 1 for passage, held in stands_for.items() for name in held}
        )
    cuts = (1, 2, 3, 5, 8)
    names = ("evidence_recall", "evidence_complete")
    found = values(tables([metric(name, k) for name in names for k in cuts], rankings, gold))
    for item, (groups, stands_for) in lists.items():
        n_evidence = len(set().union(*stands_for.values()))
        for k in cuts:
            worst, expected, best = evidence_within(groups, stands_for, k)
            head = [name for group in groups for name in group][:k]
            n_found = len(set().union(*(stands_for.get(name, ()) for name in head)))
            right = [count / n_evidence for count in (n_found, best, worst, expected)]
            assert found[item, "evidence_recall", k][1:] == pytest.approx(right), (item, k)
            whole = [float(count == n_evidence) for count in (n_found, best, worst)]
            assert list(found[item, "evidence_complete", k][1:4]) == whole, (item, k)
