"""Reading of questions: companies, years, topics, sections, form; fictional companies only."""

import re
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finrag.questions import READING_SCHEMA, read_questions
from finrag.text.company_names import shorten_names

CATALOGUES = Path(__file__).parents[2] / "seeds" / "catalogues"
NEWLINES = pyarrow.csv.ParseOptions(newlines_in_values=True)
KPI_PATTERNS = pyarrow.csv.read_csv(CATALOGUES / "kpi_patterns.csv", parse_options=NEWLINES)
PAGE_CUES = pyarrow.csv.read_csv(CATALOGUES / "page_cues.csv", parse_options=NEWLINES)
RISK_PATTERNS = pyarrow.csv.read_csv(CATALOGUES / "risk_patterns.csv", parse_options=NEWLINES)

OSTRAVA, VERDAL, BLOCK, PAIR, WHARF, QUANTUM, STEEL = 7, 8, 9, 10, 11, 12, 13
LEGAL = [
    (OSTRAVA, "OSTRAVA MILLS HOLDINGS, INC.", "OSTM"),
    (VERDAL, "Verdal Paper Corporation", "VP"),
    (BLOCK, "Gap Corp", "GAPC"),
    (PAIR, "Nettle & Thorne Company", "NTHN"),
    (WHARF, "O'Wharf's (C++) Stores.com, Inc. [*]", "WHRF.B"),
    (QUANTUM, "7Q Labs plc", "F"),
    (STEEL, "ZELLE-FERRO A/S", None),
]
YEARS = range(2015, 2024)


def corpus(legal=LEGAL, years=YEARS):
    named = pa.table(
        {
            "cik_int": pa.array([row[0] for row in legal], pa.int64()),
            "company_name": pa.array([row[1] for row in legal], pa.string()),
            "ticker": pa.array([row[2] for row in legal], pa.string()),
        }
    )
    short = shorten_names(named).to_pylist()
    given_names = named.sort_by("cik_int").to_pylist()
    companies = [{**row, **names} for row, names in zip(given_names, short, strict=True)]
    filings = [
        {"cik_int": cik, "report_year": year, "company_name": name}
        for cik, name, _ in legal
        for year in years
    ]
    return pa.Table.from_pylist(companies), pa.Table.from_pylist(filings)


COMPANIES, FILINGS = corpus()


def read_all(texts, companies=COMPANIES, filings=FILINGS):
    questions = pa.table(
        {
            "item_id": pa.array([f"q{n}" for n in range(len(texts))], pa.string()),
            "gold_set": pa.array(["p3"] * len(texts), pa.string()),
            "question_text": pa.array(texts, pa.string()),
        }
    )
    return read_questions(
        questions, companies, filings, KPI_PATTERNS, RISK_PATTERNS, PAGE_CUES
    ).to_pylist()


def read(text, **tables):
    return read_all([text], **tables)[0]


def test_a_question_is_read_field_by_field():
    text = "How much did Ostrava Mills' long-term debt change from fiscal 2018 to 2020?"
    reading = read(text)
    assert reading == {
        "item_id": "q0",
        "gold_set": "p3",
        "document_id": None,
        "question_text": text,
        "cik_ints": [OSTRAVA],
        "years": [2018, 2020],
        "kpi_labels": ["debt"],
        "risk_topics": [],
        "section_names": ["ITEM_7", "ITEM_8"],
        "forms": [],
        "segments": [],
        "scope": "cross_year",
        "answer_form": "numeric",
        "is_change": True,
        "topic_text": "long-term debt change",
        "page_kinds": ["balance_sheet", "debt"],
    }


@pytest.mark.parametrize(
    ("text", "ciks"),
    [
        ("What did OSTRAVA MILLS HOLDINGS, INC. earn?", [OSTRAVA]),
        ("What were Ostrava Mills’ sales?", [OSTRAVA]),
        ("What were Ostrava Mills Holdings' sales?", [OSTRAVA]),
        ("what did ostrava mills earn?", [OSTRAVA]),
        ("What did OSTM earn?", [OSTRAVA]),
        ("What did $ostm earn?", [OSTRAVA]),
        ("what did ostm earn?", [OSTRAVA]),
        ("Nettle and Thorne vs. Nettle & Thorne", [PAIR]),
        ("How is N&T doing against NnT?", [PAIR]),
        ("Does Verdal's margin beat Ostrava's?", [OSTRAVA, VERDAL]),
        ("What did Zelle Ferro pay?", [STEEL]),
        ("What did Zelle–Ferro pay?", [STEEL]),
        ("What did zelleferro pay?", [STEEL]),
        ("What did 7Q Labs spend?", [QUANTUM]),
        ("What did (NYSE: F) spend?", [QUANTUM]),
        ("What did $F spend?", [QUANTUM]),
        ("What did CIK 7 and CIK 0000000008 file?", [OSTRAVA, VERDAL]),
        ("Nettle &amp; Thorne&#39;s debt", [PAIR]),
        ("<b>Ostrava</b> Mills'; drop table questions;--", [OSTRAVA]),
    ],
)
def test_a_company_is_known_by_all_its_names(text, ciks):
    assert read(text)["cik_ints"] == ciks


