"""From texts to unit vectors: what the cache lacks is embedded, then everything streams out sorted.

Texts, the list of missing texts and the final sort live in a private in-memory DuckDB that spills
to disk, so that memory does not grow with the corpus; only one part of texts is ever in Python.
"""

from __future__ import annotations

import hashlib
import logging
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from finrag.embeddings import cache
from finrag.embeddings.encoders import Encoder, EncoderSpec, resolve
from finrag.embeddings.prompts import Role
from finrag.warehouse import Connection, in_memory

EMBEDDING_SCHEMA = pa.schema(
    [
        ("encoder_id", pa.string()),
        ("text_hash", pa.string()),
        ("vector", pa.list_(pa.float32())),
    ]
)
MEMORY_LIMIT = "1GB"
OUTPUT_ROWS = 8192
# A batch is padded to its longest text: this bounds longest × count where a text is a whole page.
MAX_PADDED_CHARS = 400_000
PROGRESS_INTERVAL_S = 10.0
# Fewer take no time that anybody waits for; the ledger has them.
FEW_TEXTS = 1_000
MAX_ROUNDS = 10

logger = logging.getLogger("finrag.embeddings")


def content_hash(text: str) -> str:
    """Key of a text in the cache: md5 hex of its UTF-8 bytes, as SQL's ``md5(text)``.

    Of the exact text: an encoder may see case and spacing, and a vector must not depend on
    which spelling an earlier build happened to embed.

    Args:
        text: any text, also empty.

    Returns:
        32 hex digits.
    """
    return hashlib.md5(text.encode("utf-8"), usedforsecurity=False).hexdigest()


