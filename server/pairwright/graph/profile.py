"""The definitions of one text as bags of terms, ready to be matched: a function of path, text and
tags.

A term of the name counts more than one of the body, a term of the path belongs to every definition
of the file, and long definitions are levelled as BM25 does. Knows no request and no other file.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pairwright.graph.paths import path_terms
from pairwright.graph.weights import IN_NAME, IN_PATH, LEVEL, SATURATION, USUAL_SIZE
from pairwright.tags.types import Tags
from pairwright.tags.words import key, split, tally

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LARGEST = 1 << 20
"""Bytes of text from which definitions are not looked at one by one."""


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """The terms of each definition of a text, in the order of its tags.

    `names`: by definition. `keys`: the terms of the file, sorted. A posting says that definition
    `owners[i]` has term `keys[terms[i]]`: `inside[i]` if its text has it (and not only the path),
    with `gains[i]` (0 to 1 + SATURATION) as the factor of what the term is worth. `kinds`: different
    terms in the text of a definition.
    """

    names: tuple[str, ...]
    keys: NDArray[np.uint32]
    owners: NDArray[np.int32]
    terms: NDArray[np.int32]
    inside: NDArray[np.bool_]
    gains: NDArray[np.float32]
    kinds: NDArray[np.int64]

    @property
    def size(self) -> int:
        """Bytes of the arrays, about."""
        return 13 * len(self.owners) + 4 * len(self.keys) + 100 * len(self.names)


def profile(path: str, data: bytes, tags: Tags) -> Profile:
    """The definitions of the UTF-8 text `data`, whose tags these are. In a text larger than LARGEST
    they have no terms."""
    import numpy as np

    bags = [] if len(data) > LARGEST else [tally(data[d.start : d.end]) for d in tags.defs]
    kinds = [len(bag) for bag in bags] or [0] * len(tags.defs)
    place = sorted(key(term) for term in path_terms(path))
    keys, counts, sizes, inside = array("I"), array("q"), array("q"), bytearray()
    for item, bag in zip(tags.defs, bags, strict=False):
        own = len(bag)
        for number in place:
            bag[number] = bag.get(number, 0) + IN_PATH
        for term in split(item.name):
            bag[key(term)] += IN_NAME
        keys.extend(bag)
        counts.extend(bag.values())
        sizes.append(len(bag))
        inside += b"\x01" * own + b"\x00" * (len(bag) - own)
    owners = np.repeat(np.arange(len(sizes), dtype=np.int32), np.array(sizes, np.int64))
    found = np.array(counts, np.float64)
    lengths = np.bincount(owners, found, len(sizes))
    level = SATURATION * (1.0 - LEVEL + LEVEL * lengths / USUAL_SIZE)
    unique, terms = np.unique(np.array(keys, np.uint32), return_inverse=True)
    # Sums are taken in the order of keys, whatever the order in which a text has its terms.
    order = np.lexsort((terms, owners))
    gains = found * (SATURATION + 1.0) / (found + level[owners])
    return Profile(
        tuple(item.name for item in tags.defs),
        unique,
        owners[order],
        terms[order].astype(np.int32),
        np.frombuffer(bytes(inside), np.bool_)[order],
        gains[order].astype(np.float32),
        np.array(kinds, np.int64),
    )
