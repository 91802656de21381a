"""The rules of words: which text of a filing says what a revenue line consists of.

In order: the footnote of the line's own mark, a definition with the line as its subject, a list
behind ":" with its points, the text under a heading equal to the line, and the definition of the
line's segment where it names the line. A line that no text defines has no reading.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.revenue.definitions import (
    Subject,
    goes_on,
    is_definition,
    is_other_part,
    parts,
    subjects,
    tells_otherwise,
)
from finrag.revenue.footnotes import footnotes
from finrag.revenue.headings import (
    is_headed_by_another,
    is_of_another,
    run_in,
    under_headings,
    without_open_list,
)
from finrag.revenue.labels import plain
from finrag.revenue.names import Names, Naming
from finrag.revenue.pages import Block, Leaf, Pages, Quote
from finrag.revenue.products import products

__all__ = ["Block", "Leaf", "Quote", "Reading", "read_lines"]

MAX_READINGS: Final = 5
MAX_SENTENCES: Final = 5
MIN_WORDS: Final = 4
MAX_CUTS: Final = 4

_VOCABULARY: Final = read_vocabulary(__file__)
_REVENUE = _VOCABULARY.pattern("revenue", re.IGNORECASE)
_CANDIDATE = _VOCABULARY.pattern("candidate")
_ARTICLES = _VOCABULARY.words["articles"]
_WE = _VOCABULARY.pattern("we", re.IGNORECASE)
_ANTECEDENT = _VOCABULARY.pattern("antecedent")
_Defined = Sequence[tuple[Subject, Naming] | None]
_SCORES: Final = {
    name: float(score) for name, score in sorted(_VOCABULARY.tables["scores"].items())
}


@dataclass(frozen=True)
class Reading:
    """What the rules make of one line.

    Attributes:
        kind: "footnote", "definition", "list", "heading" or "segment".
        quotes: Spans that stand whole in their blocks, in reading order.
        tier: 1 in the line's own table's blocks; 2 in a revenue or segment note, ITEM_1 or
            ITEM_7; 0 elsewhere.
        score: How sure the rule is, 0..1.
        products: Names that the quotes list.
    """

    kind: str
    quotes: tuple[Quote, ...]
    tier: int
    score: float
    products: tuple[str, ...]


def read_lines(
    leaves: Sequence[Leaf], blocks: Sequence[Block], *, allowed: Collection[str] | None = None
) -> dict[str, list[Reading]]:
    """Readings of all lines of one filing, by line_id, in order of preference.

    Args:
        leaves: All lines of the filing at once: they refuse each other's texts.
        blocks: All blocks of the filing in reading order.
        allowed: Ids of the blocks that may be quoted; None for all. Names and lists are read in
            all blocks nevertheless.

    Raises:
        ValueError: A line_id stands twice, or a line's table_block is no table.
    """
    pages = Pages(blocks, allowed)
    names = Names(leaves, (block.text for block in blocks if block.kind != "table"))
    return _Reader(leaves, names, pages).read()


class _Reader:
    def __init__(self, leaves: Sequence[Leaf], names: Names, pages: Pages) -> None:
        self._leaves, self._names, self._pages = leaves, names, pages
        self._found: dict[str, list[tuple[float, int, Reading]]] = {
            leaf.line_id: [] for leaf in leaves
        }
        self._own = {
            leaf.line_id: frozenset(chain(*pages.own(leaf.table_block)))
            for leaf in leaves
            if leaf.table_block is not None
        }

    def read(self) -> dict[str, list[Reading]]:
        for leaf in self._leaves:
            for place, quote in footnotes(leaf, self._pages):
                self._add(leaf.line_id, "footnote", place, [quote], "footnote", 0)
        for place in self._pages.prose:
            self._read_block(place)
        for meant, place, quotes in under_headings(self._names, self._pages):
            self._add_named(meant, "heading", place, quotes, "heading", meant.cost)
        return {leaf.line_id: self._best(leaf.line_id) for leaf in self._leaves}

    def _read_block(self, place: int) -> None:
        text = self._pages.blocks[place].text
        lowered = plain(text)
        if not _CANDIDATE.search(text) or not any(cue in lowered for cue in self._names.cues):
            return
        if is_other_part(self._pages.blocks[place].heading_path):
            return
        self._read_run_in(place)
        defined = [
            self._defined(self._pages.whole_sentence(place, index), place)
            for index in range(len(self._pages.sentences(place)))
        ]
        taken: list[int] = []
        for index, (start, end) in enumerate(self._pages.sentences(place)):
            if index not in taken:
                taken += self._read_definition(place, index, defined)
            if self._pages.is_placed(place):
                self._read_several(place, index, text[start:end])

    def _read_several(self, place: int, index: int, sentence: str) -> None:
        """Read a sentence that tells of several lines, one after the other or all at once."""
        quotes = self._pages.quote_sentence(place, index)
        for before in () if tells_otherwise(sentence) else parts(sentence):
            meant = self._antecedent(before, place)
            if meant and not meant.is_bare:
                self._add_named(meant, "definition", place, quotes, "part", meant.cost)
        for subject in subjects(sentence):
            if subject.form == "definition" and is_definition(subject):
                for line_id in sorted(self._names.joined(subject.name)):
                    self._add(line_id, "segment", place, without_open_list(quotes), "joint", 0)

    def _defined(self, sentence: str, place: int) -> tuple[Subject, Naming] | None:
        """What a sentence defines."""
        for subject in subjects(sentence):
            meant = self._meant(subject, place)
            if meant is not None and self._fits(subject, meant, place):
                return subject, meant
        return None

    def _read_run_in(self, place: int) -> None:
        if (found := run_in(place, self._names, self._pages)) is None:
            return
        meant, quotes = found
        quotes = self._with_list(place, meant, quotes)
        if quotes and self._is_placed(place, quotes[0]):
            self._add_named(meant, "heading", place, quotes, "run_in", meant.cost)

    def _meant(self, subject: Subject, place: int) -> Naming | None:
        context = self._pages.blocks[place].heading_path
        if subject.form != "relative":
            return self._names.meant(subject.name, context)
        meant = self._antecedent(subject.name, place)
        return meant if meant is not None and meant.cost < 2 else None

    def _antecedent(self, text: str, place: int) -> Naming | None:
        """The line at the end of a text: "Revenue from L"."""
        context = self._pages.blocks[place].heading_path
        for cut in list(_ANTECEDENT.finditer(text))[-MAX_CUTS:]:
            meant = self._names.meant(text[cut.end() :], context)
            is_whole = cut[0].strip() in _ARTICLES and self._pages.is_note(place)
            if meant and (is_whole or not meant.is_bare):
                return meant
        return None

    def _fits(self, subject: Subject, meant: Naming, place: int) -> bool:
        if not is_definition(subject):
            return False
        is_near = meant.line_id is not None and self._is_near(meant.line_id, place)
        if meant.is_bare and not is_near and not _REVENUE.search(subject.name):
            return False
        if subject.form == "work":
            return not meant.is_bare and meant.cost < 3 and self._pages.is_placed(place)
        return subject.form != "point" or self._pages.is_point(place)

    def _is_near(self, line_id: str, place: int) -> bool:
        return place in self._own.get(line_id, ()) or self._pages.is_note(place)

    def _read_definition(self, place: int, index: int, defined: _Defined) -> list[int]:
        """Read a definition from its first sentence; the sentences that it took."""
        first = defined[index]
        if first is None:
            return []
        meant = first[1]
        taken = self._continued(place, index, meant, defined)
        said = [quote for each in taken for quote in self._pages.quote_sentence(place, each)]
        if not (quotes := self._with_list(place, meant, said)):
            return taken
        kind = "list" if len(quotes) > len(said) else "definition"
        if meant.line_id:
            own = [each for at in taken if (each := defined[at]) and each[1].key == meant.key]
            rules = [(_rule(subject, naming), naming.cost) for subject, naming in own]
            rule, cost = min(rules, key=lambda each: (-_SCORES[each[0]], each[1]))
            self._add_named(meant, kind, place, quotes, rule, cost)
        for leaf in self._leaves if meant.line_id is None else ():
            if leaf.segment == meant.segment and self._names_product(leaf.line_id, quotes):
                self._add(leaf.line_id, "segment", place, quotes, "segment", meant.cost)
        return taken

    def _continued(self, place: int, index: int, meant: Naming, defined: _Defined) -> list[int]:
        """The sentence that defines a line and those behind it that describe the same line."""
        text, spans = self._pages.blocks[place].text, self._pages.sentences(place)
        taken = [index]
        for later in range(index + 1, min(len(spans), index + MAX_SENTENCES)):
            sentence, own = text[slice(*spans[later])], defined[later]
            is_defined = own is not None and own[1].key == meant.key
            if not is_defined and (not goes_on(sentence) or self._is_of_another(sentence, meant)):
                break
            taken.append(later)
        return taken

    def _is_of_another(self, sentence: str, meant: Naming) -> bool:
        """Whether a sentence defines another line, or names others and not this one."""
        mentioned = self._names.mentioned(sentence) if _WE.match(sentence) else frozenset()
        if meant.line_id and mentioned and meant.line_id not in mentioned:
            return True
        return is_of_another(sentence, meant, self._names)

    def _with_list(self, place: int, meant: Naming, quotes: list[Quote]) -> list[Quote]:
        """Quotes with the points that a colon at their end leads in, or without the lead-in."""
        if not quotes[-1].text.endswith(":"):
            return quotes
        points = [
            self._pages.quote(point)
            for point in takewhile(
                lambda point: not is_headed_by_another(point, meant, self._names, self._pages),
                self._pages.points(place),
            )
        ]
        if not points or sum(tells_otherwise(point.text) for point in points) * 2 > len(points):
            return without_open_list(quotes)
        return quotes + points

    def _names_product(self, line_id: str, quotes: list[Quote]) -> bool:
        return any(self._names.is_named(line_id, quote.text, max_cost=0) for quote in quotes)

    def _add_named(
        self, meant: Naming, kind: str, place: int, quotes: list[Quote], rule: str, cost: int
    ) -> None:
        """Add a reading of the line that is meant; a segment's text has to name the product."""
        if meant.line_id is None:
            return
        if not meant.is_of_segment:
            self._add(meant.line_id, kind, place, quotes, rule, cost)
        elif self._names_product(meant.line_id, quotes):
            self._add(meant.line_id, "segment", place, quotes, "segment", cost)

    def _add(
        self, line_id: str, kind: str, place: int, quotes: list[Quote], rule: str, cost: int
    ) -> None:
        if sum(len(quote.text.split()) for quote in quotes) < MIN_WORDS:
            return
        tier = 1 if place in self._own.get(line_id, ()) else 2 * self._is_placed(place, quotes[0])
        score = _SCORES[rule] - cost * _SCORES["of_each_loss"] + _SCORES[f"of_tier_{tier}"]
        if self._pages.is_note(place):
            score += _SCORES["of_a_note"]
        reading = Reading(
            kind,
            tuple(quotes),
            tier,
            round(max(0.0, min(1.0, score)), 3),
            products(quote.text for quote in quotes),
        )
        self._found[line_id].append((-score, place, reading))

    def _is_placed(self, place: int, quote: Quote) -> bool:
        """Whether a text lies in tier 2; a policy that speaks of revenue is a revenue note."""
        is_policy = self._pages.blocks[place].note_kind == "accounting_policies"
        return self._pages.is_placed(place) or (is_policy and bool(_REVENUE.search(quote.text)))

    def _best(self, line_id: str) -> list[Reading]:
        """The best readings, each text once."""
        kept: dict[tuple[str, ...], Reading] = {}
        for _, _, reading in sorted(self._found[line_id], key=lambda each: each[:2]):
            kept.setdefault(tuple(quote.text for quote in reading.quotes), reading)
        return list(kept.values())[:MAX_READINGS]


def _rule(subject: Subject, meant: Naming) -> str:
    """The rule by which a sentence defines a line: "Services include …" is no surer than a point.

    A name of common words is sure where it speaks of revenue.
    """
    return "point" if meant.is_bare and not _REVENUE.search(subject.name) else subject.form
