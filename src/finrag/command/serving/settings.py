"""What a server may evaluate, and when: its settings, checked before it starts."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from finrag.command.evaluating.conditions import read_condition
from finrag.command.evaluating.questions import GOLD
from finrag.records.yaml_text import read_yaml_file
from finrag.systems.registry import declared_ids

if TYPE_CHECKING:
    from finrag.command.serving.store import Run

OWN_FILE: Final = "serve.yml"
PERIODS: Final = ("nightly", "monthly", "quarterly")
# Fields of a request, with their JSON schema.
REQUEST_FIELDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "candidate": {"type": "string", "description": "A system of systems_paths, or an allowed one."},
    "gold": {"type": "string", "description": "The gold set, such as finqa.", "default": GOLD},
    "where": {
        "type": "string",
        "description": "Ask only questions that meet a condition, such as category = 'A'.",
    },
    "limit": {"type": "integer", "minimum": 1, "description": "The number of questions to ask."},
    "version": {"type": "string", "description": "Version of the candidate, such as a commit."},
}
MAX_LIMIT: Final = 1_000_000
_PLACE: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,40}")
_VERSION: Final = re.compile(r"(?:[A-Za-z0-9][A-Za-z0-9._+/:-]{0,99})?")
_TIME: Final = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")


class NotAllowedError(ValueError):
    """A candidate that this server was not started for."""


@dataclass(frozen=True)
class Request:
    """What is to be evaluated.

    Attributes:
        candidate: what ``finrag eval`` is given as its source.
        gold: the gold set.
        where: condition on its questions; "" for all.
        limit: how many of them; None for all.
        version: of the candidate; "" where its answers state it.
    """

    candidate: str
    gold: str = GOLD
    where: str = ""
    limit: int | None = None
    version: str = ""


@dataclass(frozen=True)
class Schedule:
    """When a request is made by the server itself.

    Attributes:
        name: of the schedule.
        every: one of ``PERIODS``.
        at: hour and minute, UTC.
        request: what is evaluated.
    """

    name: str
    every: str
    at: datetime.time
    request: Request


@dataclass(frozen=True)
class Settings:
    """Settings of a server.

    Attributes:
        database: the warehouse.
        state_dir: the folder that keeps state between builds.
        command: the command of the child process that evaluates a run, which writes its record
            into the folder given.
        reviews: the file that marks are appended to.
        variables: the dbt vars, with defaults.
        allowed: candidates that a request may name besides systems of the project.
        schedules: when the server evaluates by itself.
        token: what every request must bring; "" for none.
        n_kept: how many runs that have ended stay on disk; older ones are removed.
        now: the time, in UTC.
        poll_s: seconds between two looks at the child process.
    """

    database: Path
    state_dir: Path
    command: Callable[[Run, Path], Sequence[str]]
    reviews: Path = Path("reviews.csv")
    variables: Mapping[str, Any] = field(default_factory=dict)
    allowed: tuple[str, ...] = ()
    schedules: tuple[Schedule, ...] = ()
    token: str = ""
    n_kept: int = 1_000
    now: Callable[[], datetime.datetime] = lambda: datetime.datetime.now(datetime.UTC)
    poll_s: float = 0.2

    @property
    def folder(self) -> Path:
        """Where runs are kept."""
        return self.state_dir / "serve"


def read_request(given: Any, settings: Settings) -> Request:
    """A request as a program sent it.

    Raises:
        ValueError: it has another shape; the message names the field.
        NotAllowedError: its candidate is neither declared nor allowed.
    """
    if not isinstance(given, Mapping):
        raise ValueError('send a JSON object such as {"candidate": "my_rag"}')
    unknown = sorted(str(name) for name in given.keys() - REQUEST_FIELDS.keys())
    if unknown:
        raise ValueError(
            f"there is no field '{unknown[0][:40]}'; fields are {', '.join(REQUEST_FIELDS)}"
        )
    candidate, where = given.get("candidate"), given.get("where") or ""
    if not isinstance(candidate, str) or not candidate.strip():
        raise ValueError("candidate is missing; name a system of the project or an allowed one")
    gold = given.get("gold", GOLD)
    if not isinstance(gold, str) or not _NAME.fullmatch(gold):
        raise ValueError(f"gold is the name of a gold set such as {GOLD} or finqa, or left out")
    if not isinstance(where, str):
        raise ValueError("where is a text such as \"category = 'A'\"")
    try:
        read_condition(where)
    except ValueError as error:
        raise ValueError(f"where: {error}") from error
    version = given.get("version") or ""
    if not isinstance(version, str) or not _VERSION.fullmatch(version):
        raise ValueError(
            "version is a text of at most 100 letters, digits and . _ + - / :, or left out"
        )
    limit = given.get("limit")
    is_number = isinstance(limit, int) and not isinstance(limit, bool)
    if limit is not None and not (is_number and 1 <= limit <= MAX_LIMIT):
        raise ValueError("limit is a whole number from 1 on, or left out")
    is_declared = candidate in declared_ids(settings.variables)
    if not is_declared and not _is_allowed(candidate, settings.allowed):
        raise NotAllowedError(
            "this candidate is neither a system of systems_paths nor allowed; start the server "
            "with --allow and its name"
        )
    return Request(candidate, gold, where, limit, version)


def _is_allowed(candidate: str, allowed: Sequence[str]) -> bool:
    """Whether it is named as it stands, or is a file below an allowed folder, links followed."""
    if candidate in allowed and not Path(candidate).is_dir():
        return True
    if _is_address(candidate) or _PLACE.fullmatch(candidate) or "\0" in candidate:
        return False
    try:
        path = Path(candidate).resolve(strict=True)
    except (OSError, RuntimeError):
        return False
    folders = [Path(one).resolve() for one in allowed if Path(one).is_dir()]
    return path.is_file() and any(path.is_relative_to(folder) for folder in folders)


def check_allowed(allowed: Sequence[str]) -> tuple[str, ...]:
    """Candidates that may be named, each once.

    Raises:
        ValueError: one is neither a place in Python, an address, a file nor a folder.
    """
    for one in allowed:
        if not (_is_address(one) or _PLACE.fullmatch(one) or Path(one).exists()):
            raise ValueError(
                f"'{one}' cannot be allowed: it is not module:function, http://host:port, or an "
                "existing file or folder"
            )
    return tuple(dict.fromkeys(allowed))


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return (
            parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
        )
    except ValueError:
        return False


def read_file(path: Path) -> tuple[list[str], list[dict[str, Any]]]:
    """What the file of settings allows, and its schedules; nothing where it is not there.

    Raises:
        ValueError: it has another shape.
    """
    if not path.is_file():
        return [], []
    found = read_yaml_file(path) or {}
    if not isinstance(found, dict) or found.keys() - {"allow", "schedules"}:
        raise ValueError(f"{path}: settings are 'allow:' and 'schedules:', each with a list")
    allow, schedules = found.get("allow") or [], found.get("schedules") or []
    if not isinstance(allow, list) or not all(isinstance(one, str) for one in allow):
        raise ValueError(f"{path}: allow is a list of texts")
    if not isinstance(schedules, list) or not all(isinstance(one, dict) for one in schedules):
        raise ValueError(f"{path}: schedules is a list of 'name: value' pairs")
    return allow, schedules


def read_schedule(given: Mapping[str, Any], settings: Settings) -> Schedule:
    """One schedule of the file of settings.

    Raises:
        ValueError: it cannot be read, or its request could not be made by a program.
    """
    name, every, at = str(given.get("name")), given.get("every"), str(given.get("at", "02:00"))
    if not _NAME.fullmatch(name):
        raise ValueError(f"schedule '{name}': give a name in small letters, digits, underscores")
    if every not in PERIODS:
        raise ValueError(f"schedule {name}: every is one of {', '.join(PERIODS)}")
    if not _TIME.fullmatch(at):
        raise ValueError(f'schedule {name}: at is a time in UTC such as "02:00", in quotes')
    rest = {key: given[key] for key in given.keys() - {"name", "every", "at"}}
    try:
        request = read_request(rest, settings)
    except ValueError as error:
        raise ValueError(f"schedule {name}: {error}") from error
    return Schedule(name, every, datetime.time.fromisoformat(at), request)


def token_of(variable: str, is_needed: bool) -> str:
    """The bearer token in the environment; "" where there is none and none is needed.

    Raises:
        ValueError: it is missing or too short; the message does not hold it.
    """
    token = os.environ.get(variable, "").strip()
    if is_needed and not token:
        raise ValueError(
            f"set {variable}: a server that other machines reach asks each request for that token"
        )
    if token and (len(token) < 16 or not token.isascii() or not token.isprintable()):
        raise ValueError(f"{variable} is not 16 or more plain characters; choose another token")
    return token
