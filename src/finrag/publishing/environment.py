"""What a build ran on: versions of the library and its dependencies, commit, endpoint."""

from __future__ import annotations

import json
import platform
import subprocess

import pyarrow as pa

import finrag
from finrag.cache.library import library_versions
from finrag.llm.asking import SETTINGS
from finrag.llm.endpoints import endpoint_host
from finrag.records.columns import required

ENVIRONMENT_SCHEMA = pa.schema(
    [
        *required(pa.string(), "finrag_version", "python_version", "library_versions"),
        pa.field("git_commit", pa.string()),
        pa.field("has_uncommitted_changes", pa.bool_()),
        pa.field("llm_endpoint", pa.string()),
    ]
)
GIT_TIMEOUT_S = 20


def read_environment() -> pa.Table:
    """One row under ``ENVIRONMENT_SCHEMA``.

    ``library_versions`` is JSON of package and installed version for every direct dependency.
    Outside a git checkout, or without git, commit and flag are null. ``llm_endpoint`` is host and
    port of the endpoint that language models are asked at; null where none is configured. Answers
    from the store were given when they were asked for, perhaps by another.
    """
    commit = _git("rev-parse", "HEAD")
    changes = _git("status", "--porcelain", "--untracked-files=no") if commit else None
    row = {
        "finrag_version": finrag.__version__,
        "python_version": platform.python_version(),
        "library_versions": json.dumps(library_versions(), sort_keys=True),
        "git_commit": commit,
        "has_uncommitted_changes": None if changes is None else bool(changes),
        "llm_endpoint": endpoint_host(SETTINGS) or None,
    }
    return pa.Table.from_pylist([row], schema=ENVIRONMENT_SCHEMA)


def _git(*arguments: str) -> str | None:
    try:
        result = subprocess.run(
            ["git", *arguments], capture_output=True, text=True, timeout=GIT_TIMEOUT_S, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return result.stdout.strip()
