"""Small sets of made-up companies, from their files to scores."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

MODELS = (
    "benchmark_files",
    "py_benchmark_records_read+,+benchmark_summaries",
    "py_benchmark_records_read+,+benchmark_audit",
    *("py_benchmark_files_found", "benchmark_sources", "quarantine"),
)

FINQA_TABLE = [["", "2020", "2019"], ["paint sales", "1200", "1000"], ["brush sales", "300", "250"]]


def finqa(name, question, program, result, evidence):
    return {
        "id": f"ACME/2020/page_7.pdf-{name}",
        "filename": "ACME/2020/page_7.pdf",
        "pre_text": ["acme sells paint .", "the tax rate was 21% ."],
        "post_text": ["brushes are sold to painters ."],
        "table": FINQA_TABLE,
        "table_ori": FINQA_TABLE,
        "qa": {
            "question": question,
            "answer": str(result),
            "program": program,
            "exe_ans": result,
            "gold_inds": dict.fromkeys(evidence, ""),
        },
    }


FINQA = [
    finqa(1, "growth of paint sales?", "subtract(1200, 1000), divide(#0, 1000)", 0.2, ["table_1"]),
    # The set's own slip: the program gives 50.
    finqa(2, "change of brush sales?", "subtract(300, 250)", 60.0, ["table_2"]),
    finqa(3, "what are brushes?", "add(300, const_1)", 301.0, ["text_2", "table_2"]),
    {"id": "ACME/2020/page_7.pdf-4", "qa": "torn"},
]
FINQA_ANSWERS = [
    {"question_id": FINQA[0]["id"], "program": "subtract(1200, 1000), divide(#0, 1000)"},
    {"question_id": FINQA[1]["id"], "program": "subtract(300, 250)"},
]
TATQA = {
    "table": {"uid": "t1", "table": [["", "2020"], ["Net loss", "(5.2)"]]},
    "paragraphs": [{"uid": "p1", "order": 1, "text": "Amounts in millions."}],
    "questions": [
        {
            "uid": "loss",
            "order": 1,
            "question": "What was the net loss in 2020?",
            "answer": ["(5.2)"],
            "derivation": "",
            "answer_type": "span",
            "answer_from": "table",
            "rel_paragraphs": [],
            "req_comparison": False,
            "scale": "million",
        }
    ],
}
TATQA_ANSWERS = [{"question_id": "loss", "answer": ["5.2"], "scale": "million"}]
FINANCEBENCH = {
    "financebench_id": "fb1",
    "company": "Acme",
    "doc_name": "ACME_2020_10K",
    "question_type": "metrics-generated",
    "question_reasoning": "Information extraction",
    "question": "What were Acme's capital expenditures?",
    "answer": "$45",
    "justification": "",
    "evidence": [
        {"evidence_text": text, "doc_name": "ACME_2020_10K", "evidence_page_num": page}
        for text, page in (("Capital expenditures 45", 1), ("Gone", 9))
    ],
}  # fmt: skip
PAGES = [
    {"doc_name": "ACME_2020_10K", "page_num": number, "text": text}
    for number, text in enumerate(["Cover of the report", "Capital expenditures 45", "Exhibits"])
]


def write_lines(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture(scope="module")
def built(sample, tmp_path_factory):
    folder = tmp_path_factory.mktemp("benchmarks") / "warehouse"
    warehouse = sample.copy(folder, benchmarks_paths=["sets"])
    sets = folder / "sets"
    write_lines(sets / "finqa_dev.jsonl", FINQA)
    write_lines(sets / "finqa" / "predictions_mine.jsonl", FINQA_ANSWERS)
    write_lines(sets / "tatqa_dev.jsonl", [TATQA])
    write_lines(sets / "tatqa" / "predictions_mine.jsonl", TATQA_ANSWERS)
    write_lines(sets / "financebench_open_source.jsonl", [FINANCEBENCH])
    (sets / "financebench_pages").mkdir()
    pq.write_table(pa.Table.from_pylist(PAGES), sets / "financebench_pages" / "pages.parquet")
    status = warehouse.build("--select", *MODELS)
    assert status == 0, warehouse.log
    return warehouse


def test_a_torn_record_is_set_aside_with_its_line(built):
    rows = built.rows(
        "select source_line, remedy from sources.quarantine where record_kind = 'benchmark'"
    )
    assert [row["source_line"] for row in rows] == [4]
    assert "finqa_dev.jsonl" in rows[0]["remedy"]


def test_a_set_that_is_not_there_says_where_to_get_it(built):
    (row,) = built.rows(
        "select status, message from sources.benchmark_sources where benchmark = 'multihop_rag'"
    )
    assert row["status"] == "absent"
    assert "multihop_rag*" in row["message"]
    assert "github.com/" in row["message"]


def test_evidence_is_led_to_rows_sentences_and_pages(built):
    rows = built.rows(
        "select reference, found_by_passage_id, mapping from gold.benchmark_judgments"
    )
    found = {row["reference"]: row for row in rows}
    assert found["table_2"]["found_by_passage_id"].endswith("#row-0-2")
    assert found["text_2"]["found_by_passage_id"].endswith("#text-2")
    pages = sorted(row["mapping"] for row in rows if "ACME_2020_10K" in row["reference"])
    assert pages == ["mapped", "the document has no such page"]


def score(built, benchmark, metric, mode):
    rows = built.rows(
        f"""
        select mean, mean_of_asked, n_asked, n_evaluated, n_not_run
        from metrics.benchmark_summaries
        where gold_set = '{benchmark}' and metric = '{metric}' and mode = '{mode}'
            and slice_name = 'overall'
        """
    )
    (row,) = rows
    return row


def test_both_denominators_of_a_system_that_answered_a_part(built):
    # The second program is the set's own, and the set's own answer is another.
    row = score(built, "finqa", "execution_accuracy", "official")
    assert (row["n_asked"], row["n_evaluated"], row["n_not_run"]) == (3, 2, 1)
    assert row["mean"] == 0.5
    assert row["mean_of_asked"] == pytest.approx(1 / 3)


def test_programs_are_equal_where_results_are_not(built):
    assert score(built, "finqa", "program_accuracy", "official")["mean"] == 1


def test_a_lost_sign_is_wrong_in_both_modes(built):
    assert score(built, "tatqa", "em", "official")["mean"] == 0
    assert score(built, "tatqa", "em", "strict")["mean"] == 0


def test_the_slip_of_the_set_is_a_finding(built):
    rows = built.rows("select item_id from gold.benchmark_audit where reason = 'program_disagrees'")
    assert [row["item_id"] for row in rows] == [f"finqa:{FINQA[1]['id']}"]


def test_the_page_with_the_words_of_the_question_is_first(built):
    rows = built.rows(
        """
        select passage_id from retrieval.benchmark_rankings
        where system_id = 'bm25_open' and benchmark = 'financebench' and rank = 1
        """
    )
    assert [row["passage_id"] for row in rows] == ["ACME_2020_10K#page-1"]


def test_operands_that_stand_in_the_context_were_looked_for(built):
    rows = built.rows(
        """
        select written, origin from gold.benchmark_operands
        where item_id like '%-3' order by operand_pos
        """
    )
    assert [(row["written"], row["origin"]) for row in rows] == [
        ("300", "table"),
        ("const_1", "constant"),
    ]
