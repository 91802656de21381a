"""Runs every registered system that searches exactly over the items of public benchmarks."""


def model(dbt, session):
    """Wire: systems, items and rankable passages in, ranked rows out."""
    import finrag.benchmarks.ranking

    meta = dbt.config.get("meta")
    systems = dbt.ref("registered_systems").order("system_id").to_arrow_table()
    items = dbt.ref("benchmark_items").project("benchmark, item_id, question_text, document_id")
    items = items.order("item_id").to_arrow_table()
    passages = dbt.ref("benchmark_passages").filter("is_rankable")
    passages = passages.project("benchmark, passage_id, document_id, space, passage_text")
    passages = passages.order("benchmark, passage_id").to_arrow_table()
    return finrag.benchmarks.ranking.rank_benchmarks(systems, items, passages, meta)
