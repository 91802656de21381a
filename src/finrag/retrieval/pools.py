"""What is searched: the sentences of the filings, or one kind of passage of a public set."""

from __future__ import annotations

import copy
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag import embeddings
from finrag.cache.results import content_digest
from finrag.embeddings.encoders import resolve
from finrag.embeddings.prompts import Role
from finrag.retrieval import comparing, indexes
from finrag.retrieval.bm25 import SparseIndex, index_lines, open_sparse_index
from finrag.retrieval.candidates import COMPANY, OPEN
from finrag.retrieval.chunk_search import (
    CHUNK_VECTORS,
    Chunks,
    ChunkSearch,
    cut_chunks,
    encoded_vectors,
    mean_vectors,
    open_chunk_search,
    read_chunks,
)
from finrag.retrieval.contexts import (
    DenseContext,
    SparseContext,
    lines_by_section,
    usable_rows,
)
from finrag.retrieval.corpus_layout import CorpusLayout, lay_out_documents, lay_out_filings
from finrag.retrieval.numbering import CorpusNumbers, number_corpus
from finrag.retrieval.queries import FILINGS, Query, QueryVectors, collect_query_vectors
from finrag.retrieval.searching import DenseSearch, SparseSearch
from finrag.retrieval.stated import Asked, stated
from finrag.retrieval.vectors import Bools, Floats, Ints, VectorSet, collect_vectors, usable
from finrag.systems.kinds import FILTER_FIELDS, required

SENTENCE: Final = "sentence"
# Units of public sets that are ranked, in this order; cells are found through their rows.
SET_UNITS: Final = ("text", "row", "page", "turn", "table")
# Units of the filings' tables, which are ranked for questions on tables.
CELL: Final = "cell"
TABLE_UNITS: Final = ("row", CELL)

# Company and year of a document.
Owner = tuple[int, int]

System = Mapping[str, Any]


@dataclass(frozen=True)
class Reach:
    """Where the search for one item looks.

    Attributes:
        cells: filings, or the document, by their numbers; none for the whole pool.
        members: numbers of the passages; None for the whole pool.
        ways: bit of ``WAYS`` that marks a filtered search which had to look further than the
            companies and years read; 0 where it did not.
        is_place: whether it is one section or document.
    """

    cells: list[list[int]]
    members: Ints | None
    ways: int = 0
    is_place: bool = False


