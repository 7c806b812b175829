"""The definitions of one repository as postings, and what a request finds among them.

BM25 over fields: a definition has the words of its name, of what is around it, of its path, its signature and its
body, and of the names of what refers to it. A word repeated in a body or a request says little more than once, so
its logarithm counts. Pure: units in, hits out, the same whatever the order of the files; knows no disk. numpy is
imported at the first use.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Any, NamedTuple

from pairwright.reference.content import FUNCTIONS, Unit, name_key
from pairwright.reference.stems import all_keys
from pairwright.tags.words import words_in

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Longs = NDArray[np.int64]
    Numbers = NDArray[np.uint32]
    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]

NAME, OUTER, PATH, HEAD, BODY, CALLERS = 6.0, 3.0, 2.0, 1.0, 1.0, 0.5
"""What a word is worth by where it stands; fitted on docstrings, see docs/references.md."""

K1 = 3.0
B = 0.75
CONTAINER = 0.6
"""Classes and modules hold the words of everything in them; a function is the likelier answer."""

UNSEEN = 0.5
"""What a word that occurs nowhere counts against the best answer, as a share of one that occurs once."""

FLOOR = 0.06
"""Least share of the points that a perfect answer would have; below it a definition is not shown."""

EVIDENCE = 0.85
"""Least that the share of one of the best answers comes to, times one more than the words of the request that it has;
below it nothing was found. A few words in common are chance, so a long request needs more of them; fitted on requests
for what other repositories do, see docs/references.md."""

_BEST = 5

_COMMON = frozenset(
    (
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "by",
        "can",
        "do",
        "does",
        "for",
        "from",
        "has",
        "how",
        "if",
    )
).union(
    ("in", "into", "is", "it", "its", "of", "on", "or", "that", "the", "their", "them", "then"),
    ("there", "this", "to", "was", "what", "when", "where", "which", "will", "with", "would"),
)
_SHARED = 5
"""A name with more definitions than this says nothing about who refers to which."""


class Place(NamedTuple):
    """A definition that can be found. `number`: among those of the file at `path`. `uses`: functions elsewhere that
    refer to its name, 0 where many definitions share it."""

    path: str
    number: int
    kind: str
    name: str
    uses: int


@dataclass(frozen=True, slots=True)
class Hit:
    """One definition found; see Place, whose `number` is `index`. `share`: its points of those a perfect answer would
    have, 0 to 1."""

    path: str
    index: int
    name: str
    kind: str
    uses: int
    share: float


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """The word `keys[i]`, ascending, gives `points[ends[i]:ends[i + 1]]` to the places `owners[...]`."""

    places: tuple[Place, ...]
    keys: Numbers
    ends: Numbers
    owners: Numbers
    points: Singles
    factor: Floats
    """By place: what its points count."""

    @classmethod
    def of(cls, files: Mapping[str, Sequence[Unit]]) -> Index:
        """The index of the units by path."""
        import numpy as np

        units = [unit for path in sorted(files) for unit in files[path]]
        callers, uses = _callers(units)
        fields = [*_fields(files), callers]
        owners, keys, values = (np.concatenate(part) for part in zip(*fields, strict=True))
        named = ((path, unit) for path in sorted(files) for unit in files[path])
        places = tuple(
            Place(path, unit.index, unit.kind, unit.label, count)
            for (path, unit), count in zip(named, uses, strict=True)
        )
        packed = keys.astype(np.uint64) << np.uint64(32) | owners.astype(np.uint64)
        order = np.argsort(packed, kind="stable")
        packed, values = packed[order], values[order]
        firsts = _firsts(packed)
        summed = np.add.reduceat(values, firsts) if len(packed) else values
        packed = packed[firsts]
        all_ = (packed >> np.uint64(32)).astype(np.int64)
        starts = _firsts(all_)
        ends = np.append(starts, len(all_))
        held = np.diff(ends)
        points = summed * (K1 + 1) / (summed + K1) * np.repeat(_idf(len(units), held), held)
        return cls(
            places,
            all_[starts].astype("<u4"),
            ends.astype("<u4"),
            (packed & np.uint64(0xFFFFFFFF)).astype("<u4"),
            points.astype("<f4"),
            factors(places),
        )

    def search(
        self, request: str, limit: int = 5, floor: float = FLOOR, evidence: float = EVIDENCE
    ) -> tuple[Hit, ...]:
        """The best `limit` units for `request` that reach `floor`, best first; none at all where none of the first
        few has the `evidence`."""
        import numpy as np

        wanted = _wanted(request)
        if not wanted or not self.places:
            return ()
        total = np.zeros(len(self.places))
        met = np.ones(len(self.places))
        perfect = 0.0
        for number in sorted(wanted):
            weight = 1 + log(wanted[number])
            at = int(np.searchsorted(self.keys, number))
            if at == len(self.keys) or self.keys[at] != number:
                perfect += UNSEEN * weight * float(_idf(len(self.places), 1)) * (K1 + 1)
                continue
            low, high = int(self.ends[at]), int(self.ends[at + 1])
            total[self.owners[low:high]] += weight * self.points[low:high].astype(np.float64)
            met[self.owners[low:high]] += 1
            perfect += weight * float(_idf(len(self.places), high - low)) * (K1 + 1)
        total *= self.factor
        # Rounded, so that a sum in another order makes no other tie.
        share = np.round(total / perfect, 9)
        best = np.argsort(-share, kind="stable")[: max(limit, _BEST)]
        if (share[best[:_BEST]] * met[best[:_BEST]]).max() < evidence:
            return ()
        return tuple(
            Hit(place.path, place.number, place.name, place.kind, place.uses, float(share[at]))
            for at in best[:limit].tolist()
            if share[at] >= floor and share[at] > 0
            for place in (self.places[at],)
        )


def factors(places: Sequence[Place]) -> Floats:
    """What the points of each place count."""
    import numpy as np

    return np.array([1.0 if p.kind in FUNCTIONS else CONTAINER for p in places], np.float64)


def _idf(size: int, held: Any) -> Any:
    """What a word is worth that `held` of `size` definitions have."""
    import numpy as np

    return np.log(1 + (max(1, size) - held + 0.5) / (held + 0.5))


def _wanted(request: str) -> Counter[int]:
    """How often each word of `request` occurs in it, without those that say nothing about code; all of them if
    there are no others."""
    words = words_in(request.encode("utf-8", "surrogatepass"))
    told = [word for word in words if word.lower().decode("utf-8", "replace") not in _COMMON]
    return Counter(all_keys(told or words))


def _firsts(values: NDArray[Any]) -> Longs:
    """Where in the sorted `values` another one begins."""
    import numpy as np

    return np.flatnonzero(np.append(values[:1] == values[:1], values[1:] != values[:-1]))


def _fields(files: Mapping[str, Sequence[Unit]]) -> list[tuple[Longs, Longs, Floats]]:
    """Owners, keys and weighted, levelled counts of every field."""
    import numpy as np

    rows: dict[float | str, list[Sequence[int]]] = {
        k: [] for k in ("name", "outer", "path", "head", "body")
    }
    counts: list[bytes] = []
    for path in sorted(files):
        mine = files[path]
        stem = all_keys(words_in(path.rpartition(".")[0].encode("utf-8", "surrogatepass")))
        for unit in mine:
            rows["name"].append(unit.name)
            rows["outer"].append(_outer(mine, unit))
            rows["path"].append(stem)
            rows["head"].append(unit.head)
            rows["body"].append(unit.body)
            counts.append(unit.counts)
    often = 1 + np.log(np.maximum(np.frombuffer(b"".join(counts), np.uint8), 1).astype(np.float64))
    return [
        _field(NAME, rows["name"]),
        _field(OUTER, rows["outer"]),
        _field(PATH, rows["path"]),
        _field(HEAD, rows["head"]),
        _field(BODY, rows["body"], often),
    ]


def _outer(units: Sequence[Unit], unit: Unit) -> list[int]:
    """The words of the names of what is around `unit`."""
    found: list[int] = []
    up = unit.parent
    while up >= 0:
        found += units[up].name
        up = units[up].parent
    return found


def _field(
    weight: float, rows: Sequence[Sequence[int]], values: Floats | None = None
) -> tuple[Longs, Longs, Floats]:
    import numpy as np

    sizes = np.array([len(row) for row in rows], np.int64)
    # Row by row: one long list turned into an array would hold the interpreter for a tenth of a second.
    blob = b"".join([array("I", row).tobytes() for row in rows])
    flat = np.frombuffer(blob, np.uint32).astype(np.int64)
    return _levelled(weight, np.repeat(np.arange(len(rows)), sizes), flat, values, len(rows))


def _levelled(
    weight: float, owners: Longs, keys: Longs, values: Floats | None, size: int
) -> tuple[Longs, Longs, Floats]:
    """The counts divided by how long the field is here against its average."""
    import numpy as np

    counts = np.ones(len(keys)) if values is None else values
    length = np.bincount(owners, counts, size)
    average = float(length.mean()) if size else 0.0
    norm = 1 - B + B * length / average if average else np.ones(size)
    return owners, keys, weight * counts / norm[owners]


def _callers(units: Sequence[Unit]) -> tuple[tuple[Longs, Longs, Floats], list[int]]:
    """To each unit the words of the names of the functions that refer to its name, if few share the name, and how
    many these are."""
    import numpy as np

    named: dict[int, list[int]] = {}
    for at, unit in enumerate(units):
        named.setdefault(name_key(unit.label), []).append(at)
    few = {number: places for number, places in named.items() if len(places) <= _SHARED}
    owners, keys = array("q"), array("q")
    uses = [0] * len(units)
    for at, unit in enumerate(units):
        if unit.kind not in FUNCTIONS:
            continue
        for place in (p for ref in unit.refs for p in few.get(ref, ()) if p != at):
            owners.extend([place] * len(unit.name))
            keys.extend(unit.name)
            uses[place] += 1
    places, words = np.frombuffer(owners, np.int64), np.frombuffer(keys, np.int64)
    return _levelled(CALLERS, places, words, None, len(units)), uses
