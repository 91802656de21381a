"""Null grids: how often comparisons of alike systems find a difference, and real ones none."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from bench.process import Bench, Row, clock

N_METRICS = 12
RUNS_AT_ONCE = 50
# The library takes 10,000; so few change a p-value near 0.05 by 0.007, on either side.
N_RESAMPLES = 1_000


@dataclass(frozen=True)
class Case:
    """Two systems on the same items, simulated.

    Attributes:
        n_items: items.
        n_clusters: filings, or sets of companies where ``n_companies`` is not 0.
        n_companies: companies of whose sets the clusters are.
        gain: by how much a's share of right items exceeds b's, on the first metric.
        noise: spread of a system's luck with an item; that of all systems together is 1.
        cluster_noise: spread of its luck with all items of a filing or company.
    """

    n_items: int
    n_clusters: int
    n_companies: int = 0
    gain: float = 0.0
    noise: float = 0.8
    cluster_noise: float = 0.15

    @property
    def name(self) -> str:
        sets = f" sets of {self.n_companies} companies" if self.n_companies else " filings"
        return f"{self.n_items:,} items, {self.n_clusters}{sets}"


NULLS = (Case(31, 10), Case(150, 22), Case(642, 22, 10), Case(1_000, 22), Case(1_000, 100))
# On the sample, systems that differ by 5 to 10 points disagree on 10 to 20 % of the questions.
GAINS = (
    Case(1_000, 100, gain=0.05, noise=0.5, cluster_noise=0.1),
    Case(31, 10, gain=0.03, noise=0.5, cluster_noise=0.1),
)


ALLOWED = 0.05


def measure(bench: Bench) -> list[Row]:
    n_runs = bench.size(full=1_000, quick=50)
    rows = []
    for case in NULLS + GAINS:
        run = bench.child(simulate, n_runs=n_runs, **asdict(case))
        told = run.report
        if case.gain:
            note = (
                f"{case.name}, a true gain of {100 * case.gain:.0f} points (0.60 against "
                f"{0.6 - case.gain:.2f} right, correlation of the two {told['correlation']:.2f}, "
                f"{told['discordant']:.0%} of items differ): found "
                f"{told['found_alone']:.1%} of the time on one metric, {told['found']:.1%} after "
                f"Holm's correction over {N_METRICS} metrics; undetermined on one metric "
                f"{told['undetermined']:.1%}"
            )
        else:
            note = (
                f"{case.name}, a system against itself with noise: a difference on any of "
                f"{N_METRICS} metrics {told['decided']:.1%} of the time (95 % interval "
                f"{told['low']:.1%} to {told['high']:.1%}); allowed: {ALLOWED:.0%}"
            )
        layer = f"{'gain' if case.gain else 'null'}, {case.name}"
        is_too_often = not case.gain and told["low"] > ALLOWED
        failure = f"{note}: more than allowed" if is_too_often else ""
        rows.append(Row(layer, n_runs, "families", [run], notes=(note,), failure=failure))
    return rows


def simulate(folder: str, n_runs: int, **described: Any) -> dict[str, Any]:
    """Verdicts of the library over ``n_runs`` simulated pairs of systems, as ``Case`` says."""
    import numpy as np
    from scipy.stats import binomtest

    from finrag.statistics.comparisons import Draws, compare_differences, decide_families

    del folder
    case = Case(**described)
    draws = Draws(N_RESAMPLES, 1, 7)
    rng = np.random.default_rng(20240131)
    decided: list[bool] = []
    first: list[str] = []
    alone: list[str] = []
    correlations, discordant = [], []
    with clock() as lap:
        for start in range(0, n_runs, RUNS_AT_ONCE):
            runs = min(RUNS_AT_ONCE, n_runs - start)
            right_a, right_b, clusters, companies = _simulated(case, runs, rng)
            differences = (right_a - right_b).reshape(case.n_items, -1)
            found = compare_differences(differences, clusters, draws, companies)
            ids = np.repeat([f"{run:03}" for run in range(runs)], N_METRICS)
            verdicts = _verdicts(decide_families, found, ids)
            decided += [bool({"better", "worse"} & set(row)) for row in verdicts.tolist()]
            first += list(verdicts[:, 0])
            headline = {name: figure[::N_METRICS] for name, figure in found.items()}
            alone += list(_verdicts(decide_families, headline, ids[::N_METRICS]).ravel())
            correlations.append(
                np.corrcoef(right_a[:, :, 0].ravel(), right_b[:, :, 0].ravel())[0, 1]
            )
            discordant.append(float((right_a[:, :, 0] != right_b[:, :, 0]).mean()))
    interval = binomtest(int(sum(decided)), n_runs).proportion_ci(method="wilson")
    return {
        "decided": float(np.mean(decided)),
        "low": float(interval.low),
        "high": float(interval.high),
        "found": float(np.mean(np.array(first) == "better")),
        "found_alone": float(np.mean(np.array(alone) == "better")),
        "undetermined": float(np.mean(np.array(alone) == "undetermined")),
        "correlation": float(np.mean(correlations)),
        "discordant": float(np.mean(discordant)),
        **vars(lap),
    }


def _verdicts(decide_families: Any, figures: Any, ids: Any) -> Any:
    """Runs x metrics. The margin is tiny: equivalence must hide no false alarm."""
    import numpy as np

    n_series = len(ids)
    _, verdicts = decide_families(figures, ids, [1e-6] * n_series, [False] * n_series)
    return np.array([one.verdict for one in verdicts]).reshape(len(set(ids)), -1)


def _simulated(case: Case, n_runs: int, rng: Any) -> Any:
    """Values of a and b (items x runs x metrics), cluster numbers, companies of clusters.

    An item is as hard for both; each system has its luck with an item and, alike within
    it, with a cluster or a company. Half the metrics ask whether the outcome passes a bar
    (as hit@k), half grade it (as ndcg@k), so all go together.
    """
    import numpy as np
    from scipy.special import expit, ndtri

    clusters = np.sort(rng.integers(0, case.n_clusters, case.n_items))
    companies = _companies(case, rng)
    everyone = sorted({cik for ciks in companies for cik in ciks})
    belongs = np.array([[cik in ciks for cik in everyone] for ciks in companies], np.float64)
    belongs /= np.sqrt(belongs.sum(axis=1, keepdims=True))
    shared = rng.normal(0, 1, (case.n_items, n_runs))
    bars = np.concatenate([[0.0], np.linspace(-1.0, 1.0, N_METRICS // 2 - 1)])
    values = []
    for share in (0.6, 0.6 - case.gain):
        luck = belongs @ rng.normal(0, case.cluster_noise, (len(everyone), n_runs))
        own = rng.normal(0, case.noise, (case.n_items, n_runs))
        spread = np.sqrt(1 + case.cluster_noise**2 + case.noise**2)
        score = shared + luck[clusters] + own + spread * ndtri(share)
        passed = score[:, :, None] > bars
        graded = expit(2 * (score[:, :, None] - np.linspace(-1, 1, N_METRICS - len(bars))))
        values.append(np.concatenate([passed.astype(np.float64), graded], axis=2))
    return values[0], values[1], clusters, companies


def _companies(case: Case, rng: Any) -> list[list[int]]:
    """A company each, or, after each alone, sets of two to four of the companies."""
    if not case.n_companies:
        return [[number] for number in range(case.n_clusters)]
    alone = [[number] for number in range(case.n_companies)]
    sets = [
        sorted(rng.choice(case.n_companies, rng.integers(2, 5), replace=False).tolist())
        for _ in range(case.n_clusters - case.n_companies)
    ]
    return alone + sets
