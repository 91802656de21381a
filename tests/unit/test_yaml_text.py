"""YAML that somebody else wrote: refused before it grows, in one sentence."""

import pytest
import yaml

from finrag.command import settings
from finrag.command.serving import settings as serving
from finrag.records.yaml_text import MAX_DEPTH, MAX_VALUES, read_yaml
from finrag.systems import variants

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
        "vars": lambda: settings.given_variables(text),
        "systems": lambda: variants.read_file(path),
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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("systems:\n- a: b\n c: d\n", "line 3: indent it like the lines that it goes with"),
        ("systems:\n\t- a\n", "line 2: it has a tab; indent it with spaces"),
        ("systems: [a, b\nx: 1\n", "line 2: close the bracket that opens in line 1"),
        ("systems: [", "line 1: close the bracket"),
        ("a: b\nc: d: e\n", "line 2: put a text that holds ': ' in quotes"),
        ("a: 'b\n\nc: d\n", "line 4: close the quotation mark that opens in line 1"),
        ("a: @b\n", "line 1: put a text that begins with a special character in quotes"),
        ("a: *b\n", r"line 1: put a text that begins with \* in quotes"),
        ("a: !b c\n", "line 1: check how it is indented"),
        ("a: b\n---\nc: d\n", "line 2: "),
        ("a: b\nc: \0\n", r"line 2: remove the control character U\+0000"),
        ("a: 2024-02-30\n", "a date that does not exist"),
        (b"a: \xe9\n", "save it as UTF-8"),
    ],
)
@pytest.mark.parametrize("read", [variants.read_file, serving.read_file, settings.own_variables])
def test_a_file_that_is_not_yaml_is_refused_with_its_line_and_a_remedy(
    tmp_path, monkeypatch, text, said, read
):
    monkeypatch.setattr(settings, "is_own_folder", lambda: True)
    path = tmp_path / "finrag.yml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ValueError, match=f"finrag.yml.*{said}") as refusal:
        read(path)
    assert len(str(refusal.value).splitlines()) == 1
