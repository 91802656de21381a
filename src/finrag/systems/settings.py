"""The settings that a system can have: their types, defaults, valid values and conditions.

The catalogue is a seed (``setting_catalogue``). A setting may have several rows, one for each
group of kinds; ``only_with`` names another setting that must have one of some values
(``index_type=ivf|hnsw``, ``answerer=openai:*``, ``reranker=*`` for anything but none), or several
such conditions with "&" between them, all of which must hold.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SYSTEM_KINDS = (
    "dense",
    "bm25",
    "random",
    "hybrid",
    "multi_path",
    "naive_rag",
    "agent",
    "external_file",
    "external_http",
    "line_description",
)
OFF = "off"
NONE = "none"
# Between the members of a set; "|" stands between choices in the catalogue.
SET_SIGN = "+"
AND_SIGN = "&"

Value = str | int | float | None


@dataclass(frozen=True)
class Setting:
    """One row of the catalogue.

    Attributes:
        name: the setting.
        stage: ask, retrieve, rerank, answer or external.
        value_type: integer, number, threshold, choice, set or the name of a check.
        default: as text; empty where the setting must be given.
        valid: choices, or the two ends of a range.
        kinds: system kinds that have it.
        only_with: names and accepted values of other settings; empty where unconditional.
    """

    name: str
    stage: str
    value_type: str
    default: str
    valid: tuple[str, ...]
    kinds: frozenset[str]
    only_with: tuple[tuple[str, tuple[str, ...]], ...]

    def applies(self, settings: Mapping[str, Value]) -> bool:
        """Whether it has a meaning beside the settings that were read before it."""
        return all(
            any(_accepts(pattern, str(settings.get(name) or NONE)) for pattern in accepted)
            for name, accepted in self.only_with
        )

    def read(self, text: str) -> Value:
        """The value that a text stands for.

        Raises:
            ValueError: it is none of the valid values; the message lists them.
        """
        if self.value_type == "choice":
            if text not in self.valid:
                raise ValueError(f"use one of {', '.join(self.valid)}")
            return text
        if self.value_type == "set":
            return self._set(text)
        if self.value_type in ("integer", "number"):
            return self._number(text)
        if self.value_type == "threshold" and text != "auto":
            return str(self._number(text))
        if not text:
            raise ValueError("give a value")
        return text

    def _set(self, text: str) -> str:
        named = {piece.strip() for piece in text.split(SET_SIGN)}
        if not named <= set(self.valid):
            raise ValueError(f"name one or more of {', '.join(self.valid)}, joined by {SET_SIGN}")
        return SET_SIGN.join(name for name in self.valid if name in named)

    def _number(self, text: str) -> int | float | None:
        if text == OFF and self.default == OFF:
            return None
        low, high = map(float, self.valid)
        what = "a whole number" if self.value_type == "integer" else "a number"
        also = f" or {OFF}" if self.default == OFF else ""
        remedy = f"use {what} from {low:g} to {high:g}{also}"
        try:
            value = int(text) if self.value_type == "integer" else float(text)
        except ValueError:
            raise ValueError(remedy) from None
        if not (math.isfinite(value) and low <= value <= high):
            raise ValueError(remedy)
        return value


def read_catalogue(rows: Iterable[Mapping[str, Any]]) -> list[Setting]:
    """The catalogue's rows, in their order, as settings."""
    return [
        Setting(
            name=row["setting"],
            stage=row["stage"],
            value_type=row["value_type"],
            default=row["default_value"] or "",
            valid=_valid(row["value_type"], row["valid_values"] or ""),
            kinds=frozenset(row["kinds"].split("|")),
            only_with=_conditions(row["only_with"] or ""),
        )
        for row in rows
    ]


def settings_of(catalogue: Sequence[Setting], kind: str) -> list[Setting]:
    """The settings of a kind, by name, each behind those that its conditions name."""
    own = sorted(
        (setting for setting in catalogue if kind in setting.kinds), key=lambda one: one.name
    )
    ordered: list[Setting] = []
    while own:
        waiting = {setting.name for setting in own}
        free = [one for one in own if not waiting & {name for name, _ in one.only_with}]
        if not free:
            raise ValueError(
                f"setting_catalogue: only_with of {', '.join(sorted(waiting))} goes in a circle; "
                "correct it"
            )
        ordered.extend(free)
        own = [setting for setting in own if setting not in free]
    return ordered


def _valid(value_type: str, text: str) -> tuple[str, ...]:
    if value_type in ("integer", "number", "threshold"):
        return tuple(text.split(".."))
    return tuple(text.split("|")) if text else ()


def _conditions(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    pairs = (part.partition("=") for part in text.split(AND_SIGN) if part)
    return tuple((name, tuple(values.split("|"))) for name, _, values in pairs)


def _accepts(pattern: str, value: str) -> bool:
    if pattern == "*":
        return value != NONE
    if pattern.endswith("*"):
        return value.startswith(pattern[:-1])
    return value == pattern
