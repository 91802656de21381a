"""Questions as a search sees them: what was read from each, and the vectors of its texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from finrag.embeddings import content_hash
from finrag.retrieval.vectors import Floats


@dataclass(frozen=True)
class Query:
    """A question and what was read from it.

    Attributes:
        item_id: key of the question.
        gold_set: gold set of the question.
        text: the question in full.
        topic: what a filtered search looks for; the full text where no topic was read.
        plain: the question without the companies' names, which tell nothing inside their
            filings and outweigh the words that do; years stay, as figures are told with them.
        companies: Central Index Keys that were read.
        years: report years that were read.
        section_names: sections that the question hints at.
    """

    item_id: str
    gold_set: str
    text: str
    topic: str
    plain: str
    companies: tuple[int, ...]
    years: tuple[int, ...]
    section_names: frozenset[str]


@dataclass(frozen=True)
class QueryVectors:
    """Vectors of one encoder for texts outside the corpus.

    Attributes:
        matrix: float32, texts x dimension.
        row_of: row of each text by its content hash.
        latency_ms: milliseconds spent on each row's text when this build embedded it.
    """

    matrix: Floats
    row_of: dict[str, int]
    latency_ms: list[float]

    def of(self, texts: Sequence[str]) -> Floats:
        """Vectors of some texts, in their order; a row of NaN for a text without one."""
        vectors = np.full((len(texts), self.matrix.shape[1]), np.nan, np.float32)
        for position, text in enumerate(texts):
            row = self.row_of.get(content_hash(text))
            if row is not None:
                vectors[position] = self.matrix[row]
        return vectors

    def cost(self, texts: Iterable[str]) -> float:
        """Milliseconds that embedding these texts took, repeats counted once."""
        rows = {self.row_of.get(content_hash(text)) for text in texts}
        return sum(self.latency_ms[row] for row in sorted(row for row in rows if row is not None))


def read_queries(questions: pa.Table) -> list[Query]:
    """Questions with their readings.

    Args:
        questions: ``item_id``, ``gold_set``, ``question_text``, ``topic_text``,
            ``cik_ints``, ``years``, ``section_names`` and ``company_names`` (every name of
            the companies that were read); a reading may be null.

    Raises:
        ValueError: a question without text.
    """
    columns = [
        "item_id", "gold_set", "question_text", "topic_text", "cik_ints", "years",
        "section_names", "company_names",
    ]  # fmt: skip
    return [_query(*row.values()) for row in questions.select(columns).to_pylist()]


def _query(
    item_id: str,
    gold_set: str,
    text: str | None,
    topic: str | None,
    companies: list[int] | None,
    years: list[int] | None,
    section_names: list[str] | None,
    company_names: list[str] | None,
) -> Query:
    if not (text or "").strip():
        raise ValueError(f"question {item_id} has no text; correct or drop it in its suite")
    return Query(
        item_id=item_id,
        gold_set=gold_set,
        text=str(text),
        topic=topic if topic and topic.strip() else str(text),
        plain=_plain(str(text), company_names or []),
        companies=tuple(companies or ()),
        years=tuple(years or ()),
        section_names=frozenset(section_names or ()),
    )


def _plain(text: str, names: Sequence[str]) -> str:
    """The text without some names, longest first; as it was if nothing is left."""
    plain = text
    spoken = sorted(set(names), key=lambda name: (-len(name), name))
    for name in (name for name in spoken if name.strip()):
        plain = re.sub(rf"(?<!\w){re.escape(name)}(['’]s?)?(?!\w)", " ", plain)
    plain = " ".join(plain.split())
    return plain if re.search(r"\w", plain) else text


def collect_query_vectors(table: pa.Table) -> dict[str, QueryVectors]:
    """Vectors of questions, topics and chunks, one set per encoder.

    Args:
        table: ``encoder``, ``content_hash``, ``vector``, ``latency_ms``.
    """
    encoders = sorted(set(table["encoder"].to_pylist()))
    return {encoder: _query_vectors(table, encoder) for encoder in encoders}


def _query_vectors(table: pa.Table, encoder: str) -> QueryVectors:
    import pyarrow.compute as pc

    rows = table.filter(pc.equal(table["encoder"], encoder))
    flat = rows["vector"].combine_chunks().flatten().to_numpy(zero_copy_only=False)
    return QueryVectors(
        matrix=flat.astype(np.float32, copy=False).reshape(rows.num_rows, -1),
        row_of={key: row for row, key in enumerate(rows["content_hash"].to_pylist())},
        latency_ms=rows["latency_ms"].to_pylist(),
    )
