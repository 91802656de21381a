"""What is left of a question without companies, years and furniture: its topic."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from finrag.questions.texts import replaced
from finrag.text.numbers import word_set

# "long-term", "R&D" and "10-K" are words.
_WORD: Final = re.compile(r"[^\W_]+(?:[&'./-][^\W_]+)*%?|[&%]")
# "US" is no "us".
_ABBREVIATIONS: Final = frozenset({"US", "IT"})
_LINKS: Final = frozenset({"and", "of", "in", "to", "on", "per", "as", "&"})
Span = tuple[int, int]

# A sentence behind the question that tells how to answer, and asides on units.
_ORDER: Final = re.compile(
    r"(?<=[.?!] )(?:please |if |round|answer|respond|give|provide|address|approach|base your"
    r"|calculate|compute|state|write|use|keep)\b[^.?!:]{0,400}(?:[.!]|$)",
    re.IGNORECASE,
)
_ASIDE: Final = re.compile(
    r"\((?:in|rounded)[^()]{0,80}\)|\bin (?:us ?dollars|usd|us\$|dollars)(?: (?:millions|billions"
    r"|thousands))?\b|\b(?:how much )?(?:higher or lower|lower or higher|more or less)\b"
    r"|\bhere's the question\b",
    re.IGNORECASE,
)
_DOCUMENT: Final = re.compile(
    r"\b(?:(?:according to|based on|as (?:stated|disclosed|reported|described) in|in the words of)"
    r" )?(?:(?:its|their|his|the|a|an|this|these|that|each|of) ){0,2}(?:(?:fiscal|annual|year"
    r"|form|sec|company's) ){0,3}(?:10-?ks?(?:405)?|annual reports?|sec filings?|form 10-?k)\b"
    r"(?: (?:filings?|reports?|disclosures?))?",
    re.IGNORECASE,
)
_SECTION: Final = re.compile(
    r"\b(?:in|from|of|under|among|within) (?:(?:the|its|their|fiscal|[|]) ){0,3}(?:md ?& ?a\b"
    r"|items? ?[0-9]{1,2}[abc]?|risk[- ]factors?|management'?s"
    r" discussion and analysis)\b"
    r"(?: (?:section|discussion|disclosure)s?)?",
    re.IGNORECASE,
)
_DATE: Final = re.compile(
    r"\b(?:(?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.? ?(?:[0-9]{1,2}(?:st|nd|rd|th)?)?"
    r",? ?)$",
    re.IGNORECASE,
)
_FURNITURE: Final = word_set(
    """
    & 10-k 10-ks 10k 10ks a about according again all also am an and annual any are as asked at
    based be been being between both but by calendar can compare compared could cy describe
    described describes did disclose disclosed discloses discuss discussed discusses do does during
    each either end ended ending explain explained explains explicitly filing filings fiscal for
    form from fy fye give given gives had has have he her highlight highlighted highlights his how i
    if in into is it its itself let list many may me mean means mention mentioned mentions might
    much must my name named names of on or our outline over per please point points primarily
    provide provided provides regarding report reported reports respectively roughly said say says
    shall she should show showed shown shows since so state stated states summarize tell than that
    the their them themselves then there these they this those through throughout to told under
    until us versus vs was we were what what's whats when where which who whom whose why will with
    within would year years your yours
    """
)


def topic_text(text: str, company_spans: Sequence[Span], year_spans: Sequence[Span]) -> str:
    """The words of a plain text that a filtered search looks for, in their order.

    Companies, years, the name of the document, question words and orders ("round your answer to
    two decimal places") are gone; words inside quotation marks stay as they are. Where nothing is
    left, the text itself is the topic.

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
    bare = _SECTION.sub(" ", _DOCUMENT.sub(" ", _ASIDE.sub(" ", _ORDER.sub(" ", bare))))
    kept = [
        piece
        for n, quoted in enumerate(bare.split('"'))
        for piece in ([quoted.strip()] if n % 2 else _content_words(quoted))
        if piece
    ]
    return " ".join(kept) or text


def _content_words(text: str) -> list[str]:
    """Words that are no furniture; "and", "of", "in" and "to" stay between two that stay."""
    words = list(_WORD.finditer(text))
    is_shouted = text.isupper()
    keeps = [
        word[0].casefold() not in _FURNITURE or (word[0] in _ABBREVIATIONS and not is_shouted)
        for word in words
    ]
    kept: list[str] = []
    for n, word in enumerate(words):
        if keeps[n]:
            kept.append(word[0])
        elif 0 < n < len(words) - 1 and keeps[n - 1] and keeps[n + 1]:
            between = text[words[n - 1].end() : words[n + 1].start()]
            if word[0].casefold() in _LINKS and "|" not in between:
                kept.append(word[0])
    return kept
