"""Reads earlier artefacts of revenue lines, one row a record."""


def model(dbt, session):
    """Wire: configured path in, artefacts out."""
    import finrag.sources.line_baselines

    meta = dbt.config.get("meta")
    return finrag.sources.line_baselines.open_line_baselines(meta["lines_baseline_path"])
