"""Summaries of values: denominators, means, intervals, and what they do not depend on."""

from random import Random

import numpy as np
import pytest

from finrag.metrics import summaries
from finrag.metrics.stored import bounds
from finrag.statistics.intervals import cluster_bootstrap
from tests.unit.summarised_tables import SETTINGS, sliced, summarised

HIT = {"metric": "hit", "k": 5}
MRR = {"metric": "mrr", "k": 5, "value_kind": "mean"}


def of(system, name, figures, **others):
    """Values of one system and metric at 5: by item a figure, or what became of it."""
    return [
        {
            **{"system_id": system, "item_id": item, "metric": name, "k": 5},
            **({"value_status": one} if isinstance(one, str) else {"value": one}),
            **others,
        }
        for item, one in figures.items()
    ]


def figures(rows, *names):
    return {row["system_id"]: tuple(row[name] for name in names) for row in rows}


# --- counts and means --------------------------------------------------------------------


def test_what_has_no_value_is_asked_and_counted_and_never_averaged():
    """To the mean of all that was asked, what failed or was not run is a zero, and what has no
    gold is nothing. Items that are each a cluster have the plain Wilson interval."""
    ones = dict.fromkeys("abcd", 1.0)
    rows = summarised(
        [
            *of(
                "three", "hit", {**ones, "d": 0.0, "e": "uncovered", "f": "failed", "g": "not_run"}
            ),
            *of("zero", "hit", dict.fromkeys("abcd", 0.0)),
            *of("four", "hit", ones),
            *of("empty", "hit", {"e": "uncovered", "f": "failed"}),
            *of("silent", "hit", {"a": "abstained", "b": "abstained", "c": "unscored"}),
        ],
        sliced("abcdefg"),
        [HIT],
    )
    counts = ("evaluated", "uncovered", "abstained", "failed", "not_run", "unscored")
    assert figures(rows, "n_asked", *(f"n_{name}" for name in counts)) == {
        "three": (7, 4, 1, 0, 1, 1, 0),
        "zero": (4, 4, 0, 0, 0, 0, 0),
        "four": (4, 4, 0, 0, 0, 0, 0),
        "empty": (2, 0, 1, 0, 1, 0, 0),
        "silent": (3, 0, 0, 2, 0, 0, 1),
    }
    wilson = "wilson_clustered"
    assert figures(
        rows, "mean", "mean_of_asked", "ci_low", "ci_high", "ci_method", "n_clusters"
    ) == {
        "three": (0.75, 0.5, 0.300641842582, 0.95441273919, wilson, 4),
        "zero": (0, 0, 0, 0.489890836455, wilson, 4),
        "four": (1, 1, 0.510109163545, 1, wilson, 4),
        "empty": (None, None, None, None, "none", 0),
        "silent": (None, None, None, None, "none", 0),
    }


def test_a_metric_of_another_unit_or_mode_is_another_summary():
    rows = summarised(
        """
        system_id,item_id,metric,k,unit,mode,value_status,value
        s,a,ndcg,10,sentence,finrag,evaluated,1
        s,b,ndcg,10,sentence,finrag,evaluated,0.5
        s,a,ndcg,10,table,finrag,evaluated,0.25
        s,b,ndcg,10,table,finrag,not_run,
        s,a,f1,0,answer,official,evaluated,1
        s,a,f1,0,answer,strict,evaluated,0
        """,
        sliced("ab"),
        [
            {"metric": "ndcg", "k": 10, "value_kind": "mean"},
            {"metric": "ndcg", "k": 10, "unit": "table", "value_kind": "mean"},
            {"metric": "f1", "k": 0, "unit": "answer", "mode": "official", "value_kind": "mean"},
            {"metric": "f1", "k": 0, "unit": "answer", "mode": "strict", "value_kind": "mean"},
        ],
    )
    names = ("metric", "unit", "mode", "n_asked", "n_not_run", "mean", "mean_of_asked")
    assert {tuple(row[name] for name in names) for row in rows} == {
        ("ndcg", "sentence", "finrag", 2, 0, 0.75, 0.75),
        ("ndcg", "table", "finrag", 2, 1, 0.25, 0.125),
        ("f1", "answer", "official", 1, 0, 1, 1),
        ("f1", "answer", "strict", 1, 0, 0, 0),
    }


