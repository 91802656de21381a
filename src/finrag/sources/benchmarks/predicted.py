"""Answers and rankings of a public set's folder, in the fields of every file of predictions."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from finrag.sources.benchmarks.records import Loaded, Prediction, RankedPlace
from finrag.sources.benchmarks.references import document_key

_ANSWERS: Final = ("answer", "program", "speaker", "role")

_Row = dict[str, Any]


def prediction_row(prediction: Prediction) -> _Row:
    """Return an answer or a verdict in the fields of ``PREDICTION_SCHEMA``.

    The answer stands there twice: as JSON, and as text. A program, a speaker or a role is an answer
    too; a verdict alone is none.
    """
    fields = asdict(prediction)
    cited = fields.pop("citations")
    given = next((fields[name] for name in _ANSWERS if fields[name] is not None), None)
    has_more = prediction.is_abstained or prediction.failure or prediction.numeric_value is not None
    return {
        **fields,
        "record_form": "prediction",
        "item_key": fields.pop("question_id"),
        "has_answer": given is not None or bool(has_more),
        "answer_text": _text(given) if given == prediction.answer else given,
        "is_cut": False,
        "is_contained": fields.pop("contains"),
        "citations": None
        if cited is None
        else [{"citation_pos": pos, **_keyed(place)} for pos, place in enumerate(cited)],
    }


def ranking_rows(loaded: Loaded) -> Iterator[_Row]:
    """Yield the ranking of a record, or one line of a run, with the places as its sources.

    A system that looked and found nothing has an empty list.
    """
    if loaded.rankings:
        first = loaded.rankings[0]
        yield {
            "system": first.system,
            "record_form": "run_line" if loaded.is_part else "ranking",
            "item_key": first.question_id,
            "has_answer": False,
            "is_cut": False,
            "sources": [_source(vars(ranked)) for ranked in loaded.rankings if _is_found(ranked)],
            "faults": [],
        }


def _is_found(ranked: RankedPlace) -> bool:
    return (ranked.passage_id or ranked.document) is not None


def _source(ranked: _Row) -> _Row:
    return {"place": ranked["position"], "score": ranked["score"], **_keyed(ranked)}


def _keyed(place: _Row) -> _Row:
    """Return a place with what its document is called when names are compared."""
    document = place["document"]
    return {
        "passage_id": place["passage_id"],
        "document": document,
        "document_key": None if document is None else document_key(document),
        "page": place["page"],
    }


def _text(answer: str | None) -> str | None:
    """Return the words of an answer that is JSON; of a number or a list its JSON."""
    value = None if answer is None else json.loads(answer)
    return value if isinstance(value, str) else answer
