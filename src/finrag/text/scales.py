"""The scales that statements give to bare numbers, and the measure that each is said of."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from finrag.records.vocabulary import read_vocabulary

_VOCABULARY: Final = read_vocabulary(__file__)
_SCALE_WORD: Final = _VOCABULARY.pattern("scale_word")
_SHARES_WORD: Final = _VOCABULARY.pattern("shares_word")
_EXCEPT_SHARES: Final = _VOCABULARY.pattern("except_shares")
_CLAUSE: Final = _VOCABULARY.pattern("clause")
_MONEY: Final = _VOCABULARY.pattern("money")
_THINGS_BEFORE: Final = _VOCABULARY.pattern("things_before")
_THINGS_BEHIND: Final = _VOCABULARY.pattern("things_behind")
_POWERS: Final = {"thousand": 3, "000": 3, "million": 6, "billion": 9}
_LONG: Final = 400

THINGS: Final = {name: _VOCABULARY.texts[name] for name in ("physical", "counted")}
"""Patterns of physical units, and of what is counted beside money and shares."""


class Scales(NamedTuple):
    """Powers of ten that a text states; null where it states none.

    Attributes:
        amounts: of amounts of money, and of what is counted in nothing else.
        shares: of shares.
        things: of what is neither, such as square feet or employees, where the text says so.
    """

    amounts: int | None
    shares: int | None
    things: int | None = None


@lru_cache(maxsize=4096)
def read_scales(text: str) -> Scales | None:
    """The scales that a header, a caption or a note in brackets states; null where none is.

    The first scale stated is that of amounts: "in millions, except shares in thousands".
    """
    # A statement stands at the start or the end of what is long.
    lower = (text if len(text) <= 2 * _LONG else text[:_LONG] + text[-_LONG:]).lower()
    # What the pattern looks for, sooner found.
    if "illions" not in lower and "thousands" not in lower and "000" not in lower:
        return None
    found: dict[str, int] = {}
    for match in _SCALE_WORD.finditer(lower):
        power = _POWERS[match[1] or match[2]]
        for measure in said_of(lower, *match.span()) or {"money"}:
            found.setdefault(measure, power)
    if not found:
        return None
    amounts = found.get("money")
    bare = 0 if _EXCEPT_SHARES.search(lower) else amounts
    return Scales(amounts, found.get("shares", bare), found.get("things"))


def said_of(lower: str, start: int, end: int) -> frozenset[str]:
    """The measures that the words around a scale say it is of.

    Args:
        lower: a statement in lower case.
        start: where its scale begins.
        end: where it ends.

    Returns:
        Some of money, shares and things; empty where the words name no measure, as in
        "(in thousands)".
    """
    clause, behind = _clause_before(lower, start), lower[end : end + _LONG]
    found = set()
    if _MONEY.search(clause):
        found.add("money")
    if _SHARES_WORD.search(clause) or behind.startswith(" of shares"):
        found.add("shares")
    if _THINGS_BEFORE.search(clause) or _THINGS_BEHIND.search(behind):
        found.add("things")
    return frozenset(found)


def names_money(text: str) -> bool:
    """Whether a text names a currency or shows the sign of one."""
    return _MONEY.search(text.lower()) is not None


def _clause_before(lower: str, end: int) -> str:
    start = 0
    for match in _CLAUSE.finditer(lower, 0, end):
        if not lower.startswith((" which", " that", "which"), match.end()):
            start = match.start()
    return lower[start:end]