def test_orders_of_ties_have_their_own_means_over_what_has_them():
    values = of("s", "mrr", {"a": 0.5}, value_best=1.0, value_worst=0.25, value_expected=0.75)
    values += of("s", "mrr", {"b": 0.0}, value_best=0.5, value_worst=0.0)
    (row,) = summarised(values, sliced("ab"), [MRR])
    assert [row[name] for name in ("mean", "mean_best", "mean_worst", "mean_expected")] == [
        *(0.25, 0.75, 0.125, 0.75)
    ]


def test_a_mean_is_rounded_once_whatever_the_order():
    """Added one by one ten times 0.1 is less than 1; and 1e9 hides what comes after it."""
    tenths = dict.fromkeys("abcdefghij", 0.1)
    (row,) = summarised(of("s", "mrr", tenths), sliced(list(tenths)), [MRR])
    assert row["mean"] == 0.1
    mixed = {"a": 1e9, "b": 0.1, "c": 0.2, "d": -1e9, "e": 0.3}
    (row,) = summarised(of("s", "mrr", mixed), sliced(list(mixed)), [MRR])
    assert row["mean"] == pytest.approx(0.12, abs=1e-12)


def test_a_value_that_is_no_number_leaves_its_mean_unknown_and_no_other():
    values = of("s", "mrr", {"a": float("nan"), "b": 0.5}) + of("t", "mrr", {"a": 0.5, "b": 0.5})
    slices = sliced("ab") + sliced("b", slice_name="section")
    rows = summarised(values, slices, [MRR])
    assert {(row["system_id"], row["slice_name"]): row["mean"] for row in rows} == {
        **{("s", "overall"): None, ("s", "section"): 0.5},
        **{("t", "overall"): 0.5, ("t", "section"): 0.5},
    }


def test_an_item_counts_in_every_slice_that_it_is_in_and_in_no_other():
    slices = sliced("ab") + sliced("b", slice_name="section") + sliced("c", gold_set="p2")
    rows = summarised(of("s", "hit", {"a": 1.0, "b": 0.0, "c": 1.0, "x": 1.0}), slices, [HIT])
    names = ("gold_set", "slice_name", "n_asked", "mean")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("p1", "overall", 2, 0.5),
        ("p1", "section", 1, 0),
        ("p2", "overall", 1, 1),
    ]


def test_the_scorer_of_a_summary_is_that_of_its_values():
    values = of("s", "mrr", {"a": 0.5}, scorer_id="small") + of("s", "mrr", {"b": "failed"})
    (row,) = summarised(values, sliced("ab"), [MRR])
    assert row["scorer_id"] == "small"


def test_measures_of_the_warehouse_stand_beside_the_systems():
    """1 of 4 is 0.25 in (0.0456, 0.6994); nothing asked is null, not zero."""
    place = {"system_id": "corpus", "gold_set": "corpus"}
    rows = summarised(
        *((), (), ()),
        integrity=[
            {**place, "metric": "records_lost", "n_true": 1, "n_asked": 4},
            {**place, "metric": "vectors_of_unit_length", "n_true": 0, "n_asked": 0},
        ],
    )
    names = ("metric", "k", "n_asked", "n_evaluated", "mean", "ci_low", "ci_high", "ci_method")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("records_lost", 0, 4, 4, 0.25, 0.04558726081, 0.699358157418, "wilson"),
        ("vectors_of_unit_length", 0, 0, 0, None, None, None, "none"),
    ]


# --- intervals ---------------------------------------------------------------------------


