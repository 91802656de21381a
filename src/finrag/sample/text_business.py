"""Wording of Items 1 and 2."""

from finrag.sample.passages import Passage

OVERVIEW = Passage(
    "overview",
    "{name} [is a|operates as a] [leading|long-established] [participant in|provider of] "
    "{industry}.",
    (
        "We were founded in {founded} and [are based|have our headquarters] in {home}.",
        "We report [our results in three segments|three segments]: {segment}, {segment2} and "
        "{segment3}.",
        "Our best-known [offering|name] is {product}, a(n) {kind} that {use}.",
        "Most of our {sales} [is earned|comes] from [customers|buyers] in {market}.",
        "[Over the past decade|Since 2010] we have moved from [a single location|regional "
        "operations] to {#4-9} [principal sites|locations].",
        "Our strategy is to [deepen|widen] our position in {market} while keeping [costs|risks] "
        "under control.",
    ),
    heading="Overview",
    count=(5, 6),
)

SEGMENT = Passage(
    "segment",
    "[Our {unit} segment|The {unit} segment] {work}.",
    (
        "{unit} is [managed from|led by a team in] {place}, where [its planning and service|most "
        "of its staff] are located.",
        "The principal [offerings|names] of {unit} are {product} and {product2}.",
        "[Orders|Contracts] in {unit} usually [run for one to three years|are renewed each "
        "spring].",
        "{customer} is the largest [customer|account] of {unit}.",
        "[Growth|Progress] in {unit} depends on [new contracts|wider use of {product}] and on the "
        "price of {material}.",
        "{unit} [added|opened] a [service desk|training center] in {place2} during fiscal {year}.",
    ),
    heading="{unit}",
    count=(3, 4),
)

PRODUCT = Passage(
    "product",
    "{product} is [our|a] {kind} [that|and] {use}.",
    (
        "{product} {trait}, and it {trait2}.",
        "[Most|The majority of] users of {product} are {buyers}.",
        "[It|{product}] {trait3}.",
        "We [make|prepare|support] {product} [mainly|largely] in {place}, with help from our "
        "{place2} location.",
        "[Volume|Demand] for {product} [rose|changed little|was uneven] during fiscal {year}, "
        "[helped|led] by {customer}.",
        "[The nearest alternative to {product}|What comes closest to {product}] is offered by "
        "{rival}, [at a lower price|with fewer features|under a longer contract].",
        "[We plan to|In fiscal {next} we expect to] [extend {product} to new groups of "
        "buyers|renew parts of {product}].",
        "{product} was [introduced|launched] in {#2001-2016} and has been [revised|updated] "
        "{#2-6} times since.",
        "[Service and spare parts|Follow-on orders] for {product} bring [steady|recurring] income.",
    ),
    heading="{product}",
    count=(4, 6),
)

