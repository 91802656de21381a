"""What `make test` measures of right answers and planted faults beside a warehouse, in a build."""

import pytest

from finrag.command.preflight import merge_variables
from finrag.command.settings import default_variables
from finrag.warehouse import open_warehouse
from tests.oracle.scoring import read_results, read_systems, score_all, write_systems

# Gates that a run beside the warehouse does not apply.
BUILT_ONLY = {"balanced_abstention", "failed_searches", "latency"}
# What no build is spared by today: one such record takes the verdicts of all others.
STOPPING = {}


@pytest.fixture(scope="module")
def both(small, tmp_path_factory):
    """What was measured of each system beside the warehouse, and in a build of all of them."""
    folder = tmp_path_factory.mktemp("oracle")
    written = write_systems(small, folder, read_systems())
    beside = score_all(small.database, small.variables, folder / "state", written)
    built = small.copy(folder / "built", systems_paths=[str(written.path)])
    assert built.build("--select", "py_systems_read+") == 0, built.log
    settings = merge_variables(default_variables(), built.variables)
    with open_warehouse(built.database) as warehouse:
        return beside, dict(read_results(warehouse, settings, written, is_whole=True))


def test_a_build_measures_what_was_measured_beside_it(both):
    beside, built = both
    names = ("system", "broken", "status")
    for name, result in built.items():
        same = {key: value for key, value in result.row.items() if key not in names}
        assert same == {key: value for key, value in beside[name].row.items() if key in same}, name
        assert result.broken - BUILT_ONLY == beside[name].broken, name
        assert dict(result.outcome.items) == dict(beside[name].outcome.items), name
