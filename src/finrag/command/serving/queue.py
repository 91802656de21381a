"""The queue: one evaluation at a time, in a child process, whatever happens to this one."""

from __future__ import annotations

import datetime
import fcntl
import json
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from finrag.command.serving.schedule import last_due
from finrag.command.serving.settings import Request, Settings
from finrag.command.serving.store import ENDED, LOCK, LOG, RECORD, Run, Store, shown
from finrag.publishing.alerts.webhook import ADDRESS, SECRET, post_alerts
from finrag.records.writing import replacing

TOKEN: Final = "FINRAG_SERVE_TOKEN"
MAX_QUEUED: Final = 100
# A child that is killed this often is not started again.
MAX_ATTEMPTS: Final = 3
GRACE_S: Final = 5.0
_MEASURED: Final = (0, 1, 3)


class FullError(ValueError):
    """The queue takes no more."""


class Queue:
    """Runs of one folder.

    The child process holds a lock of its run for as long as it lives. A server that was killed
    and is started again so finds out whether the evaluation goes on without it.
    """

    def __init__(self, settings: Settings, after: Callable[[], None] = lambda: None) -> None:
        """Read the runs that are there; nothing is started yet.

        Args:
            settings: of the server.
            after: called after each run that measured something.

        Raises:
            ValueError: another server works in this folder.
        """
        self._settings = settings
        self._after = after
        self.store = Store(settings.folder)
        settings.folder.mkdir(parents=True, exist_ok=True)
        self._server_lock = _locked(settings.folder / "server.lock")
        if self._server_lock is None:
            raise ValueError(f"another server is using '{settings.folder}'; stop it first")
        self._runs = self.store.load()
        self._lock = threading.Condition()
        self._is_ending = False
        self._worker = threading.Thread(target=self._work, daemon=True)

    def start(self) -> None:
        """Start working."""
        self._worker.start()

    def stop(self) -> None:
        """End the evaluation that is running; it is queued again, for the next start."""
        with self._lock:
            self._is_ending = True
            self._lock.notify_all()
        self._worker.join()
        if self._server_lock is not None:
            os.close(self._server_lock)
            self._server_lock = None

    def runs(self) -> list[Run]:
        """All runs, the newest first."""
        with self._lock:
            return list(reversed(self._runs.values()))

    def get(self, run_id: str) -> Run | None:
        """One run; None where there is none of that id."""
        with self._lock:
            return self._runs.get(run_id)

    def add(self, request: Request, schedule: str = "") -> Run:
        """Queue an evaluation.

        Raises:
            FullError: too many are waiting.
        """
        with self._lock:
            if sum(run.state == "queued" for run in self._runs.values()) >= MAX_QUEUED:
                raise FullError(
                    f"{MAX_QUEUED} runs are already waiting; try again when some of them have ended"
                )
            number = max((run.number for run in self._runs.values()), default=0) + 1
            run = Run(
                run_id=f"{number:06d}-{secrets.token_hex(4)}",
                number=number,
                candidate=request.candidate,
                gold=request.gold,
                where=request.where,
                limit=request.limit,
                version=request.version,
                schedule=schedule,
                created_at=self._now(),
            )
            self._save(run)
            self._lock.notify_all()
            return run

    def cancel(self, run_id: str) -> Run:
        """Cancel a run; one that is running ends a moment later.

        Raises:
            ValueError: it has ended already.
        """
        with self._lock:
            run = self._runs[run_id]
            if run.state in ENDED:
                raise ValueError(f"this run is already {run.state}")
            if run.state == "queued":
                return self._end(run, "cancelled", None, "cancelled before it was started")
            # On disk: a server that is killed now and started again must know of it.
            run = self._change(run, is_cancelled=True)
            self._lock.notify_all()
            return run

    # --- the worker --------------------------------------------------------------------

    def _work(self) -> None:
        while not self._is_ending:
            # Nothing that one run, or one look at the clock, does wrong may end the queue.
            try:
                self._ask_by_schedule()
                self._deliver()
                self._prune()
                run = self._next()
                if run is None:
                    self._wait()
                elif run.state == "running":
                    self._watch(run, None)
                elif _is_building(self._settings.database):
                    self._note(run, "waiting for another build in this folder to end")
                    self._wait()
                elif (started := self._started(run)) is not None:
                    self._watch(*started)
            except Exception as error:
                print(f"finrag serve: {type(error).__name__}: {error}", file=sys.stderr)
                time.sleep(1)

    def _next(self) -> Run | None:
        """The run that a killed server left running, else the one that has waited longest."""
        with self._lock:
            waiting = [run for run in self._runs.values() if run.state not in ENDED]
        return min(waiting, key=lambda run: (run.state != "running", run.number), default=None)

    def _wait(self) -> None:
        with self._lock:
            if not self._is_ending:
                self._lock.wait(self._settings.poll_s)

    def _note(self, run: Run, message: str) -> None:
        """Say why a run waits, unless it was cancelled meanwhile."""
        with self._lock:
            if self._runs[run.run_id].state == "queued":
                self._change(run, message=message)

    def _started(self, run: Run) -> tuple[Run, subprocess.Popen[bytes]] | None:
        """The run with its child process; None where it was cancelled meanwhile."""
        folder = self.store.folder(run.run_id)
        with self._lock:
            run = self._runs[run.run_id]
            if run.state != "queued":
                return None
            if run.is_cancelled:
                self._end(run, "cancelled", None, "cancelled while it was running")
                return None
            started_at = run.started_at or self._now()
            changes = {"state": "running", "message": "", "attempts": run.attempts + 1}
            run = self._change(run, started_at=started_at, **changes)
        (folder / RECORD).unlink(missing_ok=True)
        lock = _locked(folder / LOCK)
        if lock is None:
            raise ValueError(f"run {run.run_id} is being evaluated by another process")
        try:
            with (folder / LOG).open("ab") as log:
                child = subprocess.Popen(
                    list(self._settings.command(run, folder / RECORD)),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    env=_child_environment(),
                    # Its own group: ended with all that it starts, and by no Ctrl+C of ours.
                    start_new_session=True,
                    pass_fds=(lock,),
                )
        finally:
            # The child holds it from here on.
            os.close(lock)
        return self._change(run, pid=child.pid), child

    def _watch(self, run: Run, child: subprocess.Popen[bytes] | None) -> None:
        """Wait for an evaluation; without a child it is one that an earlier server started."""
        lock = self.store.folder(run.run_id) / LOCK

        def is_over() -> bool:
            return child.poll() is not None if child else not _is_locked(lock)

        while not is_over():
            if self._is_ending or self._is_cancelled(run):
                _end_group(run.pid, is_over)
                break
            self._ask_by_schedule()
            self._wait()
        code = child.returncode if child else None
        self._conclude(run, code)

    def _conclude(self, run: Run, code: int | None) -> None:
        record = self.store.record(run.run_id)
        if code is None and record is not None and isinstance(record.get("status"), int):
            code = record["status"]
        if self._is_cancelled(run):
            self._end(run, "cancelled", None, "cancelled while it was running")
        elif record is not None and code in _MEASURED:
            # Pages are made of what it measured before anybody is told that it has ended.
            message = ""
            try:
                self._after()
            except (ValueError, OSError) as error:
                message = f"pages of questions show an earlier build: {error}"
            self._end(run, "finished", code, message)
        elif self._is_ending:
            self._change(run, state="queued", pid=0, attempts=run.attempts - 1)
        elif code is not None and code >= 0:
            said = self.store.last_line(run.run_id).removeprefix("finrag: ")
            self._end(
                run,
                "failed",
                code,
                said or "the evaluation ended without a result; see the server's log",
            )
        elif run.attempts >= MAX_ATTEMPTS:
            self._end(run, "failed", None, f"the evaluation was killed {run.attempts} times")
        else:
            message = (
                "the evaluation was killed; it starts again and asks only the unanswered questions"
            )
            self._change(run, state="queued", pid=0, message=message)

    def _end(self, run: Run, state: str, code: int | None, message: str) -> Run:
        webhook = "pending" if os.environ.get(ADDRESS, "").strip() else "not set"
        changes: dict[str, Any] = {"state": state, "exit_code": code, "message": message, "pid": 0}
        return self._change(run, ended_at=self._now(), webhook=webhook, **changes)

    def _deliver(self) -> None:
        """Tell the webhook of runs that ended."""
        with self._lock:
            pending = [run for run in self._runs.values() if run.webhook == "pending"]
        for run in pending:
            state = shown(replace(run, webhook=""), self.store)
            said = state.get("headline") or run.message
            text = f"finrag, run {run.run_id} of {run.candidate} {run.state}. {said}".strip()
            result = post_alerts({"text": text, "run": state})
            self._change(run, webhook=result)

    def _prune(self) -> None:
        """Remove the oldest runs that have ended, and that the webhook knows of."""
        with self._lock:
            ended = [
                run
                for run in self._runs.values()
                if run.state in ENDED and run.webhook != "pending"
            ]
            for run in ended[: max(0, len(ended) - self._settings.n_kept)]:
                self.store.remove(run.run_id)
                del self._runs[run.run_id]

    def _ask_by_schedule(self) -> None:
        """Queue what is due since the last look; what was missed several times is queued once."""
        path = self._settings.folder / "schedules.json"
        try:
            looked_at = {
                str(name): _in_utc(datetime.datetime.fromisoformat(time)).isoformat()
                for name, time in json.loads(path.read_text(encoding="utf-8")).items()
            }
        except (OSError, ValueError, TypeError, AttributeError):
            # Schedules that cannot be read begin now, as new ones do.
            looked_at = {}
        now = self._settings.now()
        changed = dict(looked_at)
        for schedule in self._settings.schedules:
            due = last_due(schedule, now)
            # A schedule that is new begins now.
            before = changed.setdefault(schedule.name, now.isoformat())
            if due <= datetime.datetime.fromisoformat(before):
                continue
            changed[schedule.name] = due.isoformat()
            is_waiting = any(
                run.schedule == schedule.name and run.state not in ENDED for run in self.runs()
            )
            if not is_waiting:
                with suppress(FullError):
                    self.add(schedule.request, schedule.name)
        if changed != looked_at:
            with replacing(path) as hidden:
                hidden.write_text(json.dumps(changed, indent=1), encoding="utf-8")

    def _is_cancelled(self, run: Run) -> bool:
        with self._lock:
            return self._runs[run.run_id].is_cancelled

    def _change(self, run: Run, **changes: Any) -> Run:
        """Change some fields of a run; the others stay as they are now, not as ``run`` has them."""
        with self._lock:
            return self._save(replace(self._runs[run.run_id], **changes))

    def _save(self, run: Run) -> Run:
        with self._lock:
            if self._runs.get(run.run_id) != run:
                self.store.save(run)
                self._runs[run.run_id] = run
        return run

    def _now(self) -> str:
        return self._settings.now().isoformat(timespec="seconds")


