"""One evaluation: questions chosen, the system asked, its answers scored by the one path."""

from __future__ import annotations

import inspect
import json
import math
import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from finrag.cache.build_record import failed_checks
from finrag.cache.entries import damage_counted
from finrag.command.evaluating import callables
from finrag.command.evaluating.asking import ask_all
from finrag.command.evaluating.beside import missing_lines, rejected_lines, score_beside
from finrag.command.evaluating.conditions import read_condition, shown
from finrag.command.evaluating.outcome import Outcome, read_outcome, write_record
from finrag.command.evaluating.questions import GOLD, Asked, check_limit, choose, with_places
from finrag.command.evaluating.waiting import EventLoop
from finrag.publishing.verdict import BROKEN, heeding
from finrag.records.writing import replacing
from finrag.systems.kinds import EXTERNAL_KINDS, LINE_KINDS
from finrag.systems.registry import declared_anew, declared_ids
from finrag.warehouse import open_warehouse, unfinished_mark

FOLDER: Final = "eval"
_ADDRESS: Final = re.compile(r"https?://", re.IGNORECASE)
# A function of this name is called by its module alone.
_USUAL: Final = "answer"
# A larger file is not empty, whatever it holds.
_SMALL: Final = 65_536
_SERVICE: Final = "external_http"
_FILE: Final = "external_file"
# What a service of the project is asked with, and what its answers in a file have in common.
_ASKED_WITH: Final = (
    *("system_kind", "service_url", "service_path", "service_fields", "service_tool"),
    *("system_version", "depth"),
)
_KEPT: Final = ("depth", "answer_sets", "system_version")
_FILED: Final = ("predictions_path", "predictions_format")
_HASH: Final = "select settings_hash from retrieval.registered_systems where system_id = ?"


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
        is_built: whether the run is built into the warehouse as well, for its pages.
        gold: the gold set whose questions are asked.
        loop: where async functions are awaited; None for a loop of this run alone.
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
    gold: str = GOLD
    loop: EventLoop | None = None

    @property
    def is_partial(self) -> bool:
        """Whether a choice of questions was given, be it of all."""
        return bool(self.where) or self.limit is not None

    @property
    def system_id(self) -> str:
        """The name of the system in the warehouse."""
        return self.name or _name_of(self.source)


@damage_counted()
def evaluate(run: Run) -> tuple[Outcome, Path]:
    """Ask, score and read the outcome; the run is written to a file for ``finrag diff``.

    Returns:
        The outcome, and the file.

    Raises:
        ValueError: the source cannot be loaded, there is no built warehouse, it holds no such gold
            set, no question is left, the name is taken, or the build could not run.
        BrokenBuildError: a step of the build failed before anything was measured.
    """
    from finrag.command.building.build import LOCK, holding, only_build

    given = _settings_of(run)
    declared = _checked(run, given)
    named = f"finrag eval {run.system_id}"
    folder = Path(str(given["state_dir"])) / FOLDER / run.system_id
    # Without a build the warehouse is only read, which several may do at once.
    with (
        only_build(run.database, named, is_reading=not run.is_built) as to_build,
        holding(folder / LOCK, named),
    ):
        return _evaluate(run, given, declared, to_build)


def _settings_of(run: Run) -> dict[str, Any]:
    """The dbt vars of a run, with the version that it states."""
    from finrag.command.preflight import merge_variables
    from finrag.command.settings import default_variables

    given = dict(merge_variables(default_variables(), run.variables))
    if run.version:
        given["system_versions"] = {
            **(given.get("system_versions") or {}),
            run.system_id: run.version,
        }
    return given


def _checked(run: Run, given: Mapping[str, Any]) -> dict[str, Any] | None:
    """All that can be wrong with a run before the warehouse is opened.

    Returns:
        The source as a system of the project; None where it is none.

    Raises:
        ValueError: the source cannot be loaded, read or asked, or something of the run is wrong.
    """
    from finrag.command.settings import system_seeds

    read_condition(run.where)
    check_limit(run.limit)
    declared = _declared(run, given)
    if declared is not None:
        return declared
    source = run.source
    if not isinstance(source, str):
        callables.asker(source, run.k, EventLoop())
    elif not _ADDRESS.match(source):
        path = Path(source)
        if path.exists():
            _check_content(path)
        elif ":" in source and run.form == "auto":
            callables.asker(callables.load(source), run.k, EventLoop())
        else:
            raise ValueError(
                f"'{source}' is neither a file nor a system of systems_paths; give one of these, "
                "module:attribute or http://host:port"
            )
    _check_name(run.system_id, system_seeds()[0])
    return None


