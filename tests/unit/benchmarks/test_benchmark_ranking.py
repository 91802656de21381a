"""Ranking of benchmark passages: spaces, regimes, ties, what is not run. All texts are invented."""

import contextlib
import itertools
import math
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from finrag import embeddings
from finrag.benchmarks.ranking import BENCHMARK_RANKING_SCHEMA, rank_benchmarks, takes_part

LISTED = Path(__file__).parents[3] / "models/metrics/int_benchmark_systems_listed.sql"
ITEM_SCHEMA = pa.schema(
    [(name, pa.string()) for name in ("benchmark", "item_id", "question_text", "document_id")]
)
PASSAGE_SCHEMA = pa.schema(
    [
        (name, pa.string())
        for name in ("benchmark", "passage_id", "document_id", "space", "passage_text")
    ]
)
PASSAGES = [
    ("b", "a#text-0", "a", "text", "paint sales rose in Norway"),
    ("b", "a#text-1", "a", "text", "the harbour lease ends in May"),
    ("b", "a#row-0-0", "a", "row", "paint: 12"),
    ("b", "a#cell-0-0-1", "a", "cell", "paint sales rose in Norway"),
    ("b", "c#text-0", "c", "text", "paint sales fell in Chile"),
    ("b", "c#text-1", "c", "text", "paint sales rose in Norway"),
]
QUESTION = ("b", "b:1", "where did paint sales rise, Norway?", "a")


def system(kind, regime="open", **settings):
    return {
        "system_id": f"{kind}_{regime}",
        "system_kind": kind,
        "asks": "both",
        "regime": regime,
        "encoder": "wordllama" if kind in ("dense", "hybrid") else None,
        "index_type": "flat" if kind in ("dense", "hybrid") else None,
        "bm25_k1": 1.5,
        "bm25_b": 0.75,
        "depth": 50,
        "random_seed": 11,
        "n_candidates": 100,
        "fusion": "rrf",
        "rrf_k": 60,
        "dense_weight": 0.5,
        "sparse_weight": 0.5,
        "reranker": "none",
        "near_duplicate_cosine": None,
        "mmr_lambda": None,
        **settings,
    }


def table(rows, schema):
    return pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema)


@pytest.fixture
def rank(tmp_path):
    settings = {"state_dir": str(tmp_path), "encoder_batch_size": 16, "encoder_threads": 1}

    def run(*systems, items=(QUESTION,), passages=PASSAGES):
        # A table of no rows has no columns of its own.
        listed = pa.Table.from_pylist(list(systems)) if systems else pa.table({})
        reader = rank_benchmarks(
            listed, table(items, ITEM_SCHEMA), table(passages, PASSAGE_SCHEMA), settings
        )
        assert reader.schema.equals(BENCHMARK_RANKING_SCHEMA)
        return reader.read_all().to_pylist()

    return run


def found(rows, **where):
    return [
        row["passage_id"]
        for row in rows
        if row["rank"] is not None and all(row[name] == value for name, value in where.items())
    ]


@pytest.mark.parametrize("kind", ["dense", "bm25", "hybrid", "random"])
def test_a_filtered_search_stays_in_the_document_and_an_open_one_does_not(rank, kind):
    rows = rank(system(kind, "filtered"), system(kind, "open"))

    inside = found(rows, system_id=f"{kind}_filtered", space="text")
    everywhere = found(rows, system_id=f"{kind}_open", space="text")
    assert {passage[0] for passage in inside} == {"a"}
    assert {passage[0] for passage in everywhere} == {"a", "c"}


def test_a_space_is_ranked_by_itself_and_cells_are_not(rank):
    rows = rank(system("bm25"))

    assert {row["space"] for row in rows} == {"text", "row"}
    assert found(rows, space="row") == ["a#row-0-0"]
    assert not any("cell" in passage or "row" in passage for passage in found(rows, space="text"))


@pytest.mark.parametrize("kind", ["dense", "bm25"])
def test_equal_texts_tie_in_the_order_of_their_ids(rank, kind):
    rows = [row for row in rank(system(kind)) if row["space"] == "text"]

    assert [row["passage_id"] for row in rows[:2]] == ["a#text-0", "c#text-1"]
    assert [row["n_tied"] for row in rows[:3]] == [2, 2, 1]
    assert [row["rank"] for row in rows] == list(range(1, len(rows) + 1))


def test_a_text_is_embedded_once_however_often_it_stands(rank, monkeypatch):
    calls = []
    embed = embeddings.embed_queries

    def counted(texts, *arguments, **settings):
        calls.append(texts)
        return embed(texts, *arguments, **settings)

    monkeypatch.setattr(embeddings, "embed_queries", counted)
    turn = ("b", "a#turn-0", "a", "turn", "the harbour lease ends in May")
    systems = (system("dense"), system("hybrid"), system("dense", "filtered"))
    rank(*systems, passages=[*PASSAGES, turn])

    # Three texts, of which two stand twice, a row and the question.
    assert [len(texts) for texts in calls] == [5]


