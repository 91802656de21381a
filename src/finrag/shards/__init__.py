"""The corpus rooms over shards of whole companies, on one machine or many.

Spark, or a pool of processes, only schedules: a task takes a shard, runs the project's own SQL and
functions over it in a DuckDB of its own, and writes Parquet. See docs/reference/scale-out.md.
"""

from finrag.shards.building import build_shards
from finrag.shards.manifest import Manifest, read_manifest
from finrag.shards.plan import Plan, make_plan
from finrag.shards.runners import Runner, ShardError, open_runner
from finrag.shards.shard import run_shard, table_hash
from finrag.shards.store import Store

__all__ = [
    "Manifest",
    "Plan",
    "Runner",
    "ShardError",
    "Store",
    "build_shards",
    "make_plan",
    "open_runner",
    "read_manifest",
    "run_shard",
    "table_hash",
]
