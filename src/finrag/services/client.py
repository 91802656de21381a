"""One address to which questions are posted, with retries and without ever showing the token."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from finrag.llm.endpoints import (
    KEY_REFUSED,
    LONGEST_BACKOFF_S,
    LONGEST_MESSAGE,
    Secret,
    positive_number,
)
from finrag.services.posting import NoAnswerError, first_words, open_client, posted, read_body

if TYPE_CHECKING:
    from httpx2 import Response

LONGEST_WAIT_S: Final = 30.0
_WORTH_ANOTHER_TRY: Final = frozenset({408, 409, 425, 429})
_SERVER_ERROR: Final = 500


class ServiceError(ValueError):
    """A service refused, failed or answered nonsense; never contains the token.

    Attributes:
        status_code: the HTTP status of the last attempt, None where there was no answer.
        n_attempts: requests that were sent.
    """

    def __init__(self, message: str, status_code: int | None, n_attempts: int) -> None:
        super().__init__(message)
        self.status_code = status_code
        self.n_attempts = n_attempts


@dataclass(frozen=True)
class Sent:
    """A request that was answered.

    Attributes:
        body: the answer, without the token should it be quoted.
        status_code: the HTTP status.
        n_attempts: requests that were sent, the answered one included.
        latency_ms: of the answered request alone.
    """

    body: bytes
    status_code: int
    n_attempts: int
    latency_ms: float


@dataclass(frozen=True)
class Attempt:
    """The result of one attempt: a body, or a problem and whether to try again."""

    body: bytes | None = None
    status_code: int | None = None
    problem: str = ""
    is_final: bool = False
    wait_s: float = 0.0


class ServiceClient:
    """Posts to one address; may be used by many threads."""

    def __init__(self, url: str, prefix: str, token_name: str, backoff_s: float) -> None:
        """Read ``<prefix>_TIMEOUT_S``, ``<prefix>_RETRIES`` and the token; nothing is sent.

        Args:
            url: the address.
            prefix: prefix of the settings.
            token_name: the variable that holds the token, as ``tokens.token_names`` has it.
            backoff_s: half the first pause before another try; doubles each time.

        Raises:
            ValueError: a number is none, or the token cannot stand in a header.
        """
        self._url = url
        self._token_name = token_name
        self._backoff_s = backoff_s
        self._timeout_s = positive_number(f"{prefix}_TIMEOUT_S", 60.0)
        self._retries = int(positive_number(f"{prefix}_RETRIES", 5))
        token = os.environ.get(token_name, "").strip()
        if not (token.isascii() and token.isprintable()):
            raise ValueError(f"{token_name} has characters that are not allowed in a header")
        self._secret = Secret(token)
        self._client = open_client(url, self._timeout_s)

    def post(self, body: bytes, check: Callable[[bytes], object]) -> Sent:
        """Post JSON and return the answer; refusals for now and nonsense are asked again.

        Args:
            body: the JSON to send.
            check: raises ValueError where an answer makes no sense.

        Raises:
            ServiceError: no usable answer after all retries, or a refusal.
        """
        outcome = Attempt()
        n_attempts = 0
        for attempt in range(self._retries + 1):
            if attempt:
                pause = min(LONGEST_BACKOFF_S, self._backoff_s * 2**attempt)
                time.sleep(max(pause, outcome.wait_s))
            n_attempts += 1
            start = time.perf_counter()
            outcome = self._attempt(body, check)
            if outcome.body is not None and outcome.status_code is not None:
                took = round((time.perf_counter() - start) * 1000, 3)
                return Sent(outcome.body, outcome.status_code, n_attempts, took)
            if outcome.is_final:
                break
        message = self._secret.hidden(outcome.problem)[:LONGEST_MESSAGE]
        raise ServiceError(message, outcome.status_code, n_attempts)

    def _attempt(self, body: bytes, check: Callable[[bytes], object]) -> Attempt:
        headers = {"Accept": "application/json"}
        if self._secret.text:
            headers["Authorization"] = f"Bearer {self._secret.text}"
        until = time.monotonic() + self._timeout_s
        try:
            with posted(self._client, self._url, body, headers) as response:
                status = response.status_code
                if not response.is_success:
                    return self._refusal(response)
                answer = self._secret.hidden_in(read_body(response, until))
        except TimeoutError:
            return Attempt(problem=f"no answer within {self._timeout_s} s")
        except NoAnswerError as error:
            return Attempt(problem=f"no answer from the service ({error})")
        except ValueError as error:
            return Attempt(problem=str(error), is_final=True)
        return self._checked(answer, status, check)

    def _checked(self, answer: bytes, status: int, check: Callable[[bytes], object]) -> Attempt:
        try:
            check(answer)
        except (ValueError, RecursionError) as error:
            return Attempt(status_code=status, problem=f"the answer cannot be understood: {error}")
        return Attempt(answer, status)

    def _refusal(self, response: Response) -> Attempt:
        status = response.status_code
        # Servers like to quote the key they reject, whole or in part: their words stay out.
        said = "" if status in KEY_REFUSED else first_words(response)
        return self._refused(status, said, response.headers.get("Retry-After"))

    def _refused(self, status: int, said: str, wait: str | None) -> Attempt:
        problem = f"the service answered {status}{f' ({said})' if said else ''}"
        if status in KEY_REFUSED:
            problem += f"; check {self._token_name}"
        again = status >= _SERVER_ERROR or status in _WORTH_ANOTHER_TRY
        return Attempt(None, status, problem, is_final=not again, wait_s=_asked_to_wait(wait))


def _asked_to_wait(text: str | None) -> float:
    """Return the seconds of a Retry-After header, 0 where it holds none, and not too many."""
    is_seconds = text is not None and text.isascii() and text.isdecimal() and len(text) < 8
    return min(LONGEST_WAIT_S, float(text)) if is_seconds and text else 0.0
