"""Reading the wording: the prose and the casts of the sample, which stand in YAML files."""

from pathlib import Path
from typing import Final, TypeVar

from finrag.records.typed_yaml import read_typed

FOLDER: Final = Path(__file__).parent / "wording"
T = TypeVar("T")


def read_wording(name: str, kind: type[T]) -> T:
    """Read one file of the wording, given as its stem in ``FOLDER``; see ``read_typed``."""
    return read_typed(FOLDER / f"{name}.yml", kind)
