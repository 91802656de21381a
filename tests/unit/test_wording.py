from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finrag.text.wording import Wording, read_boolean, read_list


@pytest.fixture(scope="module")
def wording() -> Wording:
    return Wording()


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("revenue rose", "revenues rising", 0.5),
        ("$1.5 billion", "$15 billion", 0.4),
        ("-4.4%", "4.4%", 1.0),
        ("1,577", "1577", 0.0),
        ("the cats run", "the cat running", 1.0),
        ("a b c d e f", "d e f\na b c", 0.5),
        ("Revenue increased 15% to $2.3B", "Net sales rose to $2,300M, up 15%", 0.2857),
        ("", "revenue rose", 0.0),
        ("revenue rose", "", 0.0),
    ],
)
def test_rouge_l_gives_the_official_figures(wording, answer, gold, expected):
    assert wording.rouge_l(answer, gold) == pytest.approx(expected, abs=5e-5)


SENTENCES = st.lists(
    st.sampled_from(["sales", "rose", "rising", "4.4%", "the", "in", "Élan", "2021", "—", "runs"]),
    max_size=25,
).map(" ".join)


@given(answer=SENTENCES, gold=SENTENCES)
def test_rouge_l_is_that_of_the_package_to_the_last_bit(answer, gold):
    from rouge_score.rouge_scorer import RougeScorer

    official = RougeScorer(["rougeL"], use_stemmer=True).score(gold, answer)["rougeL"].fmeasure
    assert Wording().rouge_l(answer, gold) == official


def test_a_long_answer_takes_no_square_of_time(wording):
    answer, gold = "sales rose again " * 4_000, "sales fell again " * 4_000
    started = time.process_time()
    assert wording.rouge_l(answer, gold) == pytest.approx(2 / 3)
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("It came to 1577.00 million dollars in 2020.", "$1,577 million", 1),
        ("Net sales: $1.577 billion", "$1,577 million", 1),
        ("Net sales were $1,577", "15", 0),
        ("Net sales were $1,577", "1577", 1),
        ("The share is 1577%", "1577", 0),
        ("A loss of $(5) million", "-$5 million", 1),
        ("A gain of $5 million", "-$5 million", 0),
        ("Growth of 6.2 percent", "6.2%", 1),
        ("A dividend of €2.00", "$2.00", 0),
        ("1,577 million", "$1,577 million", 0),
        ("Sales grew with the Company’s  YEAR-END orders.", "company's year end orders", 1),
        ("Sales of paints and glues grew", "paint", 0),
        ("In 2022 sales grew", "2022", 1),
        ("It paid $2.00 per share", "$2.00 per share", 1),
        ("It paid $2.00", "$2.00 per share", 0),
        ("First the quarry; then two ships", '["two ships", "the quarry"]', 1),
        ("Only the quarry", '["two ships", "the quarry"]', 0),
        ("", "the quarry", 0),
    ],
)
def test_gold_is_found_in_an_answer(wording, answer, gold, expected):
    assert wording.contain_match(answer, gold) == expected


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("Revenue was not $5 million.", "$5 million", 0),
        ("not $5 million but $6 million", "$5 million", 0),
        ("not $5 million but $6 million", "$6 million", 1),
        ("Not Pell Rail", "Pell Rail", 0),
        ("It wasn't the Pell Rail contract", "Pell Rail", 0),
        ("It bought Orsa rather than Pell Rail", "Pell Rail", 0),
        ("Pell Rail did not buy Orsa", "Orsa", 0),
        ("Pell Rail did not buy Orsa", "Pell Rail", 0),
        ("It is Pell Rail", "Pell Rail", 1),
        # Another clause, and what only sounds like a negation.
        ("Orsa did not. Pell Rail did.", "Pell Rail", 1),
        ("Revenue, which did not change, was $5 million", "$5 million", 1),
        ("No, $5 million", "$5 million", 1),
        ("not only Pell Rail", "Pell Rail", 1),
        ("Revenue of $5 million did not change", "$5 million", 1),
        ("The terms may not be renewed", "may not be renewed", 1),
        # One statement that stands is enough.
        ("Not Pell Rail alone said so: it was Pell Rail", "Pell Rail", 1),
    ],
)
def test_gold_that_is_denied_is_not_found(wording, answer, gold, expected):
    assert wording.contain_match(answer, gold) == expected


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("3M", "3", 0),
        ("3M sells tape", "3M", 1),
        ("Q3", "3", 0),
        ("Form 10-K", "10", 0),
        ("3", "3", 1),
        ("It closed 3 plants", "3", 1),
        ("Net Sales 1577", "1577", 1),
    ],
)
def test_digits_of_a_name_are_no_number(wording, answer, gold, expected):
    assert wording.contain_match(answer, gold) == expected


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("Orsa, Pell, Dunmoor, Kettle, Averin", "Pell", 0),
        ("orsa, pell, dunmoor, kettle", "Pell", 0),
        ("The buyer is Orsa, Pell or Dunmoor.", "Pell", 0),
        ("The buyer is Orsa, Pell or Dunmoor.", "Orsa", 0),
        ("Orsa, Dunmoor and Pell bid.", "Pell", 0),
        ("Orsa or Pell", "Pell", 0),
        ("- Orsa\n- Pell\n- Dunmoor\n- Kettle", "Pell", 0),
        ('["Orsa", "Pell", "Dunmoor", "Kettle"]', "Pell", 0),
        # Named once more, outside.
        ("Of Orsa, Pell and Dunmoor, Pell is the largest.", "Pell", 1),
        # A place, an aside, a pair, and a gold that is an enumeration itself.
        ("It is in Pell, Ohio, USA", "Pell", 1),
        ("Yes, Pell, Ohio, USA", "Pell", 1),
        ("In 2022, Pell, which makes tape, and others grew", "Pell", 1),
        ("Pell and Orsa", "Pell", 1),
        ("Orsa, Pell, Dunmoor and Kettle", "Orsa, Pell, Dunmoor", 1),
        ("Orsa, Pell, Dunmoor and Kettle", '["Pell", "Orsa"]', 1),
        ("steel, glass, sand and lime", "glass", 1),
    ],
)
def test_a_name_among_many_candidates_is_not_given(wording, answer, gold, expected):
    assert wording.contain_match(answer, gold) == expected


