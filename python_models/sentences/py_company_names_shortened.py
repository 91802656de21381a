"""Shortens every company's name, one row a company."""


def model(dbt, session):
    """Wire: names, tickers and the sentences that may spell them in, display names out."""
    import finrag.text.company_names

    # Every filing carries the name by which its company is known.
    filings = dbt.ref("int_filings_named")
    names = "cik_int, known_name as company_name, known_ticker as ticker"
    companies = filings.project(names).distinct().order("cik_int").to_arrow_table()
    filed = filings.project("cik_int, company_name").distinct()
    filed = filed.order("cik_int, company_name").to_arrow_table()
    opening = dbt.ref("sentences").filter("section_name = 'ITEM_1' and sentence_pos < 120")
    opening = opening.project("cik_int, sentence_text, sentence_id").order("sentence_id")
    opening = opening.project("cik_int, sentence_text").to_arrow_table()
    return finrag.text.company_names.shorten_names(companies, filed, opening)
