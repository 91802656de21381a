"""The ledger of figures printed in README and guides: what each says and how to reproduce it.

A row of ``docs/claims.csv`` quotes a piece of a page. With a query it stands for the last figure of
that piece, which the query must give; without one it stands for every figure in it, and
``checked_how`` says what to run. Figures without a row are found by ``uncovered``.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

# sample_* are warehouses of the sample by encoder; real is one of filings that do not ship,
# benchmarks one with public sets.
CORPORA: Final = (
    "sample_minilm",
    "sample_wordllama",
    "real",
    "benchmarks",
    "benchmarks_minilm",
    "bench",
    "none",
)
# Claims of a bench or of none of the warehouses have no query.
WITHOUT_QUERY: Final = ("bench", "none")
COLUMNS: Final = (
    "claim_id",
    "file",
    "printed",
    "corpus",
    "query",
    "expected",
    "tolerance",
    "checked_how",
)
_UNITS: Final = (
    "seconds?|minutes?|hours?|milliseconds|microseconds|ms|s|times|GiB|MiB|GB|MB"
    "|points?|percent|USD"
)
_NUMBER: Final = re.compile(
    r"(?<![\w.,])(?:[0-9]{1,3}(?:,[0-9]{3}){1,5}(?:\.[0-9]{1,12})?|[0-9]{1,15}(?:\.[0-9]{1,12})?)"
    rf"(?:e-?[0-9]{{1,3}})?(?P<unit> ?%| ?(?:{_UNITS})\b)?(?!\w|\.[0-9])"
)
_FENCED: Final = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_ASIDE: Final = re.compile(r"`[^`\n]*`|\]\([^)\n]*\)")


@dataclass(frozen=True)
class Claim:
    """One row of the ledger.

    Attributes:
        claim_id: its name.
        file: the page, from the project's root.
        printed: the piece of the page, letter by letter, on one line of it.
        corpus: one of ``CORPORA``.
        query: SQL that gives one value; "" where no query can.
        expected: what the page says, as a number; None without a query. A percentage is a share.
        tolerance: how far the value may be from it.
        checked_how: how to reproduce the figure.
    """

    claim_id: str
    file: str
    printed: str
    corpus: str
    query: str
    expected: float | None
    tolerance: float | None
    checked_how: str


@dataclass(frozen=True)
class PrintedFigure:
    """A figure of a page.

    Attributes:
        text: the figure as printed, with its unit.
        line: its line, from 1.
        start: where it begins in the page, in characters.
        end: where it ends.
    """

    text: str
    line: int
    start: int
    end: int


def read_claims(path: Path) -> list[Claim]:
    """Reads the ledger.

    Raises:
        ValueError: a column is missing, a name is used twice, or a row has a query without what
            it should give, or the reverse.
    """
    with path.open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream)
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise ValueError(f"'{path}' should have the columns {', '.join(COLUMNS)}")
        claims = [_claim(row) for row in reader]
    names = [claim.claim_id for claim in claims]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"'{path}' has more than one row called {', '.join(twice)}")
    return claims


def _claim(row: dict[str, str]) -> Claim:
    name = row["claim_id"]
    if row["corpus"] not in CORPORA:
        raise ValueError(f"claim {name}: corpus '{row['corpus']}' is none of {', '.join(CORPORA)}")
    is_asked = row["corpus"] not in WITHOUT_QUERY
    if any(bool(row[column]) != is_asked for column in ("query", "expected", "tolerance")):
        needs = "needs" if is_asked else "has no"
        raise ValueError(f"claim {name}: {row['corpus']} {needs} query, expected and tolerance")
    if not row["checked_how"]:
        raise ValueError(f"claim {name}: say in checked_how how the figure is reproduced")
    return Claim(
        claim_id=name,
        file=row["file"],
        printed=row["printed"],
        corpus=row["corpus"],
        query=row["query"],
        expected=float(row["expected"]) if is_asked else None,
        tolerance=float(row["tolerance"]) if is_asked else None,
        checked_how=row["checked_how"],
    )


def printed_value(claim: Claim) -> float:
    """The last number of the quoted piece: what a row with a query says.

    Raises:
        ValueError: there is no number in it.
    """
    numbers = [match[0] for match in _NUMBER.finditer(claim.printed)]
    if not numbers:
        raise ValueError(f"claim {claim.claim_id}: no number stands in '{claim.printed}'")
    return _value(numbers[-1])


def _value(figure: str) -> float:
    number = re.match(r"[0-9.,]+(?:e-?[0-9]+)?", figure)
    plain = float((number[0] if number else "nan").replace(",", ""))
    return plain / 100 if figure.endswith("%") else plain


def figures_of(page: str) -> list[PrintedFigure]:
    """Figures of a Markdown page that look like results of a measurement.

    These are percentages, decimals, counts with separators, numbers with a unit, and cells of
    tables that hold a number alone. Code, fenced or not, and addresses are left out; so are plain
    integers in running text, most of which count something that stands beside them.
    """
    bare = _ASIDE.sub(_blank, _FENCED.sub(_blank, page))
    figures, start = [], 0
    for number, line in enumerate(bare.split("\n"), 1):
        figures += [
            PrintedFigure(match[0], number, start + match.start(), start + match.end())
            for match in _NUMBER.finditer(line)
            if _is_figure(match, line)
        ]
        start += len(line) + 1
    return figures


def _blank(match: re.Match[str]) -> str:
    """As many blanks, and line ends, as there were characters."""
    return re.sub(r"[^\n]", " ", match[0])


def _is_figure(match: re.Match[str], line: str) -> bool:
    if match["unit"] or re.search("[.,e]", match[0]):
        return True
    before, after = line[: match.start()].rstrip(), line[match.end() :].lstrip()
    is_row = line.lstrip().startswith("|")
    return is_row and before[-1:] in ("|", "/") and after[:1] in ("|", "/")


def claimed(page: str, claim: Claim, figures: Sequence[PrintedFigure]) -> list[PrintedFigure]:
    """The figures that a row stands for.

    Args:
        page: the page.
        claim: the row.
        figures: ``figures_of`` the page.

    Raises:
        ValueError: the piece does not stand in the page, or more than once.
    """
    n_found = page.count(claim.printed)
    if n_found != 1:
        raise ValueError(
            f"claim {claim.claim_id}: '{claim.printed}' stands {n_found} times in {claim.file}; "
            "quote a piece that stands there once, as it is now"
        )
    start = page.index(claim.printed)
    end = start + len(claim.printed)
    inside = [figure for figure in figures if start <= figure.start and figure.end <= end]
    return inside[-1:] if claim.query else inside


def uncovered(
    page: str, claims: Iterable[Claim], no_claims: Iterable[re.Pattern[str]]
) -> list[PrintedFigure]:
    """Figures of a page that no row stands for.

    Args:
        page: the page.
        claims: the rows of this page.
        no_claims: what is no claim though it looks like one; a figure inside a match is passed.
    """
    figures = figures_of(page)
    covered = {figure for claim in claims for figure in claimed(page, claim, figures)}
    passed = [match.span() for pattern in no_claims for match in pattern.finditer(page)]
    return [
        figure
        for figure in figures
        if figure not in covered
        and not any(start <= figure.start and figure.end <= end for start, end in passed)
    ]
