"""Wording of Items 3, 5, 6, 7 and 7A: causes, and the passages around the stated facts."""

from finrag.sample.passages import Passage

CAUSES_UP: dict[str, tuple[str, ...]] = {
    "revenue": (
        "higher demand for {product}",
        "price increases for {product2}",
        "new contracts with {customer}",
        "larger orders from {customer2}",
        "the wider use of {product} by {buyers}",
        "added capacity in {place}",
    ),
    "gross_margin": (
        "a richer mix of {product}",
        "lower prices of {material}",
        "savings at our {place} location",
        "price increases for {product2} that outpaced costs",
        "better use of capacity in {place2}",
    ),
    "operating_income": (
        "the growth of {product}",
        "tighter spending in our {segment} segment",
        "savings from automation in {place}",
        "lower start-up costs in {place2}",
    ),
    "net_income": (
        "higher operating income in our {segment} segment",
        "the improved result of {product}",
        "the contribution of {product2}",
    ),
    "cash_from_operations": (
        "faster collections from {customer}",
        "lower {stock} {material}",
        "longer payment terms agreed with {supplier}",
        "the timing of payments to {supplier2}",
    ),
    "debt": (
        "borrowings under our credit facility with {lender}",
        "notes issued to pay for capacity in {place}",
        "a term loan drawn to fund {product}",
    ),
    "capex": (
        "new equipment in {place}",
        "the expansion of our {role} location in {place}",
        "tooling for {product}",
    ),
    "selling_general_administrative": (
        "higher wages in {place}",
        "advertising for {product}",
        "travel and trade fairs",
        "consulting fees for the {system}",
    ),
}
CAUSES_DOWN: dict[str, tuple[str, ...]] = {
    "revenue": (
        "lower volumes of {product}",
        "order delays by {customer}",
        "the loss of a contract with {customer2}",
        "price cuts by {rival} in the market of {product2}",
        "a shortage of {material}",
        "weaker spending by {buyers}",
    ),
    "gross_margin": (
        "higher prices of {material}",
        "idle capacity in {place}",
        "freight costs for {product}",
        "rebates granted to {customer}",
        "scrap and rework in {place2}",
    ),
    "operating_income": (
        "lower sales of {product}",
        "start-up costs in {place}",
        "higher costs of {material}",
        "wage inflation in our {segment2} segment",
    ),
    "net_income": (
        "lower operating income in our {segment} segment",
        "the weaker result of {product}",
        "the cost of {material}",
    ),
    "cash_from_operations": (
        "slower payments by {customer}",
        "larger {stock} {material}",
        "advance payments to {supplier}",
        "the timing of billings for {product}",
    ),
    "debt": (
        "repayments of the term loan from {lender}",
        "the retirement of maturing notes",
        "scheduled repayments funded by cash from {product}",
    ),
    "capex": (
        "the completion of work in {place}",
        "the deferral of tooling for {product}",
        "fewer projects in {place2}",
    ),
    "selling_general_administrative": (
        "less travel by the sales team in {place}",
        "lower incentive pay",
        "savings from the {system}",
        "fewer trade fairs for {product}",
    ),
}
CONNECTORS = (
    "was primarily due to",
    "was mainly due to",
    "was driven by",
    "came about largely because of",
    "occurred principally as a result of",
)
DRIVERS = (
    "wider use of {product} among {buyers}",
    "new capacity at our {role} location in {place}",
    "price discipline in our {segment} segment",
    "follow-on orders from {customer}",
    "the renewal of {product2}",
    "cross-selling by the former {target} team",
)

OVERVIEW = Passage(
    "mda_overview",
    "The following discussion of fiscal {year} and {prior} should be read together with the "
    "consolidated financial statements and notes included in Item 8.",
    (
        "Fiscal {year} was [a demanding|an eventful|a busy] year for {short}.",
        "We [launched an updated version of|began wider deliveries of] {product} and [finished "
        "work|retrained our crews] in {place}.",
        "{customer} [renewed its agreement|extended its contract] with us for {#2-5} years.",
        "[Costs of {material} remained volatile|The price of {material} was hard to predict], and "
        "we [adjusted|reviewed] our prices {#2-4} times.",
        "{rival} [changed its prices|entered the market of {product2}], which made our {segment2} "
        "segment more [cautious|competitive].",
    ),
    heading="Overview",
    count=(4, 5),
)

