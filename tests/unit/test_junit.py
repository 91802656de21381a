"""Gates as tests of continuous integration."""

from xml.etree import ElementTree

import pytest

from finrag.publishing.junit import as_junit

GATE = {
    "gate_id": "answers_right",
    "phase": "P3",
    "system_id": "mine",
    "gold_set": "p3",
    "statement": "right answers of mine is 61.0 %, should be at least 70.0 %",
    "n": 40,
    "severity": "error",
    "verdict": "fail",
    "breach": "fail",
    "waiver_reason": None,
    "rationale": "Two of three are too few.",
}


def read(*gates):
    return ElementTree.fromstring(as_junit({"gates": gates}).encode())


def only(root, tag):
    (found,) = root.iter(tag)
    return found


def test_a_broken_error_gate_is_a_failure_with_value_and_limit():
    root = read(GATE)
    assert (root.get("tests"), root.get("failures"), root.get("skipped")) == ("1", "1", "0")
    failure = only(root, "failure")
    assert failure.get("message") == f"{GATE['statement']} (n = 40)"
    assert failure.text.endswith("Two of three are too few.")
    assert only(root, "testcase").get("name") == "answers_right (mine, p3)"


def test_what_was_not_measured_and_is_broken_is_a_failure():
    gate = GATE | {"n": None, "verdict": "unmeasured", "breach": "unmeasured"}
    assert only(read(gate), "failure").get("message").endswith(" (n = 0)")


@pytest.mark.parametrize(
    ("severity", "said"), [("warn", "warning: "), ("reference", "reference system: ")]
)
def test_a_broken_gate_that_decides_nothing_does_not_fail_and_says_so(severity, said):
    root = read(GATE | {"severity": severity})
    assert root.get("failures") == "0"
    assert only(root, "system-out").text.startswith(said)


@pytest.mark.parametrize("verdict", ["too_few", "not_applicable", "waived"])
def test_what_was_not_judged_is_skipped_with_the_reason(verdict):
    root = read(GATE | {"verdict": verdict, "breach": None, "waiver_reason": "until March"})
    assert root.get("skipped") == "1"
    assert only(root, "skipped").get("message") == f"{verdict}: until March"


def test_a_waived_gate_that_breaches_is_a_failure():
    assert read(GATE | {"verdict": "waived"}).get("failures") == "1"


def test_phases_are_suites_and_passing_gates_plain_tests():
    passed = GATE | {"phase": "P0", "verdict": "pass", "breach": None}
    root = read(GATE, passed)
    assert [suite.get("name") for suite in root] == ["P0", "P3"]
    assert len(next(root.iter("testcase"))) == 0


def test_texts_of_strangers_stay_texts():
    root = read(GATE | {"system_id": '"><script>\x1b\ud800', "rationale": "<b>&\x00"})
    assert only(root, "testcase").get("name") == 'answers_right ("><script>, p3)'
    assert only(root, "failure").text.endswith("<b>&")
