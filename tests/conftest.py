"""What all tests share: the order in which they start, and warehouses to read or to change."""

import contextlib
import dataclasses
import fcntl
import functools
import hashlib
import json
import os
import shutil
import sys
import time
from importlib.metadata import distributions
from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling

from tests.warehouse.warehouses import (
    PROJECT,
    ROOT,
    SMALL,
    Warehouse,
    link_unit_tests,
    small_corpus,
)

# Warehouses that many tests read outlive a session: `make test-slow` reads what `make test` built.
STORED = ROOT / ".finrag" / "tests"

# Where the tests of the pages put a picture of each page in each window.
PICTURES = Path(os.environ.get("FINRAG_PICTURES") or ROOT / ".finrag" / "pictures")

# The order in which tests start: what takes longest first, so that no process waits for another
# at the end. A test that reads a shared warehouse goes ahead of all, to have it built meanwhile.
LONGEST_FIRST = (
    "test_small.py",
    "test_a_sound_build_passes_every_test_and_breaches_no_gate",
    # Meanwhile the other process builds what needs no warehouse of others.
    "test_unchanged.py::test_each_change",
    "test_reference_table.py",
    "tests/dashboard",
    "test_own_system.py",
    "test_p3_real_filings.py",
    "test_real_bundles.py",
    "test_bad_questions.py",
    "test_determinism.py",
    "test_unchanged.py",
    "test_release.py",
    "test_systems_under_test.py",
    "test_served_evaluation.py",
    "test_edges.py",
    "test_mutations.py",
    "test_planted_faults.py",
    "test_wheel.py",
    "tests/warehouse",
    "tests/project",
)

# What reads the warehouse that another process builds meanwhile comes last and waits for none.
LAST = ("test_analyses.py", "test_oracle.py")

STARTED = pytest.StashKey[float]()

# Slow are the tests that build a whole sample or warehouses of their own, or open a browser;
# `make test-all` runs them too. Quick ones read the small warehouse, which is built once.
SLOW = ("tests/warehouse", "tests/dashboard")
QUICK = ("test_small.py", "test_analyses.py", "test_oracle.py")

# Of the slow tests those that `make test-all` alone runs: they show again, on more data or for
# each of several cases, what another slow test shows on less or for one.
DEEP = (
    # Filings and runs that the project does not hold.
    *("test_reference_table.py", "test_p3_real_filings.py", "test_real_bundles.py"),
    *("test_bad_questions.py", "test_real_revenue_lines.py", "test_company_local.py"),
    *("test_runs_of_other_systems_score", "test_published_answers_to_financebench"),
    *("test_answers_to_every_set_score", "test_an_answer_that_is_none_failed"),
    # The whole sample from scratch, or with much beside it.
    *(
        "test_determinism.py::test_builds_from_scratch_agree",
        "test_builds_with_the_default_encoder",
    ),
    *("test_mutations.py", "test_approximate_indexes_run"),
    "test_every_change_of_what_decides",
    # Each case of several.
    *("right_gate_red[shifted_ids]", "right_gate_red[nan_vectors]"),
    *("right_gate_red[truncated_index]", "right_gate_red[wrong_year_filter]"),
    "right_gate_red[constant_scores]",
    # What answers lack or invent is noticed by the harness of `make test` as well.
    *("right_gate_red[dropped_citations]", "right_gate_red[invented_numbers]"),
    "are_not_in_the_index[sentences-",
    *("every_form[text]", "every_form[html]", "awkward_case_has_its_verdict[html]"),
    "awkward_case_has_its_verdict[text]",
    *("remedy[py_filings_read-variables1", "remedy[py_filings_read-variables2"),
    *("remedy[+embeddings", "test_a_changed_prompt_asks"),
    *("where_it_stood[reranking]", "where_it_stood[answering]"),
    *("test_a_warehouse_that_was_changed_is_built", "test_a_test_that_failed_is_run_until"),
    *("test_an_unchanged_build_over_shards", "test_a_text_in_other_case_from_another"),
    *("test_rows_recorded_before_units", "test_a_full_refresh_keeps"),
    *(
        "test_a_build_that_dies_before",
        "test_a_run_is_not_recorded_while",
        "test_frozen_anchors_tell",
    ),
    *("test_answers_are_those_of_the_ordinary_records", "test_what_was_fetched_is_read_once"),
    # What quick tests show without a build: requests, queue and marks of the server; files of
    # answers judged as people do; the figures of the docs, which one script compares; rerankers.
    *("test_served_evaluation.py", "test_human_labels.py", "warehouse/test_claims_ledger.py"),
    *("test_training.py", "test_another_corpus_embeds_only_what_is_new"),
    # One build more each, for a case beside those that are left.
    *("test_a_baseline_nobody_made", "test_a_figure_that_is_gone", "test_new_figures_are_added"),
    *("test_the_same_figures_again", "test_without_a_baseline_no_gate"),
    *("test_a_file_that_breaks_off_is", "test_empty_sections_give_no_sentences"),
    # The answers that `make test` scores beside the warehouse, built into it; ten systems on three
    # gold sets, each given in every way.
    *("test_oracle_built.py", "test_same_verdict.py"),
    # What a change reaches is tested step by step; that all steps together end where a build of
    # everything does takes three builds more. The wheel's project is built whole.
    "test_changes_one_by_one_leave",
    *("test_a_new_folder_is_built", "test_reports_questions_and_scores_work_in"),
    "test_wheel.py::test_a_system_of_ones_own_is_the_candidate",
    # Beside one sentence, beside records of all forms, beside the quarantine of raw filings, and
    # beside unit tests of what is asked again.
    *("test_broken_records_are_quarantined", "test_faults_are_outcomes_and_only_they"),
    *("test_a_corpus_of_one_company_builds", "test_filings_as_filed_of_all_forms_build"),
    # `make test-cluster` compares the doors of shards with those of one process, too.
    "test_one_warehouse_whatever_the_engine",
)

