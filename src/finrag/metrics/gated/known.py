"""What gates are checked against, as tables."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa


@dataclass(frozen=True)
class Known:
    """What is known of a run: what its corpus and its systems have, and what was measured.

    Attributes:
        run: one row: ``run_id``, ``corpus`` and ``n_questions``.
        systems: ``registered_systems``.
        pairs: ``system_pairs``.
        line_systems: ``system_id`` and ``role`` of those that describe lines of revenue.
        metrics: ``metric_catalogue``.
        measures: ``gate_measures``: what gates judge of the machinery.
        scorers: ``metric``, ``model`` and ``is_configured``.
        summaries: ``metric_summaries``.
        comparisons: ``comparisons``.
        floors: ``metric_floors``.
        drifts: ``metric_drifts``.
        costs: ``system_costs``.
        returned: passages of outside systems: ``system_id``, ``gold_set`` and ``n_recognised``.
        cells: a row a cell of a table of the filings; one is enough.
        totals: ``verdict`` and ``route`` of totals of revenue: ``revenue_reconciliations``.
        labels: ``item_id`` of labels of revenue lines.
        described: ``system_id`` and ``coverage_before`` of filings.
    """

    run: pa.Table
    systems: pa.Table
    pairs: pa.Table
    line_systems: pa.Table
    metrics: pa.Table
    measures: pa.Table
    scorers: pa.Table
    summaries: pa.Table
    comparisons: pa.Table
    floors: pa.Table
    drifts: pa.Table
    costs: pa.Table
    returned: pa.Table
    cells: pa.Table
    totals: pa.Table
    labels: pa.Table
    described: pa.Table
