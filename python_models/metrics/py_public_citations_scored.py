"""Scores the places that answers to questions of benchmarks cite."""


def model(dbt, session):
    """Wire: answers, what they cite and what the sets name as evidence in, verdicts out."""
    import finrag.scoring.citations

    answers = dbt.ref("int_public_answers_read")
    answers = answers.project("benchmark, system_id, question_id, is_citing")
    answers = answers.order("benchmark, system_id, question_id")
    key = "question_id, passage_id, document_id, document, page"
    cited = dbt.ref("int_references_cited").order(f"benchmark, system_id, {key}")
    gold = dbt.ref("int_references_named").order(f"benchmark, {key}")
    return finrag.scoring.citations.score_citations(
        answers.to_arrow_table(), cited.to_arrow_table(), gold.to_arrow_table()
    )
