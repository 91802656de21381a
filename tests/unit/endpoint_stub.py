"""An OpenAI-compatible endpoint on the loopback, deterministic, with faults on demand.

``with EndpointStub(reply) as stub`` serves ``stub.url``; ``reply`` turns the messages of a chat
request into the text of the answer, or into ``Said``: text, calls of tools, a fault. ``by_turn``
makes a ``reply`` of what is said in each turn of an agent, ``BAD_TURNS`` holds turns in which a
model misuses its tools. ``stub.script`` holds the faults of the next requests, in
order; ``stub.faults`` the fault of every request in whose body a text occurs. Faults:

    429, 500, 401 ...   an error status whose body quotes the key that was sent
    not json            a body cut short
    no text             a completion without content
    refused             a completion that declines
    slow                an answer after ``stub.slow_s`` seconds
    dripping            an answer byte by byte, each after half of ``stub.slow_s``
    held                an answer once ``stub.release`` is set
    broken off          fewer bytes than announced, then the end of the connection
    cut off             an answer that ended at the limit of tokens
    400 too long        a request longer than the model's context

``stub.formats`` are the response formats it takes, ``stub.models`` the models it knows (None: all);
other requests get 400 and 404. With ``stub.is_strict`` it refuses ``max_tokens``, as newer models
do. ``stub.tokens`` are the input and output tokens of each answer, or give them for the messages.
``stub.refused`` counts what it
refused in these ways. ``stub.on_request`` is called with each request before it is answered.
"""

import http.server
import json
import socket
import threading
import time
from dataclasses import dataclass

FORMATS = ("json_schema", "json_object", "text")
TOO_LONG = "400 This model's maximum context length is 8192 tokens; yours has 9000 tokens."


@dataclass(frozen=True)
class Said:
    """What a model says: text, calls as (tool, arguments), or the fault of this request.

    Arguments are an object, or raw text that stands for one.
    """

    text: str | None = None
    calls: tuple = ()
    fault: str = "ok"


def search(*keywords, **more):
    return ("keyword_search", {"keywords": list(keywords), **more})


def read(*chunk_ids):
    return ("chunk_read", {"chunk_ids": list(chunk_ids)})


def answer(text="It was $5 million.", value=5e6, cites=(), **more):
    """The text of a structured answer."""
    found = {
        "answer": text,
        "citations": [{"sentence_id": one, "quote": None} for one in cites],
        "numeric_value": value,
        "unit": None if value is None else "USD",
        "abstained": text is None,
    }
    return json.dumps(found | more)


# Turns that misuse the tools, by the name of the fault.
BAD_TURNS = {
    "unknown tool": Said(calls=(("run_sql", {"query": "select 1"}),)),
    "malformed arguments": Said(calls=(("keyword_search", '{"keywords": ["sales"'),)),
    "no arguments": Said(calls=(("keyword_search", ""),)),
    "wrong type": Said(calls=(("keyword_search", {"keywords": "sales"}),)),
    "huge top_k": Said(calls=(search("sales", top_k=1_000_000_000),)),
    "unknown chunks": Said(calls=(read("no_such_chunk", "../../etc/passwd"),)),
    "control marks": Said(calls=(search("sales\u202e"),)),
}


def n_turns(messages):
    """How often the model called tools since the last question, which says that it is one."""
    asked = [at for at, one in enumerate(messages) if "Question" in (one["content"] or "")]
    since = messages[asked[-1] :] if asked else messages
    return sum(bool(one.get("tool_calls")) for one in since)


def by_turn(*turns):
    """A reply that says the n-th of these in turn n, and the last one for ever."""

    def reply(messages):
        return turns[min(n_turns(messages), len(turns) - 1)]

    return reply


