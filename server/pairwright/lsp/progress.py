"""Work-done progress: begun, reported and always ended, with a way to cancel.

The token is the client's if its request carried one, else ours, created first and only where the
client supports that. Without support everything here is silent; cancelling by
`window/workDoneProgress/cancel` works for every token that was begun.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Protocol

from lsprotocol import types

from pairwright.lsp.errors import RequestFailed

Token = int | str
# A client that never answers the create request must not hold up the work.
_PATIENCE = 2.0


class Wire(Protocol):
    """What progress needs of a session."""

    def notify(self, method: str, params: Any) -> None: ...

    def request(self, method: str, params: Any) -> Coroutine[Any, Any, Any]: ...


class Report:
    """One running progress. `report` may be called often: unchanged values are not sent again."""

    def __init__(self, wire: Wire, token: Token | None, percent: bool) -> None:
        self._wire = wire
        self._token = token
        self._percent = percent
        self._last: tuple[str, int | None] = ("", None)
        self.message = ""

    def report(self, message: str, percent: int | None = None) -> None:
        """`percent` from 0 to 100; ignored unless the progress began with one."""
        percent = percent if self._percent else None
        if (message, percent) == self._last or self._token is None:
            return
        self._last = (message, percent)
        self._send(types.WorkDoneProgressReport(message=message, percentage=percent))

    def _begin(self, title: str, cancellable: bool) -> None:
        first = 0 if self._percent else None
        value = types.WorkDoneProgressBegin(title, cancellable=cancellable, percentage=first)
        self._send(value)

    def _end(self) -> None:
        self._send(types.WorkDoneProgressEnd(message=self.message or None))

    def _send(self, value: Any) -> None:
        if self._token is not None:
            params = types.ProgressParams(token=self._token, value=value)
            self._wire.notify(types.PROGRESS, params)


class Progresses:
    """The running progresses of one connection."""

    def __init__(self, wire: Wire, supported: bool) -> None:
        self._wire = wire
        self._supported = supported
        self._cancel: dict[Token, Callable[[], None]] = {}

    @asynccontextmanager
    async def run(
        self,
        title: str,
        *,
        token: Token | None = None,
        on_cancel: Callable[[], None] | None = None,
        percent: bool = False,
    ) -> AsyncIterator[Report]:
        """A progress around a block. Set `message` of the report for the last words; whatever ends
        the block also ends the progress."""
        chosen = token if token is not None else await self._create()
        report = Report(self._wire, chosen, percent)
        if chosen is not None and on_cancel is not None:
            self._cancel[chosen] = on_cancel
        report._begin(title, on_cancel is not None)
        try:
            yield report
        finally:
            if chosen is not None:
                self._cancel.pop(chosen, None)
            report._end()

    def cancel(self, token: Token) -> bool:
        """The user cancelled; False for a token that is not running."""
        if (stop := self._cancel.pop(token, None)) is None:
            return False
        stop()
        return True

    async def _create(self) -> Token | None:
        if not self._supported:
            return None
        token = str(uuid.uuid4())
        params = types.WorkDoneProgressCreateParams(token=token)
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._wire.request(types.WINDOW_WORK_DONE_PROGRESS_CREATE, params)
        except (TimeoutError, RequestFailed):
            return None
        return token
