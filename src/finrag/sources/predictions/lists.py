"""Lists of a prediction: what it cites, what was retrieved, candidates, and time by stage.

An entry that cannot be read is left out and is a fault.
"""

import math
import re
from collections.abc import Iterator
from typing import Final

from finrag.records.fields import listed, parse_number
from finrag.records.files import RecordFaultError
from finrag.records.identity import is_missing, shown
from finrag.records.rows import Row
from finrag.sources.predictions.places import (
    MAX_TEXT_CHARS,
    PLACE_NAMES,
    Place,
    clean_text,
    parse_place,
)
from finrag.sources.predictions.values import Faults, fault, spent_of

_SCORE_NAMES: Final = ("score", "similarity", "relevance")
# Names among the stages of what all of them took.
_TOTAL: Final = re.compile(
    r"(?:total|overall|elapsed|end_to_end|e2e|latency)(?:_(?:time|latency|duration))?(?:_ms)?"
)
_QUOTE_NAMES: Final = ("quote", "text", "span")


def citations_of(value: object, first_page: int, faults: Faults) -> list[Row] | None:
    """Return what an answer cites, each place with each quote once."""
    if is_missing(value):
        return None
    cited: dict[tuple[Place, str | None], None] = {}
    for _, entry, named in _places(value, "citation", first_page, faults):
        quote = _entry_value(entry, _QUOTE_NAMES)
        words = clean_text(quote)[:MAX_TEXT_CHARS] if isinstance(quote, str) else None
        cited.setdefault((named, words or None))
    return [
        {"citation_pos": pos, **named._asdict(), "quote": quote}
        for pos, (named, quote) in enumerate(cited)
    ]


def sources_of(value: object, first_page: int, faults: Faults) -> list[Row] | None:
    """Return what was retrieved, each entry at its place in the list."""
    if is_missing(value):
        return None
    return [
        {"place": place, **named._asdict(), "score": score}
        for place, named, score in _ranked(value, "source", first_page, faults)
    ]


def candidates_of(value: object, faults: Faults) -> list[Row] | None:
    """Return the candidates of each space, given as an object of space and list."""
    if is_missing(value):
        return None
    if not isinstance(value, dict):
        detail = 'candidates is not an object of space and list, such as {"text": ["..."]}'
        faults.append(fault("field", None, "bad_candidates", detail))
        return None
    return [
        {
            "space": clean_text(str(space))[:MAX_TEXT_CHARS],
            "place": place,
            "candidate_id": str(named),
            "score": score,
        }
        for space, entries in value.items()
        for place, named, score in _ranked(entries, "candidate", 0, faults)
    ]


def stages_of(value: object, faults: Faults) -> tuple[list[Row] | None, float | None]:
    """Return time by stage, given as an object of stage and milliseconds, and their total.

    A stage by the name of a total, such as ``total_ms``, is the total and no stage; it is null
    where there is none.
    """
    if is_missing(value):
        return None, None
    if not isinstance(value, dict):
        detail = 'timings is not an object of stage and milliseconds, such as {"retrieve": 12.5}'
        faults.append(fault("field", None, "bad_timings", detail))
        return None, None
    timed = [
        (clean_text(str(stage))[:MAX_TEXT_CHARS], spent_of(took, "timings", faults))
        for stage, took in value.items()
    ]
    totals = [took for stage, took in timed if _is_total(stage) and took is not None]
    stages = [
        {"stage": stage, "stage_pos": place, "n_in": None, "n_out": None, "latency_ms": took}
        for place, (stage, took) in enumerate(one for one in timed if not _is_total(one[0]))
        if took is not None
    ]
    return stages, max(totals, default=None)


def _is_total(stage: str) -> bool:
    return _TOTAL.fullmatch(re.sub(r"[\s-]+", "_", stage.lower())) is not None


def _ranked(
    value: object, part: str, first_page: int, faults: Faults
) -> Iterator[tuple[int, Place, float | None]]:
    """Yield position, place and score of the readable entries of a ranked list."""
    for place, entry, named in _places(value, part, first_page, faults):
        given = _entry_value(entry, _SCORE_NAMES)
        # NaN is a score that went wrong, not one that is missing.
        if given is None or given == "":
            yield place, named, None
            continue
        try:
            score = parse_number(given)
        except ValueError:
            score = math.nan
        if math.isfinite(score):
            yield place, named, score
        else:
            detail = f"the score of {shown(str(named))} is {shown(given)}, expected a finite number"
            faults.append(fault(part, place, "bad_score", detail))


def _places(
    value: object, part: str, first_page: int, faults: Faults
) -> Iterator[tuple[int, object, Place]]:
    """Yield position, entry and place of the entries of a list that name one."""
    for place, entry in enumerate(_entries(value, part, faults)):
        try:
            yield place, entry, parse_place(entry, f"{part}s", first_page)
        except RecordFaultError as error:
            detail = f"{shown(entry)} cannot be used: {error.reason}"
            faults.append(fault(part, place, f"bad_{part}", detail))


def _entries(value: object, part: str, faults: Faults) -> list[object]:
    """Return the entries of a list field, whichever way it is written."""
    if isinstance(value, str):
        try:
            return listed(value)
        except ValueError:
            detail = f"{shown(value)} looks like a JSON array but is not valid JSON"
            faults.append(fault(part, None, f"bad_{part}s", detail))
            return []
    if isinstance(value, dict):
        if value and not any(name in value for name in PLACE_NAMES):
            return [{"id": key, "score": item} for key, item in value.items()]
        return [value]
    return list(value) if isinstance(value, list | tuple) else [value]


def _entry_value(entry: object, names: tuple[str, ...]) -> object:
    if not isinstance(entry, dict):
        return None
    return next((entry[name] for name in names if entry.get(name) is not None), None)
