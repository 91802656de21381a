"""A peer of the reader of filings: ``VENV/bin/python bench/raw_peers.py NAME FOLDER CHECKOUT``.

Runs in the peer's own environment, so it imports nothing of the project. Each peer does all that it
can do for a filing: its items or its elements, its tables, its facts.
"""

from __future__ import annotations

import io
import json
import logging
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

# By the name of the module that each needs.
PEERS = {
    "sec-parser": "sec_parser",
    "edgar-crawler": "edgar-crawler",
    "edgartools": "edgar",
    "ixbrlparse": "ixbrlparse",
}


def sec_parser(_checkout: str) -> Callable[[Path], Any]:
    from sec_parser import Edgar10QParser

    return lambda path: Edgar10QParser().parse(path.read_text(encoding="utf-8", errors="replace"))


def edgar_crawler(checkout: str) -> Callable[[Path], Any]:
    sys.path.insert(0, checkout)
    import extract_items

    asked = ("Company", "Date", "Period of Report", "SIC", "State of Inc", "State location")
    asked += ("Fiscal Year End", "html_index", "htm_file_link", "complete_text_file_link", "CIK")

    def read(path: Path) -> Any:
        form = "10-Q" if "10Q" in path.name else "10-K"
        # It looks for files in a folder of their form; an absolute name goes before the folder.
        said = {**dict.fromkeys(asked, ""), "Type": form, "filename": str(path.resolve())}
        reader = extract_items.ExtractItems(False, [], True, "", "", False)
        reader.determine_items_to_extract(said)
        return reader.extract_items(said)

    return read


def edgartools(_checkout: str) -> Callable[[Path], Any]:
    from edgar.documents import parse_html

    def read(path: Path) -> Any:
        document = parse_html(path.read_text(encoding="utf-8", errors="replace"))
        return document.text(), document.sections, document.tables, document.xbrl_facts

    return read


def ixbrlparse(_checkout: str) -> Callable[[Path], Any]:
    from ixbrlparse import IXBRL

    def read(path: Path) -> Any:
        stream = io.StringIO(path.read_text(encoding="utf-8", errors="replace"))
        return IXBRL(stream, raise_on_error=False).numeric

    return read


def main() -> None:
    name, folder, checkout = sys.argv[1:]
    warnings.simplefilter("ignore")
    read = globals()[name.replace("-", "_")](checkout)
    logging.disable()
    failed = 0
    wall, cpu = time.perf_counter(), time.process_time()
    for path in sorted(Path(folder).glob("*.htm*")):
        try:
            read(path)
        # Whatever a reader of others raises, its file is counted and the run goes on.
        except Exception:
            failed += 1
    seconds, cpu_seconds = time.perf_counter() - wall, time.process_time() - cpu
    print(json.dumps({"seconds": seconds, "cpu_seconds": cpu_seconds, "failed": failed}))


if __name__ == "__main__":
    main()
