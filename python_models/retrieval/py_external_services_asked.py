"""Asks the user's own services every question; what was answered before is not asked again."""


def model(dbt, session):
    """Wire: systems, questions as read and companies in, answers out, as from a file."""
    import finrag.services

    meta = dbt.config.get("meta")
    systems = dbt.ref("registered_systems").order("system_id").to_arrow_table()
    items = dbt.ref("items").project("item_id, corpus_id = 'filings' as is_filings")
    questions = dbt.ref("py_questions_read").join(items, "item_id")
    questions = questions.order("item_id").to_arrow_table()
    companies = dbt.ref("companies").project("cik_int, company_name")
    companies = companies.order("cik_int").to_arrow_table()
    return finrag.services.ask_services(systems, questions, companies, meta["state_dir"])
