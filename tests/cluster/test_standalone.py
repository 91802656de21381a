"""Filings of the sample on a cluster of two workers, one of which is lost on the way."""

import pytest

from finrag.command.settings import default_variables
from finrag.shards import Store, build_shards, open_runner, table_hash
from finrag.shards.spark import Spark
from finrag.warehouse import in_memory
from tests.cluster.processes import kill, standalone
from tests.unit.sharded import hidden
from tests.warehouse.warehouses import small_corpus

N_SHARDS = 8


def variables_of(folder, n_shards):
    corpus = {"corpus": "filings", "corpus_path": small_corpus(folder, 2, n_companies=12)}
    return {**default_variables(), **corpus, "state_dir": str(folder), "shards": n_shards}


def hashes(manifest):
    """Rows and hash of each door; private steps hold a text once a shard, so they may differ."""
    store = Store.at(manifest.store)
    files = {name: [store.place(one.file) for one in door] for name, door in manifest.doors.items()}
    with in_memory() as connection:
        return {
            name: table_hash(connection, f"read_parquet({files[name]}, hive_partitioning = false)")
            for name in sorted(files)
            if not name.startswith(("int_", "py_"))
        }


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Rows and hashes of a build in one process and one shard."""
    folder = tmp_path_factory.mktemp("alone")
    with open_runner("") as runner:
        return hashes(
            build_shards(runner, Store.at(str(folder / "store")), variables_of(folder, 1))
        )


def test_a_build_survives_the_loss_of_a_worker(alone, tmp_path, monkeypatch):
    store = Store.at(str(tmp_path / "store"))
    killed, told = [], []
    with standalone(tmp_path) as (address, workers):

        def lose_one(stage, n_done, n_all):
            told.append((stage, n_done, n_all))
            if stage == "shards" and n_done >= n_all / 4 and not killed:
                killed.extend(kill(workers[0].pid))

        monkeypatch.setenv("SPARK_MASTER", address)
        with Spark(log=tmp_path / "spark.log") as runner:
            manifest = build_shards(runner, store, variables_of(tmp_path, N_SHARDS), lose_one)
    # The worker, its executor, and the Python of that.
    assert len(killed) >= 3
    first = next(n_done for stage, n_done, _ in told if stage == "shards")
    last, n_all = told[-1][1:]
    assert (first, last) == (0, n_all)
    assert len(manifest.records) == n_all >= N_SHARDS / 2
    assert hashes(manifest) == alone
    assert hidden(store) == []
    listed = {one.file for files in manifest.doors.values() for one in files}
    assert listed <= set(store.listed(""))
