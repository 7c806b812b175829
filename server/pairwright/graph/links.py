"""Static references between files: which file names what another defines.

Names link files of one language family, and only where they say something; see `links`. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from pairwright.graph.table import Table
from pairwright.graph.weights import COMMON_ABOVE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]

SHORT = 8
"""Letters up to which a word in small letters is likely to be the language's own."""

_EVERYWHERE = 0.05
_SOME = 0.01
_NOT_FEW = 10
_FAMILY_LINES = (
    "py pyi pyx",
    "js jsx ts tsx mjs cjs mts cts vue svelte html",
    "c h cc cpp cxx hpp hh hxx ipp m mm cu",
    "java kt kts scala groovy",
    "css scss less",
)
_FAMILIES = {word: line.split()[0] for line in _FAMILY_LINES for word in line.split()}


class Links(NamedTuple):
    """Static references between files: `source` and `target` file numbers, sorted, and `weight`."""

    source: Ints
    target: Ints
    weight: Floats


def links(table: Table, most: int = COMMON_ABOVE) -> Links:
    """Who refers to whom. Names link files of one language family; a name that more than `most`
    files define, one that looks like the language's own, and one that the referring file defines
    link nobody."""
    import numpy as np

    width = len(table.paths)
    used, made = np.diff(table.refs.ends), np.diff(table.defs.ends)
    wanted = (used > 0) & (made > 0) & (made <= most) & ~plain(table, used)
    owner = np.repeat(np.arange(len(used)), used)
    refs = np.flatnonzero(wanted[owner])
    name = owner[refs]
    # One row for each reference and each file that defines its name.
    which = np.repeat(np.arange(len(refs)), made[name])
    source = table.refs.files[refs].astype(np.int64)[which]
    step = np.arange(len(which)) - np.repeat(np.cumsum(made[name]) - made[name], made[name])
    target = table.defs.files[table.defs.ends[name].astype(np.int64)[which] + step].astype(np.int64)
    worth = table.refs.values[refs] * table.shapes[name] / made[name]
    is_own = np.zeros(len(refs), np.bool_)
    is_own[which[source == target]] = True
    kin = families(table.paths)
    kept = ~is_own[which] & (kin[source] == kin[target])
    pair, back = np.unique(source[kept] * width + target[kept], return_inverse=True)
    return Links(
        pair // width,
        pair % width,
        np.bincount(back, worth[which][kept], len(pair)).astype(np.float64),
    )


def plain(table: Table, used: NDArray[np.int32]) -> Flags:
    """Words in small letters that are used everywhere, as `append` or `list`: most uses mean the
    language's own. Of a short word less is enough."""
    import numpy as np

    count = len(table.paths)
    found = np.zeros(len(used), np.bool_)
    for name in np.flatnonzero(used > max(_NOT_FEW, _SOME * count)).tolist():
        text = table.names[name]
        if text.islower() and "_" not in text.strip("_"):
            share = _SOME if len(text) <= SHORT else _EVERYWHERE
            found[name] = used[name] > max(_NOT_FEW, share * count)
    return found


def families(paths: Sequence[str]) -> Ints:
    import numpy as np

    names = [family(path) for path in paths]
    number = {name: index for index, name in enumerate(sorted(set(names)))}
    return np.array([number[name] for name in names], np.int64)


def family(path: str) -> str:
    """What the languages that can name each other's definitions are called together, by the extension of `path`."""
    end = kind(path).lower()
    return _FAMILIES.get(end, end)


def kind(path: str) -> str:
    base = path.rpartition("/")[2]
    return base.rpartition(".")[2] if "." in base[1:] else base
