"""Counts of the project: what is tracked, and what dbt's manifest says."""

import subprocess

import pytest

from bench.size import count_lines, count_nodes


def node(kind, parents=(), access="private"):
    return {"resource_type": kind, "access": access, "depends_on": {"nodes": list(parents)}}


def test_the_longest_path_runs_through_models_alone():
    found = count_nodes(
        {
            "nodes": {
                "seed": node("seed"),
                "a": node("model", ["seed"]),
                "b": node("model", ["a"], access="public"),
                "c": node("model", ["a", "b"], access="public"),
                "alone": node("model"),
                "checked": node("test", ["c"]),
            },
            "unit_tests": {"u": {}},
        }
    )
    assert found["models on the longest path"] == 3
    assert (found["models"], found["doors (public models)"]) == (4, 2)
    assert found["nodes of a default build"] == 6
    assert found["unit tests of models"] == 1


def test_only_tracked_files_are_counted(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "kept.py").write_text("a = 1\n\n# why\n")
    (tmp_path / "src" / "loose.py").write_text("b = 1\n")
    (tmp_path / "src" / "gone.py").write_text("c = 1\n")
    for command in (["init", "-q"], ["add", "src/kept.py", "src/gone.py"]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    (tmp_path / "src" / "gone.py").unlink()
    assert count_lines(tmp_path)["lines of the library"] == 3


def test_a_folder_without_git_is_named(tmp_path):
    with pytest.raises(ValueError, match="is no git checkout"):
        count_lines(tmp_path / "nowhere")
