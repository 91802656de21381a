"""What the files of a set name: its questions, passages and pages, and the system of a file."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, Final

from finrag.records.fields import optional_text
from finrag.sources.benchmarks.records import SPACES, Source

# Sets whose own questions count `page` from 1; the others count it from 0.
_FROM_ONE: Final = ("graded_queries", "kgrag", "nested_queries")
_SYSTEM_FOLDERS: Final = ("predictions", "rankings", "runs")
_ENDINGS: Final = re.compile(
    r"(?:\.(?:predictions|eval|rankings|json|jsonl|ndjson|csv|parquet|run|txt|gz))+$", re.I
)


def first_page(benchmark: str) -> int:
    """Return the number of the first page as a set counts `page`: 0 or 1."""
    return 1 if benchmark in _FROM_ONE else 0


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
