"""Values of answers: which are expected, what they are, why one is missing, and who is right."""

import math

import pytest

from finrag.metrics.answers import (
    OF_FILINGS,
    OF_PUBLIC_SETS,
    Answer,
    Asked,
    Held,
    Question,
    Scored,
    Sources,
    Value,
    Verdict,
    applies,
    decide,
    measure_answer,
    read_deciding,
    read_metrics,
)
from finrag.metrics.claims import count_claims

ROW = {
    **{"k": 0, "unit": "answer", "mode": "finrag", "asked_of": "answers", "applies_to": ""},
    **{"question_kind": None, "needs_gold": False, "needs_text_only": False},
    **{"counts_abstention": False, "counts_failure": False},
}


def metric(name, measured_by, **fields):
    [found] = read_metrics([{**ROW, "metric": name, "measured_by": measured_by, **fields}])
    return found


def question(answer_type="span", **fields):
    return Question("p3:q", "p3", OF_FILINGS, answer_type, **{"has_evidence": True, **fields})


def public(answer_type="span", **fields):
    return Question("b:q", "b", OF_PUBLIC_SETS, answer_type, **{"has_evidence": True, **fields})


def answered(answer_type="span", **fields):
    return Answer(question(answer_type), "answered", **{"gold_text": "words", **fields})


def measured(one, answer, asked=None, unmeasurable=()):
    """Status and value, or None where no value is expected."""
    found = list(measure_answer(answer, [one], asked or Asked(), unmeasurable))
    return (found[0].status, found[0].value) if found else None


# --- Which values are expected -------------------------------------------------------------

ACCURACY = metric("answer_accuracy", "type_rule", needs_text_only=True)
LISTED = metric("answered", "outcome", applies_to="boolean list")
RECALL = metric("citation_recall", "citations", applies_to="boolean list", needs_gold=True)
SUPPORTED = metric("claims_supported", "claims", asked_of="any", applies_to="boolean list span")
PUBLIC = {"asked_of": "public", "mode": "official"}
EM = metric("em", "evaluator", question_kind="wording", needs_text_only=True, **PUBLIC)
SCALE = metric("scale", "evaluator", question_kind="wording", **PUBLIC)
STRICT = {"asked_of": "public", "mode": "strict"}
SPEAKERS = metric("speakers", "evaluator", question_kind="speaker", needs_text_only=True, **STRICT)
PUBLIC_RECALL = metric("citation_recall", "citations", needs_gold=True, **STRICT)
REJECTION = metric(
    "rejection_accuracy",
    "outcome",
    question_kind="rejection",
    needs_text_only=True,
    counts_abstention=True,
    counts_failure=True,
    **STRICT,
)
HALLUCINATED = metric("hallucinated", "marks", applies_to="boolean list")
ALL = (
    *(ACCURACY, LISTED, RECALL, SUPPORTED, EM, SCALE, SPEAKERS, PUBLIC_RECALL, REJECTION),
    HALLUCINATED,
)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (question("boolean"), {ACCURACY, LISTED, RECALL, SUPPORTED, HALLUCINATED}),
        (question("no_answer"), {ACCURACY}),
        (question(None), {ACCURACY}),
        (public("span"), {SUPPORTED, EM, SCALE, PUBLIC_RECALL}),
        (public("speaker", asks_speaker=True), {SPEAKERS, PUBLIC_RECALL}),
        (public("no_answer", is_rejection=True), {EM, SCALE, PUBLIC_RECALL, REJECTION}),
    ],
)
def test_a_question_has_the_metrics_of_its_answer_type_and_set(asked, expected):
    assert {one for one in ALL if applies(one, asked, is_null=False)} == expected


def test_a_null_has_the_metrics_of_the_text_alone():
    assert [one for one in ALL if applies(one, question("boolean"), is_null=True)] == [ACCURACY]


