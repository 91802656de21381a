"""Lines of revenue of real filings: with their tags, and from print alone without them."""

import csv
import gzip
import hashlib
import os
import re
from pathlib import Path

import pytest

SHARED = Path(
    os.environ.get("FINRAG_SHARED_DATA", Path(__file__).parents[2].parent / "shared/data")
)
FILINGS = SHARED / "filings_html"
pytestmark = pytest.mark.skipif(
    not (FILINGS / "filings.csv").is_file(), reason=f"no real filings in {FILINGS}"
)
N_FILINGS = 20
# What is hidden of a filing in inline XBRL and the marks around its figures.
HIDDEN = re.compile(rb"<ix:header>.*?</ix:header>", re.DOTALL | re.IGNORECASE)
TAG = re.compile(rb"</?ix:[^>]*>", re.IGNORECASE)
GOOD = "('reconciled', 'part')"


def is_mended_on(cik):
    return int(hashlib.sha256(cik.zfill(10).encode()).hexdigest(), 16) % 3 != 2


def chosen():
    with (FILINGS / "filings.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["inline_xbrl"] == "1"]
    rows = [row for row in rows if row["form"] == "10-K" and is_mended_on(row["cik"])]
    return sorted(rows, key=lambda row: hashlib.sha256(row["file"].encode()).hexdigest())[
        :N_FILINGS
    ]


def write(folder, clean):
    folder.mkdir()
    rows = chosen()
    for row in rows:
        text = gzip.decompress((FILINGS / row["file"]).read_bytes())
        (folder / row["file"]).write_bytes(gzip.compress(clean(text), mtime=0))
    with (folder / "filings.csv").open("w", encoding="utf-8", newline="") as file:
        made = csv.DictWriter(file, rows[0])
        made.writeheader()
        made.writerows(rows)


def built(new_warehouse, folder):
    warehouse = new_warehouse(
        folder.parent / f"{folder.name}_warehouse", corpus="raw_filings", corpus_path=str(folder)
    )
    assert warehouse.dbt("seed") == 0, warehouse.log
    models = ("+revenue_lines", "+revenue_reconciliations")
    assert warehouse.dbt("run", "--select", *models) == 0, warehouse.log
    return warehouse


@pytest.fixture(scope="module")
def tagged(new_warehouse, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tagged") / "filings"
    write(folder, lambda text: text)
    return built(new_warehouse, folder)


@pytest.fixture(scope="module")
def bare(new_warehouse, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bare") / "filings"
    write(folder, lambda text: TAG.sub(b"", HIDDEN.sub(b"", text)))
    return built(new_warehouse, folder)


def totals(warehouse):
    rows = warehouse.rows(
        "select distinct filing_id, total from descriptions.revenue_reconciliations "
        "where is_filing_year and total is not null"
    )
    return {row["filing_id"]: row["total"] for row in rows}


def reconciled(warehouse):
    rows = warehouse.rows(
        "select distinct filing_id from descriptions.revenue_reconciliations "
        f"where is_filing_year and view in ('product', 'segment') and verdict in {GOOD}"
    )
    return {row["filing_id"] for row in rows}


def test_lines_of_products_or_segments_add_up(tagged):
    known = totals(tagged)
    assert len(known) >= N_FILINGS - 2
    assert len(reconciled(tagged) & set(known)) >= 0.95 * len(known)


def test_print_alone_tells_the_same_total_and_lines(tagged, bare):
    known, read = totals(tagged), totals(bare)
    right = {filing for filing in known if abs(read.get(filing, 0) - known[filing]) < 1}
    assert len(right) >= 0.95 * len(known)
    assert len(reconciled(bare) & right) >= 0.92 * len(known)
    facts = {
        (row["filing_id"], round(row["value"]))
        for row in tagged.rows("select filing_id, value from sentences.facts where value <> 0")
    }
    lines = bare.rows(
        "select filing_id, value from descriptions.revenue_lines "
        "where role = 'leaf' and is_chosen and is_filing_year and value <> 0"
    )
    equal = [(row["filing_id"], round(row["value"])) in facts for row in lines]
    assert len(equal) > 80
    assert sum(equal) >= 0.95 * len(equal), len(equal)
    assert bare.value("select count(*) from sentences.facts") == 0
