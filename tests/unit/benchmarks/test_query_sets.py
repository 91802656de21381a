"""Open query formats and public question sets become questions, passages and judgments."""

import contextlib
import gzip
import json
import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from finrag.records.files import RecordFaultError
from finrag.sources.benchmarks.loaders import query_sets
from finrag.sources.benchmarks.records import Source
from finrag.text.references import document_key, name_words

SHARED = Path(os.environ.get("FINRAG_SHARED_DATA", Path(__file__).parents[4] / "shared/data"))
SOURCE = Source("set", "set.jsonl", 1)

GRADED = {
    "query_id": "G1",
    "query": "How is variance annualised?",
    "category": "risk",
    "difficulty": "easy",
    "is_rejection": False,
    "gold_references": [{"document": "Risk (Rossi 2020).pdf", "page": 45, "relevance": 3}],
    "expected_answer_gist": "times trading days",
}
QUERY = {
    "query_id": "N1",
    "query": "What was revenue in 2020?",
    "kind": "numeric",
    "answer": 12.5,
    "unit": "USD millions",
    "tolerance": 0.01,
    "citations": [{"document": "acme-2020", "page": 3}],
}
SAID = {"query_id": "A1", "query": "Who said it?", "kind": "attribution", "speaker": "Ann Lee"}
KGRAG = {
    "Question": "How much did revenue grow?",
    "Answer": "By 4%.\n\nSource: Q1 2020 Earnings Call, pg 2",
    "Source Docs": "*ACME*",
    "Question Type": "Multi-Doc RAG",
}
FINDER = {"_id": "f1", "text": "Margin?", "answer": "4%", "references": ["Margin was 4%."]}
MULTIHOP = {
    "query": "Do both reports agree?",
    "answer": "Yes",
    "question_type": "comparison_query",
    "evidence_list": [
        {"fact": "Sales rose.", "url": "https://example.org/a", "title": "A"},
        {"fact": "Sales fell.", "url": "https://example.org/b", "title": "B"},
    ],
}
FINTEXT = {"question": "Why?", "answer": "Because.", "document": ["One.", "Two."], "type": "why"}
QA_10K = {
    "question": "What is sold?",
    "answer": "Bolts.",
    "context": "We sell bolts.",
    "ticker": "ACME",
    "filing": "2020_10K",
}
AGENT = {
    "question": "How did revenue change?",
    "answer": "It grew by 4%.",
    "question_type": "Trends",
    "expert_time_minutes": "15",
    "rubric": [{"operator": "correctness", "criteria": "4%"}],
}
LOADERS = {
    "load_graded_queries": GRADED,
    "load_query_file": QUERY,
    "load_kgrag": KGRAG,
    "load_finance_agent": AGENT,
    "load_finder": FINDER,
    "load_multihop_rag": MULTIHOP,
    "load_fintextqa": FINTEXT,
    "load_financial_qa_10k": QA_10K,
}
REQUIRED = [
    ("load_graded_queries", "query_id"),
    ("load_graded_queries", "query"),
    ("load_graded_queries", "gold_references"),
    ("load_query_file", "query_id"),
    ("load_query_file", "query"),
    ("load_query_file", "kind"),
    ("load_query_file", "answer"),
    ("load_kgrag", "Question"),
    ("load_kgrag", "Answer"),
    ("load_finance_agent", "question"),
    ("load_finance_agent", "answer"),
    ("load_finder", "_id"),
    ("load_finder", "text"),
    ("load_finder", "answer"),
    ("load_multihop_rag", "query"),
    ("load_multihop_rag", "answer"),
    ("load_multihop_rag", "evidence_list"),
    ("load_fintextqa", "question"),
    ("load_fintextqa", "answer"),
    *(("load_financial_qa_10k", name) for name in QA_10K),
]


def load(name, record):
    return getattr(query_sets, name)(record, SOURCE)


def only(loaded):
    (question,) = loaded.questions
    return question


@pytest.mark.parametrize(("name", "field"), REQUIRED)
@pytest.mark.parametrize("value", ["absent", None, "", {"a": 1}])
def test_a_required_field_that_is_missing_or_mangled_is_a_fault(name, field, value):
    record = {**LOADERS[name], field: value}
    if value == "absent":
        del record[field]
    with pytest.raises(RecordFaultError) as caught:
        load(name, record)
    assert all((caught.value.code, caught.value.reason, caught.value.advice))