def test_a_mean_has_the_bootstrap_interval_of_its_clusters():
    """Items of one filing are drawn together; with one filing, or no value, there is none."""
    clusters = {"a": "F", "b": "F", "c": "G", "d": "H"}
    values = of("s", "mrr", {"a": 0.5, "b": 0.25, "c": 1.0, "d": "uncovered"})
    values += of("one", "mrr", {"a": 0.5, "b": 0.0}) + of("none", "mrr", {"d": "failed"})
    rows = summarised(values, sliced(clusters), [MRR])
    sums, counts = np.array([[0.75], [1.0]]), np.array([[2.0], [1.0]])
    low, high = cluster_bootstrap(sums, counts, SETTINGS["bootstrap_resamples"], 7)
    assert figures(rows, "ci_low", "ci_high", "ci_method", "n_clusters") == {
        "s": (low[0], high[0], "cluster_bootstrap", 2),
        "one": (None, None, "none", 1),
        "none": (None, None, "none", 0),
    }


@pytest.mark.parametrize(
    ("value", "low", "high"), [(0.0, 0.0, 0.489890836455), (1.0, 0.510109163545, 1.0)]
)
def test_values_that_are_all_alike_have_the_interval_of_a_share(value, low, high):
    """Also where the last bits of one differ. A count has no bound."""
    count = {"metric": "turns", "k": 5, "value_kind": "mean", "value_unit": "count"}
    alike = {**dict.fromkeys("abc", value), "d": abs(value - 1e-16)}
    values = of("s", "mrr", alike) + of("t", "turns", dict.fromkeys("abcd", value))
    rows = summarised(values, sliced("abcd"), [MRR, count])
    assert figures(rows, "ci_low", "ci_high", "ci_method") == {
        "s": (pytest.approx(low), pytest.approx(high), "wilson_clustered"),
        "t": (value, value, "cluster_bootstrap"),
    }


