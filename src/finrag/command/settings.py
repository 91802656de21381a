"""What a command is given: dbt vars, and the tables of settings that the project brings."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from finrag.command.preflight import merge_variables
from finrag.records.yaml_text import read_yaml, read_yaml_file
from finrag.warehouse.folder import is_own_folder, project_file

# The settings of a person's own folder.
OWN_FILE: Final = "finrag.yml"


def default_variables() -> dict[str, Any]:
    """The dbt vars of the project."""
    project = yaml.safe_load(project_file("dbt_project.yml").read_text(encoding="utf-8"))
    return dict(project["vars"])


def given_variables(text: str) -> dict[str, Any]:
    """The dbt vars that a person gave: those of ``finrag.yml``, and over them the command line's.

    Args:
        text: of the command line, as YAML.

    Raises:
        ValueError: either is not YAML of names and values.
    """
    return {**own_variables(), **_of_command_line(text)}


def own_variables(file: Path = Path(OWN_FILE)) -> dict[str, Any]:
    """The dbt vars of a person's own folder; none where it has no ``finrag.yml``.

    Raises:
        ValueError: the file has another shape.
    """
    if not is_own_folder() or not file.is_file():
        return {}
    settings = read_yaml_file(file) or {}
    if not isinstance(settings, dict):
        raise ValueError(f"{file}: expected 'name: value' pairs")
    unknown = sorted(settings.keys() - {"vars"})
    if unknown:
        raise ValueError(f"{file} has '{unknown[0]}'; write settings below 'vars:'")
    variables = settings.get("vars") or {}
    if not isinstance(variables, dict):
        raise ValueError(f"{file}: vars is not a list of 'name: value' lines")
    return variables


def variables_text(given: Mapping[str, Any]) -> str:
    """Dbt vars as dbt's command line takes them."""
    return json.dumps(given, sort_keys=True, default=str)


def all_variables(text: str) -> dict[str, Any]:
    """The dbt vars of a build, defaults included.

    Args:
        text: of the command line, as YAML.

    Raises:
        ValueError: as ``given_variables`` and ``merge_variables``.
    """
    return merge_variables(default_variables(), given_variables(text))


def exit_status(status: int, variables: Mapping[str, Any]) -> int:
    """The exit status of a verdict: *cannot tell* is 0, with a warning, if the vars allow it.

    Args:
        status: of the verdict.
        variables: the merged dbt vars.
    """
    from finrag.publishing.verdict import UNDECIDED

    if status != UNDECIDED or not variables["allow_undecided"]:
        return status
    print(
        "finrag: warning: too little was measured to tell whether a candidate can be released; "
        "exit status 0 instead of 3, because the dbt var allow_undecided is true",
        file=sys.stderr,
    )
    return 0


def system_seeds() -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """The registry of systems, and the catalogue of their settings."""
    return _seed_rows("systems/systems.csv"), _seed_rows("systems/setting_catalogue.csv")


def _seed_rows(name: str) -> list[dict[str, str]]:
    with project_file(f"seeds/{name}").open(encoding="utf-8", newline="") as seed:
        return list(csv.DictReader(seed))


def _of_command_line(text: str) -> dict[str, Any]:
    complaint = f"the vars are not YAML: {text}"
    try:
        given = read_yaml(text) or {}
    except yaml.MarkedYAMLError as error:
        raise ValueError(complaint) from error
    except yaml.YAMLError as error:
        raise ValueError(f"{complaint}: {error}") from error
    if not isinstance(given, dict):
        raise ValueError(f"{complaint}: expected 'name: value' pairs")
    return given