WAREHOUSE_MAKERS = ("conftest.py", "driver.py", "warehouses.py", "not_disclosed.csv")


def is_slow(item):
    """Whether `make test` leaves a test to `make test-all`."""
    return any(part in item.nodeid for part in SLOW) and not any(
        part in item.nodeid for part in QUICK
    )


class SharedFixtures(LoadScopeScheduling):
    """Tests that share a fixture of their module share a process; others go where there is room.

    So a warehouse that a module builds, or a browser, is made once.
    """

    def _split_scope(self, nodeid):
        path = nodeid.partition("::")[0]
        if path.startswith("tests/dashboard/"):
            return "tests/dashboard"
        # One process waits until the small warehouse is built, and the other goes on.
        is_one = path.endswith("test_small.py") or has_module_fixtures(path)
        return path if is_one else nodeid


@functools.cache
def has_module_fixtures(path):
    """Whether a file has fixtures that all its tests share."""
    return 'scope="module"' in (ROOT / path).read_text("utf-8")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return SharedFixtures(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Marks what is slow, and has long tests start first."""
    unknown = [part for part in DEEP if not any(part in item.nodeid for item in items)]
    if unknown and config.args == config.getini("testpaths"):
        raise pytest.UsageError(f"DEEP in tests/conftest.py names no test: {', '.join(unknown)}")
    for item in items:
        if is_slow(item):
            item.add_marker(pytest.mark.slow)
        if item.get_closest_marker("slow") and any(part in item.nodeid for part in DEEP):
            item.add_marker(pytest.mark.deep)
    order = {part: place for place, part in enumerate(LONGEST_FIRST)}
    items.sort(
        key=lambda item: (
            any(part in item.nodeid for part in LAST),
            min((order[p] for p in order if p in item.nodeid), default=99),
        )
    )


def pytest_configure(config):
    config.stash[STARTED] = time.time()


def pytest_terminal_summary(terminalreporter, config):
    """Says where the pictures are that this session took."""
    taken = [
        path for path in PICTURES.glob("*.png") if path.stat().st_mtime >= config.stash[STARTED]
    ]
    if taken:
        terminalreporter.write_line(f"{len(taken)} pictures of pages are in {PICTURES}")


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory):
    """A folder that all processes of this session see."""
    folder = tmp_path_factory.getbasetemp()
    folder = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    (folder / "parsed").mkdir(exist_ok=True)
    return folder


@functools.cache
def project_digest():
    """What a warehouse of the sample is made of: the project, the packages, the settings."""
    made_by = json.dumps([SMALL, sys.version], sort_keys=True)
    digest = hashlib.sha256(made_by.encode())
    packages = {(one.metadata["Name"], one.version) for one in distributions()}
    digest.update(repr(sorted(packages)).encode())
    for name in PROJECT:
        paths = (ROOT / name).rglob("*") if (ROOT / name).is_dir() else [ROOT / name]
        for path in sorted(paths):
            # Of the tests dbt reads the generic ones alone; some files make the warehouses.
            is_python_test = (
                name == "tests" and path.suffix != ".sql" and path.name not in WAREHOUSE_MAKERS
            )
            if path.is_file() and "__pycache__" not in path.parts and not is_python_test:
                digest.update(f"{path.relative_to(ROOT)}\0{path.stat().st_size}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def make_or_copy(folder, make):
    """Makes a folder, or copies the one that a session before made of the same project."""
    stored = STORED / project_digest() / folder.name
    if stored.exists():
        shutil.copytree(stored, folder, symlinks=True)
        # What dbt remembers of the project has paths of the session that read it.
        (folder / "target" / "partial_parse.msgpack").unlink(missing_ok=True)
        return
    make(folder)
    for other in STORED.glob("*"):
        if other.name != project_digest():
            shutil.rmtree(other, ignore_errors=True)
    stored.parent.mkdir(parents=True, exist_ok=True)
    half = stored.with_name(f"{folder.name}.{os.getpid()}")
    shutil.copytree(folder, half, symlinks=True)
    # Another session may have stored the same meanwhile.
    with contextlib.suppress(OSError):
        half.rename(stored)
    shutil.rmtree(half, ignore_errors=True)


@pytest.fixture(scope="session")
def share(shared_folder):
    """Has a folder made by the process that asks first; the others wait for it."""

    def share(name, make, is_stored=False):
        folder, state = shared_folder / name, shared_folder / f"{name}.state"
        with (shared_folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not state.exists():
                state.write_text(f"{name} could not be made by another process; see its tests.")
                if is_stored:
                    make_or_copy(folder, make)
                else:
                    make(folder)
                state.write_text("made")
        assert state.read_text() == "made", state.read_text()
        return folder

    return share


@pytest.fixture(scope="session")
def seeded(share, shared_folder):
    """A warehouse that holds the seeds and nothing else."""
    parsed = shared_folder / "parsed"
    folder = share(
        "seeded",
        lambda folder: Warehouse(folder, dict(SMALL), parsed=parsed).prepare(),
        is_stored=True,
    )
    return Warehouse(folder, dict(SMALL), parsed=parsed, is_shared=True)


@pytest.fixture(scope="session")
def sample(share, seeded):
    """The sample corpus with the fast encoder, built once for all processes; only to be read."""

    def make(folder):
        warehouse = seeded.copy(folder)
        # The whole build: seeds, models, data tests and gates; unit tests are run on `small`.
        assert warehouse.dbt("build") == 0, warehouse.log

    return dataclasses.replace(seeded, folder=share("sample", make, is_stored=True))


@pytest.fixture(scope="session")
def new_warehouse(seeded):
    """A factory of warehouses without a model, over any corpus.

    The corpus is copied into the folder: vars that are equal spare dbt the reading of the project.
    """

    def make(folder, threads=2, **variables):
        warehouse = seeded.copy(folder, **variables)
        warehouse.threads = threads
        path = Path(variables.get("corpus_path", "nowhere"))
        if path.exists():
            name = "corpus" + "".join(path.suffixes)
            (shutil.copytree if path.is_dir() else shutil.copyfile)(path, folder / name)
            warehouse.variables["corpus_path"] = name
        return warehouse

    return make


@pytest.fixture(scope="session")
def small(share, seeded, new_warehouse, tmp_path_factory):
    """Three filings of each of two companies, built whole and once for all processes."""
    variables = {
        **{"corpus": "filings", "corpus_path": "corpus.jsonl", "enable_systems": ["sample"]},
        # So few filings leave nothing out that peers disclose.
        "p3_suite_paths": ["tests/warehouse/not_disclosed.csv"],
    }

    def make(folder):
        warehouse = new_warehouse(folder, **variables)
        path = small_corpus(tmp_path_factory.mktemp("small"), n_filings=3, n_companies=2)
        shutil.copyfile(path, folder / "corpus.jsonl")
        link_unit_tests(folder)
        # Seeds, models, unit tests, data tests and gates.
        assert warehouse.dbt("build") == 0, warehouse.log

    folder = share("small", make, is_stored=True)
    return dataclasses.replace(seeded, folder=folder, variables=seeded.variables | variables)


@pytest.fixture
def make_warehouse(new_warehouse, tmp_path):
    """A factory of warehouses that last as long as a test."""

    def make(name="warehouse", threads=2, **variables):
        return new_warehouse(tmp_path / name, threads, **variables)

    return make
