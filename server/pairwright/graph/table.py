"""The references and definitions of all files as two sparse tables, immutable and canonical.

Paths and names are sorted and a table's entries are sorted by (name, file). So the same rows give
the same arrays, bit for bit, whatever the order or the edits that led to them. Knows no ranking.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from pairwright.graph.types import FileRow
from pairwright.graph.weights import shape

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]
    Floats = NDArray[np.float64]

# Names nobody uses any more stay until they are worth a pass over all names.
_STALE_MIN = 4096
_STALE_SHARE = 16
# Above this many changed entries one pass with a mask beats copying slice by slice.
_SLICES = 2048


class Entries(NamedTuple):
    """A sparse table by name: the entries of name `i` are `ends[i]:ends[i + 1]`.

    `files`: file numbers, ascending within a name. `values`: for references the square root of
    their count, for definitions their count; 64-bit floats, positive.
    """

    ends: Ints
    files: Ints
    values: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """`paths` and `names` sorted, each once; `shapes[i]` is the spelling's multiplier of
    `names[i]`."""

    paths: tuple[str, ...]
    names: Sequence[str]
    shapes: Floats
    refs: Entries
    defs: Entries

    def file(self, path: str) -> int:
        """The number of `path`, -1 if it is not here."""
        return _find(self.paths, path)

    def name(self, name: str) -> int:
        """The number of `name`, -1 if it is not here."""
        return _find(self.names, name)

    def row(self, file: int) -> FileRow:
        """The contribution of a file, as it was given; names sorted."""
        refs = _of_file(self.refs, self.names, file)
        return FileRow(
            self.paths[file],
            {name: round(value) for name, value in _of_file(self.defs, self.names, file)},
            {name: round(value * value) for name, value in refs},
        )

    def holders(self, entries: Entries, name: int) -> Ints:
        """Numbers of the files with an entry for name number `name`, ascending."""
        return entries.files[int(entries.ends[name]) : int(entries.ends[name + 1])]

    def users(self, entries: Entries, name: str) -> dict[str, float]:
        """Path to value of every file with an entry for `name`."""
        at = self.name(name)
        if at < 0:
            return {}
        low, high = int(entries.ends[at]), int(entries.ends[at + 1])
        files = entries.files[low:high].tolist()
        values = entries.values[low:high].tolist()
        return {self.paths[file]: value for file, value in zip(files, values, strict=True)}


def build(rows: Iterable[FileRow]) -> Table:
    """The table of `rows`, read once. Of two rows for one path the later counts."""
    import numpy as np

    number: dict[str, int] = {}
    row_of: dict[str, int] = {}
    defs, refs = _Gathered(number), _Gathered(number)
    for index, row in enumerate(rows):
        row_of[row.path] = index
        defs.add(row.defs)
        refs.add(row.refs)
    paths = tuple(sorted(row_of))
    names = sorted(number)
    files = np.full(len(defs.lengths), -1, np.int64)
    files[[row_of[path] for path in paths]] = np.arange(len(paths))
    rank = np.empty(len(names), np.int64)
    rank[[number[name] for name in names]] = np.arange(len(names))
    return Table(
        paths,
        names,
        np.array([shape(name) for name in names], np.float64),
        refs.entries(files, rank, squared=True),
        defs.entries(files, rank, squared=False),
    )


def splice(table: Table, changes: Mapping[str, FileRow | None]) -> Table:
    """`table` with each path of `changes` replaced, added or (None) removed.

    Costs a copy of the arrays, and nothing where the entries stay the same.
    """
    import numpy as np

    changed = sorted(changes)
    rows = [row for path in changed if (row := changes[path]) is not None]
    paths, renumbered = _new_paths(table.paths, changes)
    names, shapes, fresh = _new_names(table, rows)
    touched = np.zeros(len(table.paths) + 1, np.bool_)
    touched[[at for path in changed if (at := table.file(path)) >= 0]] = True
    files = np.array([_find(paths, row.path) for row in rows], np.int64)
    refs, defs = _Gathered(), _Gathered()
    for row in rows:
        defs.add(row.defs)
        refs.add(row.refs)
    new_refs = _update(table.refs, fresh, renumbered, touched, refs.triples(names, files, True))
    new_defs = _update(table.defs, fresh, renumbered, touched, defs.triples(names, files, False))
    return _compact(Table(paths, names, shapes, new_refs, new_defs))


class _Gathered:
    """Names and counts of many rows in flat arrays, on their way into a table."""

    def __init__(self, number: dict[str, int] | None = None) -> None:
        self._number = number
        self._names: list[str] = []
        self._ids = array("i")
        self._counts = array("q")
        self.lengths = array("q")

    def add(self, counts: Mapping[str, int]) -> None:
        if not counts:
            self.lengths.append(0)
            return
        number = self._number
        if number is None:
            self._names.extend(counts)
        else:
            self._ids.extend([number.setdefault(name, len(number)) for name in counts])
        self._counts.extend(counts.values())
        self.lengths.append(len(counts))

    def entries(self, files: Longs, rank: Longs, squared: bool) -> Entries:
        """A table of everything added; `files`: file number by row, -1 for rows left out; `rank`:
        the sorted place of each name's first number."""
        import numpy as np

        names = rank[np.frombuffer(self._ids, np.int32)] if self._ids else np.empty(0, np.int64)
        names, owners, values = self._sorted(names, files, squared)
        counts = np.bincount(names, minlength=len(rank))
        return Entries(_ends(counts), owners.astype(np.int32), values)

    def triples(
        self, names: Sequence[str], files: Longs, squared: bool
    ) -> tuple[Longs, Longs, Floats]:
        """(name number, file number, value) of everything added, sorted."""
        import numpy as np

        known: dict[str, int] = {}
        for name in self._names:
            if name not in known:
                known[name] = _find(names, name)
        ids = np.array([known[name] for name in self._names], np.int64)
        return self._sorted(ids, files, squared)

    def _sorted(self, names: Longs, files: Longs, squared: bool) -> tuple[Longs, Longs, Floats]:
        import numpy as np

        values = np.array(self._counts, np.float64)
        if squared:
            values = np.sqrt(np.maximum(values, 0.0))
        owners = np.repeat(files, np.array(self.lengths, np.int64))
        keep = (owners >= 0) & (values > 0)
        if not keep.all():
            names, owners, values = names[keep], owners[keep], values[keep]
        order = np.lexsort((owners, names))
        return names[order], owners[order], values[order]


