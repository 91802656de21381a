"""Small tools for reading clauses: tables of findings, phrase edges, lists of items."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import pyarrow as pa

from finrag.records.vocabulary import read_vocabulary

_INSIDE_PARENTHESES = re.compile(r"\([^()]*\)")
_EDGES = " \t\n,;:–—-•·●*"
_VOCABULARY: Final = read_vocabulary(__file__)
_UNITS = _VOCABULARY.pattern("units", re.IGNORECASE)
_AND = re.compile(r",? (?:and|&) ")
_COMMA = re.compile(r"\s*, ")
_SEMICOLON = re.compile(r"\s*; (?:and |or )?")
_MARKERS = re.compile(r"(?:^|(?<=[\s,;:—–-]))(?:\((?:[ivx]{1,4}|[a-h]|\d)\)|\d\)|[a-h]\))\s?")
_LEADING_AND = re.compile(r"^(?:and|&|or)\s+", re.IGNORECASE)
_TRAILING_AND = re.compile(r"[,;]?\s+(?:and|or)$")
# In accounts "other income, net" is one name: what follows its comma is not an item of its own.
_TAILS = frozenset({"net", "net of tax", "net of taxes", "inc.", "inc", "llc", "ltd.", "n.a."})

# Longer texts are no sentences, but tables or lists that lost their marks.
MAX_SENTENCE_CHARACTERS = 4000

Finding = Mapping[str, Any]


def order_texts(texts: pa.Table) -> pa.Table:
    """``text_hash`` and ``sentence_text``, by text_hash.

    Raises:
        ValueError: a text is null; it names the text_hash.
    """
    import pyarrow.compute as pc

    ordered = texts.select(["text_hash", "sentence_text"]).sort_by("text_hash")
    missing = ordered.filter(pc.is_null(ordered["sentence_text"]))
    if missing.num_rows:
        raise ValueError(f"text {missing['text_hash'][0].as_py()} is null")
    return ordered


def find_in_texts(
    texts: pa.Table, schema: pa.Schema, cue: str, find: Callable[[str], Iterable[Finding]]
) -> pa.Table:
    """One row per finding in a text, ordered by text_hash, then by place in the text.

    Args:
        texts: ``text_hash``, ``sentence_text``.
        schema: the rows' schema; its first field is ``text_hash``.
        cue: RE2 pattern, run over the whole column; texts without a match, and those longer
            than ``MAX_SENTENCE_CHARACTERS``, are not read.
        find: yields the other fields of each finding of a text.

    Raises:
        ValueError: a text is null; it names the text_hash.
    """
    import pyarrow.compute as pc

    ordered = order_texts(texts)
    column = ordered["sentence_text"]
    is_sentence = pc.less_equal(pc.utf8_length(column), MAX_SENTENCE_CHARACTERS)
    ordered = ordered.filter(pc.and_(is_sentence, pc.match_substring_regex(column, cue)))
    hashes, sentences = (column.to_pylist() for column in ordered.columns)
    rows: list[dict[str, Any]] = []
    for text_hash, sentence in zip(hashes, sentences, strict=True):
        rows.extend({"text_hash": text_hash, **finding} for finding in find(sentence))
    return pa.Table.from_pylist(rows, schema=schema)


def mask_parentheses(text: str) -> str:
    """The text at its length, with the innermost parentheses' content blanked by underscores."""
    return _INSIDE_PARENTHESES.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    return "_" * len(match[0])


def trim(phrase: str) -> str:
    """A phrase without white space, commas, dashes and bullets at its edges."""
    return phrase.strip(_EDGES)


def split_items(text: str) -> list[str]:
    """Items of a list as its punctuation alone shows them.

    Markers ((i), 2), (a)) divide before semicolons, those before commas. The last comma part
    is divided at its " and " only where there is exactly one, so a list that punctuation does
    not settle ("A, B and C and D") comes back shorter than it is: compare with a known count.
    Parentheses are never divided, and "other income, net" is one item.
    """
    masked = _INSIDE_PARENTHESES.sub(
        lambda match: match[0] if _MARKERS.fullmatch(match[0]) else _blank(match), text
    )
    masked = _UNITS.sub(_blank, masked)
    marks = list(_MARKERS.finditer(masked))
    if len(marks) > 1 and not trim(text[: marks[0].start()]):
        ends = [mark.start() for mark in marks[1:]] + [len(text)]
        return _cleaned(text[mark.end() : end] for mark, end in zip(marks, ends, strict=True))
    if "; " in masked:
        return _cleaned(_cut(text, masked, _SEMICOLON))
    parts = _join_tails(_cut(text, masked, _COMMA))
    last = parts[-1]
    if len(parts) > 1 and _LEADING_AND.match(last):
        return _cleaned(parts)
    places = list(_AND.finditer(_UNITS.sub(_blank, mask_parentheses(last))))
    if len(places) == 1:
        parts = [*parts[:-1], last[: places[0].start()], last[places[0].end() :]]
    return _cleaned(parts)


def _cut(text: str, masked: str, separator: re.Pattern[str]) -> list[str]:
    found = list(separator.finditer(masked))
    starts = [0, *(match.end() for match in found)]
    ends = [*(match.start() for match in found), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _join_tails(parts: list[str]) -> list[str]:
    joined: list[str] = parts[:1]
    for part in parts[1:]:
        tail = re.split(r" and | or ", part, maxsplit=1)[0].strip().lower()
        if tail in _TAILS:
            joined[-1] = f"{joined[-1]}, {part}"
        else:
            joined.append(part)
    return joined


def _without_stop(part: str) -> str:
    return part if re.search(r"\b(?:[A-Z]\.[A-Z]|Inc|Corp|Co|Ltd)\.$", part) else part.rstrip(".")


def _cleaned(parts: Iterable[str]) -> list[str]:
    return [
        _LEADING_AND.sub("", _TRAILING_AND.sub("", _without_stop(trim(part)))) for part in parts
    ]
