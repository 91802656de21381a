"""Rooms of the library: imports go down, from the command line to the files, never up."""

import ast
from pathlib import Path

LIBRARY = Path(__file__).parents[2] / "src" / "finrag"
# From top to bottom. `sample` lies below `sources`, which writes the sample corpus where it is
# asked for.
ROOMS = (
    "command",
    "live",
    "publishing",
    "metrics",
    "agents",
    "answers",
    "revenue",
    "scoring",
    "retrieval",
    "questions",
    "systems",
    "services",
    "shards",
    "atlases",
    "sources",
    "sample",
    "filings",
    "statistics",
    "text",
    "embeddings",
    "llm",
    "cache",
    "records",
    "warehouse",
)
# Packages that one room alone may import.
WAREHOUSE = ("duckdb", "dbt")


def imported(code):
    """What a module imports, inside functions too, in parts, with the line."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            modules = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = [f"{node.module}.{name.name}" for name in node.names]
        else:
            continue
        yield from ((module.split("."), node.lineno) for module in modules)


def upward(room, code):
    """Imports of a room that lies higher."""
    return [
        (line, parts[1])
        for parts, line in imported(code)
        if parts[0] == "finrag" and len(parts) > 1
        if ROOMS.index(parts[1]) < ROOMS.index(room)
    ]


def of_the_warehouse(code):
    """Lines that import what the room `warehouse` alone may know."""
    return [line for parts, line in imported(code) if parts[0] in WAREHOUSE]


def test_imports_go_down():
    found = {
        str(path.relative_to(LIBRARY)): wrong
        for path in sorted(LIBRARY.rglob("*.py"))
        if path != LIBRARY / "__init__.py"
        and (wrong := upward(path.relative_to(LIBRARY).with_suffix("").parts[0], path.read_text()))
    }
    assert found == {}


def test_an_import_that_goes_up_is_found_wherever_it_stands():
    assert upward("text", "def read():\n    from finrag.scoring import claims\n") == [
        (2, "scoring")
    ]
    assert upward("text", "from finrag import live\n") == [(1, "live")]
    assert upward("text", "import finrag.llm.calls\nimport finrag\n") == []


def test_one_room_knows_duckdb_and_dbt():
    knowing = {
        path.relative_to(LIBRARY).as_posix()
        for path in LIBRARY.rglob("*.py")
        if of_the_warehouse(path.read_text())
    }
    assert knowing == {f"warehouse/{name}.py" for name in ("__init__", "project", "s3_plugin")}


def test_an_import_of_duckdb_is_found_wherever_it_stands():
    assert of_the_warehouse("def read():\n    import duckdb\n") == [2]
    assert of_the_warehouse("from dbt.cli.main import dbtRunner\n") == [1]
    assert of_the_warehouse("from finrag.warehouse import read_only\n") == []


def test_every_module_lies_in_a_room():
    loose = {path.name for path in LIBRARY.glob("*.py")}
    folders = {path.parent.relative_to(LIBRARY).parts[0] for path in LIBRARY.glob("*/**/*.py")}
    assert loose == {"__init__.py"}
    assert folders <= set(ROOMS)
