"""Gates that a run must have, whatever was measured: the limits of its corpus, system by system.

A limit for a role stands for a gate of each system in it. Whom a gate is about is decided here and
nowhere else: a system that is not under test breaks nothing, whatever its gates say, unless they
check the index that all systems stand on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

Row = Mapping[str, Any]
Limit = TypeVar("Limit", bound=Row)
# Of a limit that holds whatever the corpus.
_ANY_CORPUS: Final = "any"
CANDIDATE: Final = "candidate"
REFERENCE: Final = "reference"
_ANY_SYSTEM: Final = "any"
_OF_SYSTEM: Final = "system"


@dataclass(frozen=True)
class Gate:
    """A limit for one system.

    Attributes:
        gate_id: the id of the limit; of a limit for a role, with that of the system.
        system_id: the system or pair, or corpus or gold.
        subject: whom it is about: corpus, gold, index, candidate or reference.
        severity: that of the limit; `reference` if its system is not under test.
        limit: the row of the limit.
    """

    gate_id: str
    system_id: str
    subject: str
    severity: str
    limit: Row

    @property
    def measure(self) -> tuple[str, int, str, str]:
        """Metric, cut-off, unit and mode."""
        return self.limit["metric"], self.limit["k"], self.limit["unit"], self.limit["mode"]

    @property
    def slice(self) -> tuple[str, str, str]:
        """Gold set, slice and its value."""
        return self.limit["gold_set"], self.limit["slice_name"], self.limit["slice_value"]


def limits_of(gates: Iterable[Limit], corpus: str) -> list[Limit]:
    """The limits of a corpus, by gate; one for this corpus replaces the one for any."""
    rows = [row for row in gates if row["corpus"] in (_ANY_CORPUS, corpus)]
    rows.sort(key=lambda row: (row["gate_id"], row["corpus"] != _ANY_CORPUS))
    return list({row["gate_id"]: row for row in rows}.values())


class UnderTest:
    """The systems of a run, and which of them are under test."""

    def __init__(
        self, systems: Sequence[Row], line_systems: Sequence[Row], pairs: Sequence[Row]
    ) -> None:
        """Reads the roles of systems; a pair is about its first system."""
        self._systems = sorted(systems, key=lambda row: row["system_id"])
        own = {row["system_id"] for row in (*systems, *line_systems) if row["role"] == CANDIDATE}
        self._own = own | {row["pair_id"] for row in pairs if row["system_a"] in own}

    def gates_of(self, limit: Row) -> Iterator[Gate]:
        """The gates of a limit: one, or that of each system of a role."""
        if limit["system_id"] not in (CANDIDATE, _ANY_SYSTEM):
            yield self._gate(limit, limit["gate_id"], limit["system_id"])
            return
        for row in self._systems:
            is_any = limit["system_id"] == _ANY_SYSTEM and not row["is_null"]
            if is_any or row["role"] == limit["system_id"]:
                system_id = row["system_id"]
                yield self._gate(limit, f"{limit['gate_id']}@{system_id}", system_id)

    def _gate(self, limit: Row, gate_id: str, system_id: str) -> Gate:
        subject, severity = limit["subject"], limit["severity"]
        if subject in (None, _OF_SYSTEM):
            subject = CANDIDATE if system_id in self._own else REFERENCE
        if subject == REFERENCE:
            severity = REFERENCE
        return Gate(gate_id, system_id, subject, severity, limit)
