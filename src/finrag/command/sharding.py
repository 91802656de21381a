"""The command ``finrag shards``, and the options of a build over shards."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, Final

_OPTIONS: Final = ("engine", "store", "shards")


def add_shards(commands: Any, add_vars: Callable[[argparse.ArgumentParser], None]) -> None:
    """Add the command to the command line."""
    shards = commands.add_parser(
        "shards", help="list the sharded builds in a store, or remove old files"
    )
    add_vars(shards)
    _add_store(shards)
    shards.add_argument(
        "--clean",
        action="store_true",
        help="remove files that belong neither to the newest build nor to a build that a "
        "warehouse uses; files of the last day stay",
    )
    shards.add_argument(
        "--all", action="store_true", help="with --clean: also remove such files of the last day"
    )
    shards.add_argument(
        "--dry-run", action="store_true", help="only print what --clean would remove"
    )
    shards.set_defaults(run=_shards)


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Add the options of a build over shards."""
    parser.add_argument(
        "--engine",
        help="read the corpus in shards with `pool` (processes on this machine) or `spark`",
    )
    _add_store(parser)
    parser.add_argument("--shards", type=int, help="number of shards (default: by size)")


def with_engine(options: argparse.Namespace) -> str:
    """The vars of a command, as YAML: its options of a build over shards win."""
    from finrag.command.settings import given_variables, variables_text

    chosen = {
        name: value for name in _OPTIONS if (value := getattr(options, name, None)) is not None
    }
    if not chosen:
        return str(options.vars)
    return variables_text({**given_variables(options.vars), **chosen})


def _add_store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--store",
        help="where shards are stored: a folder or s3://bucket/path (default: the dbt var store, "
        "else `store` in state_dir)",
    )


def _shards(options: argparse.Namespace) -> int:
    from finrag.command.building.build import LOCK, holding
    from finrag.command.building.shards import builds_text, cleaned_text
    from finrag.command.settings import all_variables
    from finrag.shards import Store
    from finrag.shards.listing import clean, stored_builds
    from finrag.warehouse.project import RESULTS

    store = Store.of(all_variables(with_engine(options)))
    if not (options.clean or options.dry_run):
        print(builds_text(store.uri, stored_builds(store)))
        return 0
    with holding(RESULTS.parent / LOCK, "finrag shards --clean"):
        cleaned = clean(store, options.dry_run, options.all)
    print(cleaned_text(store.uri, cleaned, options.dry_run))
    return 0
