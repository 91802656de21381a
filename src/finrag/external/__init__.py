"""The user's own systems: answers and rankings read from their files, or asked of a service.

`read_predictions` turns the files of every system of the kind ``external_file`` into one row per
raw record, good or bad; `ask_services` gives the same columns for systems of the kind
``external_http``. Whether a question or a sentence exists is found in SQL.
"""

from finrag.external.files import (
    PREDICTION_SUFFIXES,
    find_predictions,
    hash_predictions,
    read_predictions,
)
from finrag.external.schema import PREDICTION_SCHEMA
from finrag.external.service import ask_services, check_address

__all__ = [
    "PREDICTION_SCHEMA",
    "PREDICTION_SUFFIXES",
    "ask_services",
    "check_address",
    "find_predictions",
    "hash_predictions",
    "read_predictions",
]
