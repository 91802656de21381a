"""Where shards lie: a folder, or an object store, by the file systems of pyarrow.

A file has its name only once it is whole. A folder gets it by a rename of a hidden file; an object
store shows a file when it is closed, so the final name is used at once.
"""

from __future__ import annotations

import datetime
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import fs


@dataclass(frozen=True)
class Store:
    """A place for files, named by paths with forward slashes below it.

    Attributes:
        uri: an absolute folder, or ``s3://bucket/path`` and what else pyarrow knows.
        renames: whether a file is first written under a hidden name.
    """

    uri: str
    renames: bool

    @staticmethod
    def at(uri: str) -> Store:
        """The store at a folder or URI; nothing is opened or made."""
        if "://" in uri:
            return Store(uri.rstrip("/"), renames=False)
        return Store(str(Path(uri).expanduser().absolute()), renames=True)

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
        if not self.renames:
            with files.open_output_stream(path) as file:
                yield file
            return
        folder, _, last = path.rpartition("/")
        files.create_dir(folder, recursive=True)
        hidden = f"{folder}/.{last}.{uuid.uuid4().hex[:12]}.tmp"
        try:
            with files.open_output_stream(hidden) as file:
                yield file
            files.move(hidden, path)
        finally:
            with suppress(FileNotFoundError):
                files.delete_file(hidden)

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
        endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
        if self.uri.startswith("s3://") and endpoint:
            path = self.uri.removeprefix("s3://")
            files = fs.S3FileSystem(endpoint_override=endpoint)
        else:
            files, path = fs.FileSystem.from_uri(self.uri)
        return files, f"{path}/{name}" if name else path
