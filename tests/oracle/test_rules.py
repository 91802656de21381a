"""The rules that make right answers and planted faults, on invented questions."""

from dataclasses import replace
from decimal import Decimal

import pytest

from tests.oracle import faults
from tests.oracle.gold import Gold, another_voice, own_words, reworded_text
from tests.oracle.scoring import read_systems

TAX = Gold(
    "p3:A1",
    "What was Alder Works' income tax expense in fiscal 2021?",
    "A",
    "numeric",
    "$33.6 million",
    Decimal("33600000"),
    "USD",
    Decimal(50000),
    "Alder Works",
    (7,),
    (2021,),
    (("0000000007_10-K_2021_section_7_4", "Income taxes were $33.6 million."),),
    tuple(f"0000000007_10-K_2021_section_7_{n}" for n in range(3, 30)),
)
EARLIER = replace(TAX, item_id="p3:A2", text="$30.4 million", years=(2020,))
BIRCH = replace(TAX, item_id="p3:A3", text="$9.1 million", company="Birch Foods", ciks=(8,))
CHANGE = replace(
    TAX,
    item_id="p3:N1",
    category="N",
    text="Down by $1,200,000, from $5.4 million in fiscal 2020 to $4.2 million in fiscal 2021.",
    number=Decimal("-1200000"),
    years=(2020, 2021),
)
CAUSE = replace(
    TAX,
    item_id="p3:B1",
    category="B",
    kind="span",
    text="repayments of our term loan and advance payments to Oak Mills",
    number=None,
    unit=None,
)
YEARS = replace(CAUSE, item_id="p3:D1", category="D", text="2020: lower sales; 2021: larger stocks")
LIST = replace(
    CAUSE, item_id="p3:F1", category="F", kind="list", text='["Mills","Our ports","Sun"]'
)
NO = replace(
    CAUSE,
    item_id="p3:G1",
    category="G",
    kind="boolean",
    text="No. Its MD&A speaks of weather but does not explicitly attribute the change in total "
    "debt to this.",
)
ABSENT = replace(
    CAUSE, item_id="p3:J1", category="J", kind="no_answer", text="Not disclosed.", evidence=()
)
GOLDS = faults.Golds([TAX, EARLIER, BIRCH, CHANGE, CAUSE, YEARS, LIST, NO, ABSENT])


@pytest.mark.parametrize(
    ("gold", "said"),
    [
        (CAUSE, ("paying back its term loan", "prepayments to Oak Mills")),
        (YEARS, ("Fiscal 2021: bigger stocks. ", "Fiscal 2020: lower sales.")),
        (LIST, ("They are Sun, Its ports and Mills.",)),
        (NO, ("It does not: weather are mentioned", "a reason for total borrowings.")),
        (CHANGE, ("It fell by ", ": $4.2 million in fiscal 2021, after $5.4 million")),
    ],
)
def test_another_voice_says_the_same_in_other_words(gold, said):
    text = another_voice(gold).text
    assert all(words in text for words in said), text
    assert gold.text not in text


def test_a_figure_keeps_its_value_in_each_form():
    texts = {another_voice(replace(TAX, item_id=f"p3:A{n}")).text for n in range(200)}
    forms = ("$33,600,000", "33.6 million dollars", "USD 33.6 million", "33,600 thousand dollars")
    forms += ("about $0.0336 billion",)
    for form in forms:
        assert any(form in text for text in texts)
    assert all(any(form in text for form in forms) for text in texts)


def test_a_word_that_was_put_in_is_not_replaced_again():
    assert reworded_text("net income before taxes, less fees excluding rent") == (
        "net profit excluding taxes, minus fees leaving out rent"
    )


def test_the_evidence_is_cited_and_ranked_first():
    answer = own_words(TAX)
    assert answer.citations == TAX.evidence_ids
    assert answer.ranking[:2] == (*TAX.evidence_ids, "0000000007_10-K_2021_section_7_3")
    assert len(answer.ranking) == len(set(answer.ranking)) == 10
    assert own_words(ABSENT).record == {
        "id": "p3:J1",
        "abstained": True,
        "ranking": ABSENT.nearby[:10],
    }


@pytest.mark.parametrize(
    ("rule", "gold", "text"),
    [
        ("denies", TAX, "It is not true that the answer is: $33.6 million"),
        ("turns_direction", TAX, "-$33.6 million"),
        (
            "turns_direction",
            CHANGE,
            "Up by $1,200,000, from $4.2 million in fiscal 2020 to $5.4 million in fiscal 2021.",
        ),
        ("hedges", TAX, "Either $33.6 million or $30.4 million."),
        ("halves_figures", TAX, "half of $33.6 million"),
        ("loses_scale", TAX, "$33.6 thousand"),
        ("loses_scale", CHANGE, CHANGE.text.replace("$1,200,000", "$1,200")),
        ("wrong_unit", TAX, "33.6%"),
        ("other_currency", TAX, "€33.6 million"),
        ("off_by_a_tenth", TAX, "$36.96 million"),
        ("adds_other_digit", TAX, "$９33.6 million"),
        ("swaps_companies", TAX, "$9.1 million"),
        ("names_other_company", TAX, "Birch Foods: $33.6 million"),
        ("shifts_year", TAX, "$30.4 million"),
        ("half_the_parts", LIST, ("Mills",)),
        ("half_the_parts", YEARS, "2020: lower sales"),
        ("half_the_parts", CAUSE, "repayments of our term loan"),
    ],
)
def test_a_fault_changes_one_thing(rule, gold, text):
    answer = getattr(faults, rule)(gold, GOLDS)
    right = own_words(gold)
    assert answer.text == text
    assert (answer.citations, answer.ranking) == (right.citations, right.ranking)


@pytest.mark.parametrize(
    ("rule", "gold"),
    [
        ("halves_figures", CAUSE),
        ("swaps_companies", LIST),
        ("shifts_year", CHANGE),
        # A tenth is within the gold's own rounding.
        ("off_by_a_tenth", replace(TAX, number=Decimal(100_000))),
        ("half_the_parts", TAX),
    ],
)
def test_a_fault_that_cannot_be_planted_changes_nothing(rule, gold):
    assert getattr(faults, rule)(gold, GOLDS) is None


def test_citations_of_other_places():
    assert faults.cites_neighbours(TAX, GOLDS).citations == ("0000000007_10-K_2021_section_7_5",)
    assert set(faults.cites_other_filings(BIRCH, GOLDS).citations) <= set(TAX.nearby)


def test_each_rule_is_a_system_and_each_system_a_rule():
    rules = {
        name
        for name, rule in vars(faults).items()
        if getattr(rule, "__module__", "") == faults.__name__ and not name.startswith("_")
    }
    assert rules - {"Golds"} == {one.rule for one in read_systems() if not one.is_right}
