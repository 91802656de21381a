"""Messages of a request: plain text, a model's calls of tools, and the results of tools."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

MAX_CALL_ID_CHARS: Final = 64
MAX_NAME_CHARS: Final = 64
# Names and ids as endpoints take them back; a model may invent others.
_NOT_IN_A_NAME: Final = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True)
class ToolUse:
    """A call of a tool, as the model wrote it.

    Attributes:
        call_ref: id that joins the call and its result; distinct within its message.
        name: name of the tool, untrusted: there may be no such tool.
        arguments: the raw text of the arguments, untrusted: it may be no JSON.
    """

    call_ref: str
    name: str
    arguments: str


@dataclass(frozen=True)
class CallingMessage:
    """A message of the model that calls tools.

    Attributes:
        calls: at least one.
        text: what the model wrote beside them; often "".
    """

    calls: tuple[ToolUse, ...]
    text: str = ""


@dataclass(frozen=True)
class ToolResult:
    """What a tool returned, for the call with the same ``call_ref``."""

    call_ref: str
    text: str


# (role, text), or a message that belongs to tools.
Message = tuple[str, str] | CallingMessage | ToolResult


def sound(text: str) -> str:
    """The text without lone surrogates and NUL, which neither a request nor a table can hold."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")


def sound_message(message: Message) -> Message:
    """The message with each of its texts ``sound``."""
    if isinstance(message, ToolResult):
        return replace(message, text=sound(message.text))
    if isinstance(message, CallingMessage):
        calls = tuple(
            ToolUse(sound(one.call_ref), sound(one.name), sound(one.arguments))
            for one in message.calls
        )
        return CallingMessage(calls, sound(message.text))
    role, text = message
    return role, sound(text)


def as_sent(message: Message) -> dict[str, Any]:
    """The message in the form of the chat API.

    A model sees the calls that it made. Endpoints refuse names outside letters, digits, "_" and
    "-", and arguments that are no JSON object: such a name is spelled with "_", and such arguments
    are quoted as ``{"not_json": text}``.
    """
    if isinstance(message, ToolResult):
        return {"role": "tool", "tool_call_id": message.call_ref, "content": message.text}
    if isinstance(message, CallingMessage):
        calls = [
            {
                "id": one.call_ref,
                "type": "function",
                "function": {"name": _name(one.name), "arguments": _arguments(one.arguments)},
            }
            for one in message.calls
        ]
        return {"role": "assistant", "content": message.text or None, "tool_calls": calls}
    role, text = message
    return {"role": role, "content": text}


def hashed(message: Message) -> Any:
    """What enters the hash of a request: a plain message as (role, text), as it always was."""
    return message if isinstance(message, tuple) else as_sent(message)


def digest(content: Any) -> str:
    """sha256 of the canonical JSON."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def read_tool_calls(message: Mapping[str, Any]) -> tuple[ToolUse, ...]:
    """The calls of a chat completion's message, in their order; () where it has none.

    Call ids that are missing, too long or there twice are replaced by ``call00000`` and so on:
    nine letters and digits, which every endpoint takes.

    Raises:
        TypeError: ``tool_calls`` is not a list of calls of functions.
        KeyError: a call names no function.
    """
    listed = message.get("tool_calls") or []
    if not isinstance(listed, list):
        raise TypeError("tool_calls is not a list")
    calls = tuple(_tool_use(one) for one in listed)
    refs = [one.call_ref for one in calls]
    if len(set(refs)) == len(refs) and all(0 < len(ref) <= MAX_CALL_ID_CHARS for ref in refs):
        return calls
    return tuple(replace(one, call_ref=f"call{at:05d}") for at, one in enumerate(calls))


def _tool_use(call: Mapping[str, Any]) -> ToolUse:
    function, call_ref = call["function"], call.get("id")
    name, arguments = function["name"], function.get("arguments")
    if not isinstance(name, str):
        raise TypeError("the name of a tool is not text")
    if arguments is None:
        arguments = ""
    elif not isinstance(arguments, str):
        # Some servers send the object itself, not its text.
        arguments = json.dumps(arguments, ensure_ascii=False, sort_keys=True)
    ref = sound(call_ref) if isinstance(call_ref, str) else ""
    return ToolUse(ref, sound(name)[:MAX_NAME_CHARS], sound(arguments))


def _name(name: str) -> str:
    return _NOT_IN_A_NAME.sub("_", name)[:MAX_NAME_CHARS] or "_"


def _arguments(text: str) -> str:
    try:
        is_object = isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        is_object = False
    return text if is_object else json.dumps({"not_json": text}, ensure_ascii=False)
