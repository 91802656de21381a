"""Answers made plain before their figures are read: signs, spaces, scales as a reader takes them.

Filings print figures in few ways, and ``finrag.text.numbers`` reads those. Answers are typed by
models and people: with minus signs of many shapes, spaces, points or apostrophes between
thousands, "1.5B" and "12.5k", halves, exponents. Each becomes here what a filing would print.
Offsets move, so what is read afterwards points into the plain text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

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
_FRACTION: Final = {"½": ".5", "¼": ".25", "¾": ".75"}
_SIGNS: Final = r"(?:us ?)?[$€£¥]|usd |eur |gbp "
_NUMBER: Final = r"\d{1,18}(?:,\d{3}){0,6}(?:\.\d{1,18})?"
_LEADS: Final = r"\b(?:was|were|is|are|of|to|by|at|total(?:ed|s)|about|approximately)"


def _joined(match: re.Match[str]) -> str:
    return re.sub(r"[ \u202f.'’]", ",", match.group())


def _whole(match: re.Match[str]) -> str:
    return f"{float(match.group()):,.0f}"


_MARKUP: Final = (("**", ""), ("\\$", "$"), ("\\%", "%"))
_MINUS_FIRST: Final = re.compile(rf"(?i)(\A[ \"']{{0,3}})[-–—] {{0,2}}(?=(?:{_SIGNS})? ?\d)")
_WORDS_OF_SCALE: Final = {"k": "thousand", "m": "million", "b": "billion"}


def _scaled(match: re.Match[str]) -> str:
    return f"{match.group(1)} {_WORDS_OF_SCALE[match.group(2)[0].lower()]}"


def _per_mille(match: re.Match[str]) -> str:
    return f"{float(match.group(1).replace(',', '')) * 10:.12g} basis points"


# In order; each costs one pass, and only where its first column occurs in the text.
_RULES: Final[tuple[tuple[str, re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]] = (
    # "$1 577 million" with thin spaces anywhere, with plain ones after a currency or alone.
    ("\u202f", re.compile(r"(?<![\d.,])\d{1,3}(?:\u202f\d{3})+(?!\d)"), _joined),
    (" ", re.compile(r"(?i)(?<=[$€£¥])\d{1,3}(?: \d{3})+(?!\d)"), _joined),
    (" ", re.compile(r"\A[ (-]{0,3}\d{1,3}(?: \d{3})+(?!\d)"), _joined),
    ("'", re.compile(r"(?<![\d.,])\d{1,3}(?:'\d{3})+(?!\d)"), _joined),
    ("’", re.compile(r"(?<![\d.,])\d{1,3}(?:’\d{3})+(?!\d)"), _joined),
    (".", re.compile(r"(?<![\d.,])\d{1,3}(?:\.\d{3}){2,6}(?![\d.]\d)"), _joined),
    # "12,0%", "3,2 billion"
    (
        ",",
        re.compile(
            r"(?i)(?<![\d.,])(\d{1,18}),(\d{1,2})(?= ?(?:%|per ?cent|(?:m|b|tr)illion|bn\b|mn\b))"
        ),
        r"\1.\2",
    ),
    ("e", re.compile(r"(?i)(?<![\w.,])\d{1,9}(?:\.\d{1,9})?e\+?\d\d?(?!\w)"), _whole),
    # "1.577B", "1577 mn"; not "3M", "10-K", "401k".
    (
        "",
        re.compile(
            r"(?i)(?<![\w.,$€£¥-])(?!(?:[138]|10|20|401) ?[mk]\b)"
            r"(\d{1,18}(?:,\d{3}){0,6}(?:\.\d{1,18})?) ?(bn|mn|mm|[bmk])\b"
        ),
        _scaled,
    ),
    (":", re.compile(r"(?<![\d.:])(\d{1,6}\.\d{1,6}) ?: ?1(?:\.0{1,2})?(?![\d.:])"), r"\1 to 1"),
    (
        "p",
        re.compile(r"(?i)(?<=\d) ?(?:pp|ppts?|p\.p\.|pct\.? points)(?!\w)"),
        " percentage points",
    ),
    ("pct", re.compile(r"(?i)(?<=\d) ?pct\b\.?"), " percent"),
    ("‰", re.compile(rf"({_NUMBER}) ?‰"), _per_mille),
    # "Revenue was - $5 million"
    (
        "",
        re.compile(
            rf"(?i)([:=(|] {{0,3}}|{_LEADS} {{1,3}})[-–—] {{0,2}}"
            rf"(?=(?:{_SIGNS})?[ ]?\d)"
        ),
        r"\1-",
    ),
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
    lower = out.lower()
    for needs, pattern, into in _RULES:
        if needs in lower:
            out = pattern.sub(into, out)
    return out.replace("\u202f", " ")
