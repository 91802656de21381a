"""Searches over questions: filters, fusion, paths, chunks, and what follows the search."""

import hashlib
import re
import time

import numpy as np
import pyarrow as pa
import pytest

import finrag.retrieval
from finrag.embeddings import content_hash
from finrag.llm.calls import Call
from finrag.retrieval import bm25, indexes, pools, reranking, vectors
from finrag.retrieval.corpus_layout import lay_out_filings
from finrag.retrieval.fusion import fuse, fuse_ranks, fuse_scores
from finrag.retrieval.numbering import number_corpus
from finrag.retrieval.queries import collect_query_vectors, read_queries
from finrag.retrieval.reranked import Reranked
from finrag.retrieval.stated import stated
from finrag.shards import runners

DIMENSION = 64
ALDER, BIRCH = 7, 8


def vector(text):
    """Counts of words by hash, of unit length: like words, like vectors."""
    counts = np.zeros(DIMENSION, np.float32)
    for word in re.findall(r"[a-z]+", text.lower()):
        digest = hashlib.blake2b(word.encode(), digest_size=4).digest()
        counts[int.from_bytes(digest, "big") % DIMENSION] += 1
    return counts / max(np.linalg.norm(counts), 1e-9)


def sentences_of(sections, headings=()):
    """A corpus from sentences by (company, year, item)."""
    rows = []
    for (cik, year, item), texts in sections.items():
        section_id = f"{cik:04}_{year}_{item}"
        for position, text in enumerate(texts):
            rows.append(
                {
                    "sentence_id": f"{section_id}_{position}",
                    "section_id": section_id,
                    "cik_int": cik,
                    "report_year": year,
                    "section_name": f"ITEM_{item}",
                    "form": {2021: "10-K/A", 2022: "10-Q"}.get(year, "10-K"),
                    "sentence_pos": position,
                    "text_hash": content_hash(text.lower()),
                    "is_toc": False,
                    "is_heading": text in headings,
                    "is_navigational": False,
                    "sentence_text": text,
                }
            )
    columns = {"cik_int": pa.int64(), "report_year": pa.int32(), "sentence_pos": pa.int32()}
    booleans = ("is_toc", "is_heading", "is_navigational")
    names = (
        "sentence_id", "section_id", "cik_int", "report_year", "section_name", "form",
        "sentence_pos", "text_hash", *booleans, "sentence_text",
    )  # fmt: skip
    schema = pa.schema(
        [
            (name, columns.get(name, pa.bool_() if name in booleans else pa.string()))
            for name in names
        ]
    )
    return pa.Table.from_pylist(rows, schema=schema).sort_by("sentence_id")


def texts_of(sentences):
    by_hash = dict(
        zip(sentences["text_hash"].to_pylist(), sentences["sentence_text"].to_pylist(), strict=True)
    )
    return pa.table(
        {
            "text_hash": pa.array(sorted(by_hash), pa.string()),
            "sentence_text": pa.array([by_hash[key] for key in sorted(by_hash)], pa.string()),
        }
    )


def chunks_of(sentences, size=2):
    rows = [row for row in sentences.to_pylist() if row["sentence_pos"] % size == 0]
    by_section = {}
    for row in sentences.sort_by("sentence_pos").to_pylist():
        by_section.setdefault(row["section_id"], []).append(row["sentence_text"])
    chunks = [
        {
            "chunk_id": f"{row['section_id']}_chunk_{row['sentence_pos'] // size}",
            "section_id": row["section_id"],
            "cik_int": row["cik_int"],
            "report_year": row["report_year"],
            "first_sentence_pos": row["sentence_pos"],
            "n_sentences": len(texts),
            "chunk_text": " ".join(texts),
            "chunk_hash": content_hash(" ".join(texts)),
        }
        for row in rows
        for texts in [by_section[row["section_id"]][row["sentence_pos"] :][:size]]
    ]
    schema = pa.schema(
        [
            ("chunk_id", pa.string()),
            ("section_id", pa.string()),
            ("cik_int", pa.int64()),
            ("report_year", pa.int32()),
            ("first_sentence_pos", pa.int32()),
            ("n_sentences", pa.int64()),
            ("chunk_text", pa.string()),
            ("chunk_hash", pa.string()),
        ]
    )
    return pa.Table.from_pylist(chunks, schema=schema).sort_by("chunk_id")


def question(
    text, companies=(), years=(), topic=None, section_names=(), item_id="p3:q", company_names=(),
    forms=(), segments=(), context=None, terms=None, form=None, measures=None,
):  # fmt: skip
    return {
        "item_id": item_id,
        "gold_set": "p3",
        "item_kind": "question",
        "corpus_id": "filings",
        "document_id": None,
        "passage_id": None,
        "question_text": text,
        "topic_text": topic,
        "cik_ints": list(companies),
        "years": list(years),
        "section_names": list(section_names),
        "forms": list(forms),
        "segments": list(segments),
        "company_names": list(company_names),
        "context_text": context,
        "measure_terms": terms,
        "answer_form": form,
        "kpi_labels": measures,
    }


QUESTION_SCHEMA = pa.schema(
    [
        ("item_id", pa.string()),
        ("gold_set", pa.string()),
        ("item_kind", pa.string()),
        ("corpus_id", pa.string()),
        ("document_id", pa.string()),
        ("passage_id", pa.string()),
        ("question_text", pa.string()),
        ("topic_text", pa.string()),
        ("cik_ints", pa.list_(pa.int64())),
        ("years", pa.list_(pa.int32())),
        ("section_names", pa.list_(pa.string())),
        ("forms", pa.list_(pa.string())),
        ("segments", pa.list_(pa.string())),
        ("company_names", pa.list_(pa.string())),
        ("context_text", pa.string()),
        ("measure_terms", pa.list_(pa.string())),
        ("answer_form", pa.string()),
        ("kpi_labels", pa.list_(pa.string())),
    ]
)


NO_PASSAGES = pa.schema(
    [
        *((name, pa.string()) for name in ("corpus_id", "passage_id", "document_id", "unit")),
        ("position", pa.int64()),
        ("passage_text", pa.string()),
    ]
).empty_table()


def system(kind, **settings):
    return {
        "system_id": f"the_{kind}",
        "system_kind": kind,
        "asks": "questions",
        "regime": "open" if kind == "naive_rag" else "filtered",
        "encoder": None if kind in ("bm25", "random") else "e",
        "index_type": None,
        "index_clusters": None,
        "index_probes": None,
        "index_neighbours": None,
        "index_code_bytes": None,
        "bm25_k1": 1.5,
        "bm25_b": 0.75,
        "depth": 50,
        "random_seed": 3,
        "n_candidates": 100,
        "fusion": "rrf",
        "rrf_k": 60,
        "dense_weight": 0.5,
        "sparse_weight": 0.5,
        "global_weight": 0.1,
        "expand_weight": 0.3,
        "expand_window": 1,
        "expand_window_short": 1,
        "short_section": 4,
        "min_hits_short": 0,
        "chunk_vectors": "mean",
        "n_chunks": 1,
        "reranker": "none",
        "rerank_depth": 50,
        "near_duplicate_cosine": None,
        "mmr_lambda": None,
        **settings,
    }


def contexts_of(lines):
    """Context lines by (company, year, item), as the build gives them."""
    rows = [
        {"section_id": f"{cik:04}_{year}_{item}", "context_text": line}
        for (cik, year, item), line in lines.items()
    ]
    schema = pa.schema([("section_id", pa.string()), ("context_text", pa.string())])
    return pa.Table.from_pylist(rows, schema=schema)


def vector_batch(keys, texts, unusable=()):
    found = [np.full(DIMENSION, np.nan) if text in unusable else vector(text) for text in texts]
    return pa.RecordBatch.from_arrays(
        [
            pa.array(["e"] * len(keys), pa.string()),
            pa.array(["e@1"] * len(keys), pa.string()),
            pa.array(keys, pa.string()),
            pa.array(found, pa.list_(pa.float32())),
        ],
        names=["encoder", "encoder_id", "text_hash", "vector"],
    )


