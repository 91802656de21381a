"""BM25 over the distinct texts of a corpus, cached on disk by content.

Scores are those of the library bm25s to the last bit, but no more than a range of the texts is
ever in memory: how many texts have a word, and the mean length, are counted over all ranges; then
each range is scored alone, into files that are mapped, not read.

Titles of files write years and names in their own way (``BESTBUY_2023_10K``): underscores part
words, FY2023 is 2023, and a query's names of several words are also searched for as one word.
Words keep their endings: cut to stems, open searches of filings found less.
"""

from __future__ import annotations

import json
import logging
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from finrag.cache.entries import Entries
from finrag.cache.results import content_digest
from finrag.retrieval.vectors import Floats, Ints

MAX_INDEXES = 4
STOPWORDS = "english"
INDEX_FORMAT = "5"
# Texts of a range: to index one takes about 1 GB.
RANGE_TEXTS: Final = 500_000
# Texts that are cut into words at once.
BATCH_TEXTS: Final = 8_192
# So much longer does it take to find a text among those that have a word than to add to a score.
LOOK_UP: Final = 8
# Names of so many words are also searched for as one word.
JOINED: Final = (2, 3)
_VOCABULARY: Final = "words.json"
_FISCAL_YEAR: Final = re.compile(r"\bFY\s?(?=(?:19|20)[0-9]{2}\b)", re.IGNORECASE)
_NAME: Final = re.compile(r"(?<![\w&'’-])[A-Z0-9][\w&'’]*(?:[ -][A-Z][\w&'’]*)+")
_POSSESSIVE: Final = re.compile(r"['’]s\b")


@dataclass(frozen=True)
class TextRange:
    """The words of the texts with the numbers from ``start`` to below ``stop``.

    Attributes:
        start: number of the first text.
        stop: number behind the last.
        words: numbers of the words that these texts have, ascending.
        places: where the texts of each word begin in ``texts``, and behind them the end.
        texts: for each word the texts that have it, ascending, counted from ``start``.
        worth: what the word is worth in each.
    """

    start: int
    stop: int
    words: Ints
    places: Ints
    texts: npt.NDArray[np.int32]
    worth: Floats

    def scores(self, words: Ints) -> Floats:
        """Score of every text of the range."""
        scores = np.zeros(self.stop - self.start, np.float32)
        for texts, worth in self._postings(words):
            np.add.at(scores, texts, worth)
        return scores

    def scores_of(self, words: Ints, texts: Ints) -> Floats:
        """Score of each of some texts of the range, given by their numbers."""
        postings = list(self._postings(words))
        n_all = self.stop - self.start + sum(len(having) for having, _ in postings)
        # To look a text up among those that have a word takes longer than to add to its score.
        if LOOK_UP * len(postings) * len(texts) > n_all:
            return self.scores(words)[texts - self.start]
        scores = np.zeros(len(texts), np.float32)
        wanted = (texts - self.start).astype(self.texts.dtype)
        for having, worth in postings:
            places = np.minimum(np.searchsorted(having, wanted), len(having) - 1)
            has = having[places] == wanted
            scores[has] += worth[places[has]]
        return scores

    def _postings(self, words: Ints) -> Iterator[tuple[npt.NDArray[np.int32], Floats]]:
        """For each word, repeats included, that a text here has: its texts and its worth."""
        if len(self.words) == 0:
            return
        found = np.minimum(np.searchsorted(self.words, words), len(self.words) - 1)
        for number in found[self.words[found] == words].tolist():
            place = slice(int(self.places[number]), int(self.places[number + 1]))
            yield self.texts[place], self.worth[place]


