"""What a question takes: latency by stage and in all, calls, tokens and cost."""

import pyarrow as pa
import pytest

from finrag.metrics.efficiency import EFFICIENCY_SCHEMA, Known, measure_efficiency

TEXT, WHOLE, NUMBER = pa.string(), pa.int64(), pa.float64()
ITEM = {"system_id": TEXT, "gold_set": TEXT, "item_id": TEXT}
STAGE = {"stage": TEXT, "stage_pos": WHOLE, "latency_ms": NUMBER}
SCHEMAS = {
    "systems": dict.fromkeys(("system_id", "system_kind", "encoder", "chunk_vectors"), TEXT),
    "searched": {**ITEM, "outcome": TEXT},
    "stages": {"system_id": TEXT, "item_id": TEXT, "unit": TEXT, **STAGE, "n_in": WHOLE},
    "answers": {**ITEM, "outcome": TEXT, "latency_ms": NUMBER},
    "outside": {
        **{"system_id": TEXT, "item_id": TEXT, "latency_ms": NUMBER, "cost_usd": NUMBER},
        **{"input_tokens": WHOLE, "output_tokens": WHOLE, "model": TEXT, "failure": TEXT},
        "stages": pa.list_(pa.struct(list(STAGE.items()))),
    },
    "calls": {
        **{"system_id": TEXT, "item_id": TEXT, "price_usd": NUMBER},
        **{"input_tokens": WHOLE, "output_tokens": WHOLE},
    },
    "prices": {
        "model": TEXT,
        **{"input_usd_per_million": NUMBER, "output_usd_per_million": NUMBER},
    },
    "items": {"item_id": TEXT, "gold_set": TEXT, "question_text": TEXT},
    "sessions": {"system_id": TEXT, "item_id": TEXT, "context_tokens": WHOLE},
    "contexts": {"system_id": TEXT, "item_id": TEXT, "n_tokens": WHOLE},
    "verdicts": {**ITEM, "is_right": pa.bool_()},
    "corpus": {"n_filings": WHOLE, "n_text_tokens": WHOLE, "n_chunk_tokens": WHOLE},
}
CORPUS = {"n_filings": 4, "n_text_tokens": 8000, "n_chunk_tokens": 20}


def measure(**rows):
    """Rows by system and gold set."""
    given = {"corpus": [CORPUS], **rows}
    tables = {
        name: pa.Table.from_pylist(list(given.get(name, ())), pa.schema(list(kinds.items())))
        for name, kinds in SCHEMAS.items()
    }
    found = measure_efficiency(Known(**tables), "[A-Za-z]+")
    assert found.schema == EFFICIENCY_SCHEMA
    return {(row["system_id"], row["gold_set"]): row for row in found.to_pylist()}


def asked(system_id, item_id, outcome="answered", latency_ms=None, gold_set="p3"):
    return {
        **{"system_id": system_id, "gold_set": gold_set, "item_id": item_id},
        **{"outcome": outcome, "latency_ms": latency_ms},
    }


def stage(system_id, item_id, name, place, latency_ms, unit="sentence", n_in=None):
    return {
        **{"system_id": system_id, "item_id": item_id, "unit": unit, "stage": name},
        **{"stage_pos": place, "latency_ms": latency_ms, "n_in": n_in},
    }


def shown(row):
    """Stages of a row: name, place, how many items, the median."""
    names = ("stage", "stage_pos", "n_timed", "latency_p50_ms")
    return [tuple(one[name] for name in names) for one in row["stages"]]


