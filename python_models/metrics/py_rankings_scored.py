"""Measures what systems ranked: evidence found, how early, and whether ties decided it."""


def model(dbt, session):
    """Wire: what was asked, evidence and rankings in, values by list out."""
    import finrag.metrics.ranking

    catalogue = dbt.ref("metric_catalogue").order("metric, k, unit, mode")
    systems = dbt.ref("registered_systems").project("system_id, system_kind").order("system_id")
    outcomes = dbt.ref("retrieval_outcomes").project("system_id, item_id, unit, outcome")
    items = dbt.ref("int_items_graded").project(
        "item_id, gold_set, set_kind, sentence_id, text_hash"
    )
    judgments = dbt.ref("judgments").project(
        "item_id, unit, evidence_kind, evidence_id, passage_id, grade, mapping"
    )
    # The function sorts the rankings itself.
    rankings = dbt.ref("rankings").project(
        "system_id, item_id, unit, rank, passage_id, score, n_tied"
    )
    return finrag.metrics.ranking.score_rankings(
        catalogue.to_arrow_table(),
        systems.to_arrow_table(),
        outcomes.order("system_id, item_id, unit").to_arrow_table(),
        items.order("item_id").to_arrow_table(),
        judgments.order("item_id, unit, evidence_id, passage_id").to_arrow_table(),
        dbt.ref("int_qrels_named").order("item_id, unit, passage_id").to_arrow_table(),
        dbt.ref("int_passages_located").order("passage_id").to_arrow_table(),
        rankings.to_arrow_reader(65_536),
    )
