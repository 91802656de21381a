"""What the layers are fed: sections and sentences of a corpus, and synthetic sentence tables.

Everything is deterministic by seed and lies in the run's own folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

SEED = 20240131
COMPANIES, FIRST_YEAR, YEARS = 20, 2004, 20
ITEMS = ("1", "1A", "1B", "2", "3", "5", "6", "7", "7A", "8")
REPEAT_SHARE = 0.25


def write_corpus(folder: str, corpus: str, max_characters: int) -> dict[str, Any]:
    """Writes ``sections.parquet`` and ``sentences.parquet`` of a corpus of filings.

    Args:
        folder: where to write.
        corpus: file, directory or glob of filings; empty for the sample corpus.
        max_characters: sections are taken in file order until they hold this much text.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    from finrag import sample
    from finrag.sources import corpus as readers
    from finrag.text.sentences import split_sections

    if not corpus:
        sample.write_sample(Path(folder) / "sample")
        corpus = str(Path(folder) / "sample" / "filings")
    ids: list[str] = []
    items: list[str] = []
    texts: list[str] = []
    kinds: list[str | None] = []
    n_characters = 0
    for batch in readers.read_filings(corpus):
        for record in batch.to_pylist():
            for section in record["sections"] or []:
                if n_characters < max_characters:
                    ids.append(record["filing_id"])
                    items.append(section["item"])
                    texts.append(section["section_text"])
                    kinds.append(section.get("line_kinds"))
                    n_characters += len(section["section_text"])
        if n_characters >= max_characters:
            break
    sections = pa.table(
        {
            "filing_id": ids,
            "item": items,
            "section_text": texts,
            "line_kinds": pa.array(kinds, pa.string()),
        }
    )
    sentences = split_sections(sections.to_batches()).read_all()
    sentences = sentences.select(["filing_id", "item", "sentence_pos", "sentence_text"])
    pq.write_table(sections, Path(folder) / "sections.parquet")
    pq.write_table(sentences, Path(folder) / "sentences.parquet")
    return {"n_sections": len(ids), "n_characters": n_characters, "n_sentences": len(sentences)}


def write_synthetic(folder: str, name: str, n_sentences: int, seed: int = SEED) -> dict[str, Any]:
    """Writes a ready sentence table of fictional companies.

    A sentence joins two short sentences of the corpus: more different texts than rows, about 150
    characters, words as frequent as in filings. A quarter of the rows repeat another row's text.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    from finrag.records.identity import make_sentence_id

    heads, tails = _halves(folder)
    rng = np.random.default_rng(seed)
    text = np.arange(n_sentences)
    repeats = rng.random(n_sentences) < REPEAT_SHARE
    text[repeats] = rng.integers(0, n_sentences, int(repeats.sum()))
    head = heads.take(pa.array(rng.integers(0, len(heads), n_sentences)[text]))
    tail = tails.take(pa.array(rng.integers(0, len(tails), n_sentences)[text]))

    section_length = max(100, n_sentences // (COMPANIES * YEARS * len(ITEMS)))
    places = [
        (company, FIRST_YEAR + year, item)
        for company in range(COMPANIES)
        for year in range(YEARS)
        for item in ITEMS
    ]
    section = np.minimum(np.arange(n_sentences) // section_length, len(places) - 1)
    position = np.arange(n_sentences) - section * section_length
    prefixes = pa.array(
        [
            make_sentence_id(9_100_001 + company, "10-K", year, item, 0)[:-1]
            for company, year, item in places
        ]
    )
    which = pa.array(section)
    positions = pa.array(position, pa.int32())
    columns = {
        "sentence_id": _joined(prefixes.take(which), positions.cast(pa.string()), ""),
        "cik_int": pa.array([9_100_001 + company for company, _, _ in places]).take(which),
        "company_name": pa.array([f"Synthetic {c + 1:02d} Corp." for c, _, _ in places]).take(
            which
        ),
        "form": pa.repeat("10-K", n_sentences),
        "report_year": pa.array([year for _, year, _ in places], pa.int32()).take(which),
        "item": pa.array([item for _, _, item in places]).take(which),
        "sentence_pos": positions,
        "sentence_text": _joined(head, tail, ", while "),
    }
    table = pa.table(columns)
    pq.write_table(table, Path(folder) / f"{name}.parquet")
    return _described(table)


def _halves(folder: str) -> tuple[Any, Any]:
    """Short sentences of the corpus, written as the beginning and as the end of a longer one."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = pq.read_table(Path(folder) / "sentences.parquet")["sentence_text"].to_pylist()
    whole = sorted({text for text in texts if 30 <= len(text) <= 90 and text[-1] == "."})
    if not whole:
        raise ValueError(
            "the corpus holds no sentence of 30 to 90 characters that ends in a stop; "
            "point --corpus at filings with running text"
        )
    return (
        pa.array([text[:-1] for text in whole]),
        pa.array([text[0].lower() + text[1:] for text in whole]),
    )


def _joined(left: Any, right: Any, separator: str) -> Any:
    import pyarrow.compute as pc

    return pc.binary_join_element_wise(left, right, separator)


def _described(table: Any) -> dict[str, Any]:
    import pyarrow.compute as pc

    texts = table["sentence_text"]
    return {
        "n_sentences": len(table),
        "n_characters": pc.sum(pc.utf8_length(texts)).as_py(),
        "n_distinct": pc.count_distinct(texts).as_py(),
    }
