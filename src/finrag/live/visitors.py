"""Who may talk to a page of this machine, and the headers that each answer has."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final
from urllib.parse import SplitResult, urlsplit

SAFE_SITES: Final = ("same-origin", "none")
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    # Not "no-referrer": a browser would then hide the form's origin from this server too.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def is_own_visit(
    host: str | None, origin: str | None, site: str | None, names: Collection[str]
) -> bool:
    """Whether a request was made under a name of the server, and by no page of another one.

    Args:
        host: the header Host.
        origin: the header Origin; None where there is none.
        site: the header Sec-Fetch-Site; None where there is none.
        names: host and port, as a browser may call the server.
    """
    sender = None if origin is None else split_address(origin)
    is_own = origin is None or (sender is not None and sender.netloc in names)
    return host in names and is_own and (site is None or site in SAFE_SITES)


def split_address(address: str) -> SplitResult | None:
    """The parts of an address; None where it is none."""
    try:
        return urlsplit(address)
    except ValueError:
        return None
