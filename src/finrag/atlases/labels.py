"""Labels of texts by patterns: which KPI, risk topic or cue a sentence speaks of.

Patterns are rows, so they are known only at run time. Each is run as a linear-time (RE2) regular
expression over whole columns, and only where one alternation of all patterns of its atlas has
found something: most sentences match nothing, and one pass tells. An expression is compiled anew
for every column, so small batches are first joined to long ones.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import pyarrow as pa

from finrag.records.columns import required

LABEL_SCHEMA = pa.schema(
    [
        *required(pa.string(), "text_hash", "atlas", "label"),
        pa.field("n_cues", pa.int32(), nullable=False),
        pa.field("sentence_text", pa.string(), nullable=False),
    ]
)
# Texts looked at together: some 50 MB, and enough to be worth compiling sixty expressions for.
TEXTS_AT_A_TIME: Final = 200_000

# Beyond so many labels, halves of an atlas are looked for before its single labels.
MAX_LABELS_TOGETHER: Final = 8

_NOTHING: Final = pa.RecordBatch.from_pylist([], schema=LABEL_SCHEMA)
# Escapes, classes, and what neither holds: bounded repetitions ("refers? .{0,60}year").
_PARTS: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\{\d+,\d*\}", re.DOTALL)


def label_texts(texts: pa.RecordBatchReader, patterns: pa.Table) -> pa.RecordBatchReader:
    """Labels distinct texts, one row per text, atlas and label that matched.

    Args:
        texts: ``text_hash``, ``sentence_text`` and one boolean column ``in_<atlas>`` per atlas:
            whether the text stands anywhere that the atlas looks at.
        patterns: ``atlas``, ``label``, ``pattern``; several rows of a label are alternatives.
            Patterns are RE2, for text in lower case with typographic apostrophes made plain.

    Returns:
        Rows of ``LABEL_SCHEMA`` in the order of the texts, then atlas, then label. ``n_cues``
        counts matches that do not overlap; ``sentence_text`` is the text as it is written, for
        those who read on in the few texts that have a label.

    Raises:
        ValueError: a pattern that is no RE2 expression, or that matches the empty text; it names
            atlas and label.
    """
    atlases = _compiled(patterns)
    batches = (_label_batch(batch, atlases) for batch in _joined(texts))
    return pa.RecordBatchReader.from_batches(LABEL_SCHEMA, batches)


def alternatives(rows: Iterable[tuple[str, str]]) -> dict[str, str]:
    """One expression a label, of all its patterns; both in ascending order."""
    grouped: dict[str, list[str]] = defaultdict(list)
    for label, pattern in sorted(rows):
        grouped[label].append(f"(?:{pattern})")
    return {label: "|".join(patterns) for label, patterns in grouped.items()}


def _compiled(patterns: pa.Table) -> Mapping[str, Mapping[str, str]]:
    grouped: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in patterns.select(["atlas", "label", "pattern"]).to_pylist():
        _check_pattern(row["atlas"], row["label"], row["pattern"])
        grouped[row["atlas"]].append((row["label"], row["pattern"]))
    return {atlas: alternatives(rows) for atlas, rows in sorted(grouped.items())}


def _check_pattern(atlas: str, label: str, pattern: str) -> None:
    import pyarrow.compute as pc

    try:
        matches_nothing = pc.match_substring_regex(pa.array([""]), pattern)[0].as_py()
    except pa.ArrowInvalid as error:
        raise ValueError(f"pattern of {atlas}/{label} cannot be read: {error}") from error
    if matches_nothing:
        raise ValueError(f"pattern of {atlas}/{label} matches the empty text: {pattern}")


def _joined(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows in batches of ``TEXTS_AT_A_TIME`` or a few more."""
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        if sum(map(len, waiting)) >= TEXTS_AT_A_TIME:
            yield pa.concat_batches(waiting)
            waiting = []
    if waiting:
        yield pa.concat_batches(waiting)


def _label_batch(batch: pa.RecordBatch, atlases: Mapping[str, Mapping[str, str]]) -> pa.RecordBatch:
    import pyarrow.compute as pc

    lowered = pc.replace_substring(pc.utf8_lower(batch["sentence_text"]), "’", "'")
    masks = {atlas: pc.fill_null(batch[f"in_{atlas}"], False) for atlas in atlases}
    found: list[pa.Table] = []
    # Atlases that look at the same texts share one copy of them.
    while masks:
        mask = next(iter(masks.values()))
        places = pc.indices_nonzero(mask)
        inside = lowered.take(places)
        for atlas in [atlas for atlas, other in masks.items() if other.equals(mask)]:
            del masks[atlas]
            found += _label_atlas(inside, places, atlas, atlases[atlas])
    rows = pa.concat_tables(found)
    rows = rows.sort_by([("place", "ascending"), ("atlas", "ascending"), ("label", "ascending")])
    found_in = batch.take(rows["place"].combine_chunks())
    labelled = rows.drop_columns("place").add_column(0, "text_hash", found_in["text_hash"])
    labelled = labelled.append_column("sentence_text", found_in["sentence_text"])
    return labelled.cast(LABEL_SCHEMA).combine_chunks().to_batches()[0] if rows else _NOTHING


def _label_atlas(
    texts: pa.Array, places: pa.Array, atlas: str, labels: Mapping[str, str]
) -> list[pa.Table]:
    """Rows of an atlas from the texts at some places, label by label."""
    import pyarrow.compute as pc

    is_hit = pc.match_substring_regex(texts, _loosened("|".join(labels.values())))
    texts, places = texts.filter(is_hit), places.filter(is_hit)
    if len(labels) > MAX_LABELS_TOGETHER:
        names = list(labels)
        middle = len(names) // 2
        return [
            table
            for half in (names[:middle], names[middle:])
            for table in _label_atlas(texts, places, atlas, {name: labels[name] for name in half})
        ]
    found = []
    for label, pattern in labels.items():
        is_match = pc.match_substring_regex(texts, pattern)
        counts = pc.count_substring_regex(texts.filter(is_match), pattern)
        values = {"atlas": atlas, "label": label}
        constant = {key: pa.repeat(pa.scalar(value), len(counts)) for key, value in values.items()}
        found.append(pa.table({"place": places.filter(is_match), **constant, "n_cues": counts}))
    return found


def _loosened(pattern: str) -> str:
    """The pattern with repetitions of any length: it matches more, in a fraction of the time.

    A bounded gap needs a state of the automaton for each of its characters.
    """
    if r"\Q" in pattern:
        return pattern
    return _PARTS.sub(lambda part: "*" if part[0].startswith("{") else part[0], pattern)
