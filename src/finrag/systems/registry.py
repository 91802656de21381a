"""Which systems a build runs, with every setting that can change a result.

Systems come from the seed and from files of the user's own. Each is completed by the defaults
of the catalogue, checked, and known by the hash of its settings: another setting is another
system. Nothing here looks at questions, gold or results.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from finrag.llm.endpoints import model_named
from finrag.records.columns import required
from finrag.records.files import find_files
from finrag.sources.benchmarks import GivenSystem, find_systems
from finrag.sources.corpus import benchmark_paths
from finrag.sources.predictions import hash_predictions
from finrag.systems.kinds import AGENT_KINDS, EXTERNAL_KINDS, LINE_KINDS, complete_settings
from finrag.systems.settings import (
    NONE,
    SYSTEM_KINDS,
    Setting,
    Value,
    read_catalogue,
)
from finrag.systems.variants import Entry, read_file, read_rows

SYSTEM_ID = re.compile(r"[a-z][a-z0-9_]{0,62}")
# The corpus that ships. In `enable_systems` it stands for all systems that run with it.
SAMPLE = "sample"
# Rows of the warehouse that are no systems carry these names where a system's name stands.
TAKEN_IDS = frozenset(["corpus", "gold", "candidate", "any", SAMPLE])
DEFAULT_LLM = "openai:default"
DEFAULT_ENCODER = "default"
SEED_PLACE = "seeds/systems/systems.csv"
# The role of a system: under test, for comparison, or a null that knows nothing.
CANDIDATE, REFERENCE, NULL = "candidate", "reference", "null"
# Endings of recorded transcripts that a system may replay.
TRANSCRIPTS = (".jsonl", ".jsonl.gz")
_TYPES = {"integer": pa.int32(), "number": pa.float64()}
# Settings that may name a language model, with what they may be besides.
_WRITERS = {
    "answerer": (NONE, "extractive"),
    "composer": ("extractive", "leading", "keyword"),
}


def system_schema(catalogue: Iterable[Mapping[str, Any]]) -> pa.Schema:
    """Columns of registered systems, a column for each setting of the catalogue, by name."""
    types = {one.name: _TYPES.get(one.value_type, pa.string()) for one in read_catalogue(catalogue)}
    return pa.schema(
        [
            *required(pa.string(), "system_id", "system_kind"),
            pa.field("based_on", pa.string()),
            pa.field("compare_with", pa.list_(pa.string()), nullable=False),
            *(pa.field(name, types[name]) for name in sorted(types)),
            pa.field("prompt_hash", pa.string()),
            ("gold_sets", pa.list_(pa.string())),
            pa.field("is_null", pa.bool_(), nullable=False),
            *required(pa.string(), "role", "description", "settings", "settings_hash"),
        ]
    )


def read_registry(seed: pa.Table, catalogue: pa.Table, variables: Mapping[str, Any]) -> pa.Table:
    """The systems of a build.

    Args:
        seed: rows of ``systems.csv``.
        catalogue: rows of ``setting_catalogue.csv``.
        variables: the dbt vars ``encoder``, ``llm``, ``enable_systems``, ``systems_paths``,
            ``candidate``, ``system_versions``,
            ``chunk_tokens``, ``chunk_overlap``, and ``corpus``, ``benchmarks_paths`` and
            ``state_dir``, which say where the files of public sets lie.

    Returns:
        One row per system under ``system_schema``, ordered by ``system_id``; a setting that a
        system does not have is null. Systems whose answers or rankings lie in the folders of
        public sets are systems of files, of which answers to those sets alone are expected.

    Raises:
        ValueError: as ``resolve_systems``.
    """
    known = catalogue.to_pylist()
    rows = resolve_systems(seed.to_pylist(), known, variables)
    taken = frozenset(row["system_id"] for row in rows)
    folders = benchmark_paths(
        variables["corpus"], variables["benchmarks_paths"], variables["state_dir"]
    )
    found = [given_row(each, taken) for each in find_systems(folders)]
    rows = sorted([*rows, *found], key=lambda row: str(row["system_id"]))
    rows = _with_candidates(rows, variables)
    return pa.Table.from_pylist(rows, schema=system_schema(known))


def check_candidates(rows: Sequence[Mapping[str, Any]], variables: Mapping[str, Any]) -> None:
    """Check that the dbt var ``candidate`` names systems that run.

    Args:
        rows: systems as ``resolve_systems`` gives them; those met in the folders of public sets
            are looked for only if a name is not among them.
        variables: the dbt vars.

    Raises:
        ValueError: it names a system that does not run, or a null.
    """
    named = variables.get("candidate") or []
    named = {named} if isinstance(named, str) else set(named)
    found = list(rows)
    if named - {row["system_id"] for row in found}:
        taken = frozenset(row["system_id"] for row in found)
        folders = benchmark_paths(
            variables["corpus"], variables["benchmarks_paths"], variables["state_dir"]
        )
        found += [given_row(each, taken) for each in find_systems(folders)]
    _with_candidates([dict(row) for row in found], variables)


def resolve_systems(
    seed: Iterable[Mapping[str, Any]],
    catalogue: Iterable[Mapping[str, Any]],
    variables: Mapping[str, Any],
) -> list[dict[str, Any]]:
    """The systems of a build as rows of ``system_schema``, ordered by ``system_id``.

    Every entry is checked, also those that are not enabled, so that a mistake is found before
    the day it matters; files, prompts and models are looked for only where they are enabled.

    Raises:
        ValueError: an unknown system, kind, setting, value, model, prompt or file, a name that
            is taken or given twice, a setting without effect, or a partner that does not run;
            the message names the place and what would be valid.
    """
    known = read_catalogue(catalogue)
    entries = _entries(seed, variables)
    wanted = _wanted(entries, variables)
    versions = _versions(entries, variables)
    rows = []
    for entry in entries.values():
        kind, written = _inherited(entry, entries)
        try:
            settings = _complete(
                kind, {**written, **versions.get(entry.system_id, {})}, entry, known
            )
            partners = _partners(entry, entries, wanted)
            if entry.system_id in wanted:
                row = _row(entry, kind, settings, variables)
                rows.append({**row, "compare_with": partners})
        except ValueError as error:
            problem = str(error).removeprefix(f"system {entry.system_id}: ")
            raise ValueError(f"system {entry.system_id} ({entry.place}): {problem}") from error
    return sorted(rows, key=lambda row: str(row["system_id"]))


def _with_candidates(
    rows: Sequence[dict[str, Any]], variables: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """The same systems, those that the dbt var ``candidate`` names as the only candidates.

    Systems that describe lines and systems that rank or answer are judged apart: naming one of
    these leaves the roles of those alone.

    Raises:
        ValueError: it names a system that does not run, or a null.
    """
    named = variables.get("candidate") or []
    named = [named] if isinstance(named, str) else list(named)
    if not named:
        return list(rows)
    unknown = sorted(set(named) - {row["system_id"] for row in rows})
    if unknown:
        raise ValueError(
            f"the dbt var candidate names {', '.join(unknown)}, which this build does not run; "
            f"those it runs: {', '.join(row['system_id'] for row in rows)}; "
            "enable_systems names others that should run"
        )
    nulls = sorted(row["system_id"] for row in rows if row["is_null"] and row["system_id"] in named)
    if nulls:
        raise ValueError(
            f"the dbt var candidate names {', '.join(nulls)}, which are nulls; name "
            "systems under test"
        )
    judged = {row["system_kind"] in LINE_KINDS for row in rows if row["system_id"] in named}
    return [
        row
        if row["is_null"] or (row["system_kind"] in LINE_KINDS) not in judged
        else {**row, "role": CANDIDATE if row["system_id"] in named else REFERENCE}
        for row in rows
    ]


def _role(entry: Entry) -> str:
    """The role of an entry where the dbt var ``candidate`` is empty."""
    if entry.is_null:
        return NULL
    is_shipped = entry.place.startswith(SEED_PLACE)
    return entry.role or (REFERENCE if is_shipped else CANDIDATE)


def given_row(system: GivenSystem, taken: frozenset[str]) -> dict[str, Any]:
    """The row of a system found in the folders of public sets, with a name that is not taken."""
    path = ", ".join(file.name for file in system.files)
    settings = {
        "system_kind": "external_file",
        "asks": "questions",
        "regime": "open",
        "predictions_path": path,
        "predictions_format": "auto",
    }
    hashed = {**settings, "predictions_hash": hash_predictions(list(system.files))}
    text = json.dumps(hashed, sort_keys=True, ensure_ascii=False)
    return {
        **settings,
        "system_id": given_system_id(system.name, taken),
        "compare_with": [],
        "gold_sets": list(system.benchmarks),
        "is_null": False,
        "role": REFERENCE,
        "description": f"{system.name}, met in {path}",
        "settings": text,
        "settings_hash": hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(),
    }


def given_system_id(name: str, taken: Collection[str]) -> str:
    """The id of a system that a file names: one that is registered keeps its name for itself."""
    return f"{name} (file)" if name in taken else name


def declared_ids(variables: Mapping[str, Any]) -> list[str]:
    """Ids of the systems that the files of the dbt var ``systems_paths`` declare, in their order.

    Raises:
        ValueError: a file cannot be read.
    """
    return [entry.system_id for entry in _own_entries(variables)]


def declared_anew(variables: Mapping[str, Any], system: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The systems that ``systems_paths`` declares, as a file can hold them, one of them replaced.

    The one that it replaces stays, under another name and not to be run, for those that are based
    on it.

    Args:
        variables: the dbt vars.
        system: the fields of the one that takes its place, ``system_id`` among them.
    """
    name = system["system_id"]
    aside = f"declared_{name}"[:63]
    rows = [dict(system)]
    for entry in _own_entries(variables):
        is_replaced = entry.system_id == name
        rows.append(
            {
                "system_id": aside if is_replaced else entry.system_id,
                "based_on": aside if entry.based_on == name else entry.based_on,
                "compare_with": list(entry.compare_with),
                "system_kind": entry.kind,
                "settings": dict(entry.settings),
                "is_null": entry.is_null,
                "is_enabled": entry.is_enabled and not is_replaced,
                "is_sample_only": entry.is_sample_only,
                "role": entry.role,
                "description": entry.description,
            }
        )
    return rows


