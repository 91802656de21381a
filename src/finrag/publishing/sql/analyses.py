"""The analyses of this project: questions that people ask, each answered by one query."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

from finrag.warehouse.folder import dbt_options, project_file

FOLDER: Final = "analyses"
_COMMENT: Final = re.compile(r"\A(?:--[^\n]*\n)+|\A\{#-?.*?-?#\}", re.DOTALL)
_MARKS: Final = re.compile(r"^\s*--\s?|\{#-?|-?#\}", re.MULTILINE)
_VARIABLE: Final = re.compile(r"""\bvar\(\s*['"](\w+)""")
_QUESTION: Final = re.compile(r".*?\?(?=\s|\Z)", re.DOTALL)


def comment_of(text: str) -> str:
    """The comment that an analysis begins with, on one line; "" without any.

    Args:
        text: of the file.
    """
    found = _COMMENT.match(text)
    return " ".join(_MARKS.sub(" ", found[0]).split()) if found else ""


def question_of(text: str) -> str:
    """What an analysis answers: the first question of its comment; "" if that asks none."""
    found = _QUESTION.match(comment_of(text))
    return found[0] if found else ""


def list_analyses(folder: Path | None = None) -> dict[str, str]:
    """Every analysis by name, with the question that it answers."""
    return {
        path.stem: question_of(path.read_text(encoding="utf-8"))
        for path in sorted((folder or project_file(FOLDER)).glob("*.sql"))
    }


def analysis_variables(folder: Path | None = None) -> frozenset[str]:
    """The names of the dbt vars that analyses read, those that no build knows too."""
    texts = [
        path.read_text(encoding="utf-8") for path in (folder or project_file(FOLDER)).glob("*.sql")
    ]
    return frozenset(name for text in texts for name in _VARIABLE.findall(text))


def compile_analysis(name: str, database: Path, variables: str, folder: Path) -> str:
    """The SQL of an analysis as dbt compiles it; the warehouse is not touched.

    Args:
        name: of a file in analyses/, without ``.sql``.
        database: the warehouse with the tables of the analysis.
        variables: the dbt vars, as YAML.
        folder: where dbt keeps what it has parsed, so that the next call is faster.

    Raises:
        ValueError: there is no such analysis, or dbt cannot compile it.
        OSError: the folder cannot be written.
    """
    there = list_analyses()
    if name not in there:
        raise ValueError(f"there is no analysis '{name}'; available: {', '.join(there)}")
    # dbt opens what it compiles for; an empty file of that name will do. Its path is always the
    # same, or dbt would read the whole project anew.
    empty = folder / "empty" / database.name
    empty.parent.mkdir(parents=True, exist_ok=True)
    here = folder.resolve()
    command = [
        sys.executable, "-m", "dbt.cli.main", "compile", "-s", name, "--vars", variables,
        *dbt_options(), "--quiet", "--target-path", str(here / "target"),
        "--log-path", str(here / "logs"),
    ]  # fmt: skip
    environment = {**os.environ, "FINRAG_DATABASE": str(empty)}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if ran.returncode:
        output = " ".join(f"{ran.stdout} {ran.stderr}".split())
        raise ValueError(f"dbt cannot compile {name}: {output}")
    (compiled,) = (folder / "target" / "compiled").glob(f"*/{FOLDER}/{name}.sql")
    return compiled.read_text(encoding="utf-8")
