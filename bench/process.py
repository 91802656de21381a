"""Measured processes: what runs, how long, how much memory."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class MeasurementError(RuntimeError):
    """A measured process failed; the message holds the end of what it said."""


@dataclass
class Lap:
    """Seconds of wall clock and of processor time (all threads) spent inside ``clock``."""

    seconds: float = 0.0
    cpu_seconds: float = 0.0


@contextmanager
def clock() -> Iterator[Lap]:
    lap = Lap()
    cpu, wall = time.process_time(), time.perf_counter()
    yield lap
    lap.seconds = time.perf_counter() - wall
    lap.cpu_seconds = time.process_time() - cpu


@dataclass(frozen=True)
class Run:
    """One measured process.

    Attributes:
        seconds: wall clock of the timed part; of the whole process for a dbt command.
        cpu_seconds: processor time of the same part, all threads; None where not known.
        peak_mib: greatest resident memory of the whole process, imports and inputs included.
        report: what the process told about its work.
    """

    seconds: float
    cpu_seconds: float | None
    peak_mib: float
    report: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """One line of the table: a layer and, where there is one, its peer over the same work.

    ``ours`` and ``peer`` hold one run a repeat, in the order in which they alternated.
    """

    layer: str
    n: int
    unit: str
    ours: Sequence[Run]
    peer_name: str = ""
    peer: Sequence[Run] = ()
    notes: tuple[str, ...] = ()
    # Why the bench as a whole fails by this row, if it does.
    failure: str = ""
    # What the goal of the layer is about; None for the ratio.
    figure: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times faster than the peer, by the wall clock."""
        return middle(self.peer).seconds / middle(self.ours).seconds if self.peer else None

    @property
    def spread(self) -> tuple[float, float] | None:
        """Least and greatest ratio of a pair of neighbours; None without a second pair."""
        if not self.peer:
            return None
        pairs = [
            theirs.seconds / ours.seconds for ours, theirs in zip(self.ours, self.peer, strict=True)
        ]
        return (min(pairs), max(pairs)) if len(pairs) > 1 else None

    @property
    def cpu_ratio(self) -> float | None:
        """The ratio by processor time, which other users of the machine disturb less."""
        if not self.peer:
            return None
        ours, theirs = middle(self.ours).cpu_seconds, middle(self.peer).cpu_seconds
        return None if ours is None or theirs is None else theirs / ours

    @property
    def judged(self) -> float | None:
        """What a goal of the layer is about."""
        return self.figure or self.cpu_ratio or self.ratio


@dataclass(frozen=True)
class Bench:
    """Where a run of the benchmark works, and how much of it there is."""

    folder: Path
    corpus: str
    threads: int
    is_quick: bool
    # A folder of filings as filed, and an environment that holds peers of their reader; or empty.
    raw: str = ""
    peers: str = ""
    # Whether the scale curve goes on to ten million sentences.
    is_large: bool = False

    def size(self, full: int, quick: int) -> int:
        return quick if self.is_quick else full

    def child(self, function: Callable[..., dict[str, Any]], **arguments: Any) -> Run:
        """Runs a function of this package in a process of its own.

        The function returns what it measured; ``seconds`` and ``cpu_seconds``, where present, are
        those of the part between its clocks.
        """
        name = f"{function.__module__}:{function.__qualname__}"
        say(f"{name} {' '.join(f'{key}={value}' for key, value in arguments.items())}")
        given = json.dumps({"folder": str(self.folder), **arguments})
        return _told(*self._measured([sys.executable, "-m", "bench.child", name, given]))

    def peer(self, name: str, files: str) -> Run:
        """Runs a reader of filings as filed that ``peers`` holds."""
        say(f"{name} {files}")
        checkout = str(Path(self.peers) / name)
        script = str(Path(__file__).with_name("raw_peers.py"))
        python = str(Path(self.peers) / "bin" / "python")
        return _told(*self._measured([python, script, name, files, checkout]))

    def dbt(self, name: str, *arguments: str, variables: dict[str, Any]) -> Run:
        """Runs a dbt command on a warehouse of its own; reports the seconds of each model."""
        say(f"dbt {' '.join(arguments)}")
        target = self.folder / f"target-{name}"
        command = [
            str(Path(sys.executable).with_name("dbt")),
            *arguments,
            *("--vars", json.dumps({"state_dir": str(self.folder / "state"), **variables})),
            *("--target-path", str(target), "--log-path", str(self.folder / f"logs-{name}")),
        ]
        run, _ = self._measured(command, FINRAG_DATABASE=str(self.warehouse(name)))
        results = json.loads((target / "run_results.json").read_text(encoding="utf-8"))["results"]
        models = {row["unique_id"].split(".")[-1]: row["execution_time"] for row in results}
        return Run(run.seconds, run.cpu_seconds, run.peak_mib, {"models": models})

    def warehouse(self, name: str) -> Path:
        """Its file; not its name alone, because DuckDB confuses a database with a schema's name."""
        return self.folder / f"bench_{name}.duckdb"

    def _measured(self, command: list[str], **settings: str) -> tuple[Run, str]:
        pools = ("OMP", "OPENBLAS", "MKL", "RAYON")
        threads = {f"{pool}_NUM_THREADS": str(self.threads) for pool in pools}
        environment = os.environ | threads | settings
        environment |= {"FINRAG_THREADS": str(self.threads), "HF_HUB_OFFLINE": "1"}
        log = self.folder / "stderr.log"
        out = self.folder / "stdout.log"
        with out.open("wb") as stdout, log.open("wb") as stderr:
            started = time.perf_counter()
            process = subprocess.Popen(command, stdout=stdout, stderr=stderr, env=environment)
            # wait4 gives this child's own peak; resource.RUSAGE_CHILDREN would keep the greatest of
            # all children. A child starts with its parent's peak: nothing heavy is imported here.
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        output = out.read_text(encoding="utf-8", errors="replace")
        if process.returncode != 0:
            told = output + log.read_text(encoding="utf-8", errors="replace")
            raise MeasurementError(
                f"{' '.join(command)[:300]} ended with {process.returncode}:\n{told[-3000:]}"
            )
        # ru_maxrss counts KiB on Linux and bytes on macOS.
        unit = 2**20 if sys.platform == "darwin" else 2**10
        cpu_seconds = usage.ru_utime + usage.ru_stime
        return Run(seconds, cpu_seconds, usage.ru_maxrss / unit), output


def _told(run: Run, output: str) -> Run:
    """A run with what its last line tells."""
    report = json.loads(output.splitlines()[-1])
    seconds = report.pop("seconds", run.seconds)
    return Run(seconds, report.pop("cpu_seconds", None), run.peak_mib, report)


def alternate(repeats: int, *sides: Callable[[int], Run]) -> list[list[Run]]:
    """Runs A B A B …, so that a busy minute of the machine falls on both sides.

    Each side is called with the number of the repeat; the runs come back side by side.
    """
    rounds = [[side(repeat) for side in sides] for repeat in range(repeats)]
    return [list(runs) for runs in zip(*rounds, strict=True)]


def middle(runs: Sequence[Run]) -> Run:
    """Medians of seconds, processor time and peak; the report of the last run."""
    cpu = [run.cpu_seconds for run in runs if run.cpu_seconds is not None]
    return Run(
        statistics.median(run.seconds for run in runs),
        statistics.median(cpu) if cpu else None,
        statistics.median(run.peak_mib for run in runs),
        runs[-1].report,
    )


def say(line: str) -> None:
    print(f"bench: {line[:150]}", file=sys.stderr, flush=True)
