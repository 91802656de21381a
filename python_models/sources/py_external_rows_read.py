"""Reads the predictions that other systems left in files, one row a record."""


def model(dbt, session):
    """Wire: registered systems in, the records of their files out."""
    import finrag.sources.predictions

    systems = dbt.ref("registered_systems").order("system_id").to_arrow_table()
    return finrag.sources.predictions.read_predictions(systems)
