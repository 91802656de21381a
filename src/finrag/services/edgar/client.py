"""Asks EDGAR politely: eight requests a second at most, no other host, an end to every wait.

Settings from the environment: ``EDGAR_IDENTITY``, which EDGAR demands as the user agent (it goes
into no log, message or file), ``EDGAR_BASE_URL`` and ``EDGAR_DATA_URL``.
"""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import urljoin, urlsplit

from finrag.records.identity import shown
from finrag.services.posting import CHUNK, NoAnswerError, open_client, requested
from finrag.services.tokens import is_loopback

if TYPE_CHECKING:
    from httpx2 import Response

IDENTITY: Final = "EDGAR_IDENTITY"
BASE_URL: Final = "EDGAR_BASE_URL"
DATA_URL: Final = "EDGAR_DATA_URL"
# EDGAR allows ten.
REQUESTS_PER_S: Final = 8
MAX_TRIES: Final = 5
MAX_REDIRECTS: Final = 3
# Addresses in a row without an answer, after which the network is held to be down.
MAX_UNANSWERED: Final = 3
MAX_BODY_BYTES: Final = 256 << 20
TIMEOUT_S: Final = 30.0
LONGEST_ANSWER_S: Final = 600.0
# EDGAR shuts out who asks too often for ten minutes.
LONGEST_WAIT_S: Final = 600.0
LONGEST_BACKOFF_S: Final = 60.0

_REFUSED: Final = frozenset({403, 429, 503})
_MAY_PASS: Final = frozenset({408, 425, 500, 502, 504})
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_VALIDATORS: Final = frozenset({"If-None-Match", "If-Modified-Since"})
_NOT_FOUND: Final = 404
_OK: Final = 200
_UNCHANGED: Final = 304
_AGAIN: Final = "run the command again: it goes on where it stopped"
_MAIL: Final = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


class StoppedError(ConnectionError):
    """EDGAR refuses, or cannot be reached: to ask on is of no use now."""


@dataclass(frozen=True, repr=False)
class EdgarSettings:
    """Who asks, and where; both addresses without a slash at the end."""

    identity: str
    base_url: str
    data_url: str


@dataclass(frozen=True)
class Answer:
    """What EDGAR answered; without a body where it is unchanged since the validators were given."""

    body: bytes
    etag: str
    last_modified: str
    is_unchanged: bool = False


@dataclass(frozen=True)
class _Fault:
    problem: str
    kind: Literal["final", "broken", "refusal"]
    wait_s: float = 0.0


