"""Pairs of systems: which there are, what counts in them, and in which families they are tested."""

from random import Random

import pytest

from finrag.metrics import comparisons
from finrag.metrics.pairs import MATRIX, PAIRS, Pair, read_pairs
from finrag.metrics.stored import differences
from tests.unit.summarised_tables import (
    SETTINGS,
    compared,
    known_pairs,
    paired,
    sliced,
    table,
)

HIT = {"metric": "hit", "k": 5}
BOTH = [{"system_id": "a", "is_null": True}, {"system_id": "b", "is_null": True}]
RIVAL = [{"pair_id": "rival", "system_a": "a", "system_b": "b", "purpose": "rival"}]
AB = {"systems": BOTH, "pairs": RIVAL}


def of(system, metric, figures, **others):
    """Values by item: a figure, or what became of it."""
    return [
        {
            **{"system_id": system, "item_id": item, "metric": metric, "k": 5},
            **({"value_status": one} if isinstance(one, str) else {"value": float(one)}),
            **others,
        }
        for item, one in figures.items()
    ]


def by_key(rows, *names):
    keys = ("asked_for", "pair_id", "gold_set", "slice_name", "metric")
    return {tuple(row[key] for key in keys): tuple(row[name] for name in names) for row in rows}


# --- pairs -------------------------------------------------------------------------------


def test_a_system_is_compared_with_the_partners_it_names():
    """Beside the pairs of the project; a pair of which one does not run is none. In the matrix
    each pair of systems that are no nulls stands once."""
    registered = [
        {"pair_id": "lift", "system_a": "dense", "system_b": "random", "margin": 0.03},
        {"pair_id": "idle", "system_a": "dense", "system_b": "asleep"},
        {"pair_id": "gone", "system_a": "asleep", "system_b": "dense"},
    ]
    systems = [
        {"system_id": "mine", "compare_with": ["dense", "random", "asleep"]},
        *({"system_id": "dense"}, {"system_id": "random", "is_null": True}),
    ]
    assert read_pairs(table("pairs", registered), table("systems", systems)) == [
        Pair(MATRIX, "dense|mine", "dense", "mine"),
        Pair(PAIRS, "lift", "dense", "random", margin=0.03),
        Pair(PAIRS, "mine_vs_dense", "mine", "dense", "rival"),
        Pair(PAIRS, "mine_vs_random", "mine", "random", "rival"),
    ]


# --- what counts -------------------------------------------------------------------------


def test_what_a_system_failed_or_did_not_run_is_a_zero_in_its_pairs():
    """On either side or on both, so that no system is compared on its easy questions alone. An
    item without gold stays out, also where the failure hides that it has none; unless the metric
    needs no gold. Where less is better, what is missing counts as 1."""
    values = [
        *of("a", "hit", {"i": 0.75, "j": "failed", "k": 1, "l": "not_run", "m": "failed"}),
        *of("b", "hit", {"i": 0.5, "j": 0.5, "k": "not_run", "l": "failed", "m": "uncovered"}),
        *(*of("a", "hit", {"n": "failed"}), *of("b", "hit", {"n": "not_run"})),
        *(*of("a", "free", {"n": "failed"}), *of("b", "free", {"n": 1})),
        *(*of("a", "wrong", {"i": "failed"}), *of("b", "wrong", {"i": 0})),
        *of("a", "hit", {"only": 1}),
    ]
    items = [
        {"item_id": one, "n_relevant": int(one not in "mn"), "cluster_id": one} for one in "ijklmn"
    ]
    found = paired(
        values,
        sliced([*"ijklmn", "only"]),
        [
            {**HIT, "needs_gold": True},
            {"metric": "free", "k": 5},
            {"metric": "wrong", "k": 5, "direction": "min"},
        ],
        items=items,
        **AB,
    )
    assert {(item, metric): row for (_, item, metric, *_), row in found.items()} == {
        ("i", "hit"): (False, False, 0.75, 0.5),
        ("j", "hit"): (True, False, 0, 0.5),
        ("k", "hit"): (False, True, 1, 0),
        ("l", "hit"): (True, True, 0, 0),
        ("n", "free"): (True, False, 0, 1),
        ("i", "wrong"): (True, False, 1, 0),
    }


