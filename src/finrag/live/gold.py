"""The gold of the questions on the filings, as far as it decides whether an answer is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pyarrow as pa

from finrag.warehouse import Row, Warehouse

_OF_ITEMS: Final = """
select {table}.* from {room}.{table}
semi join (select item_id from gold.items where item_kind = 'question' and corpus_id = 'filings')
    as asked on {table}.item_id = asked.item_id
order by all
"""


@dataclass(frozen=True)
class Gold:
    """What decides whether answers to the questions on the filings are right.

    Attributes:
        items: the door ``items``, questions on the filings alone.
        answers: the door ``item_answers``, likewise.
        judgments: the door ``judgments``, likewise.
        references: ``int_references_named``, likewise.
        metrics: the seed ``metric_catalogue``.
        deciding: the seed ``deciding_metrics``.
        answer_columns: schema of the door ``answers``.
        citation_columns: schema of the door ``answer_citations``.
    """

    items: pa.Table
    answers: pa.Table
    judgments: pa.Table
    references: pa.Table
    metrics: pa.Table
    deciding: pa.Table
    answer_columns: pa.Schema
    citation_columns: pa.Schema

    def answer_rows(self, rows: Sequence[Row]) -> pa.Table:
        """Rows of the door ``answers``; a field that is not given is null."""
        return pa.Table.from_pylist([dict(row) for row in rows], schema=self.answer_columns)

    def citation_rows(self, rows: Sequence[Row]) -> pa.Table:
        """Rows of the door ``answer_citations``; a field that is not given is null."""
        return pa.Table.from_pylist([dict(row) for row in rows], schema=self.citation_columns)


def read_gold(warehouse: Warehouse) -> Gold:
    """Reads the gold of all questions on the filings.

    Args:
        warehouse: a build that is finished.
    """
    items, answers, judgments, references = (
        warehouse.table(_OF_ITEMS.format(room=room, table=table))
        for room, table in (
            *(("gold", "items"), ("gold", "item_answers"), ("gold", "judgments")),
            ("metrics", "int_references_named"),
        )
    )
    return Gold(
        *(items, answers, judgments, references),
        warehouse.table("select * from seeds.metric_catalogue order by all"),
        warehouse.table("select * from seeds.deciding_metrics order by place"),
        warehouse.table("select * from answers.answers limit 0").schema,
        warehouse.table("select * from answers.answer_citations limit 0").schema,
    )