def embed_texts(
    texts: pa.Table | pa.RecordBatchReader,
    encoder: str,
    cache_dir: Path,
    *,
    batch_size: int,
    threads: int,
    role: Role = "passage",
    prefix: str = "",
) -> pa.RecordBatchReader:
    """Give every distinct text its unit vector, computing only what the cache lacks.

    The input is read, and all missing texts are embedded and cached, before this returns; the model
    is imported only if a text is missing. Texts are embedded in order of (length, text_hash), in
    batches that never cross a part, and each part is cached whole: after a kill the remaining texts
    form the batches they would have formed, so the vectors are the same to the last bit. A line
    is added to ``ledger.jsonl`` beside the parts, and where many texts are new a line is printed
    to stderr.

    Args:
        texts: columns ``text_hash`` and ``sentence_text`` (strings). Repeated hashes are one text;
            where their texts differ (case, spacing) the smallest in byte order is embedded.
        encoder: an encoder name, see ``finrag.embeddings.encoders.VALID_FORMS``.
        cache_dir: root of the cache, shared by all corpora; created if absent.
        batch_size: texts per call of the model, at least 1 (fewer where texts are very long).
        threads: CPU threads for the model and for sorting, at least 1.
        role: what the texts are; decides the prompt that the encoder puts before them.
        prefix: how the hashes of all these texts begin, where texts of other prefixes are embedded
            by themselves: then no more of the cache is searched, and added to, than need be.

    Returns:
        A stream under ``EMBEDDING_SCHEMA``: one row per distinct text_hash, in ascending order of
        text_hash; d floats of unit length each. A text for which the model gave NaN, an infinity
        or a zero vector keeps that vector as it is (never cached; counted in a warning). No texts,
        no rows.

    Raises:
        ValueError: unknown encoder, missing column, a null hash, an empty or blank text (named by
            its hash, before any work), weights that are not the pinned ones, vectors of another
            length than those in the cache, or an endpoint that keeps failing.
    """
    if batch_size < 1 or threads < 1:
        raise ValueError(f"batch_size {batch_size} and threads {threads} must be at least 1.")
    spec = resolve(encoder)
    folder = cache.open_folder(cache_dir, spec.cache_key(role))
    target = cache.open_folder(cache_dir, spec.cache_key(role), prefix)
    started, clock = datetime.now(UTC), time.monotonic()
    spill = tempfile.TemporaryDirectory(dir=cache_dir, prefix="spill-", ignore_cleanup_errors=True)
    con = _scratch_database(Path(spill.name), threads)
    n_texts = _take_in(con, texts)

    n_cached, n_embedded = n_texts, 0
    for round_no in range(MAX_ROUNDS):
        parts = cache.parts_for(folder, prefix)
        _find_cached(con, parts)
        n_missing, n_chars = _count_missing(con)
        if round_no == 0:
            n_cached = n_texts - n_missing
            # Of a part of the texts whoever asked for all of them tells.
            if not prefix and n_missing >= FEW_TEXTS:
                _say(f"embeddings {spec.encoder_id}: {n_texts:,} distinct texts, {n_missing:,} new")
        if n_missing:
            model = spec.load(threads)
            with _progress(spec.encoder_id, n_missing, n_chars) as advance:
                _embed_missing(
                    *(con, parts, target, spec, model, role),
                    batch_size=batch_size,
                    advance=advance,
                )
            n_embedded += n_missing
            continue
        n_unusable = _scalar(con, "select count(*) from odd")
        lost: list[Path] = []
        stream = _sorted_vectors(con, parts, lost)
        # The sort has read every vector once its first batch is out: now damage is known.
        first = next(stream, None)
        if not lost:
            break
        stream.close()  # DuckDB takes no new query while a result is open
    else:
        raise ValueError(
            f"{folder}: parts written a moment ago could not be read back {MAX_ROUNDS} times in a "
            "row. The disk or another program damages them: check the disk, or move the cache."
        )

    if n_unusable:
        logger.warning(
            "embeddings %s: %s texts got no usable vector (NaN, infinite or zero); their rows hold "
            "what the model gave and are not cached.",
            spec.encoder_id,
            f"{n_unusable:,}",
        )
    if n_embedded:
        cache.parts_in(target).merge_small()
    entry = {
        "encoder_id": spec.encoder_id,
        "n_texts": n_texts,
        "n_cached": n_cached,
        "n_embedded": n_embedded,
        "n_unusable": n_unusable,
        "seconds": round(time.monotonic() - clock, 3),
        "started_at": started.strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    cache.append_ledger(folder, entry)

    def rows() -> Iterator[pa.RecordBatch]:
        with spill:
            if first is not None:
                yield _labelled(first, spec.identity)
            for batch in stream:
                yield _labelled(batch, spec.identity)
            con.close()

    return pa.RecordBatchReader.from_batches(EMBEDDING_SCHEMA, rows())


def embed_queries(
    texts: Sequence[str],
    encoder: str,
    cache_dir: Path,
    *,
    batch_size: int = 32,
    threads: int = 1,
    role: Role = "query",
) -> NDArray[np.float32]:
    """Embed questions, in their own order, through the cache that ``embed_texts`` fills.

    Pass all questions at once where they are known: each call looks through the cache once.

    Args:
        texts: n questions; repeats are embedded once.
        encoder: an encoder name.
        cache_dir: root of the cache.
        batch_size: texts per call of the model.
        threads: CPU threads.
        role: as for ``embed_texts``.

    Returns:
        n × d matrix of unit rows; 0 × 0 when there are no questions, as d is then not known.

    Raises:
        ValueError: as ``embed_texts``.
    """
    if not texts:
        return np.empty((0, 0), dtype=np.float32)
    hashes = [content_hash(text) for text in texts]
    table = pa.table({"text_hash": hashes, "sentence_text": list(texts)})
    found = embed_texts(
        table, encoder, cache_dir, batch_size=batch_size, threads=threads, role=role
    )
    rows = found.read_all().combine_chunks()
    vectors = rows.column("vector").combine_chunks().flatten().to_numpy()
    matrix = vectors.reshape(rows.num_rows, -1).astype(np.float32)
    positions = np.searchsorted(np.array(rows.column("text_hash").to_pylist()), hashes)
    ordered: NDArray[np.float32] = matrix[positions]
    return ordered


# --- what is wanted, what is there --------------------------------------------------------------


def _scratch_database(spill: Path, threads: int) -> Connection:
    con = in_memory()
    con.execute(f"set temp_directory = '{str(spill).replace(chr(39), chr(39) * 2)}'")
    con.execute(f"set memory_limit = '{MEMORY_LIMIT}'")
    con.execute(f"set threads = {threads}")
    # Joins are written small side last; left to itself DuckDB may hold the vectors instead, whose
    # number it cannot know.
    con.execute("set disabled_optimizers = 'join_order,build_side_probe_side'")
    return con


def _scalar(con: Connection, query: str) -> int:
    return int(con.sql(query).fetchall()[0][0])


def _take_in(con: Connection, texts: pa.Table | pa.RecordBatchReader) -> int:
    """Copy the distinct texts into the scratch database and refuse what cannot be embedded."""
    absent = {"text_hash", "sentence_text"} - set(texts.schema.names)
    if absent:
        raise ValueError(f"texts to embed lack the column(s) {', '.join(sorted(absent))}.")
    con.register("given", texts)
    con.execute(
        """
        create table wanted as
        select text_hash::varchar as text_hash, min(sentence_text::varchar) as sentence_text
        from given
        group by 1
        """
    )
    con.unregister("given")
    con.execute("create table odd (text_hash varchar, vector float[])")
    blank = con.sql(
        r"""
        select coalesce(text_hash, 'null') from wanted
        where text_hash is null or sentence_text is null
            or not regexp_matches(sentence_text, '[^\s\x{0b}\x{1c}-\x{1f}\x{85}\p{Z}]')
        order by text_hash limit 5
        """
    ).fetchall()
    if blank:
        names = ", ".join(name for (name,) in blank)
        raise ValueError(
            f"text_hash {names}: the hash is null or the text is empty or only white space. Drop "
            "such sentences before they are embedded (a sentence needs a visible character)."
        )
    return _scalar(con, "select count(*) from wanted")


def _find_cached(con: Connection, parts: list[Path]) -> None:
    """Fill table ``held``: wanted texts seen before, with the part that holds a usable vector."""
    reader = pa.RecordBatchReader.from_batches(cache.INDEX_SCHEMA, cache.index_batches(parts))
    con.register("index_of_parts", reader)
    con.execute(
        """
        create or replace table held as
        select text_hash, min(part_no) filter (where usable) as part_no
        from index_of_parts
        semi join wanted using (text_hash)
        group by text_hash
        """
    )
    con.unregister("index_of_parts")


MISSING = """
    from wanted
    left join held using (text_hash)
    anti join odd using (text_hash)
    where held.part_no is null
"""


def _count_missing(con: Connection) -> tuple[int, int]:
    """Number of texts to embed, and their characters."""
    query = f"select count(*), coalesce(sum(length(wanted.sentence_text)), 0)::bigint {MISSING}"
    n_missing, n_chars = con.sql(query).fetchall()[0]
    return int(n_missing), int(n_chars)


def _sorted_vectors(
    con: Connection, parts: list[Path], lost: list[Path]
) -> Generator[pa.RecordBatch, None, None]:
    query = "select distinct part_no from held where part_no is not null order by part_no"
    needed = {part_no: parts[part_no] for (part_no,) in con.sql(query).fetchall()}
    batches = cache.vector_batches(needed, lost)
    con.register("vectors", pa.RecordBatchReader.from_batches(cache.VECTOR_SCHEMA, batches))
    reader = con.sql(
        """
        select text_hash, vector from vectors semi join held using (text_hash, part_no)
        union all by name
        select text_hash, vector from odd
        order by text_hash
        """
    ).to_arrow_reader(OUTPUT_ROWS)
    yield from reader


def _labelled(batch: pa.RecordBatch, encoder_id: str) -> pa.RecordBatch:
    label = pa.repeat(pa.scalar(encoder_id), batch.num_rows)
    vector = batch.column("vector").cast(pa.list_(pa.float32()))
    arrays = [label, batch.column("text_hash"), vector]
    return pa.RecordBatch.from_arrays(arrays, schema=EMBEDDING_SCHEMA)


# --- embedding ----------------------------------------------------------------------------------


def _embed_missing(
    con: Connection,
    parts: list[Path],
    folder: Path,
    spec: EncoderSpec,
    model: Encoder,
    role: Role,
    *,
    batch_size: int,
    advance: Callable[[int, int], None],
) -> None:
    """Embed and cache all missing texts, part by part; unusable vectors go to table ``odd``."""
    dimension = cache.dimension_in(parts)
    writer = con.cursor()  # the connection itself is busy with the list of missing texts
    # Texts that failed before keep to themselves: in among the others they would move every later
    # batch by one after a kill, and with it the last bits of the vectors.
    for tried in (False, True):
        missing = con.sql(
            f"""
            select wanted.text_hash, wanted.sentence_text, length(wanted.sentence_text) as n_chars
            {MISSING} and (held.text_hash is not null) = {tried}
            order by n_chars, wanted.text_hash
            """
        ).to_arrow_reader(spec.part_rows)
        for rows in _in_parts(missing, spec.part_rows):
            texts = spec.prompted(rows.column("sentence_text").to_pylist(), role)
            vectors = _encode_part(model, texts, rows, batch_size, advance)
            if dimension is None:
                dimension = vectors.shape[1]
            if vectors.shape[1] != dimension:
                raise ValueError(
                    f"encoder {spec.encoder_id} gave {vectors.shape[1]} numbers per text, the "
                    f"cache {folder} holds {dimension}: another model answers under this name. "
                    "Give each model its own name, or delete that folder to start again."
                )
            unit, usable = _to_unit(vectors)
            _keep(writer, folder, rows.column("text_hash"), unit, usable, known_bad=tried)


def _in_parts(reader: pa.RecordBatchReader, part_rows: int) -> Iterator[pa.Table]:
    """Tables of exactly ``part_rows`` rows (the last may be shorter), however the batches fall."""
    waiting = reader.schema.empty_table()
    for batch in reader:
        waiting = pa.concat_tables([waiting, pa.Table.from_batches([batch])])
        while waiting.num_rows >= part_rows:
            yield waiting.slice(0, part_rows)
            waiting = waiting.slice(part_rows)
    if waiting.num_rows:
        yield waiting


def _encode_part(
    model: Encoder,
    texts: Sequence[str],
    rows: pa.Table,
    batch_size: int,
    advance: Callable[[int, int], None],
) -> NDArray[np.float32]:
    lengths = rows.column("n_chars").to_numpy()
    pieces: list[NDArray[np.float32]] = []
    for start, stop in _batches(lengths, batch_size):
        vectors = model.encode(texts[start:stop])
        if vectors.ndim != 2 or len(vectors) != stop - start or vectors.shape[1] == 0:
            raise ValueError(
                f"the encoder gave a matrix of shape {vectors.shape} for {stop - start} texts "
                f"(first text_hash {rows.column('text_hash')[start]}); check the encoder's name."
            )
        pieces.append(vectors)
        advance(stop - start, int(lengths[start:stop].sum()))
    return np.concatenate(pieces)


def _batches(lengths: NDArray[np.int64], batch_size: int) -> Iterator[tuple[int, int]]:
    """Half-open ranges of at most ``batch_size`` texts and ``MAX_PADDED_CHARS`` (or one text)."""
    start = 0
    for stop in range(1, len(lengths) + 1):
        full = stop - start == batch_size
        if stop == len(lengths) or full or (stop - start + 1) * lengths[stop] > MAX_PADDED_CHARS:
            yield start, stop
            start = stop


def _to_unit(vectors: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Scale rows to unit length; rows without a length above 0 stay as they are, marked False."""
    wide = vectors.astype(np.float64)
    norms = np.linalg.norm(wide, axis=1)
    usable = np.isfinite(norms) & (norms > 0)
    divisor = np.where(usable, norms, 1.0)[:, None]
    return np.where(usable[:, None], wide / divisor, wide).astype(np.float32), usable


def _keep(
    writer: Connection,
    folder: Path,
    hashes: pa.ChunkedArray,
    vectors: NDArray[np.float32],
    usable: NDArray[np.bool_],
    *,
    known_bad: bool,
) -> None:
    """Cache the usable vectors, note which texts had none, and collect those vectors."""
    n_rows, dimension = vectors.shape
    offsets = pa.array(np.arange(n_rows + 1, dtype=np.int32) * np.int32(dimension))
    values = pa.ListArray.from_arrays(offsets, pa.array(vectors.ravel()))
    ok = pa.array(usable)
    rows = pa.table({"text_hash": hashes, "usable": ok, "vector": values})
    noted = rows.filter(ok) if known_bad else rows
    if noted.num_rows:
        nulls = pa.scalar(None, values.type)
        noted_vectors = pc.if_else(noted.column("usable"), noted.column("vector"), nulls)
        cache.write_part(folder, noted.set_column(2, "vector", noted_vectors), dimension)
    if not usable.all():
        writer.register("failed", rows.filter(pc.invert(ok)))
        writer.execute("insert into odd select text_hash, vector from failed")
        writer.unregister("failed")


# --- telling the person at the terminal ---------------------------------------------------------


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


@contextmanager
def _progress(label: str, n_texts: int, n_chars: int) -> Iterator[Callable[[int, int], None]]:
    """Progress on stderr: a bar on a terminal, elsewhere a line about every ten seconds.

    Yields a function to call with the number of texts and characters just done. Time left goes by
    characters: short texts come first, so counting texts would promise too early an end.
    """
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[n_done]:,}/{task.fields[n_texts]:,} texts"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Console(stderr=True)) as bar:
            task = bar.add_task(f"embedding {label}", total=n_chars, n_done=0, n_texts=n_texts)

            def advance_bar(texts: int, chars: int) -> None:
                done = bar.tasks[0].fields["n_done"] + texts
                bar.update(task, advance=chars, n_done=done)

            yield advance_bar
        return

    start = last = time.monotonic()
    texts_done = chars_done = 0

    def advance_lines(texts: int, chars: int) -> None:
        nonlocal last, texts_done, chars_done
        texts_done, chars_done = texts_done + texts, chars_done + chars
        now = time.monotonic()
        if now - last >= PROGRESS_INTERVAL_S:
            last = now
            left = (n_chars - chars_done) * (now - start) / max(chars_done, 1)
            _say(
                f"embeddings {label}: {texts_done:,} of {n_texts:,} texts, "
                f"{texts_done / (now - start):,.0f} a second, about {_duration(left)} left"
            )

    yield advance_lines


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
