"""A report as Markdown: what broke, then what was measured, then examples of it.

Questions, answers and sentences come from filings and models. They are shown as plain text: no
mark-up, link or table cell can be made by them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, Final

EMPTY: Final = "–"
# Longer texts are cut here; the JSON has them whole.
LONGEST_TEXT: Final = 400
EXAMPLES_SHOWN: Final = 5
CITATIONS_SHOWN: Final = 3
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
        *_broken_gates(report["gates"]),
        *_metric_tables(report["metrics"]),
        *_answer_totals(report["totals"]["answers"]),
        *_comparison_table(report["comparisons"]),
        *_example_list(report["examples"]),
        *_all_gates(report["gates"]),
        *_configuration(report["config"]),
    ]
    if report["not_measured"]:
        parts += ["## Not measured", "", *(f"- {escaped(line)}" for line in report["not_measured"])]
    return "\n".join(parts).rstrip() + "\n"


def _opening(report: Row) -> list[str]:
    corpus, gates = report["corpus"], report["gates"]
    broken = [gate for gate in gates if gate["breach"]]
    errors = sum(gate["severity"] == "error" for gate in broken)
    state = (
        "No gate is broken."
        if not broken
        else f"{errors} of {len(gates)} gates are broken at level error, "
        f"{len(broken) - errors} at level warn."
    )
    untrusted = sorted({gate["phase"] for gate in gates if not gate["is_trusted"]})
    if untrusted:
        state += f" Results of {', '.join(untrusted)} cannot be trusted until these are fixed."
    before = report["before"]["record_id"] if report["before"] else None
    if report["inputs_changed"]:
        before = f"{before}, of {' and '.join(report['inputs_changed'])}"
    versions = report["config"]["versions"]
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
    title = f"# Report of {escaped(corpus['corpus'])}, {report['at'][:16].replace('T', ' ')} UTC"
    said = [
        line
        for row in report["release"]
        for line in (f"**{escaped(row['headline'])}** {escaped(row['measured_on'])}", "")
    ]
    return [title, "", *said, state, "", *_table(("", ""), rows), *_candidates(report["release"])]


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
    return ["", *_table((*heads, *counts, *beside), rows), ""] if rows else [""]


def _broken_gates(gates: Sequence[Row]) -> list[str]:
    broken = [gate for gate in gates if gate["breach"]]
    if not broken:
        return []
    lines = ["## Broken gates", "", *_gate_table(broken), ""]
    for gate in broken:
        lines += [f"**{escaped(gate['gate_id'])}**: {escaped(gate['rationale'])}", ""]
        lines += _examples_of(gate["examples"], "item_text")
    return lines


def _all_gates(gates: Sequence[Row]) -> list[str]:
    return ["## All gates", "", *_gate_table(gates), ""]


def _gate_table(gates: Sequence[Row]) -> list[str]:
    rows = [
        (
            gate["gate_id"],
            gate["breach"] or gate["verdict"],
            gate["severity"],
            _number(gate["value"]),
            f"{'at least' if gate['direction'] == 'min' else 'at most'} {gate['limit_value']}",
            _count(gate["n"]),
            gate["waiver_reason"] or "",
        )
        for gate in gates
    ]
    return _table(("gate", "verdict", "level", "value", "should be", "n", "waived because"), rows)


def _metric_tables(metrics: Sequence[Row]) -> list[str]:
    lines = ["## Metrics", "", "Intervals are 95 %; *above null* is the distance from the 90th "]
    lines[-1] += "percentile of the strongest null: of its mean for rankings, of single values for "
    lines[-1] += "the wording of answers. Higher is better."
    for gold_set in sorted({row["gold_set"] for row in metrics}):
        rows = [
            (
                row["system_id"],
                f"{row['metric']}@{row['k']}" if row["k"] else row["metric"],
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
        headings = ("system", "metric", "n", "asked", "mean", "above null", "change", "baseline")
        lines += ["", f"### {escaped(gold_set)}", "", *_table(headings, rows)]
    return [*lines, ""]


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
            f"{row['metric']}@{row['k']}" if row["k"] else row["metric"],
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
    headings = ("gold", "system", "against", "metric", "n", "difference", "verdict", "detectable")
    return ["## Comparisons", "", *_table(headings, rows), ""]


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
    return Figure(f"{value:.3f} [{_number(low)}, {_number(high)}]")
