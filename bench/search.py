"""Ranking anchors, dense and BM25, open and filtered, beside a loop over the anchors."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from bench import material
from bench.material import SEED
from bench.process import Bench, Row, alternate, clock

ENCODER = "wordllama"
READINGS = (
    "document_id",
    "topic_text",
    "cik_ints",
    "years",
    "section_names",
    "forms",
    "segments",
    "company_names",
)
# Chunks, vectors of questions, passages of public sets: none here.
ABSENT = ("encoder", "content_hash", "vector", "latency_ms", "corpus_id")
PEERS = {
    "dense_open": "loop: matrix @ query, argsort",
    "dense_filtered": "loop: mask, matrix @ query, argsort",
    "bm25_open": "loop: bm25s.retrieve",
    "bm25_filtered": "loop: bm25s.retrieve with a mask",
}


def measure(bench: Bench) -> list[Row]:
    n_sentences, n_anchors = bench.size(65_000, 13_000), bench.size(1_000, 200)
    bench.child(material.write_synthetic, name="search", n_sentences=n_sentences)
    corpus = bench.child(write_corpus, n_anchors=n_anchors, threads=bench.threads).report
    return [_measure(bench, system, name, corpus) for system, name in PEERS.items()]


def _measure(bench: Bench, system_id: str, peer_name: str, corpus: dict[str, Any]) -> Row:
    ours, peer = alternate(
        bench.size(full=2, quick=1),
        lambda _: bench.child(rank_here, system_id=system_id),
        lambda _: bench.child(rank_in_a_loop, system_id=system_id),
    )
    told = peer[-1].report
    note = (
        f"{corpus['n_sentences']:,} sentences with {corpus['n_texts']:,} distinct texts; greatest "
        f"difference of scores, ranks 1 to {told['n_compared']}: {told['difference']:.1e}"
    )
    return Row(f"search, {system_id}", told["n"], "anchors", ours, peer_name, peer, (note,))


def write_corpus(folder: str, n_anchors: int, threads: int) -> dict[str, Any]:
    """Writes what the rooms before would hand over: anchors, sentences, texts, vectors, indexes."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    from finrag import embeddings, retrieval

    path = Path(folder)
    rows = pq.read_table(path / "search.parquet").sort_by("sentence_id")
    hashes = pa.array([embeddings.content_hash(text) for text in rows["sentence_text"].to_pylist()])
    section_ids = pc.replace_substring_regex(rows["sentence_id"], "_[0-9]+$", "")
    n_sentences = len(rows)
    never = pa.repeat(pa.scalar(False), n_sentences)
    sentences = pa.table(
        {
            "sentence_id": rows["sentence_id"],
            "section_id": section_ids,
            "text_hash": hashes,
            "cik_int": pa.repeat(pa.scalar(1, pa.int64()), n_sentences),
            "report_year": pa.repeat(pa.scalar(2020, pa.int32()), n_sentences),
            "section_name": pa.repeat("ITEM_7", n_sentences),
            "form": pa.repeat("10-K", n_sentences),
            "sentence_pos": pa.array(range(n_sentences), pa.int32()),
            **dict.fromkeys(("is_toc", "is_heading", "is_navigational"), never),
        }
    )
    worded = sentences.append_column("sentence_text", rows["sentence_text"])
    texts = worded.group_by("text_hash").aggregate([("sentence_text", "min")])
    texts = texts.rename_columns(["text_hash", "sentence_text"]).sort_by("text_hash")
    found = embeddings.embed_texts(
        texts, ENCODER, path / "cache-search", batch_size=32, threads=threads
    ).read_all()
    vectors = found.append_column("encoder", pa.repeat(ENCODER, len(found)))
    chosen = np.sort(np.random.default_rng(SEED).choice(len(rows), n_anchors, replace=False))
    anchors = worded.take(pa.array(chosen))
    anchors = anchors.append_column("item_id", anchors["sentence_id"])
    anchors = anchors.append_column("gold_set", pa.repeat("p1", n_anchors))
    anchors = anchors.append_column("item_kind", pa.repeat("anchor", n_anchors))
    anchors = anchors.append_column("corpus_id", pa.repeat("filings", n_anchors))
    anchors = anchors.append_column("passage_id", anchors["sentence_id"])
    anchors = anchors.append_column("question_text", anchors["sentence_text"])
    for name in READINGS:
        anchors = anchors.append_column(name, pa.nulls(n_anchors, pa.string()))
    indexes = retrieval.build_indexes(
        _system("dense_open"), texts.select(["text_hash"]), vectors.to_batches(), _settings(folder)
    )
    written = {
        "anchors": anchors,
        "sentences": sentences,
        "texts": texts,
        "vectors": vectors,
        "indexes": indexes,
    }
    for name, table in written.items():
        pq.write_table(table, path / f"search-{name}.parquet")
    return {"n_sentences": len(sentences), "n_texts": len(texts)}


