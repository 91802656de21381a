"""A store of S3: a server on this machine that speaks it."""

import pytest
from pyarrow.fs import S3FileSystem

from finrag.shards import Store, open_runner, read_manifest
from finrag.warehouse import in_memory
from finrag.warehouse.s3 import reach_s3
from tests.cluster.processes import s3_server
from tests.unit.sharded import N_SHARDS, build, files_of, write_corpus

BUCKET = "shards"


@pytest.fixture
def s3(tmp_path, monkeypatch):
    """The address of a bucket."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "anyone")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "anything")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with s3_server(tmp_path) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        S3FileSystem(endpoint_override=address, allow_bucket_creation=True).create_dir(BUCKET)
        yield f"s3://{BUCKET}"


@pytest.mark.parametrize("engine", ["", "pool", "spark"])
def test_shards_in_s3_are_those_in_a_folder(engine, s3, tmp_path):
    corpus = write_corpus(tmp_path)
    store, folder = Store.at(f"{s3}/of/finrag"), Store.at(str(tmp_path / "store"))
    store.check()
    assert store.listed("") == []
    with open_runner("") as alone:
        build(alone, folder, corpus)
    with open_runner(engine, 2) as runner:
        manifest, said = build(runner, store, corpus)
        assert said == [0, N_SHARDS]
        # What is there is found again.
        assert build(runner, store, corpus)[1] == [N_SHARDS, N_SHARDS]
    assert files_of(store) == files_of(folder)

    copy = tmp_path / "shards.json"
    copy.write_text(manifest.text())
    read = read_manifest(copy)
    files = [store.place(one.file) for one in read.doors["lengths"]]
    with in_memory() as connection:
        reach_s3(connection, store.uri)
        ((n_rows,),) = connection.execute(f"select count(*) from read_parquet({files})").fetchall()
    assert n_rows == sum(one.n_rows for one in read.doors["lengths"]) > N_SHARDS


def test_a_bucket_that_is_missing_is_named(s3):
    with pytest.raises(ValueError, match="the store s3://nowhere/x cannot be written to"):
        Store.at("s3://nowhere/x").check()
