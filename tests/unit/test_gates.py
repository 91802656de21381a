"""Verdicts of gates: they fail closed, and only a finite number on the right side passes."""

import datetime
import math

import pytest

from finrag.metrics.gates import Figure, Gate, judge
from tests.unit.gated_run import DAY, check, column, figure, gate, questions

NAN, INF = math.nan, math.inf
FLOOR = {"direction": "min", "limit_value": 0.8}
CEILING = {"direction": "max", "limit_value": 0.1}


def waiver(
    gate_id, expires_on=DAY, reason="the index is rebuilt", set_on=datetime.date(2025, 1, 1)
):
    return {"gate_id": gate_id, "reason": reason, "set_on": set_on, "expires_on": expires_on}


def verdict(limit, measured, **rows):
    """The verdict of one gate on one figure."""
    return check([gate("g", **limit)], summaries=[figure(**measured)], **rows)["g"]


@pytest.mark.parametrize(
    ("limit", "value", "expected"),
    [
        (FLOOR, 0.8, "pass"),
        (FLOOR, 0.81, "pass"),
        (FLOOR, 0.79, "fail"),
        (CEILING, 0.1, "pass"),
        (CEILING, 0.09, "pass"),
        (CEILING, 0.11, "fail"),
        (FLOOR, NAN, "unmeasured"),
        (CEILING, NAN, "unmeasured"),
        (FLOOR, INF, "unmeasured"),
        (CEILING, -INF, "unmeasured"),
        (FLOOR, None, "unmeasured"),
    ],
)
def test_a_gate_passes_on_a_finite_number_at_its_limit_or_on_the_right_side(limit, value, expected):
    found = verdict(limit, {"mean": value})

    assert found["verdict"] == expected
    assert found["breach"] == (None if expected == "pass" else expected)
    assert found["value"] == value or (math.isnan(found["value"]) and math.isnan(value))


@pytest.mark.parametrize(
    "fields",
    [
        {"run_id": "another"},
        {"system_id": "t"},
        {"gold_set": "p2"},
        {"slice_name": "overall"},
        {"slice_value": "hard"},
        {"metric": "other"},
        {"k": 10},
        {"unit": "sentence"},
        {"mode": "official"},
    ],
)
def test_what_was_measured_for_others_is_not_the_figure_of_a_gate(fields):
    found = verdict(FLOOR, {"mean": 0.9, **fields})

    assert (found["verdict"], found["value"], found["n"]) == ("unmeasured", None, None)


def test_a_gate_without_any_figure_has_a_verdict():
    assert check([gate("g")])["g"]["breach"] == "unmeasured"
    assert check([gate("g", measured_in="comparisons")], summaries=[figure(0.9)])["g"]["breach"]


@pytest.mark.parametrize(
    ("statistic", "direction", "limit_value", "value", "expected"),
    [
        ("mean", "min", 0.8, 0.85, "pass"),
        ("ci_low", "min", 0.8, 0.75, "fail"),
        ("ci_high", "max", 0.9, 0.95, "fail"),
        ("median", "min", 0.8, None, "unmeasured"),
        ("mean", "about", 0.8, 0.85, "fail"),
        ("mean", "about", 0.9, 0.85, "fail"),
        ("mean", "max", NAN, 0.85, "unmeasured"),
        ("mean", "max", INF, 0.85, "unmeasured"),
    ],
)
def test_a_gate_holds_its_statistic_against_a_finite_limit(
    statistic, direction, limit_value, value, expected
):
    """The bound decides, not the mean; what makes no sense never passes."""
    limit = {"statistic": statistic, "direction": direction, "limit_value": limit_value}
    found = verdict(limit, {"mean": 0.85, "ci_low": 0.75, "ci_high": 0.95})

    assert (found["value"], found["verdict"]) == (value, expected)


