"""Which of two years a comparison is made from: "2022 was higher than 2023" tells of a fall."""

from __future__ import annotations

import re
from typing import Final

_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_COMPARED: Final = re.compile(r"\b(?:than|exceed(?:s|ed|ing)?|above|below)\b", re.IGNORECASE)
_COMPARATIVE: Final = re.compile(
    r"\b(?:higher|lower|more|less|greater|fewer|larger|smaller|better|worse)\b", re.IGNORECASE
)


def turn_of(text: str) -> int:
    """How the words of change of a clause are to be read, by the years that it compares.

    Args:
        text: a clause.

    Returns:
        -1 where an earlier year is compared with a later one, so that "higher" tells of a fall; 0
        where a comparative stands beside a year and does not say what it is compared with; else 1.
    """
    compared = _COMPARED.search(text)
    if compared is None:
        is_open = _COMPARATIVE.search(text) is not None and _YEAR.search(text) is not None
        return 0 if is_open else 1
    before = _YEAR.findall(text, 0, compared.start())
    behind = _YEAR.findall(text, compared.end())
    return -1 if before and behind and max(behind) > max(before) else 1
