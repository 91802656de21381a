"""Shortens every company's name, one row a company."""


def model(dbt, session):
    """Wire: names and tickers in, display names and aliases out."""
    import finrag.text.company_names

    # Every filing carries the name by which its company is known.
    names = "cik_int, known_name as company_name, known_ticker as ticker"
    companies = dbt.ref("int_filings_named").project(names).distinct().order("cik_int")
    return finrag.text.company_names.shorten_names(companies.to_arrow_table())
