"""Whether the unit tests of the models would notice a fault: ``python -m bench.mutants``.

Each model is changed in one place at a time: a comparison flipped, a filter or a branch dropped, a
default forgotten, a join of another kind, another number, another text. A unit test that then gives
other rows than it expects notices the change. ``--redundant`` also names the tests without which
every change is still noticed.

Reads the SQL that dbt compiled for each unit test, so run ``dbt test -s test_type:unit`` first. The
tests bring their own rows; no table of the warehouse is read.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Any

TARGET = Path("target")
TOKEN = re.compile(
    r"""(?P<gap>\s+|--[^\n]*|/\*.*?\*/)
      | (?P<text>'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\$.*?\$\$)
      | (?P<word>[A-Za-z_][A-Za-z_0-9]*)
      | (?P<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)
      | (?P<sign><=|>=|<>|!=|::|->>?|\|\||[-+*/%<>=(),.;:\[\]{}?^&|!~@])""",
    re.VERBOSE | re.DOTALL,
)
COMPARISONS = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
BOUNDARIES = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
WORDS = {
    **{"and": "or", "or": "and", "desc": "asc", "left": "inner", "inner": "left"},
    **{"min": "max", "max": "min", "min_by": "max_by", "max_by": "min_by"},
    **{"bool_or": "bool_and", "bool_and": "bool_or"},
}
FUNCTIONS = {"min", "max", "min_by", "max_by", "bool_or", "bool_and"}
FILTERS = {"where", "having", "qualify"}
# What ends a filter at its own depth.
AFTER_FILTERS = {"group", "having", "qualify", "order", "union", "limit", "window", "except"}
# Longer runs a query of a few rows only if it never ends, as a recursion without its condition.
LONGEST_S = 10.0
FIXTURE = re.compile(r"(__dbt__cte__\w+) as \(")
COLUMNS = re.compile(
    r"select\s+(.*?),\s*'(?:actual|expected)' as \"actual_or_expected\"", re.DOTALL
)
ACTUAL, EXPECTED = ") _dbt_internal_unit_test_actual", ") _dbt_internal_unit_test_expected"


@dataclass(frozen=True)
class Token:
    """A piece of SQL that says something, in lower case, and where it stands."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, order=True)
class Mutant:
    """One change of a model: characters ``start`` to ``end`` of its SQL become ``instead``."""

    start: int
    end: int
    instead: str
    kind: str

    def of(self, sql: str) -> str:
        return sql[: self.start] + self.instead + sql[self.end :]


@dataclass(frozen=True)
class UnitTest:
    """A unit test as dbt compiled it, in parts.

    ``fixtures`` are queries by the name that ``sql``, the model's own, reads them under;
    ``expected`` gives the rows of ``columns`` that it should.
    """

    name: str
    model: str
    fixtures: Mapping[str, str]
    sql: str
    columns: str
    expected: str


def main() -> int:
    options = _options()
    try:
        tests = list(read_tests(TARGET, options.model))
    except (OSError, ValueError) as error:
        print(f"{error}; run `dbt test -s test_type:unit` first", file=sys.stderr)
        return 2
    by_model: dict[str, list[UnitTest]] = defaultdict(list)
    for test in tests:
        by_model[test.model].append(test)
    with ProcessPoolExecutor(options.processes) as pool:
        # The most work first, so that no process is left with it at the end.
        longest = sorted(by_model, key=lambda model: -sum(len(one.sql) for one in by_model[model]))
        found = dict(zip(longest, pool.map(noticed, map(by_model.get, longest)), strict=True))
    _print_scores(found, listed=options.survivors)
    if options.redundant:
        for model, by_mutant in sorted(found.items()):
            names = [test.name for test in by_model[model]]
            for name in redundant(names, by_mutant.values()):
                print(f"redundant: {model}: {name}")
    return 0


def read_tests(target: Path, model: str | None = None) -> Iterator[UnitTest]:
    """The unit tests that dbt ran last.

    Args:
        target: dbt's folder of artefacts.
        model: the tests of this model alone.

    Raises:
        ValueError: a test was not run, or its SQL is not written as this tool knows it.
    """
    manifest = json.loads((target / "manifest.json").read_text("utf-8"))
    written = {path.name: path for path in (target / "run").rglob("*.sql")}
    for node in sorted(manifest["unit_tests"].values(), key=lambda node: node["unique_id"]):
        if model and node["model"] != model:
            continue
        path = written.get(f"{node['name']}.sql")
        if path is None:
            raise ValueError(f"unit test {node['name']} has no SQL in {target / 'run'}")
        yield split_test(node["name"], node["model"], path.read_text("utf-8"))


def split_test(name: str, model: str, sql: str) -> UnitTest:
    """Part a compiled unit test into its rows, the model's own SQL, and what is expected.

    Raises:
        ValueError: it has no such parts.
    """
    end, last = sql.find(ACTUAL), sql.find(EXPECTED)
    selected = list(COLUMNS.finditer(sql))
    matches = list(FIXTURE.finditer(sql, 0, max(end, 0)))
    if last < end or not matches or not selected:
        raise ValueError(f"unit test {name} is not written as dbt 1.11 writes them")
    closings = [_closing(sql, match.end() - 1) for match in matches]
    own = sql[closings[-1] + 1 : end].lstrip()
    return UnitTest(
        name=name,
        model=model,
        fixtures={
            match.group(1): sql[match.end() : closing]
            for match, closing in zip(matches, closings, strict=True)
        },
        # The model's first step follows the rows that dbt puts before it.
        sql=f"with recursive{own[1:]}" if own.startswith(",") else own,
        columns=selected[0].group(1),
        expected=sql[sql.index("from (", selected[-1].end()) + len("from (") : last],
    )


def mutants(sql: str) -> list[Mutant]:
    """Every change of a query that this tool knows, in the order of its text."""
    tokens = tokenize(sql)
    return sorted({*_flipped(tokens), *_dropped(tokens), *_replaced(tokens)})


def tokenize(sql: str) -> list[Token]:
    """The tokens of a query without white space and comments.

    Raises:
        ValueError: a character begins none.
    """
    tokens, place = [], 0
    while place < len(sql):
        match = TOKEN.match(sql, place)
        if match is None:
            raise ValueError(f"no SQL at {sql[place : place + 20]!r}")
        if match.lastgroup != "gap":
            tokens.append(Token(match.group().lower(), match.start(), match.end()))
        place = match.end()
    return tokens


def _flipped(tokens: Sequence[Token]) -> Iterator[Mutant]:
    """A word or sign becomes its opposite."""
    between = 0
    for pos, token in enumerate(tokens):
        word = token.text
        following = tokens[pos + 1].text if pos + 1 < len(tokens) else ""
        before = tokens[pos - 1].text if pos else ""
        if word in COMPARISONS:
            yield Mutant(token.start, token.end, COMPARISONS[word], "comparison")
        if word in BOUNDARIES:
            yield Mutant(token.start, token.end, BOUNDARIES[word], "boundary")
        if word == "between":
            between += 1
        elif word == "and" and between:
            between -= 1
        elif (
            word in {"and", "or", "desc"}
            or (word in {"left", "inner"} and following == "join")
            or (word in FUNCTIONS and following == "(")
        ):
            yield Mutant(token.start, token.end, WORDS[word], word)
        if word == "is" and following in {"null", "distinct"}:
            yield Mutant(token.end, token.end, " not", "null")
        if word == "not":
            kind = "null" if before == "is" else "not"
            yield Mutant(token.start, token.end, "", kind)
        if word == "distinct" and before in {"(", "select"}:
            yield Mutant(token.start, token.end, "", "distinct")


def _dropped(tokens: Sequence[Token]) -> Iterator[Mutant]:
    """A filter, a branch or a default goes."""
    for pos, token in enumerate(tokens):
        following = tokens[pos + 1] if pos + 1 < len(tokens) else token
        if token.text in FILTERS:
            last = _last(tokens, pos + 1, AFTER_FILTERS)
            yield Mutant(following.start, tokens[last].end, "true", "filter")
        if token.text == "when":
            last = _last(tokens, pos + 1, {"then"})
            yield Mutant(following.start, tokens[last].end, "false", "branch")
        if token.text == "coalesce" and following.text == "(":
            comma = _last_comma(tokens, pos + 2)
            last = _last(tokens, pos + 2, set())
            if comma:
                yield Mutant(tokens[comma + 1].start, tokens[last].end, "null", "default")


def _replaced(tokens: Sequence[Token]) -> Iterator[Mutant]:
    """A whole number becomes the next one, a text another."""
    for token in tokens:
        if token.text.isdigit():
            yield Mutant(token.start, token.end, str(int(token.text) + 1), "number")
        if token.text.startswith("'") and len(token.text) > 2:
            yield Mutant(token.start, token.end, "'another'", "text")


def _last(tokens: Sequence[Token], first: int, ends: set[str]) -> int:
    """The last token before one of ``ends`` at the depth of the first, or its closing bracket."""
    depth = cases = 0
    for pos in range(first, len(tokens)):
        word = tokens[pos].text
        if depth == 0 and cases == 0 and word in ends:
            return pos - 1
        if word == "case":
            cases += 1
        elif word == "end" and cases:
            cases -= 1
        elif word in "([{" and len(word) == 1:
            depth += 1
        elif word in ")]}" and len(word) == 1:
            depth -= 1
            if depth < 0:
                return pos - 1
    return len(tokens) - 1


def _last_comma(tokens: Sequence[Token], first: int) -> int | None:
    """The last comma between the arguments of the call whose first argument starts here."""
    found, depth = None, 0
    for pos in range(first, _last(tokens, first, set()) + 1):
        word = tokens[pos].text
        if word in {"(", "[", "{"}:
            depth += 1
        elif word in {")", "]", "}"}:
            depth -= 1
        elif word == "," and depth == 0:
            found = pos
    return found


def _closing(sql: str, opening: int) -> int:
    """Where the bracket that opens at a place of a query closes."""
    depth, place = 0, opening
    while place < len(sql):
        match = TOKEN.match(sql, place)
        if match is None:
            raise ValueError(f"no SQL at {sql[place : place + 20]!r}")
        depth += (match.group() == "(") - (match.group() == ")")
        if depth == 0 and match.lastgroup == "sign":
            return place
        place = match.end()
    raise ValueError("a bracket does not close")


def noticed(tests: Sequence[UnitTest]) -> dict[str, frozenset[str]]:
    """Which tests notice which change of the one model they are all of.

    Returns:
        Names of tests by a description of the change; changes that no test can run are left out,
        and one that never ends is noticed.

    Raises:
        ValueError: a test does not pass on the model as it is.
    """
    import duckdb

    found: dict[str, set[str]] = {}
    for test in tests:
        connection = duckdb.connect(config={"threads": 1})
        for name, query in test.fixtures.items():
            connection.execute(f"create temp table {name} as {query}")
        # Of a test that expects no row, dbt reads the columns from what the model gives.
        connection.execute(
            f"create temp table dbt_internal_unit_test_actual as select * from ({test.sql})"
        )
        expected = _rows(connection, f"select {test.columns} from ({test.expected})")
        if _rows(connection, _asked(test, test.sql)) != expected:
            raise ValueError(f"unit test {test.name} does not pass on the model as it is")
        seen: Counter[str] = Counter()
        for mutant in mutants(test.sql):
            described = _described(mutant, test.sql)
            seen[described] += 1
            timer = Timer(LONGEST_S, connection.interrupt)
            timer.start()
            try:
                rows = _rows(connection, _asked(test, mutant.of(test.sql)))
            except duckdb.InterruptException:
                rows = None
            except duckdb.Error:
                continue
            finally:
                timer.cancel()
            by = found.setdefault(f"{described} #{seen[described]}", set())
            if rows != expected:
                by.add(test.name)
        connection.close()
    return {key: frozenset(names) for key, names in found.items()}


def _asked(test: UnitTest, sql: str) -> str:
    return f"select {test.columns} from ({sql})"


def _rows(connection: Any, query: str) -> Counter[str]:
    """The rows of a query, whatever their order."""
    rows = connection.execute(query).fetchall()
    return Counter(repr([_rounded(value) for value in row]) for row in rows)


def _rounded(value: Any) -> Any:
    """Floats to twelve digits, so that another order of a sum is no change."""
    if isinstance(value, float):
        return f"{value:.12g}"
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    return value


def _described(mutant: Mutant, sql: str) -> str:
    around = " ".join(sql[max(0, mutant.start - 60) : mutant.start].split())
    changed = " ".join(sql[mutant.start : mutant.end].split())
    return f"{mutant.kind}: …{around} [{changed} -> {mutant.instead.strip()}]"


def redundant(names: Sequence[str], noticed_by: Iterable[frozenset[str]]) -> list[str]:
    """Tests without which every change that is noticed at all is still noticed.

    The tests that notice most of what nobody else has are taken first (of equals the first by
    name) until nothing is left to notice.
    """
    left = [by for by in noticed_by if by]
    taken: set[str] = set()
    while left:
        counts = Counter(name for by in left for name in by)
        best = min(counts, key=lambda name: (-counts[name], name))
        taken.add(best)
        left = [by for by in left if best not in by]
    return [name for name in names if name not in taken]


def _print_scores(found: Mapping[str, Mapping[str, frozenset[str]]], *, listed: bool) -> None:
    n_all = n_noticed = 0
    for model, by_mutant in sorted(found.items()):
        caught = sum(1 for by in by_mutant.values() if by)
        n_all += len(by_mutant)
        n_noticed += caught
        print(f"{model:40} {caught:5} of {len(by_mutant):5}")
        if listed:
            for described in sorted(key for key, by in by_mutant.items() if not by):
                print(f"    not noticed: {described}")
    share = n_noticed / n_all if n_all else float("nan")
    print(f"{'all models':40} {n_noticed:5} of {n_all:5}  {share:.3f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.mutants", description=__doc__)
    parser.add_argument("--model", help="this model alone")
    parser.add_argument("--survivors", action="store_true", help="list changes that nobody notices")
    parser.add_argument("--redundant", action="store_true", help="list tests that add nothing")
    parser.add_argument("--processes", type=int, default=2, help="processes (2)")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
