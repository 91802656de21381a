"""Labels of texts by patterns: which KPI, risk topic or cue a sentence speaks of.

Patterns are rows, so they are known only at run time. Each is run as a linear-time (RE2) regular
expression over whole columns, and only where one alternation of all patterns of its atlas has
found something: most sentences match nothing, and one pass tells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import pyarrow as pa

LABEL_SCHEMA = pa.schema(
    [
        pa.field("text_hash", pa.string(), nullable=False),
        pa.field("atlas", pa.string(), nullable=False),
        pa.field("label", pa.string(), nullable=False),
        pa.field("n_cues", pa.int32(), nullable=False),
    ]
)
_NOTHING = pa.RecordBatch.from_pylist([], schema=LABEL_SCHEMA)


def label_texts(texts: pa.RecordBatchReader, patterns: pa.Table) -> pa.RecordBatchReader:
    """Labels distinct texts, one row per text, atlas and label that matched.

    Args:
        texts: ``text_hash``, ``sentence_text`` and one boolean column ``in_<atlas>`` per atlas:
            whether the text stands anywhere that the atlas looks at.
        patterns: ``atlas``, ``label``, ``pattern``; several rows of a label are alternatives.
            Patterns are RE2, for text in lower case with typographic apostrophes made plain.

    Returns:
        Rows of ``LABEL_SCHEMA`` in the order of the texts, then atlas, then label. ``n_cues``
        counts matches that do not overlap.

    Raises:
        ValueError: a pattern that is no RE2 expression, or that matches the empty text; it names
            atlas and label.
    """
    atlases = _compiled(patterns)
    batches = (_label_batch(batch, atlases) for batch in texts)
    return pa.RecordBatchReader.from_batches(LABEL_SCHEMA, batches)


def _compiled(patterns: pa.Table) -> Mapping[str, Mapping[str, str]]:
    grouped: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in patterns.select(["atlas", "label", "pattern"]).to_pylist():
        _check_pattern(row["atlas"], row["label"], row["pattern"])
        grouped[row["atlas"]][row["label"]].append(row["pattern"])
    return {
        atlas: {
            label: "|".join(f"(?:{pattern})" for pattern in sorted(rows))
            for label, rows in sorted(labels.items())
        }
        for atlas, labels in sorted(grouped.items())
    }


def _check_pattern(atlas: str, label: str, pattern: str) -> None:
    import pyarrow.compute as pc

    try:
        matches_nothing = pc.match_substring_regex(pa.array([""]), pattern)[0].as_py()
    except pa.ArrowInvalid as error:
        raise ValueError(f"pattern of {atlas}/{label} cannot be read: {error}") from error
    if matches_nothing:
        raise ValueError(f"pattern of {atlas}/{label} matches the empty text: {pattern}")


def _label_batch(batch: pa.RecordBatch, atlases: Mapping[str, Mapping[str, str]]) -> pa.RecordBatch:
    import pyarrow.compute as pc

    lowered = pc.replace_substring(pc.utf8_lower(batch["sentence_text"]), "’", "'")
    found = [
        labelled
        for atlas, labels in atlases.items()
        for labelled in _label_atlas(lowered, batch[f"in_{atlas}"], atlas, labels)
    ]
    rows = pa.concat_tables(found)
    rows = rows.sort_by([("place", "ascending"), ("atlas", "ascending"), ("label", "ascending")])
    hashes = batch["text_hash"].take(rows["place"].combine_chunks())
    labelled = rows.drop_columns("place").add_column(0, "text_hash", hashes)
    return labelled.cast(LABEL_SCHEMA).combine_chunks().to_batches()[0] if rows else _NOTHING


def _label_atlas(
    lowered: pa.Array, inside: pa.Array, atlas: str, labels: Mapping[str, str]
) -> list[pa.Table]:
    import pyarrow.compute as pc

    places = pc.indices_nonzero(pc.fill_null(inside, False))
    hits = _matching(lowered, places, "|".join(labels.values()))
    found = []
    for label, pattern in labels.items():
        matching = _matching(lowered, hits, pattern)
        counts = pc.count_substring_regex(lowered.take(matching), pattern)
        names = {"atlas": atlas, "label": label}
        constant = {name: pa.repeat(pa.scalar(value), len(counts)) for name, value in names.items()}
        found.append(pa.table({"place": matching, **constant, "n_cues": counts}))
    return found


def _matching(lowered: pa.Array, places: pa.Array, pattern: str) -> pa.Array:
    import pyarrow.compute as pc

    return places.filter(pc.match_substring_regex(lowered.take(places), pattern))
