"""Item 7 of one filing: results, causes, non-GAAP measures and liquidity."""

from finrag.sample import text_results
from finrag.sample.layout import Section, fits, is_short, table
from finrag.sample.passages import Paragraph, heading, tell
from finrag.sample.statements import (
    Teller,
    cause_cast,
    define_ebitda,
    define_free_cash,
    segment_voice,
    state_amount,
    state_balance,
    state_cause,
    state_drivers,
    state_eps,
    state_other_income,
    state_pandemic,
    state_percent,
    state_segment,
    state_signed,
)


def discussion(teller: Teller) -> Section:
    """Item 7."""
    voice = teller.voice
    section = [
        heading(
            "Item 7. Management's Discussion and Analysis of Financial Condition and Results of "
            "Operations"
        ),
        *tell(voice, text_results.OVERVIEW, chance=0.9),
        [state_drivers(teller)],
        *_minor(teller, "Results of Operations"),
        _results_table(teller),
        *_revenue(teller),
        *_margin(teller),
        *_expenses(teller),
        *_income(teller),
        *_non_gaap(teller),
        *_liquidity(teller),
    ]
    shared = [p for p in text_results.ESTIMATES if p.shared]
    own = [
        p
        for p in text_results.ESTIMATES
        if not p.shared and fits(teller, p) and voice.yearly("keep", p.name).random() < 0.6
    ]
    for passage in shared + ([] if is_short(teller) else own):
        section += tell(voice, passage)
    return section + tell(voice, text_results.PRONOUNCEMENTS)


def _minor(teller: Teller, text: str) -> Section:
    # Whether a filer heads a short passage of its discussion is a habit of that filer.
    return [heading(text)] if teller.voice.stream("habit", text).random() < 0.4 else []


def _results_table(teller: Teller) -> Paragraph:
    names = [
        (teller.voice.company.revenue_word.capitalize(), "revenue"),
        ("Cost of revenue", "cost_of_revenue"),
        ("Selling, general and administrative", "selling"),
        ("Operating income", "operating_income"),
        ("Interest expense", "interest"),
        ("Net income", "net_income"),
        ("Diluted earnings per share", "eps"),
    ]
    return table(teller, "CONSOLIDATED RESULTS", names, 2, has_change=True)


def _detail(teller: Teller, name: str, label: str) -> Paragraph:
    """What is said after the causes of ``label``, about the same products and places."""
    if is_short(teller):
        return []
    slots = cause_cast(teller.voice, label)
    return tell(teller.voice, text_results.DETAIL[name], slots, chance=0.9)[-1]


def _revenue(teller: Teller) -> Section:
    now, before = teller.now.revenue, teller.before.revenue
    word = teller.voice.company.revenue_word
    lines = [
        state_amount(teller, "revenue", f"[Total {word}|{word}]", now, before),
        state_cause(teller, "revenue", word, now, before),
    ]
    if pandemic := state_pandemic(teller):
        lines.append(pandemic)
    section = [*_minor(teller, word.capitalize()), lines, _detail(teller, "revenue", "revenue")]
    shown = 1 if is_short(teller) else 3
    for index, segment in enumerate(teller.voice.company.segments[:shown]):
        section += [*_minor(teller, segment.name), state_segment(teller, index)]
        if not is_short(teller):
            slots = cause_cast(segment_voice(teller.voice, index), "revenue")
            slots["unit"] = segment.name
            section += tell(teller.voice, text_results.UNIT, slots, key=str(index), chance=0.9)
    return section


def _margin(teller: Teller) -> Section:
    now, before = teller.now, teller.before
    lines = [
        state_amount(
            teller,
            "cost_of_revenue",
            "Cost of {sales}",
            now.cost_of_revenue,
            before.cost_of_revenue,
        )
    ]
    if teller.voice.company.has_gross_margin:
        margins = now.gross_margin, before.gross_margin
        lines += [
            state_amount(
                teller, "gross_profit", "Gross profit", now.gross_profit, before.gross_profit
            ),
            state_percent(teller, "gross_margin", "[Gross margin|Our gross margin]", *margins),
            state_cause(teller, "gross_margin", "gross margin", *margins),
        ]
    title = "Cost of Revenue and Gross Margin"
    if not teller.voice.company.has_gross_margin:
        title = "Cost of Revenue"
    return [*_minor(teller, title), lines, _detail(teller, "gross_margin", "gross_margin")]


def _expenses(teller: Teller) -> Section:
    now, before = teller.now, teller.before
    lines = [
        state_amount(
            teller,
            "selling_general_administrative",
            "Selling, general and administrative [expenses|costs]",
            now.selling,
            before.selling,
        ),
        state_cause(
            teller, "selling_general_administrative", "these expenses", now.selling, before.selling
        ),
    ]
    if now.research and "research_and_development" not in teller.voice.company.undisclosed:
        lines.append(
            state_amount(
                teller,
                "research_and_development",
                "Research and development expense",
                now.research,
                before.research,
            )
        )
        lines.append(
            teller.write(
                "research work",
                "[Most of this work|The work] was done in {place} and served {product} and "
                "{product2}.",
            )
        )
    if now.restructuring:
        lines.append(
            teller.write(
                "restructuring",
                "Restructuring charges of {a} [related to|arose from] the move of work from "
                "{place} to {place2}.",
                (teller.claim("restructuring", now.restructuring, teller.voice.year),),
                a=teller.amount(now.restructuring),
            )
        )
    return [*_minor(teller, "Operating Expenses"), lines]


