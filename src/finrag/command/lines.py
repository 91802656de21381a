"""The command ``finrag lines``: what a company sells, as its filing's tables state it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from finrag.publishing.lines import (
    Wanted,
    overview_text,
    read_lines,
    table_text,
    write_artefacts,
    write_csv,
    write_parquet,
)
from finrag.publishing.lines.reading import VIEWS

_FILES: Final = (
    ("csv", write_csv, "line"),
    ("parquet", write_parquet, "line"),
    ("json", write_artefacts, "artefact"),
)


def add_lines(commands: Any, add_database: Callable[[argparse.ArgumentParser], None]) -> None:
    """Add the command to the command line."""
    lines = commands.add_parser(
        "lines",
        help="print the revenue lines of a company, whether they add up, and their descriptions",
        description="Prints the revenue lines of a company's latest filing in the last build: "
        "value, share, segment, place, and whether the lines add up to the total. The files hold "
        "all views and years of that filing, or of every filing with --all.",
    )
    lines.add_argument("company", nargs="?", default="", help="ticker, CIK or name")
    lines.add_argument("--all", action="store_true", help="every company")
    lines.add_argument("--year", type=int, help="fiscal year (default: the latest filing)")
    lines.add_argument("--filing", default="", help="id of one filing")
    lines.add_argument("--view", choices=VIEWS, default="", help="view (default: the chosen one)")
    lines.add_argument(
        "--system",
        default="",
        help="system whose descriptions are used (default: the one under test)",
    )
    lines.add_argument(
        "--texts", action="store_true", help="also print the descriptions and their sentences"
    )
    lines.add_argument("--csv", type=Path, metavar="FILE", help="write all lines as CSV")
    lines.add_argument("--parquet", type=Path, metavar="FILE", help="write all lines as Parquet")
    lines.add_argument(
        "--json",
        type=Path,
        metavar="FILE_OR_DIR",
        help="write the descriptions as JSON: to one file that ends in .json, or to a folder with "
        "one file per filing; the dbt var lines_baseline_path can name either",
    )
    add_database(lines)
    lines.set_defaults(run=_lines)


def _lines(options: argparse.Namespace) -> int:
    if bool(options.company) == options.all and not options.filing:
        raise ValueError("no company is named; give a ticker, a CIK, a name or --all")
    for name in ("csv", "parquet"):
        _check_file(name, getattr(options, name))
    found = read_lines(
        options.database,
        Wanted(options.company, options.year, options.filing, options.view, options.system),
    )
    files = [
        (getattr(options, name), write, what)
        for name, write, what in _FILES
        if getattr(options, name)
    ]
    for path, write, what in files:
        n_written = write(found, path)
        print(f"{n_written:,} {what}{'' if n_written == 1 else 's'} written to {path}")
    if options.all and not options.filing:
        if not files:
            print(overview_text(found))
    elif options.texts or not files:
        print("\n\n".join(table_text(filing, options.texts) for filing in found))
    return 0


def _check_file(name: str, path: Path | None) -> None:
    """Raise ValueError where a file cannot be written at a path."""
    if path is None:
        return
    if path.is_dir():
        raise ValueError(f"--{name} names the folder '{path}'; name a file, such as lines.{name}")
    if not path.parent.is_dir():
        raise ValueError(f"--{name} names '{path}', but there is no folder '{path.parent}'")
