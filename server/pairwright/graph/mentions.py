"""Which names the definitions of a text have and refer to, as numbers; and what ties them to a chat.

A definition belongs to the chat if it refers to what the chat defines, or if the chat refers to it by
its name; rare names say more. Knows no types: a name is a name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pairwright.graph.weights import CALLS_COUNTED
from pairwright.tags.types import Tags
from pairwright.tags.words import key

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Keys = NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class Mentions:
    """The names of one text, by their keys. `own`: of each definition, in the order of the tags.
    `keys`: of all names referred to, sorted; `times`: how often each is. Definition `owners[i]`
    itself, and none inside it, refers to `keys[names[i]]` `counts[i]` times."""

    own: Keys
    keys: Keys
    times: NDArray[np.int64]
    owners: NDArray[np.int32]
    names: NDArray[np.int32]
    counts: NDArray[np.int32]


def mentions(tags: Tags, outer: Sequence[int]) -> Mentions:
    """The names of `tags`. `outer`: of each definition the number of the one around it, or -1."""
    import numpy as np

    own = np.array([key(item.name) for item in tags.defs], np.uint32)
    spelled = {name: key(name) for name in dict.fromkeys(tags.ref_names)}
    found = np.array([spelled[name] for name in tags.ref_names], np.uint32)
    keys, names, times = np.unique(found, return_inverse=True, return_counts=True)
    places = np.array(tags.ref_starts, np.int64)
    starts = np.array([item.start for item in tags.defs], np.int64)
    # Behind the last definition stands what -1 leads to: the file, which has no end.
    ends = np.array([*(item.end for item in tags.defs), np.iinfo(np.int64).max], np.int64)
    around = np.array([*outer, -1], np.int64)
    owners = np.searchsorted(starts, places, side="right") - 1
    while (left := ends[owners] <= places).any():
        owners[left] = around[owners[left]]
    inside = owners >= 0
    pairs = owners[inside] * max(len(keys), 1) + names[inside]
    pairs, counts = np.unique(pairs, return_counts=True)
    owner, name = np.divmod(pairs, max(len(keys), 1))
    return Mentions(
        own,
        keys,
        times.astype(np.int64),
        owner.astype(np.int32),
        name.astype(np.int32),
        counts.astype(np.int32),
    )


def tied(chat: Sequence[Mentions], found: Sequence[Mentions]) -> tuple[Floats, Floats]:
    """What ties each definition of the texts `found`, one after another, to the `chat`: the names of
    the chat's that it refers to, and its own name in the chat. A name is worth more the fewer of all
    these texts refer to it."""
    import numpy as np

    defined = np.unique(np.concatenate([one.own for one in chat]))
    keys = np.unique(np.concatenate([defined, *(one.keys for one in chat)]))
    sizes = np.array([len(one.own) for one in found])
    if not len(keys):
        return np.zeros(int(sizes.sum())), np.zeros(int(sizes.sum()))
    all_ = np.concatenate([one.keys for one in (*chat, *found)])
    place, is_known = _places(keys, all_)
    files = np.bincount(place[is_known], minlength=len(keys))
    total = len(chat) + len(found)
    worth = np.log1p((total - files + 0.5) / (files + 0.5))
    times = np.zeros(len(keys))
    for one in chat:
        times[np.searchsorted(keys, one.keys)] += one.times
    named, bases = np.array([len(one.keys) for one in found]), np.cumsum(sizes) - sizes
    firsts = np.cumsum(named) - named
    owners = np.concatenate([one.owners + base for one, base in zip(found, bases, strict=True)])
    names = np.concatenate([one.names + first for one, first in zip(found, firsts, strict=True)])
    counts = np.minimum(np.concatenate([one.counts for one in found]), CALLS_COUNTED)
    theirs = len(all_) - int(named.sum())
    place, is_known = place[theirs:], is_known[theirs:]
    called = np.where(is_known & np.isin(keys, defined)[place], worth[place], 0.0)
    calls = np.bincount(owners, called[names] * counts, int(sizes.sum())).astype(np.float64)
    place, is_known = _places(keys, np.concatenate([one.own for one in found]))
    return calls, np.where(is_known, np.log1p(times[place]) * worth[place], 0.0)


def _places(keys: Keys, wanted: Keys) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The place of each of `wanted` in the sorted `keys`, and whether it is there."""
    import numpy as np

    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return place, keys[place] == wanted
