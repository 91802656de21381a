"""Every generated question of the sample corpus is right by the hidden table of facts."""

import collections
import csv
import json
import re
from pathlib import Path

import pytest

from finrag.scoring.numbers import RIGHT, Answered, Expected, check_number

SEEDS = Path(__file__).parents[2] / "seeds" / "catalogues"
# Questions of a category that the sample corpus must give, so that no test is empty.
AT_LEAST = {
    "A": 100, "B": 100, "C": 30, "D": 40, "E": 10, "F": 40, "G": 20, "H": 30, "I": 30, "J": 40,
    "N": 60,
}  # fmt: skip
# Words one would look for to prove that a filing does disclose the topic after all. They are
# chosen apart from the patterns of the product; a topic without an entry fails the test.
SEARCHED = {
    "headcount": r"\bemployees\b|headcount|workforce|\d people|personnel of",
    "backlog": r"backlog|unfilled|order book|orders on hand|performance obligation",
    "same_store_sales": r"(same|comparable|identical|like)[- ](store|sales|restaurant|location)",
    "dividends_per_share": r"dividend|distribution per share",
    "research_and_development": r"research|r&d|laborator(y|ies) expense|development expense",
    "proved_reserves": r"proved|proven|\breserves of (oil|gas)|barrels",
    "net_promoter_score": r"promoter|\bnps\b",
    "customer_retention_rate": r"retention|retained|churn|renewal rate",
    "occupancy_rate": r"occupan|vacan",
    "greenhouse_gas_emissions": r"greenhouse|emission|\bcarbon\b|climate|\bco2\b",
    "union_membership": r"\bunions?\b|unionized|collective|organized labor|works council",
    "store_count": r"\bstores?\b|\bshops?\b|outlets|branches|restaurants|showroom",
    "subscriber_count": r"subscri|paying members|monthly active",
    "restructuring": r"restructur|severance|reorgani",
    "goodwill_impairment": r"goodwill",
    "advertising_expense": r"advertis|promotion",
    "patent_count": r"\bpatents?\b|patented",
    "pension_plan": r"pension|defined benefit|retirement plan|retiree",
    "share_repurchase_program": r"repurchas|buy ?backs?|bought back|treasury (stock|shares)",
    "interest_rate_swaps": r"\bswaps?\b|hedg|derivative",
    "seasonality": r"season|holiday",
}
# How a filing speaks of the topics that a change is or is not put down to.
NAMED = {
    "foreign currency exchange rates": r"foreign currency|exchange rate|exchange (gain|loss)",
    "supply chain conditions": r"supply chain",
    "the COVID-19 pandemic": r"covid|pandemic",
    "regulation": r"regulat",
}
# Facts about one figure and one topic; what they say outweighs a search for words.
ATTRIBUTED = {
    ("other_income", "foreign currency exchange rates"): "other_income_fx",
    ("revenue", "the COVID-19 pandemic"): "revenue_pandemic",
}


def flat(text):
    return " ".join(text.split())


def catalogue(name, key):
    with (SEEDS / f"{name}.csv").open(encoding="utf-8") as file:
        return {row["noun_phrase"]: row[key] for row in csv.DictReader(file)}


def named_in(question, phrases):
    """What the longest of the phrases that the question contains stands for."""
    text = question["question_text"].lower()
    return phrases[max((phrase for phrase in phrases if phrase.lower() in text), key=len)]


# A level or cause of revenue is asked for under the name that its sentence uses.
KPIS = {
    **catalogue("kpi_labels", "kpi_label"),
    "net sales": "revenue",
    "net income attributable to common stockholders": "net_income",
    "net interest expense": "interest_expense",
    "net capital expenditures": "capex",
}
RISKS = catalogue("risk_topics", "risk_topic")
ABSENCES = catalogue("disclosure_topics", "topic")
DEFINED = {"Adjusted EBITDA": "adjusted_ebitda", "free cash flow": "free_cash_flow"}


