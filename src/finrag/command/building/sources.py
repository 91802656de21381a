"""What a Python model depends on besides its inputs and its code: files."""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from finrag.cache.modules import file_digest
from finrag.records.files import walk
from finrag.warehouse.folder import project_file

_PROMPTS: Final = "prompts"


def files_digest(settings: Mapping[str, Any]) -> str:
    """SHA-256, in hex, of all files that the values of settings name: a file, folder or glob.

    A value that names nothing counts as nothing. What stands before the first colon of a value is
    looked past too: ``sentence-transformers:models/own`` names a folder.
    """
    digest = hashlib.sha256()
    for path in sorted({path for value in _texts(settings) for path in _named(value)}):
        digest.update(f"{path}\n".encode())
        digest.update(file_digest(path).encode())
    return digest.hexdigest()


def prompts_digest() -> str:
    """SHA-256, in hex, of the files of prompts."""
    return files_digest({"prompts": [str(project_file(_PROMPTS)), _PROMPTS]})


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, str) and value.strip():
        yield value.strip()


def _named(value: str) -> Iterator[Path]:
    """Files that a value names, as the readers of corpora and of weights find them.

    An encoder may have a kind before its name and prompts behind it: ``kind:name?query_prompt=…``.
    """
    names = (value, value.partition(":")[2])
    for text in dict.fromkeys(part for name in names for part in (name, name.partition("?")[0])):
        if not text.strip() or "\0" in text:
            continue
        path = Path(text).expanduser()
        if path.exists():
            yield from _below(path)
        elif glob.has_magic(text):
            for found in glob.glob(str(path), recursive=True):  # noqa: PTH207 - follows links
                yield from _below(Path(found))


def _below(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from walk(path)
    elif path.is_file():
        yield path
