"""Lines of revenue of the last build: to read on the screen, and as files for other programs."""

from finrag.publishing.lines.files import (
    artefact,
    write_artefacts,
    write_csv,
    write_parquet,
)
from finrag.publishing.lines.printing import overview_text, table_text
from finrag.publishing.lines.reading import FilingLines, Wanted, read_lines

__all__ = [
    "FilingLines",
    "Wanted",
    "artefact",
    "overview_text",
    "read_lines",
    "table_text",
    "write_artefacts",
    "write_csv",
    "write_parquet",
]
