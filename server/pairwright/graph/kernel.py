"""Sparse products: scipy's, or numpy's for small tables and where scipy cannot be imported. Same sums
in the same order, so that no result tells which it was.

Importing scipy takes as long as ranking a small repository ten times. A half-installed wheel raises
more than ImportError at import, so every such failure means "not there".
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Product = Callable[[NDArray[np.float64]], NDArray[np.float64]]

_BROKEN = (ImportError, OSError, AttributeError, ValueError, RuntimeError, SyntaxError, SystemError)

LARGE = 100_000
"""Entries of a table from which scipy is worth its import."""


def preload(entries: int = LARGE) -> str:
    """Import what the first ranking of about so many `entries` needs, away from any hurry; "scipy" or
    "numpy", whichever serves."""
    import numpy  # noqa: F401

    return "numpy" if _sparse(entries) is None else "scipy"


def products(
    ends: NDArray[np.int32],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    width: int,
) -> tuple[Product, Product]:
    """The matrix with row `i` in `ends[i]:ends[i + 1]`, as two products: with a vector of `width`
    columns, and of its transpose with a vector of rows. Columns ascend within a row."""
    sparse = _sparse(len(columns))
    if sparse is None:
        return _plain(ends, columns, values, width)
    height = len(ends) - 1
    by_row = sparse.csr_array((values, columns, ends), shape=(height, width))
    by_column = sparse.csc_array((values, columns, ends), shape=(width, height))
    return by_row.__matmul__, by_column.__matmul__


def _plain(
    ends: NDArray[np.int32],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    width: int,
) -> tuple[Product, Product]:
    import numpy as np

    height = len(ends) - 1
    # In the width of an index, or every product would widen them anew.
    rows = np.repeat(np.arange(height), np.diff(ends))
    places = columns.astype(np.intp)

    def forward(vector: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(rows, values * vector[places], height).astype(np.float64, copy=False)

    def backward(vector: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(places, values * vector[rows], width).astype(np.float64, copy=False)

    return forward, backward


def _sparse(entries: int) -> Any:
    # What is loaded already costs nothing.
    if entries < LARGE and "scipy.sparse" not in sys.modules:
        return None
    try:
        import scipy.sparse
    except _BROKEN:
        return None
    return scipy.sparse
