"""Reads the versions of what this build runs on."""


def model(dbt, session):
    """Wire: one row out, read anew whenever there is another run."""
    import finrag.publishing.environment

    dbt.ref("runs")
    return finrag.publishing.environment.read_environment()
