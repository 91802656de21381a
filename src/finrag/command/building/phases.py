"""What a build prints while it runs: a line per room, and what went wrong at its end."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TextIO

from finrag.command.building.pace import Pace
from finrag.records.files import visible
from finrag.warehouse.project import BAD, LOG, Node, Outcome

# Rooms in the order in which data flows through them, with the word for what is done there.
PHASES: Final = {
    "seed": "settings",
    "sources": "reading",
    "sentences": "sentences",
    "atlases": "atlases",
    "bundles": "bundles",
    "gold": "gold",
    "retrieval": "searching",
    "answers": "answering",
    "metrics": "scoring",
    "gates": "gates",
    "reports": "pages",
}
MESSAGE_LINES: Final = 12
# Less time than that is not worth telling.
LEAST_TOLD_S: Final = 10
# Its message is that of its worst severity, which counts nothing.
GATES_CHECK: Final = "no_gate_is_breached"


class Phases:
    """Prints a line for each phase once all of its steps have ended.

    Attributes:
        n_done: steps that have ended.
    """

    def __init__(self, nodes: Sequence[Node], pace: Pace, out: TextIO | None = None) -> None:
        self._pace = pace
        self._nodes = {node.unique_id: node for node in nodes}
        self._left = Counter(_phase(node) for node in nodes)
        self._n_models = Counter(_phase(node) for node in nodes if node.kind != "test")
        self._n_tests = Counter(_phase(node) for node in nodes if node.kind == "test")
        self._out = out or sys.stdout
        self._is_terminal = self._out.isatty()
        self._running: dict[str, None] = {}
        self.n_done = 0

    def heard(self, unique_id: str, status: str) -> None:
        """Take in that a step has started, or how it ended."""
        node = self._nodes.get(unique_id)
        if node is None:
            return
        phase = _phase(node)
        if status == "start":
            self._running[node.name] = None
            self._pace.started(unique_id)
        else:
            self._running.pop(node.name, None)
            self._pace.ended(unique_id, status)
            self.n_done += 1
            self._left[phase] -= 1
            if not self._left[phase]:
                self._print_phase(phase)
        self._show_running()

    def end(self) -> None:
        """Clear the line that shows what runs."""
        if self._is_terminal:
            self._out.write("\r\x1b[K")
            self._out.flush()

    def _print_phase(self, phase: str) -> None:
        self.end()
        n_models, n_tests = self._n_models[phase], self._n_tests[phase]
        noun = "tables" if phase == PHASES["seed"] else "steps"
        # Phases overlap: what each took by itself would add up to more than the build.
        print(
            f"{phase:<12} {n_models:>4} {noun + ',':<7} {n_tests:>4} checks, "
            f"done after {_clock(self._pace.elapsed_s)}{self._time_left()}",
            file=self._out,
            flush=True,
        )

    def _show_running(self) -> None:
        if self._is_terminal:
            running = ", ".join(self._running)[:60]
            n_done = f"{self.n_done} of {len(self._nodes)}{self._time_left()}"
            self._out.write(f"\r\x1b[K{n_done}: {running}")
            self._out.flush()

    def _time_left(self) -> str:
        left = self._pace.left_s()
        return "" if left is None or left < LEAST_TOLD_S else f", about {_clock(left)} left"


def troubles(
    nodes: Iterable[Node],
    outcomes: Iterable[Outcome],
    breaches: Mapping[str, int] | None = None,
) -> list[str]:
    """What failed, in the order of the build, each with its reason; then what warns.

    A step that was left out because of another is counted, not listed.

    Args:
        nodes: the steps and checks of the build.
        outcomes: how those that ran ended.
        breaches: gates that are breached, by severity.
    """
    by_id = {node.unique_id: node for node in nodes}
    lines: list[str] = []
    n_left_out = 0
    warnings: list[str] = []
    for outcome in outcomes:
        node = by_id.get(outcome.unique_id)
        name = node.name if node else outcome.unique_id
        # A check that could not run says why itself.
        is_gates = name == GATES_CHECK and outcome.status in ("fail", "warn")
        reasons = [_breached(breaches)] if is_gates and breaches else _reasons(outcome)
        if outcome.status in BAD:
            kind = "check" if node and node.kind == "test" else "step"
            lines += [f"{kind} {name} failed:", *(f"    {line}" for line in reasons)]
        elif outcome.status == "skipped":
            n_left_out += 1
        elif outcome.status == "warn":
            warnings.append(f"warning: {name}: {', '.join(reasons)}")
    if n_left_out:
        lines.append(f"steps skipped because they depend on it: {n_left_out}")
    if lines:
        lines.append(f"The full log is {LOG}")
    return lines + warnings


def _reasons(outcome: Outcome) -> list[str]:
    """Why a step failed or warns; of a test that lists breaches, how many rows have which."""
    if not outcome.breaches:
        return outcome.message.strip().splitlines()[:MESSAGE_LINES]
    lines = [
        f"{_rows(n_rows)} of {outcome.table}: {visible(text)}" for text, n_rows in outcome.breaches
    ]
    n_others = outcome.n_rows - sum(n_rows for _, n_rows in outcome.breaches)
    return [*lines, f"{_rows(n_others)} with other breaches"] if n_others else lines


def _rows(number: int) -> str:
    return f"{number:,} {'row' if number == 1 else 'rows'}"


def _breached(breaches: Mapping[str, int]) -> str:
    counts = ", ".join(f"{n:,} of severity {severity}" for severity, n in sorted(breaches.items()))
    n_gates = sum(breaches.values())
    gates = "1 gate is" if n_gates == 1 else f"{n_gates:,} gates are"
    return (
        f"{gates} breached: {counts}. Read which, and why, in the summary of the build, "
        "in the table gates.gate_breaches, or on the first page of the dashboard."
    )


def _phase(node: Node) -> str:
    return PHASES.get(node.room, node.room)


def _clock(duration_s: float) -> str:
    minutes, seconds = divmod(round(duration_s), 60)
    return f"{minutes}:{seconds:02}"
