"""Checks of a question on its answer: met, failed, undecided; weights and dealbreakers."""

import json

import pytest

from finrag.records.criteria import CONTRADICTION, Criterion, read_criteria
from finrag.scoring.strict.criteria import check_criterion, score_criteria

ANSWER = """2019: $10.82 a member.
2020: $10.91 a member.
Revenue a member grew from 2019 to 2020. Netflix named new plans with lower prices."""


@pytest.mark.parametrize(
    ("text", "operator", "is_met"),
    [
        ("2019: 10.82", "correctness", True),
        ("2020: 10.82", "correctness", False),
        ("2019: $10.84", "correctness", False),
        ("Revenue a member grew", "correctness", True),
        ("Revenue a member fell", "correctness", False),
        ("Netflix", "correctness", True),
        ("Walt Disney lowered its prices", "correctness", False),
        ("management sounds hopeful", "correctness", None),
        ("2019: $10.82 a member", "contradiction", True),
        ("2019: $12.50 a member", "contradiction", False),
        ("The plant in Norway burnt down", "contradiction", None),
    ],
)
def test_a_check_is_met_failed_or_undecided(text, operator, is_met):
    assert check_criterion(ANSWER, Criterion(text, operator)) is is_met


@pytest.mark.parametrize(
    ("answer", "text", "is_met"),
    [
        # A year alone: named, another named, none named.
        ("$0.74 in fiscal 2022", "2022", True),
        ("$0.74 in fiscal 2021", "2022", False),
        ("$0.74", "2022", None),
        # A date is a day, however it is written, and the one on which a period ends.
        ("December 31, 2020", "December 31, 2020", True),
        ("The year ended 31 December 2020.", "December 31, 2020", True),
        ("2020-12-31", "December 31, 2020", True),
        ("September 30, 2020", "December 31, 2020", False),
        ("December 31, 2019", "December 31, 2020", False),
        ("30 June 2020", "December 31, 2020", False),
        ("From January 1, 2020 to December 31, 2020.", "December 31, 2020", True),
        ("It ended December 31, 2019, unlike December 31, 2020.", "December 31, 2020", False),
        ("Its fiscal 2020", "December 31, 2020", None),
        # Words under a year count in the lines of that year.
        ("2021: lower prices; 2022: a term loan", "2022: a term loan", True),
        ("2021: a term loan; 2022: lower prices from Ostler", "2022: a term loan", None),
        ("2021: sold to Ostler; 2022: lower prices", "2022: sold to Ostler", False),
        ("In 2022 a term loan was drawn.", "2022: a term loan", True),
        ("2022: a tax of the 2017 Act", "2022: a tax of the 2017 Act", True),
        # A way without a subject is that of what the answer speaks of.
        ("Up by $3 million, from $4 million to $7 million.", "It increased.", True),
        ("Down by $3 million.", "It increased.", False),
        ("Net sales fell by $3 million.", "It decreased.", True),
        ("-$3 million", "It decreased.", True),
        ("-$3 million", "It increased.", False),
        ("$3 million", "It increased.", None),
        ("Sales rose, costs fell.", "It increased.", None),
        # The sign of a change is its way.
        ("-$3 million", "Down by $3,000,000", True),
        ("Sales decreased by $3 million.", "Down by $3,000,000", True),
        ("Sales decreased by $4 million.", "Down by $3,000,000", False),
        ("$3 million", "-$3 million", False),
        # Words in quotation marks must stand there, whatever else they may be.
        ("Visa reported $3 million.", "“Visa”", True),
        ("Oracle reported $3 million.", "“Visa”", False),
        ("$3 million", '"Visa"', False),
        ("3M reported it.", "“3M”", True),
        ("It was $3 million.", "“3M”", False),
        ("General Mills did.", "“General Motors”", False),
        # Yes or no alone.
        ("No. Its MD&A does not say so.", "No.", True),
        ("Yes, it does, no doubt.", "No.", False),
        ("Its MD&A speaks of it.", "No.", None),
    ],
)
def test_a_year_a_way_and_a_yes_or_no_alone_are_decided(answer, text, is_met):
    assert check_criterion(answer, Criterion(text)) is is_met


@pytest.mark.parametrize(
    ("answer", "text", "is_met"),
    [
        # All words of the cause in one statement, in whatever order.
        ("Prices of tinplate were lower.", "lower prices of tinplate", True),
        ("Sales fell due to the lower price of tinplate.", "lower prices of tinplate", True),
        # The other way of the same subject.
        ("Prices of tinplate were higher.", "lower prices of tinplate", False),
        # Something else that went the same way.
        ("lower volumes of tinplate", "lower prices of tinplate", None),
        ("higher marketing costs", "higher freight costs", None),
        ("higher interest rates", "higher tax rates", None),
        ("an increase in rent expense", "an increase in interest expense", None),
        ("a decline in demand for steel", "a decline in supply of steel", None),
        # Its words, over two statements.
        ("lower volumes; prices of tinplate", "lower prices of tinplate", None),
    ],
)
def test_a_cause_is_told_by_all_its_words(answer, text, is_met):
    assert check_criterion(answer, Criterion(text)) is is_met


@pytest.mark.parametrize(
    ("answer", "text", "is_met"),
    [
        ("It was not $45 million.", "$45 million", False),
        ("It was not $45 million but $50 million.", "$50 million", True),
        ("It was $1 million, $2 million, $45 million or $99 million.", "$45 million", False),
        ("It was $45 million or $99 million.", "$45 million", False),
        ("It was $45 million, up from $40 million in 2021.", "$45 million", True),
        ("$45 million and $40 million, respectively.", "$45 million", True),
        ("It was not due to lower prices of tinplate.", "lower prices of tinplate", False),
        ("Not only lower prices of tinplate, a tax too.", "lower prices of tinplate", True),
        ("It did not say. lower prices of tinplate", "lower prices of tinplate", True),
    ],
)
def test_what_is_denied_or_one_of_several_is_not_said(answer, text, is_met):
    assert check_criterion(answer, Criterion(text)) is is_met


