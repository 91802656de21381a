"""Finds the definitions in texts with a definition cue."""


def model(dbt, session):
    """Wire: texts with a cue in, definitions out."""
    import finrag.atlases.definitions

    texts = dbt.ref("py_texts_labelled").filter("atlas = 'definition'")
    texts = texts.project("text_hash, sentence_text").distinct().order("text_hash")
    return finrag.atlases.definitions.find_definitions(texts.to_arrow_table())