class Facts:
    """The hidden facts, looked up by company and fiscal year of the filing."""

    def __init__(self, rows):
        self.rows = rows
        self.by_filing = collections.defaultdict(list)
        for row in rows:
            if row["is_disclosed"]:
                self.by_filing[int(row["cik"]), row["fiscal_year"]].append(row)

    def of(self, cik, year, kind, label=None, period_year=None):
        return [
            row
            for row in self.by_filing[cik, year]
            if row["period_year"] == (period_year or year)
            and row["fact_kind"] == kind
            and label in (None, row["label"])
        ]

    def value(self, cik, year, label, period_year=None):
        """The one value of a figure, or None where the facts tell none or several."""
        rows = self.of(cik, year, "kpi", label, period_year)
        values = {(row["value"], row["unit"]) for row in rows}
        return values.pop() if len(values) == 1 else None

    def displaced(self, by):
        """The same facts put down to the next year or to the next company."""
        keys = sorted({row[by] for row in self.rows})
        following = dict(zip(keys, [*keys[1:], keys[0]], strict=True))
        rows = [dict(row) for row in self.rows]
        for row in rows:
            shift = following[row[by]]
            if by == "fiscal_year":
                row["period_year"] += shift - row[by]
            row[by] = shift
        return Facts(rows)


def parts(question):
    """(company, year, what the answer says of it) of an answer, in one part or in several."""
    (cik, *other_ciks), (year, *other_years) = question["cik_int"], question["years"]
    if other_years:
        stated = re.split(r"(?:^|; )([0-9]{4}): ", question["answer_text"])[1:]
        assert [int(text) for text in stated[::2]] == question["years"], question
        return [(cik, int(stated[n]), stated[n + 1]) for n in range(0, len(stated), 2)]
    if other_ciks:
        stated = [text.split(": ", 1)[1] for text in json.loads(question["answer_text"])]
        return [(cik, year, text) for cik, text in zip(question["cik_int"], stated, strict=True)]
    return [(cik, year, question["answer_text"])]


def is_cause(text, label, cik, year, facts):
    """Whether a text names the causes that the facts name, and nothing beside them."""
    if label == "other_income":
        # Its causes are hidden facts only as far as they are foreign currency.
        rows = facts.of(cik, year, "attribution", "other_income_fx")
        is_currency = any(row["is_explicit_attribution"] for row in rows)
        return bool(re.search(NAMED["foreign currency exchange rates"], text)) == is_currency
    for row in facts.of(cik, year, "cause", label):
        rest = text
        for item in row["list_value"]:
            if item not in rest:
                return False
            rest = rest.replace(item, " ")
        return set(re.findall(r"\w+", rest)) <= {"and", "by"}
    return False


def is_level(question, facts):
    (cik,), (year,) = question["cik_int"], question["years"]
    stated = (question["answer_numeric"], question["answer_unit"])
    return facts.value(cik, year, named_in(question, KPIS)) == stated


def is_change(question, facts):
    (cik,), label = question["cik_int"], named_in(question, KPIS)
    earlier, later = (facts.value(cik, year, label) for year in question["years"])
    return (
        earlier is not None
        and later is not None
        and question["answer_numeric"] == pytest.approx(later[0] - earlier[0], rel=1e-9)
        and {question["answer_unit"]} == {earlier[1], later[1]}
    )


def is_period(question, facts):
    (cik,), (year,) = question["cik_int"], question["years"]
    rows = facts.of(cik, year, "temporal", "the_year")
    if question["answer_type"] == "span":
        # The day on which the year ends, for the year itself stands in the question.
        return bool(rows) and all(
            question["answer_text"].endswith(f", {row['value']:.0f}")
            and question["answer_text"] in row["sentence_text"]
            for row in rows
        )
    return bool(rows) and all(
        row["value"] == question["answer_numeric"]
        and row["unit"] == question["answer_unit"]
        and row["text_value"].endswith(question["answer_text"].split(" ended on ")[1][:4])
        for row in rows
    )


