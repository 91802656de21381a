"""Where the project is found: where a person works, or with the library."""

from pathlib import Path

import pytest

from finrag.warehouse import folder
from finrag.warehouse.folder import is_own_folder, project_file, project_folder

ROOT = Path(__file__).parents[2]


def test_the_working_directory_is_the_project_where_it_holds_one(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert project_folder() == Path()
    assert project_file("seeds/systems/systems.csv") == Path("seeds/systems/systems.csv")
    assert not is_own_folder()


def test_elsewhere_the_project_is_the_one_that_came_with_the_library(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert project_file("dbt_project.yml").is_file()
    assert project_folder().is_absolute()
    assert is_own_folder()


def test_another_dbt_project_is_a_folder_like_any_other(monkeypatch, tmp_path):
    (tmp_path / "dbt_project.yml").write_text("name: shop\n")
    monkeypatch.chdir(tmp_path)
    assert is_own_folder()


def test_an_installation_without_the_project_says_so(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(folder, "_PLACES", (tmp_path / "project",))
    with pytest.raises(ValueError, match="install finrag again"):
        project_folder()