@pytest.mark.parametrize(
    "text",
    [
        "What is the gap between revenue and cost?",
        "WHAT IS THE GAP BETWEEN REVENUE AND COST?",
        "What did Ostravamillsian earn?",
        "What did F spend on R&D?",
        "Is COSTM disclosed?",
        "What of VP&A pay?",
        "How much of the ostm_total was paid?",
        "What did Verdun Paper earn?",
        "What did the other company earn?",
    ],
)
def test_what_is_no_name_names_nobody(text):
    assert read(text)["cik_ints"] == []


def test_an_everyday_word_is_a_name_by_its_capital_or_its_place():
    texts = ["What did Gap earn?", "gap's debt in 2019", "what did gap earn in FY19?"]
    assert [row["cik_ints"] for row in read_all(texts)] == [[BLOCK]] * 3


def test_a_name_full_of_regex_characters_is_a_name():
    assert read("Did O'Wharf's (C++) Stores.com, Inc. [*] grow?")["cik_ints"] == [WHARF]
    assert read("Did $WHRF.B grow?")["cik_ints"] == [WHARF]


def test_a_ticker_like_a_word_is_a_word_in_small_letters():
    tables = corpus([(1, "Plant & Lawn Supply Inc", "SITE"), (2, "Kobold Motors SE", "KBLD")])
    texts = ["Is the site sold?", "is the site sold?", "what did site sell?", "SITE", "kbld debt"]
    assert [row["cik_ints"] for row in read_all(texts, *tables)] == [[], [], [1], [1], [2]]


def test_one_letter_is_no_name_and_initials_keep_their_capitals():
    tables = corpus([(1, "A Inc", None), (2, "IQ Corp", None)])
    texts = ["A debt of A", "Iq of IQ", "What iq is it?"]
    assert [row["cik_ints"] for row in read_all(texts, *tables)] == [[], [2], []]


def test_the_longest_name_wins():
    companies, filings = corpus(
        [(1, "Calder Freight Inc", None), (2, "Calder Freight Lines Inc", None)]
    )
    found = read_all(
        ["Did Calder Freight Lines pay?", "Did Calder Freight pay?"], companies, filings
    )
    assert [row["cik_ints"] for row in found] == [[2], [1]]


def test_a_shared_name_means_the_company_with_more_filings_or_nobody():
    twins = [(1, "Calder Inc", None), (2, "CALDER CORP", None)]
    companies, filings = corpus(twins)
    more = pa.concat_tables([filings, filings.filter(pa.compute.equal(filings["cik_int"], 2))])
    assert read("What did Calder pay?", companies=companies, filings=filings)["cik_ints"] == []
    assert read("What did Calder pay?", companies=companies, filings=more)["cik_ints"] == [2]


