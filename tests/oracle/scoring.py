"""The systems of ``systems.yml`` as files of predictions, scored beside a warehouse in one go."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import yaml

from finrag.command.evaluating.beside import score_beside
from finrag.command.evaluating.outcome import Outcome, read_outcome
from finrag.command.evaluating.questions import choose
from finrag.command.preflight import merge_variables
from finrag.command.settings import default_variables, system_seeds
from finrag.publishing.verdict import Verdict
from finrag.warehouse import Warehouse
from tests.oracle import faults, voices
from tests.oracle.voices import Question, Record
from tests.warehouse import mutants

SYSTEMS: Final = Path(__file__).with_name("systems.yml")
_ANSWERABLE: Final = ("boolean", "list", "numeric", "span")
# Which questions a change is for.
_OF: Final = {
    "answerable": _ANSWERABLE,
    "unanswerable": ("no_answer",),
    "all": (*_ANSWERABLE, "no_answer"),
}
_RULES: Final = {True: voices, False: faults}
_KINDS: Final = {kind.name: kind for kind in mutants.KINDS}
# Figures by the door that they are read from, in the order of the pinned table.
MEASURED: Final = {
    "figures": ("numeric_within_tolerance", 0, "answer"),
    "recall": ("evidence_recall", 10, "sentence"),
    "citations": ("citation_correctness", 0, "answer"),
    "coverage": ("citation_coverage", 0, "answer"),
    "filings": ("cites_right_filing", 0, "answer"),
    "unsupported": ("unsupported_numbers", 0, "answer"),
    "claims": ("claims_unsupported", 0, "answer"),
    "off": ("off_question", 0, "answer"),
    "declining": ("balanced_abstention", 0, "answer"),
}
_SUMMARIES: Final = """
select system_id, metric, k, unit, mean
from metrics.metric_summaries
where gold_set = 'p3' and slice_name = 'sound' and mode = 'finrag'
order by system_id, metric, k, unit
"""
_REJECTED: Final = """
select system_id, count(*) as n
from retrieval.external_rejections
-- Which is used: as a refusal.
where reason_code <> 'refusal_in_words'
group by system_id
order by system_id
"""


@dataclass(frozen=True)
class System:
    """A row of ``systems.yml``.

    Attributes:
        name: of the system.
        does: what it does, in a sentence.
        changes: how its answers are made: kinds of ``mutants``, functions of ``voices`` or
            ``faults``. The first that changes the oracle's answer to a question counts.
        of: the questions that its functions are for; kinds know theirs.
        share: of the answers that can be changed, how many are.
        never: the headline that it must not have; "" for any.
        breaks: error gates that it breaks and the oracle does not.
        shows: figures with the least and the greatest value that is expected of them.
        red: what is not so today, with the reason.
    """

    name: str
    does: str
    changes: tuple[str, ...]
    of: str
    share: float
    never: str
    breaks: tuple[str, ...]
    shows: Mapping[str, tuple[float, float]]
    red: Mapping[str, str]

    @property
    def is_right(self) -> bool:
        """Whether its answers are right, all of them."""
        return self.never == "do_not_release"

    @property
    def expectations(self) -> tuple[str, ...]:
        """What its headline, gates and figures are called in ``red``."""
        headline = ("headline",) if self.never else ()
        return (*headline, *self.breaks, *self.shows)

    def answer(self, question: Question, corpus: mutants.Corpus) -> tuple[list[Record], bool]:
        """The records of its answer to a question, and whether it is not the oracle's."""
        record = mutants.oracle(question, corpus)
        rng = mutants.seeded(self.name, question["item_id"])
        if rng.random() >= self.share:
            return [record], False
        for name in self.changes:
            kind = _KINDS.get(name)
            types = (kind.answer_types if kind else ()) or _OF[self.of]
            if question["answer_type"] not in types:
                continue
            change = kind.change if kind else getattr(_RULES[self.is_right], name)
            made = change(dict(record), question, corpus, rng)
            if made is not None and made != record:
                return (list(made) if isinstance(made, tuple) else [made]), True
        return [record], False


def read_systems() -> list[System]:
    """The systems, in the order of the file."""
    rows = yaml.safe_load(SYSTEMS.read_text(encoding="utf-8"))
    return [
        System(
            name,
            row["does"],
            tuple(row["changes"]),
            row.get("of", "answerable"),
            row.get("share", 1.0),
            row.get("never", ""),
            tuple(row.get("breaks", ())),
            {figure: (low, high) for figure, (low, high) in row.get("shows", {}).items()},
            row.get("red", {}),
        )
        for name, row in rows.items()
    ]


# What an answer to another question of the same kind is worth, by system.
_NULLS: Final = """
select system_id, null_mean
from metrics.metric_floors
where
    gold_set = 'p3'
    and slice_name = 'sound'
    and metric = 'answer_accuracy'
    and null_kind = 'random_answer'
order by system_id
"""


@dataclass(frozen=True)
class Written:
    """The files of some systems.

    Attributes:
        systems: the systems.
        path: the file that declares them all, for ``systems_paths``.
        made: by system, the questions whose answers are not the oracle's.
    """

    systems: tuple[System, ...]
    path: Path
    made: Mapping[str, frozenset[str]]


