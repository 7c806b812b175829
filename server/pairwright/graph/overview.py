"""The whole repository at a glance: clusters of folders, how they use each other, where it starts.

Clusters are communities of the folder graph (Louvain, networkx), which is made of static references
between files. Pure, and the same for the same graph whatever its history.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pairwright.graph.engine import Graph
from pairwright.graph.links import SHORT, Links, families, kind, links, plain
from pairwright.graph.table import Table
from pairwright.graph.titles import titled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]

MOST_CLUSTERS = 12
FEW_CLUSTERS = 6
"""Bounds of what is shown where the repository has that many folders."""

SEED = 7
TOP = 5
STARTS = 12

_RESOLUTIONS = (1.0, 1.6, 2.5, 4.0)
_AFFINITY = 0.4
_LEAST_SHARE = 0.01
_MAINS = ("__main__", "main", "manage", "cli", "app", "server", "index")
_ASIDE = re.compile(
    r"(?:^|/)(?:tests?|testing|specs?|__tests__|fixtures|examples?|docs?|bench(?:marks?)?|migrations)/"
    r"|(?:^|/)(?:test_[^/]*|conftest\.py|[^/]*(?:_test|_spec|\.test|\.spec)\.\w+)$"
)


class Used(NamedTuple):
    """A definition or a file (`name` empty) and how many other files refer to it."""

    path: str
    name: str
    files: int


@dataclass(frozen=True, slots=True)
class Cluster:
    """Files that refer to each other more than to the rest. `title`: where most of them lie.
    `top`: its most used definitions. `starts`: its entry points."""

    title: str
    files: tuple[str, ...]
    top: tuple[Used, ...]
    starts: tuple[str, ...]


class Flow(NamedTuple):
    """Cluster number `source` refers to `target`. `share`: of all that passes between clusters."""

    source: int
    target: int
    share: float


@dataclass(frozen=True, slots=True)
class Overview:
    """`clusters`: those that use others first, those that are used last. `flows`: strongest first.
    `starts`: files that refer to others and that nothing refers to, tests left out. `files`,
    `definitions`: what most files refer to. `kinds`: (extension, files), most first. `count`, `defined`:
    files and definitions in all."""

    clusters: tuple[Cluster, ...]
    flows: tuple[Flow, ...]
    starts: tuple[str, ...]
    files: tuple[Used, ...]
    definitions: tuple[Used, ...]
    kinds: tuple[tuple[str, int], ...]
    count: int
    defined: int


def overview(graph: Graph) -> Overview:
    """The overview of `graph`; files that neither define nor refer to anything are left out."""
    table, _ = graph.folded().layers()
    if table is None or not len(table.defs.files):
        return Overview((), (), (), (), (), (), 0, 0)
    import numpy as np

    found = links(table)
    code = np.zeros(len(table.paths), np.bool_)
    code[table.defs.files] = code[found.source] = True
    users = np.bincount(found.target, minlength=len(table.paths))
    starts = _starts(table, found, users)
    group = _clusters(table.paths, code, found)
    flow = _between(group, found)
    order = _by_use(flow)
    group = np.where(code, np.argsort(order)[group], -1)
    used = _used(table, found)
    sure = np.bincount(links(table, 1).target, minlength=len(table.paths))
    popular = np.argsort(-sure, kind="stable")[:STARTS].tolist()
    kinds = Counter(kind(table.paths[file]) for file in np.flatnonzero(code).tolist())
    return Overview(
        _described(table, group, starts, used),
        _flows(flow[np.ix_(order, order)]),
        tuple(starts[:STARTS]),
        tuple(Used(table.paths[file], "", int(sure[file])) for file in popular if sure[file]),
        tuple(used[:STARTS]),
        tuple(sorted(kinds.items(), key=lambda item: (-item[1], item[0]))),
        int(code.sum()),
        int(table.defs.values.sum()),
    )


def _clusters(paths: Sequence[str], code: Flags, found: Links) -> Ints:
    """The number of each file's cluster; of files without code any."""
    import numpy as np

    names = [path.rpartition("/")[0] for path in paths]
    kinds = sorted({name for name, wanted in zip(names, code.tolist(), strict=True) if wanted})
    if len(kinds) < 3:
        names, kinds = (
            list(paths),
            [path for path, wanted in zip(paths, code.tolist(), strict=True) if wanted],
        )
    number = {name: index for index, name in enumerate(kinds)}
    unit = np.array([number.get(name, 0) for name in names], np.int64)
    sizes = np.bincount(unit[code], minlength=len(kinds))
    flow = Links(unit[found.source], unit[found.target], found.weight)
    group = np.arange(len(kinds))
    # Few enough folders stay what they are: the smallest are put to what they belong to.
    if len(kinds) > 2 * MOST_CLUSTERS:
        group = _communities(kinds, flow)
    return _merged(group, sizes, flow)[unit]


