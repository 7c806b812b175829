"""Which files use which terms how often: postings of all files, immutable and canonical.

An immutable base in arrays, and over it the bags of files replaced since, which are looked through
at every question and folded in the background only. Files are numbered as in the sorted paths. The
same bags give the same answers, whatever the order or the edits that led to them. Knows no ranking;
numpy is imported at the first question.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from pairwright.tags.words import NO_WORDS, Bag

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]
    Packed = NDArray[np.uint64]
    Floats = NDArray[np.float64]

# A posting on its way into the arrays is one number, so that one sort orders all: 32 bits of key, 24
# of file, 8 of count.
_KEY = 32
_FILE = 8
_FILE_MASK = (1 << 24) - 1
_COUNT_MASK = (1 << 8) - 1
# Postings worked on at a time: bounds what is needed beside the result.
_BLOCK = 1 << 21


class Postings(NamedTuple):
    """The files that use one term: numbers in the sorted paths, ascending; how often (1 to 255)."""

    files: Ints
    counts: Ints


@dataclass(frozen=True, slots=True, eq=False)
class _Base:
    """The term `keys[i]` is in the files `ends[i]:ends[i + 1]`. `files`: 16 bits where that is
    enough for their numbers, else 32. `totals`: terms by file."""

    paths: tuple[str, ...]
    keys: NDArray[np.uint32]
    ends: Longs
    files: NDArray[Any]
    counts: NDArray[np.uint8]
    totals: Longs


class _Source:
    """The base, made from bags when first asked for; shared by everything derived from it."""

    __slots__ = ("_bags", "_base", "_held")

    def __init__(self, bags: Mapping[str, Bag], base: _Base | None = None) -> None:
        self._bags = bags
        self._base = base
        self._held: dict[int, Bag] = {}

    def base(self) -> _Base:
        # The bags are let go after the base is there, so whoever meets none of them meets the base.
        bags = self._bags
        if self._base is None:
            self._base = _build(bags)
            self._bags = {}
        return self._base

    def bag(self, file: int) -> Bag:
        """What the base holds of the file with this number. Costs a pass over the arrays, once."""
        found = self._held.get(file)
        if found is None:
            found = self._held[file] = _bag(self.base(), file)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class _Over:
    """What lies over the base. `number`: of each base file now, -1 if it is gone or replaced, None
    if all stand; `bags`: the replacing ones by ascending number; `totals` of all files."""

    paths: tuple[str, ...]
    number: Ints | None
    bags: Sequence[tuple[int, Bag]]
    totals: Longs
    size: int
    sum: int


class Words:
    """The words of all files at one moment."""

    __slots__ = ("_memo", "_overlay", "_source")

    def __init__(self, source: _Source, overlay: Mapping[str, Bag | None]) -> None:
        self._source = source
        self._overlay = overlay
        self._memo: _Over | None = None

    @classmethod
    def of(cls, bags: Mapping[str, Bag]) -> Words:
        """The words of files by path. Costs nothing until something is asked."""
        return cls(_Source(bags), {})

    def replace(self, bags: Mapping[str, Bag | None]) -> Words:
        """These words with each path of `bags` replaced, added or (None) removed."""
        if not bags:
            return self
        return Words(self._source, {**self._overlay, **bags})

    def folded(self) -> Words:
        """The same words without an overlay. Costs a sort of everything: a background job's work."""
        if not self._overlay:
            return self
        return Words(_Source({}, _fold(self._source.base(), self._over())), {})

    @property
    def overlaid(self) -> int:
        """Files that every question looks through one by one."""
        return len(self._overlay)

    @property
    def paths(self) -> tuple[str, ...]:
        """Every file, sorted; those without words too."""
        return self._over().paths

    @property
    def size(self) -> int:
        """How many files have words."""
        return self._over().size

    @property
    def average(self) -> float:
        """Terms in a file that has any; 0.0 where none has."""
        over = self._over()
        return over.sum / over.size if over.size else 0.0

    @property
    def totals(self) -> Longs:
        """Terms in each file, by its number. Not to be written to."""
        return self._over().totals

    def posted(self, wanted: int) -> Postings:
        """The files that use the term with the key `wanted`, as arrays."""
        import numpy as np

        over = self._over()
        files, counts = _holders(self._source.base(), wanted)
        if over.number is not None:
            files = over.number[files]
            stands = files >= 0
            files, counts = files[stands], counts[stands]
        more = [(file, count) for file, bag in over.bags if (count := bag.count(wanted))]
        if more:
            places = np.searchsorted(files, [file for file, _ in more])
            files = np.insert(files, places, [file for file, _ in more])
            counts = np.insert(counts, places, [count for _, count in more])
        return Postings(files, counts)

    def frequencies(self, keys: NDArray[np.uint32]) -> Longs:
        """How many files use each of `keys`, which are sorted."""
        import numpy as np

        over, base = self._over(), self._source.base()
        low, sizes = _ranges(base, keys)
        is_same = over.paths is base.paths
        if over.number is not None and not is_same:
            stands = over.number[base.files[flat(low, sizes)]] >= 0
            owners = np.repeat(np.arange(len(keys)), sizes)
            sizes = np.bincount(owners[stands], minlength=len(keys))
        for file, bag in over.bags:
            sizes = sizes + np.isin(keys, np.frombuffer(bag.keys, np.uint32))
            if is_same:
                before = self._source.bag(file)
                sizes = sizes - np.isin(keys, np.frombuffer(before.keys, np.uint32))
        return sizes

    def spread(self, keys: NDArray[np.uint32], weights: Floats) -> Floats:
        """For each file, by its number, the sum of `weights` over those of `keys` (sorted) that it
        uses."""
        import numpy as np

        over, base = self._over(), self._source.base()
        low, sizes = _ranges(base, keys)
        files = base.files[flat(low, sizes)]
        values = np.repeat(weights, sizes)
        # Where no file came or went each that is replaced has its sum set below.
        if over.number is not None and over.paths is not base.paths:
            files = over.number[files]
            values, files = values[files >= 0], files[files >= 0]
        sums = np.bincount(files, values, len(over.paths)).astype(np.float64)
        for file, bag in over.bags:
            held = np.isin(keys, np.frombuffer(bag.keys, np.uint32))
            # One after another, as the base adds them: the same sum to the last bit.
            sums[file] = np.bincount(np.zeros(int(held.sum()), np.int64), weights[held], 1)[0]
        return sums

    def bag(self, path: str) -> Bag:
        """The bag of the file `path`, as it was given; NO_WORDS if it is not here. Costs a pass over
        the arrays."""
        if path in self._overlay:
            return self._overlay[path] or NO_WORDS
        file = _number(self._source.base().paths, path)
        return self._source.bag(file) if file >= 0 else NO_WORDS

    def _over(self) -> _Over:
        if self._memo is None:
            self._memo = _overlay(self._source.base(), self._overlay)
        return self._memo


