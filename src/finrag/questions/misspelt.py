"""Which companies a question names by a misspelt name.

Two letters swapped, one left out or one doubled are slips of the hand: hardly any two companies
differ by no more. Any other letter may be another company ("Anterix" and "Anteris"), so there more
must agree: another word of the name beside it, or both ends of a long word. A name is read where
one company alone is near. A word that any company's name has, an everyday one, one in quotation
marks and one that is part of a longer name are never read as another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from finrag.questions.names import (
    EVERYDAY_WORDS,
    MIN_NEAR_LETTERS,
    Mention,
    NameBook,
    case_of,
    mention_at,
)
from finrag.questions.texts import Word
from finrag.text.company_names import GENERIC_WORDS, LEGAL_FORMS, SMALL_WORDS
from finrag.text.numbers import word_set

# Letters from which on a word alone may have one letter that is another, and two such edits.
ONE_EDIT_LETTERS: Final = 8
TWO_EDITS_LETTERS: Final = 9
# Words of a name before the misspelt one, and behind it.
NEAR_WORDS: Final = 5
_ORDINARY: Final = EVERYDAY_WORDS | GENERIC_WORDS | SMALL_WORDS | LEGAL_FORMS
_AUXILIARIES: Final = word_set("did do does had has")
_DETERMINERS: Final = word_set("a an any each every its no our that the their these this those")
_QUOTED: Final = re.compile(r'"[^"]*"')
_REPEATED: Final = re.compile(r"(.)\1+")


def find_misspelt(
    text: str, words: Sequence[Word], book: NameBook, found: Sequence[Mention]
) -> list[Mention]:
    """Companies named by a misspelt name, in text order, none inside a name already read.

    Args:
        text: a plain text.
        words: its words.
        book: the names of the corpus.
        found: the companies that it names rightly, from ``find_companies``.
    """
    case = case_of(text, words)
    is_taken = bytearray(len(text))
    spans = [(mention.start, mention.end) for mention in found]
    for start, end in [*spans, *(quoted.span() for quoted in _QUOTED.finditer(text))]:
        is_taken[start:end] = b"\1" * (end - start)
    mentions: list[Mention] = []
    for place, word in enumerate(words):
        if is_taken[word.start] or not _may_be_misspelt(word, book, case):
            continue
        near = [
            mention
            for mention in _mentions(text, words, place, book, case)
            if not any(is_taken[mention.start : mention.end])
        ]
        if len({mention.cik_int for mention in near}) == 1:
            best = max(near, key=lambda mention: mention.end - mention.start)
            mentions.append(best)
            is_taken[best.start : best.end] = b"\1" * (best.end - best.start)
    return mentions


def edits(typed: str, known: str, most: int) -> int | None:
    """Letters changed, added, left out or swapped with the next, from one word to another.

    The optimal string alignment distance (Damerau 1964), counted only up to a small number.

    Args:
        typed: a word.
        known: the other one.
        most: the number.

    Returns:
        The distance; None where it is more than ``most``.
    """
    same = next((n for n, (a, b) in enumerate(zip(typed, known, strict=False)) if a != b), None)
    if same is None:
        rest = abs(len(typed) - len(known))
        return rest if rest <= most else None
    if not most:
        return None
    a, b = typed[same:], known[same:]
    tried = [edits(a[1:], b[1:], most - 1), edits(a[1:], b, most - 1), edits(a, b[1:], most - 1)]
    if a[:2] == b[1::-1]:
        tried.append(edits(a[2:], b[2:], most - 1))
    return min((1 + n for n in tried if n is not None), default=None)


def _may_be_misspelt(word: Word, book: NameBook, case: str) -> bool:
    if len(word.stem) < MIN_NEAR_LETTERS - 1 or not word.stem.isalpha():
        return False
    if case == "usual" and not word.text[0].isupper():
        return False
    return not any(key in book.words or key in _ORDINARY for key in (word.key, word.stem))


def _mentions(
    text: str, words: Sequence[Word], place: int, book: NameBook, case: str
) -> Iterator[Mention]:
    """The names around a word that stand there once it is spelled rightly."""
    word = words[place]
    first = max(place - NEAR_WORDS, 0)
    window = list(words[first : place + NEAR_WORDS + 1])
    is_alone = _stands_alone(text, words, place, case)
    beside = [*words[max(place - 1, 0) : place], *words[place + 1 : place + 2]]
    if not is_alone and not any(other.stem in book.words for other in beside):
        return
    # The "s" of "Natahn's" may be the name's own or the possessive's.
    for typed in dict.fromkeys((word.stem, word.key)):
        ending = word.key[len(typed) :]
        for known in book.near.get(typed[0], ()):
            needs_more = _needs_more(typed, known)
            if needs_more is None:
                continue
            window[place - first] = replace(word, key=known + ending, stem=known)
            for start in range(place - first, -1, -1):
                mention, n_words = mention_at(text, window, start, book, case)
                if mention is None or not mention.start <= word.start < mention.end:
                    continue
                others = [*window[start : place - first], *window[place - first + 1 :]]
                others = others[: n_words - 1]
                is_sure = any(other.stem not in LEGAL_FORMS | SMALL_WORDS for other in others)
                if is_sure or (is_alone and not needs_more):
                    yield mention


def _needs_more(typed: str, known: str) -> bool | None:
    """Whether more than this one word must tell; None if the words are not near."""
    if typed[0] != known[0]:
        if typed == known[1:]:
            return len(known) < ONE_EDIT_LETTERS
        return False if typed[:2] == known[1::-1] and typed[2:] == known[2:] else None
    most = 2 if min(len(typed), len(known)) >= TWO_EDITS_LETTERS else 1
    distance = edits(typed, known, most) if abs(len(typed) - len(known)) <= most else None
    if not distance:
        return None
    is_swapped = sorted(typed) == sorted(known)
    is_doubled = _REPEATED.sub(r"\1", typed) == _REPEATED.sub(r"\1", known)
    ends_alike = typed[-1] == known[-1]
    # "Teslas debt" is Tesla's.
    if is_swapped or is_doubled or typed == f"{known}s" or (len(typed) < len(known) and ends_alike):
        return False
    return len(known) < ONE_EDIT_LETTERS or not ends_alike


def _stands_alone(text: str, words: Sequence[Word], place: int, case: str) -> bool:
    """Whether a word can be a company's whole name where it stands."""
    word = words[place]
    if len(word.stem) < MIN_NEAR_LETTERS:
        return False
    before = words[place - 1] if place else None
    after = words[place + 1] if place + 1 < len(words) else None
    if case != "usual":
        if word.is_possessive:
            return before is None or before.key not in _DETERMINERS
        return before is not None and before.key in _AUXILIARIES
    # The first word of a text is capitalised whatever it is.
    if place > 1 and _is_joined(text, words[place - 1], word, words[place - 1]):
        return False
    if word.is_possessive or after is None or after.stem in LEGAL_FORMS:
        return place > 0 or word.is_possessive
    return place > 0 and not _is_joined(text, word, after, after)


def _is_joined(text: str, first: Word, second: Word, other: Word) -> bool:
    """Whether the other of two words beside each other is one of a name: "EBITDA" is not."""
    is_named = other.text.isalpha() and other.text[0].isupper() and not other.text.isupper()
    return is_named and text[first.end : second.start] in (" ", "-")