def _communities(kinds: Sequence[str], flow: Links) -> Ints:
    """Louvain communities of the folders `kinds` (sorted), neighbours in the tree held together."""
    import networkx as nx
    import numpy as np

    count = len(kinds)
    pair = np.sort(np.stack((flow.source, flow.target)), axis=0)
    key, back = np.unique(pair[0] * count + pair[1], return_inverse=True)
    weight = np.bincount(back, flow.weight, len(key))
    edges = dict(
        zip(
            zip((key // count).tolist(), (key % count).tolist(), strict=True),
            weight.tolist(),
            strict=True,
        )
    )
    total = np.bincount(pair[0], flow.weight, count) + np.bincount(pair[1], flow.weight, count)
    least = float(np.median(weight)) if len(weight) else 1.0
    for one, two in _kin(kinds):
        bond = _AFFINITY * max(least, min(float(total[one]), float(total[two])))
        edges[one, two] = edges.get((one, two), 0.0) + bond
    graph = nx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_weighted_edges_from((one, two, much) for (one, two), much in sorted(edges.items()))
    group = np.zeros(count, np.int64)
    for resolution in _RESOLUTIONS:
        parts = nx.community.louvain_communities(graph, resolution=resolution, seed=SEED)
        for index, part in enumerate(sorted(parts, key=min)):
            group[sorted(part)] = index
        if len(parts) >= FEW_CLUSTERS:
            break
    return group


def _kin(kinds: Sequence[str]) -> Iterable[tuple[int, int]]:
    """Each folder with the nearest one above it, else with the one before in the same place."""
    number = {name: index for index, name in enumerate(kinds)}
    last: dict[str, int] = {}
    for index, name in enumerate(kinds):
        above = name.rpartition("/")[0]
        if above in number and above != name:
            yield number[above], index
        elif above in last:
            yield last[above], index
        last[above] = index


def _merged(group: Ints, sizes: Ints, flow: Links) -> Ints:
    """`group` with the smallest clusters put to those they are linked to most, until all are of
    some size and few; numbered anew without gaps. `sizes`: files of each unit."""
    import numpy as np

    least = max(2, int(_LEAST_SHARE * sizes.sum()))
    while True:
        group = np.unique(group, return_inverse=True)[1]
        held = np.bincount(group, sizes)
        smallest = int(np.argmin(held))
        if len(held) <= MOST_CLUSTERS and (held[smallest] >= least or len(held) == 1):
            return group
        between = _between(group, flow)
        bond = between[smallest] + between[:, smallest]
        if not bond.max() > 0:
            # Without any link the largest takes it.
            bond = held.copy()
        bond[smallest] = -1.0
        group = np.where(group == smallest, int(np.argmax(bond)), group)


def _between(group: Ints, found: Links) -> Floats:
    """Weight from cluster to cluster, what stays inside left out."""
    import numpy as np

    count = int(group.max()) + 1
    key = group[found.source] * count + group[found.target]
    flow = np.bincount(key, found.weight, count * count).astype(np.float64).reshape(count, count)
    np.fill_diagonal(flow, 0.0)
    return flow


def _by_use(flow: Floats) -> Ints:
    """Cluster numbers, those that use others before those that are used."""
    import numpy as np

    out, into = flow.sum(axis=1), flow.sum(axis=0)
    total = out + into
    lean = np.where(total > 0, (out - into) / np.where(total > 0, total, 1.0), 0.0)
    return np.argsort(-np.round(lean, 9), kind="stable")


def _flows(flow: Floats) -> tuple[Flow, ...]:
    import numpy as np

    total = flow.sum()
    if not total:
        return ()
    found = [
        Flow(int(one), int(two), round(float(flow[one, two] / total), 6))
        for one, two in np.argwhere(flow > 0)
    ]
    return tuple(sorted(found, key=lambda item: (-item.share, item.source, item.target)))


def _starts(table: Table, found: Links, users: Ints) -> list[str]:
    """Files that refer to others and that nothing refers to, those named like a start first, then
    by how much they refer to."""
    import numpy as np

    out = np.bincount(found.source, found.weight, len(table.paths))
    picked = [
        (not _is_main(table.paths[file]), -float(out[file]), table.paths[file])
        for file in np.flatnonzero((out > 0) & (users == 0)).tolist()
        if not _ASIDE.search(table.paths[file]) and "/__init__." not in table.paths[file]
    ]
    return [path for _, _, path in sorted(picked)]


def _is_main(path: str) -> bool:
    return path.rpartition("/")[2].split(".")[0].lower() in _MAINS


def _used(table: Table, found: Links) -> list[Used]:
    """Definitions that other files use, most used first. Private names, short plain words and names
    that several files define are left out."""
    import numpy as np

    used, made = np.diff(table.refs.ends), np.diff(table.defs.ends)
    kin = families(table.paths)
    picked: list[tuple[int, str, str]] = []
    for name in np.flatnonzero((used > 1) & (made == 1) & ~plain(table, used)).tolist():
        owner = int(table.holders(table.defs, name)[0])
        users = table.holders(table.refs, name)
        count = int((kin[users] == kin[owner]).sum()) - int((users == owner).sum())
        path, text = table.paths[owner], table.names[name]
        is_word = text.islower() and len(text) < SHORT
        if count and not is_word and not text.startswith("_") and not _ASIDE.search(path):
            picked.append((-count, path, text))
    return [Used(path, name, -count) for count, path, name in sorted(picked)]


def _described(
    table: Table, group: Ints, starts: Sequence[str], used: Sequence[Used]
) -> tuple[Cluster, ...]:
    number = dict(zip(table.paths, group.tolist(), strict=True))
    count = max(number.values()) + 1
    files: list[list[str]] = [[] for _ in range(count)]
    tops: list[list[Used]] = [[] for _ in range(count)]
    entries: list[list[str]] = [[] for _ in range(count)]
    for path, index in number.items():
        if index >= 0:
            files[index].append(path)
    for item in used:
        tops[number[item.path]].append(item)
    for path in starts:
        entries[number[path]].append(path)
    return tuple(
        Cluster(title, tuple(mine), tuple(top[:TOP]), tuple(entry))
        for title, mine, top, entry in zip(titled(files), files, tops, entries, strict=True)
    )
