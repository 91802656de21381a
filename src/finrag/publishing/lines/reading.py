"""Reads the lines of revenue of filings, with what adds up and what describes them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from finrag.records.identity import parse_company
from finrag.sources.line_baselines import NO_LABEL
from finrag.warehouse import Row, Warehouse, open_warehouse
from finrag.warehouse.folder import step_command

VIEWS: Final = ("product", "segment", "geography", "other")

_SHOWN_NAMES: Final = 5
# A shorter part of a name names no company.
_SHORTEST_NAME: Final = 3
_FILINGS: Final = """
select filing_id, cik_int, company_name, ticker, form, report_year, fiscal_year_end
from sentences.filings
where filing_id in (select filing_id from descriptions.revenue_reconciliations)
order by cik_int, report_year, form like '10-K%', form, filing_id
"""
_SYSTEMS: Final = """
select system_id from retrieval.line_systems order by role <> 'candidate', system_id
"""
_SUMS: Final = """
select
    sums.*,
    verdicts.description as verdict_text,
    coalesce(verdicts.is_good, false) as is_good,
    coalesce(verdicts.rank, 99) as rank
from descriptions.revenue_reconciliations as sums
left join seeds.revenue_verdicts as verdicts
    on sums.verdict = verdicts.verdict and verdicts.kind = 'sum'
where list_contains($1, sums.filing_id)
order by sums.filing_id, sums.view, sums.period_end desc, sums.reconciliation_id
"""
_LINES: Final = """
with

described as (
    select *
    from descriptions.line_descriptions
    where system_id = $2 and list_contains($1, filing_id)
),

cited as (
    select revenue_line_id, unnest(block_ids) as block_id
    from described
),

places as (
    select cited.revenue_line_id, list_sort(list(distinct sections.section_name)) as sections
    from cited
    inner join sentences.blocks on cited.block_id = blocks.block_id
    inner join sentences.sections on blocks.section_id = sections.section_id
    group by cited.revenue_line_id
)

select
    lines.*,
    described.system_id,
    described.status,
    verdicts.description as status_text,
    described.text,
    described.kind,
    described.tier,
    described.validated,
    described.error,
    coalesce(described.products, []) as products,
    coalesce(described.sentence_ids, []) as sentence_ids,
    coalesce(described.block_ids, []) as block_ids,
    coalesce(places.sections, []) as sections
from descriptions.revenue_lines as lines
left join described on lines.revenue_line_id = described.revenue_line_id
left join places on lines.revenue_line_id = places.revenue_line_id
left join seeds.revenue_verdicts as verdicts
    on described.status = verdicts.verdict and verdicts.kind = 'text'
where list_contains($1, lines.filing_id)
order by lines.filing_id, lines.view, lines.period_end desc, lines.line_pos, lines.revenue_line_id
"""
_COVERAGE: Final = """
select *
from descriptions.description_coverage
where system_id = $2 and list_contains($1, filing_id)
"""


@dataclass(frozen=True)
class Wanted:
    """What a person asks for.

    Attributes:
        company: ticker, CIK or name; empty for all companies.
        year: fiscal year of the filings; None for the latest one, or for all of all companies.
        filing_id: one filing; it overrides the year.
        view: only this view, one of ``VIEWS``; empty for all.
        system_id: whose descriptions; empty for the system under test, else the first by name.
    """

    company: str = ""
    year: int | None = None
    filing_id: str = ""
    view: str = ""
    system_id: str = ""


@dataclass(frozen=True)
class FilingLines:
    """The lines of one filing.

    Attributes:
        filing: ``filing_id``, ``cik_int``, ``company_name``, ``ticker``, ``form``, ``report_year``,
            ``fiscal_year_end``.
        system_id: whose descriptions stand with the lines; None where no system described any.
        sums: rows of ``revenue_reconciliations`` with ``verdict_text``, ``is_good``, ``rank``.
        lines: rows of ``revenue_lines`` with what the system made of each; nulls and empty lists
            for lines that are not described.
        all_sums: those of the views that were not asked for, too.
        coverage: the row of ``description_coverage``; empty where there is none.
    """

    filing: Row
    system_id: str | None
    sums: Sequence[Row]
    lines: Sequence[Row]
    all_sums: Sequence[Row]
    coverage: Row = field(default_factory=dict)

    @property
    def shown(self) -> tuple[Row, list[Row]]:
        """The reconciliation that is shown, and its lines of the filing's own year.

        It is the one chosen; where none is, the one with the best verdict.
        """
        best = min(
            self.sums,
            key=lambda row: (
                not row["is_filing_year"],
                not row["is_chosen"],
                row["rank"],
                row["reconciliation_id"],
            ),
        )
        wanted = best["reconciliation_id"]
        return best, [line for line in self.lines if line["reconciliation_id"] == wanted]

    @property
    def leaves(self) -> list[Row]:
        """The lines that are described: leaves of the chosen view of the filing's year."""
        return [line for line in self.lines if is_leaf(line)]


def is_leaf(line: Mapping[str, object]) -> bool:
    """Whether a line is one that is described."""
    return bool(line["role"] == "leaf" and line["is_chosen"] and line["is_filing_year"])


def label_of(line: Mapping[str, object]) -> str:
    """The label of a line, or what stands for it where it has none."""
    label = str(line["label"] or "")
    return label if label.strip() else NO_LABEL