def _own_entries(variables: Mapping[str, Any]) -> list[Entry]:
    paths = variables.get("systems_paths") or []
    return [
        entry
        for path in ([paths] if isinstance(paths, str) else paths)
        for entry in read_file(Path(path))
    ]


def _entries(seed: Iterable[Mapping[str, Any]], variables: Mapping[str, Any]) -> dict[str, Entry]:
    # A warehouse does not keep the order of the file.
    shipped = read_rows(sorted(seed, key=lambda row: str(row["system_id"])), SEED_PLACE)
    entries: dict[str, Entry] = {}
    for entry in [*shipped, *_own_entries(variables)]:
        name = entry.system_id
        if not SYSTEM_ID.fullmatch(name) or name in TAKEN_IDS:
            raise ValueError(
                f"{entry.place}: '{name}' cannot name a system; use small letters, digits and "
                f"underscores, and neither of {', '.join(sorted(TAKEN_IDS))}"
            )
        if name in entries:
            raise ValueError(
                f"{entry.place}: there is a system {name} already ({entries[name].place}); "
                "choose another name, so that results of both stay apart"
            )
        entries[name] = entry
    return entries


def _versions(
    entries: Mapping[str, Entry], variables: Mapping[str, Any]
) -> dict[str, dict[str, str]]:
    """The setting ``system_version`` of each system that the dbt var of versions names."""
    given = variables.get("system_versions") or {}
    if not isinstance(given, Mapping):
        raise ValueError(
            "system_versions is a mapping from systems to versions, such as {my_rag: 1.4.2}"
        )
    unknown = sorted(str(name) for name in given.keys() - entries.keys())
    if unknown:
        raise ValueError(
            f"system_versions names {', '.join(unknown)}; available: {', '.join(entries)}"
        )
    return {name: {"system_version": str(version)} for name, version in given.items()}