def test_of_a_public_set_those_are_expected_by_which_any_answer_was_measured():
    """An answerer of this project has those of the text; who cites, citations and claims."""
    answer = Answer(public("no_answer", is_rejection=True), "answered")
    both = [("em", "official"), ("scale", "official")]

    def expected(**fields):
        values = measure_answer(answer, ALL[3:9], Asked(**fields))
        return {one.metric for one in values}

    assert expected(has_run=True) == {REJECTION}
    assert expected(has_run=False) == set()
    assert expected(has_run=False, evaluated=both) == {EM, SCALE}
    assert expected(has_run=False, evaluated=both, is_answerer=True) == {EM}
    assert expected(has_run=False, evaluated=[("em", "strict")]) == set()
    assert expected(has_run=False, is_citing=True) == {SUPPORTED, PUBLIC_RECALL}


def test_a_hallucination_is_measured_where_somebody_looked_for_it():
    def marked(*marks):
        return measured(HALLUCINATED, answered("list", marks=marks))

    assert marked("perfect", "hallucination") == ("evaluated", 1)
    assert marked("minor extrapolation", "wrong") == ("evaluated", 0)
    assert marked("wrong") is None


# --- Why there is no value -----------------------------------------------------------------

EVALUATED = Asked(evaluated=[("em", "official"), ("em", "strict")])
COUNTS_ALL = metric("em", "evaluator", counts_abstention=True, counts_failure=True, **PUBLIC)
COUNTS_FAILURE = metric("em", "evaluator", counts_failure=True, **STRICT)
COUNTS_NONE = metric("em", "evaluator", **STRICT)


@pytest.mark.parametrize(
    ("one", "outcome", "value", "is_uncovered", "expected"),
    [
        (COUNTS_ALL, "answered", 0, False, ("evaluated", 0)),
        (COUNTS_ALL, "answered", math.nan, False, ("unscored", None)),
        (COUNTS_ALL, "answered", None, False, ("unscored", None)),
        (COUNTS_ALL, "answered", "no score", False, ("unscored", None)),
        # A file that says how it was judged needs no gold.
        (COUNTS_ALL, "answered", 1, True, ("evaluated", 1)),
        (COUNTS_ALL, "answered", "no score", True, ("uncovered", None)),
        (COUNTS_ALL, "abstained", 0, False, ("evaluated", 0)),
        (COUNTS_FAILURE, "abstained", 0, False, ("abstained", None)),
        (COUNTS_ALL, "abstained", None, False, ("abstained", None)),
        (COUNTS_FAILURE, "abstained", "no score", True, ("uncovered", None)),
        (COUNTS_ALL, "failed", 0, False, ("evaluated", 0)),
        (COUNTS_NONE, "failed", 0, False, ("failed", None)),
        (COUNTS_ALL, "failed", "no score", False, ("failed", None)),
        (COUNTS_ALL, "failed", None, False, ("unscored", None)),
        # A failure comes before a gold that leaves nothing to measure, unless failing counts.
        (COUNTS_ALL, "failed", "no score", True, ("uncovered", None)),
        (COUNTS_NONE, "failed", "no score", True, ("failed", None)),
        (COUNTS_ALL, "not_run", "no score", False, ("not_run", None)),
        (COUNTS_ALL, "not_run", "no score", True, ("uncovered", None)),
    ],
)
def test_missing_failed_abstained_unscored_and_zero_are_different_things(
    one, outcome, value, is_uncovered, expected
):
    key = (one.metric, one.mode)
    scores = {} if value == "no score" else {key: value}
    answer = Answer(public(), outcome, evaluated=scores)
    assert measured(one, answer, EVALUATED, [key] if is_uncovered else ()) == expected


def test_where_no_answer_is_asked_for_silence_leaves_nothing_out():
    left_out = Answer(public(has_no_gold=True), "not_run")
    rejected = Answer(public("no_answer", has_no_gold=True, is_rejection=True), "not_run")
    assert measured(COUNTS_NONE, left_out, EVALUATED) == ("uncovered", None)
    assert measured(COUNTS_NONE, rejected, EVALUATED) == ("not_run", None)


