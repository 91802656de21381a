"""Who runs tasks: this process, a pool of processes, or Spark.

A runner schedules and nothing else. Functions are top-level functions of the library; tasks and
results are small and can be pickled, for data goes through the store. A task whose worker dies, or
that fails, is tried again: what it had written is found again by content, so nothing counts twice.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Final, Protocol, Self, TypeVar

ENGINES: Final = ("pool", "spark")
# Memory of a task, about.
TASK_BYTES: Final = 2 << 30
# How often a task is tried in all.
ATTEMPTS: Final = 4

DIED: Final = (
    "its process died; it may have run out of memory: raise the dbt var shards, or run "
    "fewer processes with FINRAG_THREADS"
)

Task = TypeVar("Task")
Result = TypeVar("Result")


class ShardError(ValueError):
    """A task failed as often as it may."""


class Runner(Protocol):
    """Runs a function over tasks."""

    n_workers: int

    def run(
        self,
        function: Callable[[Task], Result],
        tasks: Sequence[Task],
        label: Callable[[Task], str],
    ) -> Iterator[Result]:
        """The results, in any order, as they come.

        Args:
            function: a top-level function.
            tasks: what it is called with.
            label: names a task in a message.

        Raises:
            ShardError: a task failed ``ATTEMPTS`` times.
        """
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


def open_runner(engine: str, n_workers: int | None = None) -> Runner:
    """The runner of an engine.

    Args:
        engine: ``pool``, ``spark``, or "" for this process.
        n_workers: processes of a pool; None for one a core.

    Raises:
        ValueError: there is no such engine, or it lacks what it needs.
    """
    if not engine:
        return Alone()
    if engine == "pool":
        return Pool(n_workers or n_processes())
    if engine == "spark":
        from finrag.shards.spark import Spark

        return Spark(n_workers)
    raise ValueError(f"there is no engine '{engine}'; use one of {', '.join(ENGINES)}")


def failed(name: str, error: BaseException) -> ShardError:
    """What is said of a task that failed as often as it may."""
    reason = " ".join(str(error).split()) or type(error).__name__
    return ShardError(
        f"{name} failed {ATTEMPTS} times: {reason}. The results of other tasks are in the store "
        "and are used again"
    )


class Alone:
    """Runs tasks one after the other in this process."""

    n_workers = 1

    def run(
        self,
        function: Callable[[Task], Result],
        tasks: Sequence[Task],
        label: Callable[[Task], str],
    ) -> Iterator[Result]:
        """See ``Runner``."""
        for task in tasks:
            for attempt in range(1, ATTEMPTS + 1):
                try:
                    result = function(task)
                except Exception as error:
                    if attempt == ATTEMPTS:
                        raise failed(label(task), error) from error
                else:
                    yield result
                    break

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return


class Pool:
    """Runs tasks in processes of this machine."""

    def __init__(self, n_workers: int) -> None:
        """Start nothing yet.

        Args:
            n_workers: processes, at least 1.
        """
        self.n_workers = n_workers
        self._pool: ProcessPoolExecutor | None = None

    def run(
        self,
        function: Callable[[Task], Result],
        tasks: Sequence[Task],
        label: Callable[[Task], str],
    ) -> Iterator[Result]:
        """See ``Runner``."""
        waiting = deque((task, 1) for task in tasks)
        running: dict[Future[Result], tuple[Task, int]] = {}
        # After a worker died, what ran then runs one at a time: that tells whose fault it was.
        n_suspected = 0
        while waiting or running:
            while waiting and len(running) < (1 if n_suspected else self.n_workers):
                try:
                    future = self._opened().submit(function, waiting[0][0])
                except BrokenProcessPool:
                    # A process has died since: told by what runs, unless it had nothing to do.
                    if not running:
                        self._close()
                    break
                running[future] = waiting.popleft()
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            has_died = False
            for future in done:
                task, attempt = running.pop(future)
                error = future.exception()
                if error is None:
                    n_suspected = max(0, n_suspected - 1)
                    yield future.result()
                elif isinstance(error, BrokenProcessPool):
                    has_died = True
                    if n_suspected and attempt == ATTEMPTS:
                        self._close()
                        raise failed(label(task), RuntimeError(DIED)) from error
                    attempt = min(attempt + 1, ATTEMPTS) if n_suspected else attempt
                    running[future] = (task, attempt)
                elif attempt == ATTEMPTS:
                    raise failed(label(task), error) from error
                else:
                    waiting.append((task, attempt + 1))
            if has_died:
                n_suspected = n_suspected or len(running)
                waiting.extendleft(running.values())
                running.clear()
                self._close()

    def _opened(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # A fork of a process with threads of DuckDB in it may hang.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(
                self.n_workers, mp_context=context, initializer=_end_with_driver
            )
        return self._pool

    def _close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()


def _end_with_driver() -> None:
    """Ends a worker when its driver is killed; it would wait for tasks for ever."""

    def watch() -> None:
        if driver := multiprocessing.parent_process():
            driver.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def n_cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def n_processes() -> int:
    """Processes of a pool: one a processor, fewer where memory or FINRAG_THREADS asks for it."""
    most = n_cores()
    if "SC_PHYS_PAGES" in os.sysconf_names:
        n_bytes = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        most = min(most, max(1, n_bytes // TASK_BYTES - 1))
    given = os.environ.get("FINRAG_THREADS", "")
    return max(1, min(most, int(given))) if given.isdecimal() else most
