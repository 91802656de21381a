"""Embeds every distinct text once per encoder in use, from the cache where it can."""


def model(dbt, session):
    """Wire: systems and distinct texts in, unit vectors out."""
    import finrag.retrieval

    meta = dbt.config.get("meta")
    systems = dbt.ref("registered_systems").order("system_id").to_arrow_table()
    texts = dbt.ref("int_texts_distinct").project("content_hash, sentence_text")
    ordered = texts.order("content_hash")
    return finrag.retrieval.embed_corpus(systems, ordered.to_arrow_reader(65_536), meta)
