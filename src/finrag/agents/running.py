"""Runs every agent over the questions that it is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import pyarrow as pa

from finrag.agents.steps import STEP_TYPE
from finrag.retrieval.ranking import RANKING_SCHEMA

AGENT_SCHEMA: Final = pa.schema([*RANKING_SCHEMA, pa.field("steps", pa.list_(STEP_TYPE))])


def run_agents(
    systems: pa.Table,
    items: pa.Table,
    sentences: pa.Table,
    texts: pa.Table,
    chunks: pa.Table,
    query_vectors: pa.Table,
    passages: pa.Table,
    vectors: Iterable[pa.RecordBatch],
    settings: Mapping[str, Any],
    contexts: pa.Table,
    documents: pa.Table,
    readings: pa.Table,
) -> pa.RecordBatchReader:
    """Steps and rankings of every agent, for every question; see ``AGENT_SCHEMA``."""
    raise NotImplementedError