def _income(teller: Teller) -> Section:
    now, before = teller.now, teller.before
    operating = [
        state_signed(
            teller,
            "operating_income",
            "operating income",
            "an operating loss",
            now.operating_income,
            before.operating_income,
        ),
        state_cause(
            teller,
            "operating_income",
            "operating income",
            now.operating_income,
            before.operating_income,
        ),
    ]
    net = [
        state_signed(
            teller, "net_income", "net income", "a net loss", now.net_income, before.net_income
        ),
        state_cause(teller, "net_income", "net income", now.net_income, before.net_income),
        state_eps(teller),
    ]
    interest = [
        state_amount(teller, "interest_expense", "Interest expense", now.interest, before.interest),
        teller.write(
            "interest", "It [consists|consisted] mainly of interest on the {lender} loans."
        ),
    ]
    return [
        *_minor(teller, "Operating Income"),
        operating + _detail(teller, "operating_income", "operating_income"),
        *_minor(teller, "Interest and Other Income"),
        interest,
        state_other_income(teller),
        *_minor(teller, "Income Taxes"),
        [
            state_amount(
                teller,
                "income_taxes",
                "[The provision for income|Income] taxes",
                now.tax,
                before.tax,
            ),
            teller.write("tax nav", "[See Note 10|Note 10 explains the effective tax rate]."),
        ],
        *_minor(teller, "Net Income"),
        net,
    ]


def _non_gaap(teller: Teller) -> Section:
    now, before = teller.now, teller.before
    free = [entry.operating_cash - entry.capex for entry in (now, before)]
    lines = [
        teller.write(
            "non gaap",
            "[We use|Management uses] measures that are not defined by generally accepted "
            "accounting principles to [judge|compare] the performance of our segments.",
        ),
        define_ebitda(teller),
        state_signed(
            teller,
            "adjusted_ebitda",
            "Adjusted EBITDA",
            "negative Adjusted EBITDA",
            now.adjusted_ebitda,
            before.adjusted_ebitda,
        ),
        define_free_cash(teller),
        state_signed(
            teller, "free_cash_flow", "free cash flow", "negative free cash flow", free[0], free[1]
        ),
        teller.write(
            "non gaap caution",
            "These measures [are no substitute for|should not be read in place of] net income or "
            "cash from operations.",
        ),
    ]
    names = [
        ("Net income", "net_income"),
        ("Income taxes", "tax"),
        ("Interest expense", "interest"),
        ("Less: other income, net", "other_income"),
        ("Depreciation and amortization", "depreciation"),
        ("Stock-based compensation", "stock_compensation"),
        ("Restructuring", "restructuring"),
        ("Adjusted EBITDA", "adjusted_ebitda"),
    ]
    if is_short(teller):
        return [*_minor(teller, "Non-GAAP Financial Measures"), lines]
    reconciliation = table(teller, "RECONCILIATION OF ADJUSTED EBITDA", names, 2)
    return [*_minor(teller, "Non-GAAP Financial Measures"), lines, reconciliation]


def _liquidity(teller: Teller) -> Section:
    now, before = teller.now, teller.before
    cash_flow = [
        state_signed(
            teller,
            "cash_from_operations",
            "[cash from operations|net cash provided by operating activities]",
            "net cash used in operating activities",
            now.operating_cash,
            before.operating_cash,
        ),
        state_cause(
            teller,
            "cash_from_operations",
            "cash from operations",
            now.operating_cash,
            before.operating_cash,
        ),
    ]
    investing = [
        state_amount(teller, "capex", "Capital expenditures", now.capex, before.capex),
        state_cause(teller, "capex", "capital expenditures", now.capex, before.capex),
    ]
    if now.acquisitions:
        names = " and ".join(
            d.target for d in teller.voice.company.deals if d.year == teller.voice.year
        )
        investing.append(
            teller.write(
                "deal cash",
                "We also paid {a} for {names}.",
                (teller.claim("acquisitions", now.acquisitions, teller.voice.year),),
                a=teller.amount(now.acquisitions),
                names=names,
            )
        )
    financing = [
        state_balance(teller, "debt", "[Total debt|Our debt|Debt]", now.debt, before.debt),
        state_cause(teller, "debt", "debt", now.debt, before.debt),
        teller.write(
            "debt flows",
            "We [borrowed|drew] {a} and repaid {b} during fiscal {year}.",
            (
                teller.claim("debt_borrowed", now.borrowed, teller.voice.year),
                teller.claim("debt_repaid", now.repaid, teller.voice.year),
            ),
            a=teller.amount(now.borrowed),
            b=teller.amount(now.repaid),
        ),
    ]
    return [
        *([] if is_short(teller) else tell(teller.voice, text_results.LIQUIDITY)),
        [state_balance(teller, "cash", "Cash and cash equivalents", now.cash, before.cash)],
        *_minor(teller, "Cash from Operations"),
        cash_flow + _detail(teller, "cash", "cash_from_operations"),
        *_minor(teller, "Investing Activities"),
        investing + _detail(teller, "capex", "capex"),
        *_minor(teller, "Financing Activities and Debt"),
        financing + _detail(teller, "debt", "debt"),
    ]
