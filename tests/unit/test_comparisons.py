"""Paired comparisons: oracles of scipy, degenerate cases, and simulations of what they promise."""

import numpy as np
import pytest
import scipy.stats

from finrag.statistics.comparisons import (
    Draws,
    benjamini_hochberg,
    cautious_p_values,
    compare_differences,
    decide,
    decide_families,
    detectable_differences,
    explored_p_values,
    holm,
    sign_flip_p_values,
    standard_errors,
)

DRAWS = Draws(n_resamples=2_000, n_resamples_of_items=2_000, seed=1)


def compared(values, clusters=None, companies=None, overlap=True, draws=DRAWS):
    """Figures of one series; without clusters every item is its own."""
    column = np.asarray(values, np.float64)[:, None]
    numbers = np.arange(len(column)) if clusters is None else np.asarray(clusters)
    found = compare_differences(column, numbers, draws, companies, overlap)
    return {name: figure[0] for name, figure in found.items()}


def verdict(values, clusters=None, margin=0.02, is_lower_better=False, **known):
    column = np.asarray(values, np.float64)[:, None]
    numbers = np.arange(len(column)) if clusters is None else np.asarray(clusters)
    figures = compare_differences(column, numbers, DRAWS, **known)
    _, verdicts = decide_families(figures, ["one"], [margin], [is_lower_better])
    return verdicts[0]


def test_the_t_test_is_that_of_scipy():
    values = np.random.default_rng(2).normal(0.2, 1, 40)

    assert compared(values)["p_t"] == pytest.approx(
        scipy.stats.ttest_1samp(values, 0).pvalue, abs=1e-9
    )


@pytest.mark.parametrize("choices", [[-1, 0, 1], [-0.5, -0.25, 0, 0.25, 1], None])
def test_the_signed_rank_test_is_that_of_scipy(choices):
    rng = np.random.default_rng(3)
    values = rng.normal(0.2, 1, 60) if choices is None else rng.choice(choices, 60)
    oracle = scipy.stats.wilcoxon(
        values, zero_method="wilcox", correction=False, method="asymptotic"
    )

    assert compared(values)["p_wilcoxon"] == pytest.approx(oracle.pvalue, abs=1e-9)


def test_the_last_bits_of_a_difference_break_no_tie():
    exact = np.repeat([0.3, -0.3, 0.1, 0.0], [9, 5, 4, 6])
    noise = np.random.default_rng(8).uniform(-1e-15, 1e-15, len(exact))
    assert compared(exact + noise)["p_wilcoxon"] == compared(exact)["p_wilcoxon"]


@pytest.mark.parametrize(("wins", "losses"), [(9, 2), (2, 9), (5, 5), (1, 0)])
def test_wins_against_losses_are_the_exact_binomial_test(wins, losses):
    values = [1.0] * wins + [-1.0] * losses + [0.0] * 20
    oracle = scipy.stats.binomtest(wins, wins + losses)

    assert compared(values)["p_mcnemar"] == pytest.approx(oracle.pvalue, abs=1e-9)


def test_the_randomisation_test_over_items_is_that_of_scipy():
    values = np.random.default_rng(8).normal(0.4, 1, 12)
    oracle = scipy.stats.permutation_test(
        (values,), np.sum, permutation_type="samples", n_resamples=np.inf
    )

    assert compared(values)["p_value"] == pytest.approx(oracle.pvalue, abs=0.03)


def test_few_clusters_cannot_make_a_small_p_value():
    # Of the four assignments of two signs only ++ and -- reach the sum.
    assert compared([1.0] * 100, [0] * 50 + [1] * 50)["p_value_clustered"] == pytest.approx(
        0.5, abs=0.05
    )


def test_a_p_value_is_never_zero():
    flipped = sign_flip_p_values(np.ones((200, 1)), DRAWS, 99)

    assert flipped[0] == pytest.approx(1 / 100)


def test_rounding_does_not_change_a_p_value():
    # A sum of zero, whatever its last bits, is reached by every assignment.
    assert compared([0.1, 0.2, 0.3, -0.6 + 1e-17])["p_value"] == 1


def test_disjoint_clusters_have_the_customary_standard_error():
    rng = np.random.default_rng(5)
    clusters = np.repeat(np.arange(8), 5)
    values = rng.normal(0, 1, 8)[clusters] + rng.normal(0, 0.2, 40)
    sums = np.bincount(clusters, values - values.mean())
    oracle = np.sqrt(8 / 7 * np.sum(sums**2)) / 40

    assert compared(values, clusters)["standard_error"] == pytest.approx(oracle, abs=1e-8)


