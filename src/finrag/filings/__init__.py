"""Reading a filing as filed: its documents, blocks, tables, items and tagged facts."""

from finrag.filings.model import Identity
from finrag.filings.schema import FILED_FIELDS, SECTION_TYPE

__all__ = ["FILED_FIELDS", "SECTION_TYPE", "Identity"]
