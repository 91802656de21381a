"""Where shards lie: a folder, or an object store, by the file systems of pyarrow.

A file has its name only once it is whole. A folder gets it by a rename of a hidden file. An object
store has no rename and takes a file at once: it is written on this machine first.
"""

from __future__ import annotations

import datetime
import mmap
import os
import re
import tempfile
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import fs

from finrag.records.writing import replacing
from finrag.warehouse.s3 import s3_files

# An address with a slash missing is no folder; a letter and a colon are a drive.
_TYPO = re.compile(r"[A-Za-z0-9]{2,}:/(?!/)")


@dataclass(frozen=True)
class Store:
    """A place for files, named by paths with forward slashes below it.

    Attributes:
        uri: an absolute folder, or ``s3://bucket/path``.
    """

    uri: str

    @staticmethod
    def at(uri: str) -> Store:
        """The store at a folder or URI; nothing is opened or made.

        Raises:
            ValueError: it is neither a folder nor ``s3://bucket/path``, or holds credentials.
        """
        scheme, is_uri, rest = uri.partition("://")
        if is_uri and "@" in rest:
            raise ValueError(
                f"the store is an address of {scheme}:// with credentials in it, which would be "
                "printed and stored; give them by environment variables (AWS_ACCESS_KEY_ID, "
                "AWS_SECRET_ACCESS_KEY) and name the store s3://bucket/path"
            )
        if (is_uri and (scheme != "s3" or not rest.strip("/"))) or _TYPO.match(uri):
            raise ValueError(
                f"the store is '{uri}', expected a folder or s3://bucket/path; correct STORE or "
                "the dbt var store"
            )
        if is_uri:
            return Store(uri.rstrip("/"))
        return Store(str(Path(uri).expanduser().absolute()))

    @staticmethod
    def of(variables: Mapping[str, Any]) -> Store:
        """The store that the dbt vars name, by default a folder in ``state_dir``; see ``at``."""
        return Store.at(str(variables["store"] or Path(str(variables["state_dir"])) / "store"))

    @property
    def is_local(self) -> bool:
        """Whether it is a folder."""
        return "://" not in self.uri

    def place(self, name: str) -> str:
        """Path or URI of a file, as DuckDB reads it."""
        return f"{self.uri}/{name}"

    def exists(self, name: str) -> bool:
        """Whether a file is there."""
        files, path = self._path(name)
        return bool(files.get_file_info(path).type == fs.FileType.File)

    def read(self, name: str) -> bytes:
        """All of a file.

        Raises:
            FileNotFoundError: there is none.
        """
        with self.reading(name) as file:
            return bytes(file.read())

    def reading(self, name: str) -> Any:
        """A file to read from any place in it."""
        files, path = self._path(name)
        return files.open_input_file(path)

    @contextmanager
    def writing(self, name: str) -> Iterator[Any]:
        """A file to write, which takes its name at the end of the ``with``; else there is none."""
        files, path = self._path(name)
        if self.is_local:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            with replacing(Path(path)) as hidden, hidden.open("wb") as written:
                yield written
                # The name may reach the disk before the bytes do, and outlive a power cut alone.
                written.flush()
                os.fsync(written.fileno())
            return
        with tempfile.TemporaryFile(prefix="finrag-store-") as written:
            yield written
            written.flush()
            # Closing a stream of pyarrow, even one that is given up, stores what it has taken: it
            # is opened only for a whole file, and takes all of it in one call.
            is_empty = not written.seek(0, os.SEEK_END)
            content = b"" if is_empty else mmap.mmap(written.fileno(), 0, access=mmap.ACCESS_READ)
            with files.open_output_stream(path) as stream:
                stream.write(content)

    def write(self, name: str, content: bytes) -> None:
        """Write a whole file."""
        with self.writing(name) as file:
            file.write(content)

    def listed(self, folder: str = "") -> list[str]:
        """Names of all files below a folder of the store, hidden ones too, in order."""
        return list(self.details(folder))

    def details(self, folder: str = "") -> dict[str, tuple[int, datetime.datetime]]:
        """Bytes, and time of the last change in UTC, of all files below a folder, by name."""
        files, path = self._path(folder)
        found = files.get_file_info(fs.FileSelector(path, allow_not_found=True, recursive=True))
        _, root = self._path("")
        start = len(root.rstrip("/")) + 1
        details = [(one.path[start:], (int(one.size), one.mtime)) for one in found if one.is_file]
        return dict(sorted(details))

    def size(self, name: str) -> int:
        """Bytes of a file; 0 where there is none."""
        files, path = self._path(name)
        return int(files.get_file_info(path).size or 0)

    def remove(self, name: str) -> None:
        """Remove a file, which may be gone already."""
        files, path = self._path(name)
        with suppress(FileNotFoundError):
            files.delete_file(path)

    def check(self) -> None:
        """Write and remove a small file.

        Raises:
            ValueError: the store cannot be written to.
        """
        name = f".check-{uuid.uuid4().hex[:12]}"
        try:
            self.write(name, b"finrag")
            self.remove(name)
        except (OSError, pa.ArrowException) as error:
            reason = str(error).splitlines()[0]
            raise ValueError(
                f"the store {self.uri} cannot be written to ({reason}); correct STORE or the dbt "
                "var store, or the rights and credentials for it"
            ) from error

    def _path(self, name: str) -> tuple[Any, str]:
        if self.is_local:
            path = f"{self.uri}/{name}" if name else self.uri
            return fs.LocalFileSystem(), path
        files, path = s3_files(self.uri)
        return files, f"{path}/{name}" if name else path
