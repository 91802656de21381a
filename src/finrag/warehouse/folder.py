"""Finds the dbt project: in the working directory, or with the installed library.

A person works in a folder of their own; paths of their files (predictions, suites, systems) are
relative to it. Files of the project (models, seeds, prompts) are found here.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import finrag

PROJECT_FILE: Final = "dbt_project.yml"
_LIBRARY: Final = Path(finrag.__file__).parent
# Where the wheel puts the project; beside the sources in a checkout.
_PLACES: Final = (_LIBRARY / "project", _LIBRARY.parents[1])
_NAME: Final = re.compile(r"^name:\s*finrag\s*$", re.MULTILINE)


def project_folder() -> Path:
    """The folder of the project: the working directory where it is one, else the library's.

    Raises:
        ValueError: the library is installed without the project.
    """
    for folder in (Path(), *_PLACES):
        if _is_project(folder):
            return folder
    raise ValueError(
        f"the project was not found: there is no {PROJECT_FILE} in the working directory or in "
        "this installation; install finrag again, or run in a checkout"
    )


def project_file(name: str) -> Path:
    """A file or folder of the project, such as ``seeds/gold/suite.jsonl``."""
    return project_folder() / name


def is_own_folder() -> bool:
    """Whether the working directory is a person's own folder, and not the project."""
    return project_folder() != Path()


def step_command(step: str) -> str:
    """What a person types for a step: ``make build`` in a checkout, elsewhere ``finrag build``."""
    is_checkout = Path("Makefile").is_file() and _is_project(Path())
    return f"{'make' if is_checkout else 'finrag'} {step}"


def dbt_options() -> list[str]:
    """The options with which dbt runs the project from here and writes only here."""
    if not is_own_folder():
        return []
    here, folder = Path.cwd(), str(project_folder())
    return [
        *("--project-dir", folder, "--profiles-dir", folder),
        *("--target-path", str(here / "target"), "--log-path", str(here / "logs")),
    ]


def _is_project(folder: Path) -> bool:
    file = folder / PROJECT_FILE
    return file.is_file() and _NAME.search(file.read_text(encoding="utf-8")) is not None
