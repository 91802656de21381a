"""The project as dbt reads it, and runs over it, in this process."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from finrag.warehouse import read_only
from finrag.warehouse.folder import dbt_options, project_folder
from finrag.warehouse.variables import split_variables, system_variables

RESULTS: Final = Path("target") / "run_results.json"
LOG: Final = Path("logs") / "dbt.log"
# What dbt read last time.
_PARSED: Final = RESULTS.with_name("partial_parse.msgpack")
# What a run can do with a node so that what it makes is there, and is right.
GOOD: Final = ("success", "pass")
# The generic data test whose rows say what is wrong with them, and how much of that is shown.
LISTING: Final = "well_formed"
MOST_BREACHES: Final = 5
BAD: Final = ("error", "fail", "runtime error", "partial success")
_VARIABLE: Final = re.compile(r"\bvar\(\s*['\"](\w+)['\"]")
# What another run has another value of, though nothing was changed.
_PER_RUN: Final = re.compile(r"\b(invocation_id|run_started_at)\b")
# What depends on the day: SQL by this macro, a Python model by this setting.
_TODAY: Final = "macro.finrag.today_utc"
_AS_OF: Final = "as_of_date"
# Its answer depends on which models there are.
_ASKS_WHICH: Final = "macro.finrag.model_exists"
_QUIET: Final = ("--log-level", "none", "--log-level-file", "info", "--no-use-colors")
# What a build listens to of what dbt says for debugging alone.
_HEARD: Final = ("NodeStart", "NodeFinished")
# Set from the library's source, whose parts are looked at one by one instead.
_LIBRARY: Final = "library"
# What marks the nodes that a run is to build: dbt looks once for one tag, and once for each name.
_CHOSEN: Final = "chosen"


@dataclass(frozen=True)
class Node:
    """A seed, model or data test.

    Attributes:
        unique_id: dbt's id of it.
        name: its name, which no other node has.
        kind: ``seed``, ``model`` or ``test``.
        room: folder of the model, or of the model that is tested.
        parents: ids of the nodes that it reads.
        code: digestible text of all that decides what it makes of what it reads: code, macros,
            variables, configuration and columns.
        file: the file that defines it, where it is Python or a seed.
        meta: settings that a Python model is given.
        is_per_run: each run makes something else of it.
        reads_day: it depends on the day.
    """

    unique_id: str
    name: str
    kind: str
    room: str
    parents: tuple[str, ...]
    code: str
    file: Path | None
    meta: Mapping[str, Any]
    is_per_run: bool
    reads_day: bool


@dataclass(frozen=True)
class Outcome:
    """What a run did with a node.

    Attributes:
        unique_id: dbt's id of it.
        status: dbt's status.
        message: dbt's words where it went wrong.
        table: of a data test that lists breaches, the table that has them.
        n_rows: how many of its rows do.
        breaches: the breaches that most rows have, with the number of rows. Values of the table
            are quoted in them: untrusted text.
    """

    unique_id: str
    status: str
    message: str
    table: str = ""
    n_rows: int = 0
    breaches: tuple[tuple[str, int], ...] = ()


class Project:
    """The project under some variables, run from the working directory."""

    def __init__(self, variables: str, all_variables: Mapping[str, Any]) -> None:
        """Let dbt read the project.

        Args:
            variables: dbt vars of this build, as YAML.
            all_variables: the same with the defaults.

        Raises:
            ValueError: dbt cannot read it.
        """
        from dbt.cli.main import dbtRunner

        self._of_systems, self._variables = split_variables(variables)
        self._all = all_variables
        parse = ["parse", *_QUIET, *dbt_options(), "--vars", self._variables]
        ran = dbtRunner().invoke(parse)
        if not ran.success and _PARSED.is_file():
            # dbt stumbles over what it remembers of models that are gone.
            _PARSED.unlink()
            ran = dbtRunner().invoke(parse)
        if not ran.success:
            raise ValueError(f"dbt cannot read the project: {ran.exception}; see {LOG}")
        self._manifest: Any = ran.result

    def nodes(self) -> list[Node]:
        """All seeds, models and data tests that are enabled, parents first."""
        found = {
            node.unique_id: node
            for node in self._manifest.nodes.values()
            if str(node.resource_type) in ("seed", "model", "test")
        }
        return [self._node(found[unique_id], found) for unique_id in _ordered(found)]

    def run(
        self,
        database: Path,
        chosen: Collection[str] | None,
        selector: str,
        on_node: Callable[[str, str], None],
    ) -> list[Outcome]:
        """Build nodes with their data tests, and close the warehouse file.

        Args:
            database: the warehouse file.
            chosen: ids of the nodes; None for all.
            selector: a name of ``selectors.yml``, or "" for none.
            on_node: called with the id and "start", or the status it ended with.

        Raises:
            ValueError: dbt broke off before it built anything.
        """
        from dbt.adapters.duckdb.connections import DuckDBConnectionManager
        from dbt.cli.main import dbtRunner

        selected = ["--selector", selector] if selector else []
        if chosen is not None:
            # Tests are chosen one by one: those of a model that runs may be unchanged, and a test
            # that failed runs again though its model does not.
            selected += ["--indirect-selection", "empty", "--select", f"tag:{_CHOSEN}"]
            for unique_id in chosen:
                self._manifest.nodes[unique_id].tags.append(_CHOSEN)
        unwanted = ["--exclude-resource-type", "unit_test", "exposure"]
        runner = dbtRunner(self._manifest, callbacks=[lambda event: _heard(event, on_node)])
        try:
            asked = ["build", *_QUIET, *dbt_options(), *unwanted, "--vars", self._variables]
            with no_debugging(), system_variables(self._of_systems):
                ran = runner.invoke([*asked, *selected])
        finally:
            for unique_id in chosen or ():
                self._manifest.nodes[unique_id].tags.remove(_CHOSEN)
            # The file is read next, by connections with other settings.
            with suppress(Exception):
                DuckDBConnectionManager.env().close()
            DuckDBConnectionManager.close_all_connections()
        if ran.result is None:
            raise ValueError(f"dbt stopped: {ran.exception}; see {LOG}")
        return [_outcome(one, database) for one in ran.result.results]

    def _node(self, node: Any, found: Mapping[str, Any]) -> Node:
        kind = str(node.resource_type)
        macros = self._macros(node.depends_on.macros)
        written = "\n".join([node.raw_code, *macros.values()])
        config = node.config.to_dict(omit_none=True)
        meta = {key: value for key, value in config.pop("meta", {}).items() if key != _LIBRARY}
        meta |= {key: value for key, value in self._of_systems.items() if key in meta}
        tested = getattr(node, "test_metadata", None)
        code = {
            "code": node.raw_code,
            "macros": macros,
            "variables": {
                name: _part(self._all.get(name), written) for name in _VARIABLE.findall(written)
            },
            "environment": {
                name: os.environ.get(name, "")
                for name in re.findall(r"\benv_var\(\s*['\"](\w+)['\"]", written)
            },
            "config": {**config, "meta": meta},
            "columns": {
                name: [column.data_type, str(column.constraints)]
                for name, column in node.columns.items()
            },
            "relation": node.relation_name,
            "test": tested.kwargs if tested else None,
            "checksum": node.checksum.checksum,
            "models": sorted(found) if _ASKS_WHICH in macros else None,
        }
        parents = tuple(p for p in getattr(node.depends_on, "nodes", []) if p in found)
        subject = found.get(getattr(node, "attached_node", None) or "", node)
        has_file = kind == "seed" or getattr(node, "language", "") == "python"
        return Node(
            unique_id=node.unique_id,
            name=node.name,
            kind=kind,
            room=subject.fqn[1] if str(subject.resource_type) == "model" else "seed",
            parents=parents,
            code=json.dumps(code, sort_keys=True, default=str),
            file=project_folder() / node.original_file_path if has_file else None,
            meta=meta,
            is_per_run=bool(_PER_RUN.search(written)) or "every_build" in meta,
            reads_day=(_TODAY in macros or _AS_OF in meta) and not self._all.get(_AS_OF),
        )

    def _macros(self, ids: Collection[str]) -> dict[str, str]:
        """Source of macros and of those that they call, by id."""
        sources: dict[str, str] = {}
        waiting = list(ids)
        while waiting:
            name = waiting.pop()
            macro = self._manifest.macros.get(name)
            if name not in sources and macro is not None:
                sources[name] = macro.macro_sql
                waiting += macro.depends_on.macros
        return dict(sorted(sources.items()))


@contextmanager
def no_debugging() -> Iterator[None]:
    """Have dbt pass over what it would say for debugging, which no log takes.

    Of each of its steps dbt writes down dozens, whoever listens: a twentieth of the time of a
    build of three filings.
    """
    from dbt_common.events.base_types import EventLevel
    from dbt_common.events.event_manager import EventManager

    manager: Any = EventManager
    fire = manager.fire_event

    def fire_event(self: Any, e: Any, level: Any = None, *rest: Any, **named: Any) -> None:
        is_for_debugging = (level or e.level_tag()) in (EventLevel.DEBUG, EventLevel.TEST)
        if not is_for_debugging or type(e).__name__ in _HEARD:
            fire(self, e, level, *rest, **named)

    manager.fire_event = fire_event
    try:
        yield
    finally:
        manager.fire_event = fire


def _outcome(result: Any, database: Path) -> Outcome:
    node, status = result.node, str(result.status)
    outcome = Outcome(node.unique_id, status, str(result.message or ""))
    tested = getattr(node, "test_metadata", None)
    if status not in ("fail", "warn") or not tested or tested.name != LISTING:
        return outcome
    return replace(
        outcome,
        table=str(node.attached_node).rsplit(".", 1)[-1],
        n_rows=int(result.failures),
        breaches=commonest_breaches(database, node.compiled_code),
    )


def commonest_breaches(database: Path, query: str) -> tuple[tuple[str, int], ...]:
    """What most of the rows have as ``breaches`` that a data test lists, with their number.

    Args:
        database: the warehouse file.
        query: the data test, compiled by dbt.
    """
    with read_only(database) as connection:
        found = connection.sql(
            f"select breaches, count(*) as n_rows from ({query}) group by breaches "
            f"order by n_rows desc, breaches limit {MOST_BREACHES}"
        )
        return tuple((str(text), int(n_rows)) for text, n_rows in found.fetchall())


def _part(value: Any, code: str) -> Any:
    """Of a variable that holds many by name, those that the code names; all where it names none."""
    if not isinstance(value, Mapping):
        return value
    named = {name: part for name, part in value.items() if re.search(rf"['\".]{name}\b", code)}
    return named or value


def _ordered(nodes: Mapping[str, Any]) -> list[str]:
    """Ids so that each stands behind its parents; among equals by id."""
    ordered: dict[str, None] = {}
    for start in sorted(nodes):
        waiting = [start]
        while waiting:
            top = waiting[-1]
            parents = getattr(nodes[top].depends_on, "nodes", [])
            missing = [p for p in sorted(parents) if p in nodes and p not in ordered]
            if top in ordered or not missing:
                ordered[top] = None
                waiting.pop()
            else:
                waiting += missing
    return list(ordered)


def _heard(event: Any, on_node: Callable[[str, str], None]) -> None:
    if event.info.name == "NodeStart":
        on_node(event.data.node_info.unique_id, "start")
    elif event.info.name == "NodeFinished":
        on_node(event.data.node_info.unique_id, str(event.data.run_result.status))
