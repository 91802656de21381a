"""How near the words of an answer are to those of gold, by rules alone: no model, no settings."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from finrag.records.vocabulary import read_vocabulary
from finrag.text.numbers import Amount, find_amounts, word_set

# Items of two lists are the same item from this overlap of their words on.
NEAR_EQUAL: Final = 0.8
MAX_REMEMBERED: Final = 20_000
MAX_LABEL_WORDS: Final = 8
MAX_LEAD_CHARS: Final = 200
MAX_WHOLE_DIGITS: Final = 18

_WORD: Final = re.compile(r"[^\W_]+")
_APOSTROPHES: Final = re.compile(r"['’]")
_CURRENCY: Final = re.compile(r"^#(.*) [A-Z]{3}$")
_VOCABULARY: Final = read_vocabulary(__file__)
_SMALL_WORDS: Final = _VOCABULARY.words["small_words"]
# Said by one of two items, they turn it round.
_NEGATIONS: Final = word_set("no not nor never neither none without cannot didnt doesnt isnt wasnt")
# Said this many words or fewer before a text, in its clause, they deny it.
DENIAL_REACH: Final = 3
_CONTRACTED: Final = _VOCABULARY.words["contracted"]
_DENIALS: Final = _NEGATIONS | _CONTRACTED | word_set("except false untrue incorrect")
_FALSE: Final = word_set("wrong false untrue incorrect")
# "not only" denies nothing.
_AFFIRMED: Final = word_set("only just merely simply solely")
_PASSED_OVER: Final = frozenset({("rather", "than"), ("other", "than"), ("instead", "of")})
_AUXILIARIES: Final = _VOCABULARY.words["auxiliaries"]
# Of names up to this many words, a denial behind counts too ("Pell did not buy it").
MAX_NAME_WORDS: Final = 3
_CLAUSE_MARK: Final = re.compile(r"[.,;:!?()\[\]\n—–]")

# A name in an enumeration: up to four words that begin with a capital, or any where none does.
_CAPITALS: Final = r"(?!Yes\b|No\b|And\b|Or\b)[0-9]{0,2}[^\W\d_a-zß-öø-ÿ][\w&'’-]{0,40}"
_ANY_WORD: Final = r"(?!and\b|or\b|yes\b|no\b)\w[\w&'’-]{0,40}"
_COMMA: Final = _VOCABULARY.texts["comma"]
_CONJUNCTION: Final = _VOCABULARY.texts["conjunction"]
_PARTED: Final = _VOCABULARY.pattern("parted")


def _enumeration(word: str) -> re.Pattern[str]:
    name = rf"{word}(?: {word}){{0,3}}"
    parted = rf"(?:{_COMMA}{name}){{1,500}}(?:{_CONJUNCTION}{name}){{0,3}}"
    paired = rf"(?:{_CONJUNCTION}{name}){{1,3}}"
    return re.compile(rf"(?<![\w&'’-]){name}(?:{parted}|{paired})(?![\w&'’-])")


_NAMES: Final = _enumeration(_CAPITALS)
_UNCAPPED_NAMES: Final = _enumeration(_ANY_WORD)
_ONE_NAME: Final = re.compile(rf" ?(?:the )?{_CAPITALS}(?: {_CAPITALS}){{0,2}}\.? ?")

# Marks and quotes that may stand around a "yes"; white space goes with them, so that no pattern
# below ever repeats over a run of it.
_WRAPPING: Final = re.compile(r"[\s*_\"“”'’‘()\[\]`#>]+")
_SAYS_YES: Final = frozenset({"yes", "yep", "yeah", "true"})
_STANDING: Final = _VOCABULARY.pattern("standing", re.IGNORECASE)
_HEAD_YES: Final = _VOCABULARY.pattern("head_yes", re.IGNORECASE)
_HEAD_NO: Final = _VOCABULARY.pattern("head_no", re.IGNORECASE)
_HEAD_VERB: Final = _VOCABULARY.pattern("head_verb", re.IGNORECASE)
_UNSETTLED: Final = _VOCABULARY.pattern("unsettled", re.IGNORECASE)

_BULLET: Final = re.compile(r"^[ \t]{0,12}(?:[-*•●▪■–—]|\(?[0-9]{1,3}[.)]|\(?[a-z][.)])[ \t]")
_COMMAS_AND: Final = re.compile(r"(?:, and |, or |, | and )")
_AND: Final = re.compile(r",? and ")
# "None of: steel; freight" names them as what it was not.
_NONE_OF: Final = re.compile(r"\W{0,8}(?:none of|neither)\b", re.IGNORECASE)
MAX_LEAD_WORDS: Final = 4


def read_boolean(text: str) -> bool | None:
    """Read a yes or a no that a text states.

    It counts at the head ("Yes, it does", "No it does not") and wherever it stands by itself
    between marks or after "answer is" ("..., so the answer is no."); "true" and "false" likewise.
    A pronoun and its verb alone are one too ("It did not."), and so is "No significant change";
    any other "no" before a noun is none ("No fewer than five plants").

    Args:
        text: any text.

    Returns:
        True or False; None where neither is stated, both are, or the one stated is hedged
        ("Maybe yes") or called wrong ("Yes is wrong").
    """
    plain = _WRAPPING.sub(" ", text)
    stated = {match.group(1).lower() in _SAYS_YES for match in _STANDING.finditer(plain)}
    if _HEAD_YES.match(plain):
        stated.add(True)
    if _HEAD_NO.match(plain):
        stated.add(False)
    verb = None if stated else _HEAD_VERB.match(plain)
    if verb is not None:
        stated.add(not any(verb.groups()))
    if len(stated) != 1 or _UNSETTLED.search(plain):
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


class _Read(NamedTuple):
    """A text as words and numbers, and whether each is the first of a clause."""

    keys: tuple[str, ...]
    opens: tuple[bool, ...]


class _Part(NamedTuple):
    """What has to be found of a gold; whether it is one short name, alone."""

    keys: tuple[str, ...]
    is_name: bool


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
        self._read = lru_cache(MAX_REMEMBERED)(_read_text)
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
        1577, and digits inside a name are no number (3 is not in "3M"). A number of gold without a
        unit is also found where the answer gives it a currency. Of a gold list (JSON) every entry
        must be found, in any order.

        What the answer denies is not found: a negation stands ``DENIAL_REACH`` words or fewer
        before it in its clause ("not $5 million"), or behind a name ("Pell did not buy it"). A
        gold of one short name is not found as one of many candidates either: two names or more
        that are parted by "or", three with an "and", four with other marks. One place where it
        stands otherwise is enough. Whether "a $5 million loss" answers "$5 million" is for the
        question to say, which is not seen here: see the verdict on the number.

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
        An answer that names items as what it was not ("None of: ...") has none.

        Returns:
            0..1; 0 for an answer without items; None where gold has none.
        """
        wanted = self._lists(gold)
        if not wanted:
            return None
        readings = () if self._is_disowned(answer) else self._lists(answer)
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

    def _read_gold_parts(self, gold: str) -> tuple[_Part, ...]:
        entries = _json_entries(gold) or (gold,)
        texts = [(entry, keys) for entry in entries if (keys := self._read(entry).keys)]
        is_one = len(texts) == 1
        return tuple(
            _Part(keys, is_one and _ONE_NAME.fullmatch(entry) is not None) for entry, keys in texts
        )

    def _holds(self, answer: str, part: _Part) -> bool:
        read = self._read(_without_enumerations(answer) if part.is_name else answer)
        if _stands(part.keys, read):
            return True
        numbers = [key for key in part.keys if key[0] == "#"]
        if not numbers or not all(key.endswith(" count") for key in numbers):
            return False
        bare = tuple(_CURRENCY.sub(r"#\1 count", key) for key in read.keys)
        return _stands(part.keys, read._replace(keys=bare))

    def _read_lists(self, text: str) -> tuple[tuple[_Item, ...], ...]:
        readings = (self._read_items(reading) for reading in read_list(text))
        return tuple(reading for reading in readings if reading)

    def _is_disowned(self, text: str) -> bool:
        """Whether what leads in to a list denies it."""
        if _NONE_OF.match(text):
            return True
        lead, colon, _ = text.partition(":")
        if not colon or len(lead) > MAX_LEAD_CHARS:
            return False
        keys, opens = self._read(lead)
        for key, is_first in list(zip(keys, opens, strict=True))[: -MAX_LEAD_WORDS - 1 : -1]:
            if key in _DENIALS:
                return True
            if is_first:
                return False
        return False

    def _read_items(self, items: Sequence[str]) -> tuple[_Item, ...]:
        read = {self._item_words(item): item for item in reversed(items)}
        return tuple(self._item(read[words], words) for words in reversed(read) if words)

    def _item_words(self, text: str) -> tuple[str, ...]:
        keys = self._read(text).keys
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


