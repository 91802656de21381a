"""Nearest vectors: by comparing all of them, or by an index of FAISS that guesses.

An exact search needs no index: it compares with the vectors themselves. Indexes (IVF, IVF-PQ, HNSW)
are files, one a block of vectors, cached on disk by content. What an index learns from vectors, it
learns once, for all its files. A search takes the best of every file; the best of these are
compared exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import pyarrow as pa

from finrag.cache.entries import Entries
from finrag.cache.results import content_digest
from finrag.retrieval import comparing
from finrag.retrieval.comparing import Best, finite, found_in
from finrag.retrieval.vectors import Floats, Ints, VectorSet, collect_vectors
from finrag.systems.algorithm import CANDIDATE_MARGIN
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
# Of the files of an index that is not exact.
FILES_FORMAT: Final = "1"
# The best of an index that are compared exactly, at least.
MIN_CANDIDATES: Final = 200
# FAISS looks at no more vectors than so many a cluster, and this many for product codes.
TRAINING_VECTORS_PER_CLUSTER: Final = 256
MIN_TRAINING_VECTORS: Final = 65_536
MAX_TRAINING_VECTORS: Final = 1_000_000
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
class Indexed:
    """By an index of FAISS over the vectors, which may miss some.

    Attributes:
        files: the index, a file a block.
        system: whose settings say how much of it is searched.
    """

    files: Sequence[Any]
    system: Mapping[str, Any]

    @property
    def n_vectors(self) -> int:
        """See ``Nearest``."""
        return sum(int(index.ntotal) for index in self.files)

    def nearest(self, queries: Floats, n_results: int) -> Iterator[Ints]:
        """See ``Nearest``; more are taken, because exact scores reorder what an index finds."""
        n_taken = max(MIN_CANDIDATES, n_results + CANDIDATE_MARGIN)
        found = search_files(self.files, self.system, finite(queries), n_taken)
        return (row[row >= 0] for row in found)


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
        settings: ``state_dir``; ``engine`` of a build over shards.

    Returns:
        One row per system (``VECTOR_INDEX_SCHEMA``). ``recall_at_10`` is the share of the
        exact ten nearest texts that the search finds, over a seeded sample of queries; null
        where there is nothing to find.

    Raises:
        ValueError: an index type that does not exist, or settings that it lacks.
    """
    engine = settings.get("engine") or ""
    sets = collect_vectors(vectors, texts["text_hash"], settings["state_dir"], bool(engine))
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


def load_index(index_id: str, state_dir: str) -> list[Any]:
    """Opens the files of an index of the cache, memory-mapped.

    Raises:
        ValueError: there is no such index; build the model ``vector_indexes`` first.
    """
    path = _entries(state_dir).path(index_id)
    if not path.is_dir():
        raise ValueError(f"index {index_id} is not in the cache; run `{step_command('build')}`")
    return _opened(path)


def search_files(
    files: Sequence[Any], system: Mapping[str, Any], queries: Floats, n_results: int
) -> Ints:
    """Text numbers that an index finds for each query, best first; -1 where it finds fewer."""
    import faiss

    best = np.full((len(queries), n_results), -np.inf, np.float32)
    texts = np.full((len(queries), n_results), -1, np.int64)
    probes = int(system["index_probes"])
    for index in files if len(queries) else ():
        if not index.ntotal:
            continue
        if system["index_type"] in ("ivf", "ivfpq"):
            faiss.extract_index_ivf(index).nprobe = probes
        if system["index_type"] == "hnsw":
            graph: Any = faiss.downcast_index(index.index)
            graph.hnsw.efSearch = max(probes, n_results)
        scores, found = index.search(queries, min(n_results, index.ntotal))
        scores = np.where(found >= 0, scores, -np.inf)
        both, all_found = np.hstack([best, scores]), np.hstack([texts, found])
        order = np.lexsort((all_found, -both), axis=1)[:, :n_results]
        best = np.take_along_axis(both, order, axis=1)
        texts = np.take_along_axis(all_found, order, axis=1)
    return texts


def build_files(system: Mapping[str, Any], vectors: VectorSet) -> Iterator[Any]:
    """Builds an inner-product index, block by block; over unit vectors that is cosine similarity.

    Args:
        system: ``system_id``, ``index_type``, ``index_clusters``, ``index_neighbours``,
            ``index_code_bytes``, ``random_seed``.
        vectors: of the texts; a search returns numbers of those that are usable.

    Yields:
        An index for each block of vectors.

    Raises:
        ValueError: unknown index type or a setting that it needs is missing.
    """
    import faiss

    usable = np.flatnonzero(vectors.is_usable).astype(np.int64)
    # A graph built by several threads differs from run to run.
    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1 if system["index_type"] == "hnsw" else threads)
    try:
        trained = _trained(system, vectors, usable)
        for start, block in vectors.blocks():
            is_usable = vectors.is_usable[start : start + len(block)]
            rows = block if is_usable.all() else block[is_usable]
            index = faiss.clone_index(trained)
            if system["index_type"] == "hnsw":
                index = faiss.IndexIDMap2(index)
            index.add_with_ids(rows, start + np.flatnonzero(is_usable).astype(np.int64))
            yield index
    finally:
        faiss.omp_set_num_threads(threads)


