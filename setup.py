"""Builds the library with the dbt project inside it, so that it runs from any folder."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

# What dbt and the library read; `finrag.warehouse.folder` finds it in the installed library.
PROJECT = (
    *("dbt_project.yml", "profiles.yml", "selectors.yml", "analyses", "macros", "models"),
    *("prompts", "python_models", "seeds", "tests/generic"),
)
TARGET = Path("finrag") / "project"


class BuildWithProject(build_py):
    """Copies the project beside the modules; an editable install reads it where it lies."""

    def run(self) -> None:
        """Build the modules, then copy."""
        super().run()
        if self.editable_mode:
            return
        target = Path(self.build_lib) / TARGET
        shutil.rmtree(target, ignore_errors=True)
        for name in PROJECT:
            source = Path(name)
            (target / source).parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                unwanted = shutil.ignore_patterns("__pycache__", ".*")
                shutil.copytree(source, target / source, ignore=unwanted)
            else:
                shutil.copyfile(source, target / source)


setup(cmdclass={"build_py": BuildWithProject})
