"""Filings as filed: what the whole reader takes, each of its stages, and peers on the same files.

The peers are not among the project's dependencies: ``--peers VENV`` names an environment that has
some of sec-parser, edgartools and ixbrlparse, and in a folder ``edgar-crawler`` that repository.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

from bench.process import Bench, Row, Run, alternate, middle
from bench.raw_peers import PEERS

# Functions that `read_filing` calls, by the stage that they are.
STAGES = {
    "submission": ("read_submission", "decode"),
    "parse": ("parse_markup",),
    "walk": ("read_markup", "read_plain_blocks"),
    "layout": ("mark_layout", "heading_paths"),
    "items": ("find_items",),
    "tables": ("document_context", "read_tables"),
    "facts": ("read_facts", "read_schedule", "identity_facts"),
    "audits": ("audit_facts",),
    "rows": ("_section_row", "_filed_row"),
}
REPEATS = 3


def measure(bench: Bench) -> list[Row]:
    written = bench.child(write_files, source=bench.raw, is_quick=bench.is_quick)
    files = written.report["files"]
    n = round(written.report["n_bytes"] / 1000)
    names = [name for name, place in PEERS.items() if bench.peers and _has(bench.peers, place)]
    runs = alternate(
        bench.size(REPEATS, 1),
        lambda _: bench.child(read_files, files=files),
        *(_peer(bench, name, files) for name in names),
    )
    ours = runs[0]
    rows = [
        Row("raw filings", n, "kB", ours, notes=_stages(ours, n)),
        Row("raw filings, memory", n, "kB", ours, figure=middle(ours).peak_mib),
    ]
    for name, theirs in zip(names, runs[1:], strict=True):
        failed = theirs[-1].report["failed"]
        notes = (f"it failed on {failed} files",) if failed else ()
        rows.append(Row(f"raw filings, {name}", n, "kB", ours, name, theirs, notes))
    return rows


def _has(peers: str, place: str) -> bool:
    found = Path(peers).glob(f"lib/python*/site-packages/{place}")
    return (Path(peers) / place).is_dir() or any(found)


def _peer(bench: Bench, name: str, files: str) -> Any:
    return lambda _: bench.peer(name, files)


def _stages(runs: list[Run], n: int) -> tuple[str, ...]:
    """MB a processor second of each stage, in its best run, and its share of the whole."""
    best = min(runs, key=lambda run: run.cpu_seconds or run.seconds)
    whole = best.cpu_seconds or best.seconds
    stages = best.report["stages"]
    said = (
        f"{name} {n / 1000 / seconds:,.0f} ({seconds / whole:.0%})"
        for name, seconds in stages.items()
        if seconds
    )
    return (f"MB a CPU second {n / 1000 / whole:.1f}; by stage: {', '.join(said)}",)


def write_files(folder: str, source: str, *, is_quick: bool) -> dict[str, Any]:
    """Writes the filings to read, unpacked, to a folder of their own.

    Args:
        folder: where to write.
        source: a folder of filings as filed; empty for the sample corpus as inline XBRL.
        is_quick: only eight of them.
    """
    from finrag import sample
    from finrag.records.files import find_files, open_bytes
    from finrag.sources.corpus.raw import LIST_NAME

    target = Path(folder) / "raw_files"
    target.mkdir()
    if not source:
        source = str(Path(folder) / "raw_sample")
        sample.write_filed(Path(source), "ixbrl")
    n_bytes = 0
    found = find_files(source, (".htm", ".html", ".htm.gz", ".html.gz"), may_leave=False)
    for file in found[:8] if is_quick else found:
        with open_bytes(file.path) as stream:
            content = stream.read()
        (target / Path(file.name).name.removesuffix(".gz")).write_bytes(content)
        n_bytes += len(content)
    listed = Path(source) / LIST_NAME
    if listed.is_file():
        (target / LIST_NAME).write_bytes(listed.read_bytes())
    return {"files": str(target), "n_bytes": n_bytes}


def read_files(folder: str, files: str) -> dict[str, Any]:
    """Reads filings one after the other, down to the batches that a build gets."""
    del folder
    import pyarrow as pa

    from finrag.filings import Identity, filing
    from finrag.records.files import RecordFaultError
    from finrag.sources.corpus import FILING_RECORD_SCHEMA
    from finrag.sources.corpus.raw import _listed

    # The list names them as they were, perhaps packed.
    paths = {f"{path.name}.gz": path for path in sorted(Path(files).glob("*.htm*"))}
    listed, _ = _listed(files, "", paths)
    spent: Counter[str] = Counter()
    for stage, names in STAGES.items():
        for name in names:
            setattr(filing, name, _timed(getattr(filing, name), stage, spent))
    failed = 0
    wall, cpu = time.perf_counter(), time.process_time()
    for name, path in paths.items():
        try:
            row = filing.read_filing(path.read_bytes(), listed.get(name, Identity()))
        except RecordFaultError:
            failed += 1
            continue
        started = time.process_time()
        pa.RecordBatch.from_pylist(
            [{**row, "source_file": path.name, "source_line": 1, "record_status": "loaded"}],
            schema=FILING_RECORD_SCHEMA,
        )
        spent["batches"] += time.process_time() - started
    whole = time.process_time() - cpu
    return {
        "seconds": time.perf_counter() - wall,
        "cpu_seconds": whole,
        "stages": {**{stage: spent[stage] for stage in (*STAGES, "batches")}},
        "failed": failed,
    }


def _timed(function: Any, stage: str, spent: Counter[str]) -> Any:
    def timed(*given: Any, **named: Any) -> Any:
        started = time.process_time()
        result = function(*given, **named)
        spent[stage] += time.process_time() - started
        return result

    return timed
