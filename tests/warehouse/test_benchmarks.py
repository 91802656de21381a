"""Small sets of made-up companies, from their files to scores."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import pytrec_eval

from finrag.publishing.exchange import write_gold_set
from finrag.records.identity import hashed

MODELS = (
    "benchmark_files",
    "py_benchmark_records_read+,+metric_summaries",
    "py_benchmark_records_read+,+set_audit",
    "py_systems_read+,+metric_summaries",
    "py_systems_read+,+external_rejections",
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

# Of equal scores the later id comes first; one passage is unheard of, one question not asked.
RUN = """\
{0}-1 Q0 {0}#row-0-1 1 0.5 mine
{0}-1 Q0 {0}#row-0-2 2 0.5 mine
{0}-1 Q0 {0}#row-9-9 3 0.7 mine
finqa:{0}-3 Q0 {0}#row-0-2 1 3.5 mine
{0}-9 Q0 {0}#row-0-2 1 3.5 mine
""".format("ACME/2020/page_7.pdf")
CITING = "cited/answers"
CITED = {
    "question_id": "fb1",
    "answer": "$45",
    "citations": [{"document": "acme 2020-10k.pdf", "page": 2}, {"document": "OTHER", "page": 1}],
}

# A folder in BEIR's layout. Of its qrels one document was never loaded, one is worse than
# irrelevant, one question has nothing relevant, and one has no qrels at all.
PAINT = ["red paint", "blue paint", "brushes", "ladders", "paint sales rose", "tape", "varnish"]
BEIR_CORPUS = [{"_id": f"d{number}", "text": text} for number, text in enumerate(PAINT)]
BEIR_QUERIES = [
    {"_id": name, "text": text}
    for name, text in (
        ("q1", "how did paint sales do?"),
        ("q2", "which paint is blue?"),
        ("q3", "what are ladders?"),
        ("q4", "who sells tape?"),
    )
]
QRELS = {
    "q1": {"d4": 3, "d0": 1, "d9": 2, "d2": -1},
    "q2": {"d1": 1, "d0": 0},
    "q3": {"d5": 0, "d6": -1},
}
# Ties, whose order is that of the ids backwards, and a gap that single precision does not see.
BEIR_RUN = {
    "q1": {"d2": 0.7, "d0": 0.5, "d4": 0.5, "d6": 0.5, "d3": 0.1},
    "q2": {"d0": 0.30000000001, "d1": 0.3, "d8": 0.9},
    "q3": {"d5": 1.0, "d3": 0.5},
}

HOPS = [
    {
        "query": "Which painter sells brushes?",
        "answer": "Acme",
        "question_type": "inference_query",
        "evidence_list": [{"fact": "Acme sells brushes.", "url": "example.org/acme"}],
    },
    {
        "query": "Who paints the moon?",
        "answer": "Insufficient information.",
        "question_type": "null_query",
        "evidence_list": [],
    },
]
HOP_IDS = [f"q-{hashed(hop['query'])}" for hop in HOPS]
WORDS = [{"id": name, "predicted": "It is Acme."} for name in HOP_IDS]
VERDICTS = [{"id": name, "contain_match": True, "llm_correct": True} for name in HOP_IDS]


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
    write_lines(sets / "financebench" / "predictions" / "cited" / "answers.jsonl", [CITED])
    write_lines(sets / "multihop_rag.jsonl", HOPS)
    write_lines(sets / "multihop_rag" / "predictions" / "words.jsonl", WORDS)
    write_lines(sets / "multihop_rag" / "predictions" / "judged.jsonl", VERDICTS)
    table = 'question_id,answer,scale\nloss,"[""(5.2)""]",million\n'
    (sets / "tatqa" / "predictions_table.csv").write_text(table)
    write_lines(sets / "paints" / "corpus.jsonl", BEIR_CORPUS)
    write_lines(sets / "paints" / "queries.jsonl", BEIR_QUERIES)
    (sets / "paints" / "qrels").mkdir()
    judged = [
        f"{query}\t{document}\t{grade}\n"
        for query, grades in QRELS.items()
        for document, grade in grades.items()
    ]
    head = "query-id\tcorpus-id\tscore\n"
    (sets / "paints" / "qrels" / "test.tsv").write_text(head + "".join(judged))
    (sets / "paints" / "theirs.run").write_text(
        "".join(
            f"{query} Q0 {document} 1 {score!r} theirs\n"
            for query, scores in BEIR_RUN.items()
            for document, score in scores.items()
        )
    )
    (sets / "finqa" / "runs").mkdir()
    (sets / "finqa" / "runs" / "mine.run").write_text(RUN)
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
        "select status, message from sources.benchmark_sources where benchmark = 'financial_qa_10k'"
    )
    assert row["status"] == "absent"
    assert "financial_qa_10k*" in row["message"]
    assert "kaggle.com/" in row["message"]


def test_evidence_is_led_to_rows_sentences_and_pages(built):
    rows = built.rows("select * from gold.int_judgments_mapped where gold_set <> 'multihop_rag'")
    found = {row["reference"]: row for row in rows}
    assert found["table_2"]["found_by_passage_id"].endswith("#row-0-2")
    assert found["text_2"]["found_by_passage_id"].endswith("#text-2")
    pages = sorted(row["mapping"] for row in rows if "ACME_2020_10K" in row["reference"])
    assert pages == ["mapped", "the document has no such page"]


def score(built, benchmark, metric, mode, system="predictions_mine"):
    rows = built.rows(
        f"""
        select mean, mean_of_asked, n_asked, n_evaluated, n_not_run
        from metrics.metric_summaries
        where gold_set = '{benchmark}' and metric = '{metric}' and mode = '{mode}'
            and system_id = '{system}' and slice_name = 'overall'
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
    rows = built.rows("select item_id from gold.set_audit where reason = 'program_disagrees'")
    assert [row["item_id"] for row in rows] == [f"finqa:{FINQA[1]['id']}"]


