"""Encoders that want words before a question or a passage get them, and are known by them."""

import numpy as np
import pyarrow as pa
import pytest

from finrag.embeddings import content_hash, embed_queries, embed_texts, encoder_id, encoders
from finrag.embeddings.encoders import EncoderSpec, resolve
from finrag.embeddings.prompts import Prompts, known_prompts, split_prompts
from finrag.retrieval.embedding import embed_search_texts
from finrag.retrieval.pools import SetTexts

E5 = Prompts("query: ", "passage: ")


class Model:
    """Counts of characters; remembers what it was given."""

    def __init__(self):
        self.seen = []

    def encode(self, texts):
        self.seen += texts
        rows = [[1 + text.count(letter) for letter in "aeq:"] for text in texts]
        return np.array(rows, np.float32)


@pytest.fixture
def model(monkeypatch):
    loaded = Model()

    def add(name, prompts):
        spec = EncoderSpec(f"{name}@0001", lambda threads: loaded, prompts=prompts)
        monkeypatch.setitem(encoders.BUILT_IN, name, lambda: spec)

    add("plain", Prompts())
    add("e5", E5)
    add("half", Prompts("query: "))
    return loaded


def embed(texts, encoder, folder, role):
    table = pa.table({"text_hash": [content_hash(text) for text in texts], "sentence_text": texts})
    found = embed_texts(table, encoder, folder, batch_size=4, threads=1, role=role).read_all()
    return found.to_pylist()


def folders(cache_dir):
    return sorted(path.name for path in cache_dir.glob("embeddings/*"))


@pytest.mark.parametrize(
    ("encoder", "role", "given"),
    [
        ("plain", "query", "Sales"),
        ("plain", "passage", "Sales"),
        ("e5", "query", "query: Sales"),
        ("e5", "passage", "passage: Sales"),
        ("half", "passage", "Sales"),
    ],
)
def test_the_model_is_given_the_prompt_of_the_role(model, tmp_path, encoder, role, given):
    (row,) = embed(["Sales"], encoder, tmp_path, role)

    assert model.seen == [given]
    # The key of a text is that of its own words.
    assert row["text_hash"] == content_hash("Sales")
    assert row["encoder_id"] == encoder_id(encoder)


def test_a_question_and_a_passage_are_cached_apart_and_texts_without_prompt_as_ever(
    model, tmp_path
):
    for encoder in ("plain", "e5", "half"):
        for role in ("query", "passage"):
            embed(["Sales"], encoder, tmp_path, role)

    assert [name.partition("~")[0] for name in folders(tmp_path)] == [
        *("e5@0001", "e5@0001", "half@0001", "half@0001", "plain@0001"),
    ]
    assert {"plain@0001", "half@0001"} < set(folders(tmp_path))
    # Each prompt once: plain has one folder for both roles.
    assert model.seen == ["Sales", "query: Sales", "passage: Sales", "query: Sales", "Sales"]


def test_questions_are_the_role_of_embed_queries(model, tmp_path):
    embed_queries(["Sales"], "e5", tmp_path)
    assert model.seen == ["query: Sales"]


def test_identities_tell_prompts_apart(model):
    assert encoder_id("plain") == "plain@0001"
    assert encoder_id("e5").startswith("e5@0001~")
    assert len({resolve(name).identity.partition("~")[2] for name in ("plain", "e5", "half")}) == 3


@pytest.mark.parametrize(
    ("encoder", "identity"),
    [
        ("minilm", "all-MiniLM-L6-v2@53aa5117"),
        ("wordllama", "wordllama-l2_supercat-256@64b47a2d"),
    ],
)
def test_the_shipped_encoders_are_known_as_before(encoder, identity):
    spec = resolve(encoder)
    assert {encoder_id(encoder), spec.cache_key("query"), spec.cache_key("passage")} == {identity}


@pytest.mark.parametrize(
    ("name", "query", "passage"),
    [
        ("intfloat/e5-small-v2", "query: ", "passage: "),
        ("intfloat/multilingual-e5-large", "query: ", "passage: "),
        ("nomic-ai/nomic-embed-text-v1.5", "search_query: ", "search_document: "),
        ("mixedbread-ai/mxbai-embed-large-v1", "Represent this", ""),
        ("Snowflake/snowflake-arctic-embed-m", "Represent this", ""),
        ("snowflake-arctic-embed-l-v2.0", "query: ", ""),
        ("Qwen/Qwen3-Embedding-0.6B", "Instruct: ", ""),
        ("sentence-transformers/all-MiniLM-L6-v2", "", ""),
        ("BAAI/bge-m3", "", ""),
        ("acme/e5-small-v2-tuned", "", ""),
    ],
)
def test_known_models_have_the_prompts_of_their_cards(name, query, passage):
    found = known_prompts(name)
    assert found.query.startswith(query)
    assert (found.passage, bool(found.query)) == (passage, bool(query))


