"""P3 suites: questions that a person wrote, read from their own files.

`read_suites` turns files in the format of 20 fields into one row per raw record. A record that
cannot be a question is quarantined with the reason and a remedy; every other one is loaded with
what is wrong with it in `schema_faults`. Faults that show only beside a corpus (an unknown
company, an evidence id that does not exist) are found in SQL.
"""

from finrag.sources.suites.suites import (
    SAMPLE_SUITE,
    SUITE_ROW_SCHEMA,
    check_suites,
    open_suites,
    read_suites,
    suite_paths,
)

__all__ = [
    "SAMPLE_SUITE",
    "SUITE_ROW_SCHEMA",
    "check_suites",
    "open_suites",
    "read_suites",
    "suite_paths",
]
