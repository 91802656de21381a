"""BM25 over the distinct texts of a corpus (library bm25s), cached on disk by content.

Titles of files write years and names in their own way (``BESTBUY_2023_10K``): underscores part
words, FY2023 is 2023, and a query's names of several words are also searched for as one word.
Words keep their endings: cut to stems, open searches of filings found less.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from finrag.cache.entries import Entries
from finrag.cache.results import content_digest
from finrag.retrieval.vectors import Floats, Ints

MAX_INDEXES = 4
STOPWORDS = "english"
INDEX_FORMAT = "4"
# So much longer does it take to find a text among those that have a word than to add to a score.
LOOK_UP: Final = 8
# Names of so many words are also searched for as one word.
JOINED: Final = (2, 3)
_FISCAL_YEAR: Final = re.compile(r"\bFY\s?(?=(?:19|20)[0-9]{2}\b)", re.IGNORECASE)
_NAME: Final = re.compile(r"(?<![\w&'’-])[A-Z0-9][\w&'’]*(?:[ -][A-Z][\w&'’]*)+")
_POSSESSIVE: Final = re.compile(r"['’]s\b")


@dataclass(frozen=True)
class SparseIndex:
    """A BM25 index; ``model`` is None for a corpus without a single token.

    A score is the sum, in single precision, over the words of a query, repeats included, of what
    the word is worth in the text: the formula of Robertson et al. in Lucene's variant; see the
    documentation of bm25s. A text that shares no word with the query has 0.
    """

    model: Any | None
    n_texts: int

    def words(self, queries: Sequence[str]) -> list[Ints]:
        """The words of each query that the corpus knows, by their numbers."""
        if self.model is None:
            return [np.empty(0, np.int64) for _ in queries]
        found = map(self.model.get_tokens_ids, _tokens([*map(_with_names_joined, queries)]))
        return [np.array(numbers, np.int64) for numbers in found]

    def scores(self, words: Ints) -> Floats:
        """Score of every text."""
        scores = np.zeros(self.n_texts, np.float32)
        for texts, worth in self._postings(words):
            np.add.at(scores, texts, worth)
        return scores

    def scores_of(self, words: Ints, texts: Ints) -> Floats:
        """Score of each of some texts, given by their numbers."""
        postings = list(self._postings(words))
        # To look a text up among those that have a word takes longer than to add to its score.
        if LOOK_UP * len(postings) * len(texts) > self.n_texts + sum(len(p) for p, _ in postings):
            return self.scores(words)[texts]
        scores = np.zeros(len(texts), np.float32)
        for having, worth in postings:
            wanted = texts.astype(having.dtype)
            places = np.minimum(np.searchsorted(having, wanted), len(having) - 1)
            has = having[places] == wanted
            scores[has] += worth[places[has]]
        return scores

    def _postings(self, words: Ints) -> Iterator[tuple[Ints, Floats]]:
        """For each word the texts that have it, ascending, and what it is worth in each."""
        if self.model is None:
            return
        parts = (self.model.scores[name] for name in ("indptr", "indices", "data"))
        starts, texts, worth = parts
        for word in words.tolist():
            place = slice(int(starts[word]), int(starts[word + 1]))
            if place.start < place.stop:
                yield texts[place], worth[place]


def open_sparse_index(
    texts: pa.Array, text_hashes: pa.Array | pa.ChunkedArray, k1: float, b: float, state_dir: str
) -> SparseIndex:
    """Builds a BM25 index, or loads it if these texts were indexed with these settings.

    Args:
        texts: the distinct texts; position = text number.
        text_hashes: their hashes, in the same order: the address in the cache.
        k1: saturation of term frequency, > 0.
        b: weight of the length normalisation, 0..1.
        state_dir: where the cache lives.
    """
    parts = [INDEX_FORMAT, version("bm25s"), STOPWORDS, k1, b]
    key = content_digest([*parts, pa.table({"text_hash": text_hashes})])[:32]
    folder = Path(state_dir) / "cache" / "bm25"
    entries = Entries(folder, "the BM25 index", "it is built again", limit=MAX_INDEXES)
    model = entries.find(key, _loaded)
    if model is None:
        model = _build(texts.to_pylist(), k1, b)
        if model is not None:
            with entries.adding(key) as path:
                model.save(str(path), show_progress=False)
    return SparseIndex(model, len(texts))


def index_lines(lines: Sequence[str], k1: float, b: float) -> SparseIndex:
    """An index over a few short texts, made when it is needed; settings as above."""
    return SparseIndex(_build(list(lines), k1, b), len(lines))


def _loaded(folder: Path) -> Any:
    import bm25s

    return bm25s.BM25.load(str(folder), load_corpus=False)


def _build(texts: list[str], k1: float, b: float) -> Any | None:
    import bm25s

    # The library logs every step at debug level through a handler of its own.
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    tokens = bm25s.tokenize([*map(_spelt, texts)], stopwords=STOPWORDS, show_progress=False)
    if not any(len(ids) for ids in tokens.ids):
        return None
    model = bm25s.BM25(k1=k1, b=b)
    model.index(tokens, show_progress=False)
    return model


def _tokens(texts: Sequence[str]) -> list[list[str]]:
    import bm25s

    tokens: list[list[str]] = bm25s.tokenize(
        [*map(_spelt, texts)],
        stopwords=STOPWORDS,
        return_ids=False,
        show_progress=False,
    )
    return tokens


def _spelt(text: str) -> str:
    return _FISCAL_YEAR.sub("", text.replace("_", " "))


def _with_names_joined(query: str) -> str:
    """A query, and behind it its names of two and three words without the gaps."""
    joined = []
    for name in _NAME.findall(_POSSESSIVE.sub("", query)):
        words = re.split("[ -]", name)
        joined += [
            re.sub(r"\W", "", "".join(words[start : start + n_words]))
            for n_words in JOINED
            for start in range(len(words) - n_words + 1)
        ]
    return " ".join([query, *joined])
