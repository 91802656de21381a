"""Lets every agent look for every question's answer with its tools."""


def model(dbt, session):
    """Wire: systems, questions with their readings and corpora in, steps and ranked rows out."""
    import finrag.agents

    systems = dbt.ref("registered_systems").order("system_id").to_arrow_table()
    items = dbt.ref("int_queries_prepared").order("item_id").to_arrow_table()
    names = "sentence_id, section_id, cik_int, report_year, form, section_name, sentence_pos, "
    names += "text_hash, is_toc, is_heading, is_navigational"
    places = dbt.ref("sentences").project(names).order("sentence_id").to_arrow_table()
    texts = dbt.ref("int_texts_distinct").project("text_hash, sentence_text")
    texts = texts.order("text_hash").to_arrow_table()
    names = "chunk_id, section_id, first_sentence_pos, n_sentences, chunk_hash"
    chunks = dbt.ref("chunks").project(names).order("chunk_id").to_arrow_table()
    queries = dbt.ref("py_queries_embedded").order("encoder, content_hash").to_arrow_table()
    owned = dbt.ref("filings").project("filing_id as document_id, cik_int, report_year")
    passages = dbt.ref("passages").filter("is_rankable and unit <> 'sentence'")
    passages = passages.join(owned, "document_id", how="left")
    names = "corpus_id, passage_id, document_id, unit, parent_id, position, passage_text, cik_int, "
    passages = passages.project(names + "report_year").order("passage_id").to_arrow_table()
    documents = dbt.ref("documents").order("document_id").to_arrow_table()
    companies = dbt.ref("companies").order("cik_int").to_arrow_table()
    readings = dbt.ref("parsed_questions").order("item_id").to_arrow_table()
    prices = dbt.ref("llm_prices").order("model").to_arrow_table()
    vectors = dbt.ref("embeddings").to_arrow_reader(65_536)
    tables = (systems, items, places, texts, chunks, queries, passages, vectors)
    meta = dbt.config.get("meta")
    return finrag.agents.run_agents(*tables, meta, documents, companies, readings, prices)
