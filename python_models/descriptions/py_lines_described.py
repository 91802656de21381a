"""Describes the lines of every filing's revenue in its own words, once for each system."""


def model(dbt, session):
    """Wire: systems, lines and the blocks of their filings in, descriptions out."""
    import finrag.revenue.describing

    meta = dbt.config.get("meta")
    systems = dbt.ref("line_systems").order("system_id").to_arrow_table()
    leaves = dbt.ref("int_lines_prepared").order("revenue_line_id").to_arrow_table()
    blocks = dbt.ref("int_blocks_sectioned").order("filing_id, part_id, block_pos")
    return finrag.revenue.describing.describe_lines(
        systems, leaves, blocks.to_arrow_reader(8192), meta
    )
