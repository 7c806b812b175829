"""The hosts of one server and the tag cache they share. Loads the workspace layer, so it comes
late."""

from __future__ import annotations

from pairwright.config.load import environment
from pairwright.config.schema import Index
from pairwright.workspace.host import Host
from pairwright.workspace.remote import store


class Hosts:
    """Makes hosts; the cache is opened at its first use and shared by all of them."""

    def __init__(self) -> None:
        self._cache = store(environment())

    def make(self, root: str | None, settings: Index) -> Host:
        """The host of a folder's real path, or of no folder."""
        return Host(root, settings, self._cache)

    def close(self) -> None:
        """Close the cache file; a host that still works goes on without it."""
        self._cache.close()