def read_lines(database: Path, wanted: Wanted) -> list[FilingLines]:
    """Read what a person asks for.

    Returns:
        One entry per filing, by CIK and year: of a company its latest filing, unless a year or
        a filing is named.

    Raises:
        ValueError: there is no warehouse, it has no lines of revenue, or nothing fits; naming what
            there is.
    """
    lacking = f"no revenue lines; build it again with `{step_command('build')}`"
    with open_warehouse(database, lacking) as warehouse:
        filings = warehouse.rows(_FILINGS)
        if not filings:
            raise ValueError(_why_none(warehouse, database))
        chosen = _chosen(filings, wanted)
        system_id = _system(warehouse, wanted.system_id)
        ids = [row["filing_id"] for row in chosen]
        sums = _by_filing(warehouse.rows(_SUMS, [ids]))
        lines = _by_filing(warehouse.rows(_LINES, [ids, system_id]))
        coverage = _by_filing(warehouse.rows(_COVERAGE, [ids, system_id]))
    found = [
        FilingLines(
            filing,
            system_id,
            _of_view(sums[filing["filing_id"]], wanted.view),
            _of_view(lines.get(filing["filing_id"], []), wanted.view),
            sums[filing["filing_id"]],
            next(iter(coverage.get(filing["filing_id"], [])), {}),
        )
        for filing in chosen
    ]
    kept = [one for one in found if one.sums]
    if not kept:
        views = sorted({row["view"] for filing in sums.values() for row in filing} - {"none"})
        there = f"there is {', '.join(views)}" if views else "there is no table of any"
        raise ValueError(f"no lines of the view {wanted.view} in {_some(ids)}; {there}")
    return kept


def _why_none(warehouse: Warehouse, database: Path) -> str:
    if warehouse.has("sentences.tables") and warehouse.rows("from sentences.tables limit 1"):
        return f"no filing of '{database}' states its revenue"
    return (
        f"the corpus of '{database}' has the items of filings as text, without tables, so there "
        f"are no revenue lines; build with `corpus: raw_filings` or `corpus: edgar`"
    )


def _chosen(filings: Sequence[Row], wanted: Wanted) -> list[Row]:
    """The filings asked for."""
    found = list(filings)
    if wanted.company:
        cik = _cik(filings, wanted.company)
        found = [row for row in found if row["cik_int"] == cik]
    of_company = found
    if wanted.filing_id:
        found = [row for row in found if row["filing_id"] == wanted.filing_id]
    elif wanted.year is not None:
        found = [row for row in found if row["report_year"] == wanted.year]
    elif wanted.company:
        found = found[-1:]
    if not found:
        asked = wanted.filing_id or f"fiscal year {wanted.year}"
        there = _some([row["filing_id"] for row in of_company])
        raise ValueError(f"no lines of revenue of {asked}; there are {there}")
    return found if wanted.filing_id or not wanted.company else found[-1:]


def _cik(filings: Sequence[Row], company: str) -> int:
    """The company with that ticker, CIK or name, or the only one with a name like it.

    Raises:
        ValueError: there is none, or several bear the name; naming them, or those that come near.
    """
    asked = company.strip().casefold()
    known: dict[str, dict[int, str]] = {}
    for row in filings:
        for name in filter(None, (row["company_name"], row["ticker"])):
            known.setdefault(str(name).casefold(), {})[row["cik_int"]] = str(name)
    if asked in known:
        return _only(known[asked], company)
    try:
        cik = parse_company(company)
    except ValueError:
        cik = company
    if cik in {row["cik_int"] for row in filings}:
        return int(cik)
    alike = [] if isinstance(cik, int) else _alike(filings, asked)
    if len(dict(alike)) == 1:
        return alike[0][0]
    near = [name for _, name in alike]
    close = difflib.get_close_matches(asked, sorted(known), _SHOWN_NAMES)
    near += [name for one in close for name in known[one].values()]
    shown = list(dict.fromkeys(near))
    n_companies = len({row["cik_int"] for row in filings})
    hint = f"did you mean {_some(shown)}?" if shown else f"{n_companies:,} others have some"
    raise ValueError(f"no company '{company}' has lines of revenue in this warehouse; {hint}")


def _only(bearers: Mapping[int, str], company: str) -> int:
    """The company that bears a name.

    Raises:
        ValueError: several do; naming their CIKs.
    """
    if len(bearers) > 1:
        ciks = ", ".join(map(str, sorted(bearers)))
        raise ValueError(
            f"several companies have the name '{company}'; give the CIK of one: {ciks}"
        )
    return next(iter(bearers))


def _alike(filings: Sequence[Row], asked: str) -> list[tuple[int, str]]:
    """CIK and name of companies whose names begin with some text, else of those that hold it."""
    if len(asked) < _SHORTEST_NAME:
        return []
    names = {(row["cik_int"], str(row["company_name"])) for row in filings}
    held = sorted(one for one in names if asked in one[1].casefold())
    return [one for one in held if one[1].casefold().startswith(asked)] or held


def _system(warehouse: Warehouse, asked: str) -> str | None:
    systems = [row["system_id"] for row in warehouse.rows(_SYSTEMS)]
    if asked and asked not in systems:
        there = _some(systems) if systems else "none did"
        raise ValueError(f"no system '{asked}' described lines in this build; there are: {there}")
    return asked or next(iter(systems), None)


def _by_filing(rows: Sequence[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["filing_id"], []).append(row)
    return found


def _of_view(rows: Sequence[Row], view: str) -> list[Row]:
    return [row for row in rows if view in ("", row["view"])]


def _some(names: Sequence[str]) -> str:
    """The first names, and how many more."""
    more = f" and {len(names) - _SHOWN_NAMES:,} more" if len(names) > _SHOWN_NAMES else ""
    return f"{', '.join(names[:_SHOWN_NAMES])}{more}"
