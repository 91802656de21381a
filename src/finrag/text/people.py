"""Names of people: their words, whether two are one person's, where a text has one."""

import re
import unicodedata
from typing import Final

from finrag.records.vocabulary import read_vocabulary

_VOCABULARY: Final = read_vocabulary(__file__)
TITLES: Final = _VOCABULARY.words["titles"]
_SUFFIXES: Final = frozenset(["jr", "sr", "ii", "iii", "iv", "phd", "md", "cfa", "cpa", "mba"])
_NAMELESS = _VOCABULARY.pattern("nameless")


def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a person's name, in the order first to last, lower-case.

    Accents, dots, titles and suffixes ("Dr.", "Jr.") are dropped; "Lee, Ann" is turned round. A
    name that is nothing but a title keeps it. Nicknames are not resolved.
    """
    plain = unicodedata.normalize("NFKD", name)
    plain = "".join(char for char in plain if not unicodedata.combining(char)).casefold()
    first, comma, rest = plain.partition(",")
    if comma and _words(rest) and not set(_words(rest)) <= _SUFFIXES:
        plain = f"{rest} {first}"
    words = _words(plain)
    proper = [word for word in words if word not in TITLES]
    while len(proper) > 2 and proper[-1] in _SUFFIXES:
        proper.pop()
    return tuple(proper or words)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text.replace("’", "'"))


def is_nameless(name: str | None) -> bool:
    """Tell whether a label names no person: null, blank, "Speaker 4", "Operator"."""
    return _NAMELESS.fullmatch(" ".join(_words((name or "").casefold()))) is not None


def same_person(left: str, right: str) -> bool:
    """Tell whether two names can be one person's.

    First and last names agree, an initial with the name that begins with it; middle names agree
    where both have them. A single word agrees with nothing but that single word: "Lee" is
    not "Ann Lee"; nor do initials alone name anyone but themselves.
    """
    one, two = name_words(left), name_words(right)
    if len(one) < 2 or len(two) < 2:
        return bool(one) and one == two
    if not (_agree(one[0], two[0]) and _agree(one[-1], two[-1])):
        return False
    if min(len(one[0]), len(two[0])) == 1 and min(len(one[-1]), len(two[-1])) == 1:
        return one == two
    middles = zip(one[1:-1], two[1:-1], strict=False)
    return all(_agree(first, second) for first, second in middles)


def _agree(left: str, right: str) -> bool:
    if 1 in (len(left), len(right)):
        return left[0] == right[0]
    return left == right


def place_of(name: str, answer: str) -> int | None:
    """Return where free text names a person, null where it does not.

    First and last name must stand there, with at most two middle names between, or turned round
    behind a comma; a single-word name stands for itself.
    """
    words = [re.escape(word) for word in name_words(name)]
    if not words:
        return None
    text = answer.replace("’", "'")
    if len(words) == 1:
        patterns = [rf"\b{words[0]}\b"]
    else:
        first, last = (f"{word}\\.?" if len(word) == 1 else word for word in (words[0], words[-1]))
        middle = r"(?:[^\W\d_]+\.? ){0,2}"
        patterns = [rf"\b{first} {middle}{last}(?!\w)", rf"\b{last}, {first}(?!\w)"]
    found = [match.start() for pattern in patterns if (match := re.search(pattern, text, re.I))]
    return min(found, default=None)