def test_an_item_is_timed_by_what_was_run_for_it():
    """Two searches of one stage are summed, the answer comes last, what was not run is no item.

    In a public set the searches of texts and of rows are one stage, and the question is embedded
    once for both. A set that a system answers without a search is one of its sets.
    """
    found = measure(
        searched=[
            asked("paid", "p3:x", "ranked"),
            asked("paid", "p3:y", "failed"),
            asked("paid", "p3:z", "not_run"),
            asked("speaks", "p3:x", "not_run"),
            *(asked("paid", "b:x", "ranked", gold_set="b") for _ in range(2)),
        ],
        stages=[
            *(stage("paid", "b:x", "embed", 0, 4, unit) for unit in ("row", "text")),
            stage("paid", "b:x", "search", 1, 3, "row"),
            stage("paid", "b:x", "search", 1, 8, "text"),
            stage("paid", "p3:x", "search", 0, 10),
            stage("paid", "p3:x", "search", 1, 20),
            stage("paid", "p3:y", "search", 0, None),
        ],
        answers=[
            asked("paid", "p3:x", latency_ms=70),
            asked("paid", "p3:y", "failed"),
            asked("paid", "p3:z", "not_run"),
            asked("speaks", "p3:x", "not_run"),
            asked("speaks", "b:x", latency_ms=9, gold_set="b"),
        ],
    )
    assert sorted(found) == [("paid", "b"), ("paid", "p3"), ("speaks", "b")]
    assert shown(found["paid", "b"]) == [("embed", 0, 1, 4), ("search", 1, 1, 11)]
    assert found["paid", "b"]["latency_p50_ms"] == 15
    assert shown(found["paid", "p3"]) == [("answer", 1000, 1, 70), ("search", 0, 1, 30)]
    counts = ("n_items", "n_timed", "latency_p50_ms")
    assert [found["paid", "p3"][name] for name in counts] == [2, 1, 100]
    assert shown(found["speaks", "b"]) == [("answer", 1000, 1, 9)]


@pytest.mark.parametrize(
    ("latency_ms", "stages", "total", "expected"),
    [
        # Stages within a total leave the rest of it.
        (
            940,
            {"retrieve": 35, "generate": 900},
            940,
            {"retrieve": 35, "generate": 900, "other": 5},
        ),
        # Those that overlap leave nothing, nor do those that come to all of it.
        (940, {"retrieve": 90, "generate": 900}, 940, {"retrieve": 90, "generate": 900}),
        (40, {"retrieve": 40}, 40, {"retrieve": 40}),
        # One that could not be read is no time.
        (
            *(None, {"retrieve": 90, "generate": 900, "check": None}),
            *(990, {"retrieve": 90, "generate": 900}),
        ),
        (7, None, 7, {"answer": 7}),
        (None, None, None, {}),
    ],
)
def test_the_total_that_an_outside_system_states_is_its_latency(
    latency_ms, stages, total, expected
):
    listed = stages and [
        {"stage": name, "stage_pos": place, "latency_ms": one}
        for place, (name, one) in enumerate(stages.items())
    ]
    given = {"system_id": "out", "item_id": "a", "latency_ms": latency_ms, "stages": listed}
    found = measure(
        searched=[asked("out", "a", "ranked")],
        # What was imported for it is not counted twice.
        stages=[stage("out", "a", "retrieve", 0, 35)],
        answers=[asked("out", "a", latency_ms=latency_ms)],
        outside=[given],
    )["out", "p3"]
    assert (found["latency_p50_ms"], found["n_items"]) == (total, 1)
    assert {name: ms for name, _, _, ms in shown(found)} == expected


def test_quantiles_lie_between_two_items_in_proportion():
    found = measure(answers=[asked("s", "x", latency_ms=30), asked("s", "y", latency_ms=50)])
    row = found["s", "p3"]
    assert (row["latency_p50_ms"], row["latency_p95_ms"]) == (40, pytest.approx(49))


QUESTIONS = [
    {"item_id": "p3:x", "gold_set": "p3", "question_text": "What was the paid fee"},
    {"item_id": "i", "gold_set": "p1", "question_text": None},
    {"item_id": "b:x", "gold_set": "b", "question_text": "What was the paid fee"},
]


