"""Ordering, indexes and BM25: ties, damage, degenerate corpora."""

import bm25s
import duckdb
import numpy as np
import pyarrow as pa
import pytest
from bm25s.tokenization import STOPWORDS_EN

from finrag.command.settings import default_variables
from finrag.retrieval import bm25, comparing, indexes
from finrag.retrieval.ordering import best_places, order_candidates
from finrag.retrieval.vectors import VectorSet, collect_vectors
from finrag.systems.algorithm import FUSED_DECIMALS


def system(index_type="flat", **settings):
    return {
        "system_id": "dense_open",
        "index_type": index_type,
        "index_clusters": 4,
        "index_probes": 4,
        "index_neighbours": 8,
        "index_code_bytes": 4,
        "random_seed": 1,
        **settings,
    }


def unit_vectors(n, dimension=16):
    vectors = np.random.default_rng(0).normal(size=(n, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def all_usable(vectors):
    return VectorSet("e", vectors, np.ones(len(vectors), bool))


def test_ties_are_ordered_by_sentence_and_counted_beyond_the_depth():
    ranked = order_candidates(np.array([4, 2, 9, 7]), np.array([0.5, 0.5, 0.9, 0.5]), depth=2)

    assert ranked.sentences.tolist() == [9, 2]
    assert ranked.n_tied.tolist() == [1, 3]


def test_scores_that_differ_in_the_last_bits_are_ties():
    ranked = order_candidates(np.array([8, 3]), np.array([0.3, 0.1 + 0.2]), depth=5)

    assert ranked.sentences.tolist() == [3, 8]


def test_equal_scores_stand_in_a_given_order_and_stay_tied():
    places = np.array([3, 0, 2, 1])
    ranked = order_candidates(np.arange(4), np.array([0.5, 0.5, 0.9, 0.5]), 3, place_of=places)

    assert ranked.sentences.tolist() == [2, 1, 3]
    assert ranked.n_tied.tolist() == [1, 3, 3]


def test_fused_scores_are_told_apart_where_cosines_are_not():
    scores = 0.5 / np.array([1031, 1030])
    fused = order_candidates(np.array([2, 5]), scores, 2, FUSED_DECIMALS)
    cosines = order_candidates(np.array([2, 5]), scores, 2)

    assert (fused.sentences.tolist(), fused.n_tied.tolist()) == ([5, 2], [1, 1])
    assert (cosines.sentences.tolist(), cosines.n_tied.tolist()) == ([2, 5], [2, 2])


def test_candidates_without_a_finite_score_are_left_out():
    ranked = order_candidates(np.array([1, 2, 3]), np.array([np.nan, 0.2, np.inf]), depth=5)

    assert ranked.sentences.tolist() == [2]


def test_no_candidates_give_an_empty_ranking():
    assert len(order_candidates(np.empty(0, np.int64), np.empty(0), depth=5).sentences) == 0


@pytest.mark.parametrize("n_scores", [1, 5, 90, 4_000])
@pytest.mark.parametrize("n_results", [1, 5, 40])
def test_the_best_of_many_scores_are_those_of_a_sort_and_what_is_next_to_the_cut(
    n_scores, n_results
):
    scores = np.random.default_rng(n_scores).integers(0, 400, n_scores).astype(np.float32)
    cut = np.sort(scores)[max(0, n_scores - n_results)]

    assert (
        best_places(scores, n_results, 0.5).tolist()
        == np.flatnonzero(scores >= cut - (0.5 if n_scores > n_results else 400)).tolist()
    )


def test_an_exact_search_finds_what_ties_with_the_last_and_never_what_is_no_vector():
    vectors = unit_vectors(300)
    vectors[7] = vectors[8] = vectors[5]
    vectors[6] = np.nan
    is_usable = np.isfinite(vectors[:, 0])
    search = comparing.compare_all(VectorSet("e", vectors, is_usable))

    assert search.n_vectors == 299
    assert [sorted(row.tolist()) for row in search.nearest(vectors[[5, 9]], 1)] == [[5, 7, 8], [9]]
    assert all(6 not in row for row in search.nearest(vectors[[5, 6]], 300))


@pytest.mark.parametrize("index_type", ["ivf", "hnsw"])
def test_indexes_find_the_vector_they_are_asked_with(index_type):
    vectors = unit_vectors(400)
    files = [*indexes.build_files(system(index_type), all_usable(vectors))]
    found = indexes.search_files(files, system(index_type), vectors[:50], 1)

    assert found[:, 0].tolist() == list(range(50))


def test_recall_of_an_exact_search_is_one_and_of_half_the_vectors_is_not():
    vectors = unit_vectors(400)
    everything = all_usable(vectors)
    exact = comparing.compare_all(everything)
    half = comparing.compare_all(VectorSet("e", vectors, np.arange(400) < 200))

    assert indexes.measure_recall(exact.nearest, everything, seed=1)[0] == 1.0
    assert indexes.measure_recall(half.nearest, everything, seed=1)[0] < 0.7


def test_where_nothing_can_be_found_there_is_no_recall(tmp_path):
    inputs = index_table(np.full((3, 16), np.nan, np.float32))
    (row,) = indexes.build_indexes(*inputs, {"state_dir": str(tmp_path)}).to_pylist()

    assert (row["n_vectors"], row["recall_at_10"], row["n_recall_queries"]) == (0, None, 0)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (system("annoy"), "index_type 'annoy' does not exist"),
        (system("ivf", index_clusters=None), "needs index_clusters"),
        (system("ivfpq", index_code_bytes=5), "does not divide"),
    ],
)
def test_a_wrong_index_setting_names_the_system_and_the_remedy(broken, message):
    with pytest.raises(ValueError, match=message) as error:
        [*indexes.build_files(broken, all_usable(unit_vectors(400)))]
    assert "dense_open" in str(error.value)


