"""Small tables of values, for tests of summaries, floors and comparisons."""

import pyarrow as pa

from finrag.metrics import pairs, summaries
from finrag.metrics.comparisons import compare
from finrag.metrics.pairs import Compared
from finrag.metrics.summaries import summarise

TEXT, WHOLE, NUMBER, FLAG = pa.string(), pa.int32(), pa.float64(), pa.bool_()
_METRIC = {"metric": TEXT, "k": WHOLE, "unit": TEXT, "mode": TEXT}
_FIGURES = dict.fromkeys(("value", "value_best", "value_worst", "value_expected"), NUMBER)
_SLICE = dict.fromkeys(("gold_set", "slice_name", "slice_value"), TEXT)
SCHEMAS = {
    "values": {
        **{"system_id": TEXT, "item_id": TEXT, **_METRIC, "value_status": TEXT},
        **{**_FIGURES, "scorer_id": TEXT},
    },
    "null_values": {
        **{"null_kind": TEXT, "item_id": TEXT, **_METRIC, "value_status": TEXT},
        **{"value": NUMBER, "scorer_id": TEXT},
    },
    "slices": {"item_id": TEXT, **_SLICE, "cluster_id": TEXT},
    "metrics": {
        **_METRIC,
        **dict.fromkeys(("value_kind", "value_unit", "direction", "asked_of", "measured_by"), TEXT),
        **dict.fromkeys(("needs_text_only", "needs_gold", "is_compared", "is_headline"), FLAG),
        "margin": NUMBER,
    },
    "systems": {
        **{"system_id": TEXT, "regime": TEXT, "is_null": FLAG, "answerer": TEXT},
        "role": TEXT,
        "compare_with": pa.list_(TEXT),
    },
    "integrity": {
        **{"system_id": TEXT, **_SLICE, "metric": TEXT, "n_true": NUMBER},
        "n_asked": pa.int64(),
    },
    "pairs": {
        **dict.fromkeys(("pair_id", "purpose", "system_a", "system_b", "margin_metric"), TEXT),
        **{"margin_k": WHOLE, "margin": NUMBER},
    },
    "items": {
        **{"item_id": TEXT, "cluster_id": TEXT, "cik_ints": pa.list_(pa.int64())},
        **{"set_kind": TEXT, "answer_type": TEXT, "n_relevant": pa.int64()},
    },
    "excluded": {"item_id": TEXT},
    "returned": {"system_id": TEXT, "gold_set": TEXT, "n_recognised": pa.int64()},
}
SETTINGS = {"bootstrap_resamples": 200, "comparison_resamples": 200, "bootstrap_seed": 7}
_DEFAULTS = {
    "values": {"unit": "sentence", "mode": "finrag", "value_status": "evaluated"},
    "null_values": {"unit": "answer", "mode": "finrag", "value_status": "evaluated"},
    "slices": {"slice_name": "overall", "slice_value": "all"},
    "metrics": {
        **{"unit": "sentence", "mode": "finrag", "value_kind": "share", "value_unit": "share"},
        **{"direction": "max", "asked_of": "both", "measured_by": "ranking", "margin": 0.02},
        **{"needs_text_only": False, "needs_gold": False, "is_compared": True},
        "is_headline": False,
    },
    "systems": {"regime": "open", "is_null": False, "answerer": "none", "compare_with": []},
    "items": {"set_kind": "anchors", "n_relevant": 1},
    "integrity": {"slice_name": "overall", "slice_value": "all"},
}


def table(name, rows=()):
    """A table of rows, with what they leave out."""
    columns = SCHEMAS[name]
    if isinstance(rows, str):
        rows = _parsed(rows, columns)
    whole = [{**_DEFAULTS.get(name, {}), **row} for row in rows]
    assert all(row.keys() <= columns.keys() for row in whole)
    return pa.Table.from_pylist(whole, pa.schema(list(columns.items())))


def _parsed(text, columns):
    """Rows of lines with commas, the first of them the names; nothing is null."""
    names, *lines = (line.strip().split(",") for line in text.strip().splitlines())
    kinds = {WHOLE: int, NUMBER: float}
    return [
        {
            name: kinds.get(columns[name], str)(cell)
            for name, cell in zip(names, line, strict=True)
            if cell
        }
        for line in lines
    ]


def sliced(items, gold_set="p1", slice_name="overall", slice_value="all"):
    """Rows of slices: items with their clusters; a cluster each where none is named."""
    named = items if isinstance(items, dict) else {item: f"cluster of {item}" for item in items}
    return [
        {
            **{"item_id": item, "cluster_id": cluster, "gold_set": gold_set},
            **{"slice_name": slice_name, "slice_value": slice_value},
        }
        for item, cluster in named.items()
    ]


def summarised(values, slices, metrics, stored=None, **others):
    """The rows of ``summarise``."""
    known = {
        name: table(name, others.get(name, ())) for name in ("systems", "null_values", "integrity")
    }
    given = summaries.Known(table("slices", slices), table("metrics", metrics), **known)
    return summarise(given, table("values", values), SETTINGS, stored).to_pylist()


def known_pairs(slices, metrics, **others):
    names = ("pairs", "systems", "items", "excluded", "returned")
    rows = table("slices", slices)
    items = {row["item_id"]: row["cluster_id"] for row in rows.to_pylist()}
    others.setdefault("items", [{"item_id": one, "cluster_id": two} for one, two in items.items()])
    known = {name: table(name, others.get(name, ())) for name in names}
    return pairs.Known(slices=rows, metrics=table("metrics", metrics), **known)


def compared(values, slices, metrics, **others):
    """The rows of ``compare``."""
    known = known_pairs(slices, metrics, **others)
    return compare(known, table("values", values), SETTINGS).to_pylist()


def paired(values, slices, metrics, **others):
    """By pair, item and metric: whether a and b are missing, and their values."""
    found = Compared(known_pairs(slices, metrics, **others), table("values", values))
    items = found.slices.items.values.to_pylist()
    names = found.metrics.table.select(["metric", "unit", "mode"]).to_pylist()
    rows = {}
    for one in found.slices.of_sets():
        for pair in found.paired(one):
            for place, column in zip(*pair.is_paired.nonzero(), strict=True):
                key = found.pairs[pair.pair].pair_id, items[one.items[place]]
                rows[(*key, *names[pair.metrics[column]].values())] = (
                    *(bool(missing[place, column]) for missing in pair.missing),
                    *(float(values[place, column]) for values in pair.values),
                )
    return rows
