"""Search of public sets: units, regimes, ties, what is not run. All texts are invented."""

import math

import numpy as np
import pyarrow as pa
import pytest

from finrag import embeddings
from finrag.retrieval import rank_items
from finrag.retrieval.ranking import RANKING_SCHEMA


def empty(**columns):
    return pa.schema(list(columns.items())).empty_table()


TEXT, TEXTS, YEARS = pa.string(), pa.list_(pa.string()), pa.list_(pa.int32())
ITEM_SCHEMA = pa.schema(
    [
        *((name, TEXT) for name in ("corpus_id", "item_id", "question_text", "document_id")),
        *((name, TEXT) for name in ("gold_set", "item_kind", "passage_id", "topic_text")),
        ("cik_ints", pa.list_(pa.int64())),
        ("years", YEARS),
        ("section_names", TEXTS),
        ("forms", TEXTS),
        ("segments", TEXTS),
        ("company_names", TEXTS),
    ]
)
PASSAGE_SCHEMA = pa.schema(
    [
        *((name, TEXT) for name in ("corpus_id", "passage_id", "document_id", "unit")),
        ("passage_text", TEXT),
        ("position", pa.int64()),
    ]
)
SENTENCES = empty(
    sentence_id=TEXT, section_id=TEXT, cik_int=pa.int64(), report_year=pa.int32(),
    section_name=TEXT, form=TEXT, sentence_pos=pa.int32(), text_hash=TEXT, is_toc=pa.bool_(),
    is_heading=pa.bool_(), is_navigational=pa.bool_(),
)  # fmt: skip
FILINGS = (
    SENTENCES,
    empty(text_hash=TEXT, sentence_text=TEXT),
    empty(
        chunk_id=TEXT, section_id=TEXT, first_sentence_pos=pa.int32(), n_sentences=pa.int64(),
        chunk_hash=TEXT,
    ),
    empty(encoder=TEXT, content_hash=TEXT, vector=pa.list_(pa.float32()), latency_ms=pa.float64()),
)  # fmt: skip
NO_INDEXES = empty(system_id=TEXT, index_id=TEXT)
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
        "asks": "both" if kind in ("dense", "bm25", "hybrid", "random") else "questions",
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


def items_of(rows):
    """Questions from set, id, text and document."""
    return pa.Table.from_pylist(
        [
            {
                **dict(zip(ITEM_SCHEMA.names, row, strict=False)),
                "gold_set": row[0],
                "item_kind": "question",
            }
            for row in rows
        ],
        ITEM_SCHEMA,
    )


def passages_of(rows):
    """Passages from set, id, document, unit and text, as they stand in their documents."""
    return pa.Table.from_pylist(
        [
            {**dict(zip(PASSAGE_SCHEMA.names, row, strict=False)), "position": position}
            for position, row in enumerate(rows)
            if row[3] != "cell"
        ],
        PASSAGE_SCHEMA,
    )


@pytest.fixture
def rank(tmp_path):
    settings = {"state_dir": str(tmp_path), "encoder_batch_size": 16, "encoder_threads": 1}

    def run(*systems, items=(QUESTION,), passages=PASSAGES):
        reader = rank_items(
            pa.Table.from_pylist(list(systems)), NO_INDEXES, items_of(items),
            *FILINGS, passages_of(passages), [], settings,
        )  # fmt: skip
        assert reader.schema.equals(RANKING_SCHEMA)
        return reader.read_all().drop_columns(["stages", "calls"]).to_pylist()

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

    inside = found(rows, system_id=f"{kind}_filtered", unit="text")
    everywhere = found(rows, system_id=f"{kind}_open", unit="text")
    assert {passage[0] for passage in inside} == {"a"}
    assert {passage[0] for passage in everywhere} == {"a", "c"}


def test_a_space_is_ranked_by_itself_and_cells_are_not(rank):
    rows = rank(system("bm25"))

    assert {row["unit"] for row in rows} == {"text", "row"}
    assert found(rows, unit="row") == ["a#row-0-0"]
    assert not any("cell" in passage or "row" in passage for passage in found(rows, unit="text"))


@pytest.mark.parametrize("kind", ["dense", "bm25"])
def test_equal_texts_tie_in_the_order_of_their_ids(rank, kind):
    rows = [row for row in rank(system(kind)) if row["unit"] == "text"]

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

    assert not [row for row in rows if row["system_id"] == f"{kind}_filtered"]
    assert found(rows, system_id=f"{kind}_open", unit="text")


