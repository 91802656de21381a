"""The curated P3 suite of the sample: its make-up, and every answer against the hidden facts.

The suite's ids are compared with sentences that are generated and split here, so a change of the
sample corpus or of the splitter that moves an evidence sentence is seen at once.
"""

import collections
import json
import pathlib
import re
from typing import Any

import pyarrow as pa
import pytest

from finrag.records.identity import make_sentence_id
from finrag.sample import write_sample
from finrag.sources.corpus import read_filings
from finrag.text.sentences import split_sections

Row = dict[str, Any]

SUITE = pathlib.Path(__file__).parents[2] / "seeds" / "gold" / "p3_curated_sample.jsonl"
QUESTIONS: list[Row] = [json.loads(line) for line in SUITE.read_text("utf-8").splitlines()]
FIELDS = [
    "question_id",
    "cik_int",
    "company_name",
    "years",
    "question_text",
    "answer_type",
    "answer_text",
    "answer_numeric",
    "answer_unit",
    "tolerance",
    "evidence_sentence_ids",
    "evidence_spans",
    "retrieval_scope",
    "difficulty",
    "section_hints",
    "notes",
    "gold_version",
    "created_by",
    "created_at",
    "curation_confidence",
    "category",
]
# What each category may be: answer types, scopes, difficulties.
RULES = {
    "A": ({"numeric", "span"}, {"local"}, {"easy"}),
    "C": ({"span"}, {"local"}, {"medium"}),
    "D": ({"span"}, {"cross_year"}, {"medium", "hard"}),
    "E": ({"list"}, {"cross_company"}, {"hard"}),
    "G": ({"boolean"}, {"local", "cross_year"}, {"hard"}),
    "H": ({"span"}, {"local"}, {"medium"}),
}
# The measure that each number answers, as the hidden facts call it.
NUMERIC_LABELS = {
    "P3V2-S001": ("revenue", 2021),
    "P3V2-S002": ("capex", 2018),
    "P3V2-S003": ("eps", 2022),
    "P3V2-S004": ("cash_from_operations", 2020),
    "P3V2-S005": ("net_income", 2022),
    "P3V2-S006": ("segment_revenue:Brokerage", 2023),
    "P3V2-S007": ("debt", 2021),
    "P3V2-S008": ("revenue", 2020),
    "P3V2-S009": ("cash", 2022),
    "P3V2-S010": ("occupancy_rate", 2020),
    "P3V2-S011": ("headcount", 2019),
}
# The risk that each question of category C asks about, and the theme of its paragraph.
RISKS = {
    "P3V2-S013": ("regulatory", "rule"),
    "P3V2-S014": ("cybersecurity", "breach"),
    "P3V2-S015": ("market_competition", "demand_cycle"),
    "P3V2-S016": ("liquidity_credit", "liquidity"),
    "P3V2-S017": ("legal_ip", "patents"),
    "P3V2-S018": ("operational_supply_chain", "sole_supplier"),
    "P3V2-S019": ("general_risk", "goodwill_impairment"),
    "P3V2-S020": ("market_competition", "product_dependence"),
    "P3V2-S021": ("cybersecurity", "privacy"),
}
# What the evidence of the wider questions states, sentence by sentence.
STATEMENTS = {
    "P3V3-S001": ("cause", "debt"),
    "P3V3-S002": ("cause", "gross_margin"),
    "P3V3-S003": ("cause", "cash_from_operations"),
    "P3V3-S004": ("risk_topic", "operational_supply_chain"),
    "P3V3-S005": ("cause", "revenue"),
    "P3V3-S006": ("risk_topic", "legal_ip"),
    "P3V3-S009": ("definition", "adjusted_ebitda"),
    "P3V3-S010": ("definition", "free_cash_flow"),
}


def _of(categories: str) -> list[Any]:
    chosen = [q for q in QUESTIONS if q["category"] in categories]
    return [pytest.param(q, id=q["question_id"]) for q in chosen]


NUMERIC = [pytest.param(q, id=q["question_id"]) for q in QUESTIONS if q["answer_type"] == "numeric"]
ALL = _of("ACDEGH")


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    directory = tmp_path_factory.mktemp("sample")
    write_sample(directory)
    return directory


