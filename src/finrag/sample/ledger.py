"""The books of the fictional companies: whole numbers that add up from year to year.

Every amount is an integer number of *ticks*, the smallest amount the filer prints, so a printed
number is exact: segments sum to revenue, the prior year of one filing is the current year of the
filing before, and changes can be recomputed from what is printed.
"""

import random
from dataclasses import dataclass, replace

from finrag.sample.companies import Company

OPENING_YEAR = 2017


@dataclass(frozen=True)
class Ledger:
    """One fiscal year of one company; amounts in ticks, shares in thousands, people in heads."""

    year: int
    revenue: int
    segments: tuple[int, int, int]
    cost_of_revenue: int
    research: int
    selling: int
    restructuring: int
    interest: int
    other_income: int
    tax: int
    depreciation: int
    stock_compensation: int
    working_capital: int
    capex: int
    borrowed: int
    repaid: int
    acquisitions: int
    dividends: int
    repurchases: int
    issued: int
    debt: int
    cash: int
    shares: int
    people: int
    tick: int
    metric: float

    @property
    def gross_profit(self) -> int:
        """Revenue less cost of revenue."""
        return self.revenue - self.cost_of_revenue

    @property
    def gross_margin(self) -> float:
        """Gross profit as a percentage of revenue, one decimal."""
        return round(100 * self.gross_profit / self.revenue, 1)

    @property
    def operating_income(self) -> int:
        """Gross profit less operating expenses."""
        return self.gross_profit - self.research - self.selling - self.restructuring

    @property
    def pretax(self) -> int:
        """Operating income less interest plus other income, net."""
        return self.operating_income - self.interest + self.other_income

    @property
    def net_income(self) -> int:
        """Income before taxes less income taxes."""
        return self.pretax - self.tax

    @property
    def eps(self) -> float:
        """Diluted net income per share in USD, two decimals."""
        return round(self.net_income * self.tick / (self.shares * 1000), 2)

    @property
    def operating_cash(self) -> int:
        """Net cash provided by operating activities."""
        added = self.depreciation + self.stock_compensation
        return self.net_income + added - self.working_capital

    @property
    def free_cash(self) -> int:
        """Net cash provided by operating activities less capital expenditures."""
        return self.operating_cash - self.capex

    @property
    def adjusted_ebitda(self) -> int:
        """Net income before tax, interest, other income, depreciation and named exclusions."""
        added = self.depreciation + self.stock_compensation + self.restructuring
        return self.operating_income + added

    @property
    def dividends_per_share(self) -> float:
        """Dividends declared per share in USD, two decimals."""
        return round(self.dividends * self.tick / (self.shares * 1000), 2)


def change_percent(now: float, before: float) -> float:
    """Change from ``before`` to ``now`` in percent of the size of ``before``, one decimal."""
    return round(100 * (now - before) / abs(before), 1)


