"""Conditions over the questions of gold, such as ``category = 'A' and year >= 2022``.

A condition is read here and never becomes SQL: it names columns, operators and plain values, and
nothing else is understood.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

# What a condition may name; of a list, one of its entries must fit.
TEXTS: Final = (
    "question_id",
    "question",
    "category",
    "difficulty",
    "answer_type",
    "scope",
    "company",
    "section",
)
NUMBERS: Final = ("year", "cik")
# Enough for a list of all ids of a large suite, short enough to be read at once.
MAX_LENGTH: Final = 1_000_000
_SHOWN: Final = 60
_MAX_DEPTH: Final = 50
_TOKEN: Final = re.compile(
    r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<number>-?\d+(?:\.\d+)?)|(?P<sign><>|!=|<=|>=|[=<>(),])"
    r"|(?P<word>[A-Za-z_]+))"
)
_SIGNS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": lambda a, b: bool(a == b),
    "!=": lambda a, b: bool(a != b),
    "<>": lambda a, b: bool(a != b),
    "<": lambda a, b: bool(a < b),
    "<=": lambda a, b: bool(a <= b),
    ">": lambda a, b: bool(a > b),
    ">=": lambda a, b: bool(a >= b),
}

Condition = Callable[[Mapping[str, Any]], bool]


def read_condition(text: str) -> Condition:
    """What tells whether a question fits a condition.

    Columns are ``TEXTS`` and ``NUMBERS``; operators ``= != <> < <= > >=``, ``in (…)``, ``like``
    (% stands for anything), ``is null``, ``not``, ``and``, ``or`` and parentheses; values are
    numbers and texts between single quotation marks. Capitals matter in values.

    Raises:
        ValueError: the condition says something else; the message names the place.
    """
    if len(text) > MAX_LENGTH:
        raise ValueError(
            f"the condition has {len(text):,} characters, and at most {MAX_LENGTH:,} are read; "
            "name fewer questions"
        )
    if not text.strip():
        return lambda _: True
    return _Reader(text).read()


class _Reader:
    """Reads one condition from its left to its right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _tokens(text)
        self._at = 0
        self._depth = 0

    def read(self) -> Condition:
        condition = self._either()
        if self._at < len(self._tokens):
            raise self._wrong("expected and, or, or the end")
        return condition

    def _either(self) -> Condition:
        parts = [self._both()]
        while self._took("or"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else lambda row: any(part(row) for part in parts)

    def _both(self) -> Condition:
        parts = [self._single()]
        while self._took("and"):
            parts.append(self._single())
        return parts[0] if len(parts) == 1 else lambda row: all(part(row) for part in parts)

    def _single(self) -> Condition:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise ValueError("the condition has too many parentheses")
        if self._took("not"):
            condition = _negated(self._single())
        elif self._took("("):
            condition = self._either()
            self._expect(")")
        else:
            condition = self._comparison()
        self._depth -= 1
        return condition

    def _comparison(self) -> Condition:
        kind, name = self._next()
        column = name.lower()
        if kind != "word" or column not in (*TEXTS, *NUMBERS):
            self._at -= 1
            raise self._wrong(f"expected a column, one of {', '.join((*TEXTS, *NUMBERS))}")
        if self._took("is"):
            is_denied = self._took("not")
            self._expect("null")
            return lambda row: bool(_entries(row, column)) == is_denied
        is_denied = self._took("not")
        fits = self._fits(column, is_denied)

        def is_met(row: Mapping[str, Any]) -> bool:
            # As in SQL, null fits nothing, and the denial of nothing.
            entries = _entries(row, column)
            return bool(entries) and any(fits(entry) for entry in entries) != is_denied

        return is_met

    def _fits(self, column: str, is_denied: bool) -> Callable[[Any], bool]:
        if self._took("in"):
            self._expect("(")
            values = {self._value(column)}
            while self._took(","):
                values.add(self._value(column))
            self._expect(")")
            return lambda entry: entry in values
        if self._took("like"):
            pattern = str(self._value(column))
            return lambda entry: _is_like(str(entry), pattern)
        kind, sign = self._next()
        if kind != "sign" or sign not in _SIGNS or is_denied:
            self._at -= 1
            raise self._wrong(f"expected {', '.join(_SIGNS)}, in, like or is")
        value = self._value(column)
        compare = _SIGNS[sign]
        return lambda entry: compare(entry, value)

    def _value(self, column: str) -> str | float:
        kind, value = self._next()
        if kind == "text" and column in TEXTS:
            return value[1:-1].replace("''", "'")
        if kind == "number" and column in NUMBERS:
            return float(value)
        self._at -= 1
        wanted = "a text in single quotation marks" if column in TEXTS else "a number"
        raise self._wrong(f"{column} is compared with {wanted}")

    def _next(self) -> tuple[str, str]:
        token = self._tokens[self._at] if self._at < len(self._tokens) else ("end", "")
        self._at += 1
        return token

    def _took(self, word: str) -> bool:
        is_next = self._at < len(self._tokens) and self._tokens[self._at][1].lower() == word
        is_next = is_next and self._tokens[self._at][0] != "text"
        self._at += is_next
        return is_next

    def _expect(self, word: str) -> None:
        if not self._took(word):
            raise self._wrong(f"expected {word}")

    def _wrong(self, what: str) -> ValueError:
        found = self._tokens[self._at][1] if self._at < len(self._tokens) else "its end"
        return ValueError(f'the condition "{shown(self._text)}" at {shown(found)}: {what}')


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens: list[tuple[str, str]] = []
    at = 0
    end = len(text.rstrip())
    while at < end:
        found = _TOKEN.match(text, at)
        if found is None or found.lastgroup is None:
            raise ValueError(
                f'the condition "{shown(text)}" cannot be read from "{text[at : at + 20]}" on'
            )
        tokens.append((found.lastgroup, found[found.lastgroup]))
        at = found.end()
    return tokens


def shown(text: str) -> str:
    """A text as a message quotes it: of a long one its beginning."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _entries(row: Mapping[str, Any], column: str) -> Sequence[Any]:
    value = row.get(column)
    if value is None:
        return []
    return [entry for entry in value if entry is not None] if isinstance(value, list) else [value]


def _is_like(text: str, pattern: str) -> bool:
    """SQL's like without its sign for one character: parts are looked for from left to right."""
    first, *rest = pattern.split("%")
    if not rest:
        return text == pattern
    if not text.startswith(first):
        return False
    at = len(first)
    for part in rest[:-1]:
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return text.endswith(rest[-1]) and len(text) - len(rest[-1]) >= at


def _negated(condition: Condition) -> Condition:
    return lambda row: not condition(row)
