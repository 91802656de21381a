"""Wording of Item 8: the auditor's report and the notes."""

from finrag.sample.passages import Passage

OPINION = Passage(
    "opinion",
    "We have audited the accompanying consolidated balance sheets of {name} as of {date} and "
    "{prior_date}, and the related consolidated statements of income, stockholders' equity and "
    "cash flows for the years then ended.",
    (
        "In our opinion, the financial statements present fairly, in all material respects, the "
        "financial position of {short} at {date}, in conformity with generally accepted "
        "accounting principles.",
        "{auditor} has served as the auditor of {short} since {#2012-2016}.",
    ),
    heading="Report of Independent Registered Public Accounting Firm",
    count=(2, 2),
    is_threaded=False,
)

OPINION_BASIS = Passage(
    "opinion_basis",
    "These financial statements are the responsibility of management.",
    (
        "Our responsibility is to express an opinion on the financial statements based on our "
        "audits.",
        "We conducted our audits in accordance with the standards of the Public Company Accounting "
        "Oversight Board.",
        "Those standards require that we plan and perform the audit to obtain reasonable assurance "
        "about whether the financial statements are free of material misstatement.",
        "Our audits included examining, on a test basis, evidence regarding the amounts and "
        "disclosures in the financial statements.",
        "We believe that our audits provide a reasonable basis for our opinion.",
    ),
    heading="Basis for Opinion",
    count=(2, 4),
    shared=True,
)

CRITICAL_MATTER = Passage(
    "critical_matter",
    "The critical audit matter concerns the [valuation of goodwill in|rebates granted by] "
    "{segment2}.",
    (
        "Management's forecast for {product} [was|is] the assumption to which the result is most "
        "sensitive.",
        "We compared that forecast with [orders from {customer}|past results in {place}].",
        "Specialists of our firm [tested|recalculated] the discount rate used for {segment2}.",
    ),
    heading="Critical Audit Matter",
    count=(2, 3),
    is_threaded=False,
)

POLICIES = (
    Passage(
        "policy_consolidation",
        "The consolidated financial statements for fiscal {year} include the accounts of {name} "
        "and its wholly owned subsidiaries.",
        (
            "All significant intercompany balances and transactions have been eliminated in "
            "consolidation.",
            "Certain prior year amounts have been reclassified to conform to the current year "
            "presentation.",
            "The preparation of financial statements requires management to make estimates that "
            "affect the reported amounts of assets and liabilities.",
        ),
        heading="Note 1. Summary of Significant Accounting Policies",
        count=(1, 3),
        shared=True,
    ),
    Passage(
        "policy_cash",
        "The Company considers all highly liquid investments with an original maturity of three "
        "months or less to be cash equivalents.",
        (
            "The carrying amount of cash equivalents approximates fair value.",
            "Trade receivables are recorded at the invoiced amount less an allowance for expected "
            "credit losses.",
            "The allowance is based on historical loss rates, adjusted for current and expected "
            "conditions.",
        ),
        count=(1, 3),
        shared=True,
    ),
    Passage(
        "policy_property",
        "Property, plant and equipment is stated at cost less accumulated depreciation.",
        (
            "Depreciation is computed on the straight-line method over the estimated useful lives "
            "of the assets.",
            "Maintenance and repairs are charged to expense as incurred.",
            "Long-lived assets are reviewed for impairment whenever events indicate that their "
            "carrying amount may not be recoverable.",
        ),
        count=(1, 3),
        shared=True,
    ),
    Passage(
        "policy_tax",
        "Deferred tax assets and liabilities are recognized for the future tax consequences of "
        "temporary differences.",
        (
            "A valuation allowance is recorded when it is more likely than not that a deferred tax "
            "asset will not be realized.",
            "Interest and penalties on uncertain tax positions are included in income tax expense.",
        ),
        count=(1, 2),
        shared=True,
    ),
    Passage(
        "policy_new",
        "In [fiscal {year}|the first quarter of fiscal {year}] we adopted new guidance on "
        "[reference rates|convertible instruments|government assistance|supplier finance].",
        (
            "The adoption changed the disclosure of our agreements with {supplier}.",
            "It had no material effect on the {segment} segment.",
        ),
        count=(1, 2),
    ),
)

NOTE_REVENUE = Passage(
    "note_revenue",
    "We earn {sales} from the sale of {product}, {product2} and related services.",
    (
        "{sales} from {product} is recognized when [control passes to the customer|the customer "
        "accepts delivery].",
        "[Service contracts|Support] for {product2} [is|are] recognized evenly over the contract "
        "term.",
        "Payment terms with {customer} are {#30-90} days.",
        "Contract liabilities for {product} amounted to ${#1-28}.{#1-9} million at {date}.",
        "About {#55-92} percent of the contract liabilities at {prior_date} was recognized in "
        "fiscal {year}.",
    ),
    heading="Note 2. Revenue",
    count=(4, 5),
)

NOTE_DEAL = Passage(
    "note_deal",
    "We acquired {bought}, {what}, in fiscal {bought_year} for {price} in cash.",
    (
        "The purchase price of {bought} was allocated to the assets acquired and liabilities "
        "assumed at fair value.",
        "Customer relationships of {bought} are amortized over {#6-14} years.",
        "Goodwill from {bought} was assigned to the {segment} segment and reflects its work force.",
        "Costs of the {bought} purchase were expensed as incurred.",
    ),
    count=(3, 4),
)

