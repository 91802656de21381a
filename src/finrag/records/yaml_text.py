"""YAML that somebody else wrote: its size and depth are known before anything is built from it."""

from typing import Any, Final

# What aliases stand for counts each time that it is used. The largest file of settings in sight
# has some thousand values.
MAX_VALUES: Final = 100_000
MAX_DEPTH: Final = 100


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
