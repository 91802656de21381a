"""Kappa of two raters, at its edges and against its formula."""

from __future__ import annotations

import pytest

from bench.agreement import Agreement, cohen_kappa, confusion


def labelled(*counts: tuple[str, str, int]) -> list[tuple[str, str]]:
    """Pairs of labels, each as often as given."""
    return [(one, other) for one, other, n in counts for _ in range(n)]


def test_kappa_of_a_worked_table() -> None:
    # Both say yes 20, both no 15; expected (25 * 30 + 25 * 20) / 2500 = 0.5.
    found = cohen_kappa(
        labelled(("yes", "yes", 20), ("yes", "no", 5), ("no", "yes", 10), ("no", "no", 15))
    )
    assert found.n == 50
    assert found.observed == pytest.approx(0.7)
    assert found.expected == pytest.approx(0.5)
    assert found.kappa == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("pairs", "kappa"),
    [
        (labelled(("yes", "yes", 3), ("no", "no", 2)), 1.0),
        (labelled(("yes", "no", 2), ("no", "yes", 2)), -1.0),
        # One rater says yes whatever he sees: no better than chance.
        (labelled(("yes", "yes", 3), ("yes", "no", 2)), 0.0),
    ],
)
def test_kappa_at_its_ends(pairs: list[tuple[str, str]], kappa: float) -> None:
    assert cohen_kappa(pairs).kappa == pytest.approx(kappa)


def test_kappa_of_nothing_is_undefined() -> None:
    assert cohen_kappa([]) == Agreement(0, None, None, None)


def test_kappa_of_one_label_is_undefined() -> None:
    assert cohen_kappa(labelled(("yes", "yes", 4))) == Agreement(4, 1.0, 1.0, None)


def test_kappa_takes_any_number_of_labels() -> None:
    found = cohen_kappa(
        labelled(("yes", "yes", 2), ("no", "no", 2), ("unclear", "unclear", 1), ("no", "yes", 1))
    )
    assert found.observed == pytest.approx(5 / 6)
    assert found.expected == pytest.approx((2 * 3 + 3 * 2 + 1 * 1) / 36)


def test_confusion_counts_pairs_in_order() -> None:
    pairs = labelled(("yes", "no", 1), ("no", "no", 2), ("yes", "yes", 3))
    assert confusion(pairs) == [("no", "no", 2), ("yes", "no", 1), ("yes", "yes", 3)]
