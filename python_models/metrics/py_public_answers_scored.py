"""Scores the answers that systems gave to benchmarks, officially and strictly."""


def model(dbt, session):
    """Wire: gold, answers and the tables of the contexts in, one row a metric out."""
    import finrag.scoring.by_set

    questions = dbt.ref("int_public_questions_answered")
    questions = questions.filter("answer_type is distinct from 'speaker'")
    questions = questions.order("benchmark, question_id").to_arrow_table()
    answers = dbt.ref("int_public_answers_read").filter("not asks_speaker")
    answers = answers.order("benchmark, system_id, question_id")
    columns = (
        "benchmark, passage_id, document_id, space, position, text, parent_id, "
        'table_pos as "table", row_pos as "row", column_pos as "column"'
    )
    passages = dbt.ref("int_program_tables").project(columns)
    ordered = passages.order("benchmark, passage_id").to_arrow_table()
    return finrag.scoring.by_set.score_benchmark_answers(
        questions, answers.to_arrow_table(), ordered
    )