def _check_content(path: Path) -> None:
    if path.is_file() and path.stat().st_size < _SMALL and not path.read_bytes().strip():
        raise ValueError(f"{path} is empty: write one JSON record per question")


def _evaluate(
    run: Run,
    given: Mapping[str, Any],
    declared: dict[str, Any] | None,
    to_build: Callable[[], None],
) -> tuple[Outcome, Path]:
    """The run, after its input was checked; ``to_build`` is called before anything is built."""
    from finrag.command.preflight import check_build, merge_variables
    from finrag.command.settings import default_variables, system_seeds

    state_dir = str(given["state_dir"])
    folder = Path(state_dir) / FOLDER / run.system_id
    own: dict[str, Any] = {"system_versions": given["system_versions"]} if run.version else {}
    is_searching = declared is not None and declared["system_kind"] not in EXTERNAL_KINDS
    if run.is_built:
        _finish(run, given)
    with open_warehouse(run.database) as warehouse:
        asked = choose(warehouse, run.where, run.limit, run.gold)
    if asked.is_whole and run.is_partial:
        print(f"{_choice(run)} selects all {asked.n_all:,} questions: this is a whole run.")
    # What searches within a build answers all questions in one.
    is_built = run.is_built or (is_searching and asked.is_whole)
    if is_built:
        _check_corpus(run.database, given)
        to_build()
    # Such a build asks a declared system everything: all there is to say is what counts.
    is_ready = is_searching or (
        declared is not None and is_built and asked.is_whole and asked.gold == GOLD
    )
    folder.mkdir(parents=True, exist_ok=True)
    if not is_ready:
        kind, settings = _asked_of(run, asked, folder, state_dir, declared, is_built)
        own |= _system_vars(run, asked, kind, settings, given, folder, declared)
    elif asked.is_whole:
        own["candidate"] = [run.source]
    elif declared is not None and not run.is_built:
        outcome = _read_standing(run, asked, declared, given)
        outcome = heeding(outcome, failed_checks(run.database))
        return outcome, write_record(outcome, folder)
    variables = {**run.variables, **own}
    merged = merge_variables(default_variables(), variables)
    check_build(run.database, merged, *system_seeds())
    if not is_built:
        scored = score_beside(run.database, [run.system_id], system_seeds(), merged, asked.is_whole)
        for line in (
            *rejected_lines(scored, run.system_id),
            *(missing_lines(scored, run.system_id) if asked.is_whole else ()),
        ):
            print(line)
        outcome = replace(read_outcome(scored, run.system_id, asked, merged), is_stored=False)
        outcome = heeding(outcome, failed_checks(run.database))
        return outcome, write_record(outcome, folder)
    has_failed = _build(run.database, variables, merged)
    with open_warehouse(run.database) as warehouse:
        outcome = read_outcome(warehouse, run.system_id, asked, merged)
    # A broken gate also fails a check of the build, and has been reported by then.
    outcome = heeding(outcome, failed_checks(run.database))
    if has_failed and outcome.status != BROKEN:
        headline = f"A step of the build failed (see above). {outcome.headline}"
        outcome = replace(outcome, headline=headline, has_failed_checks=True)
    return outcome, write_record(outcome, folder)


def _check_corpus(database: Path, given: Mapping[str, Any]) -> None:
    """Raise ValueError where a build would put another corpus into the warehouse."""
    with open_warehouse(database) as warehouse:
        (row,) = warehouse.rows("select corpus from retrieval.runs")
    if row["corpus"] != given["corpus"]:
        raise ValueError(
            f"'{database}' holds the corpus '{row['corpus']}', and the dbt vars name "
            f"'{given['corpus']}', which would replace it; give --vars as they were at the last "
            "build, or name another --database"
        )


def _finish(run: Run, given: Mapping[str, Any]) -> None:
    """Finish the last build of the warehouse, if it was interrupted."""
    from finrag.command.preflight import check_build
    from finrag.command.settings import system_seeds

    if run.database.is_file() and unfinished_mark(run.database).is_file():
        print("The last build of this warehouse was interrupted; it is finished first.", flush=True)
        check_build(run.database, given, *system_seeds())
        _build(run.database, run.variables, given)


