"""The shape of a fictional company: what it sells, where, under which rules, against whom."""

from dataclasses import dataclass
from functools import cache

from finrag.sample.reading import read_wording


@dataclass(frozen=True)
class Product:
    """One thing the company sells.

    Attributes:
        name: Brand name, used without an article unless the text adds one.
        kind: Singular noun phrase that says what it is.
        use: Verb phrase in the third person: what it does.
        buyers: Plural noun phrase: who buys it.
        traits: Verb phrases in the third person, each true of this product only.
    """

    name: str
    kind: str
    use: str
    buyers: str
    traits: tuple[str, str, str]


@dataclass(frozen=True)
class Segment:
    """One reportable segment and its share of revenue in the first year (0..1)."""

    name: str
    work: str
    share: float


@dataclass(frozen=True)
class Site:
    """One property: place, role, floor area in thousands of square feet, tenure."""

    place: str
    role: str
    area: int
    tenure: str


@dataclass(frozen=True)
class Rule:
    """One regulation: its name, who enforces it and what it asks (bare infinitive)."""

    name: str
    agency: str
    demand: str


@dataclass(frozen=True)
class Suit:
    """One lawsuit: opponent, court, fiscal year of filing, the allegation, the stake."""

    opponent: str
    court: str
    filed: int
    claim: str
    stake: str


@dataclass(frozen=True)
class Deal:
    """One acquisition: target, fiscal year, price in USD, what the target does."""

    target: str
    year: int
    price: int
    what: str


@dataclass(frozen=True)
class Metric:
    """An industry measure: its label, a sentence with ``{value}``, unit, first value and step."""

    label: str
    wording: str
    unit: str
    first: float
    step: float


@dataclass(frozen=True)
class Company:
    """One fictional filer and everything its filings speak about.

    Attributes:
        fye: Month and day of the fiscal year's end.
        fye_text: The same as printed, for example ``December 31``.
        tick: Smallest amount the filer reports, in USD; every amount is a multiple.
        style: How amounts are printed: ``million``, ``billion`` or ``dollars``.
        revenue_word: What the filer calls its revenue.
        revenue: Revenue of fiscal 2017 in USD, the first simulated year.
        growth: Yearly revenue growth for fiscal 2018 to 2023, as fractions.
        margin: Gross margin of the first year, 0..1.
        research: Research and development expense as a share of revenue (0: none).
        selling: Selling, general and administrative expense as a share of revenue.
        capex: Capital expenditures as a share of revenue.
        debt: Debt at the end of fiscal 2017 in USD.
        shares: Diluted shares in thousands.
        suppliers: Firms it buys from; each supplies the material at the same position.
        currencies: (currency, country) pairs; empty for a filer with no foreign business.
        metric: Industry measure that it reports.
        length: ``short``, ``standard`` or ``long`` filings.
        has_gross_margin: Whether the filer reports a gross margin at all.
        has_goods: Whether it keeps inventories.
        pays_dividends: Whether it pays a dividend.
        reports_headcount: Fiscal years whose filing states the number of people employed.
    """

    cik: int
    name: str
    short: str
    ticker: str
    sic: int
    state: str
    fye: tuple[int, int]
    fye_text: str
    founded: int
    home: str
    industry: str
    market: str
    tick: int
    style: str
    revenue_word: str
    revenue: int
    growth: tuple[float, ...]
    margin: float
    research: float
    selling: float
    capex: float
    debt: int
    shares: int
    people: int
    segments: tuple[Segment, Segment, Segment]
    products: tuple[Product, ...]
    sites: tuple[Site, ...]
    customers: tuple[str, ...]
    suppliers: tuple[str, ...]
    materials: tuple[str, ...]
    rivals: tuple[str, ...]
    rules: tuple[Rule, ...]
    suits: tuple[Suit, ...]
    deals: tuple[Deal, ...]
    systems: tuple[str, str]
    lender: str
    auditor: str
    hazards: tuple[str, str, str]
    currencies: tuple[tuple[str, str], ...] = ()
    metric: Metric | None = None
    length: str = "standard"
    has_gross_margin: bool = True
    has_goods: bool = True
    pays_dividends: bool = True
    reports_headcount: tuple[int, ...] = (2019, 2020, 2021, 2022, 2023)
    undisclosed: tuple[str, ...] = ()

    def open_suits(self, year: int) -> list[Suit]:
        """Lawsuits that a filing of ``year`` speaks about: from filing to settlement."""
        return [suit for suit in self.suits if 0 <= year - suit.filed <= 3]


@cache
def companies() -> tuple[Company, ...]:
    """The fictional filers in the order in which the corpus holds them.

    Raises:
        ValueError: A file of the cast does not hold companies.
    """
    files = ("cast_technology", "cast_industry", "cast_consumer")
    return tuple(
        company for name in files for company in read_wording(name, dict[str, Company]).values()
    )