UNIT = Passage(
    "unit_result",
    "[Orders in {unit} were|Activity in {unit} was|The business of {unit} was] [strongest|most "
    "lively] in the [first|second|third|"
    "fourth] quarter.",
    (
        "{product} [accounted for|contributed] about {#22-58} percent of the {sales} of {unit}.",
        "[Deliveries|Sales] to {customer} [moved from one quarter to the next|followed the "
        "calendar of that customer].",
        "{unit} [raised|adjusted] the prices of {product2} by an average of {#2-8} percent.",
        "[Operating costs|Costs] of {unit} in {place} [rose by|were up] {#2-9} percent.",
        "At year-end {unit} employed crews in {place} and {place2}.",
    ),
    count=(2, 3),
)

DETAIL: dict[str, Passage] = {
    "revenue": Passage(
        "revenue_detail",
        "[Unit volumes|Volumes] of {product} [changed by {#2-14} percent|moved in line with our "
        "plan], while average prices [rose|increased] {#1-6} percent.",
        (
            "{customer} [bought|ordered] [more|about the same quantity] of {product} [than in "
            "fiscal {prior}|as a year earlier].",
            "[Sales|Deliveries] of {product2} [slowed|picked up] after [{rival} changed its "
            "offer|a price change in the spring].",
            "[Shipments from {place} were|Work in {place} was] affected by {hazard} for {#2-12} "
            "days.",
        ),
        count=(2, 3),
    ),
    "gross_margin": Passage(
        "margin_detail",
        "[Purchases|Our purchases] of {material} [cost|were] {#3-19} percent more per unit than in "
        "fiscal {prior}.",
        (
            "We [passed on|recovered] about [half|two thirds] of that increase through the price "
            "of {product}.",
            "[Wages|Labor costs] in {place} added {#1-4} percent to the unit cost of {product}.",
            "[Delivery|Service] from {supplier} was [costlier|more reliable] than a year ago.",
        ),
        count=(2, 3),
    ),
    "operating_income": Passage(
        "operating_detail",
        "[The result|Income] of {segment} benefited from {product}, while {segment2} [carried|"
        "bore] the cost of changes in {place}.",
        (
            "Overhead in {home} was [reduced|held flat] by combining teams.",
            "{segment3} [broke even|improved slightly] before corporate costs.",
        ),
        count=(1, 2),
    ),
    "cash": Passage(
        "cash_detail",
        "Days of sales outstanding were {#34-69} at {date}, [a little longer|a little shorter] "
        "than a year earlier.",
        (
            "{customer} [paid within|settled its invoices in] {#28-75} days on average.",
            "{stock} {material} [covered|were equal to] {#4-13} weeks of use.",
            "Payments to {supplier} were [brought forward|spread over two quarters].",
            "Cash taxes and pension payments were [in line with|close to] our plan.",
        ),
        count=(2, 4),
    ),
    "capex": Passage(
        "capex_detail",
        "[The largest|Our largest] project was the [renewal|extension] of the {place} location, "
        "which will serve {product}.",
        (
            "[Equipment|Machinery] for {place} was ordered from {supplier2}.",
            "We expect the {place} project to [end|be finished] in fiscal {next}.",
            "Spending on the {system} [was|is] included in these amounts.",
        ),
        count=(2, 3),
    ),
    "debt": Passage(
        "debt_detail",
        "Our credit facility with {lender} [matures|expires] in {#2025-2029} and bears interest at "
        "a floating rate plus {#1-2}.{#1-9} percentage points.",
        (
            "The facility limits [our leverage|total leverage] to {#3-4}.{#1-9} times Adjusted "
            "EBITDA.",
            "At {date} we were in compliance with all covenants of the {lender} facility.",
            "{#10-60} percent of the facility [was|remained] unused.",
            "Notes held by insurance companies [fall due|mature] in equal parts from {next} on.",
        ),
        count=(3, 4),
    ),
}

