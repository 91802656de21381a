"""The user's own gates, read from CSV files and added to those that are shipped.

A file has the columns of the seed ``gate_thresholds``; only ``gate_id``, ``metric``,
``limit_value`` and ``rationale`` must be filled. The defaults make a gate on every
candidate: on the lower bound of the mean over the sound questions of the filings, as an error.
"""

from __future__ import annotations

import datetime
import itertools
import math
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.csv as csv_tables

from finrag.records.csv_tables import read_csv_table
from finrag.records.suggesting import did_you_mean
from finrag.warehouse.folder import project_file

GATE_ID: Final = re.compile(r"[a-z][a-z0-9_]{0,62}")
MEASURE: Final = ("metric", "k", "unit", "mode")
# What may stand in place of a system's id.
GROUND: Final = ("corpus", "gold")
ROLES: Final = ("candidate", "any", *GROUND)
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
    "subject": (*GROUND, "index", "system"),
}
_SCOPES: Final = ("local", "cross_year", "cross_company")
_DIFFICULTIES: Final = ("easy", "medium", "hard")
# Slices of the filings' questions and anchors. None: the values are those of the corpus.
SLICES: Final[Mapping[str, Collection[str] | None]] = {
    "overall": ("all",),
    "sound": ("all",),
    "frozen": ("all",),
    "scope": _SCOPES,
    "sound_scope": _SCOPES,
    "difficulty": _DIFFICULTIES,
    "scope_difficulty": [" ".join(pair) for pair in itertools.product(_SCOPES, _DIFFICULTIES)],
    "answer_type": ("boolean", "list", "no_answer", "numeric", "span"),
    "length_bucket": ("<10", "10-19", "20-39", "40+"),
    "category": None,
    "section": None,
    "year": None,
    "company": None,
    "file": None,
    "quarter": None,
    "doc_type": None,
}
# Slices that are measured elsewhere than in summaries, which have all of them.
MEASURED_SLICES: Final[Mapping[str, Collection[str]]] = {
    "floors": ("overall", "sound", "sound_scope"),
    "drifts": ("overall", "sound", "sound_scope", "frozen"),
    "costs": ("overall",),
}
# Sets on figures of tables and on lines of revenue, and all sets on the filings.
TABLE_SETS: Final = ("p3_tables", "p3_revenue_lines")
FILINGS_SETS: Final = ("p3", *TABLE_SETS)
MADE_SETS: Final = (*FILINGS_SETS, "p1", "p2", "p1_cells", "corpus")
# Bounds of a share by statistic, and of what two shares differ by.
_BOUNDS: Final[Mapping[str, tuple[int, int]]] = {
    "mean": (0, 1),
    "ci_low": (0, 1),
    "ci_high": (0, 1),
    "ci_low_above_null": (-1, 1),
    "distance": (-1, 1),
    "change": (-1, 1),
    "significant_change": (-1, 1),
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
            that must be there is not, or a gate has the name of another. The message has a line
            for each problem, with file and line, and what would be valid.
    """
    known = {
        tuple(row[name] for name in MEASURE): str(row.get("value_unit") or "")
        for row in metrics.to_pylist()
    }
    own, authors = [], ["finrag"] * seed.num_rows
    for path, gate in _own_gates(seed, known, paths, None, {}):
        own.append(gate)
        authors.append(path.name)
    table = pa.concat_tables([seed, pa.Table.from_pylist(own, schema=seed.schema)])
    table = table.append_column("set_by", pa.array(authors, pa.string()))
    return table.sort_by([("gate_id", "ascending"), ("corpus", "ascending")])


def check_gate_files(
    paths: str | Sequence[str], systems: Collection[str] | None = None
) -> dict[str, list[str]]:
    """Check files of gates before a build, with the seeds as they lie in the project.

    Args:
        paths: the files.
        systems: ids of systems that are shipped or run; None to leave systems unchecked.

    Returns:
        The ids of the gates of each file; none for a file that has a header and no limits.

    Raises:
        ValueError: as ``read_gates``; or a system, a category or a section is unknown.
    """
    names = [*MEASURE, "value_unit"]
    catalogues = [
        _seed(f"{name}.csv") for name in ("catalogues/metric_catalogue", "gates/gate_measures")
    ]
    metrics = pa.concat_tables([table.select(names) for table in catalogues])
    known = {tuple(row[name] for name in MEASURE): row["value_unit"] for row in metrics.to_pylist()}
    values = {
        "category": _column("gold/p3_category_mix", "category"),
        "section": _column("catalogues/section_titles", "section_name"),
    }
    seed = _seed("gates/gate_thresholds.csv")
    found: dict[str, list[str]] = {str(path): [] for path in _files(paths)}
    for path, gate in _own_gates(seed, known, paths, systems, values):
        found[str(path)].append(gate["gate_id"])
    return found


def _own_gates(
    seed: pa.Table,
    metrics: Mapping[tuple[Any, ...], str],
    paths: str | Sequence[str] | None,
    systems: Collection[str] | None,
    values: Mapping[str, Collection[str]],
) -> list[tuple[Path, dict[str, Any]]]:
    """The gates of all files; every problem of every file is told at once."""
    shipped = {row["gate_id"] for row in seed.to_pylist()}
    taken: dict[tuple[str, str], str] = {}
    own: list[tuple[Path, dict[str, Any]]] = []
    problems: list[str] = []
    for path in _files(paths):
        if not path.is_file():
            raise ValueError(f"gates_paths: no file at '{path}'; correct the dbt var")
        names, rows = read_csv_table(path, NEEDED)
        problems += [
            f"{path}, line 1: {problem}" for problem in _unknown_columns(names, seed.schema.names)
        ]
        for line, cells in rows:
            place = f"{path}, line {line}"
            row = {name: (value or "").strip() for name, value in cells.items()}
            full = {**DEFAULTS, **{name: value for name, value in row.items() if value}}
            of_ground = full["system_id"] in GROUND
            full.setdefault("subject", full["system_id"] if of_ground else "system")
            found, gate = _gate(row, full, seed.schema, metrics)
            found += _wrong_subject(full)
            found += _unknown_names(full, systems, values)
            key = (full.get("gate_id", ""), full["corpus"])
            if key[0] and (key in taken or key[0] in shipped):
                found.append(
                    f"there is a gate {key[0]} already ({taken.get(key, 'the shipped gates')}); "
                    "choose another name: your gates are added to the others and cannot replace one"
                )
            taken[key] = place
            own.append((path, gate))
            problems += [f"{place}: {problem}" for problem in found]
    if problems:
        raise ValueError("\n".join(problems))
    return own


def _wrong_subject(gate: Mapping[str, str]) -> list[str]:
    """What is wrong with whom a gate is about: a gate on candidates decides on nothing else."""
    system, subject = gate["system_id"], gate["subject"]
    fitting = ["system"] if system in ROLES else ["system", "index"]
    if system in GROUND:
        fitting = [system]
    if subject in fitting or subject not in ALLOWED["subject"]:
        return []
    return [f"subject is '{subject}' for {system}; use {' or '.join(fitting)}, or leave it empty"]


def _unknown_names(
    gate: Mapping[str, str], systems: Collection[str] | None, values: Mapping[str, Collection[str]]
) -> list[str]:
    """What is wrong with the names of system and slice."""
    found = []
    system, gold_set, name, value = (
        gate[column] for column in ("system_id", "gold_set", "slice_name", "slice_value")
    )
    if systems is not None and system not in {*systems, *ROLES}:
        hint = did_you_mean(system, [*systems, *ROLES])
        found.append(
            f"no system {system} is shipped or runs in this build; "
            f"{hint or 'use candidate, any, or a system of yours'}"
        )
    measured = MEASURED_SLICES.get(gate["measured_in"], SLICES)
    if name not in measured:
        found.append(
            f"{gate['measured_in']} have no slice {name}; "
            f"{did_you_mean(name, measured) or 'use one of ' + ', '.join(measured)}"
        )
    elif name in ("sound", "sound_scope") and gold_set not in FILINGS_SETS:
        found.append(f"the gold set {gold_set} has no slice {name}; set slice_name to overall")
    elif gold_set in MADE_SETS or name == "overall":
        known = values.get(name) or SLICES[name]
        if known is not None and value not in known:
            found.append(
                f"the slice {name} has no value {value}; "
                f"{did_you_mean(value, known) or 'use one of ' + ', '.join(known)}"
            )
        elif name == "year" and not re.fullmatch(r"\d{4}", value):
            found.append(f"the slice year has no value {value}; use a year such as 2023")
        elif known is None and value == "all":
            found.append(f"slice_value is empty; name the {name} to measure")
    return found


def _files(paths: str | Sequence[str] | None) -> list[Path]:
    return [Path(path) for path in ([paths] if isinstance(paths, str) else paths or [])]


def _column(name: str, column: str) -> list[str]:
    values = _seed(f"{name}.csv")[column].to_pylist()
    return [value for value in values if value != "all"]


def _seed(name: str) -> pa.Table:
    return csv_tables.read_csv(project_file(f"seeds/{name}"))


def _unknown_columns(names: Collection[str], known: Sequence[str]) -> list[str]:
    """What is wrong with the header of a file."""
    return [
        f"unknown column {name}; {did_you_mean(name, known) or 'use ' + ', '.join(known)}"
        for name in sorted(set(names) - set(known))
    ]


def _gate(
    row: Mapping[str, str],
    full: Mapping[str, str],
    schema: pa.Schema,
    metrics: Mapping[tuple[Any, ...], str],
) -> tuple[list[str], dict[str, Any]]:
    """What is wrong with a row, and the row typed; ``full`` is the row with the defaults."""
    found = []
    missing = [name for name in NEEDED if not row.get(name)]
    if missing:
        found.append(f"{', '.join(missing)} is empty; every gate needs it")
    found += [
        f"{name} is '{full[name]}'; use one of {', '.join(values)}"
        for name, values in ALLOWED.items()
        if full[name] not in values
    ]
    if row.get("gate_id") and not GATE_ID.fullmatch(row["gate_id"]):
        found.append(
            f"'{row['gate_id']}' cannot name a gate; use small letters, digits and underscores"
        )
    if 0 < len(row.get("rationale", "")) < LEAST_RATIONALE:
        found.append(
            f"the rationale has {len(row['rationale'])} characters; write at least "
            f"{LEAST_RATIONALE} that say why the limit is {row.get('limit_value')}"
        )
    gate: dict[str, Any] = {}
    for field in schema:
        try:
            gate[field.name] = _typed(full.get(field.name), field)
        except ValueError as error:
            found.append(str(error))
    measure = tuple(gate.get(name) for name in MEASURE)
    if None not in measure and measure not in metrics:
        found.append(_unknown_metric(measure, metrics))
    return found + _misplaced(gate, metrics.get(measure, "")), gate


def _unknown_metric(measure: tuple[Any, ...], metrics: Collection[tuple[Any, ...]]) -> str:
    metric, k, unit, mode = measure
    near = sorted(
        f"k={other[1]} unit={other[2]} mode={other[3]}" for other in metrics if other[0] == metric
    )
    if near:
        return f"no metric {metric} with k={k}, unit={unit}, mode={mode}; it has {'; '.join(near)}"
    hint = did_you_mean(metric, {other[0] for other in metrics}) or "see seeds.metric_catalogue"
    return f"no metric {metric}; {hint}"


def _misplaced(gate: Mapping[str, Any], value_unit: str) -> list[str]:
    """What is wrong with a limit that no figure can reach."""
    limit, name = gate.get("limit_value"), str(gate.get("statistic"))
    if limit is None:
        return []
    if not math.isfinite(limit):
        return [f"limit_value is {limit}; use a finite number"]
    if value_unit != "share" or name not in _BOUNDS or gate.get("measured_in") == "costs":
        return []
    low, high = _BOUNDS[name]
    if low <= limit <= high:
        return []
    return [
        f"limit_value is {limit}, but {gate['metric']} is a share; "
        f"use a number from {low} to {high}"
    ]


def _typed(text: str | None, field: pa.Field) -> Any:
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
        raise ValueError(f"{field.name} is '{text}', expected {field.type}") from None
    return text
