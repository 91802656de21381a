"""Why an answer is wrong: which kinds of failure fit it, and which of them is its cause."""

import pyarrow as pa
import pytest

from finrag.metrics.causes import Diagnosed, find_causes, find_failures, first_failure


def diagnosed(**fields):
    return Diagnosed("a", "q", **{"outcome": "answered", "n_citations": 1, **fields})


def kinds(**fields):
    return sorted(failure.kind for failure in find_failures(diagnosed(**fields)))


def wrong(answer_type, answer_text="x", gold_text=None, **fields):
    """Kinds that fit a wrong answer whose evidence was all read; what it cites is told."""
    counts = {"n_evidence": 1, "n_evidence_ranked": 1, "n_evidence_in_context": 1}
    return kinds(
        is_right=False,
        answer_type=answer_type,
        answer_text=answer_text,
        gold_text=gold_text,
        **{**counts, "n_evidence_cited": 1, **fields},
    )


def list_failure(gold, answer):
    [failure] = find_failures(
        diagnosed(is_right=False, answer_type="list", gold_text=gold, answer_text=answer)
    )
    return tuple(failure)


@pytest.mark.parametrize(
    ("gold", "answer", "expected"),
    [
        (
            '["Pumps","Valves"]',
            '["valves."]',
            ("missed_list_items", "1 missed, 0 extra; first: Pumps"),
        ),
        (
            '["Pumps","Valves"]',
            '["Valves", "Pumps", "Motors", "Seals"]',
            ("extra_list_items", "0 missed, 2 extra; first: Motors"),
        ),
        ('["Pumps"]', '["Pump"]', ("missed_list_items", "1 missed, 1 extra; first: Pumps")),
        (
            '["Pumps","Valves"]',
            "We sell pumps, valves and more.",
            ("extra_list_items", "0 missed, 1 extra; first: We sell pumps, valves and more."),
        ),
        (
            '["Valves", "Pumps"]',
            '["Seals"]',
            ("missed_list_items", "2 missed, 1 extra; first: Pumps"),
        ),
        ('["p"]', '["P."]', ("other_wording", "every item is named")),
        ('["p"]', "...", ("missed_list_items", "1 missed, 1 extra; first: p")),
        (None, '["p"]', ("other_wording", "every item is named")),
    ],
)
def test_list_items_are_compared_as_whole_words(gold, answer, expected):
    """Case, punctuation and order do not count; an answer in a sentence is one item."""
    assert list_failure(gold, answer) == expected


TIN = "Lower prices of tinplate, and freight"
TURNED = "freight prices. Tinplate of lower"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"copied_share": 1}, ["copied", "other_wording"]),
        ({"copied_share": 0.5}, ["other_wording"]),
        ({"copied_share": 1, "n_evidence_cited": 0}, ["other_passage"]),
        ({"copied_share": 1, "n_evidence": 0, "n_evidence_cited": 0}, ["other_wording"]),
        ({"cosine": 0.59, "answer_text": TURNED}, ["fragmented", "other_wording"]),
        ({"cosine": 0.6, "answer_text": TURNED}, ["other_wording"]),
        ({"cosine": 0.1, "answer_text": "freight prices rose"}, ["other_wording"]),
        ({"cosine": 0.1, "answer_text": TURNED, "gold_text": "3.1 of 4"}, ["other_wording"]),
        ({"cosine": None, "answer_text": TURNED}, ["other_wording"]),
    ],
)
def test_copies_and_fragments_are_failures_of_free_answers(fields, expected):
    """Of a span copies of all evidence; of a span or a list most words with another meaning."""
    assert wrong("span", **{"gold_text": TIN, **fields}) == expected


def test_a_fragment_tells_how_many_words_it_has():
    found = dict(
        find_failures(
            diagnosed(
                is_right=False,
                answer_type="list",
                gold_text=TIN,
                answer_text="Freight, of tinplate prices",
                cosine=0.599,
            )
        )
    )
    assert found["fragmented"] == "3 of 5 words of the gold, cosine 0.60"


def test_copying_and_fragments_are_none_of_a_right_answer():
    assert kinds(is_right=True, answer_type="span", copied_share=1, cosine=0.1, gold_text=TIN,
                 answer_text=TIN, n_evidence=1, n_evidence_cited=1) == []  # fmt: skip


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((2, 1, 1), "false_abstention_no_evidence_retrieved"),
        ((2, 2, 1), "false_abstention_evidence_cut"),
        ((2, 2, 2), "false_abstention_evidence_in_context"),
        ((2, None, None), "false_abstention"),
        ((0, 0, 0), "false_abstention"),
    ],
)
def test_an_abstention_is_told_by_how_far_the_evidence_came(counts, expected):
    names = ("n_evidence", "n_evidence_ranked", "n_evidence_in_context")
    fields = dict(zip(names, counts, strict=True))
    assert kinds(outcome="abstained", is_right=False, **fields) == [expected]
    assert kinds(outcome="abstained", is_right=True, **fields) == []


def test_how_far_the_evidence_came_is_told_in_words():
    [failure] = find_failures(
        diagnosed(outcome="abstained", is_right=False, n_evidence=2, n_evidence_ranked=1)
    )
    assert failure.detail == "2 of evidence: 1 ranked, unknown read, 0 cited"


