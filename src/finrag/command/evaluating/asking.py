"""Asks a system questions in threads; each answer is stored as soon as it arrives."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final, TextIO

from finrag.command.evaluating.callables import Question, Record
from finrag.records.writing import replacing
from finrag.sources.predictions.fields import ALIASES

# A system that hangs this often without a pause is asked no more.
MAX_TIMEOUTS_IN_A_ROW: Final = 8
_POLL_S: Final = 0.2
_MAX_ERROR: Final = 500
_LATENCIES: Final = frozenset(ALIASES["latency_ms"])


def ask_all(
    questions: Sequence[Question],
    ask: Callable[[Question], Record],
    folder: Path,
    identity: str,
    n_threads: int,
    timeout_s: float,
    out: TextIO | None = None,
) -> list[Record]:
    """A record for each question, in their order; an error becomes a record with its failure.

    Answers are stored by question and ``identity``, and answered questions are not asked again; a
    question that failed is asked by the next run. A call that takes too long is left behind in its
    thread: nothing can stop it, and nothing waits for it.

    Args:
        questions: whose ``item_id`` differ.
        ask: asks one.
        folder: where answers are stored.
        identity: what an answer depends on besides the question.
        n_threads: how many are asked at once.
        timeout_s: seconds for one.
        out: for the line of progress.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = {one.item_id: folder / f"{_key(one, identity)}.json" for one in questions}
    records = {
        name: stored for name, path in paths.items() if (stored := _stored(path)) is not None
    }
    waiting = [one for one in questions if one.item_id not in records]
    progress = _Progress(len(questions), len(records), out or sys.stderr)
    running: dict[str, float] = {}
    done: SimpleQueue[tuple[Question, Record, float]] = SimpleQueue()
    late_in_a_row = 0
    while waiting or running:
        while waiting and len(running) < n_threads and late_in_a_row < MAX_TIMEOUTS_IN_A_ROW:
            question = waiting.pop(0)
            running[question.item_id] = time.monotonic()
            Thread(target=_ask_one, args=(question, ask, done), daemon=True).start()
        if not running:
            reason = f"not asked: {late_in_a_row} questions in a row took too long before"
            records |= {one.item_id: {"failure": reason} for one in waiting}
            break
        try:
            question, record, took = done.get(timeout=_POLL_S)
        except Empty:
            pass
        else:
            if running.pop(question.item_id, None) is not None:
                late_in_a_row = 0
                record = _with_latency(record, took)
                records[question.item_id] = record
                if "failure" not in record:
                    _store(paths[question.item_id], record)
                progress.add("failure" in record)
        for name in [one for one, start in running.items() if time.monotonic() - start > timeout_s]:
            del running[name]
            late_in_a_row += 1
            records[name] = {"failure": f"no answer within {timeout_s:g} s"}
            progress.add(True)
    progress.end()
    return [{"id": one.item_id, **records[one.item_id]} for one in questions]


def _ask_one(
    question: Question,
    ask: Callable[[Question], Record],
    done: SimpleQueue[tuple[Question, Record, float]],
) -> None:
    start = time.perf_counter()
    try:
        record = dict(ask(question))
    except BaseException as error:  # of others' code: even an exit is an answer that failed
        message = f"{type(error).__name__}: {error}".encode("utf-8", "replace").decode("utf-8")
        record = {"failure": message[:_MAX_ERROR]}
    done.put((question, record, time.perf_counter() - start))


def _with_latency(record: Record, took: float) -> Record:
    """A record with the time that was measured, whatever it says of its own time."""
    kept = {name: one for name, one in record.items() if name.strip().lower() not in _LATENCIES}
    return {**kept, "latency_ms": round(took * 1000, 3)}


def _key(question: Question, identity: str) -> str:
    asked: list[Any] = [identity, question.item_id, question.text]
    asked += [question.companies, question.years]
    # Answers to questions that come alone keep the keys that they were stored under.
    asked += [one for one in (question.documents, question.history) if one]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()


def _stored(path: Path) -> Record | None:
    try:
        record: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return dict(record) if isinstance(record, Mapping) else None


def _store(path: Path, record: Record) -> None:
    with replacing(path) as hidden:
        hidden.write_text(json.dumps(record, sort_keys=True), encoding="utf-8")


class _Progress:
    """One line that moves on a terminal; elsewhere a line now and then."""

    def __init__(self, n_all: int, n_known: int, out: TextIO) -> None:
        self._n_all = n_all
        self._n_known = n_known
        self._n_done = n_known
        self._n_failed = 0
        self._out = out
        self._is_terminal = out.isatty()
        self._printed_at = time.monotonic()

    def add(self, is_failed: bool) -> None:
        self._n_done += 1
        self._n_failed += is_failed
        if self._is_terminal or time.monotonic() - self._printed_at > 10:
            self._printed_at = time.monotonic()
            self._print("\r\x1b[K" if self._is_terminal else "", "" if self._is_terminal else "\n")

    def end(self) -> None:
        self._print("\r\x1b[K" if self._is_terminal else "", "\n")

    def _print(self, start: str, stop: str) -> None:
        self._out.write(
            f"{start}{self._n_done:,} of {self._n_all:,} questions asked, {self._n_known:,} known "
            f"before, {self._n_failed:,} failed{stop}"
        )
        self._out.flush()
