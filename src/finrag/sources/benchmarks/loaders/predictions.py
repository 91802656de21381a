"""Answers of systems, in this project's lines and in the shapes of public evaluators and runs."""

import json
import math
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from finrag.records.fields import (
    bad_field,
    optional_text,
    original_json,
    required_list,
    required_text,
    truth,
)
from finrag.records.files import RecordFaultError
from finrag.records.identity import is_missing, shown
from finrag.sources.benchmarks.loaders.places import first_page, own_id, place_of, system_of
from finrag.sources.benchmarks.records import Loaded, Place, Prediction, Source
from finrag.sources.predictions.fields import parse_report
from finrag.text.programs import finqa_tokens, multihiertt_tokens

_ID_NAMES = ("question_id", "query_id", "id", "qid", "uid", "_id")
_LABELLERS = ("human", "model")


def load_predictions(record: Mapping[str, Any], source: Source) -> Loaded:
    """Load what systems answered.

    Shapes:
        own line: `question_id`, `answer` (text, number, truth value or list; null for none), and
            optionally `system`, `scale`, `program`, `label` with `label_by` (human or model),
            `configuration`, `speaker`, `role`, `contains`, what any file of predictions may tell
            (`finrag.sources.predictions.fields.parse_report`), and `citations`, a list of places
            as `finrag.sources.benchmarks.loaders.places.place_of` says.
        run: `id`, `predicted`: text; a list of tokens is a program as FinQA's evaluator wants it
            and is stored both as the answer, token by token, and as the program written out.
        computed: `uid`, `predicted_ans`, `predicted_program` (tokens, none of them for a span) as
            MultiHiertt's evaluator wants it. The result of a program that failed is minus
            infinity there, and no answer here.
        verdicts: `id`, `contain_match`, `llm_correct`: a model's label `correct` or `incorrect`.
        document: `{question id: [answer, scale], …}` as TAT-QA's evaluator wants it: one
            prediction each.

    A program that is listed in tokens is stored written out, and as JSON text of the list where the
    written form would be read as other tokens: a row of a table may have commas in its name.

    Raises:
        RecordFaultError: no id, nothing that is an answer or a verdict, or a field of a wrong kind.
    """
    if not any(name in record for name in _ID_NAMES):
        return Loaded(
            original_json({"n_answers": len(record)}), predictions=_document(record, source)
        )
    record = _own_names(record)
    question_id = own_id(required_text(record, *_ID_NAMES), source)
    answer = _answer(record, source)
    faults: list[dict[str, Any]] = []
    report = parse_report(record, faults)
    label, label_by = _label(record)
    contains = truth(record, "contains" if "contains" in record else "contain_match")
    given = ("answer", "predicted", "program", "speaker", "role")
    stated = (label, contains, report["failure"], report["is_abstained"], report["numeric_value"])
    has_content = any(name in record for name in given) or any(each is not None for each in stated)
    if not has_content:
        reason = "the record holds neither an answer nor a verdict"
        raise RecordFaultError(
            "no_answer", reason, "write answer (null where the system gave none)"
        )
    prediction = Prediction(
        question_id=question_id,
        system=system_of(record, source),
        answer=None if answer is None else json.dumps(answer, ensure_ascii=False),
        scale=_scale(record.get("scale")),
        program=_program(record, answer),
        label=label,
        label_by=label_by,
        configuration=optional_text(record, "configuration"),
        speaker=optional_text(record, "speaker"),
        role=optional_text(record, "role"),
        contains=contains,
        citations=_citations(record, source),
        **report,
        faults=tuple(faults),
    )
    return Loaded(original_json(record), predictions=(prediction,))


def _citations(record: Mapping[str, Any], source: Source) -> tuple[Place, ...] | None:
    """Return what an answer cites, each place once; null where the record does not say."""
    given = record.get("citations")
    if isinstance(given, str):  # a cell of a table
        given = _listed_cell(given, "citations")
    if is_missing(given):
        return None
    entries = required_list({"citations": given}, "citations")
    first = first_page(source.benchmark)
    return tuple(dict.fromkeys(place_of(entry, "citations", first) for entry in entries))


def _listed_cell(cell: str, name: str) -> Any:
    """Return the list that a cell holds as JSON; a blank cell says nothing."""
    if not cell.strip():
        return None
    try:
        return json.loads(cell)
    except (ValueError, RecursionError) as error:
        raise bad_field(name, cell, "a JSON list") from error


