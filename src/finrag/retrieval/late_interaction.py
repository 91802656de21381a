"""Late interaction over static word vectors: fast, without a hub, the same bits everywhere."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from finrag.cache.results import content_digest
from finrag.cache.tables import Tables
from finrag.retrieval.ordering import Scores
from finrag.retrieval.reranked import Reranked, check_lengths
from finrag.retrieval.vectors import Bools, Floats, Ints
from finrag.systems.rerankers import LATE_INTERACTION_VERSION, LATE_INTERACTION_WEIGHTS

NEIGHBOUR_WEIGHT: Final = 0.5
SENTENCE_WEIGHT: Final = 0.3
# Vectors lie on this grid: products are then multiples of its square, their sums fit into the 24
# bits of single precision, and no order of summation, whatever the threads, can round them.
GRID: Final = 2.0**11
MAX_CHARS: Final = 8_000
MAX_WORD_CHARS: Final = 64
MAX_TEXTS: Final = 50_000
TEXTS_AT_ONCE: Final = 65_536
MAX_COUNTS: Final = 4

COUNTS_SCHEMA: Final = pa.schema([("word", pa.string()), ("n_texts", pa.int64())])

_WORD: Final = re.compile(r"[0-9]+(?:,[0-9]{3}(?![0-9]))*(?:\.[0-9]+)?|[^\W\d_]+")


class LateInteraction:
    """Late interaction of Khattab and Zaharia (2020, ColBERT) with static vectors.

    MaxSim finds for each word of the query the most similar word of the text. Static vectors know
    no context, so that each word takes on half the vector of the words beside it; numbers are
    similar to the same number alone (1) and to nothing else (0). For query words i, text words j:

        MaxSim = Σ_i w_i max(0, max_j cos(q_i, t_j)) / Σ_i w_i
        w_i = sqrt(idf(i) in the corpus · idf(i) among the candidates) / occurrences in the query
        idf(i) = ln(1 + (N - n_i + 0.5) / (n_i + 0.5))
        score = 0.7 MaxSim + 0.3 cos(query, text)   with the vectors of whole sentences

    Rarity in the corpus tells words that mean something, rarity among the candidates words that
    tell these apart: a company's name is rare, but says nothing among its own sentences. Scores
    lie between -0.3 and 1; a blank query or text has 0.
    """

    def __init__(self, corpus_texts: pa.Array, state_dir: str | None = None) -> None:
        """Takes the corpus' distinct texts.

        Args:
            corpus_texts: they are read when words are first needed that were never counted.
            state_dir: where the counts are cached; nowhere without it.
        """
        self._corpus_texts = corpus_texts
        self._state_dir = state_dir
        from threadpoolctl import ThreadpoolController

        self._words = _Words()
        self._threads = ThreadpoolController()
        self._texts: dict[str, tuple[Ints, Floats]] = {}

    def rerank(self, queries: Sequence[str], texts: Sequence[Sequence[str]]) -> Iterator[Reranked]:
        """See ``reranking.Reranker``."""
        check_lengths(queries, texts)
        return self._each(queries, texts)

    def _each(self, queries: Sequence[str], texts: Sequence[Sequence[str]]) -> Iterator[Reranked]:
        if any(texts):
            # Before the clock starts: no query pays for the corpus.
            _ = self._n_texts_with
        for query, group in zip(queries, texts, strict=True):
            start = time.perf_counter()
            scores = self._scores(query, group)
            yield Reranked(scores, (), (time.perf_counter() - start) * 1000.0, None)

    @cached_property
    def _n_texts_with(self) -> Counter[str]:
        if self._state_dir is None:
            return _count_texts(self._corpus_texts)
        folder = Path(self._state_dir) / "cache" / "word_counts"
        tables = Tables(
            folder, COUNTS_SCHEMA, "the table of words", "they are counted again", MAX_COUNTS
        )
        texts = pa.table({"text": self._corpus_texts})
        key = content_digest([LATE_INTERACTION_VERSION, texts])[:32]
        counts = tables.find(key, _read_counts)
        if counts is None:
            counts = _count_texts(self._corpus_texts)
            with tables.adding(key) as writer:
                columns = [list(counts), list(counts.values())]
                writer.write_table(pa.table(columns, schema=COUNTS_SCHEMA))
        return counts

    def _scores(self, query: str, texts: Sequence[str]) -> Scores:
        if not texts:
            return np.empty(0, np.float64)
        distinct = list(dict.fromkeys(texts))
        asked = words_of(query)
        (query_ids, query_vector), *read = self._read([query, *distinct])
        groups = [ids for ids, _ in read]
        ids = np.concatenate(groups)
        starts = np.cumsum([0] + [len(group) for group in groups[:-1]])
        # Query words x texts: whether the text has the very word.
        occurs = np.logical_or.reduceat(query_ids[:, None] == ids[None, :], starts, axis=1)
        weights = self._weights(asked, occurs)
        best = self._best(query_ids, ids, starts, occurs)
        max_sim = (weights[:, None] * best).sum(axis=0) / (float(weights.sum()) or 1.0)
        vectors = np.stack([vector for _, vector in read])
        alike = np.einsum("ij,j->i", vectors, query_vector, dtype=np.float64)
        scores = (1.0 - SENTENCE_WEIGHT) * max_sim + SENTENCE_WEIGHT * alike
        place = {text: at for at, text in enumerate(distinct)}
        in_order: Scores = scores[[place[text] for text in texts]]
        return in_order

    def _weights(self, asked: list[str], occurs: Bools) -> Scores:
        """A weight per word of the query; 0 where it has none."""
        if not asked:
            return np.zeros(len(occurs))
        n_in_corpus = np.array([self._n_texts_with[word] for word in asked], np.float64)
        in_corpus = _idf(n_in_corpus, len(self._corpus_texts))
        among = _idf(occurs.sum(axis=1).astype(np.float64), occurs.shape[1])
        repeats = Counter(asked)
        weights: Scores = np.sqrt(in_corpus * among) / [repeats[word] for word in asked]
        return weights

    def _best(self, query_ids: Ints, ids: Ints, starts: Ints, occurs: Bools) -> Scores:
        """Query words x texts: the largest similarity, 0 or more."""
        query = self._in_context(query_ids, np.zeros(1, np.int64))
        context = self._in_context(ids, starts)
        # So small a product is slower on several threads than on one.
        with self._threads.limit(limits=1, user_api="blas"):
            similar = query @ context.T
        best: Scores = np.maximum.reduceat(similar, starts, axis=1).astype(np.float64)
        numbers = self._words.is_number[query_ids]
        best[numbers] = occurs[numbers]
        return np.maximum(best, 0.0)

    def _in_context(self, ids: Ints, starts: Ints) -> Floats:
        """Unit vectors on the grid, each word mixed with its neighbours of the same text."""
        plain = self._words.units[ids]
        follows = np.ones((len(ids), 1), np.float32)
        follows[starts] = 0.0
        mixed = plain.copy()
        mixed[1:] += NEIGHBOUR_WEIGHT * follows[1:] * plain[:-1]
        mixed[:-1] += NEIGHBOUR_WEIGHT * follows[1:] * plain[1:]
        mixed[self._words.is_number[ids]] = 0.0
        on_grid: Floats = (np.round(_unit(mixed) * GRID) / GRID).astype(np.float32)
        return on_grid

    def _read(self, texts: Sequence[str]) -> list[tuple[Ints, Floats]]:
        """For each text the rows of its words, and its own vector of unit length."""
        new = [text for text in dict.fromkeys(texts) if text not in self._texts]
        if len(self._texts) + len(new) > MAX_TEXTS:
            self._texts.clear()
            new = list(dict.fromkeys(texts))
        words = [words_of(text) for text in new]
        self._words.learn(word for group in words for word in group)
        vectors = self._words.vectors_of([text[:MAX_CHARS] for text in new])
        for text, group, vector in zip(new, words, vectors, strict=True):
            self._texts[text] = (self._words.ids(group), vector)
        return [self._texts[text] for text in texts]


def _count_texts(texts: pa.Array) -> Counter[str]:
    """In how many of the texts each word stands."""
    counts: Counter[str] = Counter()
    for start in range(0, len(texts), TEXTS_AT_ONCE):
        for text in texts.slice(start, TEXTS_AT_ONCE).to_pylist():
            counts.update(set(words_of(text)))
    return counts


def _read_counts(table: pq.ParquetFile) -> Counter[str]:
    with table:
        words, n_texts = table.read()
    return Counter(dict(zip(words.to_pylist(), n_texts.to_pylist(), strict=True)))


def words_of(text: str) -> list[str]:
    """Words and numbers of a text, lower case; numbers without separators and closing zeros.

    "$1,250.50 in 2021" gives 1250.5, in, 2021. Only the first ``MAX_CHARS`` characters of a text
    count and of a word the first ``MAX_WORD_CHARS``; what is neither letter nor digit is left out.
    """
    found = _WORD.findall(text[:MAX_CHARS].lower())
    return [_number(word) if word[0].isdecimal() else word[:MAX_WORD_CHARS] for word in found]


def _number(digits: str) -> str:
    whole, point, decimals = digits.replace(",", "").partition(".")
    fraction = decimals.rstrip("0")
    return f"{whole}{point}{fraction}" if fraction else whole


def _idf(n_with: Scores, n_texts: int) -> Scores:
    rarity: Scores = np.log1p((n_texts - n_with + 0.5) / (n_with + 0.5))
    return rarity


def _unit(rows: Floats) -> Floats:
    """Rows of unit length; a row of zeros stays one."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    units: Floats = (rows / np.where(lengths > 0.0, lengths, 1.0)[:, None]).astype(np.float32)
    return units