@dataclass(frozen=True)
class SparseIndex:
    """A BM25 index.

    A score is the sum, in single precision, over the words of a query, repeats included, of what
    the word is worth in the text: the formula of Robertson et al. in Lucene's variant; see the
    documentation of bm25s. A text that shares no word with the query has 0.

    Attributes:
        vocabulary: number of each word of the texts.
        ranges: the texts, in order; search them one after the other and no more than the scores
            of one are in memory.
    """

    vocabulary: Mapping[str, int]
    ranges: tuple[TextRange, ...]

    def words(self, queries: Sequence[str]) -> list[Ints]:
        """The words of each query that the corpus knows, by their numbers."""
        known = self.vocabulary
        return [
            np.array([known[word] for word in words if word in known], np.int64)
            for words in _tokens([*map(_with_names_joined, queries)])
        ]

    def scores(self, words: Ints) -> Floats:
        """Score of every text."""
        parts = [part.scores(words) for part in self.ranges]
        return parts[0] if len(parts) == 1 else _joined(parts, np.float32)

    def scores_of(self, words: Ints, texts: Ints) -> Floats:
        """Score of each of some texts, given by their numbers."""
        if len(self.ranges) == 1:
            return self.ranges[0].scores_of(words, texts)
        scores = np.zeros(len(texts), np.float32)
        for part in self.ranges:
            here = np.flatnonzero((part.start <= texts) & (texts < part.stop))
            if len(here):
                scores[here] = part.scores_of(words, texts[here])
        return scores


def open_sparse_index(
    texts: pa.Array,
    text_hashes: pa.Array | pa.ChunkedArray,
    k1: float,
    b: float,
    state_dir: str,
    range_texts: int = RANGE_TEXTS,
) -> SparseIndex:
    """Builds a BM25 index, or opens it if these texts were indexed with these settings.

    Args:
        texts: the distinct texts; position = text number.
        text_hashes: their hashes, in the same order: the address in the cache.
        k1: saturation of term frequency, > 0.
        b: weight of the length normalisation, 0..1.
        state_dir: where the cache lives.
        range_texts: texts that are indexed at once, at least 1; scores do not depend on it.
    """
    parts = [INDEX_FORMAT, version("bm25s"), STOPWORDS, k1, b, range_texts]
    key = content_digest([*parts, pa.table({"text_hash": text_hashes})])[:32]
    folder = Path(state_dir) / "cache" / "bm25"
    entries = Entries(folder, "the BM25 index", "it is built again", limit=MAX_INDEXES)
    ranges = _ranges(len(texts), range_texts)
    index = entries.find(key, lambda path: _opened(path, ranges))
    if index is None:
        with entries.adding(key) as path:
            _build(texts, ranges, k1, b, path)
            # Mapped before it has its name: another process may remove it at once.
            index = _opened(path, ranges)
    return index


def index_lines(lines: Sequence[str], k1: float, b: float) -> SparseIndex:
    """An index over a few short texts, made in memory when it is needed; settings as above."""
    vocabulary: dict[str, int] = {}
    counts = _counted(pa.array(lines, pa.large_string()), vocabulary)
    rarity, mean = _rarity_and_mean([counts], len(vocabulary), len(lines))
    worth = _worth(counts, rarity, mean, k1, b)
    part = TextRange(0, len(lines), counts.words, counts.places, counts.texts, worth)
    return SparseIndex(vocabulary, (part,))


@dataclass(frozen=True)
class _Counts:
    """How often each word stands in each text of a range; see ``TextRange``.

    Attributes:
        times: how often the word stands in the text, beside ``texts``.
        lengths: number of words of each text.
    """

    words: Ints
    places: Ints
    texts: npt.NDArray[np.int32]
    times: npt.NDArray[np.int32]
    lengths: npt.NDArray[np.int32]

    @classmethod
    def at(cls, folder: Path) -> _Counts:
        return cls(*(_mapped(folder, name) for name in cls.__dataclass_fields__))


def _ranges(n_texts: int, range_texts: int) -> list[range]:
    return [
        range(start, min(start + range_texts, n_texts)) for start in range(0, n_texts, range_texts)
    ]


def _build(texts: pa.Array, ranges: Sequence[range], k1: float, b: float, folder: Path) -> None:
    """Writes an index: one folder a range, and the words by their numbers.

    Each range is counted and written; only when all are, each is scored.
    """
    folder.mkdir()
    vocabulary: dict[str, int] = {}
    for one in ranges:
        part = _part(folder, one)
        part.mkdir()
        for name, values in vars(_counted(texts[one.start : one.stop], vocabulary)).items():
            np.save(part / f"{name}.npy", values)
    counted = (_Counts.at(_part(folder, one)) for one in ranges)
    rarity, mean = _rarity_and_mean(counted, len(vocabulary), len(texts))
    for one in ranges:
        part = _part(folder, one)
        np.save(part / "worth.npy", _worth(_Counts.at(part), rarity, mean, k1, b))
        for name in ("times", "lengths"):
            (part / f"{name}.npy").unlink()
    (folder / _VOCABULARY).write_text(json.dumps(list(vocabulary)), encoding="utf-8")