OPERATIONS = (
    Passage(
        "customers",
        "We serve [about|more than] {#300-9000} customers, from [small firms|single sites] to "
        "[large groups|public bodies] such as {customer}.",
        (
            "{customer} and {customer2} each bought [goods and services|from at least two of our "
            "segments] in fiscal {year}.",
            "Our relationship with {customer} [dates back|goes back] to {#1994-2014}.",
            "[Sales teams|Account managers] in {place} look after {customer} and accounts of "
            "similar size.",
            "Contracts with {customer2} [include volume rebates|set prices for a year at a time].",
            "No other customer accounted for more than ten percent of our {sales}.",
        ),
        heading="Customers",
        count=(4, 5),
    ),
    Passage(
        "competition",
        "We compete with {rival}, {rival2} and [a number of smaller firms|many local firms].",
        (
            "{rival} is strongest in [price-sensitive accounts|the western states], where "
            "{product} is less known.",
            "{rival2} has [invested heavily|added capacity] in offerings close to {product2}.",
            "[Buyers compare|Our customers weigh] price, delivery time and [service|past "
            "experience].",
            "We believe that {product} [stands up well|compares well] against the offering of "
            "{rival}.",
            "Some competitors are [owned by larger groups|privately held], and little is known "
            "about their costs.",
        ),
        heading="Competition",
        count=(4, 5),
    ),
    Passage(
        "suppliers",
        "We buy {material} and {material2} from [outside suppliers|a short list of suppliers], "
        "among them {supplier} and {supplier2}.",
        (
            "{supplier} delivers {material} to {place} [every week|under an annual agreement].",
            "{supplier2} is our [main|preferred] source of {material2}.",
            "We [audit|visit] {supplier} [once a year|twice a year] and rate its quality and "
            "delivery.",
            "The cost of {material} [moves|varies] with [energy prices|world markets], and we pass "
            "on part of each change.",
            "{stock} {material2} were [raised|lowered] by about {#5-30} percent in fiscal {year}.",
        ),
        heading="Suppliers and Raw Materials",
        count=(4, 5),
    ),
    Passage(
        "operations",
        "Our operations are centered in {place}, our {role} location.",
        (
            "[Work|Production] in {place} runs in [two|three] shifts and is planned with the "
            "{system}.",
            "We [spent|invested] [on new equipment|in automation] in {place} to [cut waste|shorten "
            "lead times].",
            "{place2} [supports|backs up] {place} and serves as our {role2} location.",
            "[Quality checks|Inspections] at {place} found [fewer defects than|about as many "
            "defects as] in fiscal {prior}.",
            "Energy use in {place} fell by {#2-9} percent after [lights and motors|compressors] "
            "were replaced.",
        ),
        heading="Operations",
        count=(4, 5),
    ),
    Passage(
        "property_rights",
        "We protect {product} and other names through [trademarks and contracts|trademarks, trade "
        "secrets and contracts].",
        (
            "At {date} we held {#12-240} registered marks, the most valuable of which is "
            "{product}.",
            "The methods by which {product} {use} are kept as trade secrets.",
            "We license [a minor part|some] of the technology in {product2} from {supplier}.",
            "No single [license|patent] other than those behind {product} is material to us.",
        ),
        heading="Intellectual Property",
        count=(3, 4),
    ),
    Passage(
        "regulation",
        "[Our business is subject to|We operate under] {rule}, as [enforced|administered] by "
        "{agency}.",
        (
            "Under {rule} we must {demand}.",
            "A compliance group in {place} [tracks|follows] changes to {rule}.",
            "{agency} [last inspected|visited] our {place} site in fiscal {prior} and [reported "
            "no|closed its] findings.",
            "We believe that we [comply|are in compliance] with {rule} in all material respects.",
            "Spending to {demand} is [included in|part of] operating expenses.",
        ),
        heading="Government Regulation",
        count=(3, 5),
    ),
    Passage(
        "people",
        "[Our people|The people] in {place} and {place2} are [essential|central] to our success.",
        (
            "[Safety|Accident prevention] is reviewed [each morning|every week] with the crews in "
            "{place}.",
            "The rate of recordable injuries [fell|rose slightly] to {#1-3}.{#1-9} per 200,000 "
            "hours worked.",
            "We pay for [evening classes|trade certificates] through a program with colleges near "
            "{place}.",
            "[Some|Part] of the work force in {place2} is covered by a collective agreement.",
            "An [engagement|opinion] survey in fiscal {year} was answered by {#61-93} percent of "
            "our staff.",
        ),
        heading="Human Capital",
        count=(4, 5),
    ),
    Passage(
        "selling",
        "We sell {product} through [our own staff|a direct sales force] and [agents|resellers].",
        (
            "[Resellers|Agents] earn a commission of {#3-12} percent and cover areas far from "
            "{place}.",
            "Marketing of {product} relies on [trade fairs|advertising] and [references from "
            "{customer}|word of mouth].",
            "Sales cycles last from [a few days|two weeks] to [nine months|a year], depending on "
            "{buyers}.",
            "[A new web portal|An online order desk] for {product2} took its first orders in "
            "fiscal {prior}.",
        ),
        heading="Sales and Marketing",
        count=(3, 4),
    ),
    Passage(
        "seasons",
        "Our business is [somewhat|moderately] seasonal.",
        (
            "The [first|second|third|fourth] quarter is usually the strongest for {product}.",
            "[Weather|Holidays|School calendars] and the budgets of {buyers} explain most of the "
            "pattern.",
            "We build {stock} {material} ahead of the season.",
            "Results of one quarter are therefore no guide to a full year.",
        ),
        heading="Seasonality",
        count=(3, 4),
    ),
    Passage(
        "surroundings",
        "We hold permits for [air, water and waste|waste and storm water] at {place} and {place2}.",
        (
            "The permit for {place} [was renewed in fiscal {prior}|expires in {next}].",
            "[Waste|Scrap] from {material} is [sorted and sold|sent to a licensed handler].",
            "We have set aside ${#1-6}.{#1-9} million for cleanup at a former site near {place2}.",
            "Water use at {place} [fell|was unchanged] from a year earlier.",
        ),
        heading="Environmental Matters",
        count=(3, 4),
    ),
    Passage(
        "purchases",
        "We [bought|acquired] {target} to [strengthen|widen] our {segment} segment.",
        (
            "{target} [brought|added] customers in areas where {product} was little known.",
            "The staff of {target} now works [from {place}|under the management of {segment}].",
            "We [kept|retired] the {target} name and [moved|are moving] its orders to the "
            "{system}.",
            "For the accounting of the purchase of {target}, see Note 3.",
        ),
        heading="Acquisitions",
        count=(3, 4),
    ),
)

RESEARCH = Passage(
    "research",
    "Our development teams in {place} work on {product} and on [new uses|successors] of "
    "{product2}.",
    (
        "The [largest|most important] project aims at a version of {product} that [is smaller|uses "
        "less power|is faster].",
        "A [prototype|trial release] was shown to {customer} in fiscal {year}.",
        "We [filed|were granted] {#3-40} patent applications during the year.",
        "Universities near {place} [contribute to|carry out] basic studies for us.",
    ),
    heading="Research and Development",
    count=(3, 4),
)

AVAILABLE = Passage(
    "available_information",
    "We file annual, quarterly and current reports, proxy statements and other information with "
    "the Securities and Exchange Commission.",
    (
        "These reports are available free of charge on our web site as soon as reasonably "
        "practicable after we file them.",
        "The Commission also maintains a web site that contains reports and other information "
        "about issuers that file electronically.",
        "The information on our web site is not part of this report[| and is not incorporated in "
        "it by reference].",
        "Our code of conduct and the charters of our board committees are available there as well.",
    ),
    heading="Available Information",
    count=(1, 3),
    shared=True,
)

PROPERTIES = Passage(
    "properties",
    "Our [principal properties|main properties] are [listed|described] below.",
    (
        "We believe that our properties are in good condition and adequate for our present needs.",
        "[Leases|Our leases] end between {next} and {#2029-2036}, and most can be renewed.",
        "[During|In] fiscal {year} we [repaired the roof|enlarged the yard|replaced the heating] "
        "of our {place} location.",
        "For more about our leases, see Note 9.",
    ),
    heading="Item 2. Properties",
    count=(3, 4),
)

SITE = Passage(
    "site",
    "Our {spot_role} location in {spot} [covers|measures|has] about {area} square feet and is "
    "{tenure}.",
    (
        "{spot} [also houses|includes] [a warehouse|offices and a training room].",
        "[Part|About a tenth] of the {spot} location is let to another firm.",
    ),
    count=(0, 1),
)
