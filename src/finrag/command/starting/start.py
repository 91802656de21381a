"""Writes the first files of a folder of one's own, or of its continuous integration."""

from __future__ import annotations

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


def start_jobs(folder: Path) -> list[Path]:
    """Write a workflow of GitHub and a job of GitLab; arguments and errors as ``start_folder``."""
    return _write(folder, JOBS)


def _write(folder: Path, files: Mapping[str, str]) -> list[Path]:
    there = [folder / name for name in files if (folder / name).exists()]
    if there:
        raise ValueError(f"'{there[0]}' already exists and is not overwritten; move it away first")
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"'{folder}' is a file; name a folder")
    for name, template in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text((_TEMPLATES / template).read_text(encoding="utf-8"), encoding="utf-8")
    return [folder / name for name in files]
