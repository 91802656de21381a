"""Builds or reuses what every dense system searches in and measures its recall."""


def model(dbt, session):
    """Wire: systems and vectors in, one row a system out; index files go to the cache."""
    import finrag.retrieval

    meta = dbt.config.get("meta")
    systems = dbt.ref("registered_systems").order("system_id").to_arrow_table()
    texts = dbt.ref("int_texts_distinct").project("text_hash, content_hash")
    texts = texts.order("text_hash").to_arrow_table()
    # Unordered: rows are placed by their text, and sorting gigabytes of vectors is slow.
    vectors = dbt.ref("embeddings").to_arrow_reader(65_536)
    return finrag.retrieval.build_indexes(systems, texts, vectors, meta)
