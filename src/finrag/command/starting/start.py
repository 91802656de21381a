"""Writes the first files of a folder of one's own, or of its continuous integration."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

# The word after `finrag init` that asks for the jobs instead of a folder.
CI: Final = "ci"
OWN_FOLDER: Final[Mapping[str, str]] = {
    "finrag.yml": "finrag.yml",
    "systems.yml": "systems.yml",
    "gates.csv": "gates.csv",
    "README.md": "README.md",
    ".gitignore": "gitignore",
}
JOBS: Final[Mapping[str, str]] = {
    ".github/workflows/finrag.yml": "github.yml",
    ".gitlab-ci.yml": "gitlab.yml",
}
# The line of both jobs that judges a system; a comment until one is named.
_JUDGING: Final = re.compile(
    r"^( *)# To judge .*\n *# (finrag eval) my_rag:answer( .*)$", re.MULTILINE
)
_SOURCE: Final = re.compile(r"[\w./:-]+")
_TEMPLATES: Final = Path(__file__).parent / "files"


def start_folder(folder: Path) -> list[Path]:
    """Write the files of a new folder.

    Args:
        folder: the folder; it may exist, without any of the files.

    Returns:
        The files.

    Raises:
        ValueError: one of the files is there already; nothing is written then.
    """
    return _write(folder, OWN_FOLDER)


def start_jobs(folder: Path, source: str = "") -> list[Path]:
    """Write a workflow of GitHub and a job of GitLab.

    Args:
        folder: as for ``start_folder``.
        source: what the jobs judge, as ``finrag eval`` takes it; "" leaves a commented line.

    Returns:
        The files.

    Raises:
        ValueError: as ``start_folder``, or the source holds signs that a shell would read.
    """
    if source and not _SOURCE.fullmatch(source):
        raise ValueError(
            f"'{source}' cannot stand in a job; name a module:attribute, a file or an address of "
            "letters, digits and . / : _ -"
        )
    return _write(folder, JOBS, source)


def _write(folder: Path, files: Mapping[str, str], source: str = "") -> list[Path]:
    there = [folder / name for name in files if (folder / name).exists()]
    if there:
        raise ValueError(f"'{there[0]}' already exists and is not overwritten; move it away first")
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"'{folder}' is a file; name a folder")
    for name, template in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        text = (_TEMPLATES / template).read_text(encoding="utf-8")
        if source:
            text = _JUDGING.sub(rf"\1\2 {source}\3", text)
        target.write_text(text, encoding="utf-8")
    return [folder / name for name in files]
