"""Changes of the functions that decide gates and releases, and whether their tests notice them."""

import pytest

from bench.mutants_of_code import GATES, mutants, noticed

# What changes nothing, and why.
ALIKE = {
    "finrag.metrics.gates dropped: null_value is None or math.isnan(null_value) or "
    'limit["statistic"] == ABOVE_NULL -> '
    "(null_value is None or limit['statistic'] == ABOVE_NULL)": "NaN is on no side of a limit.",
    'finrag.metrics.gates dropped: n and is_few and is_asked_few and limit["statistic"] in '
    "_OF_MANY -> (n and is_asked_few and (limit['statistic'] in _OF_MANY))": (
        "No more items have a value than are expected to."
    ),
    "finrag.metrics.releases boundary: 0 < n < least -> (0 < n <= least)": (
        "No further question is no number of them either."
    ),
}


@pytest.mark.parametrize(
    ("source", "kind", "instead"),
    [
        ("return a < 1", "comparison", "return (a >= 1)"),
        ("return '– ü' + str(a < 1)", "comparison", "return '– ü' + str((a >= 1))"),
        ("return a < 1", "boundary", "return (a <= 1)"),
        ("return a < 1", "number", "return a < (2)"),
        ("return 0 < a <= 1", "boundary", "return (0 <= a <= 1)"),
        ("return a == 'x'", "text", "return (a == 'another')"),
        ("return a and b and c", "and", "return (a or b or c)"),
        ("return a and b and c", "dropped", "return (a and c)"),
        ("return not a", "sign", "return (a)"),
        ("return a - b", "operator", "return (a + b)"),
        ("return a if b else c", "branch", "return (c)"),
        ("if a: return b", "branch", "if (False): return b"),
        ("return [a for a in b if a]", "filter", "return ([a for a in b])"),
        ("return min(a)", "function", "return (max)(a)"),
        ("return True", "flag", "return (False)"),
    ],
)
def test_one_place_of_a_function_changes(source, kind, instead):
    text = f"LIMIT = 1 < 2\n\ndef f(a: int = 1):\n    {source}\n"
    changed = {(one.kind, one.of(text)) for one in mutants(text)}
    assert (kind, text.replace(source, instead)) in changed
    assert all(one.startswith("LIMIT = 1 < 2") and "a: int = 1" in one for _, one in changed)


@pytest.mark.slow
def test_every_change_of_what_decides_a_release_is_noticed():
    found = noticed(GATES)
    missed = {change for change, case in found.items() if case is None}
    print(f"noticed {len(found) - len(missed)} of {len(found)} changes")
    assert len(found) > 500
    assert missed == ALIKE.keys()
