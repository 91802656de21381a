"""Finds sentences that say which period a label means."""


def model(dbt, session):
    """Wire: texts with a cue in, periods out."""
    import finrag.atlases.periods

    texts = dbt.ref("py_texts_labelled").filter("atlas = 'period'")
    texts = texts.project("text_hash, sentence_text").distinct().order("text_hash")
    return finrag.atlases.periods.find_periods(texts.to_arrow_table())
