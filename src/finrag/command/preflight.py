"""Checks before a build: one sentence instead of a traceback."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from finrag.embeddings import encoders
from finrag.llm.asking import SETTINGS as LLM_SETTINGS
from finrag.llm.endpoints import check_settings, chosen_model, has_endpoint
from finrag.publishing.frozen_anchors import check_frozen_anchors
from finrag.records.reviews import check_reviews
from finrag.records.suggesting import did_you_mean
from finrag.scoring.text_pairs import check_scorers
from finrag.services.tokens import token_names
from finrag.sources.benchmarks.files import find_benchmark_files, read_catalogue
from finrag.sources.corpus import check_corpus
from finrag.sources.line_baselines import find_line_baselines
from finrag.sources.suites import check_suites
from finrag.systems import resolve_systems
from finrag.systems.gates import check_gate_files
from finrag.systems.kinds import asks_model
from finrag.systems.registry import check_candidates
from finrag.text.numbers import word_set
from finrag.warehouse import check_free
from finrag.warehouse.folder import project_file

# DuckDB names a database after its file; a schema of that name would be ambiguous.
RESERVED_NAMES = word_set(
    "main sources sentences atlases bundles gold retrieval answers metrics gates reports seeds "
    "test_failures unplaced system temp memory information_schema pg_catalog"
)

# Of filings as filed.
_LIMITS = ("raw_max_megabytes", "raw_max_ratio", "raw_max_cells")


def merge_variables(defaults: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The variables of a build: those of the project with those of the command line over them.

    Args:
        defaults: ``vars`` of ``dbt_project.yml``.
        given: variables of the command line.

    Raises:
        ValueError: an unknown variable, a number that is none or negative, or a switch that is
            neither true nor false.
    """
    for name, value in given.items():
        if name not in defaults:
            hint = did_you_mean(name, defaults) or f"available: {', '.join(defaults)}"
            raise ValueError(f"there is no dbt var '{name}'; {hint}")
        if isinstance(defaults[name], bool):
            if not isinstance(value, bool):
                raise ValueError(f"the dbt var {name} is '{value}', expected true or false")
        elif isinstance(defaults[name], int) and not str(value).isdecimal():
            raise ValueError(f"the dbt var {name} is '{value}', expected a whole number from 0 up")
    return {**defaults, **given}


def check_build(
    database: Path,
    variables: Mapping[str, Any],
    systems: Iterable[Mapping[str, Any]],
    settings: Iterable[Mapping[str, Any]],
) -> list[str]:
    """Checks that a build can start, and returns warnings.

    Args:
        database: the warehouse file, which need not exist yet.
        variables: the merged dbt vars.
        systems: rows of the seed ``systems``.
        settings: rows of the seed ``setting_catalogue``.

    Raises:
        ValueError: the file's name is reserved or its folder is missing, another program has
            it open, it is not a DuckDB file, the corpus or a suite cannot be found, the encoder or
            a scorer is unknown, a system cannot be run as it is written, a transcript cannot be
            replayed, a budget of costs has no price, windows contradict each other, an engine
            cannot start, or its store cannot be written to.
    """
    corpus, path = str(variables["corpus"]), str(variables["corpus_path"] or "")
    listed = str(variables.get("filings_path") or "")
    check_corpus(corpus, path, str(variables["state_dir"]), listed)
    if zero := [name for name in _LIMITS if int(variables.get(name, 1)) < 1]:
        raise ValueError(f"{zero[0]} is 0, so nothing would be read; set it to 1 or more")
    encoders.resolve(str(variables["encoder"]))
    check_scorers(variables)
    names = str(variables["companies_path"] or "")
    if names and not Path(names).is_file():
        raise ValueError(
            f"companies_path: no file at '{names}'; correct the dbt var or leave it empty"
        )
    check_suites(corpus, variables["p3_suite_paths"])
    find_line_baselines(str(variables.get("lines_baseline_path") or ""))
    if variables["benchmarks_paths"]:
        find_benchmark_files(variables["benchmarks_paths"], read_catalogue())
    registered = resolve_systems(systems, settings, variables)
    token_names(
        {row["system_id"]: row["service_url"] for row in registered if row.get("service_url")}
    )
    check_candidates(registered, variables)
    check_agents(registered)
    if variables.get("gates_paths"):
        known = {str(row["system_id"]) for row in [*systems, *registered]}
        check_gate_files(variables["gates_paths"], known)
    check_reviews(variables.get("reviews_paths") or [])
    if variables.get("frozen_anchors_path"):
        check_frozen_anchors(str(variables["frozen_anchors_path"]))
    chosen_model("paraphraser", str(variables["paraphraser"] or ""))
    judge = chosen_model("judge", str(variables.get("judge") or ""))
    if int(variables["peer_bundle_size"]) < 2:
        raise ValueError(
            "peer_bundle_size is below 2, but one company has no peers; set it to 2 or more"
        )
    if int(variables["chunk_tokens"]) < 1 or int(variables["chunk_overlap"]) < 0:
        raise ValueError(
            "chunk_tokens must be 1 or more and chunk_overlap 0 or more; correct the dbt vars"
        )
    narrow, wide = int(variables["p2_window_min"]), int(variables["p2_window_max"])
    if narrow > wide:
        raise ValueError(
            f"p2_window_min is {narrow} and p2_window_max {wide}: no window fits between them; "
            "correct the dbt vars"
        )
    told = notes(registered) + judge_notes(judge)
    if variables.get("engine") or variables.get("store"):
        from finrag.command.building.shards import check_engine

        told += check_engine(variables)
    # Last: a running build holds the file, and the settings can be checked all the same.
    _check_database(database)
    return told


