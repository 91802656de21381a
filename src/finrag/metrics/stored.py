"""Results of the functions of this room that a build finds again, by system and gold set.

How far one system differs from its partners depends on no other system: a build in which a system
is new computes what is new.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from finrag.cache.results import ResultCache
from finrag.metrics.comparisons import DIFFERENCES_SCHEMA


def differences(settings: Mapping[str, Any]) -> ResultCache:
    """Differences of the registered pairs of a system on a gold set.

    Args:
        settings: ``state_dir``, the folder that the cache lies in.
    """
    return ResultCache(_folder(settings, "differences"), DIFFERENCES_SCHEMA, [])


def _folder(settings: Mapping[str, Any], name: str) -> Path:
    return Path(settings["state_dir"]) / "cache" / name
