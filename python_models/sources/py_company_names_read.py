"""Reads the optional file of company names, one row a company."""


def model(dbt, session):
    """Wire: configured file in, names out."""
    import finrag.sources.corpus

    meta = dbt.config.get("meta")
    return finrag.sources.corpus.open_company_names(meta["companies_path"])
