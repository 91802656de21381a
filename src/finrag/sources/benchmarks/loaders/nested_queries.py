"""Query lines with their gold nested inside, and the files of the tables that they name."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from finrag.records.fields import (
    answer_texts,
    bad_field,
    missing_field,
    objects,
    optional_number,
    optional_text,
    optional_whole,
    original_json,
    parse_number,
    required_list,
    required_mapping,
    required_mappings,
    required_text,
    required_texts,
    truth,
    value_text,
)
from finrag.records.files import RecordFaultError
from finrag.records.identity import is_missing
from finrag.sources.benchmarks.records import Judgment, Loaded, Question, Source
from finrag.sources.benchmarks.tables import table_id, table_passages


def load_nested_queries(record: Mapping[str, Any], _source: Source) -> Loaded:
    """Load a line of `query_id`, `question`, `metadata` and `gold`.

    Fields of `metadata`: `category`, `quarter`, `doc_types` (texts), `is_rejection`. They stay in
    `original`, from where summaries take their slices.

    Fields of `gold`:
        expected_value: a number, a text, or a list of texts that are each acceptable.
        unit, currency: of a number, such as `millions` and `USD`.
        tolerance_rel, tolerance_abs: the wider of the two counts. A question has a relative
            tolerance only, so that the absolute one is divided by the value; of a value of 0 it
            is left to `original`.
        source_table_ids: tables that hold the answer.
        citations: objects with `table_id`, or with `page` (from 1), `doc_type` and `quarter`. The
            last two together name the document, as a name in words does.
        answer_speakers: who said it; the question is then of a speaker.

    Raises:
        RecordFaultError: `gold` is missing, holds neither an answer nor evidence, or a field is of
            a wrong kind.
    """
    question_id = required_text(record, "query_id")
    gold = required_mapping(record, "gold")
    metadata = {} if record.get("metadata") is None else required_mapping(record, "metadata")
    _check_slices(metadata)
    speakers = _texts(gold, "answer_speakers")
    answers = speakers or answer_texts(gold.get("expected_value"), "gold.expected_value")
    is_answerable = truth(metadata, "is_rejection") is not True
    judgments = _judgments(question_id, gold)
    if is_answerable and not answers and not judgments:
        raise missing_field("gold.expected_value", "gold.source_table_ids", "gold.citations")
    value = None if speakers else _number(gold.get("expected_value"))
    question = Question(
        question_id,
        required_text(record, "question"),
        answers=answers,
        is_answerable=is_answerable,
        answer_type="speaker" if speakers else "text" if value is None else "numeric",
        scale=_unit(gold),
        tolerance=_tolerance(gold, value),
        category=optional_text(metadata, "category"),
        asks="speaker" if speakers else None,
    )
    return Loaded(original_json(record), (question,), judgments=judgments)


def load_table_file(record: Mapping[str, Any], source: Source) -> Loaded:
    """Load a table from `elements/{doc_id}/tables/{table_id}.json`.

    Fields: `title`, `header` (texts, with or without one over the labels), `rows` (objects of
    `label` and `cells`), `page` (from 1). Document and table are named by the path, unless `doc_id`
    and `table_id` name them. Passages are the table, its rows and its cells; their ids begin with
    the id of the table, which is unique in the set.

    Raises:
        RecordFaultError: a field is missing or of a wrong kind, or a row is wider than the header.
    """
    path = PurePosixPath(source.file.replace("\\", "/"))
    table = optional_text(record, "table_id") or path.name.split(".json", 1)[0]
    document = optional_text(record, "doc_id") or path.parent.parent.name
    page = optional_whole(record, "page", least=1)
    title = optional_text(record, "title")
    place = None if page is None else page - 1
    passages = tuple(
        replace(passage, document_id=document, title=title, page=place)
        for passage in table_passages(table, [_grid(record)], 1)
    )
    return Loaded(original_json(record, ("header", "rows")), passages=passages)


def _grid(record: Mapping[str, Any]) -> list[list[str]]:
    header = required_texts(record, "header")
    rows = [_row(entry) for entry in required_mappings(record, "rows")]
    width = max((len(row) for row in rows), default=0)
    if not rows:
        raise bad_field("rows", [], "a list of one row or more")
    if len(header) == width - 1:
        header = ["", *header]
    if len(header) < width:
        raise bad_field("header", header, f"a list of {width - 1} texts, one a column")
    return [header, *rows]


def _row(entry: Mapping[str, Any]) -> list[str]:
    cells = required_list(entry, "cells")
    for cell in cells:
        if cell is not None and not isinstance(cell, str | int | float):
            raise bad_field("cells", cell, "a list of plain values")
    shown = ["" if cell is None else value_text(cell) for cell in cells]
    return [optional_text(entry, "label") or "", *shown]


def _judgments(question_id: str, gold: Mapping[str, Any]) -> tuple[Judgment, ...]:
    citations = objects(gold, "citations")
    tables = [*_texts(gold, "source_table_ids"), *_tables_cited(citations)]
    of_tables = [
        Judgment(question_id, table, "table", table_id(table, 0)) for table in dict.fromkeys(tables)
    ]
    pages = [_page(question_id, each) for each in citations if is_missing(each.get("table_id"))]
    return (*of_tables, *dict.fromkeys(pages))


def _tables_cited(citations: list[Mapping[str, Any]]) -> Iterator[str]:
    for citation in citations:
        table = optional_text(citation, "table_id")
        if table is not None:
            yield table


def _page(question_id: str, citation: Mapping[str, Any]) -> Judgment:
    page = optional_whole(citation, "page", least=1)
    words = [optional_text(citation, name) for name in ("quarter", "doc_type")]
    document = " ".join(word for word in words if word)
    if not document:
        raise missing_field("citations.table_id", "citations.doc_type")
    reference = document if page is None else f"{document}, page {page}"
    place = None if page is None else page - 1
    return Judgment(question_id, reference, "page", document=document, page=place)


def _check_slices(metadata: Mapping[str, Any]) -> None:
    """Check what becomes a slice: a null or an object would be one of its own."""
    optional_text(metadata, "quarter")
    if not is_missing(metadata.get("doc_types")):
        required_texts(metadata, "doc_types")


def _texts(record: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Return a list of texts, each once; a text alone is a list of one."""
    value = record.get(name)
    if is_missing(value):
        return ()
    entries = required_texts(record if isinstance(value, list) else {name: [value]}, name)
    return tuple(dict.fromkeys(entry.strip() for entry in entries if entry.strip()))


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        return float(parse_number(str(value)))
    except ValueError:
        return None


def _unit(gold: Mapping[str, Any]) -> str | None:
    unit, currency = optional_text(gold, "unit"), optional_text(gold, "currency")
    is_named = currency is not None and unit is not None and currency.lower() in unit.lower()
    words = [unit] if is_named else [currency, unit]
    return " ".join(word for word in words if word) or None


def _tolerance(gold: Mapping[str, Any], value: float | None) -> float | None:
    relative = optional_number(gold, "tolerance_rel")
    absolute = optional_number(gold, "tolerance_abs")
    if absolute is None or not value:
        return relative
    return max(relative or 0.0, absolute / abs(value))


def refuse_nested(record: Mapping[str, Any]) -> None:
    """Refuse a line with nested gold in a file of another format.

    Raises:
        RecordFaultError: the record has `gold`.
    """
    if isinstance(record.get("gold"), Mapping):
        reason = "the record has its gold nested in `gold`, which this format does not"
        advice = "name such a file nested_queries.jsonl"
        raise RecordFaultError("nested_gold", reason, advice)
