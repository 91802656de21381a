"""Exact search: every vector is compared, block by block, and the best are kept.

A block gives all that reaches its own cut, and what lies next to it. The cut of all vectors is
never lower than that of a block, so that the best of all, and what lies next to their cut, are
among those: the result is that of one comparison with the whole matrix, ties included.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from finrag.retrieval.ordering import best_places
from finrag.retrieval.vectors import MATRIX_FILE, USABLE_FILE, Bools, Floats, Ints, VectorSet
from finrag.systems.algorithm import SCORE_DECIMALS

# Queries compared with a block at once: their scores take a fraction of the block's memory.
QUERY_BLOCK: Final = 32


@dataclass(frozen=True)
class Compared:
    """By comparison with every vector: exact.

    Attributes:
        vectors: unit vectors, one row a text.
        numbers: the text of each row; -1 for a row that is no vector.
        engine: compares the blocks of a matrix that lies in files; "" for this process. Workers
            of Spark read these files only where they run on this machine, that is with a local
            master; with any other master this process compares.
    """

    vectors: VectorSet
    numbers: Ints
    engine: str = ""

    @property
    def n_vectors(self) -> int:
        """See ``Nearest``."""
        return int(np.count_nonzero(self.numbers >= 0))

    def nearest(self, queries: Floats, n_results: int) -> Iterator[Ints]:
        """See ``Nearest``; what ties with the last of them is included."""
        if not len(queries):
            return
        best = Best(len(queries), n_results, rounding_slack(self.vectors.dimension))
        for start, found in self._found(queries, best):
            best.add(start, found)
        for rows, _ in best:
            texts = self.numbers[rows]
            yield texts[texts >= 0]

    def _found(self, queries: Floats, best: Best) -> Iterator[tuple[int, Iterable[Found]]]:
        ranges = self.vectors.ranges()
        folder = self.vectors.folder
        # The cache holds few matrices: of many encoders one has lost its files and is still mapped.
        if folder and len(ranges) > 1 and _reads_this_disk(self.engine) and folder.is_dir():
            yield from _found_by_workers(self.engine, folder, ranges, queries, best)
            return
        for start, block in self.vectors.blocks():
            is_usable = self.numbers[start : start + len(block)] >= 0
            yield start, found_in(block, is_usable, queries, best.n_results, best.slack)


def compare_all(vectors: VectorSet, engine: str = "") -> Compared:
    """An exact search over vectors: nothing is copied.

    Args:
        vectors: a row is a unit vector where it is usable; others are never found.
        engine: see ``Compared``.
    """
    numbers = np.where(vectors.is_usable, np.arange(len(vectors)), -1)
    return Compared(vectors, numbers, engine)


# Rows of a block and their scores.
Found = tuple[Ints, Floats]


class Best:
    """For each query the best rows of the blocks so far, and those next to the cut."""

    def __init__(self, n_queries: int, n_results: int, slack: float) -> None:
        """Nothing is found yet.

        Args:
            n_queries: how many there are.
            n_results: how many rows are wanted of each.
            slack: what lies less than this below the last of them is included.
        """
        self.n_results = n_results
        self.slack = slack
        nothing = np.empty(0, np.int64), np.empty(0, np.float32)
        self._found: list[Found] = [nothing] * n_queries

    def add(self, start: int, found: Iterable[Found]) -> None:
        """Adds what a block holds.

        Args:
            start: number of its first row.
            found: for each query rows of the block and their scores, see ``found_in``.
        """
        for query, (rows, scores) in enumerate(found):
            known, known_scores = self._found[query]
            if not len(known):
                self._found[query] = rows + start, scores
                continue
            all_rows = np.concatenate([known, rows + start])
            all_scores = np.concatenate([known_scores, scores])
            kept = best_places(all_scores, self.n_results, self.slack)
            self._found[query] = all_rows[kept], all_scores[kept]

    def __iter__(self) -> Iterator[Found]:
        return iter(self._found)


def found_in(
    block: Floats, is_usable: Bools, queries: Floats, n_results: int, slack: float
) -> Iterator[Found]:
    """For each query the best rows of a block, those next to the cut, and their scores."""
    for scores in compared(queries, block, is_usable):
        rows = best_places(scores, n_results, slack)
        rows = rows[is_usable[rows]]
        yield rows, scores[rows]


def compared(queries: Floats, matrix: Floats, is_usable: Bools) -> Iterator[Floats]:
    """For each query its product with every row, in single precision; -inf where not usable."""
    unusable = np.flatnonzero(~is_usable)
    asked = finite(queries)
    for start in range(0, len(asked), QUERY_BLOCK):
        scores = asked[start : start + QUERY_BLOCK] @ matrix.T
        scores[:, unusable] = -np.inf
        yield from scores


def rounding_slack(dimension: int) -> float:
    """What may make a tie of two products of unit vectors in single precision.

    Twice what rounding can add to a product, and what may make a tie of two scores.
    """
    return dimension * 2.0**-22 + 10.0**-SCORE_DECIMALS


def finite(queries: Floats) -> Floats:
    """Queries with zeros for what is no number: they find something, but nothing better."""
    asked = np.nan_to_num(queries, nan=0.0, posinf=0.0, neginf=0.0)
    return np.ascontiguousarray(asked, np.float32)


@dataclass(frozen=True)
class BlockTask:
    """The search of one block by a worker.

    Attributes:
        folder: of the matrix.
        queries: path of their vectors.
        start: the first row of the block.
        stop: its end.
        n_results: how many are wanted.
        slack: see ``Best``.
    """

    folder: str
    queries: str
    start: int
    stop: int
    n_results: int
    slack: float


def search_block(task: BlockTask) -> tuple[int, Ints, Ints, Floats]:
    """First row of the block; how many were found for each query; their rows; their scores."""
    from threadpoolctl import threadpool_limits

    block = np.load(Path(task.folder) / MATRIX_FILE, mmap_mode="r")[task.start : task.stop]
    is_usable = np.load(Path(task.folder) / USABLE_FILE)[task.start : task.stop]
    queries = np.load(task.queries)
    # There are as many workers as cores.
    with threadpool_limits(limits=1, user_api="blas"):
        found = list(found_in(np.asarray(block), is_usable, queries, task.n_results, task.slack))
    rows, scores = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return task.start, np.array([len(one) for one, _ in found]), rows, scores


def _found_by_workers(
    engine: str, folder: Path, ranges: Sequence[tuple[int, int]], queries: Floats, best: Best
) -> Iterator[tuple[int, Iterable[Found]]]:
    from finrag.shards.runners import open_runner

    with tempfile.TemporaryDirectory() as scratch, open_runner(engine) as runner:
        # Beside the tasks: they are many, and the queries the same.
        path = Path(scratch) / "queries.npy"
        np.save(path, queries)
        tasks = [
            BlockTask(str(folder), str(path), start, stop, best.n_results, best.slack)
            for start, stop in ranges
        ]
        for start, counts, rows, scores in runner.run(search_block, tasks, _label):
            ends = np.cumsum(counts)[:-1]
            yield start, zip(np.split(rows, ends), np.split(scores, ends), strict=True)


def _label(task: BlockTask) -> str:
    return f"the search of texts {task.start:,} to {task.stop:,}"


def _reads_this_disk(engine: str) -> bool:
    """Whether workers of an engine read files of this machine."""
    if engine == "spark":
        is_local = (os.environ.get("SPARK_MASTER") or "local").startswith("local")
        return is_local and not os.environ.get("SPARK_REMOTE")
    return engine == "pool"
