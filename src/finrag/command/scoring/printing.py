"""What `finrag score` prints: a table for people, JSON and CSV for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from finrag.command.scoring.score import Scored
from finrag.records.cells import plain_cell
from finrag.warehouse import Row

SHOWN_REFUSED: Final = 3
NONE: Final = "–"
_SHOWN: Final = (
    *("system_id", "gold_set", "slice_name", "slice_value", "metric", "mode"),
    *("score", "score_low", "score_high", "mean", "ci_low", "ci_high", "ci_method"),
    *("n_asked", "n_evaluated", "n_uncovered", "n_abstained", "n_failed", "n_not_run"),
    "n_unscored",
)
_HEAD: Final = ("metric", "counted", "score", "95 % interval", "scored", "mean of those scored")
_OUTCOMES: Final = {
    "answered": "answered",
    "abstained": "declined",
    "failed": "failed",
    "not_run": "without an answer in the file",
}


def as_json(scored: Scored) -> str:
    """Everything, as one JSON object."""
    everything = asdict(scored) | {"summaries": [_shown(row) for row in scored.summaries]}
    return json.dumps(everything, indent=1, ensure_ascii=False, allow_nan=False)


def as_csv(scored: Scored) -> str:
    """The summaries, one line each, with a header."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _SHOWN, lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {name: plain_cell(value) for name, value in _shown(row).items()} for row in scored.summaries
    )
    return text.getvalue().removesuffix("\n")


def as_table(scored: Scored) -> str:
    """A small table per system, and the records that were not used."""
    files = "1 file" if len(scored.gold) == 1 else f"{len(scored.gold)} files"
    lines = [f"{scored.gold_set}: {scored.n_questions:,} questions, read from {files}"]
    for system, outcomes in scored.outcomes.items():
        counts = ", ".join(
            f"{outcomes[name]:,} {word}" for name, word in _OUTCOMES.items() if outcomes[name]
        )
        lines += ["", f"{_plain(system)}: {counts}"]
        lines += _system_lines([row for row in scored.summaries if row["system_id"] == system])
    lines += _notes(scored)
    return "\n".join(lines)


def _system_lines(rows: Sequence[Row]) -> list[str]:
    """A line per metric, and a block for each file where there are several."""
    measured = [row for row in rows if row["n_evaluated"]]
    cells = [_HEAD, *map(_cells, measured)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [_line(_HEAD, widths)]
    part = ""
    for row in measured:
        if _part(row) != part:
            part = _part(row)
            lines.append(f"  in {part}:")
        lines.append(_line(_cells(row), widths))
    known = {row["metric"] for row in measured}
    lacking = [name for name in dict.fromkeys(row["metric"] for row in rows) if name not in known]
    if lacking:
        lines.append(
            f"  not measured, because programs or labels are missing: {', '.join(lacking)}"
        )
    return lines


def _cells(row: Row) -> tuple[str, ...]:
    return (
        row["metric"],
        row["mode"],
        _figure(row["score"]),
        _interval(row["score_low"], row["score_high"]),
        f"{row['n_evaluated']:,} of {row['n_asked']:,}",
        f"{_figure(row['mean'])} {_interval(row['ci_low'], row['ci_high'])}"
        if _lacks_values(row)
        else "",
    )


def _notes(scored: Scored) -> list[str]:
    notes = []
    if any(row["n_evaluated"] and _lacks_values(row) for row in scored.summaries):
        notes.append(
            "score: mean over all questions whose gold can be measured; a question without a "
            "value counts as 0."
        )
    if scored.n_repeated:
        notes.append(f"{scored.n_repeated:,} answers repeat a question; the first one counts.")
    if scored.refused:
        notes.append(f"{len(scored.refused):,} records were not used, wholly or in part:")
        notes += [f"  {_plain(str(each))}" for each in scored.refused[:SHOWN_REFUSED]]
        if len(scored.refused) > SHOWN_REFUSED:
            notes.append("  … --json lists all")
    return ["", *notes] if notes else []


def _lacks_values(row: Row) -> bool:
    """Whether a question that could have been measured has no value."""
    return bool(row["n_evaluated"] < row["n_asked"] - row["n_uncovered"])


def _part(row: Row) -> str:
    return "" if row["slice_name"] == "overall" else _plain(row["slice_value"])


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    line = "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"  {line}".rstrip()


def _shown(row: Row) -> Row:
    return {name: row[name] for name in _SHOWN}


def _figure(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"


def _interval(low: float | None, high: float | None) -> str:
    return NONE if low is None or high is None else f"[{low:.3f}, {high:.3f}]"


def _plain(text: str) -> str:
    """A text of a stranger's file on one line, without signs that a terminal would obey."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)
