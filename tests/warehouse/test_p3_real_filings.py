"""Questions drawn from real filings: sound in form, the same every time, and right by XBRL."""

import collections
import csv
import gzip
import hashlib
import json
import os
from pathlib import Path

import duckdb
import pytest

from tests.warehouse.warehouses import ROOT

SHARED = Path(
    os.environ.get("FINRAG_SHARED_DATA", Path(__file__).parents[2].parent / "shared/data")
)
CORPUS = SHARED / "edgar_corpus" / "edgar_corpus.jsonl.gz"
MANIFEST = SHARED / "edgar_corpus" / "manifest.csv"
FACTS = SHARED / "finrag" / "kpi_facts_edgar.parquet"
pytestmark = pytest.mark.skipif(
    not (CORPUS.is_file() and MANIFEST.is_file() and FACTS.is_file()),
    reason=f"no real filings in {CORPUS.parent}",
)

# Filings of companies whose figures are known from XBRL, and of others.
N_KNOWN, N_OTHERS = 20, 24
# Tags of XBRL by label, and the first filing date from which they can be trusted. Before 2021
# the facts on the income statement are those of the last quarter, not of the year; before
# mid-2014 a fiscal year goes by the year in which it begins.
TAGS = {
    "cash_from_operations": (("cfo", "cfo_cont_ops"), "2014-06-01"),
    "capex": (("capex_productive",), "2014-06-01"),
    "free_cash_flow": (("free_cash_flow",), "2014-06-01"),
    "revenue": (("revenue", "revenue_net"), "2021-01-01"),
    "net_income": (("net_income",), "2021-01-01"),
    "gross_profit": (("gross_profit",), "2021-01-01"),
}


def chosen_filings():
    """Names of filings, whole companies in the order of a hash, so that years follow years."""
    known = {int(cik) for (cik,) in duckdb.sql(f"select distinct cik from '{FACTS}'").fetchall()}
    with MANIFEST.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    rows.sort(
        key=lambda row: (
            hashlib.md5(row["cik"].encode(), usedforsecurity=False).hexdigest(),
            row["filename"],
        )
    )
    names = [
        [row["filename"] for row in rows if (int(row["cik"]) in known) == is_known]
        for is_known in (True, False)
    ]
    return {*names[0][:N_KNOWN], *names[1][:N_OTHERS]}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "filings.jsonl"
    chosen = chosen_filings()
    with (
        gzip.open(CORPUS, "rt", encoding="utf-8") as source,
        path.open("w", encoding="utf-8") as out,
    ):
        out.writelines(line for line in source if json.loads(line)["filename"] in chosen)
    return path


@pytest.fixture(scope="module")
def real(corpus, new_warehouse, tmp_path_factory):
    """The filings, built as far as P3: no embedding, no retrieval."""
    warehouse = new_warehouse(
        tmp_path_factory.mktemp("real") / "warehouse",
        corpus="filings",
        corpus_path=str(corpus),
        companies_path=str(MANIFEST),
    )
    assert warehouse.build("--select", "+gold_p3") == 0, warehouse.log
    return warehouse


def questions_of(warehouse):
    return warehouse.rows("select * from gold.gold_p3 order by question_id")


@pytest.fixture(scope="module")
def questions(real):
    return questions_of(real)


