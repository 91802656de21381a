"""Finds what texts attribute to currency, supply chain, pandemic or regulation."""


def model(dbt, session):
    """Wire: topics and texts with a cue in, causes out."""
    import finrag.atlases.causes

    topics = dbt.ref("cue_patterns").filter("atlas = 'verification'")
    topics = topics.project("label as topic, pattern").order("topic, pattern").to_arrow_table()
    texts = dbt.ref("py_texts_labelled").filter("atlas = 'verification'")
    texts = texts.project("text_hash, sentence_text").distinct().order("text_hash").to_arrow_table()
    return finrag.atlases.causes.find_causes(texts, topics)
