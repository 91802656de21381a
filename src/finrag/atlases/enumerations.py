"""Sentences that count things and then name every one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pyarrow as pa

from finrag.records.vocabulary import read_vocabulary
from finrag.text.numbers import NUMBER_WORDS
from finrag.text.phrases import Finding, find_in_texts, mask_parentheses, split_items, trim

ENUMERATION_SCHEMA = pa.schema(
    [
        pa.field("text_hash", pa.string(), nullable=False),
        pa.field("list_kind", pa.string(), nullable=False),
        pa.field("count", pa.int32(), nullable=False),
        pa.field("items", pa.list_(pa.string()), nullable=False),
        pa.field("lead_text", pa.string(), nullable=False),
        pa.field("is_current", pa.bool_(), nullable=False),
    ]
)

MAX_NAME_WORDS = 9
MAX_PHRASE_WORDS = 25
_PHRASE_KINDS = frozenset({"growth_drivers", "strategic_priorities"})

_VOCABULARY: Final = read_vocabulary(__file__)
_NUMBERS = {word: number for word, number in NUMBER_WORDS.items() if 2 <= number <= 10}
NOUNS = _VOCABULARY.tables["nouns"]
_COUNTED = re.compile(
    rf"\b(?P<count>{'|'.join(_NUMBERS)}) (?P<qualifier>(?:[\w/-]+,? ){{0,4}}?)(?:"
    + "|".join(f"(?P<{kind}>{noun})" for kind, noun in NOUNS.items())
    + r")\b",
    re.IGNORECASE,
)
_CUE = (
    rf"(?i)\b(?:{'|'.join(_NUMBERS)}) (?:[\w/-]+,? ){{0,4}}(?:{'|'.join(NOUNS.values())})\b"
    r"(?: are | were | consisting| comprised|[^:.;—–]{0,150}[:—–]| ?\(|,| - | -- | in | for | "
    r"during )"
)
_QUALIFIER = _VOCABULARY.pattern("qualifier", re.IGNORECASE)
_OPENING = _VOCABULARY.pattern("opening")
_LIST_END = _VOCABULARY.pattern("list_end")
_ABBREVIATION = re.compile(r"(?:\b(?:Inc|Corp|Co|No|Ltd|St|vs)|\b(?:[A-Z]\.)*[A-Z])$")
_NOT_CURRENT = _VOCABULARY.pattern("not_current", re.IGNORECASE)
_DRIVER_NOT_CURRENT = _VOCABULARY.pattern("driver_not_current", re.IGNORECASE)
_BAD_NAME = _VOCABULARY.pattern("bad_name", re.IGNORECASE)
_BAD_PHRASE = _VOCABULARY.pattern("bad_phrase", re.IGNORECASE)
_AND = re.compile(r" and ")
_PHRASE_START = _VOCABULARY.pattern("phrase_start")
_MARKET = re.compile(r"\b(?:market|product|customer|industry)\b", re.IGNORECASE)
_COMPANY = re.compile(r"\b(?:we|our|the company(?:[’']s)?)\b", re.IGNORECASE)
_SEGMENT = re.compile(r"\b(?:segments?|sector|group|division)\b", re.IGNORECASE)
_PART_OF_COMPANY = _VOCABULARY.pattern("part_of_company", re.IGNORECASE)
_NOT_THE_COMPANY = _VOCABULARY.pattern("not_the_company", re.IGNORECASE)
_IS_COMPANY = _VOCABULARY.pattern("is_company", re.IGNORECASE)
_NAMED_COMPANY = _VOCABULARY.pattern("named_company")
_ARTICLE = re.compile(r"^(?:the|an?|our) (?=\S)", re.IGNORECASE)


def find_enumerations(texts: pa.Table) -> pa.Table:
    """Lists that a text counts and names in full: segments, growth drivers, channels.

    A list is believed only where the number word before its noun ("three reportable segments")
    equals the number of items that its punctuation shows, so an "and" inside an item
    ("Health and Wellness") either changes nothing or makes the sentence be left out. Two growth
    drivers joined by one of several "and"s are divided where the right side alone reads as
    another driver.

    Args:
        texts: distinct texts, ``text_hash`` and ``sentence_text``.

    Returns:
        Rows of ``ENUMERATION_SCHEMA`` by text_hash and place. ``is_current`` is false where the
        sentence speaks of a former, future or changed state.

    Raises:
        ValueError: a null text, by its text_hash.
    """
    return find_in_texts(texts, ENUMERATION_SCHEMA, _CUE, _enumerations_in)


def _enumerations_in(sentence: str) -> Iterator[Finding]:
    end_of_last = 0
    for counted in _counts(sentence):
        if counted.start() < end_of_last:
            continue
        opening = _OPENING.match(sentence, counted.end())
        if opening is None:
            continue
        kind = next(name for name in NOUNS if counted[name])
        count = _NUMBERS[counted["count"].lower()]
        body = _list_text(sentence[opening.end() :], kind)
        items = _items(body, kind, count)
        if items and _is_of_the_company(sentence, counted, kind):
            end_of_last = opening.end() + len(body)
            yield {
                "list_kind": kind,
                "count": count,
                "items": items,
                "lead_text": trim(sentence[: opening.end()]),
                "is_current": _is_current(sentence, kind, opening.end(), end_of_last),
            }


def _counts(sentence: str) -> Iterator[re.Match[str]]:
    """Counted nouns; "from four to two segments" counts two."""
    counted = _COUNTED.search(sentence)
    while counted is not None:
        if _QUALIFIER.fullmatch(counted["qualifier"]):
            yield counted
            counted = _COUNTED.search(sentence, counted.end())
        else:
            counted = _COUNTED.search(sentence, counted.end("count"))


def _list_text(text: str, kind: str) -> str:
    """The list up to where its sentence goes on; the whole text where it does not end."""
    masked = mask_parentheses(text)
    for match in _LIST_END.finditer(masked):
        is_stop = match[0][0] == "."
        if is_stop and _ABBREVIATION.search(masked, max(0, match.start() - 8), match.start()):
            continue
        if kind in _PHRASE_KINDS and match[0][0] not in ".;":
            continue
        return text[: match.start()]
    return text if text.endswith((".", ")")) else ""


def _items(text: str, kind: str, count: int) -> list[str]:
    """The items of a list, or nothing where they are not as many as counted."""
    phrases = kind in _PHRASE_KINDS
    items = split_items(text)
    if phrases and count == 2 and not re.search(r"[;]|\(i+\)|\b1\)", text):
        items = _two_phrases(text)
    items = [trim(item).strip("“”\"'") for item in items]
    if not phrases:
        items = [re.sub(r"\s*\((?:previously|formerly|collectively)[^()]*\)", "", i) for i in items]
        items = [_ARTICLE.sub("", item) for item in items]
    limit = MAX_PHRASE_WORDS if phrases else MAX_NAME_WORDS
    bad = _BAD_PHRASE if phrases else _BAD_NAME
    if len(items) != count or len({item.lower() for item in items}) != count:
        return []
    if any(len(item.split()) > limit or bad.search(item) for item in items):
        return []
    return items


def _two_phrases(text: str) -> list[str]:
    masked = mask_parentheses(text)
    places = list(_AND.finditer(masked))
    if len(places) > 1:
        places = [place for place in places if _PHRASE_START.match(text[place.end() :])]
    if len(places) != 1:
        return []
    return [trim(text[: places[0].start()]), trim(text[places[0].end() :])]


def _is_of_the_company(sentence: str, counted: re.Match[str], kind: str) -> bool:
    """Whether the list is the company's, not that of a segment, a market or a product."""
    before = sentence[: counted.start()]
    if kind == "segments":
        if _MARKET.search(counted["qualifier"]) or sentence.startswith(" of ", counted.end()):
            return False
        if not (_IS_COMPANY.search(before) or _NAMED_COMPANY.match(before)):
            return False
        return not (_PART_OF_COMPANY.search(before) or _NOT_THE_COMPANY.search(before))
    return bool(_COMPANY.search(sentence[: counted.end()])) and not _SEGMENT.search(before)


def _is_current(sentence: str, kind: str, end_of_lead: int, end_of_list: int) -> bool:
    if kind == "growth_drivers":
        return not _DRIVER_NOT_CURRENT.search(sentence[:end_of_lead])
    return not _NOT_CURRENT.search(mask_parentheses(sentence[:end_of_list]))
