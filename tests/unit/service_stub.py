"""A user's own service on the loopback, deterministic, with faults on demand.

``with ServiceStub(reply) as stub`` serves ``stub.url``; ``reply`` turns a request's JSON into the
JSON of the answer. ``stub.script`` holds the faults of the next requests, in order;
``stub.faults`` the fault of every request in whose question a text occurs. Faults:

    429, 500, 401, 302 ...  that status; the body quotes the token that was sent
    not json, cut           a body cut short, with a length that fits it or does not
    list                    JSON that is not an object
    slashes                 the answer with every slash escaped, as some servers write JSON
    slow, trickle           an answer after ``stub.slow_s``, or so slowly that it never ends
"""

import http.server
import json
import threading
import time


class ServiceStub:
    def __init__(self, reply=lambda request: {"answer": f"About {request['question']}"}):
        self.reply = reply
        self.script: list[str] = []
        self.faults: dict[str, str] = {}
        self.slow_s = 1.5
        self.headers: dict[str, str] = {}
        self.requests: list[dict] = []
        self.paths: list[str] = []
        self.tokens: list[str] = []
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        stub = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                stub._serve(self)

            do_GET = do_POST

            def log_message(self, *_):
                pass

        self._http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self):
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self._http.shutdown()
        self._http.server_close()

    def questions(self):
        return sorted(request["question"] for request in self.requests)

    def _serve(self, handler):
        length = int(handler.headers["content-length"] or 0)
        body = json.loads(handler.rfile.read(length) or "{}")
        token = (handler.headers["authorization"] or "").removeprefix("Bearer ")
        with self._lock:
            self.requests.append(body)
            self.paths.append(f"{handler.command} {handler.path}")
            self.tokens.append(token)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            fault = self.script.pop(0) if self.script else self._fault_in(body)
        try:
            self._answer(handler, body, fault, token)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client gave up on a slow answer, as it should
        finally:
            with self._lock:
                self._at_once -= 1

    def _fault_in(self, body):
        asked = body.get("question", "")
        return next((fault for text, fault in self.faults.items() if text in asked), "ok")

    def _answer(self, handler, body, fault, token):
        status = int(fault) if fault.isdigit() else 200
        text = json.dumps(self.reply(body)) if status == 200 else f"refused for Bearer {token}"
        if fault == "list":
            text = "[1]"
        if fault == "slashes":
            text = text.replace("/", "\\/")
        if fault == "slow":
            time.sleep(self.slow_s)
        length = len(text)
        if fault in ("not json", "cut"):
            text = text[:-5]
            length = len(text) if fault == "not json" else length
        handler.send_response(status)
        handler.send_header("content-type", "application/json")
        handler.send_header("content-length", str(length))
        for name, value in self.headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        if fault == "trickle":
            for _ in range(200):
                handler.wfile.write(b" ")
                handler.wfile.flush()
                time.sleep(0.05)
        handler.wfile.write(text.encode())
