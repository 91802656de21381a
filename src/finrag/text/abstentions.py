"""Answers that are nothing but a refusal, and so are abstentions whatever their flag says."""

from __future__ import annotations

import re
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.text.numbers import find_amounts
from finrag.text.refusals import is_refusal
from finrag.text.wording import read_boolean

# A refusal is short; what goes on says something else as well.
MAX_CHARS: Final = 1_200

_SENTENCE_END: Final = re.compile(r"[.!?;](?=\s|$)|\n")
_VOCABULARY: Final = read_vocabulary(__file__)
_APOLOGY: Final = _VOCABULARY.pattern("apology", re.IGNORECASE)
_YET: Final = _VOCABULARY.pattern("yet", re.IGNORECASE)


def is_abstention(text: str | None, numeric_value: float | None = None) -> bool:
    """Whether an answer is nothing but a refusal in words.

    It is one where its first sentence, after an apology if there is one, refuses (see
    ``is_refusal``) and nothing in it may be the answer after all: no figure, no yes or no, no
    "however", and no more than ``MAX_CHARS`` characters. In doubt it is an answer.

    Args:
        text: the answer in words, untrusted; read in time linear in its length.
        numeric_value: the figure stated beside it.

    Returns:
        True for an abstention; False for no text.
    """
    if numeric_value is not None or not text or len(text) > MAX_CHARS:
        return False
    apology = _APOLOGY.match(text)
    said = text[apology.end() :].strip() if apology is not None else text.strip()
    first = next((part for part in _SENTENCE_END.split(said) if part.strip()), "")
    return (
        is_refusal(first)
        and _YET.search(said) is None
        and all(amount.kind != "amount" for amount in find_amounts(said))
        and read_boolean(said) is None
    )
