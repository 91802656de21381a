"""The pools of one task as one collection of passages in chunks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final

import numpy as np
import pyarrow as pa

from finrag.agents.directory import Directory
from finrag.retrieval.chunk_search import Chunks
from finrag.retrieval.corpus_layout import CorpusLayout
from finrag.retrieval.pools import FilingsPool, Pool, SetPool
from finrag.retrieval.vectors import Ints

PAGE: Final = "page"
ROW: Final = "row"
TABLE: Final = "table"


@dataclass(frozen=True)
class Groups:
    """Numbers by group.

    Attributes:
        members: the numbers, group by group.
        starts: where each group begins, one more than groups.
    """

    members: Ints
    starts: Ints

    def of(self, group: int) -> Ints:
        """Numbers of a group."""
        return self.members[self.starts[group] : self.starts[group + 1]]


@dataclass(frozen=True)
class ChunkedPools:
    """Passages of several pools under one numbering, and the chunks that they stand in.

    A passage's number is its number in its pool plus the ``starts`` of the pool.

    Attributes:
        pools: one for each unit that is searched.
        starts: number of each pool's first passage, and the number of all.
        chunk_ids: keys of the chunks.
        passages: passages of each chunk, in the order of reading.
        documents_of: for each pool the number of its document, or of its filing, by key.
    """

    pools: tuple[Pool, ...]
    starts: tuple[int, ...]
    chunk_ids: tuple[str, ...]
    passages: Groups
    documents_of: tuple[Mapping[str, int], ...]

    @cached_property
    def chunk_number(self) -> dict[str, int]:
        """Number of each chunk by its key."""
        return {chunk_id: number for number, chunk_id in enumerate(self.chunk_ids)}

    @cached_property
    def chunks_of(self) -> Groups:
        """Chunks of each passage; chunks may overlap."""
        sizes = np.diff(self.passages.starts)
        chunks = np.repeat(np.arange(len(sizes)), sizes)
        order = np.argsort(self.passages.members, kind="stable")
        starts = np.zeros(self.starts[-1] + 1, np.int64)
        counts = np.bincount(self.passages.members, minlength=self.starts[-1])
        np.cumsum(counts, out=starts[1:])
        return Groups(chunks[order], starts)

    @cached_property
    def passage_ids(self) -> pa.Array:
        """Keys of the passages, by number."""
        ids = [pool.numbers.sentence_ids.cast(pa.string()) for pool in self.pools]
        return pa.concat_arrays(ids) if ids else pa.array([], pa.string())

    def pool_of(self, passage: int) -> int:
        """Place of the pool that a passage is of."""
        return bisect_right(self.starts, passage) - 1

    def text(self, passage: int) -> str:
        """The text of a passage."""
        place = self.pool_of(passage)
        pool = self.pools[place]
        number = pool.numbers.text_of[passage - self.starts[place]]
        return str(pool.texts[int(number)].as_py())

    def members(self, documents: Collection[str]) -> list[Ints]:
        """For each pool the passages of some documents, by their numbers in the pool."""
        found = []
        for pool, document_of in zip(self.pools, self.documents_of, strict=True):
            known = {document_of[key] for key in documents if key in document_of}
            found.append(pool.layout.members(sorted(known)))
        return found


def chunk_pools(
    pools: Sequence[Pool],
    directory: Directory,
    chunk_ids: Sequence[str] = (),
    tables: Mapping[str, str] | None = None,
) -> ChunkedPools:
    """Joins the pools of a task.

    A chunk of filings is one of the door ``chunks``. Elsewhere a page is a chunk, the rows of a
    table are one, and other passages that follow one another in a document are, see
    ``chunk_search.cut_chunks``; its key is that of the document with ``#`` and a number.

    Args:
        pools: filings, tables of filings, or the units of one public set.
        directory: documents of the pools.
        chunk_ids: keys of the chunks of filings, ascending.
        tables: the table of each row.
    """
    starts = [0, *accumulate(len(pool.numbers.sentence_ids) for pool in pools)]
    keys: list[str] = []
    members: list[Ints] = []
    n_made: dict[str, int] = {}
    for pool, start in zip(pools, starts, strict=False):
        found = _chunks(pool, chunk_ids, tables or {}, n_made)
        keys += [key for key, _ in found]
        members += [passages + start for _, passages in found]
    sizes = [len(passages) for passages in members]
    joined = np.concatenate(members) if members else np.empty(0, np.int64)
    return ChunkedPools(
        pools=tuple(pools),
        starts=tuple(starts),
        chunk_ids=tuple(keys),
        passages=Groups(joined, np.array([0, *accumulate(sizes)], np.int64)),
        documents_of=tuple(_documents(pool, directory) for pool in pools),
    )


def _chunks(
    pool: Pool,
    chunk_ids: Sequence[str],
    tables: Mapping[str, str],
    n_made: dict[str, int],
) -> list[tuple[str, Ints]]:
    """Key and passages of each chunk of a pool; counts those made so far of each document."""
    if isinstance(pool, FilingsPool):
        chunks = pool.chunks()
        return [
            (key, chunks.sentences(number, pool.layout)) for number, key in enumerate(chunk_ids)
        ]
    if pool.unit == ROW and tables:
        return _by_table(pool, tables)
    names = list(pool.numbers.section_number)
    chunks = _single(pool.layout) if pool.unit == PAGE else pool.chunks()
    found = []
    for number in range(len(chunks.first)):
        passages = chunks.sentences(number, pool.layout)
        document = names[int(pool.layout.section_of[passages[0]])]
        place = n_made.get(document, 0)
        n_made[document] = place + 1
        found.append((f"{document}#{place}", passages))
    return found


def _single(layout: CorpusLayout) -> Chunks:
    """Every passage a chunk by itself, in the order of reading."""
    n = len(layout.sequence)
    return Chunks(np.arange(n, dtype=np.int64), np.ones(n, np.int64), [""] * n)


def _by_table(pool: Pool, tables: Mapping[str, str]) -> list[tuple[str, Ints]]:
    """Rows by their table, in the order of reading; a row without one by itself."""
    ids = pool.numbers.sentence_ids.to_pylist()
    groups: dict[str, list[int]] = {}
    for passage in pool.layout.sequence.tolist():
        groups.setdefault(tables.get(ids[passage]) or ids[passage], []).append(passage)
    return [(key, np.array(groups[key], np.int64)) for key in sorted(groups)]


def _documents(pool: Pool, directory: Directory) -> Mapping[str, int]:
    if isinstance(pool, SetPool):
        return pool.numbers.section_number
    number_of = {filing: number for number, filing in enumerate(pool.layout.filings)}
    return {
        one.document_id: number_of[one.cik_int, year]
        for one in directory.documents
        if one.cik_int is not None
        for year in one.years
        if (one.cik_int, year) in number_of
    }