def _wanted(entries: Mapping[str, Entry], variables: Mapping[str, Any]) -> frozenset[str]:
    """The systems that run: by default, by name, or because another one is compared with them."""
    named = variables.get("enable_systems") or []
    named = {named} if isinstance(named, str) else {str(name) for name in named}
    unknown = sorted(named - {SAMPLE, *entries})
    if unknown:
        raise ValueError(
            f"enable_systems names {', '.join(unknown)}; available: {', '.join(entries)}, and "
            f"{SAMPLE} for all that run with the sample"
        )
    is_sample = variables.get("corpus", SAMPLE) == SAMPLE or SAMPLE in named
    enabled = {name: entry for name, entry in entries.items() if entry.is_enabled}
    wanted = (named - {SAMPLE}) | {
        name for name, entry in enabled.items() if is_sample or not entry.is_sample_only
    }
    # A system is compared with its base where it names no partner.
    partners = {
        partner
        for name in wanted
        for partner in entries[name].compare_with or (entries[name].based_on,)
    }
    return frozenset(wanted | partners & enabled.keys())


def _inherited(entry: Entry, entries: Mapping[str, Entry]) -> tuple[str, dict[str, str]]:
    """Kind and written settings of an entry, those of its bases included."""
    line = [entry]
    while line[-1].based_on:
        base = entries.get(line[-1].based_on)
        if base is None or base in line:
            problem = "is not a system" if base is None else "leads back to itself"
            raise ValueError(
                f"system {entry.system_id} ({entry.place}): based_on '{line[-1].based_on}' "
                f"{problem}; available: {', '.join(entries)}"
            )
        line.append(base)
    kinds = [one.kind for one in line if one.kind]
    if len(set(kinds)) > 1 or not set(kinds) <= set(SYSTEM_KINDS) or not kinds:
        said = " and ".join(dict.fromkeys(kinds)) or "missing"
        raise ValueError(
            f"system {entry.system_id} ({entry.place}): system_kind is {said}; "
            f"use one of {', '.join(SYSTEM_KINDS)}"
        )
    settings: dict[str, str] = {}
    for one in reversed(line):
        settings.update(one.settings)
    return kinds[0], settings


