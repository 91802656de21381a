"""A folder of one's own: what it begins with, and how its settings are read."""

import os
import subprocess
from pathlib import Path

import pytest
import yaml

from finrag.command.cli import main
from finrag.command.preflight import check_build
from finrag.command.settings import (
    all_variables,
    default_variables,
    given_variables,
    own_variables,
    system_seeds,
)
from finrag.systems import resolve_systems
from finrag.warehouse import check_there
from finrag.warehouse.folder import step_command

ROOT = Path(__file__).parents[2]


@pytest.fixture
def own_folder(tmp_path, monkeypatch, capsys):
    assert main(["init", str(tmp_path / "mine")]) == 0
    assert "finrag build" in capsys.readouterr().out
    monkeypatch.chdir(tmp_path / "mine")
    return tmp_path / "mine"


def test_a_new_folder_can_be_built_as_it_is(own_folder):
    variables = all_variables("{}")
    assert variables["systems_paths"] == ["systems.yml"]
    assert variables["gates_paths"] == ["gates.csv"]
    assert check_build(Path("finrag.duckdb"), variables, *system_seeds()) == []


def test_every_setting_of_a_new_folder_is_one_of_the_project(own_folder):
    assert own_variables().keys() <= default_variables().keys()


def test_the_example_of_a_system_can_be_uncommented(own_folder):
    file = own_folder / "systems.yml"
    _, examples = file.read_text().split("systems: []\n")
    file.write_text("systems:\n" + examples.replace("\n#", "\n").removeprefix("#"))
    (own_folder / "my_answers.jsonl").write_text('{"id": "p3:X1", "predicted": "5"}\n')
    roles = {
        row["system_id"]: row["role"]
        for row in resolve_systems(*system_seeds(), all_variables("{}"))
    }
    assert roles["my_rag"] == roles["my_service"] == "candidate"


def test_the_command_line_goes_before_the_folder_and_the_folder_before_the_project(own_folder):
    (own_folder / "finrag.yml").write_text("vars: {encoder: wordllama, bootstrap_seed: 3}\n")
    variables = all_variables("{bootstrap_seed: 4}")
    assert (variables["encoder"], variables["bootstrap_seed"]) == ("wordllama", 4)
    assert variables["gold_seed"] == default_variables()["gold_seed"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("vars: [a]", "vars is not a list of 'name: value' lines"),
        ("corpus: sample", "has 'corpus'; write settings below 'vars:'"),
        ("vars: {corpsu: sample}", "no dbt var 'corpsu'"),
        ("{", "finrag.yml is not YAML"),
        ("- a", "expected 'name: value' pairs"),
    ],
)
def test_settings_that_make_no_sense_are_refused(own_folder, text, said):
    (own_folder / "finrag.yml").write_text(text)
    with pytest.raises(ValueError, match=said):
        all_variables("{}")