def test_a_former_name_is_known_from_its_filings():
    old = pa.Table.from_pylist(
        [{"cik_int": OSTRAVA, "report_year": 2010, "company_name": "Moravian Looms Inc"}]
    )
    filings = pa.concat_tables([FILINGS, old])
    assert read("What did Moravian Looms pay?", filings=filings)["cik_ints"] == [OSTRAVA]


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("revenue in fiscal 2019", [2019]),
        ("FY2019 revenue", [2019]),
        ("FY19 revenue", [2019]),
        ("FY 2019 and FY'20 revenue", [2019, 2020]),
        ("revenue in '19", [2019]),
        ("revenue in Q3 2019 and 4Q20", [2019, 2020]),
        ("fiscal 2018-2020 revenue", [2018, 2019, 2020]),
        ("revenue 2018–2020", [2018, 2019, 2020]),
        ("revenue 2018 — 2020", [2018, 2019, 2020]),
        ("revenue 2018-20", [2018, 2019, 2020]),
        ("revenue FY18-FY20", [2018, 2019, 2020]),
        ("why revenue moved 2018 to 2020", [2018, 2019, 2020]),
        ("revenue from 2018 through 2020", [2018, 2019, 2020]),
        ("revenue from 2018 through Dec. 2020", [2018, 2019, 2020]),
        ("revenue from fiscal year 2018 to fiscal year 2020", [2018, 2019, 2020]),
        ("why revenue moved between 2018 and 2020", [2018, 2019, 2020]),
        ("revenue in 2020, 2018 and 2019", [2018, 2019, 2020]),
        ("revenue in 2018 and 2020", [2018, 2020]),
        ("revenue in 2018, and 2020", [2018, 2020]),
        ("revenue 2018/2019", [2018, 2019]),
        ("at December 31, 2019", [2019]),
        ("at December 31,2019", [2019]),
        ("on 2019-12-31", [2019]),
        ("on 12/31/2019 or 31.12.2020", [2019, 2020]),
        ("between December 31, 2018 and December 31, 2020, why", [2018, 2019, 2020]),
        ("in its 10-K for 2019", [2019]),
        ("revenue", []),
        ("", []),
    ],
)
def test_years_lists_and_ranges(text, years):
    assert read(text)["years"] == years


@pytest.mark.parametrize(
    "text",
    [
        "$2,019 million",
        "$2019 in fees",
        "2019 million shares",
        "2000 stores",
        "2015 employees",
        "2019.5 tons",
        "2019%",
        "2019,000 units",
        "ASU 2016-02",
        "ASC Topic 2018",
        "notes due 2025",
        "the 2025 senior notes",
        "the 2015 Equity Incentive Plan",
        "its 2018 restructuring plan",
        "the Tax Act of 2017",
        "the 2010s",
        "in its 10-K",
        "its fiscal 10-K",
        "COVID-19",
        "page 2019",
        "call 555-2019",
        "abc2019",
        "20190",
        "3M and 19 plants",
    ],
)
def test_numbers_that_are_no_years(text):
    assert read(text)["years"] == []


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("By how much did debt change from 2018 to 2021?", [2018, 2021]),
        ("Did debt rise between 2018 and 2021?", [2018, 2021]),
        ("What was the change in debt, 2018-2021?", [2018, 2021]),
        ("By how much did debt change each year from 2018 to 2021?", [2018, 2019, 2020, 2021]),
        ("By how much did debt change from 2018 through 2021?", [2018, 2019, 2020, 2021]),
        ("Verdal vs Ostrava: debt, 2018-2020", [2018, 2019, 2020]),
        ("Why did debt change from 2018 to 2021?", [2018, 2019, 2020, 2021]),
        ("What was average debt from 2018 to 2021?", [2018, 2019, 2020, 2021]),
    ],
)
def test_one_change_needs_the_two_ends_alone(text, years):
    assert read(text)["years"] == years


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("What was debt in 2019, according to the 2020 10-K?", [2020]),
        ("In its 2020 annual report, what was debt in 2018 and 2019?", [2020]),
        ("Compare the risk factors of the 2020 10-K with 2018.", [2018, 2020]),
        ("In its 2019 and 2020 10-Ks, what was debt?", [2019, 2020]),
        ("Across its 10-Ks for 2018 to 2020, what was debt?", [2018, 2019, 2020]),
        ("What does the 2020 10-K expect for 2021?", [2020, 2021]),
    ],
)
def test_the_year_of_a_filing_tells_where_to_look(text, years):
    assert read(text)["years"] == years


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("Ostrava's debt since 2021", [2021, 2022, 2023]),
        ("Ostrava's debt in the latest 10-K", [2023]),
        ("Ostrava's debt in the most recent fiscal year", [2023]),
        ("Ostrava's debt over the last three years", [2021, 2022, 2023]),
        ("Ostrava's debt over the past 2 fiscal years", [2022, 2023]),
        ("Ostrava's debt in 2016 and over the last three years", [2016]),
    ],
)
def test_relative_years_count_from_the_last_filing(text, years):
    assert read(text)["years"] == years


def test_relative_years_without_filings_name_none():
    assert read("debt in the latest 10-K", filings=FILINGS.slice(0, 0))["years"] == []