@pytest.fixture
def search(tmp_path):
    def run(
        systems, questions, sections, headings=(), unusable=(), chunks=None, lines=None, **scale
    ):
        systems = systems if isinstance(systems, list) else [systems]
        questions = questions if isinstance(questions, list) else [questions]
        sentences = sentences_of(sections, headings)
        texts = texts_of(sentences)
        chunks = chunks_of(sentences) if chunks is None else chunks
        asked_for = pa.Table.from_pylist(questions, schema=QUESTION_SCHEMA)
        asked = {text for q in read_queries(asked_for) for text in q.searched}
        contexts = None if lines is None else contexts_of(lines)
        asked |= set((lines or {}).values())
        asked = sorted(asked | set(chunks["chunk_text"].to_pylist()))
        batch = vector_batch(
            texts["text_hash"].to_pylist(), texts["sentence_text"].to_pylist(), unusable
        )
        queries = vector_batch([content_hash(text) for text in asked], asked, unusable)
        queries = pa.Table.from_batches([queries]).rename_columns(
            ["encoder", "encoder_id", "content_hash", "vector"]
        )
        queries = queries.append_column("latency_ms", pa.array([2.0] * len(asked), pa.float64()))
        registered = pa.Table.from_pylist(systems)
        settings = {"state_dir": str(tmp_path), **scale}
        built = finrag.retrieval.build_indexes(registered, texts, [batch], settings)
        ranked = finrag.retrieval.rank_items(
            registered, built, asked_for,
            sentences, texts, chunks, queries, NO_PASSAGES, [batch], settings, contexts,
        )  # fmt: skip
        return ranked.read_all().to_pylist()

    return run


def ids(rows):
    return [row["passage_id"] for row in rows]


SALES = {
    (ALDER, 2020, "7"): ["Net sales of paint rose.", "Rent is due."],
    (ALDER, 2021, "7"): ["Net sales of paint fell.", "The fleet is old."],
    (BIRCH, 2020, "7"): ["Net sales of glue rose.", "Wages were paid."],
}
FILTERED_KINDS = ["dense", "bm25", "hybrid", "multi_path", "random"]
KINDS = [*FILTERED_KINDS, "naive_rag"]


# --- where a search looks ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["dense", "bm25", "hybrid", "random"])
def test_a_filtered_search_stays_with_the_companies_and_years_read(search, kind):
    rows = search(system(kind), question("net sales", [ALDER], [2021]), SALES)

    assert rows
    assert {row["passage_id"][:9] for row in rows} == {"0007_2021"}
    assert not any("open" in row["found_by"] for row in rows)


@pytest.mark.parametrize("kind", FILTERED_KINDS)
@pytest.mark.parametrize(
    "asked",
    [
        question("net sales"),
        question("net sales", [99], [2021]),
        question("net sales", [], [1950]),
    ],
)
def test_with_nothing_to_filter_by_the_whole_corpus_is_searched_and_marked(search, kind, asked):
    rows = search(system(kind), asked, SALES)

    assert {row["passage_id"][:9] for row in rows} == {"0007_2020", "0007_2021", "0008_2020"}
    assert all(row["found_by"].endswith("open") for row in rows)


@pytest.mark.parametrize("kind", FILTERED_KINDS)
def test_a_year_that_the_corpus_lacks_leaves_the_companys_other_filings(search, kind):
    rows = search(system(kind), question("net sales", [ALDER, 99], [2030]), SALES)
    inside = [row for row in rows if row["found_by"].split("+")[0] != "global"]

    assert {row["passage_id"][:9] for row in inside} == {"0007_2020", "0007_2021"}
    assert all(row["found_by"].endswith("+company") for row in rows)
    assert "0007" in rows[0]["passage_id"]


def test_a_year_that_one_of_two_companies_lacks_is_searched_for_the_other(search):
    rows = search(system("dense"), question("net sales", [ALDER, BIRCH], [2021]), SALES)

    assert {row["passage_id"][:9] for row in rows} == {"0007_2021"}
    assert {row["found_by"] for row in rows} == {"dense"}


FIELDS = {
    (ALDER, 2020, "7"): ["Net sales of paint rose.", "Net sales of the COATINGS segment fell."],
    (ALDER, 2020, "1A"): ["Net sales of paint may fall."],
    (ALDER, 2021, "7"): ["Net sales of paint fell."],
    (ALDER, 2022, "7"): ["Net sales of paint rose twice."],
    (BIRCH, 2020, "7"): ["Net sales of glue rose."],
}
ALL_OF_ALDER = ["0007_2020_1A_0", "0007_2020_7_0", "0007_2020_7_1", "0007_2021_7_0"]


@pytest.mark.parametrize("kind", ["dense", "bm25", "hybrid", "random"])
@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ("company+year", ALL_OF_ALDER[:3]),
        ("company", [*ALL_OF_ALDER, "0007_2022_7_0"]),
        ("year", [*ALL_OF_ALDER[:3], "0008_2020_7_0"]),
        ("section", ["0007_2020_1A_0"]),
        ("company+year+section", ["0007_2020_1A_0"]),
        ("company+year+segment", ["0007_2020_7_1"]),
        # An amended report is one of its form.
        ("company+form", ALL_OF_ALDER),
        # The section that is asked about does not name the segment, and keeps what it has.
        ("company+year+section+segment", ["0007_2020_1A_0"]),
    ],
)
def test_a_filtered_search_goes_by_the_fields_of_its_system(search, kind, fields, found):
    asked = question(
        "net sales", [ALDER], [2020], None, ["ITEM_1A"], forms=["10-K"], segments=["Coatings"]
    )
    rows = search(system(kind, filter_fields=fields), asked, FIELDS)

    assert sorted(ids(rows)) == found


@pytest.mark.parametrize(
    "asked", [{}, {"section_names": ["ITEM_9"], "forms": ["20-F"], "segments": ["Glass"]}]
)
def test_a_field_that_names_nothing_here_is_passed_over(search, asked):
    fields = "company+year+section+form+segment"
    asked = question("net sales", [ALDER], [2020], **asked)

    assert (
        sorted(ids(search(system("dense", filter_fields=fields), asked, FIELDS)))
        == (ALL_OF_ALDER[:3])
    )


def test_paths_go_by_company_alone_where_they_are_told_to(search):
    asked = question("net sales", [ALDER], [2020])
    rows = search(system("multi_path", filter_fields="company", global_weight=0.0), asked, FIELDS)
    inside = [row["passage_id"] for row in rows if row["found_by"].split("+")[0] != "global"]

    assert sorted(inside) == [*ALL_OF_ALDER, "0007_2022_7_0"]


def test_systems_with_other_fields_do_not_share_a_search(search):
    systems = [
        system("dense", system_id="a", filter_fields="company+year"),
        system("dense", system_id="b", filter_fields="company"),
    ]
    rows = search(systems, question("net sales", [ALDER], [2020]), FIELDS)

    assert [sum(row["system_id"] == name for row in rows) for name in "ab"] == [3, 5]


def test_an_open_search_is_not_marked_as_opened(search):
    rows = search(system("dense", regime="open"), question("net sales", [ALDER], [2021]), SALES)

    assert len(rows) == 6
    assert {row["found_by"] for row in rows} == {"dense"}


def test_a_filtered_search_looks_for_the_topic_and_an_open_one_for_the_question(search):
    asked = question("What does Alder pay for wages?", [ALDER], topic="old fleet")
    filtered = search(system("bm25"), asked, SALES)
    opened = search(system("bm25", regime="open"), asked, SALES)

    assert ids(filtered) == ["0007_2021_7_1"]
    assert ids(opened) == ["0008_2020_7_1"]


@pytest.mark.parametrize("topic", [None, "", "  "])
def test_without_a_topic_the_question_itself_is_searched_for(search, topic):
    rows = search(system("multi_path"), question("old fleet", [ALDER], [2021], topic), SALES)

    assert rows[0]["passage_id"] == "0007_2021_7_1"