def evaluation(settings: Settings, variables: str, run: Run, record: Path) -> list[str]:
    """The command line of an evaluation: ``finrag eval``, as a person would type it.

    Args:
        settings: of the server.
        variables: dbt vars, as YAML.
        run: what is evaluated.
        record: where the record is written to.
    """
    limit = [] if run.limit is None else [f"--limit={run.limit}"]
    version = [f"--version={run.version}"] if run.version else []
    # Its pages show the answers, for marks.
    asked = [
        "--build",
        f"--gold={run.gold}",
        f"--where={run.where}",
        *limit,
        *version,
        f"--record={record}",
    ]
    shared = [f"--database={settings.database}", f"--vars={variables}"]
    module = [sys.executable, "-P", "-m", "finrag.command.cli", "eval"]
    return [*module, *asked, *shared, "--", run.candidate]


def _in_utc(time: datetime.datetime) -> datetime.datetime:
    """A time; one without a zone, which cannot be compared with others, is in UTC."""
    return time if time.tzinfo else time.replace(tzinfo=datetime.UTC)


def _child_environment() -> dict[str, str]:
    """This environment without what only the server needs to know."""
    hidden = (TOKEN, ADDRESS, SECRET)
    return {name: value for name, value in os.environ.items() if name not in hidden}


def _end_group(pid: int, is_over: Callable[[], bool]) -> None:
    """End a child process and all that it started, with force after a while."""
    for sent in (signal.SIGTERM, signal.SIGKILL):
        if pid and not is_over():
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, sent)
        until = time.monotonic() + GRACE_S
        while not is_over() and time.monotonic() < until:
            time.sleep(0.05)


def _is_building(database: Path) -> bool:
    """Whether somebody builds in this folder or reads the warehouse, and would be in the way."""
    from finrag.command.building.build import only_build

    try:
        with only_build(database):
            return False
    except ValueError:
        return True


def _is_locked(path: Path) -> bool:
    with _lock_of(path) as lock:
        return lock is None


@contextmanager
def _lock_of(path: Path) -> Iterator[int | None]:
    lock = _locked(path)
    try:
        yield lock
    finally:
        if lock is not None:
            os.close(lock)


def _locked(path: Path) -> int | None:
    """A descriptor that holds the lock of a file, or None where another process holds it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor
