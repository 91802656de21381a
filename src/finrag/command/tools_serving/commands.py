"""The command ``finrag mcp``, as the command line has it."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

AGENT: Final = "agent"
_BUDGETS: Final[Mapping[str, tuple[type, str, str]]] = {
    "max_steps": (int, "N", "calls of tools for one question"),
    "context_budget": (int, "TOKENS", "tokens of what the tools return for one question"),
    "token_budget": (int, "TOKENS", "tokens of the conversation, summed over its calls"),
    "seconds_budget": (float, "SECONDS", "seconds from next_question on in which tools can be "
                       "called"),
}  # fmt: skip
_CHOICES: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    "regime": (
        ("filtered", "open"),
        "filtered: tools look in the document that a public set gives with its question; open: in "
        "all of the set",
    ),
    "keyword_score": (("bm25", "arag"), "score of a keyword search"),
    "tool_filters": (("on", "off"), "whether searches take companies, years and sections"),
    "history": (
        ("none", "questions", "answers"),
        "earlier turns of a dialogue that are told: their questions, or the agent's own answers "
        "too",
    ),
}


def add_mcp(commands: Any, *shared: Callable[[argparse.ArgumentParser], None]) -> None:
    """Add it.

    Args:
        commands: what argparse adds commands to.
        shared: add the options that commands on a warehouse have in common.
    """
    served = commands.add_parser(
        "mcp",
        help="let an agent of your own answer questions with tools over the Model Context Protocol",
        description="A server of the Model Context Protocol over standard input and output: "
        "tools that search the warehouse, next_question and submit_answer. Start it from the "
        "agent's own settings. Every answer is appended to --out with its steps; `finrag eval "
        "FILE` then scores it. Started again, it goes on with what was never answered.",
    )
    served.add_argument(
        "--gold",
        default="p3",
        help="gold set whose questions are asked: p3, p3_tables, or a public set that is loaded, "
        "such as finqa (default: p3)",
    )
    served.add_argument("--limit", type=int, help="number of questions to ask")
    served.add_argument(
        "--where", default="", help="ask questions that fit, such as \"category = 'A'\""
    )
    served.add_argument(
        "--system",
        default="",
        metavar="NAME",
        help="agent of the warehouse whose settings hold where no option says otherwise "
        f"(default: {AGENT})",
    )
    served.add_argument(
        "--out",
        type=Path,
        default=Path("run.jsonl"),
        help="file that answers are appended to (default: run.jsonl)",
    )
    for name, (kind, metavar, said) in _BUDGETS.items():
        served.add_argument(f"--{name.replace('_', '-')}", type=kind, metavar=metavar, help=said)
    for name, (choices, said) in _CHOICES.items():
        served.add_argument(f"--{name.replace('_', '-')}", choices=choices, help=said)
    served.add_argument("--tools", metavar="A+B", help="tools to offer, with + between (default: "
                        "keyword_search+semantic_search+chunk_read)")  # fmt: skip
    for add in shared:
        add(served)
    served.set_defaults(run=_mcp)


def _mcp(options: argparse.Namespace) -> int:
    from finrag.command.settings import all_variables
    from finrag.command.tools_serving.opening import open_desk
    from finrag.command.tools_serving.server import check_installed, serve

    check_installed()
    settings = all_variables(options.vars)
    given = {
        name: value
        for name in (*_BUDGETS, *_CHOICES, "tools")
        if (value := getattr(options, name)) is not None
    }
    print(f"reading '{options.database}' …", file=sys.stderr, flush=True)
    desk, run = open_desk(
        options.database,
        options.gold,
        options.where,
        options.limit,
        options.system,
        given,
        settings,
        options.out,
    )
    with run:
        print(
            f"{desk.n_left:,} questions of {options.gold} wait; answers go to '{run.path}'",
            file=sys.stderr,
            flush=True,
        )
        serve(desk)
        left = f"; {desk.n_left:,} are left, start it again to go on" if desk.n_left else ""
        same = ["--gold", options.gold]
        same += ["--limit", str(options.limit)] if options.limit is not None else []
        same += ["--where", options.where] if options.where else []
        print(
            f"{len(run.records):,} answers in '{run.path}'{left}. "
            f"Next: {shlex.join(['finrag', 'eval', str(run.path), *same])}",
            file=sys.stderr,
        )
    return 0
