"""The page of a live question: what it shows, and from whom it takes a question."""

import html
import http.client
import re
import socket
import struct
import threading
from urllib.parse import quote, urlencode

import pytest

from finrag.live.page import spans
from finrag.live.server import MAX_FORM_BYTES, open_server
from tests.unit import asked_warehouse
from tests.unit.asked_warehouse import SALES, SCRIPT
from tests.unit.endpoint_stub import Said, answer, by_turn
from tests.unit.test_asking import engine_of, stub

__all__ = ["stub"]
PLANTED = "<script>alert('asked')</script>\"><img src=x onerror=alert(1)>"


@pytest.fixture
def server(tmp_path):
    server = open_server(engine_of(tmp_path), 0)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def send(server, method, path, form=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    body = None if form is None else urlencode(form)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


def get(server, path, **headers):
    return send(server, "GET", path, **headers)


def asked(server, question=SALES, a="words", b="words_open", **fields):
    return get(server, f"/ask?{urlencode({'question': question, 'a': a, 'b': b, **fields})}")


# --- what it shows ------------------------------------------------------------------------------


def test_before_a_question_it_offers_gold_sets_and_their_questions(server):
    answer, page = get(server, "/")
    assert answer.status == 200
    assert "Nothing has been asked yet" in page
    fields = {"question": SALES, "a": "looks", "b": "words", "set": "p3"}
    assert f'href="/ask?{html.escape(urlencode(fields))}' in page
    assert 'set=p3" aria-current="page"' in page
    assert 'set=quiz"' in page


def test_a_public_question_is_looked_up_with_what_the_build_has_of_it(server):
    _, page = get(server, "/?set=quiz")
    (link,) = re.findall(r'href="(/gold\?[^"]*)"', page)
    answer, page = get(server, html.unescape(link))
    assert answer.status == 200
    assert '<h2 id="shown">Who bakes the &lt;b&gt;bread&lt;/b&gt;?</h2>' in page
    assert "Expected: <strong>Birch</strong>" in page
    assert "Alder &lt;i&gt;" in page
    assert re.search(r'class="chip wrong"><span aria-hidden="true">✕</span> wrong', page)
    assert get(server, "/gold?set=quiz&item=none")[0].status == 404


@pytest.mark.parametrize("path", ["/?set=<b>&page=x", "/?page=99999", "/?set=quiz&page=%C2%B2"])
def test_a_set_or_page_that_is_not_there_is_no_fault(server, path):
    answer, page = get(server, path)
    assert answer.status == 200
    assert "<b>" not in page


def test_a_gold_question_shows_right_or_wrong_with_the_metric_that_decides(server):
    _, page = asked(server, a="words", b="looks")
    assert page.count('class="chip right"><span aria-hidden="true">✓</span> right') == 2
    assert "decided by <strong>Answer accuracy</strong>" in page
    assert "right or wrong" not in asked(server, question=SALES + "!")[1]


def test_an_agents_calls_are_bars_with_what_came_back(server):
    _, page = asked(server, a="looks", b="none")
    calls = re.search(r'<ol class="calls">(.*?)</ol>', page, re.DOTALL)[1]
    assert "keyword_search" in calls
    assert "came back" in calls
    assert "tokens of conversation so far" in calls
    bars = re.findall(r'<rect class="run" x="([\d.]+)" width="([\d.]+)"', calls)
    assert len(bars) == calls.count("<li>")
    assert all(0 <= float(x) <= 100 for x, _ in bars)


def test_bars_follow_each_other_over_the_whole_time():
    assert spans([1.0, None, 3.0]) == [(0.0, 25.0), (25.0, 0.0), (25.0, 75.0)]
    assert spans([None]) == [(0.0, 0.0)]


def test_which_company_shows_each_company_with_a_link_to_its_own_trace(server):
    _, page = asked(server, question="Which company had the highest net sales in 2022?", b="none")
    (link, *_) = re.findall(r'href="(/ask\?[^"]*)">how it got there', page)
    answer, own = get(server, html.unescape(link))
    assert answer.status == 200
    assert "Alder Works, FY2022" in own


def test_a_question_is_answered_with_its_source_marked(server):
    answer, page = asked(server)
    assert answer.status == 200
    assert "<mark>net sales were $120.5 million</mark>" in page
    assert page.count('<article class="side') == 2
    assert "Expected: <strong>$120.5 million</strong>" in page
    assert "No model was asked" in page


def test_what_a_filing_says_is_shown_and_never_run(server):
    _, page = asked(server)
    assert html.escape(SCRIPT).replace("&#x27;", "&#39;") in page
    assert "<script" not in page


@pytest.mark.parametrize("where", ["question", "a", "b", "set"])
def test_what_is_asked_is_shown_and_never_run(server, where):
    _, page = asked(server, **{where: PLANTED})
    assert "<script" not in page
    assert "<img" not in page


def test_what_a_model_says_is_shown_and_never_run(server, stub):
    stub.reply = lambda messages: (
        '{"answer": "<script>alert(1)</script>", "abstained": false, "numeric_value": null, '
        '"unit": null, "citations": [{"sentence_id": "<b>7</b>", "quote": "<i>"}]}'
    )
    _, page = send(server, "POST", "/ask", form_of(server, a="model", b="none"))
    assert "&lt;script&gt;alert(1)" in page
    assert "&lt;b&gt;7" in page
    assert "<script" not in page
    assert "<b>" not in page


def test_what_a_model_calls_is_shown_and_never_run(server, stub):
    planted = {"keywords": [PLANTED], "x": "y" * 200}
    stub.reply = by_turn(Said(calls=((PLANTED[:60], planted),)), Said(text=answer()))
    _, page = send(server, "POST", "/ask", form_of(server, a="model_looks", b="none"))
    assert "What it looked up" in page
    assert "unknown tool" in page
    assert "onerror=alert" in page
    assert "<script" not in page
    assert "<img" not in page


def test_every_system_that_the_page_offers_can_be_asked(server):
    _, page = asked(server)
    offered = re.search(r'<select name="b">(.*?)</select>', page, re.DOTALL)[1]
    for system in re.findall(r'<option value="([^"]*)"', offered):
        answer, _ = asked(server, b=system)
        assert answer.status == 200, system


def test_nothing_is_loaded_from_elsewhere(server):
    answer, page = asked(server)
    loaded = re.findall(r'(?:src|href|action)="([^"#]*)', page)
    assert {address for address in loaded if not address.startswith(("/", "data:"))} == {""}
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "url(" not in get(server, "/style.css")[1]


def test_every_colour_has_a_sign_beside_it(server):
    _, page = asked(server)
    for chip in re.findall(r'<span class="chip [^"]*">(.*?)</span>', page):
        assert re.fullmatch(r'<span aria-hidden="true">\S', chip)


@pytest.mark.parametrize(
    ("question", "a", "why"),
    [
        ("", "words", "There is no question"),
        ("x" * 1001, "words", "ask in at most 1,000"),
        (SALES, "wrods", "There is no system"),
    ],
)
def test_what_cannot_be_asked_is_said_on_the_page(server, question, a, why):
    answer, page = asked(server, question, a)
    assert answer.status == 400
    assert why in page


def test_a_fault_costs_one_question_and_tells_nothing_of_it(server, monkeypatch, capsys):
    def break_down(*_):
        raise RuntimeError("secret")

    monkeypatch.setattr(server.engine, "ask", break_down)
    answer, page = asked(server)
    assert answer.status == 500
    assert "secret" not in page
    assert "secret" in capsys.readouterr().err


def test_a_newer_build_is_noted(server):
    asked_warehouse.write(server.engine.corpus.database.with_name("other.duckdb")).replace(
        server.engine.corpus.database
    )
    assert "was written to since" in get(server, "/")[1]


# --- who may ask --------------------------------------------------------------------------------


def form_of(server, **fields):
    return {"question": SALES, "a": "words", "b": "none", "token": server.token} | fields


def test_it_listens_on_this_machine_alone(server):
    assert server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example:80"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Sec_Fetch_Site": "cross-site"},
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_comes_from_elsewhere_is_refused(server, method, headers):
    answer, page = send(server, method, "/ask", form_of(server), **headers)
    assert answer.status == 403
    assert server.token not in page


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_the_own_form_is_taken_as_a_browser_sends_it(server, name):
    host = f"{name}:{server.server_port}"
    own = {"Host": host, "Origin": f"http://{host}", "Sec_Fetch_Site": "same-origin"}
    assert send(server, "POST", "/ask", form_of(server), **own)[0].status == 303
    # Under "no-referrer" a browser sends "Origin: null" even to the page's own server.
    assert get(server, "/")[0].headers["Referrer-Policy"] == "same-origin"


