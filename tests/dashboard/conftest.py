"""A browser over the built site, which notes whatever goes wrong on a page."""

import dataclasses
import functools
import os
import re

import pytest

from dashboards.scripts.browsing import opened_browser, served
from tests.conftest import PICTURES
from tests.dashboard import reading, site
from tests.dashboard.figures import FIGURES

# Every width in both colours: a telephone, half a screen, a screen.
WIDTHS = {390: 844, 1000: 800, 1440: 900}
THEMES = ("light", "dark")
# `make test-deep` reads every page in each width of both colours; else what differs most is read.
IS_EACH = os.environ.get("FINRAG_EACH_WINDOW") == "1"
WINDOWS = {"light": tuple(WIDTHS), "dark": tuple(WIDTHS) if IS_EACH else (390,)}
# The contents of a page's further tabs.
FEWER = {"light": (1000, 1440) if IS_EACH else (1000,), "dark": (390,)}
# How long Evidence's charts move.
CHART_MS = 600
# What a picture of a page shows of its height, in pixels.
MOST_HEIGHT = 4000
# What runs in each window, by the name of what it finds.
CHECKS = {
    "wider": reading.WIDER,
    "clipped": reading.CLIPPED,
    "colliding": reading.COLLIDING,
    "charts": reading.CHARTS,
    "faint": reading.CONTRAST,
    "headings": reading.HEADINGS,
    "unreached": reading.UNREACHED,
    "nameless": reading.NAMELESS,
    "pictures": reading.PICTURES,
}
ALL_CHECKS = f"() => ({{{', '.join(f'{name}: ({check})()' for name, check in CHECKS.items())}}})"
TABS = "main [role=tablist] [role=tab]"
# The database of a page and the tables that it reads: fetched when a filter first asks.
ENGINE = re.compile(r"/duckdb-[^/]*\.(wasm|js)$|/data/.*\.(parquet|arrow)$")


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
    with served(built / "project" / "build") as address:
        yield address


@pytest.fixture(scope="session")
def browser(tools):
    with opened_browser() as browser:
        yield browser


class Visit:
    """A browser window on the site. Requests to other hosts are stopped and noted."""

    def __init__(self, browser, address, **settings):
        self.address = address
        self.faults = []
        self.theme = settings.get("color_scheme")
        self.sizes = {}
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
        self.sizes[response.url] = int(response.headers.get("content-length", 0))
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

    def reveal(self, where):
        """Turns to the tab that holds an element, if the page has tabs."""
        for tab in self.page.locator(TABS).all():
            if self.page.locator(where).first.is_visible():
                return
            tab.click()
            self.settle()

    def settle(self):
        self.page.wait_for_function(
            "() => !document.querySelector('[aria-busy=true], .animate-pulse')", timeout=60_000
        )
        # Two frames: what the answers of queries changed is drawn.
        self.page.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def colour(self, theme):
        """Has the page light or dark; a page that does not follow at once is opened again."""
        if self.theme == theme:
            return
        self.theme = theme
        self.page.emulate_media(color_scheme=theme)
        self.settle()
        # Charts that are drawn anew in other colours can no longer be asked for their labels.
        n_charts = self.page.evaluate(reading.STILL)
        shown = self.page.evaluate("() => document.documentElement.dataset.theme")
        if n_charts or shown not in (None, theme):
            self.page.reload(wait_until="networkidle")
            self.settle()
        if n_charts:
            self.page.wait_for_timeout(CHART_MS)

    def size(self, width):
        """Gives the window a width, and waits until the page has taken it."""
        if self.page.viewport_size != size_of(width):
            self.page.set_viewport_size(size_of(width))
        self.settle()
        if self.page.evaluate(reading.STILL):
            self.settle()


@dataclasses.dataclass
class Shown:
    """What a page shows, tab by tab where there are tabs.

    Attributes:
        path: of the page.
        heading: of the first level.
        text: of the page without its frame.
        figures: texts of the elements in which figures under test stand, by figure.
        rows: of all tables, cell by cell.
    """

    path: str
    heading: str
    text: str = ""
    figures: dict = dataclasses.field(default_factory=dict)
    rows: list = dataclasses.field(default_factory=list)

    def add(self, page):
        """Adds what stands on the page now."""
        self.text += page.locator("main").inner_text()
        self.rows += [row.split("\t") for row in page.locator("main tr").all_inner_texts()]
        for figure in FIGURES:
            if figure.page == self.path:
                # In a closed tab nothing has a text.
                found = [one for one in page.locator(figure.where).all_inner_texts() if one]
                self.figures.setdefault(figure.name, []).extend(found)


