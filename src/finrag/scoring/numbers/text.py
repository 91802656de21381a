"""Answers made plain before their figures are read: signs, spaces, scales as a reader takes them.

Filings print figures in few ways, and ``finrag.text.numbers`` reads those. Answers are typed by
models and people: with minus signs of many shapes, spaces, points or apostrophes between
thousands, "1.5B" and "12.5k", halves, exponents. Each becomes here what a filing would print.
Offsets move, so what is read afterwards points into the plain text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Final

from finrag.records.vocabulary import read_vocabulary

# Hyphens and minus signs; wide spaces; what is not seen; marks of layout.
_FOLDED: Final = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2212\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2007\u2008\u2009\u200a\u202f", "\u202f"),
        **dict.fromkeys("\u200b\u200c\u200d\ufeff\u00ad`", ""),
        "\uff05": "%",
        "\uff04": "$",
    }
)
# Beyond what a double holds.
_MAX_EXPONENT: Final = 400
_FRACTION: Final = {"½": ".5", "¼": ".25", "¾": ".75"}
_VOCABULARY: Final = read_vocabulary(__file__)


def _joined(match: re.Match[str]) -> str:
    return re.sub(r"[ \u202f.'’]", ",", match.group())


def _written_out(match: re.Match[str]) -> str:
    value = Decimal(match.group())
    return f"{value:,f}" if abs(value.adjusted()) <= _MAX_EXPONENT else "a figure beyond all others"


_MARKUP: Final = (("**", ""), ("\\$", "$"), ("\\%", "%"))
_MINUS_FIRST: Final = _VOCABULARY.pattern("minus_first")
_WORDS_OF_SCALE: Final = {"k": "thousand", "m": "million", "b": "billion"}


def _scaled(match: re.Match[str]) -> str:
    return f"{match.group(1)} {_WORDS_OF_SCALE[match.group(2)[0].lower()]}"


def _per_mille(match: re.Match[str]) -> str:
    return f"{float(match.group(1).replace(',', '')) * 10:.12g} basis points"


_SMALL: Final = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBERS: Final = {
    **{word: place for place, word in enumerate(_SMALL, start=1)},
    **{word: 10 * place for place, word in enumerate(_TENS, start=2)},
}
_SPELLED_OUT: Final = _VOCABULARY.pattern("spelled_out")
_SPELLED_ALONE: Final = _VOCABULARY.pattern("spelled_alone")


def _in_digits(match: re.Match[str]) -> str:
    return str(sum(_NUMBERS[word.lower()] for word in match.groups() if word))


# In order; each costs one pass, and only where its first column occurs in the text.
_RULES: Final[tuple[tuple[str, re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]] = (
    ("{,}", re.compile(r"\{,\}"), ","),
    ("\\", _VOCABULARY.pattern("latex_words"), r"\1"),
    ("boxed", _VOCABULARY.pattern("latex_boxed"), r"\nFinal answer: \1\n"),
    ("\\", _VOCABULARY.pattern("latex_rest"), " "),
    ("\u202f", _VOCABULARY.pattern("thin_spaces"), _joined),
    (" ", _VOCABULARY.pattern("spaces_after_sign"), _joined),
    (" ", _VOCABULARY.pattern("spaces_alone"), _joined),
    ("'", _VOCABULARY.pattern("apostrophes"), _joined),
    ("’", _VOCABULARY.pattern("curly_apostrophes"), _joined),
    (".", _VOCABULARY.pattern("points"), _joined),
    (",", _VOCABULARY.pattern("decimal_comma"), r"\1.\2"),
    ("e", _VOCABULARY.pattern("exponent"), _written_out),
    ("", _VOCABULARY.pattern("letter_of_scale"), _scaled),
    (":", _VOCABULARY.pattern("ratio"), r"\1 to 1"),
    ("p", _VOCABULARY.pattern("points_of_percent"), " percentage points"),
    ("pct", _VOCABULARY.pattern("pct"), " percent"),
    ("‰", _VOCABULARY.pattern("per_mille"), _per_mille),
    ("(", _VOCABULARY.pattern("lone_brackets"), r"\1-\2"),
    (".", _VOCABULARY.pattern("lone_stop"), r"\1"),
    ("", _VOCABULARY.pattern("minus_apart"), r"\1-"),
)


def plain(text: str) -> str:
    """Make an answer plain.

    Args:
        text: Untrusted; read in time linear in its length.

    Returns:
        The text as a filing would print its figures; other words stay as they are.
    """
    out = text.translate(_FOLDED)
    for mark, bare in _MARKUP:
        out = out.replace(mark, bare)
    if "\n-" not in out:
        # Else it is the mark of a list.
        out = _MINUS_FIRST.sub(r"\1-", out)
    if not out.isascii():
        for sign, decimals in _FRACTION.items():
            if sign in out:
                out = re.sub(rf"(?<=\d) ?{sign}", decimals, out).replace(sign, "0" + decimals)
    has_digits = any(map(str.isdigit, out))
    out = (_SPELLED_OUT if has_digits else _SPELLED_ALONE).sub(_in_digits, out)
    lower = out.lower()
    for needs, pattern, into in _RULES:
        if needs in lower:
            out = pattern.sub(into, out)
    return out.replace("\u202f", " ")
