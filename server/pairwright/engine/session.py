"""Chats of one workspace: what was asked and answered, by session id, and the map each was shown.

In memory; one writer, the event loop. What is sent again is the policy of `memory.history`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pairwright.memory.history import Exchange
from pairwright.render.types import RepoMap
from pairwright.workspace.manifest import MapManifest

# Older exchanges never fit a history cap; keeping them would only cost memory.
_KEEP = 100


@dataclass(frozen=True, slots=True)
class Mapped:
    """A map and what it was made from."""

    map: RepoMap
    manifest: MapManifest

    @property
    def paths(self) -> tuple[str, ...]:
        """The files whose text is in it, in order."""
        return tuple(dict.fromkeys(item.path for item in self.map.shown))


@dataclass(frozen=True, slots=True)
class Frozen:
    """The map a session was shown first. It stays while `files` and `budget` do, so that all that follows
    it in the prompt can be served from a provider's cache. `is_whole`: it was made from a finished index."""

    mapped: Mapped
    files: tuple[str, ...]
    budget: int
    is_whole: bool = True

    @property
    def map(self) -> RepoMap:
        return self.mapped.map


class Sessions:
    """Finished exchanges by session id; the empty id is the default session."""

    def __init__(self) -> None:
        self._chats: dict[str, list[Exchange]] = {}
        self._maps: dict[str, Frozen] = {}

    def exchanges(self, session: str) -> tuple[Exchange, ...]:
        return tuple(self._chats.get(session, ()))

    def add(self, session: str, exchange: Exchange) -> None:
        chat = self._chats.setdefault(session, [])
        chat.append(exchange)
        del chat[:-_KEEP]

    def tell(self, session: str, fact: str) -> None:
        """A fact about the last exchange's edits: accepted, rejected, undone."""
        chat = self._chats.get(session)
        if chat:
            chat[-1] = replace(chat[-1], facts=(*chat[-1].facts, fact))

    def frozen(self, session: str) -> Frozen | None:
        """The map of `session`, if it was shown one."""
        return self._maps.get(session)

    def freeze(self, session: str, frozen: Frozen) -> None:
        """Show `frozen` from now on."""
        self._maps[session] = frozen

    def thaw(self, session: str) -> None:
        """Make a new map with the next request."""
        self._maps.pop(session, None)
