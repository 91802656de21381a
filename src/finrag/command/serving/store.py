"""Runs on disk: a folder each, with its state, the output of its child process and its record."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from finrag.records.writing import replacing

STATES: Final = ("queued", "running", "finished", "failed", "cancelled")
ENDED: Final = frozenset({"finished", "failed", "cancelled"})
RECORD: Final = "record.json"
LOG: Final = "output.log"
LOCK: Final = "child.lock"
VERDICTS: Final = {0: "release", 1: "do_not_release", 3: "cannot_tell"}
_ID: Final = re.compile(r"\d{6,}-[0-9a-f]{8}")
_TAIL_BYTES: Final = 4096
_LONGEST_LINE: Final = 300


@dataclass(frozen=True)
class Run:
    """One evaluation.

    Attributes:
        run_id: its name.
        number: its place in the queue; runs start in this order.
        candidate: what is evaluated, and so on as ``settings.Request`` has it.
        schedule: the schedule that asked for it; "" for a program.
        created_at: times are ISO 8601 in UTC; "" for not yet.
        state: one of ``STATES``.
        attempts: how often its child process was started.
        pid: of the child process; 0 for none.
        exit_code: as ``finrag eval`` ended; None where it did not.
        message: why it is in this state, in a sentence; "" where nothing is to be added.
        version: of the candidate; "" where its answers state it.
        webhook: ``not set``, ``pending``, ``sent``, or ``failed: `` and why; "" before the end.
        is_cancelled: whether its end was asked for while it was running.
    """

    run_id: str
    number: int
    candidate: str
    gold: str
    where: str
    limit: int | None
    schedule: str
    created_at: str
    started_at: str = ""
    ended_at: str = ""
    state: str = "queued"
    attempts: int = 0
    pid: int = 0
    exit_code: int | None = None
    message: str = ""
    version: str = ""
    webhook: str = ""
    is_cancelled: bool = False


class Store:
    """The folder of runs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "runs"

    def load(self) -> dict[str, Run]:
        """All runs by id, in the order of the queue; a folder that cannot be read is left out."""
        found = []
        for path in self._folder.glob("*/run.json"):
            try:
                run = Run(**json.loads(path.read_text(encoding="utf-8")))
            except (OSError, ValueError, TypeError):
                continue
            if run.run_id == path.parent.name and _ID.fullmatch(run.run_id):
                found.append(run)
        return {run.run_id: run for run in sorted(found, key=lambda run: run.number)}

    def save(self, run: Run) -> None:
        """Write the state of a run, whole or not at all."""
        folder = self.folder(run.run_id)
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(folder / "run.json") as hidden:
            hidden.write_text(json.dumps(dataclasses.asdict(run), indent=1), encoding="utf-8")

    def remove(self, run_id: str) -> None:
        """Remove a run with all that it measured; what is gone already is no error."""
        shutil.rmtree(self.folder(run_id), ignore_errors=True)

    def folder(self, run_id: str) -> Path:
        """The folder of a run that ``load`` or ``save`` knows."""
        if not _ID.fullmatch(run_id):
            raise ValueError("this is not the id of a run")
        return self._folder / run_id

    def record(self, run_id: str) -> dict[str, Any] | None:
        """What a run measured; None where it measured nothing yet."""
        try:
            found: Any = json.loads((self.folder(run_id) / RECORD).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def last_line(self, run_id: str) -> str:
        """The last line that the child process wrote."""
        try:
            with (self.folder(run_id) / LOG).open("rb") as log:
                log.seek(max(0, log.seek(0, 2) - _TAIL_BYTES))
                tail = log.read().decode("utf-8", "replace")
        except OSError:
            return ""
        lines = re.split(r"[\r\n]|\x1b\[K", tail)
        seen = ("".join(c for c in line if c.isprintable()).strip() for line in reversed(lines))
        return next((line[:_LONGEST_LINE] for line in seen if line), "")


def shown(run: Run, store: Store) -> dict[str, Any]:
    """A run as programs see it, with what it measured once it has ended."""
    state = dataclasses.asdict(run)
    for name in ("number", "pid", "is_cancelled"):
        del state[name]
    record = store.record(run.run_id) if run.state == "finished" else None
    names = ("headline", "measured_on", "is_smoke", "figures", "gates")
    state |= {name: (record or {}).get(name) for name in names}
    # Its exit status may be 0 for an undecided run as well, by the dbt var allow_undecided.
    status = record.get("status", run.exit_code) if record else None
    state["verdict"] = None if status is None else VERDICTS.get(status)
    state["progress"] = store.last_line(run.run_id) if run.state != "queued" else ""
    return state