COMMIT = "0123456789abcdef0123456789abcdef01234567"
HUB = f"sentence-transformers:acme/tiny@{COMMIT}"
HUB_E5 = f"sentence-transformers:intfloat/e5-small-v2@{COMMIT}"


@pytest.mark.parametrize(
    ("encoder", "prompts"),
    [
        (HUB, Prompts()),
        (HUB_E5, E5),
        (f"{HUB}?query_prompt=ask%3A%20", Prompts("ask: ")),
        (f"{HUB}?passage_prompt=p%20&query_prompt=q%26", Prompts("q&", "p ")),
        (f"{HUB_E5}?query_prompt=", Prompts("", "passage: ")),
        ("openai:embed?query_prompt=q%20", Prompts("q ")),
        # Who serves a model may put its prompt there already.
        ("openai:intfloat/e5-small-v2", Prompts()),
    ],
)
def test_prompts_are_set_behind_the_name(encoder, prompts, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert resolve(encoder).prompts == prompts


@pytest.mark.parametrize("text", ["m?query_prompt=a&x=1", "m?query_prompt=a&query_prompt=b"])
def test_another_word_behind_the_name_is_refused(text):
    with pytest.raises(ValueError, match="passage_prompt"):
        split_prompts(text)


def test_a_question_mark_of_a_name_stays():
    assert split_prompts("models/what?/m") == ("models/what?/m", {})


SETTINGS = {"encoder_batch_size": 4, "encoder_threads": 1}


def asked_questions():
    """One question, from which nothing was read."""
    texts = pa.list_(pa.string())
    types = {
        **dict.fromkeys(("item_id", "gold_set", "item_kind", "corpus_id"), pa.string()),
        **dict.fromkeys(("document_id", "question_text", "topic_text"), pa.string()),
        **{"cik_ints": pa.list_(pa.int64()), "years": pa.list_(pa.int32())},
        **dict.fromkeys(("section_names", "forms", "segments", "company_names"), texts),
    }
    asked = {
        "item_id": "q",
        "gold_set": "p3",
        "item_kind": "question",
        "corpus_id": "filings",
        "question_text": "Sales?",
    }
    return pa.Table.from_pylist([asked], schema=pa.schema(list(types.items())))


def test_questions_and_chunks_of_a_search_are_told_apart(model, tmp_path):
    systems = pa.Table.from_pylist(
        [
            {
                "system_id": "s",
                "system_kind": "naive_rag",
                "encoder": "e5",
                "asks": "questions",
                "chunk_vectors": "encoded",
            }
        ]
    )
    chunks = pa.table({"chunk_text": ["Net sales.", "Sales?"]})

    found = embed_search_texts(
        systems, asked_questions(), chunks, {**SETTINGS, "state_dir": str(tmp_path)}
    )

    assert sorted(model.seen) == ["passage: Net sales.", "query: Sales?"]
    hashes = found["content_hash"].to_pylist()
    assert hashes == sorted(hashes)
    assert len(hashes) == 2


@pytest.mark.parametrize(
    ("kind", "weight", "seen"),
    [
        ("dense", 2.0, ["passage: Alder 2020 10-K", "query: Sales?"]),
        ("dense", 0.0, ["query: Sales?"]),
        ("dense", None, ["query: Sales?"]),
        # A chunk's header says what the line says.
        ("naive_rag", None, ["passage: Alder 2020 10-K", "query: Sales?"]),
    ],
)
def test_context_lines_are_embedded_as_passages_where_a_system_compares_them(
    model, tmp_path, kind, weight, seen
):
    systems = pa.Table.from_pylist(
        [
            {
                "system_id": "s",
                "system_kind": kind,
                "encoder": "e5",
                "asks": "questions",
                "chunk_vectors": "mean",
                "context_vector_weight": weight,
            }
        ]
    )
    settings = {**SETTINGS, "state_dir": str(tmp_path)}
    contexts = pa.table({"context_text": ["Alder 2020 10-K", ""]})
    chunks = pa.table({"chunk_text": ["Net sales."]})

    embed_search_texts(systems, asked_questions(), chunks, settings, contexts)

    assert sorted(model.seen) == seen


@pytest.mark.parametrize(
    ("encoder", "seen"),
    [("e5", ["passage: Sales", "query: Sales", "query: Sales?"]), ("plain", ["Sales", "Sales?"])],
)
def test_texts_and_questions_of_a_set_are_told_apart(model, tmp_path, encoder, seen):
    worded = SetTexts(["Sales"], ["Sales", "Sales?"], {**SETTINGS, "state_dir": str(tmp_path)})

    assert len(worded.of(encoder, "passage").of(["Sales"])) == 1
    assert not np.isnan(worded.of(encoder, "query").of(["Sales", "Sales?"])).any()
    assert sorted(model.seen) == seen
