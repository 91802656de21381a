"""Items 1 to 6, 7A and 8 of one filing, built from passages and stated facts."""

from dataclasses import dataclass, replace
from functools import cache

from finrag.sample.companies import Suit
from finrag.sample.grammar import expand
from finrag.sample.grids import Member, Row
from finrag.sample.layout import (
    Section,
    book_cell,
    fits,
    is_short,
    money_cell,
    printed_table,
    table,
)
from finrag.sample.passages import (
    Claim,
    Line,
    Paragraph,
    Passage,
    cast,
    heading,
    passage_groups,
    passages,
    product_slots,
    tell,
)
from finrag.sample.reading import read_wording
from finrag.sample.statements import (
    Teller,
    define_ebitda,
    define_year,
    sentence,
    state,
    state_metric,
    state_people,
)


@dataclass(frozen=True)
class _Headings:
    """Titles of the items by number, and headings of the risk topics."""

    contents: dict[str, str]
    risk_topics: dict[str, str]


@cache
def _headings() -> _Headings:
    return read_wording("headings", _Headings)


@cache
def _suit_stages() -> dict[str, tuple[str, ...]]:
    return read_wording("lawsuits", dict[str, tuple[str, ...]])


def contents() -> dict[str, str]:
    """Titles of the items by number, as a table of contents prints them."""
    return _headings().contents


def table_of_contents(teller: Teller) -> Paragraph:
    """A table of contents with dotted leaders and page numbers, as one block of lines."""
    rng, page, rows = teller.voice.yearly("toc"), 3, ["TABLE OF CONTENTS", "Page"]
    for number, title in _headings().contents.items():
        rows.append(f"{number} {title} {'.' * (70 - len(title))} {page}")
        page += rng.randint(1, 4) if is_short(teller) else rng.randint(1, 19)
    return [Line("\n".join(rows))]


