"""Reads the files of public benchmarks, good and broken records, one row a record."""


def model(dbt, session):
    """Wire: configured folders in, records out."""
    import finrag.sources.benchmarks

    meta = dbt.config.get("meta")
    return finrag.sources.benchmarks.open_benchmarks(meta["benchmarks_paths"])
