"""Embeds questions, their topics and, where a system asks for them, chunks and context lines."""


def model(dbt, session):
    """Wire: systems, questions with their readings, chunks and sections in, unit vectors out."""
    import finrag.retrieval

    meta = dbt.config.get("meta")
    systems = dbt.ref("registered_systems").order("system_id").to_arrow_table()
    questions = dbt.ref("int_queries_prepared").filter(
        "item_kind = 'question' and corpus_id = 'filings'"
    )
    questions = questions.order("item_id").to_arrow_table()
    chunks = dbt.ref("chunks").project("chunk_id, chunk_text").order("chunk_id").to_arrow_table()
    contexts = dbt.ref("sections").project("section_id, context_text").order("section_id")
    return finrag.retrieval.embed_search_texts(
        systems, questions, chunks, meta, contexts.to_arrow_table()
    )