@pytest.fixture(scope="module")
def caps():
    with (ROOT / "seeds" / "gold" / "p3_category_mix.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    # The row "all" limits the whole set and no category.
    return {row["category"]: row for row in rows if row["category"] != "all"}


def test_every_category_has_questions(questions, caps):
    counts = collections.Counter(row["category"] for row in questions)
    print(dict(sorted(counts.items())))
    # Tables and lines of revenue come with filings as filed alone.
    assert set(counts) == {
        category for category, row in caps.items() if row["is_enabled"] == "true"
    } - {"T", "K", "M"}
    assert len(questions) >= 150


def test_no_placeholder_is_left_in_a_text(questions):
    for row in questions:
        text = row["question_text"]
        assert not set("{}[]") & set(text), text
        assert text == " ".join(text.split()), text
        assert text[-1] in "?.", text
        assert "None" not in text, text
        assert "null" not in text.lower().split(), text


def test_every_evidence_id_exists(real, questions):
    known = {row["sentence_id"] for row in real.rows("select sentence_id from sentences.sentences")}
    for row in questions:
        assert set(row["evidence_sentence_ids"]) <= known, row["question_id"]
        assert bool(row["evidence_sentence_ids"]) == (row["answer_type"] != "no_answer")


def test_every_question_names_its_companies_and_years(real, questions):
    names = {
        row["cik_int"]: row["display_name"]
        for row in real.rows("select cik_int, display_name from sentences.companies")
    }
    for row in questions:
        assert all(names[cik] in row["question_text"] for cik in row["cik_int"]), row[
            "question_text"
        ]
        # A trend over three years may name the first and the last.
        years = {min(row["years"]), max(row["years"])}
        assert all(str(year) in row["question_text"] for year in years), row["question_text"]


def test_ids_are_unique_and_texts_are_not_asked_twice(questions):
    assert len({row["question_id"] for row in questions}) == len(questions)
    assert len({row["question_text"] for row in questions}) == len(questions)


def test_one_thread_gives_the_same_questions_byte_for_byte(real, questions, tmp_path):
    again = real.copy(tmp_path / "again")
    again.threads = 1
    # Nothing of the first build may stand in for the second but the seeds.
    with duckdb.connect(str(again.database)) as connection:
        for schema in ("sources", "sentences", "atlases", "bundles", "gold"):
            connection.execute(f"drop schema {schema} cascade")
    assert again.build("--select", "+gold_p3") == 0, again.log
    as_bytes = [
        "\n".join(json.dumps(row, default=str) for row in rows).encode()
        for rows in (questions, questions_of(again))
    ]
    assert as_bytes[0] == as_bytes[1]


@pytest.mark.parametrize(
    ("cap", "group"),
    [
        ("max_questions", "1"),
        ("max_per_company", "cik_ints[1]"),
        ("max_per_company_year", "(cik_ints[1], report_years[1])"),
        ("max_per_company_topic", "(cik_ints[1], balance_topic)"),
    ],
)
def test_no_cap_of_the_mix_is_passed(real, caps, cap, group):
    counted = real.rows(
        f"""
        select category, max(n) as most
        from (select category, count(*) as n from gold.int_p3_drawn group by category, {group})
        group by category
        """
    )
    limits = {category: row[cap] for category, row in caps.items() if row[cap]}
    most = {row["category"]: row["most"] for row in counted}
    print(cap, most)
    assert [c for c, limit in limits.items() if most.get(c, 0) > int(limit)] == []
    # A cap that nothing comes near shows nothing.
    assert cap == "max_questions" or any(most[c] == int(limit) for c, limit in limits.items())


def test_no_company_has_more_than_its_share(real, questions, caps):
    filings = collections.Counter(
        row["cik_int"] for row in real.rows("select cik_int from sentences.int_filings_named")
    )
    by_company = collections.Counter(row["cik_int"][0] for row in questions)
    ceiling = sum(int(row["max_per_company"]) for row in caps.values())
    (cik, most), *_ = by_company.most_common(1)
    share, share_of_filings = most / len(questions), filings[cik] / filings.total()
    print(f"{len(questions)} questions, {len(by_company)} companies, most {most} (cik {cik})")
    print(f"share of questions {share:.3f}, of filings {share_of_filings:.3f}")
    assert most <= ceiling
    # The caps hold a company of many filings below what its filings would give it.
    assert share <= share_of_filings


def disagreements(levels):
    """(levels that XBRL knows too, those of them that it knows otherwise).

    A level agrees when the figure of XBRL, rounded as the sentence rounds it, is the same.
    """
    known = {}
    for label, (tags, since) in TAGS.items():
        rows = duckdb.sql(
            f"""
            select cast(cik as bigint), year, value from '{FACTS}'
            where metric_key in {(*tags, "")} and filed_date >= '{since}'
            """
        ).fetchall()
        for cik, year, value in rows:
            known.setdefault((cik, year, label), set()).add(value)
    shared, wrong = [], []
    for row in levels:
        values = known.get((row["cik_int"], row["report_year"], row["kpi_label"]))
        if values:
            shared.append(row)
            if all(abs(value - row["value"]) > row["half_width"] * 1.0001 for value in values):
                wrong.append((row, values))
    return shared, wrong


def test_levels_agree_with_the_figures_of_xbrl(real):
    """Levels are what A asks for and N subtracts; here all of them, drawn or not."""
    levels = real.rows("select * from gold.int_p3_levels order by sentence_id, kpi_label")
    shared, wrong = disagreements(levels)
    print(f"{len(shared)} levels known to XBRL, {len(wrong)} of them otherwise")
    assert len(shared) >= 6
    assert wrong == []


def test_levels_of_another_year_disagree_with_xbrl(real):
    levels = real.rows("select * from gold.int_p3_levels order by sentence_id, kpi_label")
    shared, wrong = disagreements([row | {"report_year": row["report_year"] + 1} for row in levels])
    assert len(wrong) >= 0.9 * len(shared) > 0