def _build(bags: Mapping[str, Bag]) -> _Base:
    import numpy as np

    paths = tuple(sorted(bags))
    given = [bags[path] for path in paths]
    totals = np.array([bag.total for bag in given], np.int64)
    return _arrays(paths, _packed(given, np.arange(len(given))), totals)


def _packed(bags: Sequence[Bag], numbers: NDArray[np.integer]) -> Packed:
    """The postings of `bags`, whose files have these `numbers`, unsorted."""
    import numpy as np

    sizes = np.array([len(bag.counts) for bag in bags], np.int64)
    postings = np.frombuffer(b"".join([bag.keys for bag in bags]), np.uint32).astype(np.uint64)
    postings <<= np.uint64(_KEY - _FILE)
    postings |= np.repeat(numbers.astype(np.uint32), sizes)
    postings <<= np.uint64(_FILE)
    postings |= np.frombuffer(b"".join([bag.counts for bag in bags]), np.uint8)
    return postings


def _arrays(paths: tuple[str, ...], postings: Packed, totals: Longs) -> _Base:
    """The base of `postings`, which are sorted in place."""
    import numpy as np

    postings.sort()
    count = len(postings)
    keys = np.empty(count, np.uint32)
    files = np.empty(count, np.uint16 if len(paths) <= 1 << 16 else np.uint32)
    counts = np.empty(count, np.uint8)
    for low in range(0, count, _BLOCK):
        part = postings[low : low + _BLOCK]
        keys[low : low + _BLOCK] = part >> np.uint64(_KEY)
        files[low : low + _BLOCK] = part >> np.uint64(_FILE) & np.uint64(_FILE_MASK)
        counts[low : low + _BLOCK] = part & np.uint64(_COUNT_MASK)
    first = np.ones(count, np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    starts = np.flatnonzero(first)
    return _Base(paths, keys[starts], np.append(starts, count), files, counts, totals)


def _fold(base: _Base, over: _Over) -> _Base:
    import numpy as np

    postings = np.repeat(base.keys.astype(np.uint64), np.diff(base.ends))
    postings <<= np.uint64(_KEY - _FILE)
    files = base.files if over.number is None else over.number[base.files]
    stands = files >= 0
    postings = postings[stands] | files[stands].astype(np.uint64)
    postings <<= np.uint64(_FILE)
    postings |= base.counts[stands]
    numbers = np.array([file for file, _ in over.bags], np.int64)
    more = _packed([bag for _, bag in over.bags], numbers)
    return _arrays(over.paths, np.concatenate((postings, more)), over.totals)


def _overlay(base: _Base, bags: Mapping[str, Bag | None]) -> _Over:
    import numpy as np

    if not bags:
        sum_, size = int(base.totals.sum()), int((base.totals > 0).sum())
        return _Over(base.paths, None, (), base.totals, size, sum_)
    paths = _paths(base.paths, bags)
    if paths is base.paths:
        number = np.arange(len(paths), dtype=np.int32)
    else:
        place = {path: index for index, path in enumerate(paths)}
        number = np.array([place.get(path, -1) for path in base.paths], np.int32)
    totals = np.zeros(len(paths), np.int64)
    totals[number[number >= 0]] = base.totals[number >= 0]
    laid = [(_number(paths, path), bag) for path, bag in sorted(bags.items()) if bag is not None]
    totals[[file for file, _ in laid]] = [bag.total for _, bag in laid]
    number[[at for path in bags if (at := _number(base.paths, path)) >= 0]] = -1
    return _Over(paths, number, laid, totals, int((totals > 0).sum()), int(totals.sum()))


def _paths(old: tuple[str, ...], bags: Mapping[str, Bag | None]) -> tuple[str, ...]:
    """The sorted paths with those of `bags` put in or taken out; `old` itself if none is."""
    gone = {path for path, bag in bags.items() if bag is None and _number(old, path) >= 0}
    come = {path for path, bag in bags.items() if bag is not None and _number(old, path) < 0}
    if not gone and not come:
        return old
    return tuple(sorted((*(path for path in old if path not in gone), *come)))


def _holders(base: _Base, wanted: int) -> tuple[Ints, Ints]:
    import numpy as np

    at = int(np.searchsorted(base.keys, np.uint32(wanted)))
    if at >= len(base.keys) or int(base.keys[at]) != wanted:
        return np.empty(0, np.int32), np.empty(0, np.int32)
    part = slice(int(base.ends[at]), int(base.ends[at + 1]))
    return base.files[part].astype(np.int32), base.counts[part].astype(np.int32)


def _ranges(base: _Base, keys: NDArray[np.uint32]) -> tuple[Longs, Longs]:
    """Where the postings of each of `keys` begin, and how many there are."""
    import numpy as np

    at = np.searchsorted(base.keys, keys)
    at[at == len(base.keys)] = 0
    known = base.keys[at] == keys if len(base.keys) else np.zeros(len(keys), np.bool_)
    low = base.ends[at]
    high = base.ends[np.minimum(at + 1, len(base.ends) - 1)]
    return low, np.where(known, high - low, 0)


def flat(low: Longs, sizes: Longs) -> Longs:
    """The numbers `low[i]` to `low[i] + sizes[i] - 1`, for one `i` after another."""
    import numpy as np

    ends = np.cumsum(sizes)
    return np.arange(int(sizes.sum())) + np.repeat(low - ends + sizes, sizes)


def _bag(base: _Base, file: int) -> Bag:
    import numpy as np

    at = np.flatnonzero(base.files == file)
    keys = base.keys[np.searchsorted(base.ends, at, side="right") - 1]
    return Bag(keys.tobytes(), base.counts[at].tobytes(), int(base.totals[file]))


def _number(paths: Sequence[str], path: str) -> int:
    at = bisect_left(paths, path)
    return at if at < len(paths) and paths[at] == path else -1