def test_the_interval_of_two_shares_on_average_follows_from_theirs():
    """3 of 4 rightly declined and 1 of 4 wrongly: 0.75 and 1 - 0.25, each in (0.3006, 0.9544)."""
    names = ("no_answer_accuracy", "false_abstention", "balanced_abstention")
    catalogue = [{"metric": name, "k": 0, "unit": "answer"} for name in names]
    at = {"unit": "answer", "k": 0}
    values = of("s", names[0], {"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.0, "x": "failed"}, **at)
    values += of("s", names[1], {"e": 1.0, "f": 0.0, "g": 0.0, "h": 0.0}, **at)
    values += of("t", names[0], {"a": 1.0}, **at) + of("t", names[1], {"e": "failed"}, **at)
    rows = summarised(values, sliced("abcdefghx"), catalogue)
    (row,) = [one for one in rows if one["metric"] == names[2]]
    # As many as of the first kind: of two that are as rare, that which should be declined.
    assert (row["system_id"], row["n_asked"], row["n_evaluated"]) == ("s", 5, 4)
    assert (row["n_failed"], row["n_clusters"], row["ci_method"]) == (1, 4, "mover")
    assert row["mean"] == 0.75
    assert row["mean_of_asked"] == pytest.approx((0.6 + 0.75) / 2)
    down, up = 0.75 - 0.300641842582, 0.95441273919 - 0.75
    assert row["ci_low"] == pytest.approx(0.75 - (2 * down**2) ** 0.5 / 2)
    assert row["ci_high"] == pytest.approx(0.75 + (2 * up**2) ** 0.5 / 2)


@pytest.mark.parametrize(("rarer", "often"), [(0, 1), (1, 0)])
def test_an_average_of_two_shares_counts_the_questions_of_the_rarer_kind(rarer, often):
    """Two questions of a kind tell nothing of it, however many there are of the other."""
    names = ("no_answer_accuracy", "false_abstention", "balanced_abstention")
    right = dict(zip(names, (1.0, 0.0), strict=False))
    catalogue = [{"metric": name, "k": 0, "unit": "answer"} for name in names]
    few, many = {"a": right[names[rarer]], "b": "failed", "c": right[names[rarer]]}, {}
    many |= {f"m{n:02}": "not_run" if n == 7 else right[names[often]] for n in range(40)}
    at = {"unit": "answer", "k": 0}
    values = of("s", names[rarer], few, **at) + of("s", names[often], many, **at)
    rows = summarised(values, sliced([*few, *many]), catalogue)
    (row,) = [one for one in rows if one["metric"] == names[2]]
    assert (row["mean"], row["n_asked"], row["n_evaluated"], row["n_failed"]) == (1.0, 3, 2, 1)
    statuses = ("evaluated", "uncovered", "abstained", "failed", "not_run", "unscored")
    assert row["n_asked"] == sum(row[f"n_{status}"] for status in statuses)


# --- what a summary does not depend on, and what is refused -------------------------------


def test_neither_others_nor_the_order_of_rows_change_a_summary():
    random = Random(5)
    items = {f"i{n:02}": f"F{n % 7}" for n in range(40)}
    slices = sliced(items) + sliced(dict(list(items.items())[::2]), slice_name="section")
    values = [
        row
        for system in ("s", "t", "u")
        for name in ("hit", "mrr")
        for row in of(
            system,
            name,
            {
                item: "failed" if random.random() < 0.1 else round(random.random(), name == "mrr")
                for item in items
            },
        )
    ]
    rows = summarised(values, slices, [HIT, MRR])
    alone = [row for row in values if row["system_id"] == "t"]
    assert summarised(alone, slices, [MRR, HIT]) == [row for row in rows if row["system_id"] == "t"]
    for given in (values, slices):
        random.shuffle(given)
    assert summarised(values, slices, [MRR, HIT]) == rows


def test_a_system_that_joins_is_resampled_alone_and_what_changed_anew(tmp_path, monkeypatch):
    """What was resampled before is found: by values, clusters and slices, not by name."""
    resampled = []
    real = summaries.bootstrap_cells

    def counting(sums, *others):
        resampled.append(sums.shape[1])
        return real(sums, *others)

    monkeypatch.setattr(summaries, "bootstrap_cells", counting)
    random = Random(4)
    items = {f"i{n:02}": f"F{n % 5}" for n in range(20)}
    of_system = {
        one: [
            row
            for name in ("hit", "mrr")
            for row in of(one, name, {item: random.random() for item in items})
        ]
        for one in "stu"
    }

    def n_resampled(*systems, slices=items):
        """Means that were resampled with the cache; the rows are those without it."""
        given = [row for rows in systems for row in rows], sliced(slices), [HIT, MRR]
        expected = summarised(*given)
        resampled.clear()
        assert summarised(*given, stored=bounds({"state_dir": tmp_path})) == expected
        return sum(resampled)

    two = of_system["s"], of_system["t"]
    assert [n_resampled(*two), n_resampled(*two), n_resampled(*of_system.values())] == [2, 0, 1]
    changed = [{**row, "value": 0.5} for row in of_system["u"]]
    assert [n_resampled(*two, changed), n_resampled(*two, changed)] == [1, 0]
    # A share has no bounds of this kind, whatever becomes of it.
    shares = [{**row, "value": 1.0} if row["metric"] == "hit" else row for row in changed]
    assert n_resampled(*two, shares) == 0
    assert n_resampled(*two, slices={item: f"F{n % 4}" for n, item in enumerate(items)}) == 2
    # One that has no means at all.
    assert n_resampled(of("v", "hit", {"i01": 1.0})) == 0
    for path in (tmp_path / "cache" / "bounds").iterdir():
        path.write_bytes(b"no table")
    assert n_resampled(*of_system.values()) == 3
    assert bounds({"state_dir": None}) is None


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (of("s", "mrr", {"a": 1.0}), "metric 'mrr 5 sentence finrag' is not in the catalogue"),
        (of("s", "hit", {"a": "lost"}), "value_status 'lost' is none of evaluated"),
        (of("s", "hit", {"a": 1.0}) * 2, "system 's' has two values of one metric"),
    ],
)
def test_what_is_not_known_or_stands_twice_is_refused(values, message):
    with pytest.raises(ValueError, match=message):
        summarised(values, sliced("a"), [HIT])


def test_nothing_gives_no_rows():
    assert summarised((), (), ()) == []
