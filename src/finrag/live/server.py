"""The page's server: on this machine only, one question at a time.

Everyone who can open the page is taken for the person at this machine. The server refuses an
address with another host's name (a page elsewhere that points its name here), forms and pictures
of other pages, and a paid question without the token of this page's own form.
"""

from __future__ import annotations

import hmac
import secrets
import sys
from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs, urlencode

from finrag.live.corpus import P3, SuiteQuestion
from finrag.live.engine import Engine, costs
from finrag.live.page import NONE, TEMPLATES, View, default_systems, render
from finrag.live.visitors import HEADERS, is_own_visit, split_address

HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8510
PORTS_TRIED: Final = 20
# Large enough for a question and its form; anything longer was not sent by this page.
MAX_FORM_BYTES: Final = 16_384
MAX_LENGTH_DIGITS: Final = 9
TIMEOUT_S: Final = 30


class AskServer(ThreadingHTTPServer):
    """Serves one engine.

    Attributes:
        engine: what answers.
        systems: the systems that are chosen before anybody chooses.
        token: what a form must send back before anything is paid for.
        mtime_ns: of the warehouse when it was read.
    """

    daemon_threads = True

    def __init__(self, port: int, engine: Engine, systems: tuple[str, str]) -> None:
        super().__init__((HOST, port), _Handler)
        self.engine = engine
        self.systems = systems
        self.token = secrets.token_urlsafe(24)
        self.mtime_ns = engine.corpus.database.stat().st_mtime_ns

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores a client that hung up or fell silent: nobody waits for the answer."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)

    @property
    def url(self) -> str:
        """The address to open."""
        return f"http://{HOST}:{self.server_port}"

    @property
    def names(self) -> frozenset[str]:
        """What a browser on this machine may call this server."""
        return frozenset(f"{name}:{self.server_port}" for name in (HOST, "localhost"))

    @property
    def is_stale(self) -> bool:
        """Whether the warehouse was written to, or went away, since it was read."""
        try:
            return self.engine.corpus.database.stat().st_mtime_ns != self.mtime_ns
        except OSError:
            return True


def open_server(engine: Engine, port: int, systems: tuple[str, str] | None = None) -> AskServer:
    """Binds a server to a port of this machine, or to the next that is free.

    Args:
        engine: what answers.
        port: the first to try; 0 for any.
        systems: those chosen at first.

    Raises:
        ValueError: none of ``PORTS_TRIED`` ports is free, or this user may open none of them.
    """
    chosen = systems or default_systems(engine.corpus)
    tries = range(port, port + PORTS_TRIED if port else 1)
    n_forbidden = 0
    for tried in tries:
        try:
            return AskServer(tried, engine, chosen)
        except PermissionError:
            n_forbidden += 1
        except (OSError, OverflowError):
            continue
    if n_forbidden == len(tries):
        raise ValueError(
            f"port {port} and those after it may not be opened by this user, as most below 1024; "
            f"give another --port, such as {DEFAULT_PORT}"
        )
    raise ValueError(
        f"no port from {port} to {port + PORTS_TRIED - 1} is free; give another --port"
    )


