"""Nearest vectors: by comparing all of them, or by an index of FAISS that guesses.

An exact search needs no index: it compares with the vectors themselves, of which there is one copy
in memory. Indexes (IVF, IVF-PQ, HNSW) are files, cached on disk by content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import pyarrow as pa

from finrag.cache.entries import Entries
from finrag.cache.results import content_digest
from finrag.retrieval.ordering import best_places
from finrag.retrieval.vectors import Bools, Floats, Ints, VectorSet, collect_vectors
from finrag.systems.algorithm import CANDIDATE_MARGIN, SCORE_DECIMALS
from finrag.systems.kinds import INDEXED_KINDS, has_vectors
from finrag.warehouse.folder import step_command

INDEX_TYPES = ("flat", "ivf", "ivfpq", "hnsw")
# No index: an exact search.
FLAT: Final = (None, "flat")
RECALL_DEPTH = 10
RECALL_QUERIES = 200
MAX_INDEXES = 12
MIN_TRAINING_VECTORS_PER_CLUSTER = 39
INDEX_FORMAT = "2"
# Queries compared with all vectors at once: their scores take a fraction of the vectors' memory.
QUERY_BLOCK: Final = 32
# Settings that the file of an index depends on.
INDEX_SETTINGS = (
    "index_type",
    "index_clusters",
    "index_neighbours",
    "index_code_bytes",
    "random_seed",
)

VECTOR_INDEX_SCHEMA = pa.schema(
    [
        pa.field("system_id", pa.string(), nullable=False),
        pa.field("index_id", pa.string(), nullable=False),
        pa.field("index_type", pa.string(), nullable=False),
        pa.field("encoder_id", pa.string(), nullable=False),
        pa.field("dimension", pa.int32(), nullable=False),
        pa.field("n_texts", pa.int64(), nullable=False),
        pa.field("n_vectors", pa.int64(), nullable=False),
        pa.field("n_unusable", pa.int64(), nullable=False),
        pa.field("recall_at_10", pa.float64()),
        pa.field("n_recall_queries", pa.int64(), nullable=False),
    ]
)


class Nearest(Protocol):
    """Finds texts by vectors in a whole pool."""

    @property
    def n_vectors(self) -> int:
        """How many can be found."""
        ...

    def nearest(self, queries: Floats, n_results: int) -> Iterable[Ints]:
        """For each query numbers of texts among which the nearest are, in no order."""
        ...


@dataclass(frozen=True)
class Compared:
    """By comparison with every vector: exact.

    Attributes:
        matrix: unit vectors, one row a text.
        numbers: the text of each row; -1 for a row that is no vector.
    """

    matrix: Floats
    numbers: Ints

    @property
    def n_vectors(self) -> int:
        """See ``Nearest``."""
        return int(np.count_nonzero(self.numbers >= 0))

    def nearest(self, queries: Floats, n_results: int) -> Iterator[Ints]:
        """See ``Nearest``; what ties with the last of them is included."""
        slack = rounding_slack(self.matrix.shape[1])
        for scores in compared(queries, self.matrix, self.numbers >= 0):
            found = self.numbers[best_places(scores, n_results, slack)]
            yield found[found >= 0]


@dataclass(frozen=True)
class Indexed:
    """By an index of FAISS over the vectors, which may miss some."""

    index: Any
    system: Mapping[str, Any]

    @property
    def n_vectors(self) -> int:
        """See ``Nearest``."""
        return int(self.index.ntotal)

    def nearest(self, queries: Floats, n_results: int) -> Iterator[Ints]:
        """See ``Nearest``; more are taken, because exact scores may reorder near-ties."""
        n_taken = n_results + CANDIDATE_MARGIN
        found = search_index(self.index, self.system, _finite(queries), n_taken)
        return (row[row >= 0] for row in found)


def rounding_slack(dimension: int) -> float:
    """What may make a tie of two products of unit vectors in single precision.

    Twice what rounding can add to a product, and what may make a tie of two scores.
    """
    return dimension * 2.0**-22 + 10.0**-SCORE_DECIMALS


def compared(queries: Floats, matrix: Floats, is_usable: Bools) -> Iterator[Floats]:
    """For each query its product with every row, in single precision; -inf where not usable."""
    unusable = np.flatnonzero(~is_usable)
    asked = _finite(queries)
    for start in range(0, len(asked), QUERY_BLOCK):
        scores = asked[start : start + QUERY_BLOCK] @ matrix.T
        scores[:, unusable] = -np.inf
        yield from scores


def compare_all(matrix: Floats, is_usable: Bools) -> Compared:
    """An exact search over vectors: nothing is copied.

    Args:
        matrix: float32, texts x dimension; a row is a unit vector where it is usable.
        is_usable: bool per text; others are never found.
    """
    return Compared(matrix, np.where(is_usable, np.arange(len(matrix)), -1))


def build_indexes(
    systems: pa.Table,
    texts: pa.Table,
    vectors: Iterable[pa.RecordBatch],
    settings: Mapping[str, Any],
) -> pa.Table:
    """Builds or reuses what every system that searches by vectors of texts searches in.

    Args:
        systems: registered systems, with their index settings; without an index type the
            search is exact, and nothing is built.
        texts: ``text_hash`` of the distinct texts, ascending; what else they have tells their
            spelling.
        vectors: ``encoder``, ``encoder_id``, ``text_hash``, ``vector``.
        settings: ``state_dir``.

    Returns:
        One row per system (``VECTOR_INDEX_SCHEMA``). ``recall_at_10`` is the share of the
        exact ten nearest texts that the search finds, over a seeded sample of queries; null
        where there is nothing to find.

    Raises:
        ValueError: an index type that does not exist, or settings that it lacks.
    """
    sets = collect_vectors(vectors, texts["text_hash"])
    wanted = [
        {**row, "index_type": row["index_type"] or "flat"}
        for row in systems.to_pylist()
        if row["system_kind"] in INDEXED_KINDS and has_vectors(row)
    ]
    # Systems of one encoder and one kind of index share it, and what was measured of it.
    shared: dict[tuple[object, ...], dict[str, object]] = {}
    rows = []
    for system in wanted:
        if system["encoder"] not in sets:
            continue
        key = tuple(system[name] for name in ("encoder", "index_probes", *INDEX_SETTINGS))
        if key not in shared:
            shared[key] = _index_row(system, sets[system["encoder"]], texts, settings)
        rows.append({**shared[key], "system_id": system["system_id"]})
    return pa.Table.from_pylist(rows, schema=VECTOR_INDEX_SCHEMA)


def load_index(index_id: str, state_dir: str) -> Any:
    """Opens an index of the cache, memory-mapped.

    Raises:
        ValueError: there is no such index; build the model ``vector_indexes`` first.
    """
    import faiss

    path = _entries(state_dir).path(index_id)
    if not path.is_file():
        raise ValueError(f"index {index_id} is not in the cache; run `{step_command('build')}`")
    return faiss.read_index(str(path), faiss.IO_FLAG_MMAP)


def search_index(index: Any, system: Mapping[str, Any], queries: Floats, n_results: int) -> Ints:
    """Text numbers that an index finds for each query; -1 where it finds fewer."""
    import faiss

    if len(queries) == 0 or index.ntotal == 0:
        return np.full((len(queries), n_results), -1, np.int64)
    probes = system["index_probes"]
    if system["index_type"] in ("ivf", "ivfpq"):
        faiss.extract_index_ivf(index).nprobe = int(probes)
    if system["index_type"] == "hnsw":
        graph: Any = faiss.downcast_index(index.index)
        graph.hnsw.efSearch = max(int(probes), n_results)
    _, found = index.search(queries, min(n_results, index.ntotal))
    return np.asarray(found, np.int64)


def build_index(system: Mapping[str, Any], vectors: Floats, numbers: Ints) -> Any:
    """Builds an inner-product index; over unit vectors that is cosine similarity.

    Args:
        system: ``system_id``, ``index_type``, ``index_clusters``, ``index_neighbours``,
            ``index_code_bytes``, ``random_seed``.
        vectors: float32, n x dimension, finite.
        numbers: text number of each vector: what a search returns.

    Raises:
        ValueError: unknown index type or a setting that it needs is missing.
    """
    import faiss

    dimension = vectors.shape[1]
    index = faiss.index_factory(
        dimension, _factory(system, len(vectors), dimension), faiss.METRIC_INNER_PRODUCT
    )
    # A graph built by several threads differs from run to run.
    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1 if system["index_type"] == "hnsw" else threads)
    try:
        if not index.is_trained:
            faiss.extract_index_ivf(index).cp.seed = int(system["random_seed"] or 0)
            index.train(vectors)
        if system["index_type"] == "hnsw":
            index = faiss.IndexIDMap2(index)
        index.add_with_ids(vectors, numbers)
    finally:
        faiss.omp_set_num_threads(threads)
    return index


def measure_recall(
    find: Callable[[Floats, int], Iterable[Ints]], vectors: VectorSet, seed: int
) -> tuple[float | None, int]:
    """Recall@10 of a search against plain comparison, and the number of queries asked.

    A found text counts when its exact score reaches that of the tenth exact neighbour, so
    that equal scores never count against the search.

    Args:
        find: the search: gives numbers of texts for each of some queries.
        vectors: of the texts.
        seed: of the sample of queries.
    """
    usable = np.flatnonzero(vectors.is_usable)
    if len(usable) == 0:
        return None, 0
    rng = np.random.default_rng(seed)
    asked = np.sort(rng.choice(usable, min(RECALL_QUERIES, len(usable)), replace=False))
    depth = min(RECALL_DEPTH, len(usable))
    hits = 0
    # Few at once: the scores of both searches are in memory together.
    for start in range(0, len(asked), QUERY_BLOCK // 2):
        queries = vectors.matrix[asked[start : start + QUERY_BLOCK // 2]]
        exact = compared(queries, vectors.matrix, vectors.is_usable)
        for query, scores, texts in zip(queries, exact, find(queries, depth), strict=True):
            limit = np.partition(scores, len(scores) - depth)[len(scores) - depth]
            found = vectors.matrix[texts[texts >= 0]] @ query
            hits += min(depth, int(np.count_nonzero(found >= limit - 1e-5)))
    return round(hits / (depth * len(asked)), 6), len(asked)


def _finite(queries: Floats) -> Floats:
    asked = np.nan_to_num(queries, nan=0.0, posinf=0.0, neginf=0.0)
    return np.ascontiguousarray(asked, np.float32)


def _factory(system: Mapping[str, Any], n_vectors: int, dimension: int) -> str:
    kind = system["index_type"]
    if kind == "hnsw":
        return f"HNSW{_setting(system, 'index_neighbours')},Flat"
    if kind not in INDEX_TYPES:
        raise ValueError(
            f"system {system['system_id']}: index_type '{kind}' does not exist; "
            f"use one of {', '.join(INDEX_TYPES)}"
        )
    # FAISS refuses to train more clusters than it has vectors for.
    affordable = max(1, n_vectors // MIN_TRAINING_VECTORS_PER_CLUSTER)
    clusters = min(_setting(system, "index_clusters"), affordable)
    if kind == "ivf":
        return f"IVF{clusters},Flat"
    code_bytes = _setting(system, "index_code_bytes")
    if dimension % code_bytes:
        raise ValueError(
            f"system {system['system_id']}: index_code_bytes {code_bytes} does not divide "
            f"the {dimension} dimensions of its encoder"
        )
    bits = 8 if n_vectors >= 256 * MIN_TRAINING_VECTORS_PER_CLUSTER else 4
    return f"IVF{clusters},PQ{code_bytes}x{bits}"


def _setting(system: Mapping[str, Any], name: str) -> int:
    if system[name] is None:
        raise ValueError(
            f"system {system['system_id']}: index_type {system['index_type']} needs {name}; "
            "set it in seeds/systems/systems.csv"
        )
    return int(system[name])


def _index_row(
    system: Mapping[str, Any], vectors: VectorSet, texts: pa.Table, settings: Mapping[str, Any]
) -> dict[str, object]:
    index_id = _identity(system, vectors, texts)
    search: Nearest
    find: Callable[[Floats, int], Iterable[Ints]]
    if system["index_type"] in FLAT:
        search = compare_all(vectors.matrix, vectors.is_usable)
        find = search.nearest
    else:
        index = _found_or_built(system, vectors, index_id, settings["state_dir"])
        search = Indexed(index, system)
        # Without the margin that a search takes beside: it is the index that is measured.
        find = partial(search_index, index, system)
    recall, n_queries = None, 0
    if search.n_vectors:
        recall, n_queries = measure_recall(find, vectors, int(system["random_seed"] or 0))
    return {
        "system_id": system["system_id"],
        "index_id": index_id,
        "index_type": system["index_type"],
        "encoder_id": vectors.encoder_id,
        "dimension": vectors.matrix.shape[1],
        "n_texts": len(vectors.matrix),
        "n_vectors": search.n_vectors,
        "n_unusable": int(np.count_nonzero(~vectors.is_usable)),
        "recall_at_10": recall,
        "n_recall_queries": n_queries,
    }


def _found_or_built(
    system: Mapping[str, Any], vectors: VectorSet, index_id: str, state_dir: str
) -> Any:
    import faiss

    usable = np.flatnonzero(vectors.is_usable).astype(np.int64)
    entries = _entries(state_dir)
    index = entries.find(index_id, lambda path: _whole_index(path, len(usable)))
    if index is None:
        index = build_index(system, vectors.matrix[usable], usable)
        with entries.adding(index_id) as path:
            faiss.write_index(index, str(path))
    return index


def _identity(system: Mapping[str, Any], vectors: VectorSet, texts: pa.Table) -> str:
    """Content address of what is searched: its settings, the encoder and the texts."""
    parts = [INDEX_FORMAT, *(system[name] for name in INDEX_SETTINGS), *vectors.address, texts]
    if system["index_type"] not in FLAT:
        import faiss

        parts.append(faiss.__version__)
    return f"{system['index_type']}-{content_digest(parts)[:32]}"


def _whole_index(path: Path, n_expected: int) -> Any:
    import faiss

    index = faiss.read_index(str(path), faiss.IO_FLAG_MMAP)
    if index.ntotal != n_expected:
        raise ValueError(f"it holds {index.ntotal} of {n_expected} vectors")
    return index


def _entries(state_dir: str) -> Entries:
    folder = Path(state_dir) / "cache" / "indexes"
    return Entries(folder, "the vector index", "it is built again", ".faiss", MAX_INDEXES)
