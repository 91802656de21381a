"""Taking a submission apart, as it was filed in SGML: header fields and documents.

Whatever is malformed is read as far as it goes and flagged; nothing raises.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from datetime import date
from typing import Final

_WINDOWS: Final = {
    code: char for code in range(0x80, 0xA0) if (char := bytes([code]).decode("cp1252", "ignore"))
}
_NO_TEXT: Final = (b"%PDF-", b"PK\x03\x04", b"\x1f\x8b")
# What no text holds, and one byte in ten of a picture is.
_CONTROLS: Final = bytes(sorted({*range(32)} - {*b"\t\n\v\f\r\x1a\x1b"}))
_LOOKED_AT: Final = 4096
_HEADER_BYTES: Final = 1 << 20
_START = re.compile(
    rb"\A\s*(?:-----BEGIN PRIVACY-ENHANCED MESSAGE-----|<(?:SEC|IMS)-(?:DOCUMENT|HEADER)>)"
)
# At the start of a line; written so that a search jumps from "<" to "<".
_BOUNDARY = re.compile(rb"<(?<![^\n]<)(/?)DOCUMENT>", re.IGNORECASE)
_TEXT = re.compile(rb"<(?<![^\n]<)(/?)TEXT>", re.IGNORECASE)
_FIELD = re.compile(rb"^[ \t]*([A-Z][A-Z ]{2,40}):[ \t]*([^\r\n]{1,300})", re.MULTILINE)
_TAGGED = re.compile(rb"^<(TYPE|SEQUENCE|FILENAME|DESCRIPTION)>([^\r\n]{0,300})", re.MULTILINE)
_MARKUP = re.compile(
    rb"<(?:html|body|!doctype html|\?xml|xbrl|div|p|table(?=\s\w))\b", re.IGNORECASE
)
_CIK: Final = "CENTRAL INDEX KEY"
_NUMBER = re.compile("[0-9]{1,10}")
_ENCODED = re.compile(rb"\A\s*(?:<PDF>\s*)?begin [0-7]{3} ")


@dataclass(slots=True)
class SubmittedDocument:
    """A document of a submission.

    Attributes:
        type: such as `10-K` or `EX-13`; empty where nothing says so.
        sequence: its number as filed; its place among the documents, from 1, where it has none.
        filename: as filed, may be empty.
        description: as filed, may be empty.
        content: its bytes, between `<TEXT>` and `</TEXT>`.
        offset: place of the first of them in the submission.
        kind: `html`, `plain` or `encoded`, of pictures and other files in letters.
        is_cut: whether its end is missing.
    """

    type: str
    sequence: int
    filename: str
    description: str
    content: bytes
    offset: int
    kind: str
    is_cut: bool


@dataclass(slots=True)
class Submission:
    """A submission: who filed what, and its documents in the order of filing.

    Attributes:
        company_name: of the first filer; null where the header has none.
        cik: of the first filer; null where the header has none.
        form: such as `10-K405`; null where the header has none.
        period_end: last day of the period reported on; null where the header has none.
        accession: such as `0000950130-96-000896`; null where the header has none.
        filed_on: day of filing; null where the header has none.
        documents: at least one.
        ciks: of all companies that the header names.
        flags: `no_header`, `cut` or `utf16` (places then count in its UTF-8).
    """

    company_name: str | None = None
    cik: int | None = None
    form: str | None = None
    period_end: date | None = None
    accession: str | None = None
    filed_on: date | None = None
    documents: list[SubmittedDocument] = field(default_factory=list)
    ciks: set[int] = field(default_factory=set)
    flags: list[str] = field(default_factory=list)


def decode(data: bytes) -> tuple[str, str]:
    """Decode the bytes of a document: UTF-8, UTF-16 with a mark, else Windows-1252.

    A mark of byte order stays in the text, so that encoding the text again gives the same places.
    The five bytes that Windows-1252 leaves undefined stand for the controls of their number.

    Returns:
        The text, and the name of its encoding: `utf-8`, `utf-16-le`, `utf-16-be` or `cp1252`.
    """
    for mark, name in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            return data.decode(name, "replace"), name
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as fault:
        # A character cut at the end of the file does not change how the rest is encoded.
        is_cut = fault.reason == "unexpected end of data" and not data[: fault.start].isascii()
        if is_cut:
            return data[: fault.start].decode("utf-8"), "utf-8"
    return data.decode("latin-1").translate(_WINDOWS), "cp1252"


def read_submission(data: bytes) -> Submission | None:
    """Take a submission apart, or a file that is one bare document.

    Args:
        data: a file as filed, untrusted; read in time linear in its length.

    Returns:
        The submission; null for a file without text: an empty one, a PDF, an archive, a picture.
    """
    submission = Submission()
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        data = decode(data)[0].encode("utf-8", "replace")
        submission.flags.append("utf16")
    opening = data[:_LOOKED_AT]
    n_controls = len(opening) - len(opening.translate(None, _CONTROLS))
    if not data.strip() or data.lstrip().startswith(_NO_TEXT) or n_controls > len(opening) / 20:
        return None
    places = [(match.start(), match.end(), not match[1]) for match in _BOUNDARY.finditer(data)]
    opened = [place for place in places if place[2]]
    is_headed = _START.match(data.removeprefix(codecs.BOM_UTF8)[:4096]) is not None
    if is_headed:
        _read_header(submission, data[: opened[0][0] if opened else len(data)][:_HEADER_BYTES])
    else:
        submission.flags.append("no_header")
    for number, (start, end, is_start) in enumerate(places):
        if is_start:
            stop, _, is_next = places[number + 1] if number + 1 < len(places) else (len(data), 0, 1)
            sequence = len(submission.documents) + 1
            document = _document(data, start, end, stop, sequence, is_cut=bool(is_next))
            submission.documents.append(document)
    if not submission.documents:
        bare = ("", 1, "", "", data, 0, _kind(data))
        submission.documents.append(SubmittedDocument(*bare, is_cut=is_headed))
    if any(document.is_cut for document in submission.documents):
        submission.flags.append("cut")
    return submission


def _read_header(submission: Submission, header: bytes) -> None:
    """Fill in the fields of the header; of a field that is repeated the first counts."""
    said: dict[str, str] = {}
    for match in _FIELD.finditer(header):
        name, value = match[1].decode("ascii"), decode(match[2])[0].strip()
        said.setdefault(name, value)
        if name == _CIK and _NUMBER.fullmatch(value):
            submission.ciks.add(int(value))
    cik = said.get(_CIK, "")
    submission.company_name = said.get("COMPANY CONFORMED NAME") or None
    submission.cik = int(cik) if _NUMBER.fullmatch(cik) else None
    submission.form = said.get("CONFORMED SUBMISSION TYPE") or None
    submission.period_end = _day(said.get("CONFORMED PERIOD OF REPORT", ""))
    submission.accession = said.get("ACCESSION NUMBER") or None
    submission.filed_on = _day(said.get("FILED AS OF DATE", ""))


def _day(given: str) -> date | None:
    """A day written as 19971231; null for what is none."""
    try:
        return date(int(given[:4]), int(given[4:6]), int(given[6:8]))
    except ValueError:
        return None


def _document(
    data: bytes, start: int, end: int, stop: int, sequence: int, *, is_cut: bool
) -> SubmittedDocument:
    """Read a document whose tag begins at `start` and ends at `end`, and which ends at `stop`."""
    opening = next((match for match in _TEXT.finditer(data, end, stop) if not match[1]), None)
    first = opening.end() if opening else end
    last = stop
    for match in _TEXT.finditer(data, first, stop):
        if match[1]:
            last = match.start()
            break
    said = {
        match[1].decode("ascii"): decode(match[2])[0].strip()
        for match in _TAGGED.finditer(data, start, opening.start() if opening else stop)
    }
    number = said.get("SEQUENCE", "")
    content = data[first:last]
    return SubmittedDocument(
        type=said.get("TYPE", ""),
        sequence=int(number) if re.fullmatch("[0-9]{1,6}", number) else sequence,
        filename=said.get("FILENAME", ""),
        description=said.get("DESCRIPTION", ""),
        content=content,
        offset=first,
        kind=_kind(content),
        is_cut=is_cut,
    )


def _kind(content: bytes) -> str:
    if _ENCODED.match(content[:400]):
        return "encoded"
    return "html" if _MARKUP.search(content[:4096]) else "plain"
