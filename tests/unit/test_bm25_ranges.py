"""BM25 over ranges of texts: to the last bit what one index of the library bm25s gives."""

import bm25s
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finrag.retrieval import bm25

# Stop words, words of one letter, marks and empty texts are no words; the rest repeat.
PIECES = ["sales", "net", "10-K", "Été", "the", "of", "a", "—", "FY2023", "x_y", "rose", "2023"]
TEXTS = st.lists(st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join), max_size=12)


def opened(folder, texts, k1=1.5, b=0.75, range_texts=bm25.RANGE_TEXTS):
    hashes = pa.array([f"{number}" for number in range(len(texts))], pa.string())
    given_texts = pa.array(texts, pa.large_string())
    return bm25.open_sparse_index(given_texts, hashes, k1, b, str(folder), range_texts)


def of_the_library(texts, k1, b, words):
    spelt = [bm25._spelt(text) for text in texts]
    tokens = bm25s.tokenize(spelt, stopwords="english", show_progress=False)
    if not any(tokens.ids):
        return np.zeros(len(texts), np.float32)
    model = bm25s.BM25(k1=k1, b=b)
    model.index(tokens, show_progress=False)
    known = [word for word in words if word in model.vocab_dict]
    return model.get_scores(known) if known else np.zeros(len(texts), np.float32)


@settings(max_examples=150, deadline=None)
@given(
    TEXTS,
    st.lists(st.sampled_from([*PIECES, "nowhere"]), max_size=6),
    st.sampled_from([0.5, 1.2, 1.5, 2.0]),
    st.sampled_from([0.0, 0.3, 0.75, 1.0]),
    st.integers(1, 13),
)
def test_scores_over_ranges_are_those_of_one_index_to_the_last_bit(
    tmp_path_factory, texts, query, k1, b, range_texts
):
    index = opened(tmp_path_factory.mktemp("index"), texts, k1, b, range_texts)
    (words,) = index.words([" ".join(query)])
    (asked,) = bm25._tokens([bm25._with_names_joined(" ".join(query))])
    expected = of_the_library(texts, k1, b, asked)
    backwards = np.arange(len(texts))[::-1]

    assert index.scores(words).tobytes() == expected.tobytes()
    assert index.scores_of(words, backwards).tobytes() == expected[backwards].tobytes()
    lines = bm25.index_lines(texts, k1, b)
    assert lines.scores(lines.words([" ".join(query)])[0]).tobytes() == expected.tobytes()


@pytest.mark.parametrize("look_up", [0, 10**9])
def test_long_corpora_too_whichever_way_texts_are_looked_up(tmp_path, monkeypatch, look_up):
    monkeypatch.setattr(bm25, "LOOK_UP", look_up)
    monkeypatch.setattr(bm25, "BATCH_TEXTS", 64)
    rng = np.random.default_rng(7)
    texts = [
        " ".join(f"word{number}" for number in rng.zipf(1.3, rng.integers(0, 80)) % 500)
        for _ in range(1_000)
    ]
    index = opened(tmp_path, texts, range_texts=300)
    asked = ["word1", "word7", "word1", "word250", "word3"]
    (words,) = index.words([" ".join(asked)])
    expected = of_the_library(texts, 1.5, 0.75, asked)
    some = rng.integers(0, 1_000, 200)

    assert [(part.start, part.stop) for part in index.ranges] == [
        (0, 300),
        (300, 600),
        (600, 900),
        (900, 1000),
    ]
    assert index.scores(words).tobytes() == expected.tobytes()
    assert index.scores_of(words, some).tobytes() == expected[some].tobytes()
    for part in index.ranges:
        assert part.scores(words).tobytes() == expected[part.start : part.stop].tobytes()


def test_an_index_lies_in_files_that_are_mapped(tmp_path):
    texts = ["net sales rose", "gross margin fell", "sales of steel"]
    opened(tmp_path, texts, range_texts=2)
    index = opened(tmp_path, texts, range_texts=2)
    (folder,) = (tmp_path / "cache" / "bm25").iterdir()

    assert all(isinstance(part.worth.base, np.memmap) for part in index.ranges)
    # What only the building needs is gone.
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*")) == [
        "range-000000000/places.npy",
        "range-000000000/texts.npy",
        "range-000000000/words.npy",
        "range-000000000/worth.npy",
        "range-000000002/places.npy",
        "range-000000002/texts.npy",
        "range-000000002/words.npy",
        "range-000000002/worth.npy",
        "words.json",
    ]


def test_no_more_than_a_range_of_texts_is_cut_into_words_at_once(tmp_path, monkeypatch):
    sizes = []
    counted = bm25._counted

    def watched(texts, vocabulary):
        sizes.append(len(texts))
        return counted(texts, vocabulary)

    monkeypatch.setattr(bm25, "_counted", watched)
    opened(tmp_path, ["net sales rose", "sales", "", "margin", "sales fell"], range_texts=2)

    assert sizes == [2, 2, 1]


@pytest.mark.parametrize("name", ["worth.npy", "texts.npy", "words.npy"])
def test_a_range_that_was_cut_short_is_built_again(tmp_path, caplog, name):
    texts = [f"sales of word{number}" for number in range(40)]
    whole = opened(tmp_path, texts, range_texts=20)
    (folder,) = (tmp_path / "cache" / "bm25").iterdir()
    path = folder / "range-000000020" / name
    path.write_bytes(path.read_bytes()[:-8])
    mended = opened(tmp_path, texts, range_texts=20)
    (words,) = whole.words(["sales of word3 and word33"])

    assert "it is built again" in caplog.text
    assert mended.scores(words).tobytes() == whole.scores(words).tobytes()