def test_passages_that_nobody_recognises_are_in_no_pair():
    """They are not as good as the worst ones. What the system answered is compared, and so is what
    an official evaluator takes for wrong."""
    metrics = [
        HIT,
        {"metric": "right", "k": 5, "measured_by": "type_rule"},
        {"metric": "map", "k": 5, "mode": "official"},
    ]
    values = [
        row
        for system, hit in (("a", "unscored"), ("b", 0.5))
        for row in (
            *of(system, "hit", {"i": hit}),
            *of(system, "right", {"i": 1}),
            *of(system, "map", {"i": 0}, mode="official"),
        )
    ]
    returned = [
        {"system_id": "a", "gold_set": "p1", "n_recognised": 0},
        {"system_id": "b", "gold_set": "p1", "n_recognised": 3},
    ]
    found = paired(values, sliced("i"), metrics, returned=returned, **AB)
    assert {metric for _, _, metric, *_ in found} == {"right", "map"}
    elsewhere = [{**returned[0], "gold_set": "p2"}]
    assert len(paired(values, sliced("i"), metrics, returned=elsewhere, **AB)) == 3


def test_systems_are_paired_over_public_sets_by_unit_and_mode():
    """The official score with the official one. What is uncovered stays out; strict citations
    count where a cited page was not loaded."""
    metrics = [
        {**HIT, "needs_gold": True, "unit": "page"},
        {**HIT, "needs_gold": True, "unit": "text"},
        *(
            {"metric": "em", "k": 5, "unit": "answer", "mode": mode}
            for mode in ("official", "strict")
        ),
        {"metric": "cites", "k": 5, "unit": "answer", "mode": "strict", "needs_gold": True},
    ]
    answer = {"unit": "answer", "mode": "strict"}
    values = [
        *of("a", "hit", {"loaded": 1, "missing": "failed"}, unit="page"),
        *of("b", "hit", {"loaded": 0.5, "missing": "failed"}, unit="page"),
        *of("a", "hit", {"loaded": "uncovered"}, unit="text"),
        *of("b", "hit", {"loaded": "uncovered"}, unit="text"),
        *of("a", "em", {"loaded": 1}, unit="answer", mode="official"),
        *of("b", "em", {"loaded": "not_run"}, unit="answer", mode="official"),
        *(*of("a", "em", {"loaded": 0}, **answer), *of("b", "em", {"loaded": 1}, **answer)),
        *(*of("a", "cites", {"missing": 1}, **answer), *of("b", "cites", {"missing": 0}, **answer)),
    ]
    items = [
        {"item_id": "loaded", "cluster_id": "d", "set_kind": "public"},
        {"item_id": "missing", "cluster_id": "e", "set_kind": "public", "n_relevant": 0},
    ]
    slices = sliced({"loaded": "d", "missing": "e"}, gold_set="bench")
    found = paired(values, slices, metrics, items=items, **AB)
    assert {key[1:]: row for key, row in found.items()} == {
        ("loaded", "hit", "page", "finrag"): (False, False, 1, 0.5),
        ("loaded", "em", "answer", "official"): (False, True, 1, 0),
        ("loaded", "em", "answer", "strict"): (False, False, 0, 1),
        ("missing", "cites", "answer", "strict"): (False, False, 1, 0),
    }


def test_declining_what_is_not_disclosed_is_no_loss_in_a_pair():
    """Both declined what is not disclosed, rightly: no pair. One made an answer up, one failed:
    whoever declined is not held against it. Declining what there is counts as 0."""
    kinds = {"both": "no_answer", "made_up": "no_answer", "lost": "no_answer", "there": "span"}
    values = of("a", "hit", dict.fromkeys(kinds, "abstained"))
    values += of("b", "hit", {"both": "abstained", "made_up": 1, "lost": "failed", "there": 1})
    items = [
        {"item_id": one, "cluster_id": one, "answer_type": kind} for one, kind in kinds.items()
    ]
    found = paired(values, sliced(list(kinds)), [HIT], items=items, **AB)
    assert {key[1]: row for key, row in found.items()} == {"there": (True, False, 0, 1)}


