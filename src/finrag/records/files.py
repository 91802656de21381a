"""Finding and opening the files of a corpus, and the words for what is wrong with a record."""

import glob
import gzip
import os
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BufferedIOBase, BufferedReader
from pathlib import Path
from typing import Final

CORPUS_VAR: Final = "set the dbt var corpus_path"
EXCERPT_CHARS: Final = 200

# What reading a damaged file raises: a cut gzip member, a wrong checksum, a disk or rights error.
READ_ERRORS: Final = (EOFError, zlib.error, OSError)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a corpus.

    Attributes:
        path: where the file lies on this machine.
        name: its path below the corpus root with forward slashes, the same on every machine.
    """

    path: Path
    name: str


class RecordFaultError(ValueError):
    """A record (or a file) that must be quarantined.

    Attributes:
        code: short stable name of the fault, such as `bad_year`.
        reason: what is wrong, in a sentence fragment for an analyst.
        advice: what to do about it.
        excerpt: start of the raw text, where whoever found the fault has it at hand.
    """

    def __init__(self, code: str, reason: str, advice: str, excerpt: str = "") -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
        self.advice = advice
        self.excerpt = excerpt


def find_files(
    path: str, suffixes: tuple[str, ...], setting: str = CORPUS_VAR, *, may_leave: bool = True
) -> list[SourceFile]:
    """Return the readable files behind `path`, sorted by their name below its root.

    The root is the directory itself, the parent of a single file, or the part of a glob before
    its first wildcard. Directories are searched to the bottom, links followed.

    Args:
        path: a file, a directory or a glob (`**` allowed).
        suffixes: lower-case file endings to keep, such as `(".jsonl", ".jsonl.gz")`.
        setting: how the path is set, for messages.
        may_leave: whether links in a folder may lead out of it. A file that is named itself may
            always be a link.

    Raises:
        ValueError: the path does not exist, the glob matches nothing, no file there has one of
            the endings, or a link leads out of the root and may not.
    """
    expected = f"expected files ending in {', '.join(suffixes)}"
    if not path.strip():
        raise ValueError(f"the path is empty; {setting} to a file, a directory or a glob")
    target = Path(path)
    if target.is_dir():
        root, found = target, list(walk(target))
    elif target.exists():
        root, found = target.parent, [target]
    elif glob.has_magic(path):
        root = _fixed_part(target)
        try:
            hits = list(root.glob(target.relative_to(root).as_posix()))
        except ValueError as error:
            raise ValueError(
                f"{path} is not a valid glob ({error}); {setting} to a valid one"
            ) from error
        if not hits:
            raise ValueError(f"no file matches {path}; {setting} to a glob that matches")
        found = [file for hit in hits for file in (walk(hit) if hit.is_dir() else [hit])]
    else:
        raise ValueError(f"{path} does not exist; {setting} to an existing file or directory")

    named = {_name(file, root): file for file in found if file.name.lower().endswith(suffixes)}
    if not named:
        raise ValueError(
            f"{path} holds no readable file, {expected}; {setting} to a place with such files"
        )
    if not may_leave and found != [target]:
        _check_links(named, root, setting)
    return [SourceFile(named[name], name) for name in sorted(named)]


def _check_links(named: Mapping[str, Path], root: Path, setting: str) -> None:
    """Refuse files that lie elsewhere: a folder that somebody else packed may point anywhere."""
    real_root = root.resolve()
    outside = [
        name for name in sorted(named) if not named[name].resolve().is_relative_to(real_root)
    ]
    if outside:
        raise ValueError(
            f"{root / outside[0]} is reached by a link that leaves the folder {root}; copy the "
            f"file into the folder, or {setting} to the place of the file"
        )


def walk(directory: Path) -> Iterator[Path]:
    """Yield every file below `directory`; a link back to a folder already seen is not followed."""
    seen: set[str] = set()
    for folder, subfolders, files in os.walk(directory, followlinks=True):
        real = os.path.realpath(folder)
        if real in seen:
            subfolders.clear()
            continue
        seen.add(real)
        # The order decides which of two links to one folder is read.
        subfolders.sort()
        yield from (Path(folder, file) for file in files)


def _fixed_part(pattern: Path) -> Path:
    """Return the folders of a glob before its first wildcard."""
    fixed = Path(pattern.anchor)
    for part in pattern.parts[len(fixed.parts) : -1]:
        if glob.has_magic(part):
            break
        fixed /= part
    return fixed


def _name(file: Path, root: Path) -> str:
    # A file name need not be valid UTF-8, an Arrow string must be.
    return file.relative_to(root).as_posix().encode("utf-8", "backslashreplace").decode("utf-8")


def open_bytes(path: Path) -> BufferedReader | gzip.GzipFile:
    """Open a file for reading bytes, unpacking it if its name ends in `.gz`."""
    if path.name.lower().endswith(".gz"):
        return gzip.open(path, "rb")
    return path.open("rb")


def read_some(stream: BufferedIOBase, size: int) -> bytes:
    """Read up to `size` bytes; a damaged stream gives all it has before it raises."""
    parts: list[bytes] = []
    total = 0
    try:
        while total < size and (part := stream.read1(size - total)):
            parts.append(part)
            total += len(part)
    except READ_ERRORS:
        # The next call meets the same damage with nothing left to give, and raises then.
        if not parts:
            raise
    return b"".join(parts)


def unreadable(error: Exception, consequence: str) -> RecordFaultError:
    """Return the fault for a file that broke while it was read.

    Args:
        error: what the reading raised.
        consequence: what happened to the rest, such as "the records before this point were kept".
    """
    if isinstance(error, EOFError):
        reason = f"the compressed file ends too early; {consequence}"
        return RecordFaultError("truncated_file", reason, "copy or download the file again")
    reason = f"the file cannot be read ({visible(str(error))}); {consequence}"
    return RecordFaultError("unreadable_file", reason, "check the file, or copy it again")


def empty_file() -> RecordFaultError:
    """Return the fault for a file that holds no record."""
    advice = "remove the file from the corpus, or write it again"
    return RecordFaultError("empty_file", "the file holds no record", advice)


def visible(text: str) -> str:
    r"""Return the first 200 characters with control characters spelt out, such as `\x00`."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text[:EXCERPT_CHARS]
    )
