"""A key for each node: the same key, the same table."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from finrag.cache.modules import library_digest, modules_behind
from finrag.command.building.sources import files_digest, prompts_digest
from finrag.embeddings import encoder_id
from finrag.scoring.text_pairs import describe_scorers
from finrag.systems.kinds import asks_model
from finrag.systems.rerankers import reranker_id
from finrag.systems.settings import NONE
from finrag.warehouse.project import Node

# Packages that all nodes are made with.
ENGINE: Final = ("dbt-core", "dbt-duckdb", "duckdb")
_HAS_PROMPTS: Final = "finrag.llm.prompts"
# Settings of systems that name files.
_FILES: Final = ("predictions_path", "reranker", "encoder", "prompt", "rerank_prompt")
# Settings that say where and how the library works. What it keeps there is found again by content
# and changes nothing.
_KEPT: Final = ("state_dir", "engine", "store")
_MODELS_ASKED: Final = ("judge", "paraphraser")


@dataclass(frozen=True)
class Setting:
    """What a build runs in.

    Attributes:
        build: a name that no other build has.
        day: today in UTC.
        variables: the dbt vars, with defaults.
        systems: the systems that run, as ``resolve_systems`` gives them.
        versions: installed version of each package that the project needs.
        store: where shards lie.
        doors: by model, the files of shards that hold its rows: name, number of rows, hash.
    """

    build: str
    day: str
    variables: Mapping[str, Any]
    systems: Sequence[Mapping[str, Any]] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    store: str = ""
    doors: Mapping[str, Sequence[tuple[str, int, str]]] = field(default_factory=dict)

    @property
    def asks_model(self) -> bool:
        """Whether any step may ask a language model."""
        named = any(self.variables.get(name) for name in _MODELS_ASKED)
        return named or any(asks_model(system) for system in self.systems)

    @property
    def asks_service(self) -> bool:
        """Whether a service is asked."""
        return any(system.get("service_url") for system in self.systems)

    @cached_property
    def contents_of_systems(self) -> str:
        """What stands behind names in the settings of systems: files, weights, endpoints."""
        files = files_digest(
            {f"{row['system_id']}.{name}": row.get(name) for row in self.systems for name in _FILES}
        )
        encoders = {str(row["encoder"]) for row in self.systems if row.get("encoder")}
        rerankers = {str(row["reranker"]) for row in self.systems if row.get("reranker")}
        models = [encoder_id(name) for name in sorted(encoders)]
        models += [reranker_id(name) for name in sorted(rerankers - {NONE})]
        return str([files, *models])


def node_keys(nodes: Iterable[Node], setting: Setting) -> dict[str, str]:
    """A key for each node, from its code, its settings, what it reads and the keys of its parents.

    A node whose result no key can vouch for has a key of this build alone, and so have all behind
    it: it is made anew each time. Those are nodes that write down the build itself, and those that
    ask a model or a service, which may answer today what it did not yesterday.

    A model whose rows lie in shards has the key of their files, and what reads it that of the rows
    in them: files with other names and the same rows are looked for anew, and no more.

    Args:
        nodes: parents first.
        setting: what the build runs in.
    """
    keys: dict[str, str] = {}
    rows: dict[str, str] = {}
    engine = str({name: setting.versions.get(name) for name in ENGINE})
    for node in nodes:
        if node.kind == "model" and node.meta.get("company_local") and setting.doors:
            files = setting.doors.get(node.name, ())
            rows[node.unique_id] = _digest("shards", str(sorted(file[1:] for file in files)))
            keys[node.unique_id] = _digest(engine, node.code, setting.store, str(sorted(files)))
            continue
        parts = [engine, node.code, *(rows.get(name, keys[name]) for name in node.parents)]
        if node.meta.get("view_over_shards") and setting.doors:
            parts.append("view")
        if node.reads_day:
            parts.append(setting.day)
        if node.is_per_run:
            parts.append(setting.build)
        for name in ("reviews_paths", "frozen_anchors_path"):
            if node.meta.get(name):
                parts.append(files_digest({name: node.meta[name]}))
        if node.file is not None:
            parts += _outside(node, node.file, setting)
        keys[node.unique_id] = _digest(*parts)
    return keys


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _outside(node: Node, file: Path, setting: Setting) -> list[str]:
    """What a seed or a Python model reads beside tables."""
    if node.kind == "seed":
        return [files_digest({"seed": str(file)})]
    modules = modules_behind(file.read_text(encoding="utf-8"))
    named = {key: value for key, value in node.meta.items() if key not in _KEPT}
    parts = [library_digest(modules), str(sorted(setting.versions.items())), files_digest(named)]
    if "store" in node.meta:
        # It may return the names of files there.
        parts.append(setting.store)
    if "systems_paths" in node.meta:
        parts.append(setting.contents_of_systems)
    if "bert_score_model" in node.meta:
        parts.append(str(describe_scorers(node.meta).to_pylist()))
    if _HAS_PROMPTS in modules:
        parts.append(prompts_digest())
    asks = node.meta.get("asks")
    if (asks == "model" and setting.asks_model) or (asks == "service" and setting.asks_service):
        parts.append(setting.build)
    return parts
