"""How long the rest of a build takes, from what its steps took before."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from finrag.records.writing import replacing
from finrag.warehouse.project import GOOD, Node

FILE: Final = "step_seconds.json"
# Seconds of the steps and of the checks of a room on the sample, for steps that never ran here.
SAMPLE_S: Final[Mapping[str, float]] = {
    "seed": 1.6,
    "sources": 1.9,
    "sentences": 3.9,
    "atlases": 3.4,
    "bundles": 0.5,
    "descriptions": 1.2,
    "gold": 5.7,
    "retrieval": 210.0,
    "answers": 41.0,
    "metrics": 73.0,
    "gates": 0.9,
    "reports": 4.4,
}
CHECK_S: Final = 0.05
# Before this share of the work is done, its speed says little.
LEAST_SHARE: Final = 0.05


class Pace:
    """The time left, from the time that the steps took in the last build and the speed of this one.

    time left = time since the start × work to do / work done, where the work of a step is the
    seconds that it took when it last ran; see ``SAMPLE_S`` for one that never did.

    Attributes:
        seconds: what steps took, by id: those of this build, else those known before.
    """

    def __init__(
        self,
        nodes: Sequence[Node],
        to_run: Sequence[Node],
        known: Mapping[str, float],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Starts the clock.

        Args:
            nodes: the steps and checks of the project.
            to_run: those of this build; none where that is not known, and no time left is told.
            known: seconds by id, see ``read_seconds``.
            clock: gives seconds.
        """
        self._clock = clock
        self._began = clock()
        self._since: dict[str, float] = {}
        counts = Counter(node.room for node in nodes if node.kind != "test")
        self._todo = {
            node.unique_id: known.get(node.unique_id, _on_sample(node, counts)) for node in to_run
        }
        self._total_s = sum(self._todo.values())
        ids = {node.unique_id for node in nodes}
        self.seconds = {name: took_s for name, took_s in known.items() if name in ids}

    def started(self, unique_id: str) -> None:
        """Take in that a step has started."""
        self._since[unique_id] = self._clock()

    def ended(self, unique_id: str, status: str) -> None:
        """Take in that it ended; one that failed says nothing about how long it takes."""
        work_s = self._todo.pop(unique_id, 0.0)
        since = self._since.pop(unique_id, None)
        if status == "skipped":
            self._total_s -= work_s
        elif status in GOOD and since is not None:
            self.seconds[unique_id] = self._clock() - since

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start."""
        return self._clock() - self._began

    def left_s(self) -> float | None:
        """Seconds until the end; None while too little is done to tell."""
        todo = sum(self._todo.values())
        done = self._total_s - todo
        if not todo or done < LEAST_SHARE * self._total_s:
            return None
        return self.elapsed_s * todo / done


def _on_sample(node: Node, counts: Mapping[str, int]) -> float:
    if node.kind == "test":
        return CHECK_S
    return SAMPLE_S.get(node.room, 0.0) / counts[node.room]


def read_seconds(state_dir: Path) -> dict[str, float]:
    """Seconds that steps took when they last ran, by id; none where nothing readable says so."""
    try:
        found = json.loads((state_dir / FILE).read_text(encoding="utf-8"))
        return {str(name): max(0.0, float(seconds)) for name, seconds in found.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def write_seconds(state_dir: Path, seconds: Mapping[str, float]) -> None:
    """Store them for the next build."""
    rounded = {name: round(value, 3) for name, value in sorted(seconds.items())}
    state_dir.mkdir(parents=True, exist_ok=True)
    with replacing(state_dir / FILE) as hidden:
        hidden.write_text(json.dumps(rounded, indent=0), encoding="utf-8")
