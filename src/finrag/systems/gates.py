"""The user's own gates, read from CSV files and added to those that are shipped.

A file has the columns of the seed ``gate_thresholds``; only ``gate_id``, ``metric``,
``limit_value`` and ``rationale`` must be filled. The defaults make a gate on every
candidate: on the lower bound of the mean over the sound questions of the filings, as an error.
"""

from __future__ import annotations

import csv
import datetime
import math
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.csv as csv_tables

from finrag.warehouse.folder import project_file

GATE_ID: Final = re.compile(r"[a-z][a-z0-9_]{0,62}")
NEEDED: Final = ("gate_id", "metric", "limit_value", "rationale")
LEAST_RATIONALE: Final = 20
DEFAULTS: Final[Mapping[str, str]] = {
    "phase": "P4",
    "corpus": "any",
    "measured_in": "summaries",
    "system_id": "candidate",
    "gold_set": "p3",
    "slice_name": "sound",
    "slice_value": "all",
    "k": "0",
    "unit": "answer",
    "mode": "finrag",
    "statistic": "ci_low",
    "direction": "min",
    "min_n": "30",
    "min_clusters": "1",
    "severity": "error",
    "is_held_against_null": "false",
    "applies_when": "capability_seen",
    "capability": "answers",
}
ALLOWED: Final[Mapping[str, Collection[str]]] = {
    "phase": ("P0", "P1", "P2", "P3", "P4"),
    "corpus": ("any", "sample", "filings", "sentences"),
    "measured_in": ("summaries", "floors", "drifts", "costs"),
    "statistic": (
        *("mean", "ci_low", "ci_high", "ci_low_above_null"),
        *("distance", "change", "absolute_change", "relative_change", "significant_change"),
    ),
    "direction": ("min", "max"),
    "severity": ("warn", "error"),
    "capability": ("ranks", "answers", "cites", "times", "marked"),
    "applies_when": ("capability_seen", "always", "system_registered", "baseline_known"),
}


def read_gates(seed: pa.Table, metrics: pa.Table, paths: str | Sequence[str] | None) -> pa.Table:
    """All gates of a build.

    Args:
        seed: rows of ``gate_thresholds``.
        metrics: metric, k, unit and mode of all that can be gated.
        paths: CSV files with gates of the user's own.

    Returns:
        Rows with the columns of the seed and ``set_by`` (finrag, or the name of the file),
        ordered by gate_id and corpus.

    Raises:
        ValueError: a file is missing or no CSV in UTF-8, a column or value is unknown, a value
            that must be there is not, or a gate has the name of another. The message names file
            and line, and what would be valid.
    """
    known = {tuple(row.values()) for row in metrics.to_pylist()}
    taken = {(row["gate_id"], row["corpus"]): "the shipped gates" for row in seed.to_pylist()}
    shipped = {gate_id for gate_id, _ in taken}
    own: list[dict[str, Any]] = []
    authors = ["finrag"] * seed.num_rows
    for path in [paths] if isinstance(paths, str) else paths or []:
        for place, row in _rows(Path(path)):
            gate = _gate(row, place, seed.schema, known)
            key = (gate["gate_id"], gate["corpus"])
            if key in taken or gate["gate_id"] in shipped:
                raise ValueError(
                    f"{place}: there is a gate {gate['gate_id']} already "
                    f"({taken.get(key, 'the shipped gates')}); choose another name: your gates "
                    "are added to the others and cannot replace one"
                )
            taken[key] = place
            own.append(gate)
            authors.append(Path(path).name)
    table = pa.concat_tables([seed, pa.Table.from_pylist(own, schema=seed.schema)])
    table = table.append_column("set_by", pa.array(authors, pa.string()))
    return table.sort_by([("gate_id", "ascending"), ("corpus", "ascending")])


def check_gates(paths: str | Sequence[str]) -> None:
    """Check files of gates before a build, with the seeds as they lie in the project.

    Raises:
        ValueError: as ``read_gates``.
    """
    seed = _seed("gates/gate_thresholds.csv")
    names = ["metric", "k", "unit", "mode"]
    metrics = [
        _seed(f"{name}.csv") for name in ("catalogues/metric_catalogue", "gates/gate_measures")
    ]
    read_gates(seed, pa.concat_tables([table.select(names) for table in metrics]), paths)


def _seed(name: str) -> pa.Table:
    return csv_tables.read_csv(project_file(f"seeds/{name}"))


def _rows(path: Path) -> list[tuple[str, dict[str, str]]]:
    if not path.is_file():
        raise ValueError(f"gates_paths: no file at '{path}'; correct the dbt var")
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines, restkey="more columns than the head has")
            return [
                (
                    f"{path}, line {rows.line_num}",
                    {name: str(value or "").strip() for name, value in row.items()},
                )
                for row in rows
            ]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path} is not a CSV file in UTF-8 ({error})") from error


def _gate(
    row: Mapping[str, str], place: str, schema: pa.Schema, metrics: Collection[tuple[Any, ...]]
) -> dict[str, Any]:
    """A row completed, checked and typed."""
    unknown = sorted(set(row) - set(schema.names))
    if unknown:
        raise ValueError(
            f"{place}: unknown column {', '.join(unknown)}; use {', '.join(schema.names)}"
        )
    missing = [name for name in NEEDED if not row.get(name)]
    if missing:
        raise ValueError(f"{place}: {', '.join(missing)} is empty; every gate needs it")
    full = {**DEFAULTS, **{name: value for name, value in row.items() if value}}
    for name, values in ALLOWED.items():
        if full[name] not in values:
            raise ValueError(f"{place}: {name} is '{full[name]}'; use one of {', '.join(values)}")
    if not GATE_ID.fullmatch(full["gate_id"]):
        raise ValueError(
            f"{place}: '{full['gate_id']}' cannot name a gate; use small letters, digits and "
            "underscores"
        )
    if len(full["rationale"]) <= LEAST_RATIONALE:
        raise ValueError(
            f"{place}: the rationale is '{full['rationale']}'; say in a sentence why this limit"
        )
    gate = {field.name: _typed(full.get(field.name), field, place) for field in schema}
    if not math.isfinite(gate["limit_value"]):
        raise ValueError(f"{place}: limit_value is {full['limit_value']}; use a finite number")
    named = tuple(gate[name] for name in ("metric", "k", "unit", "mode"))
    if named not in metrics:
        near = sorted(
            f"k={k} unit={unit} mode={mode}"
            for metric, k, unit, mode in metrics
            if metric == gate["metric"]
        )
        remedy = f"it has {'; '.join(near)}" if near else "see seeds.metric_catalogue"
        raise ValueError(
            f"{place}: no metric {gate['metric']} with k={gate['k']}, unit={gate['unit']}, "
            f"mode={gate['mode']}; {remedy}"
        )
    return gate


def _typed(text: str | None, field: pa.Field, place: str) -> Any:
    if not text:
        return None
    try:
        if pa.types.is_boolean(field.type):
            return {"true": True, "false": False}[text.lower()]
        if pa.types.is_integer(field.type):
            return int(text)
        if pa.types.is_floating(field.type):
            return float(text)
        if pa.types.is_date(field.type):
            return datetime.date.fromisoformat(text)
    except (ValueError, KeyError):
        raise ValueError(f"{place}: {field.name} is '{text}', expected {field.type}") from None
    return text
