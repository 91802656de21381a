"""Reads the registry of systems: the seed, the user's own files, the defaults."""


def model(dbt, session):
    """Wire: seeds and settings in, one checked row a system out."""
    import finrag.systems
    import finrag.warehouse.variables

    meta = finrag.warehouse.variables.settings_of_systems(dbt.config.get("meta"))
    seed = dbt.ref("systems").order("system_id").to_arrow_table()
    catalogue = dbt.ref("setting_catalogue").order("setting, kinds, only_with")
    catalogue = catalogue.to_arrow_table()
    return finrag.systems.read_registry(seed, catalogue, meta)