def test_a_text_that_stands_in_two_filings_is_found_in_both(search):
    sections = {(ALDER, 2020, "1"): ["We sell paint."], (BIRCH, 2020, "1"): ["We sell paint."]}
    rows = search(system("dense", regime="open"), question("we sell paint"), sections)

    assert ids(rows) == ["0007_2020_1_0", "0008_2020_1_0"]
    assert [row["n_tied"] for row in rows] == [2, 2]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Why did Alder Paints' rent rise in 2021?", "Why did rent rise in 2021?"),
        ("Did Alder or ALDR buy Aldering (Alder’s rival)?", "Did or buy Aldering ( rival)?"),
        ("Alder Paints?", "Alder Paints?"),
    ],
)
def test_names_are_taken_out_of_the_plain_question(text, plain):
    row = question(text, [ALDER], [2021], company_names=["Alder", "Alder Paints", "ALDR", " "])
    (query,) = read_queries(pa.Table.from_pylist([row], schema=QUESTION_SCHEMA))

    assert query.plain == plain


# --- context lines -------------------------------------------------------------------------------

SAME = {
    (ALDER, 2020, "7"): ["Net sales rose.", "Rent is due."],
    (ALDER, 2021, "7"): ["Net sales rose.", "Rent is due."],
    (BIRCH, 2021, "7"): ["Net sales rose.", "Rent is due."],
}
LINES = {
    (ALDER, 2020, "7"): "Alder twenty Discussion",
    (ALDER, 2021, "7"): "Alder twentyone Discussion",
    (BIRCH, 2021, "7"): "Birch twentyone Discussion",
}
OF_BIRCH = question("net sales", [BIRCH], [2021], context="Birch twentyone")
BY_CONTEXT = {"context_weight": 4.0, "context_vector_weight": 2.0, "regime": "open"}


@pytest.mark.parametrize("kind", ["dense", "bm25", "hybrid"])
def test_a_context_line_tells_whose_a_sentence_is(search, kind):
    without = search(system(kind, regime="open"), OF_BIRCH, SAME, lines=LINES)
    found = search(system(kind, **BY_CONTEXT), OF_BIRCH, SAME, lines=LINES)

    assert without[0]["passage_id"] == "0007_2020_7_0"
    # Of the other filings that of the same year comes first.
    sales = [name for name in ids(found) if name.endswith("_0")]
    assert sales == ["0008_2021_7_0", "0007_2021_7_0", "0007_2020_7_0"]


def test_the_score_is_that_of_the_text_and_the_weighted_line(search):
    found = search(system("dense", **BY_CONTEXT), OF_BIRCH, SAME, lines=LINES)
    weights = ({**BY_CONTEXT, "context_weight": weight} for weight in (1.0, 3.0))
    once, thrice = (
        search(system("bm25", **weight), OF_BIRCH, SAME, lines=LINES)[0]["score"]
        for weight in weights
    )
    (alone, *_) = search(system("bm25", regime="open"), OF_BIRCH, SAME, lines=LINES)

    text = float(vector("net sales") @ vector("Net sales rose."))
    line = float(vector("Birch twentyone") @ vector("Birch twentyone Discussion"))
    assert found[0]["score"] == pytest.approx(text + 2.0 * line, abs=1e-6)
    assert thrice - alone["score"] == pytest.approx(3 * (once - alone["score"]), abs=1e-5)


def test_context_lines_keep_their_vectors_when_another_question_is_asked(tmp_path):
    """The page asks one question after another of one corpus; see ``FilingsPool.asking``."""
    sentences = sentences_of(SAME)
    texts = texts_of(sentences)
    lines = sorted(LINES.values())

    def asked(words):
        batch = vector_batch([content_hash(text) for text in words], words)
        names = ["encoder", "encoder_id", "content_hash", "vector"]
        table = pa.Table.from_batches([batch]).rename_columns(names)
        return table.append_column("latency_ms", pa.array([0.0] * len(words), pa.float64()))

    pool = pools.FilingsPool(
        *(sentences, texts, chunks_of(sentences), asked([*lines, "net sales"])),
        [vector_batch(texts["text_hash"].to_pylist(), texts["sentence_text"].to_pylist())],
        pa.table({"system_id": pa.array([], pa.string()), "index_id": pa.array([], pa.string())}),
        *(str(tmp_path), contexts_of(LINES)),
    )
    other = pool.asking(collect_query_vectors(asked(["rent"])))
    context = other.dense(system("dense", **BY_CONTEXT)).context

    assert context.matrix.shape == (len(SAME), DIMENSION)
    for number, line in enumerate(pool._lines):
        assert context.matrix[number] == pytest.approx(vector(line))


def test_a_context_line_finds_no_sentence_by_itself(search):
    asked = question("net sales", [BIRCH], [2021], context="Birch twentyone")
    rows = search(system("bm25", **BY_CONTEXT), asked, SAME, lines=LINES)

    assert {name[-2:] for name in ids(rows)} == {"_0"}


@pytest.mark.parametrize("kind", ["dense", "bm25", "hybrid"])
def test_context_lines_are_searched_inside_the_filings_asked_for(search, kind):
    sections = {(ALDER, 2020, "1"): ["Net sales rose."], (ALDER, 2020, "7"): ["Net sales rose."]}
    lines = {(ALDER, 2020, "1"): "Alder Business", (ALDER, 2020, "7"): "Alder Discussion"}
    asked = question("net sales", [ALDER], [2020], context="Alder Discussion")
    settings = {**BY_CONTEXT, "regime": "filtered"}
    rows = search(system(kind, **settings), asked, sections, lines=lines)

    assert ids(rows) == ["0007_2020_7_0", "0007_2020_1_0"]


def test_where_lines_tell_the_company_texts_are_not_searched_for_it(search):
    sections = {(ALDER, 2020, "7"): ["Alder is a tree.", "Rent is due."]}
    asked = question("Alder rent", [99], company_names=["Alder"], context="Alder")
    lines = {(ALDER, 2020, "7"): "Alder"}
    settings = {**BY_CONTEXT, "regime": "open"}
    without = search(system("bm25", regime="open"), asked, sections, lines=lines)
    found = search(system("bm25", **settings), asked, sections, lines=lines)

    assert sorted(ids(without)) == ["0007_2020_7_0", "0007_2020_7_1"]
    assert ids(found) == ["0007_2020_7_1"]


def test_an_approximate_index_finds_by_texts_and_lines_reorder(search):
    approximate = {
        "index_type": "ivf", "index_clusters": 1, "index_probes": 1, "index_neighbours": 4,
        "index_code_bytes": 4,
    }  # fmt: skip
    rows = search(system("dense", **BY_CONTEXT, **approximate), OF_BIRCH, SAME, lines=LINES)

    assert rows[0]["passage_id"] == "0008_2021_7_0"


def test_a_line_without_a_vector_adds_nothing(search):
    rows = search(
        system("dense", **BY_CONTEXT), OF_BIRCH, SAME, lines=LINES, unusable=[*LINES.values()]
    )

    assert [row["n_tied"] for row in rows[:3]] == [3, 3, 3]


def test_an_anchor_is_not_searched_by_its_context(tmp_path):
    """It is a sentence, and asks for no company."""
    plain = [system(kind, system_id=kind, asks="both", regime="open") for kind in ("bm25", "dense")]
    lines = {(BIRCH, 2020, "7"): "Net sales of paint rose."}
    _, without = anchored(tmp_path, *plain)
    _, within = anchored(tmp_path, *({**one, **BY_CONTEXT} for one in plain), lines=lines)

    columns = ["system_id", "passage_id", "score"]
    assert set(within["system_id"].to_pylist()) == {"bm25", "dense"}
    assert within.select(columns) == without.select(columns)


# --- measures and figures ------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["dense_weight", "sparse_weight"])
def test_a_measure_is_searched_for_as_statements_word_it(search, by):
    texts = ["We plan capex with care.", "Rent is due.", "Purchases of equipment came to 5."]
    sections = {(ALDER, 2020, "7"): texts}
    alone = {"expand_window": 0, "expand_window_short": 0, "dense_weight": 0, "sparse_weight": 0}
    alone[by] = 1.0
    terms = ["purchases of equipment", "Capex"]
    asked = question("capex", [ALDER], [2020], terms=terms)
    (query,) = read_queries(pa.Table.from_pylist([asked], schema=QUESTION_SCHEMA))
    found = search(system("multi_path", **alone), asked, sections)
    without = search(system("multi_path", **alone), {**asked, "measure_terms": None}, sections)

    # A term that the topic has already is not added.
    assert query.measured == "capex purchases of equipment"
    assert "0007_2020_7_2" in ids(found)[:2]
    assert "0007_2020_7_2" not in ids(without)[:2]


def test_a_sentence_with_a_figure_is_preferred_where_a_figure_is_asked_for(search):
    sections = {(ALDER, 2020, "7"): ["Net sales are net.", "Net sales were $5 million."]}
    alone = {"expand_window": 0, "expand_window_short": 0}
    first = {
        asks: ids(
            search(
                system("multi_path", **alone),
                question("net sales are", [ALDER], [2020], form=asks, measures=["revenue"]),
                sections,
            )
        )[0]
        for asks in (None, "numeric")
    }

    assert first == {None: "0007_2020_7_0", "numeric": "0007_2020_7_1"}


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("Revenue was $5.2 million.", True),
        ("Revenue was € 5.", True),
        ("Revenue rose 12%.", True),
        ("Revenue rose 12 percent (“a lot.”)", True),
        ("We employ 5 million people.", True),
        ("We lost $(5) in all.", True),
        ("We follow the rules of 2019.", False),
        ("Revenue $ 5,210 $ 4,310", False),
        ("", False),
        (None, False),
    ],
)
def test_a_figure_is_an_amount_or_a_share_in_a_sentence(text, states):
    assert stated(pa.array([text], pa.large_string()), "figure").tolist() == [states]


@pytest.mark.parametrize(
    ("text", "terms", "wanted"),
    [
        ("Why are net sales net?", ["net sales"], 1),
        ("Explain net sales.", ["net sales"], 1),
        ("What are net sales?", ["net sales"], 0),
        # Nothing is preferred where no measure is asked about.
        ("Why are net sales net?", None, 0),
    ],
)
def test_a_sentence_with_a_cause_is_preferred_where_it_is_asked_why(search, text, terms, wanted):
    sections = {(ALDER, 2020, "7"): ["Net sales are net.", "Net sales fell due to rain."]}
    alone = {"expand_window": 0, "expand_window_short": 0}
    asked = question(text, [ALDER], [2020], topic="net sales are", terms=terms)

    assert ids(search(system("multi_path", **alone), asked, sections))[0] == f"0007_2020_7_{wanted}"


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("We define EBITDA as what is left.", True),
        ("EBITDA is defined by us as what is left.", True),
        ("“EBITDA” means what is left.", True),
        ("EBITDA was $5 million.", False),
        (None, False),
    ],
)
def test_a_definition_says_what_a_term_means(text, states):
    assert stated(pa.array([text], pa.large_string()), "definition").tolist() == [states]


@pytest.mark.parametrize(
    ("text", "wanted"), [("How do they define EBITDA?", 1), ("What is EBITDA?", 0)]
)
def test_a_sentence_that_defines_is_preferred_where_a_definition_is_asked_for(search, text, wanted):
    sections = {(ALDER, 2020, "7"): ["EBITDA is EBITDA.", "We define EBITDA as what is left."]}
    alone = {"expand_window": 0, "expand_window_short": 0}
    asked = question(text, [ALDER], [2020], topic="EBITDA is")

    assert ids(search(system("multi_path", **alone), asked, sections))[0] == f"0007_2020_7_{wanted}"


def test_a_neighbour_comes_behind_its_hit_whatever_it_gains(search):
    sections = {(ALDER, 2020, "7"): ["Net sales are.", "Net sales are net.", "Rent is due."]}
    wide = {"expand_window": 1, "expand_window_short": 1, "expand_weight": 1.0}
    found = search(
        system("multi_path", **wide), question("net sales are net", [ALDER], [2020]), sections
    )

    assert ids(found) == ["0007_2020_7_1", "0007_2020_7_0", "0007_2020_7_2"]


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("Sales fell due to rain.", True),
        ("Sales fell, Due Primarily To rain.", True),
        ("Sales fell and rain came.", False),
        ("", False),
        (None, False),
    ],
)
def test_a_cause_is_led_in_by_a_connector(text, states):
    assert stated(pa.array([text], pa.large_string()), "cause").tolist() == [states]


# --- layout --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("companies", "years", "cells"),
    [
        ([], [], []),
        ([ALDER], [2020, 2021], [[(7, 2020)], [(7, 2021)]]),
        ([ALDER, BIRCH], [2020, 2021], [[(7, 2020)], [(7, 2021)], [(8, 2020)]]),
        ([ALDER, BIRCH], [], [[(7, 2020), (7, 2021)], [(8, 2020)]]),
        ([], [2020], [[(7, 2020), (8, 2020)]]),
        ([99], [2020], []),
    ],
)
def test_cells_are_filings_by_company_and_year(companies, years, cells):
    sentences = sentences_of(SALES)
    numbers = number_corpus(sentences, texts_of(sentences)["text_hash"])

    layout = lay_out_filings(sentences, numbers)
    found = layout.cells(companies, years)
    assert [[layout.filings[filing] for filing in cell] for cell in found] == cells


def test_neighbours_are_counted_in_reading_order_and_end_with_the_section():
    texts = [f"Line {n} of the lease." for n in range(12)]
    sentences = sentences_of({(ALDER, 2020, "1"): texts, (ALDER, 2020, "2"): ["Next."]})
    numbers = number_corpus(sentences, texts_of(sentences)["text_hash"])
    layout = lay_out_filings(sentences, numbers)
    # In the order of ids, _10 and _11 stand before _2.
    eleventh = sentences["sentence_id"].to_pylist().index("0007_2020_1_11")
    near, distances = layout.window(eleventh, 2)

    assert sentences["sentence_id"].take(near).to_pylist() == ["0007_2020_1_9", "0007_2020_1_10"]
    assert distances.tolist() == [2, 1]


# --- fusion --------------------------------------------------------------------------------------


def test_reciprocal_ranks_are_weighted_and_added():
    sentences, scores = fuse_ranks([(np.array([5, 2]), 1.0), (np.array([2]), 0.5)], k=60)

    assert sentences.tolist() == [2, 5]
    assert scores.tolist() == [1 / 62 + 0.5 / 61, 1 / 61]


def test_scores_are_brought_to_one_range_before_they_are_added():
    dense = (np.array([1, 2, 3]), np.array([0.9, 0.8, 0.7]), 0.5)
    sparse = (np.array([3, 1]), np.array([30.0, 10.0]), 0.5)
    sentences, scores = fuse_scores([dense, sparse])

    assert sentences.tolist() == [1, 2, 3]
    assert scores == pytest.approx([0.5, 0.25, 0.5])


def test_equal_scores_are_all_best():
    _, scores = fuse_scores([(np.array([4, 6]), np.array([2.0, 2.0]), 0.5)])

    assert scores.tolist() == [0.5, 0.5]


def test_an_unknown_fusion_lists_the_valid_ones():
    with pytest.raises(ValueError, match="the_hybrid: fusion 'max' does not exist; use one of rrf"):
        fuse([], system("hybrid", fusion="max"))


