"""One evaluation: questions chosen, the system asked, its answers scored by the one path."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from finrag.command.evaluating import callables
from finrag.command.evaluating.asking import ask_all
from finrag.command.evaluating.beside import rejected_lines, score_beside
from finrag.command.evaluating.outcome import Outcome, read_outcome, write_record
from finrag.command.evaluating.questions import Asked, choose, with_places
from finrag.records.writing import replacing
from finrag.systems.registry import declared_ids
from finrag.warehouse import open_warehouse

FOLDER: Final = "eval"
_ADDRESS: Final = re.compile(r"https?://", re.IGNORECASE)
_SERVICE: Final = "external_http"
_FILE: Final = "external_file"


class BrokenBuildError(ValueError):
    """The build ran, and stopped before what is read of it."""


@dataclass(frozen=True)
class Run:
    """What is evaluated, and how.

    Attributes:
        source: an object of Python, or its place, an address, a file of predictions or of traces,
            or the id of a system that the project declares.
        database: a warehouse that is built.
        name: id of the system; "" for one made of the source.
        where: condition that questions fit, see ``read_condition``.
        limit: how many of them; None for all.
        k: how many passages are wanted.
        n_threads: how many questions a function is asked at once.
        timeout_s: seconds for one.
        form: ``auto``, or ``otel`` for a file of traces.
        variables: dbt vars that are given.
        version: version of the system; "" where its answers state it, or nothing does.
        is_built: whether a run on some questions is built into the warehouse as well, for its
            pages.
    """

    source: Any
    database: Path
    name: str = ""
    where: str = ""
    limit: int | None = None
    k: int = 10
    n_threads: int = 4
    timeout_s: float = 60.0
    form: str = "auto"
    variables: Mapping[str, Any] = field(default_factory=dict)
    version: str = ""
    is_built: bool = False

    @property
    def system_id(self) -> str:
        """The name of the system in the warehouse."""
        return self.name or _name_of(self.source)


def evaluate(run: Run) -> tuple[Outcome, Path]:
    """Ask, score and read the outcome; the run is written to a file for ``finrag diff``.

    Returns:
        The outcome, and the file.

    Raises:
        ValueError: the source cannot be loaded, there is no built warehouse, no question is left,
            the name is taken, or the build could not run.
        BrokenBuildError: a step of the build failed before anything was measured.
    """
    from finrag.command.building.build import only_build

    with only_build():
        return _evaluate(run)


def _evaluate(run: Run) -> tuple[Outcome, Path]:
    from finrag.command.preflight import check_build, merge_variables
    from finrag.command.settings import default_variables, system_seeds

    given = merge_variables(default_variables(), run.variables)
    state_dir = str(given["state_dir"])
    folder = Path(state_dir) / FOLDER / run.system_id
    is_declared = isinstance(run.source, str) and run.source in declared_ids(given)
    if is_declared:
        _check_whole(run)
    else:
        _check_name(run.system_id, system_seeds()[0])
    with open_warehouse(run.database) as warehouse:
        asked = choose(warehouse, run.where, run.limit)
    if is_declared:
        own: dict[str, Any] = {"candidate": [run.source]}
        folder.mkdir(parents=True, exist_ok=True)
    else:
        kind, settings = _asked_of(run, asked, folder, state_dir)
        own = _system_vars(run, asked, kind, settings, given, folder)
    if run.version:
        versions = {**(given.get("system_versions") or {}), run.system_id: run.version}
        own["system_versions"] = versions
    variables = {**run.variables, **own}
    merged = merge_variables(default_variables(), variables)
    check_build(run.database, merged, *system_seeds())
    if not (asked.is_whole or run.is_built):
        scored = score_beside(run.database, run.system_id, system_seeds(), merged)
        for line in rejected_lines(scored, run.system_id):
            print(line)
        outcome = replace(read_outcome(scored, run.system_id, asked, merged), is_stored=False)
        return outcome, write_record(outcome, folder)
    has_failed = _build(run.database, variables, merged)
    with open_warehouse(run.database) as warehouse:
        outcome = read_outcome(warehouse, run.system_id, asked, merged)
    # A broken gate also fails a check of the build, and has been reported by then.
    if has_failed and outcome.status != 1:
        headline = f"A step or check of the build failed (see above). {outcome.headline}"
        outcome = replace(outcome, headline=headline, status=1)
    return outcome, write_record(outcome, folder)


def _check_whole(run: Run) -> None:
    """A system that the project declares is asked by the build, which asks everything."""
    if run.where or run.limit is not None or run.name:
        raise ValueError(
            f"{run.source} is declared in systems_paths, and the build asks it all questions under "
            "that name; leave out --where, --limit and --name"
        )


def _asked_of(
    run: Run, asked: Asked, folder: Path, state_dir: str
) -> tuple[str, dict[str, str | int]]:
    """Kind and settings of the system that the build scores."""
    source = run.source
    if isinstance(source, str) and not _is_known(source):
        raise ValueError(
            f"'{source}' is neither an existing file nor a system of systems_paths; give one, "
            "module:attribute or http://host:port"
        )
    if isinstance(source, str) and _ADDRESS.match(source):
        if asked.is_whole:
            return _SERVICE, {"service_url": source, "depth": run.k}
        records = _asked_service(run, asked, state_dir)
    elif isinstance(source, str) and run.form == "otel":
        from finrag.command.evaluating.traces import read_traces

        with open_warehouse(run.database) as warehouse:
            records = with_places(read_traces(Path(source)), warehouse)
    elif isinstance(source, str) and Path(source).exists():
        return _FILE, {"predictions_path": source, "predictions_format": "auto"}
    else:
        records = _asked_object(run, asked, folder)
    path = folder / "predictions.jsonl"
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(path) as hidden:
        lines = "".join(f"{json.dumps(record, sort_keys=True)}\n" for record in records)
        hidden.write_text(lines, encoding="utf-8")
    return _FILE, {"predictions_path": str(path), "predictions_format": "jsonl"}


def _is_known(source: str) -> bool:
    return bool(_ADDRESS.match(source)) or Path(source).exists() or ":" in source


def _asked_object(run: Run, asked: Asked, folder: Path) -> list[dict[str, Any]]:
    system = callables.load(run.source) if isinstance(run.source, str) else run.source
    identity = json.dumps([run.system_id, callables.fingerprint(system), run.k])
    records = ask_all(
        asked.questions,
        callables.asker(system, run.k),
        folder / "answers",
        identity,
        run.n_threads,
        run.timeout_s,
    )
    with open_warehouse(run.database) as warehouse:
        return with_places(records, warehouse)


def _asked_service(run: Run, asked: Asked, state_dir: str) -> list[dict[str, Any]]:
    """Answers of a service to some questions, cached where a build of all would look for them."""
    from finrag.services import ask_services

    system = {
        "system_id": run.system_id,
        "system_kind": _SERVICE,
        "service_url": run.source,
        "depth": run.k,
        "system_version": run.version,
    }
    rows = ask_services(
        pa.Table.from_pylist([system]), asked.readings, asked.companies, state_dir
    ).read_all()
    return [_record_of(row) for row in rows.to_pylist()]


def _record_of(row: Mapping[str, Any]) -> dict[str, Any]:
    names = ("numeric_value", "unit", "failure", "model", "system_version", "n_steps")
    more = ("input_tokens", "output_tokens", "latency_ms", "cost_usd")
    record = {"item_id": row["item_key"]}
    if row["has_answer"]:
        record["answer"] = row["answer_text"]
    record |= {name: row[name] for name in (*names, *more) if row.get(name) is not None}
    # A figure that could not be read is a fault of this record as well.
    if any(one["fault_code"] == "bad_numeric_value" for one in row.get("faults") or ()):
        record["numeric_value"] = math.nan
    if row.get("is_abstained") is not None:
        record["abstained"] = row["is_abstained"]
    if row.get("citations") is not None:
        record["citations"] = [
            {"sentence_id": one["passage_id"], "quote": one["quote"]} for one in row["citations"]
        ]
    if row.get("sources") is not None:
        record["ranking"] = [
            {name: value for name, value in pair if value is not None}
            for one in row["sources"]
            for pair in [(("sentence_id", one["passage_id"]), ("score", one["score"]))]
        ]
    return record


def _system_vars(
    run: Run,
    asked: Asked,
    kind: str,
    settings: Mapping[str, str | int],
    given: Mapping[str, Any],
    folder: Path,
) -> dict[str, Any]:
    """The dbt vars that register the system, with the file that describes it written.

    A system that was asked some questions only is no candidate of the warehouse: its pages would
    count the others as failures.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "systems.yml"
    entry = {
        "system_id": run.system_id,
        "system_kind": kind,
        "settings": dict(settings),
        "role": "candidate" if asked.is_whole else "reference",
        "description": f"evaluated by finrag eval on {len(asked.questions)} questions",
    }
    with replacing(path) as hidden:
        hidden.write_text(json.dumps({"systems": [entry]}, indent=1), encoding="utf-8")
    paths = [*_listed(given.get("systems_paths")), str(path)]
    variables: dict[str, Any] = {"systems_paths": list(dict.fromkeys(paths))}
    if asked.is_whole:
        variables["candidate"] = [run.system_id]
    return variables


