"""Tiny, empty and broken corpora: clear results or clear errors, never a crash or a NaN."""

import gzip
import json
import shutil

import pytest

from tests.warehouse.warehouses import small_corpus


def record(cik=9900001, year=2021, **items):
    return {"filename": f"{cik}_{year}.htm", "cik": str(cik), "year": str(year), **items}


def write(path, *records):
    lines = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in records]
    path.write_bytes(b"\n".join(lines) + b"\n")
    return str(path)


def prose(n_sentences, subject="plant"):
    return " ".join(f"Our {subject} number {n} made goods in the year." for n in range(n_sentences))


def assert_no_nan(warehouse):
    assert (
        warehouse.value(
            """
            select count(*) from metrics.metric_summaries
            where isnan(mean) or isnan(ci_low) or isnan(ci_high)
            """
        )
        == 0
    )


def verdicts(warehouse):
    rows = warehouse.rows("select gate_id, verdict from gates.gate_verdicts")
    return {row["gate_id"]: row["verdict"] for row in rows}


def test_a_corpus_of_one_sentence_is_unmeasured_not_passed(make_warehouse, tmp_path):
    path = write(tmp_path / "one.jsonl", record(section_1="We make one small product in Ohio."))
    warehouse = make_warehouse(corpus="filings", corpus_path=path, enable_systems=["dense_open"])

    assert warehouse.build() == 0, warehouse.log

    assert warehouse.value("select count(*) from sentences.sentences") == 1
    assert_no_nan(warehouse)
    found = verdicts(warehouse)
    assert found["dense_open_self_at_1"] == "unmeasured"
    assert found["p2_coverage"] == "too_few"
    assert found["dense_open_beats_random"] == "unmeasured"


def test_gates_on_systems_that_do_not_run_do_not_apply(make_warehouse, tmp_path):
    """A user's filings by default: nothing red for want of a system, what runs is still checked."""
    warehouse = make_warehouse(corpus="filings", corpus_path=small_corpus(tmp_path, 3))

    assert warehouse.build() == 0, warehouse.log

    rows = warehouse.rows("select system_id from retrieval.registered_systems order by 1")
    running = [row["system_id"] for row in rows]
    assert running == ["dense_open", "multi_path", "naive_rag", "random_filtered", "random_open"]
    assert warehouse.rows("select gate_id from gates.gate_breaches where severity = 'error'") == []
    found = verdicts(warehouse)
    assert found["unit_vectors"] == "pass"
    assert found["multi_path_queries_failed_p3"] == found["naive_rag_queries_failed_p3"] == "pass"
    idle = ("dense_filtered", "bm25", "hybrid_filter", "hybrid_rerank")
    assert {found[name] for name in found if name.startswith(idle)} == {"not_applicable"}
    assert found["dense_open_index_recall"] == found["dense_open_index_coverage"] == "pass"
    assert found["dense_open_self_at_1"] in ("pass", "too_few")


def test_a_file_that_breaks_off_is_a_broken_file(make_warehouse, tmp_path):
    whole = write(
        tmp_path / "whole.jsonl", *(record(cik=n, section_1=prose(9)) for n in range(1, 300))
    )
    packed = gzip.compress((tmp_path / "whole.jsonl").read_bytes())
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / "cut.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    assert whole
    warehouse = make_warehouse(corpus="filings", corpus_path=str(tmp_path / "cut"))

    assert warehouse.build("--select", "+gate_verdicts") == 0, warehouse.log

    # One row in the quarantine for half of the records: their share alone would pass.
    assert verdicts(warehouse)["files_broken"] == "fail"


def test_a_text_in_other_case_from_another_corpus_changes_no_vector(make_warehouse, tmp_path):
    sentence = "Net sales increased in North America."
    shouted = write(tmp_path / "shouted.jsonl", record(section_1=sentence.upper()))
    plain = write(tmp_path / "plain.jsonl", record(section_1=sentence))
    fresh = make_warehouse("fresh", corpus="filings", corpus_path=plain)
    warmed = make_warehouse("warmed", corpus="filings", corpus_path=shouted)
    assert fresh.build("--select", "+embeddings") == 0, fresh.log
    assert warmed.build("--select", "+embeddings") == 0, warmed.log
    shutil.copyfile(plain, warmed.folder / "corpus.jsonl")
    assert warmed.build("--select", "+embeddings") == 0, warmed.log

    query = "select text_hash, vector from retrieval.embeddings order by 1"
    assert fresh.rows(query) == warmed.rows(query)


