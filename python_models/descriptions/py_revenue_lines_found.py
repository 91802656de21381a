"""Finds the lines of revenue, one row a filing, view and period."""


def model(dbt, session):
    """Wire: totals, facts, patterns and the figures of tables that hold a total in, sums out."""
    import finrag.revenue

    totals = dbt.ref("int_revenue_totals").order("filing_id, period_end").to_arrow_table()
    facts = dbt.ref("int_revenue_facts")
    facts = facts.order("filing_id, block_pos nulls last, row_pos, col_pos, fact_id")
    facts = facts.to_arrow_table()
    patterns = dbt.ref("revenue_view_patterns").order("pattern_id").to_arrow_table()
    cells = dbt.ref("int_revenue_cells").order("filing_id, table_id, row_pos, col_pos")
    return finrag.revenue.find_lines(totals, facts, patterns, cells.to_arrow_reader(2048))