# Of the items that a gate wants 29 or 30 were evaluated, and as many or more were asked for.
@pytest.mark.parametrize(
    ("mean", "n", "n_abstained", "limit", "expected"),
    [
        (0.9, 30, 0, {}, ("pass", None)),
        (0.9, 29, 0, {}, ("too_few", None)),
        (0.1, 29, 0, {}, ("too_few", None)),
        (1.0, 29, 1, {}, ("fail", "too_few_answers")),
        (1.0, 1, 299, {"severity": "warn"}, ("fail", "too_few_answers")),
        (1.0, 30, 270, {}, ("pass", None)),
        (1.0, 29, None, {}, ("too_few", None)),
        (None, 0, 300, {}, ("unmeasured", "unmeasured")),
        (0.9, 0, 0, {"min_n": 0}, ("unmeasured", "unmeasured")),
        (0.9, None, 0, {"min_n": 0}, ("unmeasured", "unmeasured")),
        # Three of three items have no interval and are too few for one.
        (1.0, 3, 0, {"statistic": "ci_low"}, ("too_few", None)),
        (1.0, 3, 27, {"statistic": "ci_low"}, ("unmeasured", "unmeasured")),
        (None, 0, 3, {"statistic": "ci_low"}, ("unmeasured", "unmeasured")),
        # A mean they have.
        (None, 3, 0, {}, ("unmeasured", "unmeasured")),
    ],
)
def test_few_items_excuse_a_gate_and_few_answers_do_not(mean, n, n_abstained, limit, expected):
    found = verdict(limit, {"mean": mean, "n": n, "n_abstained": n_abstained})

    assert (found["verdict"], found["breach"]) == expected
    assert found["n"] == n
    assert found["n_expected"] == (None if None in (n, n_abstained) else n + n_abstained)


@pytest.mark.parametrize(
    ("ci_low", "n_clusters", "expected"),
    [
        (None, 4, "too_few"),
        (0.9, 4, "too_few"),
        (0.9, 5, "pass"),
        (0.9, None, "pass"),
        # Nothing of it was clustered.
        (0.9, 0, "pass"),
        (NAN, 4, "unmeasured"),
    ],
)
def test_an_interval_over_few_filings_is_too_few_unless_it_is_no_number(
    ci_low, n_clusters, expected
):
    limit = {"statistic": "ci_low", "min_clusters": 5}
    found = verdict(limit, {"mean": 0.9, "ci_low": ci_low, "n_clusters": n_clusters})

    assert found["verdict"] == expected


def test_a_waiver_excuses_a_breach_up_to_its_last_day_and_nothing_else():
    measured = {"few": figure(0.1, 3), "passed": figure(0.9), "declined": figure(1.0, 29)}
    measured["declined"]["n_abstained"] = 1
    gates = [gate(name, metric=name) for name in ("absent", *measured, "yesterday", "tomorrow")]
    excused = gate("excused", metric="absent", system_id="none", applies_when="system_registered")
    june, july = datetime.date(2026, 6, 30), datetime.date(2026, 7, 1)
    waivers = [
        waiver("absent", june, "the scorer is being moved"),
        waiver("absent", datetime.date(2025, 12, 31), "expired long ago"),
        waiver("absent", DAY, "for a while"),
        waiver("absent", datetime.date(2027, 6, 30), "not yet", july),
        *(waiver(name, june) for name in ("few", "passed", "declined", "excused")),
        waiver("yesterday", DAY - datetime.timedelta(days=1)),
        waiver("tomorrow", june, set_on=DAY + datetime.timedelta(days=1)),
    ]
    summaries = [{**row, "metric": name} for name, row in measured.items()]
    found = check([*gates, excused], waivers, summaries=summaries)

    assert column("verdict", found) == {
        **{"absent": "waived", "passed": "pass", "few": "too_few", "declined": "waived"},
        **{"excused": "not_applicable", "yesterday": "unmeasured", "tomorrow": "unmeasured"},
    }
    assert found["absent"]["waiver_reason"] == "the scorer is being moved"
    assert found["absent"]["breach"] is None
    assert {
        name: row["waived_until"] for name, row in found.items() if row["waiver_reason"]
    } == dict.fromkeys(("absent", "passed", "few", "declined", "excused"), june)


def test_a_waiver_holds_from_its_first_day_and_needs_both_days_and_a_reason():
    names = ("endless", "unbegun", "first_day", "said_once")
    waivers = [
        waiver("endless", None),
        waiver("unbegun", set_on=None),
        waiver("first_day", set_on=DAY),
        # Of two that last as long, the one with a reason.
        waiver("said_once"),
        waiver("said_once", reason=None),
    ]
    found = check([gate(name) for name in names], waivers, summaries=[figure(0.1)])

    assert column("verdict", found) == dict(
        zip(names, ("fail", "fail", "waived", "waived"), strict=True)
    )