def is_explained(question, facts):
    """B, and D and E about a figure: every part of the answer is a hidden cause."""
    label = named_in(question, KPIS)
    if not all(is_cause(text, label, cik, year, facts) for cik, year, text in parts(question)):
        return False
    if question["category"] != "B":
        return True
    (cik,), (year,) = question["cik_int"], question["years"]
    now, before = facts.value(cik, year, label), facts.value(cik, year, label, year - 1)
    direction = "increase" if now > before else "decrease"
    return direction in question["question_text"]


def is_listed(question, facts):
    (cik,), (year,) = question["cik_int"], question["years"]
    items = json.loads(question["answer_text"])
    if "growth" in question["question_text"]:
        rows = facts.of(cik, year, "growth_drivers")
        return bool(rows) and all(row["list_value"] == items for row in rows)
    segments = {row["label"].split(":")[1] for row in facts.of(cik, year, "segment_revenue")}
    return set(items) == segments


def is_attributed(question, facts):
    """Whether yes or no is what the facts say of the figure and the topic."""
    (cik,), (year,) = question["cik_int"], question["years"]
    label = named_in(question, KPIS)
    topic = next(topic for topic in NAMED if topic in question["question_text"])
    stated = facts.of(cik, year, "attribution", ATTRIBUTED.get((label, topic), "none"))
    stated = [row for row in stated if row["is_explicit_attribution"]]
    stated += [
        row
        for row in facts.of(cik, year, "cause", label)
        if re.search(NAMED[topic], row["sentence_text"], re.IGNORECASE)
    ]
    return question["answer_text"].startswith("Yes. " if stated else "No. ")


def is_definition(question, facts):
    (cik,), (year,) = question["cik_int"], question["years"]
    rows = facts.of(cik, year, "definition", named_in(question, DEFINED))
    return bool(rows) and all(row["text_value"] == question["answer_text"] for row in rows)


AGREES = {
    "A": is_level, "B": is_explained, "D": is_explained, "E": is_explained, "F": is_listed,
    "G": is_attributed, "H": is_definition, "I": is_period, "N": is_change,
}  # fmt: skip


@pytest.fixture(scope="module")
def facts(sample):
    (path,) = sample.state.glob("sample/*/facts/facts.jsonl")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return Facts([row | {"sentence_text": flat(row["sentence_text"] or "")} for row in rows])


@pytest.fixture(scope="module")
def filings(sample):
    """The items of each filing as they were written, by (company, year)."""
    (path,) = sample.state.glob("sample/*/filings/sample_10k.jsonl")
    found = {}
    for line in path.read_bytes().split(b"\n"):
        try:
            record = json.loads(line)
            found.setdefault((int(record["cik"]), int(record["year"])), record)
        except (ValueError, KeyError):
            continue  # one of the broken records
    return found


@pytest.fixture(scope="module")
def questions(sample):
    texts = {
        row["sentence_id"]: flat(row["sentence_text"])
        for row in sample.rows("select sentence_id, sentence_text from sentences.sentences")
    }
    rows = sample.rows(
        """
        select * from gold.gold_p3
        where created_by like 'template:%'
        order by question_id
        """
    )
    return [row | {"evidence": [texts[i] for i in row["evidence_sentence_ids"]]} for row in rows]


def asked(questions, category, is_about_risk=False):
    """The questions of a category: about figures, or about risks in the risk factors."""
    return [
        question
        for question in questions
        if question["category"] == category
        and (question["section_hints"] == ["ITEM_1A"]) == (is_about_risk and category != "J")
    ]


def shown(question):
    return {
        key: question[key]
        for key in ("question_id", "question_text", "answer_text", "answer_numeric", "evidence")
    }


@pytest.mark.parametrize("category", AT_LEAST)
def test_the_sample_corpus_gives_questions_of_every_category(questions, category):
    assert sum(row["category"] == category for row in questions) >= AT_LEAST[category]


@pytest.mark.parametrize("category", AGREES)
def test_every_answer_is_the_hidden_fact(questions, facts, category):
    found = asked(questions, category)
    assert found
    assert [shown(row) for row in found if not AGREES[category](row, facts)] == []


