"""Binds to every KPI the number, period, change and cause that its sentence states."""


def model(dbt, session):
    """Wire: patterns and texts in, statements out."""
    import finrag.atlases.kpi

    patterns = dbt.ref("kpi_patterns").order("kpi_label, pattern").to_arrow_table()
    texts = dbt.ref("py_texts_labelled").filter("atlas = 'kpi'")
    texts = texts.project("text_hash, label as kpi_label, sentence_text")
    texts = texts.order("text_hash, kpi_label").to_arrow_table()
    return finrag.atlases.kpi.bind_kpis(texts, patterns)
