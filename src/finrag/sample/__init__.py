"""The sample corpus: ten fictional companies, five fiscal years of 10-K filings, and their truth.

The filings are generated from simulated books and a phrase grammar; the table of facts says which
sentence states which number, cause, definition or attribution, and what a filing does not say.
"""

from finrag.sample.filed import STYLES, revenue_labels, write_filed
from finrag.sample.revenue_cases import RevenueCase, revenue_cases
from finrag.sample.writer import DEFAULT_SEED, broken_lines, sample_version, write_sample

__all__ = [
    "DEFAULT_SEED",
    "STYLES",
    "RevenueCase",
    "broken_lines",
    "revenue_cases",
    "revenue_labels",
    "sample_version",
    "write_filed",
    "write_sample",
]
