"""Vectors in a store: what it holds is not embedded, each text by one task, no half file."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from finrag import embeddings
from finrag.embeddings import EncoderSpec, content_hash, encoders
from finrag.retrieval import stored_vectors
from finrag.retrieval.embedding import CORPUS_EMBEDDING_SCHEMA, embed_corpus
from finrag.shards import ShardError, runners
from finrag.warehouse import StoredRows


class DigestModel:
    """Eight floats per text from its md5, whatever batch it comes in."""

    def __init__(self):
        self.seen = []
        self.spoilt = set()

    def encode(self, texts):
        self.seen += texts
        raw = [hashlib.md5(text.encode(), usedforsecurity=False).digest()[:8] for text in texts]
        vectors = np.array([list(row) for row in raw], dtype=np.float32) + 1
        vectors[[text in self.spoilt for text in texts]] = np.nan
        return vectors

    def taken(self):
        """What was encoded since this was last asked."""
        seen, self.seen = sorted(self.seen), []
        return seen


@pytest.fixture
def tiny(monkeypatch):
    model = DigestModel()
    for name in ("tiny", "other"):
        spec = EncoderSpec(f"{name}@0001", lambda threads: model, part_rows=8)
        monkeypatch.setitem(encoders.BUILT_IN, name, lambda spec=spec: spec)
    return model


def sentences(n):
    return [f"Net sales of segment {i}{' rose' * (i % 7)}" for i in range(n)]


def table(texts):
    rows = sorted((content_hash(text), text) for text in texts)
    columns = {"content_hash": [one for one, _ in rows], "sentence_text": [one for _, one in rows]}
    return pa.table(columns, schema=pa.schema([(name, pa.string()) for name in columns]))


def set_to(folder, engine=""):
    return {
        "state_dir": str(folder),
        "engine": engine,
        "store": str(folder / "store"),
        "encoder_batch_size": 4,
        "encoder_threads": 2,
    }


def stored(folder, texts, encoders=("tiny",), engine="", n_rows=50):
    return stored_vectors.store_vectors(
        encoders, table(texts).to_batches(n_rows), set_to(folder, engine)
    )


def systems(*names):
    rows = [
        {"system_id": name, "system_kind": "dense_rag", "encoder": name, "regime": "open"}
        for name in names
    ]
    return pa.Table.from_pylist([{**row, "system_kind": "dense"} for row in rows])


def without_engine(folder, texts, encoder="tiny"):
    read = embed_corpus(systems(encoder), table(texts).to_reader(), set_to(folder)).read_all()
    return read.sort_by("content_hash").combine_chunks()


def rows(found: StoredRows, texts):
    """The rows of these texts, as the join of the model leaves them."""
    wanted = table(texts)
    with duckdb.connect() as connection:
        connection.register("wanted", wanted)
        return (
            connection.sql(f"{found.query} semi join wanted using (content_hash) order by all")
            .to_arrow_table()
            .cast(CORPUS_EMBEDDING_SCHEMA)
            .combine_chunks()
        )


def count(found: StoredRows):
    """How many rows the view has, those that the model does not join too."""
    return duckdb.sql(f"select count(*) from ({found.query})").fetchall()[0][0]


def names(folder):
    root = folder / "store"
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def test_an_engine_gives_the_rows_of_one_process_to_the_last_bit(tmp_path):
    texts = sentences(300)
    (tmp_path / "pool").mkdir()
    expected = without_engine(tmp_path / "none", texts, "wordllama")
    alone = stored(tmp_path / "alone", texts, ["wordllama"])
    pool = embed_corpus(
        systems("wordllama"), table(texts).to_reader(64), set_to(tmp_path / "pool", "pool")
    )

    assert expected.num_rows == 300
    assert rows(alone, texts).equals(expected)
    assert rows(pool, texts).equals(expected)
    # A file has its bytes' digest for a name: the same on both.
    vectors = [name for name in names(tmp_path / "alone") if name.startswith("vectors/")]
    assert vectors == [name for name in names(tmp_path / "pool") if name.startswith("vectors/")]


def test_each_text_is_embedded_by_one_task(tmp_path, tiny):
    texts = sentences(200)
    found = stored(tmp_path, texts)

    assert tiny.taken() == sorted(texts)
    assert len(found.files) == 16
    for file in found.files:
        hashes = pq.read_table(file, columns=["content_hash"])["content_hash"].to_pylist()
        digit = Path(file).parent.name.removeprefix("prefix=")
        assert hashes == sorted(hashes)
        assert {one[0] for one in hashes} == {digit}


def test_a_second_run_starts_no_task(tmp_path, tiny, monkeypatch):
    texts = sentences(200)
    first = stored(tmp_path, texts)
    written = names(tmp_path)

    def refused(engine):
        raise AssertionError("no runner is needed")

    monkeypatch.setattr("finrag.shards.open_runner", refused)
    assert stored(tmp_path, texts, n_rows=7) == first
    assert names(tmp_path) == written
    # Of fewer texts the records are others; that is seen here.
    with pytest.raises(AssertionError):
        stored(tmp_path, texts[:-1])


def test_new_texts_are_embedded_alone_in_their_prefix(tmp_path, tiny, monkeypatch):
    texts = sentences(200)
    first = stored(tmp_path, texts)
    tiny.taken()
    ran = []
    embed_prefix = stored_vectors.embed_prefix

    def watched(task):
        ran.append(task.prefix)
        return embed_prefix(task)

    monkeypatch.setattr(stored_vectors, "embed_prefix", watched)
    grown = [*texts, "Gross margin fell."]
    found = stored(tmp_path, grown)

    assert ran == [content_hash("Gross margin fell.")[0]]
    assert tiny.taken() == ["Gross margin fell."]
    assert len(set(found.files) - set(first.files)) == 1
    assert set(first.files) <= set(found.files)
    assert rows(found, grown).equals(without_engine(tmp_path, grown))
    # With fewer again, nothing is embedded, and the rows of the others are left out.
    fewer = stored(tmp_path, texts[:50])
    assert rows(fewer, texts[:50]).equals(without_engine(tmp_path, texts[:50]))
    assert tiny.taken() == []


def test_what_a_build_without_an_engine_embedded_is_found(tmp_path, tiny):
    texts = sentences(100)
    expected = without_engine(tmp_path, texts)
    tiny.taken()

    assert rows(stored(tmp_path, texts), texts).equals(expected)
    assert tiny.taken() == []


def test_a_build_without_an_engine_finds_what_tasks_embedded(tmp_path, tiny):
    texts = sentences(100)
    stored(tmp_path, texts)
    tiny.taken()

    assert without_engine(tmp_path, texts).num_rows == 100
    assert tiny.taken() == []


@pytest.mark.parametrize("breaks", ["stream", "copy"])
def test_a_task_that_is_killed_leaves_no_half_file_and_the_next_run_does_the_rest(
    tmp_path, tiny, monkeypatch, breaks
):
    texts = sentences(200)
    embed_texts, copy = embeddings.embed_texts, stored_vectors.shutil.copyfileobj
    calls = []

    def half_a_stream(*given, prefix, **options):
        calls.append(prefix)
        batches = embed_texts(*given, prefix=prefix, **options)
        if prefix != "7":
            return batches

        def some():
            yield next(iter(batches)).slice(0, 2)
            raise OSError("the disk is gone")

        return some()

    def half_a_copy(source, target, length):
        if "prefix=7" not in str(calls[-1]):
            return copy(source, target, length)
        target.write(source.read(10))
        raise OSError("the disk is gone")

    put = stored_vectors._put

    def watched_put(path, task):
        calls.append(task.place)
        return put(path, task)

    with monkeypatch.context() as broken:
        if breaks == "stream":
            broken.setattr(embeddings, "embed_texts", half_a_stream)
        else:
            broken.setattr(stored_vectors, "_put", watched_put)
            broken.setattr(stored_vectors.shutil, "copyfileobj", half_a_copy)
        with pytest.raises(ShardError, match=r"hashes 7….*the disk is gone"):
            stored(tmp_path, texts)
    assert len([call for call in calls if "7" in call]) == runners.ATTEMPTS
    done = names(tmp_path)
    assert not [name for name in done if "tmp" in name]
    assert len([name for name in done if name.startswith("vectors/")]) == 2 * 7
    tiny.taken()

    found = stored(tmp_path, texts)
    assert rows(found, texts).equals(without_engine(tmp_path, texts))
    # The vectors that the broken task had made were in the worker's cache.
    assert all(content_hash(text)[0] > "7" for text in tiny.taken())
    assert set(done) <= set(names(tmp_path))


def test_a_text_without_a_usable_vector_has_a_row_and_is_asked_for_again(tmp_path, tiny):
    texts = sentences(60)
    tiny.spoilt = {texts[3]}
    found = stored(tmp_path, texts)
    tiny.taken()
    columns = (rows(found, texts)[name].to_pylist() for name in ("content_hash", "vector"))
    vectors = dict(zip(*columns, strict=True))

    assert len(vectors) == 60
    assert [one for one, vector in vectors.items() if np.isnan(vector).any()] == [
        content_hash(texts[3])
    ]
    again = stored(tmp_path, texts)
    assert again == found
    assert tiny.taken() == [texts[3]]
    tiny.spoilt = set()
    mended = stored(tmp_path, texts)
    assert tiny.taken() == [texts[3]]
    assert rows(mended, texts).equals(without_engine(tmp_path, texts))
    stored(tmp_path, texts)
    assert tiny.taken() == []


def test_a_text_in_two_files_of_the_store_has_one_row(tmp_path, tiny):
    texts = sentences(120)
    stored(tmp_path / "a", texts[:80])
    stored(tmp_path / "b", texts[40:])
    for path in (tmp_path / "b" / "store").rglob("vectors/**/*.parquet"):
        target = tmp_path / "a" / "store" / path.relative_to(tmp_path / "b" / "store")
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(path.read_bytes())

    for _ in range(2):
        found = stored(tmp_path / "a", texts)
        assert rows(found, texts).equals(without_engine(tmp_path / "a", texts))
        assert count(found) == len(texts)


def cut_short(path):
    path.write_bytes(path.read_bytes()[:-1])


@pytest.mark.parametrize("kind", [".parquet", ".json"])
@pytest.mark.parametrize("damage", [cut_short, Path.unlink])
def test_a_damaged_file_is_written_again_and_no_other(tmp_path, tiny, kind, damage):
    texts = sentences(200)
    found = stored(tmp_path, texts)
    paths = sorted((tmp_path / "store" / "vectors").rglob(f"*{kind}"))
    whole = [path.read_bytes() for path in paths]
    times = [path.stat().st_mtime_ns for path in paths[1:]]
    damage(paths[0])
    tiny.taken()

    assert stored(tmp_path, texts) == found
    assert [path.read_bytes() for path in paths] == whole
    assert [path.stat().st_mtime_ns for path in paths[1:]] == times
    # The worker's cache has the vectors.
    assert tiny.taken() == []


def of_one_prefix(n):
    return [text for text in sentences(200) if content_hash(text)[0] == "7"][:n]


def test_files_that_overlap_outside_the_wanted_texts_have_no_row_twice(tmp_path, tiny):
    one, two, three = of_one_prefix(3)
    stored(tmp_path / "a", [one, two])
    (other,) = stored(tmp_path / "b", [two, three]).files
    target = tmp_path / "a" / "store" / Path(other).relative_to(tmp_path / "b" / "store")
    target.write_bytes(Path(other).read_bytes())
    tiny.taken()

    found = stored(tmp_path / "a", [one, three])
    # One of the files, which has the text of both too, and one row out of the other.
    assert count(found) == 3
    assert rows(found, [one, three]).equals(without_engine(tmp_path / "b", [one, three]))
    assert stored(tmp_path / "a", [one, three]) == found


def test_a_prefix_of_too_many_texts_is_split_and_keeps_its_vectors(tmp_path, tiny, monkeypatch):
    texts = sentences(200)
    stored(tmp_path, texts)
    tiny.taken()
    # What finds them is the store: the cache of this worker is gone.
    (tmp_path / "cache").rename(tmp_path / "gone")
    monkeypatch.setattr(stored_vectors, "MAX_TEXTS", 5)
    split = stored(tmp_path, texts)
    assert tiny.taken() == []
    assert count(split) == len(texts)
    grown = [*texts, "Gross margin fell."]
    found = stored(tmp_path, grown)
    assert tiny.taken() == ["Gross margin fell."]
    assert count(found) == len(grown)
    monkeypatch.setattr(stored_vectors, "MAX_TEXTS", 1_000)
    # Nor when they are put together again.
    whole = stored(tmp_path, grown)
    assert tiny.taken() == []
    assert count(whole) == len(grown)
    assert rows(whole, grown).equals(rows(found, grown))

    digits = content_hash("Gross margin fell.")[:2]
    (new,) = set(found.files) - set(split.files)
    assert Path(new).parent.name == f"prefix={digits}"


def test_encoders_have_folders_of_their_own(tmp_path, tiny):
    texts = sentences(40)
    found = stored(tmp_path, texts, ["tiny", "other"])
    counted = duckdb.sql(f"select encoder, encoder_id, count(*) from ({found.query}) group by all")

    assert sorted(counted.fetchall()) == [("other", "other@0001", 40), ("tiny", "tiny@0001", 40)]
    assert len({Path(file).parents[1] for file in found.files}) == 2


def test_a_record_whose_files_are_gone_does_not_count(tmp_path, tiny):
    texts = sentences(40)
    found = stored(tmp_path, texts)
    Path(found.files[0]).unlink()

    assert rows(stored(tmp_path, texts), texts).num_rows == 40


def test_no_encoder_no_files(tmp_path):
    given = table(sentences(5))
    none = embed_corpus(systems(), given.to_reader(), set_to(tmp_path, "pool"))

    assert none == StoredRows((), CORPUS_EMBEDDING_SCHEMA)
    assert names(tmp_path) == []


def test_records_name_the_files(tmp_path, tiny):
    found = stored(tmp_path, sentences(40))
    root = tmp_path / "store"
    records = [json.loads((root / name).read_text()) for name in names(tmp_path) if "json" in name]

    assert sorted(str(root / name) for record in records for name in record) == list(found.files)
