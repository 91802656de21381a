"""The webhook that alerts are posted to. Its address is a secret and is never shown."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import time
from typing import Any, Final
from urllib.parse import urlsplit

from finrag.llm.endpoints import positive_number
from finrag.services.posting import NoAnswerError, open_client, posted

ADDRESS: Final = "FINRAG_ALERT_WEBHOOK"
SECRET: Final = "FINRAG_ALERT_WEBHOOK_SECRET"
SIGNATURE: Final = "X-Finrag-Signature"
TRIES: Final = 3
_SERVER_ERROR: Final = 500
_WORTH_ANOTHER_TRY: Final = frozenset({408, 425, 429})


def post_alerts(message: dict[str, Any], backoff_s: float = 1.0) -> str:
    """Posts alerts to the address in ``FINRAG_ALERT_WEBHOOK``, three times at most.

    With a secret in ``FINRAG_ALERT_WEBHOOK_SECRET`` each try is signed, see ``signature``.

    Args:
        message: what to post, as JSON.
        backoff_s: pause before the second try; doubles before the third.

    Returns:
        ``not set``, ``sent``, or ``failed: `` and why. Neither the address nor a word of the
        answer stands in it: both may hold the secret.
    """
    address = os.environ.get(ADDRESS, "").strip()
    if not address:
        return "not set"
    problem = _problem_of(address)
    if problem:
        return f"failed: {problem}"
    try:
        timeout_s = positive_number(f"{ADDRESS}_TIMEOUT_S", 10.0)
    except ValueError as error:
        return f"failed: {error}"
    body = json.dumps(message, ensure_ascii=False).encode()
    for attempt in range(TRIES):
        if attempt:
            time.sleep(backoff_s * 2 ** (attempt - 1))
        problem, is_final = _attempt(address, body, timeout_s)
        if not problem:
            return "sent"
        if is_final:
            break
    return f"failed: {problem}"


def check_signed() -> None:
    """Raise ValueError where a webhook is set and nothing to sign its messages with."""
    if os.environ.get(ADDRESS, "").strip() and not os.environ.get(SECRET, "").strip():
        raise ValueError(
            f"{ADDRESS} is set, but {SECRET} is not; set it, because messages are signed with it"
        )


def signature(secret: str, body: bytes, timestamp: int) -> str:
    """The header with which a receiver finds out that a message is ours, and of now.

    ``t=<seconds since 1970>,v1=<hex>``, the latter being HMAC-SHA256 with the secret over the
    timestamp, a point and the body.
    """
    signed = f"{timestamp}.".encode() + body
    digest = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return f"t={timestamp},v1={digest}"


def _problem_of(address: str) -> str:
    """What is wrong with an address, without a word of it; "" for nothing."""
    try:
        parts = urlsplit(address)
        is_whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_whole = False
    if not is_whole or not address.isascii() or not address.isprintable() or " " in address:
        return f"{ADDRESS} is not an address of the form https://host/path"
    if "@" in parts.netloc:
        return f"{ADDRESS} has a user or password in front of its host, which is not supported"
    return ""


def _attempt(address: str, body: bytes, timeout_s: float) -> tuple[str, bool]:
    """One try: the problem, "" for none, and whether another try is of no use."""
    secret = os.environ.get(SECRET, "").strip()
    signed = {SIGNATURE: signature(secret, body, int(time.time()))} if secret else {}
    try:
        with (
            open_client(address, timeout_s) as client,
            posted(client, address, body, signed) as answer,
        ):
            status = answer.status_code
    except TimeoutError:
        return f"the webhook did not answer within {timeout_s:g} s", False
    except NoAnswerError as error:
        return f"the webhook cannot be reached ({error})", False
    if status < 300:
        return "", True
    if status < 400:
        return f"the webhook answered {status}, and redirects are not followed", True
    again = status >= _SERVER_ERROR or status in _WORTH_ANOTHER_TRY
    return f"the webhook answered {status}", not again
