r"""No pattern asks for a word's end behind a sign: `%\b` matches only where a letter follows it."""

import ast
import csv
import re
from collections.abc import Iterator
from pathlib import Path

# The library's own reading of a pattern: a second one would be wrong where it differs.
from re import _constants as codes
from re import _parser as parser
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"\{[a-z][a-z0-9_]*\}")
SQL_TEXT = re.compile(r"'((?:[^']|'')*)'")
# Where a boundary behind a sign stays, by a part of the pattern, with the reason.
KNOWN = {
    r"|amounts?|\$)\b|^\W*$": 'cells of tables: what a header of "$" alone is moves gold',
    r"|non-u\.?s\.?|federal|state)\b": "the same; the last stop may be left out",
    r"\b(united states|u\.s\.|domestic|international": "mentions of KPIs: a region moves gold",
    r"(?: \(loss\))?)\b": "may be left out; the match ends before it",
    r"|income \(loss\)|income (from|before)": "lines of revenue: a meaning moves them",
    r"\b(united states|u\.s\.|us|usa|americas?": "lines of revenue: a meaning moves them",
    r"(?:(?:as )?compared|versus|vs\.?": "mentions of KPIs: one more comparison moves gold",
    r"\b(?:compared|versus|vs\.?": "may be left out; anything may follow",
    r"\bitems? ?(1[0-6]|[1-9])\.?": "may be left out; the match ends before it",
}


def texts_of_yaml(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from texts_of_yaml(one)
    elif isinstance(value, list):
        # The pieces of a pattern are joined without a gap.
        if all(isinstance(one, str) for one in value):
            yield "".join(value)
        for one in value:
            if not isinstance(one, str):
                yield from texts_of_yaml(one)


def texts_of_python(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            parts = (one.value if isinstance(one, ast.Constant) else "x" for one in node.values)
            yield "".join(map(str, parts))


def texts_of(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if r"\b" not in text and path.suffix != ".py":
        return
    if path.suffix == ".csv":
        yield from (cell for row in csv.reader(text.splitlines()) for cell in row)
    elif path.suffix == ".yml":
        yield from texts_of_yaml(yaml.safe_load(text))
    elif path.suffix == ".sql":
        yield from (one.replace("''", "'") for one in SQL_TEXT.findall(text))
    else:
        yield from texts_of_python(text)


def patterns() -> Iterator[tuple[str, str]]:
    """Every text of the project that is a pattern with a word's boundary, with its file."""
    places = ["dbt_project.yml"]
    for room in ("seeds", "models", "macros", "python_models", "src"):
        places += (
            str(path.relative_to(ROOT))
            for ending in ("csv", "yml", "sql", "py")
            for path in sorted((ROOT / room).rglob(f"*.{ending}"))
        )
    for place in places:
        for text in texts_of(ROOT / place):
            if r"\b" in text:
                yield place, NAMED.sub("x", text)


def is_sign(item: Any) -> bool:
    """Whether a part of a pattern can end in a character that is of no word, and is no space."""
    code, value = item
    if code is codes.LITERAL:
        return re.fullmatch(r"\w|\s", chr(value)) is None
    if code is codes.SUBPATTERN:
        return ends_in_sign(value[-1])
    if code is codes.BRANCH:
        return any(ends_in_sign(branch) for branch in value[1])
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        return ends_in_sign(value[2])
    return False


def is_optional(item: Any) -> bool:
    code, value = item
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        return value[0] == 0
    return code in (codes.ASSERT, codes.ASSERT_NOT)


def ends_in_sign(items: Any) -> bool:
    """Whether a sequence can end in such a character, through what may be absent too."""
    for item in reversed(list(items)):
        if is_sign(item):
            return True
        if not is_optional(item):
            return False
    return False


def begins_word(items: Any) -> bool:
    """Whether a sequence begins with a letter or a digit, whatever else it matches."""
    listed = list(items)
    if not listed:
        return False
    code, value = listed[0]
    if code is codes.LITERAL:
        return re.fullmatch(r"\w", chr(value)) is not None
    if code is codes.IN:
        signs = {codes.CATEGORY_NOT_WORD, codes.CATEGORY_SPACE, codes.CATEGORY_NOT_DIGIT}
        return not any(
            kind is codes.NEGATE
            or (kind is codes.CATEGORY and one in signs)
            or (kind is codes.LITERAL and re.fullmatch(r"\w", chr(one)) is None)
            for kind, one in value
        )
    if code is codes.SUBPATTERN:
        return begins_word(value[-1])
    if code is codes.BRANCH:
        return all(map(begins_word, value[1]))
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        return begins_word(value[2]) and (value[0] > 0 or begins_word(listed[1:]))
    return False


def has_lost_end(items: Any) -> bool:
    """Whether a boundary stands behind a sign and before what need not be a letter."""
    listed = list(items)
    for at, (code, value) in enumerate(listed):
        is_boundary = code is codes.AT and value is codes.AT_BOUNDARY
        if is_boundary and ends_in_sign(listed[:at]) and not begins_word(listed[at + 1 :]):
            return True
        inside = []
        if code is codes.SUBPATTERN:
            inside = [value[-1]]
        elif code is codes.BRANCH:
            inside = value[1]
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            inside = [value[2]]
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            inside = [value[1]]
        if any(map(has_lost_end, inside)):
            return True
    return False


def is_lost(pattern: str) -> bool:
    try:
        return has_lost_end(parser.parse(pattern))
    except re.error:
        # Prose about patterns.
        return False


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"%\b", True),
        (r"\b(?:percent|%)\b", True),
        (r"\bus\$\b|\bdollars\b", True),
        (r"a(?:b|\bu\.s\.\b)", True),
        (r"(?:answer:)\b", True),
        (r"\bpercent\b|%", False),
        (r"\$\b\d", False),
        (r"\bu\.s\.(?!\w)", False),
        (r"\bvs\.?\b", True),
        (r",?\b(?:\w+ )?\w", False),
        (r"\b\d+ ?\b", False),
    ],
)
def test_a_boundary_behind_a_sign_is_found(pattern, expected):
    assert is_lost(pattern) is expected


def test_no_pattern_ends_in_a_boundary_behind_a_sign():
    found = [(place, text) for place, text in patterns() if is_lost(text)]
    assert [one for one in found if not any(part in one[1] for part in KNOWN)] == []
    assert [part for part in KNOWN if not any(part in text for _, text in found)] == []
