"""Measures that a claim and a cited sentence name in different words.

The names are those of the extractive answerer, so its faults are shared: a name that neither
knows is compared word by word, and one that it gives to the wrong measure is believed here too.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from finrag.scoring.claims.words import MAX_REMEMBERED, plain_lower, wording
from finrag.text.measures import HEADCOUNT, MEASURES, name_of

_MEASURES: Final = {**MEASURES, HEADCOUNT.label: HEADCOUNT}


@lru_cache(maxsize=MAX_REMEMBERED)
def measures_in(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The measures that a text names, each with the stems of the name that it uses."""
    lower = plain_lower(text)
    return tuple(
        (label, wording(name_of(measure, lower)).stems)
        for label, measure in _MEASURES.items()
        if measure.is_in(lower)
    )


@lru_cache(maxsize=MAX_REMEMBERED)
def names_measure(label: str, text: str) -> bool:
    """Whether a text names a measure in any of its ways."""
    return _MEASURES[label].is_in(plain_lower(text))
