"""Names the models that the scores of this build are made with."""


def model(dbt, session):
    """Wire: settings in, one row a metric out; read anew with the pairs that are scored."""
    import finrag.scoring.text_pairs

    dbt.ref("int_answer_pairs")
    return finrag.scoring.text_pairs.describe_scorers(dbt.config.get("meta"))
