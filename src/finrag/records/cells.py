"""Cells of a CSV file that a spreadsheet opens and must not run."""

import re
from typing import Any, Final

# What a spreadsheet takes for the start of a formula; it skips the blanks before it.
FORMULA: Final = r"^\s*[=+\-@]"


def plain_cell(value: Any) -> Any:
    """Return a value as it may stand in a CSV file.

    A text that begins like a formula gets an apostrophe before it, which a spreadsheet reads as
    "this is text". A number stays as it is, one that stands in a text too.
    """
    if not isinstance(value, str) or not re.match(FORMULA, value):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value
