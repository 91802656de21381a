"""Runs every registered system over every anchor."""


def model(dbt, session):
    """Wire: systems, indexes, anchors, sentences, texts and vectors in, ranked rows out."""
    import finrag.retrieval

    meta = dbt.config.get("meta")
    systems = dbt.ref("registered_systems").order("system_id").to_arrow_table()
    indexes = dbt.ref("vector_indexes").order("system_id").to_arrow_table()
    anchors = dbt.ref("anchors").order("item_id").to_arrow_table()
    places = dbt.ref("sentences").project("sentence_id, section_id, text_hash")
    places = places.order("sentence_id").to_arrow_table()
    texts = dbt.ref("int_texts_distinct").project("text_hash, sentence_text")
    texts = texts.order("text_hash").to_arrow_table()
    # Unordered: rows are placed by their text, and sorting gigabytes of vectors is slow.
    vectors = dbt.ref("embeddings").to_arrow_reader(65_536)
    return finrag.retrieval.rank_anchors(systems, indexes, anchors, places, texts, vectors, meta)