@pytest.mark.parametrize("kind", ["dense", "bm25", "hybrid", "random"])
@pytest.mark.parametrize("document", [None, "not loaded"])
def test_without_its_document_an_item_is_searched_openly_only(rank, kind, document):
    item = ("b", "b:1", "where did paint sales rise?", document)
    rows = rank(system(kind, "filtered"), system(kind, "open"), items=[item])

    away = [row for row in rows if row["system_id"] == f"{kind}_filtered"]
    assert [(row["rank"], row["failure"]) for row in away] == [(None, "no_document")] * 2
    assert found(rows, system_id=f"{kind}_open", space="text")


def test_nothing_in_common_is_an_empty_ranking_and_no_failure(rank):
    rows = rank(system("bm25"), items=[("b", "b:1", "zebra", "a")])

    assert [(row["space"], row["rank"], row["failure"]) for row in rows] == [
        ("text", None, None),
        ("row", None, None),
    ]


def test_bm25_is_that_of_lucene_over_all_of_the_space(rank):
    """Also for a filtered search: the document alone would give another weight to each word."""
    texts = ["rent rose rent", "rent fell", "wages fell fell fell"]
    passages = [("b", str(n), "a" if n else "z", "text", text) for n, text in enumerate(texts)]
    rows = rank(
        system("bm25", "filtered"), items=[("b", "b:1", "rent fell", "a")], passages=passages
    )

    def weight(word, text):
        words = [text.split() for text in texts]
        df = sum(word in each for each in words)
        tf, length = text.split().count(word), len(text.split())
        idf = math.log(1 + (len(texts) - df + 0.5) / (df + 0.5))
        return idf * tf / (tf + 1.5 * (0.25 + 0.75 * length / (sum(map(len, words)) / len(words))))

    expected = {str(n): weight("rent", texts[n]) + weight("fell", texts[n]) for n in (1, 2)}
    assert {row["passage_id"]: row["score"] for row in rows} == pytest.approx(expected, abs=2e-6)


def test_the_fused_list_is_the_sum_of_reciprocal_ranks(rank):
    rows = rank(system("dense"), system("bm25"), system("hybrid"))
    lists = [found(rows, system_id=name, space="text") for name in ("dense_open", "bm25_open")]
    sums = {}
    for passages in lists:
        for place, passage in enumerate(passages, start=1):
            sums[passage] = sums.get(passage, 0) + 0.5 / (60 + place)
    fused = {
        row["passage_id"]: row["score"]
        for row in rows
        if row["system_id"] == "hybrid_open" and row["space"] == "text"
    }

    assert fused == pytest.approx(sums, abs=1e-12)
    assert list(fused) == sorted(fused, key=lambda passage: (-sums[passage], passage))


def test_chance_goes_by_the_seed_the_item_and_the_space(rank):
    passages = [
        ("b", f"{space}{n:02}", "a", space, "same") for space in ("text", "row") for n in range(30)
    ]
    items = [("b", f"b:{n}", "any", "a") for n in range(2)]
    seeds = [system("random", system_id=f"seed_{n}", random_seed=n) for n in (1, 2)]
    rows = rank(*seeds, items=items, passages=passages)
    orders = {
        tuple(passage[-2:] for passage in found(rows, system_id=name, item_id=item, space=space))
        for name in ("seed_1", "seed_2")
        for item in ("b:0", "b:1")
        for space in ("text", "row")
    }

    assert len(orders) == 8
    assert rows == rank(*seeds, items=items, passages=passages)


@pytest.mark.parametrize(("depth", "kept"), [(50, 30), (7, 7)])
def test_a_list_is_cut_at_thirty_or_the_depth_of_the_system(rank, depth, kept):
    passages = [("b", f"{n:02}", "a", "text", "paint") for n in range(40)]
    rows = rank(system("bm25", depth=depth), passages=passages)

    assert found(rows) == [f"{n:02}" for n in range(kept)]
    assert {row["n_tied"] for row in rows} == {40}


def test_the_open_search_by_vectors_is_the_exact_one(rank, monkeypatch):
    """Its first pass is in single precision, where neighbours at the cut change places."""
    rng = np.random.default_rng(3)
    base = rng.normal(size=384)
    spread = base + 1e-3 * rng.normal(size=(501, 384))
    unit = (spread / np.linalg.norm(spread, axis=1, keepdims=True)).astype(np.float32)
    passages = [("b", f"{n:03}", "a", "text", f"text {n:03}") for n in range(500)]
    items = [("b", "b:1", "u", "a")]
    # Sorted, the texts come before the question.
    monkeypatch.setattr(embeddings, "embed_queries", lambda *_, **__: unit)
    rows = rank(system("dense"), items=items, passages=passages)

    exact = np.round(unit[:500].astype(np.float64) @ unit[500].astype(np.float64), 6)
    expected = sorted(range(500), key=lambda n: (-exact[n], n))[:30]
    assert found(rows) == [f"{n:03}" for n in expected]
    assert [row["n_tied"] for row in rows] == [int((exact == exact[n]).sum()) for n in expected]


