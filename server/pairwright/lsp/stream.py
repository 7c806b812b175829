"""What a turn says, on its way to the client: typed events, and pieces of the answer joined as the client reads them.

A piece of text goes out at once; those that follow within a few milliseconds are joined, so that a fast model does
not flood the wire and a slow one is not held up. While the client does not read, everything waits here: text joined,
nothing dropped but percentages that a newer one replaced. Knows no engine beyond its events.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Protocol, TypeGuard, get_args

from pairwright.engine.events import (
    Drafted,
    Event,
    Reflected,
    Said,
    Started,
    Status,
    Used,
)

DELTA = "pairwright/chat/delta"
EVENT = "pairwright/turn/event"

GATHER = 0.008
"""Seconds after a message in which further text is joined."""
BEHIND = 0.05
"""The same while the client is behind with reading."""
BACKLOG = 1 << 18
"""Bytes on their way above which the client counts as behind."""
REPORT = 0.25
"""Seconds between two counts of characters in the progress display."""

Progress = Callable[[str, int | None], None]

# A kind is the class's name in small letters unless it stands here.
_KINDS: Mapping[type, str] = {Drafted: "hunk", Used: "usage"}


class Wire(Protocol):
    """What a stream needs of a session. `backlog`: bytes that the client has not taken yet."""

    def notify(self, method: str, params: Any) -> None: ...

    @property
    def backlog(self) -> int: ...


def kinds() -> dict[str, type]:
    """The events that go by EVENT, by kind, sorted."""
    found = {kind(cls): cls for cls in get_args(Event) if cls is not Said}
    return {name: found[name] for name in sorted(found)}


def kind(event: type) -> str:
    """What a class of events is called on the wire."""
    return _KINDS.get(event, event.__name__.lower())


def fields(event: Event) -> dict[str, Any]:
    """An event as JSON, without its kind."""
    match event:
        case Started():
            parts = [{"part": name, "tokens": count} for name, count in event.tokens]
            rest = {key: value for key, value in asdict(event).items() if key != "tokens"}
            return {**rest, "parts": parts}
        case Reflected(reason, detail):
            return {"reason": reason, "text": detail}
        case Used(usage):
            return asdict(usage)
        case _:
            return asdict(event)


class Stream:
    """The events of one turn. One writer, the loop. `speaks`: whether the client has our protocol; without it only
    the progress is told."""

    def __init__(self, wire: Wire, ident: str, report: Progress, speaks: bool) -> None:
        self._wire = wire
        self._ident = ident
        self._report = report
        self._speaks = speaks
        self._seq = 0
        self._waiting: deque[Event] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._sent_at = 0.0
        self._said = 0
        self._told_at = 0.0

    def __call__(self, event: Event) -> None:
        """Take an event. Never blocks."""
        if self._waiting and _replaces(event, self._waiting[-1]):
            self._waiting.pop()
        self._waiting.append(event)
        if not isinstance(event, Said):
            self._pump()
            self._show(event)
        else:
            self._said += len(event.text)
            self._soon()

    def finish(self) -> None:
        """The turn is over: everything goes out."""
        self._stop()
        while self._waiting:
            self._send_next()

    def _soon(self) -> None:
        """Text goes out at once, or together with what comes in the next moment."""
        if self._timer is not None:
            return
        loop = asyncio.get_running_loop()
        wait = self._sent_at + GATHER - loop.time()
        if wait <= 0:
            self._pump()
        else:
            self._timer = loop.call_later(wait, self._pump)

    def _pump(self) -> None:
        """Send what waits as far as the client keeps up."""
        self._stop()
        loop = asyncio.get_running_loop()
        while self._waiting and self._wire.backlog <= BACKLOG:
            self._send_next()
        self._sent_at = loop.time()
        if self._waiting:
            self._timer = loop.call_later(BEHIND, self._pump)
        if self._said and self._sent_at - self._told_at >= REPORT:
            self._told_at = self._sent_at
            self._report(f"answering, {self._said} characters", None)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _send_next(self) -> None:
        """Send the first that waits; of text all that follows of its kind."""
        first = self._waiting.popleft()
        if not isinstance(first, Said):
            self._send(EVENT, {"kind": kind(type(first)), **fields(first)})
            return
        pieces = [first.text]
        while self._waiting and _continues(more := self._waiting[0], first):
            pieces.append(more.text)
            self._waiting.popleft()
        name = "reasoning" if first.reasoning else "text"
        self._send(DELTA, {"kind": name, "text": "".join(pieces)})

    def _show(self, event: Event) -> None:
        if isinstance(event, Status):
            self._report(event.text, event.percent)
        elif isinstance(event, Reflected):
            self._report(f"asking again: {event.reason}", None)

    def _send(self, method: str, params: dict[str, Any]) -> None:
        if self._speaks:
            self._seq += 1
            self._wire.notify(method, {"id": self._ident, "seq": self._seq, **params})


def _replaces(event: Event, last: Event) -> bool:
    """Whether nobody needs `last` any more."""
    if not isinstance(event, Status) or not isinstance(last, Status):
        return False
    return event.percent is not None and last.percent is not None


def _continues(event: Event, first: Said) -> TypeGuard[Said]:
    """Whether `event` is more of what `first` began."""
    return isinstance(event, Said) and event.reasoning == first.reasoning
