"""ConvFinQA as its own public evaluator scores it, oddities included.

Source: `code/utils/general_utils.py` of github.com/czyssrs/ConvFinQA, restated. It is FinQA's
evaluator with three changes: a program may be one number, which is its own result; such a gold
program is matched by the same text alone; and a program is compared only if it is valid.
"""

from __future__ import annotations

from collections.abc import Sequence

from finrag.scoring.official import finqa
from finrag.scoring.official.finqa import tokenize_program
from finrag.scoring.programs.execution import CONVFINQA, Execution, Table
from finrag.scoring.programs.execution import execute as run

__all__ = ["execute", "same_program", "tokenize_program"]


def execute(tokens: Sequence[str], table: Table) -> Execution:
    """Run a program over the table of its page; a single number is its own result.

    Args:
        tokens: as `tokenize_program` gives them; the last one is dropped.
        table: rows of cells, the first cell of a row its header.
    """
    return run(tokens, table, CONVFINQA)


def same_program(gold_tokens: Sequence[str], pred_tokens: Sequence[str]) -> bool:
    """Whether two programs are the same: numbers by their text, others as in FinQA.

    Args:
        gold_tokens: gold program; the last token is dropped.
        pred_tokens: predicted program; the last token is dropped.

    Raises:
        ValueError: if the gold program cannot be read; correct it.
    """
    if len(gold_tokens) == 2:
        return len(pred_tokens) == 2 and pred_tokens[0] == gold_tokens[0]
    return finqa.same_program(gold_tokens, pred_tokens)
