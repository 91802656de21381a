"""Lines of revenue as files: all of them as CSV or Parquet, and an artefact per filing as JSON.

``finrag.sources.line_baselines`` reads the artefacts again, as the baseline of a later build.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from finrag.publishing.lines.reading import FilingLines, label_of
from finrag.records.cells import plain_cell
from finrag.records.writing import replacing
from finrag.warehouse import Row

SEPARATOR: Final = " | "

_TEXTS: Final = pa.list_(pa.string())
_COLUMNS: Final = pa.schema(
    {
        **dict.fromkeys(("company_name", "ticker"), pa.string()),
        "cik_int": pa.int64(),
        **dict.fromkeys(("form", "filing_id"), pa.string()),
        "report_year": pa.int32(),
        **dict.fromkeys(("view", "verdict", "revenue_line_id", "parent_line_id"), pa.string()),
        "line_pos": pa.int32(),
        **dict.fromkeys(("label", "role"), pa.string()),
        "footnote_marks": _TEXTS,
        "value": pa.float64(),
        "currency": pa.string(),
        "share": pa.float64(),
        **dict.fromkeys(("period_start", "period_end"), pa.date32()),
        **dict.fromkeys(("is_chosen", "is_filing_year"), pa.bool_()),
        **dict.fromkeys(("segment_label", "segment_source"), pa.string()),
        **dict.fromkeys(("table_id", "cell_id", "fact_id", "axis", "member"), pa.string()),
        **dict.fromkeys(("system_id", "status", "kind", "text"), pa.string()),
        **dict.fromkeys(("sentence_ids", "block_ids", "products"), _TEXTS),
    }
)


def write_csv(filings: Sequence[FilingLines], path: Path) -> int:
    """Write all lines of filings as CSV; a spreadsheet runs none of its cells.

    Entries of a list stand in one cell, with ``SEPARATOR`` between them.

    Returns:
        How many lines were written.
    """
    rows = _rows(filings)
    with (
        replacing(path) as unfinished,
        unfinished.open("w", encoding="utf-8", newline="") as file,
    ):
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_COLUMNS.names)
        writer.writerows([_cell(row[name]) for name in _COLUMNS.names] for row in rows)
    return len(rows)


def write_parquet(filings: Sequence[FilingLines], path: Path) -> int:
    """Write all lines of filings as Parquet; returns how many."""
    rows = _rows(filings)
    with replacing(path) as unfinished:
        pq.write_table(pa.Table.from_pylist(rows, schema=_COLUMNS), unfinished)
    return len(rows)


def write_artefacts(filings: Sequence[FilingLines], path: Path) -> int:
    """Write the artefacts of filings, and return how many.

    Args:
        filings: the filings.
        path: a file that ends in ``.json``, which then holds one artefact or an array of them; else
            a folder, which then holds one file per filing and system.

    Raises:
        ValueError: no system described lines.
    """
    artefacts = [artefact(filing) for filing in filings]
    if path.suffix == ".json":
        _write_json(artefacts[0] if len(artefacts) == 1 else artefacts, path)
        return len(artefacts)
    path.mkdir(parents=True, exist_ok=True)
    for one in artefacts:
        _write_json(one, path / f"{one['filing_id']}.{one['system_id']}.json")
    return len(artefacts)


def artefact(filing: FilingLines) -> dict[str, Any]:
    """What is known of the described lines of a filing.

    ``coverage_pct`` is the share of lines with a text, in percent; null where there is no line.

    Raises:
        ValueError: no system described lines.
    """
    if filing.system_id is None:
        raise ValueError(
            "no system described lines in this build, so that there is no artefact; enable one of "
            "the kind line_description"
        )
    leaves = filing.leaves
    end = filing.filing["fiscal_year_end"]
    missing = [label_of(line) for line in leaves if line["status"] != "described"]
    n_described = len(leaves) - len(missing)
    return {
        "company": filing.filing["company_name"],
        "cik": filing.filing["cik_int"],
        "filing_id": filing.filing["filing_id"],
        "fiscal_year": filing.filing["report_year"],
        "fiscal_year_end": end.isoformat() if end else None,
        "system_id": filing.system_id,
        "coverage_pct": round(100 * n_described / len(leaves), 2) if leaves else None,
        "missing_labels": missing,
        "line_details": [_detail(line) for line in leaves],
    }


def _detail(line: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "label": label_of(line),
        "value": line["value"],
        "status": line["status"] or "failed",
        "text": line["text"],
        "top_chunk_ids": line["block_ids"],
        "top_sections": line["sections"],
        "products_found": line["products"],
        "validated": line["validated"],
    }


def _rows(filings: Sequence[FilingLines]) -> list[Row]:
    rows = []
    for one in filings:
        verdicts = {row["reconciliation_id"]: row["verdict"] for row in one.sums}
        for line in one.lines:
            whole = {**one.filing, **line, "verdict": verdicts.get(line["reconciliation_id"])}
            rows.append({name: whole[name] for name in _COLUMNS.names})
    return rows


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        value = SEPARATOR.join(map(str, value))
    return plain_cell(value)


def _write_json(value: Any, path: Path) -> None:
    text = json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)
    with replacing(path) as unfinished:
        unfinished.write_text(f"{text}\n", encoding="utf-8")