def test_the_page_with_the_words_of_the_question_is_first(built):
    rows = built.rows(
        """
        select passage_id from retrieval.rankings
        where system_id = 'bm25_open' and gold_set = 'financebench' and rank = 1
        """
    )
    assert [row["passage_id"] for row in rows] == ["financebench:ACME_2020_10K#page-1"]


def test_operands_that_stand_in_the_context_were_looked_for(built):
    rows = built.rows(
        """
        select written, origin from gold.program_operands
        where item_id like '%-3' order by operand_pos
        """
    )
    assert [(row["written"], row["origin"]) for row in rows] == [
        ("300", "table"),
        ("const_1", "constant"),
    ]


def test_a_run_of_a_file_is_ranked_as_trec_eval_ranks_it(built):
    rows = built.rows(
        """
        select right(item_id, 1) as question, rank, right(passage_id, 7) as passage
        from retrieval.rankings
        where system_id = 'mine'
        order by question, rank
        """
    )
    assert [tuple(row.values()) for row in rows] == [
        ("1", 1, "row-9-9"),
        ("1", 2, "row-0-2"),
        ("1", 3, "row-0-1"),
        ("3", 1, "row-0-2"),
    ]


def test_what_a_file_ranks_is_measured_as_trec_eval_does(built, tmp_path):
    write_gold_set(built.database, "finqa", tmp_path)
    with (
        (tmp_path / "finqa.row.qrels").open() as qrels,
        (tmp_path / "finqa.row.mine.run").open() as run,
    ):
        judged, ranked = pytrec_eval.parse_qrel(qrels), pytrec_eval.parse_run(run)
    measures = {"evidence_recall": "recall_10", "ndcg": "ndcg_cut_10"}
    theirs = pytrec_eval.RelevanceEvaluator(judged, {"recall.10", "ndcg_cut.10"}).evaluate(ranked)
    ours = built.rows(
        """
        select item_id, metric, value
        from metrics.metric_values
        where system_id = 'mine' and k = 10 and value is not null
            and metric in ('evidence_recall', 'ndcg') and unit = 'row'
        """
    )
    assert {(row["item_id"], row["metric"]): row["value"] for row in ours} == {
        (item_id, metric): pytest.approx(values[name])
        for item_id, values in theirs.items()
        for metric, name in measures.items()
    }
    assert len(ours) == 4