def test_gold_without_words_cannot_be_found(wording):
    assert wording.contain_match("anything", " — ") is None


WORDS = st.lists(
    st.sampled_from(["sales", "$5", "rose", "6%", "2021", "(3)", "-", "."]), max_size=8
)


@given(before=WORDS, gold=WORDS, after=WORDS)
def test_gold_is_found_between_whole_sentences(before, gold, after):
    text = f"{' '.join(before)} said: {' '.join(gold)}. Then {' '.join(after)}"
    assert Wording().contain_match(text, f": {' '.join(gold)}.") in (1.0, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yes.", True),
        ("**No**, the filing does not.", False),
        ("yes it does", True),
        ("Answer: No", False),
        ("The filing names no cause, so the answer is yes.", True),
        ("No it does not.", False),
        ("No fewer than five plants closed.", None),
        ("There was no change.", None),
        ("2019: yes; 2020: no.", None),
        ("Yes and no.", None),
        ("It is yes or no, depending on the year", None),
        ("True", True),
        ("This is not true.", None),
        ("Yes, but no", None),
        ("No, then yes", None),
        ("Yes is wrong", None),
        ("yes/no", None),
        ("No / yes", None),
        ("Maybe yes", None),
        ("Maybe, yes.", None),
        ("Answer: maybe yes", None),
        ("Yes, maybe.", None),
        ("Nope", False),
        ("Nope, it sold none.", False),
        ("Yep.", True),
        ("It did not.", False),
        ("It didn't.", False),
        ("They have not, the filing says", False),
        ("It did.", True),
        ("It did not say.", None),
        ("No significant changes", False),
        ("No material change in leases.", False),
        ("No changes", False),
        ("", None),
    ],
)
def test_a_yes_or_no_is_read_where_it_is_stated(text, expected):
    assert read_boolean(text) is expected


def test_booleans_match_only_where_both_are_read(wording):
    assert wording.boolean_match("Yes, it does.", "Yes. It says so.") == 1
    assert wording.boolean_match("No.", "Yes. It says so.") == 0
    assert wording.boolean_match("It might.", "Yes. It says so.") is None


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ('["steel", "freight"]', ("steel", "freight")),
        ("The drivers were:\n- steel\n- freight\n  by sea", ("steel", "freight   by sea")),
        ("1. steel\n2) freight", ("steel", "freight")),
        ("steel\nfreight", ("steel", "freight")),
        ("steel; and freight.", ("steel", "freight")),
        ("steel, freight, and glass", ("steel", "freight", "glass")),
    ],
)
def test_the_first_reading_of_a_list(text, items):
    assert read_list(text)[0] == items


