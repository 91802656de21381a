"""Two runs question by question: what became right, what became wrong, and by how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from finrag.command.evaluating.evaluate import FOLDER
from finrag.command.evaluating.outcome import named, read_items, read_record, version_of
from finrag.command.evaluating.questions import GOLD, choose
from finrag.statistics.comparisons import Draws, compare_differences
from finrag.warehouse import Row, open_warehouse

MAX_SHOWN = 400


@dataclass(frozen=True)
class Difference:
    """The second run against the first, over the questions that both were asked.

    Attributes:
        names: of both runs.
        became_right: questions with both answers, by item.
        became_wrong: the same.
        n_both_right: questions that both answered right.
        n_both_wrong: questions that neither answered right.
        n_apart: questions that only one of them was asked.
        difference: share of right answers of the second minus that of the first.
        ci_low: of its 95 % interval; None under two clusters.
        ci_high: of the same.
        p_value: of the randomisation test over clusters; None under two.
    """

    names: tuple[str, str]
    became_right: tuple[Row, ...]
    became_wrong: tuple[Row, ...]
    n_both_right: int
    n_both_wrong: int
    n_apart: int
    difference: float
    ci_low: float | None
    ci_high: float | None
    p_value: float | None


def read_run(
    name: str, database: Path, state_dir: Path, gold: str = GOLD
) -> tuple[str, dict[str, Row]]:
    """Name and items of a run: a file written by ``finrag eval``, or a system of the warehouse.

    Args:
        name: path or name of the file, or id of the system.
        database: the warehouse.
        state_dir: the folder that keeps state between builds.
        gold: the gold set whose questions are compared, where it is a system.

    Raises:
        ValueError: it is neither, or the warehouse holds no questions of such a set.
    """
    for path in (Path(name), state_dir / FOLDER / name):
        if path.is_file():
            return f"{read_record(path)[0]} ({path.stem})", read_record(path)[1]
    with open_warehouse(database) as warehouse:
        known = [
            row["system_id"]
            for row in warehouse.rows(
                "select system_id from retrieval.registered_systems order by system_id"
            )
        ]
        if name not in known:
            raise ValueError(
                f"'{name}' is neither a file written by finrag eval nor a system of '{database}'; "
                f"available: {', '.join(known)}"
            )
        asked = choose(warehouse, "", None, gold)
        shown = named(name, version_of(warehouse, name))
        return shown, read_items(warehouse, name, asked)


def differ(
    names: tuple[str, str],
    before: Mapping[str, Row],
    after: Mapping[str, Row],
    settings: Mapping[str, Any],
) -> Difference:
    """Compare two runs over the questions that both were asked.

    An answer that could not be scored counts as one that is not right, as in
    ``metrics.comparisons``; so does none.

    Raises:
        ValueError: they have no question in common.
    """
    common = sorted(before.keys() & after.keys())
    if not common:
        raise ValueError(
            f"{names[0]} and {names[1]} have no question in common, so they cannot be compared"
        )
    pairs = [(_right(before[one]), _right(after[one])) for one in common]
    clusters = [str(after[one]["cluster"]) for one in common]
    numbers = {name: place for place, name in enumerate(sorted(set(clusters)))}
    figures = compare_differences(
        np.array([[float(b) - float(a)] for a, b in pairs]),
        np.array([numbers[name] for name in clusters], np.int64),
        Draws(
            int(settings["comparison_resamples"]),
            int(settings["bootstrap_resamples"]),
            int(settings["bootstrap_seed"]),
        ),
        overlap=False,
    )
    changed = [
        (is_right, {"item_id": one, "before": before[one], "after": after[one]})
        for one, (was_right, is_right) in zip(common, pairs, strict=True)
        if was_right != is_right
    ]
    return Difference(
        names,
        tuple(row for is_right, row in changed if is_right),
        tuple(row for is_right, row in changed if not is_right),
        sum(a and b for a, b in pairs),
        sum(not a and not b for a, b in pairs),
        len(before.keys() ^ after.keys()),
        float(figures["mean_difference"][0]),
        *(_known(figures[name][0]) for name in ("ci_low", "ci_high", "p_value_clustered")),
    )


def difference_lines(difference: Difference) -> list[str]:
    """The comparison as lines of Markdown; texts of others are shown, never read as markup."""
    one, other = difference.names
    n = (
        difference.n_both_right
        + difference.n_both_wrong
        + len(difference.became_right)
        + len(difference.became_wrong)
    )
    interval = (
        f", 95 % interval [{difference.ci_low:+.3f}, {difference.ci_high:+.3f}]"
        if difference.ci_low is not None and difference.ci_high is not None
        else ", no interval over a single cluster"
    )
    p_value = "" if difference.p_value is None else f", p = {difference.p_value:.4f}"
    lines = [
        f"# {other} against {one}",
        "",
        f"Right answers: {difference.difference:+.3f}{interval}{p_value}, over the {n:,} questions "
        f"that both were asked ({difference.n_apart:,} were asked of only one)."
        f"{_undetermined(difference, n)}",
        "",
        f"Both right {difference.n_both_right:,}, neither {difference.n_both_wrong:,}, became "
        f"right {len(difference.became_right):,}, became wrong {len(difference.became_wrong):,}.",
    ]
    for title, rows in (
        ("Became wrong", difference.became_wrong),
        ("Became right", difference.became_right),
    ):
        lines += ["", f"## {title}: {len(rows):,}"] if rows else []
        for row in rows:
            lines += ["", *_question_lines(row, difference.names)]
    return lines


def _undetermined(difference: Difference, n: int) -> str:
    """Said where the interval holds 0: neither is shown to be better."""
    low, high = difference.ci_low, difference.ci_high
    has_changed = bool(difference.became_right or difference.became_wrong)
    if not has_changed or (low is not None and high is not None and not low <= 0 <= high):
        return ""
    few = "1 question is" if n == 1 else f"{n:,} questions are"
    return f" Undetermined: {few} too few to tell."


def _question_lines(row: Row, names: Sequence[str]) -> list[str]:
    lines = [f"- {_shown(row['item_id'])} {_shown(row['after']['question'])}"]
    for name, side in zip(names, ("before", "after"), strict=True):
        answered = row[side]
        shown = answered["answer"] if answered["outcome"] == "answered" else answered["failure"]
        outcome = "" if answered["outcome"] == "answered" else f"{answered['outcome']} "
        lines.append(f"    - {_shown(name)}: {outcome}{_shown(shown or '')}".rstrip())
    return lines


def _shown(text: Any) -> str:
    """A text on one line, as code, so that nothing in it is markup."""
    line = "".join(sign if sign.isprintable() else " " for sign in " ".join(str(text).split()))
    cut = line if len(line) <= MAX_SHOWN else f"{line[:MAX_SHOWN]} …"
    return f"`{cut.replace('`', chr(39))}`" if cut else ""


def _right(row: Row) -> bool:
    return bool(row["right"] == 1.0)


def _known(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)
