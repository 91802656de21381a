"""Scores of what answers cite, against what the set names as evidence."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa

from finrag.records.columns import required
from finrag.text.references import Reference, document_key, match_references

CITATION_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), "benchmark", "system_id", "question_id", "metric"),
        ("value", pa.float64()),
        pa.field("verdict", pa.string(), nullable=False),
        ("detail", pa.string()),
    ]
)
METRICS: Final = ("citation_coverage", "citation_correctness", "citation_recall")

_Row = dict[str, Any]
_Key = tuple[str, ...]


def score_citations(answers: pa.Table, cited: pa.Table, gold: pa.Table) -> pa.Table:
    """Score the citations of systems that cite.

    A system cites if it lists sources for any answer to the set, even an empty list. A page
    agrees with a page of the same document that is at most one away; another passage with itself;
    a document named as a whole with a gold document without a page. Each is matched once, and as
    many as can be (`match_references`).

    - `citation_coverage`: 1 if the answer cites anything;
    - `citation_correctness`: matched / cited, 0 where nothing is cited;
    - `citation_recall`: matched / gold.

    Args:
        answers: `benchmark`, `system_id`, `question_id`, `is_citing`; one row per answer.
        cited: `benchmark`, `system_id`, `question_id`, and a reference: `passage_id`, or null with
            `document_id` (of one that was not loaded null, with its name as `document`) and
            `page` (null: as a whole); each reference once an answer.
        gold: `benchmark`, `question_id` and a reference likewise.

    Returns:
        A row per answer and metric under `CITATION_SCHEMA`, in the order of the answers. Where the
        set names no evidence the value is null and the verdict `gold_missing`.
    """
    ours = _grouped(cited, ("benchmark", "system_id", "question_id"))
    theirs = _grouped(gold, ("benchmark", "question_id"))
    asked = answers.to_pylist()
    citing = {(row["benchmark"], row["system_id"]) for row in asked if row["is_citing"]}
    rows = [
        scored
        for row in asked
        if (row["benchmark"], row["system_id"]) in citing
        for scored in _scored(
            row,
            ours.get((row["benchmark"], row["system_id"], row["question_id"]), []),
            theirs.get((row["benchmark"], row["question_id"]), []),
        )
    ]
    return pa.Table.from_pylist(rows, schema=CITATION_SCHEMA)


def _grouped(table: pa.Table, names: _Key) -> dict[_Key, list[_Row]]:
    groups: defaultdict[_Key, list[_Row]] = defaultdict(list)
    for row in table.to_pylist():
        groups[tuple(row[name] for name in names)].append(row)
    return dict(groups)


def _scored(answer: _Row, cited: list[_Row], gold: list[_Row]) -> Iterator[_Row]:
    named = {name: answer[name] for name in ("benchmark", "system_id", "question_id")}
    if not gold:
        for metric in METRICS:
            yield {**named, "metric": metric, "value": None, "verdict": "gold_missing"}
        return
    matched = _n_matched(cited, gold)
    values = (float(bool(cited)), matched / len(cited) if cited else 0.0, matched / len(gold))
    verdict = "no_citation" if not cited else "some_right" if matched else "none_right"
    detail = f"{matched} of {len(cited)} cited places agree with {len(gold)} of the set."
    for metric, value in zip(METRICS, values, strict=True):
        yield {**named, "metric": metric, "value": value, "verdict": verdict, "detail": detail}


def _n_matched(cited: list[_Row], gold: list[_Row]) -> int:
    ours, theirs = ({row["passage_id"] for row in rows} - {None} for rows in (cited, gold))
    pages = match_references(_pages(cited), _pages(gold), key=str)
    return len(ours & theirs) + len(pages)


def _pages(rows: list[_Row]) -> list[Reference]:
    return [Reference(_document(row), row["page"]) for row in rows if row["passage_id"] is None]


def _document(row: _Row) -> str:
    """Return a key of a document: its id if it was loaded, else what its names have in common."""
    loaded = row["document_id"]
    return f"loaded {loaded}" if loaded is not None else f"named {document_key(row['document'])}"
