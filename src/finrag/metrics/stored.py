"""Results of the functions of this room that a build finds again, by system and gold set.

What one system scores, and how far it differs from its partners, depends on no other system: a
build in which a system is new computes what is new.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag.cache.results import ResultCache
from finrag.metrics.comparisons import DIFFERENCES_SCHEMA
from finrag.metrics.score import SCORED_SCHEMA, Known, score_answers
from finrag.metrics.summaries import BOUNDS_SCHEMA
from finrag.scoring.by_set import SCORE_SCHEMA
from finrag.scoring.numbers import RELATIVE_TOLERANCE

_Key = tuple[Any, ...]
# What is known of answers that is not of a system or a set; all else is split.
SHARED: Final = ("metrics", "deciding", "kinds", "companies")
_SET: Final = ("gold_set",)
_RUN: Final = ("system_id", "gold_set")


def differences(settings: Mapping[str, Any]) -> ResultCache | None:
    """Differences of the registered pairs of a system on a gold set.

    Args:
        settings: ``state_dir``, the folder that the cache lies in; null where nothing is cached.

    Returns:
        None where nothing is cached.
    """
    return _optional(settings, "differences", DIFFERENCES_SCHEMA)


def bounds(settings: Mapping[str, Any]) -> ResultCache | None:
    """Bounds of the means of a system on a gold set; as ``differences``."""
    return _optional(settings, "bounds", BOUNDS_SCHEMA)


def public_scores(settings: Mapping[str, Any]) -> ResultCache | None:
    """Scores of the answers of a system to a public set; as ``differences``."""
    return _optional(settings, "public_scores", SCORE_SCHEMA)


def _optional(settings: Mapping[str, Any], name: str, schema: pa.Schema) -> ResultCache | None:
    if settings.get("state_dir") is None:
        return None
    return ResultCache(_folder(settings, name), schema, [])


def score_each(
    known: Known, to_trace: Iterable[pa.RecordBatch], settings: Mapping[str, Any]
) -> pa.RecordBatchReader:
    """The rows of ``score``, those of a system on a gold set at a time.

    Scores are found again by all that these answers are scored by; what is known of other systems
    and of other sets is not part of it.

    Args:
        known: as for ``score``; the answers in the order of system, gold set and item.
        to_trace: as for ``score``, in the same order.
        settings: as for ``score``, and ``state_dir``, the folder that the cache lies in; where
            that is null, everything is scored and nothing cached.

    Returns:
        ``SCORED_SCHEMA``: a row per answer, in the order given.

    Raises:
        ValueError: as ``score``.
    """
    return pa.RecordBatchReader.from_batches(SCORED_SCHEMA, _scored(known, to_trace, settings))


def _folder(settings: Mapping[str, Any], name: str) -> Path:
    return Path(settings["state_dir"]) / "cache" / name


def _scored(
    known: Known, to_trace: Iterable[pa.RecordBatch], settings: Mapping[str, Any]
) -> Iterator[pa.RecordBatch]:
    if settings.get("state_dir") is None:
        yield from score_answers(known, to_trace, settings)
        return
    # These and no others, so that nothing else can change a score that is found.
    chosen = {
        "min_topic_words": int(settings["min_topic_words"]),
        "relative_tolerance": float(settings.get("relative_tolerance", RELATIVE_TOLERANCE)),
        "judge_figures": bool(settings.get("judge_figures", True)),
    }
    parts, traced = _Parts(known), _Traced(to_trace)
    shared = [vars(known)[name] for name in SHARED]
    stored = ResultCache(_folder(settings, "answer_scores"), SCORED_SCHEMA, [chosen, *shared])
    for key in parts.keys:
        own, cited = parts.of(key), traced.of(key)

        def compute(own: Known = own, cited: pa.Table = cited) -> Iterator[pa.RecordBatch]:
            yield from score_answers(own, cited.to_batches(500), chosen)

        tables = [table for name, table in vars(own).items() if name not in SHARED]
        yield from stored.recall([*tables, cited], compute)


class _Parts:
    """What is known of the answers of each system to each gold set."""

    def __init__(self, known: Known) -> None:
        self._known = known
        columns = (known.questions[name].to_pylist() for name in ("item_id", "gold_set"))
        sets = dict(zip(*columns, strict=True))
        self._answers = _Split(known.answers, _RUN, ["item_id"])
        self._questions = _Split(known.questions, _SET, ["item_id"])
        self._systems = _Split(known.systems, ("system_id",), [])
        place = ["item_id", "evidence_id", "passage_id", "document_id", "document", "page"]
        self._evidence = _Split(_with_sets(known.evidence, sets), _SET, place)
        # Where two rows agree in these, they are equal.
        sentence = ["item_id", "evidence_id", "sentence_text", "is_topic"]
        judged = _with_sets(_columns(known.judged, sentence), sets)
        self._judged = _Split(judged, _SET, sentence)
        scores = ["question_id", "metric", "mode"]
        self._unmeasurable = _Split(known.unmeasurable, ("benchmark",), scores)
        self._evaluated = _Split(known.evaluated, ("system_id", "benchmark"), scores)
        self._cited = _Split(_with_sets(known.cited, sets), _RUN, ["item_id", *place[2:]])
        marks = _columns(known.marks, ["system_id", "item_id", "mark"])
        self._marks = _Split(_with_sets(marks, sets), _RUN, ["item_id", "mark"])
        self._followed = _Split(_with_sets(known.followed, sets), _RUN, ["item_id"])
        self._texts = _Split(known.texts, ("pair_id",), ["metric"])

    @property
    def keys(self) -> Iterable[_Key]:
        """System and gold set of all answers, in order."""
        return self._answers.keys

    def of(self, key: _Key) -> Known:
        """What the answers of a system to a gold set are scored by."""
        system_id, gold_set = key
        answers = self._answers.of([key])
        pairs = pc.unique(answers["pair_id"].drop_null()).sort()
        return replace(
            self._known,
            answers=answers,
            questions=self._questions.of([(gold_set,)]),
            systems=self._systems.of([(system_id,)]),
            evidence=self._evidence.of([(gold_set,)]),
            cited=self._cited.of([key]),
            judged=self._judged.of([(gold_set,)]),
            texts=self._texts.of([(pair_id,) for pair_id in pairs.to_pylist()]),
            evaluated=self._evaluated.of([key]),
            unmeasurable=self._unmeasurable.of([(gold_set,)]),
            marks=self._marks.of([key]),
            followed=self._followed.of([key]),
        )


class _Split:
    """The rows of a table by some of its columns; those of each value in one order."""

    def __init__(self, table: pa.Table, by: Sequence[str], then: Sequence[str]) -> None:
        order = [name for name in (*by, *then) if name in table.column_names]
        # A table that is left out has no columns.
        self._table = table.sort_by([(name, "ascending") for name in order]) if order else table
        self.keys: dict[_Key, slice] = {}
        if table.num_rows:
            values = zip(*(self._table[name].to_pylist() for name in by), strict=True)
            start = 0
            for key, rows in groupby(values):
                end = start + sum(1 for _ in rows)
                self.keys[key] = slice(start, end)
                start = end

    def of(self, keys: Iterable[_Key]) -> pa.Table:
        """The rows of some values, in the order of these; each stands there once."""
        found = [self.keys[key] for key in keys if key in self.keys]
        rows = [np.arange(each.start, each.stop) for each in found]
        # Taken, for a slice is written with what lies beside it in its bytes.
        return self._table.take(np.concatenate(rows) if rows else pa.array([], pa.int64()))


def _columns(table: pa.Table, names: Sequence[str]) -> pa.Table:
    """Some columns of a table, of one that is left out none."""
    return table.select([name for name in names if name in table.column_names])


def _with_sets(table: pa.Table, sets: Mapping[str, str]) -> pa.Table:
    """A table about items with the gold set of each; without items that are no questions."""
    if not table.num_rows or "gold_set" in table.column_names:
        return table
    found = [sets.get(item_id) for item_id in table["item_id"].to_pylist()]
    table = table.append_column("gold_set", pa.array(found, pa.string()))
    return table.filter(pc.is_valid(table["gold_set"]))


class _Traced:
    """Answers with what they cite, which arrive in the order of system and gold set."""

    def __init__(self, batches: Iterable[pa.RecordBatch]) -> None:
        self._runs = _runs(batches)
        self._next = next(self._runs, None)

    def of(self, key: _Key) -> pa.Table:
        """Those of a system on a gold set; asked for in the same order."""
        batches: list[pa.RecordBatch] = []
        while self._next is not None and self._next[0] <= key:
            found, batch = self._next
            if found == key:
                batches.append(batch)
            self._next = next(self._runs, None)
        if not batches:
            return pa.table({})
        table = pa.Table.from_batches(batches)
        return table.take(np.arange(table.num_rows))


def _runs(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[_Key, pa.RecordBatch]]:
    """Slices of batches of one system and gold set each."""
    for batch in batches:
        start = 0
        values = zip(*(batch.column(name).to_pylist() for name in _RUN), strict=True)
        for key, rows in groupby(values):
            n_rows = sum(1 for _ in rows)
            yield key, batch.slice(start, n_rows)
            start += n_rows