def test_sets_that_share_a_company_are_dependent():
    # Two sets about company 1 err alike, and so do the two about 2.
    residuals = np.array([[1.0], [1.0], [-1.0], [-1.0]])
    kin = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]], np.float64)

    alone = standard_errors(residuals, 4, None, 4)[0]
    assert standard_errors(residuals, 4, kin, 4)[0] == pytest.approx(alone * np.sqrt(2))


def test_opposite_errors_of_related_sets_do_not_feign_precision():
    residuals = np.array([[1.0], [-1.0], [1.0], [-1.0]])

    assert standard_errors(residuals, 4, np.ones((4, 4)), 4)[0] == pytest.approx(
        standard_errors(residuals, 4, None, 4)[0]
    )


def test_filings_of_one_company_are_groups_of_their_own_and_sets_are_not():
    companies = [[7], [7], [9]]
    filings = compared([1.0, 0.0, 1.0], companies=companies, overlap=False)
    sets = compared([1.0, 0.0, 1.0], companies=companies)

    assert (filings["n_groups"], filings["n_companies"]) == (3, 2)
    assert (sets["n_groups"], sets["n_companies"]) == (2, 2)


def test_a_set_of_no_company_is_a_group():
    assert compared([1.0, 0.0, 1.0, 0.0], companies=[[7], [7, 9], [9], []])["n_groups"] == 3


def test_one_item_has_no_spread():
    found = compared([1.0])

    assert found["p_value"] == 1
    for name in ("p_t", "effect_size", "standard_error", "p_value_clustered", "ci_low"):
        assert np.isnan(found[name]), name


def test_no_items_are_no_evidence():
    found = compared([])

    assert found["n_items"] == 0
    assert found["p_value"] == 1
    assert verdict([]).verdict == "undetermined"


def test_systems_that_never_differ_have_p_values_of_one():
    found = compared([0.0] * 20)

    assert [found[name] for name in ("p_value", "p_t", "p_wilcoxon", "p_mcnemar")] == [1, 1, 1, 1]
    assert np.isnan(found["effect_size"])


def test_a_constant_difference_is_certain_but_has_no_effect_size():
    found = compared([0.3] * 20)

    assert found["p_t"] == found["p_t_clustered"] == 0
    assert np.isnan(found["effect_size"])
    assert found["standard_error"] == 0


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_value_that_is_no_number_is_undetermined_and_spoils_no_neighbour(bad):
    values = np.ones((30, 2))
    values[:15, 1] = 0.0
    alone = compare_differences(values[:, 1:], np.arange(30), DRAWS)
    values[3, 0] = bad
    both = compare_differences(values, np.arange(30), DRAWS)
    _, verdicts = decide_families(both, ["a", "b"], [0.02] * 2, [False] * 2)

    assert verdicts[0].verdict == "undetermined"
    assert verdicts[0].reason == "A value is not a number."
    assert np.isnan(both["p_value"][0])
    assert both["p_value_clustered"][1] == alone["p_value_clustered"][0]


def test_holm_steps_down_and_never_falls():
    assert holm(np.array([0.04, 0.01, 0.03])) == pytest.approx([0.06, 0.03, 0.06])


def test_what_was_not_tested_is_no_member_of_the_family():
    adjusted = holm(np.array([0.04, np.nan]))

    assert adjusted[0] == pytest.approx(0.04)
    assert np.isnan(adjusted[1])


def test_families_are_corrected_apart():
    values = np.random.default_rng(6).normal(0.45, 1, (40, 3))
    figures = compare_differences(values, np.arange(40), DRAWS)
    together, _ = decide_families(figures, ["a"] * 3, [0.02] * 3, [False] * 3)
    apart, _ = decide_families(figures, ["b", "a", "b"], [0.02] * 3, [False] * 3)

    assert together["n_tests"].tolist() == [3, 3, 3]
    assert apart["n_tests"].tolist() == [2, 1, 2]
    assert apart["p_holm"][1] == pytest.approx(
        max(figures["p_value_clustered"][1], figures["p_t_clustered"][1])
    )
    assert together["p_holm"][1] >= apart["p_holm"][1]


def test_exploration_steps_up_and_never_falls():
    p_values = np.array([0.04, 0.01, np.nan, 0.03, 0.2])
    oracle = scipy.stats.false_discovery_control([0.04, 0.01, 0.03, 0.2])
    adjusted = benjamini_hochberg(p_values)

    assert np.isnan(adjusted[2])
    assert np.delete(adjusted, 2) == pytest.approx(oracle, abs=1e-9)


