"""Files of S3 for DuckDB, read by Arrow: no extension of DuckDB is needed."""

from __future__ import annotations

import os

from fsspec.implementations.arrow import ArrowFSWrapper
from pyarrow.fs import FileSystem, S3FileSystem

from finrag.warehouse import Connection


def reach_s3(connection: Connection, address: str) -> None:
    """Let a connection read addresses such as ``s3://bucket/path``.

    Keys, region and endpoint come from the environment (``AWS_…``) or the machine's profile.

    Args:
        connection: of DuckDB; all others to the same file can read them too.
        address: of the store, whose bucket says in which region it lies.
    """
    if "s3" in connection.list_filesystems():
        return
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    if endpoint:
        files = S3FileSystem(endpoint_override=endpoint)
    else:
        files, _ = FileSystem.from_uri(address)
    connection.register_filesystem(ArrowFSWrapper(files))
