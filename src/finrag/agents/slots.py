"""A slot: one thing that an agent looks for."""

from __future__ import annotations

from dataclasses import dataclass

from finrag.agents.directory import Company
from finrag.agents.tools import KEYWORD_CHARACTERS, MAX_KEYWORDS
from finrag.text.words import is_function_word


@dataclass(frozen=True)
class Wording:
    """Words that are searched for.

    Attributes:
        keywords: for the search by words; none for no such search.
        query: for the search by meaning; blank for no such search.
        sections: sections that are searched; none for those of the slot.
    """

    keywords: tuple[str, ...]
    query: str
    sections: tuple[str, ...] = ()


@dataclass(frozen=True)
class Slot:
    """One thing to be found.

    Attributes:
        companies: names or keys of companies; none for all.
        years: years of reports; none for all.
        sections: sections; none for all.
        keywords: words for the search by words.
        query: text for the search by meaning.
        asked_companies: Central Index Keys that the answer is about, whatever is searched.
        asked_years: years that the answer is about, whatever is searched.
        n_read: chunks that a look at it reads.
        more: other words for the same, searched for in the same turn.
        is_worded: whether the words tell what is wanted; meaning is then searched only where
            words cannot be.
        again: other words, one after another, for further looks where the first does not fill it.
        first: documents that are read before others, in groups, the best first.
    """

    companies: tuple[Company, ...]
    years: tuple[int, ...]
    sections: tuple[str, ...]
    keywords: tuple[str, ...]
    query: str
    asked_companies: tuple[int, ...] = ()
    asked_years: tuple[int, ...] = ()
    n_read: int = 1
    more: tuple[Wording, ...] = ()
    is_worded: bool = False
    again: tuple[Wording, ...] = ()
    first: tuple[frozenset[str], ...] = ()

    @property
    def wordings(self) -> tuple[Wording, ...]:
        """All words that are searched for."""
        return (Wording(self.keywords, self.query), *self.more)


def keywords_of(text: str) -> tuple[str, ...]:
    """The first words of a text that say something, without the marks around them, none twice.

    Of a text that has none of these, the first words.
    """
    words = [word for word in dict.fromkeys(w.strip(".,;:?!\"'()") for w in text.split()) if word]
    telling = [word for word in words if not is_function_word(word)]
    return tuple(word[:KEYWORD_CHARACTERS] for word in telling or words)[:MAX_KEYWORDS]


def packed(text: str) -> tuple[str, ...]:
    """All words of a text as keywords: single ones if they are few, else several to a keyword."""
    words = list(dict.fromkeys(text.split()))
    if len(words) <= MAX_KEYWORDS:
        return tuple(word[:KEYWORD_CHARACTERS] for word in words)
    found = [""]
    for word in words:
        joined = f"{found[-1]} {word}".strip()
        if len(joined) <= KEYWORD_CHARACTERS:
            found[-1] = joined
        else:
            found.append(word[:KEYWORD_CHARACTERS])
    return tuple(found[:MAX_KEYWORDS])
