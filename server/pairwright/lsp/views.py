"""The map as hovers see it, remembered per folder so that a hover costs a look-up.

Ranking and rendering a large folder takes longer than a hover may, so the view of an earlier
revision is shown while the new one is made in the background: rank and price move little with a
keystroke, and names, lines and texts of a card never come from here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pairwright.graph.types import Ranking
from pairwright.render.types import Shown
from pairwright.workspace.maps import focus_of, repo_map
from pairwright.workspace.types import Snapshot

# A view that was made faster than this is made anew at once.
_QUICK = 0.01
# In a folder of more files not even the first view is waited for.
_LARGE = 1000
# Seconds between two views of a large folder, and at least this many times what one costs.
_REST = 1.0
_SHARE = 10


@dataclass(frozen=True, slots=True)
class View:
    """`places`: number of each ranked (path, name) from 1. `shown`: what stands in a map of `budget`
    tokens. `made`: when, by the monotonic clock. `cost`: seconds it took."""

    revision: int
    budget: int
    places: Mapping[tuple[str, str], int]
    shown: frozenset[Shown]
    made: float
    cost: float


class Views:
    """Asked from pool threads. `background`: runs a job in a thread some time soon."""

    def __init__(self, background: Callable[[Callable[[], None]], None]) -> None:
        self._background = background
        self._lock = threading.Lock()
        self._views: dict[str, View] = {}
        self._making: set[str] = set()

    def of(self, snapshot: Snapshot, budget: int) -> View | None:
        """The view of `snapshot`, or the one before while a slow one is made; None while the folder
        is indexed for the first time, and in a large one until the first view is there."""
        root = snapshot.root
        with self._lock:
            last = self._views.get(root)
        if last is not None and last.budget != budget:
            last = None
        if last is not None and last.revision == snapshot.revision:
            return last
        if not snapshot.ready():
            return last
        is_slow = last.cost > _QUICK if last else len(snapshot.paths()) > _LARGE
        if not is_slow:
            return self._make(root, snapshot, budget)
        if last is None or time.monotonic() - last.made > max(_REST, _SHARE * last.cost):
            self._refresh(root, snapshot, budget)
        return last

    def warm(self, snapshot: Snapshot, budget: int) -> None:
        """Make the view of `snapshot` some time soon."""
        self._refresh(snapshot.root, snapshot, budget)

    def _refresh(self, root: str, snapshot: Snapshot, budget: int) -> None:
        with self._lock:
            if root in self._making:
                return
            self._making.add(root)
        self._background(lambda: self._remake(root, snapshot, budget))

    def _remake(self, root: str, snapshot: Snapshot, budget: int) -> None:
        try:
            self._make(root, snapshot, budget)
        finally:
            with self._lock:
                self._making.discard(root)

    def _make(self, root: str, snapshot: Snapshot, budget: int) -> View:
        start = time.perf_counter()
        focus = focus_of(snapshot, open_=snapshot.buffers)
        ranking = snapshot.rank(focus)
        made = View(
            revision=snapshot.revision,
            budget=budget,
            places=_places(ranking),
            shown=frozenset(repo_map(snapshot, focus, budget).shown),
            made=time.monotonic(),
            cost=time.perf_counter() - start,
        )
        with self._lock:
            self._views[root] = made
        return made


def _places(ranking: Ranking) -> dict[tuple[str, str], int]:
    """The number of each ranked (path, name) from 1; of several alike the first counts."""
    found: dict[tuple[str, str], int] = {}
    for number, item in enumerate(ranking.definitions, 1):
        found.setdefault((item.path, item.name), number)
    return found
