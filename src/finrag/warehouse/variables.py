"""Variables that reach their one reader by the environment, and not by dbt.

dbt reads every file of the project anew for variables of which one differs from those of the last
run. Which systems there are differs often, and one model alone reads it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

OF_SYSTEMS: Final = ("candidate", "enable_systems", "system_versions", "systems_paths")
VARIABLE: Final = "FINRAG_SYSTEM_VARS"


def split_variables(text: str) -> tuple[dict[str, Any], str]:
    """Variables of systems, and YAML of all others.

    Args:
        text: dbt vars of a build, as YAML.
    """
    import yaml

    given = yaml.safe_load(text) or {}
    of_systems = {name: given.pop(name) for name in OF_SYSTEMS if name in given}
    return of_systems, str(yaml.safe_dump(given))


@contextmanager
def system_variables(given: Mapping[str, Any]) -> Iterator[None]:
    """Have a build find the variables of systems."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = json.dumps(given, sort_keys=True, default=str)
    try:
        yield
    finally:
        del os.environ[VARIABLE]
        if before is not None:
            os.environ[VARIABLE] = before


def settings_of_systems(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the model that reads the systems: as a build was given them, else dbt's."""
    return {**settings, **json.loads(os.environ.get(VARIABLE) or "{}")}
