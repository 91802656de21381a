"""Texts under a heading equal to a line, as a block of its own or at the start of a paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.revenue.definitions import (
    is_other_part,
    opens,
    subjects,
    tells,
    tells_otherwise,
)
from finrag.revenue.names import Names, Naming
from finrag.revenue.pages import Pages, Quote

MAX_PARAGRAPHS: Final = 3
MAX_SENTENCES: Final = 10
MIN_WORDS: Final = 5

_VOCABULARY: Final = read_vocabulary(__file__)
_OTHER_PART = _VOCABULARY.pattern("other_part", re.IGNORECASE)
_WHOLE = _VOCABULARY.pattern("whole")
_WE = _VOCABULARY.pattern("we", re.IGNORECASE)
_RUN_IN = _VOCABULARY.pattern("run_in")


def under_headings(names: Names, pages: Pages) -> Iterator[tuple[Naming, int, list[Quote]]]:
    """Each line with the place and the quotes of the text under a heading equal to it."""
    for place, block in enumerate(pages.blocks):
        if block.kind != "heading" or not pages.is_placed(place):
            continue
        path = block.heading_path
        above = path[:-1] if path[-1:] == (block.text,) else path
        meant = names.meant(block.text, above)
        if meant is None or is_other_part(above) or (above and _OTHER_PART.search(above[-1])):
            continue
        quotes = _below(place, meant, names, pages)
        if quotes and (not meant.is_bare or _WE.search(quotes[0].text)):
            yield meant, place, quotes


def _below(heading: int, meant: Naming, names: Names, pages: Pages) -> list[Quote]:
    quotes: list[Quote] = []
    for n_read, place in enumerate(pages.following(heading), start=1):
        block = pages.blocks[place]
        if block.kind in ("heading", "table", "footnote") or not pages.is_text(place):
            break
        if is_headed_by_another(place, meant, names, pages):
            break
        read, is_whole = _describing(place, meant, names, pages, is_first=not quotes)
        quotes += read
        if not is_whole or n_read == MAX_PARAGRAPHS or len(quotes) >= MAX_SENTENCES:
            break
    return without_open_list(quotes)


def _describing(
    place: int, meant: Naming, names: Names, pages: Pages, *, is_first: bool
) -> tuple[list[Quote], bool]:
    """Sentences from the start of a block that describe, and whether they are the whole block."""
    quotes: list[Quote] = []
    # A note on revenue says below a line's own name what the line is, in whatever words.
    is_trusted = is_first and meant.cost == 0 and not meant.is_bare and pages.is_note(place)
    text = pages.blocks[place].text
    for index, (start, end) in enumerate(pages.sentences(place)[:MAX_SENTENCES]):
        sentence = text[start:end]
        is_open = quotes or is_trusted or (opens(sentence) if is_first else tells(sentence))
        is_other = tells_otherwise(sentence) or is_of_another(sentence, meant, names)
        if is_other or not is_open:
            return quotes, False
        quotes += pages.quote_sentence(place, index)
    return quotes, len(pages.sentences(place)) <= MAX_SENTENCES


def is_of_another(sentence: str, meant: Naming, names: Names) -> bool:
    """Whether a sentence defines another line or segment."""
    return any(
        names.is_another_segment(subject.name) if other is None else other.key != meant.key
        for subject in subjects(sentence)
        for other in [names.meant(subject.name)]
    )


def is_headed_by_another(place: int, meant: Naming, names: Names, pages: Pages) -> bool:
    """Whether a block begins with the run-in heading of another line or segment."""
    found = _RUN_IN.match(pages.blocks[place].text)
    other = names.meant(found["head"]) if found else None
    return other is not None and other.key != meant.key


def without_open_list(quotes: list[Quote]) -> list[Quote]:
    """Quotes without a lead-in at their end whose list was not read.

    A first sentence that says itself what the line is stays.
    """
    while quotes and quotes[-1].text.endswith(":"):
        if len(quotes) == 1 and _WHOLE.search(quotes[0].text):
            break
        quotes = quotes[:-1]
    return quotes


def run_in(place: int, names: Names, pages: Pages) -> tuple[Naming, list[Quote]] | None:
    """The line that a block's run-in heading names, with the sentences that describe it.

    "L – …", "L: …" and "L. …" are run-in headings; the first quote begins with the heading.
    """
    block = pages.blocks[place]
    found = _RUN_IN.match(block.text)
    meant = names.meant(found["head"], block.heading_path) if found else None
    if found is None or meant is None or len(block.text[found.end() :].split()) < MIN_WORDS:
        return None
    quotes: list[Quote] = []
    is_defined = found["mark"].strip() != "."
    for index, (start, end) in enumerate(pages.sentences(place)[:MAX_SENTENCES]):
        sentence = block.text[max(start, found.end()) : end]
        if tells_otherwise(sentence) or (index > 0 and is_of_another(sentence, meant, names)):
            break
        is_defined = is_defined or opens(sentence) or tells(sentence)
        quotes += pages.quote_sentence(place, index)
    return (meant, quotes) if quotes and is_defined else None
