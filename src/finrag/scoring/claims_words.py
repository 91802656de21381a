"""The words of a claim or a cited sentence, and whether two of them contradict each other."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from finrag.numbers import word_set

MAX_REMEMBERED: Final = 8192
NEGATED_WORDS: Final = 3

_PLAIN_WORD: Final = r"[0-9](?:[0-9.,]*[0-9])?(?![^\W_])|[^\W_]+(?:'[^\W_]+)*"
_WORD: Final = re.compile(_PLAIN_WORD)
_TOKEN: Final = re.compile(rf"{_PLAIN_WORD}|[.,;:()!?]")
_MARKS: Final = frozenset(".,;:()!?")
_STOP: Final = word_set(
    "a an and are as at be been being by for from had has have he her his i in into is it its of "
    "on or our ours she so such than that the their them there these they this those to us was we "
    "were which while who whose will with would you your also both each s approximately about "
    "respectively versus compared compare comparison year years ended end ending fiscal fy yes "
    "million millions billion billions thousand thousands trillion percent percentage point "
    "points basis usd dollar dollars total totaled totalled amounted came amount reported report "
    "recorded company companies during over"
)
_NEGATORS: Final = word_set("not no never neither nor none cannot without")
_UP: Final = word_set(
    "increase increases increased increasing rise rises rose risen rising grow grows grew grown "
    "growing growth higher up upward gained improve improves improved improving improvement "
    "expand expands expanded expanding expansion climb climbed jump jumped surge surged widened"
)
_DOWN: Final = word_set(
    "decrease decreases decreased decreasing decline declines declined declining fall falls fell "
    "fallen falling lower down downward drop drops dropped reduce reduces reduced reducing "
    "reduction shrink shrank shrunk worsen worsened deteriorate deteriorated contracted "
    "contraction slipped dip dipped narrowed"
)
DIRECTIONS: Final = {**dict.fromkeys(_UP, 1), **dict.fromkeys(_DOWN, -1)}
# Where a figure stands, its sign tells: "net income: -$5 million" is a net loss.
_SIGNS: Final = (
    ("gain", "loss"),
    ("profit", "loss"),
    ("income", "loss"),
    ("earnings", "loss"),
    ("income", "expense"),
    ("provided", "used"),
    ("generated", "used"),
    ("inflow", "outflow"),
)
_OPPOSITES: Final = (
    ("favorable", "unfavorable"),
    ("above", "below"),
    ("more", "less"),
    ("stronger", "weaker"),
    ("strong", "weak"),
    ("before", "after"),
    ("acquired", "sold"),
    ("asset", "liability"),
    ("able", "unable"),
    ("likely", "unlikely"),
    ("domestic", "foreign"),
    ("maximum", "minimum"),
    ("success", "failure"),
)
_NUMBER_WORDS: Final = {
    word: str(number)
    for number, word in enumerate(
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ],
        start=1,
    )
}
_ENDINGS: Final = ("ing", "ed", "es", "s", "e")


@dataclass(frozen=True)
class Wording:
    """The words of a text.

    Attributes:
        content: stems of the words that carry meaning, in text order, repeats included.
        stems: the same as a set, with those of small numbers in words.
        plain: stems that occur outside a negation.
        negated: for each negation the stems that it governs.
        directions: words of rising and falling, +1 and -1.
        clauses: for each clause with words of one direction, its stems and that direction.
        digits: numbers as printed, and "one" to "twelve" as digits.
    """

    content: tuple[str, ...]
    stems: frozenset[str]
    plain: frozenset[str]
    negated: tuple[frozenset[str], ...]
    directions: frozenset[str]
    clauses: tuple[tuple[frozenset[str], int], ...]
    digits: frozenset[str]


def plain_lower(text: str) -> str:
    """The text in lower case with plain apostrophes, composed characters and one kind of each."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("’", "'")
    return text.lower()


def is_negator(word: str) -> bool:
    """Whether a word in lower case negates what follows."""
    return word in _NEGATORS or word.endswith("n't")


@lru_cache(maxsize=65_536)
def stem_of(word: str) -> str:
    """The word without possessive and inflection, crude but the same for claim and evidence."""
    word = word.removesuffix("'s").removesuffix("'")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    for ending in _ENDINGS:
        if len(word) - len(ending) > 2 and word.endswith(ending) and not word.endswith("ss"):
            return word[: -len(ending)]
    return word


