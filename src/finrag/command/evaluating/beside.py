"""A run scored beside the warehouse: in seconds, and nothing of the warehouse is written.

The models of the project that a system has a part in are run for this one system, over tables in
memory; all else is read from the warehouse as the last build left it. After a run on all questions
the system stands beside those of the warehouse: it is compared with its partners, its gates are
checked, and it gets its verdict.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from finrag.systems import resolve_systems, system_schema
from finrag.warehouse import QueryError, Warehouse, check_finished
from finrag.warehouse.folder import project_folder
from finrag.warehouse.models import ModelsInMemory, models_behind

_SYSTEMS: Final = "py_systems_read"
# What another system of answers in a file does not change, or what is taken as the last build left
# it: which questions are sound, models of texts, history.
_STANDING: Final = frozenset(
    {
        *("embeddings", "py_environment_read", "py_indexes_built", "py_texts_embedded", "runs"),
        *("vector_indexes", "answer_diagnosis_flags", "int_items_excluded", "item_slices"),
        *("distance_profiles", "scorers", "recorded_runs"),
        *("line_systems", "line_descriptions", "description_coverage"),
        *("int_chunks_measured", "int_fields_missed", "int_lines_measured"),
    }
)
# What a system of answers in a file has no part in.
EMPTY: Final = (
    *("py_agents_run", "py_items_ranked", "py_questions_answered", "py_speakers_attributed"),
    *("py_external_services_asked", "int_line_values"),
)
# What a run on some questions has none of, either: questions that were not asked are no failures.
_OF_ALL: Final = ("int_integrity_measured",)
# What is made of the system alone.
_ALONE: Final = (
    *("answer_citations", "answer_failures", "answer_verdicts", "answers", "external_rejections"),
    *("metric_values", "rankings", "registered_systems", "returned_passages", "run_manifests"),
)
_ALONE_OF_ALL: Final = ("int_growth_expected", "int_integrity_measured", "system_costs")
# What is read of nulls and partners, to summarise its values and to compare it.
_PAIRED: Final = ("metric_values", "registered_systems", "returned_passages")
_SUMMARISED: Final = ("metric_floors", "metric_summaries")
# What verdicts of a run on all questions are reached from: its rows and those of all others.
JOINED: Final = (
    *("int_growth_expected", "metric_floors", "metric_summaries", "metric_values"),
    *("registered_systems", "returned_passages", "run_manifests", "system_costs"),
)
# Made of the tables above.
VERDICTS: Final = (
    *("gate_verdicts", "metric_drifts", "release_verdicts", "rpt_overview_candidates"),
    *("rpt_overview_gate_details", "rpt_overview_verdict"),
)
COMPARED: Final = "comparisons"
# Limits may have been set since the build.
_LIMITS: Final = "py_gates_read"
_REJECTED: Final = """
select source_file, source_line, reason, remedy
from retrieval.external_rejections
where system_id = ?
order by source_file, source_line, rejection_id
"""
_PARTNERS: Final = """
with named as (
    select unnest(compare_with) as partner
    from retrieval.registered_systems
    where system_id = ?
)

select partner
from named
where partner not in (select system_id from retrieval.registered_systems)
order by partner
"""
_MAX_SHOWN: Final = 3


def score_beside(
    database: Path,
    system_ids: Collection[str],
    seeds: tuple[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]],
    settings: Mapping[str, Any],
    is_whole: bool = False,
) -> Warehouse:
    """The warehouse as it would be with the answers of more systems, where they were scored.

    Args:
        database: a warehouse that is built; it is only read.
        system_ids: the systems, each declared in ``settings`` with a file of its answers.
        seeds: the shipped systems and the catalogue of settings.
        settings: the dbt vars, with defaults.
        is_whole: whether they were asked all questions, so that gates judge them.

    Raises:
        ValueError: the warehouse cannot be read, its last build did not end or is of another
            version of the project; a setting of the system is wrong.
    """
    check_finished(database)
    all_rows = resolve_systems(*seeds, settings)
    rows = [row for row in all_rows if row["system_id"] in system_ids]
    # Names of systems are letters, digits and underscores: they may stand in SQL.
    known = {row["system_id"] for row in all_rows}
    partners = {name for row in rows for name in row["compare_with"] or ()} & known
    ours, paired = _in("system_id", system_ids), _in("system_id", partners)
    pairs = f"{_in('system_a', system_ids)} or {_in('system_b', system_ids)}"
    project = project_folder()
    models = ModelsInMemory(
        project,
        settings,
        {_SYSTEMS: pa.Table.from_pylist(rows, schema=system_schema(seeds[1]))},
        dict.fromkeys(EMPTY if is_whole else (*EMPTY, *_OF_ALL), ()),
        warehouse=database,
        anew=(models_behind(project, _SYSTEMS) - _STANDING) | {_LIMITS},
    )
    try:
        nulls = f"(select system_id from {models.place('registered_systems')} where is_null)"
        models.make(*_ALONE, *(_ALONE_OF_ALL if is_whole else ()))
        models.join(_PAIRED, ours, f"{paired} or system_id in {nulls}")
        models.make(*_SUMMARISED)
        if not is_whole:
            return models.over_warehouse((*_ALONE, *_SUMMARISED), system_ids, [_LIMITS])
        models.join([COMPARED], pairs)
        models.join(JOINED, ours)
        alone = [name for name in _ALONE if name not in JOINED]
        whole = (*JOINED, COMPARED, *VERDICTS, _LIMITS)
        return models.over_warehouse(alone, system_ids, whole)
    except QueryError as error:
        raise ValueError(
            f"'{database}' was built by another version of the project "
            f"({str(error).splitlines()[0]}); run `finrag build` first"
        ) from error


def missing_lines(warehouse: Warehouse, system_id: str) -> list[str]:
    """The systems that it names in ``compare_with`` and that the warehouse does not hold."""
    return [
        f"not compared with {row['partner']}: the warehouse does not hold it; --build adds it"
        for row in warehouse.rows(_PARTNERS, [system_id])
    ]


def _in(column: str, names: Collection[str]) -> str:
    """The condition that a column holds one of some names, which are fit to stand in SQL."""
    listed = ", ".join(f"'{name}'" for name in sorted(names))
    return f"{column} in ({listed})" if names else "false"


def rejected_lines(warehouse: Warehouse, system_id: str) -> list[str]:
    """What of the system's records was not used, the first few with the reason and the remedy."""
    rows = warehouse.rows(_REJECTED, [system_id])
    lines = [
        f"not used: {row['source_file']}, line {row['source_line']}: {row['reason']}; "
        f"{row['remedy']}"
        for row in rows[:_MAX_SHOWN]
    ]
    more = len(rows) - len(lines)
    return [*lines, f"not used: {more:,} more like these"] if more else lines
