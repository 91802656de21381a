"""Bootstraps 95 % intervals, resampling whole filings."""


def model(dbt, session):
    """Wire: sums per slice, series and filing in, intervals out."""
    import finrag.statistics.intervals

    meta = dbt.config.get("meta")
    cells = dbt.ref("int_series_clustered").filter("is_resampled")
    ordered = cells.order("gold_set, slice_name, slice_value, series_id, cluster_id")
    return finrag.statistics.intervals.bootstrap_slices(ordered.to_arrow_reader(65_536), meta)
