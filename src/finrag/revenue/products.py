"""Names of products that a description lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.text.phrases import split_items

MAX_NAME_WORDS: Final = 6
MAX_PRODUCTS: Final = 20

_VOCABULARY: Final = read_vocabulary(__file__)
_GENERIC: Final = _VOCABULARY.words["generic"]
_CLAUSE: Final = _VOCABULARY.words["clause"]
_CUE = _VOCABULARY.pattern("cue", re.IGNORECASE)
_END = _VOCABULARY.pattern("end")
_HEAD = _VOCABULARY.pattern("head", re.IGNORECASE)
_LEAD = _VOCABULARY.pattern("lead", re.IGNORECASE)
_EDGE = _VOCABULARY.pattern("edge", re.IGNORECASE)
_TURN = _VOCABULARY.pattern("turn", re.IGNORECASE)
_NOT_OFFERED = _VOCABULARY.pattern("not_offered", re.IGNORECASE)
_ADJECTIVE = _VOCABULARY.pattern("adjective")
_MARKED = _VOCABULARY.pattern("marked")
_WORD = _VOCABULARY.pattern("word")
_SIGNS = str.maketrans("", "", "®™℠")
_PAIRS: Final = (("(", ")"), ("“", "”"), ("[", "]"))


def products(texts: Iterable[str]) -> tuple[str, ...]:
    """Names that stand behind "including", "such as" or "consists of", or bear ® or ™.

    Each once, in the order of the text, without the sign, ``MAX_PRODUCTS`` at most. An item that
    is no plain name is left out: a clause, a lone adjective, a word for anything, half a bracket.
    """
    found: dict[str, str] = {}
    for text in texts:
        for name in (*_listed(text), *(mark[1] for mark in _MARKED.finditer(text))):
            found.setdefault(name.casefold(), name)
    return tuple(found.values())[:MAX_PRODUCTS]


def _listed(text: str) -> Iterator[str]:
    """The names in a text's lists."""
    cues = list(_CUE.finditer(text))
    for cue, later in zip_longest(cues, cues[1:]):
        if _NOT_OFFERED.search(text[: cue.start()]):
            return
        rest = text[cue.end() : later.start() if later else None]
        region = _to_bracket(_END.split(rest, maxsplit=1)[0])
        items = split_items(region.rstrip(" ,(:"))
        items[0] = _HEAD.sub("", items[0]) if len(items) > 1 else items[0]
        if len(items) > 1 and _TURN.search(items[0]):
            continue
        # What "such as" stands behind is a kind of what is listed there.
        is_led_in = later is not None and region == rest
        names = (_name(item) for item in (items[:-1] if is_led_in else items))
        yield from (name for name in names if name)


def _to_bracket(text: str) -> str:
    """A text up to the end of a bracket that began before it."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return text[:at]
    return text


def _name(item: str) -> str:
    """An item without its article; empty where it is no plain name."""
    name = item.translate(_SIGNS).strip(" .,;:")
    while (led := _LEAD.sub("", name, count=1)) != name:
        name = led
    words = _WORD.findall(name.lower())
    is_whole = all(name.count(left) == name.count(right) for left, right in _PAIRS)
    is_name = is_whole and words and len(name.split()) <= MAX_NAME_WORDS
    if not is_name or _EDGE.search(name) or _ADJECTIVE.search(name):
        return ""
    return "" if _GENERIC.issuperset(words) or not _CLAUSE.isdisjoint(words) else name
