"""Lets every answering system answer every question from its context."""


def model(dbt, session):
    """Wire: systems, what was read from the questions and contexts in, outcomes out."""
    import finrag.answers.answering

    meta = dbt.config.get("meta")
    systems = dbt.ref("registered_systems").order("system_id").to_arrow_table()
    readings = dbt.ref("parsed_questions").order("item_id").to_arrow_table()
    # Who said a quotation of a call is answered from its turns.
    attributed = dbt.ref("py_speakers_attributed").project(
        "system_id, benchmark as gold_set, benchmark || ':' || question_id as item_id"
    )
    expected = dbt.ref("int_answers_expected").filter("retrieval_outcome = 'ranked'")
    # Agents that answered themselves, or were not to answer, have their answers.
    ended = dbt.ref("int_agent_answers_read").project("system_id, gold_set, item_id")
    expected = expected.project("system_id, gold_set, item_id").except_(attributed).except_(ended)
    expected = expected.order("system_id, gold_set, item_id").to_arrow_table()
    passages = dbt.ref("int_contexts_worded").order("system_id, item_id, context_pos")
    passages = passages.to_arrow_table()
    return finrag.answers.answering.answer_questions(systems, readings, expected, passages, meta)
