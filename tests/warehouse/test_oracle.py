"""Right answers and planted faults, made from the gold by rule and scored beside a warehouse.

What is expected of each stands in tests/oracle/systems.yml, what is measured in figures.csv. After
a change that is meant to change figures,

    FINRAG_PIN=1 pytest -n 0 tests/warehouse/test_oracle.py -k pinned

writes them anew; the difference is to be read line by line.
"""

import csv
import os
from pathlib import Path

import pytest

from tests.oracle.scoring import SYSTEMS, read_systems, score_all, write_systems

FIGURES = SYSTEMS.with_name("figures.csv")
EXPECTED = [
    pytest.param(
        system.name,
        name,
        id=f"{system.name}-{name}",
        marks=[pytest.mark.xfail(strict=True, reason=system.red[name])]
        if name in system.red
        else [],
    )
    for system in read_systems()
    for name in system.expectations
]


@pytest.fixture(scope="module")
def results(small, tmp_path_factory):
    folder = tmp_path_factory.mktemp("oracle")
    written = write_systems(small, folder, read_systems())
    return score_all(small.database, small.variables, folder / "state", written)


@pytest.mark.parametrize(("system", "expectation"), EXPECTED)
def test_a_system_is_judged_as_it_answers(results, system, expectation):
    result = results[system]
    assert result.is_as_expected(expectation, results["oracle"]), result.row


def test_what_is_red_is_expected():
    for system in read_systems():
        assert set(system.red) <= set(system.expectations)


def test_answers_to_other_questions_are_worth_no_more_than_their_null(results):
    shuffled = results["shuffled"]
    answered = [row for item, row in shuffled.outcome.items.items() if item in shuffled.made]
    right = sum(row["right"] for row in answered) / len(answered)

    assert len(answered) > 90
    assert abs(right - shuffled.null) < 0.03


def test_figures_are_those_pinned(results):
    rows = [result.row for result in results.values()]
    if os.environ.get("FINRAG_PIN"):
        write_pins(FIGURES, rows)
    with FIGURES.open(newline="", encoding="utf-8") as file:
        pinned = list(csv.DictReader(file))

    assert [row["system"] for row in rows] == [row["system"] for row in pinned]
    changed = [
        f"{row['system']}: {name} is {row[name]}, pinned {old[name]}"
        for row, old in zip(rows, pinned, strict=True)
        for name in row
        if row[name] != old[name]
    ]
    assert changed == []


def write_pins(path: Path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
