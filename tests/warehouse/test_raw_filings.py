"""Filings as filed, from a folder to the doors, the questions and the metrics."""

import csv
import json

import pytest

from finrag.sample import write_filed, write_sample
from tests.filings.faults import write_faults

CIKS, YEARS = (9900001, 9900003, 9900005), (2020, 2021)


def add_faults(folder):
    """Put the faults that are quarantined into a folder, with the list that names them."""
    verdicts = {
        name: verdict
        for name, verdict in write_faults(folder.parent / "faults").items()
        if verdict != "loaded" and not name.startswith(("bomb", "sound"))
    }
    for name in verdicts:
        (folder.parent / "faults" / name).rename(folder / name)
    with (folder.parent / "faults" / "filings.csv").open(encoding="utf-8") as file:
        lines = [line for line in csv.reader(file) if line[0] in verdicts]
    with (folder / "filings.csv").open("a", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(lines)
    return verdicts


@pytest.fixture(scope="module")
def raw(new_warehouse, tmp_path_factory):
    """Six filings in inline XBRL among faults, built whole."""
    folder = tmp_path_factory.mktemp("raw") / "filed"
    write_filed(folder, "ixbrl", ciks=CIKS, years=YEARS)
    verdicts = add_faults(folder)
    warehouse = new_warehouse(
        folder.parent / "warehouse", corpus="raw_filings", corpus_path=str(folder)
    )
    assert warehouse.build() == 0, warehouse.log
    warehouse.verdicts = verdicts
    return warehouse


def test_x(raw):
    pass
