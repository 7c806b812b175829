"""The random walk over files, factored through names.

With `R[i, u]` the square root of the references to name `i` in file `u` and `D[i, v] = 1` where
`v` defines it, the weight from `u` to `v` is `a[u] * sum_i R[i, u] * b[i] * D[i, v]`. No pair of
files is ever built: a step is one product with `R` and one with `D`, its cost the number of their
entries.

What ends in a file that leads nowhere restarts, so the rank is the solution of `y = d * P y + v`
divided by its sum, with `v` the restart vector: no such file is looked at on the way. The solution
is searched for, not walked to (see `solve`), in half the steps and closer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pairwright.graph.kernel import products
from pairwright.graph.solve import solve
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


@dataclass(frozen=True, slots=True, eq=False)
class Matrices:
    """A table made ready for walking.

    `active`: numbers of the files with any entry, the columns of the products. `used`: numbers of the
    names both defined and referenced, their rows. `to_names`, `from_names`: R and its transpose;
    `to_files`: the transpose of D. `plain`: static multiplier by name. `definers`: files by name.
    `lonely`: entries of `table.defs` whose name nobody refers to, `lonely_names` their names,
    `lonely_files` their places in `active`.
    """

    table: Table
    active: Longs
    used: Longs
    plain: Floats
    definers: Longs
    lonely: Longs
    lonely_names: Longs
    lonely_files: Longs
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

    active, place = _active(table)
    referenced = np.diff(table.refs.ends)
    definers = np.diff(table.defs.ends)
    is_used = (referenced > 0) & (definers > 0)
    ends, files, values = _rows(table.refs, is_used)
    to_names, from_names = products(ends, place[files], values, len(active))
    ends, files, _ = _rows(table.defs, is_used)
    _, to_files = products(ends, place[files], np.ones(len(files)), len(active))
    plain = table.shapes * np.where(definers > COMMON_ABOVE, COMMON, 1.0)
    owners = np.repeat(np.arange(len(definers)), definers)
    lonely = np.flatnonzero(referenced[owners] == 0)
    return Matrices(
        table,
        active,
        np.flatnonzero(is_used),
        plain,
        definers.astype(np.int64),
        lonely,
        owners[lonely],
        place[table.defs.files[lonely]].astype(np.int64),
        to_names,
        from_names,
        to_files,
    )


def walk(ready: Matrices, chat: Longs, mentioned: Longs, restart: Floats, tolerance: float) -> Flow:
    """Where a walk from `restart` (positive, sum 1) ends up, to within `tolerance` of what a step
    still moves in all.

    `chat`: numbers of the files in the chat; `mentioned`: numbers of the names in the request.
    """
    import numpy as np

    table, used, count = ready.table, ready.used, len(ready.active)
    boost = np.ones(len(table.names))
    boost[mentioned] = MENTIONED
    weights = (ready.plain * boost)[used]
    lonely = UNREFERENCED * boost[ready.lonely_names]
    factors = np.ones(len(table.paths))
    factors[chat] = FROM_CHAT
    referrer = factors[ready.active]
    own = np.bincount(ready.lonely_files, lonely, count)
    total = referrer * ready.from_names(weights * ready.definers[used]) + own
    dangling = total == 0.0
    share = np.where(dangling, 0.0, 1.0 / np.where(dangling, 1.0, total))
    outward, inward = referrer * share, own * share

    def step(rank: Floats) -> Floats:
        arrived = ready.to_files(weights * ready.to_names(rank * outward))
        return DAMPING * (arrived + rank * inward)

    rank, steps = solve(step, restart[ready.active], tolerance)
    files = restart.copy()
    files[ready.active] = rank
    scale = 1.0 / files.sum()
    rank = rank * scale
    by_name = np.zeros(len(table.names))
    by_name[used] = weights * ready.to_names(rank * outward)
    entries = np.repeat(by_name, ready.definers)
    entries[ready.lonely] = (rank * share)[ready.lonely_files] * lonely
    return Flow(files * scale, entries, steps)


def _active(table: Table) -> tuple[Longs, NDArray[np.int32]]:
    """The files with any entry, and the place among them of each (0 for the others)."""
    import numpy as np

    is_active = np.zeros(len(table.paths), np.bool_)
    is_active[table.refs.files] = True
    is_active[table.defs.files] = True
    active = np.flatnonzero(is_active)
    place = np.zeros(len(table.paths), np.int32)
    place[active] = np.arange(len(active))
    return active, place


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
