"""Tools over the pools of one task: search by words, search by meaning, reading of chunks."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import numpy as np
import pyarrow.compute as pc

from finrag.agents.chunked import PAGE, ChunkedPools
from finrag.agents.directory import Directory
from finrag.agents.steps import KEYWORD_SEARCH, SEMANTIC_SEARCH
from finrag.agents.tools import NO_FILTERS, Filters, KeywordSearch, SemanticSearch
from finrag.answers.types import SENTENCE, Passage
from finrag.embeddings import content_hash
from finrag.retrieval.comparing import compare_all
from finrag.retrieval.ordering import order_candidates
from finrag.retrieval.pools import FilingsPool, Pool, SetTexts
from finrag.retrieval.queries import Query
from finrag.retrieval.searching import DenseSearch
from finrag.retrieval.vectors import Floats, Ints
from finrag.systems.algorithm import FURNITURE_WEIGHT
from finrag.systems.kinds import required
from finrag.text.sentences import split_spans
from finrag.text.words import stems

# Tokens of a hit's sentences; the first is shown whatever its length.
SHOWN_TOKENS: Final = 60
# Passages of a hit at most.
MAX_SHOWN: Final = 12
# Characters of the longest text whose number of tokens is kept.
KEPT_CHARACTERS: Final = 2_000
# Passages looked at first for each chunk that is wanted; all if they lie in too few chunks.
PASSAGES_PER_CHUNK: Final = 16
ARAG: Final = "arag"
_ANY_WORD: Final = "total"
# As the dbt var ``token`` has it: words, numbers, marks.
_TOKEN: Final = re.compile(r"[A-Za-z]+|[0-9][0-9,.]*|[^A-Za-z0-9\s]")
_NO_SIGN: Final = re.compile(r"[^A-Z0-9]+")

# Numbers of passages in their pool and their scores, best first.
Scored = tuple[Ints, np.ndarray[Any, np.dtype[np.float64]]]
# Passages of each pool that may be found; None for all.
Members = Sequence[Ints | None]
_NOBODY: Final = Query("", "", "", "", "", (), (), frozenset())


@dataclass(frozen=True)
class Shown:
    """A passage that a call showed.

    Attributes:
        passage_id: its key.
        text: what was shown of it: a sentence or row in full, some sentences of a page.
        score: of the passage in the search; 0 where it was read.
        unit: its kind.
        number: of the passage among those of the toolbox.
    """

    passage_id: str
    text: str
    score: float = 0.0
    unit: str = SENTENCE
    number: int = -1


@dataclass(frozen=True)
class Hit:
    """A chunk that a search found, or that was read.

    Attributes:
        chunk_id: its key.
        score: of the chunk in the search; 0 where it was read.
        passages: those that match best, best first; of a chunk that was read, all.
    """

    chunk_id: str
    score: float
    passages: tuple[Shown, ...]


class Toolbox:
    """The tools of a system over the pools of one task; every search is made once."""

    def __init__(
        self,
        chunked: ChunkedPools,
        directory: Directory,
        system: Mapping[str, Any],
        settings: Mapping[str, Any],
        withheld: Collection[str] = (),
    ) -> None:
        """Opens nothing yet.

        Args:
            chunked: what is searched.
            directory: companies and years of its documents.
            system: ``encoder``, ``bm25_k1``, ``bm25_b`` and ``keyword_score``.
            settings: ``state_dir``, ``encoder_batch_size``, ``encoder_threads``.
            withheld: chunks that no tool finds or reads.
        """
        self.chunked = chunked
        self.directory = directory
        self.system = system
        self._settings = settings
        self._found: dict[tuple[object, ...], tuple[Hit, ...]] = {}
        # Milliseconds of each search when it was made, and of each text when it was embedded.
        self._found_ms: dict[tuple[object, ...], float] = {}
        self._embedded_ms: dict[str, float] = {}
        self._members: dict[tuple[object, ...], Members] = {}
        self._vectors: dict[str, Floats | None] = {}
        self._dense: dict[int, DenseSearch | None] = {}
        self._counts: dict[tuple[int, str], Ints] = {}
        self._chunks: dict[int, Hit] = {}
        self._withheld = frozenset(withheld)
        self._hidden = self._passages_of(self._withheld)

    def open(self, tools: Collection[str]) -> None:
        """Builds what some tools search, so that the first call takes no longer than others."""
        is_by_words = KEYWORD_SEARCH in tools and self.system.get("keyword_score") != ARAG
        for place, start in enumerate(self.chunked.starts[:-1]):
            if self.chunked.starts[place + 1] == start:
                continue
            if is_by_words:
                self._by_words(place, (_ANY_WORD,), None, 1)
            if SEMANTIC_SEARCH in tools:
                self._dense_search(place)
        if self.chunked.chunk_ids:
            self._whole(self.chunked.chunk_number[self.chunked.chunk_ids[0]])
            self.chunked.chunks_of.of(0)

    def search_ms(
        self, arguments: KeywordSearch | SemanticSearch, reach: Collection[str] | None = None
    ) -> float | None:
        """Milliseconds that a search took when it was made; None where it was not timed."""
        return self._found_ms.get(_key(arguments, reach))

    def embedding(self, queries: Collection[str]) -> tuple[int, float | None]:
        """How many texts have a vector, and the milliseconds that these took.

        Texts that were embedded together share the time evenly; those that the build had
        embedded took what they took there. The time is None where that of a text is not known.
        """
        usable = [text for text in dict.fromkeys(queries) if self._vectors.get(text) is not None]
        times = [self._embedded_ms[text] for text in usable if text in self._embedded_ms]
        return len(usable), sum(times) if len(times) == len(queries) else None

    def keyword_search(
        self, arguments: KeywordSearch, reach: Collection[str] | None = None
    ) -> tuple[Hit, ...]:
        """Chunks that contain the words, best first.

        By BM25 a chunk has the score of its best passage. By ``arag`` it is the sum, over the
        keywords, of how often the chunk's passages contain it, whatever its case, times its
        length in characters.

        Args:
            arguments: of the tool.
            reach: documents that may be searched; None for all.
        """
        is_arag = self.system.get("keyword_score") == ARAG
        ranked = self._by_count if is_arag else self._by_words
        return self._search(arguments, reach, arguments.keywords, ranked, is_arag)

    def semantic_search(
        self, arguments: SemanticSearch, reach: Collection[str] | None = None
    ) -> tuple[Hit, ...]:
        """Chunks near the query in meaning, best first; none where there are no vectors.

        A chunk has the score of its best passage, the cosine of the vectors.
        """
        return self._search(arguments, reach, (arguments.query,), self._by_meaning, False)

    def read(
        self, chunk_ids: Sequence[str], reach: Collection[str] | None = None
    ) -> tuple[Hit, ...]:
        """Those chunks that exist and may be searched, in the order given, in full."""
        allowed = None if reach is None else self._reached(NO_FILTERS, reach)
        numbers = [
            self.chunked.chunk_number[chunk_id]
            for chunk_id in dict.fromkeys(chunk_ids)
            if chunk_id in self.chunked.chunk_number and chunk_id not in self._withheld
        ]
        return tuple(self._whole(one) for one in numbers if self._is_within(one, allowed))

    def prepare(self, queries: Iterable[str]) -> None:
        """Embeds texts that will be searched for, in one call of the encoder.

        An agent that does not search by meaning has no encoder, and nothing is embedded.
        """
        new = sorted({text for text in queries if text.strip()} - self._vectors.keys())
        encoder = self.system.get("encoder")
        if (
            not new
            or encoder is None
            or all(pool.vectors(encoder) is None for pool in self.chunked.pools)
        ):
            return
        unknown = []
        known = [self._known(encoder, text) for text in new]
        for text, vector in zip(new, known, strict=True):
            self._vectors[text] = vector
            if vector is None:
                unknown.append(text)
        embedded = SetTexts((), (), self._settings).embed(unknown, encoder, "query")
        if embedded is not None:
            self._vectors.update(zip(unknown, embedded.of(unknown), strict=True))
            self._embedded_ms.update({text: embedded.cost([text]) for text in unknown})

    def passage(self, shown: Shown, rank: int) -> Passage:
        """A passage as an answerer reads it.

        Args:
            shown: what a call of this toolbox showed.
            rank: its place among those that are read together, from 1.
        """
        place = self.chunked.pool_of(shown.number)
        layout = self.chunked.pools[place].layout
        number = shown.number - self.chunked.starts[place]
        cik, year = None, None
        if layout.filings:
            cik, year = layout.filings[int(layout.filing_of[number])]
        return Passage(
            sentence_id=shown.passage_id,
            text=shown.text,
            company="" if cik is None else self.directory.name_of(cik),
            cik_int=cik,
            report_year=year,
            section_name=layout.section_names[int(layout.section_of[number])],
            tag=shown.passage_id,
            rank=rank,
            score=shown.score,
            unit=shown.unit,
        )

    def _known(self, encoder: str, text: str) -> Floats | None:
        """The build's vector of a text; None where it has none."""
        for pool in self.chunked.pools:
            known = pool.query_vectors(encoder)
            if known is not None and content_hash(text) in known.row_of:
                vector: Floats = known.of([text])[0]
                self._embedded_ms[text] = known.cost([text])
                return vector
        return None

    def _search(
        self,
        arguments: KeywordSearch | SemanticSearch,
        reach: Collection[str] | None,
        wanted: Sequence[str],
        ranked: Callable[[int, Sequence[str], Ints | None, int], Scored],
        is_summed: bool,
    ) -> tuple[Hit, ...]:
        key = _key(arguments, reach)
        if key not in self._found:
            started = time.perf_counter()
            filters = arguments if isinstance(arguments, Filters) else NO_FILTERS
            members = self._reached(filters, reach)
            top_k = arguments.top_k
            n_all = self.chunked.starts[-1]
            # A sum needs all passages; of the best ones a few are enough.
            n_passages = n_all if is_summed else PASSAGES_PER_CHUNK * top_k
            while True:
                found = self._merged(wanted, members, ranked, n_passages, not is_summed)
                hits = self._hits(found, wanted, top_k, is_summed)
                if len(hits) >= top_k or len(found[0]) < n_passages or is_summed:
                    break
                n_passages = n_all
            self._found[key] = hits
            self._found_ms[key] = 1e3 * (time.perf_counter() - started)
        return self._found[key]

    def _merged(
        self,
        wanted: Sequence[str],
        members: Members,
        ranked: Callable[[int, Sequence[str], Ints | None, int], Scored],
        n_passages: int,
        is_weighted: bool,
    ) -> Scored:
        """The best passages of all pools, under their common numbers."""
        lists = []
        for place, (start, own) in enumerate(zip(self.chunked.starts, members, strict=False)):
            if own is None or len(own):
                numbers, scores = ranked(place, wanted, own, n_passages)
                if is_weighted:
                    furniture = self.chunked.pools[place].layout.is_furniture[numbers]
                    scores = np.where(furniture, FURNITURE_WEIGHT * scores, scores)
                lists.append((numbers + start, scores))
        if not lists:
            return np.empty(0, np.int64), np.empty(0)
        joined = order_candidates(
            np.concatenate([numbers for numbers, _ in lists]),
            np.concatenate([scores for _, scores in lists]),
            n_passages,
        )
        return joined.sentences, joined.scores

    def _by_words(
        self, place: int, wanted: Sequence[str], members: Ints | None, n_results: int
    ) -> Scored:
        search = self.chunked.pools[place].sparse(self.system)
        (words,) = search.index.words([" ".join(wanted)])
        if members is None:
            found = search.everywhere(words, n_results)
        else:
            found = search.within(members, words, n_results)
        return found.sentences, found.scores

    def _by_count(
        self, place: int, wanted: Sequence[str], members: Ints | None, n_results: int
    ) -> Scored:
        """All passages that contain a keyword: a chunk's score is the sum of theirs."""
        del n_results
        pool = self.chunked.pools[place]
        by_text = np.zeros(len(pool.texts), np.int64)
        for keyword in wanted:
            by_text += len(keyword) * self._counted(place, pool, keyword)
        passages = np.arange(len(pool.numbers.text_of)) if members is None else members
        scores = by_text[pool.numbers.text_of[passages]]
        passages, scores = passages[scores > 0], scores[scores > 0]
        found = order_candidates(passages, scores.astype(np.float64), len(passages))
        return found.sentences, found.scores

    def _counted(self, place: int, pool: Pool, keyword: str) -> Ints:
        key = (place, keyword)
        if key not in self._counts:
            counts = pc.count_substring(pool.texts, keyword, ignore_case=True)
            self._counts[key] = counts.to_numpy(zero_copy_only=False).astype(np.int64)
        return self._counts[key]

    def _by_meaning(
        self, place: int, wanted: Sequence[str], members: Ints | None, n_results: int
    ) -> Scored:
        (query,) = wanted
        self.prepare([query])
        vector, search = self._vectors.get(query), self._dense_search(place)
        nothing = np.empty(0, np.int64), np.empty(0)
        if search is None or vector is None or not np.isfinite(vector).all() or not vector.any():
            return nothing
        if members is None:
            found = search.everywhere(vector[None], n_results)[0]
        else:
            found = search.within(members, vector, n_results)
        return found.sentences, found.scores

    def _dense_search(self, place: int) -> DenseSearch | None:
        if place not in self._dense:
            pool = self.chunked.pools[place]
            vectors = pool.vectors(required(self.system, "encoder"))
            self._dense[place] = None
            if vectors is not None:
                nearest = compare_all(vectors)
                self._dense[place] = DenseSearch(vectors, nearest, pool.numbers)
        return self._dense[place]

    def _reached(self, filters: Filters, reach: Collection[str] | None) -> Members:
        """Passages that filters and reach leave; no filter leaves all."""
        key = (filters.companies, filters.years, filters.sections, reach and frozenset(reach))
        if key not in self._members:
            documents = self.directory.find(filters.companies, filters.years)
            if reach is not None:
                documents = frozenset(reach) & (
                    frozenset(reach) if documents is None else documents
                )
            members: Members = [None] * len(self.chunked.pools)
            if documents is not None:
                members = self.chunked.members(documents)
            members = self._in_sections(members, filters.sections)
            self._members[key] = self._without_hidden(members)
        return self._members[key]

    def _in_sections(self, members: Members, sections: Sequence[str]) -> Members:
        """Those of some sections; where a pool has none of these, or no sections, all."""
        if not sections:
            return members
        named = replace(_NOBODY, section_names=frozenset(map(_section_name, sections)))
        return [
            pool.narrowed(own, named, frozenset({"section"}))
            if isinstance(pool, FilingsPool)
            else own
            for pool, own in zip(self.chunked.pools, members, strict=True)
        ]

    def _without_hidden(self, members: Members) -> Members:
        if not self._withheld:
            return members
        left: list[Ints | None] = []
        for place, own in enumerate(members):
            start, end = self.chunked.starts[place : place + 2]
            hidden = self._hidden[(self._hidden >= start) & (self._hidden < end)] - start
            numbers = np.arange(end - start) if own is None else own
            left.append(np.setdiff1d(numbers, hidden, assume_unique=True))
        return left

    def _passages_of(self, chunk_ids: Iterable[str]) -> Ints:
        numbers = (self.chunked.chunk_number.get(chunk_id) for chunk_id in chunk_ids)
        found = [self.chunked.passages.of(one) for one in numbers if one is not None]
        return np.unique(np.concatenate(found)) if found else np.empty(0, np.int64)

    def _is_within(self, chunk: int, members: Members | None) -> bool:
        if members is None:
            return True
        first = int(self.chunked.passages.of(chunk)[0])
        place = self.chunked.pool_of(first)
        own = members[place]
        return own is None or _holds(own, first - self.chunked.starts[place])

    def _whole(self, chunk: int) -> Hit:
        if chunk not in self._chunks:
            passages = self.chunked.passages.of(chunk).tolist()
            shown = [self._shown(one, self.chunked.text(one), 0.0) for one in passages]
            self._chunks[chunk] = Hit(self.chunked.chunk_ids[chunk], 0.0, tuple(shown))
        return self._chunks[chunk]

    def _shown(self, passage: int, text: str, score: float) -> Shown:
        passage_id = str(self.chunked.passage_ids[passage].as_py())
        unit = self.chunked.pools[self.chunked.pool_of(passage)].unit
        return Shown(passage_id, text, score, unit, passage)

    def _hits(
        self, found: Scored, wanted: Sequence[str], top_k: int, is_summed: bool
    ) -> tuple[Hit, ...]:
        """Chunks of the best passages.

        Where chunks overlap, a passage counts for the first of its chunks, or, where scores are
        summed, for all.
        """
        passages, scores = found
        of_passage = self.chunked.chunks_of
        sizes = of_passage.starts[passages + 1] - of_passage.starts[passages]
        if not is_summed:
            sizes = np.minimum(sizes, 1)
        inner = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        chunks = of_passage.members[np.repeat(of_passage.starts[passages], sizes) + inner]
        passages, scores = np.repeat(passages, sizes), np.repeat(scores, sizes)
        distinct, firsts, group = np.unique(chunks, return_index=True, return_inverse=True)
        worth = np.bincount(group, scores) if is_summed else scores[firsts]
        best = np.lexsort((distinct, -worth))[:top_k]
        words = stems(" ".join(wanted))
        hits = []
        for one in best.tolist():
            places = np.flatnonzero(group == one)[:MAX_SHOWN]
            scored = list(zip(passages[places].tolist(), scores[places].tolist(), strict=True))
            key = self.chunked.chunk_ids[int(distinct[one])]
            hits.append(Hit(key, float(worth[one]), self._matching(scored, words)))
        return tuple(hits)

    def _matching(
        self, scored: Sequence[tuple[int, float]], words: frozenset[str]
    ) -> tuple[Shown, ...]:
        """The best passages of a chunk, whole, while they fit into ``SHOWN_TOKENS``."""
        shown: list[Shown] = []
        n_tokens = 0
        for passage, score in scored:
            text = self.chunked.text(passage)
            if self.chunked.pools[self.chunked.pool_of(passage)].unit == PAGE:
                text = _excerpt(text, words)
            n_here = count_tokens(text)
            if shown and n_tokens + n_here > SHOWN_TOKENS:
                break
            shown.append(self._shown(passage, text, score))
            n_tokens += n_here
        return tuple(shown)


