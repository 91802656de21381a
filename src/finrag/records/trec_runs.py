"""Lines of TREC runs: rankings as `question Q0 passage rank score tag`."""

import io
import math
from collections.abc import Iterator
from typing import Final, NamedTuple

from finrag.records.fields import parse_number
from finrag.records.files import (
    EXCERPT_CHARS,
    READ_ERRORS,
    RecordFaultError,
    SourceFile,
    empty_file,
    open_bytes,
    unreadable,
    visible,
)
from finrag.records.identity import shown
from finrag.records.json_records import RawRecord, not_utf8

_MAX_LINE_BYTES: Final = 1 << 16
_FIELDS: Final = ("qid", "Q0", "docid", "rank", "score", "tag")


class RunLine(NamedTuple):
    """One line of a run.

    Attributes:
        question_id, passage_id: as written, without NUL, which tables cannot hold.
        rank: the rank column; null where it is not a whole number, for it decides nothing.
        score: finite.
        tag: name of the run.
    """

    question_id: str
    passage_id: str
    rank: int | None
    score: float
    tag: str


def run_records(file: SourceFile) -> Iterator[RawRecord]:
    """Yield the lines of a run that are not blank, each as a `RunLine` or a fault.

    Args:
        file: the run, packed by gzip or not. One without any line yields one fault, and so does
            the place where a broken one ends.
    """
    number = last = 0
    try:
        with open_bytes(file.path) as stream:
            for number, raw in enumerate(_lines(stream), start=1):
                if raw.strip():
                    last = number
                    yield _record(number, raw)
    except READ_ERRORS as error:
        fault = unreadable(error, "the lines before this point were kept")
        yield RawRecord(number + 1, "line", fault, "")
        return
    if last == 0:
        yield RawRecord(1, "line", empty_file(), "")


def _run_line(line: str) -> RunLine | RecordFaultError:
    """Return one line of a run; a fault where it has not six fields, or no finite score."""
    parts = line.replace("\0", "\ufffd").split()
    if len(parts) != len(_FIELDS):
        is_judgment = len(parts) == 4
        hint = "; a line with four fields belongs to judgments (qrels)" if is_judgment else ""
        reason = f"the line has {len(parts)} fields, a run has {len(_FIELDS)}{hint}"
        advice = f"write {' '.join(_FIELDS)}, with a space between"
        return RecordFaultError("bad_run_line", reason, advice)
    try:
        score = parse_number(parts[4])
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        reason = f"the score is {shown(parts[4])}, expected a finite number"
        return RecordFaultError("bad_score", reason, "write a number as fifth field")
    return RunLine(parts[0], parts[2], _given_rank(parts[3]), score, parts[5])


def _lines(stream: io.BufferedIOBase) -> Iterator[bytes]:
    """Yield whole lines; of one that is too long its start, which cannot be read."""
    while raw := stream.readline(_MAX_LINE_BYTES):
        end = raw
        while not end.endswith(b"\n") and (end := stream.readline(_MAX_LINE_BYTES)):
            pass
        yield raw


def _record(number: int, raw: bytes) -> RawRecord:
    excerpt = visible(raw[: 4 * EXCERPT_CHARS].decode("utf-8", "backslashreplace").strip())
    try:
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        fault = not_utf8(f"byte {error.start + 1} is 0x{raw[error.start]:02x}")
        return RawRecord(number, "line", fault, excerpt)
    return RawRecord(number, "line", _run_line(text), excerpt)


def _given_rank(rank: str) -> int | None:
    is_rank = rank.isascii() and rank.isdecimal() and len(rank) < 10
    return int(rank) if is_rank else None
