"""Posting to an address that is a secret or gets one: no redirects, and no word of it in a log."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Final

from finrag.services.tokens import is_loopback

if TYPE_CHECKING:
    from httpx2 import Client, Response

MAX_BODY_BYTES: Final = 16 << 20
CHUNK: Final = 1 << 16


class NoAnswerError(ConnectionError):
    """No answer came; the message is the name of what went wrong."""


def open_client(address: str, timeout_s: float, n_kept: int = 0) -> Client:
    """A client for one address, which may be used by many threads; nothing is sent yet.

    It follows no redirect. What is sent to this machine takes no way over a proxy.

    Args:
        address: where it will post to.
        timeout_s: limit on making the connection and on each pause of the answer.
        n_kept: connections that stay open for the next request, at most.
    """
    import ssl

    import httpx2

    logging.getLogger("httpx2").addFilter(_names_no_address)
    return httpx2.Client(
        timeout=timeout_s,
        trust_env=not is_loopback(address),
        verify=ssl.create_default_context(),
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=n_kept),
    )


def posted(
    client: Client, address: str, body: bytes, headers: Mapping[str, str] | None = None
) -> AbstractContextManager[Response]:
    """Post JSON once; raises as ``requested``, and the answer can be read as there."""
    sent = {"Content-Type": "application/json", "Accept-Encoding": "identity", **(headers or {})}
    return requested(client, "POST", address, sent, body)


@contextmanager
def requested(
    client: Client,
    method: str,
    address: str,
    headers: Mapping[str, str],
    body: bytes | None = None,
) -> Iterator[Response]:
    """Send one request; the answer's body can be read in the ``with``, see ``read_body``.

    Raises:
        TimeoutError: no answer in time.
        NoAnswerError: the address cannot be reached, or the answer was cut.
    """
    import httpx2

    problem: OSError
    try:
        with client.stream(method, address, content=body, headers=dict(headers)) as response:
            yield response
            return
    except (httpx2.TimeoutException, TimeoutError):
        problem = TimeoutError()
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        problem = NoAnswerError(_cause(error))
    # Raised outside the except blocks: the client's exception holds the request, token included.
    raise problem


def read_body(response: Response, until: float) -> bytes:
    """The body of an answer.

    Args:
        response: an answer whose body was not read yet.
        until: when it must be there, on the monotonic clock, however busily it trickles.

    Raises:
        TimeoutError: it is not there in time.
        ValueError: it is too long.
    """
    parts: list[bytes] = []
    total = 0
    for part in response.iter_raw(CHUNK):
        parts.append(part)
        total += len(part)
        if total > MAX_BODY_BYTES:
            raise ValueError(f"the answer is longer than {MAX_BODY_BYTES:,} bytes")
        if time.monotonic() > until:
            raise TimeoutError
    return b"".join(parts)


def first_words(response: Response) -> str:
    """The first words of a refusal, on one line; "" where they cannot be read."""
    import httpx2

    try:
        said = next(response.iter_raw(CHUNK), b"").decode("utf-8", "replace")
    except (httpx2.HTTPError, OSError):
        return ""
    return " ".join(said.split())[:200]


def _cause(error: BaseException) -> str:
    """The name of the first cause of an error, such as ConnectionRefusedError."""
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__ or error
    return type(error).__name__


def _names_no_address(record: logging.LogRecord) -> bool:
    """Drop the line that the client writes for each request: it holds the whole address."""
    return not record.getMessage().startswith("HTTP Request")
