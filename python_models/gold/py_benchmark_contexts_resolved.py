"""Leads the documents that questions are asked of to documents that were loaded."""


def model(dbt, session):
    """Wire: named and loaded documents in, the document that each name means out."""
    import finrag.sources.benchmarks.references

    asked = dbt.ref("stg_benchmarks__questions").filter("document_id is not null")
    asked = asked.project("benchmark, document_id as document").distinct()
    named = asked.order("benchmark, document").to_arrow_table()
    loaded = dbt.ref("benchmark_passages").aggregate("benchmark, document_id")
    loaded = loaded.order("benchmark, document_id").to_arrow_table()
    return finrag.sources.benchmarks.references.resolve_documents(named, loaded)
