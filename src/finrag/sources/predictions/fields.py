"""The fields of one prediction: which names they go by, their types, and what is wrong with them.

A record that names no question cannot be used and raises. Everything else is retained: a value that
cannot be read becomes null, an entry that cannot be read is left out, and each is a fault.

What a record without an answer is, for files, folders of public sets, services and functions alike:
a record with a field of an answer in which nothing stands (null, blank, NaN, infinite, an empty
list) says that the system gave none, and its question failed; one without such a field, such as a
ranking or a verdict alone, says nothing of an answer, and leaves its question not run.
``has_answer`` tells the two apart.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeGuard

from finrag.records.fields import array_of, parse_number, value_text, writable_fields
from finrag.records.files import RecordFaultError
from finrag.records.identity import is_missing, shown
from finrag.records.rows import Row
from finrag.records.trec_runs import RunLine
from finrag.records.vocabulary import read_vocabulary
from finrag.sources.predictions.lists import candidates_of, citations_of, sources_of, stages_of
from finrag.sources.predictions.places import MAX_TEXT_CHARS, clean_text
from finrag.sources.predictions.steps import ANSWER, is_listed, steps_of
from finrag.sources.predictions.values import (
    Faults,
    amount_of,
    count_of,
    fault,
    json_text,
    spent_of,
    text_of,
    truth_of,
)
from finrag.text.abstentions import is_abstention
from finrag.text.programs import listed_program

# The names under which each field is known, in any case; the first one with a value is used.
_VOCABULARY: Final = read_vocabulary(__file__)
ALIASES: Final[Mapping[str, tuple[str, ...]]] = {
    field: tuple(names.split()) for field, names in _VOCABULARY.tables["aliases"].items()
}
LABELLERS: Final = ("human", "model")
# The fields of an answer. Whether the system declined is said of one as well, a failure too.
_ANSWERS: Final = ("answer_text", "numeric_value", "program", "speaker", "role")
# Objects inside a record in which counts and costs are looked for as well.
NESTED: Final = ("usage", "metadata", "llm")
_COUNTED: Final = (
    *("model", "system_version", "n_steps", "input_tokens", "output_tokens"),
    *("latency_ms", "cost_usd"),
)

MAX_ANSWER_CHARS: Final = 100_000


def parse_prediction(
    value: object, *, first_page: int = 0, is_csv: bool = False, refusals_count: bool = True
) -> Row:
    """Return the typed fields of a raw record of predictions.

    An answer that is a list becomes the text of a JSON array, a truth value Yes or No, a number
    its digits; `answer` holds it as JSON. A program, a speaker or a role is an answer too. Numbers
    may come as text. Tokens, cost, latency, steps, model and version are also looked for in
    ``usage``, ``metadata`` and ``metadata.llm``. Where nothing else says it, a total among the
    stages is the latency, and the price of all steps is the cost. A program that is listed in
    tokens is written out as `finrag.text.programs.listed_program` says. A list field may be a list,
    one value, the text of a JSON array, or text with " | " between the entries; its entries are
    places as `finrag.sources.predictions.places.parse_place` says.

    Args:
        value: what a reader found: a mapping of field names, in any case, to values, or one line
            of a TREC run, which is a source of its question.
        first_page: number of the first page where it is named ``page``.
        is_csv: whether the record is a row of a CSV file, in which an answer and a program may be
            the text of a JSON array.
        refusals_count: whether an answer that is nothing but a refusal in words is an abstention,
            whatever its flag says. The evaluators of public sets score its words.

    Returns:
        The columns of ``PREDICTION_FIELDS``, those of a run line as far as it has them.
        ``has_answer`` is true where the record speaks of an answer, if only to say that there is
        none. ``citations``, ``sources`` and ``candidates`` are null where it has no such field.
        ``extra`` holds the other fields as JSON, null where there are none.

    Raises:
        RecordFaultError: the record is not an object, has a field twice, or names no question.
    """
    if isinstance(value, RunLine):
        return _run_line(value)
    given = writable_fields(value)
    faults: Faults = []
    names = {field: _name_of(_fitting(field, given), ALIASES[field]) for field in ALIASES}
    found = {field: None if name is None else given[name] for field, name in names.items()}
    key = _item_key(names["item_key"], found["item_key"])
    question = text_of(found["question_text"], "question_text", faults)
    if key is None and question is None:
        raise no_question(given, ", or the text of the question")
    if is_csv:
        found |= {field: array_of(found[field]) for field in ("answer_text", "program")}
    answer = _answer(names, found, faults)
    ending = {**answer, "is_forced": truth_of(found["is_forced"], "is_forced", faults)}
    steps = steps_of(found["steps"], ending, faults)
    stages, total_ms = stages_of(found["stages"], faults)
    # A list in which no step is found may be something else of that name.
    used = {name for field, name in names.items() if field != "steps" or steps is not None}
    rest = {name: item for name, item in given.items() if name not in used}
    row = {
        "record_form": "prediction",
        "item_key": key,
        "question_text": question,
        **answer,
        **_verdict(found, faults),
        "configuration": text_of(found["configuration"], "configuration", faults),
        "citations": citations_of(found["citations"], first_page, faults),
        "sources": sources_of(found["sources"], first_page, faults),
        "candidates": candidates_of(found["candidates"], faults),
        "stages": stages,
        "steps": steps,
        **_counts(given, found, faults, _of_parts(steps, total_ms)),
        "extra": json_text(rest) if rest else None,
        "faults": faults,
    }
    return _refusal_counted(row) if refusals_count else row


def says_something(row: Row) -> bool:
    """Return whether a record, as `parse_prediction` read it, speaks of an answer or judges one."""
    return row["has_answer"] or row["label"] is not None or row["is_contained"] is not None


def no_answer() -> RecordFaultError:
    """Return the fault for a record that names a question and nothing else of use."""
    reason = "the record holds neither an answer nor a verdict nor a ranking"
    advice = "write answer (null where the system gave none), or ranking"
    return RecordFaultError("no_answer", reason, advice)


def no_question(given: Iterable[str], advice: str = "") -> RecordFaultError:
    """Return the fault for a record that names no question, by the names of its fields."""
    reason = f"the record names no question; the fields found are {shown(', '.join(given), 300)}"
    accepted = ", ".join(ALIASES["item_key"][:-1])
    return RecordFaultError(
        "no_question", reason, f"give every record one of {accepted} or id{advice}"
    )


def _run_line(line: RunLine) -> Row:
    return {
        "record_form": "run_line",
        "item_key": line.question_id,
        "has_answer": False,
        "is_cut": False,
        "sources": [{"place": line.rank, "passage_id": line.passage_id, "score": line.score}],
        "faults": [],
    }


def _refusal_counted(row: Row) -> Row:
    """Return a record with an abstention where its answer is nothing but a refusal in words."""
    text = row["answer_text"] or ""
    is_text = (row["answer"] or "").startswith('"')
    if row["is_abstained"] or not is_text or not is_abstention(text, row["numeric_value"]):
        return row
    detail = f"the answer only declines, {shown(text)}; it counts as an abstention"
    listed = fault("answer", None, "refusal_in_words", detail)
    return {**row, "is_abstained": True, "faults": [*row["faults"], listed]}


def _fitting(field: str, given: Row) -> Row:
    """Return the fields that may be meant: steps are no number of them.

    Only a number is a count under the name ``steps``; anything else there is meant as the list.
    """
    if field not in ("steps", "n_steps"):
        return given
    return {
        name: value
        for name, value in given.items()
        if is_missing(value) or _are_steps(name, value) == (field == "steps")
    }


def _are_steps(name: str, value: object) -> bool:
    return is_listed(value) or (name == "steps" and not _is_number(value))


def _is_number(value: object) -> bool:
    try:
        parse_number(value)
    except ValueError:
        return False
    return True


def _of_parts(steps: list[Row] | None, total_ms: float | None) -> Row:
    """Return what steps and stages tell of the whole, used where the record says nothing else.

    The turns in which tools were called, the total among the stages, and the price of all steps,
    which is not known where a call has none.
    """
    if steps is None:
        return {"latency_ms": total_ms}
    calls = [step for step in steps if step["tool_name"] != ANSWER]
    last = [step for step in steps if step["tool_name"] == ANSWER and step.get("price_usd")]
    prices = [step["price_usd"] for step in [*calls, *last]]
    return {
        "n_steps": len({step["turn_pos"] for step in calls}),
        "latency_ms": total_ms,
        "cost_usd": sum(prices) if prices and None not in prices else None,
    }


def _counts(given: Row, found: Row, faults: Faults, of_parts: Row) -> Row:
    """Return model, version, steps, tokens, time and cost: of the record or objects inside it."""
    counted = {field: found[field] for field in _COUNTED}
    for inner in _nested(given):
        for field in _COUNTED:
            name = _name_of(inner, ALIASES[field])
            if is_missing(counted[field]) and name is not None:
                counted[field] = inner[name]
    counted["cost_usd"] = _in_all(counted["cost_usd"])
    for field, value in of_parts.items():
        if is_missing(counted[field]):
            counted[field] = value
    return {
        "model": text_of(counted["model"], "model", faults),
        "system_version": text_of(counted["system_version"], "system_version", faults),
        **{
            name: count_of(counted[name], name, faults)
            for name in ("n_steps", "input_tokens", "output_tokens")
        },
        **{name: spent_of(counted[name], name, faults) for name in ("latency_ms", "cost_usd")},
    }


def _in_all(cost: object) -> object:
    """Return a cost; of one that is stated by its parts, such as input and output, their total."""
    return cost.get("total", cost) if isinstance(cost, dict) else cost


def _name_of(given: Mapping[str, object], names: tuple[str, ...]) -> str | None:
    """Return the first name with a value, else the first one that is there."""
    present = [name for name in names if name in given]
    with_value = (name for name in present if not is_missing(given[name]))
    return next(with_value, next(iter(present), None))


def _nested(given: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    for name in NESTED:
        inner = given.get(name)
        if isinstance(inner, dict):
            named = {str(key).strip().lower(): item for key, item in inner.items()}
            yield named
            deeper = named.get("llm")
            if isinstance(deeper, dict):
                yield {str(key).strip().lower(): item for key, item in deeper.items()}


def _item_key(name: str | None, value: object) -> str | None:
    if is_missing(value):
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        reason = f"{name} is {shown(value)}, expected text or a whole number"
        raise RecordFaultError("bad_question_id", reason, f"write {name} as a string")
    return clean_text(value_text(value))[:MAX_TEXT_CHARS]


def _answer(names: Mapping[str, str | None], found: Row, faults: Faults) -> Row:
    value = found["answer_text"]
    is_given = not _is_blank(value)
    words = _answer_text(value, faults) if is_given else ""
    is_plain = isinstance(value, bool | int | float) or _is_plain_list(value)
    # An answer that is a program, a speaker or a role.
    stated = {
        "program": _program(found["program"], faults),
        "speaker": text_of(found["speaker"], "speaker", faults),
        "role": text_of(found["role"], "role", faults),
    }
    instead = (
        None if is_given else next((each for each in stated.values() if each is not None), None)
    )
    text = clean_text(words if instead is None else instead)
    scale = found["scale"]
    number = _number(found["numeric_value"], faults)
    abstained = truth_of(found["is_abstained"], "abstained", faults)
    failure = _failure(found["failure"])
    return {
        "has_answer": any(names[field] is not None for field in _ANSWERS)
        or abstained is not None
        or failure is not None,
        "answer_text": text[:MAX_ANSWER_CHARS] or None,
        "is_cut": len(text) > MAX_ANSWER_CHARS,
        "answer": json_text(value if is_plain else words) if is_given else None,
        # A blank scale says that there is none, a null one says nothing.
        "scale": clean_text(scale) if isinstance(scale, str) else text_of(scale, "scale", faults),
        **stated,
        "numeric_value": number,
        "unit": text_of(found["unit"], "unit", faults),
        "is_abstained": abstained,
        "failure": failure,
    }


def _is_blank(value: object) -> bool:
    """Return whether nothing stands in the field of an answer."""
    is_infinite = isinstance(value, float) and math.isinf(value)
    return is_missing(value) or is_infinite or value in ([], (), {})


def _number(value: object, faults: Faults) -> float | None:
    """Return the figure of an answer; NaN, which elsewhere stands for null, is a fault in it."""
    is_nan = isinstance(value, float) and math.isnan(value)
    return amount_of(str(value) if is_nan else value, "numeric_value", faults)


def _is_plain_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list | tuple) and not any(
        isinstance(entry, dict | list | tuple) for entry in value
    )


def _answer_text(value: object, faults: Faults) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, dict):
        detail = "the answer is an object, kept as its JSON text"
        faults.append(fault("answer", None, "answer_not_text", detail))
    if isinstance(value, dict | list | tuple):
        return json_text(value)
    return str(value)


def _program(value: object, faults: Faults) -> str | None:
    """Return a program as it is written; one without a step is blank, not null."""
    if _is_plain_list(value):
        return listed_program([str(token) for token in value])
    return text_of(value, "program", faults, limit=None)


def _verdict(found: Row, faults: Faults) -> Row:
    """Return what somebody else says of the answer."""
    label = text_of(found["label"], "label", faults)
    by = text_of(found["label_by"], "label_by", faults)
    is_correct = truth_of(found["is_correct"], "llm_correct", faults)
    if label is None:
        by = None if is_correct is None else "model"
        label = None if is_correct is None else "correct" if is_correct else "incorrect"
    elif by not in LABELLERS:
        detail = f"the label {shown(label)} is by {shown(by)}, expected human or model in label_by"
        faults.append(fault("field", None, "bad_label_by", detail))
        label = by = None
    is_contained = truth_of(found["is_contained"], "contains", faults)
    return {"label": label, "label_by": by, "is_contained": is_contained}


def _failure(value: object) -> str | None:
    if is_missing(value) or value is False or value in ([], {}):
        return None
    text = value if isinstance(value, str) else json_text(value)
    return clean_text(text)[:MAX_TEXT_CHARS] or None
