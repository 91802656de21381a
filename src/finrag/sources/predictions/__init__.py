"""The user's own systems: answers and rankings read from their files.

`read_predictions` turns the files of every system of the kind ``external_file`` into one row per
raw record, good or bad; `finrag.services` gives the same columns for systems of the kind
``external_http``. Whether a question or a sentence exists is found in SQL.
"""

from finrag.sources.predictions.files import (
    PREDICTION_SUFFIXES,
    find_predictions,
    hash_predictions,
    holds_answers,
    read_predictions,
)
from finrag.sources.predictions.schema import PREDICTION_SCHEMA

__all__ = [
    "PREDICTION_SCHEMA",
    "PREDICTION_SUFFIXES",
    "find_predictions",
    "hash_predictions",
    "holds_answers",
    "read_predictions",
]
