"""Finds lists whose stated count agrees with their items."""


def model(dbt, session):
    """Wire: texts with a cue in, lists out."""
    import finrag.atlases.enumerations

    texts = dbt.ref("py_texts_labelled").filter("atlas = 'enumeration'")
    texts = texts.project("text_hash, sentence_text").distinct().order("text_hash")
    return finrag.atlases.enumerations.find_enumerations(texts.to_arrow_table())
