"""Reads a ready sentence table, good and broken rows, one row a record."""


def model(dbt, session):
    """Wire: configured corpus in, sentence rows out."""
    import finrag.sources.corpus

    meta = dbt.config.get("meta")
    return finrag.sources.corpus.open_sentence_rows(meta["corpus"], meta["corpus_path"])