def _partners(entry: Entry, entries: Mapping[str, Entry], wanted: frozenset[str]) -> list[str]:
    """The systems that an entry is compared with; its base, if that runs, where it names none.

    Whom a system is compared with changes no result of its own, so no hash knows of it.
    """
    unknown = sorted(set(entry.compare_with) - set(entries))
    if unknown:
        raise ValueError(
            f"compare_with names {', '.join(unknown)}; available: {', '.join(entries)}"
        )
    if entry.system_id in entry.compare_with:
        raise ValueError("compare_with names the system itself; name another or leave it out")
    idle = sorted(set(entry.compare_with) - wanted)
    if idle and entry.system_id in wanted:
        raise ValueError(
            f"compare_with names {', '.join(idle)}, which this build does not run; name it in "
            "enable_systems or leave it out"
        )
    return list(entry.compare_with) or sorted({entry.based_on} & wanted)


def _complete(
    kind: str, written: Mapping[str, str], entry: Entry, catalogue: Sequence[Setting]
) -> dict[str, Value]:
    """All settings of a system, defaults filled in; those without effect are left out."""
    settings = complete_settings(kind, written, catalogue)
    idle = sorted(set(entry.settings) - set(settings))
    if idle:
        raise ValueError(f"{', '.join(idle)} has no effect with the other settings; leave it out")
    return settings


def _row(
    entry: Entry, kind: str, settings: dict[str, Value], variables: Mapping[str, Any]
) -> dict[str, Any]:
    resolved = {**settings, **_resolved(entry.system_id, settings, variables)}
    digests = _digests(entry.system_id, resolved)
    hashed = {"system_kind": kind, **resolved, **digests, **_shared(kind, variables)}
    text = json.dumps(hashed, sort_keys=True, ensure_ascii=False)
    return {
        **resolved,
        "system_id": entry.system_id,
        "system_kind": kind,
        "based_on": entry.based_on or None,
        "prompt_hash": hashed.get("prompt_hash") or hashed.get("agent_prompt_hash"),
        "is_null": entry.is_null,
        "role": _role(entry),
        "description": entry.description or f"{entry.system_id} ({entry.place})",
        "settings": text,
        "settings_hash": hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(),
    }


