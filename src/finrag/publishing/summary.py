"""What a build measured, in the terminal: the last screen, and all of it."""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

from finrag.cache.build_record import failed_checks
from finrag.publishing.reading import questions_by_category
from finrag.publishing.screen import Screen, rejected, screen_lines, screen_of
from finrag.publishing.verdict import BROKEN_OFF, Verdict, figure_line, is_red, read_verdicts
from finrag.warehouse import Row, Warehouse, check_written, open_warehouse
from finrag.warehouse.folder import is_own_folder

VERDICT_ORDER = ("fail", "unmeasured", "too_few", "waived", "not_applicable", "pass")
REPORTS = (
    "rpt_overview_corpus",
    "rpt_overview_answers",
    "rpt_overview_candidates",
    "rpt_overview_figures",
    "rpt_overview_gate_details",
    "rpt_overview_verdict",
    "external_rejections",
    "gate_verdicts",
)
EMPTY = "–"
# A record may be at fault in several places: it is not used at all where the whole is refused.
_REJECTIONS: Final = """
with records as (
    select system_id, bool_or(part = 'record') as is_unused
    from retrieval.external_rejections
    group by system_id, source_file, source_line
)
select
    system_id,
    count(*) filter (where is_unused) as n_unused,
    count(*) filter (where not is_unused) as n_used_in_part
from records
group by system_id
order by system_id
"""
# Measures of the machinery count results, not items; public sets have a page.
_SUMMARIES: Final = """
select
    summaries.*,
    figures.figure_id as figure
from metrics.metric_summaries as summaries
semi join retrieval.registered_systems using (system_id)
left join (from seeds.page_figures where shown_in = 'summary') as figures
    using (metric, k, unit, mode)
where
    summaries.gold_set in ('p1', 'p2', 'p3', 'p3_tables')
    -- A table question is asked of rows and cells, too.
    and (
        summaries.unit in ('sentence', 'answer')
        or (summaries.gold_set = 'p3_tables' and figures.figure_id is not null)
    )
    and summaries.mode = 'finrag'
    and summaries.slice_name in ('overall', 'scope')
order by summaries.gold_set, summaries.system_id, summaries.slice_name
"""
# Corpora without tables have neither report's rows; texts are those of the system shown first.
_REVENUE_LINES: Final = """
with

sums as (
    select
        filing_id,
        bool_or(view <> 'none') as has_lines,
        bool_or(is_chosen and is_good) as is_reconciled
    from reports.rpt_revenue_lines_sums
    where is_filing_year
    group by filing_id
),

texts as (
    select system_id, sum(n_lines) as n_lines, sum(n_described) as n_described
    from reports.rpt_revenue_lines_coverage
    where system_pos = 1
    group by system_id
)

select
    texts.*,
    count(*) as n_filings,
    count_if(sums.has_lines) as n_with_lines,
    count_if(sums.is_reconciled) as n_reconciled
from sums
left join texts on true
group by all
"""
# Agents on questions of the filings; those on other sets have a page.
_AGENTS: Final = """
from reports.rpt_agents_systems
select *
where is_agent and gold_set = 'p3'
order by system_pos
"""
# Figures of public sets below a headline; the others are on the first page.
PUBLIC_SETS_SHOWN: Final = 3
# A narrower screen wraps the lines; cutting figures off would be worse.
SCREEN_WIDTH = 200


def print_summary(database: Path, results: Path | None = None, has_all: bool = False) -> int:
    """Prints the last screen of a build, or all that it measured.

    Args:
        database: the warehouse file.
        results: dbt's ``run_results.json``; with it, figures are shown only if that run wrote
            every report, so that those of an earlier build never pass for its own.
        has_all: whether to print corpus, systems, gates and what to look at next at length.

    Returns:
        The exit status, as ``read_screen`` has it.

    Raises:
        ValueError: there is no warehouse, or it has not been built to its end.
    """
    screen = read_screen(database, results)
    if has_all:
        _print_all(database)
        screen = Screen((), (), (), (), (), screen.status)
    print("\n".join(screen_lines(screen)))
    return screen.status


def read_screen(database: Path, results: Path | None = None) -> Screen:
    """The last screen of a build.

    Its exit status is 0 when every candidate can be released, or none is under test; 1 where an
    error gate is broken or a candidate cannot be released; 3 where that is undecided.

    Args:
        database: the warehouse file.
        results: as in ``print_summary``.

    Raises:
        ValueError: as ``print_summary``.
    """
    check_written(results, REPORTS)
    with open_warehouse(database) as warehouse:
        corpus = warehouse.rows("select * from reports.rpt_overview_corpus")[0]
        verdicts = read_verdicts(warehouse, failed_checks(database))
        return screen_of(verdicts, corpus, warehouse.rows(_REJECTIONS), _places())


