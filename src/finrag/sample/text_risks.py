"""Wording of Item 1A: one passage per risk, by topic."""

from finrag.sample.passages import Passage

INTRO = Passage(
    "risk_intro",
    "You should carefully consider the risks described below together with all of the other "
    "information in this report, including our consolidated financial statements and the related "
    "notes.",
    (
        "The risks and uncertainties described below are not the only ones we face.",
        "Additional risks that we do not presently know of, or that we currently believe are "
        "immaterial, may also impair our business.",
        "If any of these risks actually occurs, our business, financial condition and results of "
        "operations could be materially and adversely affected.",
        "In that event, the trading price of our common stock could decline and you could lose "
        "all or part of your investment.",
        "This report also contains forward-looking statements that involve risks and "
        "uncertainties[|; see the cautionary note at the front of this report].",
    ),
    heading="Item 1A. Risk Factors",
    count=(2, 4),
    shared=True,
)

SHARED = (
    Passage(
        "control_weakness",
        "If we fail to maintain effective internal control over financial reporting, our ability "
        "to produce accurate and timely financial statements could be impaired.",
        (
            "Section 404 of the Sarbanes-Oxley Act requires management to assess the "
            "effectiveness of our internal control over financial reporting each year.",
            "A control system, no matter how well designed and operated, can provide only "
            "reasonable, not absolute, assurance that its objectives are met.",
            "Because of these inherent limitations, misstatements due to error or fraud may occur "
            "and not be detected.",
            "If we identify a material weakness, investors could lose confidence in [our reported "
            "financial information|the reliability of our reports].",
            "Remedying a material weakness could require substantial management time and expense.",
        ),
        heading="A failure of our internal controls could harm our reputation and share price.",
        count=(2, 4),
        topic="general_risk",
        shared=True,
    ),
    Passage(
        "stock_volatility",
        "The market price of our common stock has been, and may continue to be, volatile.",
        (
            "Factors that may affect the price include actual or anticipated variations in our "
            "quarterly results, changes in estimates by analysts and general market conditions.",
            "Broad market fluctuations may reduce the price of our common stock regardless of our "
            "operating performance.",
            "Sales of a substantial number of shares by our directors, officers or large holders, "
            "or the perception that such sales could occur, could depress the price.",
            "Following periods of volatility, companies have often been the subject of securities "
            "class action litigation.",
            "Such litigation, if brought against us, could be costly and divert the attention of "
            "management.",
        ),
        heading="Our stock price may fluctuate significantly.",
        count=(2, 4),
        topic="general_risk",
        shared=True,
    ),
    Passage(
        "takeover_defenses",
        "Provisions of our charter and bylaws could delay or prevent a change of control that "
        "stockholders might consider favorable.",
        (
            "These provisions include a classified board, advance notice requirements for "
            "stockholder proposals and the authority to issue preferred stock without a vote.",
            "They may discourage a proxy contest or make the election of directors not nominated "
            "by our board more difficult.",
            "State law also restricts certain business combinations with interested stockholders "
            "[for three years|unless our board approves them in advance].",
            "As a result, the price that investors are willing to pay for our shares could be "
            "limited.",
        ),
        heading="Anti-takeover provisions could discourage an offer for our shares.",
        count=(2, 3),
        topic="general_risk",
        shared=True,
    ),
    Passage(
        "tax_changes",
        "Changes in tax laws or in their interpretation could increase our effective tax rate.",
        (
            "We are subject to income taxes and to examination by tax authorities in each "
            "jurisdiction in which we operate.",
            "Significant judgment is required in determining our provision for income taxes and "
            "our deferred tax balances.",
            "Although we believe our estimates are reasonable, the final outcome of an audit could "
            "differ from the amounts we have recorded.",
            "Legislation that raises the corporate rate or limits the deduction of interest would "
            "reduce our net income.",
        ),
        heading="Our effective tax rate may increase.",
        count=(2, 3),
        topic="regulatory",
        shared=True,
    ),
    Passage(
        "goodwill_impairment",
        "We may be required to record an impairment charge if the value of our goodwill or "
        "intangible assets declines.",
        (
            "We test goodwill for impairment at least once a year and whenever events suggest "
            "that its carrying amount may not be recoverable.",
            "A sustained fall in our market capitalization or weaker cash flow forecasts could "
            "trigger such a test.",
            "An impairment would be a non-cash charge, but it could be material to our reported "
            "results in the period in which it is recorded.",
            "See Note 6 for further information about our goodwill.",
        ),
        heading="Impairment of goodwill could reduce our earnings.",
        count=(2, 3),
        topic="general_risk",
        shared=True,
    ),
    Passage(
        "pandemic_boilerplate",
        "Public health emergencies, including the COVID-19 pandemic, have disrupted and could "
        "again disrupt our operations and those of our customers and suppliers.",
        (
            "The extent of the impact depends on developments that are uncertain and cannot be "
            "predicted, including the severity of any outbreak and the actions taken to contain "
            "it.",
            "Government orders may require us to close facilities, restrict travel or change the "
            "way our employees work.",
            "Absenteeism caused by illness or quarantine could reduce our output.",
            "The pandemic may also heighten other risks described in this section.",
        ),
        heading="Pandemics and other health emergencies could disrupt our business.",
        count=(2, 3),
        topic="operational_supply_chain",
        shared=True,
    ),
)

