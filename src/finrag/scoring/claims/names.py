"""Who does what to whom: two names around a verb, in a claim and in a cited sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from finrag.scoring.claims.support import Cited
from finrag.scoring.claims.words import joined_words, label_stems, plain_lower, stem_of
from finrag.text.numbers import word_set

MAX_GAP_WORDS: Final = 5
# Besides the verb, nothing else may stand between the two names.
_HELPERS: Final = word_set(
    "was is were are been being be has have had by to will not did does agreed also then later the"
)
_SELF: Final = (" we ", " us ", " the company ", " our company ")


class NamePair(NamedTuple):
    """Two names around a verb.

    Attributes:
        subject: the one that acts, as ``joined_words`` gives it.
        verb: stem of the verb.
        target: the one that is acted on.
    """

    subject: str
    verb: str
    target: str


def name_pairs(text: str, spans: Sequence[tuple[int, int]]) -> tuple[NamePair, ...]:
    """The names of a claim that stand around a verb; "was bought by" turns them around.

    Args:
        text: the claim.
        spans: places of its names, in text order.
    """
    found = []
    for one, other in pairwise(spans):
        gap = _read_gap(plain_lower(text[one[1] : other[0]]))
        if gap:
            names = joined_words(text[slice(*one)]), joined_words(text[slice(*other)])
            found.append(_pair(*names, *gap))
    return tuple(found)


def _pair(one: str, other: str, verb: str, is_passive: bool) -> NamePair:
    return NamePair(other, verb, one) if is_passive else NamePair(one, verb, other)


def _read_gap(gap: str) -> tuple[str, bool] | None:
    """The verb between two names and whether it is passive; None where more stands there."""
    words = gap.split()
    if not 0 < len(words) <= MAX_GAP_WORDS:
        return None
    verbs = [word for word in words if word not in _HELPERS]
    if len(verbs) != 1 or not verbs[0].isalpha() or not label_stems(verbs[0]):
        return None
    return stem_of(verbs[0]), words[-1] == "by"


def is_turned(pair: NamePair, cited: Cited) -> bool:
    """Whether a cited sentence has the two names only the other way round."""
    said = {
        one
        for first, second in ((pair.target, pair.subject), (pair.subject, pair.target))
        for one in _between(first, second, cited)
    }
    turned = NamePair(pair.target, pair.verb, pair.subject)
    return turned in said and pair not in said


def _between(first: str, second: str, cited: Cited) -> Iterator[NamePair]:
    """What a cited sentence says with two names in that order."""
    joined = cited.reading.joined
    for one in _ways_to_say(first, cited):
        at = joined.find(one)
        while at >= 0:
            after = at + len(one) - 1
            for other in _ways_to_say(second, cited):
                end = joined.find(other, after)
                gap = _read_gap(joined[after:end]) if 0 <= end - after < 80 else None
                if gap:
                    yield _pair(first, second, *gap)
            at = joined.find(one, after)


def _ways_to_say(name: str, cited: Cited) -> tuple[str, ...]:
    is_own = any(name in full or full in name for full in cited.names)
    return (name, *_SELF) if is_own else (name,)
