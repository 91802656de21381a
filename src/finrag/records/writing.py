"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import shutil
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LEFTOVER_AGE_S = 24 * 3600


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A hidden file or folder beside a path, which takes its place at the end of the ``with``.

    Whatever stops the writing leaves what is at the path as it was.

    Args:
        path: the file to write, or a folder that is not there yet; what holds it must be there.
    """
    hidden = path.with_name(f".{path.name}.{uuid.uuid4().hex[:12]}.tmp")
    try:
        yield hidden
        hidden.replace(path)
    finally:
        removed(hidden)


def clear_leftovers(folder: Path) -> None:
    """Remove what killed runs left half written.

    A young one may belong to a process that is writing it, or is renamed just now.
    """
    for leftover in folder.glob(".*.tmp"):
        try:
            is_old = time.time() - leftover.stat().st_mtime > LEFTOVER_AGE_S
        except FileNotFoundError:
            continue
        if is_old:
            removed(leftover)


def removed(path: Path) -> None:
    """Remove a file, or a folder and what it holds; either may be gone already."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
