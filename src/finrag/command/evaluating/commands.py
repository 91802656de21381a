"""The commands ``finrag eval`` and ``finrag diff``, as the command line has them."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

AddOptions = Callable[[argparse.ArgumentParser], None]


def add_commands(commands: Any, *shared: AddOptions) -> None:
    """Add them.

    Args:
        commands: what argparse adds commands to.
        shared: add the options that commands on a warehouse have in common.
    """
    asked = commands.add_parser(
        "eval",
        help="ask your own system the questions of the warehouse, score the answers and give a "
        "verdict",
    )
    asked.add_argument(
        "source",
        help="a function or object (module:attribute), a service (http://…), a file of answers, "
        "a file of traces (with --format otel), or a system of systems_paths",
    )
    asked.add_argument(
        "--name", default="", help="name of the system (default: taken from the source)"
    )
    asked.add_argument(
        "--version",
        default="",
        help="version of the system, shown beside the verdict (default: as its answers state it); "
        "with a new version, a function or service is asked all questions again",
    )
    asked.add_argument(
        "--gold",
        default="p3",
        help="gold set whose questions are asked, such as finqa (default: p3)",
    )
    asked.add_argument("--limit", type=int, help="number of questions to ask (a smoke run)")
    asked.add_argument(
        "--where",
        default="",
        help="ask only questions that meet a condition, such as \"category = 'A'\" (a smoke run)",
    )
    asked.add_argument(
        "--build",
        action="store_true",
        help="also build the warehouse and its pages with the answers (minutes)",
    )
    asked.add_argument(
        "--k", type=int, default=10, help="number of passages to ask for (default: 10)"
    )
    asked.add_argument(
        "--threads", type=int, default=4, help="number of questions asked at once (default: 4)"
    )
    asked.add_argument(
        "--timeout", type=float, default=60.0, help="seconds to wait for one answer (default: 60)"
    )
    asked.add_argument(
        "--format",
        choices=("auto", "otel"),
        default="auto",
        help="format of the file; otel: traces",
    )
    asked.add_argument(
        "--record", type=Path, help="also write what the run measured to this file, as JSON"
    )
    asked.set_defaults(run=_eval)

    compared = commands.add_parser(
        "diff", help="list the questions that became right or wrong between two runs"
    )
    for name, which in (("before", "the earlier run"), ("after", "the later one")):
        compared.add_argument(
            name, help=f"{which}: a system of the warehouse, or a file written by finrag eval"
        )
    compared.add_argument(
        "--gold", default="p3", help="gold set to compare systems of the warehouse on (default: p3)"
    )
    compared.add_argument(
        "--out", type=Path, help="also write the whole comparison to this file, as Markdown"
    )
    compared.set_defaults(run=_diff)
    for parser in (asked, compared):
        for add in shared:
            add(parser)


def _eval(options: argparse.Namespace) -> int:
    from finrag.command.evaluating.evaluate import BrokenBuildError, Run, evaluate
    from finrag.command.evaluating.outcome import screen_of
    from finrag.command.settings import all_variables, exit_status, given_variables
    from finrag.publishing.screen import screen_lines
    from finrag.records.writing import replacing

    settings = all_variables(options.vars)
    run = Run(
        source=options.source,
        database=options.database,
        name=options.name,
        version=options.version,
        where=options.where,
        limit=options.limit,
        gold=options.gold,
        k=_at_least(options.k, 1, "--k"),
        n_threads=_at_least(options.threads, 1, "--threads"),
        timeout_s=_at_least(options.timeout, 0.001, "--timeout"),
        form=options.format,
        variables=given_variables(options.vars),
        is_built=options.build,
    )
    try:
        outcome, path = evaluate(run)
    except BrokenBuildError as error:
        print(f"finrag: {error}", file=sys.stderr)
        return 1
    print(f"Stored: {path}")
    if options.record:
        with replacing(options.record) as hidden:
            hidden.write_bytes(path.read_bytes())
    screen = screen_of(outcome, Path(options.database))
    screen = dataclasses.replace(screen, status=exit_status(outcome.status, settings))
    print("\n".join(screen_lines(screen)))
    return screen.status


def _diff(options: argparse.Namespace) -> int:
    from finrag.command.evaluating.differing import differ, difference_lines, read_run
    from finrag.command.settings import all_variables
    from finrag.records.writing import replacing

    settings = all_variables(options.vars)
    state_dir = Path(str(settings["state_dir"]))
    one, before = read_run(options.before, options.database, state_dir, options.gold)
    other, after = read_run(options.after, options.database, state_dir, options.gold)
    lines = difference_lines(differ((one, other), before, after, settings))
    if options.out is None:
        print("\n".join(lines))
        return 0
    with replacing(options.out) as hidden:
        hidden.write_text("\n".join([*lines, ""]), encoding="utf-8")
    print("\n".join(lines[2:5]))
    print(f"Written: {options.out}")
    return 0


def _at_least(value: Any, least: Any, name: str) -> Any:
    if value < least:
        raise ValueError(f"{name} is {value}; give {least} or more")
    return value
