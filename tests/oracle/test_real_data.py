"""Judging beside labels and golds of real data: no figure falls below its floor.

`FINRAG_ORACLE_PART=reporting pytest -s tests/oracle` prints the part that no rule is mended on, and
compares nothing.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml

from finrag.scoring.by_set import GOLD_IS_NO_FIGURE
from finrag.scoring.official import arag
from finrag.scoring.strict.figures import check_figure
from finrag.scoring.strict.words import check_words
from tests.oracle import labels, real_golds

IS_REPORTING = os.environ.get("FINRAG_ORACLE_PART") == "reporting"
PINS = yaml.safe_load(Path(__file__).with_name("pins.yml").read_text(encoding="utf-8"))
pytestmark = pytest.mark.skipif(
    not (labels.ANSWERS.is_file() and labels.PAGES.is_file()),
    reason=f"no labelled answers in {labels.SHARED}",
)


def hold(**figures: float | None) -> None:
    """Print the figures; compare them with their floors on the part that may be mended on."""
    for name, figure in figures.items():
        shown = "undefined" if figure is None else f"{figure:.4f}"
        then = "" if IS_REPORTING else f"  at 62b232e {PINS[name]['then']}"
        print(f"{name:24} {shown}{then}")
    if not IS_REPORTING:
        low = {
            name: figure
            for name, figure in figures.items()
            if figure is None or figure < PINS[name]["floor"]
        }
        assert low == {}


def is_right(answer: labels.Labelled) -> bool | None:
    found = check_figure(answer.answer, [answer.gold], answer.question)
    if found.verdict != GOLD_IS_NO_FIGURE:
        return found.is_right
    worded = check_words(answer.answer, answer.gold, answer.question)
    if worded.is_right is None and arag.contain_match(answer.answer, answer.gold):
        return True
    return worded.is_right


def test_phrasings_of_real_golds_are_judged_as_a_reader_does() -> None:
    n, n_right, n_wrong = 0, 0, 0
    for gold in real_golds.read_golds():
        if gold.is_reporting != IS_REPORTING:
            continue
        rights, wrongs = real_golds.right(gold), real_golds.wrong(gold)
        assert len(rights) == len(wrongs) == 14
        n += 14
        for phrasings, is_meant in ((rights, True), (wrongs, False)):
            found = [
                check_figure(text, gold.golds, gold.question, gold.executed, None, gold.unit)
                for text in phrasings.values()
            ]
            agreeing = sum((one.is_right is True) == is_meant for one in found)
            n_right += agreeing if is_meant else 0
            n_wrong += 0 if is_meant else agreeing
    print(f"{n // 14} golds")
    hold(right_phrasings=n_right / n, wrong_phrasings=n_wrong / n)


def test_verdicts_agree_with_the_labels_that_people_gave() -> None:
    part = [one for one in labels.read_labels() if one.is_reporting == IS_REPORTING]
    judged = [(one.asks, (is_right(one), one.is_right)) for one in part]
    everything = labels.agreed(pair for _, pair in judged)
    by_kind = {
        kind: labels.agreed(pair for asks, pair in judged if asks == kind)
        for kind in ("number", "yes_no", "which", "words")
    }
    for kind, found in by_kind.items():
        print(
            f"{kind:10} n {found.n}, decided {found.share:.3f}, kappa {found.kappa}, "
            f"of all {found.kappa_of_all}"
        )
    hold(
        labels_share=everything.share,
        labels_kappa=everything.kappa,
        labels_kappa_of_all=everything.kappa_of_all,
        number_kappa=by_kind["number"].kappa,
        yes_no_share=by_kind["yes_no"].share,
        yes_no_kappa=by_kind["yes_no"].kappa,
        yes_no_kappa_of_all=by_kind["yes_no"].kappa_of_all,
        which_share=by_kind["which"].share,
        which_kappa=by_kind["which"].kappa,
        which_kappa_of_all=by_kind["which"].kappa_of_all,
    )