def _places() -> list[str]:
    every = "finrag summary --all (every system and gate)"
    if is_own_folder():
        return [f"Next: {every}, finrag ask (one question, live), finrag sql"]
    return [f"Next: make dashboard (pages), {every}, make ask (one question)"]


def _print_all(database: Path) -> None:
    with open_warehouse(database) as warehouse:
        corpus = warehouse.rows("select * from reports.rpt_overview_corpus")[0]
        systems = figures_of_systems(warehouse)
        revenue = (
            warehouse.rows(_REVENUE_LINES)
            if warehouse.has("reports.rpt_revenue_lines_sums")
            else []
        )
        agents = warehouse.rows(_AGENTS) if warehouse.has("reports.rpt_agents_systems") else []
        categories = questions_by_category(warehouse)
        answers = warehouse.rows(
            "select * from reports.rpt_overview_answers where gold_set = 'p3' order by system_id"
        )
        rejections = warehouse.rows(_REJECTIONS)
        gates = warehouse.rows("select * from gates.gate_verdicts order by phase, gate_id")
        verdicts = read_verdicts(warehouse, failed_checks(database))
    _print_corpus(corpus)
    _print_revenue_lines(revenue)
    _print_questions(categories)
    questions, tables = _of(systems, "p3"), _of(systems, "p3_tables")
    _print_systems([row for row in systems if row not in (*questions, *tables)])
    _print_systems_on_questions(questions)
    _print_answers(answers)
    _print_quality([row for row in systems if row not in tables])
    _print_agents(agents)
    _print_systems_on_tables(tables)
    for row in rejections:
        print(rejected([row]))
    _print_gates(gates)
    _print_next_steps(database, any(map(is_red, gates)))
    _print_verdicts(verdicts)


def figures_of_systems(warehouse: Warehouse) -> list[Row]:
    """Each system on each gold set made of the filings, in order, with its figures over all items.

    A figure is there under its name, its interval and count under ``_ci_low``, ``_ci_high`` and
    ``_n`` behind it, and its mean of a scope under that scope; what was not measured is None.
    """
    systems: dict[tuple[str, str], Row] = {}
    for row in warehouse.rows(_SUMMARIES):
        key = (row["gold_set"], row["system_id"])
        system = systems.setdefault(key, defaultdict(lambda: None, zip(_KEY, key, strict=True)))
        figure = row["figure"]
        if row["slice_name"] == "overall":
            for name, _ in BROKEN_OFF:
                system[name] = max(system[name] or 0, row[name])
            if figure is not None:
                measured = {"": "mean", "_ci_low": "ci_low", "_ci_high": "ci_high"}
                measured |= {"_n": "n_evaluated"}
                system.update({figure + end: row[name] for end, name in measured.items()})
        elif figure is not None:
            system[f"{figure}_{row['slice_value']}"] = row["mean"]
    return list(systems.values())


_KEY: Final = ("gold_set", "system_id")


def _of(systems: list[Row], gold_set: str) -> list[Row]:
    return [row for row in systems if row["gold_set"] == gold_set]


def _print_corpus(corpus: dict[str, Any]) -> None:
    duplicates = corpus["duplicate_share"]
    print(
        f"\nCorpus '{corpus['corpus']}': {corpus['n_companies']:,} companies, "
        f"{corpus['n_filings']:,} filings, {corpus['n_sections']:,} sections, "
        f"{corpus['n_sentences']:,} sentences "
        f"({EMPTY if duplicates is None else f'{duplicates:.0%}'} repeat a text); "
        f"{corpus['n_quarantined']:,} of {corpus['n_records']:,} records in quarantine"
    )
    print(f"Encoder '{corpus['encoder']}', run {corpus['run_id'][:8]}")


def _print_revenue_lines(filings: list[dict[str, Any]]) -> None:
    for row in filings:
        described = (
            f"; {int(row['n_described']):,} of {int(row['n_lines']):,} lines described by "
            f"{row['system_id']}"
            if row["system_id"]
            else ""
        )
        print(
            f"Revenue lines: in {row['n_with_lines']:,} of {row['n_filings']:,} filings, "
            f"{row['n_reconciled']:,} of which add up{described}"
        )


def _print_questions(categories: list[dict[str, Any]]) -> None:
    total = sum(row["n_questions"] for row in categories)
    suites = sum(row["n_from_suites"] for row in categories)
    variants = sum(row["n_variants"] for row in categories)
    excluded = sum(row["n_excluded"] for row in categories)
    counts = ", ".join(f"{row['category']} {row['n_questions']:,}" for row in categories)
    print(
        f"P3: {total:,} questions ({suites:,} of suites, {variants:,} paraphrased): {counts}; "
        f"{excluded:,} flagged as bad"
    )


