"""Search in blocks: it finds what one comparison with all vectors finds, and reads files."""

import dataclasses

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finrag.retrieval import comparing, indexes, searching, vectors
from finrag.retrieval.contexts import DenseContext
from finrag.retrieval.numbering import number_corpus
from finrag.retrieval.searching import DenseSearch
from finrag.retrieval.vectors import VectorSet, collect_vectors, usable
from finrag.shards import runners
from tests.unit.test_retrieval import index_table, system, unit_vectors


@dataclasses.dataclass(frozen=True)
class InBlocks(VectorSet):
    """Vectors in blocks of so many rows."""

    block_rows: int = 1

    def ranges(self, n_rows=None):
        return super().ranges(n_rows or self.block_rows)


def in_blocks(matrix, block_rows):
    return InBlocks("e", matrix, usable(matrix), block_rows=block_rows)


def corpus_of(rng, n_texts):
    """Sentences in three sections; several carry one text, each text is carried."""
    text_of = np.concatenate([np.arange(n_texts), rng.integers(0, n_texts, n_texts)])
    hashes = [f"{number:03}" for number in range(n_texts)]
    sentences = pa.table(
        {
            "sentence_id": [f"{number:04}" for number in range(len(text_of))],
            "section_id": [f"s{number % 3}" for number in range(len(text_of))],
            "text_hash": [hashes[text] for text in text_of],
        }
    )
    numbers = number_corpus(sentences, pa.chunked_array([hashes]))
    return numbers, np.arange(len(text_of)) % 3


def ranked(vector_set, numbers, queries, n_results, lines=None, context=None):
    search = DenseSearch(vector_set, comparing.compare_all(vector_set), numbers, context)
    return [
        [values.tolist() for values in (one.sentences, one.scores, one.n_tied)]
        for one in search.everywhere(queries, n_results, lines)
    ]


