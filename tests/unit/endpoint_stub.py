"""An OpenAI-compatible endpoint on the loopback, deterministic, with faults on demand.

``with EndpointStub(reply) as stub`` serves ``stub.url``; ``reply`` turns the messages of a chat
request into the text of the answer. ``stub.script`` holds the faults of the next requests, in
order; ``stub.faults`` the fault of every request in whose body a text occurs. Faults:

    429, 500, 401 ...   an error status whose body quotes the key that was sent
    not json            a body cut short
    no text             a completion without content
    refused             a completion that declines
    slow                an answer after ``stub.slow_s`` seconds
"""

import http.server
import json
import threading
import time


class EndpointStub:
    def __init__(self, reply=lambda messages: messages[-1]["content"]):
        self.reply = reply
        self.script: list[str] = []
        self.faults: dict[str, str] = {}
        self.slow_s = 1.5
        self.requests: list[dict] = []
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
            fault = self.script.pop(0) if self.script else self._fault_in(body)
        try:
            self._answer(handler, body, fault, key)
        finally:
            with self._lock:
                self._at_once -= 1

    def _fault_in(self, body):
        sent = body["messages"][-1]["content"]
        return next((fault for text, fault in self.faults.items() if text in sent), "ok")

    def _answer(self, handler, body, fault, key):
        status = int(fault) if fault.isdigit() else 200
        if fault == "slow":
            time.sleep(self.slow_s)
        if status == 200:
            answer = json.dumps(self._completion(body, fault))
        else:
            answer = json.dumps({"error": {"message": f"refused for Bearer {key}: no"}})
        if fault == "not json":
            answer = answer[:40]
        try:
            handler.send_response(status)
            handler.send_header("content-type", "application/json")
            handler.send_header("retry-after-ms", "1")
            handler.send_header("content-length", str(len(answer)))
            handler.end_headers()
            handler.wfile.write(answer.encode())
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client gave up on a slow answer, as it should

    def _completion(self, body, fault):
        message = {"role": "assistant", "content": None}
        if fault == "refused":
            message["refusal"] = "I cannot help with that."
        elif fault != "no text":
            message["content"] = self.reply(body["messages"])
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return {"id": "1", "object": "chat.completion", "created": 0, "choices": [choice]} | {
            "model": body["model"],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
