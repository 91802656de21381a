"""Scores answers to who said a quotation of a call."""


def model(dbt, session):
    """Wire: attribution questions, answers and the speakers of the calls in, verdicts out."""
    import finrag.scoring.earnings_calls

    questions = dbt.ref("int_public_questions_answered")
    questions = questions.filter("answer_type = 'speaker'")
    questions = questions.order("benchmark, question_id").to_arrow_table()
    answers = dbt.ref("int_public_answers_read").filter("asks_speaker")
    answers = answers.order("benchmark, system_id, question_id")
    turns = dbt.ref("passages").filter("unit = 'turn'")
    turns = turns.project("corpus_id as benchmark, document_id, speaker")
    turns = turns.order("benchmark, document_id, speaker")
    return finrag.scoring.earnings_calls.score_calls(
        questions, answers.to_arrow_table(), turns.to_arrow_table()
    )
