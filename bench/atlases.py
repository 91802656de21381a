"""The atlases over one corpus on one core, step by step; labels beside plain regexes."""

from __future__ import annotations

import importlib
from functools import partial
from pathlib import Path
from typing import Any

from bench.models import Models, Node
from bench.process import Bench, Row, alternate, clock, middle

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
        f"{n:,} sentences, {told.report['n_texts']:,} distinct texts, "
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
        Row("atlases, whole room", n, "sentences", layer, notes=notes, figure=rate),
        Row("atlases, labels", mine["n"], "texts", ours, name, peer, agreement),
    ]


def run_layer(folder: str, target: str, made: str, copies: int) -> dict[str, Any]:
    """Runs the models of the room again, on one thread, in a database in memory."""
    import duckdb
    import pyarrow as pa

    for name in LIBRARY:  # loaded before the clock starts
        importlib.import_module(f"finrag.atlases.{name}")
    pa.set_cpu_count(1)
    with duckdb.connect() as connection:
        connection.execute("set threads = 1")
        models = Models(connection, target, _is_inside)
        models.copy_inputs(made, partial(_copied, copies))
        with clock() as lap:
            steps = models.run()
        names = models.names
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


def _is_inside(node: Node) -> bool:
    return bool(node["fqn"][1] == ROOM)


def _copied(copies: int, node: Node, query: str) -> str:
    """The sentences as often as wanted, with ids and texts of their own."""
    if node["name"] != "sentences" or copies == 1:
        return query
    ids = ("sentence_id", "section_id", "filing_id", "text_hash")
    changed = ", ".join(f"{column} || ':' || copy as {column}" for column in ids)
    return (
        f"select * exclude (copy) replace ({changed}, cik_int + 10000000 * copy as cik_int) "
        f"from ({query}) cross join range({copies}) as copies (copy)"
    )


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