@pytest.fixture(scope="module")
def filings(sample):
    """Rows of the filings that can be read, by company and year."""
    rows = read_filings(str(sample / "filings" / "sample_10k.jsonl")).read_all().to_pylist()
    return {(r["cik_int"], r["report_year"]): r for r in rows if r["record_status"] == "loaded"}


@pytest.fixture(scope="module")
def sentences(filings):
    """Company, year, section and text of every sentence, by the id that the warehouse gives it."""
    places = [
        (cik, year, filing["form"], section["item"], section["section_text"])
        for (cik, year), filing in filings.items()
        for section in filing["sections"]
    ]
    batch = pa.RecordBatch.from_pylist(
        [
            {"filing_id": str(n), "item": place[3], "section_text": place[-1]}
            for n, place in enumerate(places)
        ]
    )
    found = {}
    for row in split_sections([batch]).read_all().to_pylist():
        cik, year, form, item, _ = places[int(row["filing_id"])]
        key = make_sentence_id(cik, form, year, item, row["sentence_pos"])
        found[key] = (cik, year, f"ITEM_{item}", row["sentence_text"])
    return found


@pytest.fixture(scope="module")
def facts(sample):
    """The hidden facts by company, fiscal year of the filing and sentence."""
    grouped = collections.defaultdict(list)
    for line in (sample / "facts" / "facts.jsonl").read_text("utf-8").splitlines():
        fact = json.loads(line)
        key = (int(fact["cik"]), fact["fiscal_year"], fact["sentence_text"])
        grouped[key].append(fact)
    return grouped


def _short(name: str) -> str:
    """The first two words of a company name, as an analyst would say it."""
    return " ".join(name.replace(",", "").split()[:2])


def _evidence(question: Row, sentences: dict[str, tuple[int, int, str, str]]) -> list[Any]:
    return [sentences[key] for key in question["evidence_sentence_ids"]]


def _stated(question: Row, sentences: Any, facts: Any) -> list[list[Row]]:
    """Hidden facts behind each evidence sentence."""
    return [
        facts.get((cik, year, text), []) for cik, year, _, text in _evidence(question, sentences)
    ]


def _is_answer(printed: str, scale: float, question: Row) -> bool:
    value = float(printed.replace(",", "")) * scale
    return value == pytest.approx(abs(question["answer_numeric"]))


# Make-up


def test_the_suite_has_31_questions_of_two_versions():
    counts = collections.Counter((q["gold_version"], q["category"]) for q in QUESTIONS)
    assert counts == {
        ("P3.v2", "A"): 12,
        ("P3.v2", "C"): 9,
        ("P3.v3", "D"): 3,
        ("P3.v3", "E"): 3,
        ("P3.v3", "G"): 2,
        ("P3.v3", "H"): 2,
    }


def test_ids_count_up_within_each_version():
    ids = [q["question_id"] for q in QUESTIONS]
    assert ids == [
        *(f"P3V2-S{n:03d}" for n in range(1, 22)),
        *(f"P3V3-S{n:03d}" for n in range(1, 11)),
    ]
    assert [q["gold_version"][-1] for q in QUESTIONS] == [key[3] for key in ids]


def test_every_question_has_the_20_fields_and_its_category():
    assert [list(q) for q in QUESTIONS] == [FIELDS] * 31


def test_no_two_questions_read_the_same():
    assert len({q["question_text"].casefold() for q in QUESTIONS}) == 31


def test_every_company_and_every_year_is_asked_about(filings):
    assert {cik for q in QUESTIONS for cik in q["cik_int"]} == {cik for cik, _ in filings}
    assert {year for q in QUESTIONS for year in q["years"]} == {year for _, year in filings}


@pytest.mark.parametrize("question", ALL)
def test_type_scope_and_difficulty_fit_the_category(question):
    types, scopes, levels = RULES[question["category"]]
    assert question["answer_type"] in types
    assert question["retrieval_scope"] in scopes
    assert question["difficulty"] in levels