def test_nothing_in_common_is_an_empty_ranking_and_no_failure(rank):
    rows = rank(system("bm25"), items=[("b", "b:1", "zebra", "a")])

    assert [(row["unit"], row["rank"], row["failure"]) for row in rows] == [
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
    lists = [found(rows, system_id=name, unit="text") for name in ("dense_open", "bm25_open")]
    sums = {}
    for passages in lists:
        for place, passage in enumerate(passages, start=1):
            sums[passage] = sums.get(passage, 0) + 0.5 / (60 + place)
    fused = {
        row["passage_id"]: row["score"]
        for row in rows
        if row["system_id"] == "hybrid_open" and row["unit"] == "text"
    }

    assert fused == pytest.approx(sums, abs=1e-12)
    assert list(fused) == sorted(fused, key=lambda passage: (-sums[passage], passage))


def test_chance_goes_by_the_seed_the_item_and_the_space(rank):
    passages = [
        ("b", f"{unit}{n:02}", "a", unit, "same") for unit in ("text", "row") for n in range(30)
    ]
    items = [("b", f"b:{n}", "any", "a") for n in range(2)]
    seeds = [system("random", system_id=f"seed_{n}", random_seed=n) for n in (1, 2)]
    rows = rank(*seeds, items=items, passages=passages)
    orders = {
        tuple(passage[-2:] for passage in found(rows, system_id=name, item_id=item, unit=unit))
        for name in ("seed_1", "seed_2")
        for item in ("b:0", "b:1")
        for unit in ("text", "row")
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
        ("b:2", None, "the query's vector is not finite"),
    ]


def test_benchmarks_do_not_see_each_other(rank):
    passages = [("b", "0", "a", "text", "paint"), ("other", "0", "a", "text", "paint sales")]
    rows = rank(system("bm25"), passages=passages)

    assert [(row["gold_set"], row["passage_id"], row["n_tied"]) for row in rows] == [("b", "0", 1)]


@pytest.mark.parametrize("index", [{}, {"index_type": "hnsw", "index_probes": 16}])
def test_an_index_that_guesses_is_built_for_a_set_too(rank, index):
    settings = {"index_clusters": None, "index_neighbours": 8, "index_code_bytes": None}
    rows = rank(system("dense", **settings, **index))

    assert found(rows, unit="text")[0] in ("a#text-0", "c#text-1")


PATHS = {
    "encoder": "wordllama", "index_type": "flat", "global_weight": 0.1, "expand_weight": 0.3,
    "expand_window": 1, "expand_window_short": 1, "short_section": 2, "min_hits_short": 0,
}  # fmt: skip


def test_paths_search_the_document_first_and_its_neighbours(rank):
    passages = [("b", f"{n}", "a", "text", text) for n, text in enumerate(("x y", "paint", "z w"))]
    passages.append(("b", "9", "c", "text", "paint sales"))
    rows = rank(
        system("multi_path", "filtered", **PATHS, depth=10),
        items=[("b", "b:1", "paint", "a")],
        passages=passages,
    )
    ways = {row["passage_id"]: row["found_by"] for row in rows}

    assert found(rows)[0] == "1"
    assert found(rows)[-1] == "9"
    assert all("core" in ways[passage] and "expand" in ways[passage] for passage in "012")
    assert ways["9"] == "global"


@pytest.mark.parametrize(("document", "ways"), [(None, {"global+open"}), ("gone", set())])
def test_paths_search_openly_where_a_question_names_no_document(rank, document, ways):
    passages = [("b", "0", "a", "text", "paint")]
    paths = system("multi_path", "filtered", **PATHS)
    rows = rank(paths, items=[("b", "b:1", "paint", document)], passages=passages)

    assert {row["found_by"] for row in rows} == ways


def test_paths_search_for_a_question_with_white_space_too(rank):
    paths = system("multi_path", "filtered", **PATHS)
    rows = rank(paths, items=[("b", "b:1", "paint  sales", "a")])

    assert {row["failure"] for row in rows} == {None}


def test_a_chunk_of_a_set_is_a_run_of_passages_of_one_document(rank):
    long = " ".join(["word"] * 150)
    texts = [("a", "paint sales"), ("a", "rent"), ("a", long), ("a", long), ("c", "paint")]
    passages = [("b", f"{n}", document, "text", text) for n, (document, text) in enumerate(texts)]
    chunks = {"encoder": "wordllama", "chunk_vectors": "mean", "n_chunks": 4}
    rows = rank(
        system("naive_rag", **chunks), items=[("b", "b:1", "paint", "a")], passages=passages
    )
    scores = {row["passage_id"]: row["score"] for row in rows}

    assert scores["0"] == scores["1"] == scores["2"] != scores["3"]
    assert found(rows)[0] == "4"
    assert len(set(scores.values())) == 3


def test_a_reranker_reads_passages_of_any_unit(rank):
    rows = rank(
        system("bm25", reranker="late_interaction", rerank_depth=2, asks="questions"),
        system("bm25", system_id="plain"),
        items=[("b", "b:1", "paint", "a")],
    )

    assert found(rows, system_id="bm25_open", unit="row") == ["a#row-0-0"]
    assert len(found(rows, system_id="bm25_open", unit="text")) == 2
    assert len(found(rows, system_id="plain", unit="text")) == 3


def test_near_duplicates_of_a_document_go(rank):
    passages = [("b", f"{n}", "ac"[n // 2], "text", "paint sales rose") for n in range(3)]
    rows = rank(system("dense", near_duplicate_cosine=0.95, asks="questions"), passages=passages)

    assert found(rows) == ["0", "2"]


def test_a_system_that_cannot_be_run_is_named(rank):
    with pytest.raises(ValueError, match="system dense_closed: regime 'closed' does not exist"):
        rank(system("dense", "closed"))


@pytest.mark.parametrize(
    "absent", [{"items": ()}, {"passages": ()}, {"passages": [("c", "0", "a", "text", "paint")]}]
)
def test_without_items_or_passages_there_is_nothing_to_rank(rank, absent):
    assert rank(system("dense"), system("hybrid"), **absent) == []


def test_what_was_ranked_is_read_back(rank, monkeypatch):
    first = rank(system("dense"))
    monkeypatch.setattr(embeddings, "embed_queries", None)

    assert rank(system("dense")) == first


CELLS = [
    ("filings", "F:r1", "F", "row", "Sales | North | 2020: 5; 2019: 4", 1),
    ("filings", "F:r1c1", "F", "cell", "Sales | North | 2020: 5", 1),
    ("filings", "F:r1c2", "F", "cell", "Sales | North | 2019: 4", 1),
    ("filings", "F:r2c1", "F", "cell", "Wages | Porters | 3", 1),
    ("filings", "G:r1c1", "G", "cell", "Sales | North | 2020: 7", 2),
]


@pytest.mark.parametrize("kind", ["dense", "bm25", "random"])
def test_an_anchor_that_is_a_cell_is_searched_for_among_cells_and_filtered_in_its_filing(
    tmp_path, kind
):
    names = [*PASSAGE_SCHEMA.names[:5], "cik_int"]
    cells = pa.Table.from_pylist(
        [{**dict(zip(names, row, strict=True)), "position": 1, "report_year": 2020}
         for row in CELLS],
        PASSAGE_SCHEMA.append(pa.field("cik_int", pa.int64())).append(
            pa.field("report_year", pa.int32())),
    )  # fmt: skip
    anchor = {"corpus_id": "filings", "item_id": "cells:F:r1c1", "item_kind": "anchor",
              "gold_set": "cells", "passage_id": "F:r1c1",
              "question_text": "Sales | North | 2020: 5"}  # fmt: skip
    items = pa.Table.from_pylist([anchor], ITEM_SCHEMA)
    items = items.append_column("is_on_tables", pa.array([True]))
    asked = [system(kind, regime) for regime in ("filtered", "open")]
    settings = {"state_dir": str(tmp_path), "encoder_batch_size": 16, "encoder_threads": 1}
    questions_only = {**system("bm25", asks="questions"), "system_id": "questions"}
    tables = (pa.Table.from_pylist([*asked, questions_only]), NO_INDEXES, items, *FILINGS, cells)
    rows = rank_items(*tables, [], settings).read_all().to_pylist()
    assert {(row["unit"], row["gold_set"]) for row in rows} == {("cell", "cells")}
    of_filing = {"F:r1c1", "F:r1c2", *(["F:r2c1"] if kind != "bm25" else [])}
    assert set(found(rows, system_id=f"{kind}_filtered")) == of_filing
    assert set(found(rows, system_id=f"{kind}_open")) == of_filing | {"G:r1c1"}
    assert not found(rows, system_id="questions")
    if kind != "random":
        assert found(rows, rank=1) == ["F:r1c1"] * 2
