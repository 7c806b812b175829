"""Which changes of a text came with the save right behind an accept: those of a formatter.

Nobody says so: clients run formatters on their own and send what they did as any other change. But
a formatter's come right before the save, and nothing else came since the accept; a user's typing
takes longer. Belongs to the event loop's thread; knows no text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

_AT_ONCE = 0.5
"""Seconds between a formatter's change and the save it belongs to."""
_MOST = 200


@dataclass(slots=True)
class _Waiting:
    accept: str
    first: float | None = None


class Saves:
    """The files of one workspace folder. `clock`: seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._waiting: dict[str, _Waiting] = {}

    def accepted(self, accept: str, paths: Sequence[str]) -> None:
        """The change behind the checkpoint `accept` stands in `paths`; their next save counts."""
        for path in paths:
            self._waiting.pop(path, None)
            self._waiting[path] = _Waiting(accept)
        while len(self._waiting) > _MOST:
            del self._waiting[next(iter(self._waiting))]

    def changed(self, path: str) -> None:
        """One message changed the text of `path`."""
        waiting = self._waiting.get(path)
        if waiting is not None and waiting.first is None:
            waiting.first = self._clock()

    def saved(self, path: str) -> str:
        """`path` was saved: the checkpoint of the accept whose text a formatter changed with it,
        empty if none did."""
        waiting = self._waiting.pop(path, None)
        if waiting is None or waiting.first is None:
            return ""
        return waiting.accept if self._clock() - waiting.first <= _AT_ONCE else ""
