"""A report as Markdown: a first page with what decides, then an appendix with all figures.

Questions, answers and sentences come from filings and models. They are shown as plain text: no
mark-up, link or table cell can be made by them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

EMPTY: Final = "–"
# Longer texts are cut here; the JSON has them whole.
LONGEST_TEXT: Final = 400
EXAMPLES_SHOWN: Final = 5
CITATIONS_SHOWN: Final = 3
# The first page can be read without turning over.
CANDIDATES_SHOWN: Final = 3
FIGURES_SHOWN: Final = 6
GATES_SHOWN: Final = 4
# An underscore inside a word is none to Markdown, nor is an @ before a figure.
_MARKS: Final = re.compile(r"[`*\[\]~$]|(?<!\w)_|_(?!\w)|@(?=[^\W\d])")
_AT_START: Final = re.compile(r"^(?=[-+#=>])|^(\d+)(?=[.)](?:\s|$))")
_ADDRESS: Final = re.compile(r"://|\bwww\.", re.IGNORECASE)
_ENTITIES: Final = {"\\": "&#92;", "|": "&#124;", "&": "&amp;", "<": "&lt;", ">": "&gt;"}

Row = dict[str, Any]


class Figure(str):
    """A number of ours, which needs no escaping."""

    __slots__ = ()


def escaped(text: object, longest: int = LONGEST_TEXT) -> str:
    """One line of Markdown that reads as the text itself, whatever the text is.

    Args:
        text: what to show; None is shown as a dash.
        longest: characters after which it is cut, with an ellipsis.
    """
    if text is None or isinstance(text, Figure):
        return text or EMPTY
    # Line breaks, and characters that are not seen or turn the reading direction.
    seen = (" " if unicodedata.category(c)[0] in "CZ" else c for c in str(text)[: longest * 4])
    line = " ".join("".join(seen).split())
    if len(line) > longest:
        line = line[: longest - 1].rstrip() + "…"
    line = "".join(_ENTITIES.get(character, character) for character in line)
    line = _AT_START.sub(r"\1\\", _MARKS.sub(r"\\\g<0>", line))
    return _ADDRESS.sub(_without_link, line)


def _without_link(match: re.Match[str]) -> str:
    return match[0].replace(":", "&#58;").replace(".", "&#46;")


def as_markdown(report: Row) -> str:
    """The report of ``report_of`` as a Markdown page."""
    parts = [
        *_opening(report),
        *_first_figures(report["figures"], report["release"]),
        *_broken_gates(report["gates"]),
        "# Appendix",
        "",
        *_run(report),
        *_broken_in_full(report["gates"]),
        *_candidates(report["release"]),
        *_metric_tables(report["metrics"]),
        *_answer_totals(report["totals"]["answers"]),
        *_comparison_table(report["comparisons"]),
        *_example_list(report["examples"]),
        *_all_gates(report["gates"]),
        *_limits(report["limits"]),
        *_configuration(report["config"]),
    ]
    if report["not_measured"]:
        parts += ["## Not measured", "", *(f"- {escaped(line)}" for line in report["not_measured"])]
    return "\n".join(parts).rstrip() + "\n"


def _opening(report: Row) -> list[str]:
    corpus, gates = report["corpus"], report["gates"]
    broken = Counter(gate["severity"] for gate in gates if gate["breach"])
    state = (
        f"{broken['error']} of {len(gates)} gates are broken at level error, "
        f"{broken['warn']} at level warn."
        if broken["error"] or broken["warn"]
        else "No gate is broken."
    )
    if broken["reference"]:
        state += (
            f" Reference systems are below {broken['reference']} of their limits, which breaks "
            "nothing."
        )
    untrusted = sorted({gate["phase"] for gate in gates if not gate["is_trusted"]})
    if untrusted:
        state += f" Results of {', '.join(untrusted)} cannot be trusted until these are fixed."
    title = f"# Report of {escaped(corpus['corpus'])}, {report['at'][:16].replace('T', ' ')} UTC"
    shown = report["release"][: CANDIDATES_SHOWN + 1]
    said = [
        line
        for row in shown
        for line in (f"**{escaped(row['headline'])}** {escaped(row['measured_on'])}", "")
    ]
    if len(report["release"]) > len(shown):
        said += [f"{len(report['release']) - len(shown)} more candidates are in the appendix.", ""]
    if report["caveats"]:
        reasons = " ".join(escaped(row["reason"]) for row in report["caveats"])
        said += [f"**Mind:** {reasons}", ""]
    read = (
        f"Read: {corpus['n_companies']:,} companies, {corpus['n_filings']:,} filings, "
        f"{corpus['n_sentences']:,} sentences; {corpus['n_quarantined']:,} of "
        f"{corpus['n_records']:,} records could not be read."
    )
    return [title, "", *said, read, "", state, ""]


def _first_figures(figures: Sequence[Row], release: Sequence[Row]) -> list[str]:
    """Key figures of candidates beside null and reference; of the best reference without any."""
    listed = [row["system_id"] for row in release]
    systems = sorted(
        {row["system_id"] for row in figures},
        key=lambda one: (listed.index(one) if one in listed else len(listed), one),
    )
    rows = [
        (
            figure["system_id"],
            figure["figure"],
            _interval(figure["value"], figure) if figure["status"] == "measured" else "unmeasured",
            f"{_count(figure['n'])} of {_count(figure['n_asked'])}",
            _number(figure["null_value"]),
            figure["band"],
            _number(figure["reference_value"]),
            f"{figure['reference_id']} (a floor)" if figure["is_floor"] else figure["reference_id"],
        )
        for one in systems[:CANDIDATES_SHOWN]
        for figure in [row for row in figures if row["system_id"] == one][:FIGURES_SHOWN]
    ]
    if not rows:
        return []
    heads = ("system", "figure", "value", "n of asked", "null", "gain over null")
    return [
        "## Key figures",
        "",
        *_table((*heads, "best reference", "which"), rows),
        "",
        "In brackets is the 95 % interval. The null knows nothing: it shows what chance reaches. "
        "The best reference leaves out the system itself.",
        "",
    ]


def _run(report: Row) -> list[str]:
    corpus, versions = report["corpus"], report["config"]["versions"]
    before = report["before"]["record_id"] if report["before"] else None
    if report["inputs_changed"]:
        before = f"{before}, of {' and '.join(report['inputs_changed'])}"
    changed = " with uncommitted changes" if versions["has_uncommitted_changes"] else ""
    rows = [
        ("corpus", f"{corpus['n_companies']:,} companies, {corpus['n_filings']:,} filings, "
                   f"{corpus['n_sentences']:,} sentences"),
        ("records in quarantine", f"{corpus['n_quarantined']:,} of {corpus['n_records']:,}"),
        ("encoder", corpus["encoder"]),
        ("run", report["run_id"]),
        ("evaluation", report["evaluation_id"]),
        ("record", report["record_id"]),
        ("previous record", before),
        ("code", f"{versions['finrag_version']}, commit {versions['git_commit']}{changed}"),
    ]  # fmt: skip
    return ["## This run", "", *_table(("", ""), rows), ""]


def _candidates(release: Sequence[Row]) -> list[str]:
    """Figures of candidates beside the best reference and the strongest null."""
    rows = [
        (
            figure["system_id"],
            figure["gold_set"],
            figure["metric_label"],
            _number(figure["value"]),
            _number(figure["ci_low"]),
            _number(figure["ci_high"]),
            _count(figure["n"]),
            _count(figure["n_asked"]),
            _count(figure["n_failed"]),
            _count(figure["n_not_run"]),
            figure["reference_id"],
            _number(figure["reference_value"]),
            _number(figure["null_value"]),
        )
        for row in release
        for figure in row["figures"]
    ]
    heads = ("candidate", "gold set", "figure", "value", "from", "to")
    counts = ("n", "asked", "failed", "not run")
    beside = ("best reference", "its value", "strongest null")
    title = "## Candidates beside references and nulls"
    return [title, "", *_table((*heads, *counts, *beside), rows), ""] if rows else []


def _broken_gates(gates: Sequence[Row]) -> list[str]:
    broken = [gate for gate in gates if gate["breach"] and gate["severity"] != "reference"]
    if not broken:
        return []
    lines = ["## Broken gates", ""]
    for gate in broken[:GATES_SHOWN]:
        lines += [
            f"- **{escaped(gate['statement'])}** ({escaped(gate['severity'])}, gate "
            f"{escaped(gate['gate_id'])})",
            f"  - Why this limit: {_reason(gate)}",
            f"  - What to do: {escaped(gate['remedy'])}",
        ]
    if len(broken) > GATES_SHOWN:
        lines.append(f"- {len(broken) - GATES_SHOWN} more are in the appendix.")
    return [*lines, ""]


def _reason(gate: Row) -> str:
    """Why the limit is what it is, and when it was set."""
    reason = f"{escaped(gate['rationale']).removesuffix('.')}."
    if gate.get("set_on") is None:
        return reason
    return f"{reason} Set on {escaped(gate['set_on'])} by {escaped(gate['set_by'])}."


def _broken_in_full(gates: Sequence[Row]) -> list[str]:
    broken = [gate for gate in gates if gate["breach"]]
    if not broken:
        return []
    lines = ["## Broken gates, with examples", ""]
    for gate in broken:
        lines += [
            f"**{escaped(gate['gate_id'])}**: {escaped(gate['statement'])}. {_reason(gate)} "
            f"{escaped(gate['remedy'])}",
            "",
        ]
        lines += _examples_of(gate["examples"], "item_text")
    return lines


def _all_gates(gates: Sequence[Row]) -> list[str]:
    return ["## All gates", "", *_gate_table(gates), ""]


def _limits(limits: Sequence[Row]) -> list[str]:
    """The limits of every system under test, as the first page lists them."""
    names = ("gate_label", "limit_text", "measured_as", "applies_to", "consequence", "rationale")
    rows = [[row[name] for name in (*names, "set_on", "set_by", "gate_id")] for row in limits]
    heads = ("figure", "limit", "compared with the limit", "applies to", "if it is missed")
    table = _table((*heads, "why this limit", "set on", "by", "gate"), rows)
    return ["## What a system of yours must reach", "", *table, ""] if limits else []


def _gate_table(gates: Sequence[Row]) -> list[str]:
    rows = [
        (
            gate["gate_label"],
            gate["breach"] or gate["verdict"],
            gate["severity"],
            gate["value_text"],
            gate["limit_text"],
            _count(gate["n"]),
            gate["rationale"],
            gate.get("set_on"),
            gate["waiver_reason"] or "",
            gate["gate_id"],
        )
        for gate in gates
    ]
    heads = ("what is compared", "verdict", "level", "value", "should be", "n", "why this limit")
    return _table((*heads, "set on", "waived because", "gate"), rows)


def _metric_tables(metrics: Sequence[Row]) -> list[str]:
    lines = [
        "## Metrics",
        "",
        "Intervals are 95 %. *Better than null* is the distance from the 90th percentile of the "
        "strongest null: of its mean for rankings, of single values for the wording of answers. "
        "Above zero is better than the null, in whichever direction the metric is good. *Change* "
        "(against the record before) and *baseline* (change against it) are plain differences: "
        "where less is better, a fall is a gain.",
    ]
    for gold_set in sorted({row["gold_set"] for row in metrics}):
        rows = [
            (
                row["system_id"],
                _metric(row),
                row["unit"],
                _count(row["n_evaluated"]),
                _count(row["n_asked"]),
                _interval(row["mean"], row),
                _signed(row["null_distance"]),
                _signed(row["change_before"]),
                _signed(row["change_baseline"]),
            )
            for row in metrics
            if row["gold_set"] == gold_set and row["slice_name"] == "overall"
        ]
        headings = ("system", "metric", "unit", "n", "asked", "mean", "better than null")
        table = _table((*headings, "change", "baseline"), rows)
        lines += ["", f"### {escaped(gold_set)}", "", *table]
    return [*lines, ""]


def _metric(row: Row) -> str:
    name = row.get("metric_label") or (
        f"{row['metric']}@{row['k']}" if row["k"] else str(row["metric"])
    )
    return f"{name} (less is better)" if row.get("direction") == "min" else name


def _answer_totals(answers: Sequence[Row]) -> list[str]:
    if not answers:
        return []
    names = ("n_asked", "n_answered", "n_abstained", "n_failed", "n_not_run")
    rows = [
        (
            row["system_id"],
            row["gold_set"],
            *(_count(row[name]) for name in names),
            "yes" if row["adds_up"] else "NO",
            EMPTY if row["price_usd"] is None else f"{row['price_usd']:.4f}",
        )
        for row in answers
    ]
    outcomes = ("asked", "answered", "abstained", "failed", "not run", "adds up", "USD")
    return ["## Answers", "", *_table(("system", "gold", *outcomes), rows), ""]


def _comparison_table(comparisons: Sequence[Row]) -> list[str]:
    rows = [
        (
            row["gold_set"],
            row["system_a"],
            row["system_b"],
            _metric(row),
            row["unit"],
            _count(row["n_items"]),
            _interval(row["mean_difference"], row),
            row.get("verdict") or EMPTY,
            _number(row.get("mde")),
        )
        for row in comparisons
        if row["slice_name"] == "overall"
    ]
    if not rows:
        return []
    headings = ("gold", "system", "against", "metric", "unit", "n", "difference", "verdict")
    return ["## Comparisons", "", *_table((*headings, "detectable"), rows), ""]


def _example_list(examples: Sequence[Row]) -> list[str]:
    lines = ["## Worst answers", ""] if examples else []
    for system in sorted({row["system_id"] for row in examples}):
        mine = [row for row in examples if row["system_id"] == system][:EXAMPLES_SHOWN]
        lines += [f"### {escaped(system)}", "", *_examples_of(mine, "question_text")]
    return lines


def _examples_of(examples: Iterable[Row], asked: str) -> list[str]:
    lines = []
    for row in examples:
        failure = f", {escaped(row['failure'])}" if row.get("failure") else ""
        lines += [
            f"- {escaped(row[asked])} ({escaped(row['item_id'])}{failure})",
            f"  - gold: {escaped(row['gold_text'])}",
            f"  - {escaped(row['outcome'] or 'no answer asked for')}: "
            f"{escaped(row['answer_text'])}",
        ]
        cited = row["citations"]
        lines += [f"  - cites {_citation(citation)}" for citation in cited[:CITATIONS_SHOWN]]
        if len(cited) > CITATIONS_SHOWN:
            lines.append(f"  - and {len(cited) - CITATIONS_SHOWN} more")
    return [*lines, ""] if lines else []


def _citation(citation: Row) -> str:
    if citation["filing_id"] is None:
        return f"{escaped(citation['sentence_id'])}: there is no such sentence"
    evidence = "evidence" if citation["is_relevant"] else "not evidence"
    return (
        f"{escaped(citation['sentence_id'])} ({escaped(citation['filing_id'])}, "
        f"{escaped(citation['section_name'])}, characters {citation['char_start']} to "
        f"{citation['char_end']}, {evidence}): {escaped(citation['sentence_text'])}"
    )


def _configuration(config: Row) -> list[str]:
    rows = [
        (
            system["system_id"],
            system["system_kind"],
            system["encoder_id"],
            system["answerer"],
            system["settings_hash"][:8],
        )
        for system in config["systems"]
    ]
    headings = ("system", "kind", "encoder", "answerer", "settings")
    hashes = [(name.removesuffix("_hash"), value) for name, value in config["hashes"].items()]
    return [
        "## Systems and data",
        "",
        *_table(headings, rows),
        "",
        *_table(("of", "hash or version"), hashes),
        "",
    ]


def _table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """A Markdown table; every cell is escaped here."""
    lines = [f"| {' | '.join(headings)} |", f"|{'---|' * len(headings)}"]
    return lines + [f"| {' | '.join(escaped(cell) for cell in row)} |" for row in rows]


def _count(value: int | None) -> str:
    return EMPTY if value is None else f"{value:,}"


def _number(value: Any) -> Figure:
    return Figure(f"{value:.3f}" if isinstance(value, int | float) else value or EMPTY)


def _signed(value: Any) -> Figure:
    return Figure(f"{value:+.3f}" if isinstance(value, int | float) else value or EMPTY)


def _interval(value: Any, row: Row) -> Figure:
    low, high = row["ci_low"], row["ci_high"]
    if not isinstance(value, int | float) or low is None or high is None:
        return _number(value)
    if low == high:
        return Figure(f"{value:.3f} (no interval: all values are alike)")
    return Figure(f"{value:.3f} [{_number(low)}, {_number(high)}]")
