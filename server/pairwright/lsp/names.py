"""The defined names of each folder, kept ready for fuzzy search.

Making the columns of a large folder takes longer than an answer may, so they are kept, and names
that came since are searched beside them until they are many. A name that went is found and then
defined nowhere: callers look up where it is defined anyway.
"""

from __future__ import annotations

import threading

from pairwright.graph.engine import Graph
from pairwright.graph.search import Found, Names, defined
from pairwright.workspace.types import Snapshot

_MOST_BESIDE = 2000


class KnownNames:
    """Asked from pool threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._base: dict[str, Names] = {}
        self._last: dict[str, tuple[Graph, tuple[Names, ...]]] = {}

    def search(self, snapshot: Snapshot, query: str, limit: int) -> tuple[Found, ...]:
        """The best `limit` names defined in the snapshot's folder; see graph.search."""
        found = [item for part in self._of(snapshot) for item in part.search(query, limit)]
        found.sort(key=lambda item: (-item.points, len(item.name), item.name))
        return tuple(found[:limit])

    def warm(self, snapshot: Snapshot) -> None:
        """Make the columns of the snapshot's folder."""
        self._of(snapshot)

    def _of(self, snapshot: Snapshot) -> tuple[Names, ...]:
        root, graph = snapshot.root, snapshot.graph()
        with self._lock:
            last = self._last.get(root)
            if last is not None and last[0] is graph:
                return last[1]
            names = defined(graph)
            base = self._base.get(root)
            fresh = set(names).difference(base.names) if base else set()
            if base is None or len(fresh) > _MOST_BESIDE:
                base, fresh = Names.of(names), set()
                self._base[root] = base
            parts = (base, Names.of(fresh)) if fresh else (base,)
            self._last[root] = graph, parts
            return parts
