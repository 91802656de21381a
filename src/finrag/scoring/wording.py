"""How near the words of an answer are to those of gold, by rules alone: no model, no settings."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from finrag.numbers import Amount, find_amounts, word_set

# Items of two lists are the same item from this overlap of their words on.
NEAR_EQUAL: Final = 0.8
MAX_REMEMBERED: Final = 20_000
MAX_LABEL_WORDS: Final = 8
MAX_LEAD_CHARS: Final = 200
MAX_WHOLE_DIGITS: Final = 18

_WORD: Final = re.compile(r"[^\W_]+")
_APOSTROPHES: Final = re.compile(r"['’]")
_CURRENCY: Final = re.compile(r"^#(.*) [A-Z]{3}$")
# Words that carry nothing when two items of a list are compared.
_SMALL_WORDS: Final = word_set(
    "a an the of and or for in to at on by with from among its our their was were is are as that"
)
# Said by one of two items, they turn it round.
_NEGATIONS: Final = word_set("no not nor never neither none without cannot didnt doesnt isnt wasnt")

# Marks and quotes that may stand around a "yes"; white space goes with them, so that no pattern
# below ever repeats over a run of it.
_WRAPPING: Final = re.compile(r"[\s*_\"“”'’‘()\[\]`#>]+")
_STANDING: Final = re.compile(
    r"(?:^ ?|[.!?;:,—–] ?|\b(?:is|answer) )(yes|no|true|false)(?= ?(?:[.,;:!?—–-]|$))",
    re.IGNORECASE,
)
_HEAD_YES: Final = re.compile(r"^ ?(?:(?:the )?(?:final )?answer(?: is)?:? )?yes\b", re.IGNORECASE)
# A "no" before a noun is no answer: "No fewer than five plants".
_HEAD_NO: Final = re.compile(
    r"^ ?(?:(?:the )?(?:final )?answer(?: is)?:? )?no (?:it|its|they|the|this|that|there|we|he|she"
    r"|in|but|because|as|according|based|neither)\b",
    re.IGNORECASE,
)
_ALTERNATIVES: Final = re.compile(r"\b(?:yes|true)[ ,]{1,2}(?:and|or|/)? ?(?:no|false)\b", re.I)

_BULLET: Final = re.compile(r"^[ \t]{0,12}(?:[-*•●▪■–—]|\(?[0-9]{1,3}[.)]|\(?[a-z][.)])[ \t]")
_COMMAS_AND: Final = re.compile(r"(?:, and |, or |, | and )")
_AND: Final = re.compile(r",? and ")


def read_boolean(text: str) -> bool | None:
    """Read a yes or a no that a text states.

    It counts at the head ("Yes, it does", "No it does not") and wherever it stands by itself
    between marks or after "answer is" ("..., so the answer is no."); "true" and "false" likewise.
    A "no" before a noun is none ("No fewer than five plants").

    Args:
        text: any text.

    Returns:
        True or False; None where neither is stated, or both are.
    """
    plain = _WRAPPING.sub(" ", text)
    stated = {match.group(1).lower() in ("yes", "true") for match in _STANDING.finditer(plain)}
    if _HEAD_YES.match(plain):
        stated.add(True)
    if _HEAD_NO.match(plain):
        stated.add(False)
    if len(stated) != 1 or _ALTERNATIVES.search(plain):
        return None
    return stated.pop()


def read_list(text: str) -> list[tuple[str, ...]]:
    """The ways in which a text can be read as a list, the plainest first.

    A JSON list has one reading: its entries. Marked lines (bullets, numbers, letters) have one:
    what follows each mark, with the lines up to the next; what stands before the first mark is a
    lead-in. Two lines or more without marks: the lines. All other text is prose, where a comma may
    part items or belong to one: its readings are the pieces between semicolons, between commas and
    "and", between "and" alone, and the whole; each also without a lead-in that ends in a colon.

    Args:
        text: any text.

    Returns:
        Distinct readings, none of them empty; no reading for a blank text or an empty JSON list.
    """
    entries = _json_entries(text)
    if entries is not None:
        return [entries] if entries else []
    lines = [line for line in text.splitlines() if line.strip()]
    if any(_BULLET.match(line) for line in lines):
        return [_marked(lines)]
    if len(lines) > 1:
        return [_trimmed(lines)]
    readings = [reading for body in _bodies(text) for reading in _prose(body)]
    return [reading for reading in dict.fromkeys(readings) if reading]


def _json_entries(text: str) -> tuple[str, ...] | None:
    stripped = text.strip()
    if not (stripped.startswith("[") and stripped.endswith("]")):
        return None
    try:
        value = json.loads(stripped)
    except (ValueError, RecursionError):
        return None
    return _trimmed(_entry(one) for one in value) if isinstance(value, list) else None


def _entry(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _trimmed(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(bare for item in items if (bare := item.strip(" \t\r\n.,;")))


def _marked(lines: Sequence[str]) -> tuple[str, ...]:
    items: list[list[str]] = []
    for line in lines:
        mark = _BULLET.match(line)
        if mark is not None:
            items.append([line[mark.end() :]])
        elif items:
            items[-1].append(line)
    return _trimmed(" ".join(item) for item in items)


def _bodies(text: str) -> tuple[str, ...]:
    lead, colon, rest = text.partition(":")
    return (text, rest) if colon and rest.strip() and len(lead) <= MAX_LEAD_CHARS else (text,)


def _prose(text: str) -> list[tuple[str, ...]]:
    if ";" in text:
        # The "and" before the last piece goes with the mark.
        pieces = [piece.strip().removeprefix("and ") for piece in text.split(";")]
        return [_trimmed(pieces)]
    ways = (_COMMAS_AND.split(text), _AND.split(text), [text])
    return [_trimmed(way) for way in ways]


@dataclass(frozen=True)
class _Item:
    """An item of a list: its label ("Company:"), its words and its numbers."""

    label: frozenset[str]
    words: Counter[str]
    numbers: frozenset[str]


class Wording:
    """The rule scorers. One object remembers what it read, so that a gold text is read once.

    All of them are pure: the same two texts give the same value in any order and any number.
    """

    def __init__(self) -> None:
        """Load the stemmer."""
        from rouge_score import tokenize, tokenizers

        self._stem = lru_cache(MAX_REMEMBERED)(tokenizers.porter.PorterStemmer().stem)
        self._tokenize = tokenize.tokenize
        self._rouge_words = lru_cache(MAX_REMEMBERED)(self._read_rouge_words)
        self._rouge_masks = lru_cache(MAX_REMEMBERED)(self._read_rouge_masks)
        self._keys = lru_cache(MAX_REMEMBERED)(_read_keys)
        self._gold_parts = lru_cache(MAX_REMEMBERED)(self._read_gold_parts)
        self._lists = lru_cache(MAX_REMEMBERED)(self._read_lists)

    def rouge_l(self, answer: str, gold: str) -> float:
        """ROUGE-L with the Porter stemmer, as the package rouge-score computes it.

        P and R are the longest common subsequence of the words over the words of the answer and
        of gold; F = 2PR / (P + R) (Lin, 2004). Words and stems are those of the package (only
        a-z and 0-9 count, so that signs, decimals and marks vanish); the subsequence is counted
        in the bits of a whole number (Crochemore et al., 2001), which gives the same length as the
        package's table and stays fast on long answers.

        Returns:
            F in 0..1; 0 where a text has no words.
        """
        words, masks, n_gold = self._rouge_words(answer), *self._rouge_masks(gold)
        if not words or not n_gold:
            return 0.0
        common = _longest_common(words, masks, n_gold)
        precision, recall = common / len(words), common / n_gold
        return 2 * precision * recall / (precision + recall) if common else 0.0

    def contain_match(self, answer: str, gold: str) -> float | None:
        """Whether the words of gold stand in the answer, in a row.

        Both texts become words and numbers: case, white space, marks and apostrophes do not count;
        a number is its value in whole units and its unit, however it is printed ("$1,577 million"
        is "1577.00 million dollars"; "(5)" is "-5"). Words and numbers match whole: 15 is not in
        1577. A number of gold without a unit is also found where the answer gives it a
        currency. Of a gold list (JSON) every entry must be found, in any order.

        Returns:
            1 or 0; None where gold has neither words nor numbers.
        """
        parts = self._gold_parts(gold)
        if not parts:
            return None
        return float(all(self._holds(answer, part) for part in parts))

    def boolean_match(self, answer: str, gold: str) -> float | None:
        """Whether both state the same yes or no; see ``read_boolean``.

        Returns:
            1 or 0; None where either text states neither, or both.
        """
        said, wanted = read_boolean(answer), read_boolean(gold)
        return None if said is None or wanted is None else float(said == wanted)

    def list_jaccard(self, answer: str, gold: str) -> float | None:
        """Shared items over all items of two lists, each taken as a set.

        Items are near-equal where one says all the words of the other (stemmed, articles and
        prepositions left out) and little more: 2 x shared / sum is ``NEAR_EQUAL`` or above. A word
        in place of another is another item, as "gains" for "losses" is; so is an item that
        lacks a number of gold's, that alone is negated, or whose label before a colon
        differs where both have one. Pairs are taken one to one, greedily from the greatest
        overlap, ties in the order of gold. m pairs of a and b items give m / (a + b - m). Where
        prose can be read as a list in several ways (see ``read_list``) the nearest to gold counts.

        Returns:
            0..1; 0 for an answer without items; None where gold has none.
        """
        wanted = self._lists(gold)
        if not wanted:
            return None
        readings = self._lists(answer)
        return max((_jaccard(reading, wanted[0]) for reading in readings), default=0.0)

    def _read_rouge_words(self, text: str) -> tuple[str, ...]:
        return tuple(self._tokenize(text, self))

    def stem(self, word: str) -> str:
        """The stem of a word, as the tokenizer of rouge-score asks for it."""
        return str(self._stem(word))

    def _read_rouge_masks(self, text: str) -> tuple[dict[str, int], int]:
        words = self._rouge_words(text)
        masks: dict[str, int] = {}
        for place, word in enumerate(words):
            masks[word] = masks.get(word, 0) | 1 << place
        return masks, len(words)

    def _read_gold_parts(self, gold: str) -> tuple[tuple[str, ...], ...]:
        entries = _json_entries(gold) or (gold,)
        return tuple(keys for entry in entries if (keys := self._keys(entry)))

    def _holds(self, answer: str, part: Sequence[str]) -> bool:
        keys = self._keys(answer)
        if _in_a_row(part, keys):
            return True
        numbers = [key for key in part if key[0] == "#"]
        if not numbers or not all(key.endswith(" count") for key in numbers):
            return False
        return _in_a_row(part, [_CURRENCY.sub(r"#\1 count", key) for key in keys])

    def _read_lists(self, text: str) -> tuple[tuple[_Item, ...], ...]:
        readings = (self._read_items(reading) for reading in read_list(text))
        return tuple(reading for reading in readings if reading)

    def _read_items(self, items: Sequence[str]) -> tuple[_Item, ...]:
        read = {self._item_words(item): item for item in reversed(items)}
        return tuple(self._item(read[words], words) for words in reversed(read) if words)

    def _item_words(self, text: str) -> tuple[str, ...]:
        keys = self._keys(text)
        telling = [key for key in keys if key not in _SMALL_WORDS] or keys
        return tuple(key if key[0] == "#" else self._stem(key) for key in telling)

    def _item(self, text: str, words: tuple[str, ...]) -> _Item:
        label, colon, _ = text.partition(":")
        named = self._item_words(label) if colon else ()
        return _Item(
            label=frozenset(named if len(named) <= MAX_LABEL_WORDS else ()),
            words=Counter(words),
            numbers=frozenset(word for word in words if word[0] == "#" or word.isdecimal()),
        )


def _longest_common(words: Sequence[str], masks: dict[str, int], n_gold: int) -> int:
    """Length of the longest common subsequence: the bits that end as 0."""
    full = (1 << n_gold) - 1
    row = full
    for word in words:
        shared = row & masks.get(word, 0)
        row = ((row + shared) | (row - shared)) & full
    return n_gold - row.bit_count()


def _read_keys(text: str) -> tuple[str, ...]:
    """Words in small letters and numbers as ``#value unit``, in text order."""
    keys: list[str] = []
    at = 0
    for amount in find_amounts(text):
        key = _number_key(amount)
        if key is not None:
            keys += _plain_words(text[at : amount.start])
            keys.append(key)
            at = amount.end
    return (*keys, *_plain_words(text[at:]))


