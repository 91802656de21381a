"""Items 1 to 6, 7A and 8 of one filing, built from passages and stated facts."""

from dataclasses import replace

from finrag.sample import text_business, text_notes, text_results, text_risks
from finrag.sample.companies import Suit
from finrag.sample.grammar import expand
from finrag.sample.layout import Section, fits, is_short, table, unit_note
from finrag.sample.ledger import cell
from finrag.sample.passages import (
    Claim,
    Line,
    Paragraph,
    Passage,
    cast,
    heading,
    product_slots,
    tell,
)
from finrag.sample.statements import (
    Teller,
    define_ebitda,
    define_year,
    state_amount,
    state_balance,
    state_metric,
    state_people,
)

TOC = (
    ("Item 1.", "Business"),
    ("Item 1A.", "Risk Factors"),
    ("Item 1B.", "Unresolved Staff Comments"),
    ("Item 2.", "Properties"),
    ("Item 3.", "Legal Proceedings"),
    ("Item 4.", "Mine Safety Disclosures"),
    ("Item 5.", "Market for Registrant’s Common Equity"),
    ("Item 6.", "Selected Financial Data"),
    ("Item 7.", "Management’s Discussion and Analysis"),
    ("Item 7A.", "Quantitative and Qualitative Disclosures About Market Risk"),
    ("Item 8.", "Financial Statements and Supplementary Data"),
)


def table_of_contents(teller: Teller) -> Paragraph:
    """A table of contents with dotted leaders and page numbers, as one block of lines."""
    rng, page, rows = teller.voice.yearly("toc"), 3, ["TABLE OF CONTENTS", "Page"]
    for number, title in TOC:
        rows.append(f"{number} {title} {'.' * (70 - len(title))} {page}")
        page += rng.randint(1, 4) if is_short(teller) else rng.randint(1, 19)
    return [Line("\n".join(rows))]