def test_a_span_of_years_beyond_all_sense_is_two_years():
    assert read("debt from 1950 through 2050")["years"] == [1950, 2050]


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        ("What does Item 7 say?", ["ITEM_7"]),
        ("What do Items 1A and item 7a. say?", ["ITEM_1A", "ITEM_7A"]),
        ("What does the MD&A say about debt?", ["ITEM_7"]),
        ("What do the risk factors say about debt?", ["ITEM_1A"]),
        ("What does the balance sheet say about debt?", ["ITEM_8"]),
        ("How much debt is there?", ["ITEM_7", "ITEM_8"]),
        ("What dividends per share were paid?", ["ITEM_5", "ITEM_7", "ITEM_8"]),
        ("Which cybersecurity risks are there?", ["ITEM_1A"]),
        ("How is “basis risk” defined?", []),
        ("Who is the chief executive?", []),
        ("How many items were sold in 7 shops?", []),
    ],
)
def test_sections_are_named_or_follow_from_the_topic(text, sections):
    assert read(text)["section_names"] == sections


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("What does the 10-K of 2020 say?", ["10-K"]),
        ("What do its annual report and its 10Q say?", ["10-K", "10-Q"]),
        ("What do the 8-Ks and the 20-F say?", ["20-F", "8-K"]),
        ("What did 10 Q Labs report quarterly?", []),
    ],
)
def test_forms_are_named(text, forms):
    assert read(text)["forms"] == forms


@pytest.mark.parametrize(
    ("text", "segments"),
    [
        ("How much did Ostrava Mills' Pantry Brands segment earn?", ["Pantry Brands"]),
        ("Did the Chilled and Dairy segment grow?", ["Chilled and Dairy"]),
        ("Did Foodservice segment grow?", ["Foodservice"]),
        ("Compare the Rooms segment with the Marinas segment.", ["Marinas", "Rooms"]),
        ("Which segment grew?", []),
        ("How did the largest segment grow?", []),
        ("segment", []),
        ("Which segments are there?", []),
    ],
)
def test_segments_are_named(text, segments):
    assert read(text)["segments"] == segments


@pytest.mark.parametrize(
    ("text", "kpis", "risks"),
    [
        ("How did total debt change between 2018 and 2019?", ["debt"], []),
        ("Did revenue increase over the year?", ["revenue"], []),
        ("What was cost of revenue?", ["cost_of_revenue"], []),
        ("FCF and COGS?", ["cost_of_revenue", "free_cash_flow"], []),
        ("How much cash did it generate from operating activities?", ["cash_from_operations"], []),
        ("What did sales amount to?", ["revenue"], []),
        ("How big is the sales force?", [], []),
        ("Which cyberattacks does it describe?", [], ["cybersecurity"]),
        ("How risky is it?", [], []),
        ("What risks does it name?", [], ["general_risk"]),
        ("Which liquidity risks follow from its debt?", ["debt"], ["liquidity_credit"]),
        ("How much indebtedness is there?", ["debt"], []),
    ],
)
def test_topics_are_those_of_the_patterns(text, kpis, risks):
    reading = read(text)
    assert (reading["kpi_labels"], reading["risk_topics"]) == (kpis, risks)


def test_words_of_a_name_are_no_topic():
    companies, filings = corpus([(1, "Harbor Revenue Litigation Inc", None)])
    reading = read("Who runs Harbor Revenue Litigation?", companies=companies, filings=filings)
    assert (reading["cik_ints"], reading["kpi_labels"], reading["risk_topics"]) == ([1], [], [])


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("How much revenue did Verdal report?", "numeric"),
        ("What was Verdal's revenue?", "numeric"),
        ("What revenue did Verdal report?", "numeric"),
        ("What were Verdal's diluted earnings per share?", "numeric"),
        ("By how many dollars did debt change?", "numeric"),
        ("What % of revenue is debt?", "numeric"),
        ("Verdal revenue 2019", "numeric"),
        ("Give Verdal's net income.", "numeric"),
        ("What is the 3 year average of capex?", "numeric"),
        ("When did its fiscal year end?", "numeric"),
        ("Did revenue grow?", "boolean"),
        ("In its 2019 10-K, does Verdal disclose a backlog?", "boolean"),
        ("Tell me whether revenue grew.", "boolean"),
        ("Using what is shown in the MD&A, did revenue grow, and how is that put?", "boolean"),
        ("List the three segments that Verdal names.", "list"),
        ("Which two growth drivers did Verdal name?", "list"),
        ("What are Verdal's segments?", "list"),
        ("Which products were withdrawn?", "list"),
        ("Can you list the segments?", "list"),
        ("Compare what Verdal and Ostrava say of rain.", "list"),
        ("Why did revenue grow?", "span"),
        ("What drove revenue?", "span"),
        ("What caused the increase in revenue?", "span"),
        ("Which risks does Verdal describe?", "span"),
        ("How does Verdal define free cash flow?", "span"),
        ("What does Verdal mean by “net sales”?", "span"),
        ("What was revenue, and why did it fall?", "span"),
        ("Could you explain the fall in revenue?", "span"),
        ("Who was the largest customer?", "span"),
        ("Verdal", "span"),
    ],
)
def test_forms_of_answers(text, form):
    assert read(text)["answer_form"] == form


