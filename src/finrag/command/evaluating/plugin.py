"""A fixture for pytest: `finrag.evaluate(answer, limit=50).assert_gates()`."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from finrag.command.evaluating.outcome import Outcome
    from finrag.command.evaluating.waiting import EventLoop

MAX_QUESTIONS: Final = 20
# As `Verdict` has it, which only a test that evaluates imports.
UNDECIDED: Final = 3


@dataclass(frozen=True)
class Result:
    """The result of an evaluation.

    Attributes:
        outcome: figures, gates and questions.
        path: the file that ``finrag diff`` reads.
        allow_undecided: whether a whole run may leave gates undecided, with a warning.
    """

    outcome: Outcome
    path: Path
    allow_undecided: bool = False

    def assert_gates(self) -> None:
        """Fail where a gate is broken, or a whole run leaves it undecided and may not.

        A smoke run has no verdict: it fails only by a gate that is broken on what was asked, or
        where no passage is recognised, which more questions would not mend.
        """
        __tracebackhide__ = True
        outcome = self.outcome
        is_open = outcome.is_smoke and not outcome.is_unrecognised
        if outcome.status == 0 or (is_open and outcome.status == UNDECIDED):
            return
        if outcome.status == UNDECIDED and self.allow_undecided:
            warnings.warn(f"{outcome.headline} (allow_undecided)", stacklevel=2)
            return
        wrong = outcome.wrong
        lines = [outcome.headline, outcome.measured_on, *outcome.gate_lines]
        if wrong:
            lines.append(f"{len(wrong)} questions were not answered right:")
        for row in wrong[:MAX_QUESTIONS]:
            answer = row["answer"] if row["outcome"] == "answered" else row["failure"] or ""
            lines.append(f"  {row['question']!r}: {row['outcome']} {answer!r}")
        if len(wrong) > MAX_QUESTIONS:
            lines.append(f"  … and {len(wrong) - MAX_QUESTIONS} more; all are in {self.path}")
        pytest.fail("\n".join(lines), pytrace=False)


class Finrag:
    """What the fixture ``finrag`` gives.

    Args:
        loop: where async functions are awaited, so that a client of theirs works in every test.
    """

    def __init__(self, loop: EventLoop | None = None) -> None:
        self._loop = loop

    def evaluate(
        self,
        answer: Any,
        gold: str = "p3",
        limit: int | None = None,
        where: str = "",
        name: str = "",
        database: Path | str | None = None,
        variables: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> Result:
        """Ask a system, score it and read the outcome, as ``finrag eval`` does.

        Args:
            answer: a function or object, or what ``finrag eval`` takes as its source.
            gold: the gold set whose questions are asked.
            limit: ask so many questions.
            where: ask those that fit.
            name: id of the system.
            database: the warehouse file (default: FINRAG_DATABASE, else finrag.duckdb).
            variables: dbt vars.
            more: ``k``, ``n_threads``, ``timeout_s`` and ``form``.

        Raises:
            ValueError: as ``evaluate``.
        """
        from finrag.command.cli import DEFAULT_DATABASE
        from finrag.command.evaluating.evaluate import Run, evaluate
        from finrag.command.preflight import merge_variables
        from finrag.command.settings import default_variables, own_variables

        place = database or os.environ.get("FINRAG_DATABASE", DEFAULT_DATABASE)
        given = {**own_variables(), **(variables or {})}
        more = {"gold": gold, "variables": given, "loop": self._loop, **more}
        run = Run(answer, Path(place), name, where, limit, **more)
        settings = merge_variables(default_variables(), given)
        return Result(*evaluate(run), settings["allow_undecided"])


@pytest.fixture(scope="session")
def finrag() -> Iterator[Finrag]:
    """Your own system evaluated in a test."""
    from finrag.command.evaluating.waiting import EventLoop

    with EventLoop() as loop:
        yield Finrag(loop)
