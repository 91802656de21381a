"""Entries that are tables: Parquet files that bear a seal.

The seal is the digest of the file's name and of all its other bytes, and lies between the rows and
the footer, where readers of Parquet look at nothing. A file that was cut short, written anew by
another program, or renamed may still be sound Parquet; it does not fit its seal, and is damaged.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from finrag.cache.entries import Entries

# Names of sealed files: those of earlier versions, which bear no seal, are passed over.
SUFFIX: Final = ".sealed.parquet"
_SEAL_BYTES: Final = hashlib.sha256().digest_size
# Ends a file of Parquet: the length of the footer before it, and PAR1.
_END_BYTES: Final = 8
_READ_BYTES: Final = 1 << 20
# Files that were found to bear their seal: path, inode, size and time of the last change.
_SEALED: Final[set[tuple[str, int, int, int]]] = set()

Value = TypeVar("Value")


@dataclass(frozen=True)
class Tables:
    """Tables of one schema.

    Attributes:
        folder: where they lie; made when the first is added.
        schema: of their rows.
        name: what messages call one, such as ``the cached result``.
        if_lost: what happens to a lost one, such as ``it is computed again``.
        limit: how many stay, those used last; None for all.
    """

    folder: Path
    schema: pa.Schema
    name: str
    if_lost: str
    limit: int | None = None

    @property
    def _entries(self) -> Entries:
        return Entries(self.folder, self.name, self.if_lost, Path(SUFFIX).suffix, self.limit)

    def open(self) -> None:
        """Make the folder, and remove what runs that were killed left half written."""
        self._entries.open()

    def path(self, key: str) -> Path:
        """Where the table of a key lies, or would."""
        return self.folder / f"{key}{SUFFIX}"

    def find(self, key: str, read: Callable[[pq.ParquetFile], Value]) -> Value | None:
        """What is read from the table of a key; None where there is none, or a damaged one.

        Args:
            key: of the table.
            read: reads a value from the open file, and closes it unless the value still needs it.

        Raises:
            OSError: the system refused to read the file (rights, disk), which is no damage.
        """
        return self._entries.find(self.path(key).stem, lambda path: read(self._opened(path)))

    @contextmanager
    def adding(
        self, key: str, schema: pa.Schema | None = None, **options: Any
    ) -> Iterator[pq.ParquetWriter]:
        """A new table to write; it is there at the end of the ``with``.

        Args:
            key: of the table.
            schema: the schema with metadata of its own; by default that of all tables.
            options: of the writer.
        """
        path = self.path(key)
        with self._entries.adding(path.stem) as hidden:
            with table_writer(hidden, schema or self.schema, **options) as writer:
                yield writer
            _seal(hidden, path.name)

    def _opened(self, path: Path) -> pq.ParquetFile:
        # A file is read to its end once in a process; one that was changed since is another.
        found = path.stat()
        known = str(path), found.st_ino, found.st_size, found.st_mtime_ns
        if known not in _SEALED:
            if not _is_sealed(path):
                raise pa.ArrowInvalid("it is not the file that was written")
            _SEALED.add(known)
        table = pq.ParquetFile(path)
        if not table.schema_arrow.equals(self.schema):
            table.close()
            raise pa.ArrowInvalid("its columns are not the expected ones")
        return table


def table_writer(path: Path, schema: pa.Schema, **options: Any) -> pq.ParquetWriter:
    """Open a table to write; checksums find what a disk or a copy breaks."""
    return pq.ParquetWriter(
        path, schema, write_page_checksum=True, use_compliant_nested_type=False, **options
    )


def _seal(path: Path, name: str) -> None:
    """Seal a file of Parquet that was just written, and gets a name."""
    with path.open("r+b") as file:
        at = _footer_at(file)
        file.seek(at)
        footer = file.read()
        seal = _digest(file, name, at, footer)
        file.seek(at)
        file.write(seal + footer)


def _is_sealed(path: Path) -> bool:
    """Whether a file bears the seal that fits it."""
    with path.open("rb") as file:
        at = _footer_at(file) - _SEAL_BYTES
        if at < 0:
            return False
        file.seek(at)
        seal, footer = file.read(_SEAL_BYTES), file.read()
        return seal == _digest(file, path.name, at, footer)


def _footer_at(file: BinaryIO) -> int:
    """Where the footer of a file of Parquet begins; below 0 where it cannot be Parquet."""
    end = file.seek(0, 2)
    if end < _END_BYTES:
        return -1
    file.seek(end - _END_BYTES)
    return end - _END_BYTES - int.from_bytes(file.read(4), "little")


def _digest(file: BinaryIO, name: str, end: int, footer: bytes) -> bytes:
    """Of a name, the first bytes of a file, up to an end, and its footer."""
    digest = hashlib.sha256(name.encode() + b"\0")
    file.seek(0)
    while end > 0 and (block := file.read(min(end, _READ_BYTES))):
        digest.update(block)
        end -= len(block)
    digest.update(footer)
    return digest.digest()