def test_a_query_costs_what_its_calls_and_embeddings_take():
    """One call without a price makes the cost unknown, as does an encoder without one."""
    found = measure(
        systems=[
            {"system_id": "idle", "system_kind": "bm25"},
            {"system_id": "party", "system_kind": "external_http"},
            {"system_id": "paid", "system_kind": "naive_rag", "encoder": "openai:embed"},
            {"system_id": "unpriced", "system_kind": "naive_rag", "encoder": "minilm"},
            {"system_id": "unknown", "system_kind": "naive_rag", "encoder": "openai:other"},
        ],
        searched=[
            asked("idle", "i", "ranked", gold_set="p1"),
            asked("party", "p3:x", "ranked"),
            *(asked("paid", item, "ranked") for item in ("p3:x", "p3:y")),
            asked("paid", "i", "ranked", gold_set="p1"),
            asked("paid", "b:x", "ranked", gold_set="b"),
            asked("unpriced", "p3:x", "ranked"),
            asked("unknown", "p3:x", "ranked"),
        ],
        stages=[
            stage("paid", "p3:x", "embed", 0, None, n_in=10),
            stage("paid", "b:x", "embed", 0, None, "row", n_in=2),
            stage("paid", "b:x", "embed", 0, None, "text", n_in=2),
            stage("unpriced", "p3:x", "embed", 0, None, n_in=10),
        ],
        calls=[
            # That of a judge belongs to another item.
            {"system_id": s, "item_id": i, "input_tokens": a, "output_tokens": b, "price_usd": c}
            for s, i, a, b, c in (
                ("paid", "p3:x", 100, 10, 0.01),
                ("paid", "p3:x", 200, 20, 0.02),
                ("paid", "p3:judged", 900, 90, 0.09),
                ("unpriced", "p3:x", 100, None, None),
                ("unpriced", "p3:x", None, 10, 0.01),
            )
        ],
        prices=[{"model": "embed", "input_usd_per_million": 20.0}],
        items=QUESTIONS,
    )
    names = (
        *("n_calls", "input_tokens", "output_tokens", "cost_usd_per_query", "is_cost_known"),
        *("embedding_tokens_per_query", "embedding_tokens_per_filing"),
        "embedding_cost_usd_per_filing",
    )
    assert {key: tuple(row[name] for name in names) for key, row in found.items()} == {
        ("idle", "p1"): (0, 0, 0, 0.0, True, 0.0, 0.0, 0.0),
        # What another party embeds is in no table.
        ("party", "p3"): (0, 0, 0, None, False, None, None, None),
        # A public set has no filings.
        ("paid", "b"): (0, 0, 0, 0.0002, True, 10.0, None, None),
        ("paid", "p1"): (0, 0, 0, 0.0, True, 0.0, 2000.0, 0.04),
        ("paid", "p3"): (2, 300, 30, 0.0155, True, 25.0, 2000.0, 0.04),
        ("unpriced", "p3"): (2, 100, 10, None, False, 50.0, 2000.0, 0.0),
        ("unknown", "p3"): (0, 0, 0, None, False, 0.0, 2000.0, None),
    }


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        # What is stated counts before what tokens would cost; a failed question may cost nothing.
        ([{"cost_usd": 0.5, "tokens": True}, {"failure": "timed out"}], (0.5, "stated")),
        ([{"tokens": True}], (0.012, "computed")),
        ([{"tokens": True}, {"cost_usd": 0.028}], (0.02, "mixed")),
        ([{"cost_usd": 0.5}, {"tokens": True, "model": "other"}], (None, None)),
        ([{}], (None, None)),
        ([{"failure": "timed out"}], (None, None)),
    ],
)
def test_a_stated_cost_counts_before_a_computed_one(stated, expected):
    def row(place, given):
        tokens = {"input_tokens": 1000, "output_tokens": 100} if given.pop("tokens", 0) else {}
        return {"system_id": "s", "item_id": str(place), "model": "tarn", **tokens, **given}

    rows = [row(place, dict(given)) for place, given in enumerate(stated)]
    found = measure(
        systems=[{"system_id": "s", "system_kind": "external_file"}],
        answers=[asked("s", one["item_id"]) for one in rows],
        outside=rows,
        items=QUESTIONS,
        prices=[{"model": "tarn", "input_usd_per_million": 10.0, "output_usd_per_million": 20.0}],
    )["s", "p3"]
    cost, source = expected
    assert found["cost_usd_per_query"] == (None if cost is None else pytest.approx(cost))
    assert (found["cost_source"], found["is_cost_known"]) == (source, cost is not None)


