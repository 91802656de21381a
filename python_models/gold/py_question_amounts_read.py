"""Reads the numbers of every question and evidence text, with their kinds."""


def model(dbt, session):
    """Wire: texts in, numbers out."""
    import finrag.p3.checks

    texts = dbt.ref("int_question_texts_gathered").order("text_hash").to_arrow_table()
    return finrag.p3.checks.read_amounts(texts)
