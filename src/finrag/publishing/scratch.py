"""Folders for what is not finished, which go away even after a kill."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_HELD: Final = ".held"
_OLD_S: Final = 3600


@contextmanager
def scratch_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """A folder that is removed at the end, and with it those that killed processes left.

    A folder in use holds a locked file: the system lets go of the lock when its process ends, in
    whatever way, so that one without a holder is nobody's.

    Args:
        parent: where it stands, on the disk of the file that is made in it.
        prefix: of the names of such folders; nothing else in ``parent`` has it.
    """
    for left in sorted(parent.glob(f"{prefix}*")):
        if left.is_dir() and not left.is_symlink() and not _is_held(left):
            shutil.rmtree(left, ignore_errors=True)
    with (
        tempfile.TemporaryDirectory(dir=parent, prefix=prefix) as name,
        (Path(name) / _HELD).open("wb") as held,
    ):
        fcntl.flock(held, fcntl.LOCK_EX)
        yield Path(name)


def _is_held(folder: Path) -> bool:
    """Whether a process that runs holds a folder; one without a lock yet is taken as held."""
    try:
        descriptor = os.open(folder / _HELD, os.O_RDWR)
    except OSError:
        # Made this moment, or left before its lock was taken: its age tells.
        return not _is_old(folder)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _is_old(folder: Path) -> bool:
    try:
        return time.time() - folder.stat().st_mtime > _OLD_S
    except OSError:
        return False
