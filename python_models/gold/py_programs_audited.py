"""Executes the gold programs of benchmarks against the answers that the sets give."""


def model(dbt, session):
    """Wire: questions with programs and the passages of their contexts in, verdicts out."""
    import finrag.scoring.programs

    stated = dbt.ref("int_programs_stated")
    programs = stated.order("benchmark, question_id").to_arrow_table()
    columns = (
        "corpus_id as benchmark, passage_id, document_id, unit as space, position, "
        "passage_text as text, parent_id, "
        'table_pos as "table", row_pos as "row", column_pos as "column"'
    )
    passages = dbt.ref("passages").join(stated, "document_id", how="semi").project(columns)
    ordered = passages.order("benchmark, passage_id").to_arrow_table()
    return finrag.scoring.programs.audit_programs(programs, ordered)
