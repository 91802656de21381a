"""Scores the wording of answers against gold, by rules and by models."""


def model(dbt, session):
    """Wire: distinct pairs of texts in, one row a pair and metric out."""
    import finrag.scoring.text_pairs

    meta = dbt.config.get("meta")
    pairs = dbt.ref("int_text_pairs").order("pair_id").to_arrow_table()
    return finrag.scoring.text_pairs.score_text_pairs(pairs, meta)
