"""The documents that an agent can search, by company and year."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, TypeVar

from finrag.agents.titles import Marks, company_in_title, marks_of_title
from finrag.questions.misspelt import find_misspelt
from finrag.questions.names import NameBook, find_companies, name_book
from finrag.questions.texts import words_of
from finrag.retrieval.queries import FILINGS
from finrag.text.company_names import LEGAL_FORMS, aliases

_WORD: Final = re.compile(r"[^\W_]+")

Key = TypeVar("Key")
# A company by any of its names or by its Central Index Key.
Company = str | int


@dataclass(frozen=True)
class Document:
    """A document of the pools.

    Attributes:
        document_id: its key.
        names: names of its company; none where it is not known.
        cik_int: Central Index Key; None where it is not known.
        years: years that its report is of; none where they are not known.
        title: what it is called.
        form: 10-K and so on; empty where it is not known.
        corpus_id: the filings, or the public set that brings it.
    """

    document_id: str
    names: tuple[str, ...] = ()
    cik_int: int | None = None
    years: tuple[int, ...] = ()
    title: str = ""
    form: str = ""
    corpus_id: str = FILINGS

    @cached_property
    def marks(self) -> Marks:
        """Form, quarter and day of a report."""
        said = marks_of_title(self.title)
        return replace(said, forms=frozenset({self.form})) if self.form else said


@dataclass(frozen=True)
class Directory:
    """Companies and years of documents, ordered by ``document_id``.

    Attributes:
        documents: those of one corpus.
        has_pages: whether their passages are pages.
    """

    documents: tuple[Document, ...]
    has_pages: bool = False

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]]) -> Directory:
        """The directory of some documents.

        Args:
            rows: ``document_id``, ``company_name``, ``cik_int``, ``report_year``, ``years``,
                ``title``, ``form`` and, where they are known, ``company_names`` and
                ``corpus_id``.
        """
        return cls(tuple(sorted((_document(row) for row in rows), key=lambda d: d.document_id)))

    def of_company(self, company: Company) -> frozenset[str]:
        """Documents of a company: by its key, or by a name, compared word for word.

        A name fits where its words, legal forms aside, are those of a name of the company; where
        no name has exactly these, where all of them stand in one. Case does not count. The digits
        of a key are a name too.
        """
        if isinstance(company, int):
            return self._by_cik.get(company, frozenset())
        wanted = name_words(company)
        exact = self._by_words.get(wanted)
        if exact is not None or not wanted:
            return exact or frozenset()
        if company.isascii() and company.isdecimal() and int(company) in self._by_cik:
            return self._by_cik[int(company)]
        found = [ids for words, ids in self._by_words.items() if wanted <= words]
        return frozenset().union(*found)

    def name_of(self, company: Company) -> str:
        """A name that finds the documents of a company and no others; else its key's digits."""
        if isinstance(company, str):
            return company
        wanted = self.of_company(company)
        names = (
            name
            for one in self.documents
            if one.document_id in wanted
            for name in one.names
            if self.of_company(name) == wanted
        )
        return next(names, str(company))

    def of_year(self, year: int) -> frozenset[str]:
        """Documents whose report is of a year."""
        return self._by_year.get(year, frozenset())

    def find(
        self, companies: Iterable[Company] = (), years: Iterable[int] = ()
    ) -> frozenset[str] | None:
        """Documents of any of some companies and of any of some years; None for all."""
        asked = [
            frozenset().union(*found)
            for found in (
                [self.of_company(company) for company in companies],
                [self.of_year(year) for year in years],
            )
            if found
        ]
        return frozenset.intersection(*asked) if asked else None

    def years_of(self, companies: Iterable[Company]) -> list[int]:
        """Years of the documents of any of some companies, ascending; of all for none."""
        found = self.find(companies)
        return sorted(
            {
                year
                for one in self.documents
                if found is None or one.document_id in found
                for year in one.years
            }
        )

    def only(self, document_id: str) -> Directory:
        """The directory of one document."""
        return replace(
            self, documents=tuple(one for one in self.documents if one.document_id == document_id)
        )

    @property
    def is_public(self) -> bool:
        """Whether there are documents, and all of them are of public sets."""
        return bool(self.documents) and all(one.corpus_id != FILINGS for one in self.documents)

    def companies_named(self, text: str) -> list[tuple[int, int, str]]:
        """Companies that a plain text names: where from, where to, and a name of the company.

        They are read as from questions on filings, see ``finrag.questions.names``.
        """
        words = words_of(text)
        found = find_companies(text, words, self._book)
        found += find_misspelt(text, words, self._book, found)
        return sorted((one.start, one.end, self._named[one.cik_int]) for one in found)

    @cached_property
    def _named(self) -> list[str]:
        return sorted({one.names[0] for one in self.documents if one.names})

    @cached_property
    def _book(self) -> NameBook:
        number = {name: place for place, name in enumerate(self._named)}
        companies = [
            {
                "cik_int": place,
                "company_name": name,
                "display_name": name,
                "possessive_name": None,
                "aliases": aliases(name),
                "ticker": None,
            }
            for name, place in number.items()
        ]
        filings = [{"cik_int": number[one.names[0]]} for one in self.documents if one.names]
        return name_book(companies, filings)

    @cached_property
    def _by_cik(self) -> dict[int, frozenset[str]]:
        return _grouped((one.cik_int, one.document_id) for one in self.documents if one.cik_int)

    @cached_property
    def _by_year(self) -> dict[int, frozenset[str]]:
        return _grouped((year, one.document_id) for one in self.documents for year in one.years)

    @cached_property
    def _by_words(self) -> dict[frozenset[str], frozenset[str]]:
        return _grouped(
            (words, one.document_id)
            for one in self.documents
            for name in one.names
            if (words := name_words(name))
        )


def name_words(name: str) -> frozenset[str]:
    """Words of a company's name, without legal forms unless nothing else is left."""
    words = frozenset(_WORD.findall(name.casefold()))
    return words - LEGAL_FORMS or words


def _grouped(pairs: Iterable[tuple[Key, str]]) -> dict[Key, frozenset[str]]:
    groups: dict[Key, set[str]] = {}
    for key, value in pairs:
        groups.setdefault(key, set()).add(value)
    return {key: frozenset(values) for key, values in groups.items()}


def _document(row: Mapping[str, Any]) -> Document:
    title, company = row.get("title") or "", row.get("company_name")
    if company == title:
        # A public set has no company beside the title; the title may begin with it.
        company = company_in_title(title)
    names = [company, *(row.get("company_names") or ())]
    years = {*(row.get("years") or ()), row.get("report_year")} - {None}
    return Document(
        document_id=row["document_id"],
        names=tuple(dict.fromkeys(name for name in names if name)),
        cik_int=row.get("cik_int"),
        years=tuple(sorted(years)),
        title=title,
        form=row.get("form") or "",
        corpus_id=row.get("corpus_id") or FILINGS,
    )
