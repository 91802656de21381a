"""How alike words are in meaning: cosines of static word vectors, the same on every machine.

The vectors are those of the static encoder that is installed with the project. "Buyback" is near
"repurchase" and "staff" near "employees"; opposites such as "rose" and "fell" are not told apart
by them in any reliable way: see ``finrag.text.statements``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from finrag.text.words import stem

MAX_REMEMBERED: Final = 65_536
DECIMALS: Final = 3
# Pieces of a common word.
COMMON: Final = 2


@lru_cache(maxsize=1)
def _encoder() -> Any:
    from finrag.embeddings.encoders import resolve

    return resolve("wordllama").load(1)


@lru_cache(maxsize=MAX_REMEMBERED)
def _vector(word: str) -> NDArray[np.float32]:
    vector: NDArray[np.float32] = _encoder().encode([word])[0]
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector


@lru_cache(maxsize=MAX_REMEMBERED)
def is_ordinary(word: str) -> bool:
    """Whether a word in lower case is one of the language rather than a made-up or rare name.

    The encoder's tokenizer knows common words whole or in two pieces; names fall into more.
    """
    return len(_encoder().model.tokenizer.encode(word, add_special_tokens=False).ids) <= COMMON


def best_matches(words: Sequence[str], others: Sequence[str]) -> list[float]:
    """For each word how near the nearest of the others is.

    Args:
        words: in lower case.
        others: likewise.

    Returns:
        0..1 for each word, 1 where both have one stem; all 0 without others.
    """
    if not words or not others:
        return [0.0] * len(words)
    stems = {stem(word) for word in others}
    matrix = np.stack([_vector(word) for word in dict.fromkeys(others)])
    return [
        1.0
        if stem(word) in stems
        else round(max(0.0, float((matrix @ _vector(word)).max())), DECIMALS)
        for word in words
    ]


def likeness(words: Sequence[str], others: Sequence[str]) -> float:
    """Mean of ``best_matches``; 0 without words."""
    found = best_matches(words, others)
    return sum(found) / len(found) if found else 0.0
