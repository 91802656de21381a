"""Gold sets of a warehouse as the files that trec_eval reads."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from finrag.publishing.trec import QRELS_SCHEMA, RUN_SCHEMA, write_qrels, write_run
from finrag.warehouse import Row, Warehouse, open_warehouse

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_WHITE_SPACE: Final = re.compile(r"\s+")
_NO_WORD: Final = re.compile(r"[^A-Za-z0-9_.-]+")

_ITEMS_WITH_GOLD: Final = """
select judgments.item_id as question_id, passages.unit as space, judgments.passage_id,
    max(judgments.grade) as grade
from gold.judgments
inner join sentences.passages on judgments.passage_id = passages.passage_id
where judgments.gold_set = $1 and judgments.evidence_kind = 'text'
group by judgments.item_id, passages.unit, judgments.passage_id
order by space, question_id, passage_id
"""

_RANKED: Final = """
select
    system_id, item_id as question_id, unit as space, passage_id,
    coalesce(score, 1.0 / rank) as score
from retrieval.rankings
where gold_set = $1
order by space, system_id, question_id, passage_id
"""


def write_gold_set(database: Path, gold_set: str, folder: Path) -> list[Path]:
    """Write the judgments and rankings of one gold set, each kind of unit for itself.

    Args:
        database: the warehouse file.
        gold_set: p1, p2, p3 or a benchmark.
        folder: made if need be. `<set>.<space>.qrels` and `<set>.<space>.<system>.run` are
            written there; the space of p1, p2 and p3 is `sentence`. Units that stand for an
            evidence more than once have its highest grade. White space in ids and other characters
            in the name of a system become `_`; a ranking without scores gets 1 / rank for one.

    Returns:
        The files, qrels first.

    Raises:
        ValueError: the warehouse cannot be read, holds no such set, a name in it cannot be part
            of a file's name, or two systems would have the same name there.
    """
    with open_warehouse(database) as warehouse:
        gold = _by_space(warehouse, _ITEMS_WITH_GOLD, gold_set)
        ranked = _by_space(warehouse, _RANKED, gold_set)
    if not gold:
        raise ValueError(
            f"the warehouse has no judgments of '{gold_set}'; give p1, p2, p3 or a benchmark that "
            "`finrag benchmarks` lists as loaded"
        )
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for space, rows in gold.items():
        written.append(_target(folder, gold_set, space, "qrels"))
        write_qrels(_table(rows, QRELS_SCHEMA), written[-1])
    for space, rows in ranked.items():
        by_system = _grouped(rows, "system_id")
        for system, tag in _tags(by_system).items():
            written.append(_target(folder, gold_set, space, tag, "run"))
            write_run(_table(by_system[system], RUN_SCHEMA), written[-1], tag)
    return written


def _tags(systems: Iterable[str]) -> dict[str, str]:
    """Return the tag of each system: its name as one word, for runs have no white space."""
    tags: dict[str, str] = {}
    for system in systems:
        tag = _NO_WORD.sub("_", system).strip("_.-")
        if tag in tags.values():
            first = next(name for name, known in tags.items() if known == tag)
            raise ValueError(f"'{first}' and '{system}' would both be '{tag}'; rename one of them")
        tags[system] = tag
    return tags


def _by_space(warehouse: Warehouse, query: str, gold_set: str) -> dict[str, list[Row]]:
    return _grouped(warehouse.rows(query, [gold_set]), "space")


def _grouped(rows: list[Row], field: str) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row[field], []).append(row)
    return groups


def _table(rows: list[Row], schema: pa.Schema) -> pa.Table:
    return pa.Table.from_pylist(
        [{name: _one_word(row[name]) for name in schema.names} for row in rows], schema
    )


def _one_word(value: Any) -> Any:
    return _WHITE_SPACE.sub("_", value) if isinstance(value, str) else value


def _target(folder: Path, *parts: str) -> Path:
    for part in parts:
        if not _NAME.fullmatch(part):
            raise ValueError(f"'{part}' cannot be part of a file's name; use letters, digits, _.-")
    return folder / ".".join(parts)
