"""Runs every registered system that is asked questions over every question."""


def model(dbt, session):
    """Wire: systems, indexes, questions, corpus, chunks and vectors in, ranked rows out."""
    import finrag.retrieval

    meta = dbt.config.get("meta")
    systems = dbt.ref("registered_systems").order("system_id").to_arrow_table()
    indexes = dbt.ref("vector_indexes").order("system_id").to_arrow_table()
    questions = dbt.ref("int_queries_prepared").order("item_id").to_arrow_table()
    places = dbt.ref("sentences").project(
        "sentence_id, section_id, cik_int, report_year, section_name, sentence_pos, "
        "text_hash, is_toc, is_heading, is_navigational"
    )
    places = places.order("sentence_id").to_arrow_table()
    texts = dbt.ref("int_texts_distinct").project("text_hash, sentence_text")
    texts = texts.order("text_hash").to_arrow_table()
    chunks = dbt.ref("chunks").project(
        "chunk_id, section_id, first_sentence_pos, n_sentences, chunk_hash"
    )
    chunks = chunks.order("chunk_id").to_arrow_table()
    queries = dbt.ref("py_queries_embedded").order("encoder, content_hash").to_arrow_table()
    # Unordered: rows are placed by their text, and sorting gigabytes of vectors is slow.
    vectors = dbt.ref("embeddings").to_arrow_reader(65_536)
    return finrag.retrieval.rank_questions(
        systems, indexes, questions, places, texts, chunks, queries, vectors, meta
    )
