"""Finds sentences that say which period a label means."""


def model(dbt, session):
    """Wire: texts with a cue in, periods out."""
    import finrag.atlases.periods

    texts = dbt.ref("int_cue_texts").filter("atlas = 'period'").project("text_hash, sentence_text")
    return finrag.atlases.periods.find_periods(texts.order("text_hash").to_arrow_table())