def _number_key(amount: Amount) -> str | None:
    """A number by value and unit; None for years, ordinals and digits too long for a value."""
    if amount.kind in ("year", "ordinal"):
        return None
    if amount.kind != "amount" and amount.end - amount.start > MAX_WHOLE_DIGITS:
        return None
    # "per share" is told by the words behind the number, not a second time by its unit.
    unit = (amount.unit or "count").removesuffix("_per_share")
    if amount.is_range:
        return f"#{amount.range_low:.12g} to {amount.range_high:.12g} {unit}"
    return f"#{amount.value + 0.0:.12g} {unit}"


def _plain_words(text: str) -> list[str]:
    return _WORD.findall(_APOSTROPHES.sub("", text).casefold())


def _in_a_row(part: Sequence[str], keys: Sequence[str]) -> bool:
    # As one text, because the search of texts stays linear however often words repeat.
    return "\n".join(("", *part, "")) in "\n".join(("", *keys, ""))


def _jaccard(answer: Sequence[_Item], gold: Sequence[_Item]) -> float:
    pairs = sorted(
        (-overlap, g, a)
        for g, wanted in enumerate(gold)
        for a, said in enumerate(answer)
        if (overlap := _overlap(said, wanted)) >= NEAR_EQUAL
    )
    used_gold: set[int] = set()
    used_answer: set[int] = set()
    for _, g, a in pairs:
        if g not in used_gold and a not in used_answer:
            used_gold.add(g)
            used_answer.add(a)
    shared = len(used_gold)
    return shared / (len(answer) + len(gold) - shared)


def _overlap(said: _Item, wanted: _Item) -> float:
    if not wanted.numbers <= said.numbers:
        return 0.0
    if said.label and wanted.label and said.label != wanted.label:
        return 0.0
    more, less = said.words - wanted.words, wanted.words - said.words
    if (more and less) or not _NEGATIONS.isdisjoint(more | less):
        return 0.0
    total = said.words.total() + wanted.words.total()
    return 1 - (more.total() + less.total()) / total
