"""The lists of filings that EDGAR has of a company, read without trust."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from finrag.records.files import visible
from finrag.records.identity import report_year_of, shown

# Before this day a filing was one text with all documents, which have no addresses of their own.
FIRST_OWN_DOCUMENT: Final = "2001-01-01"
_ACCESSION: Final = re.compile(r"[0-9]{10}-[0-9]{2}-[0-9]{6}")
_DOCUMENT: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,120}\.(html?|txt)", re.I)
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TICKER: Final = re.compile(r"[A-Z0-9][A-Z0-9-]{0,11}")
_COLUMNS: Final = ("accessionNumber", "filingDate", "reportDate", "form", "primaryDocument")
_AMENDMENT: Final = "/A"
# Where a document says what it is: the header of a submission, or the cover.
_OPENING_BYTES: Final = 1 << 18
_HEADERS: Final = re.compile(rb"<(?:SEC|IMS)-(?:DOCUMENT|HEADER)>|<ix:header\b", re.I)
_TAG: Final = re.compile(r"<[^<>]*>")
_COVER: Final = re.compile(r"\b10\W{0,3}[KQ]|\b(?:annual|quarterly)\s+report\b", re.I)


@dataclass(frozen=True)
class Listed:
    """A filing as a list of EDGAR names it; accession and document may be anything.

    Attributes:
        period_end: ISO date, or "" where the list gives none.
        fiscal_year: report year of the period; where none is given, the year before the filing.
    """

    accession: str
    filed_at: str
    period_end: str
    form: str
    document: str
    fiscal_year: int


@dataclass(frozen=True)
class Company:
    """What the first page says about a company.

    Attributes:
        older: names of further pages, with the day of the last filing on each, "" if not given.
    """

    name: str
    ticker: str
    older: tuple[tuple[str, str], ...]


def read_json(body: bytes) -> Mapping[str, Any]:
    """Read an answer of EDGAR.

    Raises:
        ValueError: it is no JSON object.
    """
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ValueError("EDGAR's answer is not JSON") from error
    return _mapping(found)


def ciks_by_ticker(tickers: Mapping[str, Any]) -> dict[str, int]:
    """Read ``company_tickers.json``; rows of another shape are passed over."""
    rows = [row for row in tickers.values() if isinstance(row, dict)]
    return {
        str(row.get("ticker", "")).upper(): row["cik_str"]
        for row in rows
        if isinstance(row.get("cik_str"), int) and 0 < row["cik_str"] < 10**10
    }


def read_company(page: Mapping[str, Any], cik: int) -> Company:
    """Read what the first page of a company says beside its filings.

    Raises:
        ValueError: it has another shape, or names a page that is not of this company.
    """
    files = _mapping(page.get("filings")).get("files") or []
    older = [_mapping(file) for file in files] if isinstance(files, list) else []
    pattern = re.compile(rf"CIK{cik:010d}-submissions-[0-9]{{3,5}}\.json")
    names = [str(file.get("name")) for file in older]
    if wrong := next((name for name in names if not pattern.fullmatch(name)), None):
        raise ValueError(f"EDGAR names an older page {shown(wrong)}, which is not a valid name")
    tickers = page.get("tickers")
    first = str(tickers[0]).upper() if isinstance(tickers, list) and tickers else ""
    return Company(
        name=visible(" ".join(str(page.get("name") or "").split())),
        ticker=first if _TICKER.fullmatch(first) else "",
        older=tuple(
            (name, _day(file.get("filingTo"))) for name, file in zip(names, older, strict=True)
        ),
    )


def read_filings(page: Mapping[str, Any]) -> Iterator[Listed]:
    """Yield the filings of ``filings.recent``, or of an older page, that have a date.

    Raises:
        ValueError: the columns are absent or of different lengths.
    """
    columns = [page.get(name) for name in _COLUMNS]
    if not all(isinstance(column, list) for column in columns):
        raise ValueError("EDGAR's list of filings lacks a column")
    # Different lengths raise ValueError as well.
    for row in zip(*(column for column in columns if column is not None), strict=True):
        accession, filed, period, form, document = (
            value if isinstance(value, str) else "" for value in row
        )
        filed_at, period_end = _day(filed), _day(period)
        if filed_at:
            year = report_year_of(date.fromisoformat(period_end)) if period_end else 0
            year = year or date.fromisoformat(filed_at).year - 1
            yield Listed(accession, filed_at, period_end, form.upper(), document.strip(), year)


def address_of(filing: Listed, cik: int) -> str:
    """Return where a filing's primary document lies below ``/Archives/edgar/data``.

    That of the full submission where it is older than ``FIRST_OWN_DOCUMENT`` or has no primary
    document.

    Raises:
        ValueError: the accession number or the document's name is not one.
    """
    if not _ACCESSION.fullmatch(filing.accession):
        raise ValueError(
            f"the accession number is {shown(filing.accession)}, expected one such as "
            "0000123456-24-000123"
        )
    if not filing.document or filing.filed_at < FIRST_OWN_DOCUMENT:
        return f"{cik}/{filing.accession}.txt"
    if not _DOCUMENT.fullmatch(filing.document):
        raise ValueError(
            f"the primary document of {filing.accession} is {shown(filing.document)}, "
            "expected a name such as form10k.htm"
        )
    return f"{cik}/{filing.accession.replace('-', '')}/{filing.document}"


def check_document(document: bytes) -> None:
    """Check that what came for a filing is one: a page that asks to sign in comes with 200 too.

    Raises:
        ValueError: it has no header of a submission or of inline XBRL, and names no form.
    """
    opening = document[:_OPENING_BYTES]
    cover = _TAG.sub(" ", html.unescape(opening.decode("utf-8", "replace")))
    if not (_HEADERS.search(opening) or _COVER.search(cover)):
        raise ValueError(
            "the downloaded page is not a filing, because it names no form; open its address in a "
            "browser, and check the network"
        )


def missing_of(
    listed: Collection[Listed], years: Collection[int], forms: Collection[str]
) -> Iterator[str]:
    """Yield a phrase for each form and year of which a company has no filing.

    A variant that was asked for as well (10-K405 beside 10-K) counts for the form; amendments
    count for nothing.
    """
    for kind in sorted({form[:4] for form in forms}):
        for year in sorted(years):
            filed = {one.form for one in listed if one.fiscal_year == year}
            variants = {one for one in filed if one[:4] == kind and not one.endswith(_AMENDMENT)}
            if variants.isdisjoint(forms):
                others = visible(", ".join(sorted(variants)))
                hint = f"; there is {others}, which the forms can name" if others else ""
                yield f"EDGAR has no {kind} for {year}{hint}"


def _mapping(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("EDGAR's answer has an unexpected structure")
    return value


def _day(value: object) -> str:
    """An ISO date as it is, "" for anything else."""
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        return ""
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        return ""
