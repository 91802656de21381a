"""Models as dbt compiled them, run again without dbt: in memory, timed one by one."""

from __future__ import annotations

import importlib.util
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Node = dict[str, Any]


class Models:
    """Some models of a compiled project, and what they read, in a database in memory."""

    def __init__(self, connection: Any, target: str, is_wanted: Callable[[Node], bool]) -> None:
        """Reads the manifest.

        Args:
            connection: an open connection to DuckDB.
            target: folder of dbt's artefacts.
            is_wanted: which models are run.
        """
        manifest = (Path(target) / "manifest.json").read_text(encoding="utf-8")
        every = json.loads(manifest)["nodes"]
        wanted = {
            key: node
            for key, node in every.items()
            if node["resource_type"] == "model" and is_wanted(node)
        }
        read = {key for node in wanted.values() for key in node["depends_on"]["nodes"]}
        self._connection = connection
        self._inputs = {key: every[key] for key in sorted(read - set(wanted))}
        self._models = _ordered(wanted)
        self.names = {
            node["name"]: node["relation_name"] for node in [*self._inputs.values(), *self._models]
        }

    def copy_inputs(self, made: str, changed: Callable[[Node, str], str] | None = None) -> None:
        """Copies what the models read.

        Args:
            made: file of the warehouse that dbt built.
            changed: gives another query of the rows of an input.
        """
        run = self._connection.execute
        run(f"attach ':memory:' as {Path(made).stem}")
        run(f"attach '{made}' as made (read_only)")
        for name in sorted({name.rpartition(".")[0] for name in self.names.values()}):
            run(f"create schema if not exists {name}")
        for node in self._inputs.values():
            _, schema, name = node["relation_name"].split(".")
            query = f"select * from made.{schema}.{name}"
            if changed is not None:
                query = changed(node, query)
            run(f"create table {node['relation_name']} as {query}")
        run("detach made")

    def run(self) -> dict[str, float]:
        """Runs every model once; seconds of processor time of each."""
        steps = {}
        for node in self._models:
            started = time.process_time()
            self._run(node)
            steps[node["name"]] = time.process_time() - started
        return steps

    def _run(self, node: Node) -> None:
        name = node["relation_name"]
        if node["language"] == "sql":
            kind = "view" if node["config"]["materialized"] == "view" else "table"
            self._connection.execute(f"create or replace {kind} {name} as {node['compiled_code']}")
            return
        spec = importlib.util.spec_from_file_location(node["name"], node["original_file_path"])
        if spec is None or spec.loader is None:
            raise ValueError(f"model {node['name']} cannot be read")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        # A reader holds its connection while the table is written.
        with self._connection.cursor() as reading:
            made = module.model(_Refs(reading, self.names), None)
            self._connection.register("made_here", made)
            self._connection.execute(f"create table {name} as select * from made_here")
            self._connection.unregister("made_here")


def _ordered(nodes: dict[str, Node]) -> list[Node]:
    """The models, each after those that it reads."""
    done: dict[str, Node] = {}

    def visit(key: str) -> None:
        if key not in done and key in nodes:
            for parent in nodes[key]["depends_on"]["nodes"]:
                visit(parent)
            done[key] = nodes[key]

    for key in sorted(nodes):
        visit(key)
    return list(done.values())


class _Refs:
    """What a Python model is handed by dbt: tables by name."""

    def __init__(self, connection: Any, names: dict[str, str]) -> None:
        self._connection = connection
        self._names = names

    def ref(self, name: str) -> Any:
        return self._connection.table(self._names[name])
