"""What a chat completion says: its text and calls of tools, or why it has none; its tokens."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from finrag.llm.messages import ToolUse, read_tool_calls, sound

__all__ = ["Completion", "json_objects", "read_completion", "read_usage"]
MAX_TEXT_CHARS: Final = 200_000
MAX_BODY_BYTES: Final = 16_000_000
MAX_TOOL_CALLS: Final = 128
CUT_OFF: Final = "the answer was cut off at the limit of tokens; raise max_output_tokens"


@dataclass(frozen=True)
class Completion:
    """A completion that was paid for.

    Attributes:
        text: what the model wrote; "" where it called tools and wrote nothing beside, None where
            there is a problem.
        problem: why the text cannot be used: cut off, declined, withheld, too long.
        input_tokens: as the endpoint counted; None where it did not say.
        output_tokens: likewise.
        tool_calls: in the model's order; empty where there is a problem.
    """

    text: str | None
    problem: str | None
    input_tokens: int | None
    output_tokens: int | None
    tool_calls: tuple[ToolUse, ...] = ()


def read_completion(body: bytes) -> Completion:
    """Read the body of an answer.

    Args:
        body: JSON of a chat completion.

    Raises:
        ValueError: it is none; asking again may help.
    """
    if len(body) > MAX_BODY_BYTES:
        raise ValueError(f"the answer has {len(body)} bytes, above {MAX_BODY_BYTES}")
    try:
        found = json.loads(body)
        choice = found["choices"][0]
        calls = read_tool_calls(choice["message"])
        text, problem = _text(choice, choice["message"], calls)
        tokens = _tokens(found)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise ValueError(f"the answer is not a chat completion ({type(error).__name__})") from None
    if problem:
        return Completion(None, problem, tokens[0], tokens[1])
    return Completion(text, None, tokens[0], tokens[1], calls)


def read_usage(body: bytes) -> tuple[int | None, int | None]:
    """Input and output tokens of a body that need not be a completion; None where it is silent."""
    if len(body) > MAX_BODY_BYTES:
        return None, None
    try:
        return _tokens(json.loads(body))
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None, None


def json_objects(text: str, most_tries: int) -> Iterator[Mapping[str, Any]]:
    """Outermost JSON objects of a text; a bounded number of tries keeps hostile text cheap."""
    decoder = json.JSONDecoder()
    at = text.find("{")
    for _ in range(most_tries):
        if at < 0:
            return
        try:
            found, end = decoder.raw_decode(text, at)
            yield found
        except (ValueError, RecursionError):
            end = at + 1
        at = text.find("{", end)


def _text(
    choice: dict[str, Any], message: dict[str, Any], calls: tuple[ToolUse, ...]
) -> tuple[str, str | None]:
    text, reason = message.get("content"), choice.get("finish_reason")
    if message.get("refusal"):
        return "", "the model declined to answer"
    if reason == "length":
        return "", CUT_OFF
    if reason == "content_filter":
        return "", "the endpoint withheld the answer (content filter)"
    if text is None and calls:
        text = ""
    if not isinstance(text, str):
        raise TypeError("content is not text")
    if len(calls) > MAX_TOOL_CALLS:
        return "", f"the model called {len(calls)} tools at once, above {MAX_TOOL_CALLS}"
    n_chars = len(text) + sum(len(one.arguments) for one in calls)
    if n_chars > MAX_TEXT_CHARS:
        return "", f"the answer has {n_chars} characters, above {MAX_TEXT_CHARS}"
    return sound(text), None


def _tokens(found: Any) -> tuple[int | None, int | None]:
    usage = found.get("usage") or {}
    return _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))


def _count(value: Any) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53
    return value if is_count else None
