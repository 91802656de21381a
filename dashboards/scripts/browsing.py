"""A browser on the built site: what the picture of the README and the bench of paint share."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from dashboards.scripts.serve import HOST, open_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def browser_path() -> str | None:
    """The browser that ``FINRAG_BROWSER`` names, or the first that is installed."""
    return os.environ.get("FINRAG_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)


@contextmanager
def opened_browser() -> Iterator[Browser]:
    """A browser that finds no other machine than this.

    Raises:
        FileNotFoundError: none is installed.
    """
    from playwright.sync_api import sync_playwright

    path = browser_path()
    if path is None:
        raise FileNotFoundError(
            f"none of {', '.join(BROWSERS)} is installed; FINRAG_BROWSER names another"
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            args=[
                # A container has no user for whom the browser could build its sandbox.
                "--no-sandbox",
                # Whatever a page asks of another host finds none.
                f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {HOST}",
            ],
        )
        yield browser
        browser.close()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address at which a folder is served on a free port of this machine."""
    with open_server(folder, 0) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://{HOST}:{server.server_port}"
        server.shutdown()
