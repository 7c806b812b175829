"""Work-done progress: begun, reported and always ended, with a way to cancel.

The token is the client's if its request carried one, else ours, created first and only where the
client supports that; the work does not wait for the client's yes. Without support everything here
is silent; cancelling by `window/workDoneProgress/cancel` works for every token that was begun.
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
# A client that answers the create request later than this gets no progress.
_PATIENCE = 2.0


class Wire(Protocol):
    """What progress needs of a session."""

    def notify(self, method: str, params: Any) -> None: ...

    def request(self, method: str, params: Any) -> Coroutine[Any, Any, Any]: ...


class Report:
    """One running progress. `report` may be called often: unchanged values are not sent again."""

    def __init__(self, wire: Wire, percent: bool) -> None:
        self._wire = wire
        self._token: Token | None = None
        self._percent = percent
        self._last: tuple[str, int | None] = ("", None)
        self.message = ""

    def report(self, message: str, percent: int | None = None) -> None:
        """`percent` from 0 to 100; ignored unless the progress began with one."""
        percent = percent if self._percent else None
        if (message, percent) != self._last:
            self._last = (message, percent)
            self._send(types.WorkDoneProgressReport(message=message, percentage=percent))

    def _begin(self, token: Token, title: str, cancellable: bool) -> None:
        """The display is there: what was reported meanwhile is made up for."""
        self._token = token
        first = 0 if self._percent else None
        value = types.WorkDoneProgressBegin(title, cancellable=cancellable, percentage=first)
        self._send(value)
        message, percent = self._last
        if message:
            self._send(types.WorkDoneProgressReport(message=message, percentage=percent))

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
        report = Report(self._wire, percent)
        begun: list[Token] = []

        def begin(chosen: Token) -> None:
            begun.append(chosen)
            if on_cancel is not None:
                self._cancel[chosen] = on_cancel
            report._begin(chosen, title, on_cancel is not None)

        making = None
        if token is not None:
            begin(token)
        elif self._supported:
            making = asyncio.ensure_future(self._create(begin))
            # Some time to send it in, and for an answer that is there already.
            await asyncio.sleep(0)
        try:
            yield report
        finally:
            if making is not None:
                making.cancel()
            for chosen in begun:
                self._cancel.pop(chosen, None)
            report._end()

    def cancel(self, token: Token) -> bool:
        """The user cancelled; False for a token that is not running."""
        if (stop := self._cancel.pop(token, None)) is None:
            return False
        stop()
        return True

    async def _create(self, begin: Callable[[Token], None]) -> None:
        token = str(uuid.uuid4())
        params = types.WorkDoneProgressCreateParams(token=token)
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._wire.request(types.WINDOW_WORK_DONE_PROGRESS_CREATE, params)
        except (TimeoutError, RequestFailed):
            return
        begin(token)
