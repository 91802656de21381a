"""Compares systems by their paired differences: tests, intervals and a verdict."""


def model(dbt, session):
    """Wire: values and the pairs of systems in, one row a comparison out."""
    import finrag.metrics.comparisons
    import finrag.metrics.pairs
    import finrag.metrics.stored

    systems = dbt.ref("registered_systems").project("system_id, role, is_null, compare_with")
    items = dbt.ref("int_items_graded").project(
        "item_id, cluster_id, cik_ints, set_kind, answer_type, n_relevant"
    )
    returned = dbt.ref("returned_passages").project("system_id, gold_set, n_recognised")
    known = finrag.metrics.pairs.Known(
        slices=dbt.ref("item_slices").to_arrow_table(),
        metrics=dbt.ref("metric_catalogue").to_arrow_table(),
        pairs=dbt.ref("system_pairs").to_arrow_table(),
        systems=systems.to_arrow_table(),
        items=items.to_arrow_table(),
        excluded=dbt.ref("int_items_excluded").project("item_id").to_arrow_table(),
        returned=returned.to_arrow_table(),
    )
    values = dbt.ref("metric_values").project(
        "system_id, item_id, metric, k, unit, mode, value_status, scorer_id, value"
    )
    meta = dbt.config.get("meta")
    stored = finrag.metrics.stored.differences(meta)
    return finrag.metrics.comparisons.compare(known, values.to_arrow_reader(65_536), meta, stored)
