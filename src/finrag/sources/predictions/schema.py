"""The columns in which every outside answer arrives, from a file or from a service."""

from typing import Final

import pyarrow as pa

from finrag.records.rows import FOUND_FIELDS

# What a record names: a passage by its id, or a document and a page of it. ``document_key`` is the
# name of the document as names are compared.
PLACE_FIELDS: Final = (
    ("passage_id", pa.string()),
    ("document", pa.string()),
    ("document_key", pa.string()),
    ("page", pa.int32()),
)
CITATION_TYPE: Final = pa.struct(
    [("citation_pos", pa.int32()), *PLACE_FIELDS, ("quote", pa.string())]
)
SOURCE_TYPE: Final = pa.struct([("place", pa.int32()), *PLACE_FIELDS, ("score", pa.float64())])
CANDIDATE_TYPE: Final = pa.struct(
    [
        ("space", pa.string()),
        ("place", pa.int32()),
        ("candidate_id", pa.string()),
        ("score", pa.float64()),
    ]
)
STAGE_TYPE: Final = pa.struct(
    [
        ("stage", pa.string()),
        ("stage_pos", pa.int32()),
        ("n_in", pa.int64()),
        ("n_out", pa.int64()),
        ("latency_ms", pa.float64()),
    ]
)
FAULT_TYPE: Final = pa.struct(
    [
        ("part", pa.string()),
        ("place", pa.int32()),
        ("fault_code", pa.string()),
        ("detail", pa.string()),
    ]
)

# What a record says; the same in the files of every system, in the folders of public sets and
# from services.
PREDICTION_FIELDS: Final = (
    ("record_form", pa.string()),
    ("item_key", pa.string()),
    ("question_text", pa.string()),
    ("has_answer", pa.bool_()),
    ("answer_text", pa.string()),
    ("is_cut", pa.bool_()),
    ("answer", pa.string()),
    ("scale", pa.string()),
    ("program", pa.string()),
    ("speaker", pa.string()),
    ("role", pa.string()),
    ("numeric_value", pa.float64()),
    ("unit", pa.string()),
    ("is_abstained", pa.bool_()),
    ("failure", pa.string()),
    ("label", pa.string()),
    ("label_by", pa.string()),
    ("is_contained", pa.bool_()),
    ("configuration", pa.string()),
    ("citations", pa.list_(CITATION_TYPE)),
    ("sources", pa.list_(SOURCE_TYPE)),
    ("candidates", pa.list_(CANDIDATE_TYPE)),
    ("stages", pa.list_(STAGE_TYPE)),
    ("model", pa.string()),
    ("n_steps", pa.int64()),
    ("input_tokens", pa.int64()),
    ("output_tokens", pa.int64()),
    ("latency_ms", pa.float64()),
    ("cost_usd", pa.float64()),
    ("extra", pa.string()),
    ("faults", pa.list_(FAULT_TYPE)),
)

PREDICTION_SCHEMA: Final = pa.schema(
    [pa.field("system_id", pa.string(), nullable=False), *FOUND_FIELDS, *PREDICTION_FIELDS]
)
