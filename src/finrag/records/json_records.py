"""Reading JSON records one at a time, however broken their neighbours are."""

import codecs
import json
import re
from collections.abc import Iterator
from io import BufferedIOBase
from typing import Any, Final, NamedTuple

from finrag.records.files import (
    EXCERPT_CHARS,
    READ_ERRORS,
    RecordFaultError,
    SourceFile,
    empty_file,
    open_bytes,
    read_some,
    unreadable,
    visible,
)

_BOM: Final = codecs.BOM_UTF8
_BLOCK: Final = 1 << 20
_MAX_BLOCK: Final = 8 << 20
_BETWEEN = re.compile(r"[\s,\]]*")
# A string may hold what JSON forbids in it, such as a raw tab: only its ends matter here.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]"]', re.DOTALL)
_NEXT_OBJECT = re.compile(r"""\n\s*\{|,\s*\{(?=\s*["}])""")
# A string with nothing but this in it lies between two records: a quote is missing before it.
_SEAM = re.compile(r'"\s*\}[\s\]}]*,\s*\{\s*"')
_PAIRS: Final = {"}": "{", "]": "["}


class RawRecord(NamedTuple):
    """One record as found in a file.

    Attributes:
        number: 1-based line, or 1-based place in a JSON array or in a parquet file.
        unit: what `number` counts: "line", "record" or "row".
        value: the parsed value, or the fault that kept it from being parsed.
        excerpt: start of the raw text, for a person to recognise it by.
    """

    number: int
    unit: str
    value: object
    excerpt: str


class RepeatedFields(dict[str, object]):
    """A JSON object that had the same field twice, so that one of the values is lost."""


def read_json_records(file: SourceFile, max_record_bytes: int) -> Iterator[RawRecord]:
    """Yield the records of a JSON or JSON-lines file in file order, in flat memory.

    `.jsonl` and `.ndjson` files are read line by line. A `.json` file may hold one object, an
    array of objects, or lines; which one is decided by its first line. Inside an array or a
    spread-out object the reader finds its way back behind a broken record: where its brackets
    close, else at the next line or comma with an object behind it. Where an array
    has none, the record's fault says that the rest of the file was not read. A file that cannot be
    read to its end yields what came before and then one fault, an empty one a single fault.

    Args:
        file: the file; `.gz` is unpacked on the way.
        max_record_bytes: a longer record is skipped without being loaded, and yields a fault.
    """
    last, unit = 0, "line"
    try:
        by_line = not _is_document(file, max_record_bytes)
        reader = _line_records if by_line else _document_records
        with open_bytes(file.path) as stream:
            for record in reader(stream, max_record_bytes):
                last, unit = record.number, record.unit
                yield record
    except READ_ERRORS as error:
        fault = unreadable(error, "the records before this point were kept")
        yield RawRecord(last + 1, unit, fault, "")
        return
    if last == 0:
        yield RawRecord(1, unit, empty_file(), "")


def _is_document(file: SourceFile, max_record_bytes: int) -> bool:
    """Tell whether a file holds one JSON document over many lines instead of a record per line."""
    if not file.path.name.lower().removesuffix(".gz").endswith(".json"):
        return False
    with open_bytes(file.path) as stream:
        head = stream.readline(max_record_bytes).removeprefix(_BOM).strip()
        while not head and (line := stream.readline(max_record_bytes)):
            head = line.strip()
    if not head.startswith(b"{"):
        return head.startswith(b"[")
    return isinstance(_parse(head), RecordFaultError)


def _line_records(stream: BufferedIOBase, max_bytes: int) -> Iterator[RawRecord]:
    number = 0
    while raw := stream.readline(max_bytes + 1):
        number += 1
        if number == 1:
            raw = raw.removeprefix(_BOM)
        if len(raw) > max_bytes and not raw.endswith(b"\n"):
            while (rest := stream.readline(_BLOCK)) and not rest.endswith(b"\n"):
                pass
            fault = _too_long(max_bytes)
            yield RawRecord(number, "line", fault, _excerpt(raw))
        elif not raw.isspace() and raw:
            value = _parse(raw)
            yield RawRecord(number, "line", value, _excerpt(raw))


