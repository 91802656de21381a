"""What is left of a question without companies, years and furniture: its topic."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from typing import Final

from finrag.questions.texts import replaced
from finrag.records.vocabulary import read_vocabulary

# "long-term", "R&D" and "10-K" are words.
_WORD: Final = re.compile(r"[^\W_]+(?:[&'./-][^\W_]+)*%?|[&%]")
# "US" is no "us".
_ABBREVIATIONS: Final = frozenset({"US", "IT"})
_LINKS: Final = frozenset({"and", "of", "in", "to", "on", "per", "as", "&"})
Span = tuple[int, int]

_VOCABULARY: Final = read_vocabulary(__file__)
_ORDER: Final = _VOCABULARY.pattern("order", re.IGNORECASE)
_REMARK: Final = _VOCABULARY.pattern("remark", re.IGNORECASE)
_DOCUMENT: Final = _VOCABULARY.pattern("document", re.IGNORECASE)
_SECTION: Final = _VOCABULARY.pattern("section", re.IGNORECASE)
_DATE: Final = _VOCABULARY.pattern("date", re.IGNORECASE)
_FURNITURE: Final = _VOCABULARY.words["furniture"]
# Words that bring up what introduces a subject instead of what says something about it.
_VAGUE: Final = _VOCABULARY.words["vague"]


def topic_text(text: str, company_spans: Sequence[Span], year_spans: Sequence[Span]) -> str:
    """The words of a plain text that a filtered search looks for, in their order.

    Companies, years, the name of the document, question words and orders ("round your answer to
    two decimal places") are gone, and so are "risks" and "factors" beside a word that says more;
    words inside quotation marks stay as they are. Where nothing is left, the text itself is the
    topic.

    Args:
        text: a plain text.
        company_spans: where companies are named, ascending.
        year_spans: where years are named, ascending.
    """
    dates = [
        (found.start() if (found := _DATE.search(text, max(0, start - 16), start)) else start, end)
        for start, end in year_spans
    ]
    bare = replaced(text, [(start, end, " | ") for start, end in sorted([*company_spans, *dates])])
    bare = _SECTION.sub(" ", _DOCUMENT.sub(" ", _REMARK.sub(" ", _ORDER.sub(" ", bare))))
    return _joined(bare, _FURNITURE | _VAGUE) or _joined(bare, _FURNITURE) or text


def _joined(bare: str, furniture: Set[str]) -> str:
    """What stands in quotation marks, and the other words that are no furniture."""
    return " ".join(
        piece
        for n, quoted in enumerate(bare.split('"'))
        for piece in ([quoted.strip()] if n % 2 else _content_words(quoted, furniture))
        if piece
    )


def _content_words(text: str, furniture: Set[str]) -> list[str]:
    """Words that are no furniture; "and", "of", "in" and "to" stay between two that stay."""
    words = list(_WORD.finditer(text))
    is_shouted = text.isupper()
    keeps = [
        word[0].casefold() not in furniture or (word[0] in _ABBREVIATIONS and not is_shouted)
        for word in words
    ]
    words_left: list[str] = []
    for n, word in enumerate(words):
        if keeps[n]:
            words_left.append(word[0])
        elif 0 < n < len(words) - 1 and keeps[n - 1] and keeps[n + 1]:
            between = text[words[n - 1].end() : words[n + 1].start()]
            if word[0].casefold() in _LINKS and "|" not in between:
                words_left.append(word[0])
    return words_left
