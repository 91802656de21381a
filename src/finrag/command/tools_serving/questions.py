"""The questions of a run, in the order in which they are handed out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from finrag.command.evaluating.questions import choose
from finrag.command.tools_serving.desk import OpenQuestion
from finrag.warehouse import Warehouse

# All that is read of them: no answer, no judgment.
_ITEMS: Final = """
select item_id, question_text, corpus_id, document_id, dialogue_id, turn
from gold.items
where gold_set = ? and item_kind = 'question'
order by item_id
"""


def read_questions(
    warehouse: Warehouse, gold_set: str, where: str, limit: int | None
) -> tuple[str, list[OpenQuestion]]:
    """What the questions are about, and the questions; turns of a dialogue follow one another.

    Args:
        warehouse: a build that is finished.
        gold_set: p3, p3_tables or a public set that is loaded.
        where: condition that questions fit, see ``read_condition``.
        limit: how many of them; None for all.

    Raises:
        ValueError: as ``choose``.
    """
    chosen = choose(warehouse, where, limit, gold_set)
    rows = warehouse.rows(_ITEMS, [gold_set])
    dialogues = _dialogues(rows)
    asked = [row for row in rows if row["item_id"] in chosen.item_ids]
    asked.sort(
        key=lambda row: (row["dialogue_id"] or row["item_id"], row["turn"] or 0, row["item_id"])
    )
    return chosen.corpus_id, [
        OpenQuestion(
            item_id=row["item_id"],
            text=row["question_text"],
            document_id=row["document_id"],
            dialogue_id=row["dialogue_id"],
            history=_before(row, dialogues.get(row["dialogue_id"], ())),
        )
        for row in asked
    ]


def _dialogues(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """Turns of each dialogue, the first one first."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    turns = [row for row in rows if row["dialogue_id"] is not None and row["turn"] is not None]
    for row in sorted(turns, key=lambda row: (row["turn"], row["item_id"])):
        found.setdefault(row["dialogue_id"], []).append(row)
    return found


def _before(
    row: Mapping[str, Any], turns: Sequence[Mapping[str, Any]]
) -> tuple[tuple[str, str], ...]:
    return tuple(
        (one["item_id"], one["question_text"]) for one in turns if one["turn"] < row["turn"]
    )
