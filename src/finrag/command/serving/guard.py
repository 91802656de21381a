"""Who may use the server: its own pages and those who know the token."""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Collection
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from finrag.live.visitors import HEADERS, is_own_visit

_CHALLENGE: Final = 'Bearer realm="finrag", Basic realm="finrag"'


def error_answer(status: int, why: str) -> JSONResponse:
    """An error, in one sentence."""
    return JSONResponse({"error": why}, status)


class Guard:
    """Lets in who may come in, and puts the headers of every page on every answer."""

    def __init__(self, app: ASGIApp, token: str, names: Collection[str] | None) -> None:
        self._app = app
        self._token = token.encode()
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    added[name] = value
            await send(message)

        refusal = self._refusal(headers)
        await (refusal or self._app)(scope, receive, send_guarded)

    def _refusal(self, headers: Headers) -> Response | None:
        host = headers.get("host")
        # Other machines may know this one by any name; a page elsewhere never has the same.
        names = (host or "",) if self._names is None else self._names
        if not is_own_visit(host, headers.get("origin"), headers.get("sec-fetch-site"), names):
            return error_answer(
                403,
                "this request came from another site, or was sent to an "
                "unknown host name; use the address that the server printed",
            )
        if self._token and not hmac.compare_digest(_token_in(headers), self._token):
            answer = error_answer(401, "send the token of this server: Authorization: Bearer …")
            answer.headers["WWW-Authenticate"] = _CHALLENGE
            return answer
        return None


def _token_in(headers: Headers) -> bytes:
    """The token that a request brought; from a browser it is the password, under any name."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return given.strip().encode()
    if scheme.lower() == "basic":
        try:
            return base64.b64decode(given.strip()).partition(b":")[2]
        except (binascii.Error, ValueError):
            return b""
    return b""
