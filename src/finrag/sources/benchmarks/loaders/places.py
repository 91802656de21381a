"""Places that files name: a passage by its id, or a page of a document."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, Final

from finrag.records.fields import (
    bad_field,
    missing_field,
    optional_text,
    optional_whole,
    required_text,
)
from finrag.records.files import RecordFaultError
from finrag.records.identity import is_missing
from finrag.sources.benchmarks.records import SPACES, Place, Source

# Sets whose own questions count `page` from 1; the others count it from 0.
_FROM_ONE: Final = ("graded_queries", "kgrag", "nested_queries")
_LOCATORS: Final = ("page", "page_num", "slide", "passage_id", "sentence_id")
_SYSTEM_FOLDERS: Final = ("predictions", "rankings", "runs")
_ENDINGS: Final = re.compile(
    r"(?:\.(?:predictions|eval|rankings|json|jsonl|ndjson|csv|parquet|run|txt|gz))+$", re.I
)


def first_page(benchmark: str) -> int:
    """Return the number of the first page as a set counts `page`: 0 or 1."""
    return 1 if benchmark in _FROM_ONE else 0


def place_of(entry: object, name: str, first: int = 0) -> Place:
    """Return the place that an entry of a list names.

    Args:
        entry: text, which is the id of a passage; or an object with `passage_id` (or
            `sentence_id`), or with `document` and one of `page`, `page_num` (from 0) and `slide`
            (from 1), or with `document` alone.
        name: the list, for the fault.
        first: number of the first page where it is named `page`.

    Raises:
        RecordFaultError: the entry names no place or more than one, or a page below the first.
    """
    if isinstance(entry, str) and entry.strip():
        return Place(passage_id=entry.strip())
    if not isinstance(entry, Mapping):
        raise bad_field(name, entry, "a list of passage ids or of objects that name a place")
    locators = [key for key in _LOCATORS if not is_missing(entry.get(key))]
    if len(locators) > 1:
        reason = f"an entry of {name} names {' and '.join(locators)}"
        raise RecordFaultError(f"bad_{name}", reason, f"name one place an entry of {name}")
    if locators in (["passage_id"], ["sentence_id"]):
        return Place(passage_id=required_text(entry, locators[0]))
    document = optional_text(entry, "document", "doc_name", "file")
    if document is None:
        raise missing_field("passage_id", "document")
    if not locators:
        return Place(document=document)
    least = {"page": first, "slide": 1}.get(locators[0], 0)
    number = optional_whole(entry, locators[0], least=least)
    return Place(document=document, page=None if number is None else number - least)


def space_of(passage_id: str) -> str:
    """Return the space that a passage id names after its last `#`, `text` where it names none."""
    word = passage_id.rpartition("#")[2].partition("-")[0]
    return word if "#" in passage_id and word in SPACES else "text"


def system_of(record: Mapping[str, Any], source: Source) -> str:
    """Return the system that a record is of: as it says, else as the file is named.

    A file below `predictions`, `rankings` or `runs` of the set's folder is named by its path from
    there on, so that `finqa/predictions/gpt4/answers.jsonl` is of `gpt4/answers`; another by its
    name. Endings are no part of it. One model asked in two configurations is two systems.
    """
    named = optional_text(record, "system") or _named_by_file(source)
    configuration = optional_text(record, "configuration")
    return f"{named} {configuration}" if configuration else named


def _named_by_file(source: Source) -> str:
    parts = PurePosixPath(source.file.replace("\\", "/")).parts
    starts = [
        place
        for place in range(2, len(parts))
        if parts[place - 2] == source.benchmark and parts[place - 1].lower() in _SYSTEM_FOLDERS
    ]
    name = "/".join(parts[starts[-1] if starts else -1 :])
    return _ENDINGS.sub("", name) or name


def own_id(question_id: str, source: Source) -> str:
    """Return the id of a question in its set; this project's own files put the set in front."""
    return question_id.removeprefix(f"{source.benchmark}:")
