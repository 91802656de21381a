"""The words by which figures of revenue are read, from the seed `revenue_view_patterns`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Self


@dataclass(frozen=True)
class Patterns:
    """One compiled pattern a meaning; each is matched in lower case."""

    generic_label: re.Pattern[str]
    named_total: re.Pattern[str]
    reconciling: re.Pattern[str]
    not_revenue: re.Pattern[str]
    not_revenue_title: re.Pattern[str]
    geography: re.Pattern[str]
    geography_title: re.Pattern[str]
    geography_axis: re.Pattern[str]
    segment_title: re.Pattern[str]
    segment_axis: re.Pattern[str]
    product_title: re.Pattern[str]
    product_axis: re.Pattern[str]

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]]) -> Self:
        """The rows of the seed: `meaning` and `pattern`.

        Raises:
            ValueError: a meaning has no row.
        """
        found: dict[str, list[str]] = {}
        for row in rows:
            found.setdefault(row["meaning"], []).append(row["pattern"])
        for field in fields(cls):
            if field.name not in found:
                raise ValueError(f"revenue_view_patterns has no row of meaning {field.name}")
        return cls(**{field.name: re.compile("|".join(found[field.name])) for field in fields(cls)})