def test_a_headline_is_paired_over_sound_items():
    """Pairs of the matrix are without nulls, flagged questions and metrics that are no headline."""
    metrics = [
        {**HIT, "is_headline": True, "is_compared": False},
        {"metric": "mrr", "k": 5},
    ]
    systems = [{"system_id": "a"}, {"system_id": "b"}, {"system_id": "null", "is_null": True}]
    values = [
        row
        for system in ("a", "b", "null")
        for name in ("hit", "mrr")
        for row in of(system, name, {"sound": 1, "flagged": 0})
    ]
    excluded = [{"item_id": "flagged"}]
    slices = sliced(["sound", "flagged"])
    found = paired(values, slices, metrics, systems=systems, excluded=excluded)
    assert [key[:3] for key in found] == [("a|b", "sound", "hit")]
    registered = {"pairs": RIVAL, "systems": systems, "excluded": excluded}
    found = paired(values, slices, metrics, **registered)
    assert {key[:3] for key in found if key[0] == "rival"} == {
        ("rival", "sound", "mrr"),
        ("rival", "flagged", "mrr"),
    }


# --- comparisons -------------------------------------------------------------------------


def test_a_comparison_is_the_mean_of_paired_differences():
    """Over the items of its slice; an item on which both are alike is not discordant. Where less
    is better, the lower of the two is the better one."""
    values = [
        *of("a", "hit", {"i": 1, "j": "failed", "k": 1, "l": 1}),
        *of("b", "hit", {"i": "failed", "j": 1, "k": "failed", "l": 1}),
        *(*of("a", "errors", {"i": 1}), *of("b", "errors", {"i": 0})),
    ]
    errors = {"metric": "errors", "k": 5, "value_kind": "mean", "direction": "min"}
    slices = sliced("ijkl") + sliced("l", slice_name="section")
    rows = compared(values, slices, [HIT, errors], **AB)
    names = ("n_items", "n_missing_a", "n_missing_b", "n_discordant", "n_a_better", "n_clusters")
    means = ("mean_a", "mean_b", "mean_difference")
    assert by_key(rows, *names, *means) == {
        ("pairs", "rival", "p1", "overall", "hit"): (4, 1, 2, 3, 2, 4, 0.75, 0.5, 0.25),
        ("pairs", "rival", "p1", "overall", "errors"): (1, 0, 0, 1, 0, 1, 1, 0, 1),
        ("pairs", "rival", "p1", "section", "hit"): (1, 0, 0, 0, 0, 1, 1, 1, 0),
    }
    assert [row["p_mcnemar"] is None for row in rows] == [not row["is_share"] for row in rows]
    assert {row["verdict"] for row in rows} == {"undetermined"}


def questions(names, clusters=None):
    """Items of questions on filings."""
    return [
        {
            **{"item_id": name, "set_kind": "filings"},
            "cluster_id": (clusters or {}).get(name, f"cluster of {name}"),
        }
        for name in names
    ]


def test_a_headline_over_all_sound_items_confirms_and_the_rest_explores():
    """Of questions the slice sound, of anchors overall; a matrix has no part in exploration. A
    company's questions are one cluster: nothing could be tested there."""
    metrics = [{**HIT, "is_headline": True}, {"metric": "mrr", "k": 5, "value_kind": "mean"}]
    systems = [{"system_id": "a"}, {"system_id": "b"}]
    slices = [
        row
        for gold_set, items in (("p1", ["i", "j"]), ("p3", ["q", "r"]))
        for name in ("overall", "sound", "company")
        for row in sliced(items, gold_set=gold_set, slice_name=name)
        if (gold_set, name) != ("p1", "sound")
    ]
    items = [{"item_id": one, "cluster_id": f"cluster of {one}"} for one in "ij"]
    values = [
        row
        for name in ("hit", "mrr")
        for row in (
            *of("a", name, dict.fromkeys("ijqr", 1)),
            *of("b", name, dict.fromkeys("ijqr", 0)),
        )
    ]
    rows = compared(
        values, slices, metrics, items=items + questions("qr"), systems=systems, pairs=RIVAL
    )
    found = {
        (asked_for[0], gold_set, slice_name, metric): row
        for (asked_for, _, gold_set, slice_name, metric), row in by_key(
            rows, "is_confirmatory", "p_bh"
        ).items()
    }
    explored = {key for key, (_, p_bh) in found.items() if p_bh is not None}
    confirming = {key for key, (is_confirmatory, _) in found.items() if is_confirmatory}
    of_matrix = {("m", "p1", "overall", "hit"), ("m", "p3", "sound", "hit")}
    of_pairs = {("p", *key[1:]) for key in of_matrix}
    assert confirming == of_matrix | of_pairs
    assert explored == set(found) - confirming
    assert {key[1:3] for key in explored} == {
        *(("p1", "overall"), ("p1", "company"), ("p3", "overall"), ("p3", "sound")),
    }