def _choice(run: Run) -> str:
    """What a person wrote to choose some of the questions."""
    return f'--where "{shown(run.where)}"' if run.where else f"--limit {run.limit}"


def _declared(run: Run, variables: Mapping[str, Any]) -> dict[str, Any] | None:
    """The source as a system of the project, with all its settings; None where it is none."""
    from finrag.command.settings import system_seeds
    from finrag.systems import resolve_systems

    if not isinstance(run.source, str) or run.source not in declared_ids(variables):
        return None
    if run.name:
        raise ValueError(
            f"{run.source} is declared in systems_paths under that name; leave out --name"
        )
    rows = resolve_systems(*system_seeds(), variables)
    found = next((row for row in rows if row["system_id"] == run.source), None)
    if found is None:
        raise ValueError(f"{run.source} is not enabled; name it in the dbt var enable_systems")
    if found["system_kind"] in LINE_KINDS:
        raise ValueError(
            f"{run.source} describes revenue lines and answers no questions; name a "
            "system that answers"
        )
    return found


def _read_standing(
    run: Run, asked: Asked, declared: Mapping[str, Any], settings: Mapping[str, Any]
) -> Outcome:
    """The outcome of a system that searches within a build, as the last build left it."""
    with open_warehouse(run.database) as warehouse:
        known = warehouse.rows(_HASH, [run.system_id])
        if [row["settings_hash"] for row in known] != [declared["settings_hash"]]:
            raise ValueError(
                f"{run.source} searches within a build, and '{run.database}' does not hold it with "
                "these settings; give --build, or run `finrag build` with these systems_paths"
            )
        return read_outcome(warehouse, run.system_id, asked, settings)


def _asked_of(
    run: Run,
    asked: Asked,
    folder: Path,
    state_dir: str,
    declared: Mapping[str, Any] | None = None,
    is_built: bool = False,
) -> tuple[str, dict[str, str | int]]:
    """Kind and settings of the system that is scored; a build asks a service by itself."""
    source = run.source
    if declared is not None and declared["system_kind"] == _FILE:
        return _FILE, _settings(declared, *_FILED, *_KEPT)
    kept: dict[str, str | int] = {}
    if declared is not None:
        records = _asked_service(run, asked, state_dir, declared)
        kept = _settings(declared, *_KEPT)
    elif isinstance(source, str) and _ADDRESS.match(source):
        service: dict[str, str | int] = {"service_url": source, "depth": run.k}
        if is_built and asked.is_whole and asked.gold == GOLD:
            return _SERVICE, service
        asks = {"system_kind": _SERVICE, "system_version": run.version, **service}
        records = _asked_service(run, asked, state_dir, asks)
    elif isinstance(source, str) and run.form == "otel":
        from finrag.command.evaluating.traces import read_traces

        with open_warehouse(run.database) as warehouse:
            records = with_places(read_traces(Path(source)), warehouse, asked.corpus_id)
    elif isinstance(source, str) and Path(source).exists():
        return _FILE, {"predictions_path": source, "predictions_format": "auto"}
    else:
        records = _asked_object(run, asked, folder)
    path = folder / "predictions.jsonl"
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(path) as hidden:
        lines = "".join(f"{json.dumps(record, sort_keys=True)}\n" for record in records)
        hidden.write_text(lines, encoding="utf-8")
    return _FILE, {"predictions_path": str(path), "predictions_format": "jsonl", **kept}


def _settings(system: Mapping[str, Any], *names: str) -> dict[str, str | int]:
    return {name: system[name] for name in names if system.get(name) is not None}


def _asked_object(run: Run, asked: Asked, folder: Path) -> list[dict[str, Any]]:
    place = run.source if isinstance(run.source, str) else ""
    system = callables.load(place) if place else run.source
    known = [run.system_id, callables.fingerprint(system, place), run.k]
    # Answers of a system without a version keep the keys that they were stored under.
    identity = json.dumps([*known, run.version] if run.version else known)
    with EventLoop() if run.loop is None else nullcontext(run.loop) as loop:
        records = ask_all(
            asked.questions,
            callables.asker(system, run.k, loop),
            folder / "answers",
            identity,
            run.n_threads,
            run.timeout_s,
        )
    with open_warehouse(run.database) as warehouse:
        return with_places(records, warehouse, asked.corpus_id)


