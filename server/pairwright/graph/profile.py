"""The definitions of one text as bags of terms, ready to be matched: a function of path, text and
tags.

A term of the name counts more than one of the body, a term of the path belongs to every definition
of the file, and long definitions are levelled as BM25 does. Knows no request and no other file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from pairwright.graph.mentions import Mentions, mentions
from pairwright.graph.paths import path_terms
from pairwright.graph.weights import IN_NAME, IN_PATH, LEVEL, SATURATION, USUAL_SIZE, WIDEST
from pairwright.graph.words import flat
from pairwright.tags.types import Tags, parents
from pairwright.tags.words import key, keys_of, words_in

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Longs = NDArray[np.int64]

_KEY = 32
_KEYS = (1 << _KEY) - 1
_VALUES = frozenset(("constant", "variable", "field", "property"))

LARGEST = 1 << 20
"""Bytes of text from which definitions are not looked at one by one."""


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """The terms of each definition of a text, in the order of its tags.

    `names`: by definition. `keys`: the terms of the file, sorted. A posting says that definition
    `owners[i]` has term `keys[terms[i]]`: `inside[i]` if its text has it (and not only the path),
    with `gains[i]` (0 to 1 + SATURATION) as the factor of what the term is worth; the postings `named`
    are of terms in the definition's name. By definition: `kinds`, different terms in its text;
    `widths`, bytes of the line with its name; `outer`, the number of the one around it or -1;
    `values`, whether it is a constant, a variable or a field; `mentions`, the names.
    """

    names: tuple[str, ...]
    keys: NDArray[np.uint32]
    owners: NDArray[np.int32]
    terms: NDArray[np.int32]
    inside: NDArray[np.bool_]
    gains: NDArray[np.float32]
    named: NDArray[np.int64]
    kinds: NDArray[np.int64]
    widths: NDArray[np.int64]
    outer: NDArray[np.int64]
    values: NDArray[np.bool_]
    mentions: Mentions

    @property
    def size(self) -> int:
        """Bytes of the arrays, about."""
        names = 12 * len(self.mentions.owners) + 12 * len(self.mentions.keys)
        return names + 14 * len(self.owners) + 4 * len(self.keys) + 120 * len(self.names)


def profile(path: str, data: bytes, tags: Tags) -> Profile:
    """The definitions of the UTF-8 text `data`, whose tags these are. In a text larger than LARGEST
    they have the terms of their names and the path only."""
    import numpy as np

    names = tuple(item.name for item in tags.defs)
    count = len(names)
    # One number a term in a definition: 32 bits of key below those of the definition.
    body, times = _occurrences(data, tags) if len(data) <= LARGEST else _counted([], [])
    kinds = np.bincount(body >> _KEY, minlength=count)
    place = np.array([key(term) for term in sorted(path_terms(path))], np.int64)
    owners = np.repeat(np.arange(count), len(place)) << _KEY
    keys, parts = keys_of(name.encode("utf-8", "surrogatepass") for name in names)
    more = np.repeat(np.arange(count), parts) << _KEY | np.array(keys, np.int64)
    found, places = np.unique(
        np.concatenate((body, owners | np.tile(place, count), more)), return_inverse=True
    )
    weights = np.concatenate(
        (times, np.full(len(owners), IN_PATH), np.full(len(more), IN_NAME))
    ).astype(np.float64)
    counts = np.bincount(places, weights, len(found))
    inside = np.zeros(len(found), np.bool_)
    inside[places[: len(body)]] = True
    named = np.zeros(len(found), np.bool_)
    named[places[len(body) + len(owners) :]] = True
    known, terms = np.unique((found & _KEYS).astype(np.uint32), return_inverse=True)
    owner = found >> _KEY
    lengths = np.bincount(owner, counts, count)
    level = SATURATION * (1.0 - LEVEL + LEVEL * lengths / USUAL_SIZE)
    gains = counts * (SATURATION + 1.0) / (counts + level[owner])
    outer = parents(tags.defs)
    return Profile(
        names,
        known,
        owner.astype(np.int32),
        terms.astype(np.int32),
        inside,
        gains.astype(np.float32),
        np.flatnonzero(named),
        kinds,
        np.array([_width(data, item.name_start) for item in tags.defs], np.int64),
        np.array(outer, np.int64),
        np.array([item.kind in _VALUES for item in tags.defs], np.bool_),
        mentions(tags, outer),
    )


def _width(data: bytes, at: int) -> int:
    """Bytes of the line around `at`, as far as they matter."""
    end = data.find(b"\n", at, at + WIDEST)
    return min((end if end >= 0 else at + WIDEST) - data.rfind(b"\n", 0, at), WIDEST)


def _occurrences(data: bytes, tags: Tags) -> tuple[Longs, Longs]:
    """The terms in the text of each definition, sorted, and how often each occurs.

    Each word is looked at once, in the stretch between two ends of definitions that it stands in;
    it belongs to all definitions around that stretch.
    """
    words: list[bytes] = []
    lengths: list[int] = []
    around: list[list[int]] = []
    for low, high, owners in _stretches(tags):
        piece = words_in(data[low:high])
        words += piece
        lengths.append(len(piece))
        around.append(owners)
    return _counted(words, lengths, around)


def _stretches(tags: Tags) -> Iterator[tuple[int, int, list[int]]]:
    """(start, end, definitions around it) of each stretch that is in any definition."""
    starts: dict[int, list[int]] = {}
    for at, item in enumerate(tags.defs):
        starts.setdefault(item.start, []).append(at)
    bounds = sorted({*starts, *(item.end for item in tags.defs)})
    open_: list[int] = []
    for low, high in pairwise(bounds):
        open_ = [at for at in open_ if tags.defs[at].end > low] + starts.get(low, [])
        if open_:
            yield low, high, open_


class _Numbers(dict[bytes, int]):
    """Words numbered in the order in which they are first met."""

    def __missing__(self, word: bytes) -> int:
        number = self[word] = len(self)
        return number


def _counted(
    words: list[bytes], lengths: list[int], around: Sequence[Sequence[int]] = ()
) -> tuple[Longs, Longs]:
    import numpy as np

    numbers = _Numbers()
    ids = np.array([*map(numbers.__getitem__, words)], np.int64)
    keys, parts = keys_of(numbers)
    ends, known = np.cumsum([0, *parts]), np.array(keys, np.int64)
    stretch = np.repeat(np.arange(len(lengths)), lengths)
    # Words of a stretch that occur in it more than once are counted before they are taken apart.
    pairs, often = np.unique(stretch * max(len(numbers), 1) + ids, return_counts=True)
    stretch, ids = np.divmod(pairs, max(len(numbers), 1))
    sizes = ends[ids + 1] - ends[ids]
    terms, stretch = known[flat(ends[ids], sizes)], np.repeat(stretch, sizes)
    often = np.repeat(often, sizes)
    depth = np.array([len(owners) for owners in around], np.int64)
    chain = np.array([owner for owners in around for owner in owners], np.int64)
    begins = np.cumsum(depth) - depth
    sizes = depth[stretch]
    owners = chain[flat(begins[stretch], sizes)]
    found, places = np.unique(owners << _KEY | np.repeat(terms, sizes), return_inverse=True)
    return found, np.bincount(places, np.repeat(often, sizes), len(found)).astype(np.int64)
