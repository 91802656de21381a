"""Lists what cannot be measured on questions of benchmarks, because of their gold."""


def model(dbt, session):
    """Wire: gold in, metrics that it leaves unmeasurable out."""
    import finrag.scoring.by_set

    questions = dbt.ref("int_questions_answered")
    questions = questions.filter("answer_type is distinct from 'speaker'")
    questions = questions.order("benchmark, question_id").to_arrow_table()
    return finrag.scoring.by_set.check_benchmark_gold(questions)
