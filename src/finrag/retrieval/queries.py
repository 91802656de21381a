"""Items as a search sees them: what was read from each, and the vectors of its texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag.embeddings import content_hash
from finrag.questions.intents import asks_for_definition, asks_for_figure, asks_for_reason
from finrag.retrieval.stated import Asked
from finrag.retrieval.vectors import Floats

FILINGS = "filings"


@dataclass(frozen=True)
class Query:
    """An item and what was read from it.

    Attributes:
        item_id: key of the item.
        gold_set: its gold set.
        text: the question in full, or the anchor's sentence.
        topic: what a filtered search looks for; the full text where no topic was read.
        plain: the question without the companies' names, which tell nothing inside their
            filings and outweigh the words that do; years stay, as figures are stated with them.
        line: what context lines are searched for: the companies, years and sections that were
            read, as a context line has them; the full text where neither company nor year was.
        measured: the topic, and how statements word the measures that it names.
        measures: how statements word the measures that it names.
        page_terms: words of each kind of page that it asks for, such as a balance sheet.
        asked: what sentences that answer it state: a figure of a measure that it names, why
            one changed, what a term means.
        companies: Central Index Keys that were read.
        years: report years that were read.
        section_names: sections that the question hints at.
        forms: forms that it names, such as 10-K.
        segments: segments that it names.
        sentence: number of the passage that an anchor is; None for a question.
        document_id: the document that a set hands over with its question.
    """

    item_id: str
    gold_set: str
    text: str
    topic: str
    plain: str
    companies: tuple[int, ...]
    years: tuple[int, ...]
    section_names: frozenset[str]
    sentence: int | None = None
    document_id: str | None = None
    forms: tuple[str, ...] = ()
    segments: tuple[str, ...] = ()
    line: str = ""
    measured: str = ""
    measures: tuple[str, ...] = ()
    page_terms: tuple[tuple[str, ...], ...] = ()
    asked: frozenset[Asked] = frozenset()

    @property
    def searched(self) -> tuple[str, ...]:
        """All texts of it that a search may look for; a text may stand there twice."""
        return self.text, self.topic, self.plain, self.line, self.measured


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


def read_queries(items: pa.Table, sentence_ids: pa.Array | None = None) -> list[Query]:
    """Items with their readings.

    Args:
        items: ``item_id``, ``gold_set``, ``item_kind``, ``corpus_id``, ``question_text``,
            ``document_id``, ``passage_id`` (of an anchor), ``topic_text``, ``cik_ints``,
            ``years``, ``section_names``, ``forms``, ``segments``, ``company_names`` (every
            name of the companies that were read), and where they were prepared
            ``context_text``, ``measure_terms``, ``page_terms``, ``answer_form`` and
            ``kpi_labels``; a reading may be null.
        sentence_ids: the passages that are searched, by number; needed for anchors alone.

    Raises:
        ValueError: a question without text where the corpus is one of filings, or an anchor
            that is not among the passages.
    """
    numbers: list[int | None] = [None] * items.num_rows
    if sentence_ids is not None:
        numbers = pc.index_in(items["passage_id"], value_set=sentence_ids).to_pylist()
    rows = zip(items.to_pylist(), numbers, strict=True)
    return [_query(row, number) for row, number in rows]


def _query(row: Mapping[str, Any], sentence: int | None) -> Query:
    text = str(row["question_text"] or "")
    topic = row["topic_text"]
    topic = topic if topic and topic.strip() else text
    if not text.strip() and row["corpus_id"] == FILINGS and row["item_kind"] == "question":
        raise ValueError(f"question {row['item_id']} has no text; write it in its suite")
    if sentence is None and row["item_kind"] == "anchor":
        raise ValueError(f"anchor {row['item_id']} names no passage of the corpus; build again")
    return Query(
        item_id=row["item_id"],
        gold_set=row["gold_set"],
        text=text,
        topic=topic,
        plain=_plain(text, row["company_names"] or []),
        companies=tuple(row["cik_ints"] or ()),
        years=tuple(row["years"] or ()),
        section_names=frozenset(row["section_names"] or ()),
        sentence=sentence,
        document_id=row["document_id"],
        forms=tuple(row["forms"] or ()),
        segments=tuple(row["segments"] or ()),
        line=row.get("context_text") or text,
        measured=_measured(topic, row.get("measure_terms") or []),
        measures=tuple(row.get("measure_terms") or ()),
        page_terms=tuple(map(tuple, row.get("page_terms") or ())),
        asked=frozenset(_asked(row, text)),
    )


def _asked(row: Mapping[str, Any], text: str) -> Iterator[Asked]:
    if asks_for_figure(row.get("answer_form"), row.get("kpi_labels") or ()):
        yield "figure"
    if row.get("measure_terms") and asks_for_reason(text):
        yield "cause"
    if row["corpus_id"] == FILINGS and asks_for_definition(text):
        yield "definition"


def _measured(topic: str, terms: Sequence[str]) -> str:
    """The topic and those terms that it does not have already."""
    held = topic.casefold()
    return " ".join([topic, *(term for term in terms if term.casefold() not in held)])


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
    rows = table.filter(pc.equal(table["encoder"], encoder))
    flat = rows["vector"].combine_chunks().flatten().to_numpy(zero_copy_only=False)
    return QueryVectors(
        matrix=flat.astype(np.float32, copy=False).reshape(rows.num_rows, -1),
        row_of={key: row for row, key in enumerate(rows["content_hash"].to_pylist())},
        latency_ms=rows["latency_ms"].to_pylist(),
    )
