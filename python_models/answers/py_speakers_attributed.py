"""Answers who said a quotation of a call, from the turns that systems retrieved."""


def model(dbt, session):
    """Wire: questions, ranked turns and the calls in, answers out."""
    import finrag.scoring.earnings_calls

    items = dbt.ref("items").filter("item_kind = 'question' and corpus_id <> 'filings'")
    items = items.project("*, gold_set as benchmark").order("item_id").to_arrow_table()
    ranked = dbt.ref("rankings").filter("unit = 'turn'")
    ranked = ranked.order("system_id, item_id, rank").to_arrow_table()
    turns = dbt.ref("passages").filter("unit = 'turn'").project("*, corpus_id as benchmark")
    turns = turns.order("benchmark, document_id, position, passage_id").to_arrow_table()
    return finrag.scoring.earnings_calls.answer_attributions(items, ranked, turns)
