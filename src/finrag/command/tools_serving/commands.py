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
    "max_steps": (int, "N", "tool calls allowed per question"),
    "context_budget": (int, "TOKENS", "tokens that tools may return per question"),
    "token_budget": (int, "TOKENS", "tokens of the conversation about a question, over all calls"),
    "seconds_budget": (float, "SECONDS", "seconds after next_question during which tools can be "
                       "called"),
}  # fmt: skip
_CHOICES: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    "regime": (
        ("filtered", "open"),
        "filtered: tools search only the document that a public set gives with its question; "
        "open: they search the whole set",
    ),
    "keyword_score": (("bm25", "arag"), "how a keyword search scores"),
    "tool_filters": (("on", "off"), "on: searches accept companies, years and sections as filters"),
    "history": (
        ("none", "questions", "answers"),
        "earlier turns of a dialogue given to the agent: none, their questions, or also its own "
        "answers to them",
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
        help="serve questions and search tools to your own agent over the Model Context Protocol",
        description="A server of the Model Context Protocol over standard input and output. It "
        "offers tools that search the warehouse, next_question and submit_answer. Start it from "
        "the settings of your agent. Every answer is appended with its steps to the file --out; "
        "`finrag eval FILE` then scores that file. A server that is started again goes on with "
        "the questions that have no answer yet.",
    )
    served.add_argument(
        "--gold",
        default="p3",
        help="gold set whose questions are asked: p3, p3_tables, or a loaded public set such as "
        "finqa (default: p3)",
    )
    served.add_argument("--limit", type=int, help="number of questions to ask")
    served.add_argument(
        "--where",
        default="",
        help="ask only questions that meet a condition, such as \"category = 'A'\"",
    )
    served.add_argument(
        "--system",
        default="",
        metavar="NAME",
        help="agent of the warehouse from which settings without an option are taken "
        f"(default: {AGENT})",
    )
    served.add_argument(
        "--out",
        type=Path,
        default=Path("run.jsonl"),
        help="file to which answers are appended (default: run.jsonl)",
    )
    for name, (kind, metavar, said) in _BUDGETS.items():
        served.add_argument(f"--{name.replace('_', '-')}", type=kind, metavar=metavar, help=said)
    for name, (choices, said) in _CHOICES.items():
        served.add_argument(f"--{name.replace('_', '-')}", choices=choices, help=said)
    served.add_argument("--tools", metavar="A+B", help="tools to offer, joined by + (default: "
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