@st.composite
def matrices(draw):
    """Unit vectors of few directions, so that many tie; some are no vectors."""
    n_texts = draw(st.integers(1, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    directions = rng.normal(size=(draw(st.integers(1, 12)), 6)).astype(np.float32)
    matrix = directions[rng.integers(0, len(directions), n_texts)]
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    matrix[rng.random(n_texts) < 0.1] = np.nan
    matrix[rng.random(n_texts) < 0.05] = 0
    return rng, matrix


@settings(deadline=None, max_examples=150)
@given(matrices(), st.integers(1, 40), st.integers(1, 12), st.booleans())
def test_blocks_of_any_size_give_the_ranking_of_one_comparison(
    drawn, block_rows, n_results, has_lines
):
    rng, matrix = drawn
    numbers, section_of = corpus_of(rng, len(matrix))
    asked = np.nan_to_num(matrix[rng.integers(0, len(matrix), 5)])
    lines, context = None, None
    if has_lines:
        lines = unit_vectors(5, dimension=6)
        context = DenseContext(unit_vectors(3, dimension=6), section_of, weight=0.5)
    whole = VectorSet("e", matrix, usable(matrix))
    found = ranked(in_blocks(matrix, block_rows), numbers, asked, n_results, lines, context)

    assert found == ranked(whole, numbers, asked, n_results, lines, context)
    assert found == [
        by_brute_force(whole, numbers, query, n_results, line, context)
        for query, line in zip(asked, [None] * 5 if lines is None else lines, strict=True)
    ]


def by_brute_force(whole, numbers, query, n_results, line, context):
    """Every usable sentence in Python: by score to six decimals, then by number."""
    scored = []
    for sentence, text in enumerate(numbers.text_of.tolist()):
        if whole.is_usable[text]:
            score = np.einsum(
                "ij,j->i",
                whole.matrix[text : text + 1].astype(np.float64),
                query.astype(np.float64),
            )[0]
            if context is not None:
                score += context.scores(line)[context.section_of[sentence]]
            scored.append((-round(float(score), 6), sentence))
    scored.sort()
    head = scored[:n_results]
    sizes = [sum(score == other for other, _ in scored) for score, _ in head]
    return [[s for _, s in head], [0.0 - score for score, _ in head], sizes]


def test_a_search_in_blocks_keeps_only_what_reaches_the_cut_of_all():
    matrix = unit_vectors(300)
    (found,) = comparing.compare_all(in_blocks(matrix, 7)).nearest(matrix[:1], 5)

    assert len(found) == 5


def test_a_matrix_that_the_cache_has_dropped_is_searched_by_the_process_that_maps_it(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(runners, "open_runner", lambda engine: runners.Alone())
    monkeypatch.setattr(vectors, "MAX_MATRICES", 1)
    monkeypatch.setattr(vectors, "BLOCK_ROWS", 7)
    matrix = unit_vectors(40)
    _, texts, (batch,) = index_table(matrix)
    batches = [
        batch.set_column(0, "encoder", pa.array([name] * len(batch))).set_column(
            1, "encoder_id", pa.array([f"{name}@1"] * len(batch))
        )
        for name in ("a", "b")
    ]
    found = collect_vectors(batches, texts["text_hash"], str(tmp_path), is_mapped=True)
    assert sorted(one.folder.exists() for one in found.values()) == [False, True]

    whole = comparing.compare_all(VectorSet("e", matrix, usable(matrix)))
    expected = [texts.tolist() for texts in whole.nearest(matrix[:3], 5)]
    for one in found.values():
        search = comparing.compare_all(one, "pool")
        assert [sorted(texts.tolist()) for texts in search.nearest(matrix[:3], 5)] == expected


@pytest.mark.parametrize(
    ("engine", "master", "remote", "reads"),
    [
        ("pool", "", "", True),
        ("spark", None, "", True),
        ("spark", "", "", True),
        ("spark", "local[2]", "", True),
        ("spark", "spark://head:7077", "", False),
        ("spark", "", "sc://head:15002", False),
        ("", "", "", False),
    ],
)
def test_workers_read_this_disk_where_they_are_on_this_machine(
    monkeypatch, engine, master, remote, reads
):
    monkeypatch.setenv("SPARK_REMOTE", remote)
    monkeypatch.delenv("SPARK_MASTER", raising=False)
    if master is not None:
        monkeypatch.setenv("SPARK_MASTER", master)
    assert comparing._reads_this_disk(engine) is reads


@pytest.mark.parametrize("block_rows", [3, 400])
def test_recall_in_blocks_is_that_of_all(block_rows):
    matrix = unit_vectors(400)
    blocked = in_blocks(matrix, block_rows)
    half = comparing.compare_all(VectorSet("e", matrix, np.arange(400) < 200))
    whole = VectorSet("e", matrix, usable(matrix))

    assert indexes.measure_recall(comparing.compare_all(blocked).nearest, blocked, 1)[0] == 1.0
    assert indexes.measure_recall(half.nearest, blocked, 1) == indexes.measure_recall(
        half.nearest, whole, 1
    )


# --- matrices in files ---------------------------------------------------------------------------


def stored_in(tmp_path):
    return sorted((tmp_path / "cache" / "matrices").iterdir())


def shuffled_batches(matrix):
    """The vectors in batches, in no order."""
    _, texts, (batch,) = index_table(matrix)
    order = np.random.default_rng(2).permutation(len(matrix))
    mixed = pa.Table.from_batches([batch]).take(order)
    return texts["text_hash"], mixed.to_batches(max_chunksize=7)


def test_a_mapped_matrix_holds_the_vectors_and_is_written_once(tmp_path):
    matrix = unit_vectors(40)
    matrix[3] = np.nan
    hashes, batches = shuffled_batches(matrix)
    in_memory = collect_vectors(batches, hashes)["e"]
    mapped = collect_vectors(batches, hashes, str(tmp_path), is_mapped=True)["e"]
    (folder,) = stored_in(tmp_path)
    written = (folder / vectors.MATRIX_FILE).stat().st_ino
    again = collect_vectors(batches[::-1], hashes, str(tmp_path), is_mapped=True)["e"]

    for one in (mapped, again):
        assert one.folder == folder
        assert one.is_usable.tolist() == in_memory.is_usable.tolist()
        assert one.rows(np.arange(40)).tobytes() == matrix.tobytes()
        assert [one.address[0], one.address[1].tobytes()] == ["e@1", matrix.tobytes()]
    assert (folder / vectors.MATRIX_FILE).stat().st_ino == written


def test_a_text_without_a_vector_is_unusable_in_a_file_too(tmp_path):
    hashes, (first, *_) = shuffled_batches(unit_vectors(40))
    mapped = collect_vectors([first], hashes, str(tmp_path), is_mapped=True)["e"]

    assert np.count_nonzero(mapped.is_usable) == 7
    assert np.isnan(mapped.rows(np.flatnonzero(~mapped.is_usable))).all()


@pytest.mark.parametrize("changed", [slice(0, 1), slice(39, 40), slice(0, 40)])
def test_a_stored_matrix_of_other_vectors_is_written_again(tmp_path, changed):
    matrix = unit_vectors(40)
    hashes, batches = shuffled_batches(matrix)
    collect_vectors(batches, hashes, str(tmp_path), is_mapped=True)
    matrix[changed] = -matrix[changed]
    other = collect_vectors(shuffled_batches(matrix)[1], hashes, str(tmp_path), is_mapped=True)

    assert other["e"].rows(np.arange(40)).tobytes() == matrix.tobytes()
    assert len(stored_in(tmp_path)) == 1


def test_a_vector_that_came_later_replaces_what_was_none(tmp_path):
    matrix = unit_vectors(40)
    hashes, batches = shuffled_batches(matrix)
    collect_vectors(batches[:-1], hashes, str(tmp_path), is_mapped=True)
    whole = collect_vectors(batches, hashes, str(tmp_path), is_mapped=True)["e"]

    assert whole.is_usable.all()
    assert whole.rows(np.arange(40)).tobytes() == matrix.tobytes()


def test_a_vector_that_came_later_is_seen_among_many_that_are_not_compared(tmp_path, monkeypatch):
    monkeypatch.setattr(vectors, "CHECKED_ROWS", 1)
    matrix = unit_vectors(40)
    _, texts, whole = index_table(matrix)
    spoilt = matrix.copy()
    spoilt[5] = np.nan
    hashes = texts["text_hash"]
    collect_vectors(index_table(spoilt)[2], hashes, str(tmp_path), is_mapped=True)
    mended = collect_vectors(whole, hashes, str(tmp_path), is_mapped=True)["e"]

    assert mended.rows(np.arange(40)).tobytes() == matrix.tobytes()


def test_a_matrix_is_mapped_only_when_it_is_large(tmp_path, monkeypatch):
    hashes, batches = shuffled_batches(unit_vectors(40))
    assert collect_vectors(batches, hashes, str(tmp_path))["e"].folder is None
    monkeypatch.setattr(vectors, "MEMORY_LIMIT", 40 * 16 * 4 - 1)
    assert collect_vectors(batches, hashes, str(tmp_path))["e"].folder is not None


def test_reading_that_stops_leaves_no_matrix(tmp_path):
    hashes, batches = shuffled_batches(unit_vectors(40))

    def broken():
        yield from batches[:2]
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        collect_vectors(broken(), hashes, str(tmp_path), is_mapped=True)
    assert stored_in(tmp_path) == []


def test_a_damaged_matrix_is_written_again(tmp_path, caplog):
    matrix = unit_vectors(40)
    hashes, batches = shuffled_batches(matrix)
    collect_vectors(batches, hashes, str(tmp_path), is_mapped=True)
    (folder,) = stored_in(tmp_path)
    path = folder / vectors.MATRIX_FILE
    path.write_bytes(path.read_bytes()[:300])
    mended = collect_vectors(batches, hashes, str(tmp_path), is_mapped=True)["e"]

    assert mended.rows(np.arange(40)).tobytes() == matrix.tobytes()
    assert "it is written again" in caplog.text


def test_a_full_disk_is_reported_before_anything_is_written(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(vectors.os, "posix_fallocate", full)
    hashes, batches = shuffled_batches(unit_vectors(40))
    with pytest.raises(ValueError, match="free disk space or set state_dir elsewhere"):
        collect_vectors(batches, hashes, str(tmp_path), is_mapped=True)


# --- indexes of several files --------------------------------------------------------------------


@pytest.mark.parametrize("index_type", ["ivf", "ivfpq", "hnsw"])
def test_an_index_in_files_finds_what_one_file_finds(tmp_path, monkeypatch, index_type):
    inputs = index_table(unit_vectors(1_200), index_type)
    (whole,) = indexes.build_indexes(*inputs, {"state_dir": str(tmp_path / "one")}).to_pylist()
    monkeypatch.setattr(vectors, "BLOCK_ROWS", 500)
    (row,) = indexes.build_indexes(*inputs, {"state_dir": str(tmp_path)}).to_pylist()
    files = indexes.load_index(row["index_id"], str(tmp_path))

    assert [index.ntotal for index in files] == [500, 500, 200]
    assert row["n_vectors"] == whole["n_vectors"] == 1_200
    assert row["recall_at_10"] >= 0.95
    if index_type == "ivf":  # a graph of a block is another graph, and scores of codes tie
        one_file = indexes.load_index(whole["index_id"], str(tmp_path / "one"))
        asked = system(index_type), unit_vectors(50), 20
        found = [np.sort(indexes.search_files(one, *asked)) for one in (files, one_file)]
        assert found[0].tolist() == found[1].tolist()


def test_the_files_of_an_index_are_searched_on_the_disk(tmp_path):
    import faiss

    inputs = index_table(unit_vectors(1_200), "ivfpq")
    (row,) = indexes.build_indexes(*inputs, {"state_dir": str(tmp_path)}).to_pylist()
    (index,) = indexes.load_index(row["index_id"], str(tmp_path))
    lists = faiss.extract_index_ivf(index).invlists

    assert isinstance(faiss.downcast_InvertedLists(lists), faiss.OnDiskInvertedLists)


def test_an_index_without_one_of_its_files_is_built_again(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(vectors, "BLOCK_ROWS", 500)
    inputs = index_table(unit_vectors(1_200), "ivf")
    first = indexes.build_indexes(*inputs, {"state_dir": str(tmp_path)}).to_pylist()
    (
        tmp_path / "cache" / "indexes" / f"{first[0]['index_id']}.faiss" / "block-00001.faiss"
    ).unlink()

    assert indexes.build_indexes(*inputs, {"state_dir": str(tmp_path)}).to_pylist() == first
    assert "it is built again" in caplog.text


def test_what_an_index_learns_from_is_a_seeded_sample(monkeypatch):
    seen = []
    monkeypatch.setattr(indexes, "MAX_TRAINING_VECTORS", 200)
    rows = VectorSet.rows
    monkeypatch.setattr(
        VectorSet, "rows", lambda self, texts: seen.append(texts.tolist()) or rows(self, texts)
    )
    given_vectors = in_blocks(unit_vectors(1_200), 500)
    for seed in (1, 1, 2):
        [*indexes.build_files(system("ivf", random_seed=seed), given_vectors)]

    assert [len(set(texts)) for texts in seen] == [200] * 3
    assert seen[0] == seen[1] == sorted(seen[1]) != seen[2]


def test_more_candidates_than_results_are_taken_from_an_index():
    matrix = unit_vectors(1_200)
    blocked = in_blocks(matrix, 500)
    coarse = system("ivfpq", index_probes=4)
    search = indexes.Indexed([*indexes.build_files(coarse, blocked)], coarse)

    assert [len(set(row.tolist())) for row in search.nearest(matrix[:3], 10)] == [200] * 3


def test_scores_of_lines_in_small_groups_are_those_of_all(monkeypatch):
    rng = np.random.default_rng(3)
    matrix = unit_vectors(30, dimension=6)
    numbers, section_of = corpus_of(rng, 30)
    context = DenseContext(unit_vectors(3, dimension=6), section_of, weight=0.5)
    asked = matrix[:9], 4, matrix[9:18], context
    all_at_once = ranked(in_blocks(matrix, 8), numbers, *asked)
    monkeypatch.setattr(searching, "LINE_SCORES", 6)

    assert ranked(in_blocks(matrix, 8), numbers, *asked) == all_at_once
