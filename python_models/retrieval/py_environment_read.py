"""Reads the versions of what this build runs on."""


def model(dbt, session):
    """Wire: nothing in, one row out."""
    import finrag.environment

    return finrag.environment.read_environment()
