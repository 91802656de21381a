"""A browser over the built site, which notes whatever goes wrong on a page."""

import dataclasses
import functools
import os

import pytest

from tests.dashboard import reading, site
from tests.dashboard.figures import FIGURES

# Every colour and every width, in as few windows as that takes.
WINDOWS = {
    "wide, light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "narrow, dark": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
}


@pytest.fixture(scope="session")
def tools():
    """Skips where a tool is missing, unless the machine promised to have them all."""
    missing = site.what_is_missing()
    if missing:
        is_promised = os.environ.get("FINRAG_REQUIRE_BROWSER") == "1"
        (pytest.fail if is_promised else pytest.skip)(missing)


@pytest.fixture(scope="session")
def built(tools, share, sample):
    """The folder of the site of the sample warehouse."""
    return share("site", lambda folder: site.build(sample.database, folder))


@pytest.fixture(scope="session")
def address(built):
    with site.served(built / "project" / "build") as address:
        yield address


@pytest.fixture(scope="session")
def browser(tools):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=site.browser_path(),
            args=[
                # A container has no user for whom the browser could build its sandbox.
                "--no-sandbox",
                # Whatever slips past the check of requests finds no other machine.
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            ],
        )
        yield browser
        browser.close()


class Visit:
    """A browser window on the site. Requests to other hosts are stopped and noted."""

    def __init__(self, browser, address, **settings):
        self.address = address
        self.faults = []
        self.context = browser.new_context(**settings)
        self.context.route("**/*", self._let_home_pass)
        self.page = self.context.new_page()
        self.page.on("console", self._note_console)
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("requestfailed", self._note_failed)
        self.page.on("response", self._note_response)
        self.page.on("dialog", self._note_dialog)

    def _let_home_pass(self, route):
        if route.request.url.startswith((self.address, "data:", "blob:")):
            route.continue_()
        else:
            self.faults.append(f"another host: {route.request.url}")
            route.abort()

    def _note_console(self, message):
        if message.type == "error":
            self.faults.append(f"console: {message.text}")

    def _note_failed(self, request):
        # The browser gives up what it no longer needs when the page is left.
        if "ERR_ABORTED" not in (request.failure or ""):
            self.faults.append(f"failed: {request.url} {request.failure}")

    def _note_response(self, response):
        if response.status >= 400:
            self.faults.append(f"status {response.status}: {response.url}")

    def _note_dialog(self, dialog):
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def open(self, path):
        """Opens a page and waits until its queries have come back."""
        self.page.goto(self.address + path, wait_until="networkidle")
        self.settle()
        return self.page

    def settle(self):
        self.page.wait_for_function(
            "() => !document.querySelector('[aria-busy=true], .animate-pulse')", timeout=60_000
        )
        # Two frames: what the answers of queries changed is drawn.
        self.page.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )


@dataclasses.dataclass(frozen=True)
class Reading:
    """What one page shows in one window, and what went wrong while it was opened."""

    faults: list
    heading: str
    text: str
    wider: list
    nameless: list
    pictures: list
    faint: list
    figures: dict
    rows: list


@pytest.fixture(scope="session")
def read(browser, address):
    """Gives the reading of a page in a kind of window; each is opened once."""

    @functools.cache
    def read(path, window="wide, light"):
        visit = Visit(browser, address, **WINDOWS[window])
        try:
            page = visit.open(path)
            return Reading(
                faults=visit.faults,
                heading=page.locator("h1").first.inner_text(),
                text=page.locator("main").inner_text(),
                wider=page.evaluate(reading.WIDER),
                nameless=page.evaluate(reading.NAMELESS),
                pictures=page.evaluate(reading.PICTURES),
                faint=page.evaluate(reading.CONTRAST),
                figures={
                    figure.name: page.locator(figure.where).all_inner_texts()
                    for figure in FIGURES
                    if figure.page == path
                },
                rows=[row.split("\t") for row in page.locator("main tr").all_inner_texts()],
            )
        finally:
            visit.context.close()

    return read


@pytest.fixture
def visit(browser, address):
    """A window to work in; fails at the end if anything went wrong in it."""
    visit = Visit(browser, address)
    yield visit
    visit.context.close()
    assert visit.faults == []