@pytest.mark.parametrize(
    ("candidates", "expected"),
    [
        ("", {"a|b": 6, "a|c": 6, "a|d": 6, "b|c": 6, "b|d": 6, "c|d": 6}),
        ("d", {"a|b": 3, "a|c": 3, "b|c": 3, "a|d": 3, "b|d": 3, "c|d": 3}),
        # Two candidates are tested on each of the metrics.
        ("cd", {"a|b": 1, "a|c": 2, "b|c": 2, "a|d": 2, "b|d": 2, "c|d": 3}),
    ],
)
def test_a_family_is_a_pair_or_a_metric_of_the_matrix(candidates, expected):
    """Twelve items, all won: p is what 200 draws leave, times the tests of the family. In the
    matrix each candidate has one of its own, and so have the systems that are none."""
    names = [f"i{number:02}" for number in range(12)]
    metrics = [{"metric": name, "k": 5, "is_headline": True} for name in ("hit", "mrr", "ndcg")]
    systems = [
        {"system_id": one, "role": "candidate" if one in candidates else "reference"}
        for one in "abcd"
    ]
    values = [
        row
        for system, value in zip("abcd", (1, 0.75, 0.5, 0), strict=True)
        for metric in metrics
        for row in of(system, metric["metric"], dict.fromkeys(names, value))
    ]
    rows = compared(values, sliced(names), metrics, systems=systems, pairs=RIVAL)
    n_tests = {"rival": 3, **expected}
    assert len(rows) == 3 + 18
    for row in rows:
        p_alone = max(row["p_value_clustered"], row["p_t_clustered"])
        assert row["p_holm"] == pytest.approx(n_tests[row["pair_id"]] * p_alone)


def test_a_pair_may_have_a_margin_of_its_own():
    """For its metric at its cut-off; no pair of the matrix has one."""
    metrics = [{**HIT, "is_headline": True}, {"metric": "mrr", "k": 5, "margin": 0.5}]
    values = [
        row
        for name in ("hit", "mrr")
        for system in "ab"
        for row in of(system, name, {"i": 1, "j": 0})
    ]
    narrow = {**RIVAL[0], "margin_metric": "hit", "margin_k": 5, "margin": 0.03}
    systems = [{"system_id": "a"}, {"system_id": "b"}]
    rows = compared(values, sliced("ij"), metrics, systems=systems, pairs=[narrow])
    assert {key[::4]: row for key, row in by_key(rows, "margin").items()} == {
        ("pairs", "hit"): (0.03,),
        ("pairs", "mrr"): (0.5,),
        ("matrix", "hit"): (0.02,),
    }
    other = compared(
        values, sliced("ij"), metrics, systems=systems, pairs=[{**narrow, "margin_k": 9}]
    )
    assert {row["margin"] for row in other} == {0.02, 0.5}


def test_sets_of_companies_that_share_one_are_dependent_and_filings_are_not():
    """The first system wins in the four clusters that share a company."""
    names = [f"i{number:02}" for number in range(24)]
    clusters = {name: number % 8 for number, name in enumerate(names)}
    values = of("a", "hit", dict.fromkeys(names, 1))
    values += of("b", "hit", {name: int(cluster > 3) for name, cluster in clusters.items()})
    slices = sliced({name: f"c{cluster}" for name, cluster in clusters.items()})
    errors = []
    for kind in ("filings", "anchors"):
        items = [
            {
                **{"item_id": name, "cluster_id": f"c{cluster}", "set_kind": kind},
                "cik_ints": [cluster, *([99] if cluster < 4 else [])],
            }
            for name, cluster in clusters.items()
        ]
        (row,) = compared(values, slices, [HIT], items=items, **AB)
        assert (row["n_clusters"], row["n_companies"]) == (8, 9)
        errors.append(row["standard_error"])
    assert errors[0] > 1.5 * errors[1]


