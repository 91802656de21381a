"""The sample's own sets of questions: deterministic, true to the books, read as any other set."""

import json

import pytest

from finrag.sample.benchmarks import benchmark_files
from finrag.sample.companies import companies
from finrag.sample.ledger import keep_books, money
from finrag.sample.writer import DEFAULT_SEED, LAST_YEAR
from finrag.sources.benchmarks import open_benchmarks
from finrag.sources.corpus import benchmark_paths


@pytest.fixture(scope="module")
def files():
    return benchmark_files(companies(), LAST_YEAR, DEFAULT_SEED)


@pytest.fixture(scope="module")
def records(files, tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return open_benchmarks(str(folder)).read_all().to_pylist()


def test_the_same_seed_gives_the_same_bytes(files):
    assert benchmark_files(companies(), LAST_YEAR, DEFAULT_SEED) == files
    assert benchmark_files(companies(), LAST_YEAR, DEFAULT_SEED + 1) != files


def test_one_record_is_broken_and_all_others_are_read(records):
    broken = [row for row in records if row["record_status"] != "read"]
    assert [row["benchmark"] for row in broken] == ["finqa"]
    read = {row["benchmark"] for row in records if row["record_status"] == "read"}
    assert read == {"finqa", "financebench", "earnings_calls", "nested_queries"}


def test_every_kind_of_record_is_there(records):
    kinds = ("questions", "passages", "judgments", "predictions")
    assert all(any(row[kind] for row in records) for kind in kinds)
    spaces = {passage["space"] for row in records for passage in row["passages"] or ()}
    assert spaces == {"text", "table", "row", "cell", "page", "turn"}


def test_one_page_is_cited_and_not_there(records):
    known = {each["passage_id"] for row in records for each in row["passages"] or ()}
    cited = {
        each["passage_id"]
        for row in records
        for each in row["judgments"] or ()
        if row["benchmark"] == "financebench"
    }
    assert [name.rsplit("#", 1)[1] for name in cited - known] == ["page-7"]


def test_two_queries_are_rejections_without_answer_and_evidence(records):
    rows = [row for row in records if row["benchmark"] == "nested_queries"]
    asked = [each for row in rows for each in row["questions"] or ()]
    rejected = {each["question_id"] for each in asked if not each["is_answerable"]}
    assert len(rejected) == 2
    assert not any(each["answers"] for each in asked if each["question_id"] in rejected)
    judged = {each["question_id"] for row in rows for each in row["judgments"] or ()}
    assert not rejected & judged


def test_figures_are_those_of_the_books(files):
    now = keep_books(companies()[1], DEFAULT_SEED)[LAST_YEAR]
    first, *_ = files["financebench_open_source_sample.jsonl"].decode().splitlines()
    assert json.loads(first)["answer"] == money(companies()[1], now.revenue)


@pytest.mark.parametrize(
    ("corpus", "paths", "read"),
    [("sample", [], True), ("sample", ["mine"], False), ("filings", [], False)],
)
def test_the_sample_sets_are_read_with_the_sample_alone(tmp_path, corpus, paths, read):
    found = benchmark_paths(corpus, paths, str(tmp_path))
    assert found == paths if not read else found[0].endswith("benchmarks")