@pytest.mark.parametrize(("days", "expected"), [(0, "waived"), (1, "fail")])
def test_a_new_day_ends_a_waiver(days, expected):
    today = DAY + datetime.timedelta(days=days)
    found = check([gate("g")], [waiver("g")], today, summaries=[figure(0.1)])

    assert found["g"]["verdict"] == expected


def test_a_broken_phase_takes_the_trust_from_the_phases_behind_it():
    """A warning, a reference below its limit and a waived error break nothing."""
    gates = [
        gate("p0_warning", phase="P0", limit_value=0.9, severity="warn"),
        gate("p0_reference", phase="P0", limit_value=0.9, subject="system"),
        gate("p0_waived", phase="P0", limit_value=0.9),
        gate("p1_broken", phase="P1", metric="absent"),
        gate("p1_passed", phase="P1"),
        gate("p2_passed", phase="P2"),
        gate("p2_broken", phase="P2", limit_value=0.9),
    ]
    found = check(gates, [waiver("p0_waived")], summaries=[figure(0.85)])

    untrusted = {name for name, row in found.items() if not row["is_trusted"]}
    assert untrusted == {"p2_passed", "p2_broken"}
    assert found["p0_reference"]["severity"] == "reference"
    assert column("verdict", found)["p1_broken"] == "unmeasured"


SYSTEMS = [
    {"system_id": "s", "role": "reference", "regime": "open", "is_null": False},
    {"system_id": "chance", "role": "null", "regime": "open", "is_null": True},
]


@pytest.mark.parametrize(
    ("null", "limit", "expected"),
    [
        (0.3, {"limit_value": 0.3}, (True, "passed_by_null")),
        (0.29, {"limit_value": 0.3}, (False, None)),
        (0.9, {"direction": "max", "limit_value": 0.9}, (True, "passed_by_null")),
        (0.91, {"direction": "max", "limit_value": 0.9}, (False, None)),
        (NAN, {"limit_value": 0.3}, (False, "null_unmeasured")),
        (None, {"limit_value": 0.3}, (False, "null_unmeasured")),
        # Only a pass can be empty, and too few to tell stays so.
        (0.95, {"limit_value": 0.9}, (True, "fail")),
        (0.1, {"limit_value": 0.3, "min_n": 101}, (False, None)),
        (0.5, {"limit_value": 0.3, "min_n": 101}, (True, None)),
        (None, {"limit_value": 0.3, "min_n": 101}, (False, None)),
        (0.3, {"limit_value": None}, (False, "unmeasured")),
        # What lies above the null cannot be passed by it.
        (0.3, {"limit_value": 0.3, "statistic": "ci_low_above_null"}, (False, None)),
        (0.5, {"limit_value": 0.3, "statistic": "ci_low_above_null"}, (False, "fail")),
        (None, {"limit_value": 0.3, "statistic": "ci_low_above_null"}, (False, "unmeasured")),
    ],
)
def test_a_gate_that_claims_to_stop_a_null_must_have_seen_one_that_fails(null, limit, expected):
    found = check(
        [gate("g", is_held_against_null=True, **limit)],
        systems=SYSTEMS,
        summaries=[figure(0.85, ci_low=0.7), figure(null, system_id="chance")],
    )["g"]

    assert (found["is_passed_by_null"], found["breach"]) == expected
    assert found["null_value"] == (None if null is None or math.isnan(null) else null)


def test_without_a_bound_or_with_a_null_that_is_no_number_nothing_was_shown():
    above = gate("g", statistic="ci_low_above_null", is_held_against_null=True)
    summaries = [figure(0.85), figure(0.3, system_id="chance")]
    found = check([above], systems=SYSTEMS, summaries=summaries)["g"]
    assert (found["breach"], found["null_value"]) == ("unmeasured", 0.3)

    held = Gate("g", "s", "corpus", "error", gate("g", is_held_against_null=True))
    assert judge(held, Figure({"mean": 0.85}, 100), NAN).breach == "null_unmeasured"


