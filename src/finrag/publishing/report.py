"""The report of the build in a warehouse, as JSON for programs and Markdown for people."""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from finrag.cache.build_record import failed_checks
from finrag.publishing.markdown import as_markdown
from finrag.publishing.reading import (
    inputs_changed,
    last_records,
    questions_by_category,
    why_not_comparable,
)
from finrag.publishing.verdict import Verdict, read_verdicts
from finrag.records.writing import replacing
from finrag.warehouse import Row, Warehouse, check_written, open_warehouse

# Raised when a field changes its meaning or goes away; new fields leave it as it is.
VERSION: Final = 1
REPORTS: Final = (
    "gate_limits",
    "gate_verdicts",
    "rpt_overview_answers",
    "rpt_overview_candidates",
    "rpt_overview_corpus",
    "rpt_overview_figures",
    "rpt_overview_gate_details",
    "rpt_overview_limits",
    "rpt_overview_steps",
    "rpt_overview_verdict",
    "rpt_run_examples",
    "rpt_gate_examples",
)
VERDICT_ORDER: Final = ("fail", "unmeasured", "too_few", "waived", "not_applicable", "pass")
SLICES: Final = ("overall", "sound")
KEY: Final = ("system_id", "gold_set", "slice_name", "slice_value", "metric", "k", "unit", "mode")
HASHES: Final = (
    "corpus_hash",
    "anchors_hash",
    "questions_hash",
    "readings_hash",
    "gold_hash",
    "gold_versions",
)
VERSIONS: Final = ("finrag_version", "python_version", "git_commit", "has_uncommitted_changes")
OF_A_SYSTEM: Final = (
    "system_id",
    "system_kind",
    "settings_hash",
    "encoder_id",
    "reranker",
    "answerer",
    "prompt_hash",
    "llm_endpoint",
)


def read_report(database: Path) -> dict[str, Any]:
    """The report of the build in a warehouse; errors as ``write_report``."""
    with open_warehouse(database) as warehouse:
        return report_of(warehouse, failed_checks(database))