@pytest.mark.parametrize(
    ("text", "is_change"),
    [
        ("By how much did revenue grow in 2019?", True),
        ("Was revenue higher than in 2018?", True),
        ("How did revenue develop versus 2018?", True),
        ("Was debt in 2019 heavier than in 2018?", True),
        ("What was debt at Verdal vs Ostrava in 2019?", False),
        ("What was debt at Verdal vs Ostrava in 2018 vs 2019?", True),
        ("Why did revenue grow in 2019?", False),
        ("What explains the change in revenue?", False),
        ("How is “change in working capital” defined?", False),
        ("Which segment grew?", False),
        ("What was turnover? It is defined as sales less the change in stock.", False),
        ("What was revenue in 2019?", False),
    ],
)
def test_a_change_is_asked_for_not_its_reason(text, is_change):
    assert read(text)["is_change"] is is_change


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("What was Ostrava Mills' long-term debt at December 31, 2019?", "long-term debt"),
        ("How does Verdal define “cost of the year” in its 2019 10-K?", "define cost of the year"),
        ("What R&D expense did Verdal report in FY19?", "R&D expense"),
        ("What was debt (in USD millions)? Round your answer to two decimal places.", "debt"),
        ("What was debt in US$?", "debt"),
        # "Risks" finds what introduces risks; it stays where nothing else is said.
        ("Which supply risks do Verdal and Ostrava name in Item 1A?", "supply"),
        (
            "What market and legal risks do the risk factors of Verdal point out?",
            "market and legal",
        ),
        ("What risks does Verdal describe?", "risks"),
        ('What does Verdal mean by "the risk factors" here?', "the risk factors here"),
        (
            "What are Verdal's 2019's sales outside the US and IT costs?",
            "sales outside US and IT costs",
        ),
        ("What R&amp;D does Verdal do?", "R&D"),
        ("Verdal 2019", "Verdal 2019"),
        ("  ", ""),
    ],
)
def test_the_topic_is_what_is_left(text, topic):
    assert read(text)["topic_text"] == topic


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("Ostrava and Verdal in 2018 and 2019", "cross_company"),
        ("Ostrava in 2018 and 2019", "cross_year"),
        ("Ostrava, OSTM and Ostrava Mills in 2019", "local"),
        ("Nobody", "local"),
    ],
)
def test_scope(text, scope):
    assert read(text)["scope"] == scope


