"""What pages print and how long their axes are: the components' own functions, run by node."""

import json
import shutil
import subprocess

import pytest

from tests.dashboard.site import DASHBOARDS


@pytest.fixture
def run(tools, tmp_path):
    """Gives the value of an expression over the functions of a component's module."""

    def run(module, expression):
        copy = tmp_path / f"{module}.mjs"
        shutil.copy(DASHBOARDS / "components" / f"{module}.js", copy)
        script = f"import * as it from {json.dumps(str(copy))}; "
        script += f"console.log(JSON.stringify({expression}))"
        done = subprocess.run(
            ["node", "--input-type=module", "-e", script],
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(done.stdout)

    return run


@pytest.mark.parametrize(
    ("value", "format", "shown"),
    [
        ("'2025-03-12'", "day", "12 March 2025"),
        ("new Date('2025-03-12T23:30:00Z')", "day", "12 March 2025"),
        ("new Date('2025-03-12T23:30:00Z')", "", "12 March 2025, 23:30 UTC"),
        ("'not a day'", "day", "not a day"),
        ("'[2021, 2022]'", "list", "2021, 2022"),
        ("""'["a b","c"]'""", "list", "a b, c"),
        ("'[]'", "list", ""),
        ("1234.5", "num0", "1,235"),
        ("0.905", "pct1", "90.5 %"),
        ("null", "pct1", None),
    ],
)
def test_a_value_is_shown_as_a_person_writes_it(run, value, format, shown):
    assert run("show", f"it.show({value}, '{format}')") == shown


@pytest.mark.parametrize(
    ("values", "end"),
    [([0.3, 0.9], 1), ([0.3, 1.0, 1.02], 1), ([0.02, 0.09], 0.1), ([0.3, 1.4], 1.5)],
)
def test_an_axis_of_shares_ends_at_a_hundred_percent(run, values, end):
    axis = run("scale", f"it.axisOf({values}, {{format: 'pct1'}})")

    assert axis["end"] == pytest.approx(end)
    assert max(axis["ticks"]) == pytest.approx(end)


def test_labels_that_would_touch_are_left_out(run):
    days = ["31 December 2021", "31 December 2022", "31 December 2023"]

    assert run("scale", f"it.labelStep({days}, 300)") == 2
    assert run("scale", "it.labelStep([1, 5, 10], 300)") == 1
