"""Asks a language model for a second opinion of answers, where one is configured."""


def model(dbt, session):
    """Wire: answers with gold and cited sentences in, opinions out; replies go to the store."""
    import finrag.scoring.judge

    meta = dbt.config.get("meta")
    answers = dbt.ref("int_answers_to_judge").order("system_id, gold_set, item_id")
    return finrag.scoring.judge.judge_answers(
        answers.to_arrow_reader(500), meta["judge"], meta["state_dir"]
    )
