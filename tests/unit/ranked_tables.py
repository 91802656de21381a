"""Small tables of rankings and evidence, and their values, for tests of the function."""

from collections import Counter

import pyarrow as pa

from finrag.metrics.ranking import score_rankings

TEXT, WHOLE, NUMBER = pa.string(), pa.int32(), pa.float64()
SCHEMAS = {
    "catalogue": {
        **dict.fromkeys(("metric", "unit", "mode", "asked_of", "measured_by"), TEXT),
        **{"k": WHOLE, "needs_gold": pa.bool_()},
    },
    "systems": dict.fromkeys(("system_id", "system_kind"), TEXT),
    "outcomes": dict.fromkeys(("system_id", "item_id", "unit", "outcome"), TEXT),
    "items": dict.fromkeys(("item_id", "gold_set", "set_kind", "sentence_id", "text_hash"), TEXT),
    "judgments": {
        **dict.fromkeys(("item_id", "unit", "evidence_kind", "evidence_id", "passage_id"), TEXT),
        **{"grade": WHOLE, "mapping": TEXT},
    },
    "qrels": {**dict.fromkeys(("item_id", "unit", "passage_id"), TEXT), "grade": WHOLE},
    "places": {
        **dict.fromkeys(("passage_id", "text_hash", "document_id", "row_id", "table_id"), TEXT),
        **dict.fromkeys(("page", "col_pos"), WHOLE),
        **dict.fromkeys(("period_start", "period_end"), TEXT),
    },
    "rankings": {
        **dict.fromkeys(("system_id", "item_id", "unit", "passage_id"), TEXT),
        **{"rank": WHOLE, "score": NUMBER, "n_tied": pa.int64()},
    },
}
FIGURES = ("value", "value_best", "value_worst", "value_expected")


def metric(name, k=0, unit="sentence", asked_of="both", mode="finrag", needs_gold=True):
    """A row of the catalogue."""
    return {
        **{"metric": name, "k": k, "unit": unit, "mode": mode, "asked_of": asked_of},
        **{"needs_gold": needs_gold, "measured_by": "ranking"},
    }


def ranked(item, entries, system="s", unit="sentence"):
    """A ranking: passages with their scores, best first; a third figure is how many tie."""
    ties = Counter(entry[1] for entry in entries if entry[1] is not None)
    return [
        {
            **{"system_id": system, "item_id": item, "unit": unit, "rank": rank},
            **{"passage_id": entry[0], "score": entry[1]},
            "n_tied": entry[2] if len(entry) > 2 else ties.get(entry[1], 1),
        }
        for rank, entry in enumerate(entries, start=1)
    ]


def in_order(item, passages, system="s", unit="sentence"):
    """A ranking without ties."""
    entries = [(passage, 1.0 / place) for place, passage in enumerate(passages, start=1)]
    return ranked(item, entries, system, unit)


def judged(item, grades, unit="sentence", kind="text"):
    """Evidence with the passages that stand for it: (evidence, passage) or passage, to grades."""
    rows = []
    for named, grade in grades.items():
        evidence, passage = named if isinstance(named, tuple) else (named, named)
        rows.append(
            {
                **{"item_id": item, "unit": unit, "evidence_kind": kind, "grade": grade},
                **{"evidence_id": evidence, "passage_id": passage},
                "mapping": "not loaded" if passage is None else "mapped",
            }
        )
    return rows


def official(item, grades, unit="text"):
    """Lines of qrels."""
    return [
        {"item_id": item, "unit": unit, "passage_id": passage, "grade": grade}
        for passage, grade in grades.items()
    ]


def asked(item, outcome="ranked", system="s", unit="sentence"):
    """What came of a list."""
    return {"system_id": system, "item_id": item, "unit": unit, "outcome": outcome}


def tables(
    catalogue,
    rankings,
    judgments=(),
    *,
    outcomes=(),
    kinds=None,
    anchors=None,
    qrels=(),
    places=(),
    systems=(),
):
    """The tables of the function; what is not given follows from the rankings.

    Args:
        catalogue: rows of ``metric``.
        rankings: rows of ``ranked``.
        judgments: rows of ``judged``.
        outcomes: rows of ``asked``; a list that is ranked and not among them is asked for too.
        kinds: the kind of set by set, which is what stands before the colon of an item: without
            one an anchor or a question on filings.
        anchors: by item the passage that it is, and its text.
        qrels: rows of ``official``.
        places: where passages stand.
        systems: what systems are.
    """
    given = {_list(row) for row in outcomes}
    missing = dict.fromkeys(_list(row) for row in rankings if _list(row) not in given)
    outcomes = [*outcomes, *(asked(item, system=of, unit=unit) for of, item, unit in missing)]
    items = dict.fromkeys(row["item_id"] for row in outcomes)
    rows = {
        "catalogue": catalogue,
        "systems": systems,
        "outcomes": outcomes,
        "items": [_item(item, kinds or {}, anchors or {}) for item in items],
        "judgments": judgments,
        "qrels": qrels,
        "places": places,
        "rankings": rankings,
    }
    return {
        name: pa.Table.from_pylist(list(rows[name]), pa.schema(list(columns.items())))
        for name, columns in SCHEMAS.items()
    }


def _list(row):
    return row["system_id"], row["item_id"], row["unit"]


def _item(item, kinds, anchors):
    gold_set = item.rpartition(":")[0] or "set"
    passage, text = anchors.get(item, (None, None))
    kind = kinds.get(gold_set, "anchors" if item in anchors else "filings")
    return {
        **{"item_id": item, "gold_set": gold_set, "set_kind": kind},
        **{"sentence_id": passage, "text_hash": text},
    }


def values(given, key=("item_id", "metric", "k")):
    """Values by their key: status, value, at best, at worst, expected."""
    found = {}
    for row in score_rankings(**given).to_pylist():
        for value in row["metric_values"]:
            whole = {**row, **value}
            place = tuple(whole[name] for name in key)
            assert place not in found, place
            found[place] = (whole["value_status"], *(whole[name] for name in FIGURES))
    return found