class _Words:
    """Words seen so far and their vectors: the sum of the static vectors of a word's pieces.

    Attributes:
        vectors: float32, capacity x d; row 0 stands for "no word" and is zero.
        units: the same with unit length; zero for a number.
        is_number: per row.
    """

    vectors: Floats
    units: Floats
    is_number: Bools

    def __init__(self) -> None:
        from finrag.embeddings.encoders import resolve

        encoder: Any = resolve(LATE_INTERACTION_WEIGHTS).load(1)
        self._encode = encoder.encode
        self._tokenizer = encoder.model.tokenizer
        self._pieces: Floats = encoder.model.embedding
        self._known: dict[str, int] = {"": 0}
        self.vectors = np.zeros((1, self._pieces.shape[1]), np.float32)
        self.units = self.vectors.copy()
        self.is_number = np.zeros(1, bool)

    def ids(self, words: Sequence[str]) -> Ints:
        """Row per word learnt, in order; row 0 where there are none."""
        return np.array([self._known[word] for word in words] or [0], np.int64)

    def learn(self, words: Iterable[str]) -> None:
        """Gives a row to each word that has none yet."""
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        if not new:
            return
        first = len(self._known)
        self._reserve(first + len(new))
        encoded = self._tokenizer.encode_batch(new, add_special_tokens=False)
        for row, (word, pieces) in enumerate(zip(new, encoded, strict=True), first):
            self._known[word] = row
            self.vectors[row] = self._sum(pieces)
            self.is_number[row] = word[0].isdecimal()
        rows = slice(first, len(self._known))
        self.units[rows] = _unit(self.vectors[rows]) * ~self.is_number[rows, None]

    def vectors_of(self, texts: Sequence[str]) -> Floats:
        """Vectors of whole texts, of unit length; zero for a blank one."""
        vectors = np.zeros((len(texts), self.vectors.shape[1]), np.float32)
        filled = [at for at, text in enumerate(texts) if text.strip()]
        if filled:
            vectors[filled] = _unit(self._encode([texts[at] for at in filled]))
        return vectors

    def _sum(self, encoded: Any) -> Floats:
        rows = [
            i for i, is_text in zip(encoded.ids, encoded.attention_mask, strict=True) if is_text
        ]
        total: Floats = self._pieces[np.clip(rows, 0, len(self._pieces) - 1)].sum(axis=0)
        return total

    def _reserve(self, n_rows: int) -> None:
        """Room for more rows; it doubles, so that growing stays cheap."""
        n_now = len(self.vectors)
        if n_rows <= n_now:
            return
        missing = max(n_rows, 2 * n_now) - n_now
        self.vectors = np.pad(self.vectors, ((0, missing), (0, 0)))
        self.units = np.pad(self.units, ((0, missing), (0, 0)))
        self.is_number = np.pad(self.is_number, (0, missing))
