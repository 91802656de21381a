"""Questions in other words: misspelt names and years counted back; fictional companies only."""

from collections import Counter

import duckdb
import pytest

from bench.rewordings import AS_ASKED, NOT_HELD, judge, reword
from finrag.questions.misspelt import edits
from tests.unit.test_questions import KPI_PATTERNS, PAGE_CUES, RISK_PATTERNS, corpus, read

OSTERVIK, KORVEL, TARNS, TARNES, HALDEN, HALDAN, CAOCH, BRIMVALE, NETHAN, VELLORANT = range(1, 11)
LEGAL = [
    (OSTERVIK, "Ostervik Inc", "OSVK"),
    (KORVEL, "Korvel Foods Corporation", "KRVL"),
    (TARNS, "GENERAL TARNS INC", None),
    (TARNES, "Tarnes plc", None),
    (HALDEN, "Halden Inc", None),
    (HALDAN, "Haldan Corp", None),
    (CAOCH, "Caoch Inc", None),
    (BRIMVALE, "Brimvale Instruments Inc", "BRIM"),
    (NETHAN, "Nethan's Famous Inc", None),
    (VELLORANT, "Vellorant Inc", None),
]
COMPANIES, FILINGS = corpus(LEGAL, range(2018, 2024))


def companies_in(text):
    return read(text, companies=COMPANIES, filings=FILINGS)["cik_ints"]


@pytest.mark.parametrize(
    ("text", "cik"),
    [
        ("What did Otservik earn in 2020?", OSTERVIK),
        ("What did Sotervik earn in 2020?", OSTERVIK),
        ("Why did Ostervk's debt rise?", OSTERVIK),
        ("Why did Stervik's debt rise?", OSTERVIK),
        ("Osterviik's debt", OSTERVIK),
        ("Why did Osterviks debt rise?", OSTERVIK),
        ("Why did Korvels debt rise?", KORVEL),
        ("What is Ostirvik, Inc. worth?", OSTERVIK),
        ("What EBITDA did Otservik EBITDA have?", OSTERVIK),
        ("What did Otservik Inc earn?", OSTERVIK),
        ("What are Otservik's Scope 1 emissions?", OSTERVIK),
        ("What did Verdal, Otservik and others earn?", OSTERVIK),
        ("Did Otservik earn more in Italy?", OSTERVIK),
        ("What did Krovel earn?", KORVEL),
        ("What did Korvell earn?", KORVEL),
        ("What did Korel earn?", KORVEL),
        ("What did Nehtan's Famous earn?", NETHAN),
        ("What did Vlelorent earn?", VELLORANT),
        ("What did Korvil Foods earn?", KORVEL),
        ("What did Orvel Foods earn?", KORVEL),
        ("What did General Trns earn?", TARNS),
        ("What did GENERAL TARSN earn?", TARNS),
        ("What did Brimvael Instruments and its peers earn?", BRIMVALE),
        ("What did Brimvale Instruments' rival Brimvale earn?", BRIMVALE),
        ("what did otservik earn?", OSTERVIK),
        ("otservik's debt", OSTERVIK),
        ("debt of general tanrs", TARNS),
    ],
)
def test_a_misspelt_name_is_read_where_one_company_is_near(text, cik):
    assert companies_in(text) == [cik]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("What did Haldn earn?", "two companies are near"),
        ("What did Korvil earn?", "another letter, and no other word tells"),
        ("What did Dorvel earn?", "another first letter"),
        ("What did Korve earn?", "a short word that only begins the name"),
        ("What did Orvel earn?", "a short word without its first letter"),
        ("What did Tarns earn?", "the word of another company"),
        ("What did Coach earn?", "an everyday word"),
        ("What did Ostervika earn?", "a long word with another ending"),
        ("What did Caoh earn?", "too short"),
        ("What did Tarnis plc earn?", "another letter, and a legal form tells nothing"),
        ("Why did Vellorin's debt rise?", "the s is the possessive's"),
        ("What did Oztirvik earn?", "two other letters"),
        ("What did Otservik Robotics earn?", "a longer name"),
        ("What did Otservik-Robotics earn?", "a longer name"),
        ("What did Otservik Foods earn?", "a longer name, though a word is another company's"),
        ("What did Royal Otservik earn?", "a longer name"),
        ('What does "Otservik" mean?', "a term in quotation marks"),
        ("What was the otservik of Verdal?", "no capital"),
        ("Otservik growth in Verdal", "every text begins with a capital"),
        ("what was the otservik's debt?", "a thing"),
        ("what was debt at the otservik of it?", "a thing"),
    ],
)
def test_a_word_that_may_be_something_else_is_no_company(text, why):
    assert companies_in(text) == [], why