@pytest.mark.parametrize(
    ("encoder", "chunk_vectors", "tokens", "cost"),
    [
        # Words alone embed nothing, and what runs here is free.
        (None, None, 0.0, 0.0),
        ("minilm", None, 2000.0, 0.0),
        ("openai:embed?query_prompt=q", "mean", 2000.0, 0.001),
        ("openai:embed", "encoded", 2005.0, 0.0010025),
        ("openai:other", None, 2000.0, None),
    ],
)
def test_embeddings_are_priced_by_their_encoder(encoder, chunk_vectors, tokens, cost):
    system = {"system_id": "s", "system_kind": "dense", "encoder": encoder}
    found = measure(
        systems=[{**system, "chunk_vectors": chunk_vectors}],
        searched=[asked("s", "p3:x", "ranked")],
        items=QUESTIONS,
        prices=[
            {"model": "embed", "input_usd_per_million": 0.5},
            {"model": "minilm", "input_usd_per_million": 9.0},
        ],
    )["s", "p3"]
    assert found["embedding_tokens_per_filing"] == tokens
    price = found["embedding_cost_usd_per_filing"]
    assert price == (None if cost is None else pytest.approx(cost))


def test_a_corpus_without_filings_embeds_nothing_for_one():
    found = measure(
        systems=[{"system_id": "s", "system_kind": "dense", "encoder": "minilm"}],
        searched=[asked("s", "p3:x", "ranked")],
        items=QUESTIONS,
        corpus=[{"n_filings": 0, "n_text_tokens": 0, "n_chunk_tokens": 0}],
    )["s", "p3"]
    assert (found["embedding_tokens_per_filing"], found["is_cost_known"]) == (None, True)


def verdict(system_id, item_id, is_right, gold_set="p3"):
    return {
        **{"system_id": system_id, "gold_set": gold_set, "item_id": item_id},
        "is_right": is_right,
    }


def test_wrong_answers_cost_tokens_too():
    """All tokens over the right answers alone: of calls, else the session, else the context."""

    def tokens(system_id, item_id, n_in=90, n_out=10):
        return {
            **{"system_id": system_id, "item_id": item_id},
            **{"input_tokens": n_in, "output_tokens": n_out},
        }

    found = measure(
        answers=[asked(one, "called") for one in ("a", "wrong", "half", "part", "own")],
        verdicts=[
            verdict("a", "called", True),
            verdict("a", "stepped", True),
            verdict("a", "read", False),
            verdict("a", "stated", None),
            verdict("a", "b:1", True, "b"),
            verdict("wrong", "called", False),
            verdict("half", "called", True),
            verdict("half", "uncounted", True),
            verdict("part", "called", True),
            verdict("own", "stated", True),
        ],
        calls=[
            *(tokens(one, "called") for one in ("a", "wrong", "half", "part")),
            tokens("part", "called", None, None),
        ],
        sessions=[
            {"system_id": "a", "item_id": item, "context_tokens": n}
            for item, n in (("called", 7), ("stepped", 30), ("stepped", 120))
        ],
        contexts=[
            {"system_id": one, "item_id": item, "n_tokens": n}
            for one, item, n in (
                *(("a", "stepped", 5), ("a", "read", 40), ("a", "read", 10), ("a", "stated", 5)),
                *(("part", "called", 5), ("own", "stated", 5)),
            )
        ],
        outside=[tokens("a", "stated", 30, 0), tokens("own", "stated", 30, None)],
    )
    rights = {
        key[0]: (row["n_right"], row["tokens_per_right_answer"]) for key, row in found.items()
    }
    assert rights == {
        "a": (2, 150.0),
        "wrong": (0, None),
        "half": (2, None),
        "part": (1, None),
        "own": (1, None),
    }
