"""Labels every distinct text: which KPIs, risk topics and cues it speaks of."""


def model(dbt, session):
    """Wire: patterns and texts in, labels out, streamed."""
    import finrag.atlases.labels

    patterns = dbt.ref("int_label_patterns").order("atlas, label, pattern").to_arrow_table()
    texts = dbt.ref("int_texts_to_label").order("text_hash")
    return finrag.atlases.labels.label_texts(texts.to_arrow_reader(20_000), patterns)
