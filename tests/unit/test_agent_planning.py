"""What an agent looks for, of questions on public sets. All companies are invented."""

from dataclasses import replace
from datetime import date

import pytest

from finrag.agents.directory import Directory
from finrag.agents.page_slots import in_order_of_reading
from finrag.agents.planning import plan, widened
from finrag.agents.session import Asked, known_to
from finrag.agents.slots import Slot, packed
from finrag.agents.titles import (
    RELEASE,
    Marks,
    company_in_title,
    marks_of_question,
    marks_of_title,
)
from finrag.agents.tools import KEYWORD_CHARACTERS, MAX_KEYWORDS, QUERY_CHARACTERS
from finrag.answers.types import Question
from finrag.retrieval.queries import Query

BALANCE = ("total assets", "total liabilities")
CASH_FLOW = ("capital expenditures",)


def document(title, company):
    years = sorted({int(year) for year in ("2018", "2019", "2020", "2021") if year in title})
    return {
        "document_id": f"set:{title}",
        "corpus_id": "set",
        "company_name": company,
        "title": title,
        "years": years,
    }


TITLES = ("ALDER_2018_10K", "ALDER_2020_10K", "ALDER_2020Q2_10Q", "ALDER_2020Q4_EARNINGS")
DIRECTORY = Directory.of(
    [
        *(document(title, "Alder & Dunn") for title in TITLES),
        *(document(f"BIRCHGLUE_{year}_10K", f"BIRCHGLUE_{year}_10K") for year in (2020, 2021)),
    ]
)


def asked(text, kinds=(), document_id=None, history=()):
    query = Query(
        *("q", "set", text, text, text, (), (), frozenset()),
        document_id=document_id,
        page_terms=tuple(kinds),
    )
    return Asked(query, Question("q", text), tuple((one, None) for one in history))


def reports(text, kinds=()):
    """Company and years of each slot."""
    return [(*slot.companies, *slot.years) for slot in plan(asked(text, kinds), DIRECTORY)]


def read_first(text):
    """Titles in the first group of documents of the first slot."""
    first = plan(asked(text), DIRECTORY)[0].first[0]
    return {one.removeprefix("set:") for one in first}


@pytest.mark.parametrize(
    ("title", "forms", "quarters", "dates"),
    [
        ("ALDER_2020_10K", {"10-K"}, set(), set()),
        ("ALDER_2020Q2_10Q", {"10-Q"}, {2}, set()),
        ("ALDER_2020Q4_EARNINGS", {RELEASE}, {4}, set()),
        ("ALDER_2020_8K_dated-2020-08-30", {"8-K"}, set(), {date(2020, 8, 30)}),
        ("Earnings of birds", {RELEASE}, set(), set()),
    ],
)
def test_a_title_tells_form_quarter_and_day(title, forms, quarters, dates):
    assert marks_of_title(title) == Marks(frozenset(forms), frozenset(quarters), frozenset(dates))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("the 8-K dated 1st July 2022", date(2022, 7, 1)),
        ("as of August 30, 2023", date(2023, 8, 30)),
        ("on 2023-08-30", date(2023, 8, 30)),
        ("on 31 June 2022", None),
    ],
)
def test_a_day_is_read_however_it_is_written(text, day):
    assert marks_of_question(text).dates == ({day} - {None})


@pytest.mark.parametrize(
    ("text", "quarters"),
    [
        ("in Q2 of FY2020", {2}),
        ("in the third quarter", {3}),
        ("in 4Q20", {4}),
        ("IQ4 labs", set()),
    ],
)
def test_a_quarter_is_read_however_it_is_written(text, quarters):
    assert marks_of_question(text).quarters == quarters


def test_earnings_that_are_asked_for_are_no_release():
    assert marks_of_question("What were net earnings?").forms == frozenset()
    assert marks_of_question("What does the earnings release say?").forms == {RELEASE}


@pytest.mark.parametrize(
    ("title", "company"),
    [
        ("ALDER_DUNN_2020_10K", "ALDER DUNN"),
        ("3W_2020Q2_10Q", "3W"),
        ("BIRCH_8K_dated-2020-01-06", "BIRCH"),
        ("The outlook for 2020", None),
        ("2020_10K", None),
    ],
)
def test_only_the_name_of_a_report_begins_with_its_company(title, company):
    assert company_in_title(title) == company


def test_each_kind_of_page_is_looked_for_behind_the_topic():
    slots = plan(asked("What is AnD's quick ratio in FY2020?", [BALANCE, CASH_FLOW]), DIRECTORY)
    assert [slot.is_worded for slot in slots] == [False, True, True]
    assert slots[0].keywords == ("quick", "ratio")
    assert slots[1].keywords == (*BALANCE, "quick", "ratio")
    assert {slot.companies + slot.years for slot in slots} == {("Alder & Dunn", 2020)}


def test_a_company_is_read_by_the_names_that_documents_have():
    assert reports("What did Birch Glue earn in 2021?") == [("BIRCHGLUE", 2021)]
    assert reports("What did Elder Works earn in 2021?") == [(2021,)]


