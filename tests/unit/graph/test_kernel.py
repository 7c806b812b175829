"""Products by scipy and by numpy: the same to the last bit, so that no map tells which was loaded."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from pairwright.graph import kernel


def table(seed: int, height: int, width: int) -> tuple[NDArray[np.int32], ...]:
    """Row ends, columns ascending within a row, and values as a graph has them."""
    random = np.random.default_rng(seed)
    filled = random.random((height, width)) < 0.2
    rows, columns = np.nonzero(filled)
    ends = np.zeros(height + 1, np.int32)
    np.cumsum(np.bincount(rows, minlength=height), out=ends[1:])
    values = np.sqrt(random.integers(1, 40, len(columns)).astype(np.float64))
    return ends, columns.astype(np.int32), values


@pytest.mark.parametrize(
    ("seed", "height", "width"), [(1, 60, 40), (2, 3, 500), (3, 500, 3), (4, 0, 5)]
)
def test_both_kernels_give_the_same_bits(seed: int, height: int, width: int) -> None:
    assert kernel.preload() == "scipy"
    ends, columns, values = table(seed, height, width)
    random = np.random.default_rng(seed + 100)
    by_column, by_row = random.random(width), random.random(height)
    loaded = kernel.products(ends, columns, values, width)
    plain = kernel._plain(ends, columns, values, width)
    assert loaded[0].__qualname__ != plain[0].__qualname__
    for one, other, vector in zip(loaded, plain, (by_column, by_row), strict=True):
        assert one(vector).tobytes() == other(vector).tobytes()