def keep_books(company: Company, seed: int) -> dict[int, Ledger]:
    """Simulate fiscal 2017 to 2023 of one company.

    Args:
        company: The company whose ratios drive the simulation.
        seed: Seed of the simulation; equal seeds give equal books.

    Returns:
        The ledger of each fiscal year by year.
    """
    rng = random.Random(f"books|{seed}|{company.cik}")
    books: dict[int, Ledger] = {}
    revenue = company.revenue // company.tick
    debt = company.debt // company.tick
    cash = revenue // 8
    shares, people = float(company.shares), float(company.people)
    metric = company.metric.first if company.metric else 0.0
    step = company.metric.step if company.metric else 0.0
    for year in range(OPENING_YEAR, OPENING_YEAR + 1 + len(company.growth)):
        growth = company.growth[year - OPENING_YEAR - 1] if year > OPENING_YEAR else 0.0
        revenue = round(revenue * (1 + growth))
        fixed_cost_leverage = max(-0.05, min(0.04, growth * 0.12))
        margin = company.margin + rng.uniform(-0.012, 0.012) + fixed_cost_leverage
        acquisitions = sum(d.price for d in company.deals if d.year == year) // company.tick
        borrowed = _share(rng, revenue, 0.02, 0.07) + acquisitions // 2
        repaid = min(_share(rng, revenue, 0.015, 0.075), debt)
        debt = debt + borrowed - repaid
        operating = margin - company.research - company.selling
        restructuring = _share(rng, revenue, 0.004, 0.016) if rng.random() < 0.45 else 0
        interest = round(debt * rng.uniform(0.036, 0.052))
        other_income = round(revenue * rng.uniform(-0.006, 0.008)) or 1
        pretax = round(revenue * operating) - restructuring - interest + other_income
        dividends = max(0, round(pretax * 0.22)) if company.pays_dividends else 0
        repurchases = max(0, round(pretax * rng.uniform(0.05, 0.25)))
        metric += step * rng.uniform(0.3, 1.2) * (1 if growth > -0.05 else -1)
        entry = Ledger(
            year=year,
            revenue=revenue,
            segments=_split(rng, revenue, company),
            cost_of_revenue=round(revenue * (1 - margin)),
            research=round(revenue * company.research * rng.uniform(0.95, 1.06)),
            selling=round(revenue * company.selling * rng.uniform(0.96, 1.05)),
            restructuring=restructuring,
            interest=interest,
            other_income=other_income,
            tax=round(pretax * rng.uniform(0.18, 0.25)) if pretax > 0 else 0,
            depreciation=round(revenue * company.capex * rng.uniform(0.75, 0.95)),
            stock_compensation=_share(rng, revenue, 0.008, 0.022),
            working_capital=round(revenue * rng.uniform(-0.03, 0.035)),
            capex=round(revenue * company.capex * rng.uniform(0.86, 1.18)),
            borrowed=borrowed,
            repaid=repaid,
            acquisitions=acquisitions,
            dividends=dividends,
            repurchases=repurchases,
            issued=0,
            debt=debt,
            cash=0,
            shares=round(shares),
            people=round(people),
            tick=company.tick,
            metric=metric,
        )
        flow = entry.operating_cash - entry.capex - acquisitions - dividends - repurchases
        # Cash never runs out: a filer short of it sells shares, and the books say so.
        balance = cash + flow + borrowed - repaid
        issued = max(0, revenue // 40 - balance)
        cash = balance + issued
        books[year] = replace(entry, cash=cash, issued=issued)
        shares *= rng.uniform(0.985, 1.004)
        people *= 1 + growth * 0.4 + rng.uniform(-0.02, 0.03)
    return books


def _share(rng: random.Random, revenue: int, low: float, high: float) -> int:
    return max(1, round(revenue * rng.uniform(low, high)))


def _split(rng: random.Random, revenue: int, company: Company) -> tuple[int, int, int]:
    second = round(revenue * company.segments[1].share * rng.uniform(0.92, 1.08))
    third = round(revenue * company.segments[2].share * rng.uniform(0.9, 1.1))
    return (revenue - second - third, second, third)


def money(company: Company, ticks: int) -> str:
    """Print an amount the way the company prints it, negative amounts in parentheses."""
    dollars = abs(ticks) * company.tick
    if company.style == "dollars":
        text = f"${dollars:,}"
    elif company.style == "billion" and dollars >= 1_000_000_000:
        text = f"${dollars / 1e9:,.2f} billion"
    elif company.style == "billion":
        text = f"${dollars // 1_000_000:,} million"
    else:
        text = f"${dollars / 1e6:,.1f} million"
    return f"({text})" if ticks < 0 else text


def scale_of(company: Company, ticks: int) -> str:
    """The scale word of ``money``: ``units``, ``millions`` or ``billions``."""
    if company.style == "dollars":
        return "units"
    is_large = company.style == "billion" and abs(ticks) * company.tick >= 1_000_000_000
    return "billions" if is_large else "millions"


def cell(company: Company, ticks: int) -> str:
    """Print an amount as a table cell in thousands or millions, without a currency sign."""
    dollars = abs(ticks) * company.tick
    text = f"{dollars / 1e3:,.0f}" if company.style == "dollars" else f"{dollars / 1e6:,.1f}"
    return f"({text})" if ticks < 0 else text
