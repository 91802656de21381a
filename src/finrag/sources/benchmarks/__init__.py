"""Public benchmarks: their files as questions, passages, evidence and answers of systems.

`open_benchmarks` turns the files below the configured folders into one row per raw record; a
record that cannot be read is quarantined with the reason and a remedy. `benchmark_status` says
which sets are there and where to get the others; `find_systems` names the systems whose answers
or rankings lie beside them.
"""

from finrag.sources.benchmarks.files import benchmark_status, find_benchmark_files, read_catalogue
from finrag.sources.benchmarks.reading import GivenSystem, find_systems, open_benchmarks
from finrag.sources.benchmarks.records import RECORD_SCHEMA

__all__ = [
    "RECORD_SCHEMA",
    "GivenSystem",
    "benchmark_status",
    "find_benchmark_files",
    "find_systems",
    "open_benchmarks",
    "read_catalogue",
]