def test_a_name_read_rightly_stays():
    assert companies_in("What did Korvel Foods and Krovel Foods earn?") == [KORVEL]
    assert companies_in("What did Haldan and Halden earn?") == [HALDEN, HALDAN]
    companies, filings = corpus([(1, "Selwyn Inc", None), (2, "Selwyn Freight Inc", None)])
    reading = read("What did Selwyn Frieght earn?", companies=companies, filings=filings)
    assert reading["cik_ints"] == [1]


def test_a_misspelt_name_is_no_topic():
    names = [(1, "Hudson Brimvale Inc", None), (2, "Verdal Inc", None)]
    companies, filings = corpus(names)
    former = [{"cik_int": 1, "report_year": 2015, "company_name": "Brimvale Inc"}]
    filings = type(filings).from_pylist([*filings.to_pylist(), *former])
    reading = read("hudson brimvael's debt", companies=companies, filings=filings)
    assert (reading["cik_ints"], reading["topic_text"]) == ([1], "debt")


def test_ordinary_words_name_somebody_where_only_a_name_can_stand():
    companies, filings = corpus([(1, "American Express Co", None)])
    texts = ["How did american express fare on Main Street?", "An american express on Main Street"]
    found = [read(text, companies=companies, filings=filings)["cik_ints"] for text in texts]
    assert found == [[1], []]


def test_edits_are_those_of_an_independent_count():
    words = ["korvel", "korvle", "krvel", "koorvel", "korvil", "kovrle", "orvel", "korvels", "k"]
    pairs = [(one, other) for one in words for other in words]
    counted = duckdb.sql(
        "select damerau_levenshtein(one, other) from (select unnest($1) as one, unnest($2) as "
        "other)",
        params=[[one for one, _ in pairs], [other for _, other in pairs]],
    ).fetchall()
    for (one, other), (count,) in zip(pairs, counted, strict=True):
        for most in (0, 1, 2):
            assert edits(one, other, most) == (count if count <= most else None), (one, other)


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("Korvel's debt last year", [2023]),
        ("Korvel's debt in the last fiscal year", [2023]),
        ("Korvel's debt over the past year", [2023]),
        ("What does last year's 10-K of Korvel say?", [2023]),
        ("What do Korvel's latest risk factors say?", [2023]),
        ("What do Korvel's two latest 10-Ks say?", [2023]),
        ("Korvel's debt the year before last", [2022]),
        ("Korvel's debt two years ago", [2022]),
        ("How much higher was Korvel's debt than the year before?", [2022, 2023]),
        ("By how much did Korvel's debt change from the prior year?", [2022, 2023]),
        ("By how much did Korvel's debt change in 2021 from the prior year?", [2020, 2021]),
        ("How much higher was Korvel's debt in fiscal 2021 than in the year before?", [2020, 2021]),
        ("Why did Korvel's debt change in 2021 from the prior year?", [2021]),
        ("By how much did debt change from the prior year in the 2021 10-K?", [2021]),
        ("By how much did debt change in 2019 and 2021 from the prior year?", [2019, 2021]),
        ("Korvel's debt in the prior year", []),
        ("the last year of Korvel's lease", []),
        ("the last years of Korvel", []),
        ("Korvel's debt last year and in 2019", [2019]),
        ("Korvel's debt in 2021 versus last year", [2021]),
        ("By how much did Korvel's debt change from last year?", [2023]),
        ("Korvel's debt in calendar 2021", [2021]),
        ("Korvel's debt in the year ended September 2021", [2021]),
        ("What was debt in 2019, in the 10-K for the year ended May 2021?", [2021]),
        (
            "What was debt in 2019, in the annual report for the fiscal year ended September 30, "
            "2021?",
            [2021],
        ),
    ],
)
def test_years_in_other_words(text, years):
    assert read(text, companies=COMPANIES, filings=FILINGS)["years"] == years


