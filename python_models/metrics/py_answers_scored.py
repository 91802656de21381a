"""Scores every answer: values, verdicts, claims and causes."""


def model(dbt, session):
    """Wire: answers with their gold and all that is known of them in, one row an answer out."""
    import finrag.metrics.score
    import finrag.metrics.stored

    place = "passage_id, document_id, document, page"
    answers = dbt.ref("int_answer_pairs").order("system_id, gold_set, item_id")
    evidence = dbt.ref("int_references_named").order(f"item_id, evidence_id, {place}")
    cited = dbt.ref("int_references_cited").order(f"system_id, item_id, {place}")
    known = finrag.metrics.score.Known(
        answers=answers.to_arrow_table(),
        questions=dbt.ref("int_questions_answered").to_arrow_table(),
        metrics=dbt.ref("metric_catalogue").order("metric, k, unit, mode").to_arrow_table(),
        deciding=dbt.ref("deciding_metrics").to_arrow_table(),
        kinds=dbt.ref("failure_kinds").to_arrow_table(),
        systems=dbt.ref("registered_systems").project("system_id, answerer").to_arrow_table(),
        evidence=evidence.to_arrow_table(),
        cited=cited.to_arrow_table(),
        judged=dbt.ref("int_sentences_judged").to_arrow_table(),
        companies=dbt.ref("companies").order("cik_int").to_arrow_table(),
        texts=dbt.ref("py_text_pairs_scored").to_arrow_table(),
        evaluated=dbt.ref("py_public_answers_scored").to_arrow_table(),
        unmeasurable=dbt.ref("py_public_gold_checked").to_arrow_table(),
        marks=dbt.ref("int_answers_marked").to_arrow_table(),
        followed=dbt.ref("int_evidence_followed").to_arrow_table(),
    )
    traced = dbt.ref("int_answers_to_trace").order("system_id, gold_set, item_id")
    meta = dbt.config.get("meta")
    return finrag.metrics.stored.score_each(known, traced.to_arrow_reader(500), meta)
