"""The open documents and the workspace folders of one connection: which URI means which path where.

One host a folder. A document belongs to the innermost folder that holds its real path; a document
of no folder, and a buffer that is no file, belong to the first host under their URI, so that they
have text and tags but no place in the index. The client's own spelling of a URI is kept and sent
back.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from pairwright.lsp import convert
from pairwright.lsp.client import Folder
from pairwright.lsp.uris import Place, child, from_path, place, real, relative
from pairwright.text.columns import Unit
from pairwright.text.document import Document

if TYPE_CHECKING:
    from pairwright.workspace.host import Host


@dataclass(frozen=True, slots=True)
class Root:
    """A folder that is served. `path`: its real path. `uri`: as the client spelled it."""

    path: str
    uri: str
    host: Host


@dataclass(frozen=True, slots=True)
class Located:
    """Where a URI lies. `path`: relative to the root, or the URI of a document outside all
    folders."""

    root: Root
    path: str
    uri: str

    @property
    def host(self) -> Host:
        return self.root.host

    @property
    def indexed(self) -> bool:
        """Whether it is a file of its folder."""
        return self.path != self.uri


@dataclass(frozen=True, slots=True)
class Open:
    """An open document. `language`: the client's languageId."""

    at: Located
    language: str
    document: Document


class Documents:
    """Changed on the loop only, by the did* handlers."""

    def __init__(self, unit: Unit, make: Callable[[str | None], Host]) -> None:
        """`make`: the host of a folder's real path, or of no folder."""
        self._unit = unit
        self._make = make
        self._roots: list[Root] = []
        self._nowhere: Root | None = None
        self._open: dict[str, Open] = {}

    # --- folders

    @property
    def roots(self) -> tuple[Root, ...]:
        """The folders, in the client's order."""
        return tuple(self._roots)

    def hosts(self) -> tuple[Root, ...]:
        """Every root that has a host, the one of no folder included."""
        return (*self._roots, *([self._nowhere] if self._nowhere else []))

    def main(self) -> Root:
        """The first folder; without folders a host that has no files."""
        if self._roots:
            return self._roots[0]
        if self._nowhere is None:
            self._nowhere = Root("", "", self._make(None))
        return self._nowhere

    def root_at(self, name: str) -> Root | None:
        """The folder a command names by URI or by path."""
        found = place(name) if ":" in name else Place("file", name)
        path = real(found.path) if found and found.kind == "file" else None
        for root in self._roots:
            if root.uri == name or root.path == path:
                return root
        return None

    def add(self, folders: Iterable[Folder]) -> tuple[Root, ...]:
        """Serve more folders; what is no directory or is served already is skipped."""
        added = []
        for folder in folders:
            found = place(folder.uri)
            if found is None or found.kind != "file":
                continue
            path = real(found.path)
            if Path(path).is_dir() and all(root.path != path for root in self._roots):
                root = Root(path, folder.uri, self._make(path))
                self._roots.append(root)
                added.append(root)
        if added:
            self._resettle()
        return tuple(added)

    def remove(self, uris: Sequence[str]) -> tuple[Root, ...]:
        """Stop serving folders; their open documents stay open outside the index."""
        gone = tuple(root for uri in uris if (root := self.root_at(uri)) is not None)
        self._roots = [root for root in self._roots if root not in gone]
        if gone:
            self._resettle()
        return gone

    def _resettle(self) -> None:
        """Move open documents to the folder that is theirs now."""
        for key, item in list(self._open.items()):
            now = self._place(item.at.uri)
            if now is not None and (now.root is not item.at.root or now.path != item.at.path):
                del self._open[key]
                item.at.host.close(item.at.path)
                data = item.document.data
                self._put(key, now, item.document.version, item.language, data)

    # --- documents

    def locate(self, uri: str) -> Located | None:
        """Where `uri` lies; None for what is to be ignored."""
        found = self._open.get(_key(uri))
        return found.at if found else self._place(uri)

    def opened(self, uri: str) -> Open | None:
        """The open document of `uri` in any spelling."""
        return self._open.get(_key(uri))

    def all_open(self) -> Iterator[Open]:
        """Every open document, sorted by key."""
        for key in sorted(self._open):
            yield self._open[key]

    def uri_of(self, root: Root, path: str) -> str:
        """The URI to send for `path`: the client's own if it is open."""
        for item in self._open.values():
            if item.at.root is root and item.at.path == path:
                return item.at.uri
        if place(path) is not None:
            return path
        return child(root.uri, path) if root.uri else from_path(path)

    def open(self, item: types.TextDocumentItem) -> Open | None:
        """didOpen; a second one replaces the first."""
        key = _key(item.uri)
        before = self._open.pop(key, None)
        if before is not None:
            before.at.host.close(before.at.path)
        at = self._place(item.uri)
        if at is None:
            return None
        data = convert.encode(item.text)
        return self._put(key, at, item.version, str(item.language_id), data)

    def change(
        self,
        ident: types.VersionedTextDocumentIdentifier,
        changes: Sequence[types.TextDocumentContentChangeEvent],
    ) -> Open | None:
        """didChange; None for a document that was never opened."""
        key = _key(ident.uri)
        item = self._open.get(key)
        if item is None:
            return None
        document, edits = convert.changed(item.document, changes, ident.version, self._unit)
        item.at.host.change(item.at.path, document, edits)
        item = replace(item, document=document)
        self._open[key] = item
        return item

    def close(self, uri: str) -> Open | None:
        """didClose: the disk counts again."""
        item = self._open.pop(_key(uri), None)
        if item is not None:
            item.at.host.close(item.at.path)
        return item

    def _put(self, key: str, at: Located, version: int | None, language: str, data: bytes) -> Open:
        if at.indexed and self._taken(at):
            # Two links to one file are two buffers with texts of their own: the first is the file.
            at = Located(at.root, at.uri, at.uri)
        document = at.host.open(at.path, at.uri, version, language, data)
        item = Open(at, language, document)
        self._open[key] = item
        return item

    def _taken(self, at: Located) -> bool:
        held = (item.at for item in self._open.values())
        return any(other.root is at.root and other.path == at.path for other in held)

    def _place(self, uri: str) -> Located | None:
        found = place(uri)
        if found is None:
            return None
        if found.kind == "file":
            path = real(found.path)
            for root in sorted(self._roots, key=lambda root: -len(root.path)):
                if (inside := relative(path, root.path)) is not None:
                    return Located(root, inside, uri)
        return Located(self.main(), uri, uri)


def _key(uri: str) -> str:
    """One key for all spellings of one document's URI."""
    found = place(uri)
    if found is None or found.kind == "buffer":
        return uri
    return unicodedata.normalize("NFC", found.path)
