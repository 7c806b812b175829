"""workspace/symbol: names of the whole index by a few of their letters.

Off unless `symbols.workspace` is on. Of the best names only as many places are looked up as are
sent, since each costs a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from lsprotocol import types

from pairwright.graph.search import Found
from pairwright.lsp.documents import Root
from pairwright.lsp.guard import Call, Job
from pairwright.lsp.handlers.symbols import KINDS
from pairwright.lsp.names import KnownNames
from pairwright.lsp.places import Places
from pairwright.lsp.schedule import CancelToken
from pairwright.tags.types import Definition, parents
from pairwright.workspace.types import Snapshot

LIMIT = 100
"""Symbols in an answer."""

_PER_NAME = 8
_FILES = 150
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
    *within, last = [part for part in _APART.split(query) if part] or [""]
    ranked = names.search(snapshot, last, _MANY if within else LIMIT)
    first: list[Symbol] = []
    rest: list[Symbol] = []
    files: set[str] = set()
    for found in ranked:
        if len(first) >= LIMIT or len(files) >= _FILES:
            break
        inside: list[Symbol] = []
        for path in _definers(snapshot, found.name):
            if len(files) >= _FILES or len(inside) >= LIMIT:
                break
            check()
            files.add(path)
            inside += _in_file(snapshot, path, found, [part.lower() for part in within])
        first += inside[:_PER_NAME]
        rest += inside[_PER_NAME:]
    kept = (first + rest)[:LIMIT]
    return sorted(kept, key=lambda item: (_order(item.found), item.path, item.definition.start))


def _order(found: Found) -> tuple[int, int, str]:
    return -found.points, len(found.name), found.name


def _definers(snapshot: Snapshot, name: str) -> list[str]:
    """Files that define `name`, open ones first."""
    opened = snapshot.buffers
    return sorted(snapshot.definers(name), key=lambda path: (path not in opened, path))


def _in_file(snapshot: Snapshot, path: str, found: Found, within: list[str]) -> Iterator[Symbol]:
    defs = snapshot.tags(path).defs
    if all(item.name != found.name for item in defs):
        return
    outer = parents(defs)
    for index, item in enumerate(defs):
        if item.name != found.name:
            continue
        around = []
        at = outer[index]
        while at >= 0:
            around.append(defs[at].name)
            at = outer[at]
        place = "\0".join((path, *around)).lower()
        if all(part in place for part in within):
            yield Symbol(found, path, item, around[0] if around else "")


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
