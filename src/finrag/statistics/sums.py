"""Sums that do not depend on the order of their terms."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

# Multiples of 2^-20 add up without rounding as far as 2^33.
_GRAIN: Final = 2.0**20


def exact_sums(belongs: Any, values: Floats) -> Floats:
    """Sums of rows by group, rounded once.

    A value is cut into a multiple of 2^-20, of which sums are exact, and a rest, of which sums
    err by less than the last bit of the whole. So ten times 0.1 is 1, and a mean is the same
    whatever the order of its values.

    Args:
        belongs: sparse matrix, groups x rows: how often a row counts in a group.
        values: rows x series; what is NaN makes the sums of its groups NaN.

    Returns:
        Groups x series.
    """
    coarse = np.rint(values * _GRAIN) / _GRAIN
    sums: Floats = belongs @ coarse + belongs @ (values - coarse)
    return sums


def membership(
    groups: npt.NDArray[np.int64], rows: npt.NDArray[np.int64], shape: tuple[int, int]
) -> Any:
    """The matrix for ``exact_sums`` of rows that stand in groups, each given by number."""
    from scipy.sparse import csr_array

    found = csr_array((np.ones(len(rows)), (groups, rows)), shape=shape)
    found.sort_indices()
    return found