def closed_port():
    """The address of an endpoint that is not there."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}/v1"


def format_of(body):
    """The response format of a chat request."""
    return body.get("response_format", {"type": "text"})["type"]


def says_nothing(fault):
    """Whether an answer with this fault holds no word of the model."""
    return fault in ("refused", "no text") or fault[:3].isdigit()


class EndpointStub:
    def __init__(self, reply=lambda messages: messages[-1]["content"]):
        self.reply = reply
        self.script: list[str] = []
        self.faults: dict[str, str] = {}
        self.slow_s = 1.5
        self.release = threading.Event()
        self.formats = FORMATS
        self.models = None
        self.is_strict = False
        self.tokens = (1, 1)
        self.refused = 0
        self.on_request = None
        self.requests: list[dict] = []
        self.sent: list[bytes] = []
        self.keys: list[str] = []
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        stub = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                stub._serve(self)

            def log_message(self, *_):
                pass

        self._http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"

    def __enter__(self):
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.release.set()
        self._http.shutdown()
        self._http.server_close()

    def _serve(self, handler):
        text = handler.rfile.read(int(handler.headers["content-length"])).decode()
        body = json.loads(text)
        key = (handler.headers["authorization"] or "").removeprefix("Bearer ")
        with self._lock:
            self.requests.append(body)
            self.keys.append(key)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            refusal = self._refusal(body)
            self.refused += bool(refusal)
            fault = self.script.pop(0) if self.script else self._fault_in(body)
        if self.on_request:
            self.on_request(body)
        try:
            said = Said() if refusal or says_nothing(fault) else self._said(body)
            fault = said.fault if fault == "ok" else fault
            self._answer(handler, body, refusal or fault, key, said)
        finally:
            with self._lock:
                self._at_once -= 1

    def _said(self, body):
        reply = self.reply(body["messages"])
        return reply if isinstance(reply, Said) else Said(reply)

    def _refusal(self, body):
        if self.models is not None and body["model"] not in self.models:
            return "404 no such model"
        if "messages" in body and format_of(body) not in self.formats:
            return f"400 response_format {format_of(body)} is not supported"
        if self.is_strict and "max_tokens" in body:
            return "400 Unsupported parameter: use max_completion_tokens instead of max_tokens"
        return ""

    def _fault_in(self, body):
        sent = body["messages"][-1]["content"] or ""
        return next((fault for text, fault in self.faults.items() if text in sent), "ok")

    def _answer(self, handler, body, fault, key, said):
        code, _, words = fault.partition(" ")
        status = int(code) if code.isdigit() else 200
        if fault == "slow":
            time.sleep(self.slow_s)
        if fault == "held":
            self.release.wait()
        if status == 200:
            answer = json.dumps(self._completion(body, fault, said))
        else:
            why = words or f"refused for Bearer {key}: no"
            answer = json.dumps({"error": {"message": why}})
        if fault == "not json":
            answer = answer[:40]
        self.sent.append(answer.encode())
        announced = len(answer) + (100 if fault == "broken off" else 0)
        try:
            handler.send_response(status)
            handler.send_header("content-type", "application/json")
            handler.send_header("retry-after-ms", "1")
            handler.send_header("content-length", str(announced))
            handler.end_headers()
            step = 1 if fault == "dripping" else len(answer)
            for start in range(0, len(answer), step):
                handler.wfile.write(answer[start : start + step].encode())
                time.sleep(self.slow_s / 2 if fault == "dripping" else 0)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client gave up on a slow answer, as it should

    def _completion(self, body, fault, said):
        message = {"role": "assistant", "content": None}
        if fault == "refused":
            message["refusal"] = "I cannot help with that."
        elif fault != "no text":
            message["content"] = said.text
        if said.calls:
            message["tool_calls"] = [_tool_call(*call) for call in enumerate(said.calls)]
        reason = "length" if fault == "cut off" else "tool_calls" if said.calls else "stop"
        choice = {"index": 0, "message": message, "finish_reason": reason}
        tokens = self.tokens
        n_input, n_output = tokens(body["messages"]) if callable(tokens) else tokens
        return {"id": "1", "object": "chat.completion", "created": 0, "choices": [choice]} | {
            "model": body["model"],
            "usage": {
                "prompt_tokens": n_input,
                "completion_tokens": n_output,
                "total_tokens": n_input + n_output,
            },
        }


def _tool_call(at, call):
    name, arguments = call
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": f"call_{at}", "type": "function", "function": {"name": name, "arguments": text}}
