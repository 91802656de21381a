"""Columns of Arrow schemas, several of one type at a time."""

import pyarrow as pa


def nullable(kind: pa.DataType, *names: str) -> list[pa.Field]:
    """Columns of one type that may be null."""
    return [pa.field(name, kind) for name in names]


def required(kind: pa.DataType, *names: str) -> list[pa.Field]:
    """Columns of one type that are never null."""
    return [pa.field(name, kind, nullable=False) for name in names]