LIQUIDITY = Passage(
    "mda_liquidity",
    "Our [principal|main] sources of liquidity are cash, cash from operations and the facility "
    "with {lender}.",
    (
        "We believe that these sources will cover our needs for at least the next twelve months.",
        "Beyond that, we [expect|intend] to fund the {place} project and {product} from cash flow.",
        "[Part|Some] of our cash is held in {country}, and moving it would cost little in tax.",
        "We may also [issue notes|sell receivables] if markets are favorable.",
    ),
    heading="Liquidity and Capital Resources",
    count=(3, 4),
)

ESTIMATES = (
    Passage(
        "estimate_revenue",
        "We recognize {sales} when control of goods or services passes to the customer, and "
        "judgment is needed for [rebates|variable amounts].",
        (
            "Rebates to {customer} are estimated from [volumes to date|orders and past "
            "experience].",
            "A change of one percentage point in the rebate rate of {product} would move {sales} "
            "by about ${#1-9}.{#1-9} million.",
            "Returns of {product2} [have been small|were within our estimates].",
        ),
        heading="Revenue Recognition",
        count=(2, 3),
    ),
    Passage(
        "estimate_goodwill",
        "We test the goodwill of {segment}, {segment2} and {segment3} in the fourth quarter of "
        "each year.",
        (
            "The test for {segment2} is the most sensitive, because its fair value exceeded its "
            "carrying amount by only {#6-28} percent.",
            "We used a discount rate of {#8-11}.{#1-9} percent and long-term growth of "
            "{#1-2}.{#1-9} percent.",
            "Forecasts for {product} [rest on|assume] contracts with {customer} being renewed.",
            "No impairment was recorded in fiscal {year}.",
        ),
        heading="Goodwill",
        count=(3, 4),
    ),
    Passage(
        "estimate_legal",
        "We accrue for legal claims, such as that of {suitor}, when a loss is probable and can be "
        "estimated.",
        (
            "The outcome of the {suitor} matter is [hard to predict|uncertain].",
            "Our accruals reflect [advice of counsel|the opinion of our lawyers] and settlement "
            "talks.",
            "See Note 12 for a description of these matters.",
        ),
        heading="Legal Contingencies",
        count=(2, 3),
    ),
    Passage(
        "estimate_inventory",
        "Stocks of {material} and finished goods are carried at the lower of cost and net "
        "realizable value.",
        (
            "We write down goods for {product2} that exceed [{#12-30} months of expected use|our "
            "forecast].",
            "Write-downs came to ${#1-9}.{#1-9} million in fiscal {year}.",
            "If {customer} were to cancel orders, further write-downs would be likely.",
        ),
        heading="Inventories",
        count=(2, 3),
    ),
    Passage(
        "estimate_shared",
        "The preparation of financial statements in conformity with generally accepted accounting "
        "principles requires management to make estimates and assumptions.",
        (
            "We base our estimates on historical experience and on other assumptions that we "
            "believe are reasonable under the circumstances.",
            "Actual results may differ from these estimates under different assumptions or "
            "conditions.",
            "We believe the following policies involve a higher degree of judgment and complexity.",
        ),
        heading="Critical Accounting Estimates",
        count=(1, 2),
        shared=True,
    ),
)

PRONOUNCEMENTS = Passage(
    "pronouncements",
    "For a discussion of recently issued accounting pronouncements, see Note 1 to the consolidated "
    "financial statements.",
    (
        "We do not expect pronouncements that have been issued but are not yet effective to have a "
        "material effect on our financial statements.",
    ),
    heading="Recent Accounting Pronouncements",
    count=(1, 1),
    shared=True,
)

