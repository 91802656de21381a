"""Splits every section into sentences, one row a sentence."""


def model(dbt, session):
    """Wire: sections in, sentences out, both streamed."""
    import finrag.text.sentences

    sections = dbt.ref("int_sections_exploded")
    ordered = sections.project("section_id, section_text").order("section_id")
    return finrag.text.sentences.split_sections(ordered.to_arrow_reader(256))
