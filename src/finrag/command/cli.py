"""The command line ``finrag``."""

from __future__ import annotations

import argparse
import datetime
import gc
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import finrag
from finrag.command.evaluating.commands import add_commands
from finrag.command.fetching import add_fetch
from finrag.command.lines import add_lines
from finrag.command.serving.commands import add_serve
from finrag.command.sharding import add_engine, add_shards, with_engine
from finrag.command.tools_serving.commands import add_mcp
from finrag.command.training import add_training

DEFAULT_DATABASE = "finrag.duckdb"
# As of a program that SIGPIPE ended.
BROKEN_PIPE: Final = 141
# More searches for garbage among younger objects than any build makes.
NEVER = 1_000_000
# A line with every gate of a first build would fill the screen; the file names all.
_ALERTS_SHOWN: Final = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; errors are one sentence on stderr and exit status 2."""
    options = _parser().parse_args(arguments)
    try:
        status = int(options.run(options))
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # Whoever read the output, such as `head`, has read enough; nor is it flushed at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except (ValueError, OSError) as error:
        print(f"finrag: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="finrag", description="Builds the warehouse with dbt and reports what it measured."
    )
    parser.add_argument("--version", action="version", version=f"finrag {finrag.__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    build = commands.add_parser(
        "build",
        help="build what has changed; print the summary; write the report, alerts and export",
    )
    _add_database(build)
    _add_vars(build)
    add_engine(build)
    build.add_argument(
        "--full", action="store_true", help="build everything, even what is unchanged"
    )
    build.add_argument(
        "--selector", default="", help="build only this part (the parts are in selectors.yml)"
    )
    build.set_defaults(run=_build)

    summary = commands.add_parser(
        "summary", help="print the last screen of the build again: verdict, figures, broken gates"
    )
    _add_database(summary)
    summary.add_argument(
        "--all", action="store_true", help="print every system, its figures, and every gate"
    )
    summary.add_argument(
        "--results",
        type=Path,
        help="a run_results.json of dbt: print only if that run wrote the reports",
    )
    summary.set_defaults(run=_summary)

    report = commands.add_parser(
        "report", help="write the report of the last build, as JSON and Markdown"
    )
    _add_run(report)
    report.add_argument("--markdown", type=Path, help="also write the Markdown to this file")
    report.add_argument(
        "--junit", type=Path, help="also write the gates to this file, as JUnit XML"
    )
    report.set_defaults(run=_report)

    alert = commands.add_parser(
        "alert", help="write the gates that changed since the last alert to a file and a webhook"
    )
    _add_run(alert)
    alert.set_defaults(run=_alert)

    export = commands.add_parser("export", help="write the tables of the dashboard to one file")
    _add_run(export)
    export.add_argument(
        "--out", type=Path, help="the file to write (default: export/dashboard.duckdb in state_dir)"
    )
    export.set_defaults(run=_export)

    check = commands.add_parser(
        "check", help="check that a build can start; if not, say why in one sentence"
    )
    _add_database(check)
    _add_vars(check)
    add_engine(check)
    check.set_defaults(run=_check)

    doors = commands.add_parser(
        "doors",
        help="print the row count and a hash of each door (a table that others may read), "
        "to compare two builds",
    )
    _add_database(doors)
    doors.add_argument(
        "--manifest",
        type=Path,
        default=Path("target/manifest.json"),
        help="dbt's manifest, which names the doors (default: target/manifest.json); "
        "without it every table is hashed",
    )
    doors.add_argument("--all", action="store_true", help="hash every table, not only the doors")
    doors.add_argument(
        "--compare",
        type=Path,
        metavar="BEFORE",
        help="an earlier output of this command: print which doors differ, are new or are "
        "missing; exit 1 if there are any",
    )
    doors.set_defaults(run=_doors)

    add_fetch(commands, _add_vars)
    add_shards(commands, _add_vars)
    _add_files(commands)
    _add_benchmarks(commands)
    _add_questions(commands)
    add_lines(commands, _add_database)
    add_commands(commands, _add_database, _add_vars)
    add_serve(commands, _add_database, _add_vars)
    add_mcp(commands, _add_database, _add_vars)
    add_training(commands, _add_database)
    return parser


def _add_files(commands: Any) -> None:
    """Commands that write files which a build reads."""
    init = commands.add_parser(
        "init",
        help="create a folder with your own settings, systems and gates; `finrag init ci` "
        "writes CI jobs for GitHub and GitLab",
    )
    init.add_argument(
        "directory",
        help="the folder to create, or `ci` for the CI jobs (`./ci` for a folder of that name)",
    )
    init.add_argument(
        "--eval",
        default="",
        metavar="SOURCE",
        help="with `ci`: what the jobs judge after the build, as `finrag eval` takes it, such as "
        "my_rag:answer",
    )
    init.set_defaults(run=_init)

    sample = commands.add_parser(
        "sample",
        help="write the sample corpus and its right answers to a directory: as records, or as "
        "filed (inline XBRL, HTML or text) for a build with `corpus: raw_filings`",
    )
    sample.add_argument("directory", type=Path)
    sample.add_argument(
        "--as",
        dest="form",
        choices=("records", "ixbrl", "html", "text"),
        default="records",
        help="records (the default): one filing per line, cut into items, with a table of facts; "
        "ixbrl, html (as in 2003), text (as in 1997): one filing per file, with the true value "
        "of every table cell",
    )
    sample.set_defaults(run=_sample)

    freeze = commands.add_parser(
        "freeze",
        help="store the P3 questions, or a sample of anchors, so that later builds can compare",
    )
    freeze.add_argument("what", nargs="?", choices=("suite", "anchors"), default="suite")
    _add_database(freeze)
    freeze.add_argument("--n", type=int, default=60, help="how many anchors (default: 60)")
    freeze.add_argument(
        "--to",
        type=Path,
        help="the file to write (default: seeds/gold/p3_baseline.csv; for anchors "
        "frozen_anchors.csv, to be named in the dbt var frozen_anchors_path)",
    )
    freeze.set_defaults(run=_freeze)

    baseline = commands.add_parser(
        "baseline",
        help="store the figures of the last build under a name; later builds report their drift",
    )
    _add_database(baseline)
    baseline.add_argument("name", help="a name, such as release; the dbt var baseline selects it")
    baseline.add_argument(
        "--reason", required=True, help="why this run is the baseline, in one line"
    )
    baseline.add_argument(
        "--even-if-broken", action="store_true", help="accept a run with broken error gates"
    )
    baseline.add_argument(
        "--without-times",
        action="store_true",
        help="leave out latencies; use this for a baseline that other machines compare with",
    )
    baseline.add_argument(
        "--to",
        type=Path,
        default=Path("seeds/gates/baseline_metrics.csv"),
        help="the seed to write (default: seeds/gates/baseline_metrics.csv)",
    )
    baseline.set_defaults(run=_baseline)

    suite = commands.add_parser(
        "suite",
        help="write a suite from the questions and gold answers in prediction files",
    )
    suite.add_argument("predictions", help="a file, a folder or a glob")
    suite.add_argument("suite", type=Path, help="the suite to write, as JSON lines")
    suite.set_defaults(run=_suite)

    where = commands.add_parser(
        "where", help="print the folder of the dbt project, for running dbt yourself"
    )
    where.set_defaults(run=_where)

    fingerprint = commands.add_parser(
        "fingerprint",
        help="print a digest of the library's code, so that dbt notices changes in it",
    )
    fingerprint.set_defaults(run=_fingerprint)


def _add_benchmarks(commands: Any) -> None:
    """Commands about public benchmarks, and the exchange formats that go with them."""
    benchmarks = commands.add_parser(
        "benchmarks",
        help="list the public benchmarks found in folders, and where to get the others",
    )
    benchmarks.add_argument(
        "folders", nargs="*", help="folders to search, as in the dbt var benchmarks_paths"
    )
    benchmarks.set_defaults(run=_benchmarks)

    score = commands.add_parser(
        "score",
        help="score a file of answers to a public set, by official and strict metrics, without a "
        "warehouse",
    )
    score.add_argument("set", help="id of the set, such as finqa; `finrag benchmarks` lists them")
    score.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="files of answers or of verdicts on them",
    )
    score.add_argument(
        "--gold",
        nargs="+",
        default=[],
        metavar="PATH",
        help="files or folders of the set (default: the dbt var benchmarks_paths)",
    )
    _add_vars(score)
    form = score.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print everything as JSON")
    form.add_argument("--csv", action="store_true", help="print the scores as CSV")
    score.set_defaults(run=_score)

    trec = commands.add_parser(
        "trec",
        help="write a gold set and its rankings for trec_eval or A-RAG, or transcripts of agents",
    )
    _add_database(trec)
    trec.add_argument("gold_set", help="p1, p2, p3 or a benchmark such as finqa")
    trec.add_argument("folder", type=Path, help="where to write the files")
    trec.add_argument(
        "--as",
        dest="form",
        choices=("trec", "arag", "transcripts"),
        default="trec",
        help="trec: <set>.<unit>.qrels and <set>.<unit>.<system>.run (the default); arag: "
        "chunks.json and questions.json; transcripts: <set>.<system>.jsonl for each agent, which "
        "a system of kind external_file or an agent with policy replay can read",
    )
    _add_vars(trec)
    trec.set_defaults(run=_trec)


def _add_questions(commands: Any) -> None:
    """Commands that answer from the result of a build."""
    sql = commands.add_parser(
        "sql", help="open a SQL shell on a read-only copy of the warehouse, or run one statement"
    )
    _add_database(sql)
    _add_vars(sql)
    asked = sql.add_mutually_exclusive_group()
    asked.add_argument("statement", nargs="?", help="run this statement and exit")
    asked.add_argument("--analysis", help="run this file of analyses/ and exit")
    sql.add_argument("--csv", help="also write the rows of that result to this CSV file")
    sql.set_defaults(run=_sql)

    ask = commands.add_parser(
        "ask", help="ask two systems one question, on a local page or on the terminal"
    )
    ask.add_argument(
        "question", nargs="?", help="a question to answer here; without it, a local page is served"
    )
    _add_database(ask)
    _add_vars(ask)
    ask.add_argument(
        "--systems",
        nargs="+",
        default=[],
        metavar="SYSTEM",
        help="systems to ask (default: one filtered and one open system that cost nothing)",
    )
    ask.add_argument(
        "--port",
        type=int,
        default=8510,
        help="port of the page (default: 8510, else the next free one)",
    )
    ask.add_argument(
        "--set",
        default="p3",
        help="gold set as whose question it is asked here; sets on tables search rows of tables "
        "too (default: p3)",
    )
    ask.set_defaults(run=_ask)


def _add_database(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--database",
        type=Path,
        default=Path(os.environ.get("FINRAG_DATABASE", DEFAULT_DATABASE)),
        help="the warehouse file (default: $FINRAG_DATABASE, else finrag.duckdb)",
    )


def _add_vars(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--vars", default="{}", help="dbt variables of the build, as YAML")


def _add_run(parser: argparse.ArgumentParser) -> None:
    _add_database(parser)
    _add_vars(parser)
    parser.add_argument(
        "--results",
        type=Path,
        help="a run_results.json of dbt: go on only if that run was finished",
    )


def _variables(options: argparse.Namespace) -> dict[str, Any]:
    """The dbt vars of the build, defaults included."""
    from finrag.command.settings import all_variables

    options.vars = with_engine(options)
    return all_variables(options.vars)


def _build(options: argparse.Namespace) -> int:
    """Check, build, and what follows a build; the exit status is one of ``STATUSES``."""
    from finrag.command.building.build import only_build

    # What dbt reads of a project is a million objects that stay to the end. Looking through all
    # of them for garbage, again and again, takes a tenth of a small build.
    young, middle, old = gc.get_threshold()
    gc.set_threshold(young, middle, NEVER)
    try:
        with only_build(options.database):
            return _build_alone(options)
    finally:
        gc.set_threshold(young, middle, old)


def _build_alone(options: argparse.Namespace) -> int:
    from finrag.cache.library import library_fingerprint
    from finrag.command.building.build import build
    from finrag.command.settings import (
        exit_status,
        given_variables,
        system_seeds,
        variables_text,
    )
    from finrag.publishing.screen import screen_lines
    from finrag.publishing.summary import read_screen
    from finrag.systems import resolve_systems
    from finrag.warehouse.project import RESULTS

    _check(options)
    # DuckDB makes no folder above the one that profiles.yml names.
    Path(".finrag/spill").mkdir(parents=True, exist_ok=True)
    os.environ["FINRAG_DATABASE"] = str(options.database)
    # For dbt alone, whose `state:modified` does not see the library.
    os.environ["FINRAG_FINGERPRINT"] = library_fingerprint()
    variables, is_full = _variables(options), options.full
    given = given_variables(options.vars)
    sharded = None
    if variables["engine"]:
        from finrag.command.building.shards import run_shards

        sharded = run_shards(variables, options.database, is_full)
        given, variables = {**given, **sharded.variables}, {**variables, **sharded.variables}
        is_full = is_full or sharded.is_new
    built = build(
        options.database,
        variables_text(given),
        variables,
        resolve_systems(*system_seeds(), variables),
        options.selector,
        is_full,
    )
    if sharded and not (built.has_failed or options.selector):
        sharded.settle(options.database)
    options.results = RESULTS
    try:
        screen = read_screen(options.database, RESULTS)
    except ValueError as error:
        print(f"finrag: {error}", file=sys.stderr)
        return 1
    options.out = options.markdown = options.junit = None
    for step in (_report, _alert, _export):
        try:
            step(options)
        except ValueError as error:
            # What follows a step that failed is not there to be written.
            if not built.has_failed:
                raise
            print(f"finrag: {error}", file=sys.stderr)
    status = 1 if built.has_failed else exit_status(screen.status, variables)
    print("\n".join(["", *screen_lines(replace(screen, status=status))]))
    return status


def _check(options: argparse.Namespace) -> int:
    from finrag.command.preflight import check_build
    from finrag.command.settings import system_seeds
    from finrag.systems.gates import check_gate_files

    variables = _variables(options)
    for note in check_build(options.database, variables, *system_seeds()):
        print(f"finrag: note: {note}", file=sys.stderr)
    by_file = check_gate_files(variables["gates_paths"] or [])
    if gates := [gate for found in by_file.values() for gate in found]:
        count = f"{len(gates)} gate{'s' if len(gates) > 1 else ''} of your own"
        print(f"finrag: checked {count}: {', '.join(gates)}")
    for path in (path for path, found in by_file.items() if not found):
        print(f"finrag: {path} has no limits in it, so it adds no gate")
    return 0


def _summary(options: argparse.Namespace) -> int:
    from finrag.publishing.summary import print_summary

    return print_summary(options.database, options.results, options.all)


def _report(options: argparse.Namespace) -> int:
    from finrag.publishing import read_report, write_report
    from finrag.publishing.junit import as_junit

    state_dir = Path(_variables(options)["state_dir"])
    _, page = write_report(options.database, state_dir, options.results)
    print(f"Report: {page} (and .json)")
    if options.markdown:
        options.markdown.write_text(page.read_text(encoding="utf-8"), encoding="utf-8")
    if options.junit:
        options.junit.write_text(as_junit(read_report(options.database)), encoding="utf-8")
    return 0


def _alert(options: argparse.Namespace) -> int:
    from finrag.publishing.alerts import write_alerts

    state_dir = Path(_variables(options)["state_dir"])
    alerted = write_alerts(options.database, state_dir, options.results)
    if not alerted.lines:
        print("Alerts: no gate has changed")
        return 0
    shown = [f"{line['gate']} ({line['to']})" for line in alerted.lines[:_ALERTS_SHOWN]]
    more = len(alerted.lines) - len(shown)
    rest = f" and {more:,} more" if more else ""
    print(f"Alerts: {', '.join(shown)}{rest}; see {alerted.path}")
    if alerted.webhook.startswith("failed"):
        print(f"finrag: the alert was not delivered: {alerted.webhook}", file=sys.stderr)
    return 0


def _export(options: argparse.Namespace) -> int:
    from finrag.publishing.export import DEFAULT_NAME, export_reports

    target = options.out or Path(_variables(options)["state_dir"]) / DEFAULT_NAME
    exported = export_reports(options.database, target, options.results)
    print(
        f"Export: {exported.path}, {len(exported.n_rows)} tables, "
        f"{sum(exported.n_rows.values()):,} rows, {exported.n_bytes / 1e6:.1f} MB"
    )
    return 0


def _doors(options: argparse.Namespace) -> int:
    import json

    from finrag.publishing.doors import compare_doors, hash_doors, read_doors

    before = read_doors(options.compare) if options.compare else {}
    doors = hash_doors(options.database, options.manifest, options.all)
    if not options.compare:
        print(json.dumps(doors, indent=1))
        return 0
    lines = compare_doors(before, doors)
    print("\n".join(lines) or f"{len(doors)} doors are equal")
    return 1 if lines else 0


def _sql(options: argparse.Namespace) -> int:
    from finrag.command.preflight import merge_variables
    from finrag.command.settings import default_variables, given_variables, variables_text
    from finrag.publishing.sql import (
        Shell,
        analysis_variables,
        compile_analysis,
        converse,
        list_analyses,
        read_only_copy,
    )
    from finrag.warehouse import QueryError, read_only

    given = given_variables(options.vars)
    known = {**dict.fromkeys(analysis_variables()), **default_variables()}
    folder = Path(merge_variables(known, given)["state_dir"]) / "sql"
    copy = read_only_copy(options.database, folder)
    with read_only(copy) as connection:
        shell = Shell(
            connection,
            list_analyses(),
            lambda name: compile_analysis(name, options.database, variables_text(given), folder),
        )
        try:
            if options.analysis:
                shell.analyse(options.analysis)
            elif options.statement:
                shell.run(options.statement)
            else:
                converse(shell, folder / "history")
            if options.csv:
                shell.write(options.csv)
        except QueryError as error:
            raise ValueError(str(error)) from error
    return 0


def _init(options: argparse.Namespace) -> int:
    from finrag.command.starting.start import CI, start_folder, start_jobs

    is_ci = options.directory == CI
    if options.eval and not is_ci:
        raise ValueError("--eval goes with `finrag init ci` only")
    written = start_jobs(Path(), options.eval) if is_ci else start_folder(Path(options.directory))
    for path in written:
        print(f"written: {path}")
    if is_ci and not Path("finrag.yml").is_file():
        print(
            "There is no finrag.yml in this folder, and the jobs build what it says. "
            "`finrag init FOLDER` creates a folder with one."
        )
    is_here = Path(options.directory).resolve() == Path.cwd()
    change_folder = "" if is_here else f"cd {options.directory} && "
    print(
        "Set FINRAG_PACKAGE to where the jobs install finrag from; the files say how."
        if is_ci
        else f"Next: {change_folder}finrag build"
    )
    return 0


def _sample(options: argparse.Namespace) -> int:
    from finrag.sample import write_filed, write_sample

    if options.form == "records":
        write_sample(options.directory)
    else:
        write_filed(options.directory, options.form)
    print(f"sample corpus written to {options.directory}")
    return 0


def _check_seed(path: Path) -> None:
    """Raise ValueError where a seed would be written that no build reads."""
    from finrag.warehouse.folder import is_own_folder, project_folder

    if is_own_folder() and not path.is_absolute():
        raise ValueError(
            f"'{path}' belongs to the project in {project_folder()}, not to this folder: run this "
            "in a checkout of the project, or give --to an absolute path"
        )


def _freeze(options: argparse.Namespace) -> int:
    if options.what == "anchors":
        from finrag.publishing.frozen_anchors import freeze_anchors

        target = options.to or Path("frozen_anchors.csv")
        n_anchors = freeze_anchors(options.database, target, options.n)
        print(
            f"{n_anchors:,} anchors stored in {target}; with the dbt var frozen_anchors_path: "
            f"{target} every build asks them again. Next: build, then `finrag baseline`"
        )
        return 0
    from finrag.publishing.suite_baseline import freeze_suite

    target = options.to or Path("seeds/gold/p3_baseline.csv")
    _check_seed(target)
    n_questions = freeze_suite(options.database, target)
    print(f"{n_questions} questions stored in {target}; gold.p3_changes lists later changes")
    return 0


def _baseline(options: argparse.Namespace) -> int:
    from finrag.publishing.baselines import set_baseline

    _check_seed(options.to)
    n_figures = set_baseline(
        options.database,
        options.to,
        options.name,
        options.reason,
        datetime.datetime.now(datetime.UTC).date(),
        options.even_if_broken,
        not options.without_times,
    )
    print(
        f"{n_figures:,} figures stored as '{options.name}' in {options.to}; builds with the dbt "
        f"var baseline: {options.name} compare with them in metrics.metric_drifts"
    )
    return 0


def _suite(options: argparse.Namespace) -> int:
    from finrag.sources.predictions.suites import write_suite

    counts = write_suite(options.predictions, options.suite)
    print(
        f"{counts.n_questions:,} questions written to {options.suite}, {counts.n_without_answer:,} "
        "of them without a right answer; name it in the dbt var p3_suite_paths"
    )
    return 0


def _benchmarks(options: argparse.Namespace) -> int:
    from finrag.sources.benchmarks import benchmark_status

    # Sets that are there come first, because most are absent.
    order = ("loaded", "ignored", "absent")
    rows = benchmark_status(options.folders).to_pylist()
    for row in sorted(rows, key=lambda row: order.index(row["status"])):
        print(f"{row['benchmark']:<24}{row['holds']:<11}{row['status']:<9}{row['message']}")
    return 0


def _score(options: argparse.Namespace) -> int:
    from finrag.command.scoring.printing import as_csv, as_json, as_table
    from finrag.command.scoring.score import score_files
    from finrag.sources.corpus import benchmark_paths

    variables = _variables(options)
    folders = options.gold or benchmark_paths(
        str(variables["corpus"]), variables["benchmarks_paths"], str(variables["state_dir"])
    )
    scored = score_files(options.set, options.files, folders, variables)
    shown = as_json if options.json else as_csv if options.csv else as_table
    print(shown(scored))
    return 0


def _trec(options: argparse.Namespace) -> int:
    from finrag.publishing.exchange import write_arag, write_gold_set, write_transcripts

    given = options.database, options.gold_set, options.folder
    if options.form == "arag":
        written = write_arag(*given, str(_variables(options)["state_dir"]))
    elif options.form == "transcripts":
        written = write_transcripts(*given)
    else:
        written = write_gold_set(*given)
    names = ", ".join(path.name for path in written[:3])
    more = f" and {len(written) - 3:,} more" if len(written) > 3 else ""
    print(f"{len(written)} files written to {options.folder}: {names}{more}")
    return 0


def _ask(options: argparse.Namespace) -> int:
    from finrag.live.command import ask

    return ask(
        options.question,
        options.systems,
        options.port,
        options.database,
        _variables(options),
        options.set,
    )


def _where(_: argparse.Namespace) -> int:
    from finrag.warehouse.folder import project_folder

    print(project_folder().resolve())
    return 0


def _fingerprint(_: argparse.Namespace) -> int:
    from finrag.cache.library import library_fingerprint

    print(library_fingerprint())
    return 0


if __name__ == "__main__":
    sys.exit(main())
