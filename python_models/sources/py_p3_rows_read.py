"""Reads the questions of P3 suites, good and broken, one row a record."""


def model(dbt, session):
    """Wire: configured suites in, questions out."""
    import finrag.sources.suites

    meta = dbt.config.get("meta")
    return finrag.sources.suites.open_suites(meta["corpus"], meta["p3_suite_paths"])
