"""The command's side of a build over shards: options, checks, progress, keys, old files."""

import argparse
import dataclasses
import io
import json
import os
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from finrag.command.building import shards
from finrag.command.building.keys import Setting, node_keys
from finrag.command.building.shards import (
    Stages,
    builds_text,
    check_engine,
    cleaned_text,
    run_shards,
)
from finrag.command.cli import main
from finrag.command.sharding import with_engine
from finrag.shards.listing import Cleaned, clean, keep_for, stored_builds
from finrag.shards.manifest import DoorFile, Manifest, parse_manifest, read_manifest
from finrag.shards.store import Store
from finrag.warehouse import StoredRows, in_memory
from finrag.warehouse.project import Node


def node(name, *parents, kind="model", code="select 1", **meta):
    return Node(
        unique_id=name,
        name=name,
        kind=kind,
        room="sentences",
        parents=parents,
        code=code,
        file=None,
        meta=meta,
        is_per_run=False,
        reads_day=False,
    )


NODES = [
    node("seed"),
    node("door", "seed", company_local=True),
    node("other", "seed", company_local=True),
    node("joined", "door", view_over_shards=True),
    node("behind", "joined"),
    node("apart", "other"),
    node("test of door", "door", kind="test"),
]
SETTING = Setting(
    build="b",
    day="2026-01-01",
    variables={},
    store="/store",
    doors={
        "door": [("door/bucket=0/1.parquet", 3, "h0"), ("door/bucket=1/1.parquet", 4, "h1")],
        "other": [("other/bucket=0/1.parquet", 1, "h2")],
    },
)


def changed(nodes=NODES, **setting):
    first = node_keys(NODES, SETTING)
    second = node_keys(nodes, dataclasses.replace(SETTING, **setting))
    return {name for name in second if first[name] != second[name]}


def test_rows_of_a_shard_reach_what_reads_them_and_nothing_else():
    new = [SETTING.doors["door"][0], ("door/bucket=1/2.parquet", 5, "h3")]

    assert changed(doors={**SETTING.doors, "door": new}) == {
        *("door", "joined", "behind", "test of door")
    }


def test_files_of_other_names_with_the_same_rows_are_only_looked_for_anew():
    moved = [(name.replace("1.parquet", "9.parquet"), n, h) for name, n, h in SETTING.doors["door"]]

    assert changed(doors={**SETTING.doors, "door": moved}) == {"door"}
    assert changed(store="/elsewhere") == {"door", "other"}


def test_a_model_that_names_files_of_the_store_is_run_again_for_another(tmp_path):
    file = tmp_path / "py_texts_embedded.py"
    file.write_text("def model(dbt, session): ...")
    settings = {"store": "given in any way", "state_dir": ".finrag"}
    stored = dataclasses.replace(node("stored", "seed", **settings), file=file)
    other = dataclasses.replace(node("elsewhere", "seed", state_dir=".finrag"), file=file)
    nodes = [*NODES, stored, other, node("reads it", "stored")]
    first, moved, alone = (
        node_keys(nodes, dataclasses.replace(SETTING, store=store))
        for store in ("/store", "/elsewhere", "")
    )

    assert len({one["stored"] for one in (first, moved, alone)}) == 3
    assert first["reads it"] != moved["reads it"]
    assert first["elsewhere"] == moved["elsewhere"] == alone["elsewhere"]


def test_what_shards_were_made_from_is_in_their_hashes():
    assert changed([node("seed", code="select 2"), *NODES[1:]]) == {"seed"}


def test_a_build_without_shards_makes_everything_itself():
    assert changed(doors={}, store="") == {node.name for node in NODES} - {"seed"}


def test_options_win_over_vars():
    options = argparse.Namespace(vars="{engine: spark, store: a, encoder: x}", engine="pool")
    assert json.loads(with_engine(options)) == {"engine": "pool", "store": "a", "encoder": "x"}

    options.engine = None
    assert with_engine(options) == options.vars


def test_the_store_is_a_folder_of_the_state_unless_it_is_named(tmp_path):
    assert Store.of({"store": "", "state_dir": str(tmp_path)}).uri == str(tmp_path / "store")
    assert Store.of({"store": "s3://b/p", "state_dir": "x"}).uri == "s3://b/p"


