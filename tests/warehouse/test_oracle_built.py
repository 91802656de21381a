"""Right answers and planted faults in a build: the same as beside the warehouse, and a verdict."""

import pytest

from finrag.command.preflight import merge_variables
from finrag.command.settings import default_variables
from finrag.warehouse import open_warehouse
from tests.oracle.scoring import read_results, read_systems, score_all, write_systems

# Gates that a run beside the warehouse does not apply.
BUILT_ONLY = {"balanced_abstention", "failed_searches", "latency"}
# What a build alone says.
VERDICT = ("status", "broken")


@pytest.fixture(scope="module")
def both(small, tmp_path_factory):
    """What was measured of each system beside the warehouse, and in a build of all of them."""
    folder = tmp_path_factory.mktemp("oracle")
    written = write_systems(small, folder / "systems", read_systems())
    beside = score_all(small.database, small.variables, folder / "state", written)
    built = small.copy(folder / "built", systems_paths=[str(written.path)])
    assert built.build("--select", "py_systems_read+") == 0, built.log
    settings = merge_variables(default_variables(), built.variables)
    with open_warehouse(built.database) as warehouse:
        return beside, dict(read_results(warehouse, settings, written, is_whole=True))


def test_a_build_measures_what_is_measured_beside_it(both):
    beside, built = both
    for name, result in built.items():
        measured = {key: value for key, value in result.row.items() if key not in VERDICT}
        assert measured == {key: beside[name].row[key] for key in measured}
        assert result.broken - BUILT_ONLY == beside[name].broken, name
        assert dict(result.outcome.items) == dict(beside[name].outcome.items), name


def test_no_fault_is_released(both):
    _, built = both
    released = {name for name, result in built.items() if result.outcome.status == 0}
    assert released.isdisjoint(name for name, one in built.items() if not one.system.is_right)


def test_a_slow_system_breaks_the_gate_on_time(both):
    _, built = both
    assert {name for name, one in built.items() if "latency" in one.broken} == {"slow"}
