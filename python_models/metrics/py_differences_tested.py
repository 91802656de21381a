"""Compares systems by their paired differences: tests, intervals and a verdict."""


def model(dbt, session):
    """Wire: companies of clusters and lists of differences in, figures and verdicts out."""
    import finrag.statistics.comparisons

    meta = dbt.config.get("meta")
    clusters = dbt.ref("int_clusters_numbered").order("cluster_number").to_arrow_table()
    listed = dbt.ref("int_differences_listed")
    ordered = listed.order(
        "gold_set, slice_name, slice_value, asked_for, pair_id, metric, k, unit, mode"
    )
    return finrag.statistics.comparisons.compare_lists(
        clusters, ordered.to_arrow_reader(1_024), meta
    )
