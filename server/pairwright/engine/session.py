"""Chats of one workspace: what was asked and answered, by session id.

In memory; one writer, the event loop. What is sent again is the policy of `memory.history`.
"""

from __future__ import annotations

from dataclasses import replace

from pairwright.memory.history import Exchange

# Older exchanges never fit a history cap; keeping them would only cost memory.
_KEEP = 100


class Sessions:
    """Finished exchanges by session id; the empty id is the default session."""

    def __init__(self) -> None:
        self._chats: dict[str, list[Exchange]] = {}

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
