"""A build over shards: what has no record is run, and a manifest lists what there is."""

from __future__ import annotations

import hashlib
import json
import pickle
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from finrag.cache.results import content_digest
from finrag.records.identity import make_filing_id
from finrag.shards.bucketing import (
    BucketTask,
    FileRows,
    bucket_rows,
    file_sha256,
    find_file_rows,
    part_key,
    read_file_rows,
    reader_versions,
)
from finrag.shards.manifest import NEWEST, DoorFile, Manifest, record_of
from finrag.shards.plan import GIVEN, Plan, check_versions, code_versions, make_plan
from finrag.shards.runners import Runner
from finrag.shards.shard import StepError, run_shard
from finrag.shards.store import Store
from finrag.sources.corpus import (
    FILING_RECORD_SCHEMA,
    SENTENCE_ROW_SCHEMA,
    CorpusPart,
    check_rows,
    corpus_parts,
)
from finrag.warehouse.folder import project_folder

# Text of a shard, about; what else a source file holds, and how well it is packed.
SHARD_BYTES: Final = 64 << 20
# Of a smaller one the fixed cost would be a tenth.
SMALL_BYTES: Final = 8 << 20
_UNPACKED: Final = {".gz": 4.0, ".zip": 4.0, ".parquet": 4.0}
_OF_HTML: Final = 0.2
# Source bytes that are read in one task.
_TASK_BYTES: Final = 64 << 20
_GROUP_BYTES: Final = 16 << 20
_KNOWN: Final = "rows/files.json"
_SCHEMAS: Final = dict(zip(GIVEN, (FILING_RECORD_SCHEMA, SENTENCE_ROW_SCHEMA), strict=True))

# Told of a stage, how many of its tasks are done, and how many there are.
Say = Callable[[str, int, int], None]


@dataclass(frozen=True)
class ShardTask:
    """One shard to run.

    Attributes:
        store: where its rows come from and go to.
        plan: name of the plan's file in the store, and the SHA-256 of its bytes.
        bucket: number of the shard.
        digest: of what it is made from.
        given: the model whose rows are its input.
        groups: files with these rows, and their row groups.
    """

    store: Store
    plan: tuple[str, str]
    bucket: int
    digest: str
    given: str
    groups: tuple[tuple[str, tuple[int, ...]], ...]

    @property
    def label(self) -> str:
        """Its name in a message."""
        return f"shard {self.bucket}"

    @property
    def record(self) -> str:
        """Name of its record, its last file."""
        return f"corpus/records/bucket={self.bucket}/{self.digest[:32]}.json"


def build_shards(
    runner: Runner,
    store: Store,
    variables: Mapping[str, Any],
    say: Say | None = None,
    is_full: bool = False,
) -> Manifest:
    """Bring a store up to date with the corpus and the project, and list what it holds.

    Args:
        runner: runs the tasks.
        store: where everything lies.
        variables: the dbt vars, with the defaults; ``shards`` is the number of shards, or 0 for
            as many as the store had last time, at first by the size of the corpus.
        say: told of the stages ``reading`` and ``shards``; None for nobody.
        is_full: whether to run what has a record as well.

    Returns:
        The manifest, which is in the store as well.

    Raises:
        ValueError: the corpus cannot be read, or a shard failed as often as it may.
    """
    say = say or _silent
    parts = corpus_parts(variables)
    digests = _file_digests(store, parts)
    n_buckets = int(variables.get("shards") or 0) or _n_buckets(store, parts, runner.n_workers)
    files = _bucket_all(runner, store, parts, digests, n_buckets, say, is_full)
    if not any(one.n_loaded for one in files):
        check_rows(variables)
    plan = make_plan(project_folder(), variables)
    name = _write_plan(store, plan)
    given = GIVEN[str(variables["corpus"]) == "sentences"]
    tasks = _shard_tasks(store, plan, name, given, files, n_buckets)
    models = [step.name for step in plan.steps]
    found = store.details("corpus")
    records = {task.record: record_of(store, task.record, models, found) for task in tasks}
    waiting = [task for task in tasks if is_full or records[task.record] is None]
    say("shards", len(tasks) - len(waiting), len(tasks))
    for n_done, name_of in enumerate(runner.run(make_shard, waiting, _label), start=1):
        records[name_of] = record_of(store, name_of, models)
        say("shards", len(tasks) - len(waiting) + n_done, len(tasks))
    manifest = _manifest(store, plan, n_buckets, records, files, given)
    # Written even if it is there: it is young again, and whole.
    store.write(manifest.name, manifest.text().encode())
    store.write(NEWEST, json.dumps({"manifest": manifest.name}).encode())
    return manifest


