"""Sentences that state facts: every number here comes from the ledger and carries its claim."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from finrag.sample.grammar import expand
from finrag.sample.ledger import Ledger, change_percent, money, scale_of
from finrag.sample.passages import Claim, Line, Voice, cast
from finrag.sample.text_results import CAUSES_DOWN, CAUSES_UP, CONNECTORS, DRIVERS


@dataclass(frozen=True)
class Teller:
    """A voice with the books of its company."""

    voice: Voice
    books: Mapping[int, Ledger]

    @property
    def now(self) -> Ledger:
        """The books of the filing's fiscal year."""
        return self.books[self.voice.year]

    @property
    def before(self) -> Ledger:
        """The books of the year before."""
        return self.books[self.voice.year - 1]

    def write(self, key: str, template: str, claims: tuple[Claim, ...] = (), **slots: str) -> Line:
        """Write one sentence that is new every year."""
        known = cast(self.voice, key, self.voice.year) | slots
        return Line(expand(template, known, self.voice.yearly("state", key)), claims)

    def amount(self, ticks: int) -> str:
        """An amount as the company prints it."""
        return money(self.voice.company, ticks)

    def claim(self, label: str, ticks: int, year: int, kind: str = "kpi") -> Claim:
        """The claim that an amount of ``ticks`` belongs to ``label`` in ``year``."""
        company = self.voice.company
        return Claim(
            kind=kind,
            label=label,
            value=float(ticks * company.tick),
            unit="USD",
            scale=scale_of(company, ticks),
            period_year=year,
        )


_SAYS = "[was|totaled|amounted to]"
_PLURAL_SAYS = "[were|totaled|amounted to]"
_PLURALS = frozenset(
    {"capex", "income_taxes", "share_repurchases", "cash", "selling_general_administrative"}
)
_VERSUS = "[compared with|compared to|versus]"


def state_amount(teller: Teller, label: str, words: str, now: int, before: int) -> Line:
    """State an amount of this year and the year before, both positive or zero.

    Args:
        teller: Voice and books.
        label: Label of the claims.
        words: What the sentence calls the amount; may hold choices.
        now: Amount of the filing's fiscal year in ticks.
        before: Amount of the year before in ticks.
    """
    year = teller.voice.year
    claims = [teller.claim(label, now, year), teller.claim(label, before, year - 1)]
    tail = "."
    if now != before and before > 0 and teller.voice.yearly("tail", label).random() < 0.6:
        percent = change_percent(now, before)
        tail = f", {_move(now, before)} of {abs(percent)} percent."
        claims.append(Claim("kpi_change", label, percent, unit="percent", period_year=year))
    template = (
        f"{words} {_verb(teller, label)} {{a}} in fiscal {{year}}, {_VERSUS} {{b}} "
        f"in fiscal {{prior}}{tail}"
    )
    return teller.write(
        f"amount {label}", template, tuple(claims), a=teller.amount(now), b=teller.amount(before)
    )


def state_balance(teller: Teller, label: str, words: str, now: int, before: int) -> Line:
    """State an amount at this year's end and at the end of the year before."""
    year = teller.voice.year
    claims = [teller.claim(label, now, year), teller.claim(label, before, year - 1)]
    template = (
        f"{words} {_verb(teller, label)} {{a}} at {{date}}, {_VERSUS} {{b}} at {{prior_date}}."
    )
    return teller.write(
        f"balance {label}", template, tuple(claims), a=teller.amount(now), b=teller.amount(before)
    )


def state_signed(teller: Teller, label: str, gain: str, loss: str, now: int, before: int) -> Line:
    """State an amount that may be negative, in words that say so.

    Args:
        teller: Voice and books.
        label: Label of the claims.
        gain: Name of a positive amount, without article.
        loss: Name of a negative amount.
        now: Amount of the filing's fiscal year in ticks.
        before: Amount of the year before in ticks.
    """
    if now >= 0 and before >= 0:
        return state_amount(teller, label, gain, now, before)
    year = teller.voice.year
    claims = (teller.claim(label, now, year), teller.claim(label, before, year - 1))
    phrases = [
        f"{gain if ticks >= 0 else loss} of {teller.amount(abs(ticks))}" for ticks in (now, before)
    ]
    template = (
        f"We [recorded|reported] {{a}} in fiscal {{year}}, {_VERSUS} {{b}} in fiscal {{prior}}."
    )
    return teller.write(f"signed {label}", template, claims, a=phrases[0], b=phrases[1])