@pytest.mark.parametrize(
    ("text", "years"),
    [
        # A report states the two years before its own again.
        ("capex of Alder & Dunn from FY2018 to FY2020", [(2020,)]),
        ("debt of Alder & Dunn in FY2017 and FY2020", [(2020,), (2018,)]),
        ("debt of Alder & Dunn in FY2019", [(2020,)]),
        ("debt of Alder & Dunn in FY2012", [()]),
        ("sales expected by Birch Glue for FY2021", [(2020, 2021)]),
        ("the industry of Alder & Dunn", [()]),
    ],
)
def test_only_reports_that_are_needed_are_looked_into(text, years):
    assert [one[1:] for one in reports(text)] == years


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("gross margin of Alder & Dunn in FY2020", {"ALDER_2020_10K"}),
        ("gross margin of Alder & Dunn in Q2 of FY2020", {"ALDER_2020Q2_10Q"}),
        ("adjusted EBITDA of Alder & Dunn in FY2020", {"ALDER_2020Q4_EARNINGS"}),
        ("sales in the 10-Q of Alder & Dunn for 2020", {"ALDER_2020Q2_10Q"}),
    ],
)
def test_the_document_that_fits_what_is_said_is_read_first(text, titles):
    assert read_first(text) == titles


def test_chunks_keep_their_order_within_documents_that_fit_as_well():
    slot = Slot((), (), (), (), "", first=(frozenset({"b"}), frozenset({"a", "c"})))
    chunks = ["x#0", "c#4", "a#1", "b#9", "c#0"]
    assert in_order_of_reading(slot, chunks) == ["b#9", "c#4", "a#1", "c#0", "x#0"]


def test_a_question_that_seems_to_ask_for_every_kind_of_page_asks_for_none():
    kinds = [(f"line {n}",) for n in range(6)]
    assert len(plan(asked("Debt of Birch Glue in 2020?", kinds), DIRECTORY)) == 1


def test_a_later_report_that_is_not_there_is_passed_over():
    (slot,) = plan(asked("Debt of Birch Glue in 2021?"), DIRECTORY)
    assert [
        (*one.companies, *one.years) for n in (1, 2) if (one := widened(slot, n, DIRECTORY))
    ] == [
        ("BIRCHGLUE",),
        (),
    ]
    assert widened(slot, 3, DIRECTORY) is None


def test_a_kind_of_page_is_not_looked_for_in_every_year():
    _, page = plan(asked("Debt of Birch Glue in 2020?", [BALANCE]), DIRECTORY)
    later = widened(page, 1, DIRECTORY)
    assert later is not None
    assert later.years == (2021,)
    assert widened(page, 2, DIRECTORY) is None


def test_a_follow_up_is_looked_for_with_the_last_questions_before_it():
    history = ["What about gravel?", "What were sales of bricks?", "In 2019?", "In 2020?"]
    (slot,) = plan(asked("And in 2021?", document_id="set:a", history=history), DIRECTORY)
    words = " ".join(slot.keywords).split()
    assert words[0] == "2021"
    assert "bricks" in words
    assert "gravel" not in words
    assert slot.query.endswith("In 2020? And in 2021?")


def test_a_document_is_looked_at_again_by_the_question_alone_and_by_its_measures():
    follow_up = asked("And in 2021?", document_id="set:a", history=["What were sales of bricks?"])
    (slot,) = plan(follow_up, DIRECTORY)
    again = widened(slot, 1, DIRECTORY)
    assert (again.keywords, again.query) == (("2021",), "And in 2021?")
    assert widened(slot, 2, DIRECTORY) is None
    capex = asked("Capex in 2021?", document_id="set:a")
    worded = replace(capex, query=replace(capex.query, measures=("purchases of property",)))
    (slot,) = plan(worded, DIRECTORY)
    assert widened(slot, 1, DIRECTORY).query == "purchases of property"


def test_a_long_dialogue_never_cuts_the_question_off():
    history = ["bricks " * 80] * 3
    (slot,) = plan(asked("And in 2021?", document_id="set:a", history=history), DIRECTORY)
    assert len(slot.query) == QUERY_CHARACTERS
    assert slot.query.endswith("And in 2021?")
    assert slot.keywords[0].startswith("2021")


def test_an_open_agent_is_not_given_the_document_nor_one_without_history_the_dialogue():
    question = asked("And in 2021?", document_id="set:a", history=["Sales?"])
    assert known_to(question, {"regime": "filtered"}) == question
    assert known_to(question, {"regime": "open"}).query.document_id is None
    assert known_to(question, {"history": "none"}).history == ()


def test_words_that_are_too_many_share_keywords():
    assert packed("net sales sales") == ("net", "sales")
    many = packed(" ".join(f"word{n}" for n in range(60)))
    assert len(many) <= MAX_KEYWORDS
    assert max(map(len, many)) <= KEYWORD_CHARACTERS
    assert many[0].startswith("word0 word1 ")