def _parse(raw: bytes) -> object:
    """Return the JSON value of `raw`, or the fault for it."""
    try:
        return json.loads(raw.decode("utf-8"), object_pairs_hook=_fields)
    except UnicodeDecodeError as error:
        return not_utf8(f"byte {error.start + 1} is 0x{raw[error.start]:02x}")
    except (ValueError, RecursionError) as error:
        return _not_json(error)


def _fields(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    return fields if len(fields) == len(pairs) else RepeatedFields(fields)


def _document_records(stream: BufferedIOBase, max_chars: int) -> Iterator[RawRecord]:
    """Yield the values of a JSON array, or of JSON objects that each take many lines.

    The text is decoded with escapes for invalid bytes, so that they spoil only the record that
    has them: a text with such an escape cannot be encoded again, which the caller checks.
    """
    decode = json.JSONDecoder(object_pairs_hook=_fields).raw_decode
    window = _Window(stream)
    window.grow()
    in_array = window.text.lstrip().startswith("[")
    if in_array:
        window.pos = window.text.index("[") + 1
    count = 0
    while True:
        match = _BETWEEN.match(window.text, window.pos)
        window.pos = match.end() if match else window.pos
        if window.pos == len(window.text):
            if window.grow():
                continue
            return
        fault: RecordFaultError | None = None
        value: Any = None
        end = failed_at = window.pos
        try:
            value, end = decode(window.text, window.pos)
            unfinished = end == len(window.text) and not isinstance(value, dict)
        except (ValueError, RecursionError) as error:
            fault = _not_json(error, window.pos)
            failed_at = error.pos if isinstance(error, json.JSONDecodeError) else end
            unfinished = _is_cut(error, len(window.text))
        if unfinished and len(window.text) - window.pos <= max_chars and window.grow():
            continue
        reach = len(window.text) if unfinished else end
        if reach - window.pos > max_chars:
            fault = _too_long(max_chars)
        count += 1
        number, unit = (count, "record") if in_array else (window.line(), "line")
        raw = visible(window.text[window.pos : window.pos + EXCERPT_CHARS])
        if end > window.pos:
            window.pos = end
        elif not window.skip_broken(failed_at, max_chars):
            yield RawRecord(number, unit, _rest_not_read(fault) if in_array else fault, raw)
            return
        yield RawRecord(number, unit, fault or value, raw)


class _Window:
    """The part of a text stream that is being parsed, which grows and moves on."""

    def __init__(self, stream: BufferedIOBase) -> None:
        self.text = ""
        self.pos = 0
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("surrogateescape")
        self._lines_dropped = 0
        self._counted = (0, 0)

    def grow(self) -> bool:
        """Drop what lies before `pos` and read on; false at the end of the stream."""
        self._lines_dropped = self.line() - 1
        self._counted = (0, 0)
        rest = self.text[self.pos :]
        # Doubling keeps the cost of parsing a long record again and again linear in its length.
        raw = read_some(self._stream, min(max(_BLOCK, len(rest)), _MAX_BLOCK))
        more = self._decoder.decode(raw, final=not raw)
        self.text, self.pos = rest + more, 0
        return bool(raw or more)

    def line(self) -> int:
        """Return the 1-based line of `pos`."""
        upto, lines = self._counted
        lines += self.text.count("\n", upto, self.pos)
        self._counted = (self.pos, lines)
        return self._lines_dropped + lines + 1

    def skip_broken(self, failed_at: int, max_chars: int) -> bool:
        """Move behind the broken record at `pos`; false if the next one cannot be found.

        Args:
            failed_at: where in the text parsing stopped.
            max_chars: how long a record may be.
        """
        behind = failed_at - self.pos
        end = self._end_of_record()
        while end is None and len(self.text) - self.pos <= max_chars and self.grow():
            end = self._end_of_record()
        if end:
            self.pos = end
            return True
        # The line break before an object is part of what is looked for.
        self.pos += len(self.text[self.pos : self.pos + behind].rstrip())
        while True:
            match = _NEXT_OBJECT.search(self.text, self.pos)
            if match:
                self.pos = match.end() - 1
                return True
            # A line break and its indentation may be cut by the end of the window.
            self.pos = max(self.pos, len(self.text) - 1024)
            if not self.grow():
                return False

    def _end_of_record(self) -> int | None:
        """The place behind the brackets that open at `pos`; 0 if they do not close in order.

        None if the text ends before that can be said.
        """
        opened: list[str] = []
        for token in _TOKEN.finditer(self.text, self.pos):
            found = token.group()
            if found == '"':
                return None
            if _SEAM.fullmatch(found):
                return 0
            if found in "{[":
                opened.append(found)
            elif found in "}]":
                if not opened or opened.pop() != _PAIRS[found]:
                    return 0
                if not opened:
                    behind = self.text[token.end() : token.end() + 1024].lstrip()
                    if not behind:
                        return None
                    return token.end() if behind[0] in ",]{" else 0
        return None


def _is_cut(error: Exception, end: int) -> bool:
    """Tell whether parsing failed because the text stops, not because it is wrong."""
    if not isinstance(error, json.JSONDecodeError):
        return False
    return error.msg.startswith("Unterminated string") or error.pos >= end - 16


def _excerpt(raw: bytes) -> str:
    return visible(raw[: 4 * EXCERPT_CHARS].decode("utf-8", "backslashreplace").strip())


def _not_json(error: Exception, start: int = 0) -> RecordFaultError:
    """Return the fault for a record that is not JSON and begins at `start` of the parsed text."""
    if isinstance(error, json.JSONDecodeError):
        what = error.msg.removesuffix(" starting at")
        detail = f"{what} at character {error.pos - start + 1} of the record"
    else:
        detail = "too deeply nested" if isinstance(error, RecursionError) else str(error)
    reason = f"the text is not JSON ({detail})"
    return RecordFaultError("not_json", reason, "write the record again as one JSON object")


def _rest_not_read(fault: RecordFaultError | None) -> RecordFaultError:
    """Return the fault for a broken record of an array, behind which no other can be found."""
    reason = f"{fault}; no record was found after it, so the rest of the file was not read"
    return RecordFaultError("unreadable_file", reason, "check the file, or write it again")


def _too_long(max_bytes: int) -> RecordFaultError:
    return RecordFaultError(
        "record_too_long",
        f"the record is longer than {max_bytes:,} bytes and was skipped",
        "check for a missing line break, or split the record",
    )


def not_utf8(detail: str) -> RecordFaultError:
    """Return the fault for text that is not UTF-8."""
    return RecordFaultError(
        "invalid_utf8", f"the text is not UTF-8 ({detail})", "save the record again as UTF-8"
    )


def repeated_field() -> RecordFaultError:
    """Return the fault for a record that has a field more than once."""
    reason = "the record has the same field twice, so one of the values would be lost"
    return RecordFaultError("repeated_field", reason, "keep each field once")


def not_an_object(value: object) -> RecordFaultError:
    """Return the fault for a record without named fields."""
    kind = "null" if value is None else type(value).__name__
    reason = f"the record is a {kind}, not an object with named fields"
    return RecordFaultError("not_an_object", reason, "write the record as one JSON object")


def row_excerpt(value: object) -> str:
    """Return the start of a record as JSON, for a person to recognise it by."""
    if not isinstance(value, dict):
        is_silent = value is None or isinstance(value, RecordFaultError)
        return "" if is_silent else visible(repr(value))
    short: dict[str, Any] = {
        str(name): item[:200] if isinstance(item, str) else item for name, item in value.items()
    }
    return visible(json.dumps(short, default=str, ensure_ascii=False))