def _stems(pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    both = (*pairs, *((other, one) for one, other in pairs))
    return tuple((stem_of(one), stem_of(other)) for one, other in both)


_OPPOSITE_STEMS: Final = _stems(_OPPOSITES)
_ALL_OPPOSITE_STEMS: Final = _stems((*_SIGNS, *_OPPOSITES))


def joined_words(text: str) -> str:
    """All words and numbers of a text in lower case, possessive endings left out.

    A space stands between them and around them, so that one text holds another word by word
    where its joined words hold those of the other.
    """
    words = f" {' '.join(_WORD.findall(plain_lower(text)))} "
    return words.replace("'s ", " ") if "'s " in words else words


@lru_cache(maxsize=MAX_REMEMBERED)
def wording(text: str) -> Wording:
    """Read the words of a text."""
    reader = _Reader()
    tokens = _TOKEN.findall(plain_lower(text))
    for at, token in enumerate(tokens):
        reader.read(token, tokens[at + 1] if at + 1 < len(tokens) else "")
    return reader.wording()


class _Reader:
    """Collects the words of a text, token by token."""

    def __init__(self) -> None:
        self._content: list[str] = []
        self._digits: set[str] = set()
        self._plain: set[str] = set()
        self._negated: list[set[str]] = []
        self._n_governed = 0
        self._directions: set[str] = set()
        self._clauses: list[tuple[frozenset[str], int]] = []
        self._clause: set[str] = set()
        self._signs: set[int] = set()

    def read(self, token: str, following: str) -> None:
        """Take in a token; the next one tells "not only"."""
        if token in _STOP:
            return
        if token in _MARKS:
            self._end_clause(token)
        elif token[0].isdigit() and token[-1].isdigit():
            self._digits.add(token)
        elif is_negator(token):
            if following != "only":
                self._negated.append(set())
                self._n_governed = NEGATED_WORDS
        elif token in DIRECTIONS:
            self._directions.add(token)
            self._signs.add(DIRECTIONS[token])
            if self._n_governed:
                self._negated[-1].add(token)
        else:
            self._word(token)

    def _word(self, token: str) -> None:
        if token in _NUMBER_WORDS:
            self._digits.add(_NUMBER_WORDS[token])
        stem = stem_of(token)
        self._content.append(stem)
        self._clause.add(stem)
        if self._n_governed:
            self._negated[-1].add(stem)
            self._n_governed -= 1
        else:
            self._plain.add(stem)

    def _end_clause(self, mark: str) -> None:
        self._n_governed = 0
        if len(self._signs) == 1:
            self._clauses.append((frozenset(self._clause), sum(self._signs)))
        if mark != "," or self._signs:
            self._clause, self._signs = set(), set()

    def wording(self) -> Wording:
        """What was read."""
        self._end_clause(".")
        return Wording(
            content=tuple(self._content),
            stems=frozenset(self._content),
            plain=frozenset(self._plain),
            negated=tuple(frozenset(one) for one in self._negated if one),
            directions=frozenset(self._directions),
            clauses=tuple(self._clauses),
            digits=frozenset(self._digits),
        )


def contradiction(
    claim: Wording, cited: Wording, has_figures: bool, is_direction_shown: bool
) -> str | None:
    """Why a claim that uses the words of a sentence says the opposite; None where it does not.

    Args:
        claim: words of the claim.
        cited: words of the cited sentence.
        has_figures: whether the claim holds amounts, whose signs are compared elsewhere.
        is_direction_shown: whether figures, not words, show the direction of the claim.
    """
    if (claim.negated or cited.negated) and (word := _negation_flip(claim, cited)):
        return f"'{word}' is negated in one of claim and cited sentence only"
    for one, other in _OPPOSITE_STEMS if has_figures else _ALL_OPPOSITE_STEMS:
        is_ours = one in claim.stems and one not in cited.stems
        if is_ours and other in cited.stems and other not in claim.stems:
            return f"the claim says '{one}' where the cited sentence says '{other}'"
    if claim.directions and not is_direction_shown:
        return _direction_flip(claim, cited)
    return None


def _negation_flip(claim: Wording, cited: Wording) -> str | None:
    ours = frozenset().union(*claim.negated)
    theirs = frozenset().union(*cited.negated)
    if ours & theirs:
        return None
    flipped = [word for word in sorted(ours) if word in cited.plain]
    if flipped:
        return flipped[0]
    for governed in cited.negated:
        said = [
            word for word in sorted(governed) if word in claim.plain and word not in cited.plain
        ]
        if said and 2 * len(said) >= len(governed):
            return said[0]
    return None


def _direction_flip(claim: Wording, cited: Wording) -> str | None:
    """Whether rising and falling are swapped, by the words themselves or clause by clause."""
    ours = {word: DIRECTIONS[word] for word in claim.directions - cited.directions}
    theirs = {DIRECTIONS[word] for word in cited.directions - claim.directions}
    for word, sign in sorted(ours.items()):
        if -sign in theirs and sign not in theirs:
            return f"the claim says '{word}' where the cited sentence says the opposite"
    for stems, sign in claim.clauses:
        shared = [(len(stems & others), other) for others, other in cited.clauses]
        most = max((n for n, _ in shared), default=0)
        if most and all(other == -sign for n, other in shared if n == most):
            return "rising and falling are swapped against the cited sentence"
    return None
