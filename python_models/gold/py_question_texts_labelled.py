"""Labels every question and evidence text: KPIs, risk topics and cues, by the same patterns."""


def model(dbt, session):
    """Wire: patterns and texts in, labels out, streamed."""
    import finrag.atlases.labels

    patterns = dbt.ref("int_question_patterns").order("atlas, label, pattern").to_arrow_table()
    texts = dbt.ref("int_question_texts_gathered").order("text_hash")
    return finrag.atlases.labels.label_texts(texts.to_arrow_reader(20_000), patterns)
