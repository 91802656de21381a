"""Reading one filing as filed, from its bytes to the rows of the warehouse."""

from __future__ import annotations

import gc
import hashlib
import operator
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from datetime import date
from operator import attrgetter
from typing import Any, Final

import pyarrow as pa

from finrag.filings.audits import audit_facts
from finrag.filings.facts import identity_facts, read_facts, read_schedule, tagged_ciks
from finrag.filings.html import parse_markup, read_markup
from finrag.filings.items import find_items
from finrag.filings.layout import continues, heading_paths, mark_layout, read_notes
from finrag.filings.model import (
    Block,
    Document,
    Fact,
    FactAudit,
    Identity,
    Note,
    Section,
    Table,
)
from finrag.filings.periods import document_context, read_cover_period
from finrag.filings.plain import read_plain_blocks
from finrag.filings.schema import (
    BLOCK_TYPE,
    FACT_TYPE,
    LINE_KINDS,
    SECTION_TYPE,
    TABLE_TYPE,
)
from finrag.filings.submissions import Submission, SubmittedDocument, decode, read_submission
from finrag.filings.tables import read_tables
from finrag.records.files import RecordFaultError
from finrag.records.identity import (
    FIRST_YEAR,
    LAST_YEAR,
    make_filing_id,
    normalise_form,
    report_year_of,
)

Row = dict[str, Any]

FORMS: Final = frozenset(
    (*("10-K", "10-K405", "10-KSB", "10-KT", "10-KSB40"), *("10-Q", "10-QSB", "10-QT"))
)
"""Forms that are read, and their amendments."""

_LISTING_ADVICE: Final = "list the file in a CSV, and set the dbt var filings_path to it"
_QUARTER_DAYS: Final = 92


def _columns(
    made: type[Section | Block | Table | Fact], columns: pa.StructType
) -> Callable[[Any], Row]:
    """A function that gives the columns which objects have as attributes of the same names."""
    attributes = {one.name for one in fields(made)}
    names = [one.name for one in columns if one.name in attributes]
    values = attrgetter(*names)
    return lambda one: dict(zip(names, values(one), strict=True))


_OF_SECTION: Final = _columns(Section, SECTION_TYPE)
_OF_BLOCK: Final = _columns(Block, BLOCK_TYPE)
_OF_TABLE: Final = _columns(Table, TABLE_TYPE)
_OF_FACT: Final = _columns(Fact, FACT_TYPE)


@dataclass(slots=True)
class _Part:
    """A document of a filing, read as far as it goes."""

    submitted: SubmittedDocument
    encoding: str
    parser: str
    document: Document
    facts: list[Fact]
    tables: dict[int, Table] = field(default_factory=dict)
    audits: list[FactAudit] = field(default_factory=list)
    paths: list[tuple[str, ...]] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    # Whether each block goes on with the sentence before it.
    goes_on: list[bool] = field(default_factory=list)
    # Item, and span in the text of its section, of the blocks that have one.
    places: dict[int, tuple[str, int | None, int | None]] = field(default_factory=dict)

    @property
    def blocks(self) -> list[Block]:
        """Its blocks."""
        return self.document.blocks