class Pool(ABC):
    """Passages of one corpus and unit; what a search needs of them is made when first asked for.

    Attributes:
        corpus_id: the corpus.
        unit: kind of the passages.
        numbers: the passages as integers.
        layout: their layout.
        texts: the distinct texts, by number, in one piece.
    """

    corpus_id: str
    unit: str
    numbers: CorpusNumbers
    layout: CorpusLayout
    texts: pa.LargeStringArray

    def __init__(self) -> None:
        self._searches: dict[tuple[object, ...], Any] = {}

    @abstractmethod
    def digest(self) -> str:
        """Digest of all that a search reads here, but for the vectors of a public set."""

    @abstractmethod
    def reach(self, query: Query, fields: frozenset[str] = FILTER_FIELDS) -> Reach | None:
        """The part of the pool that a filtered search looks at; None where there is none."""

    def _asked_for(self, query: Query, fields: frozenset[str]) -> Reach:
        """The filings that a question asks for, else its companies' others, else all."""
        companies, years = filings_asked(query, fields)
        cells, ways = self.layout.cells(companies, years), 0
        if not cells:
            cells = self.layout.cells(companies, ())
            ways = COMPANY if cells else OPEN
        filings = [filing for cell in cells for filing in cell]
        return Reach(cells, self.layout.members(filings) if cells else None, ways)

    @abstractmethod
    def vectors(self, encoder: str) -> VectorSet | None:
        """Vectors of the texts; None where the encoder gave none."""

    @abstractmethod
    def query_vectors(self, encoder: str) -> QueryVectors | None:
        """Vectors of the questions; None where the encoder gave none."""

    @abstractmethod
    def index_id(self, system: System) -> str | None:
        """Identity of the index or of the vectors that a system searches here."""

    @abstractmethod
    def _nearest(self, system: System, vectors: VectorSet) -> indexes.Nearest | None: ...

    @abstractmethod
    def _sparse_index(self, k1: float, b: float) -> SparseIndex: ...

    def _context_lines(self) -> list[str] | None:
        """The context line of each section by its number; None where the pool has none."""
        return None

    def _context_vectors(self, encoder: str) -> Floats | None:
        """Vectors of the context lines, by section; None where the encoder gave none."""
        del encoder
        return None

    @abstractmethod
    def _chunks(self, encoder: str | None) -> tuple[Chunks, QueryVectors | None]:
        """Chunks, and vectors of their texts where an encoder is named."""

    def chunks(self) -> Chunks:
        """Chunks of the passages, in the order of the chunk ids or of reading."""
        return self._chunks(None)[0]

    def dense(self, system: System) -> DenseSearch | None:
        """Search by vectors; None where the encoder gave none."""
        vectors = self.vectors(required(system, "encoder"))
        if vectors is None:
            return None
        names = ("encoder", "index_probes", *indexes.INDEX_SETTINGS)
        key = ("dense", *(system.get(name) for name in names))
        if key not in self._searches:
            nearest = self._nearest(system, vectors)
            self._searches[key] = DenseSearch(vectors, nearest, self.numbers)
        found: DenseSearch = self._searches[key]
        return replace(found, context=self._dense_context(system))

    def _dense_context(self, system: System) -> DenseContext | None:
        encoder, weight = system["encoder"], system.get("context_vector_weight") or 0.0
        if not weight:
            return None
        if ("lines", encoder) not in self._searches:
            self._searches["lines", encoder] = self._context_vectors(encoder)
        matrix: Floats | None = self._searches["lines", encoder]
        return None if matrix is None else DenseContext(matrix, self.layout.section_of, weight)

    def sparse(self, system: System) -> SparseSearch:
        """BM25 over the distinct texts."""
        k1, b = required(system, "bm25_k1"), required(system, "bm25_b")
        if ("bm25", k1, b) not in self._searches:
            self._searches["bm25", k1, b] = SparseSearch(self._sparse_index(k1, b), self.numbers)
        found: SparseSearch = self._searches["bm25", k1, b]
        return replace(found, context=self._sparse_context(system))

    def _sparse_context(self, system: System) -> SparseContext | None:
        k1, b, weight = system["bm25_k1"], system["bm25_b"], system.get("context_weight") or 0.0
        lines = self._context_lines() if weight else None
        if lines is None:
            return None
        if ("lines", k1, b) not in self._searches:
            self._searches["lines", k1, b] = index_lines(lines, k1, b)
        return SparseContext(self._searches["lines", k1, b], self.layout.section_of, weight)

    def stated(self, asked: Asked) -> Bools:
        """Whether each passage states what is asked for, see ``stated``."""
        if ("stated", asked) not in self._searches:
            self._searches["stated", asked] = stated(self.texts, asked)[self.numbers.text_of]
        found: Bools = self._searches["stated", asked]
        return found

    def chunk_search(self, system: System) -> ChunkSearch | None:
        """Search over chunks; None where the encoder gave no vectors."""
        encoder, kind = required(system, "encoder"), required(system, "chunk_vectors")
        if kind not in CHUNK_VECTORS:
            raise ValueError(
                f"system {system['system_id']}: chunk_vectors '{kind}' does not exist; "
                f"use one of {', '.join(CHUNK_VECTORS)}"
            )
        vectors = self.vectors(encoder)
        if vectors is None:
            return None
        if ("chunks", encoder, kind) not in self._searches:
            chunks, worded = self._chunks(encoder if kind == "encoded" else None)
            matrix = (
                mean_vectors(
                    *(chunks, vectors, self.numbers, self.layout), self._context_vectors(encoder)
                )
                if worded is None
                else encoded_vectors(chunks, worded)
            )
            self._searches["chunks", encoder, kind] = open_chunk_search(chunks, matrix)
        found: ChunkSearch = self._searches["chunks", encoder, kind]
        return found


