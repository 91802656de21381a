"""The words of a claim or a cited sentence, and whether two of them contradict each other."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.text.numbers import NUMBER_WORDS, word_set
from finrag.text.statements import DOWN, UP

MAX_REMEMBERED: Final = 8192
# "operations" and "operating" begin alike.
LABEL_CHARS: Final = 6
NEGATED_WORDS: Final = 3

_PLAIN_WORD: Final = r"[0-9](?:[0-9.,]*[0-9])?(?![^\W_])|[^\W_]+(?:'[^\W_]+)*"
_WORD: Final = re.compile(_PLAIN_WORD)
_TOKEN: Final = re.compile(rf"{_PLAIN_WORD}|[.,;:()!?]")
_MARKS: Final = frozenset(".,;:()!?")
_HARD_MARKS: Final = frozenset(".;:!?")
_YEAR: Final = re.compile(r"(?:19|20)[0-9]{2}")
_LABEL_WORD: Final = re.compile(r"[^\W\d_]+(?:['&-][^\W\d_]+)*")
_VOCABULARY: Final = read_vocabulary(__file__)
_STOP: Final = _VOCABULARY.words["stop"]
_UNNAMING: Final = _VOCABULARY.words["unnaming"]
_NEGATORS: Final = word_set("not no never neither nor none cannot without")
DIRECTIONS: Final = {**dict.fromkeys(UP, 1), **dict.fromkeys(DOWN, -1)}
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
_OPPOSITES: Final = tuple(_VOCABULARY.tables["opposites"].items())
# What such words govern is not said to be so.
_MODALS: Final = word_set("may might could would can should if unless whether")
_INTENTS: Final = _VOCABULARY.words["intents"]
_INTENT_REACH: Final = 2
_AUXILIARIES: Final = word_set("do does did")
_NO_STEPS: Final = frozenset([*_MARKS, *_MODALS, *_AUXILIARIES])
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
        steps: for each two words in a row, and for a number, how they are joined: the negations
            between them, and whether a "may", an "if" or the like stands there.
        ways: words beside one of rising or falling, with the side and the direction.
        dated: words beside a year, with the side and the year.
    """

    content: tuple[str, ...]
    stems: frozenset[str]
    plain: frozenset[str]
    negated: tuple[frozenset[str], ...]
    directions: frozenset[str]
    clauses: tuple[tuple[frozenset[str], int], ...]
    digits: frozenset[str]
    steps: Mapping[tuple[str, str], Set[tuple[int, bool]]]
    ways: frozenset[tuple[str, str, int]]
    dated: frozenset[tuple[str, str, int]]


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


@lru_cache(maxsize=MAX_REMEMBERED)
def joined_words(text: str) -> str:
    """All words and numbers of a text in lower case, possessive endings left out.

    A space stands between them and around them, so that one text holds another word by word
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
        self._steps: dict[tuple[str, str], set[tuple[int, bool]]] = {}
        self._ways: set[tuple[str, str, int]] = set()
        self._dated: set[tuple[str, str, int]] = set()
        self._last = self._last_word = ""
        self._n_negations = self._n_modal = self._way = self._year = 0

    def read(self, token: str, following: str) -> None:
        """Take in a token; the next one tells "not only"."""
        if token in _MODALS:
            self._n_modal = 0 if following[:1].isdigit() else 1
        if token in _STOP:
            return
        if is_negator(token):
            self._n_negations += following != "only"
        elif token not in _NO_STEPS:
            self._step(token)
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

    def _step(self, token: str) -> None:
        """Take in how a word or number follows the last one."""
        joined = self._n_negations, self._n_modal > 0
        if token[0].isdigit():
            stem = token
            self._steps.setdefault(("#", stem), set()).add(joined)
            if _YEAR.fullmatch(token):
                self._year = int(token)
                self._dated.add(("before", self._last_word, self._year))
        else:
            stem = stem_of(token)
            if token in DIRECTIONS:
                self._way = DIRECTIONS[token]
                self._ways.add(("before", self._last_word, self._way))
            else:
                self._beside(stem)
        self._steps.setdefault((self._last, stem), set()).add(joined)
        self._last, self._n_negations = stem, 0
        self._n_modal = _INTENT_REACH if token in _INTENTS else max(0, self._n_modal - 1)

    def _beside(self, stem: str) -> None:
        """Take in a word that may stand behind a direction or a year."""
        if self._way:
            self._ways.add(("after", stem, self._way))
        if self._year:
            self._dated.add(("after", stem, self._year))
        self._last_word, self._way, self._year = stem, 0, 0

    def _word(self, token: str) -> None:
        if token in NUMBER_WORDS:
            self._digits.add(str(NUMBER_WORDS[token]))
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
        self._last = ""
        self._n_negations = self._n_modal = self._way = self._year = 0
        if mark in _HARD_MARKS:
            self._last_word = ""
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
            steps=self._steps,
            ways=frozenset(self._ways),
            dated=frozenset(self._dated),
        )


def contradiction(
    claim: Wording,
    cited: Wording,
    has_figures: bool,
    is_direction_shown: bool,
    known_years: Iterable[int] = (),
) -> str | None:
    """Why a claim that uses the words of a sentence says the opposite; None where it does not.

    Args:
        claim: words of the claim.
        cited: words of the cited sentence.
        has_figures: whether the claim holds amounts, whose signs are compared elsewhere.
        is_direction_shown: whether figures, not words, show the direction of the claim.
        known_years: years of the filing, known without being said.
    """
    if (claim.negated or cited.negated) and (word := _negation_flip(claim, cited)):
        return f"'{word}' is negated in one of claim and cited sentence only"
    if why := _step_flip(claim, cited):
        return why
    for one, other in _OPPOSITE_STEMS if has_figures else _ALL_OPPOSITE_STEMS:
        is_ours = one in claim.stems and one not in cited.stems
        if is_ours and other in cited.stems and other not in claim.stems:
            return f"the claim says '{one}' where the cited sentence says '{other}'"
    known = frozenset(known_years)
    for side, word, year in sorted(claim.dated - cited.dated):
        theirs = [one for one in cited.dated if one[:2] == (side, word)]
        if word and theirs and year not in known:
            return f"'{word}' is of {theirs[0][2]} in the cited sentence"
    if claim.directions and not is_direction_shown:
        return _direction_flip(claim, cited)
    return None


def _step_flip(claim: Wording, cited: Wording) -> str | None:
    """Whether two words in a row are negated in one only, or a "may" became a fact."""
    for pair in sorted(claim.steps.keys() & cited.steps.keys()):
        ours, theirs = claim.steps[pair], cited.steps[pair]
        if {n for n, _ in ours}.isdisjoint(n for n, _ in theirs):
            return f"'{pair[1]}' is negated in one of claim and cited sentence only"
        if all(modal for _, modal in theirs) and not any(modal for _, modal in ours):
            return f"the cited sentence says only that '{pair[1]}' may be or is expected"
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
    for side, word, sign in sorted(claim.ways - cited.ways):
        if word and (side, word, -sign) in cited.ways:
            return f"'{word}' goes the other way in the cited sentence"
    for stems, sign in claim.clauses:
        shared = [(len(stems & others), other) for others, other in cited.clauses]
        most = max((n for n, _ in shared), default=0)
        if most and all(other == -sign for n, other in shared if n == most):
            return "rising and falling are swapped against the cited sentence"
    return None
