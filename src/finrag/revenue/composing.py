"""Readings of a line by simpler means than the rules, and by a language model that chooses."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from finrag.llm.asking import AUTO, Request
from finrag.llm.prompts import load_prompt
from finrag.revenue.filings import Filing, Line
from finrag.revenue.words import Block, Quote, Reading
from finrag.text.sentences import split_spans

LEADING_SENTENCES: Final = 3
MAX_CHOICES: Final = 20
MAX_SENTENCE_CHARS: Final = 1_000
# What no rule has read has no kind.
UNREAD: Final = ""
SCHEMA: Final = {
    "type": "object",
    "properties": {"numbers": {"type": "array", "items": {"type": "integer"}}},
    "required": ["numbers"],
    "additionalProperties": False,
}


def names(text: str, label: str) -> bool:
    """Whether a text holds a label as whole words, whatever the case and the white space."""
    return _place(_folded(text), _folded(label)) >= 0


def leading(blocks: Sequence[Block], line: Line, own: frozenset[str]) -> list[Reading]:
    """A reading of each block that names a line: its first ``LEADING_SENTENCES`` that do.

    Args:
        blocks: that may be read, best first.
        line: that is described.
        own: ids of the blocks of its table.
    """
    named = (list(_naming(block, line.leaf.label)) for block in blocks)
    return [_reading(found[:LEADING_SENTENCES], own) for found in named if found]


def first_with_label(blocks: Sequence[Block], line: Line, own: frozenset[str]) -> list[Reading]:
    """The first block that contains the label, whole."""
    named = (block for block in blocks if names(block.text, line.leaf.label))
    whole = [Quote(one.block_id, 0, len(one.text), one.text) for one in islice(named, 1)]
    return [_reading(whole, own)] if whole else []


@dataclass(frozen=True)
class Choices:
    """The sentences that a language model may choose from for a line.

    Attributes:
        quotes: numbered from 1 in this order.
        readings: what the rules made of the line.
        label: of the line.
        own: ids of the blocks of its table.
    """

    quotes: tuple[Quote, ...]
    readings: tuple[Reading, ...]
    label: str
    own: frozenset[str]

    def chosen(self, answer: str) -> list[Reading]:
        """The reading that an answer chooses; none where it chooses no sentence.

        Args:
            answer: what the model wrote, untrusted.

        Raises:
            ValueError: it is not the JSON that was asked for, or names a number that is no
                sentence's.
        """
        numbers = read_numbers(answer, len(self.quotes))
        quotes = tuple(self.quotes[number - 1] for number in numbers)
        if not quotes:
            return []
        read = next((one for one in self.readings if set(quotes) <= set(one.quotes)), None)
        is_named = any(names(quote.text, self.label) for quote in quotes)
        text = " ".join(quote.text for quote in quotes)
        products = (product for one in self.readings for product in one.products)
        return [
            Reading(
                kind=read.kind if read else UNREAD,
                quotes=quotes,
                tier=_tier(quotes, self.own),
                names_line=is_named or (read is not None and read.names_line),
                score=read.score if read else 0.0,
                products=tuple(one for one in dict.fromkeys(products) if one in text),
            )
        ]


def choices(
    readings: Sequence[Reading], blocks: Sequence[Block], line: Line, own: frozenset[str]
) -> Choices:
    """What a model may choose from: the rules' quotes, then sentences that name the line.

    Args:
        readings: what the rules made of the line.
        blocks: that may be read, best first.
        line: that is described.
        own: ids of the blocks of its table.
    """
    quotes: dict[str, Quote] = {}
    read = (quote for reading in readings for quote in reading.quotes)
    naming = (quote for block in blocks for quote in _naming(block, line.leaf.label))
    for quote in (*read, *naming):
        quotes.setdefault(_folded(quote.text), quote)
    limited = tuple(quotes.values())[:MAX_CHOICES]
    return Choices(limited, tuple(readings), line.leaf.label, own)


def request(system: Mapping[str, Any], filing: Filing, line: Line, offered: Choices) -> Request:
    """What a model is asked for a line.

    Args:
        system: as registered: ``prompt``, ``response_format``, ``temperature``,
            ``max_output_tokens``, ``llm_seed``.
        filing: that the line is of.
        line: that is described.
        offered: the sentences.

    Raises:
        ValueError: the prompt is unknown, or has a place that nothing fills.
    """
    others = (one.leaf.label for one in filing.lines if one is not line)
    messages = load_prompt(str(system["prompt"])).render(
        line=_one_line(line.leaf.label),
        siblings="; ".join(map(_one_line, others)),
        context="\n".join(_numbered(offered.quotes)),
    )
    return Request(
        messages=messages,
        response_format=str(system.get("response_format") or AUTO),
        schema=SCHEMA,
        temperature=system.get("temperature"),
        max_output_tokens=system.get("max_output_tokens"),
        seed=system.get("llm_seed"),
    )


def read_numbers(answer: str, n_sentences: int) -> list[int]:
    """The numbers that an answer names, ascending, each once.

    Raises:
        ValueError: it is not the JSON that was asked for, or names a number that is no
            sentence's.
    """
    start, end = answer.find("{"), answer.rfind("}")
    try:
        numbers = json.loads(answer[start : end + 1])["numbers"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise ValueError("the choice is not the JSON that was asked for") from None
    if not isinstance(numbers, list) or any(type(one) is not int for one in numbers):
        raise ValueError("the choice is not a list of numbers")
    strange = [one for one in numbers if not 1 <= one <= n_sentences]
    if strange:
        raise ValueError(f"the choice names {strange[0]}, of {n_sentences} sentences")
    return sorted(set(numbers))


def _reading(quotes: Sequence[Quote], own: frozenset[str]) -> Reading:
    tier = _tier(quotes, own)
    return Reading(UNREAD, tuple(quotes), tier, names_line=True, score=0.0, products=())


def _tier(quotes: Iterable[Quote], own: frozenset[str]) -> int:
    return 1 if all(quote.block_id in own for quote in quotes) else 2


def _naming(block: Block, label: str) -> Iterator[Quote]:
    if not names(block.text, label):
        return
    for start, end in split_spans(block.text):
        if names(block.text[start:end], label):
            yield Quote(block.block_id, start, end, block.text[start:end])


def _numbered(quotes: Iterable[Quote]) -> Iterator[str]:
    """One JSON object a line, so that nothing in a sentence can pass for another."""
    for number, quote in enumerate(quotes, 1):
        text = _one_line(quote.text)[:MAX_SENTENCE_CHARS]
        yield json.dumps({"number": number, "text": text}, ensure_ascii=False)


def _place(text: str, label: str) -> int:
    """Where a label stands in a text as whole words; -1 where it does not."""
    start = text.find(label) if label else -1
    while start >= 0:
        end = start + len(label)
        if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
            return start
        start = text.find(label, start + 1)
    return -1


def _folded(text: str) -> str:
    return _one_line(text).casefold()


def _one_line(text: str) -> str:
    return " ".join(text.split())
