"""Wording of the sample: files are read by their type, and a wrong one is refused by its key."""

import re
import tomllib
from pathlib import Path

import pytest

from finrag.cache import library
from finrag.sample import reading, sample_version, writer
from finrag.sample.companies import Company, Product
from finrag.sample.passages import Passage, passage_groups, passages

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "FOLDER", tmp_path)
    return tmp_path


def read(folder, text, kind):
    (folder / "some.yml").write_text(text, "utf-8")
    return reading.read_wording("some", kind)


def test_a_mapping_gives_its_entries_their_names(folder):
    text = "rivals:\n  opener: We compete.\n  rest: [We win., We lose.]\n  count: [1, 2]\n"
    passage = read(folder, text, dict[str, Passage])["rivals"]
    assert passage == Passage("rivals", "We compete.", ("We win.", "We lose."), count=(1, 2))


def test_a_name_that_is_given_stays(folder):
    text = "brew: {name: The Brew, kind: k, use: u, buyers: b, traits: [x, y, z]}"
    assert read(folder, text, dict[str, Product])["brew"].name == "The Brew"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a", "some.yml: the file is ['a'], expected entries by name"),
        ("p: text", "some.yml: p is 'text', expected the fields name, opener, rest"),
        ("p: {rest: [a]}", "some.yml: p lacks opener"),
        ("p: {opener: a, rest: [b], opener: c}", "some.yml cannot be read: the key 'opener'"),
        ("p: {opener: a, rest: [b], tone: mild}", "some.yml: p has no field tone"),
        ("p: {opener: 3, rest: [b]}", "some.yml: p.opener is 3, expected text"),
        ("p: {opener: a, rest: b}", "some.yml: p.rest is 'b', expected a list"),
        ("p: {opener: a, rest: [b, 2020]}", "some.yml: p.rest[1] is 2020, expected text"),
        ("p: {opener: a, rest: [b], count: [1]}", "some.yml: p.count is [1], expected a list of 2"),
        ("p: {opener: a, rest: [b], shared: 1}", "some.yml: p.shared is 1, expected true or false"),
        ("p: {opener: a, rest: [", "some.yml cannot be read: "),
    ],
)
def test_a_file_of_another_shape_is_refused_with_its_key(folder, text, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        read(folder, text, dict[str, Passage])


def test_a_file_that_is_absent_is_named(folder):
    with pytest.raises(ValueError, match=r"some\.yml cannot be read"):
        reading.read_wording("some", dict[str, str])


def test_a_whole_number_is_a_number_and_true_is_none(folder):
    assert read(folder, "[1, 2.5]", tuple[float, ...]) == (1.0, 2.5)
    with pytest.raises(ValueError, match=r"\[0\] is True, expected a whole number"):
        read(folder, "[true]", tuple[int, ...])


def test_every_passage_belongs_to_one_group():
    names = [passage.name for group in passage_groups().values() for passage in group]
    assert len(names) == len(set(names)) == len(passages())


def test_a_company_without_its_fields_is_refused(folder):
    with pytest.raises(ValueError, match=r"some\.yml: acme lacks auditor, capex, customers"):
        read(folder, "acme: {cik: 1, name: Acme}", dict[str, Company])


def test_an_installed_package_brings_the_wording():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    patterns = settings["tool"]["setuptools"]["package-data"]["finrag"]
    package = ROOT / "src" / "finrag"
    shipped = {path for pattern in patterns for path in package.glob(pattern)}
    assert set(package.rglob("*.yml")) <= shipped


def test_another_wording_is_another_sample_and_another_library(tmp_path, monkeypatch):
    for name in ("library.py", "sample/writer.py", "sample/wording/causes.yml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("text", "utf-8")
    monkeypatch.setattr(library.finrag, "__file__", str(tmp_path / "__init__.py"))
    monkeypatch.setattr(writer, "__file__", str(tmp_path / "sample" / "writer.py"))
    before = library.library_fingerprint(), sample_version()
    (tmp_path / "sample/wording/causes.yml").write_text("other text", "utf-8")
    after = library.library_fingerprint(), sample_version()
    assert before[0] != after[0]
    assert before[1] != after[1]
