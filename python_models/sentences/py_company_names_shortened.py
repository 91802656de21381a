"""Shortens every company's name, one row a company."""


def model(dbt, session):
    """Wire: names and tickers in, display names and aliases out."""
    import finrag.text.company_names

    companies = dbt.ref("int_companies_named").order("cik_int").to_arrow_table()
    return finrag.text.company_names.shorten_names(companies)
