"""The random walk over files, factored through names.

With `R[i, u]` the square root of the references to name `i` in file `u` and `D[i, v] = 1` where
`v` defines it, the weight from `u` to `v` is `a[u] * sum_i R[i, u] * b[i] * D[i, v]`. No pair of
files is ever built: a step is one product with `R` and one with `D`, its cost the number of their
entries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pairwright.graph.kernel import products
from pairwright.graph.table import Entries, Table
from pairwright.graph.weights import (
    COMMON,
    COMMON_ABOVE,
    DAMPING,
    FROM_CHAT,
    MENTIONED,
    UNREFERENCED,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pairwright.graph.kernel import Product

    Floats = NDArray[np.float64]
    Longs = NDArray[np.int64]

MAX_STEPS = 200


@dataclass(frozen=True, slots=True, eq=False)
class Matrices:
    """A table made ready for walking.

    `used`: numbers of the names both defined and referenced, the rows of the products. `to_names`,
    `from_names`: R and its transpose; `to_files`: the transpose of D. `plain`: static multiplier
    by name. `definers`: files by name. `lonely`: entries of `table.defs` whose name nobody refers
    to, `lonely_names` their names.
    """

    table: Table
    used: Longs
    plain: Floats
    definers: Longs
    lonely: Longs
    lonely_names: Longs
    to_names: Product
    from_names: Product
    to_files: Product


class Flow(NamedTuple):
    """Where the walk ends up. `files`: rank by file, their sum is 1. `entries`: flow by entry of
    `table.defs`, which is what reaches that file through that name."""

    files: Floats
    entries: Floats
    steps: int


def matrices(table: Table) -> Matrices:
    """Make `table` ready; costs a pass over its entries."""
    import numpy as np

    width = len(table.paths)
    referenced = np.diff(table.refs.ends)
    definers = np.diff(table.defs.ends)
    is_used = (referenced > 0) & (definers > 0)
    ends, files, values = _rows(table.refs, is_used)
    to_names, from_names = products(ends, files, values, width)
    ends, files, _ = _rows(table.defs, is_used)
    _, to_files = products(ends, files, np.ones(len(files)), width)
    plain = table.shapes * np.where(definers > COMMON_ABOVE, COMMON, 1.0)
    owners = np.repeat(np.arange(len(definers)), definers)
    lonely = np.flatnonzero(referenced[owners] == 0)
    return Matrices(
        table,
        np.flatnonzero(is_used),
        plain,
        definers.astype(np.int64),
        lonely,
        owners[lonely],
        to_names,
        from_names,
        to_files,
    )


def walk(ready: Matrices, chat: Longs, mentioned: Longs, restart: Floats, tolerance: float) -> Flow:
    """Walk from `restart` (positive, sum 1) until a step moves less than `tolerance` in all.

    `chat`: numbers of the files in the chat; `mentioned`: numbers of the names in the request.
    """
    import numpy as np

    table, used = ready.table, ready.used
    boost = np.ones(len(table.names))
    boost[mentioned] = MENTIONED
    weights = (ready.plain * boost)[used]
    lonely = UNREFERENCED * boost[ready.lonely_names]
    lonely_files = table.defs.files[ready.lonely]
    referrer = np.ones(len(table.paths))
    referrer[chat] = FROM_CHAT
    own = np.bincount(lonely_files, lonely, len(table.paths))
    total = referrer * ready.from_names(weights * ready.definers[used]) + own
    dangling = total == 0.0
    share = np.where(dangling, 0.0, 1.0 / np.where(dangling, 1.0, total))
    outward, inward = referrer * share, own * share
    rank = restart
    steps = 0
    moved = np.inf
    while moved >= tolerance and steps < MAX_STEPS:
        arrived = ready.to_files(weights * ready.to_names(rank * outward)) + rank * inward
        lost = rank[dangling].sum()
        new = DAMPING * (arrived + lost * restart) + (1.0 - DAMPING) * restart
        moved = np.abs(new - rank).sum()
        rank = new
        steps += 1
    by_name = np.zeros(len(table.names))
    by_name[used] = weights * ready.to_names(rank * outward)
    entries = np.repeat(by_name, ready.definers)
    entries[ready.lonely] = (rank * share)[lonely_files] * lonely
    return Flow(rank, entries, steps)


def _rows(entries: Entries, wanted: NDArray[np.bool_]) -> Entries:
    """The rows of `entries` that are `wanted`."""
    import numpy as np

    if wanted.all():
        return entries
    counts = np.diff(entries.ends)
    keep = np.repeat(wanted, counts)
    ends = np.zeros(int(wanted.sum()) + 1, np.int32)
    np.cumsum(counts[wanted], out=ends[1:])
    return Entries(ends, entries.files[keep], entries.values[keep])
