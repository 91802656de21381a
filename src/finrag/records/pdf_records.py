"""Pages of PDF files as raw records, however broken or hostile the file is."""

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

from finrag.records.files import READ_ERRORS, RecordFaultError, SourceFile, unreadable
from finrag.records.json_records import RawRecord

_EDGE_BYTES: Final = 1024
_FAULTS: Final = {
    "pdf_extra_missing": (
        "PDF files are read with pdfplumber, which is not installed",
        "run `pip install finrag[pdf]` and build again",
    ),
    "not_a_pdf": (
        "the file does not begin like a PDF",
        "check what the file is, and give it the ending of its format",
    ),
    "truncated_file": ("the file ends before the end of the PDF", "copy or download it again"),
    "too_many_pages": ("the file has {said} pages", "split it into files of {pages} or fewer"),
    "too_costly": (
        "reading the file took more {said} than is allowed for a PDF",
        "print it to a new PDF, or split it",
    ),
    "encrypted": ("the file asks for a password", "save a copy without a password"),
    "damaged_pdf": ("the PDF cannot be read ({said})", "open it and print it to a new PDF"),
    "unreadable_page": ("the page cannot be read ({said})", "open it and print it to a new PDF"),
    "too_many_words": (
        "the page has {said} words, more than a real page can have",
        "remove the page",
    ),
    "no_text": (
        "the page has no text that can be read ({said}); it may be a scan",
        "recognise its text (OCR) and save it with the pages",
    ),
}


class Limits(NamedTuple):
    """What one file may take: seconds of the processor, MiB of memory, pages."""

    seconds: int = 600
    memory: int = 2048
    pages: int = 2000


LIMITS: Final = Limits()


def read_pdf_records(file: SourceFile, limits: Limits = LIMITS) -> Iterator[RawRecord]:
    """Yield the pages of a PDF in order, each a mapping or a fault; see `pdf_pages.read_pages`.

    The file is read by a process of its own, so that one that never ends, takes all memory or
    kills its reader is a file in quarantine. An empty file yields nothing. A file of which no page
    has text yields one fault.
    """
    try:
        fault = _unfit(file, limits)
    except READ_ERRORS as error:
        fault = unreadable(error, "no page of it was read")
    if fault is not None:
        yield RawRecord(1, "page", fault, fault.excerpt)
        return
    if file.path.stat().st_size:
        yield from _records(_pages(file, limits), limits)


def _unfit(file: SourceFile, limits: Limits) -> RecordFaultError | None:
    """Return what is wrong with a file by its first and last bytes and its size, else null."""
    size = file.path.stat().st_size
    if size == 0:
        return None
    with file.path.open("rb") as stream:
        head = stream.read(_EDGE_BYTES)
        stream.seek(max(size - _EDGE_BYTES, 0))
        tail = stream.read()
    if b"%PDF-" not in head:
        return _fault("not_a_pdf", "", limits)
    if b"%%EOF" not in tail:
        return _fault("truncated_file", "", limits)
    return None if find_spec("pdfplumber") else _fault("pdf_extra_missing", "", limits)


def _pages(file: SourceFile, limits: Limits) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "finrag.records.pdf_pages", str(file.path.absolute())]
    numbers = [str(each) for each in limits]
    try:
        ran = subprocess.run(
            [*command, *numbers],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # A process that waits takes no seconds of the processor; this one waits for nobody.
            timeout=4 * limits.seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return [{"fault": "too_costly", "said": "time"}]
    if ran.returncode:
        return [{"fault": "too_costly", "said": "time or memory"}]
    return [json.loads(line) for line in ran.stdout.splitlines()]


def _records(pages: list[dict[str, Any]], limits: Limits) -> Iterator[RawRecord]:
    if len(pages) > 1 and all(_is_mute(page) for page in pages):
        pages = [{"fault": "no_text", "said": f"none of {len(pages)} pages"}]
    for place, page in enumerate(pages, start=1):
        value = _fault(page["fault"], page["said"], limits) if "fault" in page else page
        yield RawRecord(page.get("page", place), "page", value, "")


def _is_mute(page: dict[str, Any]) -> bool:
    return page.get("fault") == "no_text" or page.get("text") == ""


def _fault(code: str, said: str, limits: Limits) -> RecordFaultError:
    reason, advice = _FAULTS[code]
    slots = {"said": said, **limits._asdict()}
    return RecordFaultError(code, reason.format(**slots), advice.format(**slots))
