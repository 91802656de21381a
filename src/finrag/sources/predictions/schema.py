"""The columns of answers of external systems, from a file or from a service."""

from typing import Final

import pyarrow as pa

from finrag.records.columns import nullable
from finrag.records.rows import FOUND_FIELDS

# What a record names: a passage by its id, or a document and a page of it. ``document_key`` is the
# name of the document as names are compared.
PLACE_FIELDS: Final = (
    *nullable(pa.string(), "passage_id", "document", "document_key"),
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
        *nullable(pa.int64(), "n_in", "n_out"),
        ("latency_ms", pa.float64()),
    ]
)
# A call of a tool of an agent, or its answer.
CALL_FIELDS: Final = (
    *nullable(pa.int32(), "turn_pos", "call_pos"),
    *nullable(pa.string(), "tool_name", "arguments", "status", "stop_reason"),
    ("result_ids", pa.list_(pa.string())),
    ("result_scores", pa.list_(pa.float64())),
    ("passage_ids", pa.list_(pa.string())),
    *nullable(pa.int64(), "n_new", "observation_tokens", "context_tokens"),
    *nullable(pa.int64(), "input_tokens", "output_tokens"),
    *nullable(pa.float64(), "price_usd", "latency_ms"),
    ("call_id", pa.string()),
    ("is_changed", pa.bool_()),
    ("failure", pa.string()),
)
# ``shown`` holds the texts of documents that a trace names, from which its passages are found.
STEP_TYPE: Final = pa.struct(
    [
        *CALL_FIELDS,
        (
            "shown",
            pa.list_(
                pa.struct([("place", pa.int32()), ("document", pa.string()), ("text", pa.string())])
            ),
        ),
    ]
)
FAULT_TYPE: Final = pa.struct(
    [
        ("part", pa.string()),
        ("place", pa.int32()),
        *nullable(pa.string(), "fault_code", "detail"),
    ]
)

# What a record says; the same in the files of every system, in the folders of public sets and
# from services.
PREDICTION_FIELDS: Final = (
    *nullable(pa.string(), "record_form", "item_key", "question_text"),
    ("has_answer", pa.bool_()),
    ("answer_text", pa.string()),
    ("is_cut", pa.bool_()),
    *nullable(pa.string(), "answer", "scale", "program", "speaker", "role"),
    ("numeric_value", pa.float64()),
    ("unit", pa.string()),
    ("is_abstained", pa.bool_()),
    *nullable(pa.string(), "failure", "label", "label_by"),
    ("is_contained", pa.bool_()),
    ("configuration", pa.string()),
    ("citations", pa.list_(CITATION_TYPE)),
    ("sources", pa.list_(SOURCE_TYPE)),
    ("candidates", pa.list_(CANDIDATE_TYPE)),
    ("stages", pa.list_(STAGE_TYPE)),
    ("steps", pa.list_(STEP_TYPE)),
    *nullable(pa.string(), "model", "system_version"),
    *nullable(pa.int64(), "n_steps", "input_tokens", "output_tokens"),
    *nullable(pa.float64(), "latency_ms", "cost_usd"),
    ("extra", pa.string()),
    ("faults", pa.list_(FAULT_TYPE)),
)

PREDICTION_SCHEMA: Final = pa.schema(
    [pa.field("system_id", pa.string(), nullable=False), *FOUND_FIELDS, *PREDICTION_FIELDS]
)
