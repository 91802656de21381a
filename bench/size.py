"""How big the project is: ``python -m bench.size``, beside another checkout with ``--against DIR``.

Lines are those of files that git tracks, blank ones and comments included. Nodes, doors and the
longest path are read from ``target/manifest.json``, which every build and ``dbt parse`` write; a
checkout without one has no such figures.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

# Label, folders, endings.
LINES = (
    ("lines of the library", ("src",), (".py",)),
    ("lines of SQL", ("models", "macros", "analyses", "tests"), (".sql",)),
    ("lines of YAML", ("models", "seeds", "python_models"), (".yml",)),
    ("lines of YAML, unit tests alone", ("models",), ("__unit_tests.yml",)),
    ("lines of tests", ("tests",), (".py",)),
    ("lines of word lists and texts in the library", ("src",), (".yml", ".html")),
)
MANIFEST = Path("target") / "manifest.json"
ABSENT = "–"


def count_lines(root: Path) -> dict[str, int]:
    """Lines by label.

    Args:
        root: the checkout.

    Raises:
        ValueError: it is none.
    """
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z"], capture_output=True, check=False
    )
    if listed.returncode:
        raise ValueError(f"{root} is no git checkout: {listed.stderr.decode().strip()}")
    paths = [Path(name) for name in listed.stdout.decode().split("\0") if name]
    return {
        label: sum(
            (root / path).read_bytes().count(b"\n")
            for path in paths
            if path.parts[0] in folders and path.name.endswith(endings) and (root / path).is_file()
        )
        for label, folders, endings in LINES
    }


def count_nodes(manifest: Mapping[str, Any]) -> dict[str, int]:
    """Models, seeds, data tests and unit tests, nodes of a default build, doors, longest path.

    Args:
        manifest: as dbt writes it.
    """
    nodes = manifest["nodes"]
    kinds = Counter(node["resource_type"] for node in nodes.values())
    models = {key: node for key, node in nodes.items() if node["resource_type"] == "model"}

    @cache
    def depth(key: str) -> int:
        parents = [p for p in models[key]["depends_on"]["nodes"] if p in models]
        return 1 + max(map(depth, parents), default=0)

    return {
        "models": kinds["model"],
        "seeds": kinds["seed"],
        "data tests": kinds["test"],
        "nodes of a default build": kinds["model"] + kinds["seed"] + kinds["test"],
        "unit tests of models": len(manifest.get("unit_tests", {})),
        "doors (public models)": sum(node["access"] == "public" for node in models.values()),
        "models on the longest path": max(map(depth, models), default=0),
    }


def measure(root: Path) -> dict[str, int]:
    """All figures of a checkout that can be had."""
    path = root / MANIFEST
    found = count_nodes(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}
    return {**found, **count_lines(root)}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.size", description=__doc__)
    parser.add_argument("--against", type=Path, help="another checkout, for a column beside")
    options = parser.parse_args()
    try:
        here = measure(Path())
        there = measure(options.against) if options.against else None
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    for label in dict.fromkeys([*here, *(there or {})]):
        columns = [here, *([there] if there is not None else [])]
        cells = [f"{one[label]:>10,}" if label in one else f"{ABSENT:>10}" for one in columns]
        print(f"{label:<46}{''.join(cells)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