def test_a_corpus_of_one_company_builds(make_warehouse, tmp_path):
    path = write(
        tmp_path / "company.jsonl",
        *(record(year=year, section_1=prose(60), section_7=prose(8)) for year in (2020, 2021)),
    )
    warehouse = make_warehouse(corpus="filings", corpus_path=path, enable_systems=["dense_open"])

    assert warehouse.build() == 0, warehouse.log

    assert warehouse.value("select count(*) from sentences.companies") == 1
    assert_no_nan(warehouse)
    # Every text stands in both years: strict self-match must fail where tie-aware holds.
    strict, aware = warehouse.rows(
        """
        select
            max(mean) filter (metric = 'self_at_1_strict') as strict,
            max(mean) filter (metric = 'self_at_1_tie_aware') as aware
        from metrics.metric_summaries
        where system_id = 'dense_open' and gold_set = 'p1' and slice_name = 'overall'
        """
    )[0].values()
    assert strict < aware


def test_empty_sections_give_no_sentences_and_no_crash(make_warehouse, tmp_path):
    path = write(
        tmp_path / "empty.jsonl", record(section_1=prose(50), section_1A="", section_7="  \n ")
    )
    warehouse = make_warehouse(corpus="filings", corpus_path=path)

    assert warehouse.build("--select", "+gold_p3") == 0, warehouse.log

    assert warehouse.rows("select section_name from sentences.sections") == [
        {"section_name": "ITEM_1"}
    ]


def test_broken_records_are_quarantined_and_gated(make_warehouse, tmp_path):
    path = write(
        tmp_path / "broken.jsonl",
        record(section_1=prose(50)),
        b"{not json",
        record(year="abcd", section_1=prose(3)),
        {"year": "2021", "section_1": prose(3)},
        b'{"cik": "9900002", "year": "2021", "section_1": "\xff\xfe"}',
        record(section_1=prose(50, "repeated")),
        record(cik=9900003, section_1=prose(50, "other plant")),
    )
    warehouse = make_warehouse(corpus="filings", corpus_path=path)

    assert warehouse.build("--select", "+gate_verdicts") == 0, warehouse.log

    quarantined = warehouse.rows("select * from sources.quarantine order by source_line")
    assert [row["source_line"] for row in quarantined] == [2, 3, 4, 5, 6]
    assert all(row["source_file"] == "corpus.jsonl" for row in quarantined)
    assert all(row["reason"] and row["remedy"] for row in quarantined)
    assert quarantined[-1]["reason_code"] == "duplicate_filing"
    assert warehouse.value("select count(*) from sentences.filings") == 2
    assert verdicts(warehouse)["records_lost"] == "fail"


@pytest.mark.parametrize(
    ("model", "variables", "message"),
    [
        ("py_filings_read", {"corpus": "filings", "corpus_path": "/nowhere"}, "corpus_path"),
        ("py_filings_read", {"corpus": "filings"}, "set the dbt var corpus_path"),
        ("py_filings_read", {"corpus": "edger"}, "set the dbt var corpus to one of"),
        ("+embeddings", {"corpus": "filings", "encoder": "minilmm"}, "minilm"),
    ],
)
def test_a_wrong_setting_stops_with_the_remedy(make_warehouse, tmp_path, model, variables, message):
    if "encoder" in variables:
        path = write(tmp_path / "one.jsonl", record(section_1="We make one product in Ohio."))
        variables = {**variables, "corpus_path": path}
    warehouse = make_warehouse(**variables)

    assert warehouse.build("--select", model) == 1
    assert message in warehouse.log


def test_the_random_null_scores_near_zero_and_passes_no_gate(sample):
    nulls = sample.rows(
        """
        select max(mean) as best
        from metrics.metric_summaries
        where system_id = 'random_open' and slice_name = 'overall'
          and metric in ('hit', 'mrr', 'self_at_1_tie_aware') and unit = 'sentence'
        """
    )
    assert nulls[0]["best"] < 0.02
    judged = sample.rows(
        "select is_passed_by_null from gates.gate_verdicts where null_value is not null"
    )
    assert len(judged) > 0
    assert not any(row["is_passed_by_null"] for row in judged)


def test_whatever_was_asked_has_one_status(sample):
    wrong = sample.value(
        """
        select count(*) from metrics.metric_summaries
        where n_asked is distinct from n_evaluated + n_uncovered
              + n_abstained + n_failed + n_not_run + n_unscored
        """
    )
    assert wrong == 0


def test_approximate_indexes_run_by_setting_and_report_their_recall(sample, tmp_path):
    warehouse = sample.copy(tmp_path / "approximate")
    systems = ["dense_open_ivf", "dense_open_ivfpq", "dense_open_hnsw"]

    found = ("+registered_systems", "registered_systems+,+rankings", "vector_indexes")
    status = warehouse.build("--select", *found, enable_systems=systems)

    assert status == 0, warehouse.log
    recalls = {
        row["system_id"]: row["recall_at_10"]
        for row in warehouse.rows("select system_id, recall_at_10 from retrieval.vector_indexes")
    }
    assert recalls["dense_open"] == 1.0
    assert recalls["dense_open_hnsw"] > 0.9
    assert recalls["dense_open_ivf"] > 0.8
    assert recalls["dense_open_ivfpq"] > 0.4
