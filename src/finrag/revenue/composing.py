"""Readings of a line by simpler means than the rules, and by a language model that chooses."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, Final

from finrag.llm.asking import AUTO, Request
from finrag.llm.prompts import load_prompt
from finrag.revenue.filings import Filing, Line
from finrag.revenue.pages import Quote
from finrag.revenue.products import products
from finrag.revenue.words import Reading

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


def leading(filing: Filing, line: Line, places: Iterable[int]) -> list[Reading]:
    """A reading of each block that names a line: its first ``LEADING_SENTENCES`` that do.

    Args:
        filing: that the line is of.
        line: that is described.
        places: of the blocks that may be read, best first.
    """
    found = ((place, list(_naming(filing, line, place))) for place in places)
    return [
        _reading(filing, line, place, quotes[:LEADING_SENTENCES])
        for place, quotes in found
        if quotes
    ]


def first_with_label(filing: Filing, line: Line) -> list[Reading]:
    """The first block of the filing that contains the label, whole."""
    label = line.leaf.label
    named = (place for place in filing.texts if names(filing.blocks[place].text, label))
    return [
        _reading(filing, line, place, [filing.pages.quote(place)]) for place in islice(named, 1)
    ]


@dataclass(frozen=True)
class Choices:
    """The sentences that a language model may choose from for a line.

    Attributes:
        filing: that the line is of.
        line: that is described.
        quotes: numbered from 1 in this order.
        readings: what the rules made of the line.
    """

    filing: Filing
    line: Line
    quotes: tuple[Quote, ...]
    readings: tuple[Reading, ...]

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
        if read is not None:
            text = " ".join(quote.text for quote in quotes)
            named = tuple(one for one in read.products if one in text)
            return [replace(read, quotes=quotes, products=named)]
        ids = {quote.block_id for quote in quotes}
        tier = self.filing.tier(self.line, [self.filing.places[one] for one in sorted(ids)])
        return [Reading(UNREAD, quotes, tier, 0.0, _products(quotes))]


def choices(
    filing: Filing, line: Line, readings: Sequence[Reading], places: Iterable[int]
) -> Choices:
    """What a model may choose from: the rules' quotes, then sentences that name the line.

    Args:
        filing: that the line is of.
        line: that is described.
        readings: what the rules made of the line.
        places: of the blocks that may be read, best first.
    """
    quotes: dict[str, Quote] = {}
    read = (quote for reading in readings for quote in reading.quotes)
    naming = (quote for place in places for quote in _naming(filing, line, place))
    for quote in chain(read, naming):
        quotes.setdefault(_folded(quote.text), quote)
        if len(quotes) == MAX_CHOICES:
            break
    return Choices(filing, line, tuple(quotes.values()), tuple(readings))


def request(system: Mapping[str, Any], offered: Choices) -> Request:
    """What a model is asked for a line.

    Args:
        system: as registered: ``prompt``, ``response_format``, ``temperature``,
            ``max_output_tokens``, ``llm_seed``.
        offered: the sentences, with their line.

    Raises:
        ValueError: the prompt is unknown, or has a place that nothing fills.
    """
    others = [one.leaf.label for one in offered.filing.lines if one is not offered.line]
    messages = load_prompt(str(system["prompt"])).render(
        line=_one_line(offered.line.leaf.label),
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
        raise ValueError(
            f"the choice names sentence {strange[0]}, but they are numbered 1 to {n_sentences}"
        )
    return sorted(set(numbers))


def _reading(filing: Filing, line: Line, place: int, quotes: Sequence[Quote]) -> Reading:
    tier = filing.tier(line, [place])
    return Reading(UNREAD, tuple(quotes), tier, 0.0, _products(quotes))


def _products(quotes: Iterable[Quote]) -> tuple[str, ...]:
    return products(quote.text for quote in quotes)


def _naming(filing: Filing, line: Line, place: int) -> Iterator[Quote]:
    """The sentences of a block that name a line."""
    text, label = filing.blocks[place].text, line.leaf.label
    if names(text, label):
        for start, end in filing.pages.sentences(place):
            if names(text[start:end], label):
                yield filing.pages.quote(place, start, end)


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
