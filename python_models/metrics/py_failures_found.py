"""Finds the cause of every answer that went wrong."""


def model(dbt, session):
    """Wire: answers with what became of their evidence in, causes out."""
    import finrag.metrics.causes

    kinds = dbt.ref("failure_kinds").order("failure").to_arrow_table()
    answers = dbt.ref("int_answers_diagnosed").order("system_id, item_id")
    return finrag.metrics.causes.find_causes(answers.to_arrow_reader(2_048), kinds)
