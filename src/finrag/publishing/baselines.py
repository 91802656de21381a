"""Named baselines: the figures of one run with which later runs are compared."""

from __future__ import annotations

import csv
import datetime
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from finrag.records.writing import replacing
from finrag.warehouse import open_warehouse
from finrag.warehouse.folder import step_command

COLUMNS = (
    "baseline",
    "corpus",
    "corpus_hash",
    "n_filings",
    "encoder",
    "anchors_hash",
    "questions_hash",
    "gold_hash",
    "evaluation_id",
    "set_on",
    "reason",
    "system_id",
    "gold_set",
    "slice_name",
    "slice_value",
    "metric",
    "k",
    "unit",
    "mode",
    "scorer_id",
    "n",
    "mean",
    "ci_low",
    "ci_high",
)
# Seeds written before these were columns are read all the same.
_MEASURES = ("unit", "mode")
SHORTEST_REASON = 11
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,39}")
_DIGITS = 9

# What a gate names or a headline shows; a random order is nobody's baseline.
_FIGURES = """
with chosen as (
    select metric, k, unit, mode from seeds.gate_thresholds
    union
    select metric, k, unit, mode from seeds.metric_catalogue where is_headline
)
select
    measured.system_id, measured.gold_set, measured.slice_name, measured.slice_value,
    measured.metric, measured.k, measured.unit, measured.mode, measured.scorer_id,
    measured.n, measured.mean, measured.ci_low, measured.ci_high,
    -- Of a public set the digest of its own files stands for the gold.
    coalesce(measured.set_hash, (select max(gold_hash) from metrics.run_manifests)) as gold_hash
from metrics.int_baseline_measured as measured
inner join retrieval.runs using (run_id)
inner join chosen
    on
        measured.metric = chosen.metric
        and measured.k = chosen.k
        and measured.unit = chosen.unit
        and measured.mode = chosen.mode
left join retrieval.registered_systems as systems on measured.system_id = systems.system_id
where
    isfinite(measured.mean)
    and not coalesce(systems.is_null, false)
order by
    measured.system_id, measured.gold_set, measured.slice_name, measured.slice_value,
    measured.metric, measured.k, measured.unit, measured.mode
"""
_RUN = """
select
    runs.corpus, runs.corpus_hash, runs.n_filings, runs.encoder, runs.anchors_hash,
    runs.questions_hash, max(run_manifests.gold_hash) as gold_hash,
    max(run_manifests.evaluation_id) as evaluation_id
from retrieval.runs
inner join metrics.run_manifests using (run_id)
group by all
"""
# A metric at a cut-off was of one unit before there were several.
_UNITS = """
select metric, k, unit from seeds.metric_catalogue
where mode = 'finrag' and unit in ('sentence', 'answer')
"""
_BROKEN = """
select gate_id from gates.gate_breaches where severity = 'error' order by gate_id
"""


def set_baseline(
    database: Path,
    target: Path,
    name: str,
    reason: str,
    set_on: datetime.date,
    even_if_broken: bool = False,
    with_times: bool = True,
) -> int:
    """Writes the figures of a warehouse into the seed of baselines, under a name.

    Stored are the metrics that a gate names and those marked as headlines, over all items, over
    sound questions and over their scopes, each with its n and interval; systems that rank at
    random are left out. Rows of the same name are replaced where they stood, rows of other
    names stay as they are, and a new name comes last.

    Args:
        database: a warehouse built to its end; it is only read.
        target: the seed ``baseline_metrics.csv``; made if it is not there.
        name: 1 to 40 of ``a-z 0-9 _ . -``, a letter or digit first.
        reason: why this run is the one to hold others against, one line.
        set_on: the day it is set.
        even_if_broken: accept a run of which error gates are broken.
        with_times: store latencies too; they are those of one machine.

    Returns:
        The number of rows written under the name.

    Raises:
        ValueError: the name or the reason will not do, there is no finished build, an error gate
            of it is broken, or the seed is not one of baselines.
    """
    _check_words(name, reason)
    earlier = _read_seed(target)
    run, figures, broken, units = _read_warehouse(database)
    if broken and not even_if_broken:
        raise ValueError(
            f"error gates of this build are broken ({', '.join(broken)}); fix them, or pass "
            "--even-if-broken to use these figures as the baseline anyway"
        )
    if not with_times:
        figures = [row for row in figures if not str(row["metric"]).startswith("latency_")]
    if not figures:
        raise ValueError(f"'{database}' holds no figure that a gate names; nothing was written")
    header = {"baseline": name, "set_on": set_on.isoformat(), "reason": reason.strip(), **run}
    rows = [_row({**header, **figure}) for figure in figures]
    _write_seed(target, _replaced([_measured(row, units) for row in earlier], rows, name))
    return len(figures)