def state_percent(teller: Teller, label: str, words: str, now: float, before: float) -> Line:
    """State a percentage of this year and the year before."""
    year = teller.voice.year
    claims = (
        Claim("kpi", label, now, unit="percent", period_year=year),
        Claim("kpi", label, before, unit="percent", period_year=year - 1),
    )
    template = (
        f"{words} [was|came to] {now} percent in fiscal {{year}} "
        f"and {before} percent in fiscal {{prior}}."
    )
    return teller.write(f"percent {label}", template, claims)


def state_eps(teller: Teller) -> Line:
    """State diluted earnings or loss per share of this year and the year before."""
    now, before, year = teller.now.eps, teller.before.eps, teller.voice.year
    claims = tuple(
        Claim("kpi", "eps", value, unit="USD_per_share", scale="units", period_year=when)
        for value, when in ((now, year), (before, year - 1))
    )
    first, second = (
        f"diluted {'earnings' if value >= 0 else 'loss'} per share of ${abs(value):.2f}"
        for value in (now, before)
    )
    template = (
        f"We [reported|recorded] {first} for fiscal {{year}}, {_VERSUS} {second} "
        "for fiscal {prior}."
    )
    return teller.write("eps", template, claims)


def state_cause(teller: Teller, label: str, words: str, now: float, before: float) -> Line:
    """Explain the change of a measure with two causes that fit its direction."""
    if now == before:
        return teller.write(
            f"cause {label}", f"{words} [was unchanged|did not change] from fiscal {{prior}}."
        )
    voice = teller.voice
    pool = (CAUSES_UP if now > before else CAUSES_DOWN)[label]
    slots = cause_cast(voice, label)
    rng = voice.yearly("cause", label)
    causes = tuple(expand_cause(cause, slots, voice) for cause in rng.sample(pool, 2))
    connector = rng.choice(CONNECTORS)
    claim = Claim(
        "cause",
        label,
        text_value=f"{causes[0]} and {causes[1]}".replace("'", "’"),
        list_value=tuple(cause.replace("'", "’") for cause in causes),
        period_year=voice.year,
        is_explicit_attribution=True,
    )
    move = "[increase|rise]" if now > before else "[decrease|decline]"
    shapes = [
        f"The {move} in {words} {connector} {{one}} and {{two}}.",
        f"The {move} in {words} [during|in] fiscal {{year}} {connector} {{one}} and by {{two}}."
        if connector == "was driven by"
        else f"The {move} in {words} from fiscal {{prior}} {connector} {{one}} and {{two}}.",
    ]
    return teller.write(
        f"cause {label}", rng.choice(shapes), (claim,), one=causes[0], two=causes[1]
    )


def cause_cast(voice: Voice, label: str) -> dict[str, str]:
    """The products, places and firms that the causes of ``label`` speak about."""
    return cast(voice, "cause", label, voice.year)


def segment_voice(voice: Voice, index: int) -> Voice:
    """The voice of one segment, so that segments do not all name the same causes."""
    return replace(voice, seed=voice.seed + index + 1)


def expand_cause(cause: str, slots: Mapping[str, str], voice: Voice) -> str:
    """Fill a cause phrase and keep its lower-case start."""
    text = expand(f"x {cause}", slots, voice.yearly("phrase", cause))
    return text[2:]


