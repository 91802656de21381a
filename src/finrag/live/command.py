"""The command ``finrag ask``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def ask(
    question: str | None,
    systems: Sequence[str],
    port: int,
    database: Path,
    variables: Mapping[str, Any],
    gold_set: str = "p3",
) -> int:
    """Answers a question on the terminal, or serves the page where none is given.

    Args:
        question: what is asked; None for the page.
        systems: systems to ask, by id; the page takes one or two, the terminal any number. None
            for a filtered and an open one that cost nothing.
        port: of the page; the next free one is taken where it is not.
        database: the warehouse file.
        variables: the dbt vars of its build, defaults included.
        gold_set: as whose question it is asked on the terminal; see ``Engine.ask``.

    Returns:
        0; of a question 1 where every system failed.

    Raises:
        ValueError: as ``engine.open_engine`` and ``Engine.ask``; there is no such system, or no
            port is free.
    """
    from finrag.live.engine import open_engine
    from finrag.live.page import NONE, default_systems

    print(f"reading '{database}' …", file=sys.stderr, flush=True)
    engine = open_engine(database, variables)
    chosen = list(systems) or [one for one in default_systems(engine.corpus) if one != NONE]
    unknown = [name for name in chosen if name not in engine.corpus.systems]
    if unknown:
        raise ValueError(
            f"there is no system '{unknown[0]}' in this build; there are "
            f"{', '.join(engine.corpus.systems)}"
        )
    # Before the first question, so that its time does not include the loading of a model.
    engine.open(chosen)
    if question is not None:
        from finrag.live.terminal import answer_lines

        # A system named on the command line is asked, paid or not.
        asked = engine.ask(question, chosen, may_spend=bool(systems), gold_set=gold_set)
        for line in answer_lines(asked):
            print(line)
        return int(all(result.outcome == "failed" for result in asked.answers))
    if len(chosen) > 2:
        raise ValueError("the page asks two systems side by side; name one or two")
    from finrag.live.server import open_server

    server = open_server(engine, port, (chosen[0], chosen[1] if len(chosen) > 1 else NONE))
    print(f"Ask: {server.url}  (Ctrl+C ends it)", flush=True)
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print(file=sys.stderr)
    return 0