@pytest.mark.parametrize("question", ALL)
def test_only_a_numeric_question_has_a_number_unit_and_tolerance(question):
    has = [question[name] is not None for name in ("answer_numeric", "answer_unit", "tolerance")]
    assert has == [question["answer_type"] == "numeric"] * 3


@pytest.mark.parametrize("question", ALL)
def test_authorship_is_recorded(question):
    assert question["created_by"] == "finrag_curators"
    assert question["created_at"] == QUESTIONS[0]["created_at"]
    assert 0.5 < question["curation_confidence"] < 1
    assert question["notes"].count(".") >= 1


# Evidence


@pytest.mark.parametrize("question", ALL)
def test_every_evidence_sentence_exists(question, sentences):
    assert [key for key in question["evidence_sentence_ids"] if key not in sentences] == []
    assert question["evidence_sentence_ids"]


@pytest.mark.parametrize("question", ALL)
def test_every_span_stands_in_its_evidence_sentence(question, sentences):
    texts = [text for *_, text in _evidence(question, sentences)]
    assert len(question["evidence_spans"]) == len(texts)
    for span, text in zip(question["evidence_spans"], texts, strict=True):
        assert span
        assert span in text


@pytest.mark.parametrize("question", ALL)
def test_companies_and_years_are_those_of_the_evidence(question, sentences, filings):
    evidence = _evidence(question, sentences)
    assert question["cik_int"] == list(dict.fromkeys(cik for cik, *_ in evidence))
    assert question["years"] == sorted({year for _, year, *_ in evidence})
    year = question["years"][0]
    names = [filings[cik, year]["company_name"] for cik in question["cik_int"]]
    assert question["company_name"] == names


@pytest.mark.parametrize("question", ALL)
def test_the_question_names_each_company_and_a_year(question):
    for name in question["company_name"]:
        assert _short(name) in question["question_text"]
    assert any(str(year) in question["question_text"] for year in question["years"])


@pytest.mark.parametrize("question", ALL)
def test_hints_lead_to_the_evidence(question, sentences):
    assert {section for _, _, section, _ in _evidence(question, sentences)} <= set(
        question["section_hints"]
    )


# Truth


def test_every_number_risk_and_statement_has_its_hidden_fact_named_above():
    wider = {q.id for q in _of("DEH")}
    assert {q.id for q in NUMERIC} == set(NUMERIC_LABELS)
    assert {q.id for q in _of("C")} == set(RISKS)
    assert wider == set(STATEMENTS)


@pytest.mark.parametrize("question", NUMERIC)
def test_every_number_is_a_hidden_fact(question, sentences, facts):
    label, period = NUMERIC_LABELS[question["question_id"]]
    (stated,) = _stated(question, sentences, facts)
    values = [
        (fact["value"], fact["unit"])
        for fact in stated
        if (fact["label"], fact["period_year"]) == (label, period)
        and fact["fact_kind"] != "kpi_change"
    ]
    assert values == [(question["answer_numeric"], question["answer_unit"])]
    assert str(period) in question["question_text"]


@pytest.mark.parametrize("question", NUMERIC)
def test_tolerance_is_half_a_unit_of_the_last_printed_digit(question, sentences, facts):
    (span,) = question["evidence_spans"]
    (stated,) = _stated(question, sentences, facts)
    scale = {"billions": 1e9, "millions": 1e6}.get(stated[0]["scale"], 1.0)
    printed = [n for n in re.findall(r"\d[\d,]*(?:\.\d+)?", span) if _is_answer(n, scale, question)]
    (decimals,) = {len(number.partition(".")[2]) for number in printed}
    assert question["tolerance"] == pytest.approx(0.5 * scale / 10**decimals)


@pytest.mark.parametrize("question", _of("C"))
def test_risk_evidence_is_the_paragraph_on_the_risk_asked_about(question, sentences, facts):
    evidence = _evidence(question, sentences)
    assert {section for _, _, section, _ in evidence} == {"ITEM_1A"}
    assert 1 <= len(evidence) <= 2
    first = _stated(question, sentences, facts)[0]
    assert [(fact["label"], fact["text_value"]) for fact in first] == [
        RISKS[question["question_id"]]
    ]


