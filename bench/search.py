"""Ranking anchors, dense and BM25, open and filtered, beside the plain way; questions over a
million sentences by every system at once, and the memory that search by vectors takes."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from bench import material
from bench.material import SEED
from bench.process import Bench, Row, alternate, clock, middle

ENCODER = "wordllama"
# What was read from a question; here its company and year alone.
READ_TEXTS = ("document_id", "topic_text")
READ_LISTS = ("cik_ints", "years", "section_names", "forms", "segments", "company_names")
PEERS = {
    "dense_open": "FAISS: IndexFlatIP, one search",
    "dense_filtered": "loop: rows of the section @ query, argsort",
    "bm25_open": "loop: bm25s.retrieve",
    "bm25_filtered": "loop: bm25s.retrieve with a mask",
}
MILLIONS = 1_200_000
CHUNK = 8
VECTORS = "millions-vectors.arrow"
# As the models read them.
BATCH = 65_536


def measure(bench: Bench) -> list[Row]:
    n_sentences, n_anchors = bench.size(65_000, 13_000), bench.size(1_000, 200)
    bench.child(material.write_synthetic, name="search", n_sentences=n_sentences)
    corpus = bench.child(write_corpus, n_anchors=n_anchors, threads=bench.threads).report
    rows = [_measure(bench, system, name, corpus) for system, name in PEERS.items()]
    n_sentences, n_questions = bench.size(MILLIONS, 13_000), bench.size(1_000, 200)
    bench.child(material.write_synthetic, name="millions", n_sentences=n_sentences)
    bench.child(write_millions, n_questions=n_questions)
    return [*rows, *_measure_millions(bench)]


def _measure(bench: Bench, system_id: str, peer_name: str, corpus: dict[str, Any]) -> Row:
    ours, peer = alternate(
        bench.size(full=3, quick=1),
        lambda _: bench.child(rank_here, system_id=system_id),
        lambda _: bench.child(rank_plainly, system_id=system_id),
    )
    told = peer[-1].report
    note = (
        f"{corpus['n_sentences']:,} sentences with {corpus['n_texts']:,} distinct texts; greatest "
        f"difference of scores, ranks 1 to {told['n_compared']}: {told['difference']:.1e}"
    )
    return Row(f"search, {system_id}", told["n"], "anchors", ours, peer_name, peer, (note,))


def _measure_millions(bench: Bench) -> list[Row]:
    memory = [bench.child(search_in_little_memory)]
    told = memory[0].report
    memory_note = (
        f"{told['n_texts']:,} vectors of {told['matrix_mib']:,.0f} MiB, read in batches of "
        f"{BATCH:,}, looked up in {told['n_queries']:,} times; what the process grew by"
    )
    bench.child(rank_questions, n_asked=1)  # builds the BM25 index
    ranked = [bench.child(rank_questions, n_asked=None)]
    asked = ranked[0].report
    note = (
        f"{asked['n_sentences']:,} sentences, {asked['n_texts']:,} distinct texts, vectors at "
        f"random; one call for {', '.join(asked['systems'])}; {asked['n_rows']:,} rows; "
        f"{ranked[0].cpu_seconds:.0f} s of processor time"
    )
    return [
        Row(
            "search, memory", told["n_texts"], "texts", memory,
            notes=(memory_note,), figure=told["growth"],
        ),
        Row(
            "search, questions", asked["n"], "questions", ranked,
            notes=(note,), figure=middle(ranked).seconds,
        ),
    ]  # fmt: skip


def write_corpus(folder: str, n_anchors: int, threads: int) -> dict[str, Any]:
    """Writes what the rooms before would hand over: anchors, sentences, texts, vectors, indexes."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    from finrag import embeddings, retrieval

    path = Path(folder)
    sentences, worded, texts = _corpus(path / "search.parquet")
    found = embeddings.embed_texts(
        texts, ENCODER, path / "cache-search", batch_size=32, threads=threads
    ).read_all()
    vectors = found.append_column("encoder", pa.repeat(ENCODER, len(found)))
    chosen = np.sort(np.random.default_rng(SEED).choice(len(worded), n_anchors, replace=False))
    anchors = _items(worded.take(pa.array(chosen)), "anchor")
    indexes = retrieval.build_indexes(
        _systems("dense_open"), texts.select(["text_hash"]), vectors.to_batches(), _settings(folder)
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


def write_millions(folder: str, n_questions: int) -> dict[str, Any]:
    """Writes a large corpus, its vectors and questions: sentences of it, of their own filing.

    Vectors are drawn at random: how long a search takes does not depend on what they mean.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    path = Path(folder)
    sentences, worded, texts = _corpus(path / "millions.parquet")
    rng = np.random.default_rng(SEED)
    chosen = np.sort(rng.choice(len(worded), n_questions, replace=False))
    items = _items(worded.take(pa.array(chosen)), "question")
    starts = pc.equal(pc.bit_wise_and(sentences["sentence_pos"], CHUNK - 1), 0)
    chunks = pa.table(
        {
            "chunk_id": sentences["sentence_id"],
            "section_id": sentences["section_id"],
            "first_sentence_pos": sentences["sentence_pos"],
            "n_sentences": _to_section_end(sentences),
            "chunk_hash": sentences["text_hash"],
        }
    ).filter(starts)
    asked = items.group_by(["question_text", "text_hash"]).aggregate([])
    encoded = pa.table(
        {
            "encoder": pa.repeat(ENCODER, len(asked)),
            "content_hash": asked["text_hash"],
            "vector": _drawn_vectors(rng, len(asked)),
            "latency_ms": pa.repeat(1.0, len(asked)),
        }
    )
    written = {
        "items": items, "sentences": sentences, "texts": texts, "chunks": chunks, "asked": encoded,
    }  # fmt: skip
    for name, table in written.items():
        pq.write_table(table, path / f"millions-{name}.parquet")
    _write_vectors(texts["text_hash"].combine_chunks(), rng, path / VECTORS)
    return {}


def _write_vectors(hashes: Any, rng: Any, path: Path) -> None:
    import pyarrow as pa

    schema = pa.schema(
        [
            *((name, pa.string()) for name in ("encoder", "encoder_id", "text_hash")),
            ("vector", pa.list_(pa.float32())),
        ]
    )
    with pa.ipc.new_file(str(path), schema) as file:
        for start in range(0, len(hashes), BATCH):
            part = hashes.slice(start, BATCH)
            names = (pa.repeat(name, len(part)) for name in (ENCODER, f"{ENCODER}@random"))
            columns = [*names, part, _drawn_vectors(rng, len(part))]
            file.write_batch(pa.record_batch(columns, schema=schema))


def _vectors(folder: str) -> Iterator[Any]:
    """The vectors, a batch at a time, as the warehouse hands them over."""
    import pyarrow as pa

    with pa.OSFile(str(Path(folder) / VECTORS)) as source, pa.ipc.open_file(source) as file:
        for number in range(file.num_record_batches):
            yield file.get_batch(number)


def _corpus(path: Path) -> tuple[Any, Any, Any]:
    """A written sentence table as the sentences, the same with words, and the distinct texts."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    from finrag import embeddings

    rows = pq.read_table(path).sort_by("sentence_id")
    hashes = pa.array([embeddings.content_hash(text) for text in rows["sentence_text"].to_pylist()])
    section_ids = pc.replace_substring_regex(rows["sentence_id"], "_[0-9]+$", "")
    n_sentences = len(rows)
    never = pa.repeat(pa.scalar(False), n_sentences)
    sentences = pa.table(
        {
            "sentence_id": rows["sentence_id"],
            "section_id": section_ids,
            "text_hash": hashes,
            "cik_int": rows["cik_int"],
            "report_year": rows["report_year"],
            "section_name": pc.binary_join_element_wise("ITEM", rows["item"], "_"),
            "form": rows["form"],
            "sentence_pos": rows["sentence_pos"],
            **dict.fromkeys(("is_toc", "is_heading", "is_navigational"), never),
        }
    )
    worded = sentences.append_column("sentence_text", rows["sentence_text"])
    texts = worded.group_by("text_hash").aggregate([("sentence_text", "min")])
    texts = texts.rename_columns(["text_hash", "sentence_text"]).sort_by("text_hash")
    return sentences, worded, texts


def _items(chosen: Any, item_kind: str) -> Any:
    """Sentences as items; a question is read to be of their company and year."""
    import pyarrow as pa

    n = len(chosen)
    columns = {
        "item_id": chosen["sentence_id"],
        "gold_set": pa.repeat("p1" if item_kind == "anchor" else "p3", n),
        "item_kind": pa.repeat(item_kind, n),
        "corpus_id": pa.repeat("filings", n),
        "passage_id": chosen["sentence_id"] if item_kind == "anchor" else pa.nulls(n, pa.string()),
        "question_text": chosen["sentence_text"],
        "text_hash": chosen["text_hash"],
        "section_id": chosen["section_id"],
    }
    read = {}
    if item_kind == "question":
        names = {"cik_ints": "cik_int", "years": "report_year"}
        read = {name: [[one] for one in chosen[of].to_pylist()] for name, of in names.items()}
    nulls = pa.nulls(n, pa.string()), pa.nulls(n, pa.list_(pa.string()))
    columns |= dict.fromkeys(READ_TEXTS, nulls[0]) | dict.fromkeys(READ_LISTS, nulls[1]) | read
    return pa.table(columns)


def _to_section_end(sentences: Any) -> Any:
    """Sentences of the chunk that begins at each sentence: fewer at the end of a section."""
    import pyarrow as pa

    lengths = sentences.group_by("section_id").aggregate([("sentence_pos", "max")])
    ends = dict(zip(*(column.to_pylist() for column in lengths.columns), strict=True))
    sections, positions = (sentences[name].to_pylist() for name in ("section_id", "sentence_pos"))
    return pa.array(
        [min(CHUNK, ends[s] - p + 1) for s, p in zip(sections, positions, strict=True)], pa.int64()
    )


def _drawn_vectors(rng: Any, n: int, dimension: int = 256) -> Any:
    import numpy as np
    import pyarrow as pa

    drawn = rng.standard_normal((n, dimension), np.float32)
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    offsets = pa.array(np.arange(n + 1, dtype=np.int32) * np.int32(dimension))
    return pa.ListArray.from_arrays(offsets, pa.array(drawn.ravel()))


def search_in_little_memory(folder: str) -> dict[str, Any]:
    """What building the search by vectors and searching adds to a process, beside the vectors."""
    import resource

    import pyarrow.parquet as pq

    from finrag import retrieval
    from finrag.retrieval import comparing
    from finrag.retrieval.vectors import collect_vectors

    path = Path(folder)
    texts = pq.read_table(path / "millions-texts.parquet", columns=["text_hash"])
    systems, settings = _systems("dense_open"), _settings(folder)
    # What is loaded once is not the vectors': code, and buffers that are used again.
    some = next(_vectors(folder))
    retrieval.build_indexes(systems, texts.slice(0, BATCH), [some], settings)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with clock() as lap:
        built = retrieval.build_indexes(systems, texts, _vectors(folder), settings)
        found = collect_vectors(_vectors(folder), texts["text_hash"])[ENCODER]
        _, block = next(found.blocks())
        search = comparing.compare_all(found)
        n_queries = sum(1 for _ in search.nearest(block[:256], 100))
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    n_bytes = 4 * len(found) * found.dimension
    return {
        "n_texts": built["n_texts"][0].as_py(),
        "n_queries": n_queries + built["n_recall_queries"][0].as_py(),
        "matrix_mib": n_bytes / 2**20,
        "growth": grown * 2**10 / n_bytes,
        **vars(lap),
    }


def rank_questions(folder: str, n_asked: int | None) -> dict[str, Any]:
    """Every system of a build over every question, in one call."""
    import pyarrow.parquet as pq

    from finrag import retrieval

    path = Path(folder)
    tables = {
        name: pq.read_table(path / f"millions-{name}.parquet")
        for name in ("items", "sentences", "texts", "chunks", "asked")
    }
    items = tables["items"].slice(0, n_asked)
    systems, settings = _systems(), _settings(folder)
    indexes = retrieval.build_indexes(
        systems, tables["texts"].select(["text_hash"]), _vectors(folder), settings
    )
    with clock() as lap:
        ranked = retrieval.rank_items(
            *(systems, indexes, items, tables["sentences"], tables["texts"], tables["chunks"]),
            *(tables["asked"], _no_passages(), _vectors(folder), settings),
        ).read_all()
    return {
        "n": len(items),
        "n_sentences": len(tables["sentences"]),
        "n_texts": len(tables["texts"]),
        "n_rows": len(ranked),
        "systems": sorted(set(ranked["system_id"].to_pylist())),
        **vars(lap),
    }


def rank_here(folder: str, system_id: str) -> dict[str, Any]:
    import numpy as np
    import pyarrow as pa

    from finrag import retrieval

    systems = _systems(system_id)
    anchors, sentences, texts, vectors, indexes = _tables(folder)
    nothing = pa.schema(
        [(name, pa.string()) for name in ("encoder", "content_hash", "vector", "latency_ms")]
    ).empty_table()

    def rank(queries: Any) -> Any:
        return retrieval.rank_items(
            *(systems, indexes, queries, sentences, texts, nothing, nothing, _no_passages()),
            *(vectors.to_batches(), _settings(folder)),
        ).read_all()

    rank(anchors.slice(0, 1))  # builds the BM25 index, which the peer does before its clock too
    # What the repeat before has ranked must be ranked again.
    shutil.rmtree(Path(_settings(folder)["state_dir"]) / "cache" / "rankings")
    with clock() as lap:
        ranked = rank(anchors)
    scores = np.full((len(anchors), int(systems["depth"][0].as_py())), np.nan)
    _, anchor = np.unique(np.array(ranked["item_id"].to_pylist()), return_inverse=True)
    has_rank = ranked["rank"].is_valid().to_numpy()
    ranks = ranked["rank"].fill_null(1).to_numpy()
    scores[anchor[has_rank], ranks[has_rank] - 1] = ranked["score"].to_numpy()[has_rank]
    np.save(Path(folder) / f"scores-{system_id}.npy", scores)
    return {"n": len(anchors), **vars(lap)}


def rank_plainly(folder: str, system_id: str) -> dict[str, Any]:
    import numpy as np

    depth = int(_systems(system_id)["depth"][0].as_py())
    rank = {
        "dense_open": _dense_open,
        "dense_filtered": _dense_filtered,
        "bm25_open": partial(_bm25_loop, is_filtered=False),
        "bm25_filtered": partial(_bm25_loop, is_filtered=True),
    }[system_id](folder, depth)
    with clock() as lap:
        scores = rank()
    # BM25 ranks texts here and sentences there: repeats shift every rank but the first.
    n_compared = depth if system_id.startswith("dense") else 1
    ours = np.load(Path(folder) / f"scores-{system_id}.npy")
    peers = np.full((len(scores), n_compared), np.nan)
    for row, found in zip(peers, scores, strict=True):
        row[: len(found)] = found[:n_compared]
    difference = np.nanmax(np.abs(ours[:, :n_compared] - peers))
    return {
        "n": len(scores),
        "difference": float(difference),
        "n_compared": n_compared,
        **vars(lap),
    }


def _dense_open(folder: str, depth: int) -> Callable[[], Any]:
    """From the same Arrow tables to rankings: a row a sentence, and all anchors at once."""
    import faiss

    anchors, sentences, _, vectors, _ = _tables(folder)

    def rank() -> Any:
        matrix = _matrix(sentences, vectors)
        index = faiss.IndexFlatIP(matrix.shape[1])
        index.add(matrix)
        scores, _ = index.search(matrix[_numbers(anchors, sentences)], depth)
        return scores

    return rank


def _dense_filtered(folder: str, depth: int) -> Callable[[], list[Any]]:
    """The same, one product an anchor with the rows of its section."""
    import numpy as np
    import pyarrow.compute as pc

    anchors, sentences, _, vectors, _ = _tables(folder)

    def rank() -> list[Any]:
        matrix = _matrix(sentences, vectors)
        section_of = pc.index_in(sentences["section_id"], pc.unique(sentences["section_id"]))
        order = np.argsort(section_of.to_numpy(), kind="stable")
        starts = np.searchsorted(section_of.to_numpy()[order], np.arange(len(order)))
        ranked = []
        for number in _numbers(anchors, sentences):
            section = section_of[number].as_py()
            rows = order[starts[section] : starts[section + 1]]
            scores = matrix[rows] @ matrix[number]
            best = np.argsort(-scores, kind="stable")[:depth]
            ranked.append(scores[best])
        return ranked

    return rank


def _matrix(sentences: Any, vectors: Any) -> Any:
    import pyarrow.compute as pc

    by_text = vectors["vector"].combine_chunks().flatten().to_numpy().reshape(len(vectors), -1)
    text_of = pc.index_in(sentences["text_hash"], vectors["text_hash"].combine_chunks())
    return by_text[text_of.to_numpy()]


def _numbers(anchors: Any, sentences: Any) -> Any:
    import pyarrow.compute as pc

    found = pc.index_in(anchors["passage_id"], sentences["sentence_id"].combine_chunks())
    return found.to_numpy()


def _bm25_loop(folder: str, depth: int, is_filtered: bool) -> Callable[[], list[Any]]:
    import bm25s

    anchors, sentences, texts, _, _ = _tables(folder)
    system = _systems("bm25_open").to_pylist()[0]
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
        tokens = bm25s.tokenize(anchor["question_text"], stopwords="english", show_progress=False)
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


def _no_passages() -> Any:
    """Passages of public sets: none here."""
    import pyarrow as pa

    return pa.schema([("corpus_id", pa.string())]).empty_table()


def _systems(*system_ids: str) -> Any:
    """Systems as the project ships them, with the encoder of this benchmark.

    Without names those of a build that are asked questions.
    """
    import csv

    import pyarrow as pa

    from finrag.systems import resolve_systems, system_schema
    from finrag.systems.kinds import AGENT_KINDS, LINE_KINDS

    seeds = Path("seeds") / "systems"
    with (seeds / "systems.csv").open(encoding="utf-8", newline="") as rows:
        shipped = [
            row
            for row in csv.DictReader(rows)
            if (row["system_id"] in system_ids if system_ids else row["is_enabled"] == "true")
            and row["system_kind"] not in (*AGENT_KINDS, *LINE_KINDS)
        ]
    with (seeds / "setting_catalogue.csv").open(encoding="utf-8", newline="") as rows:
        catalogue = list(csv.DictReader(rows))
    variables = {
        "encoder": ENCODER,
        "enable_systems": [row["system_id"] for row in shipped],
        **{"chunk_tokens": 1000, "chunk_overlap": 0},
    }
    systems = resolve_systems(shipped, catalogue, variables)
    named = [{**row, "encoder": row.get("encoder") and ENCODER} for row in systems]
    return pa.Table.from_pylist(named, schema=system_schema(catalogue))


def _settings(folder: str) -> dict[str, str]:
    return {"state_dir": str(Path(folder) / "state-search")}