@dataclass(frozen=True)
class Clock:
    """Time in seconds, and waiting; tests bring their own."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


def read_settings(environment: Mapping[str, str]) -> EdgarSettings:
    """Read who asks, and where, from environment variables.

    Raises:
        ValueError: nobody is named, without a mail address or in characters that no header may
            hold; or an address is not https, but for this machine, or is more than scheme, host
            and path.
    """
    identity = environment.get(IDENTITY, "").strip()
    if not _MAIL.search(identity):
        raise ValueError(
            "EDGAR requires your name and address: "
            f"set {IDENTITY} to your name and mail address, such as "
            f"{IDENTITY}='Ann Example ann@example.com'"
        )
    if not (identity.isascii() and identity.isprintable()):
        raise ValueError(
            f"{IDENTITY} has characters that are not allowed in a header; write it in ASCII"
        )
    return EdgarSettings(
        identity,
        _address(BASE_URL, environment.get(BASE_URL) or "https://www.sec.gov"),
        _address(DATA_URL, environment.get(DATA_URL) or "https://data.sec.gov"),
    )


class EdgarClient:
    """Gets one address after the other; for one thread."""

    def __init__(
        self,
        settings: EdgarSettings,
        tell: Callable[[str], None] = lambda _: None,
        clock: Clock | None = None,
    ) -> None:
        """Open the client; nothing is sent yet.

        Args:
            settings: who asks, and where.
            tell: takes a line on each wait of more than a moment.
            clock: for waiting.
        """
        self.settings = settings
        self._tell = tell
        self._clock = clock or Clock()
        self._client = open_client(settings.base_url, TIMEOUT_S, n_kept=2)
        self._next_at = self._clock.now()
        self._n_unanswered = 0

    def get(self, url: str, etag: str = "", last_modified: str = "") -> Answer:
        """Get what is at an address; what may pass is asked again, ``MAX_TRIES`` times in all.

        Args:
            url: the address.
            etag: of an earlier answer, "" for none.
            last_modified: the same.

        Raises:
            ValueError: nothing usable is there, or nothing came.
            StoppedError: refused after all tries, or nothing came from the third address in a row.
        """
        headers = {"User-Agent": self.settings.identity, "Accept-Encoding": "gzip"}
        headers |= {"If-None-Match": etag} if etag else {}
        headers |= {"If-Modified-Since": last_modified} if last_modified else {}
        attempt = 1
        while True:
            outcome = self._attempt(url, headers)
            if isinstance(outcome, Answer):
                self._n_unanswered = 0
                return outcome
            wait_s = max(outcome.wait_s, min(LONGEST_BACKOFF_S, 2.0**attempt))
            if outcome.kind == "final" or wait_s > LONGEST_WAIT_S or attempt == MAX_TRIES:
                raise self._given_up(outcome)
            self._tell(f"{outcome.problem}; asking again in {wait_s:.0f} s")
            self._clock.sleep(wait_s)
            attempt += 1

    def _given_up(self, fault: _Fault) -> Exception:
        if fault.kind == "refusal":
            minutes = max(round((fault.wait_s or LONGEST_WAIT_S) / 60), 1)
            remedy = f"wait {minutes} minute{'s' * (minutes > 1)} and check {IDENTITY}"
            return StoppedError(f"{fault.problem}; {remedy}, then {_AGAIN}")
        self._n_unanswered += fault.kind == "broken"
        if self._n_unanswered < MAX_UNANSWERED:
            return ValueError(fault.problem)
        return StoppedError(f"{fault.problem}, again and again; check the network, then {_AGAIN}")

    def _attempt(self, url: str, headers: Mapping[str, str]) -> Answer | _Fault:
        for _ in range(MAX_REDIRECTS + 1):
            self._keep_pace()
            outcome = self._asked(url, headers)
            if not isinstance(outcome, str):
                return outcome
            url = outcome
        return _Fault("EDGAR redirects the request too many times", "final")

    def _keep_pace(self) -> None:
        now = self._clock.now()
        if now < self._next_at:
            self._clock.sleep(self._next_at - now)
        self._next_at = max(now, self._next_at) + 1 / REQUESTS_PER_S

    def _asked(self, url: str, headers: Mapping[str, str]) -> Answer | _Fault | str:
        """One request: its answer, what is wrong, or the address that it is sent on to."""
        try:
            with requested(self._client, "GET", url, headers) as response:
                return self._read(response, url, headers)
        except TimeoutError:
            return _Fault("no answer came in time", "broken")
        except NoAnswerError as error:
            return _Fault(f"the connection broke ({error})", "broken")
        except (EOFError, zlib.error):
            return _Fault("the answer ended too early", "broken")
        except ValueError as error:
            return _Fault(str(error), "final")

    def _read(
        self, response: Response, url: str, headers: Mapping[str, str]
    ) -> Answer | _Fault | str:
        status, sent = response.status_code, response.headers
        if status in _REDIRECTS:
            return _moved(url, sent.get("Location", ""))
        is_unchanged = status == _UNCHANGED and not _VALIDATORS.isdisjoint(headers)
        if status != _OK and not is_unchanged:
            return _refusal(status, sent.get("Retry-After", ""))
        body = b"" if is_unchanged else self._body(response)
        return Answer(body, sent.get("ETag", ""), sent.get("Last-Modified", ""), is_unchanged)

    def _body(self, response: Response) -> bytes:
        """The body, unpacked.

        Raises:
            EOFError, zlib.error: it is empty or cut.
            ValueError: it is too long, or packed in a way that was not asked for.
            TimeoutError: it trickles for too long.
        """
        until = self._clock.now() + LONGEST_ANSWER_S
        packing = response.headers.get("Content-Encoding", "identity").lower()
        if packing not in ("identity", "gzip"):
            raise ValueError(
                f"the answer is compressed as {shown(packing)}, which was not requested"
            )
        gunzip = zlib.decompressobj(wbits=31) if packing == "gzip" else None
        body = bytearray()
        for part in response.iter_raw(CHUNK):
            room = MAX_BODY_BYTES + 1 - len(body)
            body += gunzip.decompress(part, room) if gunzip else part
            if len(body) > MAX_BODY_BYTES:
                raise ValueError(f"the answer is longer than {MAX_BODY_BYTES >> 20} MB")
            if self._clock.now() > until:
                raise TimeoutError
        if not body or (gunzip and not gunzip.eof):
            raise EOFError
        return bytes(body)


def _address(variable: str, address: str) -> str:
    parts = urlsplit(address)
    is_plain = parts.scheme == "https" or (parts.scheme == "http" and is_loopback(address))
    if not (is_plain and parts.hostname) or "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError(
            f"{variable} is not an https address (host, and path if needed); correct it, or unset "
            "it to use the SEC's own address"
        )
    return address.rstrip("/")


def _moved(url: str, location: str) -> str | _Fault:
    target = urljoin(url, location)
    old, new = urlsplit(url), urlsplit(target)
    if (new.scheme, new.netloc.lower()) == (old.scheme, old.netloc.lower()):
        return target
    host = shown(new.hostname or "")
    return _Fault(f"it was redirected to another host ({host}), which is not followed", "final")


def _refusal(status: int, retry_after: str) -> _Fault:
    if status in _REFUSED:
        problem = f"EDGAR refuses requests for now ({status})"
        return _Fault(problem, "refusal", _asked_to_wait(retry_after))
    problem = "EDGAR has nothing there" if status == _NOT_FOUND else f"EDGAR answered {status}"
    return _Fault(problem, "broken" if status in _MAY_PASS else "final")


def _asked_to_wait(text: str) -> float:
    """The seconds of a Retry-After header, a number or a date; 0 where it holds neither."""
    if text.isascii() and text.isdecimal() and len(text) < 8:
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return 0.0