def _read_text(text: str) -> _Read:
    """Words in small letters and numbers as ``#value unit``, in text order."""
    keys: list[str] = []
    opens: list[bool] = []
    at, is_first = 0, True
    for amount in find_amounts(text):
        key = _number_key(amount, text)
        if key is not None:
            is_first = _add_words(keys, opens, text[at : amount.start], is_first)
            keys.append(key)
            opens.append(is_first)
            at, is_first = amount.end, False
    _add_words(keys, opens, text[at:], is_first)
    return _Read(tuple(keys), tuple(opens))


def _add_words(keys: list[str], opens: list[bool], text: str, is_first: bool) -> bool:
    """Add the words of a piece of text; whether what follows it begins a clause."""
    plain = _APOSTROPHES.sub("", text).casefold()
    at = 0
    for word in _WORD.finditer(plain):
        key = word.group()
        is_first = is_first or _CLAUSE_MARK.search(plain, at, word.start()) is not None
        keys.append(key)
        opens.append(is_first)
        # What follows "but" is another matter.
        at, is_first = word.end(), key == "but"
    return is_first or _CLAUSE_MARK.search(plain, at) is not None


def _number_key(amount: Amount, text: str) -> str | None:
    """A number by value and unit.

    None for years, ordinals, digits of a name ("3M", "10-K") and those too long for a value.
    """
    if amount.kind in ("year", "ordinal") or _is_of_name(amount, text):
        return None
    if amount.kind != "amount" and amount.end - amount.start > MAX_WHOLE_DIGITS:
        return None
    # "per share" comes from the words behind the number, not a second time from its unit.
    unit = (amount.unit or "count").removesuffix("_per_share")
    if amount.is_range:
        return f"#{amount.range_low:.12g} to {amount.range_high:.12g} {unit}"
    return f"#{amount.value + 0.0:.12g} {unit}"