def state_drivers(teller: Teller) -> Line:
    """Name the two growth drivers of the year."""
    voice = teller.voice
    slots = cast(voice, "drivers", voice.year)
    picked = voice.yearly("drivers").sample(DRIVERS, 2)
    drivers = tuple(expand_cause(driver, slots, voice) for driver in picked)
    claim = Claim(
        "growth_drivers",
        "growth_drivers",
        text_value=f"{drivers[0]}; {drivers[1]}",
        list_value=drivers,
        period_year=voice.year,
    )
    template = (
        "[Our two main growth drivers|The two main drivers of our growth] in fiscal {year} were "
        "{one} and {two}."
    )
    return teller.write("drivers", template, (claim,), one=drivers[0], two=drivers[1])


def state_other_income(teller: Teller) -> list[Line]:
    """State other income and what its change is, or is not, attributed to.

    In about half of the years the filing attributes the change to foreign currency in so many
    words; in the others it names another cause and merely mentions exchange rates nearby.
    """
    voice, now, before = teller.voice, teller.now.other_income, teller.before.other_income
    lines = [
        state_signed(teller, "other_income", "other income, net", "other expense, net", now, before)
    ]
    rng = voice.yearly("fx")
    plain = (
        "The change in other income, net [was mainly due to|was driven by] interest on "
        "deposits with {lender}."
    )
    if not voice.company.currencies:
        return [*lines, teller.write("other plain", plain)]
    effect = "gains" if now > before else "losses"
    currency, country = rng.choice(voice.company.currencies)
    is_explicit = rng.random() < 0.5
    claim = Claim(
        "attribution",
        "other_income_fx",
        text_value="foreign currency",
        period_year=voice.year,
        is_explicit_attribution=is_explicit,
    )
    if is_explicit:
        template = (
            "The change in other income, net was [primarily due to|driven by] "
            f"foreign currency exchange {effect} on balances held in {{coin}}."
        )
        return [*lines, teller.write("fx", template, (claim,), coin=currency)]
    mention = (
        "We [hold|keep] balances in {coin} for our business in {land}, and their value "
        "[moves|changes] with foreign currency exchange rates."
    )
    return [
        *lines,
        teller.write("other plain", plain),
        teller.write("fx", mention, (claim,), coin=currency, land=country),
    ]


def state_pandemic(teller: Teller) -> Line | None:
    """Attribute revenue to the pandemic, or merely mention it, in the fiscal years it touched."""
    voice = teller.voice
    month = voice.company.fye[0]
    if not 2020 <= (voice.year if month > 3 else voice.year - 1) <= 2021:
        return None
    is_explicit = voice.yearly("pandemic").random() < 0.55
    claim = Claim(
        "attribution",
        "revenue_pandemic",
        text_value="COVID-19 pandemic",
        period_year=voice.year,
        is_explicit_attribution=is_explicit,
    )
    template = (
        "[Some|Part] of the change in {sales} of {segment2} [occurred as a result of|was due to] "
        "the COVID-19 pandemic, which altered the plans of {buyers}."
        if is_explicit
        else "The COVID-19 pandemic continued during fiscal {year}, and our crews in {place} "
        "worked under [revised|stricter] health rules."
    )
    return teller.write("pandemic", template, (claim,))


def exclusions(voice: Voice) -> tuple[str, ...]:
    """What the company leaves out of Adjusted EBITDA; the last item differs by company."""
    own = voice.stream("exclusion").choice(
        ("acquisition costs", "plant start-up costs", "storm losses", "legal settlements")
    )
    return (
        "interest expense",
        "income taxes",
        "other income, net",
        "depreciation and amortization",
        "stock-based compensation",
        "restructuring charges",
        own,
    )


def define_ebitda(teller: Teller) -> Line:
    """Define Adjusted EBITDA with its exclusions; the wording is stable, the list never moves."""
    items = exclusions(teller.voice)
    listed = ", ".join(items[:-1]) + " and " + items[-1]
    claim = Claim(
        "definition",
        "adjusted_ebitda",
        text_value=f"net income before {listed}",
        list_value=items,
    )
    rng = teller.voice.stream("define", teller.voice.revision(0.2, "define"))
    template = f"We define Adjusted EBITDA[|, a non-GAAP measure,] as net income before {listed}."
    return Line(expand(template, {}, rng), (claim,))


