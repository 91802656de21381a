"""The sample corpus: deterministic, consistent with its own facts, and broken where it says so."""

import collections
import hashlib
import json
import pathlib
import random
import re

import pytest

from finrag.sample import broken_lines, sample_version, write_sample
from finrag.sample.benchmarks import benchmark_files
from finrag.sample.companies import companies
from finrag.sample.grammar import expand, vary
from finrag.sample.ledger import OPENING_YEAR, change_percent, keep_books
from finrag.sample.writer import DEFAULT_SEED, LAST_YEAR, YEARS
from finrag.text.sentences import split_spans

COMPANIES = companies()
ITEMS = ("1", "1A", "2", "3", "5", "6", "7", "7A", "8")
SIGNED = {
    "operating_income",
    "net_income",
    "eps",
    "other_income",
    "cash_from_operations",
    "free_cash_flow",
    "adjusted_ebitda",
}
SAMPLE_DIGEST = "bde5f46688beced812951e038aab374aad9bb5eff8d4189996eb0398afad5a54"
# Well-known names of registrants, auditors and banks: a fictional corpus mentions none of them.
REAL_NAMES = (
    "Abbott|Adobe|Alphabet|Amazon|Apple|AT&T|Bank of America|Boeing|Chevron|Cisco|Citigroup|"
    "Coca-Cola|Costco|Deloitte|DocuSign|Ernst|Exxon|Facebook|FedEx|Ford|General Electric|"
    "General Mills|Goldman|Google|Grant Thornton|IBM|Intel|Johnson & Johnson|JPMorgan|KPMG|"
    "Kroger|McDonald|Meta Platforms|Microsoft|Morgan Stanley|NASDAQ|Nasdaq|Netflix|Nike|Nvidia|"
    "NVIDIA|Oracle|PepsiCo|Pfizer|PricewaterhouseCoopers|Qualcomm|Salesforce|Sysco|Target Corp|"
    "Tesla|Texas Instruments|Verizon|Walmart|Wells Fargo|Whole Foods"
)