def test_a_form_without_the_token_is_refused(server):
    answer, _ = send(server, "POST", "/ask", form_of(server, token="x"))
    assert answer.status == 403


def test_a_form_that_costs_nothing_becomes_an_address(server):
    answer, _ = send(server, "POST", "/ask", form_of(server, question="a&b=c\r\nX: y"))
    assert answer.status == 303
    assert (
        answer.headers["Location"]
        == f"/ask?question={quote('a&b=c')}%0D%0AX%3A+y&a=words&b=none&set="
    )


@pytest.mark.parametrize("length", [str(MAX_FORM_BYTES + 1), "9" * 5000, "-1", "²", ""])
def test_a_form_of_no_sensible_length_is_refused(server, length):
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as raw:
        host = f"127.0.0.1:{server.server_port}"
        raw.sendall(
            f"POST /ask HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n".encode()
        )
        assert b" 413 " in raw.recv(200)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_address_that_cannot_be_read_is_refused(server, method):
    host = f"127.0.0.1:{server.server_port}"
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as raw:
        raw.sendall(
            f"{method} http://[ HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n".encode()
        )
        assert b" 400 " in raw.recv(200)


def test_a_link_never_pays(server, stub):
    answer, page = asked(server, a="model", b="none")
    assert answer.status == 200
    assert "press Ask" in page
    assert stub.requests == []