def test_in_the_project_itself_no_such_file_is_read(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert given_variables("{encoder: wordllama}") == {"encoder": "wordllama"}


def test_nothing_that_is_there_is_overwritten(tmp_path, capsys):
    (tmp_path / "systems.yml").write_text("mine")
    assert main(["init", str(tmp_path)]) == 2
    assert "is not overwritten" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["systems.yml"]


def jobs():
    """What the jobs of both kinds run, step by step, and the jobs themselves."""
    workflow = yaml.safe_load(Path(".github/workflows/finrag.yml").read_text())["jobs"]["finrag"]
    job = yaml.safe_load(Path(".gitlab-ci.yml").read_text())["finrag"]
    steps = [step["run"] for step in workflow["steps"] if "run" in step]
    return {"github": steps, "gitlab": job["script"]}, workflow, job


def test_jobs_build_and_publish_report_and_gates(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["init", "ci"]) == 0
    assert "FINRAG_PACKAGE" in capsys.readouterr().out
    commands, workflow, job = jobs()
    (reporting,) = [step for step in workflow["steps"] if "finrag report" in step.get("run", "")]
    assert reporting["if"] == "always()"
    assert job["artifacts"]["reports"]["junit"] in job["after_script"][0]
    # The name is taken on PyPI by another package.
    for text in (*commands["github"], *commands["gitlab"]):
        assert "install finrag" not in text


# Each command writes down how it was called, and ends as the variable of its name says.
STUB = """#!/bin/sh
echo "finrag $*" >> calls
case "$1" in build) exit "$BUILD" ;; eval) exit "$EVAL" ;; esac
"""


@pytest.mark.parametrize("kind", ["github", "gitlab"])
@pytest.mark.parametrize("source", ["", "my_rags.fast:answer_2", "runs/answers.jsonl"])
@pytest.mark.parametrize(
    ("built", "judged"), [(0, 0), (0, 1), (0, 3), (1, 0), (1, 1), (2, 2), (3, 0), (3, 3)]
)
def test_jobs_judge_the_system_that_is_named_however_the_build_ends(
    tmp_path, monkeypatch, capsys, kind, source, built, judged
):
    monkeypatch.chdir(tmp_path)
    Path("finrag.yml").write_text("vars: {}\n")
    assert main(["init", "ci", *(["--eval", source] if source else [])]) == 0
    assert "There is no finrag.yml" not in capsys.readouterr().out
    for name, text in (("finrag", STUB), ("pip", "#!/bin/sh\n")):
        Path(name).write_text(text)
        Path(name).chmod(0o755)
    steps = [step for step in jobs()[0][kind] if "finrag report" not in step]

    # GitHub ends a job at the first step that fails, GitLab at the first line of its script.
    status = subprocess.run(
        ["bash", "-e", "-c", "\n".join(f"({step}\n)" for step in steps)],
        env={**os.environ, "PATH": f".:{os.environ['PATH']}", "FINRAG_PACKAGE": "wheel"}
        | {"BUILD": str(built), "EVAL": str(judged)},
        check=False,
    ).returncode

    calls = Path("calls").read_text().splitlines()
    assert calls == ["finrag build", *([f"finrag eval {source} --build"] if source else [])]
    assert (status == 0) == (built == 0 and (judged == 0 or not source))
    for path in (".github/workflows/finrag.yml", ".gitlab-ci.yml"):
        assert ("finrag eval my_rag:answer" in Path(path).read_text()) == (not source)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ci", "--eval", "x; rm -rf y"], "cannot stand in a job"),
        (["mine", "--eval", "my_rag:answer"], "goes with `finrag init ci` only"),
    ],
)
def test_what_no_job_can_judge_is_refused(tmp_path, monkeypatch, capsys, arguments, said):
    monkeypatch.chdir(tmp_path)
    assert main(["init", *arguments]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_jobs_in_a_folder_without_settings_say_what_is_missing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["init", "ci"]) == 0
    assert "There is no finrag.yml in this folder, " in capsys.readouterr().out


def test_a_seed_that_no_build_would_read_is_not_written(own_folder, capsys):
    assert main(["freeze"]) == 2
    assert "run this in a checkout" in capsys.readouterr().err
    assert not (own_folder / "seeds").exists()


def test_the_project_can_be_named_to_dbt(own_folder, capsys):
    assert main(["where"]) == 0
    assert (Path(capsys.readouterr().out.strip()) / "dbt_project.yml").is_file()


def test_hints_name_the_command_that_is_there(own_folder, monkeypatch):
    with pytest.raises(ValueError, match="run `finrag build` first"):
        check_there(Path("none.duckdb"))
    monkeypatch.chdir(ROOT)
    with pytest.raises(ValueError, match="run `make build` first"):
        check_there(Path("none.duckdb"))


def test_a_makefile_of_another_project_is_not_run(own_folder):
    (own_folder / "Makefile").write_text("build:\n")
    assert step_command("build") == "finrag build"


def test_a_folder_that_one_is_in_needs_no_change_of_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["init", "."]) == 0
    assert "Next: finrag build\n" in capsys.readouterr().out
    assert main(["init", "mine"]) == 0
    assert "Next: cd mine && finrag build\n" in capsys.readouterr().out