@pytest.mark.parametrize("kind", ["hybrid", "multi_path"])
def test_neighbouring_ranks_stay_apart_whatever_the_constant(search, kind):
    # Of 0.5/1030 and 0.5/1031 the first six decimals are the same.
    texts = ["Net sales rose" + " further" * n + "." for n in range(30)]
    sections = {(ALDER, 2020, "7"): texts[::-1]}
    asked = question("net sales rose", [ALDER], [2020])
    dense = search(system("dense"), asked, sections)
    one_list = {"sparse_weight": 0.0, "expand_window": 0, "expand_window_short": 0}
    rows = search(system(kind, rrf_k=1000, **one_list), asked, sections)

    assert ids(rows) == ids(dense)
    assert {row["n_tied"] for row in rows} == {1}


def test_hybrid_tells_which_list_found_a_sentence(search):
    rows = search(system("hybrid"), question("paint fell", [ALDER], [2021]), SALES)

    assert [(row["passage_id"], row["found_by"]) for row in rows] == [
        ("0007_2021_7_0", "dense+bm25"),
        ("0007_2021_7_1", "dense"),
    ]


# --- paths ---------------------------------------------------------------------------------------


def test_every_year_has_its_share_of_the_head(search):
    sections = {
        (ALDER, 2020, "7"): [f"Net sales of paint rose in region {n}." for n in range(30)],
        (ALDER, 2021, "7"): ["The fleet is old.", "Paint sold less."],
    }
    asked = question("net sales of paint", [ALDER], [2020, 2021])
    one_list = search(system("hybrid"), asked, sections)
    rows = search(system("multi_path"), asked, sections)

    assert "0007_2021_7_1" not in ids(one_list)[:10]
    assert "0007_2021_7_1" in ids(rows)[:2]


def test_a_year_without_a_filing_takes_nothing_from_the_others(search):
    asked = question("net sales of paint", [ALDER], [2020, 1950])
    rows = search(system("multi_path", global_weight=0.0), asked, SALES)

    assert rows[0]["passage_id"] == "0007_2020_7_0"
    assert rows[0]["found_by"] == "core+global+expand"


def test_what_only_the_open_path_finds_comes_behind(search):
    asked = question("net sales of paint", [ALDER], [2021])
    rows = search(system("multi_path"), asked, SALES)

    assert ids(rows)[:2] == ["0007_2021_7_0", "0007_2021_7_1"]
    assert {row["found_by"] for row in rows[2:]} == {"global"}


def test_what_the_open_path_finds_too_is_preferred(search):
    sections = {
        (ALDER, 2021, "7"): ["Net sales of paint.", "Revenue from glue."],
        (BIRCH, 2021, "7"): ["Revenue from glue."],
    }
    # Topic and question prefer one sentence each; the open search finds the second only.
    asked = question("revenue from glue", [ALDER], [2021], topic="net sales of paint")
    even = {"n_candidates": 2, "depth": 2, "expand_window": 0, "expand_window_short": 0}
    without = search(system("multi_path", global_weight=0.0, **even), asked, sections)
    rows = search(system("multi_path", **even), asked, sections)

    assert ids(without) == ["0007_2021_7_0", "0007_2021_7_1"]
    assert ids(rows) == ["0007_2021_7_1", "0007_2021_7_0"]


def test_evidence_elsewhere_is_found_where_the_filing_asked_for_has_nothing(search):
    sections = {(ALDER, 2020, "7"): ["Net sales rose."], (ALDER, 2021, "7"): ["Broken."]}
    asked = question("net sales", [ALDER], [2021])
    rows = search(system("multi_path"), asked, sections, unusable=["Broken."])

    assert [(row["passage_id"], row["found_by"]) for row in rows] == [("0007_2020_7_0", "global")]


def test_the_neighbours_of_a_hit_come_with_it(search):
    texts = [f"Item {n} was shipped." for n in range(9)]
    texts[4] = "Net sales of paint rose."
    sections = {(ALDER, 2020, "7"): texts}
    asked = question("net sales of paint", [ALDER], [2020])
    narrow = {"n_candidates": 1, "depth": 9, "short_section": 4}
    rows = search(system("multi_path", expand_window=2, **narrow), asked, sections)

    assert ids(rows)[:5] == [f"0007_2020_7_{n}" for n in (4, 3, 5, 2, 6)]
    assert [row["found_by"] for row in rows[1:5]] == ["expand"] * 4


def test_a_short_section_has_its_own_window(search):
    texts = ["Net sales of paint rose.", "One.", "Two.", "Three."]
    asked = question("net sales of paint", [ALDER], [2020])
    settings = {"n_candidates": 1, "depth": 9, "expand_window": 1, "expand_window_short": 9}
    long = search(
        system("multi_path", short_section=4, **settings), asked, {(ALDER, 2020, "7"): texts}
    )
    short = search(
        system("multi_path", short_section=5, **settings), asked, {(ALDER, 2020, "7"): texts}
    )

    assert len(long) == 2
    assert len(short) == 4


def test_headings_are_no_neighbours_and_stand_behind_text(search):
    texts = ["Net Sales of Paint", "Net sales of paint rose by a tenth in the year.", "Costs"]
    asked = question("net sales of paint", [ALDER], [2020])
    rows = search(
        system("multi_path"), asked, {(ALDER, 2020, "7"): texts}, headings=(texts[0], texts[2])
    )

    assert ids(rows)[0] == "0007_2020_7_1"
    assert not any("expand" in row["found_by"] for row in rows[1:])


def test_a_heading_that_matches_best_stands_behind_text(search):
    texts = ["Net Sales of Paint", "Net sales of paint rose by a tenth in the year."]
    asked = question("net sales of paint", [ALDER], [2020])
    alone = {"expand_window": 0, "expand_window_short": 0}
    sections = {(ALDER, 2020, "7"): texts}
    as_text = search(system("multi_path", **alone), asked, sections)
    as_heading = search(system("multi_path", **alone), asked, sections, headings=texts[:1])

    assert ids(as_text) == ["0007_2020_7_0", "0007_2020_7_1"]
    assert ids(as_heading) == ["0007_2020_7_1", "0007_2020_7_0"]


def test_a_section_that_is_hinted_at_is_preferred(search):
    sections = {(ALDER, 2020, "1"): ["Net sales rose."], (ALDER, 2020, "7"): ["Net sales rose."]}
    plain = search(system("multi_path"), question("net sales", [ALDER], [2020]), sections)
    asked = question("net sales", [ALDER], [2020], section_names=["ITEM_7"])
    hinted = search(system("multi_path"), asked, sections)

    assert ids(plain) == ["0007_2020_1_0", "0007_2020_7_0"]
    assert ids(hinted) == ["0007_2020_7_0", "0007_2020_1_0"]


@pytest.mark.parametrize(
    ("section_names", "first"), [(["ITEM_1A"], 1), (["ITEM_1A", "ITEM_7"], 0), ([], 0)]
)
def test_a_theme_is_searched_for_by_its_topic_alone(search, section_names, first):
    sections = {
        (ALDER, 2020, "1A"): ["Risks that we describe and compare with theft.", "Data theft."]
    }
    # The topic prefers the second, by vector and by words; the whole question the first.
    asked = question(
        "Compare and describe risks of theft", [ALDER], [2020], "data theft", section_names
    )
    alone = {"expand_window": 0, "expand_window_short": 0}
    rows = search(system("multi_path", **alone), asked, sections)

    assert rows[0]["passage_id"] == f"0007_2020_1A_{first}"


def test_a_theme_is_searched_for_by_words_where_vectors_have_no_weight(search):
    sections = {(ALDER, 2020, "1A"): ["Rent is due.", "Data theft."]}
    asked = question("data theft", [ALDER], [2020], section_names=["ITEM_1A"])
    alone = {"expand_window": 0, "expand_window_short": 0, "dense_weight": 0.0}
    rows = search(system("multi_path", **alone), asked, sections)

    assert rows[0]["passage_id"] == "0007_2020_1A_1"


