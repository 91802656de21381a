"""Scores the answers that systems gave to benchmarks, officially and strictly."""


def model(dbt, session):
    """Wire: gold, answers, tables of contexts and turns of calls in, one row a metric out."""
    import finrag.metrics.stored
    import finrag.scoring.by_set

    questions = dbt.ref("int_questions_answered").order("benchmark, question_id")
    answers = dbt.ref("int_answers_read").order("benchmark, system_id, question_id")
    columns = (
        "benchmark, passage_id, document_id, space, position, text, parent_id, "
        'table_pos as "table", row_pos as "row", column_pos as "column"'
    )
    passages = dbt.ref("int_program_tables").project(columns).order("benchmark, passage_id")
    turns = dbt.ref("passages").filter("unit = 'turn'")
    turns = turns.project("corpus_id as benchmark, document_id, speaker")
    turns = turns.order("benchmark, document_id, speaker")
    return finrag.scoring.by_set.score_public_answers(
        *(questions.to_arrow_table(), answers.to_arrow_table()),
        *(passages.to_arrow_table(), turns.to_arrow_table()),
        finrag.metrics.stored.public_scores(dbt.config.get("meta")),
    )
