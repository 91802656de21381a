"""The ledger of printed figures: each stands where it says, and each printed figure has a row.

Queries run where there is a warehouse for them: that of `make build` for the sample with minilm,
`FINRAG_SAMPLE_DATABASE` for a whole one with wordllama, `FINRAG_REAL_DATABASE` for real filings,
`FINRAG_BENCHMARKS_DATABASE` and `FINRAG_BENCHMARKS_MINILM_DATABASE` for the public sets.
"""

import os
import re
import subprocess
from pathlib import Path

import duckdb
import pytest

from tests.claims_ledger import (
    claimed,
    figures_of,
    printed_value,
    read_claims,
    uncovered,
)

ROOT = Path(__file__).parents[2]
LEDGER = ROOT / "docs" / "claims.csv"
CLAIMS = read_claims(LEDGER)
PAGES = [
    "README.md",
    "bench/README.md",
    "dashboards/README.md",
    *sorted(
        path.relative_to(ROOT).as_posix()
        for pattern in ("docs/*.md", "docs/guides/*.md", "docs/reference/*.md")
        for path in ROOT.glob(pattern)
    ),
]
# Figures that measure nothing: settings and limits (tests of their own), names, examples.
NO_CLAIMS = [
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"\b95 %",
        r"\bPython 3\.11",
        # A setting and its default.
        r"^\|[^|]*`[^|]*\|\s*[0-9]+\s*\|",
        r"`FINRAG_MEMORY` \(default 6GB\)",
        r"a line of more than 32 MiB",
        r"Longer than 100,000 characters",
        r"pauses double up to 8 s.*30 s",
        r"about 2,000 \+ 200 per question",
        r"`context_tokens` and 1,500 more",
        r"`filing_characters_shown` \(1,000,000\)",
        r"Axes of shares end at 100 %",
        r"fewer than 60 % of the companies",
        # Examples of how a number is written.
        r"4\.2 percent is 4\.2",
        r'"12 %" with unit USD',
        r"41\.5 million is",
        r'"1\.5 billion" as a text',
        r'"net income: -\$5 million"|supported by "a net loss of \$5 million"',
        r'"\$354(\.12)? million"|"\$354\.1 million"|"354\.1 million"',
        r'0\.04097 is inferred from "4\.1%"|\("3,456 employees"\)',
        r'"\$1,097\.6 million" is supported by "1,097\.6"',
        # Rules that stand in code or seeds.
        r"rises to 0\.95, or to 0\.97 with two kinds",
        r"or 80 % of its words that carry meaning",
        r"holds 60 % of the words of the question",
        r"BERTScore above 0\.75 with ROUGE-L below 0\.05",
        r"at least 60 % of the gold's words, and a cosine below 0\.60",
        r"the 90 % interval by `standard_error`|two one-sided tests at 5 %",
        r"`p_holm` is at most 0\.05",
        r"absolute \(2 points unless",
        r"difference of 1, 2, 3, 5 or 10 points",
        r"^\| the two differ on \|.*",
        r"10,000 resamples of clusters",
        r"\(at most 5 % is allowed\)",
        r"above 0\.3 a limit on scores can be set\. Scores drawn evenly from 0 to 1 reach 0\.58",
        r"^\| Hit@5, (filtered|open), P1 \|.*|^\| median distance of gold.*|at most 20 % more",
        # What a formula of a floor gives.
        r"over 64 questions, 0 right in ten therefore gives a floor of 0\.20|0 in 500 one of 0\.01",
        # Sizes and limits that the bench is given.
        r"over 1,000,000 synthetic sentences",
        r"one pattern after another, over 20,000 texts",
        r"over 1,000 anchors and 65,000 synthetic sentences",
        r"twice as fast as the peer, 0\.5 half",
        r"BERTScore of 10,000 pairs of answer and gold",
        r"over 1,000 simulated pairs \| none: the share must not exceed 5 %",
        r"exact search by vectors opened over 1\.2 million sentences.*must not exceed 1\.5 times",
        r"one call of `rank_items` for every system.*1,000 questions, 1\.2 million sentences",
    )
]


def of_corpus(corpus):
    return [claim for claim in CLAIMS if claim.corpus == corpus]


@pytest.mark.parametrize("name", PAGES)
def test_every_printed_figure_has_a_row(name):
    page = (ROOT / name).read_text(encoding="utf-8")
    rows = [claim for claim in CLAIMS if claim.file == name]

    bare = uncovered(page, rows, NO_CLAIMS)

    assert [f"{name}:{figure.line}: {figure.text}" for figure in bare] == []


def test_every_row_is_about_a_page_that_is_there():
    assert {claim.file for claim in CLAIMS} <= set(PAGES)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.claim_id)
def test_what_a_row_quotes_is_printed_and_says_what_it_expects(claim):
    page = (ROOT / claim.file).read_text(encoding="utf-8")

    claimed(page, claim, figures_of(page))
    if claim.query:
        assert printed_value(claim) == pytest.approx(claim.expected, abs=1e-9)


def test_figures_of_the_sample_are_what_make_build_gives():
    claims = of_corpus("sample_minilm")
    assert claims, "no row is about the sample with minilm"
    database = ROOT / os.environ.get("FINRAG_DATABASE", "finrag.duckdb")
    if not database.is_file():
        pytest.skip("no warehouse; run `make build` first")
    with duckdb.connect(str(database), read_only=True) as warehouse:
        why = reason_to_skip(warehouse)
        if why:
            pytest.skip(why)
        assert misses(warehouse, claims) == []


def reason_to_skip(warehouse):
    """Why a warehouse says nothing about the code as it is; "" where it does."""
    try:
        (run,) = warehouse.execute(
            "select distinct corpus, encoder, git_commit, has_uncommitted_changes "
            "from retrieval.runs cross join metrics.run_manifests"
        ).fetchall()
    except duckdb.CatalogException:
        return "the warehouse is not finished"
    if run[:2] != ("sample", "minilm"):
        return f"the warehouse is of corpus {run[0]} with {run[1]}"
    if run[3]:
        return "the warehouse was built with changes that are not committed"
    code = ("src", "models", "python_models", "macros", "seeds", "dbt_project.yml")
    same = subprocess.run(
        ["git", "diff", "--quiet", str(run[2]), "--", *code], cwd=ROOT, check=False
    )
    return "" if same.returncode == 0 else "the warehouse was built by other code"


@pytest.mark.parametrize(
    ("corpus", "variable"),
    [
        ("sample_wordllama", "FINRAG_SAMPLE_DATABASE"),
        ("real", "FINRAG_REAL_DATABASE"),
        ("benchmarks", "FINRAG_BENCHMARKS_DATABASE"),
        ("benchmarks_minilm", "FINRAG_BENCHMARKS_MINILM_DATABASE"),
    ],
)
def test_figures_are_what_a_named_warehouse_gives(corpus, variable):
    if not os.environ.get(variable):
        pytest.skip(f"{variable} names no warehouse to check {corpus} in")
    with duckdb.connect(os.environ[variable], read_only=True) as warehouse:
        assert misses(warehouse, of_corpus(corpus)) == []


def misses(warehouse, claims):
    """Rows whose query does not give what they expect."""
    found = []
    for claim in claims:
        rows = warehouse.execute(claim.query).fetchall()
        values = [value for row in rows for value in row]
        is_met = (
            len(values) == 1
            and values[0] is not None
            and abs(float(values[0]) - claim.expected) <= claim.tolerance
        )
        if not is_met:
            found.append(f"{claim.claim_id}: {claim.expected} expected, {values} found")
    return found
