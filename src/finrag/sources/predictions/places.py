"""Places that records name: a passage by its id, or a page of a document."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from finrag.records.fields import bad_field, missing_field, optional_text, whole_number
from finrag.records.files import RecordFaultError
from finrag.records.identity import is_missing
from finrag.text.references import document_key

MAX_TEXT_CHARS: Final = 4_000

_PASSAGES: Final = ("sentence_id", "passage_id")
# What other programs call their chunks; a document with a page says more than such an id.
_CHUNKS: Final = ("id", "evidence_id", "doc_id", "docid", "chunk_id")
_DOCUMENTS: Final = ("document", "doc_name", "file")
_PAGES: Final = ("page", "page_num", "slide")
PLACE_NAMES: Final = (*_PASSAGES, *_CHUNKS, *_DOCUMENTS)


class Place(NamedTuple):
    """A place that a record names.

    Attributes:
        passage_id: the passage; null where a document is named.
        document: name of the document, else null.
        page: 0-based page; null for the document as a whole.
        document_key: what the document is called when names are compared, else null.
    """

    passage_id: str | None = None
    document: str | None = None
    page: int | None = None
    document_key: str | None = None

    def __str__(self) -> str:
        page = "" if self.page is None else f"#page-{self.page}"
        return self.passage_id or f"{self.document}{page}"


def parse_place(entry: object, name: str, first_page: int = 0) -> Place:
    """Return the place that an entry of a list names.

    Args:
        entry: the id of a passage; or an object with `passage_id` or `sentence_id`, or with
            `document` and one of `page`, `page_num` (from 0) and `slide` (from 1), or with another
            id, or with `document` alone. The first of these decides.
        name: the list, for the fault.
        first_page: number of the first page where it is named `page`.

    Raises:
        RecordFaultError: the entry names no place, two pages, or a page below the first.
    """
    if not isinstance(entry, Mapping):
        return _passage(entry, name)
    named = next((entry[key] for key in _PASSAGES if not is_missing(entry.get(key))), None)
    if named is not None:
        return _passage(named, name)
    document = optional_text(entry, *_DOCUMENTS)
    pages = [key for key in _PAGES if not is_missing(entry.get(key))]
    if document is None or not pages:
        chunk = next((entry[key] for key in _CHUNKS if not is_missing(entry.get(key))), None)
        if chunk is not None:
            return _passage(chunk, name)
    if document is None:
        raise missing_field("passage_id", "document")
    if len(pages) > 1:
        reason = f"an entry of {name} names {' and '.join(pages)}"
        raise RecordFaultError(f"bad_{name}", reason, f"name one place per entry of {name}")
    page = None
    if pages:
        least = {"page": first_page, "slide": 1}.get(pages[0], 0)
        page = whole_number(entry[pages[0]], pages[0], least) - least
    return Place(None, clean_text(document), page, document_key(document))


def clean_text(text: str) -> str:
    """Return text without NUL, which tables cannot hold, and without white space around it."""
    return text.replace("\0", "\ufffd").strip()


def _passage(value: object, name: str) -> Place:
    if isinstance(value, bool) or not isinstance(value, str | int) or is_missing(value):
        raise bad_field(name, value, "a list of passage ids or of objects that name a place")
    return Place(clean_text(str(value))[:MAX_TEXT_CHARS])