@dataclasses.dataclass(frozen=True)
class Reading:
    """What one page shows, what went wrong while it was opened, and what breaks a rule.

    Attributes:
        faults: errors, failed requests, requests to other hosts, dialogs.
        shown: what is read on it.
        sizes: bytes of what was fetched before the page stood still, by address.
        breaches: what each check found, by check and window.
    """

    faults: list
    shown: Shown
    sizes: dict
    breaches: dict


@pytest.fixture(scope="session")
def pictures():
    """The folder of the pictures of this run; those of a run before are removed."""
    for path in PICTURES.glob("*.png"):
        path.unlink()
    PICTURES.mkdir(parents=True, exist_ok=True)
    return PICTURES


@pytest.fixture(scope="session")
def read(browser, pictures):
    """Gives the reading of a page by its full address; each is opened once for all windows."""

    @functools.cache
    def read(url, name):
        origin, path = re.match(r"(https?://[^/]+)(.*)", url).groups()
        visit = Visit(browser, origin, viewport=size_of(1440), color_scheme="light")
        try:
            page = visit.open(path)
            shown = Shown(path, page.locator("h1").first.inner_text())
            sizes = dict(visit.sizes)
            breaches = {check: {} for check in (*CHECKS, "stops")}
            for theme in THEMES:
                visit.colour(theme)
                for number in range(max(1, page.locator(TABS).count())):
                    if page.locator(TABS).count():
                        page.locator(TABS).nth(number).click()
                        visit.settle()
                    if theme == THEMES[0]:
                        shown.add(page)
                    for width in (FEWER if number else WINDOWS)[theme]:
                        visit.size(width)
                        tab = f"{name}-tab-{number + 1}" if number else name
                        look(visit, breaches, pictures, tab)
                visit.size(1440)
            for width in (390, 1440):
                visit.size(width)
                found = walk(page)
                if found:
                    breaches["stops"][f"{width}"] = found
            return Reading(visit.faults, shown, sizes, breaches)
        finally:
            visit.context.close()

    return read


def size_of(width):
    return {"width": width, "height": WIDTHS[width]}


def look(visit, breaches, pictures, name):
    """Reads the page in its window, notes what breaks a rule, and takes its picture."""
    width, theme = visit.page.viewport_size["width"], visit.theme
    # The head of the page stands still, and lies over what was scrolled below it.
    visit.page.evaluate("() => scrollTo({top: 0, behavior: 'instant'})")
    for check, found in visit.page.evaluate(ALL_CHECKS).items():
        if found:
            breaches[check][f"{name} {width} px, {theme}"] = found
    high = visit.page.evaluate("() => document.documentElement.scrollHeight")
    clip = {"x": 0, "y": 0, "width": width, "height": min(high, MOST_HEIGHT)}
    path = pictures / f"{name}-{width}-{theme}.png"
    visit.page.screenshot(path=path, clip=clip, full_page=True)


def walk(page):
    """What goes wrong on the way of the tabulator through a page, and with the keys of its tabs."""
    n_stops = page.evaluate(reading.WATCH_STOPS)
    # Two more: past the end, and back to the first.
    for _ in range(n_stops + 2):
        page.keyboard.press("Tab")
    found = page.evaluate(reading.STOPS)
    for tabs in page.locator("[role=tablist]:visible").all():
        if tabs.locator("[role=tab]").count() < 2:
            continue
        tabs.locator("[role=tab]:not([tabindex='-1'])").first.focus()
        before = page.evaluate("() => document.activeElement.textContent")
        page.keyboard.press("ArrowRight")
        if before == page.evaluate("() => document.activeElement.textContent"):
            found.append(f"the arrows lead to no other tab than {before}")
    return found


@pytest.fixture
def visit(browser, address):
    """A window to work in; fails at the end if anything went wrong in it."""
    visit = Visit(browser, address)
    yield visit
    visit.context.close()
    assert visit.faults == []