def official(built, system_id):
    rows = built.rows(
        f"""
        select item_id, metric, k, value, value_status
        from metrics.metric_values
        where gold_set = 'paints' and mode = 'official' and system_id = '{system_id}'
        """
    )
    return {(row["item_id"], row["metric"], row["k"]): row for row in rows}


def of_trec_eval(run):
    measures = {"recall.5,10", "ndcg_cut.10", "map", "recip_rank"}
    found = pytrec_eval.RelevanceEvaluator(QRELS, measures).evaluate(run)
    return {
        (f"paints:{query}", metric, k): value
        for query, values in found.items()
        for metric, k, value in (
            ("evidence_recall", 5, values["recall_5"]),
            ("evidence_recall", 10, values["recall_10"]),
            ("ndcg", 10, values["ndcg_cut_10"]),
            ("map", 0, values["map"]),
            ("mrr", 10, values["recip_rank"] if values["recip_rank"] > 0.09 else 0),
        )
    }


def test_official_values_of_a_run_are_trec_evals_on_the_files_as_they_stand(built):
    ours, theirs = official(built, "theirs"), of_trec_eval(BEIR_RUN)
    evaluated = {key: row["value"] for key, row in ours.items() if row["value"] is not None}
    assert len(theirs) == 15
    assert evaluated == {key: pytest.approx(value, abs=1e-9) for key, value in theirs.items()}
    # Neither in the run nor in the qrels.
    left = {row["value_status"] for key, row in ours.items() if key not in theirs}
    assert left == {"uncovered"}


@pytest.mark.parametrize("system_id", ["bm25_open", "dense_open", "random_open"])
def test_official_values_of_a_system_of_ours_are_trec_evals(built, system_id):
    run = {}
    for row in built.rows(
        f"select * from retrieval.rankings where gold_set = 'paints' and system_id = '{system_id}'"
    ):
        names = row["item_id"].removeprefix("paints:"), row["passage_id"].removeprefix("paints:")
        run.setdefault(names[0], {})[names[1]] = row["score"]
    ours, theirs = official(built, system_id), of_trec_eval(run)
    assert {key: row["value"] for key, row in ours.items() if row["value"] is not None} == {
        key: pytest.approx(value, abs=1e-9) for key, value in theirs.items()
    }


def test_what_was_not_loaded_counts_officially_alone(built):
    rows = built.rows(
        """
        select mode, value, value_status from metrics.metric_values
        where gold_set = 'paints' and system_id = 'theirs' and metric = 'evidence_recall'
            and k = 10 and unit = 'text' and item_id in ('paints:q1', 'paints:q3')
        order by item_id, mode
        """
    )
    assert [tuple(row.values()) for row in rows] == [
        ("finrag", 1, "evaluated"),
        ("official", pytest.approx(2 / 3), "evaluated"),
        ("finrag", None, "uncovered"),
        ("official", 0, "evaluated"),
    ]


def test_a_set_without_qrels_has_no_official_rankings(built):
    rows = built.rows(
        """
        select distinct gold_set from metrics.metric_values
        where mode = 'official' and unit <> 'answer'
        """
    )
    assert [row["gold_set"] for row in rows] == ["paints"]


def test_a_question_that_a_run_leaves_out_counts_in_one_denominator(built):
    (row,) = built.rows(
        """
        select mean, mean_of_asked, n_evaluated, n_not_run
        from metrics.metric_summaries
        where system_id = 'mine' and metric = 'hit' and unit = 'any' and k = 5
            and slice_name = 'overall'
        """
    )
    assert (row["n_evaluated"], row["n_not_run"], row["mean"]) == (2, 1, 1)
    assert row["mean_of_asked"] == pytest.approx(2 / 3)