def make_shard(task: ShardTask) -> str:
    """Run one shard, write its rows and then its record; returns the name of the record.

    Raises:
        ValueError: naming model and filing.
    """
    plan = _read_plan(task.store, *task.plan)
    check_versions(plan.versions, code_versions(plan.steps))
    inputs = {name: schema.empty_table() for name, schema in _SCHEMAS.items()}
    inputs[task.given] = read_file_rows(task.store, task.groups, _SCHEMAS[task.given])
    doors: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="finrag-shard-") as spill:
        try:
            for model, rows in run_shard(plan, inputs, Path(spill)):
                doors[model] = asdict(_write_rows(task, model, rows))
        except StepError as error:
            filing = _culprit(plan, inputs, task.given, error.model)
            raise ValueError(f"{error}{filing}") from error
    task.store.write(task.record, json.dumps(doors, sort_keys=True).encode())
    return task.record


def _silent(_stage: str, _n_done: int, _n_all: int) -> None:
    return


def _label(task: ShardTask) -> str:
    return task.label


def _bucket_all(
    runner: Runner,
    store: Store,
    parts: Sequence[CorpusPart],
    digests: Sequence[str],
    n_buckets: int,
    say: Say,
    is_full: bool,
) -> list[FileRows]:
    """What was read of each part of the corpus, in their order."""
    versions = reader_versions()
    there = store.details("rows")
    found: dict[str, FileRows] = {}
    missing: list[tuple[CorpusPart, str, str]] = []
    for part, digest in zip(parts, digests, strict=True):
        key, read = find_file_rows(store, part, part_key(part, digest, n_buckets, versions))
        if read is None or is_full or there.get(read.file, (0,))[0] != read.n_bytes:
            missing.append((part, key, digest))
        else:
            found[part.name] = read
    # Each worker is to have some, and none too many.
    n_bytes = sum(_bytes(part) for part, _, _ in missing)
    limit = min(_TASK_BYTES, n_bytes // (2 * runner.n_workers) + 1)
    tasks = [
        BucketTask(store, tuple(held), n_buckets, versions) for held in _batched(missing, limit)
    ]
    n_done = len(parts) - len(missing)
    say("reading", n_done, len(parts))
    for result in runner.run(bucket_rows, tasks, _bucket_label):
        found |= {one.name: one for one in result}
        n_done += len(result)
        say("reading", n_done, len(parts))
    return [found[part.name] for part in parts]


def _batched(
    missing: Sequence[tuple[CorpusPart, str, str]], limit: int
) -> Iterator[list[tuple[CorpusPart, str, str]]]:
    """Files one after the other, about so many bytes together."""
    held: list[tuple[CorpusPart, str, str]] = []
    size = 0
    for one in missing:
        held.append(one)
        size += _bytes(one[0])
        if size >= limit:
            yield held
            held, size = [], 0
    if held:
        yield held


def _bucket_label(task: BucketTask) -> str:
    more = f" and {len(task.parts) - 1} more" if len(task.parts) > 1 else ""
    return f"reading of {task.parts[0][0].name}{more}"


def _shard_tasks(
    store: Store,
    plan: Plan,
    name: tuple[str, str],
    given: str,
    files: Sequence[FileRows],
    n_buckets: int,
) -> list[ShardTask]:
    """A task for each bucket that has rows."""
    groups: dict[int, dict[str, list[int]]] = {}
    digests: dict[int, list[str]] = {}
    for one in files:
        for bucket, group, _, digest in one.parts:
            groups.setdefault(bucket, {}).setdefault(one.file, []).append(group)
            digests.setdefault(bucket, []).append(digest)
    return [
        ShardTask(
            store,
            name,
            bucket,
            content_digest([plan.digest, given, bucket, n_buckets, digests[bucket]]),
            given,
            tuple((file, tuple(numbers)) for file, numbers in groups[bucket].items()),
        )
        for bucket in sorted(groups)
    ]


def _manifest(
    store: Store,
    plan: Plan,
    n_buckets: int,
    records: Mapping[str, Mapping[str, DoorFile] | None],
    files: Sequence[FileRows],
    given: str,
) -> Manifest:
    doors: dict[str, list[DoorFile]] = {step.name: [] for step in plan.steps}
    for name, record in records.items():
        if record is None:
            raise ValueError(f"the record {name} in the store is damaged; build again")
        for model, file in record.items():
            doors[model].append(file)
    # Files without a row only say which columns there are: one is enough.
    kept = {
        model: [one for one in files if one.n_rows] or files[:1] for model, files in doors.items()
    }
    kept[given] = [
        DoorFile(one.file, one.n_loaded + one.n_faults, one.hash, one.n_bytes)
        for one in files
        if one.parts
    ]
    for model, schema in _SCHEMAS.items():
        if not kept.get(model):
            kept[model] = [_empty(store, model, schema)]
    return Manifest(store.uri, plan.digest, n_buckets, kept, list(records))


def _empty(store: Store, model: str, schema: pa.Schema) -> DoorFile:
    name = f"corpus/{model}/empty-{content_digest([str(schema)])[:32]}.parquet"
    sink = pa.BufferOutputStream()
    pq.write_table(schema.empty_table(), sink, compression="zstd")
    content = sink.getvalue().to_pybytes()
    if store.size(name) != len(content):
        store.write(name, content)
    return DoorFile(name, 0, hashlib.sha256(content).hexdigest(), len(content))


def _write_rows(task: ShardTask, model: str, rows: pa.Table) -> DoorFile:
    name = f"corpus/{model}/bucket={task.bucket}/{task.digest[:32]}.parquet"
    n_per_group = max(1, int(_GROUP_BYTES / max(1.0, rows.nbytes / max(1, rows.num_rows))))
    sink = pa.BufferOutputStream()
    pq.write_table(rows, sink, compression="zstd", row_group_size=n_per_group)
    content = sink.getvalue()
    task.store.write(name, content)
    return DoorFile(name, rows.num_rows, hashlib.sha256(content).hexdigest(), content.size)


def _culprit(plan: Plan, inputs: Mapping[str, pa.Table], given: str, model: str) -> str:
    """The filing over which a model fails, found by halving; "" where it is none alone."""
    rows = inputs[given]
    columns = (rows[name].to_pylist() for name in ("cik_int", "form", "report_year"))
    owners = [
        None if None in owner else make_filing_id(*owner) for owner in zip(*columns, strict=True)
    ]
    filings = sorted({owner for owner in owners if owner is not None})
    if not filings:
        return ""

    def fails(few: Sequence[str]) -> bool:
        wanted = set(few)
        chosen = rows.filter(pa.array([owner in wanted for owner in owners]))
        try:
            for name, _ in run_shard(plan, {**inputs, given: chosen}):
                if name == model:
                    return False
        except StepError:
            return True
        return False

    while len(filings) > 1:
        half = filings[: len(filings) // 2]
        filings = half if fails(half) else filings[len(filings) // 2 :]
    return f" (filing {filings[0]})" if fails(filings) else ""


def _write_plan(store: Store, plan: Plan) -> tuple[str, str]:
    """Store a plan for the tasks to read; returns its name and the SHA-256 of its bytes."""
    content = pickle.dumps(plan, protocol=5)
    digest = hashlib.sha256(content).hexdigest()
    name = f"corpus/plans/{digest[:32]}.pickle"
    # Written even if it is there: it is young again, so that it is not cleaned away, and whole.
    store.write(name, content)
    return name, digest


def _read_plan(store: Store, name: str, digest: str) -> Plan:
    content = store.read(name)
    # It holds code: only what the driver of this very build wrote is opened.
    if hashlib.sha256(content).hexdigest() != digest:
        raise ValueError(f"{name} in the store was changed by another program; build again")
    plan: Plan = pickle.loads(content)
    return plan


def _file_digests(store: Store, parts: Sequence[CorpusPart]) -> list[str]:
    """SHA-256 of each source file, remembered while its size and time stay."""
    try:
        known = json.loads(store.read(_KNOWN))
    except (FileNotFoundError, ValueError):
        known = {}
    fresh: dict[str, list[Any]] = {}
    for part in parts:
        if part.path is None:
            continue
        path = str(part.path.absolute())
        state = part.path.stat()
        mark = [state.st_size, state.st_mtime_ns, state.st_ino]
        was = known.get(path)
        if was and was[:3] == mark:
            fresh[path] = was
            continue
        fresh[path] = [*mark, file_sha256(part.path)]
    if fresh != known:
        store.write(_KNOWN, json.dumps(fresh, sort_keys=True).encode())
    return [fresh[str(part.path.absolute())][3] if part.path else "" for part in parts]


def _n_buckets(store: Store, parts: Sequence[CorpusPart], n_workers: int) -> int:
    """A power of two by the size of the corpus; as many as last time, unless that is too few.

    Each worker is to have two shards, as long as they are worth a task. Other shards would be run
    anew, so a corpus must have doubled before there are more.
    """
    size = sum(_bytes(part) * _text_share(part) for part in parts)
    wanted = 1
    while wanted * SHARD_BYTES < size or (
        wanted < 2 * n_workers and 2 * wanted * SMALL_BYTES <= size
    ):
        wanted *= 2
    try:
        newest = json.loads(store.read(NEWEST))["manifest"]
        last = int(json.loads(store.read(newest))["n_buckets"])
    except (FileNotFoundError, ValueError, KeyError):
        return wanted
    return last if last >= wanted // 2 else wanted


def _bytes(part: CorpusPart) -> int:
    return part.path.stat().st_size if part.path else 0


def _text_share(part: CorpusPart) -> float:
    name = part.name.lower()
    share = next((times for ending, times in _UNPACKED.items() if name.endswith(ending)), 1.0)
    return share * (_OF_HTML if part.raw is not None else 1.0)