def test_a_gate_that_is_not_held_against_a_null_does_without():
    summaries = [figure(0.85), figure(0.9, system_id="chance")]
    found = check([gate("g")], systems=SYSTEMS, summaries=summaries)["g"]

    assert (found["breach"], found["null_value"]) == (None, None)


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        ({"system_id": "narrow"}, 0.3),
        ({"system_id": "wide"}, 0.01),
        ({"system_id": "wide", "k": 10}, None),
        # A candidate is held against the best of all nulls.
        ({"system_id": "own"}, 0.3),
        ({"system_id": "chance_filtered"}, None),
        # A pair already is a comparison with a null.
        ({"system_id": "wide", "measured_in": "comparisons"}, None),
        # Answers: a null that answers, whatever its regime, and a random answer.
        ({"system_id": "narrow", "metric": "exact"}, 0.4),
        ({"system_id": "narrow", "metric": "invented", "direction": "max"}, 1.0),
        # The strongest of all wrong answers is for candidates.
        ({"system_id": "own", "metric": "exact"}, 0.9),
        ({"system_id": "narrow", "metric": "worded"}, 0.2),
        # Two systems without a regime are not alike.
        ({"system_id": "unset", "metric": "found"}, None),
    ],
)
def test_a_gate_is_held_against_the_null_that_comes_nearest_to_passing(limit, expected):
    def measured(system_id, value, metric="hit", **fields):
        return figure(value, system_id=system_id, metric=metric, **fields)

    def answered(system_id, metric, null_kind, null_mean):
        return measured(system_id, None, metric, null_kind=null_kind, null_mean=null_mean)

    found = check(
        [gate("g", is_held_against_null=True, **{"metric": "hit", **limit})],
        systems=[
            {"system_id": "narrow", "regime": "filtered", "role": "reference", "is_null": False},
            {"system_id": "wide", "regime": "open", "role": "reference", "is_null": False},
            {"system_id": "own", "regime": "other", "role": "candidate", "is_null": False},
            {"system_id": "unset", "regime": None, "role": "reference", "is_null": False},
            {"system_id": "chance_unset", "regime": None, "role": "null", "is_null": True},
            {"system_id": "chance_filtered", "regime": "filtered", "role": "null", "is_null": True},
            {
                **{"system_id": "chance_open", "regime": "open", "role": "null", "is_null": True},
                "answerer": "extractive",
            },
        ],
        summaries=[
            measured("chance_filtered", 0.3),
            measured("chance_open", 0.01),
            measured("chance_open", 0.9, gold_set="p2"),
            measured("chance_open", 0.9, slice_name="overall"),
            measured("wide", 0.8),
            measured("chance_open", 0.2, "exact"),
            measured("chance_open", 3.0, "invented"),
            measured("chance_open", 0.2, "worded"),
            measured("chance_unset", 0.6, "found"),
        ],
        floors=[
            answered("narrow", "exact", "random_answer", 0.4),
            answered("narrow", "exact", "wrong_year", 0.9),
            answered("narrow", "exact", "strongest", 0.95),
            answered("wide", "exact", "random_answer", 0.9),
            answered("narrow", "invented", "random_answer", 1.0),
            answered("own", "exact", "strongest", 0.9),
            answered("own", "exact", "random_answer", NAN),
            answered("own", "exact", "wrong_year", 0.95),
        ],
    )["g"]

    assert found["null_value"] == expected


def test_a_pair_counts_what_its_second_side_missed_as_if_it_were_perfect_there():
    def pair(mean_difference, n_items, n_missing_b, **fields):
        bounds = {"ci_low": 0.25, "ci_high": 0.75}
        counts = {"n_items": n_items, "n_missing_b": n_missing_b}
        whole = {**figure(), "pair_id": "lift", "mean_difference": mean_difference, **bounds}
        return {**whole, **counts, **fields}

    def of_pair(gate_id, **fields):
        fields = {"limit_value": 0.0, "min_n": 1, "statistic": "ci_low", **fields}
        return gate(gate_id, measured_in="comparisons", system_id="lift", **fields)

    unknown = {"no_mean": 10, "no_missing": 20, "no_count": 30}
    found = check(
        [of_pair(name, k=k, statistic="mean") for name, k in unknown.items()],
        comparisons=[pair(None, 8, 0, k=10), pair(0.5, 8, None, k=20), pair(0.5, None, 0, k=30)],
    )
    assert column("value", found) == dict.fromkeys(unknown)

    found = check(
        [of_pair("whole"), of_pair("missed", slice_value="peers"), of_pair("no_items", k=5)],
        comparisons=[
            pair(0.5, 8, 0),
            pair(0.5, 8, 2, slice_value="peers"),
            pair(0.5, 0, 0, k=5),
        ],
    )

    assert column("value", found) == pytest.approx(
        {"whole": 0.25, "missed": 0.0, "no_items": NAN}, nan_ok=True
    )
    assert column("verdict", found)["missed"] == "pass"
    assert column("breach", found)["no_items"] == "unmeasured"
    assert (found["missed"]["ci_high"], found["missed"]["n_expected"]) == (0.5, 8)