# As an analyst types; None where either reading will do.
@pytest.mark.parametrize(
    ("text", "ciks", "years", "topics", "form", "is_change"),
    [
        ("Verdal capex last year vs 2021?", [VERDAL], [2021], ["capex"], None, True),
        ("ostrava mills rev growth 2019-21", [OSTRAVA], None, ["revenue"], "numeric", True),
        (
            "Pull Ostrava's FY20 gross margin and tell me if it improved on FY19",
            [OSTRAVA],
            [2019, 2020],
            ["gross_margin"],
            None,
            True,
        ),
        (
            "Need OSTM net debt / EBITDA for FY2018 through FY2021",
            [OSTRAVA],
            [2018, 2019, 2020, 2021],
            ["debt"],
            "numeric",
            False,
        ),
        ("What's driving Verdal's margin compression?", [VERDAL], [], [], "span", False),
        (
            "Who are Ostrava's biggest customers and how much of sales do they make up?",
            [OSTRAVA],
            [],
            ["revenue"],
            "span",
            False,
        ),
        (
            "Is there any going-concern language in the 2020 filing of Nettle & Thorne?",
            [PAIR],
            [2020],
            [],
            "boolean",
            False,
        ),
        (
            "N&T: dividend per share 2016, 2017, 2018",
            [PAIR],
            [2016, 2017, 2018],
            ["dividends_per_share"],
            "numeric",
            False,
        ),
        (
            "Did the Verdal board authorise a new buyback in 2022?",
            [VERDAL],
            [2022],
            ["share_repurchases"],
            "boolean",
            False,
        ),
        (
            "Summarise the cyber risks flagged by 7Q Labs in its latest 10-K",
            [QUANTUM],
            [2023],
            ["cybersecurity"],
            "span",
            False,
        ),
        (
            "Between FY16 and FY19, how did Ostrava's share of recurring revenue develop?",
            [OSTRAVA],
            [2016, 2017, 2018, 2019],
            ["revenue"],
            "span",
            None,
        ),
        (
            "Compare Ostrava, Verdal and Zelle-Ferro on R&D spend in 2021",
            [OSTRAVA, VERDAL, STEEL],
            [2021],
            ["research_and_development"],
            "list",
            False,
        ),
        (
            "Which of Ostrava and Verdal had the higher operating income in fiscal 2020?",
            [OSTRAVA, VERDAL],
            [2020],
            ["operating_income"],
            None,
            None,
        ),
        (
            "how many employees did verdal have on 31 Dec 2019",
            [VERDAL],
            [2019],
            [],
            "numeric",
            False,
        ),
        (
            "Total debt of Ostrava Mills Holdings, Inc. as of 30 June 2018?",
            [OSTRAVA],
            [2018],
            ["debt"],
            "numeric",
            False,
        ),
        (
            "Explain the swing in Gap's operating cash flow in FY2021.",
            [BLOCK],
            [2021],
            ["cash_from_operations"],
            "span",
            False,
        ),
        ("Was Verdal's 2019 effective tax rate above 25%?", [VERDAL], [2019], [], "boolean", None),
        (
            "Give me EPS for OSTM, fiscal years ended 2017 and 2018.",
            [OSTRAVA],
            [2017, 2018],
            ["eps"],
            "numeric",
            False,
        ),
        (
            "What supply chain problems did Ostrava report in the 2021 and 2022 annual reports?",
            [OSTRAVA],
            [2021, 2022],
            ["operational_supply_chain"],
            None,
            False,
        ),
        (
            "Does Zelle-Ferro think tariffs will hurt it?",
            [STEEL],
            [],
            ["regulatory"],
            "boolean",
            False,
        ),
        (
            "By what percentage did Verdal's net sales fall in 2020?",
            [VERDAL],
            [2020],
            ["revenue"],
            "numeric",
            True,
        ),
        (
            "Walk me through Ostrava's free cash flow from 2018 to 2020.",
            [OSTRAVA],
            [2018, 2019, 2020],
            ["free_cash_flow"],
            "span",
            False,
        ),
        (
            "What legal proceedings were pending against Verdal in 2017?",
            [VERDAL],
            [2017],
            ["legal_ip"],
            None,
            False,
        ),
        (
            "List all acquisitions closed by Ostrava since 2021",
            [OSTRAVA],
            [2021, 2022, 2023],
            [],
            "list",
            False,
        ),
        (
            "In which year did Verdal's interest expense peak?",
            [VERDAL],
            [],
            ["interest_expense"],
            "numeric",
            False,
        ),
        (
            "What does management say about inflation in Ostrava's FY22 MD&A?",
            [OSTRAVA],
            [2022],
            [],
            "span",
            False,
        ),
        (
            "Can you tell me how much 7Q Labs spent on SG&A in FY2016?",
            [QUANTUM],
            [2016],
            ["selling_general_administrative"],
            "numeric",
            False,
        ),
        (
            "Nettle & Thorne's adjusted EBITDA definition, 2019 10-K",
            [PAIR],
            [2019],
            ["adjusted_ebitda"],
            "span",
            False,
        ),
        (
            "Any change in auditor at Verdal between 2018 and 2019?",
            [VERDAL],
            [2018, 2019],
            [],
            "boolean",
            True,
        ),
        (
            "I'd like to know the covenants on Ostrava's credit facility (FY2020)",
            [OSTRAVA],
            [2020],
            ["liquidity_credit"],
            "span",
            False,
        ),
        (
            "Name the top 3 risks to Ostrava's business per the 2023 risk factor section",
            [OSTRAVA],
            [2023],
            ["general_risk"],
            "list",
            False,
        ),
        (
            "What portion of Verdal's 2018 revenue came from Europe?",
            [VERDAL],
            [2018],
            ["revenue"],
            "numeric",
            False,
        ),
        (
            "Ostrava vs Verdal gross margin FY19",
            [OSTRAVA, VERDAL],
            [2019],
            ["gross_margin"],
            None,
            None,
        ),
        (
            "Please provide the three-year trend of capex at Ostrava (2019 to 2021).",
            [OSTRAVA],
            [2019, 2020, 2021],
            ["capex"],
            None,
            None,
        ),
        ("Where does Gap operate its warehouses?", [BLOCK], [], [], "span", False),
        (
            "What was the impact of COVID-19 on Ostrava's 2020 results?",
            [OSTRAVA],
            [2020],
            [],
            "span",
            False,
        ),
        ("Has Verdal ever restated its earnings?", [VERDAL], [], ["net_income"], "boolean", False),
        (
            "To what extent is Ostrava dependent on a single supplier?",
            [OSTRAVA],
            [],
            ["operational_supply_chain"],
            "span",
            False,
        ),
        (
            "What year-end headcount does Zelle-Ferro disclose for FY'18?",
            [STEEL],
            [2018],
            [],
            "numeric",
            False,
        ),
        ("$OSTM fy21 opex?", [OSTRAVA], [2021], [], "numeric", False),
        (
            "Reconcile Ostrava's net income to operating cash flow for 2019",
            [OSTRAVA],
            [2019],
            ["cash_from_operations", "net_income"],
            None,
            False,
        ),
        (
            "What's the YoY change in Verdal's backlog, 2020 v 2021?",
            [VERDAL],
            [2020, 2021],
            [],
            "numeric",
            True,
        ),
        ("How does Ostrava Mills recognise revenue?", [OSTRAVA], [], ["revenue"], "span", False),
        ("Are Verdal's 2025 notes secured?", [VERDAL], [], [], "boolean", False),
        (
            "Net loss of 7Q Labs: $2,019 million or $2.1 billion?",
            [QUANTUM],
            [],
            ["net_income"],
            "numeric",
            False,
        ),
        (
            "How many of Gap's 2000 stores were closed in fiscal 2020?",
            [BLOCK],
            [2020],
            [],
            "numeric",
            False,
        ),
        (
            "Ostrava Mills – litigation reserve at Dec. 31, 2022",
            [OSTRAVA],
            [2022],
            ["legal_ip"],
            None,
            False,
        ),
        (
            "During fiscal years 2017, 2018 & 2019 what were Verdal's share repurchases?",
            [VERDAL],
            [2017, 2018, 2019],
            ["share_repurchases"],
            "numeric",
            False,
        ),
        ("which segments does nettle and thorne report?", [PAIR], [], [], "list", False),
        (
            "what did gap pay in dividends per share in fiscal '19?",
            [BLOCK],
            [2019],
            ["dividends_per_share"],
            "numeric",
            False,
        ),
        (
            "Between Ostrava and Verdal, who grew faster in 2022?",
            [OSTRAVA, VERDAL],
            [2022],
            [],
            None,
            None,
        ),
        (
            "What reasons did Verdal give for the 2019 goodwill impairment?",
            [VERDAL],
            [2019],
            [],
            "span",
            False,
        ),
        (
            "For FY2020, state whether Ostrava's inventories rose.",
            [OSTRAVA],
            [2020],
            [],
            "boolean",
            True,
        ),
        (
            "At what rate did Ostrava's borrowings bear interest in 2021?",
            [OSTRAVA],
            [2021],
            ["debt"],
            "numeric",
            False,
        ),
        ("Verdal Q2 FY2023 revenue", [VERDAL], [2023], ["revenue"], "numeric", False),
        (
            "Describe Ostrava's competitive position and how it evolved from FY2015 thru FY2017.",
            [OSTRAVA],
            [2015, 2016, 2017],
            ["market_competition"],
            "span",
            None,
        ),
        (
            "Which regulations does 7Q Labs plc say could raise costs?",
            [QUANTUM],
            [],
            ["regulatory"],
            "list",
            False,
        ),
        (
            "What were the proceeds of Ostrava's sale of a plant in 2019, and how were they used?",
            [OSTRAVA],
            [2019],
            [],
            "span",
            False,
        ),
        (
            "Tell me about Verdal's pension obligations at the end of 2021",
            [VERDAL],
            [2021],
            [],
            "span",
            False,
        ),
        (
            "How much cheaper was Ostrava's debt in 2021 than in 2019?",
            [OSTRAVA],
            [2019, 2021],
            ["debt"],
            "numeric",
            None,
        ),
    ],
)
def test_free_wordings(text, ciks, years, topics, form, is_change):
    reading = read(text)
    wanted = {
        "cik_ints": ciks,
        "years": years,
        "topics": topics,
        "answer_form": form,
        "is_change": is_change,
    }
    got = {**reading, "topics": sorted(reading["kpi_labels"] + reading["risk_topics"])}
    assert {k: got[k] for k, v in wanted.items() if v is not None} == {
        k: v for k, v in wanted.items() if v is not None
    }


