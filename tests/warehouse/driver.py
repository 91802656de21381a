"""Runs dbt in a process of its own, with a fault planted in the library if one is named.

Usage: python -m tests.warehouse.driver FAULT DBT_ARGUMENT ...   (FAULT '-' plants none)
"""

import sys

from dbt.cli.main import dbtRunner

from tests.warehouse import faults


def main() -> int:
    fault, *arguments = sys.argv[1:]
    if fault != "-":
        faults.PLANTED[fault]()
    return 0 if dbtRunner().invoke(arguments).success else 1


if __name__ == "__main__":
    sys.exit(main())