def rank_here(folder: str, system_id: str) -> dict[str, Any]:
    import numpy as np
    import pyarrow as pa

    from finrag import retrieval

    systems = _system(system_id)
    anchors, sentences, texts, vectors, indexes = _tables(folder)

    nothing = pa.schema([(name, pa.string()) for name in ABSENT]).empty_table()

    def rank(queries: Any) -> Any:
        return retrieval.rank_items(
            *(systems, indexes, queries, sentences, texts, nothing, nothing, nothing),
            *(vectors.to_batches(), _settings(folder)),
        ).read_all()

    rank(anchors.slice(0, 1))  # builds the BM25 index, which the peer does before its clock too
    with clock() as lap:
        ranked = rank(anchors)
    scores = np.full((len(anchors), int(systems["depth"][0].as_py())), np.nan)
    _, anchor = np.unique(np.array(ranked["item_id"].to_pylist()), return_inverse=True)
    has_rank = ranked["rank"].is_valid().to_numpy()
    ranks = ranked["rank"].fill_null(1).to_numpy()
    scores[anchor[has_rank], ranks[has_rank] - 1] = ranked["score"].to_numpy()[has_rank]
    np.save(Path(folder) / f"scores-{system_id}.npy", scores)
    return {"n": len(anchors), **vars(lap)}


def rank_in_a_loop(folder: str, system_id: str) -> dict[str, Any]:
    import numpy as np

    kind, regime = system_id.split("_")
    depth = int(_system(system_id)["depth"][0].as_py())
    prepare = {"dense": _dense_loop, "bm25": _bm25_loop}[kind]
    loop = prepare(folder, regime == "filtered", depth)
    with clock() as lap:
        scores = loop()
    # BM25 ranks texts here and sentences there: repeats shift every rank but the first.
    n_compared = depth if kind == "dense" else 1
    ours = np.load(Path(folder) / f"scores-{system_id}.npy")
    peers = np.array([row[:n_compared] for row in scores])
    difference = np.nanmax(np.abs(ours[:, :n_compared] - peers))
    return {
        "n": len(scores),
        "difference": float(difference),
        "n_compared": n_compared,
        **vars(lap),
    }


def _dense_loop(folder: str, is_filtered: bool, depth: int) -> Callable[[], list[Any]]:
    anchors, sentences, texts, vectors, _ = _tables(folder)
    return partial(_rank_dense, anchors, sentences, texts, vectors, is_filtered, depth)


def _rank_dense(
    anchors: Any, sentences: Any, texts: Any, vectors: Any, is_filtered: bool, depth: int
) -> list[Any]:
    """From the same Arrow tables to rankings: one matrix row a sentence, one product an anchor."""
    import numpy as np
    import pyarrow.compute as pc

    by_text = vectors["vector"].combine_chunks().flatten().to_numpy().reshape(len(texts), -1)
    text_of = pc.index_in(sentences["text_hash"], vectors["text_hash"].combine_chunks())
    matrix = by_text[text_of.to_numpy()]
    section_of = np.array(sentences["section_id"].to_pylist())
    number = {name: at for at, name in enumerate(sentences["sentence_id"].to_pylist())}
    ranked = []
    for anchor in anchors.to_pylist():
        query = matrix[number[anchor["sentence_id"]]]
        if is_filtered:
            scores = matrix[section_of == anchor["section_id"]] @ query
        else:
            scores = matrix @ query
        ranked.append(scores[np.argsort(-scores, kind="stable")[:depth]])
    return ranked


def _bm25_loop(folder: str, is_filtered: bool, depth: int) -> Callable[[], list[Any]]:
    import bm25s

    anchors, sentences, texts, _, _ = _tables(folder)
    system = _system("bm25_open").to_pylist()[0]
    model = bm25s.BM25(k1=system["bm25_k1"], b=system["bm25_b"])
    model.index(
        bm25s.tokenize(
            texts["sentence_text"].to_pylist(), stopwords="english", show_progress=False
        ),
        show_progress=False,
    )
    return partial(_rank_bm25, model, anchors, sentences, texts, is_filtered, depth)


def _rank_bm25(
    model: Any, anchors: Any, sentences: Any, texts: Any, is_filtered: bool, depth: int
) -> list[Any]:
    import bm25s
    import numpy as np
    import pyarrow.compute as pc

    text_of = pc.index_in(sentences["text_hash"], texts["text_hash"].combine_chunks()).to_numpy()
    section_of = np.array(sentences["section_id"].to_pylist())
    ranked = []
    for anchor in anchors.to_pylist():
        tokens = bm25s.tokenize(anchor["sentence_text"], stopwords="english", show_progress=False)
        mask = None
        if is_filtered:
            mask = np.zeros(len(texts))
            mask[text_of[section_of == anchor["section_id"]]] = 1
        _, scores = model.retrieve(tokens, k=depth, show_progress=False, weight_mask=mask)
        ranked.append(scores[0])
    return ranked


def _tables(folder: str) -> tuple[Any, ...]:
    import pyarrow.parquet as pq

    names = ("anchors", "sentences", "texts", "vectors", "indexes")
    return tuple(pq.read_table(Path(folder) / f"search-{name}.parquet") for name in names)


def _system(system_id: str) -> Any:
    """The system as the project ships it, with the encoder of this benchmark."""
    import csv

    import pyarrow as pa

    from finrag.systems import resolve_systems, system_schema

    seeds = Path("seeds") / "systems"
    with (seeds / "systems.csv").open(encoding="utf-8", newline="") as rows:
        (shipped,) = (row for row in csv.DictReader(rows) if row["system_id"] == system_id)
    with (seeds / "setting_catalogue.csv").open(encoding="utf-8", newline="") as rows:
        catalogue = list(csv.DictReader(rows))
    variables = {"encoder": "wordllama", "enable_systems": [system_id]}
    (system,) = resolve_systems([shipped], catalogue, variables)
    schema = system_schema(catalogue)
    return pa.Table.from_pylist([{**system, "encoder": ENCODER}], schema=schema)


def _settings(folder: str) -> dict[str, str]:
    return {"state_dir": str(Path(folder) / "state-search")}
