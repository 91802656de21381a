"""Two runs question by question: `finrag diff`."""

import json

import pytest

from finrag.command.cli import main
from finrag.command.evaluating.differing import differ, difference_lines
from finrag.command.evaluating.outcome import Outcome, read_record, write_record

SETTINGS = {"comparison_resamples": 1000, "bootstrap_resamples": 200, "bootstrap_seed": 7}


def item(right, answer="x", outcome="answered", cluster="c1", failure=None):
    return {
        "question": "What `is` it?\n# <b>",
        "outcome": outcome,
        "answer": answer,
        "failure": failure,
        "right": right,
        "cluster": cluster,
    }


BEFORE = {
    "p3:A": item(1.0, cluster="c1"),
    "p3:B": item(0.0, "old", cluster="c2"),
    "p3:C": item(1.0, "good", cluster="c3"),
    "p3:D": item(None, cluster="c4"),
    "p3:E": item(1.0, cluster="c5"),
}
AFTER = {
    "p3:A": item(1.0, cluster="c1"),
    "p3:B": item(1.0, "new", cluster="c2"),
    "p3:C": item(0.0, None, "failed", "c3", "timed out"),
    "p3:D": item(0.0, cluster="c4"),
    "p3:F": item(1.0, cluster="c6"),
}


def test_what_became_right_and_wrong_with_both_answers():
    found = differ(("v1", "v2"), BEFORE, AFTER, SETTINGS)

    assert [row["item_id"] for row in found.became_right] == ["p3:B"]
    assert [row["item_id"] for row in found.became_wrong] == ["p3:C"]
    assert (found.n_both_right, found.n_both_wrong, found.n_apart) == (1, 1, 2)
    assert found.difference == 0.0
    assert found.ci_low < 0 < found.ci_high
    text = "\n".join(difference_lines(found))
    assert "- `p3:C` `What 'is' it? # <b>`\n    - `v1`: `good`\n    - `v2`: failed `timed out`" in (
        text
    )
    assert (
        "both were asked (2 were asked of only one). Undetermined: 4 questions are too few to tell."
    ) in text


def test_a_clear_difference_has_its_sign_and_interval():
    before = {f"p3:{n}": item(0.0, cluster=f"c{n}") for n in range(20)}
    after = {f"p3:{n}": item(float(n < 15), cluster=f"c{n}") for n in range(20)}

    found = differ(("v1", "v2"), before, after, SETTINGS)
    assert found.difference == 0.75
    assert 0.5 < found.ci_low < 0.75 < found.ci_high < 1
    assert found.p_value < 0.01
    assert "Undetermined" not in "\n".join(difference_lines(found))
    one = differ(("v1", "v2"), {"p3:A": item(0.0)}, {"p3:A": item(1.0)}, SETTINGS)
    assert "Undetermined: 1 question is too few" in "\n".join(difference_lines(one))


def test_runs_that_agree_on_every_question_are_not_called_undetermined():
    found = differ(("v1", "v2"), BEFORE, BEFORE, SETTINGS)
    assert "Undetermined" not in "\n".join(difference_lines(found))


def test_runs_without_a_common_question_are_not_compared():
    with pytest.raises(ValueError, match="have no question in common"):
        differ(("v1", "v2"), {"p3:A": item(1.0)}, {"p3:B": item(1.0)}, SETTINGS)


def outcome(items):
    return Outcome("mine", "cannot_tell", "headline", "on", is_smoke=True, items=items)


def test_a_run_is_kept_and_read_again(tmp_path, capsys):
    paths = [write_record(outcome(items), tmp_path) for items in (BEFORE, AFTER)]
    assert read_record(paths[0]) == ("mine", BEFORE)
    assert write_record(outcome(BEFORE), tmp_path) == paths[0]

    out = tmp_path / "changes.md"
    assert main(["diff", *map(str, paths), "--out", str(out)]) == 0
    assert "became right 1, became wrong 1" in capsys.readouterr().out
    assert out.read_text().count("\n- ") == 2


@pytest.mark.parametrize("content", ["{}", "[]", "no", json.dumps({"version": 9}), "null"])
def test_another_file_is_no_run(tmp_path, content):
    path = tmp_path / "run.json"
    path.write_text(content)
    with pytest.raises(ValueError, match="not a run written by finrag eval"):
        read_record(path)
