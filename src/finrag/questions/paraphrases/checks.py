"""Whether a paraphrase still asks what the original asks: companies, years, numbers, direction.

The rules compare words, not meanings, and are strict: a good paraphrase that is rejected costs one
variant, a bad one that is accepted measures a system against the wrong answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.text.company_names import aliases, display_name
from finrag.text.numbers import MONTH_NUMBERS, NUMBER_WORDS, find_amounts
from finrag.text.statements import (
    direction_of_word,
    exclusive,
    is_negator,
    terms_in,
    words_of,
)

# In the order in which they are tried; the endpoint's failure is no finding of a check.
REASONS = (
    "not_a_question",
    "too_long",
    "unchanged",
    "missing_company",
    "missing_year",
    "number_changed",
    "added_entity",
    "quote_lost",
    "meaning_changed",
    "endpoint_failed",
)
LONGEST_RATIO = 2.0

_UNPRINTABLE = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_WORD = re.compile(r"[^\W_]+")
_YEAR = re.compile(r"(?<![\d.,$€£])(?:19|20)\d\d(?![\d%]|,\d|\.\d)")
_FILING = re.compile(r"\b(?:form\s)?10-[kq]s?\b", re.I)
_FISCAL_YEAR = re.compile(r"\bFY\s?(?=(?:19|20)\d\d)", re.I)
_QUOTED = re.compile(r"[\"“]([^\"“”]{2,120})[\"”]|(?<!\w)['‘]([^'‘’]{2,120})['’](?!\w)")
_TOKEN = re.compile(r"[^\W\d_][\w&.'’-]*")
_VOCABULARY: Final = read_vocabulary(__file__)
_EXCEPTED = frozenset({"except", "excluding"})
# "whether or not" and "if not" negate nothing.
_IDLE_NEGATION = re.compile(r"\b(?:or|if)\s(?:not|none)\b|\bno\.\s(?=\d)", re.I)
_EXPLICIT = re.compile(r"\b(?:explicit|express|direct|specific)(?:ly)?\b", re.I)

_SECOND_HALF = _VOCABULARY.pattern("second_half", re.I)
_ASKING = _VOCABULARY.pattern("asking", re.I)

_COUNTERPARTS = tuple(
    (re.compile(rf"\b(?:{one})\b", re.I), re.compile(rf"\b(?:{other})\b", re.I))
    for one, other in _VOCABULARY.tables["counterparts"].items()
)
_TOPICS = tuple(
    re.compile(rf"\b(?:{words})\b", re.I) for words in _VOCABULARY.tables["topics"].values()
)

_NUMBER_WORDS = {
    **{word: str(number) for word, number in NUMBER_WORDS.items() if number > 1},
    **{"first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th"},
}
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_NUMBER_WORDS)})\b", re.I)
_MONTH = re.compile(rf"\b(?:{'|'.join(map(str.title, MONTH_NUMBERS))})\b")
_PLAIN_CAPITALS = _VOCABULARY.words["plain_capitals"]


def company_forms(company_name: str, shown_as: str) -> tuple[str, ...]:
    """The spellings by which a question's company counts as named.

    Args:
        company_name: the legal name.
        shown_as: the display name that the corpus gives it.

    Returns:
        The display name, and the aliases of the legal name where the display name is its own:
        a corpus in which two companies share a short name shows another, and then only that one
        tells them apart.
    """
    if not company_name.strip() or display_name(company_name) != shown_as:
        return (shown_as,) if shown_as.strip() else ()
    return tuple(dict.fromkeys((shown_as, *aliases(company_name))))


def check_paraphrase(
    original: str,
    variant: str,
    companies: Sequence[Collection[str]],
    years: Collection[int],
) -> str | None:
    """Why a paraphrase may not stand for its original, or None.

    A variant must be one printable line with as many question marks as the original has (one at
    least), the last at its end; at most twice as long; not the original again. Every company that
    the original names is named, every year and every number is there and none is added, except
    years of ``years`` ("2018–2020" may be spelt out); no capitalised word is new; quoted terms are
    kept; no negation, direction (rise, fall) or lost "explicitly" changes what is asked.

    Args:
        original: the question.
        variant: the paraphrase.
        companies: for each company of the question the spellings that name it, matched with
            their case; a spelling of two companies counts for neither.
        years: the years that the question is about.

    Returns:
        The first reason found, in the order of ``REASONS``; None if the variant is good.
    """
    return next(_findings(original, variant, companies, years), None)


def is_same_wording(left: str, right: str) -> bool:
    """Whether two questions have the same words, whatever their case, spaces and punctuation."""
    return _WORD.findall(left.casefold()) == _WORD.findall(right.casefold())


def _findings(
    original: str, variant: str, companies: Sequence[Collection[str]], years: Collection[int]
) -> Iterator[str]:
    yield from _misshapen(original, variant)
    owners = _owners(companies)
    named, bare = _masked(original, owners)
    named_again, bare_again = _masked(variant, owners)
    asked, repeated = _years(bare), _years(bare_again)
    if not named <= named_again:
        yield "missing_company"
    if not asked <= repeated:
        yield "missing_year"
    between = {year for year in years if asked and min(asked) < year < max(asked)}
    if not repeated <= asked | between or _numbers(bare) != _numbers(bare_again):
        yield "number_changed"
    if _new_capitals(bare_again, original):
        yield "added_entity"
    if any(_plain(term) not in _plain(variant) for term in _quoted(original)):
        yield "quote_lost"
    if _turned(bare, bare_again):
        yield "meaning_changed"


def _misshapen(original: str, variant: str) -> Iterator[str]:
    text = variant.strip()
    marks = text.count("?")
    is_line = not any(unicodedata.category(letter) in _UNPRINTABLE for letter in text)
    if not (is_line and text.endswith("?") and marks == max(1, original.count("?"))):
        yield "not_a_question"
    if len(text) > LONGEST_RATIO * len(original):
        yield "too_long"
    if is_same_wording(original, text):
        yield "unchanged"


def _owners(companies: Sequence[Collection[str]]) -> dict[str, int]:
    counts = Counter(form for forms in companies for form in set(forms))
    return {
        form: number
        for number, forms in enumerate(companies)
        for form in forms
        if counts[form] == 1 and form
    }


def _masked(text: str, owners: dict[str, int]) -> tuple[set[int], str]:
    """The companies named, and the text with a mark in place of each name and filing type."""
    forms = sorted(owners, key=lambda form: (-len(form), form))
    named: set[int] = set()
    bare = text
    if forms:
        pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, forms))})(?!\w)")
        named = {owners[match.group()] for match in pattern.finditer(text)}
        bare = pattern.sub("§", text)
    return named, _FISCAL_YEAR.sub("", _FILING.sub("filing", bare))


def _years(text: str) -> set[int]:
    return {int(year) for year in _YEAR.findall(text)}


def _numbers(text: str) -> Counter[tuple[str, str]]:
    """Every number but years with its unit, number words and names of months included."""
    spelt = _NUMBER_WORD.sub(lambda match: _NUMBER_WORDS[match.group().lower()], text)
    without_years = _YEAR.sub(" ", spelt)
    found = [
        (f"{amount.value:.12g}", "" if amount.unit in {None, "count"} else str(amount.unit))
        for amount in find_amounts(without_years)
    ]
    return Counter(found + [("month", month) for month in _MONTH.findall(text)])


def _new_capitals(bare: str, original: str) -> bool:
    known = set(_stems(_TOKEN.findall(original)))
    capitals = [token for token in _TOKEN.findall(bare) if token != token.lower()]
    return any(
        stem not in known and stem not in _PLAIN_CAPITALS and not _MONTH.fullmatch(token)
        for token, stem in zip(capitals, _stems(capitals), strict=True)
    )


def _stems(tokens: Iterable[str]) -> list[str]:
    """Lower case, without a possessive or a full stop at the end."""
    return [re.sub(r"['’]s?$", "", token.casefold().rstrip(".-")) for token in tokens]


def _quoted(text: str) -> list[str]:
    return [double or single for double, single in _QUOTED.findall(text)]


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split())


def _turned(original: str, variant: str) -> bool:
    before, after = (_IDLE_NEGATION.sub(" ", text) for text in (original, variant))
    had, has = words_of(before), words_of(after)
    if _denies(had) != _denies(has) or exclusive(terms_in(had), terms_in(has)) is not None:
        return True
    if _EXPLICIT.search(original) and not _EXPLICIT.search(variant):
        return True
    n_asked = len(_ASKING.findall(original)) if _SECOND_HALF.search(original) else 0
    if n_asked >= 2 and len(_ASKING.findall(variant)) < 2:
        return True
    if set(map(direction_of_word, has)) - set(map(direction_of_word, had)) - {0}:
        return True
    if any(_is_swapped(before, after, *pair) for pair in _COUNTERPARTS):
        return True
    return any(bool(topic.search(original)) != bool(topic.search(variant)) for topic in _TOPICS)


def _denies(words: Iterable[str]) -> bool:
    return any(is_negator(word) or word in _EXCEPTED for word in words)


def _is_swapped(before: str, after: str, one: re.Pattern[str], other: re.Pattern[str]) -> bool:
    had, has = ((bool(one.search(t)), bool(other.search(t))) for t in (before, after))
    return had in {(True, False), (False, True)} and has == (not had[0], not had[1])