def test_citations_agree_with_pages_beside_them(built):
    assert score(built, "financebench", "citation_coverage", "strict", CITING)["mean"] == 1
    # Two places cited, one near a page of evidence; two pages of evidence, one not loaded.
    assert score(built, "financebench", "citation_correctness", "strict", CITING)["mean"] == 0.5
    assert score(built, "financebench", "citation_recall", "strict", CITING)["mean"] == 0.5
    rows = built.rows(
        f"""
        select named, is_known from answers.answer_citations
        where gold_set = 'financebench' and system_id = '{CITING}' order by named
        """
    )
    assert [tuple(row.values()) for row in rows] == [("OTHER", False), ("acme 2020-10k.pdf", True)]


def test_a_system_of_a_file_has_the_questions_of_its_sets_and_no_others(built):
    rows = built.rows(
        """
        select gold_set, outcome, count(*) as n from answers.answers
        where system_id = 'predictions_mine' group by all order by all
        """
    )
    assert [tuple(row.values()) for row in rows] == [
        ("finqa", "answered", 2),
        ("finqa", "not_run", 1),
        ("tatqa", "answered", 1),
    ]


def test_what_a_run_names_that_the_set_lacks_is_rejected(built):
    order, question, passage = built.rows(
        """
        select system_id, source_file, source_line, part, reason_code, remedy
        from retrieval.external_rejections where system_id = 'mine' order by part
        """
    )
    assert (question["system_id"], question["source_line"]) == ("mine", 5)
    assert (question["part"], question["reason_code"]) == ("record", "unknown_question")
    assert question["source_file"].endswith("finqa/runs/mine.run")
    assert question["remedy"].startswith("take ids from the files of the set")
    assert (passage["system_id"], passage["source_file"]) == ("mine", question["source_file"])
    assert (passage["part"], passage["reason_code"]) == ("source", "unknown_sentence")
    # The rank column puts the highest score last.
    assert (order["part"], order["reason_code"]) == ("order", "order_contradicts_scores")


def test_a_list_in_a_table_is_the_same_answer_as_in_a_line(built):
    assert score(built, "tatqa", "em", "official", "predictions_table")["mean"] == 1


def test_what_one_system_was_told_of_a_question_is_not_held_against_another(built):
    """The set says that nothing answers one question; a judge of one system says it is right."""
    judged = score(built, "multihop_rag", "contain_match", "official", "judged")
    words = score(built, "multihop_rag", "contain_match", "official", "words")
    assert (judged["n_evaluated"], judged["mean"], judged["mean_of_asked"]) == (2, 1, 1)
    assert (words["n_evaluated"], words["mean"], words["mean_of_asked"]) == (1, 1, 1)


def test_no_mean_is_more_than_one_and_every_value_has_its_status(built):
    rows = built.rows(
        """
        select * from metrics.metric_values
        where (value is not null) <> (value_status = 'evaluated')
        """
    )
    assert rows == []
    (row,) = built.rows(
        """
        select max(mean_of_asked) as highest, count(*) as n from metrics.metric_summaries
        where gold_set not in ('p1', 'p2', 'p3') and metric <> 'score_discrimination'
            and metric not in (
                select metric from seeds.metric_catalogue where value_unit = 'count'
            )
        """
    )
    assert row["highest"] == 1
    assert row["n"] > 100


def test_the_sample_fills_every_door_of_benchmarks(sample):
    named = sample.rows(
        """
        select table_schema || '.' || table_name as door from information_schema.tables
        where starts_with(table_name, 'stg_benchmarks__') or table_name in (
            'benchmark_sources', 'stg_predictions', 'item_answers', 'program_operands', 'set_audit',
            'answer_scores'
        )
        """
    )
    doors = sorted(row["door"] for row in named if not row["door"].startswith("seeds."))
    assert len(doors) == 9
    assert [door for door in doors if not sample.value(f"select count(*) from {door}")] == []


def test_what_is_ranked_for_questions_of_public_sets_is_found(sample):
    rows = sample.rows(
        """
        select distinct unit from metrics.metric_values
        where gold_set not in ('p1', 'p2', 'p3') and metric = 'evidence_recall' and k = 10
            and system_id = 'bm25_open' and value > 0
        order by unit
        """
    )
    assert [row["unit"] for row in rows] == ["page", "row", "table", "text", "turn"]


