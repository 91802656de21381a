"""A copy of the warehouse to read from, so that an open shell never blocks a build.

DuckDB lets one process write a file or several read it. The copy is taken while the warehouse is
held for reading, so it is of one moment; it is made anew when the warehouse has changed.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from finrag.publishing.scratch import scratch_folder
from finrag.warehouse import fold_log, open_warehouse


def read_only_copy(database: Path, folder: Path) -> Path:
    """A copy of the warehouse as it is now, of the same name, in a folder of its own.

    Compiled SQL names the file that a table is in, so the copy keeps its name. A copy of an
    unchanged warehouse is used again; who has an older one open keeps reading that.

    Args:
        database: the warehouse file.
        folder: where the copy stands; it is made.

    Raises:
        ValueError: there is no warehouse, it is being written, it is none, or it is the copy.
        OSError: the folder cannot be written, or the disk is full.
    """
    copy = folder / database.name
    if copy.resolve() == database.resolve():
        raise ValueError(f"'{database}' is the path of the copy; name the warehouse itself")
    with open_warehouse(database):
        log = _log_of(database)
        if not log.is_file() and _is_of(copy, database):
            return copy
        folder.mkdir(parents=True, exist_ok=True)
        with scratch_folder(folder, ".copy-") as unfinished:
            fresh = unfinished / database.name
            shutil.copy2(database, fresh)
            if log.is_file():
                # A build that was broken off left its last changes beside the file.
                shutil.copy2(log, _log_of(fresh))
                fold_log(fresh)
            fresh.replace(copy)
    return copy


def _log_of(database: Path) -> Path:
    return database.with_name(database.name + ".wal")


def _is_of(copy: Path, database: Path) -> bool:
    """Whether a copy was taken of the file as it is; copies keep the time of their original."""
    if not copy.is_file():
        return False
    then, now = copy.stat(), database.stat()
    return (then.st_size, then.st_mtime_ns) == (now.st_size, now.st_mtime_ns)