def test_what_broke_off_is_told_by_its_error():
    timed_out = diagnosed(outcome="failed", error="timed out")
    assert list(find_failures(timed_out)) == [("failed", "timed out")]
    assert list(find_failures(diagnosed(outcome="not_run"))) == [("not_run", "no outcome")]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (
            wrong("span", n_evidence_cited=0, is_off_question=True),
            ["off_question", "other_passage"],
        ),
        (wrong("no_answer", n_evidence_cited=0), ["answered_unanswerable"]),
        (wrong("numeric", numeric_value=5.0, verdict="sign"), ["wrong_sign"]),
        (wrong("numeric", verdict="missing"), ["no_number"]),
        (wrong("numeric", numeric_value=5.0), ["wrong_value"]),
        (wrong("numeric"), ["no_number"]),
        (wrong("numeric", numeric_value=5.0, verdict="exact"), ["wrong_value"]),
        (wrong("boolean", "Yes."), ["wrong_boolean"]),
        (wrong("boolean", "No, it does not."), ["wrong_boolean"]),
        (wrong("boolean", "Yesterday."), ["no_boolean"]),
        (wrong("boolean", None), ["no_boolean"]),
        (wrong("list", '["q", "r"]', '["p", "q"]'), ["missed_list_items"]),
        (wrong("list", '["p", "y"]', '["p"]'), ["extra_list_items"]),
        (wrong("span", n_evidence_cited=0), ["other_passage"]),
        (wrong("span"), ["other_wording"]),
        (wrong("other"), ["other_wording"]),
        (wrong(None), ["other_wording"]),
        (kinds(is_right=None, answer_type="span"), ["not_judged"]),
        (kinds(is_right=None, outcome="abstained"), ["not_judged"]),
        (kinds(is_right=True, answer_type="span"), []),
    ],
)
def test_every_wrong_answer_has_a_kind(found, expected):
    assert found == expected


def test_a_wrong_figure_is_told_by_its_reason_or_else_by_its_value():
    wrong_figure = {"is_right": False, "answer_type": "numeric", "numeric_value": 5.0}
    [told] = find_failures(diagnosed(**wrong_figure, verdict="scale", verdict_reason="Too large."))
    [bare] = find_failures(diagnosed(**wrong_figure, unit="USD"))
    assert told == ("wrong_scale", "Too large.")
    assert bare == ("wrong_value", "5.0 USD")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"unsupported_numbers": "$9"}, [("unsupported_numbers", "$9")]),
        ({"other_company_place": "s"}, [("cites_other_company", "s")]),
        (
            {"n_citations": 2, "n_invalid_citations": 1},
            [("invalid_citations", "1 of 2 citations")],
        ),
        ({"n_citations": 0, "unsupported_numbers": "$9"}, [("uncited", "no citation")]),
        ({"n_citations": 0, "answer_type": "speaker"}, []),
        ({"other_year_place": "s"}, []),
        ({"outcome": "abstained", "n_citations": 0}, []),
    ],
)
def test_a_right_answer_may_still_rest_on_nothing(fields, expected):
    """Numbers without source, another company's sentence, a citation it was not given, none."""
    assert list(find_failures(diagnosed(is_right=True, **fields))) == expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"n_evidence_ranked": 0, "n_evidence_in_context": 0}, ["evidence_not_retrieved"]),
        ({"n_evidence_ranked": 1, "n_evidence_in_context": 0}, ["evidence_cut_from_context"]),
        ({"n_evidence_ranked": None, "n_evidence_in_context": None}, []),
        ({"other_company_place": "s", "other_year_place": "t"}, ["wrong_company", "wrong_year"]),
    ],
)
def test_what_was_not_retrieved_or_read_explains_a_wrong_answer(fields, expected):
    """Evidence that was read explains nothing; a context that is not known blames nothing."""
    assert wrong("no_answer", **fields) == sorted([*expected, "answered_unanswerable"])


def test_the_first_kind_by_rank_is_the_cause():
    """The rank decides, not the alphabet; a kind that the seed does not know comes last."""
    answer = diagnosed(is_right=False, answer_type="span", is_off_question=True)
    assert first_failure(answer, {"other_wording": 2, "off_question": 10}).kind == "other_wording"
    assert first_failure(answer, {"off_question": 10}).kind == "off_question"
    assert first_failure(answer, {}).kind == "off_question"


def test_causes_are_rows_of_what_went_wrong_in_the_order_of_the_answers():
    names = [*Diagnosed.__dataclass_fields__]
    rows = [
        Diagnosed("b", "q", outcome="failed", error="late"),
        Diagnosed("a", "r", outcome="answered", is_right=True, n_citations=1),
        Diagnosed("a", "q", outcome="not_run"),
    ]
    answers = pa.RecordBatch.from_pylist([{n: getattr(row, n) for n in names} for row in rows])
    found = find_causes([answers], pa.table({"failure": ["failed"], "rank": [2]})).read_all()
    assert found.to_pylist() == [
        {"system_id": "b", "item_id": "q", "failure": "failed", "detail": "late"},
        {"system_id": "a", "item_id": "q", "failure": "not_run", "detail": "no outcome"},
    ]