def index_table(vectors, index_type="flat"):
    hashes = [f"{n:03}" for n in range(len(vectors))]
    batch = pa.RecordBatch.from_arrays(
        [
            pa.array(["e"] * len(hashes)),
            pa.array(["e@1"] * len(hashes)),
            pa.array(hashes),
            pa.array(list(vectors), pa.list_(pa.float32())),
        ],
        names=["encoder", "encoder_id", "text_hash", "vector"],
    )
    systems = pa.Table.from_pylist([{**system(index_type), "system_kind": "dense", "encoder": "e"}])
    return systems, pa.table({"text_hash": hashes}), [batch]


def test_an_exact_search_writes_no_index(tmp_path):
    inputs = index_table(unit_vectors(30))
    (row,) = indexes.build_indexes(*inputs, {"state_dir": str(tmp_path)}).to_pylist()

    assert (row["index_type"], row["n_vectors"], row["recall_at_10"]) == ("flat", 30, 1.0)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_index_file_is_built_again(tmp_path, caplog):
    inputs = index_table(unit_vectors(30), "hnsw")
    first = indexes.build_indexes(*inputs, {"state_dir": str(tmp_path)}).to_pylist()
    (path,) = (tmp_path / "cache" / "indexes").glob("*.faiss/*.faiss")
    path.write_bytes(path.read_bytes()[:100])

    assert indexes.build_indexes(*inputs, {"state_dir": str(tmp_path)}).to_pylist() == first
    assert "it is built again" in caplog.text


def test_other_vectors_or_other_spellings_are_another_index(tmp_path):
    systems, texts, batches = index_table(unit_vectors(30))
    *_, others = index_table(unit_vectors(30)[::-1].copy())
    respelled = texts.append_column("content_hash", texts["text_hash"])
    ids = {
        indexes.build_indexes(systems, given, vectors, {"state_dir": str(tmp_path)})["index_id"][
            0
        ].as_py()
        for given, vectors in ((texts, batches), (texts, others), (respelled, batches))
    }

    assert len(ids) == 3


def test_vectors_of_two_lengths_are_refused():
    _, texts, (batch,) = index_table(unit_vectors(4))
    _, _, (short,) = index_table(unit_vectors(4, dimension=8))

    with pytest.raises(ValueError, match="16 and of 8 dimensions"):
        collect_vectors([batch, short], texts["text_hash"])


def test_a_text_without_a_finite_vector_is_unusable():
    vectors = unit_vectors(3)
    vectors[1] = np.nan
    vectors[2] = 0
    _, texts, batches = index_table(vectors)

    assert collect_vectors(batches, texts["text_hash"])["e"].is_usable.tolist() == [
        True,
        False,
        False,
    ]