def test_a_floor_is_a_distance_to_its_own_null_and_expected_where_its_figure_is():
    floors = [
        figure(null_kind="strongest", score=0.9, distance=0.0),
        figure(null_kind="wrong_year", score=0.9, distance=-0.01),
    ]
    gates = [
        gate(str(kind), measured_in="floors", statistic="distance", limit_value=0.0, null_kind=kind)
        for kind in ("strongest", "wrong_year", "random_answer", None)
    ]
    found = check(gates, floors=floors, summaries=[figure(0.5, 100, n_failed=3)])

    assert column("breach", found) == {
        **{"strongest": None, "wrong_year": "fail"},
        **{"random_answer": "unmeasured", "None": "unmeasured"},
    }
    assert found["strongest"]["n_expected"] == 103


@pytest.mark.parametrize(
    ("statistic", "limit", "drift", "expected"),
    [
        ("absolute_change", 0.25, {"change": -0.25}, ("pass", 0.25)),
        ("absolute_change", 0.2, {"change": -0.25}, ("fail", 0.25)),
        ("absolute_change", 0.05, {"change": 0.0625}, ("fail", 0.0625)),
        # Twice the cost is a relative change of 1; one that has no share is unmeasured.
        ("relative_change", 0.2, {"change": 1.0, "relative_change": 1.0}, ("fail", 1.0)),
        ("relative_change", 0.2, {"change": 2.0}, ("unmeasured", None)),
        # Within the interval of the baseline a change may be chance.
        ("significant_change", 0.01, {"change": 0.05, "is_beyond_interval": False}, ("pass", 0.0)),
        ("significant_change", 0.01, {"change": 0.05, "is_beyond_interval": True}, ("fail", 0.05)),
        ("significant_change", 0.01, {"change": 0.05}, ("fail", 0.05)),
        ("significant_change", 0.01, {"change": None, "n": None}, ("unmeasured", None)),
        # The smaller side says how much a change can tell.
        ("absolute_change", 0.05, {"change": 2.0, "n": 29}, ("too_few", 2.0)),
        ("absolute_change", 0.05, {"change": 2.0, "baseline_n": 29}, ("too_few", 2.0)),
        # Nothing that can be compared.
        ("absolute_change", 0.05, {"change": 2.0, "is_comparable": False}, ("unmeasured", None)),
    ],
)
def test_a_drift_is_a_change_over_the_smaller_side(statistic, limit, drift, expected):
    one = gate("g", measured_in="drifts", direction="max", statistic=statistic, limit_value=limit)
    whole = figure(0.9, baseline_n=100, is_comparable=True)
    found = check([one], drifts=[{**whole, **drift}])["g"]

    assert (found["verdict"], found["value"]) == expected


@pytest.mark.parametrize(
    ("n_declined", "baseline_n", "expected"),
    [(0, 100, "too_few"), (5, 100, "fail"), (5, 29, "too_few")],
)
def test_a_drift_is_expected_where_its_baseline_has_a_figure(n_declined, baseline_n, expected):
    one = gate("g", measured_in="drifts", direction="max", statistic="change", limit_value=0.1)
    drift = figure(0.9, 28, baseline_n=baseline_n, is_comparable=True, change=0.0)
    found = check([one], drifts=[drift], summaries=[figure(0.9, 28, n_abstained=n_declined)])

    assert found["g"]["verdict"] == expected


