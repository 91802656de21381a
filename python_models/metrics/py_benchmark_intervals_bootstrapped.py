"""Bootstraps 95 % intervals of benchmark scores, resampling whole documents."""


def model(dbt, session):
    """Wire: sums per slice, series and document in, intervals out."""
    import finrag.statistics.intervals

    meta = dbt.config.get("meta")
    cells = dbt.ref("int_benchmark_series_clustered")
    ordered = cells.order("gold_set, slice_name, slice_value, series_id, cluster_id")
    return finrag.statistics.intervals.bootstrap_slices(ordered.to_arrow_reader(65_536), meta)
