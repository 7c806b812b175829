"""Places in files as the client wants them: URIs and ranges, for work in threads.

The client's own spelling of an open document's URI is taken on the loop; the rest may be asked from
any thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lsprotocol import types

from pairwright.lsp import convert
from pairwright.lsp.documents import Documents, Root
from pairwright.lsp.uris import child, from_path, place
from pairwright.text.columns import Unit
from pairwright.text.document import Document


@dataclass(frozen=True, slots=True)
class Places:
    """`open`: URIs of open documents by (path of the root, path). `unit`: the client's."""

    open: Mapping[tuple[str, str], str]
    unit: Unit

    @classmethod
    def of(cls, documents: Documents, unit: Unit) -> Places:
        """On the loop: the documents that are open now."""
        held = (item.at for item in documents.all_open())
        return cls({(at.root.path, at.path): at.uri for at in held}, unit)

    def uri(self, root: Root, path: str) -> str:
        """The URI to send for `path`."""
        known = self.open.get((root.path, path))
        if known is not None:
            return known
        if place(path) is not None:
            return path
        return child(root.uri, path) if root.uri else from_path(path)

    def name(self, document: Document, start: int, name: str) -> types.Range:
        """The range of `name`, which stands at byte `start`."""
        return convert.range_of(document, start, start + len(convert.encode(name)), self.unit)
