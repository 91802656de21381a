"""The command ``finrag serve``, as the command line has it."""

from __future__ import annotations

import argparse
import ipaddress
import socket
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8520


def add_serve(commands: Any, *shared: Callable[[argparse.ArgumentParser], None]) -> None:
    """Add it.

    Args:
        commands: what argparse adds commands to.
        shared: add the options that commands on a warehouse have in common.
    """
    served = commands.add_parser(
        "serve",
        help="run evaluations on request over HTTP and on a schedule; serve pages for marking "
        "answers",
    )
    served.add_argument(
        "--host",
        default=HOST,
        help="address to listen on (default: 127.0.0.1); any other needs FINRAG_SERVE_TOKEN",
    )
    served.add_argument(
        "--port", type=int, default=DEFAULT_PORT, help="port (default: 8520; 0: any)"
    )
    served.add_argument(
        "--allow",
        action="append",
        default=[],
        metavar="CANDIDATE",
        help="a candidate that requests may name, besides the systems of systems_paths: "
        "module:function, http://…, a file, or a folder (all files below it); may be repeated",
    )
    served.add_argument(
        "--settings",
        type=Path,
        help="file with allow: and schedules: (default: serve.yml, if it exists)",
    )
    served.add_argument(
        "--reviews",
        type=Path,
        default=Path("reviews.csv"),
        help="file to which marks are appended and from which evaluations read them (default: "
        "reviews.csv)",
    )
    served.add_argument(
        "--keep",
        type=int,
        default=1_000,
        metavar="N",
        help="number of finished runs to keep on disk; older ones are removed (default: 1000)",
    )
    for add in shared:
        add(served)
    served.set_defaults(run=_serve)


def _serve(options: argparse.Namespace) -> int:
    from finrag.command.serving.queue import TOKEN, evaluation
    from finrag.command.serving.settings import (
        OWN_FILE,
        Settings,
        check_allowed,
        read_file,
        read_schedule,
        token_of,
    )
    from finrag.command.settings import all_variables, given_variables, variables_text
    from finrag.publishing.alerts.webhook import check_signed

    if options.settings and not options.settings.is_file():
        raise ValueError(f"no file at '{options.settings}'; correct --settings")
    if options.keep < 1:
        raise ValueError(f"--keep is {options.keep}; give 1 or more")
    allowed, schedules = read_file(options.settings or Path(OWN_FILE))
    check_signed()
    variables = all_variables(options.vars)

    def command(run: Any, record: Path) -> list[str]:
        # The file of marks may have come into being since the server was started.
        given = with_reviews(given_variables(options.vars), variables, options.reviews)
        return evaluation(settings, variables_text(given), run, record)

    settings = Settings(
        database=options.database,
        state_dir=Path(str(variables["state_dir"])),
        command=command,
        reviews=options.reviews,
        variables=variables,
        allowed=check_allowed([*allowed, *options.allow]),
        token=token_of(TOKEN, is_needed=not is_loopback(options.host)),
        n_kept=options.keep,
    )
    read = tuple(read_schedule(one, settings) for one in schedules)
    names = [schedule.name for schedule in read]
    if len(set(names)) < len(names):
        raise ValueError("two schedules have the same name")
    serve(replace(settings, schedules=read), options.host, options.port)
    return 0


def serve(settings: Any, host: str, port: int) -> None:
    """Serve until the process is ended.

    Raises:
        ValueError: the packages for it are missing, the port is taken, or another server works in
            the folder.
    """
    try:
        import uvicorn

        from finrag.command.serving.app import create_app
    except ImportError as error:
        raise ValueError(
            f"{error.name} is missing: install finrag with its extra, finrag[serve]"
        ) from error
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        raise ValueError(
            f"{host} port {port} cannot be opened: {error}; give another --port or --host"
        ) from error
    with listener:
        port = listener.getsockname()[1]
        names = {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}
        app = create_app(settings, names if is_loopback(host) else None)
        # No line for each request: addresses may hold words of questions.
        config = uvicorn.Config(
            app, log_config=None, access_log=False, server_header=False, proxy_headers=False
        )
        shown = f"[{host}]" if ":" in host else host
        print(f"Serving: http://{shown}:{port}  (Ctrl+C ends it)", flush=True)
        try:
            uvicorn.Server(config).run(sockets=[listener])
        except KeyboardInterrupt:
            print(flush=True)


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def with_reviews(
    given: Mapping[str, Any], variables: Mapping[str, Any], reviews: Path
) -> dict[str, Any]:
    """The dbt vars of an evaluation, which reads the marks that were made here."""
    named = variables.get("reviews_paths") or []
    paths = [named] if isinstance(named, str) else list(named)
    known = {Path(path).resolve() for path in paths}
    if not reviews.is_file() or reviews.resolve() in known:
        return dict(given)
    return {**given, "reviews_paths": [*paths, str(reviews)]}
