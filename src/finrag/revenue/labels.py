"""Names of revenue lines: how a filing may call a line when it says what the line is.

A label is folded to plain words; a folded name may then lose words that do not tell lines apart
("revenue", "segment"). Each loss has a cost, so that the nearest of several lines is found. Labels
are data: they are compared as text and never become part of a pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final
from unicodedata import normalize

from finrag.records.vocabulary import read_vocabulary

MAX_COST: Final = 6
"""A label and a name that lost more than this together are not equal."""

MAX_LOSS: Final = 4
"""Most that either of them may lose."""

MAX_NAME_WORDS: Final = 14
MAX_ALIAS_WORDS: Final = 6

_VOCABULARY: Final = read_vocabulary(__file__)
_MARK = _VOCABULARY.pattern("mark")
_ALIAS = _VOCABULARY.pattern("alias")
_ACCENTED = re.compile("[\u00c0-\u024f]")
_COMBINING = re.compile("[\u0300-\u036f]+")
_AND = _VOCABULARY.pattern("and")
_PARENTHESES = _VOCABULARY.pattern("parentheses")
_SEPARATORS = _VOCABULARY.pattern("separators")
_BARE: Final = _VOCABULARY.words["bare"]
_SINGULAR: Final = _VOCABULARY.words["singular"]
_LOSSES: Final = tuple(
    (int(cost), re.compile(pattern))
    for table, shape in (("front", "^(?:{})"), ("back", "(?:{})$"))
    for cost, text in _VOCABULARY.tables[table].items()
    for pattern in (shape.format(text),)
)


def plain(text: str) -> str:
    """A text in lower case, without accents."""
    if _ACCENTED.search(text):
        text = _COMBINING.sub("", normalize("NFKD", text))
    return text.replace("’", "'").lower()


@lru_cache(maxsize=65_536)
def fold(name: str) -> str:
    """A name as plain words: lower case, singular, "and" for "&", without marks and brackets.

    A name that stands twice in a row, as a heading glued to its text, is taken once.
    """
    text = _AND.sub(" and ", plain(_PARENTHESES.sub("", _MARK.sub("", name))))
    words = [_singular(word) for word in _SEPARATORS.sub(" ", text).split()]
    for half in range(len(words) // 2, 0, -1):
        if words[:half] == words[half : 2 * half]:
            words = words[half:]
            break
    return " ".join(words)


def is_bare(folded: str) -> bool:
    """Whether a folded name is made of words that fit many lines ("other", "service")."""
    return all(word in _BARE for word in folded.split())


@lru_cache(maxsize=65_536)
def forms(name: str) -> Mapping[str, int]:
    """Folded names that a name comes down to, each with the least cost of getting there."""
    found: dict[str, int] = {}
    waiting = [(fold(name), 0)]
    while waiting:
        form, cost = waiting.pop()
        if not form or cost >= found.get(form, MAX_LOSS + 1) or len(form.split()) > MAX_NAME_WORDS:
            continue
        found[form] = cost
        waiting += [
            (shorter, cost + loss)
            for loss, pattern in _LOSSES
            if (shorter := pattern.sub("", form, count=1).strip()) != form
        ]
    return found


def aliases(texts: Iterable[str]) -> dict[str, set[str]]:
    """Folded names that the filing itself makes equal: "Long Name (“LN”)", both ways."""
    equal: dict[str, set[str]] = {}
    for text in texts:
        if "(" not in text:
            continue
        for long, short in _ALIAS.findall(text):
            name = fold(_spelled(long, short))
            if name and (other := fold(short)) and name != other:
                equal.setdefault(name, set()).add(other)
                equal.setdefault(other, set()).add(name)
    return equal


def _spelled(long: str, short: str) -> str:
    """The last words of a long name that a short one abbreviates; nothing where it does not."""
    letters = [letter.lower() for letter in short if letter.isupper()]
    words = long.replace(",", " ").split()
    if len(letters) < 2:
        return long if len(words) <= MAX_ALIAS_WORDS and short in long else ""
    for start in range(len(words) - 1, -1, -1):
        initials = [word[0].lower() for word in words[start:] if word[0].isupper()]
        if initials == letters and words[start][0].isupper():
            return " ".join(words[start:])
    return ""


def _singular(word: str) -> str:
    if len(word) < 4 or word.endswith(("ss", "us")) or not word.endswith("s") or word in _SINGULAR:
        return word
    if word.endswith("'s"):
        return word[:-2]
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1]