def detectable(error=1.0, n_groups=1_000, n_clusters=1_000, n_tests=1):
    counts = (np.array([float(count)]) for count in (n_groups, n_clusters, n_tests))
    return detectable_differences(np.array([error]), *counts)[0]


def test_over_many_groups_the_detectable_difference_is_that_of_the_normal_distribution():
    assert detectable() == pytest.approx(1.959964 + 0.841621, abs=5e-3)


def test_over_few_groups_more_must_differ():
    # 0.05 is no multiple of 2 / 2^7: the nearest below it is 3 of them.
    level = 6 / 2**7
    bar = scipy.stats.t(6).ppf(1 - level / 2)

    shift = detectable(n_groups=7, n_clusters=7)
    assert scipy.stats.nct(6, shift).sf(bar) == pytest.approx(0.8, abs=1e-6)


def test_among_many_metrics_more_must_differ():
    bar = scipy.stats.t(99).ppf(1 - 0.05 / 12 / 2)

    shift = detectable(n_groups=100, n_clusters=100, n_tests=12)
    assert scipy.stats.nct(99, shift).sf(bar) == pytest.approx(0.8, abs=1e-6)


@pytest.mark.parametrize(
    "known",
    [
        {"error": 0.0},
        {"error": np.nan},
        {"n_groups": 1},
        {"n_tests": 0},
        {"n_groups": 5, "n_clusters": 5},
        {"n_groups": 8, "n_clusters": 8, "n_tests": 7},
    ],
)
def test_what_cannot_be_found_has_no_detectable_difference(known):
    # 2 / 2^5 is 0.0625; seven times 2 / 2^8 is 0.055.
    assert np.isnan(detectable(**known))


def test_what_can_just_be_found_has_a_detectable_difference():
    assert detectable(n_groups=6, n_clusters=6) > 0
    assert detectable(n_groups=8, n_clusters=8, n_tests=6) > 0


def one_sided(n_clusters, n_tests):
    """Verdict and figures of the first of so many metrics, right in every cluster alike."""
    values = np.tile(1 + np.arange(n_clusters * 10.0)[:, None] / 1_000, (1, n_tests))
    figures = compare_differences(values, np.repeat(np.arange(n_clusters), 10), DRAWS)
    found, verdicts = decide_families(figures, ["f"] * n_tests, [0.02] * n_tests, [False] * n_tests)
    return verdicts[0], found


@pytest.mark.parametrize(("n_clusters", "n_tests"), [(5, 1), (8, 12), (9, 14)])
def test_too_few_clusters_decide_nothing_even_if_all_point_one_way(n_clusters, n_tests):
    verdict, found = one_sided(n_clusters, n_tests)

    assert verdict.verdict == "undetermined"
    assert verdict.reason.startswith("Too few companies, filings or documents")
    assert "no result could decide" in verdict.reason
    assert np.isnan(found["mde"][0])


def test_enough_clusters_decide():
    assert one_sided(12, 14)[0].verdict == "better"


def test_too_few_clusters_may_still_show_that_a_difference_is_small():
    values = np.tile(np.tile([0.001, -0.001], 40)[:, None], (1, 12))
    figures = compare_differences(values, np.repeat(np.arange(8), 10), DRAWS)
    _, verdicts = decide_families(figures, ["f"] * 12, [0.02] * 12, [False] * 12)

    assert verdicts[0].verdict == "equivalent"


FIGURES = {
    "n_items": 200,
    "n_discordant": 40,
    "n_clusters": 20,
    "n_groups": 20,
    "n_tests": 1,
    "mean_difference": 0.1,
    "p_holm": 0.01,
    "least_p_holm": 0.001,
    "ci_low": 0.05,
    "ci_high": 0.15,
    "p_value_clustered": 0.001,
    "p_t_clustered": 0.001,
    "equivalence_low": 0.06,
    "equivalence_high": 0.14,
    "mde": 0.07,
}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, "better"),
        ({"mean_difference": -0.1, "ci_low": -0.15, "ci_high": -0.05}, "worse"),
        ({"p_holm": 0.05}, "better"),
        ({"p_holm": 0.0501}, "undetermined"),
        ({"p_holm": np.nan}, "undetermined"),
        ({"ci_low": 0.0}, "undetermined"),
        ({"n_discordant": 10}, "better"),
        ({"n_discordant": 9}, "undetermined"),
        ({"n_discordant": np.nan}, "undetermined"),
        ({"n_groups": 6}, "better"),
        ({"n_groups": 5}, "undetermined"),
        ({"least_p_holm": 0.05}, "better"),
        ({"least_p_holm": 0.051}, "undetermined"),
        ({"equivalence_low": -0.02, "equivalence_high": 0.02}, "equivalent"),
        ({"equivalence_low": -0.021, "equivalence_high": 0.01, "p_holm": 0.5}, "undetermined"),
        ({"equivalence_low": 0.01, "equivalence_high": 0.021}, "better"),
        ({"equivalence_low": np.nan, "equivalence_high": np.nan}, "better"),
    ],
)
def test_a_verdict_turns_at_its_limits(changed, expected):
    assert decide({**FIGURES, **changed}, 0.02, False).verdict == expected


