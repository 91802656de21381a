"""Leads the documents that judgments of benchmarks name to documents that were loaded."""


def model(dbt, session):
    """Wire: named and loaded documents in, the document that each name means out."""
    import finrag.sources.benchmarks.references

    named = dbt.ref("int_benchmark_documents_named").order("benchmark, document").to_arrow_table()
    loaded = dbt.ref("benchmark_passages").aggregate("benchmark, document_id")
    loaded = loaded.order("benchmark, document_id").to_arrow_table()
    return finrag.sources.benchmarks.references.resolve_documents(named, loaded, in_words=True)
