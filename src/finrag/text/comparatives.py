"""Which of two times a comparison is made from: "2022 was higher than 2023" tells of a fall."""

from __future__ import annotations

import re
from typing import Final

from finrag.records.vocabulary import read_vocabulary

_VOCABULARY: Final = read_vocabulary(__file__)
_COMPARED: Final = _VOCABULARY.pattern("compared", re.IGNORECASE)
_COMPARATIVE: Final = _VOCABULARY.pattern("comparative", re.IGNORECASE)
_EARLIER: Final = _VOCABULARY.pattern("earlier", re.IGNORECASE)
_YEAR: Final = _VOCABULARY.pattern("year", re.IGNORECASE)


def turn_of(text: str) -> int:
    """How the words of change of a clause are to be read, by the times that it compares.

    Args:
        text: a clause.

    Returns:
        -1 where it speaks of the earlier of two times, so that "higher" tells of a fall; 0 where a
        comparative stands beside a year and does not say what it is compared with; else 1.
    """
    compared = _COMPARED.search(text)
    if compared is not None:
        before, behind = (_years(one) for one in (text[: compared.start()], text[compared.end() :]))
        return -1 if before and behind and max(behind) > max(before) else 1
    if _COMPARATIVE.search(text) is None:
        return 1
    if _EARLIER.search(text) is not None:
        return -1
    return 0 if _years(text) else 1


def _years(text: str) -> list[int]:
    """The years of a text; "FY22" is 2022."""
    found = (match[0].lower().removeprefix("fy").strip() for match in _YEAR.finditer(text))
    return [int(one) if len(one) == 4 else 2000 + int(one) for one in found]