# Definitions, segments and most attributions stay the same from year to year; periods and
# the definition of free cash flow from company to company.
@pytest.mark.parametrize(
    ("category", "by"),
    [
        *((category, "fiscal_year") for category in "ABDEIN"),
        *((category, "cik") for category in "ABDEFN"),
    ],
)
def test_facts_of_another_year_or_company_fail(questions, facts, category, by):
    displaced = facts.displaced(by)
    found = asked(questions, category)
    if category in "BDE":
        # Of the causes of other income the facts know currency only: yes or no, no wording.
        found = [row for row in found if "other income" not in row["question_text"]]
    agreeing = [shown(row) for row in found if AGREES[category](row, displaced)]
    assert len(agreeing) <= 0.1 * len(found), agreeing


def test_verification_questions_go_both_ways(questions, facts):
    """Answering no every time, or yes every time, would fail the comparison with the facts."""
    found = asked(questions, "G")
    for reply in ("Yes. ", "No. "):
        wrong = [row for row in found if not is_attributed(row | {"answer_text": reply}, facts)]
        assert len(wrong) >= 0.2 * len(found), reply


# Which facts tell what a category asks for.
KINDS = {
    "A": "kpi", "N": "kpi", "B": "cause", "D": "cause", "E": "cause", "F": "growth_drivers",
    "H": "definition", "I": "temporal",
}  # fmt: skip


def fact_sentences(question, cik, year, facts):
    kind = KINDS[question["category"]]
    label = named_in(question, KPIS) if kind in ("kpi", "cause") else None
    label = named_in(question, DEFINED) if kind == "definition" else label
    if (kind, label) == ("cause", "other_income"):
        kind, label = "attribution", "other_income_fx"
    return [
        row["sentence_text"]
        for row in facts.of(cik, year, kind, label)
        if row["is_explicit_attribution"] is not False
    ]


@pytest.mark.parametrize("category", KINDS)
def test_the_evidence_holds_the_sentence_of_the_fact(questions, facts, category):
    wrong = []
    for question in asked(questions, category):
        filings = [(cik, year) for cik in question["cik_int"] for year in question["years"]]
        for cik, year in filings:
            stated = fact_sentences(question, cik, year, facts)
            is_held = any(fact in text for fact in stated for text in question["evidence"])
            # Interest as a cause of other income, and the number of segments, are no facts.
            if stated and not is_held and "segments" not in question["question_text"]:
                wrong.append(shown(question))
    assert wrong == []


@pytest.mark.parametrize("category", "BDEFHN")
def test_every_span_stands_in_the_evidence(questions, category):
    wrong = [
        shown(row)
        for row in asked(questions, category) + asked(questions, category, is_about_risk=True)
        if not all(
            any(flat(span) in text for text in row["evidence"]) for span in row["evidence_spans"]
        )
    ]
    assert wrong == []


@pytest.mark.parametrize("category", "DEN")
def test_the_evidence_is_of_the_companies_and_years_named(sample, questions, category):
    homes = {
        row["sentence_id"]: (row["cik_int"], row["report_year"])
        for row in sample.rows("select sentence_id, cik_int, report_year from sentences.sentences")
    }
    for question in asked(questions, category) + asked(questions, category, is_about_risk=True):
        asked_of = {(cik, year) for cik in question["cik_int"] for year in question["years"]}
        assert {homes[i] for i in question["evidence_sentence_ids"]} == asked_of, shown(question)


def risk_topics_of(text, cik, year, facts, filings):
    """The hidden topics of the passage of the risk factors in which a text stands.

    A fact is stated by the first sentence of a passage; the sentences after it and the heading
    before it are of the same topic.
    """
    topics = collections.defaultdict(set)
    for row in facts.of(cik, year, "risk_topic"):
        topics[row["sentence_text"]].add(row["label"])
    found, is_here = set(), False
    for paragraph in map(flat, filings[cik, year]["item_1A"].split("\n\n")):
        stated = {label for fact in topics if fact in paragraph for label in topics[fact]}
        is_here = is_here or text in paragraph
        if is_here and stated:
            found |= stated
            is_here = False
    return found