class FilingsPool(Pool):
    """The sentences of all filings.

    Attributes:
        asked: vectors of questions and topics by encoder.
    """

    corpus_id, unit = FILINGS, SENTENCE

    def __init__(
        self,
        sentences: pa.Table,
        texts: pa.Table,
        chunks: pa.Table,
        query_vectors: pa.Table,
        vectors: Iterable[pa.RecordBatch],
        vector_indexes: pa.Table,
        state_dir: str,
        contexts: pa.Table | None = None,
        engine: str = "",
    ) -> None:
        """Arranges the corpus; see ``rank_items`` for the tables and the settings."""
        super().__init__()
        self.numbers = number_corpus(sentences, texts["text_hash"])
        self.layout = lay_out_filings(sentences, self.numbers)
        self.texts = _in_one_piece(texts["sentence_text"])
        # Of the corpus as well: its chunks and context lines are embedded beside the questions.
        self._embedded = collect_query_vectors(query_vectors)
        self.asked: Mapping[str, QueryVectors] = self._embedded
        self._text_hashes = texts["text_hash"]
        self._vectors = collect_vectors(vectors, texts["text_hash"], state_dir, bool(engine))
        self._chunk_rows = chunks
        self._lines = None
        if contexts is not None:
            self._lines = lines_by_section(contexts, self.numbers.section_number)
        self._forms = sentences["form"]
        self._state_dir = state_dir
        self._engine = engine
        ids = (vector_indexes[name].to_pylist() for name in ("system_id", "index_id"))
        self._index_ids = dict(zip(*ids, strict=True))
        # How long a text took to embed is no part of what is found.
        asked_for = query_vectors.select(["encoder", "content_hash", "vector"])
        self._inputs: list[Any] = [sentences, texts, chunks, asked_for]
        self._inputs += [] if contexts is None else [contexts]

    def asking(self, asked: Mapping[str, QueryVectors]) -> FilingsPool:
        """The same corpus for other questions, whose vectors these are; see ``FilingsPool``."""
        other = copy.copy(self)
        other.asked = asked
        return other

    def digest(self) -> str:
        """See ``Pool``."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        sets = (self._vectors[encoder] for encoder in sorted(self._vectors))
        return content_digest([*self._inputs, *(part for one in sets for part in one.address)])

    def reach(self, query: Query, fields: frozenset[str] = FILTER_FIELDS) -> Reach:
        """An anchor's section; a question's filings, else its companies' others, else all.

        Of these what fits the other fields; see ``narrowed``.
        """
        if query.sentence is not None:
            section = int(self.layout.section_of[query.sentence])
            return Reach([], self.numbers.members_of(section), is_place=True)
        reach = self._asked_for(query, fields)
        return replace(reach, members=self.narrowed(reach.members, query, fields))

    def narrowed(self, members: Ints | None, query: Query, fields: frozenset[str]) -> Ints | None:
        """The sentences that fit section, form and segment; a field that none fits is ignored.

        Args:
            members: sentence numbers, ascending; None for all.
            query: the question; a field of which it names nothing is passed over too.
            fields: those of the filter.
        """
        asked = {
            "section": query.section_names,
            "form": frozenset(query.forms),
            "segment": frozenset(query.segments),
        }
        for field, names in asked.items():
            if field not in fields or not names:
                continue
            fitting = self._fitting(field, names)
            fitting_members = (
                np.flatnonzero(fitting) if members is None else members[fitting[members]]
            )
            members = fitting_members if len(fitting_members) else members
        return members

    def _fitting(self, field: str, names: frozenset[str]) -> Bools:
        """Whether each sentence is of one of some sections or forms, or names a segment."""
        key = ("fitting", field, names)
        if key not in self._searches:
            self._searches[key] = _FITS[field](self, names)
        found: Bools = self._searches[key]
        return found

    def _in_sections(self, names: frozenset[str]) -> Bools:
        fits = np.array([name in names for name in self.layout.section_names], np.bool_)
        return fits[self.layout.section_of]

    def _in_forms(self, names: frozenset[str]) -> Bools:
        # An amended or a transitional report is one of its form: 10-K/A, 10-K405, 10-KT.
        starts = [pc.starts_with(self._forms, name) for name in sorted(names)]
        fits = [pc.fill_null(start, False).to_numpy() for start in starts]
        found: Bools = np.logical_or.reduce(fits)
        return found

    def _with_segments(self, names: frozenset[str]) -> Bools:
        fits = [
            pc.match_substring(self.texts, name, ignore_case=True).to_numpy(zero_copy_only=False)
            for name in sorted(names)
        ]
        by_text: Bools = np.logical_or.reduce(fits)
        return by_text[self.numbers.text_of]

    def vectors(self, encoder: str) -> VectorSet | None:
        """See ``Pool``."""
        return self._vectors.get(encoder)

    def query_vectors(self, encoder: str) -> QueryVectors | None:
        """See ``Pool``."""
        return self.asked.get(encoder)

    def index_id(self, system: System) -> str | None:
        """See ``Pool``."""
        return self._index_ids.get(system["system_id"])

    def _nearest(self, system: System, vectors: VectorSet) -> indexes.Nearest | None:
        index_id = self.index_id(system)
        if index_id is None:
            return None
        if system.get("index_type") in indexes.FLAT:
            return comparing.compare_all(vectors, self._engine)
        index = indexes.Indexed(indexes.load_index(index_id, self._state_dir), system)
        # The files are mapped, not read, until they are searched.
        list(index.nearest(np.zeros((1, vectors.dimension), np.float32), 1))
        return index

    def _sparse_index(self, k1: float, b: float) -> SparseIndex:
        return open_sparse_index(self.texts, self._text_hashes, k1, b, self._state_dir)

    def _context_lines(self) -> list[str] | None:
        return self._lines

    def _context_vectors(self, encoder: str) -> Floats | None:
        known = self._embedded.get(encoder)
        if known is None or self._lines is None:
            return None
        return usable_rows(known.of(self._lines))

    def _chunks(self, encoder: str | None) -> tuple[Chunks, QueryVectors | None]:
        chunks = read_chunks(self._chunk_rows, self.numbers, self.layout)
        return chunks, None if encoder is None else self._embedded[encoder]


def _in_one_piece(texts: pa.Array | pa.ChunkedArray) -> pa.LargeStringArray:
    """The same texts; some of them can then be taken without a copy of all."""
    # 64-bit offsets: the texts of a large corpus do not fit into one piece of two gigabytes.
    whole = texts.cast(pa.large_string())
    return whole.combine_chunks() if isinstance(whole, pa.ChunkedArray) else whole


def filings_asked(query: Query, fields: frozenset[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Companies and years of a question that are fields of the filter."""
    return (
        query.companies if "company" in fields else (),
        query.years if "year" in fields else (),
    )


