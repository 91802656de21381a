"""Runs SQL models of the project over the rows of one question.

What a build does in SQL (how a context is filled, what a citation is traced against, what a call
costs) has one definition: the model's own file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from finrag.warehouse import in_memory
from finrag.warehouse.models import Templates

# Where the models stand that a single question needs.
MODELS: Final = {
    "int_queries_prepared": "retrieval",
    "retrieval_calls": "retrieval",
    "int_agent_answers_read": "answers",
    "int_agent_citations_read": "answers",
    "int_contexts_worded": "answers",
    "llm_calls": "answers",
    "int_answers_to_trace": "metrics",
}
PREFIX: Final = "live_"


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
        templates = Templates(project, variables)
        self._sql = {
            name: templates.render(project / "models" / room / f"{name}.sql", PREFIX)
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
