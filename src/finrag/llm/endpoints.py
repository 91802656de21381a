"""OpenAI-compatible endpoints: settings from the environment, one client, errors without the key.

Each use of an endpoint has a prefix for its settings, e.g. ``FINRAG_EMBEDDINGS``:
``<prefix>_BASE_URL`` and ``<prefix>_API_KEY`` fall back separately to ``OPENAI_BASE_URL`` and
``OPENAI_API_KEY``; ``<prefix>_TIMEOUT_S`` is 60 and ``<prefix>_RETRIES`` is 5 unless set, and
``<prefix>_PARALLEL``, where many requests run at once, is 4.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import quote, urlsplit

if TYPE_CHECKING:
    from openai import OpenAI

DEFAULT_BASE_URL = "https://api.openai.com/v1"
LONGEST_BACKOFF_S = 8.0
LONGEST_MESSAGE = 600
KEY_REFUSED = frozenset({401, 403})
BROKEN_OFF = frozenset({"RemoteProtocolError", "ReadError", "WriteError"})
# Shorter ones are placeholders such as "none" or "EMPTY" and would spoil what they are cut from.
SHORTEST_SECRET = 8
PORTS = {"http": 80, "https": 443}
HOST = re.compile(r"[\w.:-]+")

Answer = TypeVar("Answer")


@dataclass(frozen=True, repr=False)
class Secret:
    """A key or token that an answer or a message may quote."""

    text: str

    def hidden(self, text: str) -> str:
        """A text with asterisks in place of the secret."""
        for form in self._forms():
            text = text.replace(form, "***")
        return text

    def hidden_in(self, body: bytes) -> bytes:
        """The same of a body, which a placeholder for a secret does not spoil."""
        for form in self._forms() if len(self.text) >= SHORTEST_SECRET else ():
            body = body.replace(form.encode(), b"***")
        return body

    def _forms(self) -> tuple[str, ...]:
        """The secret as it is, as JSON writes it, with and without slashes, and as an address."""
        if not self.text:
            return ()
        plain, escaped = (
            json.dumps(self.text, ensure_ascii=False)[1:-1],
            json.dumps(self.text)[1:-1],
        )
        slashed = escaped.replace("/", "\\/")
        return tuple(dict.fromkeys((self.text, plain, escaped, slashed, quote(self.text, safe=""))))


class EndpointError(ValueError):
    """An endpoint refused, failed or answered nonsense; never contains the key.

    Attributes:
        status_code: the HTTP status of the last attempt; None where no answer came.
        is_nonsense: whether the last answer came, but made no sense.
        n_attempts: requests that were sent.
        said: the endpoint's own words, without the key; "" where the key was refused.
        nonsense: bodies of answers that made no sense, without the key; they may have been billed.
    """

    def __init__(
        self,
        message: str,
        status_code: int | None = None,
        *,
        is_nonsense: bool = False,
        n_attempts: int = 1,
        said: str = "",
        nonsense: tuple[bytes, ...] = (),
    ) -> None:
        super().__init__(message)
        self.status_code = status_code
        self.is_nonsense = is_nonsense
        self.n_attempts = n_attempts
        self.said = said
        self.nonsense = nonsense


@dataclass(frozen=True)
class Exchange(Generic[Answer]):
    """A request that was answered.

    Attributes:
        answer: what was read from the body.
        body: the body, byte for byte, but for a key that the endpoint quoted.
        status_code: the HTTP status.
        n_attempts: requests that were sent, the answered one included.
        nonsense: bodies that came before it and made no sense; they may have been billed.
    """

    answer: Answer
    body: bytes
    status_code: int
    n_attempts: int
    nonsense: tuple[bytes, ...] = ()


@dataclass(frozen=True, repr=False)
class Endpoint:
    """An open client for one model.

    Attributes:
        client: retries refusals (429), server errors and time-outs itself, with back-off.
        model: the model's name at the endpoint.
        secret: the key, kept out of every message.
        prefix: prefix of the settings, named in messages.
        sent: what is sent, in the plural, for messages: "texts", "questions".
        unharmed: what a failure leaves unharmed, for messages.
        backoff_s: half the pause before nonsense is first asked again; doubles each time.
    """

    client: OpenAI
    model: str
    secret: Secret
    prefix: str
    sent: str
    unharmed: str
    backoff_s: float

    def ask(self, call: Callable[[OpenAI], Any], read: Callable[[bytes], Answer]) -> Answer:
        """One request and what was read from its answer; see ``exchange``."""
        return self.exchange(call, read).answer

    def exchange(
        self, call: Callable[[OpenAI], Any], read: Callable[[bytes], Answer]
    ) -> Exchange[Answer]:
        """One request and its answer, asked again where the answer is nonsense.

        Args:
            call: makes the request through ``with_raw_response``.
            read: reads the answer's body.

        Returns:
            The answer, with what ``read`` made of it.

        Raises:
            EndpointError: no usable answer after all retries, or a refusal.
        """
        problem, status, n_attempts = "", None, 0
        nonsense: tuple[bytes, ...] = ()
        for attempt in range(self.client.max_retries + 1):
            if attempt:
                time.sleep(min(LONGEST_BACKOFF_S, self.backoff_s * 2**attempt))
            body, status, n_sent = self._post(call, n_attempts, nonsense)
            n_attempts += n_sent
            clean = self.secret.hidden_in(body)
            try:
                return Exchange(read(body), clean, status, n_attempts, nonsense)
            except ValueError as error:
                problem = str(error)
            nonsense = (*nonsense, clean)
        raise EndpointError(
            self._message(f"openai:{self.model}: {problem}"),
            status,
            is_nonsense=True,
            n_attempts=n_attempts,
            nonsense=nonsense,
        )

    def _message(self, text: str) -> str:
        clean = self.secret.hidden(text)
        return clean if len(clean) <= LONGEST_MESSAGE else f"{clean[:LONGEST_MESSAGE]}…"

    def _remedy(self, status: int) -> str:
        if status in KEY_REFUSED:
            return "check the key"
        if status == 429 or status >= 500:
            return f"wait, or send fewer {self.sent} at once"
        return f"check the model name and the length of {self.sent}"

    def _post(
        self, call: Callable[[OpenAI], Any], n_before: int, nonsense: tuple[bytes, ...]
    ) -> tuple[bytes, int, int]:
        """Body, status and number of requests of one call to the client."""
        import openai

        status: int | None = None
        said, n_sent = "", 1
        try:
            response = call(self.client)
            return bytes(response.content), response.status_code, 1 + response.retries_taken
        except openai.APIStatusError as error:
            status, n_sent = error.status_code, _n_sent(error.request)
            # Servers like to quote the key they reject, whole or in part: their words stay out.
            refused = status in KEY_REFUSED
            said = "" if refused else self.secret.hidden(error.message)[:LONGEST_MESSAGE]
            problem = f"the endpoint answered {status}{f' ({said})' if said else ''}"
            remedy = self._remedy(status)
        except openai.APITimeoutError as error:
            n_sent = _n_sent(error.request)
            problem = f"no answer within {self.client.timeout} s"
            remedy = f"raise {self.prefix}_TIMEOUT_S or send fewer {self.sent} at once"
        except openai.APIConnectionError as error:
            n_sent = _n_sent(error.request)
            cause = type(error.__cause__).__name__
            is_broken = cause in BROKEN_OFF
            problem = f"{'the connection broke off' if is_broken else 'no connection'} ({cause})"
            remedy = f"check {'the endpoint' if is_broken else f'{self.prefix}_BASE_URL'}"
        except Exception as error:
            # Anything else that a client can choke on, such as a key that no header may hold; its
            # message may quote the key.
            problem = f"the request could not be sent ({type(error).__name__})"
            remedy = f"check {self.prefix}_BASE_URL and {self.prefix}_API_KEY"
        # Raised outside the except blocks: a chained client exception carries the request, headers
        # included, into every traceback tool that looks for it.
        raise EndpointError(
            self._message(
                f"openai:{self.model}, after {n_sent - 1} retries: {problem}; "
                f"{remedy}, then run again: {self.unharmed}."
            ),
            status,
            n_attempts=n_before + n_sent,
            said=said,
            nonsense=nonsense,
        )


def base_url(prefix: str) -> str:
    """The endpoint's address, without a slash at its end."""
    url = _first_set(f"{prefix}_BASE_URL", "OPENAI_BASE_URL") or DEFAULT_BASE_URL
    return url.rstrip("/")


