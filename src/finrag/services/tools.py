"""A service that is a tool of a server of the Model Context Protocol, over streamable HTTP."""

from __future__ import annotations

import asyncio
import importlib.util
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from finrag.services.client import Attempt, ServiceClient
from finrag.services.posting import MAX_BODY_BYTES
from finrag.services.tokens import is_loopback

if TYPE_CHECKING:
    from mcp.types import CallToolResult

_OK = 200
_NOT_ALLOWED = (401, 403)
_LATE = "no answer in time"


def check_tools(system_id: str) -> None:
    """Check that tools can be called.

    Raises:
        ValueError: the package of the protocol is not installed.
    """
    if importlib.util.find_spec("mcp") is None:
        raise ValueError(
            f"system {system_id}: service_tool needs the extra mcp; install finrag[mcp]"
        )


class ToolClient(ServiceClient):
    """Calls one tool; each call is a session of its own, and may come from many threads."""

    def __init__(self, url: str, tool: str, prefix: str, token_name: str, backoff_s: float) -> None:
        """As ``ServiceClient``; ``tool`` is the name of the tool at the server ``url``."""
        super().__init__(url, prefix, token_name, backoff_s)
        self._tool = tool

    def _attempt(self, body: bytes, check: Callable[[bytes], object]) -> Attempt:
        statuses: list[int] = []
        problem = ""
        try:
            result = asyncio.run(self._call(json.loads(body), statuses))
        except Exception as error:
            problem = _problem(error)
            if not problem:
                raise
        refused = next((one for one in statuses if one >= 400), None)
        if problem and problem != _LATE and refused is not None:
            return self._refused(refused, "", None)
        if problem:
            return Attempt(problem=problem)
        answer = self._secret.hidden_in(_body(result))
        if result.is_error:
            said = answer[:200].decode("utf-8", "replace")
            return Attempt(status_code=_OK, problem=f"the tool {self._tool} failed: {said}")
        if len(answer) > MAX_BODY_BYTES:
            return Attempt(problem=f"its answer is longer than {MAX_BODY_BYTES:,} bytes")
        return self._checked(answer, _OK, check)

    async def _call(self, arguments: Any, statuses: list[int]) -> CallToolResult:
        import httpx2
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client

        async def note(response: httpx2.Response) -> None:
            # Steps that an older server does not know are refused and left out by the client.
            is_call = b'"tools/call"' in response.request.content
            if is_call or response.status_code in _NOT_ALLOWED:
                statuses.append(response.status_code)

        headers = {"Authorization": f"Bearer {self._secret.text}"} if self._secret.text else {}
        async with (
            asyncio.timeout(self._timeout_s),
            httpx2.AsyncClient(
                headers=headers,
                timeout=self._timeout_s,
                trust_env=not is_loopback(self._url),
                event_hooks={"response": [note]},
            ) as http,
            Client(streamable_http_client(self._url, http_client=http)) as client,
        ):
            return await client.call_tool(self._tool, arguments)


def _body(result: CallToolResult) -> bytes:
    """The structured answer of a tool, or else what its texts hold: JSON, or an answer in words."""
    structured = result.structured_content
    # A tool whose result is no object has it wrapped: words, a figure or a yes are an answer.
    wrapped = structured.get("result") if structured and structured.keys() == {"result"} else None
    if isinstance(wrapped, int | float):
        structured = {"result": wrapped, "answer": wrapped}
    if structured is not None and not isinstance(wrapped, str):
        return json.dumps(structured, ensure_ascii=False).encode()
    text = "\n".join(one.text for one in result.content if one.type == "text")
    try:
        found = json.loads(text)
    except ValueError:
        found = text
    # A list of objects may be mapped; any other value is the answer as it is written.
    objects = found if isinstance(found, list) else [found]
    if objects and all(isinstance(one, dict) for one in objects):
        return text.encode()
    return json.dumps({"answer": text}, ensure_ascii=False).encode()


def _problem(error: Exception) -> str:
    """What went wrong between here and the server; empty where it is a mistake of our own."""
    import httpx2
    from mcp import MCPError

    causes = list(_causes(error))
    if any(isinstance(one, TimeoutError | httpx2.TimeoutException) for one in causes):
        return _LATE
    for one in causes:
        if isinstance(one, MCPError):
            return f"the server says: {one}"
        if isinstance(one, httpx2.HTTPError | httpx2.InvalidURL | OSError):
            return f"no answer from the service ({type(one).__name__})"
    return ""


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The exceptions that a group holds, however deep."""
    if isinstance(error, BaseExceptionGroup):
        for one in error.exceptions:
            yield from _causes(one)
    else:
        yield error
