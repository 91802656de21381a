"""Traces what answers claim to the sentences that they cite."""


def model(dbt, session):
    """Wire: answers with their cited sentences in, claims out."""
    import finrag.scoring.claims

    answers = dbt.ref("int_answers_to_trace").order("system_id, gold_set, item_id")
    return finrag.scoring.claims.trace_answers(answers.to_arrow_reader(500))