def _is_of_name(amount: Amount, text: str) -> bool:
    if amount.kind != "reference":
        return False
    before, after = text[: amount.start][-2:], text[amount.end : amount.end + 2]
    is_led = before[-1:].isalpha() or (before[-1:] in ("-", "–") and before[:1].isalpha())
    return is_led or after[:1].isalpha() or (after[:1] in ("-", "–") and after[1:].isalpha())


def _stands(part: tuple[str, ...], read: _Read) -> bool:
    """Whether a part stands somewhere in a text without being denied there."""
    return any(not _is_denied(place, part, read) for place in _places(part, read.keys))


def _places(part: Sequence[str], keys: Sequence[str]) -> Iterator[int]:
    # As one text, because the search of texts stays linear however often words repeat.
    wanted, text = "\n".join(("", *part, "")), "\n".join(("", *keys, ""))
    place = counted = 0
    at = text.find(wanted)
    while at >= 0:
        place += text.count("\n", counted, at)
        yield place
        counted, at = at, text.find(wanted, at + len(wanted) - 1)


def _is_denied(place: int, part: tuple[str, ...], read: _Read) -> bool:
    if _is_denied_before(place, read) or _is_called_false(place + len(part), read):
        return True
    return (
        len(part) <= MAX_NAME_WORDS
        and all(key[0] != "#" for key in part)
        and _is_denied_behind(place + len(part), read)
    )


def _is_denied_before(place: int, read: _Read) -> bool:
    keys, opens = read
    if not opens[place] and keys[max(0, place - 2) : place] in _PASSED_OVER:
        return True
    for at in range(place, max(0, place - DENIAL_REACH), -1):
        if opens[at]:
            return False
        if keys[at - 1] in _DENIALS and keys[at] not in _AFFIRMED:
            return True
    return False


def _is_called_false(place: int, read: _Read) -> bool:
    """Whether what stands before is called false: "... is wrong"."""
    keys, opens = read
    is_there = place + 1 < len(keys) and not opens[place] and not opens[place + 1]
    return is_there and keys[place] in _AUXILIARIES and keys[place + 1] in _FALSE


def _is_denied_behind(place: int, read: _Read) -> bool:
    keys, opens = read
    if place >= len(keys) or opens[place]:
        return False
    if keys[place] in _AUXILIARIES and place + 1 < len(keys) and not opens[place + 1]:
        place += 1
    is_affirmed = place + 1 < len(keys) and keys[place + 1] in _AFFIRMED
    return keys[place] in (_CONTRACTED | {"not", "never", "cannot"}) and not is_affirmed


def _without_enumerations(text: str) -> str:
    """The text without lists of candidates."""
    pattern = _UNCAPPED_NAMES if text.islower() else _NAMES
    return pattern.sub(lambda found: " . " if _are_candidates(found.group()) else found[0], text)


def _are_candidates(text: str) -> bool:
    partings = [parting.lower() for parting in _PARTED.findall(text)]
    words = {word for parting in partings for word in parting.split()}
    return len(partings) >= (1 if "or" in words else 2 if "and" in words else 3)


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