@pytest.mark.parametrize(
    ("name", "change", "code"),
    [
        ("load_graded_queries", {"is_rejection": "maybe"}, "bad_field"),
        ("load_graded_queries", {"is_rejection": True}, "rejection_with_references"),
        ("load_graded_queries", {"gold_references": []}, "no_gold_references"),
        ("load_graded_queries", {"gold_references": [{"document": "a"}]}, "no_page"),
        ("load_graded_queries", {"gold_references": [{"document": "a", "page": 0}]}, "bad_field"),
        ("load_graded_queries", {"gold_references": [{"page": 1}]}, "missing_field"),
        ("load_graded_queries", {"gold_references": ["a"]}, "bad_field"),
        ("load_query_file", {"kind": "poem"}, "bad_kind"),
        ("load_query_file", {"answer": "about twelve"}, "bad_answer"),
        ("load_query_file", {"tolerance": -0.1}, "bad_field"),
        ("load_query_file", {"citations": [{"page": 1}]}, "missing_field"),
        ("load_query_file", {"citations": [{"document": "a", "page": 1.5}]}, "bad_field"),
        ("load_query_file", {"citations": [{"document": "a", "slide": 0}]}, "bad_field"),
        (
            "load_query_file",
            {"citations": [{"document": "a", "page": 1, "slide": 2}]},
            "bad_citations",
        ),
        ("load_finance_agent", {"rubric": ["4%"]}, "bad_field"),
        ("load_finder", {"references": [1, ["a"]]}, "bad_field"),
        ("load_multihop_rag", {"evidence_list": []}, "no_evidence_list"),
        ("load_multihop_rag", {"evidence_list": [{"fact": "a"}]}, "missing_field"),
        ("load_multihop_rag", {"evidence_list": [{"url": "a"}]}, "missing_field"),
        ("load_fintextqa", {"document": [{"a": 1}]}, "bad_field"),
    ],
)
def test_a_broken_value_names_its_fault(name, change, code):
    with pytest.raises(RecordFaultError) as caught:
        load(name, {**LOADERS[name], **change})
    assert caught.value.code == code


@pytest.mark.parametrize("relevance", [4, -1, "high"])
def test_relevance_is_graded_from_0_to_3(relevance):
    reference = {"document": "a", "page": 1, "relevance": relevance}
    with pytest.raises(RecordFaultError, match="relevance"):
        load("load_graded_queries", {**GRADED, "gold_references": [reference]})


ODD = [None, "", 0, -1, 1.5, 2**40, float("nan"), float("inf"), True, [], {}, [[]], [None], [{}]]


@pytest.mark.parametrize("name", list(LOADERS))
def test_no_odd_value_is_more_than_a_fault(name):
    tried = 0
    for field, value in LOADERS[name].items():
        inner = value[0] if isinstance(value, list) and isinstance(value[0], dict) else {}
        changes = [{field: odd} for odd in ODD]
        changes += [{field: [{**inner, part: odd}]} for part in inner for odd in ODD]
        for change in changes:
            with contextlib.suppress(RecordFaultError):
                load(name, {**LOADERS[name], **change})
            tried += 1
    assert tried >= len(ODD) * len(LOADERS[name])


def test_a_graded_reference_keeps_its_grade_and_counts_pages_from_0():
    (judgment,) = load("load_graded_queries", GRADED).judgments
    assert (judgment.document, judgment.page) == ("Risk (Rossi 2020).pdf", 44)
    assert (judgment.grade, judgment.space) == (3, "page")


def test_a_rejection_has_no_answer_and_no_references():
    record = {**GRADED, "is_rejection": True, "gold_references": []}
    loaded = load("load_graded_queries", record)
    assert not only(loaded).is_answerable
    assert loaded.judgments == ()


def test_a_numeric_query_keeps_number_unit_and_tolerance():
    question = only(load("load_query_file", QUERY))
    assert (question.answers, question.scale) == (("12.5",), "USD millions")
    assert (question.tolerance, question.document_id) == (0.01, "acme-2020")


