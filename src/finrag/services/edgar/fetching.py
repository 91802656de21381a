"""Goes through companies, and brings those of their filings that are wanted and not yet there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from finrag.services.edgar.client import BASE_URL, EdgarClient, StoppedError
from finrag.services.edgar.folder import EdgarFolder
from finrag.services.edgar.submissions import (
    Company,
    Listed,
    address_of,
    check_document,
    ciks_by_ticker,
    missing_of,
    read_company,
    read_filings,
    read_json,
)


@dataclass(frozen=True)
class Wanted:
    """What is asked for.

    Attributes:
        companies: tickers in capitals, or CIKs.
        years: report years.
        forms: SEC form types, variants apart: 10-K is not 10-K405. Amendments are not fetched.
    """

    companies: tuple[str | int, ...]
    years: frozenset[int]
    forms: frozenset[str]


@dataclass
class Fetched:
    """What came of it.

    Attributes:
        n_new: filings that were fetched.
        n_there: filings that were there already.
        renewed: files that were changed or damaged, and were fetched anew.
        problems: a sentence for each thing that is wanted and not there.
        stopped: why the run ended early; "" where it did not.
    """

    n_new: int = 0
    n_there: int = 0
    renewed: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    stopped: str = ""


def fetch_filings(
    wanted: Wanted, folder: EdgarFolder, client: EdgarClient, tell: Callable[[str], None]
) -> Fetched:
    """Bring filings into the folder; what is there already is not asked for.

    Args:
        wanted: what is asked for.
        folder: where it goes.
        client: asks EDGAR.
        tell: takes a line on progress.
    """
    run = _Run(wanted, folder, client, tell, Fetched())
    try:
        ciks = run.ciks()
        for done, (name, cik) in enumerate(ciks.items(), start=1):
            tell(f"{name} ({done} of {len(ciks)} companies)")
            run.fetch_company(name, cik)
    except StoppedError as error:
        run.fetched.stopped = str(error)
    return run.fetched


@dataclass(frozen=True)
class _Run:
    wanted: Wanted
    folder: EdgarFolder
    client: EdgarClient
    tell: Callable[[str], None]
    fetched: Fetched

    def ciks(self) -> dict[str, int]:
        """The companies by the name that they were asked by, each once."""
        names = [one for one in self.wanted.companies if isinstance(one, str)]
        known: dict[str, int] = {}
        if names:
            url = f"{self.client.settings.base_url}/files/company_tickers.json"
            try:
                known = ciks_by_ticker(self._json(url))
            except ValueError as error:
                raise StoppedError(
                    f"the list of tickers cannot be read: {error}; check the network and, where it "
                    f"is set, {BASE_URL}, then run the command again"
                ) from error
        found: dict[int, str] = {}
        for company in self.wanted.companies:
            if isinstance(company, int):
                found.setdefault(company, f"CIK {company}")
            elif company in known:
                found.setdefault(known[company], company)
            else:
                self.fetched.problems.append(
                    f"{company}: EDGAR knows no such ticker; check it, or give the CIK (companies "
                    "that are no longer listed have no ticker)"
                )
        return {name: cik for cik, name in found.items()}

    def fetch_company(self, name: str, cik: int) -> None:
        """Fetch what is wanted of one company; what goes wrong is added to the problems."""
        try:
            company, listed = self._company(cik)
        except ValueError as error:
            self.fetched.problems.append(f"{name}: its filings cannot be listed: {error}")
            return
        years, forms = self.wanted.years, self.wanted.forms
        missing = missing_of(listed.values(), years, forms)
        self.fetched.problems.extend(f"{name}: {phrase}" for phrase in missing)
        for accession in sorted(listed):
            filing = listed[accession]
            if filing.form in forms and filing.fiscal_year in years:
                self._fetch(name, cik, company, filing)

    def _company(self, cik: int) -> tuple[Company, dict[str, Listed]]:
        """A company, and all its filings that may be of the years that are wanted."""
        folder = f"{self.client.settings.data_url}/submissions"
        page = self._json(f"{folder}/CIK{cik:010d}.json")
        company = read_company(page, cik)
        recent = page["filings"].get("recent")
        pages: list[Mapping[str, Any]] = [recent if isinstance(recent, dict) else {}]
        # A filing is made after the end of its period, be it years after.
        first_day = f"{min(self.wanted.years)}-01-01"
        pages += [
            self._json(f"{folder}/{older}")
            for older, last_day in company.older
            if not last_day or last_day >= first_day
        ]
        return company, {one.accession: one for page in pages for one in read_filings(page)}

    def _fetch(self, name: str, cik: int, company: Company, filing: Listed) -> None:
        try:
            address = address_of(filing, cik)
            ending = "txt" if address.lower().endswith(".txt") else "htm"
            file = f"{cik:010d}_{filing.accession}.{ending}.gz"
            url = f"{self.client.settings.base_url}/Archives/edgar/data/{address}"
            state, digest = self.folder.state(file)
            if state != "there":
                self.tell(f"{name}: {filing.form} of {filing.fiscal_year}")
                document = self.client.get(url).body
                check_document(document)
                digest = self.folder.keep(file, document)
        except ValueError as error:
            what = f"the {filing.form} filed on {filing.filed_at}"
            self.fetched.problems.append(f"{name}: {what} was not fetched: {error}")
            return
        self.folder.enter(_row(file, cik, company, filing, digest, url))
        self.fetched.n_there += state == "there"
        self.fetched.n_new += state != "there"
        self.fetched.renewed += [file] if state == "changed" else []

    def _json(self, url: str) -> Mapping[str, Any]:
        """What an address answers, or answered before where that has not changed."""
        earlier = self.folder.earlier_answer(url)
        answer = self.client.get(url, *((earlier.etag, earlier.last_modified) if earlier else ()))
        if earlier and answer.is_unchanged:
            return read_json(earlier.body)
        found = read_json(answer.body)
        self.folder.keep_answer(url, answer)
        return found


def _row(
    file: str, cik: int, company: Company, filing: Listed, digest: str, url: str
) -> dict[str, str]:
    """The row of the list; no year without a period, which a reader then finds in the document."""
    return {
        "file": file,
        "cik": str(cik),
        "name": company.name,
        "ticker": company.ticker,
        "form": filing.form,
        "fiscal_year": str(filing.fiscal_year) if filing.period_end else "",
        "period_end": filing.period_end,
        "accession": filing.accession,
        "filed_at": filing.filed_at,
        "sha256": digest,
        "source_url": url,
    }
