"""Decides what may be said of a release, from the verdicts of gates."""


def model(dbt, session):
    """Wire: verdicts of gates, systems and their versions in, headlines out."""
    import finrag.metrics.releases

    systems = dbt.ref("registered_systems").project("system_id, role").order("system_id")
    versions = dbt.ref("run_manifests").project("system_id, system_version").order("system_id")
    return finrag.metrics.releases.decide_releases(
        dbt.ref("runs").project("run_id").to_arrow_table(),
        dbt.ref("gate_verdicts").order("phase, gate_id").to_arrow_table(),
        systems.to_arrow_table(),
        versions.to_arrow_table(),
    )
