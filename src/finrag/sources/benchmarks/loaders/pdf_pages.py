"""Pages of PDF documents: press releases, slides, reports."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from finrag.records.fields import (
    Record,
    optional_text,
    original_json,
    required_grid,
    required_mapping,
    required_mappings,
    required_whole,
)
from finrag.sources.benchmarks.records import Loaded, Passage, Source
from finrag.sources.benchmarks.tables import page_id, table_passages


def load_pdf_page(record: Record, source: Source) -> Loaded:
    """Load a page as `finrag.records.pdf_pages.read_pages` reads it.

    The file names the document. Passages are the page (none if it is blank) and its ruled tables
    with their rows and cells, whose ids begin with the id of the table: `acme_q3_p4_t1` is the
    first table of the fourth page of `acme_q3.pdf`. Their title is the document's name and the
    title of the page, or the caption of the table; the first page has the name alone. The text of
    a table begins with its caption.

    Raises:
        RecordFaultError: a field is missing or of a wrong kind.
    """
    document = PurePosixPath(source.file.replace("\\", "/")).stem
    page = required_whole(record, "page", least=1) - 1
    heading = optional_text(record, "title")
    tables = [
        passage
        for number, table in enumerate(required_mappings(record, "tables"), start=1)
        for passage in _table(table, f"{document}_p{page + 1}_t{number}", heading, document, page)
    ]
    text = optional_text(record, "text") or ""
    title = f"{document}: {heading}" if heading and page else document
    pages = [Passage(page_id(document, page), document, "page", page, text, page=page, title=title)]
    return Loaded(
        original_json(record, ("text", "tables")), passages=(*(pages if text else ()), *tables)
    )


def _table(
    record: Mapping[str, Any], table: str, heading: str | None, document: str, page: int
) -> list[Passage]:
    before = required_mapping(record, "before")
    counts = {unit: required_whole(before, unit) for unit in ("table", "row", "cell")}
    caption = optional_text(record, "caption") or heading
    return [
        replace(
            passage,
            document_id=document,
            position=passage.position + counts[passage.space],
            text=f"{caption}\n{passage.text}"
            if caption and passage.space == "table"
            else passage.text,
            table=counts["table"],
            page=page,
            title=f"{document}: {caption}" if caption else document,
        )
        for passage in table_passages(table, [required_grid(record.get("rows"), "rows")])
    ]
