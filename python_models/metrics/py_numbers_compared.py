"""Judges the figures of answers: right, or what is wrong with them."""


def model(dbt, session):
    """Wire: answers beside their gold in, verdicts out."""
    import finrag.scoring.figures

    meta = dbt.config.get("meta")
    answers = dbt.ref("int_numbers_to_judge").order("system_id, gold_set, item_id")
    return finrag.scoring.figures.judge_numbers(answers.to_arrow_reader(2_048), meta)
