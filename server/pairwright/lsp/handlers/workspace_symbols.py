"""workspace/symbol: names of the whole index by a few of their letters.

Off unless `symbols.workspace` is on. Of the best names only as many places are looked up as are
sent, since each costs a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from lsprotocol import types

from pairwright.graph.search import Found
from pairwright.lsp.documents import Root
from pairwright.lsp.guard import Call, Job
from pairwright.lsp.handlers.symbols import KINDS
from pairwright.lsp.names import KnownNames
from pairwright.lsp.places import Places
from pairwright.lsp.schedule import CancelToken
from pairwright.tags.types import Definition
from pairwright.workspace.types import Snapshot

LIMIT = 100
"""Symbols in an answer."""

_PER_NAME = 8
# A file that was not read lately costs half a millisecond.
_FILES = 40
_MANY = 400
_APART = re.compile(r"::|->|[\s./#\\:]+")


class Symbol(NamedTuple):
    """A definition found by `found`. `container`: the definition around it, else empty."""

    found: Found
    path: str
    definition: Definition
    container: str


def workspace_symbol(call: Call, params: types.WorkspaceSymbolParams) -> Job | None:
    """The best symbols for the query, in all folders, best first."""
    session = call.session
    if not session.settings.symbols.workspace:
        return None
    names, query = session.names, params.query
    folders = [(root, root.host.snapshot()) for root in session.documents.roots]
    places = Places.of(session.documents, session.client.encoding)

    def run(token: CancelToken) -> list[types.SymbolInformation]:
        symbols = [
            (symbol, root, snapshot)
            for root, snapshot in folders
            for symbol in search(snapshot, names, query, token.check)
        ]
        symbols.sort(key=lambda item: _order(item[0].found))
        made = (_information(places, *item) for item in symbols[:LIMIT])
        return [item for item in made if item is not None]

    return Job(run)


def search(
    snapshot: Snapshot, names: KnownNames, query: str, check: Callable[[], None]
) -> list[Symbol]:
    """At most LIMIT symbols of one folder, best first, then by path and place.

    The last part of `a.b`, `a::b` or `a b` is the name; what stands before it must be in the path
    or in the names around the definition. No name has more than a few places as long as other names
    wait. `check` is called for each file and may raise.
    """
    *around, name = [part for part in _APART.split(query) if part] or [""]
    within = [part.lower() for part in around]
    near = [_holding(snapshot, names, part) for part in within]
    reader = _Reader(snapshot, within, near, check)
    ranked = names.search(snapshot, name, _MANY if within else LIMIT)
    streams = [reader.symbols(found) for found in ranked]
    kept: list[Symbol] = []
    for most in (_PER_NAME, LIMIT):
        for stream in streams:
            kept += islice(stream, min(most, LIMIT - len(kept)))
    return sorted(kept, key=lambda item: (_order(item.found), item.path, item.definition.start))


class _Reader:
    """Looks names up in files, no more than may be read for one answer."""

    def __init__(
        self,
        snapshot: Snapshot,
        within: Sequence[str],
        near: Sequence[frozenset[str]],
        check: Callable[[], None],
    ) -> None:
        self._snapshot = snapshot
        self._graph = snapshot.graph()
        self._within = within
        self._near = near
        self._check = check
        self._files: set[str] = set()

    def symbols(self, found: Found) -> Iterator[Symbol]:
        """The definitions of a name, open files first."""
        opened = self._snapshot.buffers
        paths = self._graph.definers(found.name)
        for path in sorted(paths, key=lambda path: (path not in opened, path)):
            if not self._possible(path):
                continue
            if path not in self._files and len(self._files) >= _FILES:
                return
            self._check()
            self._files.add(path)
            yield from _in_file(self._snapshot, path, found, self._within)

    def _possible(self, path: str) -> bool:
        small = path.lower()
        pairs = zip(self._within, self._near, strict=True)
        return all(part in small or path in near for part, near in pairs)


def _order(found: Found) -> tuple[int, int, str]:
    return -found.points, len(found.name), found.name


def _holding(snapshot: Snapshot, names: KnownNames, part: str) -> frozenset[str]:
    """The files that define a name with `part` inside."""
    graph = snapshot.graph()
    like = (found.name for found in names.search(snapshot, part, _MANY))
    return frozenset(path for name in like if part in name.lower() for path in graph.definers(name))


def _in_file(
    snapshot: Snapshot, path: str, found: Found, within: Sequence[str]
) -> Iterator[Symbol]:
    defs = snapshot.tags(path).defs
    for index, item in enumerate(defs):
        if item.name == found.name:
            around = [outer.name for outer in defs[:index] if outer.end >= item.end]
            place = "\0".join((path, *around)).lower()
            if all(part in place for part in within):
                yield Symbol(found, path, item, around[-1] if around else "")


def _information(
    places: Places, symbol: Symbol, root: Root, snapshot: Snapshot
) -> types.SymbolInformation | None:
    document = snapshot.document(symbol.path)
    if document is None:
        return None
    item = symbol.definition
    return types.SymbolInformation(
        location=types.Location(
            places.uri(root, symbol.path), places.name(document, item.name_start, item.name)
        ),
        name=item.name,
        kind=KINDS.get(item.kind, types.SymbolKind.Variable),
        container_name=symbol.container or symbol.path,
    )
