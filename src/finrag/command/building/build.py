"""One build: read the project, skip what is unchanged, run the rest, record the result."""

from __future__ import annotations

import datetime
import fcntl
import hashlib
import json
import os
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from finrag.cache.build_record import (
    failed_checks,
    read_record,
    remove_record,
    write_record,
)
from finrag.cache.entries import damage_counted
from finrag.cache.library import installed_versions, library_fingerprint
from finrag.command.building.keys import Setting, node_keys
from finrag.command.building.pace import Pace, read_seconds, write_seconds
from finrag.command.building.phases import GATES_CHECK, Phases, troubles
from finrag.warehouse import UNCHANGED, model_statuses, open_warehouse, unfinished_mark
from finrag.warehouse.project import BAD, GOOD, RESULTS, Node, Outcome, Project

# Two builds of one folder would take each other's results.
LOCK = "build.lock"
# Once these are written, all tables that tell of a release are of one build.
VERDICTS = ("release_verdicts", "rpt_overview_verdict", "rpt_overview_candidates")


@dataclass(frozen=True)
class Built:
    """What a build did.

    Attributes:
        n_run: seeds, models and data tests that were run.
        n_unchanged: those that were left as they stood.
        has_failed: whether one of them failed.
    """

    n_run: int
    n_unchanged: int
    has_failed: bool


@contextmanager
def only_build(
    database: Path, command: str = "finrag build", is_reading: bool = False
) -> Iterator[Callable[[], None]]:
    """Keep other builds out of this folder, and whoever reads its warehouse out of that file.

    Several commands may read a warehouse at once while nobody builds it, and any of them while
    another warehouse is built: DuckDB locks one file.

    Args:
        database: the warehouse file.
        command: what others are told that is running.
        is_reading: whether the warehouse is only read.

    Yields:
        What one that reads calls before it builds after all.

    Raises:
        ValueError: another command builds in this folder, or holds this warehouse.
    """
    named = hashlib.sha256(str(database.resolve()).encode()).hexdigest()[:16]
    with ExitStack() as held:

        def to_build() -> None:
            held.enter_context(holding(RESULTS.parent / LOCK, command))
            to_write()

        if not is_reading:
            held.enter_context(holding(RESULTS.parent / LOCK, command))
        to_write = held.enter_context(
            holding(RESULTS.parent / f"warehouse-{named}.lock", command, is_reading)
        )
        yield to_build if is_reading else to_write


