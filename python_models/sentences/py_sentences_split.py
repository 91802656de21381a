"""Splits every section into sentences, one row a sentence."""


def model(dbt, session):
    """Wire: sections of filings in, sentences out, both streamed."""
    import finrag.text.sentences

    filings = dbt.ref("stg_corpus__filings")
    sections = filings.project("filing_id, unnest(sections, max_depth := 2)")
    ordered = sections.project("filing_id, item, section_text, line_kinds").order("filing_id, item")
    return finrag.text.sentences.split_sections(ordered.to_arrow_reader(256))
