"""Tells of every benchmark whether its files are there, and where they belong if not."""


def model(dbt, session):
    """Wire: configured folders in, one row a kind of file out."""
    import finrag.sources.corpus

    meta = dbt.config.get("meta")
    return finrag.sources.corpus.tell_benchmarks(
        meta["corpus"], meta["benchmarks_paths"], meta["state_dir"]
    )