_FITS: Final[Mapping[str, Callable[[FilingsPool, frozenset[str]], Bools]]] = {
    "section": FilingsPool._in_sections,
    "form": FilingsPool._in_forms,
    "segment": FilingsPool._with_segments,
}


class SetTexts:
    """The texts and questions of one public set, embedded when they are first needed."""

    def __init__(
        self, texts: Iterable[str], asked: Iterable[str], settings: Mapping[str, Any]
    ) -> None:
        self._texts = {text for text in texts if text.strip()}
        self._asked = {text for text in asked if text.strip()}
        self._settings = settings
        self._embedded: dict[tuple[str, Role], QueryVectors | None] = {}

    def of(self, encoder: str, role: Role) -> QueryVectors | None:
        """Vectors of the texts, or of the questions; None where there are none.

        Where the encoder does not tell them apart, both are embedded together.
        """
        tells_apart = resolve(encoder).prompts.differ
        if not tells_apart:
            role, texts = "query", self._texts | self._asked
        else:
            texts = self._asked if role == "query" else self._texts
        if (encoder, role) not in self._embedded:
            self._embedded[encoder, role] = self.embed(sorted(texts), encoder, role)
        return self._embedded[encoder, role]

    def embed(self, texts: Sequence[str], encoder: str, role: Role) -> QueryVectors | None:
        """Vectors of some texts, none of them blank or twice, and what each took."""
        started = time.perf_counter()
        matrix = embeddings.embed_queries(
            texts,
            encoder,
            Path(self._settings["state_dir"]) / "cache",
            batch_size=int(self._settings["encoder_batch_size"]),
            threads=int(self._settings["encoder_threads"]),
            role=role,
        )
        if not len(matrix):
            return None
        share = 1e3 * (time.perf_counter() - started) / len(texts)
        row_of = {embeddings.content_hash(text): row for row, text in enumerate(texts)}
        return QueryVectors(matrix, row_of, [share] * len(texts))


