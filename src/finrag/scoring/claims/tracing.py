"""Evidence fidelity: what an answer claims, traced to the sentences that it cites.

An answer is cut into sentences (items of a list), and these into numbers, names and quotes. Each
is *supported* where a cited sentence says it, *inferred* where it follows from several of them, by
one step of arithmetic, or from whose filing they are, else *unsupported*. Words and figures are
compared, nothing is understood: a rule a case, the same on every machine. What a sentence beside
the cited ones says does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from typing import Any, Final

import pyarrow as pa

from finrag.records.columns import nullable, required
from finrag.scoring.claims.evidence import (
    Evidence,
    Figure,
    Reading,
    date_ending,
    figures_of,
    name_words,
    read_evidence,
)
from finrag.scoring.claims.proportions import find_proportions, is_cited
from finrag.scoring.claims.sentences import VERDICTS, Part, speaks_to, trace_sentence
from finrag.scoring.claims.support import (
    INFERRED,
    SUPPORTED,
    UNSUPPORTED,
    Cited,
    Finding,
    Way,
    is_misbound,
    is_quoted,
    operand,
    reckon,
    trace_date,
    trace_name,
    trace_quote,
    trace_ways,
    trace_year,
    ways_to_read,
)
from finrag.scoring.claims.text import Unit, cut_units, find_names, find_numbers, find_quotes
from finrag.scoring.claims.words import joined_words
from finrag.text.numbers import Amount

__all__ = ["CLAIM_SCHEMA", "Claim", "Evidence", "trace_answer", "trace_answers"]

_PROPORTION: Final = "two cited figures have that ratio"
NO_CITATION: Final = "no citation"
MAX_VERDICT_CHARS: Final = 8
_YEAR_LABEL: Final = re.compile(r"(?:fiscal )?((?:19|20)[0-9]{2}): ", re.IGNORECASE)
UNKNOWN_SENTENCE: Final = "none of the cited sentences exists"

CLAIM_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), "system_id", "gold_set", "item_id"),
        pa.field("claim_pos", pa.int32(), nullable=False),
        pa.field("parent_pos", pa.int32()),
        *required(pa.string(), "claim_kind", "claim_text"),
        *nullable(pa.int32(), "char_start", "char_end"),
        pa.field("support", pa.string(), nullable=False),
        pa.field("passage_id", pa.string()),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("is_verbatim", pa.bool_(), nullable=False),
    ]
)


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of an answer and its support.

    Attributes:
        claim_pos: place among the claims of the answer, from 0.
        parent_pos: the sentence it stands in; None for a sentence and the quote of a citation.
        claim_kind: sentence, number, entity or quote.
        claim_text: as the answer writes it; of a citation, its quote.
        char_start: offset in the answer; None for the quote of a citation.
        char_end: offset after its last character; likewise.
        support: supported, inferred or unsupported.
        passage_id: the first cited sentence that supports it; None where none does by itself.
        reason: one sentence for an analyst.
        is_verbatim: whether it is a sentence that stands in a cited one word for word.
    """

    claim_pos: int
    parent_pos: int | None
    claim_kind: str
    claim_text: str
    char_start: int | None
    char_end: int | None
    support: str
    passage_id: str | None
    reason: str
    is_verbatim: bool = False


@dataclass(frozen=True, slots=True)
class _Traced:
    """A unit with the names and figures in it, before arithmetic."""

    unit: Unit
    about: list[Cited]
    names: list[Part]
    numbers: list[Amount]
    figures: list[tuple[list[Way], Finding]]


