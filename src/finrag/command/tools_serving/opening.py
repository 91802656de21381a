"""Opens what a run needs: the warehouse is read once, and its file is then free again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from finrag.command.settings import system_seeds
from finrag.command.tools_serving.commands import AGENT
from finrag.command.tools_serving.desk import Desk, configuration_of
from finrag.command.tools_serving.questions import read_questions
from finrag.command.tools_serving.run_file import RunFile, check_writable
from finrag.live.tools import open_corpus, open_tools
from finrag.systems.kinds import complete_settings
from finrag.systems.settings import read_catalogue
from finrag.warehouse import Warehouse, open_warehouse
from finrag.warehouse.folder import step_command

_KIND: Final = "agent"
# What a server takes of a registered agent: what its tools and its budgets are.
_TAKEN: Final = (
    *("regime", "tools", "tool_filters", "keyword_score", "bm25_k1", "bm25_b", "encoder"),
    *("history", "max_steps", "context_budget", "token_budget", "seconds_budget"),
)
_AGENTS: Final = "select * from retrieval.registered_systems where system_kind = 'agent'"
_RUN: Final = "select encoder from retrieval.runs"


def open_desk(
    database: Path,
    gold_set: str,
    where: str,
    limit: int | None,
    system_id: str,
    given: Mapping[str, Any],
    settings: Mapping[str, Any],
    out: Path,
) -> tuple[Desk, RunFile]:
    """The desk of a run, and its file.

    Args:
        database: the warehouse file.
        gold_set: whose questions are asked.
        where: condition that questions fit.
        limit: how many of them; None for all.
        system_id: the agent whose settings hold; "" for ``agent``, or the catalogue's defaults
            where the warehouse has none.
        given: settings that hold before those.
        settings: the dbt vars of the build, defaults included.
        out: the run file.

    Raises:
        ValueError: the file cannot be written or belongs to another run, there is no warehouse
            that is built, no such agent or gold set, no question fits, or a setting is not valid.
    """
    # First: a warehouse takes long to read.
    check_writable(out)
    lacking = f"no finished build; run `{step_command('build')}` to its end and start again"
    with open_warehouse(database, lacking) as warehouse:
        system = _settings_of(warehouse, system_id, given)
        corpus_id, questions = read_questions(warehouse, gold_set, where, limit)
        corpus = open_corpus(warehouse, gold_set, corpus_id, settings)
        toolbox = open_tools(corpus, system, settings)
    run = RunFile(out, configuration_of(gold_set, system))
    return Desk(questions, gold_set, corpus, toolbox, system, run), run


def _settings_of(warehouse: Warehouse, system_id: str, given: Mapping[str, Any]) -> dict[str, Any]:
    agents = {row["system_id"]: row for row in warehouse.rows(_AGENTS)}
    if system_id and system_id not in agents:
        known = ", ".join(sorted(agents)) or "none; leave out --system"
        raise ValueError(f"the warehouse has no agent '{system_id}'; it has {known}")
    found = agents.get(system_id or AGENT, {})
    # The encoder of an agent that is not registered is that of the build.
    encoders = sorted(row["encoder"] for row in warehouse.rows(_RUN))
    taken = {"encoder": encoders[0]} if encoders else {}
    taken |= {name: found[name] for name in _TAKEN if found.get(name) is not None}
    written = {name: str(value) for name, value in {**taken, **given}.items()}
    catalogue = read_catalogue(system_seeds()[1])
    settings = complete_settings(_KIND, written, catalogue)
    idle = sorted(set(given) - set(settings))
    if idle:
        option = f"--{idle[0].replace('_', '-')}"
        raise ValueError(f"{option} has no effect with the other settings; leave it out")
    return settings