class SetPool(Pool):
    """The passages of one set and unit; small enough to be compared one by one."""

    def __init__(
        self, corpus_id: str, unit: str, passages: pa.Table, documents: frozenset[str],
        worded: SetTexts, owners: Mapping[str, Owner] | None = None,
    ) -> None:  # fmt: skip
        """Arranges the passages.

        Args:
            corpus_id: the set.
            unit: the kind of passage.
            passages: ``passage_id``, ``document_id``, ``position``, ``passage_text``.
            documents: of all passages of the set, of whatever unit.
            worded: texts and questions of the set.
            owners: company and year of each document, where they are filings: a question names
                those, and no document is handed over. None for a public set.
        """
        super().__init__()
        self.corpus_id, self.unit = corpus_id, unit
        self._is_filed = owners is not None
        names = ["passage_id", "document_id", "position", "passage_text"]
        ordered = passages.select(names).sort_by("passage_id")
        texts = pc.fill_null(ordered["passage_text"], "")
        distinct = pc.unique(texts)
        distinct = distinct.take(pc.sort_indices(distinct))
        sentences = pa.table(
            {
                "sentence_id": ordered["passage_id"],
                "section_id": ordered["document_id"],
                "text_hash": texts,
            }
        )
        self.numbers = number_corpus(sentences, pa.chunked_array([distinct]))
        positions = pc.fill_null(ordered["position"], 0).to_numpy().astype(np.int64)
        self.layout = lay_out_documents(positions, self.numbers)
        if owners is not None:
            filings = [owners[document] for document in self.numbers.section_number]
            self.layout = replace(self.layout, filings=filings)
        self.texts = _in_one_piece(distinct)
        self._digest = content_digest([ordered, sorted(documents), self.layout.filings])
        self._documents = documents
        self._worded = worded
        self._asked: Mapping[str, QueryVectors] = {}

    def asking(self, asked: Mapping[str, QueryVectors]) -> SetPool:
        """The same passages for other questions, whose vectors these are; see ``FilingsPool``."""
        other = copy.copy(self)
        other._asked = asked
        return other

    def digest(self) -> str:
        """See ``Pool``."""
        return self._digest

    def reach(self, query: Query, fields: frozenset[str] = FILTER_FIELDS) -> Reach | None:
        """The question's document; a document that was not loaded cannot be searched.

        Of tables of the filings, those of the companies and years that the question names; an
        anchor's filing.
        """
        if query.sentence is not None:
            filing = int(self.layout.section_of[query.sentence])
            return Reach([[filing]], self.numbers.members_of(filing), is_place=True)
        if self._is_filed:
            return self._asked_for(query, fields)
        if query.document_id not in self._documents:
            return None
        number = self.numbers.section_number.get(query.document_id)
        if number is None:
            return Reach([], np.empty(0, np.int64), is_place=True)
        return Reach([[number]], self.numbers.members_of(number), is_place=True)

    def vectors(self, encoder: str) -> VectorSet | None:
        """See ``Pool``."""
        key = ("vectors", encoder)
        if key not in self._searches:
            worded = self._worded.of(encoder, "passage")
            self._searches[key] = None
            if worded is not None:
                matrix = worded.of(self.texts.to_pylist())
                identity = embeddings.encoder_id(encoder)
                self._searches[key] = VectorSet(identity, matrix, usable(matrix))
        found: VectorSet | None = self._searches[key]
        return found

    def query_vectors(self, encoder: str) -> QueryVectors | None:
        """See ``Pool``."""
        return self._asked.get(encoder) or self._worded.of(encoder, "query")

    def index_id(self, system: System) -> str | None:
        """See ``Pool``."""
        encoder = system.get("encoder")
        return None if encoder is None else embeddings.encoder_id(encoder)

    def _nearest(self, system: System, vectors: VectorSet) -> indexes.Nearest:
        if system.get("index_type") in indexes.FLAT:
            return comparing.compare_all(vectors)
        return indexes.Indexed(list(indexes.build_files(system, vectors)), system)

    def _sparse_index(self, k1: float, b: float) -> SparseIndex:
        # The cache of the corpus keeps only a few indexes; these would drive it out.
        with tempfile.TemporaryDirectory() as scratch:
            return open_sparse_index(self.texts, self.texts, k1, b, scratch)

    def _chunks(self, encoder: str | None) -> tuple[Chunks, QueryVectors | None]:
        texts = self.texts.take(pa.array(self.numbers.text_of)).to_pylist()
        chunks, worded = cut_chunks(texts, self.layout)
        if encoder is None:
            return chunks, None
        return chunks, self._worded.embed(
            sorted({text for text in worded if text.strip()}), encoder, "passage"
        )


def open_set(
    corpus_id: str,
    passages: pa.Table,
    questions: Sequence[Query],
    settings: Mapping[str, Any],
    units: Sequence[str] = SET_UNITS,
    owners: Mapping[str, Owner] | None = None,
) -> list[SetPool]:
    """The pools of one set: a public one, or the tables of the filings.

    Args:
        corpus_id: the set.
        passages: of the set; see ``rank_items``.
        questions: of the set.
        settings: ``state_dir``, ``encoder_batch_size``, ``encoder_threads``.
        units: those that are ranked.
        owners: company and year of each document, where they are filings.
    """
    texts = pc.unique(passages["passage_text"]).drop_null().to_pylist()
    # A set hands its document over, and nothing is read from its questions.
    asked = (
        text
        for query in questions
        for text in (query.searched if owners else (query.text, query.plain))
    )
    worded = SetTexts(texts, asked, settings)
    documents = frozenset(pc.unique(passages["document_id"]).to_pylist())
    return [
        SetPool(corpus_id, unit, found, documents, worded, owners)
        for unit in units
        if (found := passages.filter(pc.equal(passages["unit"], unit))).num_rows
    ]
