"""How analysts write the names of companies, and by which names a question can mean one.

Registers give names in capitals, with legal forms, share classes, states and shortened words
("CORNING INC /NY", "LAMB WESTON HLDGS INC"). Rules undo most of that; what no rule can know
(camel case, initials, surnames put first) stands in the tables of the vocabulary.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final
from unicodedata import combining, normalize

import pyarrow as pa

from finrag.records.vocabulary import read_vocabulary

SHORT_NAME_SCHEMA = pa.schema(
    [
        pa.field("cik_int", pa.int64(), nullable=False),
        pa.field("display_name", pa.string(), nullable=False),
        pa.field("possessive_name", pa.string(), nullable=False),
        pa.field("aliases", pa.list_(pa.string()), nullable=False),
    ]
)

MIN_FIRST_WORD_LETTERS = 5
MIN_TICKER_LETTERS = 2
# Registers cut names at this many characters, often inside the legal form.
CUT_LENGTHS = range(28, 31)


_VOCABULARY: Final = read_vocabulary(__file__)
LEGAL_FORMS = _VOCABULARY.words["legal_forms"]
SHARE_MARKS = _VOCABULARY.words["share_marks"]
SMALL_WORDS = _VOCABULARY.words["small_words"]
SHORT_WORDS = _VOCABULARY.words["short_words"]
SHORTENED_WORDS = _VOCABULARY.tables["shortened_words"]
KNOWN_WORDS = _VOCABULARY.tables["known_words"]
KNOWN_INITIALS = _VOCABULARY.words["known_initials"]
KNOWN_NAMES = _VOCABULARY.tables["known_names"]
WIDE_WORDS = _VOCABULARY.words["wide_words"]
GENERIC_WORDS = _VOCABULARY.words["generic_words"]
AMBIGUOUS_TICKERS = _VOCABULARY.words["ambiguous_tickers"]

_SPACES = re.compile(r"\s+")
_REGISTER_MARK = _VOCABULARY.pattern("register_mark", re.I)
# "INC-CL A", "CORP - CL B", "INC-A": what follows the hyphen is a class of shares.
_SHARE_HYPHEN = re.compile(r"\b(inc|corp|co|ltd|plc)\.? ?- ?(?=(?:cl|class|[a-c])\b)", re.I)
_PLACEHOLDER = re.compile(r"cik \d+", re.I)
_WORD = re.compile(r"[^\W_]+")


def display_name(legal_name: str) -> str:
    """The name as an analyst writes it: "EXXON MOBIL CORP" becomes "Exxon Mobil".

    Dropped are register marks ("/DE/"), share classes behind the legal form, the legal form
    itself ("Inc.", "& Co") and a leading "The". Names with lower-case letters keep their case;
    names in capitals are put in title case, except initials: words without vowels, of up to
    three letters (unless common words), with "&" between short parts, or in a table. Where only
    a word as wide as "Southern" would be left, the legal form stays ("Southern Company").

    Args:
        legal_name: the name in the register or in the filing.

    Returns:
        The short name, never empty: a name of nothing but a legal form is returned as it is.

    Raises:
        ValueError: the name is blank.
    """
    name = _SPACES.sub(" ", legal_name).strip()
    if not name:
        raise ValueError("a company's legal name is blank; give it a name or 'CIK <number>'.")
    if _PLACEHOLDER.fullmatch(name):
        return name
    words = _without_marks(name).split()
    core = _without_legal_form(words, len(name) in CUT_LENGTHS)
    if len(core) > 1 and core[0].lower() == "the":
        core = core[1:]
    known = KNOWN_NAMES.get(" ".join(core).upper())
    if known is not None:
        return known
    # "NIKE, Inc." may be spelt so on purpose, "ELI LILLY & Co" is a register's capitals.
    is_shouted = " ".join(core if len(core) > 1 else words).isupper()
    if not is_shouted:
        return " ".join(KNOWN_WORDS.get(word, word) if word.isupper() else word for word in core)
    # One short word with nothing behind it is a ticker that stands in for a name.
    if words == core and len(core) == 1 and len(core[0]) <= 4:
        return KNOWN_WORDS.get(core[0], core[0])
    return " ".join(_cased(core))


def possessive(name: str) -> str:
    """The name with its possessive ending.

    One style throughout: an apostrophe alone after a plain "s" ("Norvalith Instruments'"), "'s"
    after everything else, initials included ("Walmart's", "CVS's"); a name that is a possessive
    already stays ("McDonald's").

    Args:
        name: a company's name, not blank.
    """
    if name.endswith(("'s", "’s", "s'", "s’")):
        return name
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def aliases(legal_name: str, ticker: str | None = None) -> tuple[str, ...]:
    """The names by which a question can mean the company, to be matched with their case.

    In this order, without repeats: legal name, display name, first word of the display name where
    it is distinctive (five letters or more and not a word that many names begin with), ticker
    where it has two letters or more and is no common abbreviation.

    Args:
        legal_name: the name in the register or in the filing, not blank.
        ticker: the ticker; empty or None where there is none.
    """
    display = display_name(legal_name)
    names = [_SPACES.sub(" ", legal_name).strip(), display]
    first = display.split()[0].rstrip(",.")
    # "Amazon.com" is called Amazon, "Parker-Hannifin" is not called Parker.
    stem = first.partition(".")[0]
    letters = sum(letter.isalpha() for letter in stem)
    is_placeholder = _PLACEHOLDER.search(display) is not None
    if (
        letters >= MIN_FIRST_WORD_LETTERS
        and not is_placeholder
        and (stem.lower().removesuffix("'s") not in GENERIC_WORDS)
    ):
        names.append(stem)
    symbol = (ticker or "").strip().upper()
    if sum(c.isalpha() for c in symbol) >= MIN_TICKER_LETTERS and symbol not in AMBIGUOUS_TICKERS:
        names.append(symbol)
    return tuple(dict.fromkeys(names))


def spelled_in(name: str, texts: Iterable[str]) -> str:
    """A name in a register's letters as the company's own text spells it.

    "Coca Cola" is "Coca-Cola" there, "Daktronic" is "Daktronics", "Amrep" is "AMREP". Forms
    differ from the name by case, hyphens, accents and a last "s" only; the most frequent one
    counts, one in capitals only where the text has no other, and none that stands once.

    Args:
        name: a display name.
        texts: sentences of the company's filings.

    Returns:
        The name as it was where the text does not have it.
    """
    words = _WORD.findall(_without_accents(name))
    if not words or _PLACEHOLDER.search(name):
        return name
    pattern = re.compile(
        r"(?<![\w&-])" + r"(?: ?[&'’.-] ?| )?".join(map(re.escape, words)) + r"s?(?![\w&-])", re.I
    )
    counts: Counter[str] = Counter()
    for text in texts:
        bare = _without_accents(text)
        # Letters that are longer without their accents would shift the places.
        if len(bare) == len(text):
            counts.update(text[found.start() : found.end()] for found in pattern.finditer(bare))
    forms = {form: count for form, count in counts.items() if form[:1].isupper()}
    mixed = {form: count for form, count in forms.items() if not form.isupper()}
    if not mixed and len(words) == 1:
        mixed = forms
    best = max(mixed, key=lambda form: (mixed[form], form), default=name)
    return best.replace("’", "'") if mixed.get(best, 0) > 1 else name


def shorten_names(
    companies: pa.Table, filed: pa.Table | None = None, sentences: pa.Table | None = None
) -> pa.Table:
    """Display names, possessives and aliases, unambiguous within one corpus.

    A register's capitals are spelled as the company's own sentences spell the name. Two
    companies with one display name (compared without case and punctuation) both keep their
    legal names; where those are alike too, " (CIK n)" is added. An alias of two companies is
    dropped from both; a display name is nobody else's alias, so it stays with its owner.

    Args:
        companies: ``cik_int``, ``company_name`` and ``ticker`` (null or empty where unknown),
            one row per company.
        filed: ``cik_int`` and ``company_name``: further names under which it filed; each is an
            alias, and so is its short form.
        sentences: ``cik_int`` and ``sentence_text``: where its name is looked for.

    Returns:
        A table under ``SHORT_NAME_SCHEMA``, ordered by cik_int; every display name is also the
        first of its company's aliases. No companies give no rows.

    Raises:
        ValueError: a CIK is repeated or a name is blank or missing.
    """
    rows = sorted(
        companies.select(["cik_int", "company_name", "ticker"]).to_pylist(),
        key=lambda row: int(row["cik_int"]),
    )
    legal: dict[int, str] = {}
    for row in rows:
        cik, name = int(row["cik_int"]), row["company_name"]
        if cik in legal:
            raise ValueError(f"company {cik} is there twice; give each CIK one row.")
        if not (name or "").strip():
            raise ValueError(f"company {cik} has no name; give it one or 'CIK {cik}'.")
        legal[cik] = _SPACES.sub(" ", name).strip()
    displays = _unique_displays(legal, _texts_by_company(sentences, "sentence_text"))
    others = _texts_by_company(filed, "company_name")
    called = {
        cik: _called(legal[cik], displays[cik], row["ticker"], others.get(cik, ()))
        for row in rows
        for cik in [int(row["cik_int"])]
    }
    unshared = _unshared(called, displays)
    return pa.Table.from_pydict(
        {
            "cik_int": list(displays),
            "display_name": list(displays.values()),
            "possessive_name": [possessive(name) for name in displays.values()],
            "aliases": [unshared[cik] for cik in displays],
        },
        schema=SHORT_NAME_SCHEMA,
    )


def _name_key(name: str) -> str:
    """Letters and digits in lower case: names that differ in nothing else look alike."""
    return " ".join(_WORD.findall(name.casefold()))


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    return "".join(c for c in normalize("NFKD", text) if not combining(c))


def _texts_by_company(table: pa.Table | None, column: str) -> dict[int, list[str]]:
    texts: dict[int, list[str]] = {}
    for row in table.select(["cik_int", column]).to_pylist() if table is not None else ():
        if (row[column] or "").strip():
            texts.setdefault(int(row["cik_int"]), []).append(row[column])
    return texts


def _called(
    legal_name: str, display: str, ticker: str | None, filed: Iterable[str]
) -> tuple[str, ...]:
    """All names of a company: as registered, as spelled in its text, as filed."""
    names = [display, *aliases(legal_name, ticker)]
    for name in sorted(set(filed)):
        names += [_SPACES.sub(" ", name).strip(), display_name(name)]
    return tuple(dict.fromkeys(names))


def _unique_displays(
    legal: Mapping[int, str], texts: Mapping[int, Sequence[str]]
) -> dict[int, str]:
    names = {cik: display_name(name) for cik, name in legal.items()}
    names = {
        cik: spelled_in(name, texts.get(cik, ())) if legal[cik].isupper() else name
        for cik, name in names.items()
    }
    # A legal name taken up can meet another's display name: hence the second pass.
    for fallback in (legal, {cik: f"{name} (CIK {cik})" for cik, name in legal.items()}):
        counts = Counter(_name_key(name) for name in names.values())
        names = {
            cik: fallback[cik] if counts[_name_key(name)] > 1 else name
            for cik, name in names.items()
        }
    return names


def _unshared(
    called: Mapping[int, Sequence[str]], displays: Mapping[int, str]
) -> dict[int, list[str]]:
    owners = {_name_key(name): cik for cik, name in displays.items()}
    counts = Counter(key for names in called.values() for key in {_name_key(n) for n in names})
    return {
        cik: list(
            dict.fromkeys(
                [displays[cik]]
                + [
                    name
                    for name in names
                    if owners.get(_name_key(name), cik) == cik
                    and (counts[_name_key(name)] == 1 or _name_key(name) in owners)
                ]
            )
        )
        for cik, names in called.items()
    }


def _without_marks(name: str) -> str:
    """The name without register marks, commas and a hyphen before a share class."""
    bare = _REGISTER_MARK.sub("", name)
    bare = _SHARE_HYPHEN.sub(r"\1 ", bare)
    bare = _SPACES.sub(" ", bare.replace(",", " ")).strip()
    return bare or name


def _is_legal_form(word: str) -> bool:
    return word.replace(".", "").lower() in LEGAL_FORMS


def _without_legal_form(words: Sequence[str], is_cut: bool) -> list[str]:
    core = _without_share_marks(words)
    if is_cut and len(core) > 2 and _is_cut_form(core[-1]):
        core = core[:-1]
    end = len(core)
    while end > 1 and _is_legal_form(core[end - 1]):
        end -= 1
        if end > 1 and core[end - 1].lower() in {"&", "and"}:
            end -= 1
    stripped = core[:end]
    if len(stripped) == 1 and len(core) > 1 and stripped[0].lower() in WIDE_WORDS:
        form = core[1].rstrip(".")
        return [stripped[0], {"CO": "COMPANY", "Co": "Company"}.get(form, form)]
    return stripped


def _without_share_marks(words: Sequence[str]) -> list[str]:
    """Cuts a tail of share marks if a legal form stands before it, or if it names a class."""
    end = len(words)
    while end > 1 and words[end - 1].lower().rstrip(".") in SHARE_MARKS:
        end -= 1
    tail = [word.lower() for word in words[end:]]
    names_class = bool(tail) and tail[0] in {"class", "cl", "series", "ser"}
    if tail and (_is_legal_form(words[end - 1]) or names_class):
        return list(words[:end])
    return list(words)


def _is_cut_form(word: str) -> bool:
    lower = word.lower()
    return lower == "in" or (len(lower) >= 4 and "corporation".startswith(lower))


def _cased(words: Iterable[str]) -> list[str]:
    """Words in capitals to title case; "COM" joins the word before it."""
    cased: list[str] = []
    for word in words:
        if word == "COM" and cased:
            cased[-1] += ".com"
        elif cased and word.lower() in SMALL_WORDS:
            cased.append(word.lower())
        else:
            cased.append("-".join(_cased_word(part) for part in word.split("-")))
    return cased


def _cased_word(word: str) -> str:
    known = SHORTENED_WORDS.get(word) or KNOWN_WORDS.get(word)
    if known is not None:
        return known
    if "/" in word:
        return "/".join(_cased_word(part) for part in word.split("/"))
    if "&" in word:
        parts = word.split("&")
        return word if max(map(len, parts)) <= 3 else "&".join(map(_cased_word, parts))
    if "." in word.rstrip("."):
        # "AMAZON.COM" is a word with an ending, "U.S." is not.
        head, _, ending = word.rpartition(".")
        return word if len(head) < 3 or not ending else f"{_cased_word(head)}.{ending.lower()}"
    return word if _is_initials(word) else _title(word)


def _is_initials(word: str) -> bool:
    letters = [letter for letter in word.lower() if letter.isalpha()]
    if word in KNOWN_INITIALS or not letters or re.fullmatch(r"[IVX]+", word):
        return True
    if any(letter.isdigit() for letter in word):
        return re.fullmatch(r"\d+(?:ST|ND|RD|TH)", word) is None
    if not any(letter in "aeiouy" for letter in letters):
        return word.lower() not in SHORT_WORDS
    return len(letters) <= 3 and word.isalpha() and word.lower() not in SHORT_WORDS


def _title(word: str) -> str:
    """First letter and the one after "O'" or "Mc" in capitals, the rest not."""
    lower = word.lower()
    if len(lower) > 5 and lower.startswith("mc"):
        return f"Mc{lower[2:].capitalize()}"
    head, apostrophe, rest = lower.partition("'")
    if apostrophe and len(head) == 1:
        return f"{head.upper()}'{rest.capitalize()}"
    start = next((i for i, letter in enumerate(lower) if letter.isalnum()), 0)
    return f"{lower[:start]}{lower[start : start + 1].upper()}{lower[start + 1 :]}"
