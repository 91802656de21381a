"""Answers and rankings of systems in the folder of a set, also as public evaluators want them."""

import math
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from finrag.records.fields import named_fields, original_json
from finrag.records.rows import Row
from finrag.records.trec_runs import RunLine
from finrag.sources.benchmarks.loaders.places import first_page, own_id, system_of
from finrag.sources.benchmarks.records import Loaded, Source
from finrag.sources.predictions.fields import (
    ALIASES,
    no_answer,
    no_question,
    parse_prediction,
    says_something,
)
from finrag.sources.predictions.values import finite
from finrag.text.programs import program_text


def load_predictions(record: Mapping[str, Any] | RunLine, source: Source) -> Loaded:
    """Load what systems answered and ranked.

    Shapes:
        own line: as `finrag.sources.predictions.fields.parse_prediction` says, with an id of the
            question and an answer, a verdict or a ranking; optionally with `system`. An empty
            ranking says that the system looked and found nothing.
        run: a line of a TREC run; its tag is the system.
        FinQA's evaluator: `id`, `predicted`: a list of tokens is a program, and is stored both as
            the answer, token by token, and as the program written out.
        MultiHiertt's: `uid`, `predicted_ans`, `predicted_program` (tokens, none of them for a
            span). The result of a program that failed is minus infinity there, and no answer here.
        TAT-QA's: a document `{question id: [answer, scale], …}`, one prediction each.

    Raises:
        RecordFaultError: no id, or nothing that is an answer, a verdict or a ranking.
    """
    if isinstance(record, RunLine):
        row = parse_prediction(record)
        item_key = own_id(record.question_id, source)
        return Loaded("{}", predictions=({**row, "system": record.tag, "item_key": item_key},))
    named = named_fields(record)
    if not any(name in named for name in ALIASES["item_key"]):
        return _document(record, source)
    own = _own_names(named)
    original = original_json(finite(own), ALIASES["sources"])
    return Loaded(original, predictions=(prediction_row(own, source),))


def prediction_row(named: Mapping[str, Any], source: Source) -> Row:
    """Return a record of an own line as a prediction of its system.

    A record that holds a ranking alone answers nothing. Its text of the question and its other
    fields stand in `original`.

    Args:
        named: the record's fields by lower-case name.
        source: where it comes from.

    Raises:
        RecordFaultError: see `load_predictions`.
    """
    is_csv = ".csv" in PurePosixPath(source.file).suffixes
    row = parse_prediction(
        named, first_page=first_page(source.benchmark), is_csv=is_csv, refusals_count=False
    )
    if row["item_key"] is None:
        raise no_question(named)
    speaks = says_something(row)
    if not speaks and row["sources"] is None:
        raise no_answer()
    return {
        **row,
        "system": system_of(named, source),
        "record_form": "prediction" if speaks else "ranking",
        "item_key": own_id(row["item_key"], source),
        "question_text": None,
        "extra": None,
    }


def _own_names(named: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a record of a public evaluator with the names of an own line, others as they are."""
    predicted = named.get("predicted")
    if isinstance(predicted, list) and "answer" not in named and named.get("program") is None:
        return {**named, "program": program_text([str(token) for token in predicted])}
    if "predicted_ans" not in named and "predicted_program" not in named:
        return named
    others = {name: value for name, value in named.items() if not name.startswith("predicted_")}
    answer = named.get("predicted_ans")
    is_failed = isinstance(answer, float) and not math.isfinite(answer)
    program = named.get("predicted_program")
    return {**others, "answer": None if is_failed else answer, "program": program or None}


def _document(record: Mapping[str, Any], source: Source) -> Loaded:
    if not record or any(not isinstance(v, list) or len(v) != 2 for v in record.values()):
        raise no_question(record)
    rows = (
        prediction_row({"question_id": str(question_id), "answer": answer, "scale": scale}, source)
        for question_id, (answer, scale) in record.items()
    )
    return Loaded(original_json({"n_answers": len(record)}), predictions=tuple(rows))