def business(teller: Teller) -> Section:
    """Item 1."""
    voice, company = teller.voice, teller.voice.company
    section = [heading("Item 1. Business")]
    if not is_short(teller) and voice.year % 2:
        section.insert(0, table_of_contents(teller))
    section += tell(voice, text_business.OVERVIEW)
    section.append([define_year(teller)])
    if metric := state_metric(teller):
        section[-1].append(metric)
    for index, segment in enumerate(company.segments[: 1 if is_short(teller) else 3]):
        slots = {"unit": segment.name, "work": segment.work}
        section += tell(voice, text_business.SEGMENT, slots, key=str(index))
    for product in company.products:
        if voice.stream("skip", product.name, voice.year // 2).random() < 0.25:
            continue
        slots = product_slots(product, voice.stream("traits", product.name))
        passage = (
            _trimmed(text_business.PRODUCT, (1, 2)) if is_short(teller) else text_business.PRODUCT
        )
        section += tell(voice, passage, slots, key=product.name)
    passages = [*text_business.OPERATIONS]
    if company.research > 0.01 and "research_and_development" not in company.undisclosed:
        passages.insert(5, text_business.RESEARCH)
    if is_short(teller):
        passages = [p for p in passages if p.name in ("customers", "people")]
    for passage in passages:
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
    return section if is_short(teller) else section + tell(voice, text_business.AVAILABLE)


def risks(teller: Teller) -> Section:
    """Item 1A: shared and specific risks, the specific ones chosen per company and year."""
    voice, company = teller.voice, teller.voice.company
    specific = [p for p in text_risks.SPECIFIC if company.currencies or not p.abroad]
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
    section = tell(voice, text_risks.INTRO)
    topic_order = sorted({p.topic for p in specific})
    voice.stream("topics").shuffle(topic_order)
    shared = [(p, "") for p in text_risks.SHARED]
    has_topics = voice.stream("habit", "topics").random() < 0.5
    for topic in topic_order:
        if has_topics:
            section.append(heading(_TOPIC_HEADINGS[topic]))
        for passage, key in uses + shared:
            if passage.topic != topic:
                continue
            is_wanted = passage.name in wanted and not key
            coin = voice.stream("keep", passage.name, key, voice.year // 2).random()
            # Boilerplate is told less often, so that it stays a fifth of the text.
            if not is_wanted and coin > (keep * 0.6 if passage.shared else keep):
                continue
            section += _risk(teller, passage, key)
    return section


_TOPIC_HEADINGS = {
    "cybersecurity": "Risks Related to Information Technology and Data",
    "market_competition": "Risks Related to Our Markets",
    "operational_supply_chain": "Risks Related to Our Operations and Supply Chain",
    "regulatory": "Risks Related to Regulation",
    "legal_ip": "Legal Risks and Risks Related to Intellectual Property",
    "liquidity_credit": "Financial Risks",
    "general_risk": "General Risks",
}


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
    told = tell(teller.voice, passage, extra, key=key)
    body = told[-1]
    claim = Claim(
        "risk_topic",
        passage.topic,
        text_value=passage.name,
        period_year=year,
    )
    return [*told[:-1], [Line(body[0].text, (claim,)), *body[1:]]]


def properties(teller: Teller) -> Section:
    """Item 2."""
    section = tell(teller.voice, text_business.PROPERTIES)
    closing = section.pop()
    section.append(closing[:1])
    for site in teller.voice.company.sites:
        slots = {
            "spot": site.place,
            "spot_role": site.role,
            "area": f"{site.area * 1000:,}",
            "tenure": site.tenure,
        }
        section += tell(teller.voice, text_business.SITE, slots, key=site.place, chance=0.3)
    return [*section, closing[1:]]


def legal(teller: Teller) -> Section:
    """Item 3: each open lawsuit at its stage, from complaint to settlement."""
    section = tell(teller.voice, text_results.LEGAL_SHARED)
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
    if stage < len(text_results.SUIT_STAGES):
        claim = Claim(
            "legal_status",
            suit.opponent,
            text_value=("filed", "pending", "expert stage")[stage],
            period_year=voice.year,
        )
        return [
            teller.write(f"{key} {n}", template, (claim,) if n == 0 else (), **slots)
            for n, template in enumerate(text_results.SUIT_STAGES[stage])
        ]
    ticks = max(1, round(teller.now.revenue * voice.stream(key).uniform(0.001, 0.006)))
    settled = teller.write(
        f"{key} settled",
        "We settled the claim of {opponent} in fiscal {year} for {paid} without admitting fault.",
        (teller.claim(f"settlement:{suit.opponent}", ticks, voice.year, "legal_settlement"),),
        paid=teller.amount(ticks),
        **slots,
    )
    return [
        settled,
        teller.write(
            f"{key} paid",
            "The settlement with {opponent} [ends the case|closes the matter].",
            (),
            **slots,
        ),
    ]


def equity(teller: Teller) -> Section:
    """Item 5."""
    company, year = teller.voice.company, teller.voice.year
    section = tell(teller.voice, text_results.EQUITY_MARKET, {"ticker": company.ticker}, chance=1.0)
    lines = []
    if company.pays_dividends and teller.now.dividends and teller.before.dividends:
        lines.append(
            teller.write(
                "dividend",
                "We [declared|paid] dividends per share of ${now} in fiscal {year} and ${then} in "
                "fiscal {prior}.",
                (
                    _per_share(teller.now.dividends_per_share, year),
                    _per_share(teller.before.dividends_per_share, year - 1),
                ),
                now=f"{teller.now.dividends_per_share:.2f}",
                then=f"{teller.before.dividends_per_share:.2f}",
            )
        )
        lines.append(
            teller.write("dividend policy", "The board [decides on|sets] each payment by quarter.")
        )
    elif not company.pays_dividends:
        lines.append(
            teller.write("no dividend", "We have never paid a cash dividend and plan none.")
        )
    if teller.now.repurchases:
        lines += [
            state_amount(
                teller,
                "share_repurchases",
                "[Repurchases of our shares|Share repurchases]",
                teller.now.repurchases,
                teller.before.repurchases,
            ),
            teller.write(
                "repurchase plan",
                "The board [approved|renewed] the repurchase plan in fiscal {prior}, and it has no "
                "end date.",
            ),
        ]
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
    names = [
        (teller.voice.company.revenue_word.capitalize(), "revenue"),
        ("Operating income", "operating_income"),
        ("Net income", "net_income"),
        ("Diluted earnings per share", "eps"),
        ("Total debt", "debt"),
        ("Adjusted EBITDA", "adjusted_ebitda"),
    ]
    return [
        heading("Item 6. Selected Financial Data"),
        [
            teller.write(
                "selected",
                "The [following table|table below] [shows|sets out] selected financial data "
                "[for each of the fiscal years presented|by fiscal year].",
            )
        ],
        table(teller, "SELECTED FINANCIAL DATA", names, 5),
        [define_ebitda(teller)],
        [
            teller.write(
                "selected nav",
                "[The data should be read|Read the data] together with Items 7 and 8 and see "
                "Note 1.",
            )
        ],
    ]


def market_risk(teller: Teller) -> Section:
    """Item 7A; short filers say that they need not answer."""
    section = [heading("Item 7A. Quantitative and Qualitative Disclosures About Market Risk")]
    if is_short(teller):
        text = "As a smaller reporting company, we are not required to provide this information."
        return [*section, [Line(text)]]
    for passage in text_results.MARKET_RISK:
        if teller.voice.company.currencies or not passage.abroad:
            section += tell(teller.voice, passage)
    return section


def statements(teller: Teller) -> Section:
    """Item 8: the auditor's report, four statements and the notes."""
    voice, company, now, before = teller.voice, teller.voice.company, teller.now, teller.before
    section = [heading("Item 8. Financial Statements and Supplementary Data")]
    section += tell(voice, text_notes.OPINION, chance=0.2)
    if not is_short(teller):
        section += tell(voice, text_notes.OPINION_BASIS)
        section += tell(voice, text_notes.CRITICAL_MATTER)
    section += _statement_tables(teller)[: 1 if is_short(teller) else None]
    section.append(
        [Line(f"See accompanying notes to the fiscal {voice.year} financial statements.")]
    )
    policies = text_notes.POLICIES[: 1 if is_short(teller) else None]
    for passage in policies:
        if passage.heading or voice.yearly("keep", passage.name).random() < 0.5:
            section += tell(voice, passage)
    section += tell(voice, text_notes.NOTE_REVENUE)
    section += _deal_notes(teller)
    debt = [
        state_balance(teller, "debt", "[Borrowings and notes|Total debt]", now.debt, before.debt),
        *tell(voice, text_results.DETAIL["debt"], key="note")[-1],
    ]
    for passage in text_notes.NOTES:
        if not fits(teller, passage):
            text = f"We held no material inventories at the end of fiscal {voice.year}."
            section += [heading(passage.heading), [Line(text)]]
            continue
        section += tell(voice, _trimmed(passage, (0, 1)) if is_short(teller) else passage)
        if passage.name == "note_goodwill":
            section += [heading("Note 7. Debt"), debt]
    section += tell(voice, text_notes.NOTE_LEGAL)
    section += tell(voice, text_notes.NOTE_SEGMENTS)
    rows = [f"SEGMENT {company.revenue_word.upper()} FOR FISCAL {voice.year} {unit_note(teller)}"]
    rows += [
        f"{segment.name}  $ {cell(company, ticks)}"
        for segment, ticks in zip(company.segments, now.segments, strict=True)
    ]
    section.append([Line("\n".join([*rows, f"Total  $ {cell(company, now.revenue)}"]))])
    return section + tell(voice, text_notes.NOTE_LATER, chance=1.0)


def _statement_tables(teller: Teller) -> Section:
    word = teller.voice.company.revenue_word.capitalize()
    income = [
        (word, "revenue"),
        ("Cost of revenue", "cost_of_revenue"),
        ("Operating income", "operating_income"),
        ("Interest expense", "interest"),
        ("Other income, net", "other_income"),
        ("Income taxes", "tax"),
        ("Net income", "net_income"),
        ("Diluted earnings per share", "eps"),
    ]
    flows = [
        ("Net income (loss)", "net_income"),
        ("Depreciation and amortization", "depreciation"),
        ("Net cash from operating activities", "operating_cash"),
        ("Capital expenditures", "capex"),
        ("Acquisitions", "acquisitions"),
        ("Borrowings", "borrowed"),
        ("Repayments", "repaid"),
        ("Dividends", "dividends"),
        ("Repurchases of shares", "repurchases"),
        ("Shares issued", "issued"),
        ("Cash at end of year", "cash"),
    ]
    return [
        table(teller, "CONSOLIDATED STATEMENTS OF INCOME", income, 3),
        table(
            teller,
            "CONSOLIDATED BALANCE SHEETS (EXTRACT)",
            [("Cash and cash equivalents", "cash"), ("Total debt", "debt")],
            2,
        ),
        table(teller, "CONSOLIDATED STATEMENTS OF CASH FLOWS", flows, 3),
    ]


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
        section += tell(teller.voice, text_notes.NOTE_DEAL, slots, key=deal.target)
    if not deals:
        slots = cast(teller.voice, "no deals")
        text = expand(
            "We did not complete an acquisition in fiscal {year} or {prior}.",
            slots,
            teller.voice.yearly("no deals"),
        )
        section.append([Line(text)])
    return section


def _trimmed(passage: Passage, count: tuple[int, int]) -> Passage:
    return replace(passage, count=count)
