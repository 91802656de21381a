"""Readings of question and evidence texts that the search for bad questions compares in SQL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa

from finrag.text.numbers import Amount, find_amounts
from finrag.text.phrases import order_texts

AMOUNT_SCHEMA: Final = pa.schema(
    [
        pa.field("text_hash", pa.string(), nullable=False),
        pa.field("amount_pos", pa.int32(), nullable=False),
        pa.field("reading", pa.string(), nullable=False),
        pa.field("raw", pa.string(), nullable=False),
        pa.field("value", pa.float64(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("unit", pa.string()),
        pa.field("scale", pa.string(), nullable=False),
        pa.field("is_per_share", pa.bool_(), nullable=False),
    ]
)


def read_amounts(texts: pa.Table) -> pa.Table:
    """Read every number of every text, with its kind.

    An answer may be either end of a range ("$2 to $3 billion"), so a range is read three times.

    Args:
        texts: ``text_hash``, ``sentence_text``; one row per text.

    Returns:
        Rows of ``AMOUNT_SCHEMA`` by text_hash, then place: ``amount_pos`` counts the numbers of
        a text from 0, ``reading`` is ``value``, ``range_low`` or ``range_high``, ``value`` is in
        whole units ("$1.5 billion" is 1.5e9, "6.2%" is 6.2); kind, unit and scale are those of
        `finrag.text.numbers.Amount`. A text without digits has no row.

    Raises:
        ValueError: a text is null; it names the text_hash.
    """
    ordered = order_texts(texts)
    hashes, sentences = (column.to_pylist() for column in ordered.columns)
    rows = [
        {"text_hash": text_hash, **reading}
        for text_hash, sentence in zip(hashes, sentences, strict=True)
        for reading in _readings(sentence)
    ]
    return pa.Table.from_pylist(rows, schema=AMOUNT_SCHEMA)


def _readings(sentence: str) -> Iterator[dict[str, Any]]:
    for place, amount in enumerate(find_amounts(sentence)):
        for reading, value in _values(amount):
            yield {
                "amount_pos": place,
                "reading": reading,
                "raw": amount.raw,
                "value": value,
                "kind": amount.kind,
                "unit": amount.unit,
                "scale": amount.scale,
                "is_per_share": amount.is_per_share,
            }


def _values(amount: Amount) -> Iterator[tuple[str, float]]:
    yield "value", amount.value
    if amount.range_low is not None:
        yield "range_low", amount.range_low
    if amount.range_high is not None:
        yield "range_high", amount.range_high
