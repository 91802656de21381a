"""Words of questions and sentences: stems, the furniture of questions, and how rare a word is."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from finrag.text.numbers import word_set

# Longer sentences are tables or lists that lost their marks; what stands behind is not read.
MAX_READ_CHARACTERS: Final = 4000
MAX_QUOTE_CHARACTERS: Final = 600
# A word in every sentence of a context still weighs a little: it must be carried too.
LEAST_WEIGHT: Final = 0.1

_WORD: Final = re.compile(r"[a-z]+(?:&[a-z]+)?|\d+")
_FUNCTION_WORDS: Final = word_set(
    "a about above across after again all also although among an and any are as at be because "
    "been before being between both but by can could did do does done down during each either "
    "else ever every for from further had has have having he her here his how however i if in "
    "into is it its just like made main major make many may me might more most much must my no "
    "nor not of off on once one only or other our out over own per please s same she should so "
    "some such than that the their them then there these they this those through to too under "
    "until up upon us very was we were what when where whether which while who whom whose why "
    "will with within without would you your give given gave t d ll m re ve"
)
# What a question says about itself, its period and its source rather than about its topic.
_FURNITURE: Final = word_set(
    "carried carries carry circumstance circumstances close closed closes closing earn earned "
    "earns generate generated generates held hold holds incur incurred incurs number numbers own "
    "owned owns receive received receives record recorded records "
    "two three four five six seven eight nine ten "
    "according account accounting ago annual answer asked attribute attributed attributes "
    "blame blamed cause caused causes change changed changes climb climbed come company "
    "compare compared compares comparing comparison corporation decline declined declines "
    "decrease decreased decreases define defined defines definition describe described "
    "describes description detail difference dip dipped disclose disclosed discloses "
    "disclosing disclosure discussion document dollar dollars down driver drivers drop "
    "dropped drove each earlier ended explain explained explains explanation explicitly "
    "factor factors fall fallen fell figure filed filing filings find fiscal fy gain gained "
    "grew grow growth happen happened higher highlight highlighted highlights identified "
    "identifies identify improve improved inc increase increased increases indicate indicated "
    "item jump jumped k know led level list listed lists lower management md&a mda mean means "
    "mention mentioned mentions mind month months move moved movement name named names narrow "
    "narrowed note noted number period periods place point pointed points previous prior put "
    "quarter raise reason reasons report reported reports responsible result results rise "
    "risen rose said say says section set show showed shown shows shrank shrink shrunk slid "
    "slide slip slipped slow slowed soar soared stand state stated statement statements "
    "states stood swing swung tell term time times told total totaled understand versus way "
    "widen widened word words worsen worsened year years yes"
)
_PARTS_OF_YEAR: Final = tuple(
    (part, re.compile(pattern))
    for part, pattern in (
        ("q1", r"\b(?:first|1st) (?:fiscal )?quarter|\bq1|\b1q"),
        ("q2", r"\b(?:second|2nd) (?:fiscal )?quarter|\bq2|\b2q"),
        ("q3", r"\b(?:third|3rd) (?:fiscal )?quarter|\bq3|\b3q"),
        ("q4", r"\b(?:fourth|4th|final|last) (?:fiscal )?quarter|\bq4|\b4q"),
        ("h1", r"\bfirst (?:half|six months)\b"),
        ("h2", r"\b(?:second half|last six months)\b"),
        ("m3", r"\b(?:three|3)[ -]months?\b"),
        ("m6", r"\b(?:six|6)[ -]months?\b"),
        ("m9", r"\b(?:nine|9)[ -]months?\b"),
    )
)
# A sentence that introduces what follows, or sends the reader elsewhere.
_POINTS: Final = re.compile(
    r"\bconsider\b.{0,60}\b(?:risks?|factors|uncertainties)\b|"
    r"^\W*(?:any of )?(?:the|these|those) (?:\w+ ){0,4}(?:described|discussed|listed|set forth|"
    r"outlined) (?:below|above|elsewhere|herein)\b|"
    r"\bare not the only\b|:\s*$|\bincorporated (?:herein |here )?by reference\b|"
    r"^\W*(?:see|refer to|please (?:see|refer|read))\b|^\W*for (?:(?:an?|the|more|further|"
    r"additional|other) ){0,3}(?:discussion|information|details?|description|summary)\b|"
    r"^\W*(?:the|this|our) following (?:\w+ ){0,4}(?:sets? forth|shows?|presents?|summarizes?|"
    r"describes?|lists?|provides?|discussion|should be read)\b|"
    r"\b(?:should be read|read (?:carefully )?) (?:in conjunction|together) with\b"
)
_MONTHS: Final = word_set(
    "january february march april may june july august september october november december"
)
_STOP: Final = _FUNCTION_WORDS | _FURNITURE | _MONTHS


def readable(text: str) -> str:
    """The text as it can be encoded: lone surrogates become question marks, at its length."""
    return text.encode("utf-8", "replace").decode()


def plain(text: str) -> str:
    """Lower case with plain apostrophes and quotation marks, for patterns."""
    return text.lower().replace("’", "'").replace("“", '"').replace("”", '"')


def parts_of_year(lower: str) -> frozenset[str]:
    """Which quarters, halves or spans of months a text in lower case names: "q4", "h1", "m9"."""
    return frozenset(part for part, pattern in _PARTS_OF_YEAR if pattern.search(lower))


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
