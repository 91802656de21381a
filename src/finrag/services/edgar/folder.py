"""The folder that holds what was fetched: filings, the list of them, and EDGAR's own lists.

- ``filings/{cik, 10 digits}_{accession}.htm.gz`` or ``.txt.gz``: documents as EDGAR has them
- ``filings.csv``: a row for each, sorted by file; ``sha256`` is that of the unpacked document
- ``submissions/``: EDGAR's lists, each behind a line with what says whether it has changed

Each file appears whole or not at all, so that a run that is killed at any point can be repeated.
"""

from __future__ import annotations

import csv
import fcntl
import gzip
import hashlib
import io
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from finrag.records.files import READ_ERRORS
from finrag.records.writing import clear_leftovers, replacing
from finrag.services.edgar.client import Answer

COLUMNS: Final = (
    *("file", "cik", "name", "ticker", "form", "fiscal_year", "period_end", "accession"),
    *("filed_at", "sha256", "source_url"),
)
State = Literal["absent", "there", "changed"]


@dataclass(frozen=True)
class EdgarFolder:
    """A folder that no other fetch writes to.

    Attributes:
        root: the folder.
        rows: those of the list, by file.
    """

    root: Path
    rows: dict[str, dict[str, str]]

    def state(self, file: str) -> tuple[State, str]:
        """Whether a filing is there as it was fetched, and its digest.

        One that is whole but not listed is there: the run that fetched it was killed before it
        could list it.
        """
        path = self.root / "filings" / file
        if not path.exists():
            return "absent", ""
        digest = _digest(path)
        is_same = digest and digest == self.rows.get(file, {}).get("sha256", digest)
        return ("there", digest) if is_same else ("changed", digest)

    def keep(self, file: str, document: bytes) -> str:
        """Write a filing, and return its digest."""
        with replacing(self.root / "filings" / file) as path:
            path.write_bytes(gzip.compress(document, mtime=0))
        return hashlib.sha256(document).hexdigest()

    def enter(self, row: Mapping[str, str]) -> None:
        """Enter a filing into the list, which is written unless it says so already."""
        if self.rows.get(row["file"]) == row:
            return
        self.rows[row["file"]] = dict(row)
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows[file] for file in sorted(self.rows))
        with replacing(_list_path(self.root)) as path:
            path.write_text(text.getvalue(), encoding="utf-8", newline="")

    def earlier_answer(self, url: str) -> Answer | None:
        """What an address answered last time; None where that is unknown or damaged."""
        try:
            head, _, body = gzip.decompress(self._answer_path(url).read_bytes()).partition(b"\n")
            said = json.loads(head)
            is_same = said["url"] == url
            return Answer(body, said["etag"], said["last_modified"]) if is_same else None
        except (*READ_ERRORS, ValueError, KeyError, TypeError):
            return None

    def keep_answer(self, url: str, answer: Answer) -> None:
        """Store an answer with its validators."""
        said = {"url": url, "etag": answer.etag, "last_modified": answer.last_modified}
        packed = gzip.compress(json.dumps(said).encode() + b"\n" + answer.body, mtime=0)
        with replacing(self._answer_path(url)) as path:
            path.write_bytes(packed)

    def _answer_path(self, url: str) -> Path:
        # The last part of an address that this library made: a plain file name.
        return self.root / "submissions" / f"{url.rsplit('/', 1)[-1]}.gz"


@contextmanager
def open_folder(root: Path) -> Iterator[EdgarFolder]:
    """Open the folder, made where it is not there, and keep other fetches out of it.

    Raises:
        ValueError: another fetch is running, or the list is not one that ``enter`` wrote.
    """
    for part in ("filings", "submissions"):
        (root / part).mkdir(parents=True, exist_ok=True)
        clear_leftovers(root / part)
    clear_leftovers(root)
    with (root / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(
                f"another fetch is running in {root}; wait until it ends, or set the dbt var "
                "state_dir to another folder"
            ) from None
        yield EdgarFolder(root, _read_list(_list_path(root)))


def _list_path(root: Path) -> Path:
    return root / "filings.csv"


def _read_list(path: Path) -> dict[str, dict[str, str]]:
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    is_whole = all(None not in row and None not in row.values() for row in rows)
    if tuple(reader.fieldnames or ()) != COLUMNS or not is_whole:
        raise ValueError(
            f"{path} was changed and cannot be read as a list of filings; remove it, and the next "
            "fetch lists the filings again without downloading them"
        )
    return {row["file"]: row for row in rows}


def _digest(path: Path) -> str:
    """The sha256 of what a packed file holds; "" where it is damaged."""
    try:
        with gzip.open(path) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except READ_ERRORS:
        return ""
