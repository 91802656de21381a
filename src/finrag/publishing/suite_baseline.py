"""The frozen suite: the questions as they were when they were last approved."""

from __future__ import annotations

import csv
from pathlib import Path

from finrag.records.writing import replacing
from finrag.warehouse import open_warehouse

COLUMNS = (
    "question_id",
    "content_hash",
    "question_text",
    "answer_type",
    "answer_text",
    "answer_numeric",
    "answer_unit",
    "evidence_sentence_ids",
)


def freeze_suite(database: Path, target: Path) -> int:
    """Writes the suite of a warehouse as the baseline that later builds are compared with.

    Args:
        database: a warehouse built at least to ``gold_p3``; it is only read.
        target: the seed ``p3_baseline.csv``; it is replaced.

    Returns:
        The number of questions written, in the order of their ids.

    Raises:
        ValueError: there is no warehouse, another program writes to it, or it has no P3 suite.
    """
    lacking = "no P3 suite; run `dbt build --select +gold_p3` first"
    with open_warehouse(database, lacking) as warehouse:
        rows = warehouse.rows(
            f"select {', '.join(COLUMNS)} from gold.int_p3_fingerprints order by question_id"
        )
    with replacing(target) as hidden, hidden.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return len(rows)