@pytest.mark.parametrize(
    ("citation", "space", "page", "passage_id"),
    [
        ({"document": "d", "page": 0}, "page", 0, None),
        ({"document": "d", "slide": 1}, "page", 0, None),
        ({"document": "d"}, "page", None, None),
        ({"passage_id": "call#turn-7"}, "turn", None, "call#turn-7"),
        ({"sentence_id": "0000000001_10-K_2020_section_7_4"}, "text", None, None),
    ],
)
def test_a_citation_names_one_place(citation, space, page, passage_id):
    (judgment,) = load("load_query_file", {**QUERY, "citations": [citation]}).judgments
    expected = citation.get("sentence_id", passage_id)
    assert (judgment.space, judgment.page, judgment.passage_id) == (space, page, expected)


@pytest.mark.parametrize(
    ("given", "answer", "asked"),
    [
        ({"speaker": "Ann Lee"}, "Ann Lee", "speaker"),
        ({"speaker": "Ann Lee", "role": "executive"}, "Ann Lee", "speaker"),
        ({"speaker": None, "role": "executive"}, "executive", "role"),
    ],
)
def test_an_attribution_asks_for_the_speaker_or_else_the_role(given, answer, asked):
    question = only(load("load_query_file", {**SAID, **given}))
    assert (question.answers, question.category) == ((answer,), asked)


def test_an_attribution_without_speaker_and_role_is_a_fault():
    with pytest.raises(RecordFaultError, match="neither speaker nor role"):
        load("load_query_file", {**SAID, "speaker": None})


def test_a_query_without_an_answer_may_say_so():
    question = only(load("load_query_file", {**QUERY, "answer": None, "is_answerable": False}))
    assert (question.answers, question.is_answerable) == ((), False)


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        ("Source: Q1 2020 Earnings Call, pg 2", [("Q1 2020 Earnings Call", 1)]),
        ("Source Q3 2021 Earnings Call", [("Q3 2021 Earnings Call", None)]),
        ("Sources:\nQ1 Call, pg 2\nQ2 Call, pg 3", [("Q1 Call", 1), ("Q2 Call", 2)]),
        ("SOURCE(S): a.pdf, b.pdf", [("a.pdf", None), ("b.pdf", None)]),
        ('SOURCE(S): "a b.pdf", "c.pdf".', [("a b.pdf", None), ("c.pdf", None)]),
        ("Source: a call, pg 2\na call, pg 2", [("a call", 1)]),
        ("", [("ACME", None)]),
    ],
)
def test_the_sources_at_the_end_of_an_answer_are_judgments(sources, expected):
    loaded = load("load_kgrag", {**KGRAG, "Answer": f"By 4%.\n\n{sources}"})
    assert [(each.document, each.page) for each in loaded.judgments] == expected
    assert only(loaded).answers == ("By 4%.",)


def test_an_answer_may_speak_of_sources():
    answer = "Two things.\nSources of revenue are bolts and nuts."
    assert only(load("load_kgrag", {**KGRAG, "Answer": answer})).answers == (answer,)


def test_a_source_that_is_not_available_means_no_answer():
    loaded = load("load_kgrag", {**KGRAG, "Answer": "Nothing on it.\n\nSource: N/A"})
    assert not only(loaded).is_answerable
    assert loaded.judgments == ()


def test_what_an_agent_is_judged_by_stays_with_the_question():
    loaded = load("load_finance_agent", AGENT)
    question = only(loaded)
    assert (question.answers, question.category) == (("It grew by 4%.",), "Trends")
    assert json.loads(loaded.original)["rubric"] == AGENT["rubric"]
    assert (loaded.passages, loaded.judgments) == ((), ())


def test_finder_references_become_passages_that_are_judged():
    loaded = load("load_finder", FINDER)
    assert [passage.passage_id for passage in loaded.passages] == ["f1#text-0"]
    assert loaded.judgments[0].passage_id == "f1#text-0"


def test_finder_as_runs_write_it_has_no_evidence():
    loaded = load("load_finder", {"id": "f1", "question": "Margin?", "ground_truth": "4%"})
    assert (only(loaded).answers, loaded.judgments) == (("4%",), ())


def test_a_fact_that_two_queries_share_is_one_passage():
    one = load("load_multihop_rag", MULTIHOP).passages
    two = load("load_multihop_rag", {**MULTIHOP, "query": "Do they differ?"}).passages
    assert one == two
    assert one[0].document_id == "https://example.org/a"


def test_a_null_query_has_no_answer():
    record = {**MULTIHOP, "question_type": "null_query", "evidence_list": []}
    assert not only(load("load_multihop_rag", record)).is_answerable


