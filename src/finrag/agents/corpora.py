"""What the questions of a task are answered from: the same for a build, ``ask`` and a server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from finrag.agents.chunked import PAGE, ROW, ChunkedPools, chunk_pools
from finrag.agents.directory import Directory
from finrag.agents.session import Found
from finrag.retrieval.pools import CELL, SET_UNITS, FilingsPool, open_set
from finrag.retrieval.queries import FILINGS, Query
from finrag.retrieval.ranking import filing_owners
from finrag.systems.algorithm import SET_DEPTH
from finrag.text.words import stems

# Beside the sentences, for questions on tables.
TABLE_PARTS: Final = (ROW, CELL)


@dataclass(frozen=True)
class Cells:
    """The cells of the rows of tables: the key and the text of each."""

    of_row: Mapping[str, Sequence[tuple[str, str]]]

    def ranked(self, rows: Sequence[str], question: str) -> list[str]:
        """Cells of rows: row by row, in a row those with most words of the question first."""
        words = stems(question)
        found: list[str] = []
        for row in rows:
            own = self.of_row.get(row, ())
            shared = [len(words & stems(text)) for _, text in own]
            found += [own[n][0] for n in sorted(range(len(own)), key=lambda n: (-shared[n], n))]
        return found


@dataclass(frozen=True)
class Corpus:
    """What tools search.

    Attributes:
        corpus_id: the filings, or a public set.
        chunked: the pools.
        directory: their documents.
        units: those that get a ranking.
        depth: the most results of a unit; None for as many as the system keeps.
        cells: of the rows that are searched; None where there are none.
    """

    corpus_id: str
    chunked: ChunkedPools
    directory: Directory
    units: tuple[str, ...]
    depth: int | None = None
    cells: Cells | None = None

    def rankings(
        self, seen: Mapping[str, Sequence[Found]], question: str
    ) -> dict[str, list[Found]]:
        """What a session saw, by unit, with the cells of the rows among it.

        Args:
            seen: see ``Session.ranking``.
            question: its text.
        """
        rankings = {unit: list(found) for unit, found in seen.items()}
        if self.cells is not None:
            rows = rankings.get(ROW, [])
            cells = self.cells.ranked([row for row, _, _ in rows], question)
            tool = rows[0][2] if rows else ""
            rankings[CELL] = [(cell, 1 / rank, tool) for rank, cell in enumerate(cells, 1)]
        return rankings


def directory_of(documents: pa.Table, companies: pa.Table, corpus_id: str) -> Directory:
    """The documents of a corpus; those of filings go by each name of their company.

    Args:
        documents: the door ``documents``.
        companies: the door ``companies``: ``cik_int``, ``display_name``, ``aliases``.
        corpus_id: the filings, or a public set.
    """
    names = {
        one["cik_int"]: [one["display_name"], *(one["aliases"] or ())]
        for one in companies.select(["cik_int", "display_name", "aliases"]).to_pylist()
    }
    own = documents.filter(pc.equal(documents["corpus_id"], corpus_id)).to_pylist()
    return Directory.of({**one, "company_names": names.get(one["cik_int"])} for one in own)


def on_sentences(filings: FilingsPool, chunk_ids: Sequence[str], directory: Directory) -> Corpus:
    """The sentences of the filings.

    Args:
        filings: the sentences.
        chunk_ids: keys of their chunks, ascending.
        directory: of the filings.
    """
    chunked = chunk_pools([filings], directory, chunk_ids)
    return Corpus(FILINGS, chunked, directory, (filings.unit,))


def on_tables(
    filings: FilingsPool,
    chunk_ids: Sequence[str],
    directory: Directory,
    passages: pa.Table,
    queries: Sequence[Query],
    settings: Mapping[str, Any],
) -> Corpus:
    """The sentences of the filings and the rows of their tables; cells are found through rows.

    Args:
        filings: the sentences.
        chunk_ids: keys of their chunks, ascending.
        directory: of the filings.
        passages: of all corpora; see ``open_set``, with ``parent_id``.
        queries: questions that are embedded at once.
        settings: see ``open_set``.
    """
    held = passages.filter(pc.equal(passages["corpus_id"], FILINGS))
    rows = held.filter(pc.equal(held["unit"], ROW))
    pools = open_set(FILINGS, rows, queries, settings, (ROW,), filing_owners(rows))
    ids = (rows[name].to_pylist() for name in ("passage_id", "parent_id"))
    tables = dict(zip(*ids, strict=True))
    cells = _cells(held)
    units = sorted({filings.unit, *(pool.unit for pool in pools)})
    return Corpus(
        FILINGS,
        chunk_pools([filings, *pools], directory, chunk_ids, tables),
        directory,
        (*units, *((CELL,) if cells.of_row else ())),
        SET_DEPTH,
        cells,
    )


def on_set(
    corpus_id: str,
    directory: Directory,
    passages: pa.Table,
    queries: Sequence[Query],
    settings: Mapping[str, Any],
) -> Corpus:
    """The passages of a public set.

    Args:
        corpus_id: the set.
        directory: of its documents.
        passages: of all corpora; see ``open_set``.
        queries: questions that are embedded at once.
        settings: see ``open_set``.
    """
    held = passages.filter(pc.equal(passages["corpus_id"], corpus_id))
    pools = open_set(corpus_id, held, queries, settings, SET_UNITS)
    units = tuple(sorted(pool.unit for pool in pools))
    known = replace(directory, has_pages=PAGE in units)
    return Corpus(corpus_id, chunk_pools(pools, known), known, units, SET_DEPTH)


def _cells(passages: pa.Table) -> Cells:
    """By row, in the order of their columns."""
    order = [(name, "ascending") for name in ("parent_id", "position", "passage_id")]
    cells = passages.filter(pc.equal(passages["unit"], CELL)).sort_by(order)
    of_row: dict[str, list[tuple[str, str]]] = {}
    for cell in cells.select(["parent_id", "passage_id", "passage_text"]).to_pylist():
        text = cell["passage_text"] or ""
        of_row.setdefault(cell["parent_id"], []).append((cell["passage_id"], text))
    return Cells(of_row)
