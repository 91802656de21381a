"""Runs dbt in a process of its own, with a fault planted in the library if one is named.

Usage: python -m tests.warehouse.driver FAULT DBT_ARGUMENT ...   (FAULT '-' plants none)
"""

import gc
import sys

from dbt.cli.main import dbtRunner

from finrag.cache import results as result_cache
from finrag.warehouse.project import no_debugging
from tests.warehouse import faults


def forget_results(fault: str) -> None:
    """The library is another one now: nothing it kept before may stand in for its results.

    But for statistics: no fault is planted there, and their keys hold all that they read.
    """
    keep = result_cache.ResultCache.__init__

    def keep_apart(self, folder, schema, inputs):
        is_statistic = "statistics" in folder.parts
        keep(self, folder, schema, inputs if is_statistic else [fault, *inputs])

    result_cache.ResultCache.__init__ = keep_apart


def main() -> int:
    fault, *arguments = sys.argv[1:]
    # A run is short: what it leaves behind is freed with the process.
    gc.disable()
    if fault != "-":
        faults.PLANTED[fault]()
        forget_results(fault)
    if "none" not in arguments:
        return 0 if dbtRunner().invoke(arguments).success else 1
    with no_debugging():
        return 0 if dbtRunner().invoke(arguments).success else 1


if __name__ == "__main__":
    sys.exit(main())