def test_nothing_is_no_list():
    assert read_list(" ") == [] == read_list("[]")


GOLD = '["longer terms for Ostrava Rail", "larger stocks of axles"]'


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("- Larger stocks of axles\n- longer terms for Ostrava Rail", 1),
        ("Two causes: longer terms for Ostrava Rail and larger stocks of axles.", 1),
        ("longer terms for Ostrava Rail; larger stock of axles", 1),
        ("longer terms for Ostrava Rail; larger stocks of brakes", 1 / 3),
        ("shorter terms for Ostrava Rail; smaller stocks of axles", 0),
        ("longer terms for Ostrava Rail", 1 / 2),
        ("longer terms for Ostrava Rail; longer terms for Ostrava Rail", 1 / 2),
        ("longer terms for Ostrava Rail; larger stocks of axles; a strike; a fire", 1 / 2),
        ("None of: longer terms for Ostrava Rail; larger stocks of axles", 0),
        ("None of the following:\n- longer terms for Ostrava Rail\n- larger stocks of axles", 0),
        ("It was not due to: longer terms for Ostrava Rail; larger stocks of axles", 0),
        ("Neither longer terms for Ostrava Rail and larger stocks of axles", 0),
        ("None was lost. Causes: longer terms for Ostrava Rail; larger stocks of axles", 1),
        ("", 0),
    ],
)
def test_lists_share_items_whatever_their_order(wording, answer, expected):
    assert wording.list_jaccard(answer, GOLD) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        (
            '["Pell: a fire in 2020", "Orsa: a strike"]',
            '["Orsa: a strike", "Pell: a fire in 2020"]',
            1,
        ),
        ('["Orsa: a strike at the big plant"]', '["Pell: a strike at the big plant"]', 0),
        ('["write-downs of $5 million"]', '["write-downs of $6 million"]', 0),
        ('["write-downs of 5 million dollars"]', '["write-downs of $5 million"]', 1),
        (
            '["sales, general and administrative expense"]',
            '["sales general administrative expense"]',
            1,
        ),
        (
            '["exchange gains on balances held in krona"]',
            '["exchange losses on balances held in krona"]',
            0,
        ),
        ('["the contract with Pell was not renewed"]', '["the contract with Pell was renewed"]', 0),
    ],
)
def test_items_are_the_same_by_words_numbers_and_label(wording, answer, gold, expected):
    assert wording.list_jaccard(answer, gold) == expected


def test_gold_without_items_has_no_jaccard(wording):
    assert wording.list_jaccard("steel", "[]") is None


@given(
    items=st.lists(st.sampled_from(["steel", "glass", "freight by sea", "$5 million"]), min_size=1)
)
def test_a_list_is_itself_in_any_order(items):
    import json

    assert Wording().list_jaccard(json.dumps(items[::-1]), json.dumps(items)) == 1


@settings(deadline=None)
@given(answer=st.text(max_size=200), gold=st.text(max_size=200))
def test_any_text_is_scored_without_a_crash(answer, gold):
    rules = Wording()
    for score in (rules.rouge_l, rules.contain_match, rules.boolean_match, rules.list_jaccard):
        value = score(answer, gold)
        assert value is None or 0 <= value <= 1


@pytest.mark.parametrize(
    "unit",
    [
        " ",
        "\n",
        "yes, ",
        "- ",
        "[",
        "(",
        "no. ",
        ": ",
        "5 ",
        "; and ",
        "not ",
        "Pell, ",
        "Pell or ",
    ],
)
def test_hostile_repetition_takes_linear_time(wording, unit):
    text = unit * 20_000
    started = time.process_time()
    wording.contain_match(text, GOLD)
    wording.contain_match(text, "Pell")
    wording.contain_match(text, "5")
    wording.boolean_match(text, "Yes.")
    wording.list_jaccard(text, GOLD)
    assert time.process_time() - started < 5


@pytest.mark.parametrize("text", ["It is not true that {}.", "The claim that {} is wrong."])
def test_a_gold_that_the_answer_calls_untrue_is_not_in_it(text):
    gold = "net sales fell because of lower volumes in the bottling business"

    assert Wording().contain_match(text.format(gold), gold) == 0.0
    assert Wording().contain_match(f"We know that {gold}.", gold) == 1.0