def test_last_year_of_several_is_the_last_that_all_have_filed():
    late = [{"cik_int": KORVEL, "report_year": 2025, "company_name": None}]
    filings = type(FILINGS).from_pylist([*FILINGS.to_pylist(), *late])
    texts = ["Korvel's debt last year", "Korvel's and Ostervik's debt last year", "debt last year"]
    found = [read(text, companies=COMPANIES, filings=filings)["years"] for text in texts]
    assert found == [[2025], [2023], [2025]]


def test_a_year_counted_back_is_no_topic():
    for text in (
        "Korvel's total debt last year?",
        "In its latest 10-K, what is Korvel's total debt?",
    ):
        assert read(text, companies=COMPANIES, filings=FILINGS)["topic_text"] == "total debt"


QUESTIONS = [
    ("q1", "What was Korvel Foods' total debt in fiscal 2023?", [KORVEL], [2023]),
    ("q2", "What risks does Ostervik name in its 2022 10-K?", [OSTERVIK], [2022]),
    (
        "q3",
        "By how many dollars was Brimvale Instruments' revenue higher in fiscal 2022 than in "
        "fiscal 2021?",
        [BRIMVALE],
        [2021, 2022],
    ),
    ("q4", "Compare the risks that Ostervik and Korvel Foods name in their 2023 10-Ks.",
     [OSTERVIK, KORVEL], [2023]),
]  # fmt: skip
ROWS = [
    {"question_id": key, "question_text": text, "cik_int": ciks, "years": years}
    for key, text, ciks, years in QUESTIONS
]
LATEST = [{**row, "last_year": 2023} for row in COMPANIES.to_pylist()]


def wordings(row):
    companies = {company["cik_int"]: company for company in LATEST}
    return {asked.kind: asked for asked in reword(row, companies)}


def test_wordings_of_a_question():
    first, second, third = (wordings(row) for row in ROWS[:3])
    assert first["ticker"].text == "What was KRVL's total debt in fiscal 2023?"
    assert first["without its last word"].text == "What was Korvel's total debt in fiscal 2023?"
    assert first["last year"].text == "What was Korvel Foods' total debt last year?"
    assert first["FY21"].text == "What was Korvel Foods' total debt in FY23?"
    assert (first["no year"].text, first["no year"].years) == (
        "What was Korvel Foods' total debt?",
        (),
    )
    assert second["the year before last"].text == (
        "What risks does Ostervik name in its 10-K of the year before last?"
    )
    assert second["the year ended December 2021"].text == (
        "What risks does Ostervik name in its 10-K for the year ended December 2022?"
    )
    assert "last year" not in second
    assert third["the year before"].text.endswith("in fiscal 2022 than in the year before?")
    assert wordings(ROWS[0]) == first


def test_other_words_are_read_as_the_question_was():
    companies = COMPANIES.append_column("last_year", [[2023] * len(COMPANIES)])
    judged = list(judge(ROWS, [companies, FILINGS, KPI_PATTERNS, RISK_PATTERNS, PAGE_CUES]))
    harmful = [(asked.text, reading) for asked, reading, found in judged if found == "harmful"]
    assert harmful == []
    unread = Counter(asked.kind for asked, _, found in judged if found == "unread")
    assert set(unread) <= {"a letter missing", "another letter"}, unread
    kinds = Counter(asked.kind for asked, _, _ in judged)
    assert (kinds[AS_ASKED], kinds[NOT_HELD]) == (4, 3)
