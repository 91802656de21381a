"""Questions that a gate can be about: how many there are, with evidence, and of a type."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from finrag.metrics.gated.expected import Gate, Row
from finrag.metrics.gated.figures import Key
from finrag.systems.gates import FILINGS_SETS, MADE_SETS, TABLE_SETS

_COUNTED: Final = "questions_with_evidence"
_OF_TYPE: Final = "questions_"
# Slices of the questions on the filings in which questions are counted.
_COUNTED_SLICES: Final = ("overall", "sound", "sound_scope")


@dataclass(frozen=True)
class Counts:
    """Questions that a gate can be about; None if nobody counted them, which excuses no gate."""

    n_questions: int | None
    n_with_evidence: float | None
    n_of_type: float | None


class Questions:
    """Questions of gold sets and slices, those with evidence and those of a type of answer.

    Questions of the filings are counted by the run, those of a public set, which need not be
    loaded, by themselves.
    """

    def __init__(
        self, n_questions: int | None, metrics: Sequence[Row], summaries: pa.Table
    ) -> None:
        """Reads what summaries say of the gold.

        Args:
            n_questions: of the filings.
            metrics: the catalogue: ``metric``, ``unit``, ``mode`` and ``applies_to``.
            summaries: metrics that count questions are read.
        """
        self._n_questions = n_questions
        self._types: dict[Key, set[str]] = defaultdict(set)
        for row in metrics:
            if row["applies_to"]:
                measure = row["metric"], row["unit"], row["mode"]
                self._types[measure] |= set(row["applies_to"].split(" "))
        self._all: dict[Key, int] = {}
        self._counts: dict[Key, float] = {}
        for row in summaries.filter(pc.starts_with(summaries["metric"], _OF_TYPE)).to_pylist():
            key = row["metric"], row["gold_set"], row["slice_name"], row["slice_value"]
            if row["n_evaluated"] is not None:
                self._all[key] = self._all.get(key, 0) + row["n_evaluated"]
                # A mean of values that are no numbers is unknown, and excuses nothing.
                mean = math.nan if row["mean"] is None and row["n_evaluated"] else row["mean"]
                if mean is not None:
                    n = _rounded(mean * row["n_evaluated"])
                    self._counts[key] = self._counts.get(key, 0.0) + n

    def of(self, gate: Gate) -> Counts:
        """The questions that a gate could be about.

        Where questions are counted, a slice without a count has none. Elsewhere (a category, a
        year, a company) nobody counted them.
        """
        gold_set, slice_name, _ = gate.slice
        metric, _, unit, mode = gate.measure
        is_public = gold_set not in MADE_SETS
        n_questions = self._n_questions
        if is_public:
            n_questions = self._all.get((_COUNTED, gold_set, "overall", "all"), 0)
        with_evidence = self._counts.get((_COUNTED, *gate.slice))
        types = self._types.get((metric, unit, mode))
        of_type: float | None = self._all.get((_COUNTED, *gate.slice))
        if types is not None:
            counts = [self._counts.get((_OF_TYPE + name, *gate.slice)) for name in types]
            known = [count for count in counts if count is not None]
            of_type = sum(known) if known else None
        is_asked_once = gold_set in FILINGS_SETS and gold_set not in TABLE_SETS
        is_counted = n_questions == 0 or (is_asked_once and slice_name in _COUNTED_SLICES)
        if is_counted:
            with_evidence = 0 if with_evidence is None else with_evidence
            of_type = 0 if of_type is None else of_type
        return Counts(n_questions, with_evidence, of_type)


def _rounded(value: float) -> float:
    return math.floor(value + 0.5) if math.isfinite(value) else value
