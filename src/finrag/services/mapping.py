"""How the fields of a service are named: in what it is asked, and in what it answers.

A mapping is one line of text, ``ours=theirs`` with commas between, as in
``question=query, top_k=k, filters=-, sources=results.hits, sources.sentence_id=chunk.id``. To the
left stand ``question``, ``top_k`` and ``filters``, which are sent, any field of a record of
predictions, and ``sources.`` or ``citations.`` with a field of one entry; to the right a name, or a
path of names with points between. ``-`` leaves out a field that is sent, ``.`` is the whole answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from finrag.sources.predictions.fields import ALIASES

NONE: Final = "none"
SENT: Final = ("question", "top_k", "filters")
LEFT_OUT: Final = "-"
WHOLE: Final = "."
# Fields whose entries are objects of the service's own.
LISTS: Final = ("sources", "citations")
_NAMES: Final = frozenset(name for names in ALIASES.values() for name in names)


@dataclass(frozen=True)
class FieldMapping:
    """The names that a service has for our fields.

    Attributes:
        sent: names of what is sent; "-" for what is not.
        read: paths of fields in the answer.
        entries: of a list, paths of fields in one of its entries.
    """

    sent: Mapping[str, str]
    read: Mapping[str, str]
    entries: Mapping[str, Mapping[str, str]]

    def request(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """What is sent, under the service's names."""
        named = ((self.sent.get(name, name), value) for name, value in fields.items())
        return {name: value for name, value in named if name != LEFT_OUT}

    def answer(self, value: Any) -> Any:
        """What was answered, under our names beside its own; as it is where nothing is mapped."""
        found = {name: _at(value, path) for name, path in self.read.items()}
        if not found and not self.entries:
            return value
        # An alias of the service's own must not stand beside the field that is named for it.
        taken = {alias for name in found for alias in _aliases_of(name)}
        kept = value.items() if isinstance(value, dict) else ()
        answer = {name: item for name, item in kept if str(name).lower() not in taken} | found
        for field, paths in self.entries.items():
            for name in [one for one in answer if str(one).lower() in _aliases_of(field)]:
                if isinstance(answer[name], list):
                    answer[name] = [_entry(one, paths) for one in answer[name]]
        return answer


def read_mapping(text: str | None) -> FieldMapping:
    """Read a mapping; the text ``none`` and no text map nothing.

    Raises:
        ValueError: a part is not ``ours=theirs``, names no field of ours, names one twice, sends
            no question or sends two fields under one name.
    """
    sent: dict[str, str] = {}
    read: dict[str, str] = {}
    entries: dict[str, dict[str, str]] = {name: {} for name in LISTS}
    written = (text or "").strip()
    for part in written.split(",") if written not in ("", NONE) else ():
        ours, sign, theirs = (piece.strip() for piece in part.partition("="))
        if not (ours and sign and theirs):
            raise ValueError(f"'{part.strip()}' is not of the form ours=theirs")
        listed, _, entry_field = ours.partition(".")
        if ours in SENT:
            into, key = sent, ours
        elif listed in LISTS and entry_field:
            into, key = entries[listed], entry_field
        elif ours in _NAMES:
            into, key = read, ours
        else:
            raise ValueError(
                f"there is no field '{ours}'; name {', '.join(SENT)}, a field of a record of "
                "predictions such as answer, sources or version, or sources.<field of an entry>"
            )
        if key in into:
            raise ValueError(f"'{ours}' is named twice")
        into[key] = theirs
    if sent.get("question") == LEFT_OUT:
        raise ValueError("'question' cannot be left out")
    names = [name for name in (sent.get(one, one) for one in SENT) if name != LEFT_OUT]
    if len({*names}) < len(names):
        raise ValueError(f"two of {', '.join(SENT)} are sent under one name")
    return FieldMapping(sent, read, {name: paths for name, paths in entries.items() if paths})


def _aliases_of(name: str) -> tuple[str, ...]:
    return next((names for names in ALIASES.values() if name in names), ())


def _at(value: Any, path: str) -> Any:
    """What stands at a path; None where it leads nowhere."""
    if path == WHOLE:
        return value
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _entry(entry: Any, paths: Mapping[str, str]) -> Any:
    if not isinstance(entry, dict):
        return entry
    return {**entry, **{name: _at(entry, path) for name, path in paths.items()}}
