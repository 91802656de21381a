"""The first paint of every kind of page of the built site, from this disk, with an empty cache."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any

from bench.process import Bench, MeasurementError, Row
from dashboards.scripts.browsing import browser_path, opened_browser, served

SITE = Path("dashboards/build")
REPEATS = 5
WINDOW = {"width": 1440, "height": 900}
PAINT = """() => new Promise(done => new PerformanceObserver(list => {
    const paint = list.getEntriesByName('first-contentful-paint')[0];
    if (paint) done(paint.startTime);
}).observe({type: 'paint', buffered: true}))"""


def measure(bench: Bench) -> list[Row]:
    if not (SITE / "index.html").is_file():
        raise MeasurementError(f"there is no site in {SITE}: make dashboard-build makes one")
    if browser_path() is None:
        raise MeasurementError("no browser is installed; FINRAG_BROWSER names one")
    run = bench.child(first_paints, repeats=bench.size(REPEATS, 1))
    pages = sorted(run.report["pages"], key=lambda page: (-page["ms"], page["path"]))
    notes = [
        f"{page['path']}: {page['ms']:,.0f} ms ({page['least']:,.0f} to {page['most']:,.0f}), "
        f"{page['bytes'] / 1e6:.2f} MB in {page['n_requests']} requests"
        for page in pages
    ]
    slowest = pages[0]["ms"] / 1000
    return [
        Row("pages, first paint", len(pages), "pages", [run], notes=tuple(notes), figure=slowest)
    ]


def paths_of(site: Path) -> list[str]:
    """The pages of a site, of those below a folder the largest alone."""
    pages = sorted(site.glob("*/index.html"))
    for folder in sorted({path.parents[1] for path in site.glob("*/*/index.html")}):
        pages.append(max(folder.glob("*/index.html"), key=lambda page: page.stat().st_size))
    return ["/", *(f"/{page.parent.relative_to(site).as_posix()}/" for page in pages)]


def first_paints(folder: str, repeats: int) -> dict[str, Any]:  # noqa: ARG001
    """Milliseconds to the first paint that shows contents, of each page: the median of repeats."""
    pages = []
    with served(SITE) as address, opened_browser() as browser:
        # The first window of a browser also waits for the browser.
        browser.new_page().goto(address)
        for path in paths_of(SITE):
            paints = []
            for _ in range(repeats):
                context = browser.new_context(viewport=WINDOW)
                page = context.new_page()
                sizes: list[int] = []
                page.on(
                    "response",
                    lambda response, to=sizes: to.append(
                        int(response.headers.get("content-length", 0))
                    ),
                )
                page.goto(address + path, wait_until="networkidle")
                paints.append(page.evaluate(PAINT))
                context.close()
            pages.append(
                {
                    "path": path,
                    "ms": statistics.median(paints),
                    "least": min(paints),
                    "most": max(paints),
                    "bytes": sum(sizes),
                    "n_requests": len(sizes),
                }
            )
    return {"pages": pages}
