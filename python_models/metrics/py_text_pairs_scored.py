"""Scores the wording of answers against gold, by rules and by models."""


def model(dbt, session):
    """Wire: distinct pairs of texts in, one row a pair and metric out."""
    import finrag.scoring.text_pairs

    meta = dbt.config.get("meta")
    # The same words for the same gold are scored once.
    pairs = dbt.ref("int_answer_pairs").filter("pair_id is not null")
    pairs = pairs.project("pair_id, answer_text, gold_text, answer_type").distinct()
    pairs = pairs.order("pair_id").to_arrow_table()
    return finrag.scoring.text_pairs.score_text_pairs(pairs, meta)