def check_agents(systems: Iterable[Mapping[str, Any]]) -> None:
    """Checks what agents read besides their settings: transcripts, and prices of models.

    Args:
        systems: rows as ``resolve_systems`` gives them.

    Raises:
        ValueError: a transcript cannot be replayed, or an agent has a budget of costs and its
            model no price.
    """
    from finrag.agents.model_policy import system_price
    from finrag.agents.replay import read_transcripts

    for row in systems:
        policy = row.get("policy")
        if policy == "replay":
            read_transcripts(row)
        elif policy == "llm" and row.get("cost_budget") is not None:
            system_price(row, _price_rows())


def _price_rows() -> list[dict[str, str]]:
    with project_file("seeds/catalogues/llm_prices.csv").open(encoding="utf-8", newline="") as seed:
        return list(csv.DictReader(seed))


def judge_notes(model: str) -> list[str]:
    """Warnings before a build in which a model judges answers.

    Args:
        model: name of the model; "" for no judge.

    Raises:
        ValueError: a setting of the endpoint is not a number.
    """
    if not model:
        return []
    check_settings(LLM_SETTINGS)
    if has_endpoint(LLM_SETTINGS):
        return []
    return [
        f"judge names {model}, but neither an address nor a key is set ({LLM_SETTINGS}_BASE_URL, "
        f"{LLM_SETTINGS}_API_KEY): only cached verdicts are available and all others will count "
        "as failed; set an address or a key, or leave the dbt var judge empty"
    ]


def notes(systems: Iterable[Mapping[str, Any]]) -> list[str]:
    """Warnings about systems that will not stop a build.

    Args:
        systems: rows as ``resolve_systems`` gives them.

    Raises:
        ValueError: a setting of the endpoint is not a number.
    """
    asking = sorted(str(row["system_id"]) for row in systems if asks_model(row))
    if not asking:
        return []
    check_settings(LLM_SETTINGS)
    if has_endpoint(LLM_SETTINGS):
        return []
    return [
        f"{', '.join(asking)} ask a language model, but neither an address nor a key is set "
        f"({LLM_SETTINGS}_BASE_URL, {LLM_SETTINGS}_API_KEY): only cached answers are available "
        "and all other questions will count as failed; set an address or a key"
    ]


def _check_database(database: Path) -> None:
    if database.stem.lower() in RESERVED_NAMES:
        raise ValueError(
            f"a warehouse file cannot be called '{database.name}': a schema has that name; "
            "set FINRAG_DATABASE to another name, such as finrag.duckdb"
        )
    if not database.parent.is_dir():
        raise ValueError(
            f"the folder '{database.parent}' of the warehouse file does not exist; create it or "
            "set FINRAG_DATABASE to another path"
        )
    if database.exists():
        check_free(database)
