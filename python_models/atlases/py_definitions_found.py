"""Finds the definitions in texts with a definition cue."""


def model(dbt, session):
    """Wire: texts with a cue in, definitions out."""
    import finrag.atlases.definitions

    texts = dbt.ref("int_cue_texts").filter("atlas = 'definition'").project("text_hash, sentence_text")
    return finrag.atlases.definitions.find_definitions(texts.order("text_hash").to_arrow_table())
