"""Sections into sentences, beside nupunkt alone over the same sections."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.process import Bench, Row, alternate, clock, middle


def measure(bench: Bench) -> list[Row]:
    ours, peer = alternate(
        bench.size(full=5, quick=1),
        lambda _: bench.child(split_here),
        lambda _: bench.child(split_plainly),
    )
    told, theirs = middle(ours), middle(peer)
    million = told.report["n_characters"] / 1e6
    note = (
        f"{million:.2f} million characters: {million / told.seconds:.2f} million a second here, "
        f"{million / theirs.seconds:.2f} by the peer, which calls them {theirs.report['n']:,} "
        "sentences: layout, tables and offsets are not its task. One thread on both sides."
    )
    n = told.report["n"]
    return [Row("splitting", n, "sentences", ours, "nupunkt.sent_tokenize", peer, (note,))]


def split_here(folder: str) -> dict[str, Any]:
    import pyarrow.parquet as pq

    from finrag.text import sentences

    sections = pq.read_table(Path(folder) / "sections.parquet")
    sentences.split_spans("The model is loaded by the first text. It is not timed.")
    n = 0
    with clock() as lap:
        for batch in sentences.split_sections(sections.to_batches(max_chunksize=256)):
            n += batch.num_rows
    n_characters = sum(map(len, sections["section_text"].to_pylist()))
    return {"n": n, "n_characters": n_characters, **vars(lap)}


def split_plainly(folder: str) -> dict[str, Any]:
    import nupunkt
    import pyarrow.parquet as pq

    texts = pq.read_table(Path(folder) / "sections.parquet")["section_text"].to_pylist()
    nupunkt.sent_tokenize("The model is loaded by the first text. It is not timed.")
    with clock() as lap:
        n = sum(len(nupunkt.sent_tokenize(text)) for text in texts)
    return {"n": n, **vars(lap)}
