"""The name that somebody probably meant by a misspelt one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A question that names the nearest of the known names.

    Args:
        name: as it was written.
        known: the names that would be right.

    Returns:
        The question, or "" where none of the names is near.
    """
    names = {other.casefold(): other for other in sorted(known)}
    near = difflib.get_close_matches(name.casefold(), names, 1)
    return f"did you mean {names[near[0]]}?" if near else ""