def write_systems(warehouse: Any, folder: Path, systems: Sequence[System]) -> Written:
    """Write a file of predictions for each system, and one that declares them."""
    corpus = mutants.read_corpus(warehouse)
    files: dict[str, list[Record]] = {}
    made: dict[str, frozenset[str]] = {}
    for system in systems:
        answers = [(one["item_id"], *system.answer(one, corpus)) for one in corpus.questions]
        files[system.name] = [record for _, records, _ in answers for record in records]
        made[system.name] = frozenset(item_id for item_id, _, is_made in answers if is_made)
    does = {system.name: system.does for system in systems}
    return Written(tuple(systems), mutants.declare(folder, files, does.__getitem__), made)


@dataclass(frozen=True)
class Result:
    """What was measured of a system.

    Attributes:
        system: the system.
        outcome: as `finrag eval` has it.
        made: questions whose answers are not the oracle's.
        means: figures over all questions.
        n_unused: records, or parts of them, that were not used.
        null: share of right answers of the null that answers another question of the same kind.
    """

    system: System
    outcome: Outcome
    made: frozenset[str]
    means: Mapping[str, float | None]
    n_unused: int
    null: float | None

    @cached_property
    def broken(self) -> frozenset[str]:
        """Error gates that are broken, without the name of the system."""
        return frozenset(
            row["gate_id"].partition("@")[0]
            for row in self.outcome.gates
            if row["severity"] == "error" and row["breach"] == "fail"
        )

    @cached_property
    def figures(self) -> dict[str, float | None]:
        """Shares of right answers, and the means, by name."""
        items = self.outcome.items
        made = [row for item_id, row in items.items() if item_id in self.made]
        return {
            "right": _share(items.values()),
            "right_of_made": _share(made),
            "unused": self.n_unused / len(items),
            **self.means,
        }

    def is_as_expected(self, name: str, oracle: Result) -> bool:
        """Whether an expectation on it holds.

        Args:
            name: of the expectation.
            oracle: what was measured of the oracle.
        """
        if name == "headline":
            return self.outcome.status != Verdict("", self.system.never, "", "").status
        if name in self.system.breaks:
            return name in self.broken - oracle.broken
        low, high = self.system.shows[name]
        value = self.figures[name]
        return value is not None and low <= value <= high

    @property
    def cause(self) -> str:
        """Why most of its wrong answers are wrong, and how many."""
        counts = Counter(row["cause"] or "none" for row in self.outcome.wrong)
        ranked = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
        return f"{ranked[0][0]} {ranked[0][1]}" if ranked else ""

    @property
    def row(self) -> dict[str, str]:
        """Its line in the pinned table."""
        items = self.outcome.items.values()
        outcomes = Counter(row["outcome"] for row in items)
        return {
            "system": self.system.name,
            "made": str(len(self.made)),
            "status": str(self.outcome.status),
            "broken": " ".join(sorted(self.broken)),
            "right": str(sum(row["right"] == 1.0 for row in items)),
            "right_of_made": str(sum(self.outcome.items[one]["right"] == 1.0 for one in self.made)),
            "wrong": str(len(self.outcome.wrong)),
            "unscored": str(sum(row["right"] is None for row in items)),
            **{name: str(outcomes[name]) for name in ("abstained", "failed", "not_run")},
            **{name: _shown(value) for name, value in self.means.items()},
            "unused": str(self.n_unused),
            "cause": self.cause,
            "digest": self._digest,
        }

    @property
    def _digest(self) -> str:
        """Of what each question came to, and why."""
        told = [
            (item_id, row["outcome"], row["right"], row["cause"], row["detail"])
            for item_id, row in sorted(self.outcome.items.items())
        ]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:12]


def score_all(
    database: Path, variables: Mapping[str, Any], state_dir: Path, written: Written
) -> dict[str, Result]:
    """Score all systems beside a built warehouse, which is only read.

    Questions are counted as in a run on some of them: only a build has a verdict on all.
    """
    own = {"systems_paths": [str(written.path)], "state_dir": str(state_dir)}
    settings = merge_variables(default_variables(), {**variables, **own})
    names = [system.name for system in written.systems]
    scored = score_beside(database, names, system_seeds(), settings)
    return dict(read_results(scored, settings, written, is_whole=False))


def read_results(
    warehouse: Warehouse, settings: Mapping[str, Any], written: Written, is_whole: bool
) -> Iterator[tuple[str, Result]]:
    """What a warehouse holds of each system."""
    asked = choose(warehouse, "", None)
    if not is_whole:
        asked = replace(asked, n_all=asked.n_all + 1)
    means: dict[str, dict[tuple[str, int, str], float]] = {}
    for row in warehouse.rows(_SUMMARIES):
        key = row["metric"], row["k"], row["unit"]
        means.setdefault(row["system_id"], {})[key] = row["mean"]
    unused = {row["system_id"]: row["n"] for row in warehouse.rows(_REJECTED)}
    nulls = {row["system_id"]: row["null_mean"] for row in warehouse.rows(_NULLS)}
    for system in written.systems:
        yield (
            system.name,
            Result(
                system,
                read_outcome(warehouse, system.name, asked, settings),
                written.made[system.name],
                {name: means[system.name].get(key) for name, key in MEASURED.items()},
                unused.get(system.name, 0),
                nulls.get(system.name),
            ),
        )


def _share(rows: Any) -> float | None:
    rights = [row["right"] == 1.0 for row in rows]
    return sum(rights) / len(rights) if rights else None


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.6f}"
