"""Vocabularies: words and patterns in a file beside a module."""

import importlib
import re
import tomllib
from pathlib import Path

import pytest

from finrag.records.vocabulary import read_vocabulary

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "src" / "finrag"


def read(folder, text, **supplied):
    (folder / "some.yml").write_text(text, "utf-8")
    return read_vocabulary(str(folder / "some.py"), **supplied)


def test_words_are_a_set_and_tables_are_mappings(tmp_path):
    text = "words:\n  small: >-\n    a no\n    on\ntables:\n  names: {HLDGS: Holdings}\n"
    vocabulary = read(tmp_path, text)
    assert vocabulary.words == {"small": {"a", "no", "on"}}
    assert vocabulary.tables == {"names": {"HLDGS": "Holdings"}}


def test_pieces_are_joined_and_names_in_braces_resolved(tmp_path):
    text = r"patterns: {year: ['(?:19|20)\d{2}'], years: ['{year}', '(?: and {year}){0,2}']}"
    vocabulary = read(tmp_path, text)
    assert vocabulary.texts["years"] == r"(?:19|20)\d{2}(?: and (?:19|20)\d{2}){0,2}"
    assert vocabulary.pattern("years").fullmatch("2019 and 2020")


def test_a_pattern_is_compiled_with_its_flags(tmp_path):
    found = read(tmp_path, "patterns: {item: ['item']}").pattern("item", re.IGNORECASE)
    assert found.fullmatch("ITEM")


def test_a_module_supplies_texts(tmp_path):
    vocabulary = read(tmp_path, "patterns: {sum: ['[{money}]']}", money="\ue000")
    assert vocabulary.texts["sum"] == "[\ue000]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("patterns: {a: ['{b}'], b: ['c']}", "some.yml: pattern a names b, not defined above"),
        ("patterns: {a: b}", "some.yml: patterns.a is 'b', expected a list"),
        ("words: [a]", "some.yml: words is ['a'], expected entries by name"),
        ("pattern: {}", "some.yml: the file has no field pattern"),
    ],
)
def test_a_file_that_is_no_vocabulary_is_refused(tmp_path, text, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        read(tmp_path, text)


def vocabularies():
    modules = (path.with_suffix(".py") for path in LIBRARY.rglob("*.yml"))
    return sorted(
        module.with_suffix(".yml")
        for module in modules
        if module.exists() and "read_vocabulary(__file__" in module.read_text("utf-8")
    )


@pytest.mark.parametrize("path", vocabularies(), ids=lambda path: path.stem)
def test_every_entry_of_a_vocabulary_is_used(path):
    name = path.relative_to(LIBRARY.parent).with_suffix("").as_posix().replace("/", ".")
    module = importlib.import_module(name)
    code = path.with_suffix(".py").read_text("utf-8")
    patterns = "\n".join(
        line for line in path.read_text("utf-8").splitlines() if not line.lstrip().startswith("#")
    )
    vocabulary = module._VOCABULARY
    entries = {*vocabulary.words, *vocabulary.tables, *vocabulary.texts}
    unused = {
        entry for entry in entries if f'"{entry}"' not in code and f"{{{entry}}}" not in patterns
    }
    assert unused == set()


def test_vocabularies_belong_to_the_package():
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    assert "**/*.yml" in data["package-data"]["finrag"]
