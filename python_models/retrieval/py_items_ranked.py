"""Runs every registered system over every item: anchors, questions, those of public sets."""


def model(dbt, session):
    """Wire: systems, indexes, items, corpora and vectors in, ranked rows out."""
    import finrag.retrieval

    systems = dbt.ref("registered_systems").order("system_id").to_arrow_table()
    indexes = dbt.ref("vector_indexes").order("system_id").to_arrow_table()
    items = dbt.ref("int_queries_prepared").order("item_id").to_arrow_table()
    names = "sentence_id, section_id, cik_int, report_year, form, section_name, sentence_pos, "
    names += "text_hash, is_toc, is_heading, is_navigational"
    places = dbt.ref("sentences").project(names).order("sentence_id").to_arrow_table()
    texts = dbt.ref("int_texts_distinct").project("text_hash, sentence_text")
    texts = texts.order("text_hash").to_arrow_table()
    names = "chunk_id, section_id, first_sentence_pos, n_sentences, chunk_hash"
    chunks = dbt.ref("chunks").project(names).order("chunk_id").to_arrow_table()
    contexts = dbt.ref("sections").project("section_id, context_text").order("section_id")
    contexts = contexts.to_arrow_table()
    queries = dbt.ref("py_queries_embedded").order("encoder, content_hash").to_arrow_table()
    owned = dbt.ref("filings").project("filing_id as document_id, cik_int, report_year")
    passages = dbt.ref("passages").filter("is_rankable and unit <> 'sentence'")
    passages = passages.join(owned, "document_id", how="left")
    names = "corpus_id, passage_id, document_id, unit, position, passage_text, cik_int, report_year"
    passages = passages.project(names).order("passage_id").to_arrow_table()
    # Unordered: rows are placed by their text, and sorting gigabytes of vectors is slow.
    vectors = dbt.ref("embeddings").to_arrow_reader(65_536)
    tables = (systems, indexes, items, places, texts, chunks, queries, passages)
    return finrag.retrieval.rank_items(*tables, vectors, dbt.config.get("meta"), contexts)
