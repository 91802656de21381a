"""YAML that somebody else wrote: refused before it grows, in one sentence."""

import pytest
import yaml

from finrag.command.settings import given_variables
from finrag.records.yaml_text import MAX_DEPTH, MAX_VALUES, read_yaml
from finrag.systems.variants import read_file

# Ten levels of ten aliases each: ten billion values in 500 bytes.
BOMB = "a0: &a0 [x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 11)
)
DEEP = "a: " + "[" * 100_000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BOMB, "with aliases expanded"),
        (DEEP, f"line 1: it is nested deeper than {MAX_DEPTH} levels"),
        ("a: " + "{a: " * 100_000, "nested deeper"),
        ("- " * 5_000 + "x", "nested deeper"),
        ("a: &a [*a]", r"line 1: the alias \*a is used inside the value that it repeats"),
        ("a: &a {b: [*a]}", "is used inside"),
    ],
)
@pytest.mark.parametrize("read", ["yaml", "vars", "systems"])
def test_what_grows_without_end_is_refused_in_one_sentence(tmp_path, text, said, read):
    path = tmp_path / "mine.yml"
    path.write_text(text)
    reading = {
        "yaml": lambda: read_yaml(text),
        "vars": lambda: given_variables(text),
        "systems": lambda: read_file(path),
    }
    with pytest.raises((yaml.YAMLError, ValueError), match=said) as refusal:
        reading[read]()
    assert "Traceback" not in str(refusal.value)


def test_aliases_that_repeat_little_are_read():
    assert read_yaml("a: &a [1, &b 2]\nc: [*a, *b]") == {
        "a": [1, 2],
        "c": [[1, 2], 2],
    }


@pytest.mark.parametrize(("n_more", "is_read"), [(-1, True), (0, False)])
def test_the_limit_is_on_values_with_aliases_written_out(n_more, is_read):
    # Beside the list itself: its entries, half of them by alias.
    half = (MAX_VALUES - 4) // 2
    text = f"[&a [{'x, ' * half}], *a{', y' * (MAX_VALUES - 2 * half - 3 + n_more + 1)}]"
    if is_read:
        assert len(read_yaml(text)[1]) == half
    else:
        with pytest.raises(yaml.YAMLError, match="values"):
            read_yaml(text)


def test_an_alias_of_nothing_is_named_by_the_parser():
    with pytest.raises(yaml.YAMLError, match="undefined alias"):
        read_yaml("a: *b")
