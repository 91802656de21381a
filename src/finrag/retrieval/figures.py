"""Which texts state a figure."""

from __future__ import annotations

from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag.retrieval.vectors import Bools

# An amount with its currency, a percentage or a number with its scale.
_FIGURE: Final = r"[$€£] ?\(?[0-9]|[0-9] ?%|[0-9] (?:million|billion|thousand|percent)\b"
# Rows of tables hold figures as well, but end in one.
_SENTENCE_END: Final = r"[.!][\"”')]*\s*$"


def figures_stated(texts: pa.Array) -> Bools:
    """Whether each text is a sentence with an amount or a percentage; none for no text."""
    has_figure, is_sentence = (
        pc.fill_null(pc.match_substring_regex(texts, pattern), False)
        for pattern in (_FIGURE, _SENTENCE_END)
    )
    return np.asarray(pc.and_(has_figure, is_sentence).to_numpy(zero_copy_only=False), np.bool_)
