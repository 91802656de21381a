"""Item 7 of one filing: results, causes, non-GAAP measures and liquidity."""

from finrag.sample.layout import Section, fits, is_short, table
from finrag.sample.passages import Paragraph, heading, passage_groups, passages, tell
from finrag.sample.statements import (
    Teller,
    cause_cast,
    define_ebitda,
    define_free_cash,
    explain,
    segment_voice,
    state,
    state_drivers,
    state_eps,
    state_other_income,
    state_pandemic,
    state_segment,
)


def discussion(teller: Teller) -> Section:
    """Item 7."""
    voice = teller.voice
    section = [
        heading(
            "Item 7. Management's Discussion and Analysis of Financial Condition and Results of "
            "Operations"
        ),
        *tell(voice, passages()["mda_overview"], chance=0.9),
        [state_drivers(teller)],
        *_minor(teller, "Results of Operations"),
        table(teller, "results"),
        *_revenue(teller),
        *_margin(teller),
        *_expenses(teller),
        *_income(teller),
        *_non_gaap(teller),
        *_liquidity(teller),
    ]
    estimates = passage_groups()["estimates"]
    shared = [p for p in estimates if p.shared]
    own = [
        p
        for p in estimates
        if not p.shared and fits(teller, p) and voice.yearly("keep", p.name).random() < 0.6
    ]
    for passage in shared + ([] if is_short(teller) else own):
        section += tell(voice, passage)
    return section + tell(voice, passages()["pronouncements"])


def _minor(teller: Teller, text: str) -> Section:
    # Whether a filer heads a short passage of its discussion is a habit of that filer.
    return [heading(text)] if teller.voice.stream("habit", text).random() < 0.4 else []


def _detail(teller: Teller, name: str, label: str) -> Paragraph:
    """What is said after the causes of ``label``, about the same products and places."""
    if is_short(teller):
        return []
    slots = cause_cast(teller.voice, label)
    return tell(teller.voice, passages()[name], slots, chance=0.9)[-1]


def _revenue(teller: Teller) -> Section:
    word = teller.voice.company.revenue_word
    lines = [state(teller, "revenue"), explain(teller, "revenue")]
    if pandemic := state_pandemic(teller):
        lines.append(pandemic)
    detail = _detail(teller, "revenue_detail", "revenue")
    section = [*_minor(teller, word.capitalize()), lines, detail]
    shown = 1 if is_short(teller) else 3
    for index, segment in enumerate(teller.voice.company.segments[:shown]):
        section += [*_minor(teller, segment.name), state_segment(teller, index)]
        if not is_short(teller):
            slots = cause_cast(segment_voice(teller.voice, index), "revenue")
            slots["unit"] = segment.name
            unit = passages()["unit_result"]
            section += tell(teller.voice, unit, slots, key=str(index), chance=0.9)
    return section


def _margin(teller: Teller) -> Section:
    title, lines = "Cost of Revenue", [state(teller, "cost_of_revenue")]
    if teller.voice.company.has_gross_margin:
        title = "Cost of Revenue and Gross Margin"
        lines += [state(teller, "gross_profit"), state(teller, "gross_margin")]
        lines.append(explain(teller, "gross_margin"))
    return [*_minor(teller, title), lines, _detail(teller, "margin_detail", "gross_margin")]


def _expenses(teller: Teller) -> Section:
    now, company, year = teller.now, teller.voice.company, teller.voice.year
    label = "selling_general_administrative"
    lines = [state(teller, label), explain(teller, label)]
    if now.research and "research_and_development" not in company.undisclosed:
        lines += [state(teller, "research_and_development"), teller.say("research work")]
    if now.restructuring:
        claim = teller.claim("restructuring", now.restructuring, year)
        lines.append(teller.say("restructuring", (claim,), a=teller.amount(now.restructuring)))
    return [*_minor(teller, "Operating Expenses"), lines]


def _income(teller: Teller) -> Section:
    return [
        *_minor(teller, "Operating Income"),
        [
            state(teller, "operating_income"),
            explain(teller, "operating_income"),
            *_detail(teller, "operating_detail", "operating_income"),
        ],
        *_minor(teller, "Interest and Other Income"),
        [state(teller, "interest_expense"), teller.say("interest")],
        state_other_income(teller),
        *_minor(teller, "Income Taxes"),
        [state(teller, "income_taxes"), teller.say("tax nav")],
        *_minor(teller, "Net Income"),
        [state(teller, "net_income"), explain(teller, "net_income"), state_eps(teller)],
    ]


def _non_gaap(teller: Teller) -> Section:
    lines = [
        teller.say("non gaap"),
        define_ebitda(teller),
        state(teller, "adjusted_ebitda"),
        define_free_cash(teller),
        state(teller, "free_cash_flow"),
        teller.say("non gaap caution"),
    ]
    section = [*_minor(teller, "Non-GAAP Financial Measures"), lines]
    return section if is_short(teller) else [*section, table(teller, "reconciliation")]


def _liquidity(teller: Teller) -> Section:
    now, company, year = teller.now, teller.voice.company, teller.voice.year
    investing = [state(teller, "capex"), explain(teller, "capex")]
    if now.acquisitions:
        names = " and ".join(deal.target for deal in company.deals if deal.year == year)
        claim = teller.claim("acquisitions", now.acquisitions, year)
        paid = teller.amount(now.acquisitions)
        investing.append(teller.say("deal cash", (claim,), a=paid, names=names))
    flows = teller.say(
        "debt flows",
        (
            teller.claim("debt_borrowed", now.borrowed, year),
            teller.claim("debt_repaid", now.repaid, year),
        ),
        a=teller.amount(now.borrowed),
        b=teller.amount(now.repaid),
    )
    return [
        *([] if is_short(teller) else tell(teller.voice, passages()["mda_liquidity"])),
        [state(teller, "cash")],
        *_minor(teller, "Cash from Operations"),
        [
            state(teller, "cash_from_operations"),
            explain(teller, "cash_from_operations"),
            *_detail(teller, "cash_detail", "cash_from_operations"),
        ],
        *_minor(teller, "Investing Activities"),
        investing + _detail(teller, "capex_detail", "capex"),
        *_minor(teller, "Financing Activities and Debt"),
        [
            state(teller, "debt"),
            explain(teller, "debt"),
            flows,
            *_detail(teller, "debt_detail", "debt"),
        ],
    ]
