"""The frozen suite: what the questions were when someone last stood by them."""

from __future__ import annotations

import csv
from pathlib import Path

from finrag.records.writing import replacing

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
    import duckdb

    if not database.is_file():
        raise ValueError(f"no warehouse at '{database}'; run `make build` first")
    try:
        with duckdb.connect(str(database), read_only=True) as connection:
            rows = connection.execute(
                f"select {', '.join(COLUMNS)} from gold.p3_fingerprints order by question_id"
            ).fetchall()
    except duckdb.IOException as error:
        raise ValueError(f"'{database}' cannot be read: {str(error).splitlines()[0]}") from error
    except duckdb.CatalogException as error:
        raise ValueError(
            f"'{database}' holds no P3 suite; run `dbt build --select +gold_p3` first"
        ) from error
    with replacing(target) as hidden, hidden.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)
    return len(rows)
