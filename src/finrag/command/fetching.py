"""The command ``finrag fetch``: filings from EDGAR into ``state_dir``, for `corpus: edgar`."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from finrag.records.identity import normalise_form, parse_company, parse_several, parse_year

if TYPE_CHECKING:
    from finrag.services.edgar import Wanted

# Without a terminal, one line in so many seconds.
LINE_INTERVAL_S: Final = 10.0
_OPTIONS: Final = {
    "tickers": ("AAPL,MSFT", "tickers or CIKs"),
    "years": ("2022,2023", "report years (the years in which the periods end)"),
    "forms": ("10-K,10-Q", "form types; name variants such as 10-K405 too; no amendments"),
}


def add_fetch(commands: Any, add_vars: Callable[[argparse.ArgumentParser], None]) -> None:
    """Add it.

    Args:
        commands: what argparse adds commands to.
        add_vars: adds the option for the dbt vars.
    """
    fetch = commands.add_parser(
        "fetch",
        help="download filings from EDGAR into state_dir, for builds with corpus: edgar; set "
        "EDGAR_IDENTITY to your name and mail address first",
    )
    for name, (example, what) in _OPTIONS.items():
        text = f"{what} (default: the dbt var edgar_{name})"
        fetch.add_argument(f"--{name}", default="", metavar=example, help=text)
    add_vars(fetch)
    fetch.set_defaults(run=_fetch)


def _fetch(options: argparse.Namespace) -> int:
    import yaml

    from finrag.command.settings import all_variables, own_variables
    from finrag.services.edgar import EdgarClient, fetch_filings, open_folder, read_settings
    from finrag.warehouse.folder import step_command

    variables = all_variables(options.vars)
    given = {f"edgar_{name}": parse_several(getattr(options, name)) for name in _OPTIONS}
    variables |= {name: listed for name, listed in given.items() if listed}
    wanted = _wanted(variables)
    variables["edgar_years"] = sorted(wanted.years)
    settings = read_settings(os.environ)
    root = Path(str(variables["state_dir"])) / "edgar"
    with open_folder(root) as folder, _progress() as tell:
        fetched = fetch_filings(wanted, folder, EdgarClient(settings, tell), tell)

    for file in fetched.renewed:
        print(
            f"finrag: note: {file} was changed or damaged; it was downloaded again", file=sys.stderr
        )
    for problem in [*fetched.problems, *([fetched.stopped] if fetched.stopped else [])]:
        print(f"finrag: {problem}", file=sys.stderr)
    print(
        f"{fetched.n_new:,} filings new, {fetched.n_there:,} already there, "
        f"{len(fetched.problems):,} failed{', stopped early' * bool(fetched.stopped)}, in {root}"
    )
    if fetched.n_new or fetched.n_there:
        usual = {**all_variables("{}"), **own_variables()}
        kept = {name: value for name, value in variables.items() if value != usual[name]}
        said = yaml.safe_dump({**kept, "corpus": "edgar"}, default_flow_style=True, width=10**6)
        step = step_command("build")
        option = "VARS=" if step.startswith("make") else "--vars "
        print(f"Next: {step} {option}{shlex.quote(said.strip())}")
    return 1 if fetched.problems or fetched.stopped else 0


def _wanted(variables: Mapping[str, Any]) -> Wanted:
    """What the dbt vars ask for.

    Raises:
        ValueError: no company or no year is named, one of them is none, or builds read no such
            form.
    """
    from finrag.filings.filing import FORMS
    from finrag.services.edgar import Wanted

    listed = {name: parse_several(variables[f"edgar_{name}"]) for name in _OPTIONS}
    if empty := next((name for name, found in listed.items() if not found), None):
        raise ValueError(
            f"edgar_{empty} is empty: name some, as in `finrag fetch --{empty} "
            f"{_OPTIONS[empty][0]}`, or in the dbt var"
        )
    forms = frozenset(normalise_form(one) for one in listed["forms"])
    if unread := sorted(forms - FORMS):
        why = "has no items that finrag reads: no build would read it"
        if unread[0].removesuffix("/A") in FORMS:
            why = "amends another filing: amendments are not fetched"
        raise ValueError(
            f"edgar_forms holds {unread[0]}, which {why}; "
            f"leave it out (forms that are fetched: {', '.join(sorted(FORMS))})"
        )
    return Wanted(
        tuple(parse_company(one) for one in listed["tickers"]),
        frozenset(_year(one) for one in listed["years"]),
        forms,
    )


def _year(given: object) -> int:
    try:
        return parse_year(given, "edgar_years")
    except ValueError as error:
        is_range = isinstance(given, str) and len(given) > 4
        hint = "; several are written with commas, as in 2015,2016,2017" * is_range
        raise ValueError(f"{error}{hint}") from None


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """A function that shows a line: in place on a terminal, elsewhere now and then."""
    if sys.stderr.isatty():
        from rich.console import Console

        with Console(stderr=True).status("fetching") as status:
            yield status.update
        return
    last = -LINE_INTERVAL_S

    def say(line: str) -> None:
        nonlocal last
        if time.monotonic() - last >= LINE_INTERVAL_S:
            last = time.monotonic()
            print(line, file=sys.stderr, flush=True)

    yield say
