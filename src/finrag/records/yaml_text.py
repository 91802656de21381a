"""YAML that somebody else wrote: its size and depth are known before anything is built from it."""

from pathlib import Path
from typing import Any, Final

# What aliases stand for counts each time that it is used. The largest file of settings in sight
# has some thousand values.
MAX_VALUES: Final = 100_000
MAX_DEPTH: Final = 100
# What a person does about what the parser says of a line, by its first words.
_REMEDIES: Final = (
    ("found character '\\t'", "it has a tab; indent it with spaces"),
    ("mapping values", "put a text that holds ': ' in quotes"),
    ("found unexpected end", "close the quotation mark that opens in line {opened}"),
    ("expected ',' or", "close the bracket that opens in line {opened}"),
    ("expected the node content", "close the bracket that is open there"),
    ("expected <block end>", "indent it like the lines that it goes with"),
    ("found character", "put a text that begins with a special character in quotes"),
    ("found undefined alias", "put a text that begins with * in quotes"),
)
_OTHERWISE: Final = "check how it is indented, and put texts with special characters in quotes"


def read_yaml(text: str, loader: Any = None) -> Any:
    """Return what a YAML document holds, as plain values.

    Args:
        text: the document.
        loader: a loader class that builds plain values only; PyYAML's safe one by default.

    Raises:
        yaml.YAMLError: it is not YAML, is nested deeper than `MAX_DEPTH`, holds more than
            `MAX_VALUES` values once its aliases are written out, or an alias that holds itself.
    """
    import yaml

    _check_size(text)
    return yaml.load(text, Loader=loader or yaml.SafeLoader)


def read_yaml_file(path: Path, loader: Any = None) -> Any:
    """Return what a YAML file holds, as plain values; see ``read_yaml``.

    Raises:
        ValueError: it cannot be read; the message names the file, the line and a remedy.
    """
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not a text in UTF-8; save it as UTF-8") from error
    try:
        return read_yaml(text, loader)
    except yaml.MarkedYAMLError as error:
        raise ValueError(f"{path} is not YAML{_place_and_remedy(error)}") from error
    except yaml.reader.ReaderError as error:
        line, code = text.count("\n", 0, error.position) + 1, f"U+{error.character:04X}"
        raise ValueError(
            f"{path} is not YAML at line {line}: remove the control character {code}"
        ) from error
    except yaml.YAMLError as error:
        raise ValueError(f"{path}, {error}") from error
    except ValueError as error:
        # Of a value that looks like a date.
        raise ValueError(
            f"{path} has a date that does not exist ({error}); correct it or put it in quotes"
        ) from error


def _place_and_remedy(error: Any) -> str:
    problem = error.problem or error.context or ""
    mark = error.problem_mark or error.context_mark
    if mark is None:
        return f": {problem}"
    opened = (error.context_mark or mark).line + 1
    remedy = next((to_do for said, to_do in _REMEDIES if problem.startswith(said)), _OTHERWISE)
    return f" at line {mark.line + 1}: {remedy.format(opened=opened)}"


def _check_size(text: str) -> None:
    """Count values by what the parser meets, which is no more than the text has."""
    import yaml

    by_anchor: dict[str, int] = {}
    # Anchor and values so far of each list or mapping that is open; the document is the first.
    opened: list[tuple[str | None, int]] = [(None, 0)]
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        size = 0
        if isinstance(event, yaml.CollectionStartEvent):
            opened.append((event.anchor, 1))
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, size = opened.pop()
            by_anchor |= {anchor: size} if anchor else {}
        elif isinstance(event, yaml.ScalarEvent):
            size = 1
            by_anchor |= {event.anchor: size} if event.anchor else {}
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor in [anchor for anchor, _ in opened]:
                raise _refusal(
                    event, f"the alias *{event.anchor} is used inside the value that it repeats"
                )
            # One that is not known is the loader's to name.
            size = by_anchor.get(event.anchor, 1)
        anchor, before = opened[-1]
        opened[-1] = (anchor, before + size)
        if len(opened) - 1 > MAX_DEPTH:
            raise _refusal(event, f"it is nested deeper than {MAX_DEPTH} levels")
        if before + size > MAX_VALUES:
            raise _refusal(event, f"it holds more than {MAX_VALUES:,} values with aliases expanded")


def _refusal(event: Any, reason: str) -> Exception:
    import yaml

    refusal: Exception = yaml.YAMLError(f"line {event.start_mark.line + 1}: {reason}")
    return refusal
