"""The corpus rooms over shards in one process, a pool of two and Spark, and what follows on paper.

Filings of three sizes, real ones where they are at hand, go through `finrag.shards`; each build
runs in a process of its own, and the doors of all engines must be equal. Slopes of what was
measured give the table of what 700 million sentences would take.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench import embedding, scale_corpus
from bench.material import SEED
from bench.process import Bench, MeasurementError, Row, Run, clock
from bench.watch import watch

SIZES = (20_000, 200_000, 1_200_000)
LARGE = 10_000_000
CHARACTERS = 114
MIN_SHARDS, FEW, MANY = 8, 1, 8
SHARD_BYTES = 64 << 20
WORKERS = 2
# An exact search: what it compares, and what a table of vectors takes.
DIMENSION, N_TEXTS, N_QUERIES = 384, 100_000, 256
PAPER_QUERIES = 2_000
PQ_BYTES = 56
PAPER = (10_000_000, 72_000_000, 700_000_000)
ENGINES = {"": "one process", "pool": "pool of two", "spark": "Spark local[2]"}


@dataclass(frozen=True)
class Point:
    """A size of the curve, by engine; and a build that finds nothing new, and one new filing."""

    n: int
    builds: dict[str, Run]
    unchanged: Run
    one_more: Run

    def told(self, name: str) -> Any:
        """What the build of one process reports."""
        return self.builds[""].report[name]


@dataclass(frozen=True)
class Costs:
    """Seconds of processor time: of a shard, of a text with two encoders, of a query and a text."""

    shard: float
    wordllama: float
    minilm: float
    pair: float


def measure(bench: Bench) -> list[Row]:
    sizes = SIZES[:2] if bench.is_quick else (*SIZES, LARGE) if bench.is_large else SIZES
    engines = [engine for engine in ENGINES if engine != "spark" or find_spec("pyspark")]
    points = [_point(bench, size, engines) for size in sizes]
    exact = bench.child(search_exactly)
    costs = Costs(
        _of_a_shard(bench),
        _of_a_text(bench, "wordllama", bench.size(20_000, 5_000)),
        _of_a_text(bench, "minilm", bench.size(500, 100)),
        _cost(exact, exact.report["n_pairs"]),
    )
    rows = [row for point in points for row in _rows(point, is_last=point is points[-1])]
    notes = [
        f"a shard more costs {costs.shard:.2f} s of processor time; a text "
        f"{costs.wordllama * 1e6:.0f} µs with wordllama, {costs.minilm * 1e3:.1f} ms with MiniLM; "
        f"exact search {costs.pair * 1e9:.1f} ns for a query and a text of {DIMENSION} dimensions",
        "on paper, by these slopes\n\n" + _paper(points, costs),
    ]
    if not scale_corpus.has_real():
        notes.append("no real filings are at hand (FINRAG_SHARED_DATA): all are fictional")
    if "spark" in engines:
        start = bench.child(start_spark)
        note = f"{start.seconds:.1f} s to the first result"
        rows.append(
            Row(
                *("scale, start of Spark", 1, "start", [start]),
                notes=(note,),
                figure=start.seconds,
            )
        )
    else:
        notes.append("pyspark is not installed: Spark was not measured")
    return [*rows, Row("scale", len(points), "sizes", [], notes=tuple(notes))]


def _cost(run: Run, n: int) -> float:
    """Seconds of processor time for each."""
    return (run.cpu_seconds or run.seconds) / n


def _point(bench: Bench, size: int, engines: Sequence[str]) -> Point:
    name = f"filings-{size}"
    if scale_corpus.has_real() and size in SIZES:
        characters = size * CHARACTERS
        written = bench.child(scale_corpus.write_real, name=name, n_characters=characters)
    else:
        written = bench.child(scale_corpus.write_fictional, name=name, n_sentences=size)
    shards = MIN_SHARDS
    while shards * SHARD_BYTES < written.report["n_characters"]:
        shards *= 2
    run = partial(bench.child, build, corpus=name, shards=shards)
    builds = {}
    try:
        for engine in engines:
            builds[engine] = run(store=f"store-{engine}", engine=engine)
            # What comes later goes on with the store of the pool; disks are finite.
            if engine != "pool":
                shutil.rmtree(bench.folder / f"store-{engine}")
        _check_equal(builds)
        unchanged = run(store="store-pool", engine="pool")
        if n_run := unchanged.report["n_run"]:
            raise MeasurementError(f"{n_run} shards were run, and nothing is new")
        bench.child(scale_corpus.write_one_more, name=name)
        one_more = run(store="store-pool", engine="pool")
    finally:
        for folder in (name, *(f"store-{engine}" for engine in engines)):
            shutil.rmtree(bench.folder / folder, ignore_errors=True)
    return Point(builds[""].report["n"], builds, unchanged, one_more)


def _check_equal(builds: dict[str, Run]) -> None:
    doors = {engine: run.report["doors"] for engine, run in builds.items()}
    for engine, found in doors.items():
        if found != doors[""]:
            raise MeasurementError(f"{ENGINES[engine]} and one process do not give equal doors")


def _of_a_shard(bench: Bench) -> float:
    """What a shard more costs: the same small corpus in eight shards and in one."""
    name = "filings-small"
    bench.child(scale_corpus.write_fictional, name=name, n_sentences=SIZES[0])
    run = partial(bench.child, build, corpus=name, engine="")
    few, many = (_cost(run(store=f"store-{n}", shards=n), 1) for n in (FEW, MANY))
    return (many - few) / (MANY - FEW)


def _of_a_text(bench: Bench, encoder: str, n: int) -> float:
    given = {"encoder": encoder, "n_wanted": n, "threads": 1, "cache": f"scale-{encoder}"}
    run = bench.child(embedding.embed_here, **given)
    return _cost(run, run.report["n_distinct"])


def build(folder: str, corpus: str, store: str, engine: str, shards: int) -> dict[str, Any]:
    """Brings a store up to date with a corpus, and says what it took."""
    from finrag.cache.results import content_digest
    from finrag.command.settings import all_variables
    from finrag.shards import Store, build_shards, open_runner
    from finrag.shards.plan import GIVEN

    os.environ["SPARK_MASTER"] = f"local[{WORKERS}]"
    path = Path(folder)
    place = Store.at(str(path / store))
    variables = {
        **all_variables("{}"),
        "corpus": "filings",
        "corpus_path": str(path / corpus),
        "state_dir": str(path / "state"),
        "engine": engine,
        "store": place.uri,
        "shards": shards,
    }
    counts: list[int] = []

    def count(stage: str, n_done: int, n_all: int) -> None:
        if stage == "shards":
            counts.append(n_all - n_done)

    with watch() as seen, clock() as lap, open_runner(engine, WORKERS) as runner:
        manifest = build_shards(runner, place, variables, count)
    doors = {
        name: [[file.n_rows, file.hash] for file in files] for name, files in manifest.doors.items()
    }
    made = [files for name, files in manifest.doors.items() if name not in GIVEN]
    sentences = manifest.doors["py_sentences_split"]
    return {
        "n": sum(file.n_rows for file in sentences),
        "n_distinct": _n_distinct([place.place(file.file) for file in sentences]),
        "n_shards": shards,
        "n_run": counts[0] if counts else 0,
        "n_bytes": sum(place.size(file.file) for files in made for file in files),
        "n_characters": sum(file.stat().st_size for file in (path / corpus).iterdir()),
        "n_filings": sum(file.n_rows for file in manifest.doors["py_filings_read"]),
        "doors": content_digest([sorted(doors.items())]),
        "task_mib": seen.task_mib,
        "driver_mib": seen.driver_mib,
        "java_mib": seen.java_mib,
        "seconds": lap.seconds,
        "cpu_seconds": seen.cpu_seconds,
    }


def _n_distinct(files: Sequence[str]) -> int:
    """Different texts of the sentences in some files."""
    import duckdb

    with duckdb.connect() as connection:
        counted = "select count(distinct hash(sentence_text)) from read_parquet($files)"
        return int(connection.execute(counted, {"files": files}).fetchall()[0][0])


def start_spark(folder: str) -> dict[str, Any]:  # noqa: ARG001
    """The time from nothing to the first result of Spark."""
    from finrag.shards import open_runner

    os.environ["SPARK_MASTER"] = f"local[{WORKERS}]"
    with clock() as lap, open_runner("spark", WORKERS) as runner:
        list(runner.run(abs, [1], str))
    return vars(lap)


def search_exactly(folder: str) -> dict[str, Any]:  # noqa: ARG001
    """Comparing questions with texts, as an open search does."""
    import numpy as np

    from finrag.retrieval.comparing import compare_all
    from finrag.retrieval.vectors import VectorSet

    rng = np.random.default_rng(SEED)
    drawn = rng.standard_normal((N_TEXTS + N_QUERIES, DIMENSION), np.float32)
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    search = compare_all(VectorSet("drawn", drawn[:N_TEXTS], np.ones(N_TEXTS, bool)))
    asked = drawn[N_TEXTS:]
    list(search.nearest(asked[:1], 100))
    with clock() as lap:
        n = sum(1 for _ in search.nearest(asked, 100))
    return {"n_pairs": n * N_TEXTS, **vars(lap)}


def _rows(point: Point, is_last: bool) -> list[Row]:
    """Of a size; goals are those of the largest alone."""
    name = "scale" if is_last else f"scale, {point.n:,}"
    one, pool = point.builds[""], point.builds["pool"]
    per_core = point.n / (one.cpu_seconds or one.seconds)
    told = one.report
    note = (
        f"{point.n:,} sentences of {told['n_filings']:,} filings in {told['n_shards']} shards; "
        f"{told['n_bytes'] / point.n:.0f} bytes a sentence on disk; seconds "
        + ", ".join(f"{ENGINES[key]} {run.seconds:.1f}" for key, run in point.builds.items())
        + "; processor time "
        + ", ".join(f"{ENGINES[key]} {run.cpu_seconds:.1f} s" for key, run in point.builds.items())
        + "; MiB of a task / the driver / Java: "
        + ", ".join(
            f"{ENGINES[key]} {run.report['task_mib']:,.0f} / {run.report['driver_mib']:,.0f} / "
            f"{run.report['java_mib']:,.0f}"
            for key, run in point.builds.items()
        )
        + f"; nothing new {point.unchanged.seconds:.1f} s; one new filing "
        f"{point.one_more.seconds:.1f} s, {point.one_more.report['n_run']} of its shards"
    )
    again, more = point.unchanged, point.one_more
    rows = [
        Row(f"{name}, one process", point.n, "sentences", [one], notes=(note,), figure=per_core),
        Row(
            f"{name}, pool of two", point.n, "sentences", [pool], ENGINES[""], [one],
            figure=one.seconds / pool.seconds,
        ),
        Row(f"{name}, nothing new", point.n, "sentences", [again], figure=again.seconds),
        Row(f"{name}, one new filing", point.n, "sentences", [more], figure=more.seconds),
        Row(
            f"{name}, memory of a task", point.n, "sentences", [pool],
            figure=pool.report["task_mib"],
        ),
        Row(
            f"{name}, memory of the driver", point.n, "sentences", [pool],
            figure=pool.report["driver_mib"],
        ),
    ]  # fmt: skip
    if "spark" in point.builds:
        spark = point.builds["spark"]
        cpu = (spark.cpu_seconds or 0) / (one.cpu_seconds or 1)
        rows += [
            Row(
                f"{name}, Spark local[2]", point.n, "sentences", [spark], ENGINES["pool"], [pool],
                figure=spark.seconds / pool.seconds,
            ),
            Row(
                f"{name}, processor time of Spark", point.n, "sentences", [spark], ENGINES[""],
                [one], figure=cpu,
            ),
        ]  # fmt: skip
    return rows


def _paper(points: Sequence[Point], costs: Costs) -> str:
    """What larger corpora would take, as a Markdown table; the first column is measured in part."""
    last = points[-1]
    slope, start = _line(points, costs.shard)
    per_filing = last.n / last.told("n_filings")
    text, doors = last.told("n_characters") / last.n, last.told("n_bytes") / last.n
    distinct = last.told("n_distinct") / last.n

    def column(n: int) -> list[str]:
        n_shards = max(1.0, n * text / SHARD_BYTES)
        n_texts = n * distinct
        return [
            f"{n / per_filing:,.0f}",
            f"{_size(n * text)} / {_size(n * doors)}",
            _time(start + slope * n + costs.shard * n_shards),
            _size(n_texts * DIMENSION * 4),
            f"{_time(n_texts * costs.wordllama)} / {_time(n_texts * costs.minilm)}",
            _time(n_texts * PAPER_QUERIES * costs.pair),
            _size(n_texts * PQ_BYTES),
        ]

    labels = (
        *("filings", "text / doors", "corpus rooms, core time"),
        *(f"vectors, {DIMENSION} x float32", "wordllama / MiniLM, core time"),
        *(f"exact, {PAPER_QUERIES:,} queries, core time", "IVF-PQ"),
    )
    columns = [column(n) for n in (last.n, *PAPER)]
    heads = ["sentences", f"{last.n:,}, measured in part", *(f"{n / 1e6:.0f} M" for n in PAPER)]
    lines = [heads, ["---"] * len(heads)]
    lines += [[label, *(c[i] for c in columns)] for i, label in enumerate(labels)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _line(points: Sequence[Point], shard: float) -> tuple[float, float]:
    """Least squares of processor time, less that of the shards, over sentences: slope and start."""
    from statistics import linear_regression

    sizes = [point.n for point in points]
    times = [_cost(point.builds[""], 1) - shard * point.told("n_shards") for point in points]
    slope, start = linear_regression(sizes, times)
    return slope, max(0.0, start)


def _size(n_bytes: float) -> str:
    unit, n = ("GB", n_bytes / 1e9) if n_bytes >= 1e9 else ("MB", n_bytes / 1e6)
    return f"{n:,.0f} {unit}" if n >= 10 else f"{n:.1f} {unit}"


def _time(seconds: float) -> str:
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= length:
            n = seconds / length
            return f"{n:,.0f} {unit}" if n >= 10 else f"{n:.1f} {unit}"
    return f"{seconds:.1f} s"
