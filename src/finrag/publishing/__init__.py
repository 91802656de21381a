"""The report of a run: what was built, what was measured, which gates broke, with examples."""

from finrag.publishing.report import VERSION, read_report, report_of, write_report

__all__ = ["VERSION", "read_report", "report_of", "write_report"]
