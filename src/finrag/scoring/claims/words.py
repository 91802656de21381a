"""The words of a claim or a cited sentence, as they are compared."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.text.numbers import MONTH_NUMBERS, NUMBER_WORDS
from finrag.text.statements import DOWN, UP, is_negator
from finrag.text.words import stem

MAX_REMEMBERED: Final = 8192
# "operations" and "operating" begin alike.
LABEL_CHARS: Final = 6

_PLAIN_WORD: Final = r"[0-9](?:[0-9.,]*[0-9])?(?:bn|mn|mm|[bmk])?(?![^\W_])|[^\W_]+(?:'[^\W_]+)*"
# What stands with a figure as one word: its scale behind it, "FY" before a year.
_FISCAL_YEAR: Final = re.compile(r"fy(?:(?:20)?([0-9]{2}))")
_SCALE: Final = re.compile(r"(?<=[0-9])(?:bn|mn|mm|[bmk])$")
_WORD: Final = re.compile(_PLAIN_WORD)
_LABEL_WORD: Final = re.compile(r"[^\W\d_]+(?:['&-][^\W\d_]+)*")
_VOCABULARY: Final = read_vocabulary(__file__)
_STOP: Final = _VOCABULARY.words["stop"]
_UNNAMING: Final = _VOCABULARY.words["unnaming"] | frozenset(MONTH_NUMBERS)
DIRECTIONS: Final = {**dict.fromkeys(UP, 1), **dict.fromkeys(DOWN, -1)}


@dataclass(frozen=True)
class Wording:
    """The words of a text.

    Attributes:
        content: stems of the words that carry meaning, in text order, repeats included.
        stems: the same as a set, with those of small numbers in words.
        directions: words of rising and falling.
        digits: numbers as printed, and "one" to "twelve" as digits.
    """

    content: tuple[str, ...]
    stems: frozenset[str]
    directions: frozenset[str]
    digits: frozenset[str]


def plain_lower(text: str) -> str:
    """The text in lower case with plain apostrophes, composed characters and one kind of each."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("’", "'")
    return text.lower()


def stem_of(word: str) -> str:
    """The stem of a word without its possessive ending."""
    return stem(word.removesuffix("'s").removesuffix("'"))


@lru_cache(maxsize=MAX_REMEMBERED)
def joined_words(text: str) -> str:
    """All words and numbers of a text in lower case, possessive endings left out.

    A space stands between them and around them, so that one text holds another word for word
    where its joined words hold those of the other.
    """
    words = f" {' '.join(_WORD.findall(plain_lower(text)))} "
    return words.replace("'s ", " ") if "'s " in words else words


def label_stems(lower: str) -> frozenset[str]:
    """Stems of the words of a text in lower case that may name what a figure is of."""
    return frozenset(
        stem_of(word)[:LABEL_CHARS]
        for word in _LABEL_WORD.findall(lower)
        if word not in _STOP and word not in DIRECTIONS and word not in _UNNAMING
    )


def is_fiscal_year(word: str) -> bool:
    """Whether a word in lower case is a year as "fy21" or "fy2021"."""
    return _FISCAL_YEAR.fullmatch(word) is not None


def _figure_alone(word: str) -> str:
    if year := _FISCAL_YEAR.fullmatch(word):
        return f"20{year[1]}"
    return _SCALE.sub("", word)


@lru_cache(maxsize=MAX_REMEMBERED)
def wording(text: str) -> Wording:
    """Read the words of a text."""
    found = map(_figure_alone, _WORD.findall(plain_lower(text)))
    words = [word for word in found if word not in _STOP]
    directions = frozenset(word for word in words if word in DIRECTIONS)
    digits = {word for word in words if word[0].isdigit() and word[-1].isdigit()}
    said = [word for word in words if word not in digits | directions and not is_negator(word)]
    content = tuple(map(stem_of, said))
    counted = {str(NUMBER_WORDS[word]) for word in said if word in NUMBER_WORDS}
    return Wording(content, frozenset(content), directions, frozenset(digits | counted))