MARKET_RISK = (
    Passage(
        "rate_risk",
        "Our debt under the {lender} facility bears interest at variable rates.",
        (
            "[Swaps|Interest rate swaps] fix the rate on {#25-70} percent of that debt until "
            "{#2024-2028}.",
            "The swaps are [held with|arranged through] {lender} and are carried at fair value.",
            "We do not [trade|speculate] in interest rate contracts.",
        ),
        heading="Interest Rate Risk",
        count=(2, 3),
    ),
    Passage(
        "price_risk",
        "We buy {material} and {material2} at prices that follow [world markets|published "
        "indices].",
        (
            "A ten percent rise in the price of {material} would have cost us ${#2-19}.{#1-9} "
            "million in fiscal {year}.",
            "[Contracts|Agreements] with {supplier} fix the price of about {#20-65} percent of our "
            "needs.",
            "Purchases of {material2} are not hedged.",
            "We [review|set] coverage for {material} every quarter.",
        ),
        heading="Commodity Price Risk",
        count=(3, 4),
    ),
    Passage(
        "currency_risk",
        "We are exposed to changes in foreign currency exchange rates, above all between the U.S. "
        "dollar and the {currency}.",
        (
            "A ten percent change of the {currency} would [move|change] our annual costs in "
            "{country} by about ${#1-9}.{#1-9} million.",
            "Forward contracts in {currency} with a notional amount of ${#10-95} million were open "
            "at {date}.",
            "These contracts [settle|mature] within {#3-12} months and are not designated as "
            "hedges.",
        ),
        heading="Foreign Currency Risk",
        count=(2, 3),
        abroad=True,
    ),
    Passage(
        "counterparty_risk",
        "We place cash with {lender} and {#3-9} other banks and [watch|review] their ratings.",
        (
            "Receivables from {customer} are the largest single exposure to one customer.",
            "We have not suffered a material credit loss in the last {#3-8} years.",
        ),
        heading="Credit Risk",
        count=(1, 2),
    ),
)

EQUITY_MARKET = Passage(
    "equity_market",
    "Our common stock is listed on the Continental Stock Exchange under the symbol “{ticker}”.",
    (
        "On {date} there were {#240-5200} holders of record of our common stock.",
        "Many shares are held in the names of brokers, so the number of beneficial owners is "
        "larger.",
        "The closing price on the last trading day of fiscal {year} was ${#14-96}.{#10-99}.",
        "We did not sell unregistered securities during fiscal {year}.",
        "Information about our equity compensation plans is incorporated by reference to our proxy "
        "statement.",
        "The performance graph compares the return on our shares with a broad market index and a "
        "group of companies in {industry}.",
    ),
    heading="Item 5. Market for Registrant’s Common Equity",
    count=(5, 6),
)

SUIT_STAGES: tuple[tuple[str, ...], ...] = (
    (
        "In fiscal {filed}, {opponent} [filed a complaint|brought an action] against us in "
        "{court}.",
        "The complaint alleges {claim} and asks for {stake}.",
        "We [deny the allegations|believe that the claim of {opponent} is without merit] and "
        "intend to defend ourselves [vigorously|firmly].",
        "Our answer to the complaint of {opponent} is due in the [first|second] quarter of fiscal "
        "{next}.",
    ),
    (
        "The case that {opponent} brought in fiscal {filed} is pending in {court}.",
        "It rests on the allegation {claim}.",
        "A motion to dismiss the complaint of {opponent} was [denied|granted in part] in fiscal "
        "{year}.",
        "[Discovery|The exchange of documents] is [under way|to end in the summer of {next}].",
    ),
    (
        "In the matter of {opponent}, [expert reports were exchanged|depositions were completed] "
        "during fiscal {year}.",
        "The claim for {stake} is now put at ${#4-38}.{#1-9} million.",
        "The court has [set a trial date|ordered mediation] in fiscal {next}.",
        "We remain of the opinion that the allegation {claim} is unfounded.",
    ),
)

LEGAL_SHARED = Passage(
    "legal_shared",
    "From time to time we are involved in legal proceedings that arise in the ordinary course of "
    "business.",
    (
        "We do not believe that the outcome of these ordinary matters will have a material adverse "
        "effect on our financial condition.",
        "For further information about legal proceedings, see Note 12 to the consolidated "
        "financial statements, which is incorporated by reference into this item.",
    ),
    heading="Item 3. Legal Proceedings",
    count=(2, 2),
    shared=True,
)
