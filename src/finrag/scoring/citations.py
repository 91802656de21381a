"""What answers cite, matched with what their gold names as evidence."""

from collections import defaultdict
from typing import Any, Final

import pyarrow as pa

from finrag.records.columns import required
from finrag.text.references import Reference, document_key, match_references

MATCH_SCHEMA: Final = pa.schema(
    required(pa.string(), "system_id", "item_id", "place_id", "evidence_id")
)

_Row = dict[str, Any]
_Key = tuple[str, ...]


def match_citations(cited: pa.Table, gold: pa.Table) -> pa.Table:
    """Match the places that answers cite with the evidence of their questions.

    A page agrees with a page of the same document that is at most one away; a document named as
    a whole with a gold document without a page. Each is matched once, and as many as can be
    (`match_references`). Another passage agrees with itself, and so with each piece of evidence
    that it stands for.

    Args:
        cited: `system_id`, `item_id`, `place_id`, and a reference: `passage_id`, or null with
            `document_id` (of one that was not loaded null, with its name as `document`) and
            `page` (null: as a whole); each reference once an answer.
        gold: `item_id`, `evidence_id` and a reference likewise, each once a piece of evidence.

    Returns:
        A row per place and piece of evidence that agree, under `MATCH_SCHEMA`, in the order of
        the answers in `cited`.
    """
    named = _grouped(gold, ("item_id",))
    rows = [
        {
            "system_id": system_id,
            "item_id": item_id,
            "place_id": place["place_id"],
            "evidence_id": evidence["evidence_id"],
        }
        for (system_id, item_id), places in _grouped(cited, ("system_id", "item_id")).items()
        for place, evidence in _matched(places, named.get((item_id,), []))
    ]
    return pa.Table.from_pylist(rows, schema=MATCH_SCHEMA)


def _grouped(table: pa.Table, names: _Key) -> dict[_Key, list[_Row]]:
    groups: defaultdict[_Key, list[_Row]] = defaultdict(list)
    for row in table.to_pylist():
        groups[tuple(row[name] for name in names)].append(row)
    return dict(groups)


def _matched(cited: list[_Row], gold: list[_Row]) -> list[tuple[_Row, _Row]]:
    passages = [
        (ours, theirs)
        for ours in cited
        for theirs in gold
        if ours["passage_id"] is not None and ours["passage_id"] == theirs["passage_id"]
    ]
    ours, theirs = _pages(cited), _pages(gold)
    pairs = match_references(list(map(_reference, ours)), list(map(_reference, theirs)), key=str)
    return [*passages, *((ours[i], theirs[j]) for i, j in pairs)]


def _pages(rows: list[_Row]) -> list[_Row]:
    return [row for row in rows if row["passage_id"] is None]


def _reference(row: _Row) -> Reference:
    """Return a page with a key of its document: the id if loaded, else what its names share."""
    loaded = row["document_id"]
    known = f"loaded {loaded}" if loaded is not None else f"named {document_key(row['document'])}"
    return Reference(known, row["page"])