def _print_systems(systems: list[dict[str, Any]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    counts = _count_headings(systems)
    table = Table(
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        title="Retrieval of a sentence's neighbours, 95 % intervals (random_* know nothing; "
        f"Self@1 strict / tie-aware{_broken_off_legend(counts)})",
        title_justify="left",
    )
    for heading in ("gold", "system"):
        table.add_column(heading, no_wrap=True)
    for heading in (*counts, "Self@1", "Hit@1", "Hit@5", "MRR@30", "nDCG@10"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in systems:
        table.add_row(
            row["gold_set"],
            row["system_id"],
            *(f"{row[name] or 0:,}" for name in counts.values()),
            f"{_number(row['self_strict'])} / {_number(row['self_tie_aware'])}",
            _number(row["hit_at_1"]),
            _interval(row, "hit_at_5"),
            _interval(row, "mrr_at_30"),
            _number(row["ndcg_at_10"]),
        )
    Console(file=sys.stdout, width=SCREEN_WIDTH).print(table)


def _print_systems_on_questions(systems: list[dict[str, Any]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    if not systems:
        return
    counts = _count_headings(systems)
    table = Table(
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        title="Retrieval for questions (P3): evidence recall@10, 95 % interval, and by scope"
        f"{_broken_off_legend(counts)}",
        title_justify="left",
    )
    table.add_column("system", no_wrap=True)
    measures = ("Hit@1", "MRR@30", "nDCG@10", "evidence", "cross-year", "cross-company")
    for heading in (*counts, *measures):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in systems:
        table.add_row(
            row["system_id"],
            *(f"{row[name] or 0:,}" for name in counts.values()),
            *(_number(row[name]) for name in ("hit_at_1", "mrr_at_30", "ndcg_at_10")),
            _interval(row, "evidence_recall_at_10"),
            _number(row["evidence_recall_at_10_cross_year"]),
            _number(row["evidence_recall_at_10_cross_company"]),
        )
    Console(file=sys.stdout, width=SCREEN_WIDTH).print(table)


def _print_systems_on_tables(systems: list[dict[str, Any]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    if not any(row["hit_any_at_10_n"] for row in systems):
        return
    table = Table(
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        title="Questions on tables (T): Hit@10 over all units, of rows and of cells; whether the "
        "first cell has the right row and period; right answers; citations that are evidence",
        title_justify="left",
    )
    table.add_column("system", no_wrap=True)
    measures = {
        "any": "hit_any_at_10",
        "rows": "hit_row_at_10",
        "cells": "hit_cell_at_10",
        "row right": "row_right",
        "period right": "period_right",
    }
    for heading in ("n", *measures, "answers right", "citations"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in systems:
        table.add_row(
            row["system_id"],
            f"{row['hit_any_at_10_n'] or 0:,}",
            *(_number(row[name]) for name in measures.values()),
            _interval(row, "accuracy"),
            _interval(row, "citations"),
        )
    Console(file=sys.stdout, width=SCREEN_WIDTH).print(table)


def _count_headings(systems: list[dict[str, Any]]) -> dict[str, str]:
    """Headings and columns of the counts; what is in no mean only where there is any."""
    broken_off = {word: name for name, word in BROKEN_OFF if any(row[name] for row in systems)}
    return {"n": "hit_at_5_n"} | broken_off


def _broken_off_legend(counts: dict[str, str]) -> str:
    words = " and ".join(word for _, word in BROKEN_OFF if word in counts)
    return f"; {words}: in no mean" if words else ""


def _print_answers(systems: list[dict[str, Any]]) -> None:
    if not systems:
        return
    print("Answers: asked = answered + abstained + failed + not run")
    for row in systems:
        cost = "" if row["price_usd"] is None else f", {row['price_usd']:.4f} USD"
        calls = f"; {row['n_calls']:,} calls recorded, {row['n_failed_calls']:,} failed{cost}"
        print(
            f"  {row['system_id']:<18} {row['n_asked']:,} = {row['n_answered']:,} + "
            f"{row['n_abstained']:,} + {row['n_failed']:,} + {row['n_not_run']:,}; "
            f"{row['n_citations']:,} citations, {row['n_invalid_citations']:,} invalid"
            f"{calls if row['n_calls'] else cost}"
        )
    print()


def _print_quality(systems: list[dict[str, Any]]) -> None:
    shown = ("accuracy", "figures", "citations")
    answering = [row for row in systems if any(row[f"{name}_n"] is not None for name in shown)]
    if not answering:
        return
    print("Right answers; right figures; citations that are evidence: share, 95 % interval, n")
    for row in answering:
        figures = (f"{_interval(row, name)} (n = {row[f'{name}_n'] or 0:,})" for name in shown)
        print(f"  {row['system_id']:<18} {'; '.join(figures)}")
    print()


def _print_agents(agents: list[dict[str, Any]]) -> None:
    if not agents:
        return
    labels = [agents[0][name] for name in ("right_label", "evidence_label") if agents[0][name]]
    over = f" ({' and '.join(labels)} of sound questions)" if labels else ""
    print(f"Agents{over}; a session's turns and tokens, share ended by a budget")
    for row in agents:
        right = _interval({**row, "right": row["right_share"]}, "right")
        forced = EMPTY if row["forced"] is None else f"{row['forced']:.1%}"
        print(
            f"  {row['system_id']:<18} {right}; {_interval(row, 'evidence')}; "
            f"{_rounded(row['turns'], 1)} turns, {_rounded(row['tokens'], 0)} tokens, {forced}"
        )
    print()


def _print_gates(gates: list[dict[str, Any]]) -> None:
    counts = dict.fromkeys(VERDICT_ORDER, 0)
    for gate in gates:
        counts[gate["verdict"]] = counts.get(gate["verdict"], 0) + 1
    shown = [f"{n} {verdict.replace('_', ' ')}" for verdict, n in counts.items() if n]
    print(f"Gates: {', '.join(shown) or 'none'}")
    ranks = {verdict: rank for rank, verdict in enumerate(VERDICT_ORDER)}
    for gate in sorted(
        gates,
        key=lambda gate: (gate["breach"] is None, ranks[gate["verdict"]], gate["gate_id"]),
    ):
        print(
            f"  {gate['breach'] or gate['verdict']:<14} {gate['severity']:<9} {gate['gate_id']}: "
            f"{gate['statement']} (n = {gate['n'] or 0:,})"
        )
    untrusted = sorted({gate["phase"] for gate in gates if not gate["is_trusted"]})
    if untrusted:
        print(f"  Results of {', '.join(untrusted)} cannot be trusted until this is fixed.")


def _print_next_steps(database: Path, broken: bool) -> None:
    print("\nLook at next")
    if is_own_folder():
        print("  finrag ask               one question, live; finrag sql: a shell on a copy")
    else:
        print("  make dashboard           pages over all of this; make ask: one question, live")
    if broken:
        print("  gates.gate_breaches      why the build is red, gate by gate")
    print("  gates.gate_verdicts      every gate with its value, its limit and the reason for it")
    print("  gold.gold_p3             questions with answer and evidence; bad: gold.question_flags")
    print("  sources.quarantine       records that could not be read, with the remedy")
    print("  answers.answers          what systems answered; evidence: answers.answer_citations")
    print("  metrics.hardest_cases    where retrieval fails, texts side by side")
    print("  metrics.metric_summaries every metric by scope, category, section, company and more")
    print("  metrics.comparisons      paired differences: filtered against open, system by system")
    if not is_own_folder():
        print("  make sql                 a shell on a read-only copy")
    print(f"  in Python: duckdb.connect('{database}', read_only=True)\n")


def _print_verdicts(verdicts: list[Verdict]) -> None:
    """What may be said of a release; what it was measured on stands beside each sentence."""
    first, *candidates = verdicts
    is_whole = first.outcome in ("cannot_be_trusted", "nothing_under_test")
    for one in [first, *candidates] if is_whole or len(candidates) > 1 else candidates:
        print(one.headline)
        print(f"  {one.measured_on}")
        measured = [row for row in one.figures if row["status"] != "not_applicable"]
        public = [row for row in measured if row.get("is_public")]
        left_out = public[PUBLIC_SETS_SHOWN:]
        for row in measured[: len(measured) - len(left_out)] if one.system_id else ():
            print(f"  {figure_line(row)}")
        if left_out:
            print(f"  … and {len(left_out):,} more of public sets, on the first page")
    print()


def _rounded(value: float | None, digits: int) -> str:
    return EMPTY if value is None else f"{value:,.{digits}f}"


def _number(value: float | None) -> str:
    return EMPTY if value is None else f"{value:.3f}"


def _interval(row: dict[str, Any], name: str) -> str:
    low, high = row[f"{name}_ci_low"], row[f"{name}_ci_high"]
    if row[name] is None:
        return EMPTY
    if low is None or high is None:
        return f"{row[name]:.3f}"
    if low == high:
        return f"{row[name]:.3f} (all alike)"
    return f"{row[name]:.3f} [{low:.3f}, {high:.3f}]"
