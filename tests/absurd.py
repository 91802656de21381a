"""Records of a system with a number in them that nothing measures, such as 10^23 dollars."""

import math

NUMBERS = {
    "1e23": 1e23,
    "1e308": 1e308,
    "-1e23": -1e23,
    "10**400": 10**400,
    "of 401 digits": "1" + "0" * 400,
    "2**70": 2**70,
    "2**63 - 1": 2**63 - 1,
    "infinity": math.inf,
    "NaN": math.nan,
}
# What is added up over questions, and must stay below what an exact sum can hold.
SPENT = ("latency_ms", "cost_usd", "input_tokens", "output_tokens", "n_steps")
_STEP = ("turn_pos", "call_pos", "n_new", "latency_ms", "price_usd")
_COUNTED = ("observation_tokens", "context_tokens", "input_tokens", "output_tokens")


def _in_ranking(record, number):
    places = record.get("ranking") or [{"sentence_id": "unknown"}]
    return {"ranking": [{**places[0], "score": number, "rank": number}, *places[1:]]}


def _in_step(name):
    def spoil(_, number):
        values = {"result_ids": ["c"], "result_scores": [1.0]}
        value = [number] if name == "result_scores" else number
        return {"steps": [{"tool_name": "keyword_search", **values, name: value}]}

    return spoil


def _in_words(record, number):
    words = f"{number:.0f}" if isinstance(number, float) else str(number)
    return {"predicted": f"It was ${words} million.", "numeric_value": None}


# By name of the field: what it makes of a record with a number.
FIELDS = {
    **{name: lambda _, number, name=name: {name: number} for name in (*SPENT, "numeric_value")},
    **{f"step {name}": _in_step(name) for name in (*_STEP, *_COUNTED, "result_scores")},
    "usage": lambda _, number: {"cost_usd": None, "usage": {"cost": number, "tokens": number}},
    "stage": lambda _, number: {"timings": {"retrieve": number}},
    "total": lambda _, number: {"latency_ms": None, "timings": {"retrieve": 4, "total": number}},
    "score and rank": _in_ranking,
    "candidate": lambda _, number: {"candidates": {"text": [{"id": "x", "score": number}]}},
    "page": lambda _, number: {"citations": [{"document": "x.pdf", "page": number}]},
    "figure alone": lambda _, number: {"predicted": None, "numeric_value": number},
    "scaled figure": lambda _, number: {"numeric_value": number, "unit": "USD millions"},
    "answer": lambda _, number: {"predicted": number, "numeric_value": None},
    "list": lambda _, number: {"predicted": [number, number], "numeric_value": None},
    "words": _in_words,
    "other field": lambda _, number: {"confidence": number},
}
KINDS = [(field, number) for field in FIELDS for number in NUMBERS]


def spoilt(record, field, number):
    """A record with a number of ``NUMBERS``, by its name, in a field of ``FIELDS``."""
    return {**record, **FIELDS[field](record, NUMBERS[number])}
