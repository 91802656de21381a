"""The atlases over one corpus on one core, step by step; labels beside plain regexes."""

from __future__ import annotations

import importlib
import importlib.util
import json
import time
from pathlib import Path
from typing import Any

from bench.process import Bench, Row, alternate, clock, middle

TARGET = 200_000
MAX_TEXTS = 20_000
ROOM = "atlases"
LIBRARY = ("causes", "definitions", "enumerations", "kpi", "labels", "periods")
NO_TESTS = ("--exclude-resource-type", "test", "unit_test")


def measure(bench: Bench) -> list[Row]:
    variables = {"corpus": "filings", "corpus_path": bench.corpus} if bench.corpus else {}
    bench.dbt(ROOM, "build", "--select", f"+{ROOM}", *NO_TESTS, variables=variables)
    given = {"target": str(bench.folder / f"target-{ROOM}"), "made": str(bench.warehouse(ROOM))}
    # The sample is too small to be timed; its copies are texts of their own.
    copies = 1 if bench.corpus else bench.size(full=10, quick=1)
    layer = [
        bench.child(run_layer, copies=copies, **given) for _ in range(bench.size(full=3, quick=1))
    ]
    ours, peer = alternate(
        bench.size(full=3, quick=1),
        lambda _: bench.child(label_here),
        lambda _: bench.child(label_plainly),
    )
    bench.warehouse(ROOM).unlink()
    told = middle(layer)
    n = told.report["n"]
    rate = n / (told.cpu_seconds or told.seconds)
    steps = sorted(told.report["steps"].items(), key=lambda step: -step[1])
    notes = (
        f"{rate:,.0f} sentences a second of processor time; the aim is {TARGET:,}: "
        f"{_verdict(rate, n)}. {n:,} sentences, {told.report['n_texts']:,} distinct texts, "
        f"{told.report['n_labels']:,} labels; one thread, every model written to memory.",
        "sentences a second of processor time, step by step: "
        + ", ".join(f"{name} {n / max(seconds, 1e-3):,.0f}" for name, seconds in steps),
    )
    mine, theirs = ours[-1].report, peer[-1].report
    agreement = (
        f"{mine['n_rows']:,} labels and {mine['n_cues']:,} cues here, {theirs['n_rows']:,} and "
        f"{theirs['n_cues']:,} by the peer. One thread on both sides; each compiles its patterns "
        "inside the clock.",
    )
    name = "one `re` after another"
    return [
        Row("atlases, whole room", n, "sentences", layer, notes=notes),
        Row("atlases, labels", mine["n"], "texts", ours, name, peer, agreement),
    ]


def _verdict(rate: float, n: int) -> str:
    if n < TARGET:
        return f"not judged at {n:,}"
    return "reached" if rate >= TARGET else "NOT REACHED"


def run_layer(folder: str, target: str, made: str, copies: int) -> dict[str, Any]:
    """Runs the models of the room again, on one thread, in a database in memory."""
    import duckdb
    import pyarrow as pa

    for name in LIBRARY:  # loaded before the clock starts
        importlib.import_module(f"finrag.atlases.{name}")
    pa.set_cpu_count(1)
    nodes = _nodes(Path(target))
    with duckdb.connect() as connection:
        connection.execute("set threads = 1")
        connection.execute(f"attach ':memory:' as {Path(made).stem}")
        _copy_inputs(connection, nodes, made, copies)
        steps: dict[str, float] = {}
        with clock() as lap:
            for node in _ordered(nodes):
                started = time.process_time()
                _run(connection, nodes, node)
                steps[node["name"]] = time.process_time() - started
        names = {node["name"]: node["relation_name"] for node in nodes.values()}
        texts, labels = names["int_texts_to_label"], names["py_texts_labelled"]
        counts = [
            connection.execute(f"select count(*) from {name}").fetchall()[0][0]
            for name in (names["sentences"], texts, labels)
        ]
        sample = f"select * from {texts} order by text_hash limit {MAX_TEXTS}"
        _write(connection, sample, Path(folder) / "texts.parquet")
        patterns = f"select * from {names['int_label_patterns']}"
        _write(connection, patterns, Path(folder) / "patterns.parquet")
    return {**dict(zip(("n", "n_texts", "n_labels"), counts, strict=True)), "steps": steps} | vars(
        lap
    )


def _nodes(target: Path) -> dict[str, Any]:
    """The room's models as dbt compiled them, and what they read, by unique id."""
    every = json.loads((target / "manifest.json").read_text(encoding="utf-8"))["nodes"]
    room = {key: node for key, node in every.items() if _is_inside(node)}
    read = {key for node in room.values() for key in node["depends_on"]["nodes"]}
    return {key: every[key] for key in sorted(read | set(room))}