def test_less_is_better_where_the_metric_says_so():
    assert decide(FIGURES, 0.02, True).verdict == "worse"


def test_a_certain_difference_too_small_to_matter_is_said_to_be_one():
    small = {**FIGURES, "equivalence_low": 0.001, "equivalence_high": 0.003}

    assert decide(small, 0.02, False).reason.startswith("A difference is certain, but too small")


def test_clusters_that_repeat_an_item_are_no_evidence():
    # 200 items, but 4 filings: what holds for one holds for its 50 copies.
    assert verdict(np.repeat([1.0, 1.0, 0.0, 1.0], 50)).verdict == "better"
    assert (
        verdict(np.repeat([1.0, 1.0, 0.0, 1.0], 50), np.repeat(range(4), 50)).verdict
        == "undetermined"
    )


@pytest.mark.parametrize("discordant", range(1, 32, 2))
def test_31_questions_never_tell_systems_apart_that_differ_by_3_points(discordant):
    # One question of 31 is 3.2 points: one win more than losses.
    losses = discordant // 2
    values = [1.0] * (losses + 1) + [-1.0] * losses + [0.0] * (31 - discordant)

    assert verdict(values).verdict == "undetermined"


def test_exploration_is_corrected_over_its_own_family_and_what_confirms_has_no_such_p():
    differences = np.random.default_rng(12).normal(0.3, 1, (36, 4))
    figures = compare_differences(differences, np.arange(36) % 12, DRAWS)
    found = explored_p_values(figures, np.array([0, 0, -1, 1]))
    plain = cautious_p_values(figures)

    assert np.isnan(found[2])
    assert found[3] == plain[3]
    assert found[:2] == pytest.approx(scipy.stats.false_discovery_control(plain[:2]), abs=1e-9)


def test_the_seed_decides():
    values = np.random.default_rng(4).normal(0.2, 1, (30, 1))
    draw = [compare_differences(values, np.arange(30), Draws(99, 99, seed)) for seed in (1, 1, 2)]

    assert draw[0]["ci_low"] == draw[1]["ci_low"] != draw[2]["ci_low"]


def simulated(n, shift, n_metrics, n_runs, n_clusters, seed):
    """Differences of correlated metrics with an effect of each cluster: items x series."""
    rng = np.random.default_rng(seed)
    clusters = np.sort(rng.integers(0, n_clusters, n))
    shared = rng.normal(0, 0.3, (n, n_runs)) + rng.normal(0, 0.1, (n_clusters, n_runs))[clusters]
    own = rng.normal(0, 0.2, (n, n_runs, n_metrics))
    return (shift + shared[:, :, None] + own).reshape(n, -1), clusters


def share_of_runs_decided(n, shift, n_metrics, n_runs, n_clusters, seed=11):
    differences, clusters = simulated(n, shift, n_metrics, n_runs, n_clusters, seed)
    figures = compare_differences(differences, clusters, Draws(500, 1, 1))
    families = np.repeat([f"{run:04}" for run in range(n_runs)], n_metrics)
    n_series = len(families)
    _, verdicts = decide_families(figures, families, [0.001] * n_series, [False] * n_series)
    decided = np.array([one.verdict in ("better", "worse") for one in verdicts])
    return decided.reshape(n_runs, n_metrics).any(axis=1).mean()


def test_alike_systems_are_rarely_told_apart_on_any_of_eight_metrics():
    # 5 % at most; with 300 runs the bound of chance is 7.5 %.
    assert share_of_runs_decided(200, 0.0, 8, 300, 20) <= 0.075


def test_a_gain_of_5_points_on_1000_items_is_found():
    assert share_of_runs_decided(1_000, 0.05, 1, 100, 100) >= 0.8
