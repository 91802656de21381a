"""Brings filings from EDGAR, the SEC's archive, into a folder that builds read.

`client` asks politely, `submissions` reads the lists of a company's filings, `folder` holds what
was fetched, and `fetching` goes through the companies. No module that a build runs imports any of
it: a build never uses the network.
"""

from finrag.services.edgar.client import EdgarClient, StoppedError, read_settings
from finrag.services.edgar.fetching import Fetched, Wanted, fetch_filings
from finrag.services.edgar.folder import EdgarFolder, open_folder

__all__ = [
    "EdgarClient",
    "EdgarFolder",
    "Fetched",
    "StoppedError",
    "Wanted",
    "fetch_filings",
    "open_folder",
    "read_settings",
]
