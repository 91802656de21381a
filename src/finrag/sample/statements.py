"""Sentences that state facts: every number here comes from the ledger and carries its claim."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from finrag.sample.grammar import expand
from finrag.sample.ledger import Ledger, change_percent, money, scale_of
from finrag.sample.passages import Claim, Line, Voice, cast
from finrag.sample.reading import read_wording


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

    def say(self, name: str, claims: tuple[Claim, ...] = (), **slots: str) -> Line:
        """Write a sentence of the wording; its name is the key of its draws."""
        return self.write(name, sentence(name), claims, **slots)

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


@dataclass(frozen=True)
class Measure:
    """A measure of the books in the words of the filings.

    Attributes:
        name: Name of the measure, and label of its claims where ``label`` is empty.
        field: Attribute of the ledger that holds it.
        words: What a sentence calls it; may hold choices.
        form: ``amount`` of a year, ``balance`` at its end, or ``percent``.
        loss: What a sentence calls a negative amount.
        cause: What a sentence calls it that explains its change.
        is_plural: Whether the verb after its words is in the plural.
        label: Label of its claims.
    """

    name: str
    field: str
    words: str
    form: str = "amount"
    loss: str = ""
    cause: str = ""
    is_plural: bool = False
    label: str = ""

    def values(self, teller: Teller) -> tuple[float, float]:
        """Its values of this year and of the year before."""
        now, before = (getattr(books, self.field) for books in (teller.now, teller.before))
        return now, before


@dataclass(frozen=True)
class Facts:
    """The wording of stated facts: sentences, measures, and exclusions of Adjusted EBITDA."""

    sentences: dict[str, str]
    measures: dict[str, Measure]
    exclusions: tuple[str, ...]
    own_exclusions: tuple[str, ...]


@dataclass(frozen=True)
class Causes:
    """What makes a measure rise and fall, words that link both, and drivers of growth."""

    up: dict[str, tuple[str, ...]]
    down: dict[str, tuple[str, ...]]
    connectors: tuple[str, ...]
    drivers: tuple[str, ...]


@cache
def facts() -> Facts:
    """Read the wording of stated facts."""
    return read_wording("statements", Facts)


@cache
def causes() -> Causes:
    """Read the causes."""
    return read_wording("causes", Causes)


def sentence(name: str, **parts: str) -> str:
    """A sentence of the wording, as a template.

    Args:
        name: Name of the sentence.
        parts: Texts that are put in for their slots before anything is drawn, so that choices in
            them are drawn where they stand.
    """
    text = facts().sentences[name]
    for part, words in parts.items():
        text = text.replace(f"{{{part}}}", words)
    return text


_SAYS = "[was|totaled|amounted to]"
_PLURAL_SAYS = "[were|totaled|amounted to]"


def state(teller: Teller, name: str) -> Line:
    """State a measure of the books for this year and the year before.

    Args:
        teller: Voice and books.
        name: Name of a measure of the wording.
    """
    measure = facts().measures[name]
    label = measure.label or name
    now, before = measure.values(teller)
    if measure.form == "percent":
        return _state_percent(teller, label, measure.words, now, before)
    if measure.form == "balance":
        return _state_balance(teller, label, measure.words, int(now), int(before))
    if measure.loss and min(now, before) < 0:
        return _state_loss(teller, measure, int(now), int(before))
    return _state_amount(teller, label, measure.words, int(now), int(before))


def _state_amount(teller: Teller, label: str, words: str, now: int, before: int) -> Line:
    year = teller.voice.year
    claims = [teller.claim(label, now, year), teller.claim(label, before, year - 1)]
    tail = "."
    if now != before and before > 0 and teller.voice.yearly("tail", label).random() < 0.6:
        percent = change_percent(now, before)
        move = "an increase" if now > before else "a decrease"
        tail = sentence("change", move=move, percent=str(abs(percent)))
        claims.append(Claim("kpi_change", label, percent, unit="percent", period_year=year))
    template = sentence("amount", words=words, verb=_verb(teller, label), tail=tail)
    return teller.write(
        f"amount {label}", template, tuple(claims), a=teller.amount(now), b=teller.amount(before)
    )


def _state_balance(teller: Teller, label: str, words: str, now: int, before: int) -> Line:
    year = teller.voice.year
    claims = teller.claim(label, now, year), teller.claim(label, before, year - 1)
    template = sentence("balance", words=words, verb=_verb(teller, label))
    return teller.write(
        f"balance {label}", template, claims, a=teller.amount(now), b=teller.amount(before)
    )


def _state_loss(teller: Teller, measure: Measure, now: int, before: int) -> Line:
    year, label = teller.voice.year, measure.name
    claims = teller.claim(label, now, year), teller.claim(label, before, year - 1)
    phrases = [
        f"{measure.words if ticks >= 0 else measure.loss} of {teller.amount(abs(ticks))}"
        for ticks in (now, before)
    ]
    return teller.write(f"signed {label}", sentence("signed"), claims, a=phrases[0], b=phrases[1])


def _state_percent(teller: Teller, label: str, words: str, now: float, before: float) -> Line:
    year = teller.voice.year
    claims = (
        Claim("kpi", label, now, unit="percent", period_year=year),
        Claim("kpi", label, before, unit="percent", period_year=year - 1),
    )
    template = sentence("percent", words=words)
    return teller.write(f"percent {label}", template, claims, now=str(now), before=str(before))


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
    return teller.say("eps", claims, first=first, second=second)


def explain(teller: Teller, name: str) -> Line:
    """Explain the change of a measure with two causes that fit its direction."""
    measure = facts().measures[name]
    return _explain(teller, name, measure.cause, *measure.values(teller))


def _explain(teller: Teller, label: str, words: str, now: float, before: float) -> Line:
    if now == before:
        return teller.write(f"cause {label}", sentence("unchanged", words=words))
    voice, known = teller.voice, causes()
    pool = (known.up if now > before else known.down)[label]
    slots = cause_cast(voice, label)
    rng = voice.yearly("cause", label)
    one, two = (expand_cause(cause, slots, voice) for cause in rng.sample(pool, 2))
    connector = rng.choice(known.connectors)
    claim = Claim(
        "cause",
        label,
        text_value=f"{one} and {two}".replace("'", "’"),
        list_value=tuple(cause.replace("'", "’") for cause in (one, two)),
        period_year=voice.year,
        is_explicit_attribution=True,
    )
    is_driven = connector == "was driven by"
    shape = rng.choice(("cause", "cause with year" if is_driven else "cause with prior year"))
    move = "[increase|rise]" if now > before else "[decrease|decline]"
    template = sentence(shape, move=move, words=words, connector=connector)
    return teller.write(f"cause {label}", template, (claim,), one=one, two=two)


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
    picked = voice.yearly("drivers").sample(causes().drivers, 2)
    one, two = drivers = tuple(expand_cause(driver, slots, voice) for driver in picked)
    claim = Claim(
        "growth_drivers",
        "growth_drivers",
        text_value=f"{one}; {two}",
        list_value=drivers,
        period_year=voice.year,
    )
    return teller.say("drivers", (claim,), one=one, two=two)


def state_other_income(teller: Teller) -> list[Line]:
    """State other income and what its change is, or is not, attributed to.

    In about half of the years the filing attributes the change to foreign currency in so many
    words; in the others it names another cause and merely mentions exchange rates nearby.
    """
    voice, now, before = teller.voice, teller.now.other_income, teller.before.other_income
    stated, plain = state(teller, "other_income"), teller.say("other plain")
    if not voice.company.currencies:
        return [stated, plain]
    rng = voice.yearly("fx")
    currency, country = rng.choice(voice.company.currencies)
    is_explicit = rng.random() < 0.5
    claim = Claim(
        "attribution",
        "other_income_fx",
        text_value="foreign currency",
        period_year=voice.year,
        is_explicit_attribution=is_explicit,
    )
    template = sentence("fx attributed" if is_explicit else "fx mentioned")
    effect = "gains" if now > before else "losses"
    slots = {"coin": currency, "land": country, "effect": effect}
    line = teller.write("fx", template, (claim,), **slots)
    return [stated, line] if is_explicit else [stated, plain, line]


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
    template = sentence("pandemic attributed" if is_explicit else "pandemic mentioned")
    return teller.write("pandemic", template, (claim,))


def exclusions(voice: Voice) -> tuple[str, ...]:
    """What the company leaves out of Adjusted EBITDA; the last item differs by company."""
    return (*facts().exclusions, voice.stream("exclusion").choice(facts().own_exclusions))


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
    return _define(teller, "define", claim, listed=listed)


def define_free_cash(teller: Teller) -> Line:
    """Define free cash flow."""
    claim = Claim(
        "definition",
        "free_cash_flow",
        text_value="cash from operations less capital expenditures",
        list_value=("capital expenditures",),
    )
    return _define(teller, "define cash", claim, short=teller.voice.company.short)


def _define(teller: Teller, name: str, claim: Claim, **slots: str) -> Line:
    rng = teller.voice.stream(name, teller.voice.revision(0.2, name))
    return Line(expand(sentence(name), slots, rng), (claim,))


def define_year(teller: Teller) -> Line:
    """Say which twelve months the filing calls the year."""
    year, day = teller.voice.year, teller.voice.company.fye_text
    claim = Claim(
        "temporal",
        "the_year",
        value=float(year),
        unit="year",
        period_year=year,
        text_value=f"the twelve months ended {day}, {year}",
    )
    return teller.say("define year", (claim,))


def state_people(teller: Teller) -> Line | None:
    """State how many people the company employs, in the years in which it says so."""
    company, year, people = teller.voice.company, teller.voice.year, teller.now.people
    if year not in company.reports_headcount:
        return None
    claim = Claim("headcount", "headcount", float(people), unit="people", period_year=year)
    return teller.say("headcount", (claim,), n=f"{people:,}")


def state_metric(teller: Teller) -> Line | None:
    """State the industry measure of the company, if it has one."""
    company, year = teller.voice.company, teller.voice.year
    metric = company.metric
    if metric is None:
        return None
    value = round(teller.now.metric, 1)
    shown, scale = f"{value:,.1f}", None
    if metric.unit == "percent":
        shown = f"{value:,.1f} percent"
    if metric.unit == "USD":
        ticks = round(teller.now.metric / company.tick)
        value, shown, scale = float(ticks * company.tick), teller.amount(ticks), "millions"
    claim = Claim(
        "industry_metric", metric.label, value, unit=metric.unit, scale=scale, period_year=year
    )
    return teller.write("metric", metric.wording + ".", (claim,), value=shown)


def state_segment(teller: Teller, index: int) -> list[Line]:
    """State and explain the revenue of one segment."""
    company, year = teller.voice.company, teller.voice.year
    unit = company.segments[index].name
    now, before = teller.now.segments[index], teller.before.segments[index]
    label = f"segment_revenue:{unit}"
    stated = _state_amount(teller, label, f"[{{sales}} of {unit}|{unit} {{sales}}]", now, before)
    voice = Teller(segment_voice(teller.voice, index), teller.books)
    cause = _explain(voice, "revenue", f"{{sales}} of {unit}", now, before)
    cause_claims = tuple(replace(one, label=label, kind="segment_cause") for one in cause.claims)
    claims = tuple(
        replace(claim, kind="segment_revenue") if claim.kind == "kpi" else claim
        for claim in stated.claims
    )
    share = round(100 * now / teller.now.revenue, 1)
    share_claim = Claim(
        "segment_share", f"segment_share:{unit}", share, unit="percent", period_year=year
    )
    template = sentence("segment share")
    return [
        Line(stated.text, claims),
        Line(cause.text, cause_claims),
        teller.write(f"segment share {index}", template, (share_claim,), unit=unit, p=str(share)),
    ]


def _verb(teller: Teller, label: str) -> str:
    if label == "revenue" or label.startswith("segment_revenue"):
        is_plural = teller.voice.company.revenue_word.endswith("s")
    else:
        is_plural = facts().measures[label].is_plural
    return _PLURAL_SAYS if is_plural else _SAYS