def _key(
    arguments: KeywordSearch | SemanticSearch, reach: Collection[str] | None
) -> tuple[object, ...]:
    return type(arguments).__name__, arguments.model_dump_json(), reach and frozenset(reach)


def count_tokens(text: str) -> int:
    """Words, numbers and marks of a text; the same count as of contexts."""
    # What a call gives is seen once, and too long to be kept.
    return _count(text) if len(text) <= KEPT_CHARACTERS else len(_TOKEN.findall(text))


@lru_cache(maxsize=65_536)
def _count(text: str) -> int:
    return len(_TOKEN.findall(text))


def _excerpt(text: str, words: frozenset[str]) -> str:
    """The sentences of a page that have most of some words, in its order."""
    sentences = _sentences(text)
    shares = [len(words & found) for _, found in sentences]
    order = sorted(range(len(sentences)), key=lambda n: (-shares[n], n))
    chosen: list[int] = []
    n_tokens = 0
    for n in order:
        n_here = count_tokens(sentences[n][0])
        if chosen and (n_tokens + n_here > SHOWN_TOKENS or not shares[n]):
            break
        chosen.append(n)
        n_tokens += n_here
    return " ".join(sentences[n][0] for n in sorted(chosen))


@lru_cache(maxsize=4096)
def _sentences(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Sentences of a page, and the stems of each."""
    found = [" ".join(text[start:end].split()) for start, end in split_spans(text)]
    return tuple((sentence, frozenset(stems(sentence))) for sentence in found)


def _section_name(text: str) -> str:
    """A section as the filings name it: "Item 7" and "7" are ITEM_7."""
    name = _NO_SIGN.sub("_", text.upper()).strip("_")
    return name if name.startswith("ITEM_") else f"ITEM_{name}"


def _holds(ascending: Ints, number: int) -> bool:
    place = int(np.searchsorted(ascending, number))
    return place < len(ascending) and int(ascending[place]) == number