@pytest.mark.parametrize("question", _of("C"))
def test_a_second_risk_sentence_follows_in_the_same_paragraph(question, sentences, facts):
    ids = question["evidence_sentence_ids"]
    head, first = ids[0].rsplit("_", 1)
    last = int(ids[-1].rsplit("_", 1)[1])
    for position in range(int(first) + 1, last + 1):
        cik, year, _, text = sentences[f"{head}_{position}"]
        assert not any(f["fact_kind"] == "risk_topic" for f in facts.get((cik, year, text), []))


@pytest.mark.parametrize("question", _of("C"))
def test_the_filing_has_the_risk_asked_about_only_once(question, facts):
    topic = RISKS[question["question_id"]]
    (cik,), (year,) = question["cik_int"], question["years"]
    stated = [
        fact
        for (fact_cik, fact_year, _), group in facts.items()
        if (fact_cik, fact_year) == (cik, year)
        for fact in group
        if fact["fact_kind"] == "risk_topic" and (fact["label"], fact["text_value"]) == topic
    ]
    assert len(stated) == 1


@pytest.mark.parametrize("question", _of("DEH"))
def test_evidence_states_what_is_asked(question, sentences, facts):
    wanted = STATEMENTS[question["question_id"]]
    for stated in _stated(question, sentences, facts):
        assert wanted in {(fact["fact_kind"], fact["label"]) for fact in stated}


@pytest.mark.parametrize("question", [*_of("D"), _of("E")[1]])
def test_every_cause_stands_in_the_answer(question, sentences, facts):
    answer = question["answer_text"]
    parts = answer if isinstance(answer, list) else [answer] * len(question["years"])
    for text, stated in zip(parts, _stated(question, sentences, facts), strict=True):
        (causes,) = [fact["list_value"] for fact in stated if fact["fact_kind"] == "cause"]
        # The names in a cause are what cannot be reworded.
        names = [w for cause in causes for w in cause.replace(",", "").split() if w[0].isupper()]
        assert [name for name in names if name not in text] == []


@pytest.mark.parametrize("question", _of("D"))
def test_a_trend_has_evidence_of_at_least_two_years(question, sentences):
    years = [year for _, year, *_ in _evidence(question, sentences)]
    assert len(question["cik_int"]) == 1
    assert len(set(years)) == len(years) >= 2


@pytest.mark.parametrize("question", _of("E"))
def test_a_list_has_one_answer_and_one_sentence_per_company(question, sentences):
    assert len(question["company_name"]) >= 3
    assert len(question["answer_text"]) == len(question["company_name"])
    for answer, name in zip(question["answer_text"], question["company_name"], strict=True):
        assert answer.startswith(_short(name))
    assert [cik for cik, *_ in _evidence(question, sentences)] == question["cik_int"]


def test_one_verification_is_true_and_one_is_false():
    answers = [q["answer_text"].split()[0] for q in QUESTIONS if q["category"] == "G"]
    assert answers == ["Yes.", "No."]


@pytest.mark.parametrize("question", _of("G"))
def test_a_verification_agrees_with_the_hidden_attribution(question, sentences, facts):
    flags = [
        fact["is_explicit_attribution"]
        for stated in _stated(question, sentences, facts)
        for fact in stated
        if fact["label"] == "other_income_fx"
    ]
    assert flags == [question["answer_text"].startswith("Yes.")]


def test_no_other_sentence_of_the_filing_attributes_what_is_denied(sentences):
    (denied,) = [q for q in QUESTIONS if q["answer_text"][:3] == "No."]
    (cik,), (year,) = denied["cik_int"], denied["years"]
    rest = [text for c, y, _, text in sentences.values() if (c, y) == (cik, year)]
    assert len(rest) > 400
    for text in rest:
        names_both = "other income" in text.lower() and (
            "currency" in text.lower() or "exchange" in text.lower()
        )
        assert not names_both, text


@pytest.mark.parametrize("question", _of("H"))
def test_a_definition_is_told_in_full(question, sentences, facts):
    (stated,) = _stated(question, sentences, facts)
    assert stated
    for part in stated[0]["list_value"]:
        assert part in question["answer_text"]
