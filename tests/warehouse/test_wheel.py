"""The wheel in an empty folder: a project of one's own, built with the installed package alone."""

import json
import os
import shutil
import site
import subprocess
import sys
import venv
from pathlib import Path
from xml.etree import ElementTree

import duckdb
import pytest

from tests.warehouse.warehouses import ROOT, SMALL

# What a wheel is made of; `setup.py` names the part that is the project.
SOURCES = (
    *("setup.py", "pyproject.toml", "README.md", "src", "dbt_project.yml", "profiles.yml"),
    *("selectors.yml", "analyses", "macros", "models", "prompts", "python_models", "seeds"),
    "tests/generic",
)


def ran(*command, **options):
    """Runs a command that must succeed; what it printed."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("FINRAG_") and name != "PYTHONPATH"
    }
    done = subprocess.run(
        [str(part) for part in command],
        env={**environment, "HF_HUB_OFFLINE": "1", "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        **options,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """An environment with the wheel, and of this environment all packages but finrag itself."""
    folder = tmp_path_factory.mktemp("wheel")
    sources = folder / "sources"
    for name in SOURCES:
        target = sources / name
        target.parent.mkdir(parents=True, exist_ok=True)
        unwanted = shutil.ignore_patterns("__pycache__", "*.egg-info")
        copied = shutil.copytree if (ROOT / name).is_dir() else shutil.copyfile
        copied(ROOT / name, target, **({"ignore": unwanted} if copied is shutil.copytree else {}))
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    offline = ("--no-deps", "--no-index")
    ran(*pip, "wheel", *offline, "--no-build-isolation", "-w", folder, sources)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv", with_pip=False)
    (packages,) = (folder / "venv" / "lib").glob("python*/site-packages")
    # An editable install is a file that is looked at in a folder of packages, not behind a path.
    (packages / "others.pth").write_text("\n".join(site.getsitepackages()) + "\n")
    python = folder / "venv" / "bin" / "python"
    ran(*pip, "--python", python, "install", *offline, "--no-compile", wheel)
    return folder / "venv" / "bin" / "finrag", packages / "finrag"


@pytest.fixture(scope="module")
def demo(installed, tmp_path_factory):
    """A new folder, built with the static encoder."""
    finrag, _ = installed
    folder = tmp_path_factory.mktemp("own")
    ran(finrag, "init", "demo", cwd=folder)
    demo = folder / "demo"
    screen = ran(finrag, "build", "--vars", json.dumps(SMALL), cwd=demo)
    return demo, screen


def files_in(folder):
    return {
        path.relative_to(folder).as_posix(): path.stat().st_mtime_ns
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_carries_the_whole_project(installed):
    _, library = installed
    names = [name for name in SOURCES if name not in ("setup.py", "pyproject.toml", "README.md")]
    for name in names:
        for path in (ROOT / name).rglob("*") if (ROOT / name).is_dir() else [ROOT / name]:
            if path.is_file() and path.suffix not in (".pyc", ".typed") and name != "src":
                assert (library / "project" / path.relative_to(ROOT)).is_file(), path


def test_a_new_folder_is_built_and_the_package_is_left_alone(installed, demo):
    finrag, library = installed
    folder, screen = demo
    assert "No system of yours is under test" in screen
    # There is no Makefile here.
    assert "make " not in screen
    with duckdb.connect(str(folder / "finrag.duckdb"), read_only=True) as connection:
        ((headline,),) = connection.sql(
            "select headline from gates.release_verdicts where subject = 'warehouse'"
        ).fetchall()
    assert headline == "nothing_under_test"
    assert list((folder / ".finrag" / "reports").glob("*.md"))
    there = {path.name for path in folder.iterdir()}
    assert {"target", "logs", ".finrag", "finrag.duckdb"} <= there

    before = files_in(library)
    again = ran(finrag, "build", "--vars", json.dumps(SMALL), cwd=folder)
    assert "steps and checks are unchanged" in again
    assert files_in(library) == before


def test_reports_questions_and_scores_work_in_the_folder(installed, demo):
    finrag, _ = installed
    folder, _ = demo
    ran(finrag, "report", "--markdown", "report.md", "--junit", "gates.xml", cwd=folder)
    assert (folder / "report.md").read_text().startswith("# ")
    assert int(ElementTree.parse(folder / "gates.xml").getroot().get("tests")) > 20

    screen = ran(finrag, "sql", "--analysis", "hit_by_length_bucket", cwd=folder)
    assert "length_bucket" in screen

    (answers,) = (folder / ".finrag" / "sample").glob("*/benchmarks/financebench/predictions/*")
    assert "contain_match" in ran(finrag, "score", "financebench", answers, cwd=folder)


def test_a_system_of_ones_own_is_the_candidate(installed, demo):
    """Named from the folder, and judged: it knows nothing of the questions."""
    finrag, _ = installed
    folder, _ = demo
    (folder / "systems.yml").write_text(
        "systems:\n"
        "  - system_id: my_rag\n"
        "    system_kind: external_file\n"
        "    settings: {predictions_path: answers.jsonl}\n"
        "    description: Mine\n"
    )
    (folder / "answers.jsonl").write_text('{"id": "p3:X1", "predicted": "nobody knows"}\n')
    done = subprocess.run(
        [finrag, "build", "--vars", json.dumps(SMALL)],
        cwd=folder,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "my_rag" in done.stdout.split("Do not release")[-1] or "Do not release" in done.stdout


def test_paths_of_the_package_are_real(installed):
    finrag, library = installed
    assert Path(ran(finrag, "where", cwd="/").strip()) == library / "project"
