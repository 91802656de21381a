"""Which texts state a figure, and which a cause."""

from __future__ import annotations

from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag.atlases.connectors import CONNECTORS
from finrag.retrieval.vectors import Bools

# An amount with its currency, a percentage or a number with its scale.
_FIGURE: Final = r"[$€£] ?\(?[0-9]|[0-9] ?%|[0-9] (?:million|billion|thousand|percent)\b"
# Rows of tables hold figures as well, but end in one.
_SENTENCE_END: Final = r"[.!][\"”')]*\s*$"
_CAUSE: Final = "|".join(f"(?:{pattern})" for pattern in CONNECTORS.values())


def figures_stated(texts: pa.Array) -> Bools:
    """Whether each text is a sentence with an amount or a percentage; none for no text."""
    return _holds(texts, _FIGURE) & _holds(texts, _SENTENCE_END)


def causes_stated(texts: pa.Array) -> Bools:
    """Whether each text has words that lead in a cause, such as "due to"; none for no text."""
    return _holds(texts, _CAUSE)


def _holds(texts: pa.Array, pattern: str) -> Bools:
    found = pc.match_substring_regex(texts, pattern, ignore_case=True)
    return np.asarray(pc.fill_null(found, False).to_numpy(zero_copy_only=False), np.bool_)
