"""Gates in words: what was measured, what it should be, and what to do."""

import datetime
import math

import pytest

from tests.unit.gated_run import check, figure, gate

CITED = {
    **{"metric": "cites_right_filing", "k": 0, "unit": "answer", "mode": "finrag"},
    **{"phrase": "attribution", "value_unit": "share", "page": "/answers"},
    **{"remedy": "Open the questions whose citations are wrong."},
}
HIT = {
    **{"metric": "hit", "k": 5, "unit": "sentence", "mode": "finrag", "phrase": "Hit@5"},
    **{"value_unit": "share", "page": "/retrieval", "remedy": ""},
}
SCORE = {**CITED, "metric": "bert_score", "phrase": "bert score", "value_unit": "score"}
COUNT = {**CITED, "metric": "unsupported_numbers", "phrase": "mean count of unsupported numbers"}
COUNT["value_unit"] = "count"
LOST = {**HIT, "metric": "records_lost", "k": 0, "unit": "any", "phrase": "share of records lost"}
SLOW = {
    **LOST,
    "metric": "latency_p95_ms",
    "phrase": "latency",
    "value_unit": "ms",
    "page": "/cost",
}
PRICE = {**SLOW, "metric": "cost_usd_per_query", "phrase": "price", "value_unit": "usd"}
METRICS, MEASURES = [CITED, HIT, SCORE, COUNT], [LOST, SLOW, PRICE]
KEY = ("metric", "k", "unit", "mode")


def word(measure, limit, mean=None, n=100, figures="summaries", **rows):
    """The words on one gate on one figure."""
    key = {name: measure[name] for name in KEY}
    value = {"value_text": None, **figure(mean, n, **key)}
    value |= {
        name: limit[name] for name in ("system_id", "slice_name", "slice_value") if name in limit
    }
    measured = {figures: [value | rows.pop("more", {})]}
    return check(
        [gate("g", **key, **limit)], metrics=METRICS, measures=MEASURES, **measured, **rows
    )["g"]


@pytest.mark.parametrize(
    ("measure", "limit", "mean", "statement"),
    [
        (CITED, {"limit_value": 0.9}, 0.9, "attribution of s is 90.0 %, should be at least 90.0 %"),
        # A value that misses its limit by little does not print like the limit.
        (
            *(CITED, {"limit_value": 0.9}, 0.89996),
            "attribution of s is 89.996 %, should be at least 90.0 %",
        ),
        (
            *(SCORE, {"limit_value": 0.8}, 0.79999),
            "bert score of s is 0.79999, should be at least 0.8",
        ),
        (
            *(SCORE, {"slice_name": "sound_scope", "slice_value": "cross_year"}, -0.19812),
            "bert score of s (cross year) is -0.198, should be at least 0.8",
        ),
        (
            *(COUNT, {"direction": "max", "limit_value": 0.0}, 0.25),
            "mean count of unsupported numbers of s is 0.25, should be at most 0.0",
        ),
        (
            *(LOST, {"system_id": "corpus", "direction": "max", "limit_value": 0.01}, math.nan),
            "share of records lost of the corpus was not measured; it should be at most 1.0 %",
        ),
        (
            *(LOST, {"system_id": "gold"}, None),
            "share of records lost of the gold was not measured; it should be at least 80.0 %",
        ),
        (
            *(SLOW, {"direction": "max", "limit_value": 5000.0}, 12345.6),
            "latency of s is 12,346 ms, should be at most 5,000 ms",
        ),
        (
            *(SLOW, {"direction": "max", "limit_value": 2000.0}, 2000.3),
            "latency of s is 2000.3 ms, should be at most 2,000 ms",
        ),
        (
            *(PRICE, {"direction": "max", "limit_value": 0.0001}, 0.0004),
            "price of s is 0.0004 USD, should be at most 0.0001 USD",
        ),
        # A limit is printed whole, and nothing as less than nothing.
        (
            *(CITED, {"limit_value": 0.9995}, 0.9991),
            "attribution of s is 99.9 %, should be at least 99.95 %",
        ),
        (
            *(CITED, {"limit_value": 0.1}, -0.0001),
            "attribution of s is 0.0 %, should be at least 10.0 %",
        ),
        (
            *(CITED, {"limit_value": math.nan}, 0.5),
            "attribution of s is 50.0 %, should be at least what is no number",
        ),
    ],
)
def test_a_gate_says_its_value_and_its_limit(measure, limit, mean, statement):
    assert word(measure, limit, mean)["statement"] == statement


def test_a_measure_that_no_catalogue_names_is_called_by_its_id():
    unknown = {**CITED, "metric": "right_at_all"}
    assert word(unknown, {}, 0.9)["statement"] == (
        "right at all of s is 90.0 %, should be at least 80.0 %"
    )


