"""The library as a part of what a result was computed from: its source and its packages."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.metadata import PackageNotFoundError, distributions, requires, version
from pathlib import Path

import finrag


def library_fingerprint() -> str:
    """Digest, 16 hex digits, of the library's own source files and of the data beside them."""
    digest = hashlib.sha256()
    root = Path(finrag.__file__).parent
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.yml")]):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def library_versions() -> dict[str, str]:
    """Package and installed version of every direct dependency."""
    needed = [name for name in requires("finrag") or [] if "extra ==" not in name]
    return {name: _version(name) for name in (_package(line) for line in needed)}


def installed_versions() -> dict[str, str]:
    """Name and version of every package of this environment."""
    return {found.metadata["Name"]: found.version for found in distributions()}


def _package(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    return found[0] if found else requirement


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
