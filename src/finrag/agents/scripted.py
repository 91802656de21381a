"""The scripted policy: it fills one slot after another and stops when all are filled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from finrag.agents.directory import Directory
from finrag.agents.session import Asked, Trace
from finrag.agents.toolbox import Toolbox

Conversation = Sequence[Asked]


def run(
    system: Mapping[str, Any],
    conversations: Sequence[Conversation],
    toolbox: Toolbox,
    directory: Directory,
    settings: Mapping[str, Any],
) -> Iterator[Trace]:
    """Traces of some conversations, in their order."""
    raise NotImplementedError
