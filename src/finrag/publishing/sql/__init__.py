"""SQL by hand: a shell over a copy of the warehouse, and the analyses of this project in it."""

from finrag.publishing.sql.analyses import (
    analysis_variables,
    compile_analysis,
    list_analyses,
)
from finrag.publishing.sql.copying import read_only_copy
from finrag.publishing.sql.shell import Shell, converse

__all__ = [
    "Shell",
    "analysis_variables",
    "compile_analysis",
    "converse",
    "list_analyses",
    "read_only_copy",
]