def test_who_spoke_needs_a_gold_and_citations_need_evidence():
    asked = Asked(is_citing=True, evaluated=[("speakers", "strict")])
    for has_no_gold, status in ((True, "uncovered"), (False, "unscored")):
        spoken = Answer(public("speaker", asks_speaker=True, has_no_gold=has_no_gold), "answered")
        assert measured(SPEAKERS, spoken, asked) == (status, None)
    unplaced = Answer(public(has_evidence=False), "answered", sources=Sources(n_cited=1))
    assert measured(PUBLIC_RECALL, unplaced, asked) == ("uncovered", None)


@pytest.mark.parametrize(
    ("outcome", "of_filings", "of_public_sets"),
    [
        ("answered", 1, 0),
        ("abstained", 0, 1),
        ("failed", 0, 0),
        # Files may answer one part of a set.
        ("not_run", 0, None),
    ],
)
def test_an_outcome_is_a_value(outcome, of_filings, of_public_sets):
    counted = metric("answered", "outcome", counts_abstention=True, counts_failure=True)
    status = "evaluated" if of_public_sets is not None else "not_run"
    rejected = Answer(public("no_answer", is_rejection=True), outcome)
    assert measured(counted, Answer(question(), outcome)) == ("evaluated", of_filings)
    assert measured(REJECTION, rejected) == (status, of_public_sets)


def test_a_rule_that_nobody_wrote_is_named():
    with pytest.raises(ValueError, match="metric 'novel': no rule is called 'guess'"):
        metric("novel", "guess")


# --- What is measured ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        # Of four places three, for one of two pieces of evidence.
        (Sources(4, 4, 3, 2, 1), (1, 0.75, 1, 0.5, 1)),
        (Sources(4, 1, 0, 1, 0), (1, 0, 0.25, 0, 0)),
        # An answer without a source has no right source.
        (Sources(0, 0, 0, 1, 0), (0, 0, 0, 0, 0)),
        (Sources(1, 1, 0, 0, 0), (1, None, 1, None, 1)),
    ],
)
def test_citations_are_measured_by_the_places_that_agree(sources, expected):
    found = [
        *(sources.measure("citation_coverage", False),),
        *(sources.measure("citation_correctness", True),),
        *(sources.measure("citation_filing", False),),
        *(sources.measure("citation_recall", True),),
        *(sources.measure("cites_right_filing", False),),
    ]
    assert tuple(found) == expected


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        (Sources(4, 4, 3, 2, 1), "some_right"),
        (Sources(4, 4, 0, 2, 0), "none_right"),
        (Sources(0, 0, 0, 2, 0), "no_citation"),
        (Sources(1, 0, 0, 0, 0), "gold_missing"),
    ],
)
def test_what_is_cited_is_one_of_four_cases(sources, expected):
    assert sources.verdict == expected


def claim(kind, support, text="words", is_verbatim=False):
    return {
        **{"claim_kind": kind, "support": support, "claim_text": text},
        "is_verbatim": is_verbatim,
    }


MIXED = [
    claim("sentence", "supported", is_verbatim=True),
    claim("sentence", "inferred"),
    claim("sentence", "unsupported"),
    claim("sentence", "unproven"),
    claim("number", "supported"),
    claim("number", "inferred"),
    claim("number", "unsupported", "$9"),
    claim("number", "unsupported", "$7"),
    claim("number", "unsupported", "$8"),
    claim("entity", "unsupported", "Pell Mills"),
    claim("entity", "inferred", "Quillmark"),
    claim("quote", "supported"),
    claim("quote", "unsupported"),
]


@pytest.mark.parametrize(
    ("name", "of_mixed", "of_one"),
    [
        ("claims_supported", 0.5, 1),
        ("claims_unsupported", 0.25, 0),
        ("claims_copied", 0.25, 0),
        ("numbers_supported", 0.4, None),
        ("unsupported_numbers", 3, 0),
        ("quotes_verified", 0.5, None),
    ],
)
def test_claims_are_counted_apart_and_what_is_inferred_is_supported(name, of_mixed, of_one):
    assert count_claims(MIXED, 8).measure(name) == of_mixed
    assert count_claims([claim("sentence", "supported")], 8).measure(name) == of_one