@contextmanager
def holding(path: Path, command: str, is_reading: bool = False) -> Iterator[Callable[[], None]]:
    """Hold a lock that other processes respect, and say in its file who holds it.

    Args:
        path: the file of the lock.
        command: what others are told that is running.
        is_reading: whether others that only read may hold it as well.

    Yields:
        What one that reads calls before it writes after all.

    Raises:
        ValueError: another command holds it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+", encoding="utf-8") as lock:
        said = _take(lock, command, is_reading)

        def to_write() -> None:
            _take(lock, command, False, said)

        yield to_write


def _take(lock: TextIO, command: str, is_reading: bool, said: str = "") -> str:
    """Take the lock and say so in its file, unless another one that reads has; ``said`` before."""
    try:
        fcntl.flock(lock, (fcntl.LOCK_SH if is_reading else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        told = lock.read()
        raise ValueError(_occupied("" if told == said else told, is_reading)) from None
    lock.seek(0)
    if is_reading and (holder := _holder(lock.read())) and holder["what"] == "reading":
        return said
    lock.truncate(0)
    since = datetime.datetime.now().astimezone().isoformat(timespec="microseconds")
    what = "reading" if is_reading else "writing"
    said = json.dumps({"command": command, "what": what, "since": since, "pid": os.getpid()})
    lock.write(said)
    lock.flush()
    return said


def _occupied(told: str, is_reading: bool) -> str:
    """Who has the lock and since when, as far as its file says so."""
    holder = _holder(told)
    who = "another command is running in this folder"
    if holder:
        since = datetime.datetime.fromisoformat(holder["since"])
        is_today = since.date() == datetime.datetime.now().astimezone().date()
        time = since.strftime("%H:%M" if is_today else "%Y-%m-%d %H:%M")
        who = f"`{holder['command']}` has been {holder['what']} here since {time}"
    why = " (DuckDB lets nobody read a warehouse while it is written)" if is_reading else ""
    return f"{who}{why}; wait until it ends, or use another folder"


def _holder(told: str) -> dict[str, Any] | None:
    """What the file of a lock says, if whoever wrote it still runs."""
    try:
        holder: dict[str, Any] = json.loads(told)
        datetime.datetime.fromisoformat(holder["since"])
        place = Path("/proc") / str(int(holder["pid"]))
    except (ValueError, KeyError, TypeError):
        # Of another version, or just being written.
        return None
    # Where there is no such folder, nobody can tell.
    return holder if place.exists() or not place.parent.exists() else None


@damage_counted()
def build(
    database: Path,
    variables: str,
    all_variables: Mapping[str, Any],
    systems: Sequence[Mapping[str, Any]],
    selector: str = "",
    is_full: bool = False,
) -> Built:
    """Build the warehouse, and print a line per phase and what went wrong.

    A node whose key is that of the last build is not run, nor is a data test that passed then. A
    build of a part runs all of that part.

    Args:
        database: the warehouse file.
        variables: dbt vars, as YAML.
        all_variables: the same with the defaults.
        systems: the systems that run, as ``resolve_systems`` gives them.
        selector: name of a selector, for a part.
        is_full: whether to run what is unchanged as well.

    Raises:
        ValueError: dbt cannot read the project, or broke off before it built anything.
    """
    state_dir = Path(str(all_variables["state_dir"]))
    library = library_fingerprint()
    print("reading the project", flush=True)
    project = Project(variables, all_variables)
    nodes = project.nodes()
    now = datetime.datetime.now(datetime.UTC)
    keys = node_keys(
        nodes,
        Setting(
            build=uuid.uuid4().hex,
            day=now.date().isoformat(),
            variables=all_variables,
            systems=systems,
            versions=installed_versions(),
            **_shards(all_variables),
        ),
    )
    before = read_record(database, state_dir)
    known = {} if is_full or selector else before
    to_run = [node for node in nodes if known.get(node.unique_id) != keys[node.unique_id]]
    unchanged = [node for node in nodes if known.get(node.unique_id) == keys[node.unique_id]]
    if unchanged:
        print(f"{len(unchanged)} of {len(nodes)} steps and checks are unchanged", flush=True)
    RESULTS.unlink(missing_ok=True)
    failed_before = failed_checks(database)
    remove_record(database)
    mark = unfinished_mark(database)
    if not selector:
        mark.touch()
    # Which steps a selector picks only dbt knows.
    pace = Pace(nodes, [] if selector else to_run, read_seconds(state_dir))
    phases = Phases(nodes if selector else to_run, pace)
    chosen = [node.unique_id for node in to_run] if unchanged else None
    outcomes = project.run(database, chosen, selector, phases.heard)
    phases.end()
    write_seconds(state_dir, pace.seconds)
    # Modules that are edited while this process runs are not what it ran.
    if library_fingerprint() == library:
        failed = _failed(nodes, outcomes, failed_before)
        write_record(database, state_dir, _vouched(nodes, keys, before, outcomes), failed)
    _write_unchanged(unchanged)
    statuses = model_statuses(RESULTS)
    if all(statuses.get(name) == "success" for name in VERDICTS):
        mark.unlink(missing_ok=True)
    for line in troubles(nodes, outcomes, _breaches(database)):
        print(line)
    has_failed = any(outcome.status in BAD for outcome in outcomes)
    return Built(len(outcomes), len(unchanged), has_failed)


def _shards(variables: Mapping[str, Any]) -> dict[str, Any]:
    """Where shards lie, and the files of each model; nothing where there are none."""
    if not variables.get("shard_manifest"):
        return {}
    from finrag.shards import read_manifest

    manifest = read_manifest(str(variables["shard_manifest"]))
    doors = {
        model: [(one.file, one.n_rows, one.hash) for one in files]
        for model, files in manifest.doors.items()
    }
    return {"store": manifest.store, "doors": doors}


def _breaches(database: Path) -> dict[str, int]:
    """How many gates are breached, by severity; none where the build did not reach them."""
    if not database.is_file() or unfinished_mark(database).is_file():
        return {}
    with open_warehouse(database) as warehouse:
        if not warehouse.has("gates.gate_breaches", "severity_level"):
            return {}
        rows = warehouse.rows(
            "select severity, count(*) as n from gates.gate_breaches where severity_level > 0 "
            "group by severity"
        )
    return {row["severity"]: row["n"] for row in rows}


def _vouched(
    nodes: Sequence[Node],
    keys: Mapping[str, str],
    before: Mapping[str, str],
    outcomes: Sequence[Outcome],
) -> dict[str, str]:
    """Keys of nodes that stand as a whole build would leave them.

    A node stands so if it ran well, or was unchanged, and all its parents do. One that failed
    loses its key; one that a part left out keeps that of the table it still has.
    """
    status = {outcome.unique_id: outcome.status for outcome in outcomes}
    vouched: dict[str, str] = {}
    for node in nodes:
        name, key = node.unique_id, keys[node.unique_id]
        if name not in status:
            if name in before:
                vouched[name] = before[name]
        elif status[name] in GOOD and all(vouched.get(p) == keys[p] for p in node.parents):
            vouched[name] = key
    return vouched


def _failed(
    nodes: Sequence[Node], outcomes: Sequence[Outcome], before: Collection[str]
) -> set[str]:
    """Names of data checks that do not hold: those that failed, and have not passed since."""
    status = {outcome.unique_id: outcome.status for outcome in outcomes}
    checks = {node.unique_id: node.name for node in nodes if node.kind == "test"}
    return {
        name
        for unique_id, name in checks.items()
        if name != GATES_CHECK
        and (
            status.get(unique_id) in BAD
            or (name in before and status.get(unique_id) not in (*GOOD, "warn"))
        )
    }


def _write_unchanged(unchanged: Sequence[Node]) -> None:
    """Name, beside dbt's results, the models that the same build left as they stood."""
    if RESULTS.is_file():
        invocation = json.loads(RESULTS.read_text(encoding="utf-8"))["metadata"]["invocation_id"]
        names = [node.unique_id for node in unchanged if node.kind == "model"]
        RESULTS.with_name(UNCHANGED).write_text(
            json.dumps({"invocation_id": invocation, "models": names}), encoding="utf-8"
        )
