"""A plugin of dbt-duckdb, which ``finrag build`` names where shards lie in S3."""

from __future__ import annotations

from typing import Any

from dbt.adapters.duckdb.plugins import BasePlugin

from finrag.warehouse import Connection
from finrag.warehouse.s3 import reach_s3


class Plugin(BasePlugin):  # type: ignore[misc]
    """Lets each connection of dbt read files of the store."""

    def initialize(self, config: dict[str, Any]) -> None:
        """Called by dbt-duckdb with what profiles.yml says of the plugin."""
        self._store = str(config["store"])

    def configure_connection(self, conn: Connection) -> None:
        """Called by dbt-duckdb for a connection that was just opened."""
        reach_s3(conn, self._store)