class _Handler(BaseHTTPRequestHandler):
    server: AskServer
    timeout = TIMEOUT_S
    server_version = "finrag"
    sys_version = ""

    def do_GET(self) -> None:
        if not self._is_from_here():
            return
        address = split_address(self.path)
        if address is None:
            self._page({}, "This address cannot be read; ask here.", HTTPStatus.BAD_REQUEST)
            return
        fields = _fields(address.query)
        if address.path == "/style.css":
            self._send(HTTPStatus.OK, (TEMPLATES / "style.css").read_bytes(), "text/css")
        elif address.path == "/":
            self._page(fields)
        elif address.path == "/ask":
            self._ask(fields, may_spend=False)
        elif address.path == "/gold":
            self._look_up(fields)
        else:
            self._page({}, "There is no such page; ask here.", HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        if not self._is_from_here():
            return
        fields = self._form()
        if fields is None:
            return
        address = split_address(self.path)
        if address is None:
            self._page({}, "This address cannot be read; ask here.", HTTPStatus.BAD_REQUEST)
        elif address.path != "/ask":
            self._page({}, "There is no such page; ask here.", HTTPStatus.NOT_FOUND)
        elif not hmac.compare_digest(fields.get("token", "").encode(), self.server.token.encode()):
            self._page(
                fields,
                "This form is of an earlier start of the page; press Ask again.",
                HTTPStatus.FORBIDDEN,
            )
        elif self._costs(fields):
            self._ask(fields, may_spend=True)
        else:
            # A free question gets an address that can be saved and opened again.
            shown = {name: fields.get(name, "") for name in ("question", "a", "b", "set")}
            self.send_response(HTTPStatus.SEE_OTHER)
            self.send_header("Location", f"/ask?{urlencode(shown)}")
            self.send_header("Content-Length", "0")
            self.end_headers()

    # --- who asks ----------------------------------------------------------------------

    def _is_from_here(self) -> bool:
        """Refuses what another page, or another name for this machine, has sent."""
        host, origin, site = (
            self.headers.get(name) for name in ("Host", "Origin", "Sec-Fetch-Site")
        )
        if is_own_visit(host, origin, site, self.server.names):
            return True
        self.close_connection = True
        self._send(HTTPStatus.FORBIDDEN, f"Open {self.server.url} itself.\n".encode(), "text/plain")
        return False

    def _form(self) -> dict[str, str] | None:
        """The fields of a form; None where it was refused."""
        length = self.headers.get("Content-Length", "")
        # Digits are counted before they are read: a number of thousands cannot be.
        is_short = length.isascii() and length.isdigit() and len(length) <= MAX_LENGTH_DIGITS
        if not is_short or int(length) > MAX_FORM_BYTES:
            self.close_connection = True
            self._page(
                {}, "The question is too long to be read.", HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            )
            return None
        return _fields(self.rfile.read(int(length)).decode("utf-8", "replace"))

    # --- what is said ------------------------------------------------------------------

    def _costs(self, fields: Mapping[str, str]) -> bool:
        systems = self.server.engine.corpus.systems
        return any(costs(systems[name]) for name in self._chosen(fields) if name in systems)

    def _chosen(self, fields: Mapping[str, str]) -> tuple[str, str]:
        first, second = self.server.systems
        return fields.get("a") or first, fields.get("b") or second

    def _gold_set(self, fields: Mapping[str, str]) -> str:
        """The set that was chosen; P3 where there is no such set."""
        suites = self.server.engine.corpus.suites
        chosen = fields.get("set", "")
        return chosen if chosen in suites else P3

    def _look_up(self, fields: Mapping[str, str]) -> None:
        """A question of a set, with what the build has of it."""
        asked = self.server.engine.corpus.suites.get(self._gold_set(fields), ())
        shown = next((one for one in asked if one.item_id == fields.get("item")), None)
        if shown is None:
            self._page(fields, "There is no such question; choose one.", HTTPStatus.NOT_FOUND)
        else:
            self._page(fields, shown=shown)

    def _ask(self, fields: Mapping[str, str], may_spend: bool) -> None:
        wanted = [name for name in self._chosen(fields) if name != NONE]
        engine, gold_set = self.server.engine, self._gold_set(fields)
        # A question that is typed while a public set is listed is put to the filings.
        gold_set = gold_set if gold_set in engine.corpus.gold_sets else P3
        try:
            asked = engine.ask(fields.get("question", ""), wanted, may_spend, gold_set)
        except ValueError as error:
            self._page(fields, _sentence(error), HTTPStatus.BAD_REQUEST)
            return
        # Any other error concerns one question and must not end the server.
        except Exception as error:
            print(f"finrag ask: {type(error).__name__}: {error}", file=sys.stderr)
            said = f"The question could not be asked ({type(error).__name__}); see the terminal."
            self._page(fields, said, HTTPStatus.INTERNAL_SERVER_ERROR)
            return
        self._page(fields, asked=asked)

    def _page(
        self,
        fields: Mapping[str, str],
        error: str = "",
        status: HTTPStatus = HTTPStatus.OK,
        asked: Any = None,
        shown: SuiteQuestion | None = None,
    ) -> None:
        first, second = self._chosen(fields)
        page = fields.get("page", "")
        view = View(
            token=self.server.token,
            first=first,
            second=second,
            question=fields.get("question", ""),
            gold_set=self._gold_set(fields),
            # Digits are counted before they are read: a number of thousands cannot be.
            page=int(page) if page.isascii() and page.isdigit() and len(page) < 6 else 0,
            shown=shown,
            asked=asked,
            error=error,
            is_stale=self.server.is_stale,
        )
        self._send(status, render(self.server.engine.corpus, view).encode("utf-8", "replace"))

    def _send(self, status: HTTPStatus, body: bytes, kind: str = "text/html") -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Logs nothing: questions are private."""


def _fields(query: str) -> dict[str, str]:
    """The first value of each field; none at all where there are more than a form has."""
    try:
        found = parse_qs(query, keep_blank_values=True, max_num_fields=10)
    except ValueError:
        return {}
    return {name: values[0] for name, values in found.items()}


def _sentence(error: ValueError) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."