def test_the_own_form_pays_once_and_shows_cost_and_no_key(server, stub):
    pages = [send(server, "POST", "/ask", form_of(server, a="model"))[1] for _ in range(2)]
    assert len(stub.requests) == 1
    assert "1 sent now" in pages[0]
    assert "USD" in pages[0]
    assert "0 sent now, 1 cached before" in pages[1]
    assert "sk-secret-of-the-test" not in "".join(pages)


def test_who_hangs_up_before_the_answer_leaves_no_trace(server, monkeypatch, capfd):
    ended = threading.Event()
    shut = type(server).shutdown_request
    asking = threading.Event()
    hung_up = threading.Event()
    ask = server.engine.ask

    def slow_ask(*args):
        asking.set()
        hung_up.wait(10)
        return ask(*args)

    def note_end(self, request):
        shut(self, request)
        ended.set()

    monkeypatch.setattr(server.engine, "ask", slow_ask)
    monkeypatch.setattr(type(server), "shutdown_request", note_end)
    with socket.create_connection(("127.0.0.1", server.server_port)) as client:
        # A reset, as from a closed tab: what is written next fails.
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        address = f"/ask?{urlencode({'question': SALES, 'a': 'words', 'b': 'words_open'})}"
        host = f"127.0.0.1:{server.server_port}"
        client.sendall(f"GET {address} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert asking.wait(10)
    hung_up.set()

    assert ended.wait(30)
    assert capfd.readouterr().err == ""
    assert get(server, "/")[0].status == 200


def test_a_fault_of_the_server_itself_is_still_printed(server, monkeypatch, capfd):
    monkeypatch.setattr("finrag.live.server.split_address", lambda address: 1 / 0)
    with pytest.raises(http.client.RemoteDisconnected):
        get(server, "/")
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_the_next_free_port_is_taken(server):
    other = open_server(server.engine, server.server_port)
    other.server_close()
    assert other.server_port > server.server_port


@pytest.mark.parametrize(
    ("refusal", "said"),
    [(PermissionError, "may not be opened by this user"), (OSError, "is free")],
)
def test_ports_that_may_not_be_opened_are_not_called_taken(server, monkeypatch, refusal, said):
    def refuse(*_):
        raise refusal

    monkeypatch.setattr("finrag.live.server.AskServer", refuse)
    with pytest.raises(ValueError, match=said):
        open_server(server.engine, 80)
