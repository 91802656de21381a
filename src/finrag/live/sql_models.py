"""Runs SQL models of the project over the rows of one question.

What a build does in SQL (how a context is filled, what a citation is traced against, what a call
costs) has one definition: the model's own file. It is rendered as dbt renders it, with tables in
memory in place of its refs. Only files of the project become SQL; texts are values in tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import jinja2
import pyarrow as pa

from finrag.warehouse import in_memory

# Where the models stand that a single question needs.
MODELS: Final = {
    "int_queries_prepared": "retrieval",
    "rerank_calls": "retrieval",
    "int_contexts_worded": "answers",
    "llm_calls": "answers",
    "int_answers_to_trace": "metrics",
}
PREFIX: Final = "live_"
_WORD: Final = re.compile(r"[a-z_0-9]+")


class _Adapter:
    """Finds the implementation of a macro for DuckDB, as dbt's dispatch does."""

    @staticmethod
    @jinja2.pass_context
    def dispatch(context: jinja2.runtime.Context, name: str, _: str = "") -> Callable[..., str]:
        for engine in ("duckdb", "default"):
            macro: Callable[..., str] = context.resolve(f"{engine}__{name}")
            if not isinstance(macro, jinja2.Undefined):
                return macro
        raise ValueError(f"macro {name} has no implementation for DuckDB; add default__{name}")


class SqlModels:
    """The models of ``MODELS``, rendered once, over tables given at each run."""

    def __init__(self, project: Path, variables: Mapping[str, Any]) -> None:
        """Renders the models.

        Args:
            project: folder of ``dbt_project.yml``.
            variables: the dbt vars.

        Raises:
            ValueError: a model or the macros are not there.
        """
        self._connection = in_memory()
        macros = {
            path.stem: path.read_text(encoding="utf-8")
            for path in sorted((project / "macros").glob("*.sql"))
        }
        self._sql = {
            name: _rendered(project / "models" / room / f"{name}.sql", macros, variables)
            for name, room in MODELS.items()
        }

    def run(self, model: str, **tables: pa.Table) -> pa.Table:
        """The rows of a model.

        Args:
            model: one of ``MODELS``.
            **tables: what it refers to, by the names of its refs.
        """
        for name, table in tables.items():
            self._connection.register(f"{PREFIX}{name}", table)
        try:
            found: pa.Table = self._connection.sql(self._sql[model]).to_arrow_table()
        finally:
            for name in tables:
                self._connection.unregister(f"{PREFIX}{name}")
        return found


def _rendered(path: Path, macros: Mapping[str, str], variables: Mapping[str, Any]) -> str:
    if not path.is_file():
        raise ValueError(
            f"there is no model at '{path}'; run this in the project's folder, where "
            "dbt_project.yml is"
        )
    text = path.read_text(encoding="utf-8")
    # The output is SQL, not HTML, and its input the project's own files.
    environment = jinja2.Environment(
        extensions=["jinja2.ext.do"], undefined=jinja2.StrictUndefined, autoescape=False
    )
    template = environment.from_string(_with_macros(text, macros))
    given = {"return": lambda value: value}
    return template.render(
        ref=lambda name: f"{PREFIX}{name}", var=variables.__getitem__, adapter=_Adapter(), **given
    )


def _with_macros(text: str, macros: Mapping[str, str]) -> str:
    """The text after the macros that it calls, and those that they call."""
    called: dict[str, str] = {}
    waiting = [text]
    while waiting:
        words = set(_WORD.findall(waiting.pop()))
        for name in sorted(words & macros.keys() - called.keys()):
            called[name] = macros[name]
            waiting.append(macros[name])
    return "\n".join([*called.values(), text])