def _build(database: Path, variables: Mapping[str, Any], merged: Mapping[str, Any]) -> bool:
    """Whether a step or check of the build failed."""
    from finrag.cache.library import library_fingerprint
    from finrag.command.building.build import build
    from finrag.command.settings import system_seeds, variables_text
    from finrag.systems import resolve_systems
    from finrag.warehouse import check_written
    from finrag.warehouse.project import RESULTS

    # DuckDB makes no folder above the one that profiles.yml names.
    Path(".finrag/spill").mkdir(parents=True, exist_ok=True)
    os.environ["FINRAG_DATABASE"] = str(database)
    os.environ["FINRAG_FINGERPRINT"] = library_fingerprint()
    systems = resolve_systems(*system_seeds(), merged)
    built = build(database, variables_text(variables), merged, systems)
    try:
        # Figures of an earlier build must not pass for those of this one.
        check_written(RESULTS, ("rpt_overview_verdict", "metric_values", "gate_verdicts"))
    except ValueError as error:
        raise BrokenBuildError(str(error)) from error
    return built.has_failed


def _check_name(system_id: str, seed: Sequence[Mapping[str, str]]) -> None:
    from finrag.systems.registry import SYSTEM_ID, TAKEN_IDS

    if not SYSTEM_ID.fullmatch(system_id) or system_id in TAKEN_IDS:
        raise ValueError(
            f"'{system_id}' cannot name a system; give --name in small letters, digits and "
            "underscores"
        )
    if system_id in {row["system_id"] for row in seed}:
        raise ValueError(f"{system_id} is a system that is shipped; give another --name")


def _name_of(source: Any) -> str:
    if not isinstance(source, str):
        text = getattr(source, "__name__", None) or type(source).__name__
    elif _ADDRESS.match(source):
        text = "service"
    else:
        text = source.rpartition(":")[2] if ":" in source else Path(source).stem
    return re.sub(r"\W+", "_", str(text).lower()).strip("_")


def _listed(value: Any) -> list[str]:
    if not value:
        return []
    return [value] if isinstance(value, str) else list(value)
