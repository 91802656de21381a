"""Serves the built site on this machine only: ``python3 scripts/serve.py [folder] [port]``.

The first free port from the given one on is taken and the address printed. An address that is
not there gets the site's own page for that.
"""

from __future__ import annotations

import functools
import http.server
import sys
from pathlib import Path
from typing import Any

HOST = "127.0.0.1"
FIRST_PORT = 3000
N_PORTS = 100


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files of one folder, quietly; what is missing is answered by 404.html."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answers a missing address by the site's page for it, anything else as usual."""
        page = Path(self.directory) / "404.html"
        if code != 404 or not page.is_file():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing: the terminal shows the address alone."""


class Server(http.server.ThreadingHTTPServer):
    """Serves each request in a thread; a browser that leaves a page early is no fault."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing of a client that hung up; prints anything else as usual."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def open_server(folder: Path, first_port: int) -> Server:
    """A server on the first free port, any for 0; OSError if none of the hundred is free."""
    handler = functools.partial(Handler, directory=str(folder))
    for port in range(first_port, first_port + N_PORTS) if first_port else (0,):
        try:
            return Server((HOST, port), handler)
        except OSError:
            continue
    raise OSError(f"no port from {first_port} to {first_port + N_PORTS - 1} is free")


def main(arguments: list[str]) -> int:
    """Serves until Ctrl+C; 1 where there is no site."""
    folder = Path(arguments[0] if arguments else "build").resolve()
    first_port = int(arguments[1]) if len(arguments) > 1 else FIRST_PORT
    if not (folder / "index.html").is_file():
        print(f"dashboards: no site in {folder}; make dashboard-build makes one", file=sys.stderr)
        return 1
    server = open_server(folder, first_port)
    print(f"dashboards: http://{HOST}:{server.server_port}/  (Ctrl+C ends it)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
