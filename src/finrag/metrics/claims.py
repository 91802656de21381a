"""What the claims of an answer come to, once they are traced to what it cites.

What is inferred follows from what is cited, and counts as supported. Sentences, numbers and quotes
are counted apart; names are counted nowhere but where all claims must be supported.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from finrag.scoring.claims.support import INFERRED, SUPPORTED, UNSUPPORTED

_BORNE_OUT: Final = (SUPPORTED, INFERRED)
_SPACE: Final = re.compile(r"\s+", re.ASCII)


@dataclass(frozen=True)
class ClaimCounts:
    """The claims of one answer, counted.

    Attributes:
        n_sentences_told: sentences that are supported and long enough to tell something.
        is_supported: whether every claim is supported, names included.
        unsupported_numbers: the numbers that no citation holds, in their order.
        unsupported_names: the names that no citation holds, in lower case.
    """

    n_sentences: int
    n_sentences_supported: int
    n_sentences_unsupported: int
    n_sentences_copied: int
    n_sentences_told: int
    n_numbers: int
    unsupported_numbers: tuple[str, ...]
    n_quotes: int
    n_quotes_unsupported: int
    is_supported: bool
    unsupported_names: frozenset[str]

    def measure(self, metric: str) -> float | None:
        """The value of a metric of claims; None where there is nothing to count."""
        n_unsupported = len(self.unsupported_numbers)
        if metric == "unsupported_numbers":
            return float(n_unsupported)
        shares = {
            "claims_supported": (self.n_sentences_supported, self.n_sentences),
            "claims_unsupported": (self.n_sentences_unsupported, self.n_sentences),
            "claims_copied": (self.n_sentences_copied, self.n_sentences),
            "numbers_supported": (self.n_numbers - n_unsupported, self.n_numbers),
            "quotes_verified": (self.n_quotes - self.n_quotes_unsupported, self.n_quotes),
        }
        part, whole = shares.get(metric, (0, 0))
        return part / whole if whole else None


def count_claims(claims: Sequence[Mapping[str, Any]], min_words: int) -> ClaimCounts:
    """Count the claims of an answer.

    Args:
        claims: rows under ``CLAIM_SCHEMA`` of one answer, in their order.
        min_words: of a sentence that tells something.
    """
    sentences = [claim for claim in claims if claim["claim_kind"] == "sentence"]
    supported = [claim for claim in sentences if claim["support"] in _BORNE_OUT]
    numbers = [claim for claim in claims if claim["claim_kind"] == "number"]
    quotes = [claim for claim in claims if claim["claim_kind"] == "quote"]
    return ClaimCounts(
        n_sentences=len(sentences),
        n_sentences_supported=len(supported),
        n_sentences_unsupported=_count_unsupported(sentences),
        n_sentences_copied=sum(bool(claim["is_verbatim"]) for claim in sentences),
        n_sentences_told=sum(_n_words(claim["claim_text"]) >= min_words for claim in supported),
        n_numbers=len(numbers),
        unsupported_numbers=tuple(
            claim["claim_text"] for claim in numbers if claim["support"] == UNSUPPORTED
        ),
        n_quotes=len(quotes),
        n_quotes_unsupported=_count_unsupported(quotes),
        is_supported=all(claim["support"] in _BORNE_OUT for claim in claims),
        unsupported_names=frozenset(
            claim["claim_text"].lower()
            for claim in claims
            if claim["claim_kind"] == "entity" and claim["support"] == UNSUPPORTED
        ),
    )


def _count_unsupported(claims: Sequence[Mapping[str, Any]]) -> int:
    return sum(claim["support"] == UNSUPPORTED for claim in claims)


def _n_words(text: str) -> int:
    return len(_SPACE.split(text.strip(" ")))