def _resolved(
    system_id: str, settings: Mapping[str, Value], variables: Mapping[str, Any]
) -> dict[str, Value]:
    """What names stand for, each looked up: encoder, language model, reranker."""
    from finrag.embeddings import encoders
    from finrag.services.mapping import read_mapping
    from finrag.services.service import check_address, service_address
    from finrag.services.tools import check_tools
    from finrag.sources.predictions import find_predictions, holds_answers
    from finrag.systems.rerankers import check_reranker

    found: dict[str, Value] = {}
    if "encoder" in settings:
        is_default = settings["encoder"] == DEFAULT_ENCODER
        found["encoder"] = str(variables["encoder"] if is_default else settings["encoder"])
        encoders.resolve(str(found["encoder"]))
    for name, others in _WRITERS.items():
        if name in settings:
            llm = str(variables.get("llm") or "")
            found[name] = _writer(name, str(settings[name]), others, llm)
    if "reranker" in settings:
        check_reranker(str(settings["reranker"]))
    if "predictions_path" in settings and settings["answer_sets"] != "public":
        path, form = str(settings["predictions_path"]), str(settings["predictions_format"])
        if not holds_answers(form, find_predictions(system_id, path, form)):
            found["answer_sets"] = NONE
    if "service_url" in settings:
        found["service_url"] = check_address(system_id, str(settings["service_url"]))
        service_address(system_id, settings)
        if settings["service_tool"] != NONE:
            check_tools(system_id)
        try:
            read_mapping(str(settings["service_fields"]))
        except ValueError as error:
            raise ValueError(f"service_fields: {error}") from error
    return found


def _writer(setting: str, name: str, others: Sequence[str], llm: str) -> str:
    """What writes an answer or a description: one of our own, or a language model by its name."""
    if name in others:
        return name
    if name == DEFAULT_LLM and not llm.strip():
        raise ValueError(
            f"its {setting} is the dbt var llm, which is empty; set llm to the model's name at "
            "your endpoint (docs/reference/models-and-keys.md)"
        )
    model = llm.strip() if name == DEFAULT_LLM else model_named(name)
    if not model:
        raise ValueError(f"{setting} is '{name}'; use {', '.join(others)} or openai:<model>")
    return f"openai:{model}"


def _shared(kind: str, variables: Mapping[str, Any]) -> dict[str, str | int]:
    """What changes the results of this kind of system and is no setting of its own."""
    from finrag.systems.algorithm import ALGORITHM_VERSION

    if kind in EXTERNAL_KINDS:
        return {}
    shared: dict[str, str | int] = {"algorithm_version": ALGORITHM_VERSION}
    if kind in ("naive_rag", *AGENT_KINDS):
        shared |= {name: int(variables[name]) for name in ("chunk_tokens", "chunk_overlap")}
    return shared


def _digests(system_id: str, settings: Mapping[str, Value]) -> dict[str, str]:
    """Contents that change a result as a setting does: prompts, rerankers, files of a system."""
    from finrag.llm.prompts import load_prompt
    from finrag.sources.predictions import find_predictions
    from finrag.systems.rerankers import reranker_id

    digests = {
        f"{name}_hash": load_prompt(str(settings[name])).prompt_hash
        for name in ("prompt", "rerank_prompt", "agent_prompt")
        if settings.get(name)
    }
    if settings.get("reranker", NONE) != NONE:
        digests["reranker_id"] = reranker_id(str(settings["reranker"]))
    if settings.get("predictions_path"):
        path, form = str(settings["predictions_path"]), str(settings["predictions_format"])
        digests["predictions_hash"] = hash_predictions(find_predictions(system_id, path, form))
    if settings.get("replay_path"):
        transcripts = find_files(str(settings["replay_path"]), TRANSCRIPTS, "set replay_path")
        digests["replay_hash"] = hash_predictions(transcripts)
    return digests
