"""Runs every registered system that searches exactly over the items of public benchmarks."""


def model(dbt, session):
    """Wire: systems, items and rankable passages in, ranked rows out."""
    import finrag.benchmarks.ranking

    meta = dbt.config.get("meta")
    systems = dbt.ref("registered_systems").order("system_id").to_arrow_table()
    items = dbt.ref("items").filter("item_kind = 'question' and gold_set <> 'p3'")
    items = items.project("gold_set as benchmark, item_id, question_text, document_id")
    items = items.order("item_id").to_arrow_table()
    passages = dbt.ref("passages").filter("is_rankable and corpus_id <> 'filings'")
    passages = passages.project(
        "corpus_id as benchmark, passage_id, document_id, unit as space, passage_text"
    )
    passages = passages.order("benchmark, passage_id").to_arrow_table()
    return finrag.benchmarks.ranking.rank_benchmarks(systems, items, passages, meta)
