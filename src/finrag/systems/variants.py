"""Systems of the user's own, read from YAML and CSV files.

A CSV file has the columns of the seed ``systems``; a YAML file looks like this::

    systems:
      - system_id: multi_path_wide
        based_on: multi_path
        settings: {n_candidates: 300, global_weight: 0.5}
        description: More candidates, more weight for the open search

``based_on`` takes kind and settings of another system. ``compare_with`` names the systems that
it is compared with item by item: a list, or names between '|'; without it that is the base. Both
keys may be used in both formats. A system of the user's own is a candidate, to which gates apply,
unless it says ``role: reference``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from finrag.records.csv_tables import read_csv_table
from finrag.records.yaml_text import read_yaml_file

FIELDS = (
    "system_id",
    "based_on",
    "compare_with",
    "system_kind",
    "settings",
    "is_null",
    "is_enabled",
    "is_sample_only",
    "role",
    "description",
)
# What a system can be said to be; a null is one that `is_null` says.
ROLES = ("candidate", "reference")
LINE = "__line__"


@dataclass(frozen=True)
class Entry:
    """A system as it is written down.

    Attributes:
        place: file and line, for messages.
        system_id: its name.
        kind: its kind; empty where ``based_on`` gives it.
        settings: the settings that are written, as texts.
        based_on: the system whose kind and settings it takes.
        compare_with: the systems that it names as partners, each once, in the order of names.
        is_null: a baseline that knows nothing.
        is_enabled: whether a build runs it by default.
        is_sample_only: whether it does so with the sample corpus only.
        role: ``candidate``, ``reference`` or empty for what its place makes it.
        description: what it does.
    """

    place: str
    system_id: str
    kind: str
    settings: Mapping[str, str] = field(default_factory=dict)
    based_on: str = ""
    compare_with: tuple[str, ...] = ()
    is_null: bool = False
    is_enabled: bool = True
    is_sample_only: bool = False
    role: str = ""
    description: str = ""


def read_rows(rows: Iterable[Mapping[str, Any]], place: str) -> list[Entry]:
    """Entries of table rows, such as those of the seed or of a CSV file.

    Args:
        rows: the fields of ``FIELDS``, as text or as booleans; missing ones are empty.
        place: the file, for messages; lines count from 2.

    Raises:
        ValueError: a field is unknown, or a value cannot be read.
    """
    return [
        _entry(row, f"{place}, line {number}", _split(row.get("settings")))
        for number, row in enumerate(rows, start=2)
    ]


def read_file(path: Path) -> list[Entry]:
    """Entries of a YAML or CSV file.

    Raises:
        ValueError: it does not exist, is neither, or says something that cannot be read; the
            message names the line.
    """
    if not path.is_file():
        raise ValueError(f"systems_paths: no file at '{path}'; correct the dbt var")
    if path.suffix.lower() in (".yml", ".yaml"):
        return _read_yaml(path)
    if path.suffix.lower() == ".csv":
        return _read_csv(path)
    raise ValueError(f"systems_paths: '{path}' is neither .yml, .yaml nor .csv")


def _read_csv(path: Path) -> list[Entry]:
    rows = read_csv_table(path, ("system_id",)).rows
    return read_rows([row for _, row in rows], str(path))


def _read_yaml(path: Path) -> list[Entry]:
    loaded = read_yaml_file(path, _line_loader())
    if not isinstance(loaded, dict) or not isinstance(loaded.get("systems"), list):
        raise ValueError(f"{path}: begin with 'systems:' and a list below it")
    entries = []
    for row in loaded["systems"]:
        if not isinstance(row, dict):
            raise ValueError(f"{path}: a system is written as 'name: value' pairs, not as '{row}'")
        place = f"{path}, line {row.pop(LINE)}"
        settings = row.get("settings") or {}
        if not isinstance(settings, dict):
            raise ValueError(f"{place}: settings are written as 'name: value' pairs")
        texts = {str(name): _text(value) for name, value in settings.items() if name != LINE}
        entries.append(_entry(row, place, texts))
    return entries


def _line_loader() -> Any:
    """A safe YAML loader whose mappings know the line they begin on."""
    import yaml

    # PyYAML has no types, so its class is unknown to the checker.
    class LineLoader(yaml.SafeLoader):  # type: ignore[misc]
        pass

    def mapping(loader: Any, node: Any) -> dict[Any, Any]:
        names = [loader.construct_object(name, deep=True) for name, _ in node.value]
        twice = sorted({str(name) for name in names if names.count(name) > 1})
        line = node.start_mark.line + 1
        if twice:
            raise yaml.YAMLError(f"line {line}: {', '.join(twice)} is given twice")
        return {**loader.construct_mapping(node, deep=True), LINE: line}

    LineLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, mapping)
    return LineLoader


def _entry(row: Mapping[str, Any], place: str, settings: Mapping[str, str]) -> Entry:
    unknown = sorted(str(name) for name in set(row) - set(FIELDS))
    if unknown:
        raise ValueError(f"{place}: unknown field {', '.join(unknown)}; use {', '.join(FIELDS)}")
    return Entry(
        place=place,
        system_id=_text(row.get("system_id")),
        kind=_text(row.get("system_kind")),
        settings=settings,
        based_on=_text(row.get("based_on")),
        compare_with=_partners(row.get("compare_with"), place),
        is_null=_flag(row.get("is_null"), "is_null", place, default=False),
        is_enabled=_flag(row.get("is_enabled"), "is_enabled", place, default=True),
        is_sample_only=_flag(row.get("is_sample_only"), "is_sample_only", place, default=False),
        role=_role(row.get("role"), place),
        description=_text(row.get("description")),
    )


def _split(text: object) -> dict[str, str]:
    """``a=1; b=2`` as names and texts; a piece without '=' keeps its whole text as name."""
    pairs = [piece.partition("=") for piece in str(text or "").split(";") if piece.strip()]
    return {name.strip(): value.strip() for name, _, value in pairs}


def _partners(value: object, place: str) -> tuple[str, ...]:
    """A list of names, or a text of names between '|', each name once and in order."""
    names = value if isinstance(value, list) else _text(value).split("|")
    if isinstance(value, dict) or any(isinstance(name, (dict, list)) for name in names):
        raise ValueError(f"{place}: compare_with is written as a list of systems")
    return tuple(sorted({_text(name) for name in names} - {""}))


def _role(value: object, place: str) -> str:
    role = _text(value)
    if role not in ("", *ROLES):
        raise ValueError(f"{place}: role is '{role}'; use {' or '.join(ROLES)}, or leave it out")
    return role


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        # YAML 1.1 reads a bare `off` as false.
        return "on" if value else "off"
    return str(value).strip()


def _flag(value: object, name: str, place: str, *, default: bool) -> bool:
    if isinstance(value, bool):
        return value
    text = _text(value).lower()
    if text not in ("", "true", "false"):
        raise ValueError(f"{place}: {name} is '{text}'; use true or false")
    return default if not text else text == "true"
