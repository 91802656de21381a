"""Passages: a topic sentence and its elaborations, about one company in one year.

Real filings repeat most of a passage from one year to the next and reword the rest. Here every
sentence has a revision number that rises on a coin toss each year; between two tosses it is
repeated word for word, and a new revision is a new draw from the same grammar.
"""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from finrag.sample.companies import Company, Product
from finrag.sample.grammar import expand, vary
from finrag.sample.grids import Grid
from finrag.sample.reading import read_wording
from finrag.sample.threads import draw_thread, weave

FIRST_YEAR = 2019
LAST_YEAR = 2023
# Share of the sentences of a passage that mention its thread; set by measuring retrieval. Risk
# factors name more people and places than other passages and hold together with less.
THREAD_SHARE = 0.2
RISK_THREAD_SHARE = 0.15


@dataclass(frozen=True)
class Claim:
    """One fact that a sentence states; see ``writer`` for the meaning of the columns."""

    kind: str
    label: str
    value: float | None = None
    text_value: str | None = None
    list_value: tuple[str, ...] = ()
    unit: str | None = None
    scale: str | None = None
    period_year: int | None = None
    is_explicit_attribution: bool | None = None


@dataclass(frozen=True)
class Line:
    """One sentence, heading or table of a filing, with the facts it states."""

    text: str
    claims: tuple[Claim, ...] = ()
    is_heading: bool = False
    grid: Grid | None = None


Paragraph = list[Line]


@dataclass(frozen=True)
class Passage:
    """A topic sentence and what may follow it.

    Attributes:
        name: Stable name; part of every random seed.
        opener: Topic sentence.
        rest: Elaborations in the order in which they may appear.
        heading: Printed on its own line before the passage when not empty.
        count: Fewest and most elaborations written.
        topic: Risk topic of the passage, empty outside Item 1A.
        abroad: Written only by filers with foreign business.
        shared: Boilerplate: mostly the same words in every filing, now and then a variation.
        is_threaded: Whether its sentences may mention an initiative; an auditor's may not.
    """

    name: str
    opener: str
    rest: tuple[str, ...]
    heading: str = ""
    count: tuple[int, int] = (3, 5)
    topic: str = ""
    abroad: bool = False
    shared: bool = False
    is_threaded: bool = True


@cache
def passage_groups() -> dict[str, tuple[Passage, ...]]:
    """All passages by their group, in the order of the files.

    Raises:
        ValueError: A file of the wording does not hold groups of passages.
    """
    return {
        group: tuple(named.values())
        for name in ("business", "risks", "results", "notes")
        for group, named in read_wording(name, dict[str, dict[str, Passage]]).items()
    }


@cache
def passages() -> dict[str, Passage]:
    """All passages by name."""
    return {passage.name: passage for group in passage_groups().values() for passage in group}


@dataclass(frozen=True)
class Voice:
    """Who speaks: one company in one fiscal year, under one seed."""

    seed: int
    company: Company
    year: int

    def stream(self, *keys: object) -> random.Random:
        """A generator that depends on the company and the keys, not on the year."""
        return random.Random("|".join(map(str, (self.seed, self.company.cik, *keys))))

    def yearly(self, *keys: object) -> random.Random:
        """A generator that depends on the year as well."""
        return self.stream(self.year, *keys)

    def revision(self, chance: float, *keys: object) -> int:
        """How often the thing named by ``keys`` has been reworded up to this year."""
        years = range(FIRST_YEAR, self.year + 1)
        return sum(self.stream("toss", year, *keys).random() < chance for year in years)


def heading(text: str) -> Paragraph:
    """A heading on a line of its own."""
    return [Line(text.replace("'", "’"), is_heading=True)]


def base_slots(voice: Voice) -> dict[str, str]:
    """Slots that every template may use: the company, the year, the year's end."""
    company, year = voice.company, voice.year
    return {
        "name": company.name,
        "short": company.short,
        "home": company.home,
        "industry": company.industry,
        "market": company.market,
        "founded": str(company.founded),
        "lender": company.lender,
        "auditor": company.auditor,
        "sales": company.revenue_word,
        "system": company.systems[0],
        "system2": company.systems[1],
        "segment": company.segments[0].name,
        "segment2": company.segments[1].name,
        "segment3": company.segments[2].name,
        "year": str(year),
        "prior": str(year - 1),
        "next": str(year + 1),
        "stock": "stocks of" if company.has_goods else "commitments for",
        "day": company.fye_text,
        "date": f"{company.fye_text}, {year}",
        "prior_date": f"{company.fye_text}, {year - 1}",
    }


