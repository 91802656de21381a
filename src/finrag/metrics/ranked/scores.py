"""What the scores of a list tell: how far they lie apart, and whether they agree with the gold."""

from __future__ import annotations

from typing import Final

import numpy as np

from finrag.metrics.groups import Flags, Floats, Groups, Integers
from finrag.metrics.ranked.evidence import Passages
from finrag.metrics.ranked.lists import FINRAG, Lists

# A mean of scores between -1 and 1 that is less is 0, but for the rounding of its sum.
LEAST: Final = 1e-12


def measure_scores(lists: Lists, passages: Passages, is_question: Flags) -> tuple[Floats, Floats]:
    """The spread of a list's scores over their mean, and their rank correlation with the grades.

    Neither depends on the scale, so scores are divided by the largest. The spread is the
    population's. The correlation is Spearman's, of average ranks; another passage of evidence that
    was found before has no grade to be right about.

    Args:
        lists: the ranked lists.
        passages: what they hold.
        is_question: by list, whether it is a question's; anchors are not measured.

    Returns:
        Both by list. NaN for a list of fewer than two scores or with a mean of 0 or less; for one
        whose scores or grades are all equal.
    """
    n_lists = len(lists)
    is_measured = is_question[lists.of_entry] & (lists.scoring == 1) & np.isfinite(lists.score)
    is_measured &= (lists.mode == FINRAG)[lists.of_entry]
    grade, is_repeat = np.zeros(len(is_measured), np.int64), np.zeros(len(is_measured), np.bool_)
    grade[passages.entry], is_repeat[passages.entry] = passages.grade, passages.grade == 0
    entries = np.flatnonzero(is_measured)
    list_id, score = lists.of_entry[entries], lists.score[entries]
    largest = np.zeros(n_lists)
    np.maximum.at(largest, list_id, np.abs(score))
    with np.errstate(invalid="ignore", divide="ignore"):
        score = score / largest[list_id]
        n_scores = np.bincount(list_id, minlength=n_lists)
        mean = np.bincount(list_id, score, n_lists) / n_scores
        variance = np.bincount(list_id, (score - mean[list_id]) ** 2, n_lists) / n_scores
        spread = np.where((n_scores > 1) & (mean > LEAST), np.sqrt(variance) / mean, np.nan)
    is_graded = np.bincount(list_id, grade[entries], n_lists) > 0
    kept = np.flatnonzero(~is_repeat[entries] & (largest > 0)[list_id] & is_graded[list_id])
    agreement = _correlations(list_id[kept], score[kept], grade[entries][kept], n_lists)
    return spread, agreement


def _correlations(list_id: Integers, score: Floats, grade: Integers, n_lists: int) -> Floats:
    """Spearman's correlation of scores and grades by list; NaN without variance."""
    # Both from the greatest down: scores mostly are.
    ranks = [_doubled_ranks(list_id, -values) for values in (score, grade)]
    count = np.bincount(list_id, minlength=n_lists)
    # Sums of whole numbers, so that their order is nothing.
    totals = [np.bincount(list_id, rank, n_lists) for rank in ranks]

    def moment(one: int, other: int) -> Floats:
        products = np.bincount(list_id, ranks[one] * ranks[other], n_lists)
        found: Floats = count * products - totals[one] * totals[other]
        return found

    scale = np.sqrt(moment(0, 0)) * np.sqrt(moment(1, 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(scale > 0, moment(0, 1) / scale, np.nan)


def _doubled_ranks(list_id: Integers, values: Floats | Integers) -> Floats:
    """Twice the average rank of each value in its list: the first rank of its ties and the last."""
    ties = Groups(list_id, values)
    lists = Groups(list_id)
    ahead = ties.before(np.ones(len(list_id), np.bool_))
    before = ahead[ties.of_row] - ahead[lists.least(ties.of_row)][lists.of_row]
    found: Floats = (2 * before + ties.sizes[ties.of_row] + 1).astype(np.float64)
    return found