def test_names_and_numbers_without_source_are_told_in_their_order():
    counted = count_claims(MIXED, 8)
    assert counted.unsupported_numbers == ("$9", "$7", "$8")
    assert counted.unsupported_names == {"pell mills"}
    assert not counted.is_supported


@pytest.mark.parametrize(
    ("verdict", "exact", "within"),
    [("exact", 1, 1), ("within_rounding", 0, 1), ("within_tolerance", 0, 1), ("scale", 0, 0)],
)
def test_a_number_within_rounding_is_right_and_not_exact(verdict, exact, within):
    answer = answered("numeric", verdict=verdict)
    assert measured(metric("numeric_exact", "numbers"), answer) == ("evaluated", exact)
    assert measured(metric("numeric_within_tolerance", "numbers"), answer)[1] == within
    assert answer.right_by_type == within


def test_a_number_without_a_verdict_is_not_scored():
    assert measured(metric("numeric_exact", "numbers"), answered("numeric")) == ("unscored", None)
    assert answered("numeric").right_by_type is None


WORDS = {
    "boolean_accuracy": "boolean_match",
    "list_jaccard": "list_jaccard",
    "contain_match": "contain_match",
    "rouge_l": "rouge_l",
}


@pytest.mark.parametrize(("name", "scored_as"), WORDS.items())
def test_what_cannot_be_found_in_an_answer_is_not_there(name, scored_as):
    """A yes or no that an answer hides is wrong; where the gold has no words nothing is."""
    one = metric(name, "words")
    assert measured(one, answered(wordings={scored_as: Scored(0.7)})) == ("evaluated", 0.7)
    assert measured(one, answered(wordings={scored_as: Scored(None)})) == ("evaluated", 0)
    assert measured(one, answered()) == ("evaluated", 0)
    assert measured(one, answered(gold_text=" ")) == ("unscored", None)
    assert measured(one, answered(gold_text=None)) == ("unscored", None)


@pytest.mark.parametrize(("value", "expected"), [(0.8, 1), (0.79, 0), (None, 0)])
def test_lists_match_from_jaccard_point_eight(value, expected):
    answer = answered("list", wordings={"list_jaccard": Scored(value)})
    assert measured(metric("list_match", "words"), answer) == ("evaluated", expected)
    assert answer.right_by_type == expected


def test_a_score_that_no_scorer_gave_is_unscored_and_another_keeps_its_scorer():
    one = metric("bert_score", "words")
    [value] = measure_answer(answered(wordings={"bert_score": Scored(0.9, "m")}), [one], Asked())
    assert value == Value(one, "evaluated", 0.9, "m")
    assert measured(one, answered()) == ("unscored", None)


# --- Right by the rule of the answer type ----------------------------------------------------

TOLD = "Rivals may win mills and halve our prices."
TOPIC = Held(has_judged_sentences=False, is_topic=True)
CITED = Sources(n_cited=1, n_matched=1, n_evidence=1, n_evidence_cited=1)


def on_topic(*claims, sources=CITED, held=TOPIC):
    counted = count_claims(claims, 8) if claims else None
    return answered("list", held=held, sources=sources, claims=counted).right_by_type


def test_a_broad_question_is_answered_by_a_supported_sentence_on_all_its_evidence():
    told = claim("sentence", "inferred", TOLD)
    assert on_topic(told) == 1
    assert on_topic(told, sources=Sources(1, 1, 1, 2, 1)) == 0
    assert on_topic(told, sources=None) == 0
    assert on_topic(claim("sentence", "supported", "We see risks of rivals and prices")) == 0
    assert on_topic(told, claim("sentence", "unproven")) == 0
    assert on_topic(claim("sentence", "unsupported", TOLD)) == 0
    assert on_topic() == 0
    assert on_topic(told, held=Held(False, False)) == 0
    assert on_topic(held=Held(True, True)) == 1


def test_a_span_is_right_where_it_holds_the_gold_or_a_whole_judged_sentence():
    contains = {"contain_match": Scored(1.0)}
    lacks = {"contain_match": Scored(0.0)}
    assert answered(wordings=contains).right_by_type == 1
    assert answered(wordings=lacks).right_by_type == 0
    assert answered(wordings=lacks, held=Held(True, False)).right_by_type == 1
    assert answered(wordings=lacks, held=TOPIC).right_by_type == 0
    assert answered(gold_text=" ", held=Held(True, False)).right_by_type == 1
    assert answered(gold_text=None).right_by_type is None