def _find(items: Sequence[str], item: str) -> int:
    at = bisect_left(items, item)
    return at if at < len(items) and items[at] == item else -1


def _ends(counts: NDArray[Any]) -> Ints:
    import numpy as np

    ends = np.zeros(len(counts) + 1, np.int32)
    np.cumsum(counts, out=ends[1:])
    return ends


def _of_file(entries: Entries, names: Sequence[str], file: int) -> list[tuple[str, float]]:
    import numpy as np

    at = np.flatnonzero(entries.files == file)
    rows = np.searchsorted(entries.ends, at, side="right") - 1
    pairs = zip(rows.tolist(), entries.values[at].tolist(), strict=True)
    return [(names[row], value) for row, value in pairs]


def _new_paths(
    old: tuple[str, ...], changes: Mapping[str, FileRow | None]
) -> tuple[tuple[str, ...], Ints | None]:
    """The sorted paths after `changes`, and the new number of each old file (-1: gone) if any
    moved."""
    import numpy as np

    gone = {path for path, row in changes.items() if row is None and _find(old, path) >= 0}
    come = {path for path, row in changes.items() if row is not None and _find(old, path) < 0}
    if not gone and not come:
        return old, None
    paths = tuple(sorted((*(path for path in old if path not in gone), *come)))
    number = {path: index for index, path in enumerate(paths)}
    return paths, np.array([number.get(path, -1) for path in old], np.int32)


def _new_names(table: Table, rows: list[FileRow]) -> tuple[Sequence[str], Floats, Longs]:
    """Names and shapes with those of `rows` put in, and the places in the old order they go to."""
    import numpy as np

    used = set().union(*(row.defs for row in rows), *(row.refs for row in rows))
    added = sorted(name for name in used if table.name(name) < 0)
    if not added:
        return table.names, table.shapes, np.empty(0, np.int64)
    places = [bisect_left(table.names, name) for name in added]
    names: list[str] = []
    last = 0
    for place, name in zip(places, added, strict=True):
        names.extend(table.names[last:place])
        names.append(name)
        last = place
    names.extend(table.names[last:])
    shapes = np.insert(table.shapes, places, [shape(name) for name in added])
    return names, shapes, np.array(places, np.int64)