TEXTS = pa.array(["net sales rose in ohio", "gross margin fell", "net sales of steel"])
HASHES = pa.array(["a", "b", "c"])


def plain_bm25(texts, k1=1.5, b=0.75):
    model = bm25s.BM25(k1=k1, b=b)
    model.index(
        bm25s.tokenize(texts, stopwords="english", show_progress=False), show_progress=False
    )
    return model


def bm25_index(tmp_path, texts=TEXTS, hashes=HASHES):
    return bm25.open_sparse_index(texts, hashes, 1.5, 0.75, str(tmp_path))


def bm25_scores(index, query):
    (words,) = index.words([query])
    return index.scores(words).tolist()


def test_bm25_scores_are_zero_without_overlap(tmp_path):
    index = bm25_index(tmp_path)
    margin = bm25_scores(index, "margin")

    assert [margin[0], margin[2]] == [0, 0]
    assert margin[1] > 0
    assert bm25_scores(index, "goodwill") == [0, 0, 0]
    assert bm25_scores(index, "the of and") == [0, 0, 0]


def test_bm25_of_texts_without_words_finds_nothing(tmp_path):
    index = bm25_index(tmp_path, pa.array(["—", "5"]), pa.array(["a", "b"]))

    assert bm25_scores(index, "net sales") == [0, 0]


def test_bm25_finds_titles_that_write_names_and_years_as_files_do(tmp_path):
    titles = pa.array(["HALVORNLAKE_2023_10K\nsales", "HALVORNLAKE_2022_10K\nsales", "of 2023"])
    index = bm25_index(tmp_path, titles)

    by_name = bm25_scores(index, "What were Halvorn Lake's sales?")
    assert by_name[0] == by_name[1] > by_name[2] == 0
    scores = bm25_scores(index, "What were Halvorn Lake's sales in FY2023?")
    assert scores[0] > scores[1] > scores[2] > 0
    # Words that are no names stay as they are.
    assert bm25_scores(index, "halvorn lake") == [0, 0, 0]


@pytest.mark.parametrize("look_up", [0, 10**9])
def test_bm25_scores_of_some_texts_are_those_of_all_to_the_last_bit(tmp_path, monkeypatch, look_up):
    monkeypatch.setattr(bm25, "LOOK_UP", look_up)
    rng = np.random.default_rng(1)
    drawn = rng.zipf(1.3, (500, 12)) % 90
    texts = pa.array([" ".join(f"word{number}" for number in row) for row in drawn])
    index = bm25_index(tmp_path, texts, pa.array(np.arange(500).astype(str)))
    (words,) = index.words(["word1 word7 word1 word89 word3 nowhere"])
    some = rng.integers(0, 500, 60)
    model = plain_bm25(texts.to_pylist()).get_scores(["word1", "word7", "word1", "word89", "word3"])

    assert index.scores(words).tobytes() == model.tobytes()
    assert index.scores_of(words, some).tobytes() == model[some].tobytes()


def test_a_bm25_index_is_reused_and_mended(tmp_path, caplog):
    first, again = (bm25_scores(bm25_index(tmp_path), "net sales") for _ in range(2))
    (folder,) = (tmp_path / "cache" / "bm25").iterdir()
    (folder / "words.json").unlink()
    mended = bm25_scores(bm25_index(tmp_path), "net sales")

    assert first == again == mended
    assert "it is built again" in caplog.text


@pytest.mark.parametrize(
    "text",
    ["It was A.", "a 1 b", "Sales", "É à Été", "10-K", "x_y", "the_of", "* * *", ""],
)
def test_the_gate_on_chunks_knows_the_words_that_are_indexed(text):
    variables = default_variables()
    pattern, stop_words = variables["regexes"]["indexed_word"], variables["stop_words"]
    words = duckdb.sql(
        "select regexp_extract_all(lower($text), $pattern)",
        params={"text": text, "pattern": pattern},
    ).fetchall()[0][0]

    is_indexed = bool(bm25.index_lines([text], 1.5, 0.75).vocabulary)
    assert bool(set(words) - set(stop_words)) == is_indexed


def test_stop_words_are_those_of_the_library():
    assert default_variables()["stop_words"] == list(STOPWORDS_EN)