def test_a_difference_that_is_no_number_is_undetermined_and_spoils_no_other():
    names = [f"i{number:02}" for number in range(12)]
    metrics = [HIT, {"metric": "mrr", "k": 5, "value_kind": "mean"}]
    values = [
        *of("a", "hit", dict.fromkeys(names, 1)),
        *of("b", "hit", dict.fromkeys(names, 0)),
        *of("a", "mrr", {**dict.fromkeys(names, 1), "i03": float("nan")}),
        *of("b", "mrr", dict.fromkeys(names, 0)),
    ]
    rows = {row["metric"]: row for row in compared(values, sliced(names), metrics, **AB)}
    assert rows["mrr"]["verdict_reason"] == "A value is not a number."
    assert (rows["mrr"]["mean_difference"], rows["mrr"]["p_holm"]) == (None, None)
    assert rows["hit"]["verdict"] == "better"


def test_neither_others_nor_the_order_of_rows_change_a_comparison():
    random = Random(3)
    names = {f"i{number:02}": f"c{number % 9}" for number in range(30)}
    metrics = [HIT, {"metric": "mrr", "k": 5, "value_kind": "mean"}]
    values = [
        row
        for system in "abc"
        for name in ("hit", "mrr")
        for row in of(
            system,
            name,
            {
                item: "failed" if random.random() < 0.1 else round(random.random(), name == "mrr")
                for item in names
            },
        )
    ]
    slices = sliced(names) + sliced(dict(list(names.items())[:20]), slice_name="section")
    systems = [*BOTH, {"system_id": "c", "is_null": True, "compare_with": ["a", "b"]}]
    rows = compared(values, slices, metrics, systems=systems, pairs=RIVAL)
    alone = [row for row in values if row["system_id"] != "c"]
    expected = [row for row in rows if row["pair_id"] == "rival"]
    assert compared(alone, slices, metrics[::-1], **AB) == expected
    for given in (values, slices, systems):
        random.shuffle(given)
    assert compared(values, slices, metrics, systems=systems, pairs=RIVAL) == rows


def test_a_system_that_joins_is_compared_alone_and_what_changed_anew(tmp_path, monkeypatch):
    """What was compared before is found: by values, clusters, metrics and draws, not by name."""
    computed = []
    real = comparisons.compare_differences

    def counting(differences, *others):
        computed.append(differences.shape[1])
        return real(differences, *others)

    monkeypatch.setattr(comparisons, "compare_differences", counting)
    random = Random(5)
    names = {f"i{number:02}": f"c{number % 5}" for number in range(20)}
    values = {one: of(one, "hit", {item: random.random() for item in names}) for one in "abc"}
    slices = sliced(names)
    joined = [*BOTH, {"system_id": "c", "is_null": True, "compare_with": ["a", "b"]}]

    def n_computed(systems, *of_systems, slices=slices, **settings):
        """Series that were computed with the cache; the rows are those without it."""
        known = known_pairs(slices, [HIT], systems=systems, pairs=RIVAL)
        given = table("values", [row for one in of_systems for row in one])
        settings = {**SETTINGS, **settings}
        expected = comparisons.compare(known, given, settings)
        computed.clear()
        stored = differences({"state_dir": tmp_path})
        assert comparisons.compare(known, given, settings, stored).equals(expected)
        return sum(computed)

    two = (values["a"], values["b"])
    assert [n_computed(BOTH, *two), n_computed(BOTH, *two)] == [1, 0]
    assert [n_computed(joined, *values.values()) for _ in range(2)] == [2, 0]
    changed = [{**row, "value": 0.5} for row in values["c"]]
    assert n_computed(joined, *two, changed) == 2
    assert n_computed(BOTH, *two, bootstrap_seed=8) == 1
    others = sliced({item: f"c{number % 4}" for number, item in enumerate(names)})
    assert n_computed(BOTH, *two, slices=others) == 1
    for path in (tmp_path / "cache" / "differences").iterdir():
        path.write_bytes(b"no table")
    assert n_computed(joined, *values.values()) == 3


def test_nothing_to_compare_gives_no_rows():
    assert compared((), (), ()) == []
    assert compared(of("a", "hit", {"i": 1}), sliced("i"), [HIT], **AB) == []
