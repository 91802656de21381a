"""What can be said before a build starts, in one sentence instead of a traceback."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from finrag.corpus import check_corpus

# DuckDB names a database after its file; a schema of that name would be ambiguous.
RESERVED_NAMES = frozenset(
    {"main", "sources", "sentences", "gold", "retrieval", "metrics", "gates", "reports", "seeds"}
)


def check_build(database: Path, variables: Mapping[str, Any]) -> None:
    """Checks that a build can start.

    Args:
        database: the warehouse file, which need not exist yet.
        variables: the dbt vars given on the command line.

    Raises:
        ValueError: the file's name is reserved or its folder is missing, another program has
            it open, it is not a DuckDB file, or the corpus cannot be found.
    """
    _check_database(database)
    corpus = str(variables.get("corpus", "sample"))
    path = str(variables.get("corpus_path", ""))
    check_corpus(corpus, path)
    is_glob = any(sign in path for sign in "*?[")
    if corpus != "sample" and not is_glob and not Path(path).exists():
        raise ValueError(
            f"nothing found at '{path}'; set the dbt var corpus_path to an existing path"
        )


def _check_database(database: Path) -> None:
    import duckdb

    if database.stem in RESERVED_NAMES:
        raise ValueError(
            f"a warehouse file cannot be called '{database.name}': a schema has that name; "
            "set FINRAG_DATABASE to another name, such as finrag.duckdb"
        )
    if not database.parent.is_dir():
        raise ValueError(
            f"the folder '{database.parent}' of the warehouse file does not exist; create it or "
            "set FINRAG_DATABASE to another path"
        )
    if not database.exists():
        return
    try:
        duckdb.connect(str(database)).close()
    except duckdb.IOException as error:
        holder = re.search(r"PID \d+", str(error))
        if holder is None:
            raise ValueError(
                f"'{database}' is not a DuckDB file that can be opened: {error}; "
                "move it away or set FINRAG_DATABASE"
            ) from error
        raise ValueError(
            f"another program ({holder[0]}) has '{database}' open; close it and try again"
        ) from error
