"""The command: ``python -m bench``, from the root of the repository."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench import (
    atlases,
    embedding,
    material,
    metrics,
    pages,
    raw_filings,
    scale,
    scoring,
    search,
    splitting,
    statistics,
    warehouse,
)
from bench.goals import GOALS
from bench.process import Bench, MeasurementError, Row, Run, middle

LAYERS = {
    "raw_filings": raw_filings.measure,
    "splitting": splitting.measure,
    "warehouse": warehouse.measure,
    "atlases": atlases.measure,
    "embedding": embedding.measure,
    "search": search.measure,
    "metrics": metrics.measure,
    "scoring": scoring.measure,
    "statistics": statistics.measure,
    "scale": scale.measure,
    "pages": pages.measure,
}
# Measured where they are named alone: they take long, or what is not there by default.
NAMED = ("scale", "pages")
MAX_CHARACTERS = 4_000_000
ABSENT = "."
COLUMNS = (
    *("layer", "n", "a second", "peak MiB"),
    *("peer", "a second", "peak MiB", "ratio", "from-to", "CPU ratio", "goal", "verdict"),
)


def main() -> int:
    options = _options()
    if not Path("dbt_project.yml").is_file():
        print("run `python -m bench` from the root of the repository", file=sys.stderr)
        return 2
    started = time.perf_counter()
    rows: list[Row] = []
    failures: list[str] = []
    with tempfile.TemporaryDirectory(prefix="finrag-bench-") as folder:
        settings = (options.corpus, options.threads, options.quick, options.raw, options.peers)
        bench = Bench(Path(folder), *settings, is_large=options.large)
        try:
            bench.child(material.write_corpus, corpus=options.corpus, max_characters=MAX_CHARACTERS)
        except MeasurementError as error:
            print(f"the corpus could not be read: {error}", file=sys.stderr)
            return 1
        for name in (name for name in LAYERS if name in options.layers):
            try:
                rows += LAYERS[name](bench)
            except MeasurementError as error:
                failures.append(f"{name} was not measured: {error}")
    _print_table(rows, options.quick)
    failures += [row.failure for row in rows if row.failure]
    for failure in failures:
        print(f"\n{failure}")
    print(
        f"\n{time.perf_counter() - started:.0f} s in all; {os.cpu_count()} cores, load "
        f"{os.getloadavg()[1]:.1f} over the last 5 minutes, {options.threads} threads, "
        f"Python {platform.python_version()} on {platform.machine()}"
    )
    return 1 if failures else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description="Measures speed and peak memory of each layer beside a peer. A ratio above 1 "
        "means faster than the peer for the same work. See bench/README.md.",
    )
    names = ", ".join(LAYERS)
    parser.add_argument("layers", nargs="*", metavar="LAYER", help=f"as --only, from {names}")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=LAYERS,
        default=[name for name in LAYERS if name not in NAMED],
        metavar="LAYER",
        help=f"which layers (default: all but {', '.join(NAMED)})",
    )
    parser.add_argument(
        "--large", action="store_true", help="the scale curve to ten million sentences: an hour"
    )
    parser.add_argument(
        "--corpus",
        default="",
        help="filings for splitting and embedding, and words for the synthetic sentences: a file, "
        "directory or glob, its first 4 million characters (default: the sample corpus)",
    )
    parser.add_argument(
        "--raw",
        default="",
        help="filings as filed for the layer raw_filings: a folder of HTML with its filings.csv "
        "(default: the sample corpus as inline XBRL)",
    )
    parser.add_argument(
        "--peers",
        default="",
        metavar="VENV",
        help="an environment that holds sec-parser, edgartools, ixbrlparse or a folder "
        "edgar-crawler, to read the same filings (default: no peers)",
    )
    parser.add_argument(
        "--quick", action="store_true", help="smaller inputs, one repeat: a smoke test, not figures"
    )
    parser.add_argument(
        "--threads", type=int, default=2, help="threads of both sides (default: %(default)s)"
    )
    options = parser.parse_args()
    unknown = [name for name in options.layers if name not in LAYERS]
    if unknown:
        parser.error(f"there is no layer {unknown[0]}; there are {names}")
    options.layers = options.layers or options.only
    return options


def _print_table(rows: list[Row], is_quick: bool) -> None:
    lines = [COLUMNS, *((*_cells(row), *_judged(row, is_quick)) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
    print()
    for number, line in enumerate(lines):
        # Names to the left, numbers to the right.
        cells = [
            cell.ljust(width) if column in (0, 4, 10, 11) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))
    print()
    for row in rows:
        for note in row.notes:
            print(f"{row.layer}: {note}")


def _cells(row: Row) -> tuple[str, ...]:
    return (
        row.layer,
        f"{row.n:,} {row.unit}",
        *_figures(row.n, row.ours),
        row.peer_name or ABSENT,
        *_figures(row.n, row.peer),
        _number(row.ratio),
        "-".join(map(_number, row.spread)) if row.spread else ABSENT,
        _number(row.cpu_ratio),
    )


def _judged(row: Row, is_quick: bool) -> tuple[str, str]:
    """The goal of a layer, and whether its figure reaches it."""
    if row.layer not in GOALS or row.judged is None:
        return ABSENT, ABSENT
    goal = GOALS[row.layer]
    if is_quick:
        return str(goal), "not judged"
    figure = "" if row.figure is None else f": {_number(row.figure)}"
    return str(goal), f"{'met' if goal.is_met_by(row.judged) else 'falls short'}{figure}"


def _figures(n: int, runs: Sequence[Run]) -> tuple[str, str]:
    if not runs:
        return ABSENT, ABSENT
    run = middle(runs)
    return f"{n / run.seconds:,.0f}", f"{run.peak_mib:,.0f}"


def _number(value: float | None) -> str:
    """Two digits: no third is repeatable."""
    if value is None:
        return ABSENT
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


if __name__ == "__main__":
    sys.exit(main())