def _rows(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _good(line):
    try:
        row = json.loads(line.decode())
        int(row["year"]), int(row["cik"])
    except (ValueError, KeyError):
        return None
    return row if any(row.get(f"item_{item}") for item in ITEMS) else None


def _flat(text):
    return " ".join(text.split())


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    directory = tmp_path_factory.mktemp("sample")
    write_sample(directory)
    return directory


@pytest.fixture(scope="module")
def lines(sample):
    return (sample / "filings" / "sample_10k.jsonl").read_bytes().rstrip(b"\n").split(b"\n")


@pytest.fixture(scope="module")
def filings(lines):
    good = [row for row in map(_good, lines) if row]
    return {(row["cik"], int(row["year"])): row for row in good}


@pytest.fixture(scope="module")
def facts(sample):
    return _rows(sample / "facts" / "facts.jsonl")


@pytest.fixture(scope="module")
def lengths(filings):
    """Sentences per section; a sentence ends at its mark or at the end of a line."""
    end = re.compile(r"(?<=[.!?”])\s+(?=[A-Z“])|\n+")
    return [len(end.split(row[f"item_{item}"])) for row in filings.values() for item in ITEMS]


def test_two_writes_are_byte_identical(sample, tmp_path):
    write_sample(tmp_path)
    for name in ("filings/sample_10k.jsonl", "facts/facts.jsonl"):
        assert (tmp_path / name).read_bytes() == (sample / name).read_bytes()


def test_the_sample_is_the_one_that_published_figures_were_measured_on(sample):
    digest = hashlib.sha256()
    for path in sorted(path for path in sample.rglob("*") if path.is_file()):
        name = path.relative_to(sample).as_posix().encode()
        digest.update(name + b"\0" + path.read_bytes() + b"\0")
    # Whoever changes the sample on purpose writes the new digest here and measures again what the
    # docs say of the sample.
    assert digest.hexdigest() == SAMPLE_DIGEST


def test_another_seed_writes_another_corpus(sample, tmp_path):
    write_sample(tmp_path, seed=7)
    name = "filings/sample_10k.jsonl"
    assert (tmp_path / name).read_bytes() != (sample / name).read_bytes()
    assert sample_version(7) != sample_version()


def test_nothing_but_the_files_is_left_behind(sample):
    files = {str(p.relative_to(sample)) for p in sample.rglob("*") if p.is_file()}
    sets = {f"benchmarks/{name}" for name in benchmark_files(COMPANIES, LAST_YEAR, DEFAULT_SEED)}
    assert files == {"filings/sample_10k.jsonl", "facts/facts.jsonl"} | sets


def test_a_write_that_fails_leaves_the_old_file_alone(tmp_path, monkeypatch):
    old = tmp_path / "filings" / "sample_10k.jsonl"
    old.parent.mkdir()
    old.write_text("old")

    def refuse(self, target):
        raise OSError(f"cannot rename to {target}")

    monkeypatch.setattr(pathlib.Path, "replace", refuse)
    with pytest.raises(OSError, match="cannot rename"):
        write_sample(tmp_path)
    assert old.read_text() == "old"
    assert list(old.parent.iterdir()) == [old]


def test_ten_companies_report_five_years_with_every_item(filings):
    assert {cik for cik, _ in filings} == {str(company.cik) for company in COMPANIES}
    assert len(filings) == 50
    assert all(row[f"item_{item}"].strip() for row in filings.values() for item in ITEMS)


def test_year_is_the_year_of_the_period_end(filings):
    for (_, year), row in filings.items():
        assert row["period_of_report"].startswith(f"{year}-")
        assert row["period_of_report"].replace("-", "").endswith(row["fiscal_year_end"])
        assert row["filing_date"] > row["period_of_report"]


def test_the_corpus_has_at_least_15_000_sentences(lengths):
    assert sum(lengths) >= 15_000


def test_every_length_bucket_is_filled(lengths):
    buckets = collections.Counter((n >= 10) + (n >= 20) + (n >= 40) for n in lengths)
    assert min(buckets[b] for b in range(4)) >= 15
    assert min(lengths) <= 6
    assert max(lengths) >= 250


def test_a_table_of_contents_and_navigational_sentences_are_present(filings):
    with_toc = [row for row in filings.values() if row["item_1"].startswith("TABLE OF CONTENTS")]
    assert len(with_toc) >= 8
    assert all("see Note 12" in row["item_3"] for row in filings.values())


def test_between_a_fifth_and_a_half_of_the_sentences_repeat(filings):
    texts = [
        _flat(part).lower()
        for row in filings.values()
        for item in ITEMS
        for part in re.split(r"(?<=[.!?”])\s+(?=[A-Z“])|\n+", row[f"item_{item}"])
    ]
    counts = collections.Counter(texts)
    assert 0.2 <= sum(counts[text] > 1 for text in texts) / len(texts) <= 0.5


def test_five_broken_lines_stand_among_the_good_ones(lines):
    broken = [line for line in lines if _good(line) is None]
    assert tuple(broken) == broken_lines()
    assert len(lines) == 55
    assert _good(lines[0])
    assert _good(lines[-1])


@pytest.mark.parametrize(
    ("index", "reason"),
    [
        (0, "not json"),
        (1, "no cik"),
        (2, "year is not a number"),
        (3, "empty items"),
        (4, "not utf-8"),
    ],
)
def test_each_broken_line_is_broken_in_one_way(index, reason):
    line = broken_lines()[index]
    if reason == "not utf-8":
        with pytest.raises(UnicodeDecodeError):
            line.decode()
        return
    if reason == "not json":
        with pytest.raises(json.JSONDecodeError):
            json.loads(line)
        return
    row = json.loads(line)
    assert ("cik" not in row) == (reason == "no cik")
    assert (not row["year"].isdigit()) == (reason == "year is not a number")
    assert (not any(row.get(f"item_{i}") for i in ITEMS)) == (reason == "empty items")


def test_every_disclosed_fact_stands_verbatim_in_its_item(filings, facts):
    texts = {
        (key, item): _flat(row[f"item_{item}"]) for key, row in filings.items() for item in ITEMS
    }
    missing = [
        fact["fact_id"]
        for fact in facts
        if fact["is_disclosed"]
        and fact["sentence_text"]
        not in texts[(fact["cik"], fact["fiscal_year"]), fact["item"].removeprefix("item_")]
    ]
    assert missing == []


def test_the_splitter_keeps_fact_sentences_whole(filings, facts):
    keys = [(str(COMPANIES[0].cik), 2021), (str(COMPANIES[8].cik), 2022)]
    wanted = [f for f in facts if (f["cik"], f["fiscal_year"]) in keys and f["is_disclosed"]]
    found = {
        _flat(text[start:end])
        for key in keys
        for item in ("1", "1A", "3", "5", "6", "7", "8")
        for text in [filings[key][f"item_{item}"]]
        for start, end in split_spans(text)
    }
    whole = [fact["sentence_text"] in found for fact in wanted]
    assert sum(whole) / len(whole) >= 0.98


def test_labels_that_are_not_disclosed_do_not_occur(filings, facts):
    hidden = [fact for fact in facts if not fact["is_disclosed"]]
    assert len(hidden) >= 60
    for fact in hidden:
        row = filings[fact["cik"], fact["fiscal_year"]]
        text = " ".join(_flat(row[f"item_{item}"]).lower() for item in ITEMS)
        words = fact["label"].replace("_", " ")
        assert words not in text, fact["fact_id"]
        assert words.replace("and", "&") not in text, fact["fact_id"]


def test_a_fact_says_the_same_in_every_filing_that_repeats_it(facts):
    stated = collections.defaultdict(set)
    for fact in facts:
        if fact["is_disclosed"] and fact["fact_kind"] in ("kpi", "segment_revenue"):
            stated[fact["cik"], fact["label"], fact["period_year"]].add(fact["value"])
    assert all(len(values) == 1 for values in stated.values())
    prior_years = {key for key in stated if key[2] == 2022}
    assert len(prior_years) >= 100


def test_amounts_are_printed_in_their_sentence(facts):
    for fact in facts:
        if fact["unit"] != "USD" or not fact["is_disclosed"]:
            continue
        divisor, digits = {"units": (1, 0), "millions": (1e6, 1), "billions": (1e9, 2)}[
            fact["scale"]
        ]
        value = abs(fact["value"]) / divisor
        shown = {f"${value:,.{digits}f}", f"${value:,.0f} million"}
        assert any(text in fact["sentence_text"] for text in shown), fact["fact_id"]
        if fact["value"] < 0:
            assert fact["label"] in SIGNED, fact["fact_id"]


def test_a_stated_change_follows_from_the_stated_amounts(facts):
    values = {
        (f["cik"], f["fiscal_year"], f["label"], f["period_year"]): f["value"]
        for f in facts
        if f["fact_kind"] in ("kpi", "segment_revenue")
    }
    changes = [fact for fact in facts if fact["fact_kind"] == "kpi_change"]
    assert len(changes) >= 200
    for fact in changes:
        key, year = (fact["cik"], fact["fiscal_year"], fact["label"]), fact["fiscal_year"]
        assert fact["value"] == change_percent(values[(*key, year)], values[(*key, year - 1)])


@pytest.mark.parametrize("company", COMPANIES, ids=lambda company: company.ticker)
def test_the_books_add_up(company):
    books = keep_books(company, DEFAULT_SEED)
    for year in range(OPENING_YEAR + 1, YEARS[-1] + 1):
        now, before = books[year], books[year - 1]
        assert sum(now.segments) == now.revenue
        assert now.debt == before.debt + now.borrowed - now.repaid
        assert now.debt > 0
        spent = now.capex + now.acquisitions + now.dividends + now.repurchases
        raised = now.operating_cash + now.borrowed - now.repaid + now.issued
        assert now.cash == before.cash + raised - spent


def test_segment_revenue_stated_in_a_long_filing_sums_to_revenue(facts):
    for company in COMPANIES:
        if company.length == "short":
            continue
        mine = [f for f in facts if f["cik"] == str(company.cik) and f["fiscal_year"] == 2021]
        current = [f for f in mine if f["period_year"] == 2021]
        parts = {f["label"]: f["value"] for f in current if f["fact_kind"] == "segment_revenue"}
        revenue = {
            f["value"] for f in current if f["label"] == "revenue" and f["fact_kind"] == "kpi"
        }
        assert {sum(parts.values())} == revenue


def test_foreign_currency_is_attributed_in_some_years_and_only_mentioned_in_others(facts):
    fx = [fact for fact in facts if fact["label"] == "other_income_fx"]
    assert {True, False} == {fact["is_explicit_attribution"] for fact in fx}
    for fact in fx:
        cue = re.search(r"primarily due to|driven by", fact["sentence_text"])
        assert bool(cue) == fact["is_explicit_attribution"]


@pytest.mark.parametrize(
    "kind",
    [
        "kpi",
        "cause",
        "growth_drivers",
        "definition",
        "attribution",
        "temporal",
        "risk_topic",
        "headcount",
        "legal_status",
    ],
)
def test_every_kind_of_question_finds_facts(facts, kind):
    assert sum(fact["fact_kind"] == kind for fact in facts) >= 30


def test_all_seven_risk_topics_occur_in_every_full_year(facts):
    topics = {fact["label"] for fact in facts if fact["fact_kind"] == "risk_topic"}
    assert topics == {
        "regulatory",
        "liquidity_credit",
        "market_competition",
        "operational_supply_chain",
        "cybersecurity",
        "legal_ip",
        "general_risk",
    }


def test_no_filing_knows_a_purchase_of_a_later_year(filings):
    for company in COMPANIES:
        for deal in company.deals:
            early = [year for year in YEARS if year < deal.year]
            rows = [filings[str(company.cik), year] for year in early]
            assert not any(deal.target in row[f"item_{item}"] for row in rows for item in ITEMS)


def test_fact_ids_are_unique(facts):
    assert len({fact["fact_id"] for fact in facts}) == len(facts)


def test_no_slot_or_choice_is_left_in_the_text(filings):
    for row in filings.values():
        for item in ITEMS:
            assert not re.search(r"[\[\]{}|]|\ba\(n\)", row[f"item_{item}"])


def test_no_real_company_is_named(lines):
    text = b"\n".join(lines).decode(errors="replace")
    assert re.findall(rf"\b(?:{REAL_NAMES})\b", text) == []


def test_ciks_lie_where_no_filer_has_one():
    assert all(9_900_000 < company.cik < 9_900_100 for company in COMPANIES)
    assert len({company.ticker for company in COMPANIES}) == len(COMPANIES)


def test_expand_resolves_nested_choices_slots_and_articles():
    text = expand(
        "[a(n) {kind}|a(n) {kind}] isn't {#5-5}", {"kind": "[analyzer]"}, random.Random(1)
    )
    assert text == "An analyzer isn’t 5"


def test_expand_names_the_slot_that_has_no_value():
    with pytest.raises(ValueError, match="'customer'"):
        expand("We serve {customer}.", {}, random.Random(1))


def test_vary_leaves_names_inside_a_sentence_alone():
    texts = {vary("Usually The Large Group buys large tools.", random.Random(n)) for n in range(30)}
    assert len(texts) > 1
    assert all("The Large Group" in text and text[0].isupper() for text in texts)
