"""What a task runs over a shard: the project's own models, rendered once by the driver."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import yaml

from finrag.cache.library import library_versions
from finrag.cache.modules import library_digest, modules_behind
from finrag.cache.results import content_digest
from finrag.warehouse import in_memory
from finrag.warehouse.models import ModelsInMemory, Templates, models_read

# What a shard is given: the records of its companies, of whichever kind the corpus has.
GIVEN: Final = ("py_filings_read", "py_sentence_rows_read")
# Small, of all companies, and made by the driver.
SHARED: Final = ("stg_corpus__companies",)
_VARIABLE: Final = re.compile(r"\{\{ var\(['\"](\w+)['\"]\)(?: \| as_native)? \}\}")
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Step:
    """One model.

    Attributes:
        name: of the model.
        kind: ``sql`` or ``python``.
        code: SQL over the names of other models, or the module.
        meta: settings of a Python model.
        reads: models and seeds.
    """

    name: str
    kind: str
    code: str
    meta: Mapping[str, Any]
    reads: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """All that decides what a shard's rows become; can be pickled, and is sent to each task.

    Attributes:
        steps: models, each behind those that it reads.
        tables: seeds and tables of all companies that the models read, by name.
        given: models whose rows are the shard's input.
        versions: of the library and its packages.
    """

    steps: tuple[Step, ...]
    tables: Mapping[str, pa.Table]
    given: tuple[str, ...]
    versions: Mapping[str, str]

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hex, of all of it."""
        steps = [[step.name, step.code, dict(step.meta)] for step in self.steps]
        parts: list[Any] = [steps, list(self.given), dict(sorted(self.versions.items()))]
        for name in sorted(self.tables):
            parts += [name, self.tables[name]]
        return content_digest(parts)


def make_plan(project: Path, variables: Mapping[str, Any]) -> Plan:
    """Read from the project which models are company-local, and render them.

    Args:
        project: folder of ``dbt_project.yml``.
        variables: the dbt vars, with the defaults.

    Raises:
        ValueError: a company-local model reads one that is neither that nor a seed.
    """
    metas = dict(_metas(project))
    local = {name for name, meta in metas.items() if meta.get("company_local") is True}
    files = {
        path.stem: path
        for folder, ending in (("models", "sql"), ("python_models", "py"))
        for path in sorted((project / folder).rglob(f"*.{ending}"))
        if path.stem in local
    }
    seeds = {path.stem: path for path in (project / "seeds").rglob("*.csv")}
    # The company-local part of a door that also holds a fact of all companies.
    parts = {name: meta["company_part"] for name, meta in metas.items() if "company_part" in meta}
    reads = {
        name: tuple(parts.get(read, read) for read in models_read(files[name]))
        for name in sorted(files)
    }
    shared = {*SHARED, *_from_seeds(project, seeds)} - local
    for name in sorted(set(files) - set(GIVEN)):
        far = [read for read in reads[name] if read not in {*local, *seeds, *shared}]
        if far:
            raise ValueError(f"{name} is marked company_local but reads {far[0]}, which is not")
    made = ModelsInMemory(project, variables, {}, {})
    needed = sorted({read for name in files if name not in GIVEN for read in reads[name]} - local)
    types = _seed_types(project)
    tables = {
        name: made.table(name) if name in shared else _seed(seeds[name], types.get(name, {}))
        for name in needed
    }
    templates = Templates(project, variables)
    steps = []
    for name in _ordered(files, reads):
        if files[name].suffix == ".sql":
            code, kind = templates.render(files[name], instead=parts), "sql"
            meta: Mapping[str, Any] = {}
        else:
            code, kind = files[name].read_text(encoding="utf-8"), "python"
            meta = _settings(metas[name], variables)
        steps.append(Step(name, kind, code, meta, reads[name]))
    return Plan(tuple(steps), tables, GIVEN, code_versions(steps))


def code_versions(steps: Collection[Step]) -> dict[str, str]:
    """What runs the steps here: Python, packages, and the modules of the library behind them."""
    modules = set(modules_behind(f"import {__package__}.shard"))
    for step in steps:
        modules |= modules_behind(step.code) if step.kind == "python" else set()
    return {**environment(), "finrag": library_digest(modules)}


def environment() -> dict[str, str]:
    """Version of Python and of each package that the library needs."""
    return {"python": f"{sys.version_info[0]}.{sys.version_info[1]}", **library_versions()}


def check_versions(expected: Mapping[str, str], found: Mapping[str, str]) -> None:
    """Raise unless a worker runs the code that the driver runs.

    Raises:
        ValueError: naming what differs.
    """
    for name in sorted(expected.keys() | found.keys()):
        if expected.get(name) != found.get(name):
            raise ValueError(
                f"this worker has {name} {found.get(name, 'not installed')} and the driver "
                f"{expected.get(name, 'not installed')}; install the same version of finrag and of "
                "its packages on all machines"
            )


def _metas(project: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The ``meta`` of each model in the files that mark company-local ones."""
    for path in sorted((project / "models").rglob("_*__models.yml")):
        text = path.read_text(encoding="utf-8")
        if "company_" in text:
            for model in yaml.load(text, Loader=_LOADER)["models"]:
                yield model["name"], (model.get("config") or {}).get("meta") or {}


def _settings(meta: Mapping[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a Python model, with the values of dbt vars that they name."""
    settings = {}
    for name, value in meta.items():
        named = _VARIABLE.fullmatch(str(value))
        if named:
            settings[name] = variables[named[1]]
        elif not isinstance(value, str) or "{{" not in value:
            settings[name] = value
    return settings


def _from_seeds(project: Path, seeds: Collection[str]) -> Iterator[str]:
    """Names of models that read seeds alone: the driver makes them once for all shards."""
    for path in (project / "models").rglob("*.sql"):
        if (reads := models_read(path)) and set(reads) <= set(seeds):
            yield path.stem


def _ordered(files: Mapping[str, Path], reads: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Names of models but for those given, each behind those that it reads."""
    ordered: list[str] = []
    waiting = sorted(set(files) - set(GIVEN))
    while waiting:
        ready = [name for name in waiting if not set(reads[name]) & set(waiting)]
        if not ready:
            raise ValueError(f"the company-local models {', '.join(waiting)} read one another")
        ordered += ready
        waiting = [name for name in waiting if name not in ready]
    return ordered


def _seed_types(project: Path) -> dict[str, dict[str, str]]:
    """The types that dbt gives columns of seeds, by seed."""
    return {
        seed["name"]: (seed.get("config") or {}).get("column_types") or {}
        for path in sorted((project / "seeds").rglob("*.yml"))
        for seed in yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER).get("seeds", [])
    }


def _seed(path: Path, types: Mapping[str, str]) -> pa.Table:
    """The rows of a seed."""
    with in_memory() as connection:
        rows: pa.Table = connection.read_csv(str(path), dtype=dict(types)).to_arrow_table()
        return rows
