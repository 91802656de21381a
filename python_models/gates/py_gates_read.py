"""Reads all gates: those of the seed, and those in files of the user's own."""


def model(dbt, session):
    """Wire: seed and settings in, one checked row a gate and corpus out."""
    import finrag.systems.gates

    meta = dbt.config.get("meta")
    seed = dbt.ref("gate_thresholds").order("gate_id, corpus").to_arrow_table()
    metrics = dbt.ref("metric_catalogue").project("metric, k, unit, mode, value_unit")
    measures = dbt.ref("gate_measures").project("metric, k, unit, mode, value_unit")
    known = metrics.union(measures).order("metric, k, unit, mode").to_arrow_table()
    return finrag.systems.gates.read_gates(seed, known, meta["gates_paths"])