@pytest.mark.parametrize(
    ("uri", "complaint"),
    [
        ("s3://key:secret@bucket/path", "with credentials in it.* environment variables"),
        ("hdfs://me:secret@host/path", "with credentials in it.* environment variables"),
        ("gs://bucket/path", "the store is 'gs://bucket/path', expected a folder or s3://"),
        ("hdfs://host/path", "expected a folder or s3://bucket/path"),
        ("file:///store", "expected a folder or s3://bucket/path"),
        ("s3://", "expected a folder or s3://bucket/path"),
    ],
)
@pytest.mark.parametrize("engine", ["", "pool"])
def test_a_store_that_cannot_be_read_or_tells_a_secret_is_refused(engine, uri, complaint):
    with pytest.raises(ValueError, match=complaint) as raised:
        check_engine({"engine": engine, "store": uri, "state_dir": "x"})
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("engine", "store", "complaint"),
    [
        ("pol", "", "there is no engine 'pol'; use one of pool, spark"),
        ("pool", "a*b", "has '\\*' in its name"),
        ("pool", "file/below", "cannot be written to .*; correct STORE or the dbt var store"),
    ],
)
def test_a_build_over_shards_that_cannot_start_is_refused(tmp_path, engine, store, complaint):
    (tmp_path / "file").write_text("")
    variables = {"engine": engine, "store": str(tmp_path / store), "state_dir": str(tmp_path)}

    with pytest.raises(ValueError, match=complaint):
        check_engine(variables)


@pytest.mark.parametrize(("shards", "is_number"), [(-4, False), ("many", False), ("8", True)])
def test_a_number_of_shards_that_is_none_is_refused(tmp_path, shards, is_number):
    variables = {"engine": "pool", "store": "", "state_dir": str(tmp_path), "shards": shards}
    if is_number:
        assert check_engine(variables) == []
        return
    with pytest.raises(ValueError, match=f"shards is '{shards}', expected a number of shards"):
        check_engine(variables)


def test_a_store_is_checked_without_a_trace_and_without_an_engine_only_mentioned(tmp_path):
    store = tmp_path / "o'store [1]"
    variables = {"engine": "pool", "store": str(store), "state_dir": str(tmp_path)}
    assert check_engine(variables) == []
    assert list(store.iterdir()) == []

    (note,) = check_engine({**variables, "engine": ""})
    assert "no engine is set" in note
    assert "ENGINE=pool" in note
    assert check_engine({**variables, "engine": "", "store": ""}) == []


def test_an_unknown_engine_is_one_sentence(capsys, tmp_path):
    assert main(["check", "--engine", "pol", "--database", str(tmp_path / "x.duckdb")]) == 2
    assert capsys.readouterr().err == "finrag: there is no engine 'pol'; use one of pool, spark\n"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def told(out, monkeypatch, *calls):
    """What is printed of calls, each at a second of its own."""
    clock = iter(seconds for seconds, *_ in calls)
    monkeypatch.setattr(shards.time, "monotonic", lambda: next(clock))
    say = Stages(out)
    for _, *call in calls:
        say(*call)
    return out.getvalue()


CALLS = (
    *((0, "reading", 0, 2), (1, "reading", 2, 2)),
    *((5, "shards", 2, 8), (9, "shards", 3, 8), (15, "shards", 4, 8), (35, "shards", 8, 8)),
)


def test_a_stage_prints_a_line_each_ten_seconds_and_one_at_its_end(monkeypatch):
    assert told(io.StringIO(), monkeypatch, *CALLS).splitlines() == [
        "reading       2 files,   2 of them new,    1.0 s",
        "shards        4 of 8, 0:20 left",
        "shards        8 shards,   6 of them new,   30.0 s",
    ]


def test_on_a_terminal_a_stage_counts_in_place(monkeypatch):
    said = told(Terminal(), monkeypatch, *CALLS).split("\r\x1b[K")

    assert said[1:3] == [
        "reading       0 of 2",
        "reading       2 files,   2 of them new,    1.0 s\n",
    ]
    assert said[4] == "shards        3 of 8, 0:20 left"


def test_nothing_to_do_is_one_line(monkeypatch):
    assert told(io.StringIO(), monkeypatch, (0, "shards", 3, 3)) == (
        "shards        3 shards,   0 of them new,    0.0 s\n"
    )