@contextmanager
def _without_collector() -> Iterator[None]:
    """Stop the collector of cycles for a while.

    A filing becomes a million objects and hardly a cycle, over which it would go again and again.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@_without_collector()
def read_filing(data: bytes, given: Identity, max_cells: int = 200_000) -> Row:
    """Read a filing.

    Args:
        data: the file, unpacked: one HTML document, one text, or a full submission with its
            exhibits.
        given: what a list of filings states of it; goes before what the filing says of itself.
        max_cells: of a table; what a table holds beyond them is dropped and flagged.

    Returns:
        The columns of a record of filings, from `filing_id` to `sections` without the name of its
        file, and those of `FILED_FIELDS`. The text of a section is its blocks joined by line ends,
        without furniture; a row of a table is a line, its cells parted by tabs.

    Raises:
        RecordFaultError: it is empty or no filing, of a form that is not read, of unknown or
            impossible identity, of another one than the list states, or none of its items is found.
    """
    submission = read_submission(data)
    if submission is None:
        reason = "it holds no text: it is a PDF, an archive or a picture"
        raise RecordFaultError("not_text", reason, "replace it by the HTML or text of the filing")
    parts = [_read_document(document, max_cells) for document in submission.documents]
    identity = _identity(given, submission, parts)
    form = _form(identity)
    year = _report_year(identity)
    main = _main_of(parts, form)
    exhibits = [number for number in range(len(parts)) if number != main]
    for part in parts:
        mark_layout(part.blocks)
        part.paths = heading_paths(part.blocks)
    sections = find_items(
        parts[main].blocks,
        form,
        year,
        [(parts[number].submitted.type, parts[number].blocks) for number in exhibits],
    )
    if not any(section.spans for section in sections):
        reason = "it contains none of the items of its form"
        if "too_deep" in parts[main].document.flags:
            reason += "; its elements are nested over 2,000 deep, and deeper text may not be read"
        advice = "check that the file is the whole filing, or remove it"
        raise RecordFaultError("no_items", reason, advice)
    printed = _printed_period(given, submission, parts[main])
    if form.startswith("10-Q") and identity.period_end is None:
        identity = replace(identity, period_end=_printed_quarter(printed, year))
    for part in parts:
        _read_tables(part, printed, form)
    places = [main, *exhibits]
    rows = [
        _section_row(
            section, places[0 if section.exhibit is None else section.exhibit + 1], parts, main
        )
        for section in _spread(sections)
    ]
    return {
        **_identity_row(identity, form, year, parts),
        "sections": rows,
        **_filed_row(parts, identity),
    }


def _read_document(submitted: SubmittedDocument, max_cells: int) -> _Part:
    """Read a document into blocks and facts."""
    if submitted.kind == "encoded":
        return _Part(submitted, "binary", "none", Document(), [])
    text, encoding = decode(submitted.content)
    flags = ["cut"] if submitted.is_cut else []
    if submitted.type.upper().startswith("EX-27"):
        document = Document(read_plain_blocks(text, submitted.offset, encoding), flags=flags)
        return _Part(submitted, encoding, "sgml", document, read_schedule(text))
    if submitted.kind == "plain":
        document = Document(read_plain_blocks(text, submitted.offset, encoding), flags=flags)
        return _Part(submitted, encoding, "text", document, [])
    # Places are those of the source wherever it is not recoded: in UTF-8, and in plain letters.
    data = text.encode("utf-8", "replace")
    del text
    root, parser, found = parse_markup(data)
    document = Document() if root is None else read_markup(root, len(data), max_cells)
    document.flags = sorted({*flags, *found, *document.flags})
    facts = read_facts(document)
    # Each of its elements keeps the whole tree in memory, by far the largest thing there.
    document.headers.clear()
    return _Part(submitted, encoding, parser, document, facts)


def _identity(given: Identity, submission: Submission, parts: Sequence[_Part]) -> Identity:
    """What is known of a filing: from the list, else its own tags, else the header."""
    facts = [fact for part in parts for fact in part.facts]
    tagged = _tagged_identity(identity_facts(facts))
    header = Identity(
        cik=submission.cik,
        name=submission.company_name,
        form=submission.form,
        period_end=submission.period_end,
        accession=submission.accession,
    )
    # A year in which nothing was filed is a slip: what else is said of the period counts.
    sources = [
        one if _is_possible(one.period_end) else replace(one, period_end=None)
        for one in (given, tagged, header)
    ]
    given = sources[0]
    typed = [Identity(form=one.type) for one in submission.documents if one.type.startswith("10")]
    _check_list(given, [*sources[1:], *typed], tagged_ciks(facts) | submission.ciks)

    def first(name: str) -> Any:
        return next((value for one in sources if (value := getattr(one, name)) is not None), None)

    merged = Identity(**{name: first(name) for name in Identity.__dataclass_fields__})
    # A list that states a year alone means the filing of that year, whatever day it names itself.
    return merged if given.period_end is None else replace(merged, fiscal_year=None)


def _check_list(given: Identity, own: Sequence[Identity], ciks: Collection[int]) -> None:
    """Refuse what a list states against all that the filing says of itself.

    Args:
        given: what the list states.
        own: what tags, header and types of documents say; without any, nothing is compared.
        ciks: of all companies that they name.
    """
    days = [one.period_end for one in own if one.period_end is not None]
    said: dict[str, Collection[Any]] = {"cik": ciks, "form": [one.form for one in own if one.form]}
    if given.period_end is not None:
        said["period_end"] = days
    else:
        said["fiscal_year"] = [report_year_of(day) for day in days]
    for name, found in said.items():
        listed = getattr(given, name)
        if listed is None or not found or any(_FITS[name](listed, one) for one in found):
            continue
        own_values = " or ".join(sorted({str(one) for one in found}))
        reason = f"the list says that its {name} is {listed}, the filing itself says {own_values}"
        raise RecordFaultError("identity_conflict", reason, "correct the list")


def _is_same_kind(listed: str, own: str) -> bool:
    """Whether both are annual, or both quarterly, and both amended or not.

    What is no form contradicts none.
    """
    try:
        kind = normalise_form(own)
    except ValueError:
        return True
    return kind[:4] == listed[:4] and kind.endswith("/A") == listed.endswith("/A")


_FITS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "cik": operator.eq,
    "form": _is_same_kind,
    # Years of 52 or 53 weeks end on other days than the quarters of the calendar.
    "period_end": lambda listed, own: abs((listed - own).days) <= 10,
    "fiscal_year": lambda listed, own: abs(listed - own) <= 1,
}
"""Whether what a list states is what a filing says of itself."""


def _is_possible(day: date | None) -> bool:
    return day is None or FIRST_YEAR <= report_year_of(day) <= LAST_YEAR


def _tagged_identity(said: Mapping[str, str]) -> Identity:
    cik, day = said.get("cik", ""), said.get("period_end")
    form = said.get("form")
    is_amendment = said.get("is_amendment") == "true" and form and not form.endswith("/A")
    return Identity(
        cik=int(cik) if cik.isdecimal() and cik.isascii() else None,
        name=said.get("name"),
        ticker=said.get("ticker"),
        form=f"{form}/A" if is_amendment else form,
        period_end=date.fromisoformat(day) if day else None,
    )


def _form(identity: Identity) -> str:
    if identity.cik is None or identity.form is None:
        missing = "whose it is" if identity.cik is None else "which form it is"
        raise RecordFaultError("no_identity", f"nothing says {missing}", _LISTING_ADVICE)
    try:
        form = normalise_form(identity.form)
    except ValueError as error:
        raise RecordFaultError("bad_form", str(error), _LISTING_ADVICE) from error
    if form.removesuffix("/A") not in FORMS:
        reason = f"its form is {form}, which has no items that finrag reads"
        raise RecordFaultError("unknown_form", reason, "remove it from the corpus")
    return form


def _report_year(identity: Identity) -> int:
    if identity.fiscal_year is not None:
        return identity.fiscal_year
    if identity.period_end is not None:
        return report_year_of(identity.period_end)
    reason = "nothing says which period it reports on"
    raise RecordFaultError("no_period", reason, _LISTING_ADVICE)


def _main_of(parts: Sequence[_Part], form: str) -> int:
    """Number of the document that is the form itself: the first of its type, else the first."""
    types = [part.submitted.type.upper() for part in parts]
    return types.index(form) if form in types else 0


def _printed_period(given: Identity, submission: Submission, main: _Part) -> date | None:
    """Last day of the period that readings lean on: as listed, in the header, or on the cover.

    Never as tagged: readings are held against the tags.
    """
    said = (given.period_end, submission.period_end, read_cover_period(main.blocks))
    return next((day for day in said if day is not None and _is_possible(day)), None)


def _printed_quarter(day: date | None, year: int) -> date:
    """The last day of a quarter of which a year alone is known, from the cover."""
    if day is None or not _FITS["fiscal_year"](year, report_year_of(day)):
        reason = "nothing says in which quarter of the year it ends"
        raise RecordFaultError("no_period", reason, _LISTING_ADVICE)
    return day


def _read_tables(part: _Part, period_end: date | None, form: str) -> None:
    """Read the tables of a document, then hold its facts against what is read."""
    context = document_context(part.blocks, period_end, form)
    part.tables = read_tables(part.blocks, context)
    for number, table in part.tables.items():
        part.blocks[number].text = table.text
    part.audits = audit_facts(part.facts, part.tables, part.blocks, context)
    part.goes_on = continues(part.blocks)


def _spread(sections: Sequence[Section]) -> Iterator[Section]:
    """Each item by itself: of those under one heading the first has the text."""
    for section in sections:
        yield section
        for item in section.combined_with:
            others = (section.item, *(other for other in section.combined_with if other != item))
            yield replace(section, item=item, combined_with=others, spans=())


def _section_row(section: Section, place: int, parts: Sequence[_Part], main: int) -> Row:
    """Write the text of a section, and note where its blocks stand in it."""
    part = parts[place]
    lines: list[str] = []
    kinds: list[str] = []
    length = 0
    for number in (n for first, last in section.spans for n in range(first, last)):
        block = part.blocks[number]
        if block.kind == "furniture" or not block.text:
            part.places.setdefault(number, (section.item, None, None))
            continue
        part.places[number] = (section.item, length, length + len(block.text))
        kind = LINE_KINDS["continued"] if part.goes_on[number] and lines else LINE_KINDS[block.kind]
        kinds.append(kind * (block.text.count("\n") + 1))
        lines.append(block.text)
        length += len(block.text) + 1
    notes = [note for first, last in section.spans for note in read_notes(part.blocks, first, last)]
    part.notes += notes
    return {
        **_OF_SECTION(section),
        "section_text": "\n".join(lines),
        "line_kinds": "".join(kinds) if lines else None,
        "exhibit_part_pos": None if place == main else place,
        "notes": [_note_row(note, part) for note in notes],
    }


def _note_row(note: Note, part: _Part) -> Row:
    spans = [
        part.places[number] for number in range(note.first, note.last) if number in part.places
    ]
    starts = [start for _, start, _ in spans if start is not None]
    ends = [end for _, _, end in spans if end is not None]
    return {
        "note_number": note.number,
        "note_title": note.title,
        "note_kind": note.kind,
        "char_start": min(starts, default=None),
        "char_end": max(ends, default=None),
    }


def _identity_row(identity: Identity, form: str, year: int, parts: Sequence[_Part]) -> Row:
    cik = identity.cik or 0
    # Three quarterly reports of a year would share an id.
    end = identity.period_end
    named = form
    if form.startswith("10-Q") and end:
        named = f"{form.removesuffix('/A')}{_quarter(end, parts)}{'A' * form.endswith('/A')}"
    try:
        filing_id = make_filing_id(cik, named, year)
    except ValueError as error:
        raise RecordFaultError("bad_identity", str(error), _LISTING_ADVICE) from error
    return {
        "filing_id": filing_id,
        "cik_int": cik,
        "company_name": identity.name,
        "ticker": identity.ticker,
        "form": form,
        "report_year": year,
        "fiscal_year_end": None if form.startswith("10-Q") else identity.period_end,
    }


def _quarter(end: date, parts: Sequence[_Part]) -> int:
    """Which quarter of the fiscal year ends: three, six or nine months are reported on.

    Said by the longest period that headers of tables name and that ends with the filing's own;
    else by the calendar.
    """
    days = [
        (end - cell.period_start).days + 1
        for part in parts
        for table in part.tables.values()
        for cell in table.cells
        if cell.period_start is not None and cell.period_end == end
    ]
    quarters = [round(length / _QUARTER_DAYS) for length in days]
    known = [quarter for quarter in quarters if 1 <= quarter <= 3]
    # One table of many years says nothing against all others.
    most = max(known, key=lambda quarter: (known.count(quarter) >= 10, quarter), default=None)
    return most if most is not None else min((end.month - 1) // 3 + 1, 3)


def _filed_row(parts: Sequence[_Part], identity: Identity) -> Row:
    """The rows of all documents: parts, blocks, tables, cells, facts."""
    rows: Row = {"parts": [], "blocks": [], "tables": [], "cells": [], "facts": []}
    for number, part in enumerate(parts):
        rows["parts"].append(
            {
                "part_pos": number,
                "document_type": part.submitted.type or identity.form,
                "file_name": part.submitted.filename or None,
                "accession": identity.accession,
                "content_hash": hashlib.sha256(part.submitted.content).hexdigest(),
                "encoding": part.encoding,
                "parser": part.parser,
                "n_bytes": len(part.submitted.content),
                "n_blocks": len(part.blocks),
                "n_tables": len(part.tables),
                "n_facts": len(part.facts),
                "flags": part.document.flags,
            }
        )
        rows["blocks"] += _block_rows(number, part)
        rows["tables"] += [_table_row(number, at, table) for at, table in part.tables.items()]
        for at, table in part.tables.items():
            rows["cells"] += _cell_rows(number, at, table, part.places.get(at))
        rows["facts"] += _fact_rows(number, part)
    return rows


def _block_rows(number: int, part: _Part) -> list[Row]:
    notes = {at: note for note in part.notes for at in range(note.first, note.last)}
    rows = []
    for place, block in enumerate(part.blocks):
        item, start, end = part.places.get(place, (None, None, None))
        note = notes.get(place)
        rows.append(
            {
                "part_pos": number,
                "block_pos": place,
                "item": item,
                **_OF_BLOCK(block),
                "heading_path": part.paths[place],
                "note_number": note.number if note else None,
                "note_title": note.title if note else None,
                "note_kind": note.kind if note else None,
                "char_start": start,
                "char_end": end,
            }
        )
    return rows


def _table_row(number: int, place: int, table: Table) -> Row:
    return {"part_pos": number, "block_pos": place, **_OF_TABLE(table)}


def _cell_rows(
    number: int, place: int, table: Table, span: tuple[str, int | None, int | None] | None
) -> list[Row]:
    offset = span[1] if span else None
    return [
        {
            "part_pos": number,
            "block_pos": place,
            "row_pos": cell.row_pos,
            "col_pos": cell.col_pos,
            "row_path": cell.row_path,
            "column_path": cell.column_path,
            "text": cell.text,
            "kind": cell.kind,
            "value": cell.value,
            "low": cell.low,
            "high": cell.high,
            "unit": cell.unit,
            "scale": cell.scale,
            "scale_source": cell.scale_source,
            "is_negative": cell.is_negative,
            "period_start": cell.period_start,
            "period_end": cell.period_end,
            "footnote_marks": cell.footnote_marks,
            "is_header": cell.is_header,
            "is_label": cell.is_label,
            "char_start": None if offset is None else offset + cell.start,
            "char_end": None if offset is None else offset + cell.end,
        }
        for cell in table.cells
    ]


def _fact_rows(number: int, part: _Part) -> list[Row]:
    by_place = {
        (block, *place): cell
        for block, table in part.tables.items()
        for cell in table.cells
        for place in cell.places
    }
    rows = []
    for position, (fact, audit) in enumerate(zip(part.facts, part.audits, strict=True)):
        cell = by_place.get((fact.block, fact.row, fact.column))
        span = part.places.get(fact.block)
        start = end = None
        if span is not None and span[1] is not None:
            first, last = (cell.start, cell.end) if cell else (fact.start, fact.end)
            start, end = span[1] + first, span[1] + last
        rows.append(
            {
                "part_pos": number,
                "fact_pos": position,
                **_OF_FACT(fact),
                "sign": "-" if fact.sign else None,
                "dimensions": [{"axis": axis, "member": one} for axis, one in fact.dimensions],
                "block_pos": fact.block if fact.block >= 0 else None,
                "row_pos": cell.row_pos if cell else None,
                "col_pos": cell.col_pos if cell else None,
                "char_start": start,
                "char_end": end,
                "verdict": audit.verdict,
                "value_read": audit.value,
                "is_period_right": audit.period_agrees,
                "reason": audit.reason,
            }
        )
    return rows
