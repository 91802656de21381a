"""Lines of revenue: what a company sells, how much of each, and in which of its own words."""

from finrag.revenue.finding import RECONCILIATION_SCHEMA, find_lines

__all__ = ["RECONCILIATION_SCHEMA", "find_lines"]
