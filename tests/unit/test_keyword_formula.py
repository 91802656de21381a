"""The published formula of the keyword search, against a count by hand. All texts are invented."""

import random

import pyarrow as pa
import pytest

from finrag.agents.chunked import chunk_pools
from finrag.agents.directory import Directory
from finrag.agents.toolbox import Toolbox
from finrag.agents.tools import KeywordSearch
from finrag.retrieval.pools import FilingsPool
from tests.unit.test_set_search import NO_INDEXES

SYSTEM = {"encoder": "none", "bm25_k1": 1.5, "bm25_b": 0.75, "keyword_score": "arag"}
# Signs of patterns, words inside of words, words that overlap themselves, and every case.
WORDS = (
    *("net", "Net", "NET", "sales", "Sales", "salesman", "aa", "aaa", "Aaaa", "banana", "10-K"),
    *("$1.5", "1x5", "(loss)", "loss", "[a]", "a", ".*", "\\d+", "5%", "a|b", "^net$", "?", "{2}"),
    *("straße", "STRASSE", "Ärger", "ärger", "Σ", "σ", "été"),
)


def toolbox_of(folder, texts, spans):
    """A toolbox over one section: its sentences, and chunks by their first sentence and size.

    Chunks are named in an order that is not that of their sentences.
    """
    keys = [f"{text_pos:03}" for text_pos in range(len(texts))]
    flags = pa.array([False] * len(texts))
    same = {"section_id": "s", "cik_int": 1, "report_year": 2021, "section_name": "ITEM_7"}
    table = pa.table(
        {
            "sentence_id": keys,
            **{name: [value] * len(texts) for name, value in same.items()},
            "sentence_pos": list(range(len(texts))),
            "text_hash": texts,
            "form": ["10-K"] * len(texts),
            **dict.fromkeys(("is_toc", "is_heading", "is_navigational"), flags),
        }
    )
    distinct = sorted(set(texts))
    chunks = pa.table(
        {
            "chunk_id": [f"c{place:03}" for place in range(len(spans))],
            "section_id": ["s"] * len(spans),
            "first_sentence_pos": [first for first, _ in spans],
            "n_sentences": [size for _, size in spans],
            "chunk_hash": [""] * len(spans),
        }
    )
    vectors = pa.table(
        {
            "encoder": pa.array([], pa.string()),
            "content_hash": pa.array([], pa.string()),
            "vector": pa.array([], pa.list_(pa.float32())),
            "latency_ms": pa.array([], pa.float64()),
        }
    )
    written = pa.table({"text_hash": distinct, "sentence_text": distinct})
    pool = FilingsPool(table, written, chunks, vectors, [], NO_INDEXES, str(folder))
    directory = Directory.of([])
    return Toolbox(
        chunk_pools([pool], directory, chunks["chunk_id"].to_pylist()), directory, SYSTEM, {}
    )


def drawn(rng):
    """Sentences, some of them twice, and chunks that overlap."""
    texts = [" ".join(rng.choices(WORDS, k=rng.randint(1, 7))) for _ in range(rng.randint(4, 18))]
    texts += rng.choices(texts, k=2)
    spans = []
    for _ in range(rng.randint(2, 12)):
        first = rng.randrange(len(texts))
        spans.append((first, rng.randint(1, min(6, len(texts) - first))))
    return texts, spans


def occurrences(text, word):
    """How often a word stands in a text, from left to right, never twice in one place."""
    place, n_found = 0, 0
    while place + len(word) <= len(text):
        if text[place : place + len(word)].lower() == word.lower():
            n_found += 1
            place += len(word)
        else:
            place += 1
    return n_found


def by_hand(texts, spans, keywords):
    """Score of each chunk that has one: occurrences times length, keyword by keyword."""
    scores = {}
    for chunk, (first, size) in enumerate(spans):
        score = 0
        for word in keywords:
            for text in texts[first : first + size]:
                score += occurrences(text, word) * len(word)
        if score:
            scores[f"c{chunk:03}"] = score
    return scores


@pytest.mark.parametrize("seed", range(40))
def test_the_formula_of_arag_is_that_of_a_count_by_hand(tmp_path, seed):
    rng = random.Random(seed)
    texts, spans = drawn(rng)
    toolbox = toolbox_of(tmp_path, texts, spans)
    for _ in range(8):
        # With replacement: a keyword that is given twice counts twice.
        keywords = tuple(rng.choices(WORDS, k=rng.randint(1, 8)))
        top_k = rng.randint(1, 20)
        expected = by_hand(texts, spans, keywords)
        # Of chunks with equal scores the first comes first.
        best = sorted(expected, key=lambda chunk: (-expected[chunk], chunk))[:top_k]
        found = toolbox.keyword_search(KeywordSearch(keywords=keywords, top_k=top_k))
        assert [(hit.chunk_id, hit.score) for hit in found] == [(c, expected[c]) for c in best]
