"""Two systems on the same items: tests of the paired differences and a verdict.

All tests use the differences a - b, item by item, and the clusters of the items (filings, or sets
of companies), since items of one cluster resemble each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from finrag.statistics.intervals import (
    DECIMALS,
    MIN_CLUSTERS,
    bootstrap_weights,
    percentile_bounds,
)

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

ALPHA = 0.05
POWER = 0.8
MIN_DISCORDANT = 10
# The least number of groups whose signs, all alike, are rarer than 5 %: 2 / 2^6 = 0.031.
MIN_GROUPS = 6

# Sums that differ by less are equal: a resampled sum must not beat itself by its rounding.
TOLERANCE = 1e-9
RESAMPLES_AT_ONCE = 1_000
SERIES_AT_ONCE = 512

# Differences that agree to so many decimals are tied in the signed-rank test.
TIED_DECIMALS = 12


@dataclass(frozen=True)
class Draws:
    """Random draws shared by all series, so that neighbours change nobody's figures."""

    n_resamples: int
    n_resamples_of_items: int
    seed: int
    _signs: dict[str, npt.NDArray[np.int8]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if min(self.n_resamples, self.n_resamples_of_items) < 1:
            raise ValueError(f"{self}: give at least one resample")

    def signs(self, n_values: int) -> npt.NDArray[np.int8]:
        """Values x resamples of +1 and -1; the head of a longer draw equals a shorter one."""
        known = self._signs.get("drawn")
        if known is None or len(known) < n_values:
            rng = np.random.default_rng(self.seed)
            n_draws = max(self.n_resamples, self.n_resamples_of_items)
            coins = rng.integers(0, 2, (n_values, n_draws), dtype=np.int8)
            known = self._signs["drawn"] = 2 * coins - 1
        return known[:n_values]

    def weights(self, n_clusters: int) -> Floats:
        """Clusters x resamples: how often a resample holds each cluster."""
        return bootstrap_weights(n_clusters, self.n_resamples, self.seed)


def compare_differences(
    differences: Floats,
    clusters: Integers,
    draws: Draws,
    companies: Sequence[Iterable[int]] | None = None,
    overlap: bool = True,
) -> dict[str, Floats]:
    """Tests, interval, effect and detectable difference of every series of differences.

    Args:
        differences: float64, items x series: a - b. An item on which two systems agree is 0.
        clusters: number of each item's cluster, 0 and up.
        draws: the random draws of the bootstrap and of the randomisation tests.
        companies: for each cluster number the companies it is about; None: not known.
        overlap: whether items of two clusters with a common company are dependent. Sets of
            companies are; filings of one company are taken for independent.

    Returns:
        Arrays of one figure per series, all NaN for a series with a value that is not a number:

        - n_items, n_discordant (differences other than 0), n_positive, n_clusters,
          n_companies, and n_groups: the independent groups, which are the clusters or, where
          these overlap, the companies if they are fewer.
        - mean_difference, sd_difference (n - 1), effect_size: mean / sd (Cohen's d_z; NaN
          where sd is 0).
        - p_value, p_value_clustered: paired randomisation, see ``sign_flip_p_values``.
        - p_t: paired t-test over items. Without spread it is 1 where nothing differs, else 0;
          NaN for one item.
        - p_wilcoxon: signed-rank test, zeros dropped, normal approximation with the
          correction for ties; 1 where nothing differs.
        - p_mcnemar: exact binomial test of wins against losses; for values of 0 and 1.
        - standard_error of the mean, heeding clusters and shared companies;
          p_t_clustered: t-test by it on n_groups - 1 degrees of freedom.
        - ci_low, ci_high: 95 % percentile interval of the cluster bootstrap.
        - equivalence_low, equivalence_high: 90 % t interval by ``standard_error``: two
          one-sided tests at 5 % call the systems equivalent if it lies within the margin.

    Raises:
        ValueError: shapes do not fit.
    """
    if differences.ndim != 2 or len(differences) != len(clusters):
        raise ValueError(
            f"differences of shape {differences.shape} with {len(clusters)} clusters: "
            "give one row and one cluster number per item"
        )
    is_known = np.isfinite(differences).all(axis=0)
    values = np.where(is_known, differences, 0.0)
    numbers, places = np.unique(clusters, return_inverse=True)
    sums = _cluster_sums(values, places, len(numbers))
    sizes = np.bincount(places, minlength=len(numbers)).astype(np.float64)
    members = [frozenset(companies[number] if companies else ()) for number in numbers]
    kin, n_groups = _kinship(members) if overlap else (None, len(numbers))
    n_companies = len(frozenset[int]().union(*members))
    figures = {
        **_counted(values, len(numbers), n_companies, n_groups),
        **_tested_by_item(values, draws),
        **_tested_by_cluster(values, sums, sizes, draws),
        **_spread_over_clusters(values, sums, sizes, kin, n_groups),
    }
    counts = {"n_items", "n_clusters", "n_companies", "n_groups"}
    return {
        name: figure if name in counts else np.where(is_known, figure, np.nan)
        for name, figure in figures.items()
    }


def _counted(values: Floats, n_clusters: int, n_companies: int, n_groups: int) -> dict[str, Floats]:
    n_series = values.shape[1]
    return {
        "n_items": np.full(n_series, float(len(values))),
        "n_discordant": np.count_nonzero(values, axis=0).astype(np.float64),
        "n_positive": np.count_nonzero(values > 0, axis=0).astype(np.float64),
        "n_clusters": np.full(n_series, float(n_clusters)),
        "n_companies": np.full(n_series, float(n_companies)),
        "n_groups": np.full(n_series, float(n_groups)),
    }


def _tested_by_item(values: Floats, draws: Draws) -> dict[str, Floats]:
    """Tests that treat items as independent."""
    from scipy.special import bdtr

    n_items = len(values)
    mean = _mean(values)
    deviation = _deviation(values, mean)
    with np.errstate(invalid="ignore", divide="ignore"):
        effect = np.where(deviation > 0, mean / deviation, np.nan)
    wins = np.count_nonzero(values > 0, axis=0)
    losses = np.count_nonzero(values < 0, axis=0)
    p_mcnemar = 2 * bdtr(np.minimum(wins, losses), wins + losses, 0.5)
    return {
        "mean_difference": mean,
        "sd_difference": _rounded(deviation),
        "effect_size": _rounded(effect),
        "p_value": sign_flip_p_values(values, draws, draws.n_resamples_of_items),
        "p_t": _p_of_t(mean, deviation / np.sqrt(max(n_items, 1)), n_items - 1),
        "p_wilcoxon": _p_of_ranks(values),
        "p_mcnemar": _rounded(np.where(wins + losses > 0, np.minimum(p_mcnemar, 1.0), 1.0)),
    }


def _tested_by_cluster(
    values: Floats, sums: Floats, sizes: Floats, draws: Draws
) -> dict[str, Floats]:
    """Tests and intervals that resample whole clusters; NaN for fewer than two clusters."""
    n_series = values.shape[1]
    unknown = np.full(n_series, np.nan)
    if len(sizes) < MIN_CLUSTERS:
        return {"p_value_clustered": unknown, "ci_low": unknown, "ci_high": unknown}
    weights = draws.weights(len(sizes))
    resampled = sizes @ weights
    low, high = unknown.copy(), unknown.copy()
    for start in range(0, n_series, SERIES_AT_ONCE):
        chosen = slice(start, start + SERIES_AT_ONCE)
        low[chosen], high[chosen] = percentile_bounds((sums[:, chosen].T @ weights) / resampled)
    return {
        "p_value_clustered": sign_flip_p_values(sums, draws, draws.n_resamples),
        "ci_low": low,
        "ci_high": high,
    }


def _spread_over_clusters(
    values: Floats, sums: Floats, sizes: Floats, kin: Floats | None, n_groups: int
) -> dict[str, Floats]:
    from scipy.special import stdtrit

    mean = _mean(values)
    error = standard_errors(sums - sizes[:, None] * mean, len(values), kin, n_groups)
    reach = stdtrit(n_groups - 1, 1 - ALPHA) * error if n_groups > 1 else error
    return {
        "standard_error": _rounded(error),
        "p_t_clustered": _p_of_t(mean, error, n_groups - 1),
        "equivalence_low": _rounded(mean - reach),
        "equivalence_high": _rounded(mean + reach),
    }


def standard_errors(
    residual_sums: Floats, n_items: int, kin: Floats | None, n_groups: int
) -> Floats:
    """Standard errors of means of dependent items.

    The variance is the sum of the products of residuals over all pairs of items that are
    dependent, over n squared, times G / (G - 1). Dependent are items of one cluster and, with
    ``kin``, items of clusters that share a company. A sum over overlapping sets may come out
    too small, even negative, by chance: it is never taken below that of the clusters alone.
    Source: Cameron and Miller, "Robust inference for dyadic data", 2014; for disjoint
    clusters it is the customary cluster-robust error.

    Args:
        residual_sums: clusters x series: sum over a cluster of difference - mean.
        n_items: number of items.
        kin: clusters x clusters of 1 (related) and 0; None for disjoint clusters.
        n_groups: G, the independent groups.

    Returns:
        An error per series; NaN under two groups.
    """
    if n_groups < MIN_CLUSTERS:
        return np.full(residual_sums.shape[1], np.nan)
    total = np.sum(residual_sums**2, axis=0)
    if kin is not None:
        total = np.maximum(total, np.sum((kin @ residual_sums) * residual_sums, axis=0))
    error: Floats = np.sqrt(total * n_groups / (n_groups - 1)) / n_items
    # What is left of a difference that every item shares is rounding.
    return np.where(error > TOLERANCE, error, 0.0)


def least_p_values(n_clusters: Floats) -> Floats:
    """Least p-value that flipping the signs of so many clusters can give: 2 / 2^n."""
    least: Floats = np.minimum(np.exp2(1 - n_clusters), 1.0)
    return least


def detectable_differences(
    errors: Floats, n_groups: Floats, n_clusters: Floats, n_tests: Floats
) -> Floats:
    """Smallest true differences found with a power of 80 % after Holm's correction.

    The shift, in standard errors, at which the noncentral t on G - 1 degrees of freedom
    exceeds t(1 - level / 2) four times out of five. The level is that of the first step of
    Holm's correction, 0.05 / m, lowered to what the flipping of signs can reach: a multiple
    of 2 / 2^C. Over few groups the power is nearer 70 %, as both tests must agree.
    Source: Cohen, "Statistical power analysis for the behavioral sciences", 1988.

    Args:
        errors: standard errors of the mean differences.
        n_groups: G, the independent groups.
        n_clusters: C, the clusters whose signs are flipped.
        n_tests: m, the comparisons tested in the family.

    Returns:
        A difference each; NaN where the error is 0 or unknown, under two groups, where nothing
        was tested, and where no p-value can fall to 0.05 / m.
    """
    from scipy.special import nctdtrinc, stdtrit

    least = least_p_values(n_clusters)
    with np.errstate(invalid="ignore", divide="ignore"):
        # What misses a multiple by its rounding is one.
        level = np.floor(ALPHA / n_tests / least + TOLERANCE) * least
    can_be_found = (errors > 0) & (n_groups >= MIN_CLUSTERS) & (level > 0) & (n_tests > 0)
    freedom = np.where(can_be_found, n_groups - 1, 1.0)
    reach = stdtrit(freedom, 1 - np.where(can_be_found, level, ALPHA) / 2)
    known, places = np.unique(np.stack([freedom, reach]), axis=1, return_inverse=True)
    factor = nctdtrinc(known[0], 1 - POWER, known[1])[places.ravel()]
    return _rounded(np.where(can_be_found, factor * errors, np.nan))


def sign_flip_p_values(values: Floats, draws: Draws, n_resamples: int) -> Floats:
    """Two-sided p-values of the paired randomisation test.

    If two systems were alike, every difference a - b might as well be b - a. Each row gets a
    random sign: a row is an item, or the sum of a cluster, whose items then keep one sign.
    The statistic is the absolute sum, and p = (b + 1) / (B + 1), where b of B random
    assignments reach the observed one. With n rows p cannot fall below about 2 / 2^n.
    Source: Smucker, Allan and Carterette, "A comparison of statistical significance tests
    for information retrieval evaluation", CIKM 2007; the + 1 as in Phipson and Smyth, 2010.

    Returns:
        A p-value per series: 1 where nothing differs.
    """
    signs = draws.signs(len(values))
    observed = (np.abs(values.sum(axis=0)) - TOLERANCE)[:, None]
    reached = np.zeros(values.shape[1])
    for start in range(0, n_resamples, RESAMPLES_AT_ONCE):
        block = signs[:, start : min(start + RESAMPLES_AT_ONCE, n_resamples)].astype(np.float64)
        reached += np.count_nonzero(np.abs(values.T @ block) >= observed, axis=1)
    return _rounded((reached + 1.0) / (n_resamples + 1.0))


def _p_of_t(mean: Floats, error: Floats, freedom: int) -> Floats:
    """Two-sided; without spread 1 where nothing differs, else 0."""
    from scipy.special import stdtr

    if freedom < 1:
        return np.full(len(mean), np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        p_values = 2 * stdtr(freedom, -np.abs(mean / error))
    constant = np.where(np.abs(mean) > TOLERANCE, 0.0, 1.0)
    return _rounded(np.where(error > 0, p_values, constant))


def _p_of_ranks(values: Floats) -> Floats:
    """Wilcoxon's signed-rank test; see ``compare_differences``."""
    from scipy.special import ndtr

    # The last bits of a sum make no difference of two that are equal.
    values = np.round(values, TIED_DECIMALS)
    n = np.count_nonzero(values, axis=0).astype(np.float64)
    ties = n**3 - n
    # Where all differences are of one size, all ranks are one tie.
    surplus = (n + 1) / 2 * (np.count_nonzero(values > 0, axis=0) - n / 2)
    sizes = np.abs(values)
    for column in np.flatnonzero(
        ((sizes != 0) & (sizes != sizes.max(axis=0, initial=0))).any(axis=0)
    ):
        surplus[column], ties[column] = _ranked(values[:, column])
    variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
    with np.errstate(invalid="ignore", divide="ignore"):
        p_values = 2 * ndtr(-np.abs(surplus) / np.sqrt(variance))
    return _rounded(np.where(n > 0, np.minimum(p_values, 1.0), 1.0))


def _ranked(values: Floats) -> tuple[float, float]:
    """Rank sum of the positive less its expectation, and the sum of t^3 - t over ties of t."""
    found = values[values != 0]
    found = found[np.argsort(np.abs(found))]
    starts = np.flatnonzero(np.diff(np.abs(found), prepend=-1.0))
    size = np.diff(starts, append=len(found))
    # A tie takes the mean of the ranks it spans.
    ranks = np.repeat(starts + (size + 1) / 2, size)
    return float(ranks[found > 0].sum() - ranks.sum() / 2), float(np.sum(size**3.0 - size))


def holm(p_values: Floats) -> Floats:
    """Holm's adjusted p-values of one family: reject where one is at most alpha.

    Sorted ascending, the i-th of m is multiplied by m - i + 1 and never falls below its
    predecessor. NaN (not tested) stays NaN and counts for nothing.
    Source: Holm, "A simple sequentially rejective multiple test procedure", 1979.
    """
    adjusted: Floats = np.full(len(p_values), np.nan)
    tested = np.flatnonzero(~np.isnan(p_values))
    order = tested[np.argsort(p_values[tested], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    steps = np.maximum.accumulate(p_values[order] * factors)
    adjusted[order] = np.minimum(steps, 1.0)
    return _rounded(adjusted)


def benjamini_hochberg(p_values: Floats) -> Floats:
    """Adjusted p-values for exploration: of those at most q, a share of q is by chance.

    Sorted ascending, the i-th of m is multiplied by m / i and never exceeds its successor.
    That share is what to expect where tests are independent or go together. NaN (not tested)
    stays NaN and counts for nothing.
    Source: Benjamini and Hochberg, "Controlling the false discovery rate", JRSS B 57 (1995).
    """
    adjusted: Floats = np.full(len(p_values), np.nan)
    tested = np.flatnonzero(~np.isnan(p_values))
    order = tested[np.argsort(p_values[tested], kind="stable")][::-1]
    factors = len(order) / np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.minimum.accumulate(p_values[order] * factors), 1.0)
    return _rounded(adjusted)


def cautious_p_values(figures: Mapping[str, Floats]) -> Floats:
    """What the verdict goes by: the larger of the two p-values that heed clusters.

    Flipping clusters needs no distribution but takes overlapping sets of companies for
    independent; the t-test heeds the overlap but leans on a normal mean. NaN where either
    is unknown.
    """
    return np.maximum(figures["p_value_clustered"], figures["p_t_clustered"])


@dataclass(frozen=True)
class Verdict:
    """A verdict about a, and why, for an analyst."""

    verdict: str
    reason: str


def decide(row: Mapping[str, float], margin: float, is_lower_better: bool) -> Verdict:
    """Better, worse, equivalent or undetermined: what a comparison says about a.

    Args:
        row: figures of ``compare_differences`` and ``decide_families``.
        margin: smallest difference that matters, in the metric's unit.
        is_lower_better: the metric's direction.

    - undetermined without a look at the figures: a value that is not a number, fewer than 10
      discordant pairs, fewer than 6 groups.
    - equivalent: the 90 % interval lies within the margin on both sides; also where a
      difference is certain, but too small to matter.
    - undetermined: even if every cluster of every comparison in the family pointed one way,
      Holm's p would stay above 0.05.
    - better, worse: Holm's p is at most 0.05 and the 95 % interval leaves out 0.
    - undetermined otherwise.
    """
    hindrance = _hindrance(row)
    if hindrance:
        return Verdict("undetermined", hindrance)
    low, high = row["equivalence_low"], row["equivalence_high"]
    is_found = row["p_holm"] <= ALPHA and (row["ci_low"] > 0 or row["ci_high"] < 0)
    if -margin <= low and high <= margin:
        start = "A difference is certain, but too small to matter: the" if is_found else "The"
        return Verdict(
            "equivalent", f"{start} 90 % interval {_span(low, high)} lies within ±{margin:g}."
        )
    if row["least_p_holm"] > ALPHA:
        return Verdict(
            "undetermined",
            f"Too few companies, filings or documents ({row['n_clusters']:.0f}) for the "
            f"{row['n_tests']:.0f} comparisons tested together: no result could decide.",
        )
    interval = f"95 % interval {_span(row['ci_low'], row['ci_high'])}"
    if is_found:
        is_better = (row["mean_difference"] > 0) != is_lower_better
        reason = f"{interval}, p = {row['p_holm']:.2g} after Holm's correction."
        return Verdict("better" if is_better else "worse", reason)
    p_alone = max(row["p_value_clustered"], row["p_t_clustered"])
    if p_alone <= ALPHA < row["p_holm"]:
        reason = f"p = {p_alone:.2g} alone, but {row['p_holm']:.2g} after Holm's correction"
    else:
        reason = f"p = {row['p_holm']:.2g} after Holm's correction, {interval}"
    if np.isnan(row["mde"]):
        return Verdict("undetermined", f"{reason}.")
    return Verdict(
        "undetermined",
        f"{reason}; the smallest difference that would be found here is {row['mde']:.2g}.",
    )


def _hindrance(row: Mapping[str, float]) -> str:
    if np.isnan(row["n_discordant"]):
        return "A value is not a number."
    if row["n_discordant"] < MIN_DISCORDANT:
        return (
            f"Only {row['n_discordant']:.0f} of {row['n_items']:.0f} items tell the two apart; "
            f"{MIN_DISCORDANT} are needed."
        )
    if row["n_groups"] < MIN_GROUPS:
        return (
            "Too few companies, filings or documents: no result could decide. "
            f"{row['n_groups']:.0f} are independent; {MIN_GROUPS} are needed."
        )
    return ""


def _span(low: float, high: float) -> str:
    return f"{low:.3g} to {high:.3g}"


def decide_families(
    figures: Mapping[str, Floats],
    families: npt.ArrayLike,
    margins: Sequence[float],
    lower_better: Sequence[bool],
) -> tuple[dict[str, Floats], list[Verdict]]:
    """What depends on the family of a comparison, and the verdicts that follow.

    Args:
        figures: of ``compare_differences``.
        families: the number or name of each comparison's family.
        margins: for each the smallest difference that matters.
        lower_better: whether less is better.

    Returns:
        - p_holm: the larger of the clustered p-values after Holm's correction.
        - least_p_holm: the same if every test of the family came out as small as it can.
        - n_tests: comparisons of the family that were tested.
        - mde: see ``detectable_differences``.

        And the verdicts.
    """
    p_values = cautious_p_values(figures)
    is_tested = ~np.isnan(p_values)
    least = np.where(is_tested, least_p_values(figures["n_clusters"]), np.nan)
    p_holm, least_p_holm, n_tests = np.full((3, len(p_values)), np.nan)
    for members in _groups(families):
        p_holm[members] = holm(p_values[members])
        least_p_holm[members] = holm(least[members])
        n_tests[members] = np.count_nonzero(is_tested[members])
    found = {
        "p_holm": p_holm,
        "least_p_holm": least_p_holm,
        "n_tests": n_tests,
        "mde": detectable_differences(
            figures["standard_error"], figures["n_groups"], figures["n_clusters"], n_tests
        ),
    }
    known = {**figures, **found}
    columns = {name: known[name].tolist() for name in DECIDED_BY}
    rows = (dict(zip(DECIDED_BY, row, strict=True)) for row in zip(*columns.values(), strict=True))
    verdicts = [
        decide(row, margin, is_lower_better)
        for row, margin, is_lower_better in zip(rows, margins, lower_better, strict=True)
    ]
    return found, verdicts


DECIDED_BY = (
    *("n_items", "n_discordant", "n_clusters", "n_groups", "n_tests", "mean_difference"),
    *("p_holm", "least_p_holm", "p_value_clustered", "p_t_clustered", "ci_low", "ci_high"),
    *("equivalence_low", "equivalence_high", "mde"),
)


def _groups(families: npt.ArrayLike) -> list[npt.NDArray[np.intp]]:
    """The places of each family, in order of families."""
    distinct, places = np.unique(families, return_inverse=True)
    if not len(distinct):
        return []
    order = np.argsort(places, kind="stable")
    return np.split(order, np.cumsum(np.bincount(places))[:-1])


def explored_p_values(figures: Mapping[str, Floats], families: Integers) -> Floats:
    """Benjamini and Hochberg's p-values of what is explored; NaN of what has no family (-1)."""
    p_values = cautious_p_values(figures)
    p_bh: Floats = np.full(len(p_values), np.nan)
    explored = np.flatnonzero(families >= 0)
    for members in _groups(families[explored]):
        p_bh[explored[members]] = benjamini_hochberg(p_values[explored[members]])
    return p_bh


def _kinship(members: Sequence[frozenset[int]]) -> tuple[Floats | None, int]:
    """Which clusters share a company, and how many independent groups there are."""
    everyone = sorted(frozenset[int]().union(*members))
    if sum(map(len, members)) == len(everyone):
        return None, len(members)
    place = {cik: column for column, cik in enumerate(everyone)}
    belongs = np.zeros((len(members), len(everyone)))
    for row, ciks in enumerate(members):
        belongs[row, [place[cik] for cik in ciks]] = 1.0
    related = (belongs @ belongs.T > 0).astype(np.float64)
    np.fill_diagonal(related, 1.0)
    n_alone = sum(not ciks for ciks in members)
    return related, min(len(members), len(everyone) + n_alone)


def _cluster_sums(values: Floats, places: npt.NDArray[np.intp], n_clusters: int) -> Floats:
    order = np.argsort(places, kind="stable")
    starts = np.searchsorted(places[order], np.arange(n_clusters))
    sums: Floats = np.add.reduceat(values[order], starts, axis=0) if n_clusters else values[:0]
    return sums


def _mean(values: Floats) -> Floats:
    return _rounded(values.sum(axis=0) / max(len(values), 1), 12)


def _deviation(values: Floats, mean: Floats) -> Floats:
    if len(values) < 2:
        return np.full(values.shape[1], np.nan)
    deviation: Floats = np.sqrt(((values - mean) ** 2).sum(axis=0) / (len(values) - 1))
    return np.where(deviation > TOLERANCE, deviation, 0.0)


def _rounded(figures: Floats, decimals: int = DECIMALS) -> Floats:
    """Rounded, because a sum may change its last bits with the order of its terms."""
    rounded: Floats = np.round(figures, decimals)
    return rounded
