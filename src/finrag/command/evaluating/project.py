"""The project that an evaluation builds: its dbt vars and its systems, as the build has them."""

from __future__ import annotations

import argparse
from typing import Any

from finrag.command import cli

Seeds = tuple[list[dict[str, str]], list[dict[str, str]]]


def default_variables() -> dict[str, Any]:
    """The dbt vars of the project."""
    return cli._defaults()


def given_variables(text: str) -> dict[str, Any]:
    """The dbt vars that a person gave, as YAML.

    Raises:
        ValueError: it is no YAML of names and values.
    """
    return cli._given(argparse.Namespace(vars=text))


def system_seeds() -> Seeds:
    """The registry of systems, and the catalogue of their settings."""
    return cli._system_seeds()