def risks_asked(questions):
    """(question, company, year, evidence) of every risk that is asked about."""
    for category in "CDE":
        for question in asked(questions, category, is_about_risk=True):
            filings = [(cik, year) for cik in question["cik_int"] for year in question["years"]]
            for (cik, year), text in zip(filings, question["evidence"], strict=True):
                yield question, cik, year, text


def test_risk_evidence_is_of_the_topic_asked_about(questions, facts, filings):
    shares = collections.Counter()
    strays = []
    for question, cik, year, text in risks_asked(questions):
        topic = named_in(question, RISKS)
        topics_stated = {
            row["label"]
            for row in facts.of(cik, year, "risk_topic")
            if row["sentence_text"] in text
        }
        shares["asked"] += 1
        shares["in the labelled sentence"] += topic in topics_stated
        if topic in risk_topics_of(text, cik, year, facts, filings):
            shares["in a passage of the topic"] += 1
        else:
            strays.append((topic, shown(question)))
    print(dict(shares))
    assert strays == []


def test_risk_evidence_fails_with_the_topics_exchanged(questions, facts, filings):
    risks = Facts([row for row in facts.rows if row["fact_kind"] == "risk_topic"])
    exchanged = risks.displaced("label")
    agreeing = [
        named_in(question, RISKS) in risk_topics_of(text, cik, year, exchanged, filings)
        for question, cik, year, text in risks_asked(questions)
    ]
    assert sum(agreeing) <= 0.1 * len(agreeing)


def test_every_absent_topic_is_absent(questions, facts, filings):
    wrong = []
    for question in asked(questions, "J"):
        (cik,), (year,) = question["cik_int"], question["years"]
        topic = named_in(question, ABSENCES)
        text = " ".join(
            value for key, value in filings[cik, year].items() if key.startswith("item_") and value
        )
        stated = [row for row in facts.by_filing[cik, year] if row["label"] == topic]
        read = [
            text[max(found.start() - 60, 0) : found.end() + 60]
            for found in re.finditer(SEARCHED[topic], text, re.IGNORECASE)
        ]
        if stated or read:
            wrong.append((topic, shown(question), stated, read))
        assert question["answer_type"] == "no_answer"
        assert question["evidence_sentence_ids"] == []
    assert wrong == []


def test_the_search_for_absent_topics_finds_what_is_disclosed(facts, filings):
    """A search that never finds anything would prove every absence."""
    missed = []
    for (cik, year), rows in facts.by_filing.items():
        for row in rows:
            if row["label"] in SEARCHED:
                text = " ".join(filings[cik, year][row["item"]].split())
                if not re.search(SEARCHED[row["label"]], text, re.IGNORECASE):
                    missed.append(row["fact_id"])
    assert missed == []


@pytest.mark.parametrize("given", ["words", "words and value"])
def test_every_gold_figure_is_right_against_itself(sample, given):
    """Suites of people too: whoever answers with the gold is right."""
    golds = sample.rows(
        """
        select
            item_answers.item_id, item_answers.answer_text, item_answers.answer_numeric,
            item_answers.answer_unit, item_answers.tolerance, items.question_text
        from gold.item_answers
        inner join gold.items on item_answers.item_id = items.item_id
        where
            item_answers.gold_set = 'p3' and item_answers.answer_type = 'numeric'
            and item_answers.answer_numeric is not null
        """
    )
    assert len(golds) > 200

    def verdict(gold):
        typed = (gold["answer_numeric"], gold["answer_unit"]) if "value" in given else (None, None)
        return check_number(
            Answered(gold["answer_text"], *typed),
            Expected(
                gold["answer_numeric"],
                gold["answer_unit"],
                gold["tolerance"],
                gold["answer_text"],
                gold["question_text"],
            ),
        ).verdict

    wrong = {gold["item_id"]: verdict(gold) for gold in golds if verdict(gold) not in RIGHT}
    assert wrong == {}
