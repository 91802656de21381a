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
from finrag.warehouse.models import Templates, models_read

# Where the models stand that a single question needs.
MODELS: Final = {
    "int_queries_prepared": "retrieval",
    "retrieval_calls": "retrieval",
    "int_agent_answers_read": "answers",
    "int_agent_citations_read": "answers",
    "int_contexts_worded": "answers",
    "llm_calls": "answers",
    **dict.fromkeys(
        (
            *("int_answers_to_trace", "int_answer_pairs", "int_references_cited"),
            "int_sentences_judged",
        ),
        "metrics",
    ),
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
        files = {name: project / "models" / room / f"{name}.sql" for name, room in MODELS.items()}
        self._sql = {name: templates.render(file, PREFIX) for name, file in files.items()}
        self._read = {name: frozenset(models_read(file)) for name, file in files.items()}

    def run(self, model: str, **tables: pa.Table) -> pa.Table:
        """The rows of a model.

        Args:
            model: one of ``MODELS``.
            **tables: what it refers to, by the names of its refs; others are passed over.
        """
        read = {name: table for name, table in tables.items() if name in self._read[model]}
        for name, table in read.items():
            self._connection.register(f"{PREFIX}{name}", table)
        try:
            found: pa.Table = self._connection.sql(self._sql[model]).to_arrow_table()
        finally:
            for name in read:
                self._connection.unregister(f"{PREFIX}{name}")
        return found
