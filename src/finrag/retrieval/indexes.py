"""Vector indexes (FAISS): exact, IVF, IVF-PQ and HNSW, cached on disk by content."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from finrag.cache.entries import Entries
from finrag.retrieval.vectors import Floats, Ints, VectorSet, collect_vectors
from finrag.systems.kinds import INDEXED_KINDS
from finrag.warehouse.folder import step_command

INDEX_TYPES = ("flat", "ivf", "ivfpq", "hnsw")
RECALL_DEPTH = 10
RECALL_QUERIES = 200
MAX_INDEXES = 12
MIN_TRAINING_VECTORS_PER_CLUSTER = 39
INDEX_FORMAT = "1"
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


def build_indexes(
    systems: pa.Table,
    texts: pa.Table,
    vectors: Iterable[pa.RecordBatch],
    settings: Mapping[str, Any],
) -> pa.Table:
    """Builds or reuses one index for every system that searches by vectors of texts.

    Args:
        systems: registered systems, with their index settings; without an index type the
            index is flat.
        texts: ``text_hash`` of the distinct texts, ascending.
        vectors: ``encoder``, ``encoder_id``, ``text_hash``, ``vector``.
        settings: ``state_dir``.

    Returns:
        One row per system (``VECTOR_INDEX_SCHEMA``). ``recall_at_10`` is the share of the
        exact ten nearest texts that the index finds, over a seeded sample of queries; null
        when the index is empty.

    Raises:
        ValueError: an index type that does not exist, or settings that it lacks.
    """
    sets = collect_vectors(vectors, texts["text_hash"])
    wanted = [
        {**row, "index_type": row["index_type"] or "flat"}
        for row in systems.to_pylist()
        if row["system_kind"] in INDEXED_KINDS
    ]
    # Systems of one encoder and one kind of index share it, and what was measured of it.
    shared: dict[tuple[object, ...], dict[str, object]] = {}
    rows = []
    for system in wanted:
        if system["encoder"] not in sets:
            continue
        key = tuple(system[name] for name in ("encoder", "index_probes", *INDEX_SETTINGS))
        if key not in shared:
            shared[key] = _index_row(system, sets[system["encoder"]], texts["text_hash"], settings)
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
    """Nearest text numbers of each query, queries x n_results; -1 where fewer were found."""
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
        if system["index_type"] in ("flat", "hnsw"):
            index = faiss.IndexIDMap2(index)
        index.add_with_ids(vectors, numbers)
    finally:
        faiss.omp_set_num_threads(threads)
    return index


def measure_recall(
    index: Any, system: Mapping[str, Any], vectors: VectorSet, seed: int
) -> tuple[float | None, int]:
    """Recall@10 of an index against exact search, and the number of queries asked.

    A found text counts when its exact score reaches that of the tenth exact neighbour, so
    that equal scores never count against the index.
    """
    usable = np.flatnonzero(vectors.is_usable)
    if len(usable) == 0 or index.ntotal == 0:
        return None, 0
    rng = np.random.default_rng(seed)
    asked = np.sort(rng.choice(usable, min(RECALL_QUERIES, len(usable)), replace=False))
    queries = vectors.matrix[asked]
    exact = queries @ vectors.matrix[usable].T
    depth = min(RECALL_DEPTH, len(usable))
    limits = np.partition(exact, exact.shape[1] - depth, axis=1)[:, exact.shape[1] - depth]
    found = search_index(index, system, queries, depth)
    hits = 0
    for query, limit, texts in zip(queries, limits, found, strict=True):
        scores = vectors.matrix[texts[texts >= 0]] @ query
        hits += int(np.count_nonzero(scores >= limit - 1e-5))
    return round(hits / (depth * len(asked)), 6), len(asked)


def _factory(system: Mapping[str, Any], n_vectors: int, dimension: int) -> str:
    kind = system["index_type"]
    if kind == "flat":
        return "Flat"
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
    system: Mapping[str, Any],
    vectors: VectorSet,
    text_hashes: pa.ChunkedArray,
    settings: Mapping[str, Any],
) -> dict[str, object]:
    import faiss

    usable = np.flatnonzero(vectors.is_usable).astype(np.int64)
    index_id = _identity(system, vectors, text_hashes)
    entries = _entries(settings["state_dir"])
    index = entries.find(index_id, lambda path: _whole_index(path, len(usable)))
    if index is None:
        index = build_index(system, np.ascontiguousarray(vectors.matrix[usable]), usable)
        with entries.adding(index_id) as path:
            faiss.write_index(index, str(path))
    recall, n_queries = measure_recall(index, system, vectors, int(system["random_seed"] or 0))
    return {
        "system_id": system["system_id"],
        "index_id": index_id,
        "index_type": system["index_type"],
        "encoder_id": vectors.encoder_id,
        "dimension": vectors.matrix.shape[1],
        "n_texts": len(vectors.matrix),
        "n_vectors": index.ntotal,
        "n_unusable": len(vectors.matrix) - len(usable),
        "recall_at_10": recall,
        "n_recall_queries": n_queries,
    }


def _identity(system: Mapping[str, Any], vectors: VectorSet, text_hashes: pa.ChunkedArray) -> str:
    """Content address of an index: its settings, the encoder, the texts and their vectors."""
    import faiss

    digest = hashlib.blake2b(digest_size=16)
    parts = [INDEX_FORMAT, faiss.__version__, vectors.encoder_id]
    digest.update("|".join([*parts, *(str(system[name]) for name in INDEX_SETTINGS)]).encode())
    digest.update(hashlib.blake2b("".join(text_hashes.to_pylist()).encode()).digest())
    digest.update(np.ascontiguousarray(vectors.matrix).data)
    return f"{system['index_type']}-{digest.hexdigest()}"


def _whole_index(path: Path, n_expected: int) -> Any:
    import faiss

    index = faiss.read_index(str(path), faiss.IO_FLAG_MMAP)
    if index.ntotal != n_expected:
        raise ValueError(f"it holds {index.ntotal} of {n_expected} vectors")
    return index


def _entries(state_dir: str) -> Entries:
    folder = Path(state_dir) / "cache" / "indexes"
    return Entries(folder, "the vector index", "it is built again", ".faiss", MAX_INDEXES)
