"""Data of the library that stand in YAML files, read by type.

What a file holds is described by a type: a dataclass, or lists and mappings of one. A file that
does not fit its type is refused with the name of the file and the key.
"""

import dataclasses
import types
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")
_SCALARS: Final = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


def read_typed(path: Path, kind: type[T]) -> T:
    """Read one file.

    Args:
        path: A YAML file.
        kind: What the file holds: a dataclass, ``dict[str, …]``, ``tuple[…]`` or a scalar, nested
            in any way. An entry of a mapping takes its key as its ``name`` when it has none.

    Raises:
        ValueError: The file is absent, is not YAML, or does not hold what ``kind`` says; the
            message names the file and the key.
    """
    import yaml

    try:
        found = yaml.load(path.read_text(encoding="utf-8"), Loader=_loader())
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ValueError(f"{path.name} cannot be read: {error}") from error
    try:
        read: T = _read(found, kind, "")
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error
    return read


@cache
def _loader() -> Any:
    """A loader that refuses a key that a mapping has twice; YAML itself keeps the last."""
    import yaml

    # The one written in C reads the files several times as fast, where it is installed.
    fastest: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(fastest):  # type: ignore[misc]
        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            seen = set()
            for key_node, _ in node.value:
                if key_node.value in seen:
                    raise yaml.constructor.ConstructorError(
                        None,
                        None,
                        f"the key {key_node.value!r} is given twice",
                        key_node.start_mark,
                    )
                seen.add(key_node.value)
            return super().construct_mapping(node, deep)

    return Loader


def _read(value: Any, kind: Any, key: str) -> Any:
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _read_fields(value, kind, key)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is types.UnionType:
        return None if value is None else _read(value, parts[0], key)
    if origin is dict:
        return _read_mapping(value, parts[1], key)
    if origin is tuple:
        return _read_list(value, parts, key)
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise _unfit(value, _SCALARS[kind], key)
    return value


def _read_fields(value: Any, kind: Any, key: str) -> Any:
    hints = _hints(kind)
    if not isinstance(value, Mapping):
        raise _unfit(value, f"the fields {', '.join(hints)}", key)
    needed = {
        each.name
        for each in dataclasses.fields(kind)
        if each.default is dataclasses.MISSING and each.default_factory is dataclasses.MISSING
    }
    if missing := sorted(needed - set(value)):
        raise ValueError(f"{key or 'the file'} lacks {', '.join(missing)}")
    if unknown := sorted(map(str, set(value) - set(hints))):
        raise ValueError(f"{key or 'the file'} has no field {', '.join(unknown)}")
    return kind(**{name: _read(value[name], hints[name], _under(key, name)) for name in value})


def _read_mapping(value: Any, kind: Any, key: str) -> dict[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise _unfit(value, "entries by name", key)
    if isinstance(kind, type) and "name" in _hints(kind):
        value = {
            name: {"name": name, **entry} if isinstance(entry, Mapping) else entry
            for name, entry in value.items()
        }
    return {name: _read(entry, kind, _under(key, name)) for name, entry in value.items()}


def _read_list(value: Any, parts: tuple[Any, ...], key: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise _unfit(value, "a list", key)
    kinds = (parts[0],) * len(value) if parts[-1] is Ellipsis else parts
    if len(kinds) != len(value):
        raise _unfit(value, f"a list of {len(kinds)}", key)
    return tuple(
        _read(entry, kind, f"{key}[{place}]")
        for place, (entry, kind) in enumerate(zip(value, kinds, strict=True))
    )


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _under(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _unfit(value: object, expected: str, key: str) -> ValueError:
    shown = repr(value)
    shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
    return ValueError(f"{key or 'the file'} is {shown}, expected {expected}")
