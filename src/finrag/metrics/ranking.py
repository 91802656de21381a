"""Values of rankings: what of the evidence they hold, how early, and whether ties decided it.

A metric is a row of the catalogue that is measured by `ranking` and a rule in ``RULES``: a
function of the lists that the metric is asked of and of its cut-off.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from finrag.metrics.catalogue import Metric, read_metrics
from finrag.metrics.groups import Flags, Floats, Integers
from finrag.metrics.ranked.asked import Asked, read_asked
from finrag.metrics.ranked.evidence import KINDS, OPERAND, TEXT
from finrag.metrics.ranked.lists import MODES
from finrag.metrics.ranked.measured import Measured, measured, read_tables
from finrag.records.columns import nullable, required

MEASURED_BY: Final = "ranking"
# Beside these a value may have the outcome of its list.
_STATUSES: Final = ("evaluated", "uncovered", "unscored")
_EVALUATED, _UNCOVERED, _UNSCORED = range(len(_STATUSES))
_TEXT: Final = pa.dictionary(pa.int32(), pa.string())
_FIGURES: Final = ("value", "value_best", "value_worst", "value_expected")
VALUE: Final = pa.struct(
    [
        pa.field("metric", _TEXT, nullable=False),
        pa.field("k", pa.int32(), nullable=False),
        pa.field("value_status", _TEXT, nullable=False),
        *nullable(pa.float64(), *_FIGURES),
    ]
)
RANKING_SCHEMA: Final = pa.schema(
    [
        *required(_TEXT, "system_id", "gold_set", "item_id", "unit", "mode", "evidence_kind"),
        pa.field("first_rank", pa.int32()),
        pa.field("metric_values", pa.list_(pa.field("item", VALUE, nullable=False))),
    ]
)


class Figures(NamedTuple):
    """Values of a metric, an element a list; NaN where there is none.

    The value is of the order that was returned; the others are of ties at best, at worst and, in
    random order, on average.
    """

    value: Floats
    best: Floats | None = None
    worst: Floats | None = None
    expected: Floats | None = None


def _in_orders(figures: Floats | Flags, expected: Floats | None = None) -> Figures:
    by_id, best, worst = figures.astype(np.float64)
    return Figures(by_id, best, worst, expected)


def hit(lists: Measured) -> Figures:
    """1 if something relevant is within k."""
    return _in_orders(lists.found > 0, lists.averages.hit)


def reciprocal_rank(lists: Measured) -> Figures:
    """1 / the rank of the first relevant passage, 0 beyond k."""
    return _in_orders(lists.reciprocal_rank, lists.averages.reciprocal_rank)


def normalised_gain(lists: Measured) -> Figures:
    """Discounted gain within k over that of the best order of all evidence."""
    return _in_orders(lists.gains / lists.ideal, lists.averages.gains / lists.ideal)


def precision(lists: Measured) -> Figures:
    """Relevant passages within k over k."""
    return _in_orders(lists.found / lists.k, lists.averages.found / lists.k)


def recall(lists: Measured) -> Figures:
    """Relevant passages within k over all evidence."""
    return _in_orders(lists.found / lists.n_evidence, lists.averages.found / lists.n_evidence)


def average_precision(lists: Measured) -> Figures:
    """Sum of the precision at each relevant passage over all evidence."""
    return _in_orders(lists.precisions / lists.n_evidence)


def context_precision(lists: Measured) -> Figures:
    """Mean of the precision at each relevant passage within k, 0 if there is none."""
    return Figures(lists.precisions[0] / np.maximum(lists.found[0], 1.0))


def evidence_recall(lists: Measured) -> Figures:
    """Pieces of evidence within k over all of them."""
    return _in_orders(lists.pieces / lists.n_evidence, lists.expected_pieces / lists.n_evidence)


def evidence_complete(lists: Measured) -> Figures:
    """1 if every piece of evidence is within k."""
    return _in_orders(lists.pieces == lists.n_evidence)


def evidence_recall_near(lists: Measured) -> Figures:
    """Pages of evidence that a page within k matches, one off, over all of them."""
    return Figures(lists.pages / lists.n_evidence)


def self_strict(lists: Measured) -> Figures:
    """1 if rank 1 is the anchor itself."""
    return _same(lists.first, lists.tables.items.anchor[lists.item])


def self_tie_aware(lists: Measured) -> Figures:
    """1 if rank 1 has the text of the anchor."""
    text = np.append(lists.tables.places.text, -1)
    return _same(text[lists.first], lists.tables.items.text[lists.item])


def _same(ours: Integers, theirs: Integers) -> Figures:
    return Figures(((ours == theirs) & (ours >= 0)).astype(np.float64))


def score_discrimination(lists: Measured) -> Figures:
    """Spread of the returned scores over their mean."""
    return Figures(np.append(lists.tables.scores[0], np.nan)[lists.list_id])


def score_gold_spearman(lists: Measured) -> Figures:
    """Rank correlation of the returned scores with the grades."""
    return Figures(np.append(lists.tables.scores[1], np.nan)[lists.list_id])


def row_right(lists: Measured) -> Figures:
    """1 if the first cell stands in a row that was asked for."""
    return Figures(lists.cells.is_row.astype(np.float64))


def column_right(lists: Measured) -> Figures:
    """1 if the first cell stands in a column that was asked for."""
    return Figures(lists.cells.is_column.astype(np.float64))


def period_right(lists: Measured) -> Figures:
    """1 if the first cell has a period that was asked for."""
    return Figures(lists.cells.is_period.astype(np.float64))


Rule = Callable[[Measured], Figures]
RULES: Final[Mapping[str, Rule]] = {
    "hit": hit,
    "mrr": reciprocal_rank,
    "ndcg": normalised_gain,
    "precision": precision,
    "recall": recall,
    "map": average_precision,
    "context_precision": context_precision,
    "evidence_recall": evidence_recall,
    "evidence_complete": evidence_complete,
    "evidence_recall_near": evidence_recall_near,
    "operands_retrieved": evidence_recall,
    "self_at_1_strict": self_strict,
    "self_at_1_tie_aware": self_tie_aware,
    "score_discrimination": score_discrimination,
    "score_gold_spearman": score_gold_spearman,
    "row_right": row_right,
    "column_right": column_right,
    "period_right": period_right,
}
_RULE_NAMES: Final = sorted(RULES)
# Metrics of the numbers of a gold program; all others are of what the question needs.
_OF_OPERANDS: Final = ("operands_retrieved",)


def score_rankings(
    catalogue: pa.Table,
    systems: pa.Table,
    outcomes: pa.Table,
    items: pa.Table,
    judgments: pa.Table,
    qrels: pa.Table,
    places: pa.Table,
    rankings: pa.Table | pa.RecordBatchReader,
) -> pa.Table:
    """Measure what systems ranked, for every list that they were asked for.

    The values of a list depend on its item and its system alone, not on what else the tables
    hold, nor on the order of their rows.

    Args:
        catalogue: rows of ``metric_catalogue``; those measured by other rules are passed over.
        systems: ``system_id`` and ``system_kind``.
        outcomes: what came of each list: ``system_id``, ``item_id``, ``unit``, ``outcome``.
        items: ``item_id``, ``gold_set``, ``set_kind`` (one of ``SET_KINDS``) and, of an anchor,
            ``sentence_id`` (the passage that it is) and ``text_hash``.
        judgments: evidence: ``item_id``, ``unit``, ``evidence_kind``, ``evidence_id``,
            ``passage_id``, ``grade`` and ``mapping``.
        qrels: lines of files of qrels as they are: ``item_id``, ``unit``, ``passage_id``,
            ``grade``.
        places: where passages stand, as far as a metric asks (``read_places``).
        rankings: ``system_id``, ``item_id``, ``unit``, ``rank``, ``passage_id``, ``score`` and
            ``n_tied``.

    Returns:
        A row a list under ``RANKING_SCHEMA``, by system, set, item, unit, mode and kind of
        evidence: the rank of its first relevant passage, without the anchor, and its values by
        metric and cut-off. A value that was not measured is null and has the reason as status.

    Raises:
        ValueError: a metric has no rule; an item that was ranked or asked is not among ``items``,
            or its set is of no known kind.
    """
    metrics = read_metrics(catalogue, MEASURED_BY, RULES)
    if not metrics:
        return RANKING_SCHEMA.empty_table()
    units = [metric.unit for metric in metrics]
    tables = read_tables(items, outcomes, judgments, qrels, places, rankings, units)
    sources = tables.judgments, tables.qrels, tables.names, tables.items
    asked = read_asked(outcomes, systems, *sources)
    lists = measured(tables, asked)
    columns = [_measure(*each, asked, lists) for each in _by_cutoff(metrics)]
    return _nested([np.concatenate(column) for column in zip(*columns, strict=True)], asked, lists)


def _by_cutoff(metrics: Sequence[Metric]) -> list[tuple[int, int, list[Metric]]]:
    """Metrics by the place of their rule and by their cut-off, whatever their unit and mode."""
    found = defaultdict(list)
    for metric in metrics:
        found[_RULE_NAMES.index(metric.name), metric.k].append(metric)
    return [(*key, found[key]) for key in sorted(found)]


def _measure(
    rule: int, k: int, metrics: Sequence[Metric], asked: Asked, lists: Measured
) -> tuple[npt.NDArray[Any], ...]:
    """A metric at a cut-off: list, rule, cut-off, status and figures, an element a value."""
    name = _RULE_NAMES[rule]
    kind = OPERAND if name in _OF_OPERANDS else TEXT
    rows = [asked.of_metric(metric, kind, lists.tables.names) for metric in metrics]
    needs_gold = np.repeat([metric.needs_gold for metric in metrics], [len(each) for each in rows])
    row = np.concatenate(rows)
    of_metric = lists.take(row, k)
    figures = RULES[name](of_metric)
    status = np.where(np.isnan(figures.value), _UNSCORED, _EVALUATED)
    outcome = asked.outcome[row]
    status = np.where(outcome == asked.ranked, status, outcome + len(_STATUSES))
    status = np.where(needs_gold & ~of_metric.has_gold, _UNCOVERED, status)
    none = np.full(len(row), np.nan)
    others = [none if each is None else each for each in figures[1:]]
    shown = [np.where(status == _EVALUATED, each, np.nan) for each in (figures.value, *others)]
    return row, np.full(len(row), rule), np.full(len(row), k), status, *shown


def _nested(columns: Sequence[npt.NDArray[Any]], asked: Asked, lists: Measured) -> pa.Table:
    """Values by list."""
    row, rule, k, status, *figures = columns
    order = np.lexsort((k, rule, row))
    texts = [*_STATUSES, *asked.outcomes.values.to_pylist()]
    values = pa.StructArray.from_arrays(
        [
            pa.DictionaryArray.from_arrays(rule[order].astype(np.int32), _RULE_NAMES),
            pa.array(k[order], pa.int32()),
            pa.DictionaryArray.from_arrays(status[order].astype(np.int32), texts),
            *(pa.array(each[order], mask=np.isnan(each[order])) for each in figures),
        ],
        fields=list(VALUE),
    )
    counts = np.bincount(row, minlength=len(asked))
    kept = np.flatnonzero(counts)
    offsets = np.concatenate([[0], np.cumsum(counts[kept])]).astype(np.int32)
    names, items = lists.tables.names, lists.tables.items
    first = np.append(lists.tables.first_rank, 0)[lists.list_id[kept]]
    return pa.Table.from_arrays(
        [
            names.systems.decoded(asked.system[kept]),
            items.gold_sets.decoded(items.gold_set[asked.item[kept]]),
            names.items.decoded(asked.item[kept]),
            names.units.decoded(asked.unit[kept]),
            pa.DictionaryArray.from_arrays(asked.mode[kept].astype(np.int32), MODES),
            pa.DictionaryArray.from_arrays(asked.kind[kept].astype(np.int32), KINDS),
            pa.array(first, pa.int32(), mask=first == 0),
            pa.ListArray.from_arrays(offsets, values, type=RANKING_SCHEMA.field(-1).type),
        ],
        schema=RANKING_SCHEMA,
    )
