"""Names of products that a description lists."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.text.phrases import split_items

MAX_NAME_WORDS: Final = 6
MAX_PRODUCTS: Final = 40

_VOCABULARY: Final = read_vocabulary(__file__)
_CUE = _VOCABULARY.pattern("cue", re.IGNORECASE)
_END = _VOCABULARY.pattern("end")
_LEAD = _VOCABULARY.pattern("lead", re.IGNORECASE)
_MARKED = _VOCABULARY.pattern("marked")


def products(texts: Iterable[str]) -> tuple[str, ...]:
    """Names that stand behind "including", "such as" or "consists of", or bear ® or ™.

    Each once, in the order of the text; items of more than ``MAX_NAME_WORDS`` words are clauses,
    not names, and are left out.
    """
    found: dict[str, None] = {}
    for text in texts:
        items = [
            item
            for cue in _CUE.finditer(text)
            for item in split_items(_END.split(text[cue.end() :], maxsplit=1)[0])
        ]
        for item in [*items, *(mark[1] for mark in _MARKED.finditer(text))]:
            name = _LEAD.sub("", _CUE.sub("", item)).strip(' .,;:“”"')
            if name and len(name.split()) <= MAX_NAME_WORDS:
                found.setdefault(name)
    return tuple(found)[:MAX_PRODUCTS]
