"""Models of the project run over tables in memory, as a build runs them over a warehouse.

Each step has one definition, the model's own file. SQL is rendered as dbt renders it, with
tables in memory in place of its refs; Python is called as dbt-duckdb calls it. Only files of the
project become code; what a person gives is values in tables.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import jinja2
import pyarrow as pa
import yaml

from finrag.warehouse import Connection, in_memory

# The C loader where PyYAML has it: the other one is slow.
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
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

    def render(self, path: Path, prefix: str = "") -> str:
        """The SQL of a model.

        Args:
            path: its file.
            prefix: what stands before the name of each table that it reads.

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
        return template.render(ref=lambda name: f"{prefix}{name}", var=self._variables.__getitem__)

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


class ModelsInMemory:
    """Tables of the project by name, each made, with all that it reads, when it is asked for."""

    def __init__(
        self,
        project: Path,
        variables: Mapping[str, Any],
        given: Mapping[str, pa.Table],
        empty: Mapping[str, Sequence[str]],
        only: Mapping[str, str] | None = None,
    ) -> None:
        """Take in what is not made here.

        Args:
            project: folder of ``dbt_project.yml``.
            variables: the dbt vars; settings of Python models as well.
            given: tables that stand in for models.
            empty: models that have no row, with their columns; without any columns it is a door,
                whose contract names them.
            only: by model, the condition that its rows must meet.
        """
        self._templates = Templates(project, variables)
        self._project, self._variables = project, variables
        self._empty, self._only = empty, only or {}
        self._connection: Connection = in_memory()
        self._files = {
            path.stem: path
            for folder, ending in (("models", "sql"), ("python_models", "py"), ("seeds", "csv"))
            for path in sorted((project / folder).rglob(f"*.{ending}"))
        }
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
        if name not in self._files:
            raise ValueError(f"the project has no model '{name}'")
        file = self._files[name]
        if file.suffix == ".csv":
            path = str(file).replace("'", "''")
            self._run(name, f"from read_csv('{path}')")
            return
        code = file.read_text(encoding="utf-8")
        for read in sorted(set(_REF.findall(code))):
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
        self._connection.register(f"given_{name}", table)
        self._run(name, f"from given_{name}")
        self._connection.unregister(f"given_{name}")

    def _called(self, code: str) -> pa.Table:
        """What a Python model returns."""
        names: dict[str, Any] = {}
        exec(code, names)
        returned = names["model"](_Dbt(self._connection, self._variables), self._connection)
        return returned if isinstance(returned, pa.Table) else returned.read_all()

    def _nothing(self, name: str) -> str:
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


class _Dbt:
    """What dbt-duckdb gives a Python model, as far as those of this project use it."""

    def __init__(self, connection: Connection, settings: Mapping[str, Any]) -> None:
        self.ref = connection.table
        self.config = {"meta": settings}