def _trained(system: Mapping[str, Any], vectors: VectorSet, usable: Ints) -> Any:
    """An empty index that knows its clusters and codes, from a seeded sample of the vectors."""
    import faiss

    n_vectors, seed = len(usable), int(system["random_seed"] or 0)
    kind = _factory(system, n_vectors, vectors.dimension)
    index = faiss.index_factory(vectors.dimension, kind, faiss.METRIC_INNER_PRODUCT)
    if not index.is_trained:
        inverted = faiss.extract_index_ivf(index)
        inverted.cp.seed = seed
        n_seen = max(TRAINING_VECTORS_PER_CLUSTER * inverted.nlist, MIN_TRAINING_VECTORS)
        n_seen = min(n_seen, MAX_TRAINING_VECTORS)
        if n_seen < n_vectors:
            usable = np.sort(np.random.default_rng(seed).choice(usable, n_seen, replace=False))
        index.train(vectors.rows(usable))
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
    queries = vectors.rows(asked)
    # What lies next to the cut is not asked for here: its score is.
    exact = Best(len(asked), depth, slack=0.0)
    for start, block in vectors.blocks():
        is_usable = vectors.is_usable[start : start + len(block)]
        exact.add(start, found_in(block, is_usable, queries, depth, exact.slack))
    hits = 0
    for query, (_, scores), texts in zip(queries, exact, find(queries, depth), strict=True):
        found = vectors.rows(texts[texts >= 0]) @ query
        limit = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        hits += min(depth, int(np.count_nonzero(found >= limit - 1e-5)))
    return round(hits / (depth * len(asked)), 6), len(asked)


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
            f"the {dimension} dimensions of its encoder; set it to a number that does"
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
    if system["index_type"] in FLAT:
        search = comparing.compare_all(vectors, settings.get("engine") or "")
    else:
        search = Indexed(_found_or_built(system, vectors, index_id, settings), system)
    recall, n_queries = None, 0
    if search.n_vectors:
        seed = int(system["random_seed"] or 0)
        recall, n_queries = measure_recall(search.nearest, vectors, seed)
    return {
        "system_id": system["system_id"],
        "index_id": index_id,
        "index_type": system["index_type"],
        "encoder_id": vectors.encoder_id,
        "dimension": vectors.dimension,
        "n_texts": len(vectors),
        "n_vectors": search.n_vectors,
        "n_unusable": int(np.count_nonzero(~vectors.is_usable)),
        "recall_at_10": recall,
        "n_recall_queries": n_queries,
    }


def _found_or_built(
    system: Mapping[str, Any], vectors: VectorSet, index_id: str, settings: Mapping[str, Any]
) -> list[Any]:
    import faiss

    n_usable = int(np.count_nonzero(vectors.is_usable))
    entries = _entries(settings["state_dir"])
    files = entries.find(index_id, lambda path: _whole_index(path, n_usable))
    if files is None:
        with entries.adding(index_id) as folder:
            folder.mkdir()
            for number, index in enumerate(build_files(system, vectors)):
                faiss.write_index(index, str(folder / f"block-{number:05}.faiss"))
        files = _opened(entries.path(index_id))
    return files


def _identity(system: Mapping[str, Any], vectors: VectorSet, texts: pa.Table) -> str:
    """Content address of what is searched: its settings, the encoder and the texts."""
    parts = [INDEX_FORMAT, *(system[name] for name in INDEX_SETTINGS), *vectors.address, texts]
    if system["index_type"] not in FLAT:
        import faiss

        parts += [FILES_FORMAT, faiss.__version__]
    return f"{system['index_type']}-{content_digest(parts)[:32]}"


def _whole_index(folder: Path, n_expected: int) -> list[Any]:
    files = _opened(folder)
    n_held = sum(index.ntotal for index in files)
    if n_held != n_expected:
        raise ValueError(f"it holds {n_held} of {n_expected} vectors")
    return files


def _opened(folder: Path) -> list[Any]:
    """Lists stay on the disk: a search reads those that it visits."""
    import faiss

    paths = sorted(folder.glob("*.faiss"))
    return [faiss.read_index(str(path), faiss.IO_FLAG_MMAP) for path in paths]


def _entries(state_dir: str) -> Entries:
    folder = Path(state_dir) / "cache" / "indexes"
    return Entries(folder, "the vector index", "it is built again", ".faiss", MAX_INDEXES)
