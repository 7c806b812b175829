"""Documents of the scheme `pairwright`, which lie on no disk: served on request, refreshed while shown.

Which path gives which text is a table of `routes`. A client is told when the text of a
document it has read changed, at most once a second; one that it does not read again after that was
closed and is forgotten.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from lsprotocol import types

from pairwright.lsp.capabilities import SCHEME
from pairwright.lsp.errors import Refused, RequestFailed
from pairwright.lsp.session import Session

log = logging.getLogger(__name__)

PAUSE = 1.0
"""Seconds between two looks at what changed; more where making the texts takes long."""

_SHARE = 5
_MOST = 16
_ANSWER = 10.0


class Address(NamedTuple):
    """A URI taken apart. `name`: the first part of the path. `rest`: what follows it. `args`: each
    key's values, in order."""

    name: str
    rest: str
    args: Mapping[str, tuple[str, ...]]

    def one(self, key: str) -> str:
        """The first value of `key`, empty if there is none."""
        return next(iter(self.args.get(key, ())), "")


Make = Callable[[Session, Address], Awaitable[str]]
"""The text of an address. Raises Refused."""


def address(uri: str) -> Address | None:
    """`uri` taken apart; None if it is not of our scheme. An extension behind the name is for the
    editor's eyes only."""
    parts = urlsplit(uri)
    if parts.scheme != SCHEME:
        return None
    name, _, rest = unquote(parts.path).strip("/").partition("/")
    # VS Code escapes the `=` and `&` of a query when it writes a URI.
    query = parts.query if "=" in parts.query else unquote(parts.query)
    args: dict[str, list[str]] = {}
    for key, value in parse_qsl(query, keep_blank_values=True):
        args.setdefault(key, []).append(value)
    return Address(name.split(".")[0], rest, {key: tuple(values) for key, values in args.items()})


def uri_of(path: str, **args: object) -> str:
    """The URI of `path` with those of `args` that are not empty; a tuple gives a key several
    times."""
    pairs = [
        (key, str(one))
        for key, value in args.items()
        for one in (value if isinstance(value, tuple) else (value,))
        if one not in (None, "")
    ]
    query = f"?{urlencode(pairs, quote_via=quote)}" if pairs else ""
    return f"{SCHEME}:/{quote(path)}{query}"


@dataclass(slots=True)
class _Shown:
    text: str
    is_stale: bool = False


class VirtualDocuments:
    """Changed on the loop only. `makers`: by the first part of the path."""

    def __init__(self, session: Session, makers: Mapping[str, Make]) -> None:
        self._session = session
        self._makers = makers
        self._shown: dict[str, _Shown] = {}
        self._watching = False

    async def read(self, uri: str) -> str:
        """The text of `uri` now; the client is told of changes from here on. Raises Refused."""
        text = await self._make(uri)
        client = self._session.client
        if client.virtual or client.protocol:
            self._shown.pop(uri, None)
            self._shown[uri] = _Shown(text)
            while len(self._shown) > _MOST:
                del self._shown[next(iter(self._shown))]
            if not self._watching:
                self._watching = True
                self._session.guard.spawn(self._watch())
        return text

    async def _make(self, uri: str) -> str:
        where = address(uri)
        make = self._makers.get(where.name) if where else None
        if where is None or make is None:
            known = ", ".join(f"{SCHEME}:/{name}" for name in sorted(self._makers))
            raise Refused(f"{uri} is no document of Pairwright. There are: {known}.")
        return await make(self._session, where)

    async def _watch(self) -> None:
        """Compare what is shown with what it would be now, until nothing is shown any more."""
        pause, before = PAUSE, self._state()
        try:
            while self._shown:
                await asyncio.sleep(pause)
                now = self._state()
                if now == before:
                    continue
                before, began = now, time.monotonic()
                for uri in list(self._shown):
                    await self._compare(uri)
                pause = max(PAUSE, _SHARE * (time.monotonic() - began))
        finally:
            self._watching = False

    def _state(self) -> object:
        """Changes whenever a text of ours may have changed."""
        session = self._session
        revisions = [root.host.snapshot().revision for root in session.documents.roots]
        proposals = [
            (item.id, item.state)
            for path in sorted(session.benches)
            for item in session.benches[path].proposals.pending()
        ]
        return revisions, proposals, session.map_budget

    async def _compare(self, uri: str) -> None:
        shown = self._shown.get(uri)
        if shown is None:
            return
        if shown.is_stale:
            del self._shown[uri]
            return
        try:
            text = await self._make(uri)
        except Refused:
            text = ""
        if text != shown.text and self._shown.get(uri) is shown:
            shown.is_stale = True
            await self._tell(uri)

    async def _tell(self, uri: str) -> None:
        if not self._session.client.virtual:
            self._session.notify("pairwright/document/changed", {"uri": uri})
            return
        params = types.TextDocumentContentRefreshParams(uri)
        method = types.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH
        try:
            await self._session.request(method, params, _ANSWER)
        except RequestFailed as error:
            log.info("%s is not refreshed: %s", uri, error)
            self._shown.pop(uri, None)
