"""Reads the files of public benchmarks, good and broken records, one row a record."""


def model(dbt, session):
    """Wire: configured folders in, records out."""
    import finrag.benchmarks

    meta = dbt.config.get("meta")
    return finrag.benchmarks.open_benchmarks(meta["benchmarks_paths"])
