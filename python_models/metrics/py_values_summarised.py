"""Summarises values by slice: counts, means or shares, intervals, and floors."""


def model(dbt, session):
    """Wire: values and what nulls score in, one row a summary out."""
    import finrag.metrics.stored
    import finrag.metrics.summaries

    systems = dbt.ref("registered_systems").project("system_id, regime, is_null, answerer")
    nulls = dbt.ref("int_answer_values").filter("null_kind is not null")
    known = finrag.metrics.summaries.Known(
        slices=dbt.ref("item_slices").to_arrow_table(),
        metrics=dbt.ref("metric_catalogue").to_arrow_table(),
        systems=systems.to_arrow_table(),
        null_values=nulls.to_arrow_table(),
        integrity=dbt.ref("int_integrity_measured")
        .order("metric, system_id, gold_set")
        .to_arrow_table(),
    )
    values = dbt.ref("metric_values").project(
        "system_id, item_id, metric, k, unit, mode, value_status, scorer_id, "
        "value, value_best, value_worst, value_expected"
    )
    meta = dbt.config.get("meta")
    stored = finrag.metrics.stored.bounds(meta)
    return finrag.metrics.summaries.summarise(known, values.to_arrow_reader(65_536), meta, stored)