def test_too_few_hits_in_a_short_section_open_the_search(search):
    sections = {(ALDER, 2020, "7"): ["Net sales of paint.", "Revenue from glue."]}
    asked = question("revenue from glue", [ALDER], [2020], topic="net sales of paint")
    # Topic and question each prefer one sentence; the open search is by the question.
    even = {"global_weight": 0.01, "expand_window": 0, "expand_window_short": 0}
    closed = search(system("multi_path", min_hits_short=2, **even), asked, sections)
    opened = search(system("multi_path", min_hits_short=3, **even), asked, sections)
    long = search(system("multi_path", min_hits_short=3, short_section=2, **even), asked, sections)

    assert ids(closed) == ids(long) == ["0007_2020_7_0", "0007_2020_7_1"]
    assert ids(opened) == ["0007_2020_7_1", "0007_2020_7_0"]


# --- chunks --------------------------------------------------------------------------------------


def test_sentences_of_a_chunk_share_its_score(search):
    sections = {(ALDER, 2020, "7"): ["Rent is due.", "Net sales rose.", "Wages.", "Tax."]}
    rows = search(system("naive_rag", regime="open"), question("net sales rose"), sections)

    assert ids(rows) == ["0007_2020_7_0", "0007_2020_7_1"]
    assert [row["n_tied"] for row in rows] == [2, 2]
    assert rows[0]["score"] == rows[1]["score"]
    assert {row["found_by"] for row in rows} == {"chunk"}


def test_a_chunk_carries_whose_it_is(search):
    asked = question("net sales of Birch")
    without = search(system("naive_rag", regime="open"), asked, SAME)
    found = search(system("naive_rag", regime="open"), asked, SAME, lines=LINES)

    assert without[0]["passage_id"] == "0007_2020_7_0"
    assert ids(found) == ["0008_2021_7_0", "0008_2021_7_1"]


def test_sentences_of_a_chunk_stand_as_they_are_read(search):
    # In the order of ids, _10 and _11 stand before _8 and _9.
    texts = [f"Rent of store {n} is due." for n in range(8)]
    texts += [f"Net sales of region {n} rose." for n in "abcd"]
    sections = {(ALDER, 2020, "7"): texts}
    sentences = sentences_of(sections)
    rows = search(
        system("naive_rag", depth=3),
        question("net sales rose"),
        sections,
        chunks=chunks_of(sentences, size=4),
    )

    assert ids(rows) == [f"0007_2020_7_{n}" for n in (8, 9, 10)]
    assert [row["n_tied"] for row in rows] == [4, 4, 4]


def test_a_long_chunk_is_cut_to_its_beginning(search):
    # More than the reranking stage is given.
    sections = {(ALDER, 2020, "7"): [f"Net sales of region {n} rose." for n in range(120)]}
    chunks = chunks_of(sentences_of(sections), size=120)
    asked = question("net sales rose")
    rows = search(system("naive_rag", depth=100), asked, sections, chunks=chunks)

    assert ids(rows) == [f"0007_2020_7_{n}" for n in range(100)]


def test_a_chunk_is_the_mean_of_its_sentences_or_a_text_of_its_own(search):
    sections = {(ALDER, 2020, "7"): ["Net sales rose.", "Net sales rose and rose and rose."]}
    mean = vector("Net sales rose.") + vector("Net sales rose and rose and rose.")
    mean /= np.linalg.norm(mean)
    whole = vector("Net sales rose. Net sales rose and rose and rose.")
    asked = question("net sales rose")
    of_means, encoded = (
        search(system("naive_rag", regime="open", chunk_vectors=kind), asked, sections)
        for kind in ("mean", "encoded")
    )

    assert of_means[0]["score"] == pytest.approx(vector("net sales rose") @ mean, abs=1e-6)
    assert encoded[0]["score"] == pytest.approx(vector("net sales rose") @ whole, abs=1e-6)


def test_a_sentence_in_two_chunks_has_the_better_score(search):
    texts = ["Rent is due.", "Net sales rose.", "Net sales rose."]
    sections = {(ALDER, 2020, "7"): texts}
    chunks = [
        {
            "chunk_id": f"c{first}", "section_id": "0007_2020_7", "cik_int": ALDER,
            "report_year": 2020, "first_sentence_pos": first, "n_sentences": 2,
            "chunk_text": f"c{first}", "chunk_hash": f"c{first}",
        }
        for first in (0, 1)
    ]  # fmt: skip
    rows = search(
        system("naive_rag", regime="open", n_chunks=2),
        question("net sales rose"),
        sections,
        chunks=pa.Table.from_pylist(chunks),
    )

    assert ids(rows) == ["0007_2020_7_1", "0007_2020_7_2", "0007_2020_7_0"]
    assert rows[0]["score"] == pytest.approx(1.0)


def test_a_sentence_without_a_vector_is_left_out_of_the_mean(search):
    sections = {(ALDER, 2020, "7"): ["Net sales rose.", "Broken."]}
    rows = search(
        system("naive_rag", regime="open"),
        question("net sales rose"),
        sections,
        unusable=["Broken."],
    )

    assert rows[0]["score"] == pytest.approx(1.0)
    assert len(rows) == 2


def test_a_chunk_without_any_vector_is_never_found(search):
    sections = {(ALDER, 2020, "7"): ["Broken."], (BIRCH, 2020, "7"): ["Rent is due."]}
    rows = search(
        system("naive_rag", n_chunks=5), question("net sales"), sections, unusable=["Broken."]
    )

    assert ids(rows) == ["0008_2020_7_0"]


def test_unknown_chunk_vectors_list_the_valid_ones(search):
    with pytest.raises(ValueError, match="the_naive_rag: chunk_vectors 'max' does not exist"):
        search(system("naive_rag", chunk_vectors="max"), question("net sales"), SALES)


# --- degenerate cases ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["dense", "hybrid", "multi_path", "naive_rag"])
def test_a_question_without_a_finite_vector_fails_and_the_next_does_not(search, kind):
    asked = [question("nan", item_id="p3:a"), question("net sales", item_id="p3:b")]
    rows = search(system(kind), asked, SALES, unusable=["nan"])

    assert rows[0]["item_id"] == "p3:a"
    assert rows[0]["rank"] is None
    assert rows[0]["failure"] == "the query's vector is not finite"
    assert all(row["item_id"] == "p3:b" and row["failure"] is None for row in rows[1:])
    assert len(rows) > 1


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_corpus_ends_in_an_outcome(search, kind):
    (row,) = search(system(kind), question("net sales", [ALDER], [2020]), {})

    assert row["rank"] is None
    is_sparse = kind in ("bm25", "random")
    assert row["failure"] == (None if is_sparse else "the encoder gave no vectors")


def test_a_question_that_shares_no_word_finds_nothing_by_bm25(search):
    (row,) = search(system("bm25"), question("goodwill"), SALES)

    assert (row["rank"], row["failure"]) == (None, None)
    assert [stage["stage"] for stage in row["stages"]] == ["search"]


def test_a_question_without_text_is_named(search):
    with pytest.raises(ValueError, match="question p3:q has no text"):
        search(system("bm25"), question(" "), SALES)


def test_a_random_order_depends_on_seed_and_question_alone(search):
    sections = {(ALDER, 2020, "7"): [f"Line {n}." for n in range(20)]}
    asked = [question("net sales", item_id=f"p3:{n}") for n in range(2)]
    both = search(system("random", depth=5), asked, sections)
    second = search(system("random", depth=5), asked[1], sections)
    other = search(system("random", depth=5, random_seed=4), asked[1], sections)

    assert len(both) == 10
    assert ids(both[5:]) == ids(second)
    assert ids(both[:5]) != ids(second) != ids(other)


# --- which systems are run -----------------------------------------------------------------------