def _own_names(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a record of MultiHiertt's shape with the names of an own line, others as they are."""
    if "predicted_ans" not in record and "predicted_program" not in record:
        return record
    others = {name: value for name, value in record.items() if not name.startswith("predicted_")}
    answer = record.get("predicted_ans")
    is_failed = isinstance(answer, float) and not math.isfinite(answer)
    program = record.get("predicted_program")
    return {**others, "answer": None if is_failed else answer, "program": program or None}


def program_text(tokens: list[str]) -> str:
    """Return FinQA's tokens of a program as it is written: `subtract(5, 3), divide(#0, 3)`.

    The closing `EOF` is left out. Tokens in an order that makes no program are written out all
    the same, so that an executor can say what is wrong with them.
    """
    written = ""
    for token in tokens[:-1] if tokens[-1:] == ["EOF"] else tokens:
        glued = token == ")" or not written or written.endswith("(")
        written += token if glued else f", {token}"
    return written


def _answer(record: Mapping[str, Any], source: Source) -> Any:
    """Return an answer that JSON text can hold; the cell of a CSV file may hold a list."""
    value = record["answer"] if "answer" in record else record.get("predicted")
    is_cell = isinstance(value, str) and ".csv" in PurePosixPath(source.file).suffixes
    if is_cell and str(value).strip().startswith("["):
        value = _listed_cell(str(value), "answer")
    return _plain(value, "answer")


def _plain(value: Any, name: str) -> Any:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    entries = value if isinstance(value, list) else [value]
    if any(not isinstance(entry, str | int | float | None) for entry in entries):
        reason = f"{name} is {shown(value)}, expected text, a number or a list of them"
        raise RecordFaultError(f"bad_{name}", reason, f"write {name} as text, a number or a list")
    return value


def _label(record: Mapping[str, Any]) -> tuple[str | None, str | None]:
    verdict = truth(record, "llm_correct")
    if verdict is not None and is_missing(record.get("label")):
        return ("correct" if verdict else "incorrect"), "model"
    label, by = optional_text(record, "label"), optional_text(record, "label_by")
    if label is None:
        return None, None
    if by not in _LABELLERS:
        reason = f"label_by is {shown(by)}, expected human or model"
        raise RecordFaultError("bad_label_by", reason, "say who gave the label: human or model")
    return label, by


def _scale(value: object) -> str | None:
    """Return a scale; an empty one says that there is none, a null one says nothing."""
    if value is None:
        return None
    if not isinstance(value, str):
        reason = f"scale is {shown(value)}, expected text"
        raise RecordFaultError(
            "bad_scale", reason, "write thousand, million, billion, percent or nothing"
        )
    return value.strip()


def _program(record: Mapping[str, Any], answer: Any) -> str | None:
    given = record.get("program")
    if given is None and "answer" not in record and isinstance(answer, list):
        given = answer
    if isinstance(given, list):
        tokens = [str(token) for token in _plain(given, "program")]
        return program_text(tokens) if given is answer else _listed_program(tokens)
    return optional_text({"program": given}, "program")


def _listed_program(tokens: list[str]) -> str:
    body = tokens[:-1] if tokens[-1:] == ["EOF"] else tokens
    written = program_text(body)
    is_read_back = all(
        tokens_of(written)[:-1] == body for tokens_of in (finqa_tokens, multihiertt_tokens)
    )
    return written if is_read_back else json.dumps([*body, "EOF"], ensure_ascii=False)


def _document(record: Mapping[str, Any], source: Source) -> tuple[Prediction, ...]:
    pairs = [value for value in record.values() if isinstance(value, list) and len(value) == 2]
    if not record or len(pairs) < len(record):
        reason = f"the record names no question; its fields are {shown(', '.join(record), 120)}"
        raise RecordFaultError(
            "no_question_id", reason, f"give every record one of {', '.join(_ID_NAMES)}"
        )
    return tuple(
        Prediction(
            question_id=own_id(str(question_id), source),
            system=system_of({}, source),
            answer=None if answer is None else json.dumps(_plain(answer, "answer")),
            scale=_scale(scale),
        )
        for question_id, (answer, scale) in record.items()
    )
