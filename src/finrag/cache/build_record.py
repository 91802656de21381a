"""The record of the last build, from which the next one finds out what is unchanged."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final

from finrag.records.writing import replacing

VERSION: Final = 1
STORE: Final = "store"


def record_path(database: Path) -> Path:
    """The file beside a warehouse that holds the keys of its nodes."""
    return database.with_name(f"{database.name}.built.json")


def read_record(database: Path, state_dir: Path) -> dict[str, str]:
    """The keys of the nodes as the last build left them, by id.

    Returns:
        No keys if they prove nothing: there is no record or it cannot be read, the warehouse was
        written to since by anybody, or a folder or index of the state folder is gone.
    """
    try:
        record: Any = json.loads(record_path(database).read_text(encoding="utf-8"))
        is_as_left = (
            record["version"] == VERSION
            and record["warehouse"] == (_identity(database) or "none")
            and set(record["kept"]) <= set(_state_entries(state_dir))
        )
        keys = record["keys"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return {str(name): str(key) for name, key in keys.items()} if is_as_left else {}


def failed_checks(database: Path) -> list[str]:
    """Names of the data checks that the last build of a warehouse did not pass.

    A broken gate is none of them: what it says of a release is in ``release_verdicts``.
    """
    try:
        record: Any = json.loads(record_path(database).read_text(encoding="utf-8"))
        # Of a warehouse that somebody else wrote to since nothing is known, as without a record.
        is_as_left = record["warehouse"] == (_identity(database) or "none")
        return [str(name) for name in record["failed"]] if is_as_left else []
    except (OSError, ValueError, KeyError, TypeError):
        return []


def remove_record(database: Path) -> None:
    """Forget the keys, before anything is written: a build that is killed leaves none."""
    record_path(database).unlink(missing_ok=True)


def write_record(
    database: Path, state_dir: Path, keys: Mapping[str, str], failed: Collection[str] = ()
) -> None:
    """Store the keys of nodes that were built without errors, once the warehouse is closed.

    Nothing is written while there is a write-ahead log: the file is then not closed.

    Args:
        database: the warehouse file.
        state_dir: the folder that keeps state between builds.
        keys: by id of the node.
        failed: names of data checks that failed.
    """
    identity = _identity(database)
    if identity is None:
        return
    record = {
        "version": VERSION,
        "warehouse": identity,
        "kept": _state_entries(state_dir),
        "keys": dict(sorted(keys.items())),
        "failed": sorted(failed),
    }
    with replacing(record_path(database)) as hidden:
        hidden.write_text(json.dumps(record, indent=0), encoding="utf-8")


def _identity(database: Path) -> list[int] | None:
    """What changes with every write; None where there is no file or it is not closed."""
    if not database.is_file() or database.with_name(f"{database.name}.wal").exists():
        return None
    found = database.stat()
    return [found.st_ino, found.st_size, found.st_mtime_ns]


def _state_entries(state_dir: Path) -> list[str]:
    """Folders, and indexes, which tables of the warehouse name and searches open.

    A store of shards is not one of them: it may lie anywhere, and its manifest tells what it has.
    """
    found = [path for path in state_dir.glob("*") if path.is_dir() and path.name != STORE]
    found += (state_dir / "cache" / "indexes").glob("*")
    return sorted(path.relative_to(state_dir).as_posix() for path in found)