def test_systems_that_ask_anchors_and_external_ones_are_passed_over(search):
    systems = [
        system("bm25", system_id="anchored", asks="anchors"),
        system("external_file", regime="open"),
        system("bm25", system_id="both", asks="both"),
    ]
    rows = search(systems, question("net sales"), SALES)

    assert {row["system_id"] for row in rows} == {"both"}


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (system("sparse"), "system_kind 'sparse' does not exist; use one of dense, bm25"),
        (system("dense", regime="closed"), "regime 'closed' does not exist"),
        (system("dense", asks="tables"), "asks 'tables' does not exist"),
        (system("multi_path", asks="both"), "cannot be asked with an anchor"),
        (system("dense", asks="both", reranker="late_interaction"), "apply to questions only"),
        (system("bm25", near_duplicate_cosine=0.9), "near_duplicate_cosine compare vectors"),
        (system("multi_path", expand_window=None), "needs expand_window"),
        (system("hybrid", rrf_k=None), "needs rrf_k"),
        (system("naive_rag", regime="filtered"), "searches openly; set regime to open"),
    ],
)
def test_a_wrong_setting_names_the_system(search, broken, message):
    with pytest.raises(ValueError, match=message) as error:
        search(broken, question("net sales"), SALES)
    assert broken["system_id"] in str(error.value)


def anchored(tmp_path, *systems, lines=None):
    """What systems find for an anchor: the first sentence of the corpus."""
    sentences = sentences_of(SALES)
    texts = texts_of(sentences)
    batch = vector_batch(texts["text_hash"].to_pylist(), texts["sentence_text"].to_pylist())
    anchor = question("", item_id="p1:a") | {
        "gold_set": "p1",
        "item_kind": "anchor",
        "passage_id": sentences["sentence_id"][0].as_py(),
        "question_text": sentences["sentence_text"][0].as_py(),
    }
    named = sorted(set((lines or {}).values()))
    embedded = vector_batch([content_hash(text) for text in named], named)
    queries = pa.Table.from_batches([embedded]).rename_columns(
        ["encoder", "encoder_id", "content_hash", "vector"]
    )
    queries = queries.append_column("latency_ms", pa.array([0.0] * len(named), pa.float64()))
    registered = pa.Table.from_pylist(list(systems))
    settings = {"state_dir": str(tmp_path)}
    built = finrag.retrieval.build_indexes(registered, texts, [batch], settings)
    ranked = finrag.retrieval.rank_items(
        registered, built, pa.Table.from_pylist([anchor], schema=QUESTION_SCHEMA),
        sentences, texts, chunks_of(sentences), queries, NO_PASSAGES, [batch], settings,
        None if lines is None else contexts_of(lines),
    )  # fmt: skip
    return built, ranked.read_all()


def test_anchors_pass_over_systems_that_ask_questions(tmp_path):
    both = system("hybrid", system_id="fused", asks="both")
    built, rows = anchored(tmp_path, both, system("multi_path"))

    assert built["system_id"].to_pylist() == ["fused", "the_multi_path"]
    assert set(rows["system_id"].to_pylist()) == {"fused"}
    # Its own text is first in both lists: 0.5/61 + 0.5/61.
    assert rows["passage_id"].to_pylist() == ["0007_2020_7_0", "0007_2020_7_1"]
    assert rows["score"][0].as_py() == pytest.approx(1 / 61, abs=1e-6)


def test_an_anchor_has_no_ways_and_no_stages(tmp_path):
    _, rows = anchored(tmp_path, system("bm25", asks="anchors"))

    assert rows["unit"].to_pylist() == ["sentence"]
    assert rows["found_by"].to_pylist() == rows["stages"].to_pylist() == [None]


def test_neighbouring_ranks_of_an_anchor_stay_apart_whatever_the_constant(tmp_path):
    settings = {"asks": "both", "rrf_k": 1000, "sparse_weight": 0.0, "dense_weight": 0.1}
    _, rows = anchored(tmp_path, system("hybrid", **settings))

    assert rows["n_tied"].to_pylist() == [1, 1]


def test_systems_that_ask_the_same_search_share_it(search, monkeypatch):
    asked = []
    scores = bm25.SparseIndex.scores_of
    monkeypatch.setattr(
        bm25.SparseIndex, "scores_of", lambda *given: asked.append(given) or scores(*given)
    )
    alike = [system("bm25", system_id=name, answerer=name) for name in ("a", "b")]
    rows = search(alike, question("net sales", [ALDER]), SALES)
    other = system("bm25", system_id="c", bm25_k1=1.0)
    parts = [system("bm25"), system("hybrid")]

    assert len(asked) == 1
    assert {row["system_id"] for row in rows} == {"a", "b"}
    search([*alike, other], question("wages", [ALDER]), SALES)
    assert len(asked) == 3
    search(parts, question("rent", [ALDER]), SALES)
    assert len(asked) == 4


# --- what follows the search ---------------------------------------------------------------------


def test_near_duplicates_go_unless_filing_or_figures_differ(search):
    sections = {
        (ALDER, 2020, "7"): ["Net sales were 5.", "Net sales were 5!", "Net sales were 6."],
        (ALDER, 2021, "7"): ["Net sales were 5?"],
    }
    rows = search(
        system("dense", near_duplicate_cosine=0.95), question("net sales", [ALDER]), sections
    )

    assert ids(rows) == ["0007_2020_7_0", "0007_2020_7_2", "0007_2021_7_0"]
    assert [stage["stage"] for stage in rows[0]["stages"]] == ["embed", "search", "deduplicate"]
    assert (rows[0]["stages"][2]["n_in"], rows[0]["stages"][2]["n_out"]) == (4, 3)


def test_marginal_relevance_falls_and_spares_the_other_year(search):
    sections = {
        (ALDER, 2020, "7"): ["Net sales rose.", "Net sales rose!", "Wages rose."],
        (ALDER, 2021, "7"): ["Net sales rose?"],
    }
    asked = question("net sales rose", [ALDER], [2020, 2021])
    rows = search(system("dense", mmr_lambda=0.5), asked, sections)
    scores = [row["score"] for row in rows]

    assert ids(rows) == ["0007_2020_7_0", "0007_2021_7_0", "0007_2020_7_1", "0007_2020_7_2"]
    assert scores == sorted(scores, reverse=True)


class ByLength:
    """Prefers short texts; fails where it is asked about tax."""

    def rerank(self, queries, texts):
        for query, group in zip(queries, texts, strict=True):
            call = Call(
                *("rerank", "m", "p", "r", "ok", None, 200, 1, 5, 2, 1.0, "2024-01-01T00:00:00Z"),
                call_id="c",
            )
            if "tax" in query:
                yield Reranked(None, (call,), 7.0, "the endpoint gave no answer")
            else:
                yield Reranked(-np.array([len(text) for text in group], float), (call,), 7.0, None)


@pytest.fixture
def reranked(monkeypatch):
    monkeypatch.setattr(reranking, "open_reranker", lambda name, texts, settings: ByLength())


@pytest.mark.usefixtures("reranked")
def test_a_reranker_orders_the_head_and_leaves_its_calls(search):
    sections = {(ALDER, 2020, "7"): ["Net sales rose by far.", "Net sales rose.", "Sales."]}
    asked = question("net sales rose by far")
    rows = search(system("dense", reranker="by_length", rerank_depth=2), asked, sections)

    assert ids(rows) == ["0007_2020_7_1", "0007_2020_7_0"]
    assert [stage["stage"] for stage in rows[0]["stages"]] == ["embed", "search", "rerank"]
    assert rows[0]["stages"][2]["latency_ms"] == 7.0
    assert [call["stage"] for call in rows[0]["calls"]] == ["rerank"]
    assert rows[1]["stages"] is None


@pytest.mark.usefixtures("reranked")
def test_a_reranker_that_fails_fails_its_question_alone(search):
    asked = [question("tax", item_id="p3:a"), question("net sales", item_id="p3:b")]
    rows = search(system("dense", reranker="by_length"), asked, SALES)

    assert (rows[0]["rank"], rows[0]["failure"]) == (None, "the endpoint gave no answer")
    assert len(rows[0]["calls"]) == 1
    assert rows[1]["rank"] == 1


@pytest.mark.usefixtures("reranked")
def test_a_question_without_candidates_is_not_reranked(search):
    asked = [question("goodwill", item_id="p3:a"), question("net sales", item_id="p3:b")]
    rows = search(system("bm25", reranker="by_length"), asked, SALES)

    assert (rows[0]["rank"], rows[0]["calls"]) == (None, [])
    assert rows[1]["rank"] == 1