@pytest.fixture
def store(tmp_path):
    """Two builds; the second shares a file with the first. And vectors, which no build lists."""
    store = Store.at(str(tmp_path / "store"))
    for number, digests in ((1, "ab"), (2, "bc")):
        names = [f"bucket={n}/{digest}" for n, digest in enumerate(digests)]
        files = [f"corpus/sentences/{name}.parquet" for name in names]
        rows = f"rows/{number}.parquet"
        records = [f"corpus/records/{name}.json" for name in names]
        manifest = Manifest(
            store=store.uri,
            plan=str(number) * 64,
            n_buckets=2,
            doors={
                "sentences": [DoorFile(file, 10 * number, "h") for file in files],
                "stg_corpus__filings": [DoorFile(file, number, "h") for file in files],
                "py_filings_read": [DoorFile(rows, 1, "h")],
            },
            records=records,
        )
        plan = f"corpus/plans/{manifest.plan[:32]}.pickle"
        for name in (*files, rows, rows.replace(".parquet", ".json"), plan):
            store.write(name, b"12345")
        for file, record in zip(files, records, strict=True):
            store.write(record, json.dumps({"sentences": asdict(DoorFile(file, 1, "h"))}).encode())
        store.write(manifest.name, manifest.text().encode())
        store.write("corpus/newest.json", json.dumps({"manifest": manifest.name}).encode())
    store.write("rows/files.json", b"{}")
    store.write("vectors/x/prefix=0/a.parquet", b"1")
    return store


def test_builds_of_a_store_are_listed(store):
    builds = stored_builds(store)

    assert sorted((b.n_shards, b.n_filings, b.n_sentences, b.is_newest) for b in builds) == [
        (2, 2, 20, False),
        (2, 4, 40, True),
    ]
    text = builds_text(store.uri, builds)
    assert text.splitlines()[0] == store.uri
    assert text.count("newest") == 1
    assert builds_text("x", []) == "no build over shards in x"


def test_old_files_go_and_the_newest_build_and_vectors_stay(store):
    before = {name: store.size(name) for name in store.listed()}
    said = clean(store, is_dry=True, is_all=True)
    assert store.listed() == list(before)

    assert clean(store, is_all=True) == said
    gone = set(before) - set(store.listed())
    assert len(gone) == said.n_files
    assert {name for name in gone if "manifests" not in name} == {
        "corpus/sentences/bucket=0/a.parquet",
        "corpus/sentences/bucket=1/b.parquet",
        "corpus/records/bucket=0/a.json",
        "corpus/records/bucket=1/b.json",
        f"corpus/plans/{'1' * 32}.pickle",
        f"corpus/plans/{'2' * 32}.pickle",
        "rows/1.json",
        "rows/1.parquet",
    }
    assert said.n_bytes == sum(before[name] for name in gone)
    assert [f"corpus/manifests/{build}.json" in gone for build in said.builds] == [True]
    assert f"build {said.builds[0][:12]} removed" in cleaned_text(store.uri, said, is_dry=False)
    assert clean(store, is_all=True) == Cleaned([], 0, 0)


def test_files_of_the_last_day_stay(store):
    before = store.listed()
    assert clean(store) == Cleaned([], 0, 0)
    old = [name for name in before if "manifests" not in name]
    age(store, old)
    # The files of a young build are as old as the shards are.
    assert clean(store).n_files == 2
    age(store, store.listed())
    assert len(clean(store).builds) == 1


def test_half_a_file_of_vectors_goes_once_it_is_old(store):
    clean(store, is_all=True)
    half = "vectors/x/prefix=0/.b.parquet.0123456789ab.tmp"
    store.write(half, b"12")
    assert clean(store) == Cleaned([], 0, 0)
    age(store, store.listed("vectors"))
    assert clean(store) == Cleaned([], 1, 2)
    assert store.listed("vectors") == ["vectors/x/prefix=0/a.parquet"]


def age(store, names):
    for name in names:
        os.utime(store.place(name), (0, 0))


