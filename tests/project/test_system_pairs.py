"""Pairs that ship: a lift is measured over random order of the same regime."""

import csv
from pathlib import Path

from finrag.systems import resolve_systems

SEEDS = Path(__file__).parents[2] / "seeds" / "systems"
VARIABLES = {
    "encoder": "wordllama",
    "llm": "",
    "enable_systems": [],
    "systems_paths": [],
    "chunk_tokens": 1000,
    "chunk_overlap": 0,
}


def seed_rows(name):
    with (SEEDS / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_a_lift_is_over_random_order_of_the_same_regime():
    systems = {
        row["system_id"]: row
        for row in resolve_systems(
            seed_rows("systems.csv"), seed_rows("setting_catalogue.csv"), VARIABLES
        )
    }
    lifts = [pair for pair in seed_rows("system_pairs.csv") if pair["purpose"] == "null_lift"]

    assert lifts
    assert [
        pair["pair_id"]
        for pair in lifts
        if not systems[pair["system_b"]]["is_null"]
        or systems[pair["system_a"]]["regime"] != systems[pair["system_b"]]["regime"]
    ] == []