def _update(
    old: Entries,
    fresh: Longs,
    renumbered: Ints | None,
    touched: NDArray[np.bool_],
    new: tuple[Longs, Longs, Floats],
) -> Entries:
    """`old` with empty rows for the `fresh` names, the entries of `touched` files gone and `new`
    put in."""
    import numpy as np

    counts = np.diff(old.ends)
    if len(fresh):
        counts = np.insert(counts, fresh, 0)
    ends = _ends(counts) if len(fresh) else old.ends
    dropped = np.flatnonzero(touched[old.files])
    files = old.files if renumbered is None else renumbered[old.files]
    names = np.searchsorted(ends, dropped, side="right") - 1
    dropped, new = _difference(names, files[dropped], old.values[dropped], dropped, new)
    names, owners, values = new
    if not len(dropped) and not len(names):
        return Entries(ends, files, old.values)
    at = _places(ends, files, names, owners)
    lost = np.searchsorted(ends, dropped, side="right") - 1
    counts = counts + np.bincount(names, minlength=len(counts))
    counts -= np.bincount(lost, minlength=len(counts))
    return Entries(
        _ends(counts),
        _merge(files, dropped, at, owners.astype(np.int32)),
        _merge(old.values, dropped, at, values),
    )


def _difference(
    names: Longs, files: Ints, values: Floats, dropped: Longs, new: tuple[Longs, Longs, Floats]
) -> tuple[Longs, tuple[Longs, Longs, Floats]]:
    """What really changes: entries that are dropped and come again with the same value are left
    alone."""
    import numpy as np

    width = max(int(files.max(initial=0)), int(new[1].max(initial=0))) + 1
    before, after = names * width + files, new[0] * width + new[1]
    # A removed file's number is -1: its keys must not meet those of the name before.
    before[files < 0] = -1 - np.arange(int((files < 0).sum()))
    _, left, right = np.intersect1d(before, after, assume_unique=True, return_indices=True)
    same = values[left] == new[2][right]
    gone = np.ones(len(dropped), np.bool_)
    gone[left[same]] = False
    come = np.ones(len(after), np.bool_)
    come[right[same]] = False
    return dropped[gone], (new[0][come], new[1][come], new[2][come])


def _places(ends: Ints, files: Ints, names: Longs, owners: Longs) -> Longs:
    """For each new entry the place in `files` it goes before: a binary search in all rows at
    once."""
    import numpy as np

    low = ends[names].astype(np.int64)
    high = ends[names + 1].astype(np.int64)
    while (low < high).any():
        middle = (low + high) // 2
        open_ = low < high
        below = files[np.where(open_, middle, 0)] < owners
        low = np.where(open_ & below, middle + 1, low)
        high = np.where(open_ & ~below, middle, high)
    return low


def _merge(old: NDArray[Any], dropped: Longs, at: Longs, new: NDArray[Any]) -> NDArray[Any]:
    """`old` without the places `dropped`, and `new[i]` put in before place `at[i]` (both
    ascending)."""
    import numpy as np

    if len(dropped) + len(at) <= _SLICES:
        return np.concatenate(_slices(old, dropped.tolist(), at.tolist(), new))
    result = np.empty(len(old) - len(dropped) + len(new), old.dtype)
    where = at - np.searchsorted(dropped, at) + np.arange(len(at))
    rest = np.ones(len(result), np.bool_)
    rest[where] = False
    result[where] = new
    result[rest] = np.delete(old, dropped)
    return result


def _slices(
    old: NDArray[Any], dropped: list[int], at: list[int], new: NDArray[Any]
) -> list[NDArray[Any]]:
    # At one place an insertion comes before the deletion of the entry that stood there.
    steps = sorted(
        [(place, 0, index) for index, place in enumerate(at)] + [(place, 1, 0) for place in dropped]
    )
    pieces: list[NDArray[Any]] = []
    last = 0
    for place, is_drop, index in steps:
        pieces.append(old[last:place])
        if is_drop:
            last = place + 1
        else:
            pieces.append(new[index : index + 1])
            last = place
    pieces.append(old[last:])
    return pieces


def _compact(table: Table) -> Table:
    """`table` without names that have no entry left, once there are many of them."""
    from itertools import compress

    import numpy as np

    refs, defs = np.diff(table.refs.ends), np.diff(table.defs.ends)
    used = (refs + defs) > 0
    stale = len(used) - int(used.sum())
    if stale < _STALE_MIN or stale * _STALE_SHARE < len(used):
        return table
    return Table(
        table.paths,
        list(compress(table.names, used.tolist())),
        table.shapes[used],
        Entries(_ends(refs[used]), table.refs.files, table.refs.values),
        Entries(_ends(defs[used]), table.defs.files, table.defs.values),
    )
