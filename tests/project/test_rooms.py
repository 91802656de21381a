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
    "answers",
    "scoring",
    "retrieval",
    "questions",
    "systems",
    "services",
    "atlases",
    "sources",
    "sample",
    "statistics",
    "text",
    "embeddings",
    "llm",
    "cache",
    "records",
)


def rooms_imported(code):
    """Rooms that a module imports, inside functions too, with the line."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            modules = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = [f"{node.module}.{name.name}" for name in node.names]
        else:
            continue
        for module in modules:
            parts = module.split(".")
            if parts[0] == "finrag" and len(parts) > 1:
                yield parts[1], node.lineno


def upward(room, code):
    """Imports of a room that lies higher."""
    return [
        (line, imported)
        for imported, line in rooms_imported(code)
        if ROOMS.index(imported) < ROOMS.index(room)
    ]


def test_imports_go_down():
    found = {
        str(path.relative_to(LIBRARY)): wrong
        for path in sorted(LIBRARY.rglob("*.py"))
        if path.parent != LIBRARY
        and (wrong := upward(path.relative_to(LIBRARY).parts[0], path.read_text()))
    }
    assert found == {}


def test_an_import_that_goes_up_is_found_wherever_it_stands():
    assert upward("text", "def read():\n    from finrag.scoring import claims\n") == [
        (2, "scoring")
    ]
    assert upward("text", "from finrag import live\n") == [(1, "live")]
    assert upward("text", "import finrag.llm.calls\nimport finrag\n") == []


def test_every_module_lies_in_a_room():
    loose = {path.name for path in LIBRARY.glob("*.py")}
    folders = {path.parent.relative_to(LIBRARY).parts[0] for path in LIBRARY.glob("*/**/*.py")}
    assert loose == {"__init__.py"}
    assert folders <= set(ROOMS)
