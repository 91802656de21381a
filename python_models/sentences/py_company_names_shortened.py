"""Shortens every company's name, one row a company."""


def model(dbt, session):
    """Wire: names and tickers in, display names and aliases out."""
    import finrag.company_names

    companies = dbt.ref("int_companies_named").order("cik_int").to_arrow_table()
    return finrag.company_names.shorten_names(companies)
