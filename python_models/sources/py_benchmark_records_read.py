"""Reads the files of public benchmarks, good and broken records, one row a record."""


def model(dbt, session):
    """Wire: configured folders in, records out."""
    import finrag.sources.corpus

    meta = dbt.config.get("meta")
    return finrag.sources.corpus.open_benchmark_records(
        meta["corpus"], meta["benchmarks_paths"], meta["state_dir"]
    )