@pytest.mark.parametrize(
    ("answer", "text", "sources", "is_met"),
    [
        ("$45 million", "2022", ["2022"], True),
        ("$45 million", "2022", ["2021"], False),
        ("$45 million", "2022", [], None),
        # What it says of the year goes before what it cites.
        ("$45 million in 2019", "2022", ["2022"], False),
        # A year to compare with is not the year of what is said.
        ("$45 million, up from $40 million in 2021", "2022", ["2022"], True),
        ("$45 million", "“Visa”", ["2022", "Visa"], True),
        ("$45 million", "“Visa”", ["2022", "Visa Foods"], False),
        # Sources say whose and when, and nothing else.
        ("The filing says so.", "Yes.", ["Yes"], None),
        ("It was a loss.", "3M", ["3M"], None),
    ],
)
def test_what_is_cited_counts_where_nothing_is_said(answer, text, sources, is_met):
    assert check_criterion(answer, Criterion(text), sources) is is_met


def test_what_all_depends_on_is_said_not_cited():
    asked_for = Criterion("2021", is_dealbreaker=True)

    assert check_criterion("The figures are for fiscal 2021.", asked_for, ["2020"]) is True
    assert check_criterion("The figures are for fiscal 2020.", asked_for, ["2021"]) is False
    assert check_criterion("Those of the filing.", asked_for, ["2021"]) is None


def test_weights_count_and_what_is_undecided_does_not():
    found = score_criteria(
        ANSWER,
        [
            Criterion("2019: 10.82", weight=3),
            Criterion("2020: 99.99", weight=1),
            Criterion("management sounds hopeful", weight=50),
        ],
    )

    assert (found.met, found.credit, found.passed) == (0.75, 0.75, 0.0)
    assert (found.n_met, found.n_failed, found.n_undecided) == (1, 1, 1)


def test_a_dealbreaker_that_fails_takes_all_credit():
    checks = [Criterion("2019: 10.82"), Criterion("2020: 99.99", is_dealbreaker=True)]

    assert score_criteria(ANSWER, checks).credit == 0.0
    assert score_criteria(ANSWER, checks).met == 0.5


def test_credit_waits_for_what_all_depends_on():
    checks = [Criterion("2019: 10.82"), Criterion("it sounds hopeful", is_dealbreaker=True)]

    assert score_criteria(ANSWER, checks).credit is None
    assert score_criteria(ANSWER, checks).met == 1.0
    lost = [*checks, Criterion("2020: 99.99", is_dealbreaker=True)]
    assert score_criteria(ANSWER, lost).credit == 0.0


def test_all_is_passed_only_where_all_is_decided():
    assert score_criteria(ANSWER, [Criterion("2019: 10.82")]).passed == 1.0
    undecided = Criterion("management sounds hopeful")
    assert score_criteria(ANSWER, [Criterion("2019: 10.82"), undecided]).passed is None
    assert score_criteria(ANSWER, [undecided]).met is None
    assert score_criteria("", [Criterion("2019: 10.82")]).passed == 0.0


def test_checks_stand_among_the_fields_of_a_record():
    fields = {
        "rubric": [
            {"operator": "contradiction", "criteria": "all"},
            {"text": "one", "weight": 2, "is_dealbreaker": True},
            "two",
        ]
    }

    assert read_criteria(json.dumps(fields)) == (
        Criterion("all", CONTRADICTION),
        Criterion("one", weight=2.0, is_dealbreaker=True),
        Criterion("two"),
    )
    assert read_criteria(None) == read_criteria("{}") == ()


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ("words", "not a list"),
        ([{"operator": "correctness"}], "no text"),
        ([{"text": "x", "operator": "guess"}], "operator 'guess'"),
        ([{"text": "x", "weight": -1}], "weight -1"),
        ([{"text": "x", "weight": True}], "weight True"),
        ([{"text": "x", "is_dealbreaker": "no"}], "is_dealbreaker 'no'"),
        (["x"] * 201, "201 criteria; the limit is 200"),
        ({}, "not a list"),
        (0, "not a list"),
        (False, "not a list"),
    ],
)
def test_checks_that_cannot_be_read_are_named(entries, message):
    with pytest.raises(ValueError, match=message):
        read_criteria(json.dumps({"criteria": entries}))


def test_the_last_check_within_the_limit_is_read():
    checks = [*["x"] * 199, {"text": "y", "is_dealbreaker": True}]

    assert read_criteria(json.dumps({"criteria": checks}))[-1].is_dealbreaker
    assert read_criteria('{"criteria": []}') == read_criteria('{"criteria": null}') == ()


@pytest.mark.parametrize("fields", ["[1]", "7", '"words"'])
def test_fields_that_are_no_object_are_named(fields):
    with pytest.raises(ValueError, match="not a JSON object"):
        read_criteria(fields)


@pytest.mark.parametrize(
    ("answer", "stated"),
    [
        ("Net sales did not fall in 2021.", "Net sales fell in 2021"),
        ("The company does not pay dividends.", "The company pays dividends."),
        ("The company pays dividends.", "The company does not pay dividends."),
    ],
)
def test_what_denies_a_statement_contradicts_it(answer: str, stated: str) -> None:
    assert check_criterion(answer, Criterion(stated, "contradiction")) is False
    assert check_criterion(stated, Criterion(stated, "contradiction")) is True
