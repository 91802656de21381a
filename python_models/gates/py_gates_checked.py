"""Checks all gates: what was measured against the limits of this corpus."""


def model(dbt, session):
    """Wire: limits, waivers and all that they are held against in, verdicts by limit out."""
    import datetime

    import finrag.metrics.gates

    as_of = dbt.config.get("meta")["as_of_date"]
    today = as_of or datetime.datetime.now(datetime.UTC).date().isoformat()
    known = finrag.metrics.gates.Known(
        run=dbt.ref("runs").to_arrow_table(),
        systems=dbt.ref("registered_systems").order("system_id").to_arrow_table(),
        pairs=dbt.ref("system_pairs").order("pair_id").to_arrow_table(),
        line_systems=dbt.ref("line_systems").order("system_id").to_arrow_table(),
        metrics=dbt.ref("metric_catalogue").order("metric, k, unit, mode").to_arrow_table(),
        measures=dbt.ref("gate_measures").order("metric, k, unit, mode").to_arrow_table(),
        scorers=dbt.ref("scorers").order("metric").to_arrow_table(),
        summaries=dbt.ref("metric_summaries").to_arrow_table(),
        comparisons=dbt.ref("comparisons").to_arrow_table(),
        floors=dbt.ref("metric_floors").to_arrow_table(),
        drifts=dbt.ref("metric_drifts").to_arrow_table(),
        costs=dbt.ref("system_costs").order("system_id, gold_set").to_arrow_table(),
        returned=dbt.ref("returned_passages").order("system_id, gold_set").to_arrow_table(),
        cells=dbt.ref("table_cells").project("cell_id").limit(1).to_arrow_table(),
        totals=dbt.ref("revenue_reconciliations").project("verdict, route").to_arrow_table(),
        labels=dbt.ref("line_labels").order("line_label_id").to_arrow_table(),
        described=dbt.ref("description_coverage").order("system_id, filing_id").to_arrow_table(),
    )
    gates = dbt.ref("py_gates_read").to_arrow_table()
    waivers, day = dbt.ref("gate_waivers").to_arrow_table(), datetime.date.fromisoformat(today)
    return finrag.metrics.gates.check_gates(gates, waivers, known, day)
