"""Reads companies, years, topics, sections, scope and answer form from every question."""


def model(dbt, session):
    """Wire: questions, names of companies, their years and the patterns in, readings out."""
    import finrag.questions

    companies = dbt.ref("companies").order("cik_int").to_arrow_table()
    filings = dbt.ref("filings").project("filing_id, cik_int, report_year, company_name")
    filings = filings.order("filing_id").to_arrow_table()
    kpi_patterns = dbt.ref("kpi_patterns").order("kpi_label, pattern").to_arrow_table()
    risk_patterns = dbt.ref("risk_patterns").order("risk_topic, pattern").to_arrow_table()
    page_cues = dbt.ref("page_cues").order("page_kind, pattern").to_arrow_table()
    questions = dbt.ref("items").filter("item_kind = 'question'")
    questions = questions.order("item_id").to_arrow_table()
    return finrag.questions.read_questions(
        questions, companies, filings, kpi_patterns, risk_patterns, page_cues
    )
