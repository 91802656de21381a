"""Anchors that are asked again in every build, so that drift can be told from growth."""

from __future__ import annotations

import csv
from pathlib import Path

from finrag.records.csv_tables import read_csv_table
from finrag.records.writing import replacing
from finrag.warehouse import open_warehouse

COLUMNS = ("sentence_id", "sentence_text", "n_sentences")

# By the seeded place that the draw gave them, so that a larger number adds anchors to a smaller.
_DRAWN = """
select
    anchors.sentence_id, anchors.sentence_text,
    (select count(*) from sentences.sentences) as n_sentences
from gold.anchors
inner join gold.gold_p1 using (item_id)
group by anchors.sentence_id, anchors.sentence_text
order by md5(anchors.sentence_id), anchors.sentence_id
limit ?
"""


def freeze_anchors(database: Path, target: Path, n: int) -> int:
    """Writes P1 anchors of a warehouse to a file for the dbt var ``frozen_anchors_path``.

    Args:
        database: a warehouse built at least to ``gold_p1``; it is only read.
        target: the CSV; it is replaced.
        n: how many anchors; all where there are fewer.

    Returns:
        The number of anchors written.

    Raises:
        ValueError: ``n`` is below 1; there is no warehouse, another program writes to it, or it
            has no anchors.
    """
    if n < 1:
        raise ValueError(f"--n is {n}; freeze at least one anchor")
    with open_warehouse(database, "no anchors; run `finrag build` first") as warehouse:
        rows = warehouse.rows(_DRAWN, [n])
    if not rows:
        raise ValueError(f"'{database}' has no P1 anchor; nothing was written")
    with replacing(target) as hidden, hidden.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return len(rows)


def check_frozen_anchors(path: str) -> None:
    """Checks the file that the dbt var ``frozen_anchors_path`` names.

    Raises:
        ValueError: it is not there, is not CSV in UTF-8, has other columns, or a row of it is
            incomplete. The message names the line.
    """
    if not Path(path).is_file():
        raise ValueError(
            f"frozen_anchors_path: no file at '{path}'; correct the dbt var, or write the file "
            "with `finrag freeze anchors --to`"
        )
    names, rows = read_csv_table(Path(path), COLUMNS)
    if names != COLUMNS:
        raise ValueError(
            f"'{path}' is not a file of frozen anchors: its columns must be "
            f"{', '.join(COLUMNS)}; write it with `finrag freeze anchors`"
        )
    for line, row in rows:
        count = row["n_sentences"] or ""
        if not row["sentence_id"] or not row["sentence_text"] or not count.isdecimal():
            raise ValueError(
                f"'{path}', line {line}: an anchor needs its sentence_id, its "
                "sentence_text and a whole number as n_sentences"
            )
