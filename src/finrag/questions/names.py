"""Which companies a question names: by name, possessive, former name, ticker or number.

A name is looked up by its letters only, so that "Coca Cola" and "J. P. Morgan" find "Coca-Cola"
and "J.P. Morgan"; at each word the longest name wins. Whether the case must be right depends on
the name: "tessimar" can mean nothing else, "target" can. Text is never made a pattern, so a name
full of regex characters is a name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from finrag.questions.texts import Word, plain_text, words_of
from finrag.records.vocabulary import read_vocabulary
from finrag.text.company_names import (
    AMBIGUOUS_TICKERS,
    GENERIC_WORDS,
    LEGAL_FORMS,
    SMALL_WORDS,
    aliases,
)
from finrag.text.numbers import word_set

MAX_NAME_WORDS: Final = 12
MIN_NAME_LETTERS: Final = 2
MIN_LOWER_TICKER: Final = 4
# A shorter word is too like others to be read where it is misspelt.
MIN_NEAR_LETTERS: Final = 5


_VOCABULARY: Final = read_vocabulary(__file__)
EVERYDAY_WORDS: Final = _VOCABULARY.words["everyday_words"]
FINANCE_SHORTHAND: Final = _VOCABULARY.words["finance_shorthand"]
_PAIR_SHORTHAND: Final = word_set("d&a g&a m&a o&m p&l q&a r&d s&p t&e")

_GAP: Final = re.compile(r"[ .,&/()-]{0,3}")
_EXCHANGE: Final = re.compile(r"(?:nyse|nasdaq|ticker|symbol)[a-z ]{0,12}:? ?\$?$", re.IGNORECASE)
_SYMBOL: Final = re.compile(r"[A-Za-z]{1,5}(?:[.-][A-Za-z])?")
_PLACEHOLDER: Final = re.compile(r"CIK [0-9]+")
_LIKE_A_WORD: Final = _VOCABULARY.pattern("like_a_word")
_NO_WORD_END: Final = frozenset("&+@_")
_NO_WORD_START: Final = _NO_WORD_END | frozenset("$€£¥")


@dataclass(frozen=True, slots=True)
class Mention:
    """One company named in a text: ``text[start:end]``, possessive and legal form included."""

    start: int
    end: int
    cik_int: int
    is_possessive: bool


@dataclass(frozen=True, slots=True)
class _Name:
    cik_int: int
    kind: str
    written: str


@dataclass(frozen=True)
class NameBook:
    """Every name of every company of a corpus, by its letters.

    Attributes:
        names: what each string of letters and digits stands for.
        symbols: companies by ticker, ambiguous ones included: for "$F" and "NYSE: F".
        beginnings: whatever a name begins with: no more words are tried once it does not.
        words: every word of a name.
        near: words that are long enough to be known misspelt, by their first letter and by their
            second, which comes first where two are swapped or one is left out.
    """

    names: Mapping[str, _Name]
    symbols: Mapping[str, int]
    beginnings: frozenset[str]
    words: frozenset[str]
    near: Mapping[str, Sequence[str]]


def name_book(
    companies: Iterable[Mapping[str, Any]], filings: Iterable[Mapping[str, Any]]
) -> NameBook:
    """Collects the names of a corpus.

    A name that two companies share means the one with more filings, and nobody if they have as
    many. A better kind of name keeps its owner: an alias before what the legal name or a former
    name is shortened to, that before a shortened one ("Averinth Freight" for "Averinth Freight
    Systems") and a pair's initials ("N&T" and "NnT" for "Norvalith & Tessimar").

    Args:
        companies: rows of ``cik_int``, ``company_name``, ``display_name``, ``possessive_name``,
            ``aliases`` and ``ticker``; anything but the first may be null.
        filings: rows of ``cik_int`` and, where known, ``company_name`` as of the filing.

    Raises:
        ValueError: a company is there twice, or has no number.
    """
    tiers: list[dict[str, dict[int, _Name]]] = [defaultdict(dict) for _ in range(4)]
    symbols: dict[str, set[int]] = defaultdict(set)
    filing_rows = list(filings)
    n_filings = Counter(row["cik_int"] for row in filing_rows)
    former = _former_names(filing_rows)
    seen: set[int] = set()
    words: set[str] = set()
    for row in companies:
        cik = row["cik_int"]
        if cik is None or cik in seen:
            raise ValueError(f"company {cik} is there twice or has no number; give it one row.")
        seen.add(cik)
        ticker = (row["ticker"] or "").strip().upper()
        if ticker:
            symbols[_letters(ticker)].add(cik)
        for tier, name in _names(row, ticker, former.get(cik, ())):
            keys = _keys(name.written)
            words.update(keys)
            key = "".join(keys)
            if len(key) >= MIN_NAME_LETTERS:
                tiers[tier][key].setdefault(cik, name)
    names: dict[str, _Name] = {}
    for tier_names in tiers:
        for key, owners in tier_names.items():
            owner = _owner(owners, n_filings)
            if owner is not None:
                names.setdefault(key, owners[owner])
    taken = {ticker: min(ciks) for ticker, ciks in symbols.items() if len(ciks) == 1}
    beginnings = frozenset(name[:end] for name in names for end in range(1, len(name) + 1))
    return NameBook(names, taken, beginnings, frozenset(words), _near(words))


def _owner(ciks: Iterable[int], n_filings: Mapping[int, int]) -> int | None:
    """Whose a shared name is: the company's with most filings, nobody's if two have as many."""
    ranked = sorted(ciks, key=lambda cik: (-n_filings.get(cik, 0), cik))
    if len(ranked) > 1 and n_filings.get(ranked[0], 0) == n_filings.get(ranked[1], 0):
        return None
    return ranked[0]


def find_companies(text: str, words: Sequence[Word], book: NameBook) -> list[Mention]:
    """The companies that a plain text names, in text order; none overlap.

    Args:
        text: a plain text (see ``plain_text``).
        words: its words.
        book: the names of the corpus.
    """
    found: list[Mention] = []
    case = case_of(text, words)
    place = 0
    while place < len(words):
        mention, n_words = mention_at(text, words, place, book, case)
        if mention is not None:
            found.append(mention)
        place += n_words
    return found


def _names(
    row: Mapping[str, Any], ticker: str, former: Iterable[str]
) -> Iterator[tuple[int, _Name]]:
    """Names of a company with the tier they stand in, 0 the best."""
    cik = int(row["cik_int"])
    own = [row["display_name"], row["company_name"], *(row["aliases"] or ())]
    for written in dict.fromkeys(plain_text(name) for name in own if name):
        is_ticker = written == ticker and written not in (row["display_name"], row["company_name"])
        if is_ticker and (ticker in FINANCE_SHORTHAND or ticker in AMBIGUOUS_TICKERS):
            continue
        yield 0, _Name(cik, "ticker" if is_ticker else _kind(written), written)
    yield 0, _Name(cik, "name", f"CIK {cik}")
    yield 0, _Name(cik, "name", f"CIK {cik:010d}")
    legal = plain_text(row["company_name"])
    for name in dict.fromkeys([*(aliases(legal) if legal else ()), *former]):
        yield 1, _Name(cik, _kind(name), name)
    display = plain_text(row["display_name"])
    if display and not _PLACEHOLDER.search(display):
        for shortened in _prefixes(display):
            yield 2, _Name(cik, "cased", shortened)
        for initials in _pair_initials(display):
            yield 3, _Name(cik, "cased", initials)


def _former_names(filings: Iterable[Mapping[str, Any]]) -> dict[int, list[str]]:
    """Names of each company in its own filings: legal, short and first word."""
    names: dict[int, dict[str, None]] = defaultdict(dict)
    for row in filings:
        name = plain_text(row.get("company_name"))
        if row["cik_int"] is not None and name:
            names[row["cik_int"]].update(dict.fromkeys(aliases(name)))
    return {cik: sorted(found) for cik, found in names.items()}


def _keys(name: str) -> list[str]:
    return [word.key for word in words_of(plain_text(name))]


def _letters(name: str) -> str:
    return "".join(_keys(name))


def _near(words: Iterable[str]) -> dict[str, list[str]]:
    near: dict[str, list[str]] = defaultdict(list)
    for word in sorted(words):
        if len(word) >= MIN_NEAR_LETTERS and word.isalpha():
            for letter in {word[0], word[1]}:
                near[letter].append(word)
    return near


def _kind(written: str) -> str:
    """How to recognise a name: by its case ("everyday", "initials") or by itself ("name")."""
    keys = [word.stem for word in words_of(written)]
    plain = EVERYDAY_WORDS | GENERIC_WORDS | SMALL_WORDS
    if all(key in plain for key in keys) and "and" not in keys[1:-1]:
        return "everyday" if len(keys) == 1 else "everyday_words"
    if len(keys) == 1 and (written[0].isdigit() or len(keys[0]) < 3):
        return "cased"
    return "name"


def _prefixes(display: str) -> Iterator[str]:
    """Beginnings of a name, of two words or more, that are no mere figure of speech."""
    parts = display.split()
    for end in range(2, len(parts)):
        head = parts[:end]
        keys = [word.stem for word in words_of(" ".join(head))]
        tells = [k for k in keys if k not in GENERIC_WORDS | SMALL_WORDS and len(k) >= 4]
        if tells and parts[end - 1].isalpha() and parts[end - 1].lower() not in SMALL_WORDS:
            yield " ".join(head)


def _pair_initials(display: str) -> Iterator[str]:
    parts = display.replace(" and ", " & ").split(" ")
    if len(parts) == 3 and parts[1] == "&" and parts[0][0].isalpha() and parts[2][0].isalpha():
        first, second = parts[0][0].upper(), parts[2][0].upper()
        if f"{first}&{second}".lower() not in _PAIR_SHORTHAND:
            yield from (f"{first}&{second}", f"{first}n{second}")


def case_of(text: str, words: Sequence[Word]) -> str:
    """How a text uses capitals: "shouted" (no small letter), "lazy" (no capitals), "usual"."""
    if not any(map(str.islower, text)):
        return "shouted"
    if any(word.text[0].isupper() and not word.text.isupper() for word in words[1:]):
        return "usual"
    return "lazy"


def mention_at(
    text: str, words: Sequence[Word], place: int, book: NameBook, case: str
) -> tuple[Mention | None, int]:
    """The longest name that begins at a word, and how many words to go on."""
    first = words[place]
    symbol = _symbol_at(text, first, book)
    if symbol is not None:
        inside = [word for word in words[place : place + 2] if word.start < symbol.end]
        return symbol, max(len(inside), 1)
    best: tuple[Mention | None, int] = (None, 1)
    joined = ""
    for offset, word in enumerate(words[place : place + MAX_NAME_WORDS]):
        if joined + word.stem not in book.beginnings or not _goes_on(text, words, place, offset):
            break
        for ending in dict.fromkeys((word.key, word.stem)):
            name = book.names.get(joined + ending)
            if name is None:
                continue
            span = words[place : place + offset + 1]
            owned = ending != word.key or word.text.endswith("'")
            if _is_name_here(name, text, span, owned, case, words[place - 1] if place else None):
                best = _with_form(text, words, place, offset, name, owned)
                break
        joined += word.key
    return best


def _goes_on(text: str, words: Sequence[Word], place: int, offset: int) -> bool:
    if offset == 0:
        return True
    gap = text[words[place + offset - 1].end : words[place + offset].start]
    if _GAP.fullmatch(gap) is None:
        return False
    return "," not in gap or words[place + offset].key in LEGAL_FORMS


def _with_form(
    text: str, words: Sequence[Word], place: int, offset: int, name: _Name, owned: bool
) -> tuple[Mention, int]:
    """The mention with a legal form behind it ("Norvalith, Inc.'s")."""
    last = place + offset
    while not owned and last + 1 < len(words) and words[last + 1].stem in LEGAL_FORMS:
        following = words[last + 1]
        if not following.text[0].isupper() or not _goes_on(text, words, place, last + 1 - place):
            break
        last, owned = last + 1, following.is_possessive
    mention = Mention(words[place].start, words[last].end, name.cik_int, owned)
    return mention, last - place + 1


def _symbol_at(text: str, word: Word, book: NameBook) -> Mention | None:
    """A ticker behind a dollar sign or the name of an exchange."""
    has_dollar = text[max(0, word.start - 1) : word.start] == "$"
    may_follow = word.text[0].isupper() and len(word.text) <= 7
    if not has_dollar and not (
        may_follow and _EXCHANGE.search(text, max(0, word.start - 24), word.start)
    ):
        return None
    found = _SYMBOL.match(text, word.start)
    if found is None or not (has_dollar or found[0].isupper()):
        return None
    for raw in dict.fromkeys((found[0], re.split(r"[.-]", found[0])[0])):
        end = word.start + len(raw)
        if not text[end : end + 1].isalnum() and _letters(raw.upper()) in book.symbols:
            owned = text[end : end + 2].lower() == "'s"
            return Mention(
                word.start - has_dollar,
                end + 2 * owned,
                book.symbols[_letters(raw.upper())],
                owned,
            )
    return None


def _is_name_here(  # noqa: PLR0911 - a cascade of reasons for and against
    name: _Name,
    text: str,
    span: Sequence[Word],
    owned: bool,
    case: str,
    before: Word | None,
) -> bool:
    first, last = span[0], span[-1]
    follows_auxiliary = before is not None and before.key in {"did", "does", "has", "at"}
    if first.start and text[first.start - 1] in _NO_WORD_START:
        return False
    if last.end < len(text) and text[last.end] in _NO_WORD_END:
        return False
    if name.kind == "name":
        return True
    raw = text[first.start : last.end].removesuffix("'s")
    if name.kind == "ticker":
        if len(span) > 1 and "." not in name.written and "-" not in name.written:
            return False
        # "JnJ" for JNJ, but not "Low" for LOW.
        if raw.isupper() or (raw[0].isupper() and sum(map(str.isupper, raw)) > 1):
            return case != "shouted" or len(raw) >= MIN_LOWER_TICKER
        if not raw.islower() or len(raw) < MIN_LOWER_TICKER:
            return False
        # "ostm" is no word of any language, "site" is.
        return _LIKE_A_WORD.fullmatch(raw) is None or (case != "usual" and follows_auxiliary)
    is_capital = all(
        word.text[0].isupper() or not word.text[0].isalpha() or word.key in SMALL_WORDS
        for word in span
    )
    if is_capital and case != "shouted":
        return name.kind != "cased" or raw.isupper() or not name.written.isupper()
    # Without capitals to go by, an everyday word is a name where only a name can stand.
    if name.kind == "everyday_words":
        return owned or case != "usual" or follows_auxiliary
    return owned or (case != "usual" and follows_auxiliary)
