"""Pairs of systems and their values side by side, item by item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa

from finrag.metrics.catalogue import needs_passages
from finrag.metrics.gated.expected import CANDIDATE
from finrag.metrics.groups import Flags, Floats, Integers
from finrag.metrics.observed import (
    ABSTAINED,
    EVALUATED,
    UNCOVERED,
    Block,
    Metrics,
    Observed,
    Slices,
    SlicesOfSet,
)

PAIRS: Final = "pairs"
MATRIX: Final = "matrix"
_OF_COMPANIES: Final = ("filings", "tables")


@dataclass(frozen=True)
class Known:
    """What comparisons are made of beside values, as tables.

    Attributes:
        slices: ``item_slices``.
        metrics: the seed ``metric_catalogue``.
        pairs: the seed ``system_pairs``.
        systems: ``system_id``, ``role``, ``is_null`` and ``compare_with``.
        items: ``int_items_graded``.
        excluded: ``item_id`` of questions that are flagged as bad: ``int_items_excluded``.
        returned: how many passages of a system are recognised: ``returned_passages``.
    """

    slices: pa.Table
    metrics: pa.Table
    pairs: pa.Table
    systems: pa.Table
    items: pa.Table
    excluded: pa.Table
    returned: pa.Table


class Pair(NamedTuple):
    """Two systems that are compared.

    Attributes:
        asked_for: ``PAIRS`` (on every metric that is compared, in every slice) or ``MATRIX`` (on
            headline metrics over all sound items).
        margin: smallest difference of ``margin_metric`` at ``margin_k`` that matters, if not that
            of the catalogue.
    """

    asked_for: str
    pair_id: str
    system_a: str
    system_b: str
    purpose: str | None = None
    margin_metric: str | None = None
    margin_k: int | None = None
    margin: float | None = None


def read_pairs(pairs: pa.Table, systems: pa.Table) -> list[Pair]:
    """The pairs of which both systems run, in the order of what they are asked for and their id.

    Registered are those of the project, and every system with the partners that it names or is
    based on; in the matrix each pair of systems that are no nulls stands once.
    """
    rows = systems.to_pylist()
    running = {row["system_id"] for row in rows}
    registered = [
        Pair(PAIRS, **{name: row[name] for name in Pair._fields[1:]}) for row in pairs.to_pylist()
    ]
    registered += [
        Pair(PAIRS, f"{row['system_id']}_vs_{partner}", row["system_id"], partner, "rival")
        for row in rows
        for partner in row["compare_with"] or ()
    ]
    real = sorted(row["system_id"] for row in rows if row["is_null"] is False)
    matrix = [Pair(MATRIX, f"{a}|{b}", a, b) for a, b in combinations(real, 2)]
    return sorted(
        (pair for pair in (*registered, *matrix) if running >= {pair.system_a, pair.system_b}),
        key=lambda pair: (pair.asked_for, pair.pair_id),
    )


class Items:
    """What is known of items and of their clusters, by code."""

    def __init__(self, table: pa.Table, excluded: pa.Table, slices: Slices) -> None:
        """Reads items.

        Args:
            table: ``item_id``, ``cluster_id``, ``cik_ints``, ``set_kind``, ``answer_type`` and
                ``n_relevant``.
            excluded: ``item_id`` of items that no matrix counts.
            slices: the slices of the items.
        """
        codes = slices.items.of(table["item_id"])
        table, codes = table.filter(pa.array(codes >= 0)), codes[codes >= 0]
        self.has_evidence, self.has_no_answer, self.is_of_companies = np.zeros(
            (3, len(slices.items)), np.bool_
        )
        self.has_evidence[codes] = table["n_relevant"].to_numpy() > 0
        self.has_no_answer[codes] = table["answer_type"].to_numpy() == "no_answer"
        of_companies = np.isin(table["set_kind"].to_numpy(), _OF_COMPANIES)
        self.is_of_companies[codes] = of_companies
        self.is_excluded = np.isin(
            np.arange(len(slices.items)), slices.items.of(excluded["item_id"])
        )
        clusters, firsts = np.unique(slices.clusters.of(table["cluster_id"]), return_index=True)
        ciks = table["cik_ints"].take(pa.array(firsts)).to_pylist()
        self.companies: list[Sequence[int]] = [()] * len(slices.clusters)
        for cluster, found in zip(clusters, ciks, strict=True):
            self.companies[cluster] = found or ()
        # Whether a cluster is the set of companies of a question; two may share a company.
        self.is_company_set = np.zeros(len(slices.clusters), np.bool_)
        self.is_company_set[clusters] = of_companies[firsts]


@dataclass(frozen=True)
class Paired:
    """Values of two systems on one gold set: items x metrics.

    Attributes:
        pair: its place among all pairs.
        metrics: codes, ascending.
        is_paired: whether the values of both count.
        missing: whether each system has none.
        values: of each system, 0 where they are not paired.
    """

    pair: int
    metrics: Integers
    is_paired: Flags
    missing: tuple[Flags, Flags]
    values: tuple[Floats, Floats]

    @cached_property
    def difference(self) -> Floats:
        """The value of the first system less that of the second."""
        return self.values[0] - self.values[1]


class _Counted(NamedTuple):
    """Values of one system as they count in pairs: items x metrics."""

    metrics: Integers
    is_counted: Flags
    is_missing: Flags
    values: Floats


class Compared:
    """The pairs and all that decides what counts in them."""

    def __init__(self, known: Known, values: pa.Table | pa.RecordBatchReader) -> None:
        """Reads what is known; values as for ``compare``."""
        self.metrics, self.slices = Metrics(known.metrics), Slices(known.slices)
        self.items = Items(known.items, known.excluded, self.slices)
        self.pairs = read_pairs(known.pairs, known.systems)
        roles = (known.systems[name].to_pylist() for name in ("system_id", "role"))
        self.candidates = {name for name, role in zip(*roles, strict=True) if role == CANDIDATE}
        self._observed = Observed(values, self.metrics, self.slices)
        of_companies = np.zeros(len(self.slices), np.bool_)
        of_companies[self.slices.of_row] = self.items.is_of_companies[self.slices.item]
        # Of questions on filings the slice without those that a check has flagged.
        self.is_headline_slice = np.where(
            of_companies, self.slices.named("sound"), self.slices.named("overall")
        )
        self.is_company = of_companies & self.slices.named("company")
        column = self.metrics.column
        self.is_headline = column("is_headline").astype(np.bool_)
        self._is_compared = column("is_compared").astype(np.bool_)
        self._needs_gold = column("needs_gold").astype(np.bool_) & (column("mode") != "strict")
        self._needs_passages = np.array(
            [needs_passages(row) for row in self.metrics.table.to_pylist()], np.bool_
        )
        self._worst = np.where(self.metrics.is_lower_better, 1.0, 0.0)
        self._unrecognised = {
            (row["system_id"], row["gold_set"])
            for row in known.returned.to_pylist()
            if row["n_recognised"] == 0
        }

    def paired(self, slices: SlicesOfSet) -> Iterator[Paired]:
        """The values of each pair on a set, by item: only items that both were asked."""
        systems = self._observed.systems.values.to_pylist()
        counted = {
            systems[block.system]: self._counted(block, slices, systems[block.system])
            for block in self._observed.blocks(slices)
        }
        is_sound = ~self.items.is_excluded[slices.items][:, None]
        for place, pair in enumerate(self.pairs):
            if pair.system_a not in counted or pair.system_b not in counted:
                continue
            of_matrix = pair.asked_for == MATRIX
            is_asked = self.is_headline if of_matrix else self._is_compared
            a, b = counted[pair.system_a], counted[pair.system_b]
            both, *columns = np.intersect1d(a.metrics, b.metrics, True, return_indices=True)
            (at, bt) = (column[is_asked[both]] for column in columns)
            is_paired = a.is_counted[:, at] & b.is_counted[:, bt]
            if of_matrix:
                is_paired &= is_sound
            yield Paired(
                place,
                both[is_asked[both]],
                is_paired,
                (a.is_missing[:, at] & is_paired, b.is_missing[:, bt] & is_paired),
                (
                    np.where(is_paired, a.values[:, at], 0.0),
                    np.where(is_paired, b.values[:, bt], 0.0),
                ),
            )

    def _counted(self, block: Block, slices: SlicesOfSet, system: str) -> _Counted:
        """What counts of a system, with the worst value where it has none.

        Without its failures a system would be compared on its easy questions alone: what is
        missing counts as the worst share. Whether there was anything to find is asked of the
        item: a failure does not say it. Strict scores of a public set do: they are uncovered
        where the gold is at fault, and they count a cited page that was not loaded. Who declines
        what is not disclosed lacks nothing. Passages that nobody recognises are not the worst
        ones.
        """
        chosen = np.flatnonzero((self.is_headline | self._is_compared)[block.metrics])
        metrics, status = block.metrics[chosen], block.status[:, chosen]
        is_evaluated = status == EVALUATED
        has_evidence = self.items.has_evidence[slices.items][:, None]
        declines_rightly = (status == ABSTAINED) & self.items.has_no_answer[slices.items][:, None]
        is_counted = (
            (status >= 0)
            & (status != UNCOVERED)
            & (has_evidence | ~self._needs_gold[metrics])
            & ~declines_rightly
        )
        gold_set = self.slices.texts[0].values[slices.gold_set].as_py()
        if (system, gold_set) in self._unrecognised:
            is_counted &= ~self._needs_passages[metrics]
        values = np.where(is_evaluated, block.figures["value"][:, chosen], self._worst[metrics])
        return _Counted(metrics, is_counted, is_counted & ~is_evaluated, values)

    def margins(self, pairs: Integers, metrics: Integers) -> Floats:
        """The smallest difference that matters of each pair and metric."""
        found: Floats = self.metrics.column("margin").astype(np.float64)[metrics]
        names, cut_offs = self.metrics.column("metric"), self.metrics.column("k")
        for place, pair in enumerate(self.pairs):
            if pair.margin is not None:
                is_of_pair = (names == pair.margin_metric) & (cut_offs == pair.margin_k)
                found[(pairs == place) & is_of_pair[metrics]] = pair.margin
        return found
