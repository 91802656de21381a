"""Whether a gate applies to a run.

A rule may excuse a gate only by what it knows is not there; a rule that nobody knows, or one that
cannot tell, excuses nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from finrag.metrics.catalogue import needs_passages
from finrag.metrics.gated.expected import Gate, Row
from finrag.metrics.gated.figures import Key, place_of
from finrag.metrics.gated.known import Known
from finrag.metrics.gated.questions import Questions
from finrag.systems.gates import FILINGS_SETS, MADE_SETS
from finrag.systems.kinds import has_vectors

# What must be there for a gate to apply, by the rule of its limit.
RULES: Final[Mapping[str, tuple[str, ...]]] = {
    "always": (),
    "dense_registered": ("has_vectors",),
    "system_registered": ("has_system",),
    "pair_registered": ("has_pair",),
    "questions_asked": ("has_questions",),
    "system_and_questions": ("has_system", "has_questions"),
    # A rival that does not run need not be beaten, nor where no question has evidence.
    "pair_and_questions": ("has_rivals", "has_evidence"),
    # A suite without a question of the type says nothing about its answers.
    "answering_system": ("has_answerer", "has_type"),
    "capability_seen": ("has_capability", "has_type"),
    # Limits set with one model; any other is held against its null.
    "scorer_is": ("has_answerer", "has_type", "has_its_scorer"),
    "scorer_is_not": ("has_answerer", "has_type", "has_other_scorer"),
    "baseline_known": ("has_baseline",),
    "spaces_loaded": ("has_tables",),
    "lines_loaded": ("has_tables", "has_lines"),
    # Filings without tags have one route.
    "routes_loaded": ("has_tables", "has_tagged_lines"),
    "lines_labelled": ("has_describer", "has_labels"),
    "lines_compared": ("has_describer", "has_before"),
}
# Of which a score of another model than the limit was set with is not the measure.
OF_SCORER: Final = ("scorer_is", "scorer_is_not")
_NONE: Final = "none"


class Rules:
    """Decides which gates apply."""

    def __init__(
        self,
        known: Known,
        questions: Questions,
        drifted: Collection[Key],
    ) -> None:
        """Reads what is there.

        Args:
            known: corpus, systems, and what systems did.
            questions: the questions of gates.
            drifted: places of figures that can be compared with the baseline.
        """
        systems, scorers = known.systems.to_pylist(), known.scorers.to_pylist()
        self._systems = {row["system_id"]: row for row in systems}
        self._questions, self._drifted = questions, drifted
        self._metrics = {_measure(row): row for row in known.metrics.to_pylist()}
        self._scorers = {row["metric"]: row for row in scorers if row["is_configured"]}
        self._seen = _seen_capabilities(self._metrics, known.summaries)
        self._seen |= {
            (row["system_id"], row["gold_set"], "times")
            for row in known.costs.to_pylist()
            if is_more(row["n_timed"], 0)
        }
        self._unrecognised = {
            (row["system_id"], row["gold_set"])
            for row in known.returned.to_pylist()
            if row["n_recognised"] == 0
        }
        self._pairs = {
            row["pair_id"]: row["system_b"]
            for row in known.pairs.to_pylist()
            if row["system_a"] in self._systems
        }
        self._describers = {row["system_id"] for row in known.line_systems.to_pylist()}
        self._before = {
            row["system_id"]
            for row in known.described.to_pylist()
            if row["coverage_before"] is not None
        }
        self._of_corpus = _of_corpus(known, systems)

    def is_applicable(self, gate: Gate) -> bool:
        """Whether nothing excuses a gate."""
        there = {**self._of_corpus, **self._of_gate(gate)}
        needed = RULES.get(gate.limit["applies_when"], ())
        return all(there[name] for name in needed)

    def is_unrecognised(self, gate: Gate) -> bool:
        """Whether it rests on passages of which the system returned none that is recognised."""
        metric = self._metrics.get(gate.measure)
        is_unknown = (gate.system_id, gate.limit["gold_set"]) in self._unrecognised
        return is_unknown and metric is not None and needs_passages(metric)

    def _of_gate(self, gate: Gate) -> dict[str, bool]:
        system, counts = self._systems.get(gate.system_id), self._questions.of(gate)
        scorer = self._scorers.get(gate.limit["metric"])
        is_its = scorer is not None and _is_version_of(scorer["model"], gate.limit["scorer"])
        return {
            "has_system": system is not None,
            "has_answerer": system is not None and system["answerer"] not in (None, _NONE),
            "has_pair": gate.system_id in self._pairs,
            "has_rivals": self._pairs.get(gate.system_id) in self._systems,
            "has_questions": is_more(counts.n_questions, 0, unknown=True),
            "has_evidence": is_more(counts.n_with_evidence, 0, unknown=True),
            "has_type": is_more(counts.n_of_type, 0, unknown=True),
            # Whoever returned passages that nobody recognises may have any capability.
            "has_capability": self._has_capability(gate, system) or self.is_unrecognised(gate),
            "has_baseline": place_of(gate) in self._drifted,
            "has_describer": gate.system_id in self._describers,
            "has_before": gate.system_id in self._before,
            "has_its_scorer": is_its,
            "has_other_scorer": scorer is not None and not is_its,
        }

    def _has_capability(self, gate: Gate, system: Row | None) -> bool:
        """Whether a system was seen to do what a gate is on, or was declared for it."""
        capability, gold_set = gate.limit["capability"], gate.limit["gold_set"]
        if (gate.system_id, gold_set, capability) in self._seen:
            return True
        declared = system["answer_sets"] if system is not None else None
        if capability == "answers":
            return declared in ("public", "all") and gold_set not in MADE_SETS
        return capability == "ranks" and declared == _NONE and gold_set in FILINGS_SETS


def is_more(value: float | None, least: float, *, unknown: bool = False) -> bool:
    """Whether a value is greater, which NaN is; `unknown` for None."""
    return unknown if value is None else not value <= least


def _measure(row: Row) -> tuple[str, int, str, str]:
    return row["metric"], row["k"], row["unit"], row["mode"]


def _is_version_of(model: str | None, name: str | None) -> bool:
    """Whether a model is the one named; it may carry the digest of its weights behind its name."""
    return model is not None and name is not None and f"{model}@".startswith(f"{name}@")


def _of_corpus(known: Known, systems: Sequence[Row]) -> dict[str, bool]:
    totals = known.totals.to_pylist()
    return {
        "has_vectors": any(has_vectors(row) for row in systems),
        # Items as text bring no tables, and a filing may have its statements in an exhibit.
        "has_tables": known.cells.num_rows > 0,
        "has_lines": any(row["verdict"] not in (None, "by_reference") for row in totals),
        "has_tagged_lines": any(row["route"] in ("facts", "both") for row in totals),
        "has_labels": known.labels["item_id"].null_count < known.labels.num_rows,
    }


def _seen_capabilities(
    metrics: Mapping[tuple[str, int, str, str], Row], summaries: pa.Table
) -> set[tuple[str, str, str]]:
    """What systems were seen to do, however they are configured: system, gold set, capability.

    Who is asked for answers answers, be it with nothing; who returned no ranking does not rank.
    """
    seen = set()
    overall = summaries.filter(pc.equal(summaries["slice_name"], "overall"))
    for row in overall.to_pylist():
        metric = metrics.get(_measure(row))
        if metric is None:
            continue
        place, is_answer = (row["system_id"], row["gold_set"]), row["unit"] == "answer"
        is_measured = is_more(row["n_evaluated"], 0)
        if is_answer and is_more(row["n_asked"], 0):
            seen.add((*place, "answers"))
        if is_measured and metric["needs_gold"] and not is_answer:
            seen.add((*place, "ranks"))
        is_cited = is_measured and metric["capability"] == "citation"
        # A mean of values that are no numbers is unknown, which excuses nothing.
        if is_cited and is_more(row["mean"], 0, unknown=True):
            seen.add((*place, "cites"))
        if is_measured and metric["measured_by"] == "marks":
            seen.add((*place, "marked"))
    return seen
