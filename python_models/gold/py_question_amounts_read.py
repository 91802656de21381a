"""Reads the numbers of every question and evidence text, with their kinds."""


def model(dbt, session):
    """Wire: texts in, numbers out."""
    import finrag.sources.suites.checks

    texts = dbt.ref("int_question_texts_gathered").order("text_hash").to_arrow_table()
    return finrag.sources.suites.checks.read_amounts(texts)
