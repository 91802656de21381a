"""FinanceBench: three labels."""

import pytest

from finrag.scoring.official.financebench import LABELS, check_label


@pytest.mark.parametrize("label", LABELS)
def test_a_label_of_the_three_is_itself(label):
    assert check_label(label) == label


@pytest.mark.parametrize("label", ["correct", "Correct answer", "", "Refused"])
def test_an_unknown_label_is_an_error(label):
    with pytest.raises(ValueError, match="is unknown; use one of Correct Answer"):
        check_label(label)
