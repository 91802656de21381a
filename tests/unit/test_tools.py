"""A system under test that is a tool of a server of the Model Context Protocol."""

import re
import socket
import threading
import time

import pytest
import uvicorn
from mcp.server import MCPServer
from starlette.middleware import Middleware

from finrag.services import ask_services
from tests.unit.test_external_service import COMPANIES, questions, systems

TOOL = {"service_path": "mcp", "service_tool": "search"}
FIELDS = "question=query, top_k=limit, filters=-, sources=hits, sources.sentence_id=id"


class _Recorded:
    """Keeps the token of each request, and refuses where it is told to."""

    tokens: list[str]
    refuses: bool

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        type(self).tokens.append(headers.get(b"authorization", b"").decode())
        if type(self).refuses:
            await send({"type": "http.response.start", "status": 401, "headers": []})
            await send({"type": "http.response.body", "body": b"no, Bearer s3cret-token-0"})
            return
        await self.app(scope, receive, send)


@pytest.fixture(scope="module")
def server():
    tools = MCPServer("filings")
    asked = []

    @tools.tool()
    def search(query: str, limit: int = 10) -> dict:
        asked.append((query, limit))
        return {"hits": [{"id": "s1", "score": 0.5}], "version": "7.1"}

    @tools.tool()
    def said(question: str, filters: dict, top_k: int) -> str:
        return f"About {question}"

    @tools.tool()
    def counted(question: str, filters: dict, top_k: int) -> float:
        return 42.5

    @tools.tool()
    def digits(question: str, filters: dict, top_k: int) -> str:
        return "42"

    @tools.tool()
    def broken(question: str, filters: dict, top_k: int) -> dict:
        raise ValueError("the index is not loaded")

    @tools.tool()
    def slow(question: str, filters: dict, top_k: int) -> str:
        time.sleep(1.5)
        return "late"

    _Recorded.tokens, _Recorded.refuses = [], False
    app = tools.streamable_http_app()
    app.user_middleware.insert(0, Middleware(_Recorded))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not running.started and time.monotonic() < until:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}", asked
    running.should_exit = True
    thread.join(10)


@pytest.fixture(autouse=True)
def few_retries(monkeypatch):
    monkeypatch.setenv("FINRAG_SERVICE_RETRIES", "1")
    monkeypatch.setenv("FINRAG_SERVICE_TOKEN", "s3cret-token-0")


def ask(url, folder, *texts, **more):
    table = ask_services(systems(url, **more), questions(*texts), COMPANIES, str(folder))
    return table.read_all().to_pylist()


def test_a_tool_is_called_with_its_own_arguments_and_once(server, tmp_path):
    url, asked = server
    for _ in range(2):
        rows = ask(url, tmp_path, "Why a bridge?", "When?", **TOOL, service_fields=FIELDS)

    assert sorted(asked) == [("When?", 20), ("Why a bridge?", 20)]
    assert [(row["failure"], row["system_version"]) for row in rows] == [(None, "7.1")] * 2
    assert [[one["passage_id"] for one in row["sources"]] for row in rows] == [["s1"]] * 2
    assert set(_Recorded.tokens) == {"Bearer s3cret-token-0"}


def test_a_tool_may_answer_in_words(server, tmp_path):
    (row,) = ask(server[0], tmp_path, "Why?", service_path="mcp", service_tool="said")
    assert (row["answer_text"], row["failure"]) == ("About Why?", None)


@pytest.mark.parametrize(("tool", "text"), [("counted", "42.5"), ("digits", "42")])
def test_a_tool_may_answer_with_a_figure(server, tmp_path, tool, text):
    (row,) = ask(server[0], tmp_path, "How much?", service_path="mcp", service_tool=tool)
    assert (row["answer_text"], row["failure"]) == (text, None)


@pytest.mark.parametrize(
    ("tool", "message"),
    [("broken", "the tool broken failed: .*Error executing"), ("unheard", "unheard")],
)
def test_a_tool_that_fails_or_is_not_there_is_a_failure(server, tmp_path, tool, message):
    (row,) = ask(server[0], tmp_path, "Why?", service_path="mcp", service_tool=tool)
    assert row["answer_text"] is None
    assert re.search(message, row["failure"])


def test_a_tool_that_is_late_is_a_failure(server, tmp_path, monkeypatch):
    monkeypatch.setenv("FINRAG_SERVICE_TIMEOUT_S", "0.5")
    (row,) = ask(server[0], tmp_path, "Why?", service_path="mcp", service_tool="slow")
    assert row["failure"] == "no answer in time"


def test_a_server_that_refuses_the_token_is_asked_no_more(server, tmp_path, monkeypatch):
    monkeypatch.setattr(_Recorded, "refuses", True)
    monkeypatch.setenv("FINRAG_SERVICE_PARALLEL", "1")
    rows = ask(server[0], tmp_path, "Why?", "When?", **TOOL)
    failures = sorted(row["failure"] for row in rows)
    assert failures[0].startswith("not sent: the service answered 401")
    assert failures[1] == "the service answered 401; check FINRAG_SERVICE_TOKEN"
    assert "s3cret" not in str(rows)


def test_no_server_is_a_failure(tmp_path):
    (row,) = ask("http://127.0.0.1:9", tmp_path, "Why?", **TOOL)
    assert row["failure"] == "no answer from the service (ConnectError)"