def test_declining_is_right_where_there_is_nothing_and_nowhere_else():
    assert Answer(question("no_answer"), "abstained").right_by_type == 1
    assert Answer(question("boolean"), "abstained").right_by_type == 0
    assert answered("no_answer").right_by_type == 0


def test_what_is_said_of_another_company_is_wrong():
    right = {"wordings": {"list_jaccard": Scored(1.0)}}
    assert answered("list", **right).right_by_type == 1
    assert answered("list", names_other_company=True, **right).right_by_type == 0


def test_off_question_is_what_is_wrong_and_borne_out_by_other_passages():
    one = metric("off_question", "question")
    elsewhere = Sources(n_cited=1, n_evidence=1)
    supported = count_claims([claim("sentence", "supported"), claim("entity", "inferred")], 8)
    wrong = {"claims": supported, "sources": elsewhere}
    assert measured(one, answered(**wrong)) == ("evaluated", 1)
    assert measured(one, answered(**wrong, held=Held(True, False))) == ("evaluated", 0)
    assert measured(one, answered(claims=count_claims(MIXED, 8), sources=elsewhere))[1] == 0
    assert measured(one, answered(claims=None, sources=elsewhere))[1] == 0
    assert measured(one, answered(claims=supported, sources=Sources(1, 1, 1, 2, 1)))[1] == 0
    assert measured(one, answered(claims=supported, sources=Sources(0, 0, 0, 1, 0)))[1] == 0
    assert measured(one, answered(gold_text=None, **wrong)) == ("unscored", None)


# --- Who is right ------------------------------------------------------------------------------

DECIDING = read_deciding(
    [
        {
            "place": place,
            "metric": name,
            "k": 0,
            "unit": "answer",
            "mode": mode,
            "shows_wrong": shows,
        }
        for place, name, mode, shows in (
            (1, "rejected", "strict", True),
            (2, "labelled", "official", True),
            (3, "number", "strict", True),
            (4, "words", "official", False),
        )
    ]
)


def valued(name, status, value=None):
    mode = {"rejected": "strict", "number": "strict"}.get(name, "official")
    return Value(metric(name, "evaluator", mode=mode), status, value)


@pytest.mark.parametrize(
    ("outcome", "values", "expected"),
    [
        # A label comes before a comparison of numbers, and that before one of words.
        (
            "answered",
            [("number", "evaluated", 0), ("labelled", "evaluated", 1)],
            (True, "labelled"),
        ),
        (
            "answered",
            [
                ("labelled", "unscored"),
                ("number", "evaluated", 0),
                ("words", "evaluated", 1),
            ],
            (False, "number"),
        ),
        ("answered", [("number", "uncovered"), ("words", "evaluated", 0.5)], (True, "words")),
        # Words that lack the gold may be right in other words, unless the question was declined.
        ("answered", [("words", "evaluated", 0)], (None, "words")),
        ("abstained", [("words", "evaluated", 0)], (False, "words")),
        ("abstained", [("number", "abstained"), ("words", "evaluated", 0)], (False, "number")),
        ("abstained", [("rejected", "evaluated", 1), ("number", "abstained")], (True, "rejected")),
        # What broke off is not judged, even where an evaluator gives it 0.
        ("failed", [("number", "evaluated", 0)], (None, None)),
        ("not_run", [("number", "evaluated", 0)], (None, None)),
        ("answered", [("unknown", "evaluated", 1)], (None, None)),
        ("answered", [], (None, None)),
    ],
)
def test_the_first_metric_with_a_value_decides(outcome, values, expected):
    found = decide(outcome, [valued(*one) for one in values], DECIDING)
    assert (found.is_right, found.metric) == expected


def test_a_verdict_names_its_metric():
    values = [valued("number", "evaluated", 1)]
    assert decide("answered", values, DECIDING) == Verdict(True, "number", 0, "answer", "strict")