def _check_words(name: str, reason: str) -> None:
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"'{name}' is not a name for a baseline: use 1 to 40 of a-z 0-9 _ . - and begin with a "
            "letter or digit"
        )
    if len(reason.strip()) < SHORTEST_REASON or not reason.strip().isprintable():
        raise ValueError(
            "a baseline needs a reason of one line that a reader understands in a year's time "
            f"(at least {SHORTEST_REASON} characters)"
        )


def _read_warehouse(
    database: Path,
) -> tuple[dict[str, Any], list[dict[str, Any]], list[str], dict[tuple[str, str], str]]:
    """The run, its figures in the order of their key, its broken error gates, units of metrics."""
    lacking = f"no finished build; run `{step_command('build')}` first"
    with open_warehouse(database, lacking) as warehouse:
        figures = warehouse.rows(_FIGURES)
        runs = warehouse.rows(_RUN)
        broken = [row["gate_id"] for row in warehouse.rows(_BROKEN)]
        units = {(row["metric"], str(row["k"])): row["unit"] for row in warehouse.rows(_UNITS)}
    if len(runs) != 1:
        raise ValueError(
            f"'{database}' holds {len(runs)} runs and not one; run `{step_command('build')}` first"
        )
    return runs[0], figures, broken, units


def _row(values: Mapping[str, Any]) -> dict[str, str]:
    """One row as text; figures to nine digits, so that last bits make no difference in it."""
    return {name: _text(values[name]) for name in COLUMNS}


def _measured(row: dict[str, str], units: Mapping[tuple[str, str], str]) -> dict[str, str]:
    """A row of a seed; one without unit and mode gets those that its metric had then."""
    if "unit" in row:
        return row
    return {**row, "unit": units.get((row["metric"], row["k"]), "any"), "mode": "finrag"}


def _text(value: Any) -> str:
    if value is None:
        return ""
    return repr(round(value, _DIGITS)) if isinstance(value, float) else str(value)


def _replaced(
    earlier: Sequence[dict[str, str]], new: Sequence[dict[str, str]], name: str
) -> list[dict[str, str]]:
    """The new rows where the old ones of the name stood first, else behind all others."""
    places = [place for place, row in enumerate(earlier) if row["baseline"] == name]
    first = places[0] if places else len(earlier)
    return [
        *earlier[:first],
        *new,
        *(row for row in earlier[first:] if row["baseline"] != name),
    ]


def _read_seed(target: Path) -> list[dict[str, str]]:
    if not target.is_file():
        return []
    with target.open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream)
        older = tuple(name for name in COLUMNS if name not in _MEASURES)
        if tuple(reader.fieldnames or ()) not in (COLUMNS, older):
            raise ValueError(
                f"'{target}' is not a seed of baselines: its columns should be {','.join(COLUMNS)}"
            )
        return list(reader)


def _write_seed(target: Path, rows: Sequence[dict[str, str]]) -> None:
    """Beside the seed first: a write that breaks off leaves the old one whole."""
    with replacing(target) as hidden, hidden.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
