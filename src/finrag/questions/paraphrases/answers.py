"""Answers that were paid for before the store of `finrag.llm` held them."""

from __future__ import annotations

import json
import logging
from pathlib import Path

logger = logging.getLogger("finrag.questions.paraphrases")


def earlier_answers(path: Path) -> dict[str, str]:
    """Answers by the hash of their prompt; the first of several counts.

    Args:
        path: a file of JSON lines, which may be missing; a line that a kill cut short is passed
            over.
    """
    answers: dict[str, str] = {}
    n_broken = 0
    for line in path.read_bytes().split(b"\n") if path.is_file() else []:
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            answers.setdefault(str(row["prompt_hash"]), str(row["answer"]))
        except (ValueError, TypeError, KeyError, RecursionError):
            n_broken += 1
    if n_broken:
        logger.warning("%s: passed over %d broken lines", path.name, n_broken)
    return answers