def test_what_a_warehouse_reads_stays(store, tmp_path):
    newest = json.loads(store.read("corpus/newest.json"))["manifest"]
    old, new = (
        parse_manifest(store.read(name), name)
        for name in sorted(store.listed("corpus/manifests"), key=lambda name: name == newest)
    )
    database = tmp_path / "a.duckdb"
    database.touch()
    keep_for(store, database, old, is_whole=True)
    assert clean(store, is_all=True).n_files == 2
    # A build over the new one has begun, and another warehouse of its own ended.
    keep_for(store, database, new, is_whole=False)
    keep_for(store, tmp_path / "gone.duckdb", old, is_whole=True)
    assert clean(store, is_all=True).builds == []
    assert sorted(build.n_warehouses for build in stored_builds(store)) == [1, 1]
    assert "read by 1 warehouse" in builds_text("x", stored_builds(store))

    keep_for(store, database, new, is_whole=True)
    assert clean(store, is_all=True).builds == [Path(old.name).stem]
    # One of a file that is gone keeps nothing, and is gone itself.
    assert len(store.listed("corpus/warehouses")) == 1


def test_what_a_warehouse_that_was_built_today_reads_stays(store, tmp_path):
    newest = json.loads(store.read("corpus/newest.json"))["manifest"]
    (old,) = (name for name in store.listed("corpus/manifests") if name != newest)
    database = tmp_path / "a.duckdb"
    database.touch()
    age(store, store.listed())
    keep_for(store, database, parse_manifest(store.read(old), old), is_whole=True)

    # Only plans go, each of which served one build.
    assert (clean(store).builds, store.listed("corpus/plans")) == ([], [])
    database.unlink()
    # A build that has just begun has not made its file yet.
    assert clean(store) == Cleaned([], 0, 0)
    age(store, store.listed("corpus/warehouses"))
    assert clean(store).builds == [Path(old).stem]


def test_a_damaged_note_of_a_warehouse_is_named(store):
    store.write("corpus/warehouses/a.json", b"{")
    with pytest.raises(ValueError, match=r"corpus/warehouses/a\.json in the store .*; remove"):
        clean(store, is_all=True)


def test_a_store_without_a_build_is_not_cleaned(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["shards", "--store", str(tmp_path / "none"), "--clean"]) == 2
    assert "has no sharded build" in capsys.readouterr().err
    assert main(["shards", "--store", str(tmp_path / "none")]) == 0
    assert "no build over shards in" in capsys.readouterr().out


@pytest.mark.parametrize("place", ["store", "s3://bucket/path"])
def test_a_build_is_told_where_shards_lie(tmp_path, monkeypatch, place):
    monkeypatch.delenv("FINRAG_PLUGINS", raising=False)
    monkeypatch.chdir(tmp_path)
    doors = {"sentences": [DoorFile("corpus/a.parquet", 1, "h")]}
    store = Store.at(place)
    made = Manifest(store.uri, "p", 1, doors, [])
    monkeypatch.setattr(shards, "build_shards", lambda *_: made)
    monkeypatch.setattr(shards, "is_empty", lambda _: True)
    variables = {"engine": "pool", "store": place, "state_dir": ".finrag"}

    noted = []
    monkeypatch.setattr(shards, "keep_for", lambda *said, **how: noted.append((*said, how)))
    database = tmp_path / "x.duckdb"

    sharded = run_shards(variables, database, is_full=False)
    sharded.settle(database)
    assert noted == [(store, database, made, {"is_whole": whole}) for whole in (False, True)]

    assert sharded.is_new
    assert sharded.variables == {"store": store.uri, "shard_manifest": ".finrag/shards.json"}
    assert read_manifest(".finrag/shards.json") == made
    # Only S3 needs help of dbt's connection.
    plugins = json.loads(os.environ.pop("FINRAG_PLUGINS", "[]"))
    assert [one["config"]["store"] for one in plugins] == [store.uri] * (not store.is_local)


def test_stored_rows_are_read_by_name_from_files_of_any_name(tmp_path):
    folder = tmp_path / "o'rows" / "prefix=3"
    folder.mkdir(parents=True)
    file = str(folder / "a.parquet")
    pq.write_table(pa.table({"b": [1], 'odd "name': [2], "a": [3]}), file)
    rows = StoredRows([file], pa.schema([("a", pa.int64()), ('odd "name', pa.int64())]))

    assert in_memory().execute(rows.query).fetchall() == [(3, 2)]