def _opened(folder: Path, ranges: Sequence[range]) -> SparseIndex:
    words = json.loads((folder / _VOCABULARY).read_text(encoding="utf-8"))
    names = ("words", "places", "texts", "worth")
    parts = (
        TextRange(one.start, one.stop, *(_mapped(_part(folder, one), name) for name in names))
        for one in ranges
    )
    return SparseIndex({word: number for number, word in enumerate(words)}, tuple(parts))


def _part(folder: Path, one: range) -> Path:
    return folder / f"range-{one.start:09d}"


def _mapped(folder: Path, name: str) -> npt.NDArray[Any]:
    # As a plain array: each slice of numpy's own class for mapped files takes microseconds.
    return np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r"))


def _counted(texts: pa.Array, vocabulary: dict[str, int]) -> _Counts:
    """Counts the words of some texts; a new word gets the next number of the vocabulary."""
    import bm25s

    # The library logs every step at debug level through a handler of its own.
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    words_of, lengths_of = [], []
    for start in range(0, len(texts), BATCH_TEXTS):
        batch = map(_spelt, texts[start : start + BATCH_TEXTS].to_pylist())
        tokens = bm25s.tokenize([*batch], stopwords=STOPWORDS, show_progress=False)
        numbers = [vocabulary.setdefault(word, len(vocabulary)) for word in tokens.vocab]
        flat = np.fromiter(chain.from_iterable(tokens.ids), np.int64)
        words_of.append(np.array(numbers, np.int64)[flat])
        lengths_of.append(np.fromiter(map(len, tokens.ids), np.int32, len(tokens.ids)))
    lengths = _joined(lengths_of, np.int32)
    # Word and text in one number: sorted, they stand by word, then by text.
    pairs = _joined(words_of, np.int64)
    pairs <<= 32
    pairs |= np.repeat(np.arange(len(texts)), lengths)
    pairs, times = np.unique(pairs, return_counts=True)
    words, places = np.unique(pairs >> 32, return_index=True)
    return _Counts(
        words=words,
        places=np.append(places, len(pairs)).astype(np.int64),
        texts=(pairs & 0xFFFFFFFF).astype(np.int32),
        times=times.astype(np.int32),
        lengths=lengths,
    )


def _rarity_and_mean(
    counted: Iterable[_Counts], n_words: int, n_texts: int
) -> tuple[Floats, float]:
    """What each word is worth by the number of texts that have it, and the mean length of texts."""
    n_having, length = np.zeros(n_words, np.int64), 0
    for counts in counted:
        n_having[counts.words] += np.diff(counts.places)
        length += int(counts.lengths.sum(dtype=np.int64))
    # Not numpy's logarithm: its last bit may be another. Few numbers of texts differ.
    numbers, which = np.unique(n_having, return_inverse=True)
    rarities = [math.log(1 + (n_texts - n + 0.5) / (n + 0.5)) for n in numbers.tolist()]
    worth: Floats = np.array(rarities, np.float32)[which]
    return worth, length / max(1, n_texts)


def _worth(counts: _Counts, rarity: Floats, mean: float, k1: float, b: float) -> Floats:
    """What the words are worth in the texts that have them, in the order of ``counts.texts``.

    In double precision, step by step as bm25s does it, and rounded once at the end.
    """
    if not len(counts.texts):
        return np.empty(0, np.float32)
    saturation = (k1 * ((1 - b) + b * counts.lengths / mean))[counts.texts]
    saturation += counts.times
    worth = np.divide(counts.times, saturation, out=saturation)
    worth *= np.repeat(rarity[counts.words], np.diff(counts.places))
    rounded: Floats = worth.astype(np.float32)
    return rounded


def _joined(arrays: list[npt.NDArray[Any]], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    return np.concatenate([np.empty(0, dtype), *arrays])


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
