"""What a task runs over a shard: the project's own models, rendered once by the driver."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import yaml

from finrag.cache.library import library_fingerprint, library_versions
from finrag.cache.results import content_digest
from finrag.warehouse.models import ModelsInMemory, Templates, models_read

# What a shard is given: the records of its companies, of whichever kind the corpus has.
GIVEN: Final = ("py_filings_read", "py_sentence_rows_read")
# Small, of all companies, and made by the driver.
SHARED: Final = ("stg_corpus__companies",)
_MODEL: Final = re.compile(r"^  - name: (\w+)\n(?:(?!  - name: ).*\n?)*", re.MULTILINE)
# The company-local part of a door that also holds a fact of all companies.
_PART: Final = re.compile(r"\bcompany_part: (\w+)")
_VARIABLE: Final = re.compile(r"\bvar\(\s*['\"](\w+)['\"]")
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
    described = dict(_described(project))
    local = {name for name, text in described.items() if "company_local: true" in text}
    files = {
        path.stem: path
        for folder, ending in (("models", "sql"), ("python_models", "py"))
        for path in sorted((project / folder).rglob(f"*.{ending}"))
        if path.stem in local
    }
    seeds = {path.stem for path in (project / "seeds").rglob("*.csv")}
    parts = {name: found[1] for name, text in described.items() if (found := _PART.search(text))}
    reads = {
        name: tuple(parts.get(read, read) for read in models_read(files[name]))
        for name in sorted(files)
    }
    shared = {*SHARED, *_from_seeds(project, seeds)} - local
    for name in sorted(set(files) - set(GIVEN)):
        far = [read for read in reads[name] if read not in {*local, *seeds, *shared}]
        if far:
            raise ValueError(f"{name} is marked company_local but reads {far[0]}, which is not")
    templates = Templates(project, variables)
    made = ModelsInMemory(project, variables, {}, {})
    needed = sorted({read for name in files if name not in GIVEN for read in reads[name]} - local)
    tables = {
        name: made.table(name) if name in shared else _typed(made.table(name), project, name)
        for name in needed
    }
    steps = [
        Step(
            name,
            "sql" if files[name].suffix == ".sql" else "python",
            templates.render(files[name], instead=parts)
            if files[name].suffix == ".sql"
            else files[name].read_text(encoding="utf-8"),
            {}
            if files[name].suffix == ".sql"
            else {
                used: variables[used] for used in sorted(set(_VARIABLE.findall(described[name])))
            },
            reads[name],
        )
        for name in _ordered(files, reads)
    ]
    versions = {"finrag": library_fingerprint(), **library_versions()}
    return Plan(tuple(steps), tables, GIVEN, versions)


def _described(project: Path) -> Iterator[tuple[str, str]]:
    """What the project's YAML says of each model."""
    for path in sorted((project / "models").rglob("_*__models.yml")):
        for found in _MODEL.finditer(path.read_text(encoding="utf-8")):
            yield found[1], found[0]


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


def _typed(table: pa.Table, project: Path, name: str) -> pa.Table:
    """A seed with the types that dbt gives its columns."""
    for path in sorted((project / "seeds").rglob("*.yml")):
        for seed in yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER).get("seeds", []):
            if seed["name"] == name:
                types = (seed.get("config") or {}).get("column_types") or {}
                fields = [
                    pa.field(field.name, _ARROW.get(str(types.get(field.name)), field.type))
                    for field in table.schema
                ]
                return table.cast(pa.schema(fields))
    return table


_ARROW: Final = {
    "varchar": pa.string(),
    "integer": pa.int32(),
    "bigint": pa.int64(),
    "double": pa.float64(),
    "boolean": pa.bool_(),
}
