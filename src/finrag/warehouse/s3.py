"""Files of S3 for DuckDB, read by Arrow: no extension of DuckDB is needed."""

from __future__ import annotations

import os
from typing import Any

from pyarrow.fs import FileSystem, S3FileSystem

from finrag.warehouse import Connection


def s3_files(address: str) -> tuple[Any, str]:
    """The file system of pyarrow for an address such as ``s3://bucket/path``, and the path in it.

    Keys, region and endpoint come from the environment (``AWS_…``) or the machine's profile.
    """
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    if endpoint:
        return S3FileSystem(endpoint_override=endpoint), address.removeprefix("s3://")
    files, path = FileSystem.from_uri(address)
    return files, str(path)


def reach_s3(connection: Connection, address: str) -> None:
    """Let a connection read addresses such as ``s3://bucket/path``.

    Args:
        connection: of DuckDB; all others to the same file can read them too.
        address: of the store, whose bucket says in which region it lies.
    """
    if "s3" in connection.list_filesystems():
        return
    from fsspec.implementations.arrow import ArrowFSWrapper

    files, _ = s3_files(address)
    connection.register_filesystem(ArrowFSWrapper(files))