def test_no_text_reads_as_nothing():
    reading = read(None)
    assert reading["question_text"] is None
    assert (reading["cik_ints"], reading["years"], reading["topic_text"]) == ([], [], "")


def test_no_questions_give_no_rows_under_the_schema():
    questions = pa.table(
        {name: pa.array([], pa.string()) for name in ("item_id", "gold_set", "question_text")}
    )
    table = read_questions(questions, COMPANIES, FILINGS, KPI_PATTERNS, RISK_PATTERNS, PAGE_CUES)
    assert (table.num_rows, table.schema) == (0, READING_SCHEMA)


def test_a_repeated_question_is_named():
    questions = pa.table(
        {"item_id": ["q", "q"], "gold_set": ["p3", "p3"], "question_text": ["a", "b"]}
    )
    with pytest.raises(ValueError, match="question q is there twice"):
        read_questions(questions, COMPANIES, FILINGS, KPI_PATTERNS, RISK_PATTERNS, PAGE_CUES)


def test_a_repeated_company_is_named():
    with pytest.raises(ValueError, match="company 7 is there twice"):
        read("Anything", companies=pa.concat_tables([COMPANIES, COMPANIES]))


HOSTILE = re.split(
    r"\s+",
    """Ostrava Mills' $OSTM NYSE: between from to through - – 2018 FY19 2019-12-31 Item 7A MD&A how
    what did ? . " “ < & &amp; ( ) [*] % , ; the debt risk O'Wharf's C++ 10-K ﷺ 🙂 ́ ١٩""",
)
PIECES = st.one_of(st.text(max_size=20), st.sampled_from([*HOSTILE, "\x00", "\u200b"]))


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(PIECES, max_size=30), max_size=4), st.sampled_from(["", " "]))
def test_any_text_is_read(texts, glue):
    joined = [glue.join(pieces) for pieces in texts]
    readings = read_all(joined)
    assert [row["question_text"] for row in readings] == joined
    for row in readings:
        assert row["cik_ints"] == sorted(set(row["cik_ints"]))
        assert row["years"] == sorted(set(row["years"]))
        assert row["answer_form"] in {"numeric", "boolean", "list", "span"}
        assert row["topic_text"] or not any(map(str.isalnum, row["question_text"]))


@settings(deadline=None, max_examples=40)
@given(st.lists(st.text(max_size=12), min_size=1, max_size=4, unique=True), st.text(max_size=40))
def test_any_company_name_is_taken(names, text):
    rows = [
        {"cik_int": n, "company_name": name, "display_name": name, "possessive_name": None,
         "aliases": [name], "ticker": name[:4]}
        for n, name in enumerate(names)
    ]  # fmt: skip
    schema = COMPANIES.schema
    companies = pa.Table.from_pylist(rows).cast(pa.schema([schema.field(name) for name in rows[0]]))
    read_all([text, " ".join(names)], companies=companies)


@pytest.mark.parametrize(
    "piece",
    [
        "a", " ", "a ", "2018-", "2018 to ", "between ", "Ostrava ", "Ostrava Mills' ", "(", "'",
        "&", "&amp;", "what ", "how much, ", "$OSTM ", '"', ". ", "risk ", "item 7 ", "FY19 ", "a'",
        "$", "in the ", "fiscal year ended december 31, ", "according to its ",
    ],
)  # fmt: skip
def test_time_is_linear_in_the_text(piece):
    long = piece * (60_000 // len(piece))
    begin = time.process_time()
    read(long)
    assert time.process_time() - begin < 5
