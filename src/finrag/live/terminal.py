"""A live question on the terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from finrag.live.page import SIGNS, figure, milliseconds, place, ruling
from finrag.live.records import Asked, SystemAnswer, ToolCall

SOURCES_SHOWN = 5
RANKS_SHOWN = 5
ARGUMENT_CHARS = 100


def answer_lines(asked: Asked) -> Iterator[str]:
    """The answers to a question, line by line; no text of a filing or model moves the cursor."""
    reading = asked.reading
    read = {
        "companies": ", ".join(reading.companies),
        "years": ", ".join(map(str, reading.years)),
        "measures": ", ".join(reading.kpi_labels),
        "risks": ", ".join(reading.risk_topics),
        "sections": ", ".join(reading.section_names),
        "scope": reading.scope,
        "form": reading.answer_form,
    }
    yield plain(asked.question)
    yield "  read as: " + "; ".join(f"{name} {said}" for name, said in read.items() if said)
    for note in asked.notes:
        yield f"  note: {plain(note)}"
    if asked.suite is not None and asked.suite.answer:
        yield f"  expected by {plain(asked.suite.gold_set)}: {plain(asked.suite.answer)}"
    for result in asked.answers:
        yield ""
        yield from _system_lines(result)


def _system_lines(result: SystemAnswer) -> Iterator[str]:
    sign = SIGNS.get(result.outcome, "·")
    yield (
        f"{result.system_id}: {sign} {result.outcome.replace('_', ' ')}, "
        f"{milliseconds(result.latency_ms)}"
    )
    if result.text is not None:
        yield f"  {plain(result.text)}"
    if said := figure(result):
        yield f"  = {plain(said)}"
    if result.why:
        yield f"  {plain(result.why)}"
    if result.verdict is not None:
        word = ruling(result.verdict.is_right)
        decided_by = result.verdict.metric or "nothing"
        yield f"  {SIGNS[word]} {word} beside the gold, decided by {decided_by}"
    for part in result.parts:
        mark = SIGNS["right"] if part.is_named else " "
        yield f"    {mark} {plain(part.company)}: {plain(part.said) or 'nothing was found'}"
    for claim in result.claims:
        where = f" [{claim.source}]" if claim.source else ""
        yield f"    {SIGNS[claim.support]} {claim.support}{where}: {plain(claim.text)}"
    for source in result.sources[:SOURCES_SHOWN]:
        words = source.quote or next((one.text for one in source.passage if one.is_source), "")
        where = plain(place(source)) if source.is_known else "no such sentence"
        yield f"    [{source.number}] {where}, {plain(source.sentence_id)}: {plain(words)}"
    if not result.sources:
        for found in result.ranking[:RANKS_SHOWN]:
            yield f"    {found.rank}. {plain(place(found))}: {plain(found.text)}"
    for call in result.tool_calls:
        yield f"    {_call_line(call)}"
    steps = ", ".join(f"{step.name} {milliseconds(step.latency_ms)}" for step in result.steps)
    if steps:
        yield f"  steps: {steps}"
    if result.spent is not None:
        price = (
            "price unknown"
            if result.spent.price_usd is None
            else f"{result.spent.price_usd:.6f} USD"
        )
        yield (
            f"  {result.spent.n_calls} calls ({result.spent.n_sent} sent now), "
            f"{_count(result.spent.input_tokens)} + {_count(result.spent.output_tokens)} tokens, "
            f"{price}"
        )


def _call_line(call: ToolCall) -> str:
    """Turn, tool, arguments, status, what was found and what it took; cut where it is long."""
    arguments = plain(call.arguments)
    if len(arguments) > ARGUMENT_CHARS:
        arguments = f"{arguments[:ARGUMENT_CHARS]} …"
    found = "" if call.n_found is None else f", {call.n_found} found, {call.n_new or 0} new"
    why = f" ({plain(call.failure)})" if call.failure else ""
    asked = (
        ""
        if call.input_tokens is None and call.output_tokens is None
        else f", {_count(call.input_tokens)} + {_count(call.output_tokens)} tokens of a model"
    )
    came_of_it = f"{call.status.replace('_', ' ')}{why}{found}"
    return (
        f"{call.turn}. {plain(call.tool)} {arguments}: {came_of_it}, "
        f"{call.context_tokens:,} tokens{asked}, {milliseconds(call.latency_ms)}"
    )


def _count(tokens: int | None) -> str:
    """A number in groups of digits; an unknown one is not shown as zero."""
    return "unknown" if tokens is None else f"{tokens:,}"


def plain(text: object) -> str:
    """One line without control characters, whatever the text holds."""
    clean = "".join(
        " " if unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp") else sign
        for sign in str(text)
    )
    return " ".join(clean.split())
