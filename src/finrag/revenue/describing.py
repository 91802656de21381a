"""Describes the lines of a filing's revenue in its own words, once for each system.

A system reads some blocks, makes readings of them, and takes the first that passes its gate. A
description is made of quotes alone; one whose quotes do not stand in their blocks is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import pyarrow as pa

from finrag.llm.asking import Reply, Request, ask_all
from finrag.llm.calls import CALL_TYPE, Call
from finrag.llm.endpoints import model_named
from finrag.records.columns import nullable, required
from finrag.revenue.composing import (
    UNREAD,
    Choices,
    choices,
    first_with_label,
    leading,
    request,
)
from finrag.revenue.filings import Filing, Line, read_filings
from finrag.revenue.gate import refusal
from finrag.revenue.pages import Block
from finrag.revenue.searching import Candidate, Embedded, candidates, embed_filings
from finrag.revenue.words import Reading, read_lines

STAGE: Final = "describe"
DESCRIBED, NOT_DESCRIBED = "described", "not_described"
GATE_FAILED, FAILED = "gate_failed", "failed"
# Filings are described so many blocks at a time: what is embedded or asked at once.
BATCH_BLOCKS: Final = 50_000

SPAN: Final = pa.struct(
    [
        *required(pa.string(), "block_id", "quote"),
        *required(pa.int32(), "quote_start", "quote_end"),
    ]
)
LINE_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), "system_id", "revenue_line_id", "filing_id", "label", "status"),
        pa.field("text", pa.string()),
        pa.field("block_ids", pa.list_(pa.string()), nullable=False),
        pa.field("spans", pa.list_(SPAN), nullable=False),
        pa.field("products", pa.list_(pa.string()), nullable=False),
        pa.field("kind", pa.string()),
        pa.field("tier", pa.int32()),
        *nullable(pa.float64(), "score", "threshold"),
        *required(pa.bool_(), "gate_passed", "validated"),
        pa.field("error", pa.string()),
        pa.field("calls", pa.list_(CALL_TYPE), nullable=False),
    ]
)


def describe_lines(
    systems: pa.Table, leaves: pa.Table, blocks: pa.RecordBatchReader, settings: Mapping[str, Any]
) -> pa.RecordBatchReader:
    """Describe every line with every system, filing by filing.

    Args:
        systems: rows of ``line_systems``.
        leaves: see ``filings.read_filings``; all lines of a filing, for they refuse one another's
            texts.
        blocks: likewise; the large side.
        settings: ``state_dir``, ``encoder_batch_size``, ``encoder_threads``.

    Returns:
        One row per system and line (``LINE_SCHEMA``): by filing, then system, then line.

    Raises:
        ValueError: an unknown encoder or prompt; see also ``asking.ask_all``.
    """
    registered = sorted(systems.to_pylist(), key=lambda row: str(row["system_id"]))
    filings = read_filings(leaves, blocks)
    return pa.RecordBatchReader.from_batches(LINE_SCHEMA, _described(registered, filings, settings))


def _described(
    systems: Sequence[Mapping[str, Any]], filings: Iterator[Filing], settings: Mapping[str, Any]
) -> Iterator[pa.RecordBatch]:
    for batch in _batches(filings):
        embedded = embed_filings(systems, batch, settings)
        tasks = [
            task
            for filing in batch
            for system in systems
            for task in _tasks(system, filing, embedded.get(str(system.get("encoder")), {}))
        ]
        results = _results(tasks, str(settings["state_dir"]))
        rows = [_row(task, result) for task, result in zip(tasks, results, strict=True)]
        yield pa.RecordBatch.from_pylist(rows, schema=LINE_SCHEMA)


def _batches(filings: Iterator[Filing]) -> Iterator[list[Filing]]:
    batch: list[Filing] = []
    for filing in filings:
        batch.append(filing)
        if sum(len(one.blocks) for one in batch) >= BATCH_BLOCKS:
            yield batch
            batch = []
    if batch:
        yield batch


@dataclass(frozen=True)
class _Task:
    """A line that a system describes.

    Attributes:
        system: as registered.
        filing: with its blocks.
        line: that is described.
        found: what may be read, by place.
        readings: what the composer makes of them; of a model what the rules do.
        offered: what a model chooses from; None for every other composer.
    """

    system: Mapping[str, Any]
    filing: Filing
    line: Line
    found: Mapping[int, Candidate]
    readings: Sequence[Reading]
    offered: Choices | None


@dataclass(frozen=True)
class _Result:
    """What a composer made of a line; a failure is one sentence on why it made nothing."""

    readings: Sequence[Reading]
    failure: str | None = None
    calls: Sequence[Call] = ()


def _tasks(system: Mapping[str, Any], filing: Filing, embedded: Embedded) -> Iterator[_Task]:
    composer = str(system["composer"])
    found = candidates(system, filing, embedded)
    read = {} if composer in ("leading", "keyword") else _read(filing, found)
    for line in filing.lines:
        places = {one.place: one for one in found[line.leaf.line_id]}
        readings = read.get(line.leaf.line_id, [])
        if composer == "leading":
            readings = leading(filing, line, places)
        if composer == "keyword":
            readings = first_with_label(filing, line)
        offered = None
        if model_named(composer):
            # A sentence that the gate would refuse need not be offered.
            is_gated = system["gate"] == "on"
            open_to = [one for one in places if not is_gated or filing.tier(line, [one])]
            offered = choices(filing, line, readings, open_to)
        yield _Task(system, filing, line, places, readings, offered)


def _read(filing: Filing, found: Mapping[str, Sequence[Candidate]]) -> dict[str, list[Reading]]:
    """Readings by the rules, each within the blocks that were found for its line."""
    allowed = {
        line_id: {filing.blocks[one.place].block_id for one in places}
        for line_id, places in found.items()
    }
    leaves = [line.leaf for line in filing.lines]
    read = read_lines(leaves, filing.blocks, allowed=set().union(*allowed.values()))
    return {
        line_id: [
            one for one in readings if {quote.block_id for quote in one.quotes} <= allowed[line_id]
        ]
        for line_id, readings in read.items()
    }


def _results(tasks: Sequence[_Task], state_dir: str) -> Iterator[_Result]:
    """What the composers made of each task, in their order; a model is asked all at once."""
    asked: dict[str, list[Request]] = {}
    for task in tasks:
        if task.offered is not None and task.offered.quotes:
            one = request(task.system, task.offered)
            asked.setdefault(model_named(task.system["composer"]), []).append(one)
    replies = {model: ask_all(asked[model], model, STAGE, state_dir) for model in sorted(asked)}
    for task in tasks:
        if task.offered is None:
            yield _Result(task.readings)
        elif not task.offered.quotes:
            yield _Result([])
        else:
            yield _chosen(task.offered, next(replies[model_named(task.system["composer"])]))


def _chosen(offered: Choices, reply: Reply) -> _Result:
    calls = (*reply.earlier, reply.call)
    if reply.text is None:
        return _Result([], reply.failure or "the model gave no text", calls)
    try:
        return _Result(offered.chosen(reply.text), None, calls)
    except ValueError as error:
        return _Result([], str(error), calls)


def joined(readings: Sequence[Reading]) -> Reading:
    """The first of some readings, with what the others quote from other blocks behind it.

    A segment's text adds nothing to what is said of the line itself.
    """
    first = readings[0]
    added, blocks = [first], {quote.block_id for quote in first.quotes}
    for reading in readings[1:]:
        own = {quote.block_id for quote in reading.quotes}
        is_wider = reading.kind == "segment" != first.kind
        if not is_wider and not blocks & own:
            added.append(reading)
            blocks |= own
    return replace(
        first,
        quotes=tuple(quote for reading in added for quote in reading.quotes),
        products=tuple(dict.fromkeys(one for reading in added for one in reading.products)),
    )


def flaw(reading: Reading, found: Mapping[str, Block]) -> str | None:
    """Why a reading is not what the filing says; None where every quote stands in its block.

    Args:
        reading: of a line.
        found: the blocks that might be read, by id.
    """
    for quote in reading.quotes:
        block = found.get(quote.block_id)
        if block is None:
            return f"{quote.block_id} is not among the blocks that were found"
        text = _collapsed(quote.text)
        if not text or text not in _collapsed(block.text):
            return f"a quote does not stand in {quote.block_id}"
        if _collapsed(block.text[quote.start : quote.end]) != text:
            return f"a quote stands elsewhere in {quote.block_id}"
    return None


def _row(task: _Task, result: _Result) -> dict[str, Any]:
    row = {
        "system_id": task.system["system_id"],
        "revenue_line_id": task.line.leaf.line_id,
        "filing_id": task.filing.filing_id,
        "label": task.line.leaf.label,
        "block_ids": [],
        "spans": [],
        "products": [],
        "gate_passed": False,
        "validated": False,
        "calls": [vars(call) for call in result.calls],
    }
    if result.failure is not None:
        return {**row, "status": FAILED, "error": result.failure}
    if not result.readings:
        return {**row, "status": NOT_DESCRIBED}
    is_gated = task.system["gate"] == "on"
    refusals = {reading: refusal(reading, task.filing, task.line) for reading in result.readings}
    passed = [one for one, why in refusals.items() if why is None or not is_gated]
    if not passed:
        return {**row, "status": GATE_FAILED, "error": next(iter(refusals.values()))}
    first = joined(passed[: int(task.system.get("n_texts") or 1)])
    blocks = [task.filing.blocks[place] for place in task.found]
    if why := flaw(first, {block.block_id: block for block in blocks}):
        return {**row, "status": FAILED, "error": why}
    return {**row, **_description(task, first), "gate_passed": refusals[passed[0]] is None}


def _description(task: _Task, reading: Reading) -> dict[str, Any]:
    found = [task.found[task.filing.places[quote.block_id]] for quote in reading.quotes]
    best = max(found, key=lambda one: one.score or 0.0)
    return {
        "status": DESCRIBED,
        "text": " ".join(_collapsed(quote.text) for quote in reading.quotes),
        "block_ids": list(dict.fromkeys(quote.block_id for quote in reading.quotes)),
        "spans": [
            {
                "block_id": quote.block_id,
                "quote": quote.text,
                "quote_start": quote.start,
                "quote_end": quote.end,
            }
            for quote in reading.quotes
        ],
        "products": list(reading.products),
        "kind": reading.kind if reading.kind != UNREAD else None,
        "tier": reading.tier or None,
        "score": reading.score if best.score is None else best.score,
        "threshold": best.threshold,
        "validated": True,
    }


def _collapsed(text: str) -> str:
    return " ".join(text.split())
