"""Processor time and memory of a process and of all that it starts, looked up while they run."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

EVERY = 0.2
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Seen:
    """What was seen of a process and of those below it, whether they still run or not.

    A process that ends counts up to the last look. The Java machine of Spark is none of the tasks.
    """

    cpu: dict[int, float] = field(default_factory=dict)
    peak_mib: dict[int, float] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    # Processor time before the watch began.
    before: float = 0.0

    @property
    def cpu_seconds(self) -> float:
        return sum(self.cpu.values()) - self.before

    @property
    def driver_mib(self) -> float:
        return self.peak_mib[os.getpid()]

    @property
    def task_mib(self) -> float:
        """Of the largest process that runs tasks: the driver itself where it starts none."""
        tasks = [
            peak
            for process, peak in self.peak_mib.items()
            if process != os.getpid() and self.names[process] != "java"
        ]
        return max(tasks, default=self.driver_mib)

    @property
    def java_mib(self) -> float:
        peaks = [peak for process, peak in self.peak_mib.items() if self.names[process] == "java"]
        return max(peaks, default=0.0)

    def look(self) -> None:
        below = _parents()
        mine = {os.getpid()}
        while found := {process for process, parent in below.items() if parent in mine} - mine:
            mine |= found
        for process in mine:
            try:
                values = _stat(process)
                status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
            except OSError:
                continue
            self.cpu[process] = (int(values[11]) + int(values[12])) / _TICKS
            for line in status.splitlines():
                if line.startswith("Name:"):
                    self.names[process] = line.split()[1]
                elif line.startswith("VmHWM:"):
                    self.peak_mib[process] = int(line.split()[1]) / 2**10


@contextmanager
def watch() -> Iterator[Seen]:
    """Watches this process from here to the end of the ``with``; Linux alone has what it reads."""
    seen = Seen()
    seen.look()
    seen.before = seen.cpu_seconds
    is_over = threading.Event()

    def go_on() -> None:
        while not is_over.wait(EVERY):
            seen.look()

    thread = threading.Thread(target=go_on, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        is_over.set()
        thread.join()
        seen.look()


def _parents() -> dict[int, int]:
    found = {}
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                found[int(path.name)] = int(_stat(int(path.name))[1])
            except OSError:
                continue
    return found


def _stat(process: int) -> list[str]:
    """The fields behind the name, which may hold blanks: state, parent, …"""
    text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    return text.rpartition(")")[2].split()
