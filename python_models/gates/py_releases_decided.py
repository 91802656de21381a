"""Decides what may be said of a release, from the verdicts of gates, and says it in words."""


def model(dbt, session):
    """Wire: the run, verdicts of gates, systems and what they were asked in, headlines out."""
    import finrag.metrics.releases

    sound = dbt.ref("item_slices").filter("slice_name = 'sound'").aggregate("count(*) as n_sound")
    run = dbt.ref("runs").project("run_id, corpus, encoder, n_questions").cross(sound)
    summaries = dbt.ref("metric_summaries").filter("slice_name = 'overall' and n_asked > 0")
    known = finrag.metrics.releases.Released(
        run=run.to_arrow_table(),
        verdicts=dbt.ref("gate_verdicts").order("phase, gate_id").to_arrow_table(),
        systems=dbt.ref("registered_systems").order("system_id").to_arrow_table(),
        pairs=dbt.ref("system_pairs").order("pair_id").to_arrow_table(),
        versions=dbt.ref("run_manifests").order("system_id").to_arrow_table(),
        asked=summaries.aggregate("system_id, gold_set").order("all").to_arrow_table(),
        returned=dbt.ref("returned_passages").order("system_id, gold_set").to_arrow_table(),
    )
    return finrag.metrics.releases.decide_releases(known)