def test_what_a_gate_is_held_against_is_named():
    pairs = [{"pair_id": "lift", "system_a": "dense", "system_b": "random"}]
    pair = {"system_id": "lift", "measured_in": "comparisons", "statistic": "ci_low"}
    found = word(
        *(HIT, {**pair, "limit_value": 0.02}),
        figures="comparisons",
        pairs=pairs,
        more={"pair_id": "lift", "ci_low": 0.1, "n_items": 9, "n_missing_b": 0},
    )
    assert found["statement"].startswith("Hit@5 of dense above random, lower bound is 10.0 %")
    floor = {"measured_in": "floors", "null_kind": "strongest", "statistic": "mean"}
    assert word(CITED, floor)["gate_label"] == "attribution of s above its strongest null"
    floor["null_kind"] = "other_year"
    assert word(CITED, floor)["gate_label"] == "attribution of s above its null, other year"
    drift = {"measured_in": "drifts", "statistic": "significant_change"}
    label = word(CITED, drift)["gate_label"]
    assert label == "attribution of s against the baseline, change beyond chance"
    above = word(CITED, {"statistic": "ci_low_above_null"})
    assert above["gate_label"] == "attribution of s above its strongest null, lower bound"


@pytest.mark.parametrize(
    ("measure", "limit", "more", "statement", "remedy"),
    [
        (HIT, {}, {"mean": 0.9}, "is 90.0 %, should be at least 80.0 %", None),
        (
            *(HIT, {"measured_in": "drifts", "applies_when": "baseline_known"}, {}),
            *("against the baseline is not judged: no baseline holds a figure", None),
        ),
        (
            *(HIT, {"applies_when": "lines_loaded"}, {}),
            *("is not judged: the filings bring no table of revenue", None),
        ),
        (
            *(HIT, {"is_held_against_null": True}, {"mean": 0.9}),
            *("passes with 90.0 %, but no null was measured", "Run the null of the same regime"),
        ),
        (
            *(HIT, {}, {"mean": 0.9, "n": 9}),
            *("is 90.0 % over too little to tell (n = 9); it should be", "Add filings or"),
        ),
        # One question has no interval: that is no fault of passages.
        (
            *(HIT, {"statistic": "ci_low"}, {"mean": 0.9, "n": 1}),
            *("cannot be measured over too little to tell (n = 1); it should be", "Add filings or"),
        ),
        (
            *(CITED, {}, {"mean": 0.9, "n": 9, "more": {"n_abstained": 31}}),
            *("speaks for 9 answers where 40 were expected and 30 are needed", "Find out why"),
        ),
        (CITED, {}, {"mean": 0.5}, "is 50.0 %, should be", "Open the questions whose"),
        (HIT, {}, {"mean": 0.5}, "is 50.0 %, should be", "Open the hardest items"),
        (HIT, {"system_id": "gold"}, {"mean": 0.5}, "is 50.0 %", "Fix the questions and anchors"),
        (HIT, {}, {"mean": None}, "was not measured; it should be", "Build all that the gate"),
    ],
)
def test_what_does_not_pass_says_what_to_do(measure, limit, more, statement, remedy):
    found = word(measure, limit, **more)

    assert statement in found["statement"]
    assert (found["remedy"] is None) == (remedy is None)
    assert (found["remedy"] or "").startswith(remedy or "")


def test_a_null_that_passes_and_passages_that_nobody_knows_are_said():
    systems = [
        {"system_id": "s", "role": "reference", "regime": "open", "is_null": False},
        {"system_id": "random", "role": "null", "regime": "open", "is_null": True},
    ]
    limit = gate("g", **{name: HIT[name] for name in KEY}, is_held_against_null=True)
    of_metric = {name: HIT[name] for name in KEY}
    both = [figure(0.9, **of_metric), figure(0.89999, **of_metric, system_id="random")]
    found = check([limit], metrics=METRICS, summaries=both, systems=systems)["g"]
    assert found["statement"] == (
        "Hit@5 of s passes with 90.0 %, and what knows nothing passes too, with 89.999 %"
    )
    assert found["remedy"].startswith("Raise the limit above what the null scores")

    needs = [{**HIT, "measured_by": "ranking", "needs_gold": True}]
    unknown = [{"system_id": "s", "gold_set": "p3", "n_recognised": 0}]
    found = check([limit], metrics=needs, returned=unknown, systems=systems)["g"]
    assert found["statement"] == (
        "Hit@5 of s cannot be measured: no passage that it returned is recognised"
    )
    assert found["remedy"].startswith("Return passages by their id")


def test_a_waiver_says_that_the_gate_will_be_broken_again():
    day = datetime.date(2026, 12, 31)
    waivers = [
        {"gate_id": "g", "reason": "so", "set_on": datetime.date(2026, 1, 1), "expires_on": day}
    ]
    found = check([gate("g")], waivers, summaries=[figure(0.5)])["g"]
    assert found["remedy"] == "Fix it before the waiver ends; afterwards the gate is broken again."


@pytest.mark.parametrize(
    ("measure", "limit", "page"),
    [
        (HIT, {}, "/retrieval"),
        (SLOW, {"measured_in": "drifts"}, "/cost"),
        (HIT, {"measured_in": "drifts"}, "/runs"),
        (HIT, {"measured_in": "comparisons"}, "/compare"),
    ],
)
def test_a_gate_leads_to_the_page_of_what_it_judges(measure, limit, page):
    assert word(measure, limit)["page"] == page
