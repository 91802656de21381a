"""Tests paired differences by flipping their signs at random."""


def model(dbt, session):
    """Wire: lists of differences in, p-values out."""
    import finrag.statistics

    meta = dbt.config.get("meta")
    listed = dbt.ref("int_differences_listed")
    ordered = listed.order("gold_set, slice_name, slice_value, pair_id, metric, k")
    return finrag.statistics.randomise_differences(ordered.to_arrow_reader(1_024), meta)