def cast(voice: Voice, *keys: object) -> dict[str, str]:
    """Draw the people, places and products that one passage speaks about, fixed by ``keys``."""
    company, rng = voice.company, voice.stream("cast", *keys)
    first, second = rng.sample(company.products, 2)
    place, place2 = rng.sample(company.sites, 2)
    rule = rng.choice(company.rules)
    customer, customer2 = rng.sample(company.customers, 2)
    # Suppliers and what they supply stand at equal positions.
    trades = tuple(zip(company.suppliers, company.materials, strict=True))
    (supplier, material), (supplier2, material2) = rng.sample(trades, 2)
    rival, rival2 = rng.sample(company.rivals, 2)
    currency, country = rng.choice(company.currencies or (("dollar", "the United States"),))
    # A filing knows neither a purchase nor a lawsuit of a later year.
    done = [deal.target for deal in company.deals if deal.year <= voice.year]
    open_suits = company.open_suits(voice.year)
    slots = base_slots(voice)
    slots |= product_slots(first, rng)
    slots |= {
        "product2": second.name,
        "kind2": second.kind,
        "place": place.place,
        "role": place.role,
        "place2": place2.place,
        "role2": place2.role,
        "customer": customer,
        "customer2": customer2,
        "supplier": supplier,
        "supplier2": supplier2,
        "material": material,
        "material2": material2,
        "rival": rival,
        "rival2": rival2,
        "rule": rule.name,
        "agency": rule.agency,
        "demand": rule.demand,
        "currency": currency,
        "country": country,
        "hazard": rng.choice(company.hazards),
        "suitor": rng.choice(open_suits).opponent if open_suits else "a former supplier",
        "target": rng.choice(done) if done else f"the {company.segments[2].name} business",
    }
    return slots


def product_slots(product: Product, rng: random.Random) -> dict[str, str]:
    """Slots of the product in focus; its traits come in an order drawn once."""
    first, second, third = rng.sample(product.traits, 3)
    return {
        "product": product.name,
        "kind": product.kind,
        "use": product.use,
        "buyers": product.buyers,
        "trait": first,
        "trait2": second,
        "trait3": third,
    }


def tell(
    voice: Voice,
    passage: Passage,
    extra: Mapping[str, str] | None = None,
    key: str = "",
    chance: float = 0.95,
) -> list[Paragraph]:
    """Tell one passage: its heading, if any, and one paragraph.

    Args:
        voice: Company and year.
        passage: What to tell.
        extra: Slots that override the drawn ones (the entity in focus).
        key: Tells apart several uses of one passage in one filing.
        chance: Yearly chance that a sentence is reworded.
    """
    edition = voice.year if passage.shared else voice.revision(0.92, "edition", passage.name, key)
    slots = cast(voice, passage.name, key, edition) | dict(extra or {})
    low, high = passage.count
    chooser = voice.stream("choose", passage.name, key, edition)
    count = min(chooser.randint(low, high), len(passage.rest))
    order = sorted(chooser.sample(range(len(passage.rest)), count))
    thread = draw_thread(voice.stream("thread", passage.name, key, edition))
    share = RISK_THREAD_SHARE if passage.topic else THREAD_SHARE
    mentions = 0
    lines = []
    for index in (-1, *order):
        template = passage.opener if index < 0 else passage.rest[index]
        if passage.shared:
            lines.append(Line(_boilerplate(voice, passage, index, template, slots)))
            continue
        revision = voice.revision(chance, passage.name, key, index)
        rng = voice.stream(passage.name, key, index, edition, revision)
        text = vary(expand(template, slots, rng), rng)
        text = text if index < 0 else _link(text, rng)
        text = _to_size(voice, text)
        if passage.is_threaded and _can_weave(text) and rng.random() < share:
            text = weave(text, thread, mentions)
            mentions += 1
        lines.append(Line(text))
    if not _prints_heading(voice, passage):
        return [lines]
    head = expand(passage.heading, slots, voice.stream(passage.name, key, "head", edition))
    return [heading(head), lines]


_LOOSE_MILLIONS = re.compile(r"\$(\d+)\.(\d) million")


def _to_size(voice: Voice, text: str) -> str:
    # Amounts outside the books are drawn for a large filer; a small one has a hundredth.
    if voice.company.style != "dollars":
        return text
    return _LOOSE_MILLIONS.sub(r"$\1\2 thousand", text)


def _can_weave(text: str) -> bool:
    # A reference to a note or an item must stay nothing but a reference.
    return text.endswith(".") and "Note " not in text and "Item " not in text


def _prints_heading(voice: Voice, passage: Passage) -> bool:
    # Items and notes are always announced; whether a filer heads a minor passage is its habit.
    if passage.heading.startswith(("Item ", "Note ")):
        return True
    return bool(passage.heading) and voice.stream("habit", passage.name).random() < 0.45


def _boilerplate(
    voice: Voice, passage: Passage, index: int, template: str, slots: Mapping[str, str]
) -> str:
    if voice.yearly(passage.name, index).random() < 0.6:
        return expand(template, slots, random.Random(f"{passage.name}|{index}"))
    rng = voice.stream("variation", passage.name, index, voice.year // 2)
    return vary(expand(template, slots, rng), rng)


_LINKS = (
    "In addition, ",
    "Moreover, ",
    "At the same time, ",
    "In our view, ",
    "As in earlier years, ",
)
# Only words that are lower case inside a sentence may follow a link.
_LINKABLE = frozenset({"The", "We", "Our", "A", "An", "Some", "Most", "Part", "Wages", "Demand"})


def _link(text: str, rng: random.Random) -> str:
    first = text.split(" ", 1)[0]
    if first not in _LINKABLE or rng.random() > 0.25:
        return text
    return rng.choice(_LINKS) + text[:1].lower() + text[1:]
