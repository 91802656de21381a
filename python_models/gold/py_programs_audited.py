"""Executes the gold programs of benchmarks against the answers that the sets give."""


def model(dbt, session):
    """Wire: questions with programs and the passages of their contexts in, verdicts out."""
    import finrag.scoring.programs

    programs = dbt.ref("int_programs_stated").order("benchmark, question_id").to_arrow_table()
    columns = (
        "benchmark, passage_id, document_id, space, position, text, parent_id, "
        'table_pos as "table", row_pos as "row", column_pos as "column"'
    )
    passages = dbt.ref("int_program_passages").project(columns)
    ordered = passages.order("benchmark, passage_id").to_arrow_table()
    return finrag.scoring.programs.audit_programs(programs, ordered)