def _is_inside(node: dict[str, Any]) -> bool:
    return bool(node["resource_type"] == "model" and node["fqn"][1] == ROOM)


def _ordered(nodes: dict[str, Any]) -> list[dict[str, Any]]:
    """The room's models, each after those that it reads."""
    done: dict[str, dict[str, Any]] = {}

    def visit(key: str) -> None:
        if key not in done and _is_inside(nodes[key]):
            for parent in nodes[key]["depends_on"]["nodes"]:
                visit(parent)
            done[key] = nodes[key]

    for key in nodes:
        visit(key)
    return list(done.values())


def _copy_inputs(connection: Any, nodes: dict[str, Any], made: str, copies: int) -> None:
    connection.execute(f"attach '{made}' as made (read_only)")
    for node in nodes.values():
        catalog, schema, name = node["relation_name"].split(".")
        connection.execute(f"create schema if not exists {catalog}.{schema}")
        if _is_inside(node):
            continue
        source = f"made.{schema}.{name}"
        query = f"select * from {source}"
        if node["name"] == "sentences" and copies > 1:
            ids = ("sentence_id", "section_id", "filing_id", "text_hash")
            changed = ", ".join(f"{column} || ':' || copy as {column}" for column in ids)
            query = (
                f"select * exclude (copy) replace ({changed}, cik_int + 10000000 * copy as cik_int)"
                f" from {source} cross join range({copies}) as copies (copy)"
            )
        connection.execute(f"create table {node['relation_name']} as {query}")
    connection.execute("detach made")


def _run(connection: Any, nodes: dict[str, Any], node: dict[str, Any]) -> None:
    if node["language"] == "sql":
        connection.execute(f"create table {node['relation_name']} as {node['compiled_code']}")
        return
    spec = importlib.util.spec_from_file_location(node["name"], node["original_file_path"])
    if spec is None or spec.loader is None:
        raise ValueError(f"model {node['name']} cannot be read")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    # A reader holds its connection while the table is written.
    with connection.cursor() as reading:
        made = module.model(_Refs(reading, nodes), None)
        connection.register("made_here", made)
        connection.execute(f"create table {node['relation_name']} as select * from made_here")
        connection.unregister("made_here")


class _Refs:
    """What a Python model is handed by dbt: tables by name."""

    def __init__(self, connection: Any, nodes: dict[str, Any]) -> None:
        self._connection = connection
        self._names = {node["name"]: node["relation_name"] for node in nodes.values()}

    def ref(self, name: str) -> Any:
        return self._connection.table(self._names[name])


def _write(connection: Any, query: str, path: Path) -> None:
    connection.execute(f"copy ({query}) to '{path}' (format parquet)")


def label_here(folder: str) -> dict[str, Any]:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    from finrag.atlases import labels

    pa.set_cpu_count(1)
    texts = pq.read_table(Path(folder) / "texts.parquet")
    patterns = pq.read_table(Path(folder) / "patterns.parquet")
    with clock() as lap:
        rows = labels.label_texts(texts.to_reader(), patterns).read_all()
    n_cues = pc.sum(rows["n_cues"]).as_py()
    return {"n": len(texts), "n_rows": len(rows), "n_cues": n_cues, **vars(lap)}


def label_plainly(folder: str) -> dict[str, Any]:
    """Every pattern of an atlas over every text that it looks at, one after another."""
    import re

    import pyarrow.parquet as pq

    texts = pq.read_table(Path(folder) / "texts.parquet").to_pylist()
    patterns = pq.read_table(Path(folder) / "patterns.parquet").to_pylist()
    with clock() as lap:
        alternatives: dict[tuple[str, str], list[str]] = {}
        for row in patterns:
            alternatives.setdefault((row["atlas"], row["label"]), []).append(row["pattern"])
        compiled = [
            (atlas, re.compile("|".join(f"(?:{one})" for one in sorted(some)), re.ASCII))
            for (atlas, _), some in sorted(alternatives.items())
        ]
        n_rows = n_cues = 0
        for text in texts:
            lowered = text["sentence_text"].lower().replace("’", "'")
            for atlas, pattern in compiled:
                if text[f"in_{atlas}"]:
                    found = sum(1 for _ in pattern.finditer(lowered))
                    n_rows += found > 0
                    n_cues += found
    return {"n": len(texts), "n_rows": n_rows, "n_cues": n_cues, **vars(lap)}
