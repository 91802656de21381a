"""Runs dbt in a process of its own, with a fault planted in the library if one is named.

Usage: python -m tests.warehouse.driver FAULT DBT_ARGUMENT ...   (FAULT '-' plants none)
"""

import sys

from dbt.cli.main import dbtRunner

from finrag import result_cache
from tests.warehouse import faults


def main() -> int:
    fault, *arguments = sys.argv[1:]
    if fault != "-":
        faults.PLANTED[fault]()
        # The library is another one now: nothing it kept before may stand in for its results.
        result_cache.library_fingerprint = lambda: fault
    return 0 if dbtRunner().invoke(arguments).success else 1


if __name__ == "__main__":
    sys.exit(main())