SPECIFIC = (
    Passage(
        "breach",
        "[A breach of|An intrusion into|Unauthorized access to] our {system} could expose "
        "confidential information and interrupt [our operations|the business of {segment}].",
        (
            "The {system} holds [pricing terms, personnel files and supplier records|data that our "
            "{segment} segment needs every hour of the day|records of {customer} and other "
            "customers].",
            "[In fiscal {year}|During the past two years] we [detected|blocked] "
            "[phishing messages that imitated {supplier}|attempts to install ransomware at our "
            "{place} location|password attacks aimed at remote workers in {place}].",
            "[Attackers|Hackers] [use tools that change constantly|have become better financed], "
            "and a [cyberattack|security breach] of the {system} may remain undiscovered for "
            "[weeks|months].",
            "We [carry|maintain] cybersecurity insurance of limited amount, and it [would not|may "
            "not] cover [lost profits|penalties or the cost of rebuilding the {system}].",
            "Customers such as {customer} could [end their agreements|demand indemnity] if their "
            "data held in the {system} were disclosed.",
            "Restoring the {system} from backup copies took [about {#7-40} hours|longer than "
            "planned] in our most recent exercise.",
        ),
        heading="[A security breach of|An attack on] our {system} could harm [our business|us].",
        topic="cybersecurity",
    ),
    Passage(
        "vendor_security",
        "We depend on [outside|third-party] software and hosting vendors whose own cybersecurity "
        "[we do not control|may be weaker than ours].",
        (
            "The {system2}, for example, runs on [servers leased from|equipment operated by] a "
            "vendor that also serves {rival}.",
            "A [malware|ransomware] infection at that vendor could make the {system2} unavailable "
            "[for days|during our busiest season].",
            "We review the security reports of our vendors [once a year|before each renewal], but "
            "such reports [describe the past|cover only part of their controls].",
            "Contracts with these vendors [cap|limit] their liability for a data breach at [twelve "
            "months of fees|an amount far below our possible loss].",
            "Moving the {system2} to another vendor would take at least {#5-18} months.",
        ),
        heading="[Security failures|Weaknesses] of vendors behind the {system2} could affect us.",
        count=(3, 4),
        topic="cybersecurity",
    ),
    Passage(
        "privacy",
        "We [collect|process] personal data of [customers and employees|individuals], and privacy "
        "and data protection rules are becoming [stricter|more numerous].",
        (
            "Several states have [adopted|enacted] privacy statutes that differ from one another "
            "in [scope and remedies|the rights they grant].",
            "A data breach that exposes personal data stored in the {system2} could trigger "
            "notices to [thousands of individuals|regulators within seventy-two hours].",
            "We appointed a [privacy officer|data protection committee] in {#2016-2019} to review "
            "each new use of personal data.",
            "Requests to delete personal data are handled by [a team in {place}|hand], which is "
            "slow and prone to error.",
        ),
        heading="Privacy rules may restrict [how we use data|the use of our {system2}].",
        count=(3, 4),
        topic="cybersecurity",
    ),
    Passage(
        "key_customer",
        "{customer} and {customer2} together account for a large part of our {sales}, and the loss "
        "of either would hurt us.",
        (
            "{customer} accounted for approximately {#8-17} percent of our {sales} in fiscal "
            "{year}.",
            "Our agreement with {customer} [expires in {next}|may be ended on ninety days' notice] "
            "and contains no minimum purchase commitment.",
            "{customer} has [opened a second source|asked {rival} for quotations] for part of what "
            "it buys from our {segment} segment.",
            "If {customer2} were to [merge|reduce its inventories], orders for {product} could "
            "[fall quickly|be delayed by several quarters].",
            "Large customers also press for [longer payment terms|rebates], which weighs on the "
            "margin of {product}.",
        ),
        heading="We depend on [{customer} and a few other|a small number of] large customers.",
        topic="market_competition",
    ),
    Passage(
        "rivals",
        "Competition in {market} is [intense|strong], and our competitors {rival} and "
        "{rival2} have [greater resources|lower costs] than we do.",
        (
            "{rival} [cut its list prices|introduced an alternative to {product}] in "
            "[the second half of fiscal {prior}|early fiscal {year}].",
            "{rival2} bundles [its offering with financing|service and hardware], which makes "
            "direct comparison with {product} difficult.",
            "We compete on [reliability and service|quality, delivery and price], and {product} "
            "is known because it {use}.",
            "New competitors, some backed by venture capital, have entered {market} with "
            "[simpler products|aggressive pricing].",
            "If {rival} gains market share in our {segment2} segment, we may have to "
            "[lower prices|spend more on promotion].",
            "Consolidation among competitors could leave us facing fewer but stronger rivals.",
        ),
        heading="Competition from {rival} and others could reduce our market share.",
        topic="market_competition",
    ),
    Passage(
        "product_dependence",
        "A [significant|substantial] portion of our {sales} comes from {product}, "
        "[our|the] {kind}.",
        (
            "{product} [represented|contributed] roughly {#14-29} percent of our {sales} in fiscal "
            "{year}.",
            "A competing {kind} [at a lower price|with a longer warranty] could [win over|attract] "
            "{buyers}.",
            "Demand for {product} depends on [the budgets|the confidence|the plans] of {buyers}.",
            "We are [preparing|developing] a successor, but [its launch has slipped|we cannot say "
            "when it will be ready].",
            "If {product} were [withdrawn|found defective], {product2} could not replace the lost "
            "income.",
            "Publicity about the way {product} {trait2} could also affect buyers' opinion of it.",
        ),
        heading="Our results depend heavily on {product}.",
        topic="market_competition",
    ),
    Passage(
        "demand_cycle",
        "Demand in {market} is [cyclical|uneven] and reacts to [interest rates, inflation and "
        "employment|economic conditions that we cannot control].",
        (
            "[In past downturns|During the downturn of 2009], {buyers} [postponed|cancelled] "
            "purchases of {product} with little notice.",
            "Inflation has raised what we pay for {material}, and price increases have not always "
            "followed.",
            "Higher interest rates [make it costlier for {customer} to finance purchases|reduce "
            "what households can spend].",
            "Much of our cost base in {place} is fixed, so a small fall in volume has a large "
            "effect on income.",
            "Forecasts for the {segment2} segment [proved too high|missed actual demand] in "
            "{#2-4} of the last eight quarters.",
        ),
        heading="Weak economic conditions could reduce demand [for {product}|in {market}].",
        topic="market_competition",
    ),
    Passage(
        "sole_supplier",
        "We buy {material} [mainly|almost entirely] from {supplier}, and [a shortage|an "
        "interruption] would stop part of our operations in {place}.",
        (
            "{supplier} [operates a single plant|rations its output when demand is high] and has "
            "no [contractual duty|obligation] to favor us.",
            "Qualifying {supplier2} as a second source [would take|took] about {#6-20} months.",
            "Our {stock} {material} cover roughly {#3-12} weeks.",
            "In fiscal {prior} a [late shipment|rejected lot] from {supplier} delayed deliveries "
            "of {product} by {#2-9} weeks.",
            "The price of {material} rose by [more than {#8-35} percent|a double-digit "
            "percentage] before [easing|leveling off] late in the year.",
            "Neither {supplier} nor {supplier2} is [required to|obliged to] hold inventory for us.",
        ),
        heading="Supply interruptions at {supplier} could delay our deliveries.",
        topic="operational_supply_chain",
    ),
    Passage(
        "site_outage",
        "A prolonged shutdown of our {role} in {place} would [harm|disrupt] our operations.",
        (
            "The {place} location has no duplicate elsewhere in our network.",
            "It could be stopped by {hazard}, [a labor dispute|a loss of power] or [severe "
            "weather|a fire].",
            "In fiscal {prior} the {place} facility was idle for {#2-11} days "
            "[after a utility failure|while repairs were made].",
            "Our property insurance for {place} carries a deductible and excludes [flood|"
            "earthquake] damage above a set limit.",
            "Moving production of {product} from {place} to {place2} would require [new permits|"
            "months of preparation|customer approval].",
        ),
        heading="An interruption at {place} could prevent us from serving customers.",
        topic="operational_supply_chain",
    ),
    Passage(
        "hazard",
        "Our business is exposed to [operating hazards|accidents], among them {hazard}.",
        (
            "An event of that kind could [injure people|damage property] and lead to claims "
            "against us.",
            "After {hazard} we would expect [inspections by {agency}|a pause in deliveries of "
            "{product}].",
            "We train our crews in {place} for such an event [twice a year|every quarter].",
            "Insurers have [raised premiums|narrowed coverage] for {hazard} in each of the last "
            "{#2-5} renewals.",
            "A [single|major] event could exceed the coverage limit that we bought.",
        ),
        heading="Accidents such as {hazard} could cause losses.",
        count=(3, 4),
        topic="operational_supply_chain",
    ),
    Passage(
        "logistics",
        "[Freight delays|Congestion in transport] can keep {material} from reaching {place} and "
        "{product} from reaching {buyers}.",
        (
            "Lead times for {material} [doubled|lengthened by {#3-14} weeks] when ports were "
            "congested.",
            "We [paid for air freight|used costlier carriers] to protect deliveries to {customer}.",
            "A disruption of the supply chain at {supplier} would reach us within {#2-8} weeks.",
            "[Carrier contracts|Transport rates] are renegotiated each spring, and rates have "
            "risen in {#3-6} of the past seven years.",
            "We do not own the [trucks|warehouses] that handle most inbound material for {place}.",
        ),
        heading="[Transport problems|Freight delays] may raise costs [in {place}|for {product}].",
        count=(3, 4),
        topic="operational_supply_chain",
    ),
    Passage(
        "labor",
        "We need [skilled|experienced] people in {place}, and competition for them is intense.",
        (
            "Wages for [technicians|operators|supervisors] in {place} rose by about {#3-11} "
            "percent in fiscal {year}.",
            "Turnover among staff with less than one year of service [exceeded|was close to] "
            "{#18-44} percent.",
            "[{rival} opened a facility|Several employers expanded] within an hour of {place} and "
            "recruits from the same schools.",
            "The collective agreement at {place2} [expires in {next}|was renewed after two votes].",
            "Losing the leader of our {segment} segment would [slow|set back] projects such as "
            "{product}.",
        ),
        heading="We may be unable to [attract and keep|hire] qualified people in {place}.",
        topic="operational_supply_chain",
    ),
    Passage(
        "expansion",
        "Our [expansion|modernization] of the {place} site may cost more and take longer than we "
        "plan.",
        (
            "The project includes [a new line|added capacity] for {product} and is scheduled for "
            "completion in {next}.",
            "Contractors in {place} have [quoted higher prices|asked for extensions], and "
            "equipment from {supplier2} is late.",
            "Until the {place} project is finished, [overtime|outside capacity] will raise our "
            "costs.",
            "If demand from {customer2} does not develop as forecast, the added capacity would be "
            "underused.",
        ),
        heading="[Capital projects in|The expansion of] {place} may be late or exceed the budget.",
        count=(2, 4),
        topic="operational_supply_chain",
    ),
    Passage(
        "rule",
        "We must comply with {rule}, under which we [must|have to] {demand}.",
        (
            "{agency} [enforces|administers] {rule} and may [inspect our records|visit our sites] "
            "without notice.",
            "A violation could lead to [fines|penalties] and to [corrective orders|a suspension of "
            "sales].",
            "[Compliance with|Meeting] {rule} cost us about ${#1-9}.{#1-9} million in fiscal "
            "{year}.",
            "In fiscal {prior}, {agency} issued [an observation|a notice] about our {place} "
            "location, [which we answered within thirty days|which remains open].",
            "[Proposed amendments|A draft revision] would extend {rule} to {product2}.",
            "We cannot predict how {agency} will interpret the duty to {demand}.",
        ),
        heading="The duty to comply with {rule} may limit our business.",
        topic="regulatory",
    ),
    Passage(
        "environment",
        "Environmental laws govern our [emissions, waste and water use|handling of waste and "
        "water] at {place} and elsewhere.",
        (
            "We [monitor groundwater|operate a treatment system] at {place} under a [consent "
            "order|permit] issued before we bought the site.",
            "Cleanup costs at {place} could exceed the ${#1-8}.{#1-9} million that we have "
            "accrued.",
            "New limits on [discharge|emissions] may require [capital spending|changes in how we "
            "use {material}].",
            "Neighbors of the {place} site have [complained|petitioned the county] about "
            "[traffic|noise|odor].",
        ),
        heading="Environmental obligations at {place} could be costly.",
        count=(3, 4),
        topic="regulatory",
    ),
    Passage(
        "trade",
        "[Tariffs|Trade restrictions] and sanctions can raise the cost of {material} and limit "
        "sales from {place}.",
        (
            "Duties on {material} [were raised|have changed] {#2-4} times in six years.",
            "We import [components|goods] through [one broker|two ports] and rely on its "
            "classification of each shipment.",
            "Regulations on forced labor and origin require [paperwork from {supplier}|tracing of "
            "every shipment].",
            "A trade dispute with {country} would [delay|complicate] the movement of goods between "
            "{place} and {place2}.",
        ),
        heading="[Trade policy|Tariffs] may affect the cost of {material}.",
        count=(3, 4),
        topic="regulatory",
        abroad=True,
    ),
    Passage(
        "climate_rules",
        "Climate regulation and the physical effects of a changing climate could [raise our "
        "costs|affect our sites].",
        (
            "Our {place} location has experienced [stronger storms|longer heat waves] in recent "
            "years.",
            "Rules under discussion would oblige us to [report emissions|buy allowances] for "
            "{place}.",
            "{customer} now asks suppliers for [climate targets|energy data] before renewing "
            "contracts.",
            "Premiums for weather damage at {place} are {#12-48} percent higher than they were "
            "three years ago.",
        ),
        heading="Climate change may affect [us|our {place} location].",
        count=(2, 4),
        topic="regulatory",
    ),
    Passage(
        "lawsuit",
        "We are party to litigation with {suitor}, and an [adverse|unfavorable] outcome could be "
        "costly.",
        (
            "Defending the claim of {suitor} has [occupied management|required ${#1-6}.{#1-9} "
            "million of legal fees] so far.",
            "A [judgment|settlement] in favor of {suitor} might encourage similar lawsuits.",
            "Insurance [may not|will not] cover [punitive damages|the full amount] sought by "
            "{suitor}.",
            "Our legal proceedings are described in Item 3 and in Note 12.",
            "Courts in other states have reached [different|inconsistent] conclusions on the legal "
            "theory put forward by {suitor}.",
        ),
        heading="[Litigation|Our dispute] with {suitor} could be expensive and distracting.",
        count=(3, 4),
        topic="legal_ip",
    ),
    Passage(
        "patents",
        "Our intellectual property, [above all|including] the [trade secrets|know-how|trademarks] "
        "behind {product}, may not be adequately protected.",
        (
            "{rival} [holds|has applied for] patents in fields close to {product}.",
            "Some of the [agreements|licenses] that cover {product} end in {next}.",
            "Former employees could [disclose|reuse] the methods by which {product} {use}.",
            "We have [opposed|challenged] {#2-7} trademark filings that resemble the name "
            "{product}.",
            "An infringement suit brought by {rival2} could force us to [redesign|withdraw] "
            "{product2}.",
        ),
        heading="We may be unable to protect [our intellectual property|the names we own].",
        topic="legal_ip",
    ),
    Passage(
        "liability",
        "Claims that {product} [caused harm|did not perform] could result in liability beyond our "
        "insurance.",
        (
            "{product} is used by {buyers}, who rely on it every day.",
            "[Complaints|Warranty claims] about {product} numbered {#40-390} in fiscal {year}.",
            "A recall of {product} would [burden our {segment2} segment|interrupt shipments to "
            "{customer}].",
            "Plaintiffs may argue that our instructions for {product} were [unclear|incomplete].",
            "We carry liability coverage with a self-insured retention of ${#1-5} million per "
            "claim.",
        ),
        heading="Liability claims relating to {product} could harm us.",
        count=(3, 4),
        topic="legal_ip",
    ),
    Passage(
        "contracts",
        "Our contracts with {customer} contain [indemnities|service guarantees] that could lead to "
        "legal disputes.",
        (
            "If deliveries of {product} fall below the agreed level, {customer} may [claim "
            "damages|withhold payment].",
            "We paid [credits|penalties] of ${#100-950} thousand under such clauses in fiscal "
            "{prior}.",
            "Some agreements with {customer} give it the right to audit our {place} site.",
            "Disputes must be brought before [an arbitrator|the courts] chosen by {customer}.",
        ),
        heading="Contract terms [agreed with {customer}|of large customers] expose us to claims.",
        count=(2, 4),
        topic="legal_ip",
    ),
    Passage(
        "indebtedness",
        "Our indebtedness limits our flexibility, and we may be unable to refinance it on "
        "acceptable terms.",
        (
            "Our credit agreement with {lender} contains covenants on leverage and interest "
            "coverage.",
            "If we breached a covenant, {lender} could [declare|call] the whole credit line due.",
            "Each increase of one percentage point in interest rates would add about "
            "${#1-9}.{#1-9} million to our yearly borrowing cost.",
            "A [downgrade|lower rating] of our notes would raise the margin that {lender} charges.",
            "Cash used to serve debt is not available for [projects such as {product}|investment "
            "in {place}].",
            "Our lenders include {#4-12} banks, not all of which have committed beyond {next}.",
        ),
        heading="[Our debt|What we owe {lender}] could limit our ability to run our business.",
        topic="liquidity_credit",
    ),
    Passage(
        "liquidity",
        "We need liquidity to fund [working capital|{stock} {material}] and [capital "
        "projects|the build-out of {place}], and credit may not be available when needed.",
        (
            "Our cash needs peak in the [second|third|fourth] quarter, when [stocks of {material} "
            "are bought|payments to {supplier} fall due].",
            "During market stress, [commercial paper|bank credit] became scarce, and we drew on "
            "the facility with {lender}.",
            "[Slower payment by|A delay in payments from] {customer} would reduce our liquidity at "
            "once.",
            "We could be forced to [delay|scale back] spending on {product} if cash ran short.",
            "Other sources of capital, such as a sale of [receivables|shares], may be costly.",
        ),
        heading="We may not have sufficient liquidity[| to pay {supplier} and others on time].",
        topic="liquidity_credit",
    ),
    Passage(
        "credit_losses",
        "We extend credit to customers such as {customer2}, and a default would cause losses.",
        (
            "Balances due from {customer2} made up {#6-18} percent of our receivables at {date}.",
            "{customer2} has [asked for extended terms|paid late in {#2-4} of the last eight "
            "quarters].",
            "We do not [insure|secure] most of what {customer2} owes.",
            "A bankruptcy of {customer2} could lead to [a write-off|claims for the return of "
            "payments].",
        ),
        heading="Customers such as {customer2} may fail to pay us.",
        count=(2, 4),
        topic="liquidity_credit",
    ),
    Passage(
        "currency",
        "We are exposed to foreign currency risk because part of our costs and income arises in "
        "{currency}.",
        (
            "A [stronger|weaker] {currency} raises the cost of running our business in {country}.",
            "We [hedge|cover] only a part of our {currency} exposure, for at most {#6-18} months.",
            "Exchange rate changes also affect the value of balances that we hold in {country}.",
            "Controls on the transfer of {currency} could trap cash in {country}.",
            "Translation of results from {country} may [hide|distort] the underlying trend of our "
            "{segment2} segment.",
        ),
        heading="[Exchange rate changes|Swings of the {currency}] may reduce our income.",
        count=(3, 4),
        topic="liquidity_credit",
        abroad=True,
    ),
    Passage(
        "integration",
        "We may not realize the benefits that we expected from the purchase of {target}.",
        (
            "Combining {target} with our {segment} segment has required [new systems|staff moves "
            "to {place}].",
            "Some [customers|managers] of {target} have left since we announced the purchase.",
            "{target} used [older software|different accounting methods], which we are replacing.",
            "Hidden liabilities of {target} may come to light after the [indemnity|escrow] period "
            "ends.",
            "We continue to look for other businesses to buy, and [rivals|private funds] bid for "
            "the same ones.",
        ),
        heading="[Acquisitions such as {target} involve risks|{target} may disappoint us].",
        topic="general_risk",
    ),
    Passage(
        "reputation",
        "The reputation of {product} is among our most valuable assets, and it can be lost "
        "quickly.",
        (
            "Critical comments about {product} spread on social media [in early fiscal {year}|"
            "within hours last spring].",
            "Buyers do not always tell {product} apart from [imitations|the offering of {rival}].",
            "A mishap at {supplier} could be blamed on us by {buyers}.",
            "We spend [more each year|a growing amount] on [advertising|quality programs] to "
            "protect the name.",
        ),
        heading="Damage to our reputation could reduce sales of {product}.",
        count=(2, 4),
        topic="general_risk",
    ),
    Passage(
        "technology_change",
        "Technology in {industry} [changes|moves] quickly, and {product} could become outdated.",
        (
            "{rival2} is testing a method that does what {product} does at lower cost.",
            "Our own work on a successor to {product} is centered in {place}.",
            "{buyers} expect us to [connect {product} to their software|offer {product} by "
            "subscription].",
            "Artificial intelligence may change how {buyers} [choose|use] a(n) {kind}.",
            "If we choose the wrong technology, the money spent in {place} would be lost.",
        ),
        heading="{product} may not keep pace with technological change.",
        count=(3, 4),
        topic="general_risk",
    ),
)