def test_an_article_of_the_corpus_is_a_passage():
    loaded = load("load_multihop_rag", {"url": "u", "title": "T", "body": "Words."})
    assert (loaded.questions, loaded.passages[0].text) == ((), "Words.")


def test_contexts_of_fintextqa_are_judged():
    loaded = load("load_fintextqa", FINTEXT)
    assert [each.passage_id for each in loaded.judgments] == [
        passage.passage_id for passage in loaded.passages
    ]
    assert len(loaded.passages) == 2


def test_questions_on_one_context_share_the_passage_and_not_the_id():
    one = load("load_financial_qa_10k", QA_10K)
    two = load("load_financial_qa_10k", {**QA_10K, "question": "What else?"})
    assert one.passages == two.passages
    assert only(one).question_id != only(two).question_id


@pytest.mark.parametrize("name", list(LOADERS))
def test_own_fields_are_kept(name):
    deduplicator = json.loads(load(name, {**LOADERS[name], "extra": 7}).original)
    assert deduplicator["extra"] == 7


REAL = [
    ("rust_local_rag_queries", "load_graded_queries", 37, 37, 55, 4),
    ("kgrag_sec10q", "load_kgrag", 145, 145, 258, 0),
    ("kgrag_earnings_calls", "load_kgrag", 38, 38, 38, 1),
    ("finder_200_question_answer", "load_finder", 142, 142, 0, 0),
    ("multihop_rag_500", "load_multihop_rag", 358, 358, 833, 52),
    ("financial_qa_10k", "load_financial_qa_10k", 4600, 4597, 4597, 0),
]


@pytest.mark.parametrize(("file", "name", "records", "questions", "judgments", "without"), REAL)
def test_real_sets_load_whole(file, name, records, questions, judgments, without):
    path = SHARED / f"qa/{file}.jsonl.gz"
    if not path.exists():
        pytest.skip(f"{path} is absent; set FINRAG_SHARED_DATA to the data it is part of")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    loaded = []
    for row in rows:
        # Three questions of Financial-QA-10k come without an answer, a question or a context.
        with contextlib.suppress(RecordFaultError):
            loaded.append(load(name, row))
    assert (len(rows), len(loaded)) == (records, questions)
    assert sum(len(each.judgments) for each in loaded) == judgments
    assert sum(not only(each).is_answerable for each in loaded) == without


def test_real_names_of_docugami_lead_to_their_documents():
    pages_path = SHARED / "kgrag_docs/pages.parquet"
    if not pages_path.exists():
        pytest.skip(f"{pages_path} is absent; set FINRAG_SHARED_DATA to the data it is part of")
    questions, named = [], []
    for file in ("kgrag_sec10q", "kgrag_earnings_calls"):
        with gzip.open(SHARED / f"qa/{file}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                loaded = query_sets.load_kgrag(json.loads(line), SOURCE)
                questions += [question.question_id for question in loaded.questions]
                named += [judgment.document for judgment in loaded.judgments]
    assert len(set(questions)) == len(questions) == 183
    documents = pq.read_table(pages_path, columns=["file"])["file"].unique()
    loaded = {name: name_words(name) for name in documents.to_pylist()}
    keys = [document_key(name) for name in loaded]

    def fitting_documents(name):
        same = keys.count(document_key(name))
        words = set(name_words(name))
        return same or sum(words <= set(its) for its in loaded.values())

    fitting = {name: fitting_documents(name) for name in named}
    # One name is a company of four quarters, one lists three calls.
    left = {name: n for name, n in fitting.items() if n != 1}
    assert left == {"MSFT": 4, "Earnings Calls for Q1, Q2, Q3 2023": 0}
    assert sum(name not in left for name in named) == 294


@pytest.mark.parametrize(
    ("said", "asks", "answers"),
    [
        ({"speaker": "Ann Lee", "answer": "It was the CFO, Ann Lee."}, "speaker", ("Ann Lee",)),
        ({"speaker": None, "role": "CFO"}, "role", ("CFO",)),
    ],
)
def test_a_category_says_nothing_of_what_an_attribution_asks(said, asks, answers):
    record = {**SAID, **said, "category": "guidance"}
    (question,) = query_sets.load_query_file(record, SOURCE).questions
    assert (question.asks, question.category, question.answers) == (asks, "guidance", answers)