NOTES = (
    Passage(
        "note_inventory",
        "Inventories consist of {material}, {material2}, work in process and finished goods such "
        "as {product}.",
        (
            "Cost is determined by the first-in, first-out method.",
            "Reserves for [slow-moving|excess] {material2} were ${#1-9}.{#1-9} million at {date}.",
            "[Consigned stock|Goods held for {customer}] is [excluded|shown separately].",
        ),
        heading="Note 4. Inventories",
        count=(2, 3),
    ),
    Passage(
        "note_plant",
        "Additions to property, plant and equipment [related|went] mainly to {place} and {place2}.",
        (
            "Machinery in {place} is depreciated over {#5-12} years and buildings over {#25-40} "
            "years.",
            "Construction in progress [consisted of|included] the {place2} project.",
            "Fully depreciated equipment in {place} with a cost of ${#2-30}.{#1-9} million is "
            "still in use.",
            "Commitments for equipment from {supplier} were ${#1-18}.{#1-9} million at {date}.",
        ),
        heading="Note 5. Property, Plant and Equipment",
        count=(2, 3),
    ),
    Passage(
        "note_goodwill",
        "Goodwill is assigned to the segments {segment}, {segment2} and {segment3}.",
        (
            "The test in the fourth quarter of fiscal {year} [showed|found] no impairment.",
            "The fair value of {segment2} was estimated from discounted cash flows of {product}.",
            "Trademarks such as {product2} have indefinite lives and are not amortized.",
            "Amortization of customer relationships from {target} was ${#1-9}.{#1-9} million.",
        ),
        heading="Note 6. Goodwill and Intangible Assets",
        count=(2, 3),
    ),
    Passage(
        "note_fair_value",
        "Financial instruments measured at fair value include [money market funds and swaps|swaps "
        "and deferred compensation assets].",
        (
            "Swaps with {lender} are valued with observable rates and are classified in Level 2.",
            "The fair value of our notes, based on Level 2 inputs, [exceeded|was below] their "
            "carrying amount by ${#1-30}.{#1-9} million.",
            "There were no transfers between levels in fiscal {year}.",
        ),
        heading="Note 8. Fair Value",
        count=(2, 3),
    ),
    Passage(
        "note_leases",
        "We lease [space and equipment|buildings and vehicles], most notably at {place} and "
        "{place2}.",
        (
            "The weighted average remaining term of our leases was {#3-9}.{#1-9} years at {date}.",
            "The lease of {place} [contains two renewal options|ends in {#2027-2034}].",
            "Variable payments for {place2} depend on [a price index|taxes and insurance].",
            "Discount rates reflect what {lender} would charge us for secured loans.",
        ),
        heading="Note 9. Leases",
        count=(2, 3),
    ),
    Passage(
        "note_tax",
        "Our effective tax rate differs from the federal rate of 21 percent because of [state "
        "taxes and credits|state taxes and stock awards].",
        (
            "Credits earned by {segment} [lowered|reduced] income taxes by ${#1-6}.{#1-9} million.",
            "Tax years from {#2014-2017} on remain open to examination.",
            "A valuation allowance covers losses of a subsidiary in {place2}.",
            "Unrecognized tax benefits were ${#1-9}.{#1-9} million at {date}.",
        ),
        heading="Note 10. Income Taxes",
        count=(2, 3),
    ),
    Passage(
        "note_stock",
        "Our stock plan [allows|provides for] grants of restricted shares and performance shares "
        "to managers in {home} and {place}.",
        (
            "In fiscal {year} we granted {#90-870} thousand restricted shares that vest over "
            "{#3-4} years.",
            "Performance shares depend on the operating income of {segment}.",
            "Unrecognized compensation cost of ${#2-40}.{#1-9} million will be expensed over "
            "{#1-2}.{#1-9} years.",
        ),
        heading="Note 11. Stock-Based Compensation",
        count=(2, 3),
    ),
)

NOTE_LEGAL = Passage(
    "note_legal",
    "We are defendants in the matters described below and in Item 3.",
    (
        "Purchase commitments to {supplier} for {material} amounted to ${#5-80}.{#1-9} million at "
        "{date}.",
        "We guarantee the obligations of [a dealer|a joint venture] near {place} up to "
        "${#1-7}.{#1-9} million.",
        "Warranty reserves for {product} were ${#1-9}.{#1-9} million at {date}.",
        "Legal costs are expensed as incurred.",
    ),
    heading="Note 12. Commitments and Contingencies",
    count=(2, 3),
)

NOTE_SEGMENTS = Passage(
    "note_segments",
    "Our chief executive reviews the results of {segment}, {segment2} and {segment3} each month.",
    (
        "Segment results exclude corporate costs, interest and income taxes.",
        "Sales between segments, mainly of {product}, are recorded at cost plus {#4-12} percent.",
        "Assets in {place} serve all three segments and are not allocated.",
        "{customer} is a customer of {segment} and {segment2}.",
    ),
    heading="Note 13. Segment Information",
    count=(2, 3),
)

NOTE_LATER = Passage(
    "note_later",
    "[After|Since] {date} we [signed a new agreement with {customer}|extended the facility with "
    "{lender}|ordered equipment for {place}].",
    (
        "The agreement [runs until|covers deliveries through] {#2025-2030}.",
        "In addition, {hazard} near {place} caused damage that is still being assessed.",
    ),
    heading="Note 14. Subsequent Events",
    count=(1, 2),
)
