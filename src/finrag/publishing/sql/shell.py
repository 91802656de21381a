"""A small shell: statements of SQL, and commands that begin with a dot.

DuckDB's own shell comes as a package only up to another major version, which cannot open files of
this one. Its tables are drawn here too: the library prints them, with control characters escaped.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from finrag.records.cells import FORMULA, plain_cell
from finrag.warehouse import Connection, QueryError

HELP: Final = """\
A statement ends with a semicolon. Tab completes names of tables and columns.
  .tables [ROOM]    list the doors of the warehouse, or of one room
  .columns TABLE    list the columns of a table, such as metrics.metric_summaries
  .analyses         list the prepared queries in analyses/
  .run ANALYSIS     run one of them
  .csv FILE         write the last result to a file
  .quit             exit (or Ctrl-D)"""
_PROMPTS: Final = ("sql> ", "...> ")
_TABLE: Final = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?")
_MOST_ROWS: Final = 500
# Private steps can be read too; who looks for a table is shown what has a contract.
_DOORS: Final = """
select table_schema || '.' || table_name as "table"
from information_schema.tables
where
    table_schema not in ('main', 'test_failures')
    and not regexp_matches(table_name, '^(int|py)_')
    and (($1 = '' and table_schema <> 'seeds') or table_schema = $1)
order by 1
"""


class Shell:
    """Statements and commands over one connection; rows are printed, errors go to stderr.

    Args:
        connection: of DuckDB, which cannot write to the warehouse.
        analyses: what there is to run, by name, with the question that each answers.
        compile_sql: gives the SQL of an analysis, by name.
    """

    def __init__(
        self,
        connection: Connection,
        analyses: Mapping[str, str],
        compile_sql: Callable[[str], str],
    ) -> None:
        self._connection = connection
        self._analyses = analyses
        self._compile_sql = compile_sql
        self._last = ""

    def answers(self, line: str) -> bool:
        """Runs a command or statements and prints errors; False: the shell is left."""
        words = line.strip().rstrip(";").split(maxsplit=1)
        if words and words[0] in (".quit", ".exit"):
            return False
        try:
            self.run(line)
        except (QueryError, ValueError, OSError) as error:
            print(error, file=sys.stderr)
        return True

    def run(self, line: str) -> None:
        """Runs a command or statements; a blank line does nothing.

        Raises:
            ValueError: what a command names is not there, or is no name.
            QueryError: what DuckDB says of a statement.
        """
        words = line.strip().rstrip(";").split(maxsplit=1)
        if words and words[0].startswith("."):
            self._command(words[0], words[1].strip() if len(words) > 1 else "")
        elif words:
            self.query(line)

    def query(self, text: str) -> None:
        """Runs statements and prints the rows of the last one, aligned.

        Args:
            text: SQL; several statements are parted by semicolons.

        Raises:
            QueryError: what DuckDB says of a statement.
        """
        result = self._connection.sql(text)
        if result is not None:
            self._last = text
            _show(result)

    def analyse(self, name: str) -> None:
        """Prints the answer of an analysis.

        Raises:
            ValueError: there is no such analysis, or dbt cannot compile it.
            QueryError: a table that it reads is missing.
        """
        self.query(self._compile_sql(name))

    def write(self, path: str) -> None:
        """Writes the rows of the last result to a file, as CSV with a header.

        A text that a spreadsheet would take for a formula gets an apostrophe before it; a number
        in a text stays one.

        Raises:
            ValueError: there is no result yet, or no file is named.
        """
        if not path or not self._last:
            raise ValueError("name a file, after a statement that gave rows: .csv FILE")
        result = self._connection.sql(self._last)
        cells = (
            _plain_cell(f"#{place}", name, str(kind))
            for place, (name, kind) in enumerate(
                zip(result.columns, result.types, strict=True), start=1
            )
        )
        result.project(", ".join(cells)).to_csv(path)
        print(f"written to {path}")

    def _command(self, name: str, argument: str) -> None:
        if name == ".tables":
            _show(self._connection.sql(_DOORS, params=[argument]))
        elif name == ".columns":
            _show(self._connection.sql(f"describe {_checked(argument)}"))
        elif name == ".analyses":
            for analysis, question in self._analyses.items():
                print(f"{analysis:<34}{question}")
        elif name == ".run":
            self.analyse(argument)
        elif name == ".csv":
            self.write(argument)
        else:
            print(HELP)

    def names(self) -> list[str]:
        """Doors, columns and analyses, for completion."""
        doors = self._connection.sql(_DOORS, params=[""]).fetchall()
        columns = self._connection.sql(
            "select distinct column_name from information_schema.columns order by 1"
        ).fetchall()
        return [row[0] for row in doors + columns] + list(self._analyses)


def _plain_cell(column: str, name: str, kind: str) -> str:
    """A column as a spreadsheet may open it; its name too."""
    label = plain_cell(name).replace('"', '""')
    if kind != "VARCHAR":
        return f'{column} as "{label}"'
    is_formula = f"regexp_matches({column}, '{FORMULA}') and try_cast({column} as double) is null"
    return f'case when {is_formula} then chr(39) || {column} else {column} end as "{label}"'


def _checked(table: str) -> str:
    if not _TABLE.fullmatch(table):
        raise ValueError(f"'{table}' names no table; write it as room.table")
    return table


def _show(result: Any) -> None:
    # What is not a screen takes lines of any length.
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 10_000
    result.show(max_rows=_MOST_ROWS, max_width=width)


def converse(shell: Shell, history: Path) -> None:
    """Reads statements from the keyboard or a pipe until they end.

    Args:
        shell: what runs them.
        history: file of earlier lines, read and written where there is a keyboard.
    """
    if sys.stdin.isatty():
        print(HELP)
        _prepare_keyboard(shell.names(), history)
    begun = ""
    while True:
        try:
            line = input(_PROMPTS[bool(begun)] if sys.stdin.isatty() else "")
        except KeyboardInterrupt:
            begun = ""
            print()
            continue
        except EOFError:
            shell.answers(begun)
            return
        begun = f"{begun}\n{line}" if begun else line
        if begun.startswith(".") or begun.rstrip().endswith(";"):
            if not shell.answers(begun):
                return
            begun = ""


def _prepare_keyboard(names: list[str], history: Path) -> None:
    import atexit
    import readline

    def complete(text: str, state: int) -> str | None:
        fitting = [name for name in names if name.startswith(text)]
        return fitting[state] if state < len(fitting) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" \t\n(),;=<>")
    readline.parse_and_bind("tab: complete")
    if history.is_file():
        readline.read_history_file(history)
    atexit.register(readline.write_history_file, history)
