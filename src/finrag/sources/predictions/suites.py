"""Makes a suite of the questions in files of predictions, with the right answers found there."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa

from finrag.records.fields import parse_number
from finrag.records.identity import is_missing
from finrag.records.writing import replacing
from finrag.sources.predictions.files import read_predictions
from finrag.sources.predictions.places import clean_text

GOLD_NAMES: Final = ("ground_truth", "gold_answer", "gold", "reference", "expected_answer")

_YES_OR_NO: Final = {"yes": "Yes", "no": "No", "true": "Yes", "false": "No"}


class SuiteCounts(NamedTuple):
    """What a suite holds: its questions, and those of them without a right answer."""

    n_questions: int
    n_without_answer: int


def write_suite(predictions_path: str, target: Path) -> SuiteCounts:
    """Write the questions of files of predictions as a suite that p3_suite_paths can name.

    A right answer that is a plain number makes a numeric question, yes or no a boolean one, all
    others a span; none makes a span without words. Nothing else is guessed: companies, years,
    evidence, unit and scope stay empty, and the warehouse flags each of them. A record without an
    id gets one made of the question's text, unless another record names that text; a record
    without the text is left out. Of a repeated id the first record with a right answer counts,
    else the first.

    Args:
        predictions_path: a file, a folder or a glob.
        target: the suite, JSON lines; it is replaced.

    Returns:
        The numbers of questions written, in the order of files and lines.

    Raises:
        ValueError: there are no such files, or no record in them holds a question.
    """
    system = {
        "system_id": "suite",
        "system_kind": "external_file",
        "predictions_path": predictions_path,
        "predictions_format": "auto",
    }
    reader = read_predictions(pa.Table.from_pylist([system]))
    rows = [row for batch in reader for row in batch.to_pylist() if row["question_text"]]
    questions = _distinct(rows)
    if not questions:
        raise ValueError(
            f"no record of {predictions_path} holds the text of a question; name it question, or "
            "write the suite by hand"
        )
    with replacing(target) as hidden, hidden.open("w", encoding="utf-8") as stream:
        stream.writelines(_lines(questions))
    without = sum("answer_text" not in question for question in questions)
    return SuiteCounts(len(questions), without)


def _lines(questions: Iterable[dict[str, Any]]) -> Iterator[str]:
    return (f"{json.dumps(question, ensure_ascii=False)}\n" for question in questions)


def _distinct(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return one question per id."""
    named = {_folded(row) for row in rows if row["item_key"]}
    questions: dict[str, dict[str, Any]] = {}
    for row in rows:
        if row["item_key"] or _folded(row) not in named:
            question = _question(row)
            first = questions.setdefault(question["question_id"], question)
            if "answer_text" not in first and "answer_text" in question:
                questions[question["question_id"]] = question
    return list(questions.values())


def _folded(row: dict[str, Any]) -> str:
    """Return the words of a question as predictions are matched by them."""
    return " ".join(row["question_text"].lower().split())


def _question(row: dict[str, Any]) -> dict[str, Any]:
    """Return the question of a record."""
    extra = json.loads(row["extra"] or "{}")
    answer = next((extra[name] for name in GOLD_NAMES if not is_missing(extra.get(name))), None)
    digest = hashlib.md5(_folded(row).encode(), usedforsecurity=False).hexdigest()
    of_text = f"text_{digest[:12]}"
    return {
        "question_id": (row["item_key"] or of_text).removeprefix("p3:"),
        "question_text": row["question_text"],
        **({"answer_type": "span"} if answer is None else _answer(answer)),
        "created_by": f"external:{row['source_file']}",
    }


def _answer(answer: object) -> dict[str, Any]:
    if isinstance(answer, list):
        return {"answer_type": "list", "answer_text": [str(entry) for entry in answer]}
    text = clean_text(answer if isinstance(answer, str) else json.dumps(answer))
    if text.lower().rstrip(".") in _YES_OR_NO:
        return {"answer_type": "boolean", "answer_text": _YES_OR_NO[text.lower().rstrip(".")]}
    try:
        return {"answer_type": "numeric", "answer_text": text, "answer_numeric": parse_number(text)}
    except ValueError:
        return {"answer_type": "span", "answer_text": text}
