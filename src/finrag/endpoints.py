"""OpenAI-compatible endpoints: settings from the environment, one client, errors without the key.

Each use of an endpoint has a prefix for its settings, e.g. ``FINRAG_EMBEDDINGS``:
``<prefix>_BASE_URL`` and ``<prefix>_API_KEY`` fall back separately to ``OPENAI_BASE_URL`` and
``OPENAI_API_KEY``; ``<prefix>_TIMEOUT_S`` is 60 and ``<prefix>_RETRIES`` is 5 unless set.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from openai import OpenAI

DEFAULT_BASE_URL = "https://api.openai.com/v1"
LONGEST_BACKOFF_S = 8.0
LONGEST_MESSAGE = 600
KEY_REFUSED = frozenset({401, 403})

Answer = TypeVar("Answer")


class EndpointError(ValueError):
    """An endpoint refused, failed or answered nonsense; never contains the key.

    Attributes:
        status_code: the HTTP status, or None where there was no answer or a nonsensical one.
    """

    def __init__(self, message: str, status_code: int | None = None) -> None:
        super().__init__(message)
        self.status_code = status_code


@dataclass(frozen=True, repr=False)
class Endpoint:
    """An open client for one model.

    Attributes:
        client: retries refusals (429), server errors and time-outs itself, with back-off.
        model: the model's name at the endpoint.
        key: the key, kept out of every message.
        prefix: prefix of the settings, named in messages.
        sent: what is sent, in the plural, for messages: "texts", "questions".
        kept: what a failure leaves unharmed, for messages.
        backoff_s: half the pause before nonsense is first asked again; doubles each time.
    """

    client: OpenAI
    model: str
    key: str
    prefix: str
    sent: str
    kept: str
    backoff_s: float

    def ask(self, call: Callable[[OpenAI], Any], read: Callable[[bytes], Answer]) -> Answer:
        """One request and its answer, asked again where the answer is nonsense.

        Args:
            call: makes the request through ``with_raw_response``.
            read: reads the answer's body.

        Returns:
            What ``read`` made of the answer.

        Raises:
            EndpointError: no usable answer after all retries, or a refusal.
        """
        problem = ""
        for attempt in range(self.client.max_retries + 1):
            if attempt:
                time.sleep(min(LONGEST_BACKOFF_S, self.backoff_s * 2**attempt))
            body = self._post(call)
            try:
                return read(body)
            except ValueError as error:
                problem = str(error)
        raise EndpointError(self._message(f"openai:{self.model}: {problem}"))

    def without_key(self, text: str) -> str:
        """The text with asterisks in place of the key."""
        return text.replace(self.key, "***") if self.key else text

    def _message(self, text: str) -> str:
        clean = self.without_key(text)
        return clean if len(clean) <= LONGEST_MESSAGE else f"{clean[:LONGEST_MESSAGE]}…"

    def _post(self, call: Callable[[OpenAI], Any]) -> bytes:
        import openai

        status: int | None = None
        try:
            return bytes(call(self.client).content)
        except openai.APIStatusError as error:
            status = error.status_code
            # Servers like to quote the key they reject, whole or in part: their words stay out.
            refused = status in KEY_REFUSED
            said = "" if refused else f" ({error.message})"
            problem = f"the endpoint answered {status}{said}"
            names = f"check the model name and the length of {self.sent}"
            remedy = "check the key" if refused else names
        except openai.APITimeoutError:
            problem = f"no answer within {self.client.timeout} s"
            remedy = f"raise {self.prefix}_TIMEOUT_S or send fewer {self.sent} at once"
        except openai.APIConnectionError as error:
            problem = f"no connection ({type(error.__cause__).__name__})"
            remedy = f"check {self.prefix}_BASE_URL"
        # Raised outside the except blocks: a chained client exception carries the request, headers
        # included, into every traceback tool that looks for it.
        raise EndpointError(
            self._message(
                f"openai:{self.model}, after {self.client.max_retries} retries: {problem}; "
                f"{remedy}, then run again: {self.kept}."
            ),
            status,
        )


def base_url(prefix: str) -> str:
    """The endpoint's address, without a slash at its end."""
    url = _first_set(f"{prefix}_BASE_URL", "OPENAI_BASE_URL") or DEFAULT_BASE_URL
    return url.rstrip("/")


def open_endpoint(
    model: str, prefix: str, sent: str, kept: str, backoff_s: float = 0.5
) -> Endpoint:
    """Make the client from the environment; nothing is sent yet.

    Args:
        model: the model's name at the endpoint.
        prefix: prefix of the settings.
        sent: what is sent, in the plural, for messages.
        kept: what a failure leaves unharmed, for messages.
        backoff_s: see ``Endpoint``.

    Raises:
        ValueError: a number is none, or the public endpoint is meant and there is no key.
    """
    from openai import OpenAI

    url = base_url(prefix)
    key = _first_set(f"{prefix}_API_KEY", "OPENAI_API_KEY")
    if not key and url == DEFAULT_BASE_URL:
        raise ValueError(
            f"openai:{model}: no key. Set {prefix}_API_KEY or OPENAI_API_KEY in the "
            f"environment, or {prefix}_BASE_URL for an endpoint that needs none."
        )
    client = OpenAI(
        base_url=url,
        api_key=key or "none",
        timeout=_positive_number(f"{prefix}_TIMEOUT_S", 60.0),
        max_retries=int(_positive_number(f"{prefix}_RETRIES", 5)),
    )
    return Endpoint(client, model, key, prefix, sent, kept, backoff_s)


def _first_set(*names: str) -> str:
    return next((os.environ[name] for name in names if os.environ.get(name)), "")


def _positive_number(name: str, default: float) -> float:
    text = os.environ.get(name, "")
    try:
        value = float(text) if text else default
    except ValueError:
        value = float("nan")
    if not 0 < value < float("inf"):
        raise ValueError(f"{name} is '{text}'; set it to a number above 0, or unset it.")
    return value
