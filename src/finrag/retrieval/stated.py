"""Which texts state what a question may ask for: a figure, a cause, a definition."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Final, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag.atlases.connectors import CONNECTORS
from finrag.atlases.definitions import CUE
from finrag.retrieval.vectors import Bools

# An amount with its currency, a percentage or a number with its scale.
_FIGURE: Final = r"[$€£] ?\(?[0-9]|[0-9] ?%|[0-9] (?:million|billion|thousand|percent)\b"
# Rows of tables hold figures as well, but end in one.
_SENTENCE_END: Final = r"[.!][\"”')]*\s*$"
# Words that lead in a cause, such as "due to".
_CAUSE: Final = "|".join(f"(?:{pattern})" for pattern in CONNECTORS.values())


Asked = Literal["figure", "cause", "definition"]
# A text states what each of its patterns finds.
_STATED: Final[Mapping[Asked, tuple[str, ...]]] = {
    "figure": (_FIGURE, _SENTENCE_END),
    "cause": (_CAUSE,),
    "definition": (CUE,),
}


def stated(texts: pa.Array, asked: Asked) -> Bools:
    """Whether each text states such a thing; no text states nothing."""
    found = [
        pc.fill_null(pc.match_substring_regex(texts, pattern, ignore_case=True), False)
        for pattern in _STATED[asked]
    ]
    return np.asarray(reduce(pc.and_, found).to_numpy(zero_copy_only=False), np.bool_)
