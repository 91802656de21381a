"""Judges the figures of answers: right, or what is wrong with them."""


def model(dbt, session):
    """Wire: answers beside their gold in, verdicts out."""
    import finrag.scoring.figures

    meta = dbt.config.get("meta")
    columns = (
        "system_id, gold_set, item_id, outcome, answer_text, numeric_value, unit, question_text, "
        "gold_text, gold_numeric, gold_unit, tolerance, other_period_values, golds, "
        "executed_answer, scale"
    )
    answers = dbt.ref("int_answer_pairs").filter("asks_for_figure").project(columns)
    ordered = answers.order("system_id, gold_set, item_id")
    return finrag.scoring.figures.judge_numbers(ordered.to_arrow_reader(2_048), meta)