def trace_answer(
    text: str,
    answer_form: str | None,
    citations: Sequence[Evidence],
    question_text: str | None = None,
) -> list[Claim]:
    """Trace each claim of an answer to the sentences that it cites.

    Number: supported where a cited sentence holds it with the same unit and sign, and a value
    that rounds to the digits printed; "a net loss of $5" is -$5, a decrease is no increase. A
    figure with a scale and without a currency ("1.5 billion") fits one in a currency. Inferred
    where a difference, sum, ratio or percent change of two figures gives it: of two that the
    answer names, or else of the few cited; or where it is the year of a cited filing.

    Name: supported where a cited sentence holds it, inferred where it is the filing's company.
    Quote: supported where a cited sentence holds it letter by letter, white space and the kind of
    quotation marks apart. The quote of a citation must stand in that very sentence.

    Sentence: supported where one cited sentence holds ``WORDS_COVERED`` of its words that carry
    meaning, at most ``MAX_MISSING_RUN`` in a row missing, without the opposite (a negation,
    "increased" for "decreased", "gain" for "loss"), and every number, name and quote in it; year
    and company of the filing count as said. A sentence that names a cited company needs a sentence
    of that company. Inferred where it takes several sentences or arithmetic. A bare "Yes." or "No."
    is inferred where all else in the answer holds, or, standing alone, where a cited sentence
    has ``QUESTION_COVERED`` of the question's words; else unsupported: it says nothing to look up.

    Args:
        text: the answer, untrusted.
        answer_form: boolean, list, numeric, span or None.
        citations: the cited sentences in their order; a sentence may be there twice.
        question_text: the question; a bare yes or no needs it, and a date that repeats it.

    Returns:
        Sentences in text order, each followed by what stands in it, then the quotes of the
        citations. ``text[char_start:char_end] == claim_text``. Nothing for a blank answer without
        quotes. Without a citation everything is unsupported.
    """
    units = cut_units(text, answer_form)
    cited = _cited(citations)
    if cited:
        traced = [_trace(unit, cited) for unit in units]
        named = [
            operand(ways[0].claim, False)
            for one in traced
            for ways, found in one.figures
            if found.holders
        ]
        question = read_evidence(question_text or "")
        parts_of = [_parts(one, cited, named, question) for one in traced]
        found = [
            trace_sentence(one.unit.text, parts, one.about)
            for one, parts in zip(traced, parts_of, strict=True)
        ]
        found = _with_verdicts(units, found, question_text, cited)
    else:
        nothing = Finding(UNSUPPORTED, UNKNOWN_SENTENCE if citations else NO_CITATION)
        parts_of = [_untraced(unit.text, nothing) for unit in units]
        found = [nothing for _ in units]
    claims: list[Claim] = []
    for unit, finding, parts in zip(units, found, parts_of, strict=True):
        claims += _claims_of(text, unit, finding, parts, len(claims))
    return claims + _quotes_of(citations, len(claims))


def trace_answers(batches: Iterable[pa.RecordBatch]) -> pa.RecordBatchReader:
    """Trace the claims of many answers.

    Args:
        batches: ``system_id``, ``gold_set``, ``item_id``, ``question_text``, ``answer_text``,
            ``answer_form`` and ``citations``: structs of ``passage_id``, ``passage_text``,
            ``names``, ``aliases`` and ``years`` (lists), ``quote``, ``table_text`` and
            ``row_text``, in the order of the citations. The list may be null; of a passage that
            does not exist so are its text, aliases and years, ``table_text`` of one that is no
            table's, and ``row_text`` of one that is no sentence of a table.

    Returns:
        A reader under ``CLAIM_SCHEMA``: the claims of each answer in the order given.

    Raises:
        ValueError: an answer has no text.
    """
    return pa.RecordBatchReader.from_batches(CLAIM_SCHEMA, _batches(batches))


def _batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        rows = [row for answer in batch.to_pylist() for row in _rows(answer)]
        if rows:
            columns = zip(*rows, strict=True)
            arrays = [
                pa.array(column, field.type)
                for column, field in zip(columns, CLAIM_SCHEMA, strict=True)
            ]
            yield pa.RecordBatch.from_arrays(arrays, schema=CLAIM_SCHEMA)


