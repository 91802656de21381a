"""The layout of a pool: documents, filings by company and year, the order of reading."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag.retrieval.numbering import CorpusNumbers
from finrag.retrieval.vectors import Bools, Ints

Filing = tuple[int, int]


@dataclass(frozen=True)
class CorpusLayout:
    """The layout of a pool; sentences are the numbers of ``CorpusNumbers``.

    Of a public set a document is filing and section in one; it has no company and no year.

    Attributes:
        filing_of: number of each sentence's filing (company and year).
        filings: company and year of each filing number, ascending; empty for a public set.
        filing_members: sentence numbers of each filing number, ascending.
        section_of: section number of each sentence.
        section_names: name (ITEM_7 and so on) of each section number.
        section_starts: where each section begins in ``sequence``, one more than sections.
        sequence: sentence numbers by section, then by position in it.
        place_of: where each sentence stands in ``sequence``.
        position_of: position in its section of each sentence.
        is_furniture: per sentence: a heading, a line of a table of contents or a pointer
            elsewhere; such a sentence says little by itself.
    """

    filing_of: Ints
    filings: list[Filing]
    filing_members: list[Ints]
    section_of: Ints
    section_names: list[str]
    section_starts: Ints
    sequence: Ints
    place_of: Ints
    position_of: Ints
    is_furniture: Bools

    def cells(self, companies: Iterable[int], years: Iterable[int]) -> list[list[int]]:
        """The filings that a question asks for: one cell of filing numbers per company and year.

        With companies alone, a cell is a company; with years alone, a year; with neither
        there is none. A company or year without a filing gives no cell.
        """
        wanted, in_years = set(companies), set(years)
        if not wanted and not in_years:
            return []
        cells: dict[tuple[int, int], list[int]] = {}
        for number, (cik, year) in enumerate(self.filings):
            if (cik in wanted or not wanted) and (year in in_years or not in_years):
                key = (cik if wanted else 0, year if in_years else 0)
                cells.setdefault(key, []).append(number)
        return [cells[key] for key in sorted(cells)]

    def members(self, filings: Iterable[int]) -> Ints:
        """Sentence numbers of some filings, ascending."""
        found = [self.filing_members[filing] for filing in filings]
        if not found:
            return np.empty(0, np.int64)
        return found[0] if len(found) == 1 else np.sort(np.concatenate(found))

    def section_length(self, section: int) -> int:
        """Sentences in a section."""
        return int(self.section_starts[section + 1] - self.section_starts[section])

    def find(self, sections: Ints, positions: Ints) -> Ints:
        """Where in ``sequence`` the sentences at some positions of some sections stand."""
        step = 1 + max(self.position_of.max(initial=0), positions.max(initial=0))
        keys = self.section_of * step + self.position_of
        found: Ints = np.searchsorted(keys[self.sequence], sections * step + positions)
        return found

    def window(self, sentence: int, width: int) -> tuple[Ints, Ints]:
        """Neighbours of a sentence in its section and their distances, itself left out.

        Args:
            sentence: its number.
            width: how many sentences to each side; fewer where the section ends.
        """
        section, place = self.section_of[sentence], self.place_of[sentence]
        first = max(int(self.section_starts[section]), int(place) - width)
        last = min(int(self.section_starts[section + 1]), int(place) + width + 1)
        places = np.arange(first, last, dtype=np.int64)
        places = places[places != place]
        return self.sequence[places], np.abs(places - place)


def lay_out_filings(sentences: pa.Table, numbers: CorpusNumbers) -> CorpusLayout:
    """Lays out a corpus.

    Args:
        sentences: in the order of ``numbers``: ``section_id``, ``cik_int``, ``report_year``,
            ``section_name``, ``sentence_pos``, ``is_toc``, ``is_heading``,
            ``is_navigational``.
        numbers: the same corpus as integers.
    """
    ciks, years, positions = (
        sentences[name].to_numpy().astype(np.int64)
        for name in ("cik_int", "report_year", "sentence_pos")
    )
    section_of = _numbers(sentences["section_id"], list(numbers.section_number))
    pairs, filing_of = np.unique(np.stack([ciks, years], axis=1), axis=0, return_inverse=True)
    filings = [(int(cik), int(year)) for cik, year in pairs]
    filing_of = filing_of.reshape(-1).astype(np.int64)
    by_filing = np.argsort(filing_of, kind="stable")
    cuts = np.cumsum(np.bincount(filing_of, minlength=len(filings)))[:-1]
    sequence = np.lexsort((positions, section_of)).astype(np.int64)
    place_of = np.empty(len(sequence), np.int64)
    place_of[sequence] = np.arange(len(sequence))
    furniture = pc.or_(
        pc.or_(sentences["is_toc"], sentences["is_heading"]), sentences["is_navigational"]
    )
    return CorpusLayout(
        filing_of=filing_of,
        filings=filings,
        filing_members=np.split(by_filing, cuts) if filings else [],
        section_of=section_of,
        section_names=_section_names(sentences, section_of),
        section_starts=numbers.section_starts,
        sequence=sequence,
        place_of=place_of,
        position_of=positions,
        is_furniture=np.asarray(furniture.to_numpy(), np.bool_),
    )


def lay_out_documents(positions: Ints, numbers: CorpusNumbers) -> CorpusLayout:
    """Lays out a pool of a public set, whose sections are documents.

    Args:
        positions: of each passage in its document; of equal ones the order of the ids counts.
        numbers: the pool as integers.
    """
    n_documents = len(numbers.section_number)
    section_of = np.empty(len(positions), np.int64)
    counts = np.diff(numbers.section_starts)
    section_of[numbers.section_members] = np.repeat(np.arange(n_documents), counts)
    members = np.split(numbers.section_members, numbers.section_starts[1:-1])
    sequence = np.lexsort((positions, section_of)).astype(np.int64)
    place_of = np.empty(len(sequence), np.int64)
    place_of[sequence] = np.arange(len(sequence))
    return CorpusLayout(
        filing_of=section_of,
        filings=[],
        filing_members=members if n_documents else [],
        section_of=section_of,
        section_names=[""] * n_documents,
        section_starts=numbers.section_starts,
        sequence=sequence,
        place_of=place_of,
        position_of=positions,
        is_furniture=np.zeros(len(positions), np.bool_),
    )


def _numbers(values: pa.ChunkedArray, names: list[str]) -> Ints:
    found = pc.index_in(values, value_set=pa.array(names, pa.string()))
    numbers: Ints = found.to_numpy().astype(np.int64)
    return numbers


def _section_names(sentences: pa.Table, section_of: Ints) -> list[str]:
    _, first = np.unique(section_of, return_index=True)
    names: list[str] = sentences["section_name"].take(pa.array(first)).to_pylist()
    return names
