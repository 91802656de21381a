"""Words of questions and sentences: stems, the furniture of questions, and how rare a word is."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.text.numbers import MONTH_NUMBERS

# Longer sentences are tables or lists that lost their marks; what stands behind is not read.
MAX_READ_CHARACTERS: Final = 4000
MAX_QUOTE_CHARACTERS: Final = 600
# A word in every sentence of a context still weighs a little: it must be carried too.
LEAST_WEIGHT: Final = 0.1

_WORD: Final = re.compile(r"[a-z]+(?:&[a-z]+)?|\d+")
_PLAIN_WORD: Final = re.compile(r"[^\W_]+")
_VOCABULARY: Final = read_vocabulary(__file__)
_FUNCTION_WORDS: Final = _VOCABULARY.words["function_words"]
_FURNITURE: Final = _VOCABULARY.words["furniture"]
_PARTS_OF_YEAR: Final = {
    part: re.compile(pattern) for part, pattern in _VOCABULARY.tables["parts_of_year"].items()
}
_POINTS: Final = _VOCABULARY.pattern("points")
_STOP: Final = _FUNCTION_WORDS | _FURNITURE | frozenset(MONTH_NUMBERS)


def readable(text: str) -> str:
    """The text as it can be encoded: lone surrogates become question marks, at its length."""
    return text.encode("utf-8", "replace").decode()


def plain(text: str) -> str:
    """Lower case with plain apostrophes and quotation marks, for patterns."""
    return text.lower().replace("’", "'").replace("“", '"').replace("”", '"')


def padded_words(text: str) -> str:
    """A text as its words: lower case, one space between, nothing but letters and digits.

    A space stands at both ends, so that a whole phrase can be looked for, as in the macro
    ``plain_words``.
    """
    return f" {' '.join(_PLAIN_WORD.findall(text.lower()))} "


def parts_of_year(lower: str) -> frozenset[str]:
    """Which quarters, halves or spans of months a text in lower case names: "q4", "h1", "m9"."""
    return frozenset(part for part, pattern in _PARTS_OF_YEAR.items() if pattern.search(lower))


def is_pointer(lower: str) -> bool:
    """Whether a sentence in lower case only introduces what follows, or points elsewhere."""
    return _POINTS.search(lower) is not None


def stem(word: str) -> str:
    """A word without its plural, past or progressive ending: crude, alike on both sides."""
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 3 and word.endswith("s") and word[-2] not in "sui":
        word = word[:-1]
    if len(word) > 6 and word.endswith("ing"):
        word = word[:-3]
    elif len(word) > 5 and word.endswith("ed"):
        word = word[:-2]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def stems(text: str) -> frozenset[str]:
    """Stems of all words of a text."""
    return frozenset(stem(word) for word in _WORD.findall(plain(text)))


def topic_words(text: str) -> tuple[str, ...]:
    """Words that say what a question, or a part of it, is about, in order, without repeats."""
    words = _WORD.findall(plain(text))
    return tuple(dict.fromkeys(w for w in words if w not in _STOP and not w.isdigit()))


def is_function_word(word: str) -> bool:
    """Whether a word only holds a sentence together: how, what, did, the."""
    return plain(word) in _FUNCTION_WORDS


def weights(words: Iterable[str], texts: Collection[frozenset[str]]) -> dict[str, float]:
    """How much each stem weighs within a context: ln((n + 1) / (n_with + 0.5)), at least 0.1.

    Args:
        words: stems.
        texts: the stems of each sentence of the context.
    """
    total = len(texts) + 1
    counts = {word: sum(word in text for text in texts) for word in words}
    return {
        word: max(LEAST_WEIGHT, math.log(total / (count + 0.5)))
        for word, count in sorted(counts.items())
    }


def coverage(weight: Mapping[str, float], found: Collection[str]) -> float:
    """Share of the weight that a sentence carries; 1 where there is nothing to carry."""
    total = sum(weight.values())
    return sum(value for word, value in weight.items() if word in found) / total if total else 1.0


def clipped(text: str, limit: int = MAX_QUOTE_CHARACTERS) -> str:
    """The text without white space at its edges, cut behind a word where it is too long."""
    text = text.strip()
    if len(text) <= limit:
        return text
    cut = text.rfind(" ", 0, limit)
    return text[: cut if cut > 0 else limit].rstrip()
