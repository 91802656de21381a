"""Models of the project run over tables in memory, as a build runs them over a warehouse.

Each step has one definition, the model's own file. SQL is rendered as dbt renders it, with
tables in memory in place of its refs; Python is called as dbt-duckdb calls it. Only files of the
project become code; what a person gives is values in tables.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import jinja2
import pyarrow as pa
import yaml

from finrag.warehouse import Connection, Warehouse, attached, in_memory

# The C loader where PyYAML has it: the other one is slow.
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# Before the names of tables that are given.
_GIVEN: Final = "given_"
_WORD: Final = re.compile(r"[a-z_0-9]+")
_REF: Final = re.compile(r"\bref\(\s*['\"](\w+)['\"]\s*\)")


class Templates:
    """The SQL of models under some variables."""

    def __init__(self, project: Path, variables: Mapping[str, Any]) -> None:
        """Read the macros.

        Args:
            project: folder of ``dbt_project.yml``.
            variables: the dbt vars.
        """
        self._variables = variables
        self._macros = {
            path.stem: path.read_text(encoding="utf-8")
            for path in sorted((project / "macros").glob("*.sql"))
        }

    def render(self, path: Path, prefix: str = "", instead: Mapping[str, str] | None = None) -> str:
        """The SQL of a model.

        Args:
            path: its file.
            prefix: what stands before the name of each table that it reads.
            instead: other tables for some of these, by name.

        Raises:
            ValueError: there is no such file.
        """
        if not path.is_file():
            raise ValueError(
                f"there is no model at '{path}'; run this in the project's folder, where "
                "dbt_project.yml is"
            )
        # The output is SQL, not HTML, and its input the project's own files.
        environment = jinja2.Environment(
            extensions=["jinja2.ext.do"], undefined=jinja2.StrictUndefined, autoescape=False
        )
        template = environment.from_string(self._with_macros(path.read_text(encoding="utf-8")))
        return template.render(
            ref=lambda name: f"{prefix}{(instead or {}).get(name, name)}",
            var=self._variables.__getitem__,
            # How dbt would store it is nothing to a table in memory.
            config=lambda **_: "",
        )

    def _with_macros(self, text: str) -> str:
        """The text after the macros that it calls, and those that they call."""
        called: dict[str, str] = {}
        waiting = [text]
        while waiting:
            words = set(_WORD.findall(waiting.pop()))
            for name in sorted(words & self._macros.keys() - called.keys()):
                called[name] = self._macros[name]
                waiting.append(self._macros[name])
        return "\n".join([*called.values(), text])


def _files_of(project: Path) -> dict[str, Path]:
    """The file of each model and seed of a project, by name."""
    return {
        path.stem: path
        for folder, ending in (("models", "sql"), ("python_models", "py"), ("seeds", "csv"))
        for path in sorted((project / folder).rglob(f"*.{ending}"))
    }


class SqlModels:
    """SQL models run one at a time, each over tables that are given with it.

    What a build does in SQL (how a context is filled, what a citation is traced against, what a
    call costs) has one definition, the model's own file; here it is run for one question.
    """

    def __init__(self, project: Path, variables: Mapping[str, Any]) -> None:
        """Find the models; each is rendered once, when it is first run.

        Args:
            project: folder of ``dbt_project.yml``.
            variables: the dbt vars.
        """
        self._connection = in_memory()
        self._templates = Templates(project, variables)
        self._files = _files_of(project)
        self._rendered: dict[str, tuple[str, frozenset[str]]] = {}

    def run(self, model: str, **tables: pa.Table) -> pa.Table:
        """The rows of a model.

        Args:
            model: its name.
            **tables: what it refers to, by the names of its refs; others are passed over.

        Raises:
            ValueError: the project has no such model.
        """
        if model not in self._rendered:
            if model not in self._files:
                raise ValueError(_no_model(model))
            file = self._files[model]
            sql = self._templates.render(file, _GIVEN)
            self._rendered[model] = sql, frozenset(models_read(file))
        sql, names = self._rendered[model]
        read = {name: table for name, table in tables.items() if name in names}
        for name, table in read.items():
            self._connection.register(f"{_GIVEN}{name}", table)
        try:
            found: pa.Table = self._connection.sql(sql).to_arrow_table()
        finally:
            for name in read:
                self._connection.unregister(f"{_GIVEN}{name}")
        return found


def models_read(path: Path) -> tuple[str, ...]:
    """Names of the models and seeds that a model reads, by the refs in its file."""
    return tuple(sorted(set(_REF.findall(path.read_text(encoding="utf-8")))))


def models_behind(project: Path, name: str) -> frozenset[str]:
    """Names of a model and of all that descend from it, by the refs in their files."""
    readers: dict[str, set[str]] = {}
    for folder, ending in (("models", "sql"), ("python_models", "py")):
        for path in (project / folder).rglob(f"*.{ending}"):
            for read in models_read(path):
                readers.setdefault(read, set()).add(path.stem)
    found, waiting = {name}, [name]
    while waiting:
        new = readers.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return frozenset(found)


class ModelsInMemory:
    """Tables of the project by name, each made, with all that it reads, when it is asked for."""

    def __init__(
        self,
        project: Path,
        variables: Mapping[str, Any],
        given: Mapping[str, pa.Table],
        empty: Mapping[str, Sequence[str]],
        only: Mapping[str, str] | None = None,
        warehouse: Path | None = None,
        anew: Collection[str] = (),
    ) -> None:
        """Take in what is not made here.

        Args:
            project: folder of ``dbt_project.yml``.
            variables: the dbt vars; settings of Python models as well.
            given: tables that stand in for models.
            empty: models that have no row, with their columns; without any columns they are those
                of the table in the warehouse, or of a door's contract.
            only: by model, the condition that its rows must meet.
            warehouse: file of a built warehouse, which is only read; what it holds is not made.
            anew: models that are made although it holds them.

        Raises:
            ValueError: the warehouse cannot be read.
        """
        self._templates = Templates(project, variables)
        # A Python model is given what it names: a var, or one of the regexes.
        self._project, self._settings = project, {**variables.get("regexes", {}), **variables}
        self._empty, self._only = empty, only or {}
        self._connection: Connection = in_memory()
        self._files = _files_of(project)
        self._built = attached(self._connection, warehouse) if warehouse else {}
        self._anew = frozenset(anew)
        self._made: set[str] = set()
        self._ran: set[str] = set()
        for name, table in given.items():
            self._keep(name, table)

    def table(self, name: str) -> pa.Table:
        """The rows of a model or a seed.

        Raises:
            ValueError: the project has no such model, or one that it reads.
        """
        self._make(name)
        found: pa.Table = self._connection.table(name).to_arrow_table()
        return found

    def make(self, *names: str) -> None:
        """Make tables, with all that they read.

        Raises:
            ValueError: the project has no such model, or one that it reads.
        """
        for name in names:
            self._make(name)

    def join(self, names: Collection[str], ours: str, others: str = "true") -> None:
        """Put the warehouse's other rows beside those that were made here.

        What is made afterwards reads both.

        Args:
            names: of the tables; those not made yet are made.
            ours: SQL condition for the rows that are taken from here; it holds nothing that a
                person wrote.
            others: as ``ours``, for those of the others that are taken from the warehouse.

        Raises:
            ValueError: the warehouse lacks one of the tables.
        """
        for name in names:
            place = self.place(name)
            self._make(name)
            self._connection.execute(
                f"create table joined as select * from {place} where ({ours}) is not true "
                f"and ({others}) union all by name select * from {name} where {ours}"
            )
            self._connection.execute(f"drop table {name}")
            self._connection.execute(f"alter table joined rename to {name}")

    def over_warehouse(
        self, names: Collection[str], system_ids: Collection[str], whole: Collection[str] = ()
    ) -> Warehouse:
        """The warehouse with tables as they are made here in place of its own.

        Args:
            names: of tables of which the rows of some systems are replaced.
            system_ids: those systems: names that are fit to stand in SQL.
            whole: of tables that are replaced with all their rows.

        Raises:
            ValueError: the warehouse lacks one of the tables.
        """
        listed = ", ".join(f"'{one}'" for one in sorted(system_ids))
        for name in (*names, *whole):
            self.place(name)
            self._make(name)
        for name, place in self._built.items():
            schema = place.split(".")[1]
            query = f"from {place}"
            if name in whole:
                query = f"from main.{name}"
            elif name in names:
                query = (
                    f"select * from {place} where system_id not in ({listed}) "
                    f"union all by name select * from main.{name} where system_id in ({listed})"
                )
            self._connection.execute(f"create schema if not exists {schema}")
            self._connection.execute(f'create view {schema}."{name}" as {query}')
        return Warehouse(self._connection)

    def place(self, name: str) -> str:
        """The address of a table of the warehouse in SQL.

        Raises:
            ValueError: the warehouse lacks it.
        """
        if name not in self._built:
            raise ValueError(_of_another_version(name))
        return self._built[name]

    @property
    def run(self) -> list[str]:
        """Names of the models that were run, none that is given or empty."""
        return sorted(self._ran)

    def _make(self, name: str) -> None:
        if name in self._made:
            return
        if name in self._empty:
            self._run(name, self._nothing(name))
            return
        if name in self._built and name not in self._anew:
            self._connection.execute(f"create view {name} as from {self._built[name]}")
            self._made.add(name)
            return
        if name not in self._files:
            raise ValueError(_no_model(name))
        file = self._files[name]
        if file.suffix == ".csv":
            path = str(file).replace("'", "''")
            self._run(name, f"from read_csv('{path}')")
            return
        code = file.read_text(encoding="utf-8")
        for read in models_read(file):
            self._make(read)
        self._ran.add(name)
        if file.suffix == ".sql":
            self._run(name, self._templates.render(file))
        else:
            self._keep(name, self._called(code))

    def _run(self, name: str, query: str) -> None:
        where = f" where {self._only[name]}" if name in self._only else ""
        self._connection.execute(f"create table {name} as select * from ({query}){where}")
        self._made.add(name)

    def _keep(self, name: str, table: pa.Table) -> None:
        self._connection.register(f"{_GIVEN}{name}", table)
        self._run(name, f"from {_GIVEN}{name}")
        self._connection.unregister(f"{_GIVEN}{name}")

    def _called(self, code: str) -> pa.Table:
        """What a Python model returns."""
        return call_model(code, self._connection, self._settings)

    def _nothing(self, name: str) -> str:
        if self._built and not self._empty[name]:
            return f"from {self.place(name)} limit 0"
        columns = [f"null as {column}" for column in self._empty[name]] or [
            f"cast(null as {kind}) as {column}" for column, kind in self._contract(name).items()
        ]
        return f"select {', '.join(columns)} where false"

    def _contract(self, name: str) -> dict[str, str]:
        """Columns of a door with their types."""
        block = re.compile(rf"^  - name: {name}\n(?:(?!  - name: ).*\n?)*", re.MULTILINE)
        for path in sorted((self._project / "models").rglob("_*__models.yml")):
            found = block.search(path.read_text(encoding="utf-8"))
            if found:
                (described,) = yaml.load(found[0], Loader=_LOADER)
                return {row["name"]: row["data_type"] for row in described["columns"]}
        raise ValueError(f"the project has no door '{name}'")


def _no_model(name: str) -> str:
    return (
        f"the project has no model '{name}'; run this in the project's folder, where "
        "dbt_project.yml is"
    )


def _of_another_version(name: str) -> str:
    return (
        f"the warehouse has no table '{name}', so it was built by another version of the project; "
        "run `finrag build` first"
    )


def call_model(code: str, connection: Connection, settings: Mapping[str, Any]) -> pa.Table:
    """What a Python model of the project returns.

    Args:
        code: its module.
        connection: holds what it reads, by the names of the models.
        settings: its ``meta``.
    """
    names: dict[str, Any] = {}
    exec(code, names)
    returned = names["model"](_Dbt(connection, settings), connection)
    return returned if isinstance(returned, pa.Table) else returned.read_all()


class _Dbt:
    """What dbt-duckdb gives a Python model, as far as those of this project use it."""

    def __init__(self, connection: Connection, settings: Mapping[str, Any]) -> None:
        self.ref = connection.table
        self.config = {"meta": settings}
