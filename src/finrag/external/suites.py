"""Makes a suite of questions from a file that holds the right answers beside the predictions.

``python -m finrag.external.suites PREDICTIONS SUITE``
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from finrag.external.fields import clean_text
from finrag.external.files import read_predictions
from finrag.p3.fields import parse_number
from finrag.sources.identity import is_missing

GOLD_NAMES: Final = ("ground_truth", "gold_answer", "gold", "reference", "expected_answer")

_YES_OR_NO: Final = {"yes": "Yes", "no": "No", "true": "Yes", "false": "No"}


def write_suite(predictions_path: str, target: Path) -> int:
    """Write the questions of files of predictions as a suite that p3_suite_paths can name.

    A right answer that is a plain number makes a numeric question, yes or no a boolean one, all
    others a span. Nothing else is guessed: companies, years, evidence, unit and scope stay empty,
    and the warehouse flags each of them. Records without id, question or right answer are left
    out, and of a repeated id all but the first.

    Args:
        predictions_path: a file, a folder or a glob.
        target: the suite, JSON lines; it is replaced.

    Returns:
        The number of questions written, in the order of files and lines.

    Raises:
        ValueError: there are no such files, or no record in them holds all three.
    """
    system = {
        "system_id": "suite",
        "system_kind": "external_file",
        "predictions_path": predictions_path,
        "predictions_format": "auto",
    }
    questions: dict[str, dict[str, Any]] = {}
    for batch in read_predictions(pa.Table.from_pylist([system])):
        for question in filter(None, map(_question, batch.to_pylist())):
            questions.setdefault(question["question_id"], question)
    if not questions:
        raise ValueError(
            f"no record of {predictions_path} has an id, a question and one of "
            f"{', '.join(GOLD_NAMES)}; add them, or write the suite by hand"
        )
    partial = target.with_name(f"{target.name}.partial")
    with partial.open("w", encoding="utf-8") as stream:
        stream.writelines(_lines(questions.values()))
    partial.replace(target)
    return len(questions)


def _lines(questions: Any) -> Iterator[str]:
    return (f"{json.dumps(question, ensure_ascii=False)}\n" for question in questions)


def _question(row: dict[str, Any]) -> dict[str, Any] | None:
    """Return the question of a record, None where it holds none."""
    extra = json.loads(row["extra"] or "{}")
    answer = next((extra[name] for name in GOLD_NAMES if not is_missing(extra.get(name))), None)
    if answer is None or not row["item_key"] or not row["question_text"]:
        return None
    return {
        "question_id": row["item_key"].removeprefix("p3:"),
        "question_text": row["question_text"],
        **_answer(answer),
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


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m finrag.external.suites PREDICTIONS SUITE")
    try:
        written = write_suite(sys.argv[1], Path(sys.argv[2]))
    except (ValueError, OSError) as problem:
        sys.exit(f"finrag: {problem}")
    print(f"{written:,} questions written", file=sys.stderr)