def _rows(answer: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    key = answer["system_id"], answer["gold_set"], answer["item_id"]
    if answer["answer_text"] is None:
        raise ValueError(
            f"the answer of {key[0]} to {key[2]} has no text; trace only answers with text."
        )
    citations = [
        Evidence(
            passage_id=one["passage_id"],
            text=one["passage_text"],
            names=tuple(name for name in (*one["names"], *(one["aliases"] or ())) if name),
            years=tuple(year for year in one["years"] or () if year is not None),
            quote=one["quote"],
            table_text=one["table_text"],
            row_text=one["row_text"],
        )
        for one in answer["citations"] or ()
    ]
    question = answer["question_text"]
    for one in trace_answer(answer["answer_text"], answer["answer_form"], citations, question):
        yield (*key, *_COLUMNS(one))


_COLUMNS: Final = attrgetter(*(field.name for field in fields(Claim)))


def _cited(citations: Sequence[Evidence]) -> list[Cited]:
    """The citations whose sentence exists, each once; a row of a table in words and as printed."""
    found: dict[tuple[str, bool], Cited] = {}
    for one in citations:
        in_words = replace(one, text=one.row_text, row_text=None)
        printed = replace(one, table_text=None) if one.row_text else one
        for is_row, each in ((True, in_words), (False, printed)):
            if each.text and (one.passage_id, is_row) not in found:
                joined, stems = name_words(one.names)
                known = stems.union(map(str, one.years))
                cited = Cited(each, read_evidence(each.text), joined, known)
                found[one.passage_id, is_row] = cited
    return list(found.values())


def _trace(unit: Unit, cited: list[Cited]) -> _Traced:
    text = unit.text
    names = [
        Part("entity", start, end, trace_name(text[start:end], cited))
        for start, end in find_names(text)
    ]
    about = _about(text, names, cited)
    numbers = find_numbers(text)
    figures = figures_of(text, [one for one in numbers if one.kind == "amount"])
    read = [ways_to_read(one, about, cited) for one in figures]
    found = [(ways, trace_ways(ways)) for ways in read]
    return _Traced(unit, about, names, [one for one in numbers if one.kind != "amount"], found)


def _about(text: str, names: Sequence[Part], cited: list[Cited]) -> list[Cited]:
    """The citations of the companies that a unit names; all where it names none of them.

    "2019: lower volumes" is about the filings of 2019, else the sentences that name that year.
    """
    if len(cited) == 1:
        return cited
    if label := _YEAR_LABEL.match(text):
        year = int(label[1])
        cited = (
            [one for one in cited if year in one.evidence.years]
            or [one for one in cited if year in one.reading.years]
            or cited
        )
    if not names:
        return cited
    said = [joined_words(text[one.start : one.end]) for one in names]
    own = [one for one in cited if any(name in full for name in said for full in one.names)]
    return own or cited


def _parts(
    one: _Traced, cited: Sequence[Cited], named: Sequence[Figure], question: Reading
) -> list[Part]:
    """The numbers, names and quotes of a unit, in text order."""
    text = one.unit.text
    parts = list(one.names)
    for ways, finding in one.figures:
        amount = ways[0].claim.amount
        is_said = bool(finding.holders) or is_misbound(finding)
        steps = (
            reckon(way.claim, named, way.about)
            for way in ways
            if not is_said and not way.is_assumed
        )
        reckoned = next(filter(None, steps), None)
        parts.append(Part("number", amount.start, amount.end, reckoned or finding))
    for number in one.numbers:
        if number.kind == "year":
            day = date_ending(text, number.end)
            traced = trace_year(number, cited, day)
        else:
            traced = trace_date(number, cited, question)
        parts.append(Part("number", number.start, number.end, traced))
    amounts = [figure.amount for one in cited for figure in one.reading.figures]
    for one_share in find_proportions(text):
        found = is_cited(one_share, amounts)
        if found is not None:
            traced = Finding(INFERRED, _PROPORTION, _ids(cited), is_reckoned=True)
            if not found:
                traced = Finding(UNSUPPORTED, "no two cited figures have that ratio")
            parts.append(Part("number", one_share.start, one_share.end, traced))
    for start, end in find_quotes(text):
        parts.append(Part("quote", start, end, trace_quote(text[start:end], cited)))
    return _ordered(parts)


def _ids(cited: Sequence[Cited]) -> tuple[str, ...]:
    ids = tuple(dict.fromkeys(one.evidence.passage_id for one in cited))
    return ids if len(ids) == 1 else ()


def _untraced(text: str, nothing: Finding) -> list[Part]:
    parts = [Part("entity", start, end, nothing) for start, end in find_names(text)]
    parts += [Part("number", one.start, one.end, nothing) for one in find_numbers(text)]
    parts += [Part("quote", start, end, nothing) for start, end in find_quotes(text)]
    return _ordered(parts)


def _ordered(parts: list[Part]) -> list[Part]:
    return sorted(parts, key=lambda part: (part.start, part.end, part.kind))


def _with_verdicts(
    units: Sequence[Unit],
    found: list[Finding],
    question_text: str | None,
    cited: Sequence[Cited],
) -> list[Finding]:
    """The findings, those of a bare yes or no taken from the rest of the answer."""
    is_bare = [
        len(unit.text) <= MAX_VERDICT_CHARS and joined_words(unit.text) in VERDICTS
        for unit in units
    ]
    if not any(is_bare):
        return found
    others = [one for one, bare in zip(found, is_bare, strict=True) if not bare]
    if others and all(one.support != UNSUPPORTED for one in others):
        verdict = Finding(INFERRED, "a bare yes or no; the rest of the answer is supported")
    elif others:
        verdict = Finding(UNSUPPORTED, "a bare yes or no; the rest of the answer is not supported")
    elif speaking := speaks_to(question_text, cited):
        verdict = Finding(
            INFERRED, "a bare yes or no; a cited sentence is about what is asked", speaking
        )
    else:
        verdict = Finding(UNSUPPORTED, "a bare yes or no; no cited sentence is about what is asked")
    return [verdict if bare else one for one, bare in zip(found, is_bare, strict=True)]


def _claims_of(
    text: str, unit: Unit, finding: Finding, parts: Sequence[Part], at: int
) -> Iterator[Claim]:
    yield _claim("sentence", text, (unit.start, unit.end), finding, at, None)
    for place, part in enumerate(parts, start=at + 1):
        span = unit.place(part.start), unit.place(part.end)
        yield _claim(part.kind, text, span, part.finding, place, at)


def _claim(
    kind: str, text: str, span: tuple[int, int], finding: Finding, at: int, parent: int | None
) -> Claim:
    start, end = span
    holder = finding.holders[0] if finding.holders else None
    written = text[start:end]
    return Claim(
        *(at, parent, kind, written, start, end, finding.support, holder, finding.reason),
        is_verbatim=finding.is_verbatim,
    )


def _quotes_of(citations: Sequence[Evidence], at: int) -> list[Claim]:
    """The quotes that the citations give: each must stand in the sentence that it names."""
    quotes: list[Claim] = []
    for one in citations:
        quote = (one.quote or "").strip()
        if not quote:
            continue
        is_there = bool(one.text) and is_quoted(quote, read_evidence(one.text or ""))
        reason = "the cited sentence holds these words"
        if not is_there:
            reason = (
                "the cited sentence does not hold these words"
                if one.text
                else "the cited sentence does not exist"
            )
        quotes.append(
            Claim(
                claim_pos=at + len(quotes),
                parent_pos=None,
                claim_kind="quote",
                claim_text=quote,
                char_start=None,
                char_end=None,
                support=SUPPORTED if is_there else UNSUPPORTED,
                passage_id=one.passage_id if is_there else None,
                reason=reason,
            )
        )
    return quotes
