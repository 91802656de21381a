"""Rankings of systems over the passages of a set, as TREC runs or as lines of JSON."""

import math
from collections.abc import Mapping
from typing import Any, Final

from finrag.records.fields import (
    bad_field,
    missing_field,
    original_json,
    required_list,
    required_text,
)
from finrag.records.files import RecordFaultError
from finrag.sources.benchmarks.loaders.places import first_page, own_id, place_of, system_of
from finrag.sources.benchmarks.records import Loaded, Place, RankedPlace, Source
from finrag.sources.predictions.trec_runs import parse_run_line

_ID_NAMES: Final = ("question_id", "query_id", "id", "qid", "uid", "_id")
_LIST_NAMES: Final = ("ranking", "ranked", "retrieved", "passages")


def load_rankings(record: Mapping[str, Any], source: Source) -> Loaded:
    """Load a ranking of one question, or one line of a TREC run.

    Shapes:
        own line: `question_id` and `ranking`, a list best first of passage ids or of objects that
            name a place as `finrag.sources.benchmarks.loaders.places.place_of` says; optionally
            with `score` in all of them, which then decides, and `system`. An empty list says that
            the system looked and found nothing.
        run: `line`, the text of `question Q0 passage rank score tag`; the tag is the system.

    Raises:
        RecordFaultError: no id, no list, a place that is none or is there twice, scores in some
            of the entries only, or a score that is not a finite number.
    """
    if "line" in record:
        return _run_line(str(record["line"]), source)
    question_id = own_id(required_text(record, *_ID_NAMES), source)
    name = next((name for name in _LIST_NAMES if record.get(name) is not None), None)
    if name is None:
        raise missing_field(_LIST_NAMES[0])
    system, entries = system_of(record, source), required_list(record, name)
    first = first_page(source.benchmark)
    places = [place_of(entry, name, first) for entry in entries]
    _check_once(places, name)
    ranked = tuple(
        RankedPlace(question_id, system, position, score, **vars(place))
        for position, (place, score) in enumerate(zip(places, _scores(entries, name), strict=True))
    )
    nothing = (RankedPlace(question_id, system),)
    return Loaded(original_json(record, (name,)), rankings=ranked or nothing)


def _run_line(text: str, source: Source) -> Loaded:
    line = parse_run_line(text)
    ranked = RankedPlace(
        own_id(line.question_id, source),
        line.tag,
        line.rank,
        line.score,
        passage_id=line.passage_id,
    )
    return Loaded(original_json({}), rankings=(ranked,), is_part=True)


def _check_once(places: list[Place], name: str) -> None:
    seen: set[Place] = set()
    for place in places:
        if place in seen:
            shown = place.passage_id or f"{place.document}, page {place.page} (from 0)"
            reason = f"{name} names {shown} twice"
            raise RecordFaultError("repeated_place", reason, "keep the better place of the two")
        seen.add(place)


def _scores(entries: list[Any], name: str) -> list[float | None]:
    given = [entry.get("score") if isinstance(entry, Mapping) else None for entry in entries]
    if all(score is None for score in given):
        return [None] * len(given)
    if any(score is None for score in given):
        reason = f"some entries of {name} have a score and some have none"
        raise RecordFaultError("bad_score", reason, "give every entry a score, or none")
    return [_finite(score) for score in given]


def _finite(score: Any) -> float:
    try:
        number = math.nan if isinstance(score, bool) else float(score)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise bad_field("score", score, "a finite number")
    return number
