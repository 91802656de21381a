"""Reads the raw filing records, good and broken, one row a record."""


def model(dbt, session):
    """Wire: configured corpus in, records out."""
    import finrag.sources.corpus

    meta = dbt.config.get("meta")
    return finrag.sources.corpus.open_filings(
        meta["corpus"],
        meta["corpus_path"],
        meta["state_dir"],
        meta["filings_path"],
        finrag.sources.corpus.Limits(
            meta["raw_max_megabytes"], meta["raw_max_ratio"], meta["raw_max_cells"]
        ),
        finrag.sources.corpus.Wanted(
            meta["edgar_tickers"], meta["edgar_years"], meta["edgar_forms"]
        ),
    )
