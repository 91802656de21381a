"""Reads the predictions that other systems left in files, one row a record."""


def model(dbt, session):
    """Wire: registered systems in, the records of their files out."""
    import finrag.sources.predictions

    # What lies in the folders of public sets is read with them.
    systems = dbt.ref("registered_systems").filter("gold_sets is null").order("system_id")
    return finrag.sources.predictions.read_predictions(systems.to_arrow_table())
