"""Our own watching of the disk, for clients that do not watch for a server: one watcher a folder.

Lives on the loop; what the watchers see in their threads is carried there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

from pairwright.lsp.documents import Root
from pairwright.workspace.watch import Watcher

log = logging.getLogger(__name__)

Changed = Callable[[Root, Sequence[str]], None]
"""A root and workspace-relative paths below it that changed on disk."""


class Watchers:
    """The watchers of a session's folders."""

    def __init__(self, changed: Changed) -> None:
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._running: dict[str, tuple[Root, Watcher]] = {}
        self._told: set[str] = set()

    def fit(self, roots: Sequence[Root]) -> None:
        """Watch `roots` and nothing else."""
        wanted = {root.path: root for root in roots}
        for path, (root, watcher) in list(self._running.items()):
            if wanted.get(path) is not root:
                watcher.stop()
                del self._running[path]
        for path, root in wanted.items():
            if path not in self._running:
                self._running[path] = (root, self._started(root))

    def stop(self) -> None:
        """End all of them."""
        self.fit(())

    @property
    def cover_all(self) -> bool:
        """Whether every folder is watched."""
        return all(watcher.is_alive for _, watcher in self._running.values())

    def _started(self, root: Root) -> Watcher:
        def changed(paths: Sequence[str]) -> None:
            self._on_loop(lambda: self._changed(root, paths))

        def ended(reason: str) -> None:
            self._on_loop(lambda: self._ended(root, reason))

        watcher = Watcher(root.host, changed, ended)
        watcher.start()
        return watcher

    def _on_loop(self, action: Callable[[], None]) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(action)

    def _ended(self, root: Root, reason: str) -> None:
        if reason not in self._told:
            self._told.add(reason)
            log.warning(
                "%s cannot be watched, since %s: what other programs change there is noticed within "
                "half a minute and at every save.",
                root.path,
                reason,
            )