@pytest.mark.parametrize(
    ("metric", "limit", "expected"),
    [
        ("latency_p50_ms", 900.0, ("pass", 800.0, 31)),
        ("latency_p95_ms", 900.0, ("fail", 4900.0, 31)),
        ("cost_usd_per_query", 0.05, ("pass", 0.02, 40)),
    ],
)
def test_times_and_prices_are_judged_over_the_questions_where_they_are_known(
    metric, limit, expected
):
    place = {"measured_in": "costs", "slice_name": "overall", "unit": "any", "metric": metric}
    one = gate("g", direction="max", limit_value=limit, **place)
    cost = {"run_id": "r", "gold_set": "p3", "n_items": 40}
    timed = {
        **{**cost, "system_id": "s", "n_timed": 31, "latency_p50_ms": 800.0},
        **{"latency_p95_ms": 4900.0, "cost_usd_per_query": 0.02},
    }
    found = check([one], costs=[timed, {**cost, "system_id": "t", "n_timed": 0}])["g"]
    none = check([{**one, "system_id": "t"}], costs=[timed, {**cost, "system_id": "t"}])["g"]

    assert (found["verdict"], found["value"], found["n"]) == expected
    assert (none["breach"], none["n"]) == ("unmeasured", None)


def test_passages_that_nobody_recognises_cannot_tell_whether_they_are_good():
    """Neither with nor without a value; a gate that does not apply stays so."""
    seen = {"applies_when": "capability_seen", "capability": "cites"}
    gates = [
        gate("absent", metric="cited", **seen),
        gate("valued", metric="quoted", direction="max", limit_value=0.5),
        gate("right", direction="max", limit_value=0.5),
        gate("kept", metric="cited", applies_when="baseline_known", measured_in="drifts"),
        gate("recognised", metric="quoted", system_id="t"),
        gate("official", metric="quoted", mode="official"),
        gate("unlisted", metric="unlisted"),
        gate("elsewhere", metric="quoted", gold_set="finqa", slice_name="overall"),
    ]
    metrics = [
        {"metric": name, "k": 0, "unit": "answer", "mode": mode, "measured_by": rule}
        for name, mode, rule in (
            ("cited", "finrag", "citations"),
            ("quoted", "finrag", "claims"),
            ("quoted", "official", "claims"),
            ("right", "finrag", "type_rule"),
        )
    ]
    found = check(
        gates,
        metrics=metrics,
        returned=[
            {"system_id": "s", "gold_set": "p3", "n_recognised": 0},
            {"system_id": "t", "gold_set": "p3", "n_recognised": 1},
        ],
        summaries=[questions(), figure(0.9), figure(0.9, 40, metric="quoted")],
    )

    assert column("verdict", found) == {
        **{"absent": "too_few", "valued": "too_few", "right": "fail", "kept": "not_applicable"},
        **{"recognised": "unmeasured", "official": "unmeasured", "elsewhere": "unmeasured"},
        **{"unlisted": "unmeasured"},
    }
    assert (found["absent"]["value"], found["valued"]["value"]) == (None, 0.9)
    assert set(column("breach", found).values()) == {None, "fail", "unmeasured"}


def test_a_rule_excuses_a_gate_without_a_value_and_never_one_with_a_value():
    of_none = {"applies_when": "system_registered"}
    found = check(
        [gate("measured", **of_none, limit_value=0.9), gate("excused", **of_none, metric="none")],
        summaries=[figure(0.85)],
    )

    assert column("verdict", found) == {"measured": "fail", "excused": "not_applicable"}
    assert found["excused"]["breach"] is None


def test_a_score_of_another_model_is_no_value_and_no_count():
    """The limit was set with the model large; what small scored is for the other gate."""
    gates = [
        gate(name, applies_when=name, scorer="large") for name in ("scorer_is", "scorer_is_not")
    ]
    found = check(
        gates,
        systems=[{"system_id": "s", "answerer": "extractive"}],
        scorers=[{"metric": "right", "model": "small@a1b2", "is_configured": True}],
        summaries=[questions(), figure(0.9, ci_low=0.8)],
    )

    assert column("verdict", found) == {"scorer_is": "not_applicable", "scorer_is_not": "pass"}
    assert column("value", found) == {"scorer_is": None, "scorer_is_not": 0.9}
    assert column("n", found) == {"scorer_is": None, "scorer_is_not": 100}
    assert column("ci_low", found) == {"scorer_is": 0.8, "scorer_is_not": 0.8}
