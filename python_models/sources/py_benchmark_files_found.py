"""Tells of every benchmark whether its files are there, and where they belong if not."""


def model(dbt, session):
    """Wire: configured folders in, one row a kind of file out."""
    import finrag.sources.benchmarks

    meta = dbt.config.get("meta")
    return finrag.sources.benchmarks.benchmark_status(meta["benchmarks_paths"])
