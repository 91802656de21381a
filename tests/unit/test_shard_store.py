"""What a store of shards keeps, and what a build makes of one that was cleaned or damaged."""

import dataclasses
import json
import os
from pathlib import Path

import pytest
from pyarrow import fs

from finrag.shards import Store, open_runner
from finrag.shards.bucketing import bucket_of
from finrag.shards.listing import clean
from finrag.shards.manifest import record_of
from tests.unit.sharded import N_SHARDS, build, write_corpus

# Not one shard has a row of this model.
NOTHING = """
    rows = rows.slice(0, 0)
"""


@pytest.fixture
def corpus(tmp_path):
    return write_corpus(tmp_path, broken=False)


@pytest.fixture
def store(tmp_path):
    return Store.at(str(tmp_path / "store"))


def built(store, corpus, fault=""):
    """The manifest, and how many shards were found."""
    with open_runner("") as alone:
        manifest, (n_found, _) = build(alone, store, corpus, fault)
    return manifest, n_found


def missing(store, manifest):
    """Files that a manifest lists and the store lacks."""
    files = [one.file for files in manifest.doors.values() for one in files]
    return [name for name in files if not store.exists(name)]


def test_a_cleaned_store_serves_a_corpus_without_its_first_shard(store, corpus):
    # Rows are told by their line: those of the other shards keep theirs.
    lines = sorted(corpus.read_text().splitlines(), key=bucket, reverse=True)
    corpus.write_text("".join(f"{line}\n" for line in lines))
    manifest, _ = built(store, corpus, NOTHING)
    assert [one.n_rows for one in manifest.doors["words"]] == [0]
    clean(store, is_all=True)

    rest = [line for line in lines if bucket(line) != bucket(lines[-1])]
    corpus.write_text("".join(f"{line}\n" for line in rest))
    manifest, n_found = built(store, corpus, NOTHING)

    assert n_found == len({bucket(line) for line in rest}) > 0
    assert missing(store, manifest) == []


def bucket(line):
    return bucket_of(int(json.loads(line)["cik"]), N_SHARDS)


def test_a_damaged_plan_is_written_again(store, corpus):
    built(store, corpus)
    (plan,) = store.listed("corpus/plans")
    whole = store.read(plan)
    Path(store.place(plan)).write_bytes(whole[:100])

    built(store, corpus)
    assert store.read(plan) == whole


def truncated(path):
    path.write_bytes(path.read_bytes()[:-1])


def without_a_model(path):
    said = json.loads(path.read_text())
    path.write_text(json.dumps({"words": said["words"]}))


def of_another_version(path):
    said = json.loads(path.read_text())
    path.write_text(json.dumps({model: {"file": one["file"]} for model, one in said.items()}))


@pytest.mark.parametrize(
    ("kind", "damage"),
    [
        ("records", truncated),
        ("records", Path.unlink),
        ("records", without_a_model),
        ("records", of_another_version),
        ("words", truncated),
        ("words", Path.unlink),
        ("lengths", truncated),
    ],
)
def test_a_shard_with_a_damaged_file_has_no_record(store, corpus, kind, damage):
    manifest, _ = built(store, corpus)
    digest = manifest.digest

    def records():
        found = store.details("corpus")
        return [record_of(store, name, manifest.doors, found) for name in manifest.records]

    models = ["lengths", "words"]
    manifest = dataclasses.replace(
        manifest, doors={model: manifest.doors[model] for model in models}
    )
    doors = manifest.doors
    assert [[one[model] for one in records()] for model in models] == list(doors.values())

    name = sorted(store.listed(f"corpus/{kind}"))[0]
    whole = store.read(name)
    damage(Path(store.place(name)))
    assert sum(one is None for one in records()) == 1

    again, n_found = built(store, corpus)
    assert n_found == len(again.records) - 1
    assert again.digest == digest
    assert store.read(name) == whole


@dataclasses.dataclass(frozen=True)
class Objects(Store):
    """An object store, of which a folder plays the server: what is closed is there."""

    folder: str = ""

    def _path(self, name):
        return fs.SubTreeFileSystem(self.folder, fs.LocalFileSystem()), name


@pytest.fixture(params=["folder", "objects"])
def any_store(request, store, tmp_path):
    return store if request.param == "folder" else Objects("s3://bucket", str(tmp_path))


def test_a_file_is_there_only_once_it_is_whole(any_store):
    any_store.write("a", b"before")

    def write(name):
        with any_store.writing(name) as file:
            file.write(b"half a file")
            assert not any_store.exists("b")
            raise RuntimeError(name)

    for name in ("a", "b"):
        with pytest.raises(RuntimeError, match=name):
            write(name)
    assert any_store.read("a") == b"before"
    assert not any_store.exists("b")
    assert not any(".tmp" in name for name in any_store.listed())


@pytest.mark.parametrize("content", [b"", b"all of it"])
def test_what_is_written_is_read_again(any_store, content):
    any_store.write("a", content)
    assert any_store.read("a") == content
    assert any_store.size("a") == len(content)


def test_a_file_of_a_folder_is_on_the_disk_before_it_has_its_name(store, monkeypatch):
    names = []
    monkeypatch.setattr(os, "fsync", lambda _: names.append(store.exists("a")))
    store.write("a", b"1")
    assert names == [False]
    assert store.exists("a")