def endpoint_host(prefix: str) -> str:
    """Host and port that requests go to, such as ``localhost:11434``, for what a build ran on.

    User, password, path and query stay out: any of them may hold a key.

    Args:
        prefix: prefix of the settings.

    Returns:
        Host and port, the scheme's own where the address names none; "" where neither address nor
        key is set, or where the address has no host, or an @ behind it (a password cut in two).
    """
    is_set = _first_set(f"{prefix}_BASE_URL", "OPENAI_BASE_URL", f"{prefix}_API_KEY")
    if not is_set and not os.environ.get("OPENAI_API_KEY"):
        return ""
    try:
        parts = urlsplit(base_url(prefix))
        host, port = parts.hostname or "", parts.port or PORTS.get(parts.scheme)
    except ValueError:
        return ""
    is_split = "@" in f"{parts.path}{parts.query}{parts.fragment}"
    if is_split or port is None or not HOST.fullmatch(host):
        return ""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def model_named(name: str) -> str:
    """The model that ``openai:<model>`` names; "" for anything else."""
    scheme, _, model = name.strip().partition(":")
    return model.strip() if scheme == "openai" else ""


def chosen_model(variable: str, value: str) -> str:
    """The model that a dbt var names; "" where it is empty, for none.

    Raises:
        ValueError: it is neither empty nor ``openai:<model>``.
    """
    model = model_named(value)
    if value.strip() and not model:
        raise ValueError(
            f"{variable} is '{value}'; leave the dbt var empty for none, or set it to "
            "openai:<model>."
        )
    return model