def define_free_cash(teller: Teller) -> Line:
    """Define free cash flow."""
    claim = Claim(
        "definition",
        "free_cash_flow",
        text_value="cash from operations less capital expenditures",
        list_value=("capital expenditures",),
    )
    template = (
        "[Free cash flow is defined as|We define free cash flow as] cash from operations less "
        "capital expenditures[| and we use it to judge how much cash {short} can return to owners]."
    )
    rng = teller.voice.stream("define cash", teller.voice.revision(0.2, "define cash"))
    return Line(expand(template, {"short": teller.voice.company.short}, rng), (claim,))


def define_year(teller: Teller) -> Line:
    """Say which twelve months the filing calls the year."""
    claim = Claim(
        "temporal",
        "the_year",
        value=float(teller.voice.year),
        unit="year",
        period_year=teller.voice.year,
        text_value=f"the twelve months ended {teller.voice.company.fye_text}, {teller.voice.year}",
    )
    template = (
        "In this report, [references to “the year” and “fiscal {year}” are to|“the year” and "
        "“fiscal {year}” mean] the twelve months ended {date}."
    )
    return teller.write("define year", template, (claim,))


def state_people(teller: Teller) -> Line | None:
    """State how many people the company employs, in the years in which it says so."""
    company, year = teller.voice.company, teller.voice.year
    if year not in company.reports_headcount:
        return None
    claim = Claim(
        "headcount", "headcount", float(teller.now.people), unit="people", period_year=year
    )
    template = "[At|As of] {date}, our headcount was [|approximately ]{n}[| worldwide]."
    return teller.write("headcount", template, (claim,), n=f"{teller.now.people:,}")


def state_metric(teller: Teller) -> Line | None:
    """State the industry measure of the company, if it has one."""
    company, year = teller.voice.company, teller.voice.year
    if company.metric is None:
        return None
    label, wording, _, _, unit = company.metric
    value = round(teller.now.metric, 1)
    shown, scale = f"{value:,.1f}", None
    if unit == "percent":
        shown = f"{value:,.1f} percent"
    if unit == "USD":
        ticks = round(teller.now.metric / company.tick)
        value, shown, scale = float(ticks * company.tick), teller.amount(ticks), "millions"
    claim = Claim("industry_metric", label, value, unit=unit, scale=scale, period_year=year)
    return teller.write("metric", wording + ".", (claim,), value=shown)


def state_segment(teller: Teller, index: int) -> list[Line]:
    """State and explain the revenue of one segment."""
    company, year = teller.voice.company, teller.voice.year
    unit = company.segments[index].name
    now, before = teller.now.segments[index], teller.before.segments[index]
    label = f"segment_revenue:{unit}"
    stated = state_amount(teller, label, f"[{{sales}} of {unit}|{unit} {{sales}}]", now, before)
    cause = state_cause(
        Teller(segment_voice(teller.voice, index), teller.books),
        "revenue",
        f"{{sales}} of {unit}",
        now,
        before,
    )
    claims = tuple(replace(claim, label=label, kind="segment_cause") for claim in cause.claims)
    stated_claims = tuple(
        replace(claim, kind="segment_revenue") if claim.kind == "kpi" else claim
        for claim in stated.claims
    )
    return [
        Line(stated.text, stated_claims),
        Line(cause.text, claims),
        teller.write(
            f"segment share {index}",
            f"{unit} [accounted for|contributed] {{p}} percent of our {{sales}} "
            "in fiscal {year}.",
            (
                Claim(
                    "segment_share",
                    f"segment_share:{unit}",
                    round(100 * now / teller.now.revenue, 1),
                    unit="percent",
                    period_year=year,
                ),
            ),
            p=str(round(100 * now / teller.now.revenue, 1)),
        ),
    ]


def _verb(teller: Teller, label: str) -> str:
    is_sales = label == "revenue" or label.startswith("segment_revenue")
    is_plural_sales = is_sales and teller.voice.company.revenue_word.endswith("s")
    return _PLURAL_SAYS if is_plural_sales or label in _PLURALS else _SAYS


def _move(now: float, before: float) -> str:
    return "an increase" if now > before else "a decrease"
