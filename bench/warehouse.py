"""The SQL rooms over a ready sentence table, beside one plain scan of the same text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench import material
from bench.process import Bench, Row, clock

MILLION = 1_000_000


def measure(bench: Bench) -> list[Row]:
    n_sentences = bench.size(full=MILLION, quick=100_000)
    table = bench.child(material.write_synthetic, name="synthetic", n_sentences=n_sentences).report
    variables = {"corpus": "sentences", "corpus_path": str(bench.folder / "synthetic.parquet")}
    ours = bench.dbt(
        *("million", "build", "--select", "+sentences"),
        *("--exclude-resource-type", "test", "unit_test"),
        variables=variables,
    )
    peer = bench.child(scan, threads=bench.threads)
    bench.warehouse("million").unlink()
    share = 1 - table["n_distinct"] / table["n_sentences"]
    notes = (
        f"{table['n_sentences']:,} synthetic sentences, "
        f"{table['n_characters'] / table['n_sentences']:.0f} characters each, {share:.0%} of them "
        f"repeats; rooms sources and sentences; dbt from start to end, {bench.threads} threads. "
        "The scan is a floor, not an alternative.",
        f"wall clock {ours.seconds:.0f} s, processor time {ours.cpu_seconds:.0f} s; longest "
        f"models: {_longest(ours.report)}",
    )
    name, unit = "one scan with a regex", "sentences"
    return [
        Row("warehouse SQL", n_sentences, unit, [ours], name, [peer], notes, figure=ours.seconds),
        Row("warehouse SQL, memory", n_sentences, unit, [ours], figure=ours.peak_mib),
    ]


def _longest(report: dict[str, Any]) -> str:
    models = sorted(report["models"].items(), key=lambda model: -model[1])[:5]
    return ", ".join(f"{name} {seconds:.1f} s" for name, seconds in models)


def scan(folder: str, threads: int) -> dict[str, Any]:
    import duckdb

    path = str(Path(folder) / "synthetic.parquet")
    with duckdb.connect() as connection:
        connection.execute(f"set threads = {threads}")
        query = r"""
            select
                count(*),
                count(*) filter (
                    regexp_matches(sentence_text, '(?i)\b(see|refer to)\b.{0,160}\b(note|item)\b')
                )
            from read_parquet($path)
        """
        with clock() as lap:
            n, n_matches = connection.execute(query, {"path": path}).fetchall()[0]
    return {"n": n, "n_matches": n_matches, **vars(lap)}
