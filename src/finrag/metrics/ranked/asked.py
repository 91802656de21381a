"""The ranked lists that are asked of systems, whether or not they returned them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag.metrics.catalogue import Metric
from finrag.metrics.groups import Codes, Groups, Integers, combined, found_in, joined
from finrag.metrics.ranked.evidence import KINDS, OPERAND, TEXT
from finrag.metrics.ranked.lists import FINRAG, MODES, OFFICIAL, Names

RANKED: Final = "ranked"
NOT_RUN: Final = "not_run"
# Anchors; questions on filings, and those of them that are asked of rows and cells too; sets that
# bring their own documents.
SET_KINDS: Final = ("anchors", "filings", "tables", "public")
ANCHORS, FILINGS, TABLES, PUBLIC = range(len(SET_KINDS))
_ASKED_OF: Final = {
    "both": (ANCHORS, FILINGS, TABLES),
    "questions": (FILINGS, TABLES),
    "anchors": (ANCHORS,),
    "public": (PUBLIC,),
}
# Rankings of these come in files, for the sets and units that the files have.
_OF_FILES: Final = ("external_file", "external_http")


@dataclass(frozen=True)
class Items:
    """What is asked, by code of the item.

    Attributes:
        gold_sets: the sets.
        gold_set: code of each item's set.
        set_kind: place of its kind in ``SET_KINDS``.
        anchor: code of the passage that an anchor is; -1 for a question.
        text: code of the text of an anchor; -1 for a question.
    """

    gold_sets: Codes
    gold_set: Integers
    set_kind: Integers
    anchor: Integers
    text: Integers


@dataclass(frozen=True)
class Asked:
    """Lists that are asked for, sorted by system, set, item, unit, mode and kind of evidence.

    Attributes:
        system, item, unit: codes, an element a list.
        mode, kind: places in ``MODES`` and ``KINDS``.
        set_kind: place of the kind of the item's set.
        outcome: code of what came of it.
        outcomes: what may come of it.
    """

    system: Integers
    item: Integers
    unit: Integers
    mode: Integers
    kind: Integers
    set_kind: Integers
    outcome: Integers
    outcomes: Codes

    @property
    def ranked(self) -> int:
        """The code of a list that was returned, be it empty."""
        return self.outcomes.place(RANKED)

    def __len__(self) -> int:
        return len(self.system)

    def of_metric(self, metric: Metric, kind: int, names: Names) -> Integers:
        """The lists that a metric is asked of.

        Raises:
            ValueError: the catalogue asks it of items of no such kind.
        """
        if metric.asked_of not in _ASKED_OF or metric.mode not in MODES:
            raise ValueError(
                f"metric '{metric.name}' is asked of '{metric.asked_of}' in mode '{metric.mode}'; "
                f"rankings are asked of {', '.join(_ASKED_OF)} in mode {' or '.join(MODES)}"
            )
        set_kinds = list(_ASKED_OF[metric.asked_of])
        # What public sets are asked of rows and cells, questions on tables are as well.
        if metric.asked_of == "public" and metric.mode == MODES[FINRAG]:
            set_kinds += [TABLES] if metric.unit != "sentence" else []
        unit, mode = names.units.place(metric.unit), MODES.index(metric.mode)
        is_asked = (self.unit == unit) & (self.mode == mode) & (self.kind == kind)
        return np.flatnonzero(is_asked & np.isin(self.set_kind, set_kinds))


def read_asked(
    outcomes: pa.Table,
    systems: pa.Table,
    judgments: pa.Table,
    qrels: pa.Table,
    names: Names,
    items: Items,
) -> Asked:
    """The lists that are asked for.

    Of a public set a list is asked for by the kinds of evidence that the set names at all, of a
    system of a file by the kinds that it ranks; in mode `official` by the kinds that qrels name.

    Args:
        outcomes: ``system_id``, ``item_id``, ``unit`` and ``outcome``.
        systems: ``system_id`` and ``system_kind``.
        judgments: ``item_id``, ``unit`` and ``evidence_kind``, of evidence that was loaded or not.
        qrels: ``item_id`` and ``unit``.
        names: the codes.
        items: what is asked.
    """
    kinds = Codes((outcomes["outcome"], pa.chunked_array([[NOT_RUN, RANKED]])))
    not_run, ranked = kinds.place(NOT_RUN), kinds.place(RANKED)
    system, item, unit, outcome = (
        codes.of(outcomes[name])
        for codes, name in (
            *((names.systems, "system_id"), (names.items, "item_id")),
            *((names.units, "unit"), (kinds, "outcome")),
        )
    )
    pairs = Groups(system, item)
    of_any = np.where(pairs.total(outcome == ranked) > 0, ranked, pairs.least(outcome))
    asking, asked = system[pairs.firsts], item[pairs.firsts]
    named = _named_units(judgments, qrels, names, items)
    which, of_set = joined(named.gold_set, items.gold_set[asked])
    sizes = len(names.systems), len(names.items), len(names.units)
    keys = combined((system, item, unit), sizes)
    order = np.argsort(keys)
    run = found_in(
        keys[order], combined((asking[which], asked[which], named.list_unit[of_set]), sizes)
    )
    files = systems.filter(pc.is_in(systems["system_kind"], pa.array(_OF_FILES)))
    of_file = np.isin(asking[which], names.systems.of(files["system_id"]))
    which, of_set, run = (column[(run >= 0) | ~of_file] for column in (which, of_set, run))
    own = np.flatnonzero(items.set_kind[item] != PUBLIC)
    is_named = np.isin(items.gold_set[asked], named.gold_set)
    text = np.flatnonzero(is_named | (items.set_kind[asked] == TABLES))
    programs = judgments.filter(pc.equal(judgments["evidence_kind"], KINDS[OPERAND]))
    is_program = np.isin(asked, names.items.of(programs["item_id"]))
    operand = np.flatnonzero(is_program & (items.set_kind[asked] == PUBLIC))
    any_unit = names.any_unit
    parts = [
        (own, system[own], item[own], unit[own], FINRAG, TEXT, outcome[own]),
        (
            *(which, asking[which], asked[which], named.unit[of_set], named.mode[of_set], TEXT),
            np.where(run < 0, not_run, outcome[order][run]),
        ),
        (text, asking[text], asked[text], any_unit, FINRAG, TEXT, of_any[text]),
        (operand, asking[operand], asked[operand], any_unit, FINRAG, OPERAND, of_any[operand]),
    ]
    system, item, unit, mode, kind, outcome = (
        np.concatenate([np.zeros_like(part[0]) + part[place] for part in parts])
        for place in range(1, 7)
    )
    order = np.lexsort((kind, mode, unit, item, items.gold_set[item], system))
    return Asked(
        system=system[order],
        item=item[order],
        unit=unit[order],
        mode=mode[order],
        kind=kind[order],
        set_kind=items.set_kind[item[order]],
        outcome=outcome[order],
        outcomes=kinds,
    )


@dataclass(frozen=True)
class _Named:
    """Units that the evidence of public sets has, by set, and the lists that are searched."""

    gold_set: Integers
    mode: Integers
    unit: Integers
    list_unit: Integers


def _named_units(judgments: pa.Table, qrels: pa.Table, names: Names, items: Items) -> _Named:
    text = judgments.filter(pc.equal(judgments["evidence_kind"], KINDS[TEXT]))
    of_item = np.concatenate([names.items.of(table["item_id"]) for table in (text, qrels)])
    unit = np.concatenate([names.units.of(table["unit"]) for table in (text, qrels)])
    mode = np.repeat((FINRAG, OFFICIAL), (len(text), len(qrels)))
    public = np.flatnonzero(items.set_kind[of_item] == PUBLIC)
    gold_set, unit, mode = items.gold_set[of_item[public]], unit[public], mode[public]
    named = Groups(gold_set, mode, unit)
    gold_set, unit, mode = (column[named.firsts] for column in (gold_set, unit, mode))
    # A cell is looked for among the rows.
    is_cell = (unit == names.units.place("cell")) & (mode == FINRAG)
    list_unit = np.where(is_cell, names.units.place("row"), unit)
    return _Named(gold_set, mode, unit, list_unit)