@pytest.mark.parametrize("regime", ["open", "filtered"])
def test_a_blank_passage_has_no_vector_and_a_blank_question_no_search(rank, regime):
    passages = [("b", "0", "a", "text", " "), ("b", "1", "a", "text", "paint")]
    items = [("b", "b:1", "paint", "a"), ("b", "b:2", "", "a")]
    rows = rank(system("dense", regime), items=items, passages=passages)

    assert [(row["item_id"], row["passage_id"], row["failure"]) for row in rows] == [
        ("b:1", "1", None),
        ("b:2", None, "no_vector"),
    ]


def test_benchmarks_do_not_see_each_other(rank):
    passages = [("b", "0", "a", "text", "paint"), ("other", "0", "a", "text", "paint sales")]
    rows = rank(system("bm25"), passages=passages)

    assert [(row["benchmark"], row["passage_id"], row["n_tied"]) for row in rows] == [("b", "0", 1)]


@pytest.mark.parametrize(
    ("settings", "is_in"),
    [
        ({}, True),
        ({"index_type": None}, True),
        ({"asks": "questions"}, True),
        ({"asks": "anchors"}, False),
        ({"index_type": "hnsw"}, False),
        ({"asks": "questions", "reranker": "late_interaction"}, False),
        ({"asks": "questions", "near_duplicate_cosine": 0.95}, False),
        ({"asks": "questions", "mmr_lambda": 0.7}, False),
        ({"asks": "questions", "system_kind": "multi_path"}, False),
        ({"asks": "questions", "system_kind": "naive_rag"}, False),
        ({"asks": "questions", "system_kind": "external_file"}, False),
    ],
)
def test_only_systems_that_search_exactly_and_nothing_else_take_part(settings, is_in):
    assert takes_part(system("dense", **settings)) is is_in


def test_the_model_that_lists_systems_knows_who_takes_part():
    """The same condition stands in SQL, for systems that rank nothing owe values all the same."""
    choices = {
        "system_kind": ["dense", "bm25", "hybrid", "random", "multi_path", "naive_rag"],
        "asks": ["anchors", "questions", "both"],
        "regime": ["open"],
        "index_type": [None, "flat", "hnsw"],
        "reranker": [None, "none", "late_interaction"],
        "near_duplicate_cosine": [None, 0.95],
        "mmr_lambda": [None, 0.7],
    }
    runnable = []
    for number, values in enumerate(itertools.product(*choices.values())):
        row = {"system_id": f"s{number}", **dict(zip(choices, values, strict=True))}
        with contextlib.suppress(ValueError):
            runnable.append((row, takes_part(row)))
    text = re.sub(r"\{#.*?#\}", "", LISTED.read_text(), flags=re.DOTALL)
    connection = duckdb.connect()
    connection.register("given", pa.Table.from_pylist([row for row, _ in runnable]))
    found = connection.execute(text.replace("{{ ref('registered_systems') }}", "given")).fetchall()
    expected = {row["system_id"] for row, is_in in runnable if is_in}
    assert len(runnable) > len(expected) > 0
    assert {system_id for system_id, *_ in found} == expected


def test_a_system_that_cannot_be_run_is_named(rank):
    with pytest.raises(ValueError, match="system dense_closed: regime 'closed' does not exist"):
        rank(system("dense", "closed"))


@pytest.mark.parametrize(
    "absent", [{"items": ()}, {"passages": ()}, {"passages": [("c", "0", "a", "text", "paint")]}]
)
def test_without_items_or_passages_there_is_nothing_to_rank(rank, absent):
    assert rank(system("dense"), system("hybrid"), **absent) == []


def test_nothing_to_rank_loads_no_model(tmp_path):
    program = f"""
import sys
import pyarrow as pa
from finrag.benchmarks.ranking import rank_benchmarks
names = ["benchmark", "item_id", "question_text", "document_id", "space", "passage_id"]
empty = pa.schema([(name, pa.string()) for name in [*names, "passage_text"]]).empty_table()
system = {system("dense")!r}
rows = rank_benchmarks(
    pa.Table.from_pylist([system]), empty, empty, {{"state_dir": {str(tmp_path)!r}}}
).read_all()
print(rows.num_rows, sorted({{"torch", "bm25s", "faiss"}} & set(sys.modules)))
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert run.stdout == "0 []\n"


def test_what_was_ranked_is_read_back(rank, monkeypatch):
    first = rank(system("dense"))
    monkeypatch.setattr(embeddings, "embed_queries", None)

    assert rank(system("dense")) == first