def test_ties_bound_the_value_that_they_leave_open(sample):
    rows = sample.rows(
        """
        select * from metrics.metric_values
        where value_worst > value + 1e-9 or value > value_best + 1e-9
            or value_expected not between value_worst - 1e-9 and value_best + 1e-9
        """
    )
    assert rows == []


def test_the_one_broken_record_of_the_sample_sets_breaks_no_gate(sample):
    broken = "select count(*) from sources.quarantine where record_kind = 'benchmark'"
    assert sample.value(broken) == 1
    assert sample.rows("select * from gates.gate_breaches") == []


def test_nested_queries_have_slices_by_quarter_and_type_of_document(sample):
    rows = sample.rows(
        """
        select slice_name, slice_value, count(distinct item_id) as n
        from metrics.item_slices
        where gold_set = 'nested_queries' and slice_name in ('quarter', 'doc_type')
        group by all order by all
        """
    )
    assert [tuple(row.values()) for row in rows] == [
        ("doc_type", "release", 6),
        ("doc_type", "transcript", 1),
        ("quarter", "Q4 2023", 6),
    ]


def test_rejections_of_the_sample_have_a_value_an_interval_and_a_null(sample):
    rows = sample.rows(
        """
        select system_id, n_asked, n_evaluated, mean, ci_low, ci_high
        from metrics.metric_summaries
        where metric = 'rejection_accuracy' and slice_name = 'overall' order by system_id
        """
    )
    systems = ["agent", "agent_first_look", "dense_open", "multi_path", "naive_rag", "random_open"]
    assert [row["system_id"] for row in rows] == systems
    assert all((row["n_asked"], row["n_evaluated"]) == (2, 2) for row in rows)
    assert all(row["ci_low"] < row["mean"] <= row["ci_high"] for row in rows)
    floors = sample.rows(
        """
        select n, n_null, null_mean, is_above_null from metrics.metric_floors
        where metric = 'rejection_accuracy' and slice_name = 'overall'
            and null_kind = 'random_order'
        """
    )
    # Two questions are too few for a floor: what the null declines is shown, and no more.
    assert {(row["n"], row["n_null"], row["is_above_null"]) for row in floors} == {(2, 2, None)}
    assert all(row["null_mean"] is not None for row in floors)


def test_who_declines_a_question_of_a_public_set_is_counted_as_such(sample):
    (row,) = sample.rows(
        """
        select count(*) filter (where n_abstained > 0) as n_declining,
            count(*) filter (
                where n_asked <> n_evaluated + n_uncovered + n_abstained + n_failed
                    + n_not_run + n_unscored
            ) as n_astray
        from metrics.metric_summaries
        where unit = 'answer' and gold_set not in ('p1', 'p2', 'p3')
        """
    )
    assert row["n_declining"] > 0
    assert row["n_astray"] == 0
    declined = sample.rows(
        """
        select distinct metric_values.metric, metric_values.value_status
        from metrics.metric_values
        inner join answers.answers using (system_id, item_id)
        where answers.outcome = 'abstained' and answers.gold_set <> 'p3'
            and metric_values.unit = 'answer' and metric_values.value_status = 'evaluated'
            -- Public evaluators score a refusal like any other words.
            and metric_values.mode <> 'official'
            -- What a session took is counted whatever came of it.
            and metric_values.metric not in (
                select metric from seeds.metric_catalogue where measured_by = 'steps'
            )
        """
    )
    assert [row["metric"] for row in declined] == ["rejection_accuracy"]


def test_a_table_that_a_nested_query_names_is_evidence_that_rankings_find(sample):
    rows = sample.rows(
        """
        select distinct evidence_id as passage_id from gold.judgments
        where gold_set = 'nested_queries' and mapping = 'mapped' order by all
        """
    )
    assert all(row["passage_id"].endswith("#table-0") for row in rows)
    ranked = "select count(*) from retrieval.rankings where passage_id in ({})"
    names = ", ".join(f"'{row['passage_id']}'" for row in rows)
    assert rows
    assert sample.value(ranked.format(names)) > 0