def write_report(database: Path, state_dir: Path, results: Path | None = None) -> tuple[Path, Path]:
    """Writes the report of the build in a warehouse.

    Args:
        database: the warehouse; it is only read.
        state_dir: the folder that keeps state between builds; reports go to ``reports`` in it.
        results: dbt's ``run_results.json``; with it, a report is written only of what that run
            built.

    Returns:
        The paths of the JSON and of the Markdown. The same warehouse gives the same bytes under
        the same names.

    Raises:
        ValueError: there is no warehouse, or it has not been built to its end.
    """
    check_written(results, REPORTS)
    report = read_report(database)
    name = f"{report['at'][:19].replace(':', '')}-{report['evaluation_id'][:8]}"
    folder = state_dir / "reports"
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(report, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    paths = folder / f"{name}.json", folder / f"{name}.md"
    _write(paths[0], text)
    _write(paths[1], as_markdown(report))
    return paths


def report_of(warehouse: Warehouse, failed: Sequence[str] = ()) -> dict[str, Any]:
    """The report as JSON values; every list has an order of its own.

    What has not been measured is named in ``not_measured``, and the figures that would come of it
    are null.
    """
    corpus = warehouse.rows("select * from reports.rpt_overview_corpus")[0]
    run = warehouse.rows("select * from retrieval.runs")[0]
    manifests = warehouse.rows("select * from metrics.run_manifests order by system_id")
    record, before = last_records(warehouse)
    changed = inputs_changed(before, manifests[0])
    missing = _missing(warehouse, before, changed)
    verdicts = read_verdicts(warehouse, failed)
    report = {
        "version": VERSION,
        "at": (record or {}).get("recorded_at", run["built_at"]),
        "run_id": run["run_id"],
        "evaluation_id": manifests[0]["evaluation_id"],
        "record_id": (record or {}).get("record_id"),
        "before": before,
        "inputs_changed": changed,
        "corpus": corpus,
        "release": _release(warehouse, verdicts),
        "failed_checks": list(failed),
        "caveats": _caveats(warehouse),
        "config": _config(manifests),
        "totals": _totals(warehouse),
        "figures": _figures(verdicts),
        "gates": gates_with_examples(warehouse),
        "limits": _limits(warehouse),
        "metrics": _metrics(warehouse, before, manifests[0]),
        "comparisons": _comparisons(warehouse),
        "examples": _examples(warehouse),
        "not_measured": missing,
    }
    return {name: as_plain(value) for name, value in report.items()}


def _missing(warehouse: Warehouse, before: Row | None, changed: list[str]) -> list[str]:
    parts = {
        "metrics.recorded_runs": "there is no history, so nothing is compared with an earlier run",
        "metrics.metric_drifts": "there is no comparison with a baseline",
        "metrics.metric_floors": "there is no distance from a null",
        "metrics.numeric_verdicts": "figures in answers are not checked",
        "metrics.answer_claims": "claims of answers are not traced to what they cite",
    }
    missing = [f"{name}: {what}" for name, what in parts.items() if not warehouse.has(name)]
    if warehouse.has("metrics.recorded_runs") and before is None:
        missing.append("metrics.recorded_runs: this is the first record of this corpus and encoder")
    if changed:
        missing.append(
            f"metrics.recorded_runs: the previous record is of {' and '.join(changed)}, so figures "
            "that depend on it are not compared with that record"
        )
    if not warehouse.rows("select 1 from reports.rpt_run_examples limit 1"):
        missing.append("reports.rpt_run_examples: no system has a wrong answer that could be shown")
    return missing


def _release(warehouse: Warehouse, verdicts: Sequence[Verdict]) -> list[Row]:
    """What may be said of the warehouse and of each candidate, with what it was compared with."""
    figures = warehouse.rows(
        "select * exclude (run_id) from reports.rpt_overview_candidates "
        "order by system_id, is_public, gold_set, metric, k, unit, mode"
    )
    return [
        {
            "place": int(verdict.system_id != ""),
            **{name: getattr(verdict, name) for name in _SAID},
            "figures": [one for one in figures if one["system_id"] == verdict.system_id],
        }
        for verdict in verdicts
    ]


_SAID: Final = ("system_id", "outcome", "headline", "measured_on")


def _caveats(warehouse: Warehouse) -> list[Row]:
    """What stands beside the verdict on the first page as well, with what to do about it."""
    return warehouse.rows(
        "select reason, step, page from reports.rpt_overview_steps where kind = 'caveat' "
        "order by step_pos"
    )


def _limits(warehouse: Warehouse) -> list[Row]:
    """What every system under test must reach, whether there is one or not."""
    return warehouse.rows(
        """
        select worded.* exclude (run_id, set_on), gate_limits.set_on
        from reports.rpt_overview_limits as worded
        inner join gates.gate_limits on worded.gate_id = gate_limits.gate_id
        order by worded.severity, worded.phase, worded.gate_id
        """
    )


def _figures(verdicts: Sequence[Verdict]) -> list[Row]:
    """Key figures of every candidate; with none under test, of the best reference."""
    return [
        row
        for verdict in verdicts
        for row in verdict.figures
        if not row.get("is_public")
        and row["status"] != "not_applicable"
        and row["figure_id"] != "p2_coverage"
    ]


def _config(manifests: list[Row]) -> dict[str, Any]:
    first = manifests[0]
    return {
        "systems": [
            {
                **{name: row[name] for name in OF_A_SYSTEM},
                "settings": json.loads(row["settings"]),
            }
            for row in manifests
        ],
        "hashes": {name: first[name] for name in HASHES},
        "versions": {
            **{name: first[name] for name in VERSIONS},
            "libraries": json.loads(first["library_versions"]),
        },
    }


def _totals(warehouse: Warehouse) -> dict[str, Any]:
    """Counts that must add up, and whether they do."""
    answers = warehouse.rows(
        "select * exclude (run_id, is_null) from reports.rpt_overview_answers "
        "order by system_id, gold_set"
    )
    outcomes = ("n_answered", "n_abstained", "n_failed", "n_not_run")
    for row in answers:
        row["adds_up"] = row["n_asked"] == sum(row[name] for name in outcomes)
    questions = [
        {name: row[name] for name in ("category", "n_questions", "n_excluded")}
        for row in questions_by_category(warehouse)
    ]
    return {"answers": answers, "questions": questions}


def gates_with_examples(warehouse: Warehouse) -> list[Row]:
    """Broken error gates first, then warnings, references, and what else does not pass."""
    examples = _with_citations(
        warehouse,
        warehouse.rows(
            "select * exclude (run_id) from reports.rpt_gate_examples "
            "order by gate_id, example_rank"
        ),
    )
    gates = warehouse.rows("select * exclude (run_id) from gates.gate_verdicts")
    for gate in gates:
        gate["examples"] = [row for row in examples if row["gate_id"] == gate["gate_id"]]
    return sorted(gates, key=_urgency)


def _urgency(gate: Row) -> tuple[bool, bool, bool, int, str, str]:
    verdict = gate["verdict"]
    rank = VERDICT_ORDER.index(verdict) if verdict in VERDICT_ORDER else -1
    return (
        gate["breach"] is None,
        gate["severity"] == "reference",
        gate["severity"] != "error",
        rank,
        gate["phase"],
        gate["gate_id"],
    )


def _metrics(warehouse: Warehouse, before: Row | None, now: Row) -> list[Row]:
    """Headline metrics with intervals, distance from the null, and changes."""
    rows = warehouse.rows(
        """
        select metric_summaries.* exclude (summary_id, run_id)
        from metrics.metric_summaries
        inner join retrieval.runs on metric_summaries.run_id = runs.run_id
        where slice_name in (select unnest(cast(? as varchar[])))
            and concat_ws('|', metric, k, unit, mode) in (select unnest(cast(? as varchar[])))
        order by gold_set, system_id, slice_name, slice_value, metric, k, unit, mode
        """,
        [list(SLICES), _headlines(warehouse)],
    )
    floors, known = _floors(warehouse), _labels(warehouse)
    earlier = _earlier_means(warehouse, before, now)
    drifts = _drifts(warehouse)
    for row in rows:
        counted = [row.get(name) or 0 for name in _PARTS]
        key = tuple(row[name] for name in KEY)
        floor, old, drift = floors.get(key, {}), earlier.get(key, {}), drifts.get(key, {})
        is_same_scorer = old.get("scorer_id") == row.get("scorer_id")
        row["adds_up"] = row["n_asked"] == sum(counted)
        row["metric_label"], row["direction"] = known.get(key[4:], (None, None))
        # Among few sentences random order is right now and then: there the mean is what tells.
        of_mean = row["k"] > 0
        row["null_p90"] = floor.get("null_mean_p90" if of_mean else "null_p90")
        row["null_distance"] = floor.get("distance_of_mean" if of_mean else "distance")
        row["change_before"] = _difference(row["mean"], old.get("mean")) if is_same_scorer else None
        row["change_baseline"] = drift.get("change") if drift.get("is_comparable") else None
        row["is_beyond_interval"] = drift.get("is_beyond_interval")
    return rows


_PARTS: Final = ("n_evaluated", "n_uncovered", "n_abstained", "n_failed", "n_not_run", "n_unscored")


def _headlines(warehouse: Warehouse) -> list[str]:
    """Metrics shown, as ``metric|k|unit|mode``."""
    leading = warehouse.rows(
        "select concat_ws('|', metric, k, unit, mode) as name from seeds.page_figures "
        "where shown_in = 'report'"
    )
    shown = {row["name"] for row in leading}
    if warehouse.has("seeds.metric_catalogue", "is_headline"):
        chosen = warehouse.rows(
            "select concat_ws('|', metric, k, unit, mode) as name from seeds.metric_catalogue "
            "where is_headline or asked_of in ('answers', 'any')"
        )
        shown |= {row["name"] for row in chosen}
    return sorted(shown)


def _labels(warehouse: Warehouse) -> dict[tuple[Any, ...], tuple[str, str]]:
    """Label and direction of each metric of the catalogue."""
    if not warehouse.has("seeds.metric_catalogue", "label", "direction"):
        return {}
    rows = warehouse.rows(
        "select metric, k, unit, mode, label, direction from seeds.metric_catalogue order by all"
    )
    return {
        (row["metric"], row["k"], row["unit"], row["mode"]): (row["label"], row["direction"])
        for row in rows
    }


def _floors(warehouse: Warehouse) -> dict[tuple[Any, ...], Row]:
    if not warehouse.has("metrics.metric_floors"):
        return {}
    query = """
        select metric_floors.*
        from metrics.metric_floors
        inner join retrieval.runs on metric_floors.run_id = runs.run_id
        where null_kind = 'strongest'
    """
    return _by_key(warehouse.rows(query))


def _drifts(warehouse: Warehouse) -> dict[tuple[Any, ...], Row]:
    if not warehouse.has("metrics.metric_drifts"):
        return {}
    return _by_key(warehouse.rows("select * from metrics.metric_drifts order by drift_id"))


def _earlier_means(
    warehouse: Warehouse, before: Row | None, now: Row
) -> dict[tuple[Any, ...], Row]:
    """Figures of the record before, of gold sets that can be compared with it."""
    if before is None or not warehouse.has("metrics.recorded_metrics", "results_hash"):
        return {}
    rows = warehouse.rows(
        "select * from metrics.recorded_metrics where results_hash = ?", [before["results_hash"]]
    )
    return _by_key(row for row in rows if not why_not_comparable(row["gold_set"], before, now))


def _by_key(rows: Iterable[Row]) -> dict[tuple[Any, ...], Row]:
    return {tuple(row[name] for name in KEY): row for row in rows}


def _difference(new: float | None, old: float | None) -> float | None:
    return None if new is None or old is None else new - old


def _comparisons(warehouse: Warehouse) -> list[Row]:
    rows = warehouse.rows(
        """
        select comparisons.* exclude (comparison_id, run_id)
        from metrics.comparisons
        inner join retrieval.runs on comparisons.run_id = runs.run_id
        where slice_name in (select unnest(cast(? as varchar[])))
            and concat_ws('|', metric, k, unit, mode) in (select unnest(cast(? as varchar[])))
        order by gold_set, pair_id, slice_name, slice_value, metric, k, unit, mode
        """,
        [list(SLICES), _headlines(warehouse)],
    )
    known = _labels(warehouse)
    for row in rows:
        name = (row["metric"], row["k"], row["unit"], row["mode"])
        row["metric_label"], row["direction"] = known.get(name, (None, None))
    return rows


def _examples(warehouse: Warehouse) -> list[Row]:
    rows = warehouse.rows(
        "select * exclude (run_id) from reports.rpt_run_examples "
        "order by system_id, gold_set, example_rank"
    )
    failures = {}
    if warehouse.has("metrics.answer_failures", "system_id", "item_id", "failure"):
        failures = {
            (row["system_id"], row["item_id"]): row["failure"]
            for row in warehouse.rows(
                "select system_id, item_id, failure from metrics.answer_failures order by all"
            )
        }
    for row in rows:
        row["failure"] = failures.get((row["system_id"], row["item_id"]))
    return _with_citations(warehouse, rows)


def _with_citations(warehouse: Warehouse, examples: list[Row]) -> list[Row]:
    """The examples, each with what its answer cites and where that stands."""
    cited: dict[tuple[str, str], list[Row]] = {}
    for row in warehouse.rows(
        """
        with shown as (
            select system_id, item_id from reports.rpt_run_examples
            union
            select system_id, item_id from reports.rpt_gate_examples
        )
        select
            cited.system_id, cited.item_id, cited.citation_pos, cited.named as sentence_id,
            cited.is_in_context,
            exists (
                from gold.judgments
                where
                    judgments.item_id = cited.item_id
                    and judgments.passage_id = cited.named
                    and judgments.grade > 0
            ) as is_relevant,
            cited.quote, sentences.filing_id, sentences.company_name, sentences.report_year,
            sentences.section_name, sentences.char_start, sentences.char_end,
            sentences.sentence_text
        from answers.answer_citations as cited
        semi join shown using (system_id, item_id)
        left join sentences.sentences on cited.named = sentences.sentence_id
        order by cited.system_id, cited.item_id, cited.citation_pos
        """
    ):
        cited.setdefault((row.pop("system_id"), row.pop("item_id")), []).append(row)
    return [
        {**row, "citations": cited.get((row["system_id"], row["item_id"]), [])} for row in examples
    ]


def as_plain(value: Any) -> Any:
    """The value as JSON can hold it; NaN and the infinities become their names."""
    if isinstance(value, dict):
        return {name: as_plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(part) for part in value]
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def _write(path: Path, text: str) -> None:
    with replacing(path) as hidden:
        hidden.write_text(text, encoding="utf-8", newline="\n")
