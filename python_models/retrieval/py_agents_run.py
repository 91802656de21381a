"""Runs every agent over every question that it is asked: its steps, and what it saw."""


def model(dbt, session):
    """Wire: systems, questions, corpora, chunks and vectors in, ranked rows with steps out."""
    import finrag.agents

    systems = dbt.ref("registered_systems").filter("system_kind = 'agent'")
    systems = systems.order("system_id").to_arrow_table()
    items = dbt.ref("int_queries_prepared").order("item_id").to_arrow_table()
    names = "sentence_id, section_id, cik_int, report_year, form, section_name, sentence_pos, "
    names += "text_hash, is_toc, is_heading, is_navigational"
    places = dbt.ref("sentences").project(names).order("sentence_id").to_arrow_table()
    texts = dbt.ref("int_texts_distinct").project("text_hash, sentence_text")
    texts = texts.order("text_hash").to_arrow_table()
    chunks = dbt.ref("chunks").order("chunk_id").to_arrow_table()
    contexts = dbt.ref("sections").project("section_id, context_text").order("section_id")
    contexts = contexts.to_arrow_table()
    queries = dbt.ref("py_queries_embedded").order("encoder, content_hash").to_arrow_table()
    documents = dbt.ref("documents").order("document_id").to_arrow_table()
    readings = dbt.ref("parsed_questions").order("item_id").to_arrow_table()
    passages = dbt.ref("passages").filter("is_rankable and unit <> 'sentence'")
    passages = passages.order("passage_id").to_arrow_table()
    vectors = dbt.ref("embeddings").to_arrow_reader(65_536)
    tables = (systems, items, places, texts, chunks, queries, passages, vectors)
    return finrag.agents.run_agents(*tables, dbt.config.get("meta"), contexts, documents, readings)