@pytest.mark.usefixtures("reranked")
def test_every_year_keeps_its_share_after_reranking(search):
    sections = {
        (ALDER, 2020, "7"): [f"Sales {n}." for n in range(9)],
        (ALDER, 2021, "7"): ["The long story of how net sales of paint came to rise again."],
    }
    asked = question("net sales of paint", [ALDER], [2020, 2021])
    rows = search(system("multi_path", reranker="by_length"), asked, sections)

    assert "0007_2021_7_0" in ids(rows)[:2]


@pytest.mark.usefixtures("reranked")
def test_a_reranker_of_paths_does_not_forget_what_the_search_found(search):
    texts = ["Net sales of paint rose.", "Net sales of paint and glue rose again.", "Net sales."]
    sections = {(ALDER, 2020, "7"): texts}
    asked = question("net sales of paint rose", [ALDER], [2020])
    alone = {"expand_window": 0, "expand_window_short": 0}
    found = search(system("multi_path", **alone), asked, sections)
    rows = search(system("multi_path", reranker="by_length", **alone), asked, sections)

    assert ids(found) == [f"0007_2020_7_{n}" for n in (0, 1, 2)]
    # First and second beat third and first: 1/61 + 1/62 against 1/63 + 1/61.
    assert ids(rows) == [f"0007_2020_7_{n}" for n in (0, 2, 1)]


# --- the record of a search ----------------------------------------------------------------------


def test_stages_stand_in_order_on_the_first_row(search):
    asked = question("net sales", [ALDER], [2021], topic="sales")
    rows = search(system("multi_path"), asked, SALES)
    stages = rows[0]["stages"]

    assert [stage["stage"] for stage in stages] == ["embed", "search", "fuse", "expand"]
    assert [stage["stage_pos"] for stage in stages] == [0, 1, 2, 3]
    assert (stages[0]["n_in"], stages[0]["n_out"], stages[0]["latency_ms"]) == (3, 3, 6.0)
    assert stages[1]["n_in"] == 2
    assert all(stage["latency_ms"] >= 0 for stage in stages)
    assert all(row["stages"] is None for row in rows[1:])


@pytest.mark.parametrize(
    ("kind", "regime"),
    [
        ("bm25", "filtered"),
        ("dense", "filtered"),
        ("dense", "open"),
        ("hybrid", "filtered"),
        ("multi_path", "filtered"),
        ("naive_rag", "open"),
    ],
)
def test_what_is_opened_once_is_no_time_of_a_question(search, monkeypatch, kind, regime):
    def slowly(function):
        def slow(*arguments):
            time.sleep(0.5)
            return function(*arguments)

        return slow

    for module, name in (
        (pools, "open_sparse_index"),
        (indexes, "load_index"),
        (pools, "open_chunk_search"),
    ):
        monkeypatch.setattr(module, name, slowly(getattr(module, name)))
    rows = search(system(kind, regime=regime), question("net sales", [ALDER]), SALES)

    assert sum(stage["latency_ms"] for stage in rows[0]["stages"]) < 400


@pytest.fixture
def in_tiny_blocks(monkeypatch):
    """Blocks of two vectors, searched as tasks of a runner; the tasks that were run."""
    tasks = []

    class Watched(runners.Alone):
        def run(self, function, given, label):
            tasks.extend(given)
            return super().run(function, given, label)

    monkeypatch.setattr(runners, "open_runner", lambda engine: Watched())
    monkeypatch.setattr(vectors, "BLOCK_ROWS", 2)
    return tasks


def scale_in(folder):
    """The settings of a build with an engine, which does not find what one without has cached."""
    return {"engine": "pool", "state_dir": str(folder / "scale")}


@pytest.mark.parametrize("regime", ["open", "filtered"])
@pytest.mark.parametrize(
    "lines", [None, {(ALDER, 2020, "7"): "Alder 2020", (BIRCH, 2020, "7"): "B"}]
)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("bm25", "random")])
def test_an_engine_gives_the_rows_of_one_process(search, request, kind, lines, regime, tmp_path):
    weight = 0.4 if lines and kind in ("dense", "hybrid") else None
    regime = "open" if kind == "naive_rag" else regime
    systems = [
        system(kind, regime=regime, system_id=name, depth=depth, context_vector_weight=weight)
        for name, depth in (("a", 5), ("b", 5), ("c", 3))
    ]
    asked = [question("net sales", item_id=f"p3:{n}", topic="sales") for n in range(300)]
    asked += [question("wages", [ALDER], [2021], item_id="p3:r"), question("rent", item_id="p3:s")]
    alone = search(systems, asked, SALES, unusable={"rent"}, lines=lines)
    tasks = request.getfixturevalue("in_tiny_blocks")
    scale = scale_in(tmp_path)
    spread = search(systems, asked, SALES, unusable={"rent"}, lines=lines, **scale)
    for row in (*alone, *spread):
        row.pop("stages")

    assert spread == alone
    assert list((tmp_path / "scale" / "cache" / "matrices").iterdir())
    if kind in ("dense", "hybrid") and not lines and regime == "open":
        # Each of three blocks is read once for all questions and systems, and once for the recall.
        assert len(tasks) == 2 * 3


def test_other_context_lines_are_not_answered_from_the_cache_with_an_engine(search, tmp_path):
    places, names = [(ALDER, 2020, "7"), (BIRCH, 2020, "7")], ["Alder 2020", "B"]
    asked = question("B", [], [])
    dense = system("dense", regime="open", context_vector_weight=0.9)
    found = []
    # The same lines, each above the other's section: no text is new, and no vector.
    for lines in (names, names[::-1]):
        rows = search(
            dense, asked, SALES, lines=dict(zip(places, lines, strict=True)), **scale_in(tmp_path)
        )
        found.append(rows[0]["passage_id"])

    assert found[0] != found[1]


def test_processes_search_the_blocks_of_a_large_pool(search, monkeypatch, tmp_path):
    asked = [question("net sales"), question("wages", item_id="p3:r")]
    alone = search(system("dense", regime="open"), asked, SALES)
    monkeypatch.setattr(vectors, "BLOCK_ROWS", 2)
    spread = search(system("dense", regime="open"), asked, SALES, **scale_in(tmp_path))
    for row in (*alone, *spread):
        row.pop("stages")

    assert spread == alone


@pytest.mark.parametrize("kind", KINDS)
def test_a_search_gives_the_same_rows_again(search, kind):
    asked = [question("net sales", [ALDER], [2020, 2021]), question("wages", item_id="p3:r")]
    first, again = (search(system(kind), asked, SALES) for _ in range(2))
    for row in (*first, *again):
        row.pop("stages")

    assert first == again
    assert [row["rank"] for row in first if row["item_id"] == "p3:q"] == list(
        range(1, 1 + sum(row["item_id"] == "p3:q" for row in first))
    )


def test_only_what_is_searched_with_is_embedded(tmp_path):
    settings = {"state_dir": str(tmp_path), "encoder_batch_size": "8", "encoder_threads": "1"}
    rows = [question("What did rent cost?", topic="rent"), question("Who is Ann?", topic=" ")]
    questions = pa.Table.from_pylist(rows, schema=QUESTION_SCHEMA)
    chunks = pa.table({"chunk_text": ["Rent is due."]})

    def texts(*systems):
        systems = pa.Table.from_pylist(list(systems))
        found = finrag.retrieval.embed_search_texts(systems, questions, chunks, settings)
        return {(row["encoder"], row["content_hash"]) for row in found.to_pylist()}

    static = {"encoder": "wordllama"}
    asked = {("wordllama", content_hash(t)) for t in ("What did rent cost?", "rent", "Who is Ann?")}
    assert texts(system("bm25"), system("dense", asks="anchors", **static)) == set()
    assert texts(system("naive_rag", **static)) == asked
    assert texts(system("naive_rag", chunk_vectors="encoded", **static)) == asked | {
        ("wordllama", content_hash("Rent is due."))
    }
