"""What a question takes: latency by stage and in all, calls, tokens and cost."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from finrag.records.columns import nullable, required
from finrag.systems.gates import MADE_SETS
from finrag.systems.kinds import EXTERNAL_KINDS

Row = Mapping[str, Any]
# A system and an item; a system and a gold set.
Pair = tuple[str, str]

STAGE: Final = pa.struct(
    [
        *required(pa.string(), "stage"),
        *required(pa.int32(), "stage_pos"),
        *required(pa.int64(), "n_timed"),
        *required(pa.float64(), "latency_p50_ms", "latency_p95_ms"),
    ]
)
EFFICIENCY_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), "system_id", "gold_set"),
        *required(pa.int64(), "n_items", "n_timed"),
        *nullable(pa.float64(), "latency_p50_ms", "latency_p95_ms"),
        *required(pa.int64(), "n_calls", "input_tokens", "output_tokens"),
        *nullable(pa.float64(), "cost_usd_per_query"),
        *required(pa.bool_(), "is_cost_known"),
        *nullable(pa.string(), "cost_source"),
        *nullable(pa.float64(), "embedding_tokens_per_query", "embedding_cost_usd_per_query"),
        *nullable(pa.float64(), "embedding_tokens_per_filing", "embedding_cost_usd_per_filing"),
        *required(pa.int64(), "n_right"),
        *nullable(pa.float64(), "tokens_per_right_answer"),
        pa.field("stages", pa.list_(STAGE), nullable=False),
    ]
)
_EMBED: Final = "embed"
# The answer comes after the stages of a search, and so does what no stage accounts for.
_LAST: Final = 1000
_PAID: Final = "openai:"
_DIGITS: Final = 9
_MILLION: Final = 1_000_000.0


@dataclass(frozen=True)
class Known:
    """What is known of the work of systems, as tables.

    Attributes:
        systems: ``registered_systems``: ``system_id``, ``system_kind``, ``encoder`` and
            ``chunk_vectors``.
        searched: ``retrieval_outcomes``: system, gold set, item and outcome of a search.
        stages: ``query_stages``: those of searches, by system, item and unit.
        answers: ``answers``: system, gold set, item, outcome and ``latency_ms``.
        outside: ``external_predictions``: what outside systems state of a question.
        calls: ``llm_calls``: tokens and price of each call of a language model.
        prices: ``llm_prices``.
        items: ``item_id``, ``gold_set`` and ``question_text``; None of an anchor.
        sessions: ``context_tokens`` of the steps of agents, by system and item.
        contexts: ``n_tokens`` of passages in contexts, by system and item.
        verdicts: ``answer_verdicts``: system, gold set, item and ``is_right``.
        corpus: one row: ``n_filings``, ``n_text_tokens`` of its distinct sentences, and
            ``n_chunk_tokens``.
    """

    systems: pa.Table
    searched: pa.Table
    stages: pa.Table
    answers: pa.Table
    outside: pa.Table
    calls: pa.Table
    prices: pa.Table
    items: pa.Table
    sessions: pa.Table
    contexts: pa.Table
    verdicts: pa.Table
    corpus: pa.Table


@dataclass(frozen=True)
class _Timed:
    """How long an item took: its stages by name, with their place, and all of it."""

    stages: Mapping[str, tuple[int, float]]
    total_ms: float | None


@dataclass(frozen=True)
class _Called:
    """The calls of language models for an item; a count that one of them lacks is None."""

    n_calls: int
    n_unpriced: int
    input_tokens: int
    output_tokens: int
    price_usd: float
    is_counted: bool


@dataclass(frozen=True)
class _Spent:
    """What an outside system spent on an item, and whether it states that itself."""

    cost_usd: float | None
    is_stated: bool
    is_failed: bool


@dataclass(frozen=True)
class _Embedding:
    """What a system of the warehouse embeds for a gold set; a price is None where not known."""

    query_tokens: int
    tokens_per_filing: float | None
    usd_per_token: float | None


def measure_efficiency(known: Known, token: str) -> pa.Table:
    """Measure latency, tokens and cost.

    What was not run took no time and is no item. What is timed here runs stage by stage, and an
    item takes as long as all of them. An outside system may state a total: the item takes as
    long, and its stages are parts of that, whether they overlap or not. What they leave of it is
    the stage ``other``, and all of it the stage ``answer`` where no stage is stated. Without a
    total its stages add up.

    The cost of a question is the price of its calls and of the tokens that are embedded for it; of
    an outside system the mean of what it states, or of what its tokens cost. It is unknown where
    a price or a count is missing.

    Args:
        known: what systems did.
        token: regular expression of a token, as the warehouse counts them.

    Returns:
        A row per system and gold set that it searched or answered, in this order, under
        ``EFFICIENCY_SCHEMA``.
    """
    stated = {_pair(row): row for row in known.outside.to_pylist()}
    stages = _embedded_once(known.stages.to_pylist())
    answers = [row for row in known.answers.to_pylist() if row["outcome"] != "not_run"]
    timed = _timed(stages, answers, stated)
    asked = _asked(known.searched.to_pylist(), answers)
    called = _called(known.calls.to_pylist())
    prices = {row["model"]: row for row in known.prices.to_pylist()}
    spent = {pair: _spent(row, prices.get(row["model"])) for pair, row in stated.items()}
    embedded = _embedded(known, stages, prices, re.compile(token, re.ASCII))
    right = _right(known, called, stated)
    rows = []
    for (system_id, gold_set), items in sorted(asked.items()):
        pairs = [(system_id, item_id) for item_id in sorted(items)]
        rows.append(
            {
                **{"system_id": system_id, "gold_set": gold_set, "n_items": len(pairs)},
                **_latencies([timed[pair] for pair in pairs if pair in timed]),
                **_costs(pairs, called, spent, stated, embedded.get((system_id, gold_set))),
                **right.get((system_id, gold_set), _NOTHING_RIGHT),
            }
        )
    return pa.Table.from_pylist(rows, schema=EFFICIENCY_SCHEMA)


_NOTHING_RIGHT: Final = {"n_right": 0, "tokens_per_right_answer": None}


def _pair(row: Row) -> Pair:
    return row["system_id"], row["item_id"]


def _asked(searched: Iterable[Row], answers: Iterable[Row]) -> dict[Pair, set[str]]:
    """The items that were searched for or answered, by system and gold set."""
    found: dict[Pair, set[str]] = defaultdict(set)
    for row in (*searched, *answers):
        if row["outcome"] != "not_run":
            found[row["system_id"], row["gold_set"]].add(row["item_id"])
    return found


def _embedded_once(stages: Sequence[Row]) -> list[Row]:
    """The stages; a question is embedded once for all kinds of passage, though each repeats it."""
    first: dict[Pair, str] = {}
    for row in stages:
        if row["stage"] == _EMBED:
            pair = _pair(row)
            first[pair] = min(row["unit"], first.get(pair, row["unit"]))
    return [row for row in stages if row["stage"] != _EMBED or row["unit"] == first[_pair(row)]]


def _parts(
    stages: Iterable[Row], answers: Iterable[Row], stated: Mapping[Pair, Row]
) -> Iterator[tuple[Pair, str, int, float | None]]:
    """The stages of items, by pair: name, place, milliseconds."""
    for row in stages:
        if _pair(row) not in stated:
            yield _pair(row), row["stage"], row["stage_pos"], row["latency_ms"]
    for row in answers:
        if _pair(row) not in stated:
            yield _pair(row), "answer", _LAST, row["latency_ms"]
    for pair, row in stated.items():
        for one in row["stages"] or ():
            yield pair, one["stage"], one["stage_pos"], one["latency_ms"]


def _timed(
    stages: Iterable[Row], answers: Iterable[Row], stated: Mapping[Pair, Row]
) -> dict[Pair, _Timed]:
    """How long each item took."""
    parts: dict[Pair, dict[str, list[tuple[int, float]]]] = defaultdict(lambda: defaultdict(list))
    for pair, stage, place, latency_ms in _parts(stages, answers, stated):
        if latency_ms is not None:
            parts[pair][stage].append((place, latency_ms))
    totals = {
        pair: row["latency_ms"] for pair, row in stated.items() if row["latency_ms"] is not None
    }
    for pair, total in totals.items():
        rest = total - math.fsum(_all_of(parts[pair].values()))
        if not parts[pair]:
            parts[pair]["answer"].append((_LAST, rest))
        elif rest > 0:
            parts[pair]["other"].append((_LAST, rest))
    return {
        pair: _Timed(
            {
                stage: (min(place for place, _ in listed), math.fsum(ms for _, ms in listed))
                for stage, listed in of_item.items()
            },
            totals.get(pair, math.fsum(_all_of(of_item.values()))),
        )
        for pair, of_item in parts.items()
    }


def _all_of(stages: Iterable[Sequence[tuple[int, float]]]) -> Iterator[float]:
    return (latency_ms for listed in stages for _, latency_ms in listed)


def _latencies(timed: Sequence[_Timed]) -> dict[str, Any]:
    """Quantiles of items, and of the stages that they have."""
    totals = [one.total_ms for one in timed if one.total_ms is not None]
    names = sorted({stage for one in timed for stage in one.stages})
    stages = []
    for name in names:
        of_stage = [one.stages[name] for one in timed if name in one.stages]
        latencies = [latency_ms for _, latency_ms in of_stage]
        place = min(place for place, _ in of_stage)
        counted = {"stage": name, "stage_pos": place, "n_timed": len(of_stage)}
        stages.append({**counted, **_quantiles(latencies)})
    return {"n_timed": len(totals), **_quantiles(totals), "stages": stages}


def _quantiles(latencies: Sequence[float]) -> dict[str, float | None]:
    return {
        "latency_p50_ms": _quantile(latencies, 0.5),
        "latency_p95_ms": _quantile(latencies, 0.95),
    }


def _quantile(values: Sequence[float], share: float) -> float | None:
    """The value below which such a share lies, between two of them in proportion."""
    if not values:
        return None
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _called(calls: Iterable[Row]) -> dict[Pair, _Called]:
    listed: dict[Pair, list[Row]] = defaultdict(list)
    for row in calls:
        listed[_pair(row)].append(row)
    return {
        pair: _Called(
            n_calls=len(rows),
            n_unpriced=sum(row["price_usd"] is None for row in rows),
            input_tokens=sum(row["input_tokens"] or 0 for row in rows),
            output_tokens=sum(row["output_tokens"] or 0 for row in rows),
            price_usd=math.fsum(row["price_usd"] or 0 for row in rows),
            is_counted=all(_has_tokens(row) for row in rows),
        )
        for pair, rows in listed.items()
    }


def _has_tokens(row: Row) -> bool:
    return row["input_tokens"] is not None and row["output_tokens"] is not None


def _spent(row: Row, price: Row | None) -> _Spent:
    """The cost that an outside system states counts before one that its tokens make."""
    cost, is_stated = row["cost_usd"], row["cost_usd"] is not None
    if not is_stated and price is not None and _has_tokens(row):
        in_price, out_price = price["input_usd_per_million"], price["output_usd_per_million"]
        if in_price is not None and out_price is not None:
            cost = (row["input_tokens"] * in_price + row["output_tokens"] * out_price) / _MILLION
    return _Spent(cost, is_stated, row["failure"] is not None)


def _costs(
    pairs: Sequence[Pair],
    called: Mapping[Pair, _Called],
    spent: Mapping[Pair, _Spent],
    stated: Mapping[Pair, Row],
    embedding: _Embedding | None,
) -> dict[str, Any]:
    """Calls, tokens and cost of the items of a gold set.

    What another party's system embeds is in no table here, and what it spends only where it
    states that.
    """
    calls = [called[pair] for pair in pairs if pair in called]
    counted: dict[str, Any] = {"n_calls": sum(one.n_calls for one in calls)}
    for name in ("input_tokens", "output_tokens"):
        counted[name] = sum(
            getattr(called[pair], name) if pair in called else stated[pair][name] or 0
            for pair in pairs
            if pair in called or pair in stated
        )
    if embedding is None:
        return counted | _outside_cost(pairs, spent)
    is_known = embedding.usd_per_token is not None and not any(one.n_unpriced for one in calls)
    per_query, per_token = embedding.query_tokens / len(pairs), embedding.usd_per_token
    price = math.fsum(one.price_usd for one in calls) / len(pairs)
    cost = price + per_query * per_token if is_known and per_token is not None else None
    per_filing = embedding.tokens_per_filing
    return counted | {
        "cost_usd_per_query": _rounded(cost),
        "is_cost_known": is_known,
        "cost_source": "computed" if is_known else None,
        "embedding_tokens_per_query": _rounded(per_query),
        "embedding_cost_usd_per_query": _rounded(_product(per_query, per_token)),
        "embedding_tokens_per_filing": _rounded(per_filing),
        "embedding_cost_usd_per_filing": _rounded(_product(per_filing, per_token)),
    }


def _outside_cost(pairs: Sequence[Pair], spent: Mapping[Pair, _Spent]) -> dict[str, Any]:
    """The mean of what was spent; a question that failed may have cost nothing."""
    known = [spent[pair] for pair in pairs if pair in spent and spent[pair].cost_usd is not None]
    silent = [pair for pair in pairs if pair not in spent or spent[pair].cost_usd is None]
    is_known = bool(known) and all(pair in spent and spent[pair].is_failed for pair in silent)
    n_stated = sum(one.is_stated for one in known)
    source = {0: "computed", len(known): "stated"}.get(n_stated, "mixed")
    return {
        "cost_usd_per_query": _rounded(
            math.fsum(one.cost_usd or 0 for one in known) / len(known) if is_known else None
        ),
        "is_cost_known": is_known,
        "cost_source": source if is_known else None,
    }


def _product(amount: float | None, price: float | None) -> float | None:
    return None if amount is None or price is None else amount * price


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


def _embedded(
    known: Known, stages: Iterable[Row], prices: Mapping[str, Row], token: re.Pattern[str]
) -> dict[Pair, _Embedding]:
    """What systems of the warehouse embed, by gold set.

    Tokens are counted as the warehouse counts them; a model counts some more. An encoder on this
    machine costs nothing; one behind an endpoint costs its price, which is not known where it has
    no row.
    """
    (corpus,) = known.corpus.to_pylist()
    items = {row["item_id"]: row for row in known.items.to_pylist()}
    gold_sets = sorted({row["gold_set"] for row in items.values()})
    queried: dict[Pair, int] = defaultdict(int)
    # A query that embeds several forms of a question counts it as often. The vector of an anchor
    # is one of the corpus.
    for row in stages:
        item = items.get(row["item_id"])
        if row["stage"] == _EMBED and item is not None and item["question_text"] is not None:
            n_tokens = len(token.findall(item["question_text"]))
            queried[row["system_id"], item["gold_set"]] += (row["n_in"] or 0) * n_tokens
    found = {}
    for system in known.systems.to_pylist():
        if system["system_kind"] in EXTERNAL_KINDS:
            continue
        usd = _usd_per_million(system["encoder"], prices)
        n_tokens = _corpus_tokens(system, corpus)
        for gold_set in gold_sets:
            is_filed = gold_set in MADE_SETS and corpus["n_filings"]
            found[system["system_id"], gold_set] = _Embedding(
                queried[system["system_id"], gold_set],
                n_tokens / corpus["n_filings"] if is_filed else None,
                None if usd is None else usd / _MILLION,
            )
    return found


def _usd_per_million(encoder: str | None, prices: Mapping[str, Row]) -> float | None:
    if encoder is None or not encoder.startswith(_PAID):
        return 0.0
    # The prompts of a model stand behind its name.
    row = prices.get(encoder.removeprefix(_PAID).partition("?")[0])
    price: float | None = row["input_usd_per_million"] if row is not None else None
    return price


def _corpus_tokens(system: Row, corpus: Row) -> int:
    """Tokens of the corpus that a system embeds: of texts, and of chunks if it encodes these."""
    if system["encoder"] is None:
        return 0
    chunks = corpus["n_chunk_tokens"] if system["chunk_vectors"] == "encoded" else 0
    return int(corpus["n_text_tokens"] + chunks)


def _right(
    known: Known, called: Mapping[Pair, _Called], stated: Mapping[Pair, Row]
) -> dict[Pair, dict[str, Any]]:
    """Right answers by system and gold set, and what was read for one: wrong answers cost too."""
    sessions: dict[Pair, int] = {}
    for row in known.sessions.to_pylist():
        if row["context_tokens"] is not None:
            pair = _pair(row)
            sessions[pair] = max(row["context_tokens"], sessions.get(pair, 0))
    contexts: dict[Pair, int] = defaultdict(int)
    for row in known.contexts.to_pylist():
        if row["n_tokens"] is not None:
            contexts[_pair(row)] += row["n_tokens"]
    verdicts: dict[Pair, list[Row]] = defaultdict(list)
    for row in known.verdicts.to_pylist():
        verdicts[row["system_id"], row["gold_set"]].append(row)
    found = {}
    for place, rows in verdicts.items():
        n_right = sum(row["is_right"] is True for row in rows)
        tokens = [
            _tokens_read(called.get(pair), stated.get(pair), sessions.get(pair, contexts.get(pair)))
            for pair in map(_pair, rows)
        ]
        # A sum over the questions that were counted would be too small.
        total = sum(one or 0 for one in tokens) if None not in tokens and n_right else None
        found[place] = {
            "n_right": n_right,
            "tokens_per_right_answer": _rounded(None if total is None else total / n_right),
        }
    return found


def _tokens_read(called: _Called | None, stated: Row | None, here: int | None) -> int | None:
    """What was read for a question: by a language model, or in a session or a context.

    Tokens of a model are those that its endpoint or its owner counts, others as the warehouse
    counts them. Where requests were made and one was not counted, nobody knows.
    """
    if called is not None:
        return called.input_tokens + called.output_tokens if called.is_counted else None
    if stated is not None and (
        stated["input_tokens"] is not None or stated["output_tokens"] is not None
    ):
        return stated["input_tokens"] + stated["output_tokens"] if _has_tokens(stated) else None
    return here
