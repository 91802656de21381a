"""Takes the picture of the README, the overview's first screen, from the built site.

From the root of the project: ``python -m dashboards.scripts.picture [site] [picture]``.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from dashboards.scripts.browsing import opened_browser, served

WIDTH, HEIGHT = 1280, 800
MOST_BYTES = 200_000
# A page has few colours: a palette is enough, and a picture is a third as large.
PALETTES = (256, 128, 64)


def take(site: Path) -> bytes:
    """The first screen of the overview of a site, in light colours, as PNG.

    Args:
        site: the folder of a built site.

    Raises:
        FileNotFoundError: no browser is installed.
    """
    with served(site) as address, opened_browser() as browser:
        page = browser.new_page(color_scheme="light")
        page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        page.goto(f"{address}/", wait_until="networkidle")
        return page.screenshot(animations="disabled")


def shrink(picture: bytes) -> bytes:
    """A picture with as many colours of a palette as ``MOST_BYTES`` allow.

    Args:
        picture: PNG.

    Raises:
        ValueError: the fewest colours take more.
    """
    from PIL import Image

    image = Image.open(io.BytesIO(picture)).convert("RGB")
    for n_colours in PALETTES:
        packed = io.BytesIO()
        image.quantize(n_colours, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
        if packed.tell() <= MOST_BYTES:
            return packed.getvalue()
    raise ValueError(f"the picture takes {packed.tell():,} bytes; {MOST_BYTES:,} are allowed")


def main(arguments: list[str]) -> int:
    """Writes the picture; 1 where there is no site."""
    site = Path(arguments[0] if arguments else "dashboards/build")
    out = Path(arguments[1] if len(arguments) > 1 else "docs/overview.png")
    if not (site / "index.html").is_file():
        print(f"no site in {site}; make dashboard-build makes one", file=sys.stderr)
        return 1
    out.write_bytes(shrink(take(site)))
    print(f"{out}: {out.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