def has_endpoint(prefix: str) -> bool:
    """Whether an address or a key is set, so that a client can be made."""
    key = _first_set(f"{prefix}_API_KEY", "OPENAI_API_KEY")
    return bool(key) or base_url(prefix) != DEFAULT_BASE_URL


def check_settings(prefix: str) -> None:
    """Check the numbers among the settings of a use, before anything depends on them.

    Raises:
        ValueError: one of them is not a number of its kind.
    """
    positive_number(f"{prefix}_TIMEOUT_S", 60)
    positive_number(f"{prefix}_RETRIES", 5, or_zero=True)
    parallel_requests(prefix)


def open_endpoint(
    model: str, prefix: str, sent: str, unharmed: str, backoff_s: float = 0.5
) -> Endpoint:
    """Make the client from the environment; nothing is sent yet.

    Args:
        model: the model's name at the endpoint.
        prefix: prefix of the settings.
        sent: what is sent, in the plural, for messages.
        unharmed: what a failure leaves unharmed, for messages.
        backoff_s: see ``Endpoint``.

    Raises:
        ValueError: a number is none, or the public endpoint is used and there is no key.
    """
    from openai import DefaultHttpxClient, OpenAI

    url = base_url(prefix)
    timeout_s = positive_number(f"{prefix}_TIMEOUT_S", 60.0)
    retries = int(positive_number(f"{prefix}_RETRIES", 5, or_zero=True))
    key = _first_set(f"{prefix}_API_KEY", "OPENAI_API_KEY")
    if not key and url == DEFAULT_BASE_URL:
        raise ValueError(
            f"openai:{model}: no key. Set {prefix}_API_KEY or OPENAI_API_KEY in the "
            f"environment, or {prefix}_BASE_URL for an endpoint that needs none."
        )
    client = OpenAI(
        base_url=url,
        api_key=key or "none",
        timeout=timeout_s,
        max_retries=retries,
        # Whoever an endpoint points to was not chosen, and would be sent the texts.
        http_client=DefaultHttpxClient(
            event_hooks={"response": [_time_limit(timeout_s)]}, follow_redirects=False
        ),
    )
    return Endpoint(client, model, Secret(key), prefix, sent, unharmed, backoff_s)


def parallel_requests(prefix: str) -> int:
    """How many requests may run at once; ValueError where the setting is not a number above 0."""
    return max(1, int(positive_number(f"{prefix}_PARALLEL", 4)))


def _time_limit(timeout_s: float) -> Callable[[Any], None]:
    """A hook that lets no answer take longer than this from its first byte to its last.

    The client's own limit is on the pause between two bytes: an endpoint that sends one now and
    then could hold a run for ever.
    """
    import httpx2

    class TimedStream(httpx2.SyncByteStream):
        def __init__(self, stream: Any) -> None:
            self._stream = stream
            self._deadline = time.monotonic() + timeout_s

        def __iter__(self) -> Iterator[bytes]:
            for chunk in self._stream:
                if time.monotonic() > self._deadline:
                    raise httpx2.ReadTimeout("the answer takes too long")
                yield chunk

        def close(self) -> None:
            self._stream.close()

    def limit(response: Any) -> None:
        response.stream = TimedStream(response.stream)

    return limit


def _n_sent(request: Any) -> int:
    """How many requests the client had sent when it gave up, by the header it counts them in."""
    count = request.headers.get("x-stainless-retry-count", "0")
    return 1 + int(count) if count.isdigit() else 1


def _first_set(*names: str) -> str:
    return next((os.environ[name] for name in names if os.environ.get(name)), "")


def positive_number(name: str, default: float, *, or_zero: bool = False) -> float:
    """A setting from the environment; ValueError where it is not a finite number above 0.

    Args:
        name: the variable.
        default: what holds while it is not set.
        or_zero: whether 0 will do as well.
    """
    text = os.environ.get(name, "")
    try:
        value = float(text) if text else default
    except ValueError:
        value = float("nan")
    if not (0 < value < float("inf") or (or_zero and value == 0)):
        least = "0 or more" if or_zero else "a number above 0"
        raise ValueError(f"{name} is '{text}'; set it to {least}, or unset it.")
    return value
