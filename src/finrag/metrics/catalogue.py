"""The metrics that are measured: rows of the seed ``metric_catalogue``, each with its rule."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

# Rules that read the passages which a system returned: ranked, cited, or cited by statements.
_OF_PASSAGES: Final = ("ranking", "citations", "claims", "question")


@dataclass(frozen=True)
class Metric:
    """A metric at a cut-off, of a kind of passage and in a mode.

    Attributes:
        name: of the metric, and of its rule.
        k: the cut-off; 0 is none.
        unit: the kind of passage.
        mode: `finrag`, `official` or `strict`.
        asked_of: the items that it is asked of: anchors, questions, both or public sets.
        needs_gold: whether it has no value without evidence.
    """

    name: str
    k: int
    unit: str
    mode: str
    asked_of: str
    needs_gold: bool


def read_metrics(catalogue: pa.Table, measured_by: str, rules: Collection[str]) -> list[Metric]:
    """The metrics that one kind of rule measures.

    Args:
        catalogue: ``metric``, ``k``, ``unit``, ``mode``, ``asked_of``, ``needs_gold`` and
            ``measured_by``.
        measured_by: the kind of rule.
        rules: the names of its rules.

    Raises:
        ValueError: a metric has no rule.
    """
    found = [
        Metric(*(row[name] for name in ("metric", "k", "unit", "mode", "asked_of", "needs_gold")))
        for row in catalogue.to_pylist()
        if row["measured_by"] == measured_by
    ]
    unknown = sorted({metric.name for metric in found} - set(rules))
    if unknown:
        raise ValueError(
            f"metric '{unknown[0]}' of the catalogue is measured by {measured_by} and has no such "
            f"rule; known are {', '.join(sorted(rules))}"
        )
    return found


def needs_passages(metric: Mapping[str, Any]) -> bool:
    """Whether a metric has no value where none of the passages returned is recognised.

    Official evaluators take a passage that no qrels name for a wrong one. The macro of this name
    is the same in SQL.

    Args:
        metric: ``measured_by`` and ``mode`` of a row of ``metric_catalogue``.
    """
    return metric["measured_by"] in _OF_PASSAGES and metric["mode"] != "official"
