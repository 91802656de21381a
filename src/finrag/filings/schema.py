"""Columns of a filing as filed: what the doors of the warehouse are unnested from."""

from typing import Final

import pyarrow as pa

_TEXTS: Final = pa.list_(pa.string())

NOTE_TYPE: Final = pa.struct(
    [
        ("note_number", pa.string()),
        ("note_title", pa.string()),
        ("note_kind", pa.string()),
        ("char_start", pa.int32()),
        ("char_end", pa.int32()),
    ]
)
"""A note to the financial statements, with its span in the text of its section."""

SECTION_TYPE: Final = pa.struct(
    [
        ("item", pa.string()),
        ("section_text", pa.string()),
        ("line_kinds", pa.string()),
        ("heading_text", pa.string()),
        ("method", pa.string()),
        ("status", pa.string()),
        ("score", pa.float64()),
        ("n_candidates", pa.int32()),
        ("combined_with", _TEXTS),
        ("exhibit_part_pos", pa.int32()),
        ("notes", pa.list_(NOTE_TYPE)),
    ]
)
"""An item. `line_kinds` has a letter a line of the text, see `LINE_KINDS`; it and all behind it are
null where a corpus brings items as text."""

PART_TYPE: Final = pa.struct(
    [
        ("part_pos", pa.int32()),
        ("document_type", pa.string()),
        ("file_name", pa.string()),
        ("accession", pa.string()),
        ("content_hash", pa.string()),
        ("encoding", pa.string()),
        ("parser", pa.string()),
        ("n_bytes", pa.int64()),
        ("n_blocks", pa.int32()),
        ("n_tables", pa.int32()),
        ("n_facts", pa.int32()),
        ("flags", _TEXTS),
    ]
)

BLOCK_TYPE: Final = pa.struct(
    [
        ("part_pos", pa.int32()),
        ("block_pos", pa.int32()),
        ("item", pa.string()),
        ("kind", pa.string()),
        ("heading_path", _TEXTS),
        ("note_number", pa.string()),
        ("note_title", pa.string()),
        ("note_kind", pa.string()),
        ("text", pa.string()),
        ("char_start", pa.int32()),
        ("char_end", pa.int32()),
        ("source_start", pa.int64()),
        ("source_end", pa.int64()),
    ]
)

TABLE_TYPE: Final = pa.struct(
    [
        ("part_pos", pa.int32()),
        ("block_pos", pa.int32()),
        ("caption", pa.string()),
        ("lead_in", pa.string()),
        ("header_rows", pa.int32()),
        ("n_rows", pa.int32()),
        ("n_cols", pa.int32()),
        ("unit", pa.string()),
        ("scale", pa.int32()),
        ("scale_source", pa.string()),
        ("footnotes", _TEXTS),
        ("is_layout", pa.bool_()),
    ]
)

CELL_TYPE: Final = pa.struct(
    [
        ("part_pos", pa.int32()),
        ("block_pos", pa.int32()),
        ("row_pos", pa.int32()),
        ("col_pos", pa.int32()),
        ("row_path", _TEXTS),
        ("column_path", _TEXTS),
        ("text", pa.string()),
        ("kind", pa.string()),
        ("value", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("unit", pa.string()),
        ("scale", pa.int32()),
        ("scale_source", pa.string()),
        ("is_negative", pa.bool_()),
        ("period_start", pa.date32()),
        ("period_end", pa.date32()),
        ("footnote_marks", _TEXTS),
        ("is_header", pa.bool_()),
        ("is_label", pa.bool_()),
        ("char_start", pa.int32()),
        ("char_end", pa.int32()),
    ]
)

FACT_TYPE: Final = pa.struct(
    [
        ("part_pos", pa.int32()),
        ("fact_pos", pa.int32()),
        ("source", pa.string()),
        ("concept", pa.string()),
        ("value", pa.float64()),
        ("value_text", pa.string()),
        ("unit", pa.string()),
        ("decimals", pa.int32()),
        ("scale", pa.int32()),
        ("sign", pa.string()),  # as the tag has it: "-" or null
        ("format", pa.string()),
        ("is_nil", pa.bool_()),
        ("is_hidden", pa.bool_()),
        ("period_start", pa.date32()),
        ("period_end", pa.date32()),
        ("dimensions", pa.list_(pa.struct([("axis", pa.string()), ("member", pa.string())]))),
        ("block_pos", pa.int32()),
        ("row_pos", pa.int32()),
        ("col_pos", pa.int32()),
        ("char_start", pa.int32()),
        ("char_end", pa.int32()),
        ("flags", _TEXTS),
        ("verdict", pa.string()),
        ("value_read", pa.float64()),
        ("is_period_right", pa.bool_()),
        ("reason", pa.string()),
    ]
)
"""A fact and what the reading of the print alone made of it."""

FILED_FIELDS: Final = (
    pa.field("parts", pa.list_(PART_TYPE)),
    pa.field("blocks", pa.list_(BLOCK_TYPE)),
    pa.field("tables", pa.list_(TABLE_TYPE)),
    pa.field("cells", pa.list_(CELL_TYPE)),
    pa.field("facts", pa.list_(FACT_TYPE)),
)
"""What a filing as filed brings beside its items; null where a corpus brings items as text."""

LINE_KINDS: Final = {
    "paragraph": "p",
    "heading": "h",
    "list": "l",
    "table": "r",
    "footnote": "n",
    "toc": "t",
    "continued": "c",
}
"""Letters of the kinds of lines: a row of a table is `r`, a line that goes on from the one before,
across a page break, `c`."""