def _asked_service(
    run: Run, asked: Asked, state_dir: str, service: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Answers of a service to some questions, cached where a build of all would look for them."""
    from finrag.services import ask_services

    # The questions are chosen: it is asked them, whatever set they are from.
    asks: dict[str, Any] = {"system_id": run.system_id, "answer_sets": "all"}
    system = asks | {name: service.get(name) for name in _ASKED_WITH}
    rows = ask_services(
        pa.Table.from_pylist([system]), asked.readings, asked.companies, state_dir
    ).read_all()
    return [_record_of(row) for row in rows.to_pylist()]


def _record_of(row: Mapping[str, Any]) -> dict[str, Any]:
    names = ("numeric_value", "unit", "failure", "model", "system_version", "n_steps")
    more = ("input_tokens", "output_tokens", "latency_ms", "cost_usd")
    instead = ("program", "speaker", "role")
    record = {"item_id": row["item_key"]}
    if row.get("answer") is not None:
        record["answer"] = json.loads(row["answer"])
    elif row["has_answer"] and all(row.get(name) is None for name in instead):
        record["answer"] = None
    given = (*names, *more, *instead, "scale")
    record |= {name: row[name] for name in given if row.get(name) is not None}
    # A figure that could not be read is a fault of this record as well.
    faults = Counter(one["fault_code"] for one in row.get("faults") or ())
    if faults["bad_numeric_value"]:
        record["numeric_value"] = math.nan
    if row.get("is_abstained") is not None:
        record["abstained"] = row["is_abstained"]
    # So is a passage that names nothing: it was returned.
    if row.get("citations") is not None:
        cited = [_entry(one, "quote") for one in row["citations"]]
        record["citations"] = [*cited, *({} for _ in range(faults["bad_citation"]))]
    if row.get("stages") is not None:
        record["timings"] = {one["stage"]: one["latency_ms"] for one in row["stages"]}
    if row.get("sources") is not None:
        ranked = [_entry(one, "score") for one in row["sources"]]
        record["ranking"] = [*ranked, *({} for _ in range(faults["bad_source"]))]
    return record


def _entry(place: Mapping[str, Any], *more: str) -> dict[str, Any]:
    """What names a place in a list of citations or of a ranking."""
    names = ("passage_id", "document", "page", *more)
    return {name: place[name] for name in names if place[name] is not None}


def _system_vars(
    run: Run,
    asked: Asked,
    kind: str,
    settings: Mapping[str, str | int],
    given: Mapping[str, Any],
    folder: Path,
    declared: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The dbt vars that register the system, with the file that describes it written.

    A system that was asked some questions only is no candidate of the warehouse: its pages would
    count the others as failures. One that was asked a public set owes no answers on the filings.
    """
    # The first may be a file of systems_paths, which is nobody's to write to.
    path = folder / ("systems.yml" if declared is None else "declared.yml")
    entry = {
        "system_id": run.system_id,
        "system_kind": kind,
        "settings": {**settings, **({} if asked.is_filings else {"answer_sets": "public"})},
        "role": "candidate" if asked.is_whole else "reference",
        "description": f"evaluated by finrag eval on {len(asked.questions)} questions",
    }
    systems, paths = [entry], [*_listed(given.get("systems_paths")), str(path)]
    if declared is not None:
        entry |= {name: declared[name] for name in ("compare_with", "description")}
        systems, paths = declared_anew(given, entry), [str(path)]
    with replacing(path) as hidden:
        hidden.write_text(json.dumps({"systems": systems}, indent=1), encoding="utf-8")
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
        raise ValueError(f"{system_id} is the name of a shipped system; give another --name")


def _name_of(source: Any) -> str:
    """A function is named by its module, and by itself unless it is named ``answer``."""
    if not isinstance(source, str):
        named = getattr(source, "__name__", None)
        module = getattr(source, "__module__", None) if inspect.isfunction(source) else None
        text = _name_in(module or "", named) if named else type(source).__name__
    elif _ADDRESS.match(source):
        text = "service"
    elif ":" in source and not Path(source).exists():
        module, _, attribute = source.partition(":")
        text = _name_in(module, attribute)
    else:
        text = Path(source).stem
    return re.sub(r"\W+", "_", text.lower()).strip("_")


def _name_in(module: str, attribute: str) -> str:
    if module in ("", "__main__"):
        return attribute
    return module if attribute == _USUAL else f"{module}_{attribute}"


def _listed(value: Any) -> list[str]:
    if not value:
        return []
    return [value] if isinstance(value, str) else list(value)
