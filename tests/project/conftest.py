"""What the tests of the project read: its manifest, parsed once."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def manifest(share):
    """The manifest of dbt, of the project as it stands."""

    def make(target):
        target.mkdir()
        subprocess.run(
            [
                sys.executable, "-m", "dbt.cli.main", "parse", "--quiet",
                "--target-path", str(target), "--log-path", str(target),
            ],
            cwd=ROOT,
            env={**os.environ, "FINRAG_DATABASE": str(target / "parse.duckdb")},
            check=True,
        )  # fmt: skip

    folder = share("manifest", make, is_stored=True)
    return json.loads((folder / "manifest.json").read_text())