def business(teller: Teller) -> Section:
    """Item 1."""
    voice, company = teller.voice, teller.voice.company
    section = [heading("Item 1. Business")]
    if not is_short(teller) and voice.year % 2:
        section.insert(0, table_of_contents(teller))
    section += tell(voice, passages()["overview"])
    section.append([define_year(teller)])
    if metric := state_metric(teller):
        section[-1].append(metric)
    for index, segment in enumerate(company.segments[: 1 if is_short(teller) else 3]):
        slots = {"unit": segment.name, "work": segment.work}
        section += tell(voice, passages()["segment"], slots, key=str(index))
    for product in company.products:
        if voice.stream("skip", product.name, voice.year // 2).random() < 0.25:
            continue
        slots = product_slots(product, voice.stream("traits", product.name))
        passage = passages()["product"]
        passage = _trimmed(passage, (1, 2)) if is_short(teller) else passage
        section += tell(voice, passage, slots, key=product.name)
    chosen = [*passage_groups()["operations"]]
    if company.research > 0.01 and "research_and_development" not in company.undisclosed:
        chosen.insert(5, passages()["research"])
    if is_short(teller):
        chosen = [p for p in chosen if p.name in ("customers", "people")]
    for passage in chosen:
        if passage.name == "regulation":
            for rule in company.rules:
                slots = {"rule": rule.name, "agency": rule.agency, "demand": rule.demand}
                section += tell(voice, passage, slots, key=rule.name)
            continue
        coin = voice.stream("keep", passage.name, voice.year // 2).random()
        if passage.name != "people" and coin > 0.45:
            continue
        section += tell(voice, passage)
        if passage.name == "people" and (people := state_people(teller)):
            section[-1].insert(0, people)
    return (
        section if is_short(teller) else section + tell(voice, passages()["available_information"])
    )


def risks(teller: Teller) -> Section:
    """Item 1A: shared and specific risks, the specific ones chosen per company and year."""
    voice, company = teller.voice, teller.voice.company
    specific = [p for p in passage_groups()["specific_risks"] if company.currencies or not p.abroad]
    uses = [(passage, "") for passage in specific]
    repeatable = {"key_customer", "product_dependence", "sole_supplier", "site_outage", "rule"}
    repeats = {"short": 0, "standard": 0, "long": 3}[company.length]
    uses += [(p, str(n)) for p in specific if p.name in repeatable for n in range(repeats)]
    if company.length == "long":
        uses += [(p, "again") for p in specific if p.name not in repeatable]
    keep = {"short": 0.1, "standard": 0.34, "long": 0.6}[company.length]
    wanted = {"breach", "liquidity", "rivals", "sole_supplier"}
    if not is_short(teller):
        wanted |= {"rule", "lawsuit"}
    section = tell(voice, passages()["risk_intro"])
    topic_order = sorted({p.topic for p in specific})
    voice.stream("topics").shuffle(topic_order)
    shared = [(p, "") for p in passage_groups()["shared_risks"]]
    has_topics = voice.stream("habit", "topics").random() < 0.5
    for topic in topic_order:
        if has_topics:
            section.append(heading(_headings().risk_topics[topic]))
        for passage, key in uses + shared:
            if passage.topic != topic:
                continue
            is_wanted = passage.name in wanted and not key
            coin = voice.stream("keep", passage.name, key, voice.year // 2).random()
            # Boilerplate is used less often, so that it stays a fifth of the text.
            if not is_wanted and coin > (keep * 0.6 if passage.shared else keep):
                continue
            section += _risk(teller, passage, key)
    return section


def _risk(teller: Teller, passage: Passage, key: str) -> Section:
    year = teller.voice.year
    if passage.name == "pandemic_boilerplate" and year < 2020:
        return []
    extra: dict[str, str] = {}
    if passage.name == "lawsuit":
        open_suits = teller.voice.company.open_suits(teller.voice.year)
        if not open_suits:
            return []
        extra["suitor"] = open_suits[0].opponent
    paragraphs = tell(teller.voice, passage, extra, key=key)
    body = paragraphs[-1]
    claim = Claim(
        "risk_topic",
        passage.topic,
        text_value=passage.name,
        period_year=year,
    )
    return [*paragraphs[:-1], [Line(body[0].text, (claim,)), *body[1:]]]


def properties(teller: Teller) -> Section:
    """Item 2."""
    section = tell(teller.voice, passages()["properties"])
    closing = section.pop()
    section.append(closing[:1])
    for site in teller.voice.company.sites:
        slots = {
            "spot": site.place,
            "spot_role": site.role,
            "area": f"{site.area * 1000:,}",
            "tenure": site.tenure,
        }
        section += tell(teller.voice, passages()["site"], slots, key=site.place, chance=0.3)
    return [*section, closing[1:]]


def legal(teller: Teller) -> Section:
    """Item 3: each open lawsuit at its stage, from complaint to settlement."""
    section = tell(teller.voice, passages()["legal_shared"])
    for suit in teller.voice.company.open_suits(teller.voice.year):
        section.append(_suit(teller, suit))
    return section


def _suit(teller: Teller, suit: Suit) -> Paragraph:
    voice = teller.voice
    stage = voice.year - suit.filed
    slots = {
        "opponent": suit.opponent,
        "court": suit.court,
        "claim": suit.claim,
        "stake": suit.stake,
        "filed": str(suit.filed),
    }
    key = f"suit {suit.opponent}"
    stages = tuple(_suit_stages().items())
    if stage < len(stages):
        status, templates = stages[stage]
        claim = Claim("legal_status", suit.opponent, text_value=status, period_year=voice.year)
        return [
            teller.write(f"{key} {n}", template, (claim,) if n == 0 else (), **slots)
            for n, template in enumerate(templates)
        ]
    ticks = max(1, round(teller.now.revenue * voice.stream(key).uniform(0.001, 0.006)))
    settlement = teller.claim(f"settlement:{suit.opponent}", ticks, voice.year, "legal_settlement")
    slots["paid"] = teller.amount(ticks)
    return [
        teller.write(f"{key} settled", sentence("settled"), (settlement,), **slots),
        teller.write(f"{key} paid", sentence("paid"), (), **slots),
    ]


def equity(teller: Teller) -> Section:
    """Item 5."""
    company, year = teller.voice.company, teller.voice.year
    section = tell(
        teller.voice, passages()["equity_market"], {"ticker": company.ticker}, chance=1.0
    )
    now, before = teller.now.dividends_per_share, teller.before.dividends_per_share
    lines = []
    if company.pays_dividends and teller.now.dividends and teller.before.dividends:
        claims = _per_share(now, year), _per_share(before, year - 1)
        lines.append(teller.say("dividend", claims, now=f"{now:.2f}", then=f"{before:.2f}"))
        lines.append(teller.say("dividend policy"))
    elif not company.pays_dividends:
        lines.append(teller.say("no dividend"))
    if teller.now.repurchases:
        lines += [state(teller, "share_repurchases"), teller.say("repurchase plan")]
    return [*section, lines] if lines else section


def _per_share(value: float, year: int) -> Claim:
    return Claim(
        "kpi",
        "dividends_per_share",
        value,
        unit="USD_per_share",
        scale="units",
        period_year=year,
    )


def selected(teller: Teller) -> Section:
    """Item 6: a table of several years and the definition of Adjusted EBITDA."""
    return [
        heading("Item 6. Selected Financial Data"),
        [teller.say("selected")],
        table(teller, "selected"),
        [define_ebitda(teller)],
        [teller.say("selected nav")],
    ]


def market_risk(teller: Teller) -> Section:
    """Item 7A; short filers say that they need not answer."""
    section = [heading("Item 7A. Quantitative and Qualitative Disclosures About Market Risk")]
    if is_short(teller):
        return [*section, [Line(sentence("no market risk"))]]
    for passage in passage_groups()["market_risk"]:
        if teller.voice.company.currencies or not passage.abroad:
            section += tell(teller.voice, passage)
    return section


def statements(teller: Teller) -> Section:
    """Item 8: the auditor's report, four statements and the notes."""
    voice = teller.voice
    section = [heading("Item 8. Financial Statements and Supplementary Data")]
    section += tell(voice, passages()["opinion"], chance=0.2)
    if not is_short(teller):
        section += tell(voice, passages()["opinion_basis"])
        section += tell(voice, passages()["critical_matter"])
    tables = ("income", "balance", "cash_flows")[: 1 if is_short(teller) else None]
    section += [table(teller, name) for name in tables]
    section.append([Line(sentence("notes nav", year=str(voice.year)))])
    policies = passage_groups()["policies"][: 1 if is_short(teller) else None]
    for passage in policies:
        if passage.heading or voice.yearly("keep", passage.name).random() < 0.5:
            section += tell(voice, passage)
    section += tell(voice, passages()["note_revenue"])
    section += _deal_notes(teller)
    debt = [
        state(teller, "debt_in_notes"),
        *tell(voice, passages()["debt_detail"], key="note")[-1],
    ]
    for passage in passage_groups()["notes"]:
        if not fits(teller, passage):
            text = sentence("no inventories", year=str(voice.year))
            section += [heading(passage.heading), [Line(text)]]
            continue
        section += tell(voice, _trimmed(passage, (0, 1)) if is_short(teller) else passage)
        if passage.name == "note_goodwill":
            section += [heading("Note 7. Debt"), debt]
    section += tell(voice, passages()["note_legal"])
    section += tell(voice, passages()["note_segments"])
    section.append(segment_table(teller))
    return section + tell(voice, passages()["note_later"], chance=1.0)


def segment_table(teller: Teller) -> Paragraph:
    """Revenue by segment for one year: a table without a header."""
    company, now, year = teller.voice.company, teller.now, teller.voice.year
    rows = [
        Row(
            segment.name,
            "revenue",
            (money_cell(teller, ticks, year),),
            members=(Member("segment", segment.name),),
        )
        for segment, ticks in zip(company.segments, now.segments, strict=True)
    ]
    rows.append(Row("Total", "revenue", (book_cell(teller, "revenue", year),), is_total=True))
    title = f"SEGMENT {company.revenue_word.upper()} FOR FISCAL {year}"
    return printed_table(teller, title, ((),), rows)


def _deal_notes(teller: Teller) -> Section:
    section = [heading("Note 3. Acquisitions")]
    deals = [d for d in teller.voice.company.deals if 0 <= teller.voice.year - d.year <= 1]
    for deal in deals:
        slots = {
            "bought": deal.target,
            "what": deal.what,
            "bought_year": str(deal.year),
            "price": teller.amount(deal.price // teller.voice.company.tick),
        }
        section += tell(teller.voice, passages()["note_deal"], slots, key=deal.target)
    if not deals:
        slots = cast(teller.voice, "no deals")
        rng = teller.voice.yearly("no deals")
        text = expand(sentence("no deals"), slots, rng)
        section.append([Line(text)])
    return section


def _trimmed(passage: Passage, count: tuple[int, int]) -> Passage:
    return replace(passage, count=count)
